//! Differences between a commit and the files on disk, or between HEAD and git's index: files, and lines in them.

mod lines;

pub use lines::{Hunk, diff_lines};

use crate::effort::Effort;
use crate::git_index::{self, Entry};
use crate::history::{HistoryError, not_named};
use crate::{repository, walk};
use base::Cancel;
use guard::Folder;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::{Arc, Weak};

/// Most files that are compared line by line.
const MOST_FILES: usize = 2_000;
/// Most bytes of a file that is compared.
const MOST_BYTES: u64 = 4 << 20;

/// Most bytes of texts that are held together. A commit may name one blob many times.
const MOST_TEXT: usize = 128 << 20;

/// The two sides of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiffBase {
    /// A commit, in git's syntax, against the files on disk.
    Since(String),
    /// HEAD against the staged files.
    Staged,
}

/// A file that differs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileChange {
    /// Path from the root with `/`: today's, or the last one of a removed file.
    pub path: String,
    /// Its path before, if it was another.
    pub old_path: Option<String>,
    /// Its text before; `None` for a new file. Files of one content share it.
    pub old: Option<Arc<str>>,
    /// Its text now; `None` for a removed file.
    pub new: Option<Arc<str>>,
}

/// A diff.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diff {
    /// Files that differ, by path.
    pub files: Vec<FileChange>,
    /// Number of differing files that were not compared: too large, not text, or too many.
    pub passed_over: usize,
}

type Id = gix::ObjectId;
/// Ids of contents, by path. Several lists have the same paths, so paths are shared.
type Ids = BTreeMap<Arc<str>, Id>;

/// Differences below `root`.
pub fn diff(root: &Path, against: &DiffBase) -> Result<Diff, HistoryError> {
    diff_until(root, against, &Cancel::default())
}

/// As [`diff`], but can be cancelled.
pub fn diff_until(root: &Path, against: &DiffBase, cancel: &Cancel) -> Result<Diff, HistoryError> {
    let effort = Effort::for_comparison(cancel);
    let found = compare(root, against, &effort);
    if cancel.is_set() {
        return Err(HistoryError::Cancelled);
    }
    found
}

fn compare(root: &Path, against: &DiffBase, effort: &Arc<Effort>) -> Result<Diff, HistoryError> {
    let shown = || root.display().to_string();
    let repo = repository::open_checked(root, effort)?;
    let prefix = crate::history::prefix(&repo, root);
    let revision = match against {
        DiffBase::Since(revision) => revision.as_str(),
        DiffBase::Staged => "HEAD",
    };
    repository::head(&repo, root, effort)?;
    let commit = crate::history::resolve_revision(&repo, revision);
    let commit = commit.ok_or_else(|| not_named(revision, root, effort))?;
    let old = files_at_revision(&repo, commit, &prefix).ok_or_else(|| {
        repository::unreadable(root, effort, &format!("the folders of {revision}"))
    })?;
    let staged =
        git_index::read_index(&repo.git_dir().join("index")).ok_or_else(|| HistoryError::Git {
            path: shown(),
            reason: "its index cannot be read".to_owned(),
        })?;
    let staged = entries_below(staged, &prefix);
    let new = match against {
        DiffBase::Staged => staged
            .iter()
            .map(|(path, e)| (path.clone(), e.id))
            .collect(),
        DiffBase::Since(_) => files_on_disk(root, &staged, &old),
    };
    let blobs = Blobs {
        repo: &repo,
        read: RefCell::default(),
    };
    let text = |path: &str, id: Id| match against {
        DiffBase::Staged => blobs.text(id),
        DiffBase::Since(_) => read_disk_text(root, path),
    };
    Ok(compare_trees(&old, &new, &|id| blobs.text(id), &text))
}

/// Files of a commit below the prefix, by path.
fn files_at_revision(repo: &gix::Repository, commit: Id, prefix: &str) -> Option<Ids> {
    let tree = repo.find_object(commit).ok()?.peel_to_tree().ok()?;
    let files = repository::all_entries(&tree)?.into_iter();
    let files = files.filter(|r| r.mode.is_blob());
    let below = files.filter_map(|r| {
        let path = r.filepath.to_string();
        Some((Arc::from(path.strip_prefix(prefix)?), r.oid))
    });
    let below = below.filter(|(path, _)| walk::is_readable_name(path));
    Some(below.collect())
}

fn entries_below(entries: Vec<(String, Entry)>, prefix: &str) -> BTreeMap<Arc<str>, Entry> {
    let inner = entries
        .into_iter()
        .filter_map(|(path, e)| Some((Arc::from(path.strip_prefix(prefix)?), e)))
        .filter(|(path, _)| walk::is_readable_name(path));
    inner.collect()
}

/// Files on disk. If time and size are unchanged, the content is that of git's index.
fn files_on_disk(root: &Path, staged: &BTreeMap<Arc<str>, Entry>, old: &Ids) -> Ids {
    use rayon::prelude::*;
    let mut paths: BTreeSet<Arc<str>> = staged.keys().chain(old.keys()).cloned().collect();
    if let Ok(found) = walk::walk_project(root, MOST_BYTES) {
        paths.extend(found.files.into_iter().map(|file| file.path.into()));
    }
    let paths: Vec<Arc<str>> = paths.into_iter().collect();
    let Ok(folder) = Folder::open(root) else {
        return BTreeMap::new();
    };
    let id = |path: &Arc<str>| {
        let file = root.join(&**path);
        let about = file
            .symlink_metadata()
            .ok()
            .filter(std::fs::Metadata::is_file)?;
        let known = staged.get(path).filter(|e| e.matches_file(&about));
        let id = match known {
            Some(entry) => entry.id,
            None if about.len() > MOST_BYTES => Id::null(gix::hash::Kind::Sha1),
            None => {
                let bytes = folder.read(&**path, MOST_BYTES).ok()?;
                gix::objs::compute_hash(gix::hash::Kind::Sha1, gix::objs::Kind::Blob, &bytes)
                    .ok()?
            }
        };
        Some((path.clone(), id))
    };
    paths.par_iter().filter_map(id).collect()
}

/// Texts of the repository. A tree may name one text many times; it is read once and shared.
struct Blobs<'r> {
    repo: &'r gix::Repository,
    read: RefCell<HashMap<Id, Weak<str>>>,
}

impl Blobs<'_> {
    fn text(&self, id: Id) -> Option<Arc<str>> {
        let known = self.read.borrow().get(&id).and_then(Weak::upgrade);
        if known.is_some() {
            return known;
        }
        let text: Arc<str> = read_blob_text(self.repo, id)?.into();
        self.read.borrow_mut().insert(id, Arc::downgrade(&text));
        Some(text)
    }
}

fn read_blob_text(repo: &gix::Repository, id: Id) -> Option<String> {
    let header = repo.find_header(id).ok()?;
    let is_text = header.kind() == gix::objs::Kind::Blob && header.size() <= MOST_BYTES;
    is_text.then_some(())?;
    let object = repo.find_object(id).ok()?;
    let mut object = object.try_into_blob().ok()?;
    String::from_utf8(std::mem::take(&mut object.data)).ok()
}

fn read_disk_text(root: &Path, path: &str) -> Option<Arc<str>> {
    let text = Folder::open(root).ok()?.read_text(path, MOST_BYTES).ok()?;
    Some(text.into())
}

/// A path (the present one, or the last one of a removed file), the old path and content, and the present content.
type Differing<'p> = (&'p Arc<str>, Option<(&'p Arc<str>, Id)>, Option<Id>);

fn compare_trees(
    old: &Ids,
    new: &Ids,
    old_text: &dyn Fn(Id) -> Option<Arc<str>>,
    new_text: &dyn Fn(&str, Id) -> Option<Arc<str>>,
) -> Diff {
    let mut gone =
        RemovedFiles::from_files(old.iter().filter(|(path, _)| !new.contains_key(*path)));
    let mut differing: Vec<Differing<'_>> = Vec::new();
    for (path, id) in new.iter().filter(|(path, id)| old.get(*path) != Some(id)) {
        let before = match old.get(path) {
            Some(id) => Some((path, *id)),
            None => gone.take_rename_source(path, *id),
        };
        differing.push((path, before, Some(*id)));
    }
    let removed = gone.files.iter();
    differing.extend(removed.map(|(path, id)| (*path, Some((*path, *id)), None)));
    differing.sort_by_key(|(path, ..)| *path);
    let mut found = Diff::default();
    let mut room = MOST_TEXT;
    for (path, before, after) in differing {
        // A file that would not be kept is not read.
        if found.files.len() == MOST_FILES || room == 0 {
            found.passed_over += 1;
            continue;
        }
        let then = before.map(|(_, id)| old_text(id));
        let Some(id) = after else {
            let old = then.flatten();
            found.passed_over += usize::from(old.is_none());
            room = room.saturating_sub(old.as_ref().map_or(0, |text| text.len()));
            found.files.push(FileChange {
                path: path.to_string(),
                old,
                ..FileChange::default()
            });
            continue;
        };
        let now = new_text(path, id);
        let (Some(now), Some(then)) = (now, then.map_or(Some(None), |text| text.map(Some))) else {
            found.passed_over += 1;
            continue;
        };
        let same = then.as_ref().is_some_and(|then| {
            **then == *now || then.replace("\r\n", "\n") == now.replace("\r\n", "\n")
        });
        let old_path = before.map(|(from, _)| from).filter(|from| *from != path);
        if same && old_path.is_none() {
            continue;
        }
        room = room.saturating_sub(now.len() + then.as_ref().map_or(0, |text| text.len()));
        found.files.push(FileChange {
            path: path.to_string(),
            old_path: old_path.map(|from| from.to_string()),
            old: then,
            new: Some(now),
        });
    }
    found
}

/// Removed files, by the properties that may identify a renamed one. Each new file needs one look-up, however many
/// files there are.
struct RemovedFiles<'p> {
    files: BTreeMap<&'p Arc<str>, Id>,
    by_content: HashMap<Id, BTreeSet<&'p Arc<str>>>,
    by_name: HashMap<&'p str, BTreeSet<&'p Arc<str>>>,
}

impl<'p> RemovedFiles<'p> {
    fn from_files(files: impl Iterator<Item = (&'p Arc<str>, &'p Id)>) -> RemovedFiles<'p> {
        let mut gone = RemovedFiles {
            files: files.map(|(path, id)| (path, *id)).collect(),
            by_content: HashMap::new(),
            by_name: HashMap::new(),
        };
        for (&path, id) in &gone.files {
            gone.by_content.entry(*id).or_default().insert(path);
            gone.by_name
                .entry(file_name(path))
                .or_default()
                .insert(path);
        }
        gone
    }

    /// Takes the removed file that has this content, or is the only one with this name.
    fn take_rename_source(&mut self, path: &str, id: Id) -> Option<(&'p Arc<str>, Id)> {
        let same = self.by_content.get(&id).and_then(|all| all.first());
        let alone = || {
            self.by_name
                .get(file_name(path))
                .filter(|all| all.len() == 1)
        };
        let from = same.or_else(|| alone()?.first()).copied()?;
        let id = self.files.remove(from)?;
        if let Some(all) = self.by_content.get_mut(&id) {
            all.remove(from);
        }
        if let Some(all) = self.by_name.get_mut(file_name(from)) {
            all.remove(from);
        }
        Some((from, id))
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

#[cfg(test)]
mod tests;
