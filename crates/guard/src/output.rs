//! Writes a file that the user named: as a whole or not at all, through no link, only over a regular file.

use crate::file::{Folder, OpenError};
use platform::RealPath;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Component, Path, PathBuf};

/// Replaces the file at `path` by `bytes`. If the path lies in the project `root`, by its text or because a folder on
/// the way belongs to the project, none of the folders after that may be a link that leads out.
pub fn write_user_file(path: &Path, bytes: &[u8], root: &Path) -> Result<(), OpenError> {
    write_with(path, bytes, root, None)
}

/// As [`write_user_file()`], for a script that everybody may run.
pub fn write_user_script(path: &Path, bytes: &[u8], root: &Path) -> Result<(), OpenError> {
    write_with(path, bytes, root, platform::rights::script_permissions())
}

/// Checks whether [`write_user_file()`] would accept `path`, for a caller that writes the file in parts. Returns where
/// the file lies.
pub fn check_user_file(path: &Path, root: &Path) -> Result<PathBuf, OpenError> {
    check(path, root).map(|(path, _)| path)
}

fn check(path: &Path, root: &Path) -> Result<(PathBuf, Option<std::fs::Permissions>), OpenError> {
    let path = std::path::absolute(path).map_err(|e| OpenError::from_io(path, e))?;
    let path = normalize_lexically(&path);
    let fail = |e| OpenError::from_io(&path, e);
    if let Some(folder) = path.parent()
        && let Ok(real_root) = root.real_path()
        && is_in_project(folder, root, &real_root)
    {
        let outside = |_| OpenError::Outside(path.clone());
        let real = folder.real_path().map_err(fail)?;
        let beneath = real.strip_prefix(&real_root).map_err(outside)?;
        if is_kept(beneath) {
            return Err(OpenError::Outside(path));
        }
        if !beneath.as_os_str().is_empty() {
            // Opens it once more, as a folder beneath the root's handle.
            Folder::open(&real_root)?.open_folder(beneath)?;
        }
    }
    match path.symlink_metadata() {
        Ok(found) if found.is_symlink() => Err(OpenError::Link(path)),
        Ok(found) if !found.is_file() => Err(OpenError::NotRegular(path)),
        Ok(found) => Ok((path, Some(found.permissions()))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok((path, None)),
        Err(error) => Err(OpenError::from_io(&path, error)),
    }
}

fn write_with(
    path: &Path,
    bytes: &[u8],
    root: &Path,
    permissions: Option<std::fs::Permissions>,
) -> Result<(), OpenError> {
    let (path, present) = check(path, root)?;
    replace_file(&path, bytes, permissions.or(present))
        .map_err(|error| OpenError::from_io(&path, error))
}

/// Creates a folder and the folders above it. In the project `root`, none of them may be a link that leads out.
pub fn create_user_folder(path: &Path, root: &Path) -> Result<(), OpenError> {
    let path = std::path::absolute(path).map_err(|e| OpenError::from_io(path, e))?;
    let path = normalize_lexically(&path);
    let real_root = root.real_path().map_err(|e| OpenError::from_io(&path, e))?;
    // The innermost folder that is the project's root, under any name.
    let is_root = |folder: &&Path| folder.real_path().is_ok_and(|real| real == real_root);
    let inside = path
        .ancestors()
        .find(is_root)
        .and_then(|folder| path.strip_prefix(folder).ok());
    let made = match inside {
        Some(inside) if inside.as_os_str().is_empty() => return Ok(()),
        Some(inside) => Folder::open(&real_root)?.dir.create_dir_all(inside),
        None => std::fs::create_dir_all(&path),
    };
    made.map_err(|error| match error.kind() {
        ErrorKind::PermissionDenied if error.raw_os_error().is_none() => OpenError::Outside(path),
        // The error for a link that leads out is that of something that is not a folder.
        ErrorKind::AlreadyExists if path.is_dir() => OpenError::Outside(path),
        ErrorKind::AlreadyExists => OpenError::NotFolder(path),
        _ => OpenError::from_io(&path, error),
    })
}

/// Whether a path lies in the project: by its text, or through a link that leads into it.
fn is_in_project(folder: &Path, root: &Path, real_root: &Path) -> bool {
    let is_inside = |around: &Path| {
        let real = around.real_path();
        real.is_ok_and(|real| real.starts_with(real_root))
    };
    folder.starts_with(root) || folder.ancestors().any(is_inside)
}

/// Whether a folder of the project holds data of other programs or of the index.
fn is_kept(beneath: &Path) -> bool {
    let mut parts = beneath.components();
    parts.any(|part| matches!(part.as_os_str().to_str(), Some(".git" | ".devbooks")))
}

/// Writes a file beside it and renames that: a link that was put there meanwhile is replaced, not followed.
fn replace_file(
    path: &Path,
    bytes: &[u8],
    permissions: Option<std::fs::Permissions>,
) -> std::io::Result<()> {
    let beside = crate::state::temp_path_beside(path)?;
    let write = || {
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&beside)?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        file.write_all(bytes)?;
        drop(file);
        platform::file::replace(&beside, path)
    };
    write().inspect_err(|_| {
        // The file may not exist.
        let _ = std::fs::remove_file(&beside);
    })
}

/// The path without `.` and `..`, by its text alone.
fn normalize_lexically(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn files_are_written_and_written_over() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("project");
        std::fs::create_dir_all(root.join("docs")).unwrap();
        let file = root.join("docs/../docs/map.md");
        write_user_file(&file, b"one", &root).unwrap();
        let mode = std::fs::Permissions::from_mode(0o640);
        std::fs::set_permissions(&file, mode).unwrap();
        write_user_file(&file, b"two", &root).unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"two");
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o640);
        write_user_file(&outer.path().join("elsewhere.md"), b"three", &root).unwrap();
        assert_eq!(std::fs::read_dir(root.join("docs")).unwrap().count(), 1);
        let gone = write_user_file(&root.join("gone/map.md"), b"x", &root).unwrap_err();
        assert!(gone.is_missing());
    }

    #[test]
    fn nothing_is_written_through_links_or_into_devices() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("project");
        let other = outer.path().join("other");
        std::fs::create_dir_all(&root).unwrap();
        std::fs::create_dir_all(&other).unwrap();
        std::fs::write(other.join("victim"), "mine").unwrap();
        symlink(other.join("victim"), root.join("map.md")).unwrap();
        symlink(&other, root.join("docs")).unwrap();
        symlink(other.join("new"), root.join("dangling.md")).unwrap();
        std::fs::create_dir(root.join("folder.md")).unwrap();
        for path in [
            "map.md",
            "docs/victim",
            "docs/new",
            "dangling.md",
            "folder.md",
        ] {
            assert!(
                write_user_file(&root.join(path), b"theirs", &root).is_err(),
                "{path}"
            );
        }
        // The project under another name is still the project.
        let alias = outer.path().join("alias");
        symlink(&root, &alias).unwrap();
        assert!(write_user_file(&alias.join("docs/victim"), b"theirs", &root).is_err());
        write_user_file(&alias.join("own.md"), b"ours", &root).unwrap();
        assert!(root.join("own.md").is_file());
        assert!(create_user_folder(&alias.join("docs/deep"), &root).is_err());
        std::fs::create_dir(root.join(".git")).unwrap();
        assert!(write_user_file(&root.join(".git/config"), b"theirs", &root).is_err());
        assert!(create_user_folder(&root.join("docs/deep/folder"), &root).is_err());
        create_user_folder(&root.join("a/b"), &root).unwrap();
        assert!(root.join("a/b").is_dir());
        assert!(write_user_file(Path::new("/dev/null"), b"x", &root).is_err());
        assert_eq!(std::fs::read(other.join("victim")).unwrap(), b"mine");
        assert_eq!(std::fs::read_dir(&other).unwrap().count(), 1);
    }
}
