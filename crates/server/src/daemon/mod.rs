//! The resident daemon: one per project, which keeps the graph in memory and answers over a Unix socket.
//!
//! A [`supervise`]d process of its own does the work (the module `serve`); [`control`] starts, stops and asks about it from
//! outside. Whoever holds the lock file is the daemon; pid files and sockets without that lock are left-overs.

pub mod control;
pub mod files;
pub mod protocol;
pub mod supervise;

mod actions;
mod anchor;
mod connection;
mod log;
mod metrics;
mod queue;
mod serve;

pub(crate) use actions::OTHER_WORLD;
pub use actions::{CommandCall, CommandOutput, Commands, Stream};
pub use files::{Files, PathOverrides};
pub use serve::{Config, Options, run_daemon};

use std::path::Path;

/// Why a daemon could not be started, asked or stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DaemonError {
    /// Another one serves this project.
    #[error("Daemon already running (PID: {0})")]
    AlreadyRunning(u32),
    /// It came up, and ended at once.
    #[error("the daemon did not start: {0}")]
    NotStarted(String),
    /// There is none.
    #[error("Daemon is not running")]
    NotRunning,
    /// It is there and does not answer.
    #[error("the daemon (PID: {0}) does not answer")]
    Silent(u32),
    /// What stands in the place of one of its files is none of ours.
    #[error(transparent)]
    File(#[from] guard::OpenError),
    /// A file or socket could not be used.
    #[error("{path}: {source}")]
    Io {
        /// The file or socket.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
}

impl DaemonError {
    /// An error of the system about a path.
    pub(crate) fn from_io(path: &Path, source: std::io::Error) -> DaemonError {
        DaemonError::Io {
            path: path.display().to_string(),
            source,
        }
    }
}
