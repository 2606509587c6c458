//! One binary for all tests of the command, because each test binary takes seconds to build.

#![allow(clippy::unwrap_used)]

mod boundary_roles;
mod common;

mod arch_check;
mod ast_delta;
#[cfg(unix)]
mod belief;
mod bug_locate;
mod by_hand;
mod call_chain;
#[cfg(unix)]
mod daemon;
#[cfg(unix)]
mod daemon_limits;
mod damage;
#[cfg(unix)]
mod doctor;
mod doors;
mod embedding;
#[cfg(unix)]
mod fallback;
mod federation;
mod federation_state;
mod graph_rag;
mod graph_store;
mod hook;
#[cfg(unix)]
mod hostile;
#[cfg(unix)]
mod hostile_shims;
mod hotspot;
mod impact_diff;
#[cfg(unix)]
mod isolated;
mod live;
mod mcp;
mod mcp_http;
mod overview;
mod pattern;
mod questions;
#[cfg(unix)]
mod read_only;
mod regex;
mod rerank;
mod scip;
mod secrets;
mod settings;
#[cfg(unix)]
mod setup;
mod shims;
#[cfg(unix)]
mod shims_outside;
mod snapshots;
mod solution;
#[cfg(unix)]
mod team;
mod terminal;
mod unread;
mod untrusted;
mod view;
mod vuln;
mod watch;
#[cfg(unix)]
mod worktrees;
