//! Interfaces for programs and browsers: the Model Context Protocol, the daemon with its client, and the viewer.
//!
//! Never knows: SQL, tree-sitter, how answers are computed.

pub mod mcp;
pub mod view;

mod connections;
mod shape;

pub use shape::has_too_many_values;

pub mod client;
pub mod daemon;
