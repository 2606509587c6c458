//! The daemon: one per project, which keeps the graph in memory and answers over a Unix socket or a named pipe.
//!
//! A [`supervise`]d process of its own does the work (the module `serve`); [`control`] starts and stops it and shows its state.
//! The process that holds the lock file is the daemon; pid files and sockets without that lock are left-overs.

pub mod control;
pub mod files;
pub mod protocol;
pub mod supervise;

mod actions;
mod anchor;
mod connection;
mod holder;
mod log;
mod metrics;
mod own_action;
mod queue;
mod serve;
mod signals;
mod socket;

pub(crate) use actions::OTHER_ENVIRONMENT;
pub use actions::{CommandCall, CommandOutput, Commands, Stream, warm_up};
pub use files::{Files, PathOverrides};
pub use own_action::OwnAction;
pub use serve::{Config, Options, run_daemon};
pub(crate) use socket::ClientStream;

use std::path::Path;

/// The reason why a daemon could not be started, asked or stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DaemonError {
    /// Another daemon serves this project.
    #[error("Daemon already running (PID: {0})")]
    AlreadyRunning(u32),
    /// The daemon started, and ended at once.
    #[error("the daemon did not start: {0}")]
    NotStarted(String),
    /// There is no daemon.
    #[error("the daemon is not running")]
    NotRunning,
    /// The daemon runs and does not answer.
    #[error("the daemon (PID: {0}) does not answer")]
    Silent(u32),
    /// The daemon runs in another container or on another host. Its process cannot be ended from here.
    #[error(
        "the daemon (process {0} of another container or host) does not answer, and is not ended from here"
    )]
    Elsewhere(u32),
    /// A foreign file is in the place of one of its files.
    #[error(transparent)]
    File(#[from] guard::OpenError),
    /// A file or socket could not be used.
    #[error("{path}: {source}")]
    Io {
        /// The file or socket.
        path: String,
        /// The error of the system.
        source: std::io::Error,
    },
}

impl DaemonError {
    /// An error of the system for a path.
    pub(crate) fn from_io(path: &Path, source: std::io::Error) -> DaemonError {
        DaemonError::Io {
            path: path.display().to_string(),
            source,
        }
    }
}
