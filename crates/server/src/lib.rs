//! Interfaces for programs and browsers: the Model Context Protocol, the daemon with its client, and the viewer.
//!
//! Never knows: SQL, tree-sitter, how answers are computed.

pub mod mcp;
pub mod view;

mod connections;
mod shape;

pub use shape::has_too_many_values;

#[cfg(unix)]
pub mod client;
#[cfg(unix)]
pub mod daemon;

/// Raises the limit of open files, so that as many clients can connect as the system allows this user.
#[cfg(unix)]
pub(crate) fn raise_open_file_limit() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.unwrap_or(1 << 16).min(1 << 16);
    if limit.current.is_some_and(|now| now < wanted) {
        limit.current = Some(wanted);
        // If this fails, fewer clients can connect.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}
