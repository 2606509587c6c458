//! What git tracks. Ignore rules of git do not count for tracked files, so such files are read, as git does.

use super::rules::Rules;
use super::tree::{Ruling, ruling_on_the_way};
use super::{Stamp, file_id, file_stamp};
use crate::git;
use crate::git_index::{Tracked, TrackedPaths};
use guard::owner::{Owner, owner_of};
use platform::RealPath;
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Most newly tracked paths that are compared with the rules; with more, a walk is as good.
const MOST_NEW: usize = 200;

/// Git's index of a repository. It is read when a rule of git ignores something.
#[derive(Debug)]
pub(super) struct GitIndex {
    /// Number of bytes of a full path that lead to the top of the repository.
    base: usize,
    /// The top of the repository.
    top: PathBuf,
    /// The index.
    file: PathBuf,
    /// State of the file before it was read.
    state: FileState,
    git: PathBuf,
    paths: OnceLock<Option<TrackedPaths>>,
}

/// State of a file, to detect a change.
type FileState = Option<(Stamp, Option<(u64, u64)>)>;

fn state_of(file: &Path) -> FileState {
    Some((file_stamp(file)?, file_id(file)))
}

impl GitIndex {
    /// The index in `git`, the git directory of the repository whose top is `folder`; `base` is the length of the
    /// folder's full path with a `/`.
    pub(super) fn of_top(folder: &Path, base: usize, git: PathBuf) -> Option<GitIndex> {
        // In a folder that everybody may write to, a repository of another user does not count.
        if owner_of(folder, ".git", None) == Some(Owner::Anybody) {
            return None;
        }
        let file = git.join("index");
        Some(GitIndex {
            base,
            top: folder.to_path_buf(),
            state: state_of(&file),
            file,
            git,
            paths: OnceLock::new(),
        })
    }

    fn paths(&self) -> Option<&TrackedPaths> {
        let read = || TrackedPaths::read(&self.file, git::object_id_bytes(&self.git));
        self.paths.get_or_init(read).as_ref()
    }

    /// What is tracked at a full path.
    pub(super) fn at(&self, full_path: &[u8]) -> Tracked {
        let inside = full_path.get(self.base..);
        let found = inside.and_then(|inside| Some(self.paths()?.at(inside)));
        found.unwrap_or(Tracked::Nothing)
    }

    /// A message, if the index was asked and could not be read.
    pub(super) fn problem(&self) -> Option<String> {
        matches!(self.paths.get(), Some(None)).then(|| {
            format!(
                "{}: git's index cannot be read: tracked files that an ignore rule matches are left out",
                self.top.display()
            )
        })
    }
}

/// The indexes that decided a walk, and the files that it took because they are tracked.
#[derive(Default)]
pub(crate) struct TrackedState {
    root: PathBuf,
    all: Vec<IndexState>,
    /// Where an index would appear, if the root is in no repository.
    missing: Option<PathBuf>,
}

struct IndexState {
    top: PathBuf,
    file: PathBuf,
    state: FileState,
    id_bytes: usize,
    /// Hashes of all tracked paths.
    paths: FxHashSet<u64>,
    /// Hashes of the paths that are read although a rule ignores them.
    taken: Vec<u64>,
}

impl TrackedState {
    /// `taken` are the files below `root` that a walk took because they are tracked.
    pub(super) fn new(root: &Path, indexes: &[Arc<GitIndex>], taken: &[String]) -> TrackedState {
        // The tops of repositories have no links in their paths.
        let root = root.real_path().unwrap_or_else(|_| root.to_path_buf());
        let all = indexes.iter().map(|index| {
            let within = |path: &String| {
                let path = root.join(path);
                let inside = path.strip_prefix(&index.top).ok()?;
                let inside = platform::file::to_slashes(inside);
                Some(hash_of(inside.as_encoded_bytes()))
            };
            let paths = index.paths();
            let paths: FxHashSet<u64> = paths.map(hashes_of).unwrap_or_default();
            let taken = taken.iter().filter_map(within);
            IndexState {
                top: index.top.clone(),
                file: index.file.clone(),
                state: index.state,
                id_bytes: git::object_id_bytes(&index.git),
                taken: taken.filter(|hash| paths.contains(hash)).collect(),
                paths,
            }
        });
        TrackedState {
            all: all.collect(),
            missing: indexes.is_empty().then(|| root.join(".git/index")),
            root,
        }
    }

    /// Whether git tracks other files now, so that a walk may find others. One system call for each repository, if
    /// nothing was written.
    pub(crate) fn may_change_walk(&mut self) -> bool {
        let TrackedState { root, all, missing } = self;
        let is_new = |file: &PathBuf| file.symlink_metadata().is_ok();
        missing.as_ref().is_some_and(is_new) || all.iter_mut().any(|index| index.changes_walk(root))
    }
}

impl IndexState {
    fn changes_walk(&mut self, root: &Path) -> bool {
        let state = state_of(&self.file);
        if state == self.state {
            return false;
        }
        let Some(now) = TrackedPaths::read(&self.file, self.id_bytes) else {
            return true;
        };
        let hashes = hashes_of(&now);
        if self.taken.iter().any(|taken| !hashes.contains(taken)) {
            return true;
        }
        let new = now
            .iter()
            .filter(|path| !self.paths.contains(&hash_of(path)));
        let new: Vec<&[u8]> = new.take(MOST_NEW + 1).collect();
        let is_ignored = |path: &&[u8]| {
            let path = self.top.join(super::tree::to_os_path(path));
            path.strip_prefix(root)
                .is_ok_and(|inside| is_ignored_by_git(root, inside))
        };
        if new.len() > MOST_NEW || new.iter().any(is_ignored) {
            return true;
        }
        (self.state, self.paths) = (state, hashes);
        false
    }
}

/// Whether a rule of git ignores that path or a folder that leads to it, whether git tracks it or not.
fn is_ignored_by_git(root: &Path, inside: &Path) -> bool {
    let mut found = false;
    ruling_on_the_way(
        root,
        inside,
        &mut |rules: &Rules, path, name_at, is_folder| {
            let ruling = rules.ruling(path, name_at, is_folder);
            found |= ruling == Ruling::IgnoredByGit;
            !found
        },
    );
    found
}

fn hashes_of(paths: &TrackedPaths) -> FxHashSet<u64> {
    paths.iter().map(hash_of).collect()
}

fn hash_of(path: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(path);
    hasher.finish()
}
