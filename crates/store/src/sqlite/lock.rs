//! The writer lock: one writer at a time over all processes, by an advisory lock on a file beside the database.

use super::error::io_error;
use super::maintain;
use super::seal::SealWriter;
use crate::{StoreError, private};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time until the lock is tried again: at first (most writes are short), and at most.
const RETRY: (Duration, Duration) = (Duration::from_micros(500), Duration::from_millis(20));

/// Holds the writer lock of a database until it is dropped. The system releases it when the process dies.
#[derive(Debug)]
pub struct WriterLock {
    /// Declared before the file, so that it is dropped first and the seal is renewed while the lock is held.
    sealing: Option<SealWriter>,
    _file: File,
}

impl WriterLock {
    /// Takes the lock of the database at `database`, waiting at most `wait`.
    ///
    /// Errors: [`StoreError::Busy`] when another process holds it for longer than that.
    pub fn acquire(database: &Path, wait: Duration) -> Result<WriterLock, StoreError> {
        let path = lock_path(database);
        if let Some(folder) = path.parent() {
            let made =
                guard::state::create_one_private_folder(folder).map_err(std::io::Error::other);
            made.map_err(|e| io_error(folder, "creating", &e))?;
        }
        let file = match private::open_or_create(&path) {
            // A folder of that name came with the project. No program of ours makes one.
            Err(_) if is_folder(&path) => {
                move_folder_aside(&path)?;
                private::open_or_create(&path)
            }
            opened => opened,
        };
        let file = file.map_err(|e| io_error(&path, "opening", &e))?;
        let since = Instant::now();
        let mut pause = RETRY.0;
        loop {
            match file.try_lock() {
                Ok(()) => {
                    return Ok(WriterLock {
                        sealing: None,
                        _file: file,
                    });
                }
                Err(TryLockError::WouldBlock) if since.elapsed() < wait => {
                    std::thread::sleep(pause.min(wait));
                    pause = (pause * 2).min(RETRY.1);
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(super::error::busy_error(database));
                }
                Err(TryLockError::Error(e)) => return Err(io_error(&path, "locking", &e)),
            }
        }
    }

    /// As [`WriterLock::acquire`], for a graph's database: its seal is checked, and renewed when the lock is released.
    pub fn acquire_with_seal(database: &Path, wait: Duration) -> Result<WriterLock, StoreError> {
        let mut lock = WriterLock::acquire(database, wait)?;
        lock.sealing = SealWriter::begin(database)?;
        Ok(lock)
    }

    /// Whether the database was trusted or missing when the lock was taken.
    pub fn is_trusted(&self) -> bool {
        self.sealing.as_ref().is_none_or(SealWriter::is_trusted)
    }

    /// Moves an untrusted database aside; returns its new path.
    pub fn move_untrusted_aside(&mut self, database: &Path) -> Result<PathBuf, StoreError> {
        let reason = "it is not trusted".to_owned();
        let moved = maintain::move_aside(database, reason)?;
        self.reset_seal();
        Ok(moved.moved_to)
    }

    /// Registers that the file at `path` is the database, or becomes it when it is moved there.
    pub(super) fn register_file(&mut self, path: &Path) -> Result<(), StoreError> {
        self.sealing
            .as_mut()
            .map_or(Ok(()), |s| s.register_file(path))
    }

    /// Creates an empty database file if there is none, and registers it in the seal before SQLite writes the first
    /// page. A process that is killed while it creates the tables therefore leaves a trusted database.
    pub(super) fn create_and_register(&mut self, database: &Path) -> Result<(), StoreError> {
        if self.sealing.is_none() {
            return Ok(());
        }
        private::create_empty_if_missing(database)
            .map_err(|e| io_error(database, "creating", &e))?;
        self.register_file(database)
    }

    /// Resets the seal after the database was removed, before another one is made.
    pub(super) fn reset_seal(&mut self) {
        if let Some(sealing) = &mut self.sealing {
            sealing.reset();
        }
    }
}

/// Whether the path is a folder itself, and no link to one.
fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_dir())
}

/// Renames a folder in place of the lock, whatever it holds. Where another process has just done so, nothing is left to do: the
/// slash at the end keeps its lock, which is a file, from being moved.
fn move_folder_aside(path: &Path) -> Result<(), StoreError> {
    let moved = maintain::free_backup_path(path);
    match std::fs::rename(path.join(""), moved) {
        Err(e) if is_folder(path) => Err(io_error(path, "moving aside", &e)),
        _ => Ok(()),
    }
}

fn lock_path(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_in_place_of_the_lock_is_moved_aside() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("graph.db");
        let planted = folder.path().join("graph.db.lock");
        std::fs::create_dir(&planted).unwrap();
        std::fs::write(planted.join("file"), "theirs").unwrap();
        let lock = WriterLock::acquire(&database, Duration::ZERO).unwrap();
        assert!(planted.is_file());
        assert!(WriterLock::acquire(&database, Duration::ZERO).is_err());
        drop(lock);
        WriterLock::acquire(&database, Duration::ZERO).unwrap();
        let aside = std::fs::read_dir(folder.path()).unwrap();
        let aside: Vec<PathBuf> = aside.map(|entry| entry.unwrap().path()).collect();
        let kept = aside.iter().find(|path| path.is_dir()).unwrap();
        assert_eq!(
            std::fs::read_to_string(kept.join("file")).unwrap(),
            "theirs"
        );
    }
}
