//! One module per operation: its request, its answer, and the function between them.

pub(crate) mod arch_check;
pub(crate) mod arguments;
pub(crate) mod boundary;
pub(crate) mod bug_locate;
pub(crate) mod cache;
pub(crate) mod call_chain;
pub(crate) mod clock;
pub(crate) mod cod;
pub(crate) mod complexity;
pub(crate) mod delta;
pub(crate) mod embedding;
pub(crate) mod federation;
pub(crate) mod graph_rag;
pub(crate) mod graph_store;
pub(crate) mod hook;
pub(crate) mod hotspot;
pub(crate) mod impact;
pub(crate) mod index;
pub(crate) mod layout;
pub(crate) mod pattern;
pub(crate) mod precise;
pub(crate) mod rerank;
pub(crate) mod scip;
pub(crate) mod search;
pub(crate) mod symbol;
pub(crate) mod vuln;
