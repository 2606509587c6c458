//! What differs between a commit and the files on disk, or between HEAD and git's index: files, and lines in them.

mod index_file;
mod lines;

pub use lines::{Hunk, hunks};

use crate::history::HistoryError;
use crate::{repository, walk};
use guard::Folder;
use index_file::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Files that are compared line by line.
const MOST_FILES: usize = 2_000;
/// Bytes of a file that is compared.
const MOST_BYTES: u64 = 4 << 20;

/// What is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Against {
    /// A commit, in the words of git, with the files on disk.
    Since(String),
    /// HEAD with what is staged.
    Staged,
}

/// A file that differs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileChange {
    /// Path from the root with `/`: today's, or the last one of a removed file.
    pub path: String,
    /// Its path before, where that was another.
    pub old_path: Option<String>,
    /// Its text before; none for a new file.
    pub old: Option<String>,
    /// Its text now; none for a removed file.
    pub new: Option<String>,
}

/// A diff.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diff {
    /// Files that differ, by path.
    pub files: Vec<FileChange>,
    /// Files that differ and were not looked at: too large, no text, or too many.
    pub passed_over: usize,
}

type Id = gix::ObjectId;

/// What differs below `root`.
pub fn diff(root: &Path, against: &Against) -> Result<Diff, HistoryError> {
    let shown = || root.display().to_string();
    let repo = repository::open(root)?;
    let prefix = crate::history::prefix(&repo, root);
    let revision = match against {
        Against::Since(revision) => revision.as_str(),
        Against::Staged => "HEAD",
    };
    if repo.head_id().is_err() {
        return Err(HistoryError::Empty(shown()));
    }
    let old = tree_at(&repo, revision, &prefix)
        .ok_or_else(|| HistoryError::Revision(revision.to_owned()))?;
    let staged =
        index_file::read(&repo.git_dir().join("index")).ok_or_else(|| HistoryError::Git {
            path: shown(),
            reason: "its index cannot be read".to_owned(),
        })?;
    let staged = below(staged, &prefix);
    let new = match against {
        Against::Staged => staged
            .iter()
            .map(|(path, e)| (path.clone(), e.id))
            .collect(),
        Against::Since(_) => on_disk(root, &staged, &old),
    };
    let text = |path: &str, id: Id| match against {
        Against::Staged => blob(&repo, id),
        Against::Since(_) => from_disk(root, path),
    };
    Ok(compare(&old, &new, &|id| blob(&repo, id), &text))
}

/// Files of a commit below the prefix, by path.
fn tree_at(repo: &gix::Repository, revision: &str, prefix: &str) -> Option<BTreeMap<String, Id>> {
    let commit = crate::history::commit_named(repo, revision)?;
    let tree = repo.find_object(commit).ok()?.peel_to_tree().ok()?;
    let files = repository::all_entries(&tree)?.into_iter();
    let files = files.filter(|r| r.mode.is_blob());
    let below = files.filter_map(|r| {
        let path = r.filepath.to_string();
        Some((path.strip_prefix(prefix)?.to_owned(), r.oid))
    });
    let below = below.filter(|(path, _)| walk::is_readable_name(path));
    Some(below.collect())
}

fn below(entries: Vec<(String, Entry)>, prefix: &str) -> BTreeMap<String, Entry> {
    let inner = entries
        .into_iter()
        .filter_map(|(path, e)| Some((path.strip_prefix(prefix)?.to_owned(), e)))
        .filter(|(path, _)| walk::is_readable_name(path));
    inner.collect()
}

/// Files as they are on disk: an unchanged time and size say that the content is as git's index has it.
fn on_disk(
    root: &Path,
    staged: &BTreeMap<String, Entry>,
    old: &BTreeMap<String, Id>,
) -> BTreeMap<String, Id> {
    use rayon::prelude::*;
    let mut paths: BTreeSet<String> = staged.keys().chain(old.keys()).cloned().collect();
    if let Ok(found) = walk::walk(root, MOST_BYTES) {
        paths.extend(found.files.into_iter().map(|file| file.path));
    }
    let paths: Vec<String> = paths.into_iter().collect();
    let Ok(folder) = Folder::open(root) else {
        return BTreeMap::new();
    };
    let id = |path: &String| {
        let file = root.join(path);
        let about = file
            .symlink_metadata()
            .ok()
            .filter(std::fs::Metadata::is_file)?;
        let known = staged.get(path).filter(|e| e.is_of(&about));
        let id = match known {
            Some(entry) => entry.id,
            None if about.len() > MOST_BYTES => Id::null(gix::hash::Kind::Sha1),
            None => {
                let bytes = folder.read(path, MOST_BYTES).ok()?;
                gix::objs::compute_hash(gix::hash::Kind::Sha1, gix::objs::Kind::Blob, &bytes)
                    .ok()?
            }
        };
        Some((path.clone(), id))
    };
    paths.par_iter().filter_map(id).collect()
}

fn blob(repo: &gix::Repository, id: Id) -> Option<String> {
    let header = repo.find_header(id).ok()?;
    let is_text = header.kind() == gix::objs::Kind::Blob && header.size() <= MOST_BYTES;
    is_text.then_some(())?;
    let mut object = repo.find_object(id).ok()?;
    String::from_utf8(std::mem::take(&mut object.data)).ok()
}

fn from_disk(root: &Path, path: &str) -> Option<String> {
    Folder::open(root).ok()?.read_text(path, MOST_BYTES).ok()
}

fn compare(
    old: &BTreeMap<String, Id>,
    new: &BTreeMap<String, Id>,
    old_text: &dyn Fn(Id) -> Option<String>,
    new_text: &dyn Fn(&str, Id) -> Option<String>,
) -> Diff {
    let mut found = Diff::default();
    let mut gone: BTreeMap<&String, Id> = old
        .iter()
        .filter(|(path, _)| !new.contains_key(*path))
        .map(|(path, id)| (path, *id))
        .collect();
    for (path, id) in new.iter().filter(|(path, id)| old.get(*path) != Some(id)) {
        let before = match old.get(path) {
            Some(id) => Some((path, *id)),
            None => renamed(path, *id, &gone),
        };
        if let Some((from, _)) = before {
            gone.remove(from);
        }
        let (now, then) = (new_text(path, *id), before.map(|(_, id)| old_text(id)));
        let (Some(now), Some(then)) = (now, then.map_or(Some(None), |text| text.map(Some))) else {
            found.passed_over += 1;
            continue;
        };
        let same = then.as_ref().is_some_and(|then| {
            *then == now || then.replace("\r\n", "\n") == now.replace("\r\n", "\n")
        });
        let moved = before.is_some_and(|(from, _)| from != path);
        if same && !moved {
            continue;
        }
        found.files.push(FileChange {
            path: path.clone(),
            old_path: before
                .map(|(from, _)| from.clone())
                .filter(|from| from != path),
            old: then,
            new: Some(now),
        });
    }
    for (path, id) in gone {
        let old = old_text(id);
        found.passed_over += usize::from(old.is_none());
        found.files.push(FileChange {
            path: path.clone(),
            old,
            ..FileChange::default()
        });
    }
    found.files.sort_by(|a, b| a.path.cmp(&b.path));
    found.passed_over += found.files.len().saturating_sub(MOST_FILES);
    found.files.truncate(MOST_FILES);
    found
}

/// The file that is gone and has this content, or alone has this name.
fn renamed<'p>(path: &str, id: Id, gone: &BTreeMap<&'p String, Id>) -> Option<(&'p String, Id)> {
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let mut same = gone.iter().filter(|(_, other)| **other == id);
    if let Some((from, id)) = same.next() {
        return Some((from, *id));
    }
    let mut named = gone.iter().filter(|(from, _)| name(from) == name(path));
    let (from, id) = named.next()?;
    named.next().is_none().then_some((*from, *id))
}

#[cfg(test)]
mod tests;
