//! Doors for programs: the Model Context Protocol, and the daemon with its client.
//!
//! Never knows: SQL, tree-sitter, how answers are computed.

pub mod mcp;

#[cfg(unix)]
pub mod client;
#[cfg(unix)]
pub mod daemon;
