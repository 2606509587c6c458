//! One file per command.

pub(crate) mod arch_check;
pub(crate) mod ast_delta;
pub(crate) mod boundary;
pub(crate) mod bug_locate;
pub(crate) mod cache;
pub(crate) mod call_chain;
pub(crate) mod cod;
pub(crate) mod complexity;
pub(crate) mod config;
pub(crate) mod daemon;
pub(crate) mod embedding;
pub(crate) mod graph_rag;
pub(crate) mod graph_store;
pub(crate) mod hook;
pub(crate) mod hotspot;
pub(crate) mod impact;
pub(crate) mod index;
pub(crate) mod intent;
pub(crate) mod mcp;
pub(crate) mod pattern;
pub(crate) mod rerank;
pub(crate) mod scip;
pub(crate) mod search;
pub(crate) mod solution;
mod symbol;
pub(crate) mod vuln;
pub(crate) mod watch;
