//! The folder and the files: access rights, the lock, and the identity of the open file.

use crate::error::{Result, SolutionError, is_disk_full};
use guard::{OpenError, state};
use platform::RealPath;
use platform::rights;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The path of the database in the store's folder.
pub(crate) fn database_path(folder: &Path) -> PathBuf {
    folder.join("solutions.db")
}

/// The path of a file beside the database.
pub(super) fn sibling_path(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Creates the folder, for its owner alone. Returns false where it cannot be written.
pub(super) fn prepare_folder(path: &Path) -> Result<bool> {
    let folder = path.parent().unwrap_or(Path::new("."));
    if !folder.is_dir() {
        let mut builder = rights::private_dir_builder();
        let created = builder.recursive(true).create(folder);
        let closed = created.and_then(|()| rights::finish_private_folder(folder));
        closed.map_err(|e| {
            SolutionError::from_io(folder, "cannot make the folder", &e)
                .with_hint("choose another with SOLUTION_MEMORY_PATH")
        })?;
    }
    match open_private(&sibling_path(path, ".lock")) {
        Ok(_) => Ok(!path.metadata().is_ok_and(|m| m.permissions().readonly())),
        Err(error) if is_write_refused(&error) => Ok(false),
        Err(error) => Err(SolutionError::from_io(folder, "cannot write in", &error)),
    }
}

fn is_write_refused(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem) || is_disk_full(error)
}

/// Opens or creates a file for its owner alone; anything but a regular file is refused.
fn open_private(path: &Path) -> std::io::Result<File> {
    let opened = state::open_own_file(
        path,
        state::private_file_options()
            .read(true)
            .write(true)
            .create(true),
    );
    opened.map_err(|error| match error {
        OpenError::Io { source, .. } => source,
        other => std::io::Error::other(other.to_string()),
    })
}

/// Creates the database's file where there is none, so that others can never read it, not even at first. The caller holds the
/// exclusive lock. An existing file is not opened: closing it would release the locks of every connection that this process has
/// to it (<https://www.sqlite.org/howtocorrupt.html>, 2.2).
pub(super) fn create_database_file(path: &Path) -> Result<()> {
    if path.symlink_metadata().is_ok() {
        return Ok(());
    }
    let unseen = sibling_path(path, ".creating");
    let make = || {
        let _ = std::fs::remove_file(&unseen);
        state::private_file_options()
            .write(true)
            .create_new(true)
            .open(&unseen)?;
        platform::file::replace(&unseen, path)
    };
    make().map_err(|error| SolutionError::from_io(path, "cannot make", &error))
}

/// The database's path, after a check that its files are regular files. Links on the way to its folder are followed, but not a
/// link in place of the file.
pub(super) fn check_and_resolve(path: &Path) -> Result<PathBuf> {
    for ending in ["", "-wal", "-shm", "-journal"] {
        let file = sibling_path(path, ending);
        let what = file
            .symlink_metadata()
            .ok()
            .as_ref()
            .and_then(guard::state::describe_irregular);
        if let Some(what) = what {
            let message = format!("{} is {what} and is not opened", file.display());
            return Err(SolutionError::failure(message)
                .with_hint("move it away, or choose another folder with SOLUTION_MEMORY_PATH"));
        }
    }
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let real = folder.real_path();
    let real = real.map_err(|e| SolutionError::from_io(folder, "cannot open", &e))?;
    Ok(real.join(path.file_name().unwrap_or_default()))
}

/// Removes the access rights of others from files that another program created.
pub(super) fn close_to_others(path: &Path) {
    for file in [
        path.to_owned(),
        sibling_path(path, "-wal"),
        sibling_path(path, "-shm"),
    ] {
        let Ok(metadata) = file.symlink_metadata() else {
            continue;
        };
        if metadata.is_file() {
            // The rights of another user's file stay as they are.
            let _ = rights::close_file(&file, &metadata);
        }
    }
}

/// The URI by which SQLite opens a database that nobody writes.
pub(super) fn immutable_uri(path: &Path) -> String {
    let mut uri = String::from("file:");
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'?' | b'#' | b'%' => uri.push_str(&format!("%{byte:02x}")),
            _ => uri.push(char::from(byte)),
        }
    }
    uri.push_str("?immutable=1");
    uri
}

/// The lock beside the database. Writers share it, and SQLite lets one of them work at a time. A process that creates, upgrades
/// or replaces the file holds it exclusively. The system releases it when the process dies.
pub(super) struct StoreLock {
    _file: File,
}

impl StoreLock {
    pub(super) fn shared(path: &Path, patience: Duration) -> Result<StoreLock> {
        StoreLock::acquire(path, patience, File::try_lock_shared)
    }

    pub(super) fn exclusive(path: &Path, patience: Duration) -> Result<StoreLock> {
        StoreLock::acquire(path, patience, File::try_lock)
    }

    fn acquire(
        path: &Path,
        patience: Duration,
        lock: impl Fn(&File) -> std::result::Result<(), TryLockError>,
    ) -> Result<StoreLock> {
        let at = sibling_path(path, ".lock");
        let file = open_private(&at)
            .map_err(|e| SolutionError::from_io(&at, "cannot open the lock", &e))?;
        let since = Instant::now();
        loop {
            match lock(&file) {
                Ok(()) => return Ok(StoreLock { _file: file }),
                Err(TryLockError::WouldBlock) if since.elapsed() < patience => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(SolutionError::is_held());
                }
                Err(TryLockError::Error(e)) => {
                    return Err(SolutionError::from_io(&at, "cannot lock", &e));
                }
            }
        }
    }
}

/// The identity of the file at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileIdentity(Option<(u64, u64)>);

impl FileIdentity {
    pub(super) fn from_path(path: &Path) -> FileIdentity {
        let found = platform::file::target_details(path).ok();
        FileIdentity(found.map(|found| (found.device, found.number)))
    }

    pub(super) fn matches_path(&self, path: &Path) -> bool {
        *self == FileIdentity::from_path(path)
    }
}

/// The path of the rescued database before it is moved to its place.
pub(super) fn rescued_path(path: &Path) -> PathBuf {
    sibling_path(path, ".rescued")
}

/// Moves a rescued database to its place where a process died before it could.
pub(super) fn finish_rescue(path: &Path) -> Result<()> {
    let rescued = rescued_path(path);
    if path.exists() || !rescued.exists() {
        return Ok(());
    }
    platform::file::replace(&rescued, path)
        .map_err(|e| SolutionError::from_io(&rescued, "cannot put in its place", &e))
}
