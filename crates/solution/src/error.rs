//! The error type, with kinds that callers distinguish.

use std::path::Path;

/// The reason given for a setting of the store that lacks the seal of this user.
pub(crate) const NOT_OURS: &str = "the store names it, and you did not choose it on this machine: nothing is sent there. \
     Choose it anew if you want it";

/// Kinds of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The arguments are wrong, or name something that does not exist.
    BadArguments,
    /// Something outside is needed and missing.
    Missing,
    /// The operation failed while running.
    Failure,
}

/// An error with advice on what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SolutionError {
    /// The kind.
    pub kind: Kind,
    /// The message, with the path or the argument.
    pub message: String,
    /// Advice on what to do.
    pub hint: Option<String>,
    /// Whether the database turned out to be damaged.
    pub(crate) damaged: bool,
    /// Whether the database's files are no longer those that are open.
    pub(crate) lost: bool,
    /// Whether another process holds the database.
    pub(crate) busy: bool,
    /// Whether the disk has no space left, so that nothing can be written.
    pub(crate) full: bool,
}

/// The result of most functions.
pub type Result<T> = std::result::Result<T, SolutionError>;

impl SolutionError {
    fn new(kind: Kind, message: impl Into<String>) -> SolutionError {
        SolutionError {
            kind,
            message: message.into(),
            hint: None,
            damaged: false,
            lost: false,
            busy: false,
            full: false,
        }
    }

    /// Wrong arguments.
    pub fn bad_arguments(message: impl Into<String>) -> SolutionError {
        SolutionError::new(Kind::BadArguments, message)
    }

    /// Something outside is missing.
    pub fn missing_dependency(message: impl Into<String>) -> SolutionError {
        SolutionError::new(Kind::Missing, message)
    }

    /// A failure while running.
    pub fn failure(message: impl Into<String>) -> SolutionError {
        SolutionError::new(Kind::Failure, message)
    }

    /// Adds advice on what to do.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> SolutionError {
        self.hint = Some(hint.into());
        self
    }

    /// The error if another process holds the store. It does not name the process, which takes long to
    /// find.
    pub(crate) fn is_held() -> SolutionError {
        SolutionError {
            busy: true,
            ..SolutionError::failure("another process keeps the store to itself")
                .with_hint("try again")
        }
    }

    /// The error if another process holds the store. It names the process if the system knows it.
    pub(crate) fn held_by_another(path: &Path) -> SolutionError {
        let files = ["", "-wal", "-shm", ".lock"].map(|ending| {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            std::path::PathBuf::from(name)
        });
        let files = files.each_ref().map(|file| file.as_path());
        let by = guard::holder::find_lock_holders(&files);
        let by = by.map_or_else(String::new, |by| format!(": {by}"));
        let message = format!("another process keeps {} to itself{by}", path.display());
        SolutionError {
            busy: true,
            ..SolutionError::failure(message).with_hint("try again")
        }
    }

    pub(crate) fn from_io(path: &Path, doing: &str, error: &std::io::Error) -> SolutionError {
        SolutionError {
            full: is_disk_full(error),
            ..SolutionError::failure(format!("{doing} {}: {error}", path.display()))
        }
    }
}

/// Whether nothing can be written because the disk, or the user's share of it, is full.
pub(crate) fn is_disk_full(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{QuotaExceeded, StorageFull};
    matches!(error.kind(), QuotaExceeded | StorageFull)
}

impl From<rusqlite::Error> for SolutionError {
    fn from(error: rusqlite::Error) -> SolutionError {
        use rusqlite::ErrorCode;
        let code = error.sqlite_error_code();
        let mut out = SolutionError::failure(format!("solution store: {error}"));
        match code {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => out.damaged = true,
            Some(ErrorCode::SystemIoFailure) => {
                out.lost = true;
                out.hint = Some("look at the disk, and try again".to_owned());
            }
            Some(
                ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::FileLockingProtocolFailed,
            ) => {
                out.busy = true;
                out.hint = Some("another process is writing; try again".to_owned());
            }
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen) => {
                out.hint = Some("the folder must be writable to save solutions".to_owned());
            }
            Some(ErrorCode::DiskFull) => {
                out.full = true;
                out.hint = Some("free disk space".to_owned());
            }
            _ => {}
        }
        out
    }
}
