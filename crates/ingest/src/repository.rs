//! Opens a git repository that may be hostile.
//!
//! The library opens files of git's folder without checks. They are therefore checked here first: none may block or be
//! larger than files of its kind are. Only the repository's own configuration file is read, without any that it
//! includes. No object larger than a limit is read.

use crate::effort::{self, Effort};
use crate::git;
use crate::history::HistoryError;
use gix::diff::tree::recorder as changes;
use gix::traverse::tree::recorder as entries;
use guard::file::Folder;
use guard::list::Kind;
use platform::RealPath;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Most bytes of an object that is read: a tree, a commit or a text.
pub(crate) const MOST_OBJECT: u64 = 32 << 20;
/// Largest base of a delta, and largest result: the library needs room for both.
const MOST_BASE: u64 = MOST_OBJECT / 2;
/// Most entries of trees that are read for one question.
const MOST_ENTRIES: usize = 1_000_000;
/// Bytes of all their paths together.
const MOST_PATHS: usize = 64 << 20;
/// A tree or commit of at most this many bytes is free. The widest folders of ordinary projects, with some thousand
/// entries, take 20 to 50 KB.
const LIGHT: usize = 128 << 10;
/// Most references of one repository that are read.
const MOST_REFERENCES: usize = 200_000;
/// Most repositories from which this one borrows objects.
const MOST_ALTERNATES: usize = 16;

/// Largest files of git's folder, by name.
const LIMITS: [(&str, u64); 11] = [
    ("HEAD", 8 << 10),
    ("commondir", 8 << 10),
    ("gitdir", 8 << 10),
    ("config", 1 << 20),
    ("config.worktree", 1 << 20),
    ("shallow", 16 << 20),
    ("packed-refs", 512 << 20),
    ("index", 1 << 30),
    ("info/grafts", 16 << 20),
    ("objects/info/commit-graph", 4 << 30),
    ("objects/info/alternates", 64 << 10),
];

/// Opens the repository around `root`. Unpacking its objects uses up `effort`.
pub(crate) fn open_checked(
    root: &Path,
    effort: &Arc<Effort>,
) -> Result<gix::Repository, HistoryError> {
    let shown = || root.display().to_string();
    let fail = |error: GitFileError| HistoryError::Git {
        path: shown(),
        reason: error.to_string(),
    };
    if git::git_dir(root).is_none() {
        return Err(none_at(root));
    }
    check_repository_files(root).map_err(fail)?;
    let limit = format!("gitoxide.objects.allocLimit={MOST_OBJECT}");
    let options = || gix::open::Options::isolated().config_overrides([limit.as_str()]);
    let trust = gix::sec::trust::Mapping {
        full: options(),
        reduced: options(),
    };
    gix::ThreadSafeRepository::discover_opts(root, Default::default(), trust)
        .map(|shared| in_thread(&shared, effort))
        .map_err(|_| HistoryError::NoRepository(shown()))
}

/// The repository for one thread.
pub(crate) fn in_thread(
    shared: &gix::ThreadSafeRepository,
    effort: &Arc<Effort>,
) -> gix::Repository {
    let mut repo = shared.to_thread_local();
    effort::count(&mut repo, effort);
    repo
}

/// The commit at HEAD. A missing commit and an unreadable one are different errors.
pub(crate) fn head(
    repo: &gix::Repository,
    root: &Path,
    effort: &Effort,
) -> Result<gix::ObjectId, HistoryError> {
    if let Ok(head) = repo.head_id() {
        return Ok(head.detach());
    }
    // An existing reference names a commit, whether or not it can be read.
    if repo.head().is_ok_and(|head| head.id().is_some()) {
        return Err(unreadable(root, effort, "the commit at HEAD"));
    }
    Err(HistoryError::Empty(root.display().to_string()))
}

/// The error for a part of git's data that could not be read.
pub(crate) fn unreadable(root: &Path, effort: &Effort, what: &str) -> HistoryError {
    let other = || {
        format!(
            "it is damaged or missing, holds more than may be read, or is made of an object of more than {} MB",
            MOST_BASE >> 20
        )
    };
    let why = effort.reason().unwrap_or_else(other);
    HistoryError::Git {
        path: root.display().to_string(),
        reason: format!("{what} cannot be read: {why}"),
    }
}

/// Why there is no repository at `root`.
pub(crate) fn none_at(root: &Path) -> HistoryError {
    let shown = root.display().to_string();
    if git::leads_elsewhere(root) {
        HistoryError::Elsewhere(shown)
    } else {
        HistoryError::NoRepository(shown)
    }
}

/// The reason why git's own files are not opened.
#[derive(Debug, thiserror::Error)]
enum GitFileError {
    #[error(transparent)]
    File(#[from] guard::OpenError),
    #[error("{}: is not a regular file", .0.display())]
    Irregular(PathBuf),
    #[error("{}: too many references", .0.display())]
    ManyReferences(PathBuf),
    #[error("{}: too many folders within each other", .0.display())]
    DeepFolders(PathBuf),
    #[error("{}: borrows from too many others", .0.display())]
    ManyAlternates(PathBuf),
    #[error("{}: names another machine", .0.display())]
    OtherMachine(PathBuf),
}

/// Checks that the files of the repository around `root` look like those that git writes.
fn check_repository_files(root: &Path) -> Result<(), GitFileError> {
    for folder in root.ancestors() {
        let git = folder.join(".git");
        let Ok(found) = git.metadata() else { continue };
        if !found.is_dir() {
            check_file(&git, 8 << 10)?;
        }
        break;
    }
    let Some(git) = git::git_dir(root) else {
        return Ok(());
    };
    let common = git::common_dir_around(root).unwrap_or_else(|| git.clone());
    for folder in BTreeSet::from([&git, &common]) {
        for (name, limit) in LIMITS {
            check_file(&folder.join(name), limit)?;
        }
        let mut left = MOST_REFERENCES;
        check_references(&folder.join("refs"), 0, &mut left)?;
    }
    let mut seen = BTreeSet::new();
    check_object_folder(&common.join("objects"), &mut seen)
}

/// Checks a file; a missing one is accepted.
fn check_file(path: &Path, limit: u64) -> Result<(), GitFileError> {
    match guard::open_user_file(path, limit) {
        Ok(_) => Ok(()),
        Err(error) if error.is_missing() => Ok(()),
        // The library reports a file that cannot be read.
        Err(guard::OpenError::Io { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// References are small files in few folders.
fn check_references(path: &Path, depth: usize, left: &mut usize) -> Result<(), GitFileError> {
    let Ok(folder) = Folder::open(path) else {
        return Ok(());
    };
    let mut inner = Vec::new();
    let mut wrong = None;
    let listed = folder.visit_entries(&mut |name, kind| {
        *left = left.saturating_sub(1);
        let path = path.join(name);
        match kind {
            Kind::Folder => inner.push(path),
            Kind::File => {}
            Kind::Link => wrong = check_file(&path, 8 << 10).err(),
            Kind::Other => wrong = Some(GitFileError::Irregular(path)),
        }
        if *left == 0 {
            wrong = Some(GitFileError::ManyReferences(folder.path().to_owned()));
        }
        wrong.is_none()
    });
    match (listed, wrong) {
        (_, Some(wrong)) => return Err(wrong),
        (Err(error), None) => return Err(error.into()),
        (Ok(()), None) => {}
    }
    if depth > 32 {
        return Err(GitFileError::DeepFolders(path.to_owned()));
    }
    inner
        .iter()
        .try_for_each(|path| check_references(path, depth + 1, left))
}

/// Checks the packs of an object folder, its lists of other repositories, and those repositories.
fn check_object_folder(path: &Path, seen: &mut BTreeSet<PathBuf>) -> Result<(), GitFileError> {
    let Ok(path) = path.real_path() else {
        return Ok(());
    };
    if !seen.insert(path.clone()) {
        return Ok(());
    }
    if seen.len() > MOST_ALTERNATES {
        return Err(GitFileError::ManyAlternates(path));
    }
    for folder in ["pack", "info", "info/commit-graphs"] {
        let Ok(folder) = Folder::open(&path.join(folder)) else {
            continue;
        };
        let mut wrong = None;
        let listed = folder.visit_entries(&mut |name, kind| {
            let path = folder.path().join(name);
            wrong = match kind {
                Kind::Link => check_file(&path, u64::MAX).err(),
                Kind::Other => Some(GitFileError::Irregular(path)),
                Kind::File | Kind::Folder => None,
            };
            wrong.is_none()
        });
        if let Some(wrong) = wrong.or(listed.err().map(GitFileError::from)) {
            return Err(wrong);
        }
    }
    let list = path.join("info/alternates");
    check_file(&list, 64 << 10)?;
    let Ok(text) = guard::file::read_user_text(&list, 64 << 10) else {
        return Ok(());
    };
    let named = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    for other in named.map(|line| Path::new(line.trim_matches('"'))) {
        if platform::file::asks_network(other) {
            return Err(GitFileError::OtherMachine(list));
        }
        check_object_folder(&path.join(other), seen)?;
    }
    Ok(())
}

/// The parts of trees that may still be read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TreeBudget {
    /// Entries, folders among them.
    pub(crate) entries: usize,
    /// Bytes of their paths.
    pub(crate) paths: usize,
    /// Bytes of large trees and commits. Finding one differing entry reads all entries of a tree, and a pack stores a
    /// tree that differs little from another in few bytes.
    pub(crate) bytes: usize,
}

impl TreeBudget {
    fn consume(&mut self, path: usize) -> bool {
        self.entries = self.entries.saturating_sub(1);
        self.paths = self.paths.saturating_sub(path);
        self.entries > 0 && self.paths > 0
    }

    /// Pays for an object of that many bytes.
    pub(crate) fn take_object(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes.saturating_sub(LIGHT));
    }

    fn is_enough(&self) -> bool {
        self.entries > 0 && self.paths > 0 && self.bytes > 0
    }
}

/// Objects of a repository, whose bytes are counted. When the budget is spent, no object is found.
struct Counted<'r> {
    objects: &'r gix::OdbHandle,
    left: Cell<usize>,
}

impl gix::objs::Find for Counted<'_> {
    fn try_find<'a>(
        &self,
        id: &gix::oid,
        buffer: &'a mut Vec<u8>,
    ) -> gix::error::Result<Option<gix::objs::Data<'a>>> {
        let found = self.objects.try_find(id, buffer)?;
        let bytes = found.as_ref().map_or(0, |data| data.data.len());
        let left = self.left.get().saturating_sub(bytes.saturating_sub(LIGHT));
        self.left.set(left);
        Ok(found.filter(|_| left > 0))
    }
}

type Text<'t> = &'t gix::bstr::BStr;

/// All entries of a tree; `None` if there are too many, as in a tree that contains itself many times over.
pub(crate) fn all_entries(tree: &gix::Tree<'_>) -> Option<Vec<entries::Entry>> {
    struct Bounded(gix::traverse::tree::Recorder, TreeBudget);
    impl gix::traverse::tree::Visit for Bounded {
        fn pop_back_tracked_path_and_set_current(&mut self) {
            self.0.pop_back_tracked_path_and_set_current();
        }

        fn pop_front_tracked_path_and_set_current(&mut self) {
            self.0.pop_front_tracked_path_and_set_current();
        }

        fn push_back_tracked_path_component(&mut self, component: Text<'_>) {
            self.0.push_back_tracked_path_component(component);
        }

        fn push_path_component(&mut self, component: Text<'_>) {
            self.0.push_path_component(component);
        }

        fn pop_path_component(&mut self) {
            self.0.pop_path_component();
        }

        fn visit_tree(
            &mut self,
            _entry: &gix::objs::tree::EntryRef<'_>,
        ) -> gix::traverse::tree::visit::Action {
            if self.1.consume(self.0.path().len()) {
                ControlFlow::Continue(true)
            } else {
                ControlFlow::Break(())
            }
        }

        fn visit_nontree(
            &mut self,
            entry: &gix::objs::tree::EntryRef<'_>,
        ) -> gix::traverse::tree::visit::Action {
            if self.1.consume(self.0.path().len()) {
                self.0.visit_nontree(entry)
            } else {
                ControlFlow::Break(())
            }
        }
    }
    let recorder = gix::traverse::tree::Recorder::default();
    let left = TreeBudget {
        entries: MOST_ENTRIES,
        paths: MOST_PATHS,
        // Only the number of entries is limited here.
        bytes: usize::MAX,
    };
    let mut bounded = Bounded(recorder, left);
    tree.traverse().breadthfirst(&mut bounded).ok()?;
    bounded.1.is_enough().then_some(bounded.0.records)
}

/// Differences between two trees, within the budget `left`. `None` if the budget is too small, an error if a tree
/// cannot be read.
pub(crate) fn all_changes(
    repo: &gix::Repository,
    before: Option<&gix::Tree<'_>>,
    after: &gix::Tree<'_>,
    left: &mut TreeBudget,
) -> Result<Option<Vec<changes::Change>>, ()> {
    struct Bounded<'l>(gix::diff::tree::Recorder, &'l mut TreeBudget);
    impl gix::diff::tree::Visit for Bounded<'_> {
        fn pop_front_tracked_path_and_set_current(&mut self) {
            self.0.pop_front_tracked_path_and_set_current();
        }

        fn push_back_tracked_path_component(&mut self, component: Text<'_>) {
            self.0.push_back_tracked_path_component(component);
        }

        fn push_path_component(&mut self, component: Text<'_>) {
            self.0.push_path_component(component);
        }

        fn pop_path_component(&mut self) {
            self.0.pop_path_component();
        }

        fn visit(
            &mut self,
            change: gix::diff::tree::visit::Change,
        ) -> gix::diff::tree::visit::Action {
            if self.1.consume(self.0.path().len()) {
                self.0.visit(change)
            } else {
                ControlFlow::Break(())
            }
        }
    }
    let empty = gix::objs::TreeRefIter::from_bytes(&[], repo.object_hash());
    let old = before.map_or(empty, |tree| {
        gix::objs::TreeRefIter::from_bytes(&tree.data, repo.object_hash())
    });
    let new = gix::objs::TreeRefIter::from_bytes(&after.data, repo.object_hash());
    left.take_object(before.map_or(0, |tree| tree.data.len()));
    left.take_object(after.data.len());
    if !left.is_enough() {
        return Ok(None);
    }
    let objects = Counted {
        objects: &repo.objects,
        left: Cell::new(left.bytes),
    };
    let mut state = gix::diff::tree::State::default();
    let mut bounded = Bounded(gix::diff::tree::Recorder::default(), left);
    let compared = gix::diff::tree(old, new, &mut state, &objects, &mut bounded);
    bounded.1.bytes = objects.left.get();
    if bounded.1.is_enough() {
        compared.map(|()| Some(bounded.0.records)).map_err(|_| ())
    } else {
        Ok(None)
    }
}
