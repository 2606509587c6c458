//! `.devbooks/federation/`: the state of repositories outside the project, one folder for each.

use super::config::{FederationConfig, Location};
use crate::EngineError;
use crate::project::Project;
use std::path::{Path, PathBuf};

/// The folder that holds the state of all of them.
fn parent(project: &Project) -> PathBuf {
    project.state_dir.join("federation")
}

/// The folder for the state of a repository.
pub(super) fn folder_of(project: &Project, name: &str, path: &Path) -> PathBuf {
    parent(project).join(folder_name(name, path))
}

fn folder_name(name: &str, path: &Path) -> String {
    let number = base::fingerprint(&[path.as_os_str().as_encoded_bytes()]);
    format!("{}-{number:016x}", readable_part(name))
}

/// The readable part of a folder's name, made from the repository's name.
fn readable_part(name: &str) -> String {
    let safe = name.chars().map(|c| {
        if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') {
            c
        } else {
            '_'
        }
    });
    let safe: String = safe.collect();
    safe.trim_start_matches('.').to_owned()
}

/// Removes the state of repositories that are no longer listed. A repository that cannot be read now keeps its
/// state.
pub(super) fn remove_unlisted(
    project: &Project,
    config: &FederationConfig,
) -> Result<usize, EngineError> {
    if config.is_partial {
        return Ok(0);
    }
    let is_listed = |folder: &str| {
        config.repositories.iter().any(|one| match &one.place {
            Location::Inside(_) => false,
            Location::Outside(path) => folder == folder_name(&one.name, path),
            Location::Unread { .. } => {
                split_number(folder).is_some_and(|name| name == readable_part(&one.name))
            }
        })
    };
    remove(project, &|folder| !is_listed(folder))
}

/// Removes the state of all these repositories. It is made again when it is needed.
pub(crate) fn remove_all(project: &Project) -> Result<usize, EngineError> {
    remove(project, &|_| true)
}

/// Removes the folders that `goes` chooses, and returns their number. Folders whose names this program does
/// not give are left alone.
fn remove(project: &Project, goes: &dyn Fn(&str) -> bool) -> Result<usize, EngineError> {
    let parent = parent(project);
    let is_folder = |path: &Path| path.symlink_metadata().is_ok_and(|found| found.is_dir());
    if !is_folder(&parent) {
        return Ok(0);
    }
    let mut removed = 0;
    let entries = std::fs::read_dir(&parent).into_iter().flatten().flatten();
    for entry in entries {
        let (name, path) = (entry.file_name(), entry.path());
        let name = name.to_str().filter(|name| split_number(name).is_some());
        if !is_folder(&path) || !name.is_some_and(goes) {
            continue;
        }
        guard::state::remove_folder_below(&project.state_dir, &path).map_err(|error| {
            EngineError::runtime_failure(format!("cannot remove {}: {error}", path.display()))
        })?;
        removed += 1;
    }
    Ok(removed)
}

/// The readable part of a folder's name; none where it has no number at its end.
fn split_number(folder: &str) -> Option<&str> {
    let (name, number) = folder.rsplit_once('-')?;
    let is_hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    (number.len() == 16 && number.chars().all(is_hex)).then_some(name)
}
