//! From files on disk to the graph: walk, facts, linking, store.
//!
//! Never knows: queries, terminals, wire formats.

pub mod link;
