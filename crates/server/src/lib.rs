//! Doors for programs: the Model Context Protocol on standard input and output.
//!
//! Never knows: SQL, tree-sitter, how answers are computed.

pub mod mcp;
