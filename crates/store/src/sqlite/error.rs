//! Converts errors of SQLite and the file system to those of the store, with the path in each.

use crate::StoreError;
use rusqlite::{Error, ErrorCode, ffi};
use std::path::Path;

/// Converts an error that occurred while `doing` something to the database at `path`.
pub(super) fn sql_error(path: &Path, doing: &str, error: &rusqlite::Error) -> StoreError {
    let shown = path.display().to_string();
    let reason = match error.sqlite_error_code() {
        Some(
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::FileLockingProtocolFailed,
        ) => {
            return busy_error(path);
        }
        Some(ErrorCode::SystemIoFailure) if !is_write_failure(error) => {
            return StoreError::Lost {
                path: shown,
                reason: error.to_string(),
            };
        }
        Some(ErrorCode::ReadOnly) if extended_code(error) == ffi::SQLITE_READONLY_DBMOVED => {
            return StoreError::Lost {
                path: shown,
                reason: error.to_string(),
            };
        }
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            return StoreError::Damaged {
                path: shown,
                reason: error.to_string(),
            };
        }
        _ if is_unexpected_schema(error) => {
            return StoreError::Malformed {
                path: shown,
                reason: error.to_string(),
            };
        }
        Some(ErrorCode::DiskFull) => "the disk is full".to_owned(),
        Some(ErrorCode::SystemIoFailure) => {
            format!("the disk cannot be written; it may be full or failing ({error})")
        }
        Some(ErrorCode::ReadOnly) => "the database cannot be written (read-only)".to_owned(),
        Some(ErrorCode::CannotOpen) => "the file cannot be opened or created".to_owned(),
        _ => error.to_string(),
    };
    StoreError::Backend {
        context: format!("{doing} {shown}"),
        reason,
    }
}

/// The error that another program holds the database. It names that program, if the system tells.
pub(super) fn busy_error(path: &Path) -> StoreError {
    let files =
        ["", "-wal", "-shm", ".lock"].map(|tail| super::maintain::append_to_path(path, tail));
    let files = files.each_ref().map(|file| file.as_path());
    let holders =
        guard::holder::find_lock_holders(&files).map_or_else(String::new, |by| format!(": {by}"));
    let shown = path.display();
    StoreError::Busy(format!("another process is writing to {shown}{holders}"))
}

fn extended_code(error: &Error) -> i32 {
    error.sqlite_error().map_or(0, |e| e.extended_code)
}

/// Whether writing or syncing failed: the disk is full or failing, which a new connection does not repair.
fn is_write_failure(error: &Error) -> bool {
    let failed = [
        ffi::SQLITE_IOERR_WRITE,
        ffi::SQLITE_IOERR_FSYNC,
        ffi::SQLITE_IOERR_DIR_FSYNC,
        ffi::SQLITE_IOERR_TRUNCATE,
        ffi::SQLITE_IOERR_NOMEM,
        ffi::SQLITE_IOERR_SHMSIZE,
    ];
    failed.contains(&extended_code(error))
}

/// Whether rows or tables differ from those that this program writes. The statements are its own, so the file is at
/// fault.
fn is_unexpected_schema(error: &Error) -> bool {
    let no_such = |message: &str| message.starts_with("no such ");
    match error {
        Error::InvalidColumnType(..)
        | Error::FromSqlConversionFailure(..)
        | Error::IntegralValueOutOfRange(..)
        | Error::Utf8Error(..) => true,
        Error::SqliteFailure(_, Some(message)) => no_such(message),
        Error::SqlInputError { msg, .. } => no_such(msg),
        _ => false,
    }
}

/// Converts an error of the file system.
pub(super) fn io_error(path: &Path, doing: &str, error: &std::io::Error) -> StoreError {
    StoreError::Backend {
        context: format!("{doing} {}", path.display()),
        reason: error.to_string(),
    }
}

/// Adds path and purpose to a SQLite result.
pub(super) trait SqlContext<T> {
    /// The value, or the error with the operation and the file.
    fn with_path(self, path: &Path, doing: &str) -> Result<T, StoreError>;
}

impl<T> SqlContext<T> for rusqlite::Result<T> {
    fn with_path(self, path: &Path, doing: &str) -> Result<T, StoreError> {
        self.map_err(|e| sql_error(path, doing, &e))
    }
}
