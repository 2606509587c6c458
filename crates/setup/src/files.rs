//! Reading and writing settings: no link leads out of the folder that holds them, and a file is replaced as a whole.

use crate::SetupError;
use crate::places::FileLocation;
use guard::file::{Folder, LinkPolicy};
use platform::RealPath;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A file as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SettingsFile {
    /// The text; none if there is no file.
    pub(crate) text: Option<String>,
    /// The file itself, after following links that stay inside.
    path: PathBuf,
}

fn error(path: &Path, reason: impl std::fmt::Display) -> SetupError {
    SetupError::File {
        path: path.to_path_buf(),
        reason: reason.to_string(),
    }
}

/// The innermost folder around a path that exists, without links.
fn existing_folder(path: &Path) -> Option<PathBuf> {
    let mut around = path.ancestors().skip(1);
    around.find_map(|folder| folder.real_path().ok())
}

/// Reads a file.
///
/// # Errors
/// A link that leads out, a file that is not regular, too large or no text.
pub(crate) fn read(place: &FileLocation) -> Result<SettingsFile, SetupError> {
    let path = &place.path;
    let none = SettingsFile {
        text: None,
        path: path.clone(),
    };
    let Ok(root) = place.root.real_path() else {
        return Ok(none);
    };
    let outside = || {
        error(
            path,
            format!("a link leads out of {}", place.root.display()),
        )
    };
    match path.symlink_metadata() {
        Ok(_) => {}
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            let is_inside = existing_folder(path).is_some_and(|folder| folder.starts_with(&root));
            return if is_inside { Ok(none) } else { Err(outside()) };
        }
        Err(e) => return Err(error(path, e)),
    }
    let real = path
        .real_path()
        .map_err(|_| error(path, "a link that leads nowhere"))?;
    let inside = real.strip_prefix(&root).map_err(|_| outside())?;
    let folder = Folder::open(&root).map_err(|e| error(path, e.reason()))?;
    let bytes = folder
        .read_with(inside, place.largest, LinkPolicy::Refuse)
        .map_err(|e| error(path, e.reason()))?;
    let text = String::from_utf8(bytes).map_err(|_| error(path, "it is not UTF-8"))?;
    Ok(SettingsFile {
        text: Some(text),
        path: real,
    })
}

/// Replaces a file as a whole, if it has not changed since it was read. Returns the folders that were created, the
/// outermost first.
pub(crate) fn write(
    place: &FileLocation,
    before: &SettingsFile,
    after: &str,
) -> Result<Vec<PathBuf>, SetupError> {
    let path = &before.path;
    check_writable(path)?;
    if read(place)? != *before {
        return Err(error(path, "it was changed meanwhile; try again"));
    }
    let folder = path.parent().unwrap_or(path);
    let made = missing_folders(folder);
    if place.root.symlink_metadata().is_err() {
        // A base of its own, such as CODEX_HOME, may not exist yet.
        guard::state::create_private_parents(&place.root).map_err(|e| error(path, e))?;
    }
    let root = place.root.real_path().map_err(|e| error(path, e))?;
    let written = guard::output::create_user_folder(folder, &root)
        .and_then(|()| guard::output::write_user_file(path, after.as_bytes(), &root));
    match written {
        Ok(()) => Ok(made),
        Err(e) => {
            remove_empty(&made);
            Err(error(path, e.reason()))
        }
    }
}

/// Removes the access rights of others from a new file: agents put keys into their settings.
pub(crate) fn close_to_others(path: &Path) -> Result<(), SetupError> {
    guard::state::close_to_others(path).map_err(|e| error(path, e))
}

/// Removes a file, and folders that become empty by that.
pub(crate) fn delete(
    place: &FileLocation,
    before: &SettingsFile,
    folders: &[PathBuf],
) -> Result<(), SetupError> {
    check_writable(&before.path)?;
    if read(place)? != *before {
        return Err(error(&before.path, "it was changed meanwhile; try again"));
    }
    std::fs::remove_file(&before.path).map_err(|e| error(&before.path, e))?;
    remove_empty(folders);
    Ok(())
}

/// Removes folders that are empty, the innermost first.
pub(crate) fn remove_empty(folders: &[PathBuf]) {
    for folder in folders.iter().rev() {
        // A folder that others use stays.
        let _ = std::fs::remove_dir(folder);
    }
}

/// Checks that a file may be written: a rename would replace even a file that may not.
fn check_writable(path: &Path) -> Result<(), SetupError> {
    match path.metadata() {
        Ok(found) if found.permissions().readonly() => Err(error(path, "it is read-only")),
        _ => Ok(()),
    }
}

/// The missing folders of a path, the outermost first.
pub(crate) fn missing_folders(folder: &Path) -> Vec<PathBuf> {
    let missing = folder
        .ancestors()
        .take_while(|folder| folder.symlink_metadata().is_err());
    let mut missing: Vec<PathBuf> = missing.map(Path::to_path_buf).collect();
    missing.reverse();
    missing
}
