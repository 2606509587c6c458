//! The folder and the files: who may read them, the lock, which file is the one that is open.

use super::PATIENCE;
use crate::error::{Result, SolutionError};
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The database in a folder of the store.
pub(crate) fn in_folder(folder: &Path) -> PathBuf {
    folder.join("solutions.db")
}

/// A file beside the database.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Makes the folder, for its owner alone. False where it cannot be written.
pub(super) fn prepare(path: &Path) -> Result<bool> {
    let folder = path.parent().unwrap_or(Path::new("."));
    if !folder.is_dir() {
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder).map_err(|e| {
            SolutionError::io(folder, "cannot make the folder", &e)
                .hint("choose another with SOLUTION_MEMORY_PATH")
        })?;
    }
    match open_private(&beside(path, ".lock")) {
        Ok(_) => Ok(!path.metadata().is_ok_and(|m| m.permissions().readonly())),
        Err(error) if is_refusal(&error) => Ok(false),
        Err(error) => Err(SolutionError::io(folder, "cannot write in", &error)),
    }
}

fn is_refusal(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem)
}

fn open_private(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Makes the database's file, so that it is never readable by others, not even at first.
pub(super) fn create(path: &Path) -> Result<()> {
    match open_private(path) {
        Ok(_) => Ok(()),
        Err(error) => Err(SolutionError::io(path, "cannot make", &error)),
    }
}

/// Takes the rights of others away from files that another program made.
pub(super) fn close_to_others(path: &Path) {
    #[cfg(unix)]
    for file in [path.to_owned(), beside(path, "-wal"), beside(path, "-shm")] {
        use std::os::unix::fs::PermissionsExt;
        let Ok(metadata) = file.metadata() else {
            continue;
        };
        if metadata.permissions().mode() & 0o077 != 0 {
            // Somebody else's file stays as its owner wants it.
            let _ = std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600));
        }
    }
    #[cfg(not(unix))]
    let _ = path;
}

/// A database that nobody writes, as SQLite wants it named.
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

/// The lock beside the database: shared by writers, of which SQLite lets one work at a time; alone for whoever makes,
/// upgrades or replaces the file. The system frees it when the process dies.
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    pub(super) fn shared(path: &Path) -> Result<Lock> {
        Lock::take(path, File::try_lock_shared)
    }

    pub(super) fn exclusive(path: &Path) -> Result<Lock> {
        Lock::take(path, File::try_lock)
    }

    fn take(
        path: &Path,
        lock: impl Fn(&File) -> std::result::Result<(), TryLockError>,
    ) -> Result<Lock> {
        let at = beside(path, ".lock");
        let file =
            open_private(&at).map_err(|e| SolutionError::io(&at, "cannot open the lock", &e))?;
        let since = Instant::now();
        loop {
            match lock(&file) {
                Ok(()) => return Ok(Lock { _file: file }),
                Err(TryLockError::WouldBlock) if since.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                Err(TryLockError::WouldBlock) => {
                    let message = format!("another process keeps {} to itself", path.display());
                    return Err(SolutionError::failure(message).hint("try again"));
                }
                Err(TryLockError::Error(e)) => {
                    return Err(SolutionError::io(&at, "cannot lock", &e));
                }
            }
        }
    }
}

/// Which file a path led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity(Option<(u64, u64)>);

impl Identity {
    pub(super) fn of(path: &Path) -> Identity {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Identity(path.metadata().ok().map(|m| (m.dev(), m.ino())))
        }
        #[cfg(not(unix))]
        {
            let _ = path;
            Identity(None)
        }
    }

    pub(super) fn is_at(&self, path: &Path) -> bool {
        *self == Identity::of(path)
    }
}

/// The rescued database before it takes its place.
pub(super) fn rescued(path: &Path) -> PathBuf {
    beside(path, ".rescued")
}

/// Puts a rescued database in its place where a process died before it could.
pub(super) fn finish_rescue(path: &Path) -> Result<()> {
    let rescued = rescued(path);
    if path.exists() || !rescued.exists() {
        return Ok(());
    }
    std::fs::rename(&rescued, path)
        .map_err(|e| SolutionError::io(&rescued, "cannot put in its place", &e))
}
