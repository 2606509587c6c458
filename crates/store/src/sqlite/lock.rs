//! One writer at a time across processes: an advisory lock on a file beside the database.

use super::error::io_error;
use crate::{StoreError, private};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long to wait before the lock is asked for again: at first, since most writes are short, and at most.
const RETRY: (Duration, Duration) = (Duration::from_micros(500), Duration::from_millis(20));

/// Holds the writer's lock of a database until it is dropped; the system frees it when the process dies.
#[derive(Debug)]
pub struct WriterLock {
    _file: File,
}

impl WriterLock {
    /// Takes the lock of the database at `database`, waiting at most `wait`.
    ///
    /// Errors: [`StoreError::Busy`] when another process holds it for longer than that.
    pub fn acquire(database: &Path, wait: Duration) -> Result<WriterLock, StoreError> {
        let path = lock_path(database);
        if let Some(folder) = path.parent() {
            private::create_folder(folder).map_err(|e| io_error(folder, "creating", &e))?;
        }
        let file = private::open_or_create(&path).map_err(|e| io_error(&path, "opening", &e))?;
        let since = Instant::now();
        let mut pause = RETRY.0;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(WriterLock { _file: file }),
                Err(TryLockError::WouldBlock) if since.elapsed() < wait => {
                    std::thread::sleep(pause.min(wait));
                    pause = (pause * 2).min(RETRY.1);
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(StoreError::Busy(format!(
                        "another process is writing to {}",
                        database.display()
                    )));
                }
                Err(TryLockError::Error(e)) => return Err(io_error(&path, "locking", &e)),
            }
        }
    }
}

fn lock_path(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}
