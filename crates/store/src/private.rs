//! Files and folders of the index: created for their owner alone, and never reached through a link or a pipe.

use guard::OpenError;
use guard::state;
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Creates a folder with its parents, but never a project's folder around a state folder. New folders are for their
/// owner alone.
pub fn create_folder(folder: &Path) -> io::Result<()> {
    state::create_private_parents(folder).map_err(|error| match error {
        state::StateError::Io { source, .. } => source,
        other => io::Error::other(other),
    })
}

/// Creates a file for writing, or empties the existing one.
pub fn create_or_truncate(path: &Path) -> io::Result<File> {
    let file = open_with(path, state::private_file_options().write(true).create(true))?;
    file.set_len(0)?;
    Ok(file)
}

/// Opens a file for reading and writing, creating it if it is missing. Existing contents stay.
pub fn open_or_create(path: &Path) -> io::Result<File> {
    open_with(
        path,
        state::private_file_options()
            .read(true)
            .write(true)
            .create(true),
    )
}

/// Opens a file for reading.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(path, state::private_file_options().read(true))
}

fn open_with(path: &Path, options: &OpenOptions) -> io::Result<File> {
    state::open_own_file(path, options).map_err(|error| match error {
        OpenError::Io { source, .. } => source,
        missing if missing.is_missing() => io::Error::from(io::ErrorKind::NotFound),
        other => io::Error::other(other.to_string()),
    })
}

/// Creates an empty file if there is none; returns whether it did. The descriptor of the new file is never shared: if two
/// threads create and open the same database, closing one here would release the other's locks.
pub fn create_empty_if_missing(path: &Path) -> io::Result<bool> {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".new-{}-{number}", std::process::id()));
    let unseen = PathBuf::from(name);
    let _ = std::fs::remove_file(&unseen);
    drop(
        state::private_file_options()
            .write(true)
            .create_new(true)
            .open(&unseen)?,
    );
    let linked = std::fs::hard_link(&unseen, path);
    let removed = std::fs::remove_file(&unseen);
    match linked {
        Ok(()) => removed.map(|()| true),
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        // A file system without hard links.
        Err(_) => match state::private_file_options()
            .write(true)
            .create_new(true)
            .open(path)
        {
            Ok(_) => Ok(true),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(e) => Err(e),
        },
    }
}

/// Removes the rights of others from a file that was created with them.
pub(crate) fn close_to_others(path: &Path, metadata: &Metadata) {
    // A file of another owner stays as it is.
    let _ = platform::rights::close_file(path, metadata);
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn what_is_made_is_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a/b");
        create_folder(&inner).unwrap();
        create_or_truncate(&inner.join("c")).unwrap();
        open_or_create(&inner.join("d")).unwrap();
        assert!(create_empty_if_missing(&inner.join("e")).unwrap());
        assert!(!create_empty_if_missing(&inner.join("e")).unwrap());
        let mode = |path: PathBuf| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(folder.path().join("a")), 0o700);
        for name in ["c", "d", "e"] {
            assert_eq!(mode(inner.join(name)), 0o600, "{name}");
        }
        assert_eq!(inner.read_dir().unwrap().count(), 3);
    }

    #[test]
    fn links_and_pipes_are_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        std::fs::write(&target, "kept").unwrap();
        symlink(&target, &link).unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        for path in [&link, &pipe] {
            assert!(create_or_truncate(path).is_err());
            assert!(open_or_create(path).is_err());
            assert!(open(path).is_err());
        }
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "kept");
    }
}
