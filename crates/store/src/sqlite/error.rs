//! From SQLite's and the file system's errors to the store's, with the path in each.

use crate::StoreError;
use rusqlite::ErrorCode;
use std::path::Path;

/// Turns an error met while `doing` something to the database at `path` into the store's.
pub(super) fn sql_error(path: &Path, doing: &str, error: &rusqlite::Error) -> StoreError {
    let shown = path.display().to_string();
    let reason = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            return StoreError::Busy(format!("another process is writing to {shown}"));
        }
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            return StoreError::Damaged {
                path: shown,
                reason: error.to_string(),
            };
        }
        Some(ErrorCode::DiskFull) => "the disk is full".to_owned(),
        Some(ErrorCode::ReadOnly) => "the database cannot be written (read-only)".to_owned(),
        Some(ErrorCode::CannotOpen) => "the file cannot be opened or created".to_owned(),
        _ => error.to_string(),
    };
    StoreError::Backend {
        context: format!("{doing} {shown}"),
        reason,
    }
}

/// The same for the file system.
pub(super) fn io_error(path: &Path, doing: &str, error: &std::io::Error) -> StoreError {
    StoreError::Backend {
        context: format!("{doing} {}", path.display()),
        reason: error.to_string(),
    }
}

/// Adds path and purpose to a SQLite result.
pub(super) trait At<T> {
    /// The value, or the error with what was being done to which file.
    fn at(self, path: &Path, doing: &str) -> Result<T, StoreError>;
}

impl<T> At<T> for rusqlite::Result<T> {
    fn at(self, path: &Path, doing: &str) -> Result<T, StoreError> {
        self.map_err(|e| sql_error(path, doing, &e))
    }
}
