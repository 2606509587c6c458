//! Our own files in folders that others may have prepared: no link is followed, and only this user may read the files.

use crate::file::OpenError;
use platform::RealPath;
use platform::{Others, rights};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Why a folder cannot hold our files.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// There is something else than a folder, or a link.
    #[error("{0}: is a symbolic link or not a folder; nothing is written there")]
    NotAFolder(PathBuf),
    /// It belongs to another user.
    #[error("{path}: belongs to another user (number {owner})")]
    Foreign {
        /// The folder or file.
        path: PathBuf,
        /// The other user's id.
        owner: u32,
    },
    /// The system refused.
    #[error("{path}: {source}")]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
}

impl StateError {
    fn from_io(path: &Path, source: std::io::Error) -> StateError {
        StateError::Io {
            path: path.to_path_buf(),
            source,
        }
    }
}

/// Whether `path` is a folder of this user and not a link. `Ok(false)` if nothing is there.
pub fn is_own_folder(path: &Path) -> Result<bool, StateError> {
    let found = match path.symlink_metadata() {
        Ok(found) => found,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(StateError::from_io(path, error)),
    };
    if !found.is_dir() {
        return Err(StateError::NotAFolder(path.to_path_buf()));
    }
    check_owner(path, &found)?;
    Ok(true)
}

/// Creates the folder (without its parents), for this user alone. An existing one must be this user's; if others may
/// enter it, it is closed to them.
pub fn create_private_folder(path: &Path) -> Result<(), StateError> {
    if is_own_folder(path)? {
        return close_to_others(path);
    }
    match rights::private_dir_builder().create(path) {
        Ok(()) => finish_private_folder(path),
        // Another process created it first, possibly another user's: check again.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            if is_own_folder(path)? {
                Ok(())
            } else {
                Err(StateError::from_io(path, error))
            }
        }
        Err(error) => Err(StateError::from_io(path, error)),
    }
}

/// A path that the user named, with its links resolved; if it does not exist, those of its parent.
pub fn resolve_existing_part(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    if let Ok(real) = path.real_path() {
        return real;
    }
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => match parent.real_path() {
            Ok(parent) => parent.join(name),
            Err(_) => path,
        },
        _ => path,
    }
}

/// The name of a project's state folder.
const STATE: &str = ".devbooks";

/// Creates the missing folders above a path that the user chose, for this user alone; existing ones and links stay as
/// they are. The folder around a state folder is never created: otherwise a project that was moved away during a write
/// would come back.
pub fn create_private_parents(path: &Path) -> Result<(), StateError> {
    let below: Vec<&Path> = path.ancestors().collect();
    let state = below.iter().position(|path| path.ends_with(STATE));
    let Some(state) = state else {
        return create_all(path, &below);
    };
    // Created one by one, so that the folder of a project that disappears meanwhile is not created either.
    for folder in below[..=state].iter().rev() {
        match rights::private_dir_builder().create(folder) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => {}
            Err(error) => return Err(StateError::from_io(folder, error)),
            Ok(()) => finish_private_folder(folder)?,
        }
    }
    Ok(())
}

/// Creates a folder with those above it, of which `above` lists all, itself first.
fn create_all(path: &Path, above: &[&Path]) -> Result<(), StateError> {
    let is_missing = |folder: &&&Path| folder.symlink_metadata().is_err();
    let missing: Vec<&&Path> = above.iter().take_while(is_missing).collect();
    let created = rights::private_dir_builder().recursive(true).create(path);
    created.map_err(|error| StateError::from_io(path, error))?;
    let named = missing
        .iter()
        .filter(|folder| !folder.as_os_str().is_empty());
    named
        .rev()
        .try_for_each(|folder| finish_private_folder(folder))
}

/// Creates a folder in the state folder, or at the place that the user chose instead, and the folders above it; new
/// ones are for this user alone. A link in its place is refused.
pub fn create_private_folders(path: &Path) -> Result<(), StateError> {
    match path.symlink_metadata() {
        Ok(found) if found.is_dir() => return Ok(()),
        Ok(_) => return Err(StateError::NotAFolder(path.to_path_buf())),
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(StateError::from_io(path, error)),
    }
    create_private_parents(path)
}

/// Creates the folders from `folder`, which must be this user's, down to `path`. Each must be a folder of this user and
/// not a link, and is closed to others.
pub fn create_private_folders_below(folder: &Path, path: &Path) -> Result<(), StateError> {
    let Ok(below) = path.strip_prefix(folder) else {
        return Err(StateError::NotAFolder(path.to_path_buf()));
    };
    let mut path = folder.to_path_buf();
    if !is_own_folder(&path)? {
        return Err(StateError::NotAFolder(path));
    }
    for part in below.components() {
        path.push(part);
        create_private_folder(&path)?;
    }
    Ok(())
}

/// As [`create_private_folder`], but never for a project that was moved away: the folders above it are not created.
pub fn create_one_private_folder(path: &Path) -> Result<(), StateError> {
    match path.symlink_metadata() {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(StateError::NotAFolder(path.to_path_buf())),
        Err(_) => create_private_folder(path),
    }
}

/// Writes a file if there is none; a link counts as one. Returns whether it wrote.
pub fn create_file_if_absent(path: &Path, bytes: &[u8]) -> std::io::Result<bool> {
    match private_file_options()
        .write(true)
        .create_new(true)
        .open(path)
    {
        Ok(mut file) => file.write_all(bytes).map(|()| true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether all folders from `folder` down to `path`, which lies beneath it, exist, are not links, and belong to this
/// user. `Ok(false)` if one of them is missing.
pub fn is_own_path_below(folder: &Path, path: &Path) -> Result<bool, StateError> {
    let Ok(below) = path.strip_prefix(folder) else {
        return Err(StateError::NotAFolder(path.to_path_buf()));
    };
    let mut path = folder.to_path_buf();
    if !is_own_folder(&path)? {
        return Ok(false);
    }
    for part in below.components() {
        path.push(part);
        if !is_own_folder(&path)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Removes a folder with all its contents. It must lie beneath a folder of this user. A link in its place, or inside,
/// is removed itself; a link on the way to it is refused. Returns whether there was anything.
pub fn remove_folder_below(folder: &Path, path: &Path) -> Result<bool, StateError> {
    let Some(parent) = path.parent().filter(|parent| parent.starts_with(folder)) else {
        return Err(StateError::NotAFolder(path.to_path_buf()));
    };
    if !is_own_path_below(folder, parent)? {
        return Ok(false);
    }
    let found = match path.symlink_metadata() {
        Ok(found) => found,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(StateError::from_io(path, error)),
    };
    // It follows no link, neither in the last place nor inside the folder.
    let removed = if found.is_dir() {
        std::fs::remove_dir_all(path)
    } else {
        std::fs::remove_file(path)
    };
    removed.map_err(|error| StateError::from_io(path, error))?;
    Ok(true)
}

/// Options that create a file for this user alone, refuse a link in the last place, and never block.
pub fn private_file_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    rights::make_private(&mut options);
    platform::file::set_nofollow(&mut options);
    options
}

/// Opens a file of ours with `options` (from [`private_file_options()`]), and checks that it is a regular file of this
/// user.
pub fn open_own_file(path: &Path, options: &OpenOptions) -> Result<File, OpenError> {
    let fail = |source: std::io::Error| match path.symlink_metadata() {
        Ok(found) if found.is_symlink() => OpenError::Link(path.to_path_buf()),
        Ok(found) if !found.is_file() => OpenError::NotRegular(path.to_path_buf()),
        Err(error) if error.kind() == ErrorKind::NotFound && source.kind() == error.kind() => {
            OpenError::Missing(path.to_path_buf())
        }
        _ => OpenError::Io {
            path: path.to_path_buf(),
            source,
        },
    };
    let file = options.open(path).map_err(fail)?;
    let found = file.metadata().map_err(fail)?;
    if found.is_symlink() {
        return Err(OpenError::Link(path.to_path_buf()));
    }
    if !found.is_file() {
        return Err(OpenError::NotRegular(path.to_path_buf()));
    }
    if let Err(error) = to_own(path, rights::foreign_owner_of(&file)) {
        return Err(OpenError::Io {
            path: path.to_path_buf(),
            source: std::io::Error::new(ErrorKind::PermissionDenied, error.to_string()),
        });
    }
    Ok(file)
}

/// Reads a file of our own of at most `limit` bytes.
pub fn read_own_file(path: &Path, limit: u64) -> Result<Vec<u8>, OpenError> {
    let file = open_own_file(path, private_file_options().read(true))?;
    crate::file::read_open_file(file, path, limit)
}

/// Like [`read_own_file`], but only if nobody else may read the file.
pub fn read_private_file(path: &Path, limit: u64) -> Result<Vec<u8>, OpenError> {
    let file = open_own_file(path, private_file_options().read(true))?;
    let is_closed = rights::others_of(&file).is_ok_and(|others| others == Others::Nobody);
    if !is_closed {
        return Err(OpenError::Io {
            path: path.to_path_buf(),
            source: std::io::Error::new(ErrorKind::PermissionDenied, "others may read it"),
        });
    }
    crate::file::read_open_file(file, path, limit)
}

/// An unguessable name beside `path`, for a file that will replace it.
pub fn temp_path_beside(path: &Path) -> std::io::Result<PathBuf> {
    let mut number = [0; 8];
    getrandom::fill(&mut number).map_err(std::io::Error::other)?;
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{:016x}.tmp", u64::from_le_bytes(number)));
    Ok(path.with_file_name(name))
}

/// Description of a file that is not regular; `None` for a regular file.
pub fn describe_irregular(metadata: &std::fs::Metadata) -> Option<&'static str> {
    let kind = metadata.file_type();
    if kind.is_file() {
        None
    } else if kind.is_symlink() {
        Some("a symbolic link")
    } else if kind.is_dir() {
        Some("a folder")
    } else {
        Some("a pipe, socket or device")
    }
}

/// Replaces the file at `path` by `bytes`, as a whole or not at all. A link there is replaced, not followed.
pub fn replace_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let beside = temp_path_beside(path)?;
    let write = || {
        let mut file = private_file_options()
            .write(true)
            .create_new(true)
            .open(&beside)?;
        rights::finish_private_file(&beside)?;
        file.write_all(bytes)?;
        // An open file may keep the system from renaming it.
        drop(file);
        platform::file::replace(&beside, path)
    };
    write().inspect_err(|_| {
        // The file may not exist.
        let _ = std::fs::remove_file(&beside);
    })
}

fn check_owner(path: &Path, found: &std::fs::Metadata) -> Result<(), StateError> {
    to_own(path, rights::foreign_owner(path, found))
}

/// An error for an entry of another user.
fn to_own(path: &Path, foreign: std::io::Result<Option<u32>>) -> Result<(), StateError> {
    match foreign {
        Ok(None) => Ok(()),
        Ok(Some(owner)) => Err(StateError::Foreign {
            path: path.to_path_buf(),
            owner,
        }),
        Err(error) => Err(StateError::from_io(path, error)),
    }
}

/// Closes a folder that was just created to others, where that takes a call of its own.
fn finish_private_folder(path: &Path) -> Result<(), StateError> {
    rights::finish_private_folder(path).map_err(|error| StateError::from_io(path, error))
}

/// Removes the rights of others from a folder of ours. A folder that cannot be changed (a read-only disk) stays as it
/// is.
pub fn close_to_others(path: &Path) -> Result<(), StateError> {
    let found = path.symlink_metadata();
    found.map_err(|error| StateError::from_io(path, error))?;
    // A folder that cannot be changed (a read-only disk) is still ours.
    let _ = rights::close_folder(path);
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_folder_is_for_this_user_alone() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("state");
        create_private_folder(&folder).unwrap();
        assert_eq!(mode(&folder), 0o700);
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o775)).unwrap();
        create_private_folder(&folder).unwrap();
        assert_eq!(mode(&folder), 0o700);
    }

    #[test]
    fn parents_are_not_made() {
        let outer = tempfile::tempdir().unwrap();
        assert!(create_private_folder(&outer.path().join("gone/state")).is_err());
        assert!(!outer.path().join("gone").exists());
    }

    #[test]
    fn a_project_that_is_gone_is_not_made_again() {
        let outer = tempfile::tempdir().unwrap();
        let project = outer.path().join("project");
        let cache = project.join(".devbooks/cache/answers");
        assert!(
            create_private_folders(&cache).is_err()
                && create_private_folders(&project.join(".devbooks")).is_err()
        );
        assert!(!project.exists());
        std::fs::create_dir(&project).unwrap();
        create_private_folders(&cache).unwrap();
        assert_eq!(mode(&project.join(".devbooks")), 0o700);
        assert_eq!(mode(&cache), 0o700);
        // A place that the user chose is not a project.
        create_private_folders(&outer.path().join("chosen/by/hand")).unwrap();
    }

    #[test]
    fn folders_beneath_are_made_and_removed_without_following_links() {
        let outer = tempfile::tempdir().unwrap();
        let state = outer.path().join("state");
        let elsewhere = outer.path().join("elsewhere");
        std::fs::create_dir_all(elsewhere.join("search")).unwrap();
        std::fs::write(elsewhere.join("search/file"), "mine").unwrap();
        create_private_folder(&state).unwrap();
        let made = state.join("cache/answers");
        create_private_folders(&made).unwrap();
        assert_eq!((mode(&made), mode(&state.join("cache"))), (0o700, 0o700));
        assert!(is_own_path_below(&state, &made).unwrap());
        assert!(!is_own_path_below(&state, &state.join("gone/answers")).unwrap());
        assert!(is_own_path_below(&state, &elsewhere).is_err());
        symlink(&elsewhere, state.join("link")).unwrap();
        assert!(create_private_folders(&state.join("link")).is_err());
        symlink(outer.path().join("new"), state.join("dangling")).unwrap();
        assert!(create_private_folders(&state.join("dangling")).is_err());
        assert!(!create_file_if_absent(&state.join("dangling"), b"x").unwrap());
        assert!(!outer.path().join("new").exists());
        assert!(create_file_if_absent(&state.join("note"), b"x").unwrap());
        assert!(is_own_path_below(&state, &state.join("link/search")).is_err());
        let through = state.join("link/search/new");
        assert!(create_private_folders_below(&state, &through).is_err());
        assert!(create_private_folders_below(&state.join("none"), &state.join("none/a")).is_err());
        create_private_folders_below(&state, &state.join("cache/files/l1")).unwrap();
        assert_eq!(mode(&state.join("cache/files")), 0o700);
        // A link on the way is refused. A link in the last place is removed and its target stays; the same holds for links
        // within.
        assert!(remove_folder_below(&state, &state.join("link/search")).is_err());
        symlink(&elsewhere, made.join("link")).unwrap();
        assert!(remove_folder_below(&state, &state.join("cache")).unwrap());
        assert!(!state.join("cache").exists());
        assert!(remove_folder_below(&state, &state.join("link")).unwrap());
        assert!(!remove_folder_below(&state, &state.join("link")).unwrap());
        assert!(remove_folder_below(&state, &outer.path().join("elsewhere")).is_err());
        assert_eq!(
            std::fs::read_to_string(elsewhere.join("search/file")).unwrap(),
            "mine"
        );
    }

    #[test]
    fn links_are_not_followed() {
        let outer = tempfile::tempdir().unwrap();
        let elsewhere = outer.path().join("elsewhere");
        std::fs::create_dir(&elsewhere).unwrap();
        let state = outer.path().join("state");
        symlink(&elsewhere, &state).unwrap();
        assert!(matches!(
            create_private_folder(&state),
            Err(StateError::NotAFolder(_))
        ));
        let victim = outer.path().join("victim");
        std::fs::write(&victim, "mine").unwrap();
        let log = elsewhere.join("log");
        symlink(&victim, &log).unwrap();
        assert!(matches!(
            open_own_file(&log, private_file_options().append(true).create(true)),
            Err(OpenError::Link(_))
        ));
        replace_file(&log, b"new").unwrap();
        assert_eq!(std::fs::read_to_string(&victim).unwrap(), "mine");
        assert_eq!(read_own_file(&log, 10).unwrap(), b"new");
        assert_eq!(mode(&log), 0o600);
        let left = std::fs::read_dir(&elsewhere).unwrap().count();
        assert_eq!(left, 1, "a temporary file stayed");
    }
}
