//! Walks the folders of a tree on several threads. Each folder is opened beneath the root's own handle, no link is
//! followed, and ignored folders are not entered.

pub(super) use super::rules::Ruling;
use super::rules::{PresentRuleFiles, Rules, Start};
use super::tracked::GitIndex;
use crate::IngestError;
use crate::git_index::Tracked;
use base::LONGEST_PATH;
use guard::file::Folder;
use guard::list::Kind;
use platform::RealPath;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Entries of a folder that are processed together. In a folder with more entries, ignore files are opened without
/// knowing whether they exist.
const TOGETHER: usize = 1 << 16;
/// Number of folders that are read before other threads join.
const ALONE: usize = 16;

/// A folder before its listing.
pub(super) struct CurrentFolder<'h> {
    /// Its path from the root, with `/`; empty for the root.
    pub(super) path: &'h [u8],
    /// Its handle.
    pub(super) folder: &'h Folder,
}

/// A regular file that was found.
pub(super) struct WalkEntry<'f> {
    /// Its path from the root, with `/`.
    pub(super) path: &'f [u8],
    /// Its name.
    pub(super) name: &'f OsStr,
    /// The folder that contains it.
    pub(super) folder: &'f Folder,
    rules: &'f Rules,
    scope: Scope,
    full_path: &'f [u8],
    name_at: usize,
}

impl WalkEntry<'_> {
    /// Whether it is left out: the rules ignore it, and git does not track it or the user's own rules say so.
    pub(super) fn is_ignored(&self) -> bool {
        let ruling = self.rules.ruling(self.full_path, self.name_at, false);
        match self.scope.remaining(ruling) {
            Remaining::All => false,
            Remaining::Tracked => self.rules.tracked_at(self.full_path) != Tracked::File,
            Remaining::Nothing => true,
        }
    }

    /// Whether it is only read because git tracks it, if it is read.
    pub(super) fn depends_on_index(&self) -> bool {
        let ruling = self.rules.ruling(self.full_path, self.name_at, false);
        self.scope.remaining(ruling) == Remaining::Tracked
    }

    /// Whether git ignores the folder.
    pub(super) fn is_in_ignored_folder(&self) -> bool {
        self.scope == Scope::Tracked
    }
}

/// Which files of a folder are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// All that no rule ignores.
    All,
    /// The folder is ignored: only files that git tracks.
    Tracked,
}

/// Which entries a ruling leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Remaining {
    /// The entry in any case.
    All,
    /// The entry if git tracks it.
    Tracked,
    /// No entry.
    Nothing,
}

impl Scope {
    /// What a ruling means for an entry of such a folder.
    fn remaining(self, ruling: Ruling) -> Remaining {
        match (ruling, self) {
            (Ruling::LeftOut, _) => Remaining::Nothing,
            (Ruling::Kept, Scope::All) => Remaining::All,
            (Ruling::Kept, Scope::Tracked) | (Ruling::IgnoredByGit, _) => Remaining::Tracked,
        }
    }

    /// The scope within an inner folder; `None` if it is not entered.
    fn within(self, rules: &Rules, path: &[u8], name_at: usize) -> Option<Scope> {
        match self.remaining(rules.ruling(path, name_at, true)) {
            Remaining::All => Some(Scope::All),
            Remaining::Nothing => None,
            Remaining::Tracked => match rules.tracked_at(path) {
                Tracked::Inside => Some(Scope::Tracked),
                // Its own index says what is tracked there.
                Tracked::Repository => Some(Scope::All),
                Tracked::File | Tracked::Nothing => None,
            },
        }
    }
}

/// Handles the results of one thread.
pub(super) trait Visit {
    /// Called before a folder is listed; returns whether to go on.
    fn enter_folder(&mut self, here: &CurrentFolder<'_>) -> bool;
    /// Called for each regular file, ignored or not.
    fn visit_file(&mut self, found: &WalkEntry<'_>);
    /// Each link, by its path. None is followed.
    fn visit_link(&mut self, path: &[u8], is_ignored: &dyn Fn() -> bool);
    /// A folder whose path is too long is not entered.
    fn too_long(&mut self);
    /// Reports that something could not be read.
    fn report_problem(&mut self, message: String);
}

/// A folder to read.
struct Task {
    path: Box<[u8]>,
    rules: Arc<Rules>,
    scope: Scope,
}

/// State that the threads share.
struct Work<'w> {
    root: &'w Folder,
    root_path: &'w Path,
    prefix: &'w [u8],
    enter: &'w (dyn Fn(&str) -> bool + Sync),
    queue: Mutex<Queue>,
    changed: Condvar,
    /// The indexes of all repositories that were met.
    indexes: Mutex<Vec<Arc<GitIndex>>>,
}

#[derive(Default)]
struct Queue {
    tasks: Vec<Task>,
    /// Tasks in progress.
    running: usize,
    /// Threads that wait for a task.
    waiting: usize,
    stop: bool,
}

/// Walks the tree with one visitor for each thread. Folders whose names `enter` refuses are left out. Returns git's
/// indexes of the repositories around the root and in the tree.
pub(super) fn walk<V: Visit + Send>(
    root: &Path,
    enter: &(dyn Fn(&str) -> bool + Sync),
    visitors: &mut [V],
) -> Result<Vec<Arc<GitIndex>>, IngestError> {
    let gone = |_| IngestError::NoProject(root.display().to_string());
    let real = root.real_path().map_err(gone)?;
    let folder =
        Folder::open(&real).map_err(|_| IngestError::NoProject(root.display().to_string()))?;
    let Start {
        rules,
        prefix,
        problems,
    } = Rules::for_root(&real);
    let work = Work {
        root: &folder,
        root_path: &real,
        prefix: &prefix,
        enter,
        indexes: Mutex::new(rules.nearest_index().cloned().into_iter().collect()),
        queue: Mutex::new(Queue {
            tasks: vec![Task {
                path: Box::default(),
                rules,
                scope: Scope::All,
            }],
            ..Queue::default()
        }),
        changed: Condvar::new(),
    };
    let Some((first, others)) = visitors.split_first_mut() else {
        return Ok(Vec::new());
    };
    problems
        .into_iter()
        .for_each(|line| first.report_problem(line));
    // A small tree is read before threads have started.
    let alone = if others.is_empty() { usize::MAX } else { ALONE };
    if !work.walk_folders(first, alone) {
        std::thread::scope(|scope| {
            for visitor in others {
                scope.spawn(|| work.walk_folders(visitor, usize::MAX));
            }
            work.walk_folders(first, usize::MAX);
        });
    }
    let indexes = work.indexes.into_inner();
    let indexes = indexes.unwrap_or_else(PoisonError::into_inner);
    let unreadable = indexes.iter().filter_map(|index| index.problem());
    unreadable.for_each(|line| first.report_problem(line));
    Ok(indexes)
}

/// A visitor of the way to a path. It gets the rules, the full path, the beginning of the name, and whether it is a folder. It returns
/// false to end the visit.
type VisitRules<'a> = dyn FnMut(&Rules, &[u8], usize, bool) -> bool + 'a;

/// Calls `visit` with the rules for each folder that leads to a path, and for the path itself, until it returns false.
pub(super) fn ruling_on_the_way(root: &Path, inside: &Path, visit: &mut VisitRules<'_>) {
    let Ok(real) = root.real_path() else {
        return;
    };
    let start = Rules::for_root(&real);
    let (mut rules, mut path, mut folder) = (start.rules, start.prefix, real);
    let mut parts = inside.components().peekable();
    while let Some(part) = parts.next() {
        let Ok(handle) = Folder::open(&folder) else {
            return;
        };
        let unknown = PresentRuleFiles::UNKNOWN;
        let unsaid = &mut Vec::new();
        rules = rules.for_folder(
            &handle,
            &folder,
            path.len(),
            unknown,
            &|_| String::new(),
            unsaid,
        );
        let name_at = path.len();
        path.extend_from_slice(part.as_os_str().as_encoded_bytes());
        let is_folder = parts.peek().is_some();
        if !visit(&rules, &path, name_at, is_folder) {
            return;
        }
        path.push(b'/');
        folder.push(part);
    }
}

/// Whether a walk of `root` would come to a file at that path.
pub(super) fn is_on_the_way(root: &Path, inside: &Path, enter: &dyn Fn(&str) -> bool) -> bool {
    let mut scope = Some(Scope::All);
    ruling_on_the_way(root, inside, &mut |rules, path, name_at, is_folder| {
        let Some(here) = scope else {
            return false;
        };
        let name = std::str::from_utf8(&path[name_at..]);
        scope = if is_folder {
            let enters = name.map_or(true, enter);
            here.within(rules, path, name_at).filter(|_| enters)
        } else {
            let is_read = match here.remaining(rules.ruling(path, name_at, false)) {
                Remaining::All => true,
                Remaining::Tracked => rules.tracked_at(path) == Tracked::File,
                Remaining::Nothing => false,
            };
            is_read.then_some(here)
        };
        true
    });
    scope.is_some()
}

impl Work<'_> {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads at most `most` folders; returns whether all are done.
    fn walk_folders<V: Visit>(&self, visitor: &mut V, most: usize) -> bool {
        let mut scratch = Scratch::default();
        for _ in 0..most {
            let Some(task) = self.next_task() else {
                return true;
            };
            let more = self.read_folder(task, visitor, &mut scratch);
            let mut queue = self.queue();
            queue.running -= 1;
            if more {
                queue.tasks.append(&mut scratch.tasks)
            } else {
                queue.stop = true
            }
            let is_awaited = queue.waiting > 0;
            drop(queue);
            // A wake-up costs a system call for every folder, even if no thread waits.
            if is_awaited {
                self.changed.notify_all();
            }
        }
        false
    }

    fn next_task(&self) -> Option<Task> {
        let mut queue = self.queue();
        loop {
            if queue.stop {
                return None;
            }
            if let Some(task) = queue.tasks.pop() {
                queue.running += 1;
                return Some(task);
            }
            if queue.running == 0 {
                return None;
            }
            queue.waiting += 1;
            queue = self
                .changed
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
            queue.waiting -= 1;
        }
    }

    /// Reads one folder; returns whether to go on.
    fn read_folder<V: Visit>(&self, task: Task, visitor: &mut V, scratch: &mut Scratch) -> bool {
        let shown = || String::from_utf8_lossy(&task.path).into_owned();
        let folder = match self.root.open_folder(Path::new(&to_os_path(&task.path))) {
            Ok(folder) => folder,
            Err(error) => {
                // An entry that is gone, or became a link, is not part of the tree.
                if !error.is_missing() {
                    visitor.report_problem(format!("{}: {}", shown(), error.reason()));
                }
                return true;
            }
        };
        let here = CurrentFolder {
            path: &task.path,
            folder: &folder,
        };
        if !visitor.enter_folder(&here) {
            return false;
        }
        let mut listing = std::mem::take(&mut scratch.listing);
        let mut rules = None;
        let listed = folder.visit_entries(&mut |name, kind| {
            listing.push(name, kind);
            if listing.items.len() == TOGETHER {
                let rules = rules.get_or_insert_with(|| {
                    self.rules_for_folder(&here, &task, PresentRuleFiles::UNKNOWN, visitor)
                });
                self.visit_entries(&here, (rules, task.scope), &listing, visitor, scratch);
                listing.clear();
            }
            true
        });
        let rules =
            rules.unwrap_or_else(|| self.rules_for_folder(&here, &task, listing.present, visitor));
        self.visit_entries(&here, (&rules, task.scope), &listing, visitor, scratch);
        listing.clear();
        scratch.listing = listing;
        if let Err(error) = listed {
            visitor.report_problem(format!("{}: {}", shown(), error.reason()));
        }
        true
    }

    /// The rules within a folder.
    fn rules_for_folder<V: Visit>(
        &self,
        here: &CurrentFolder<'_>,
        task: &Task,
        present: PresentRuleFiles,
        visitor: &mut V,
    ) -> Arc<Rules> {
        let mut problems = Vec::new();
        let shown = |name: &str| {
            if here.path.is_empty() {
                name.to_owned()
            } else {
                format!("{}/{name}", String::from_utf8_lossy(here.path))
            }
        };
        let inner = if here.path.is_empty() {
            0
        } else {
            here.path.len() + 1
        };
        let base = self.prefix.len() + inner;
        let path = self.root_path.join(&*to_os_path(here.path));
        let rules = (task.rules.clone()).for_folder(
            here.folder,
            &path,
            base,
            present,
            &shown,
            &mut problems,
        );
        if let Some(index) = rules
            .own_index()
            .filter(|_| !Arc::ptr_eq(&rules, &task.rules))
        {
            let mut indexes = self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
            indexes.push(index.clone());
        }
        problems
            .into_iter()
            .for_each(|line| visitor.report_problem(line));
        rules
    }

    fn visit_entries<V: Visit>(
        &self,
        here: &CurrentFolder<'_>,
        (rules, scope): (&Arc<Rules>, Scope),
        listing: &Listing,
        visitor: &mut V,
        scratch: &mut Scratch,
    ) {
        let path = &mut scratch.path;
        path.clear();
        path.extend_from_slice(self.prefix);
        if !here.path.is_empty() {
            path.extend_from_slice(here.path);
            path.push(b'/');
        }
        let name_at = path.len();
        for (bytes, kind) in listing.iter() {
            path.truncate(name_at);
            path.extend_from_slice(bytes);
            let inner = &path[self.prefix.len()..];
            match kind {
                Kind::Folder => {
                    let refused = std::str::from_utf8(bytes).is_ok_and(|name| !(self.enter)(name));
                    let entered = (!refused).then(|| scope.within(rules, path, name_at));
                    let Some(scope) = entered.flatten() else {
                        continue;
                    };
                    if inner.len() > LONGEST_PATH {
                        visitor.too_long();
                    } else {
                        scratch.tasks.push(Task {
                            path: inner.into(),
                            rules: rules.clone(),
                            scope,
                        });
                    }
                }
                Kind::File | Kind::Link => {
                    let entry = WalkEntry {
                        path: inner,
                        name: &to_os_path(bytes),
                        folder: here.folder,
                        rules,
                        scope,
                        full_path: path,
                        name_at,
                    };
                    // A regular file only: no link, FIFO, socket or device is read.
                    if matches!(kind, Kind::File) {
                        visitor.visit_file(&entry);
                    } else {
                        visitor.visit_link(inner, &|| entry.is_ignored());
                    }
                }
                Kind::Other => {}
            }
        }
    }
}

/// Buffers that one thread reuses for each folder.
#[derive(Default)]
struct Scratch {
    listing: Listing,
    path: Vec<u8>,
    tasks: Vec<Task>,
}

/// Names and kinds of entries, in one buffer.
#[derive(Default)]
struct Listing {
    names: Vec<u8>,
    items: Vec<(u32, Kind)>,
    present: PresentRuleFiles,
}

impl Listing {
    fn push(&mut self, name: &OsStr, kind: Kind) {
        match name.to_str() {
            Some(super::rules::OWN_IGNORE_FILE) => self.present.own = true,
            Some(".ignore") => self.present.ignore = true,
            Some(".gitignore") => self.present.gitignore = true,
            Some(".git") => self.present.git = true,
            _ => {}
        }
        self.names.extend_from_slice(name.as_encoded_bytes());
        self.items.push((self.names.len() as u32, kind));
    }

    fn iter(&self) -> impl Iterator<Item = (&[u8], Kind)> {
        let mut from = 0;
        self.items.iter().map(move |(end, kind)| {
            let name = &self.names[from..*end as usize];
            from = *end as usize;
            (name, *kind)
        })
    }

    fn clear(&mut self) {
        self.names.clear();
        self.items.clear();
        self.present = PresentRuleFiles::default();
    }
}

/// A path or name in the system's form.
pub(super) fn to_os_path(path: &[u8]) -> std::borrow::Cow<'_, OsStr> {
    platform::file::to_os_path(path)
}
