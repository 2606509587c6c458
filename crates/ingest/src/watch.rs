//! Watches the files of a project for changes, so that an unchanged tree need not be walked again.
//!
//! Notifications come late. To be sure that all earlier ones have arrived, a question writes a cookie, a file in a
//! folder that is also watched, and waits for its notification. This is the method of watchman,
//! <https://facebook.github.io/watchman/docs/cookies>.
//!
//! Watches on folders that are added, removed or moved cannot be kept right one by one (a file may be written before
//! the new folder is watched). Such an event therefore makes the whole watch worthless: its holder walks the tree and
//! starts another.
//!
//! The system does not report some changes. Files with several names, one of which may be elsewhere, are checked one by
//! one before each answer. File systems that another machine may change are not watched. The watch becomes worthless if
//! a file system is mounted over a folder, or if a rename above the project puts another folder in its place, which
//! causes no event below. Writes through a memory map are not noticed until the next walk.

use crate::linked::LinkedFiles;
use crate::walk::{FoundText, MOST_LINKED, OuterRules, TrackedState};
use crate::{chunks, walk};
use guard::anchor::AnchoredFolder;
use guard::mounts::Mounts;
use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use platform::RealPath;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ffi::OsString;
use std::fs::{File, FileTimes};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// Most folders that are watched; with more, the project is walked instead, since watches are a resource of the whole
/// system.
const MOST_FOLDERS: usize = 50_000;

/// Most changed files that are kept by name; with more, a walk is as fast.
const MOST_PATHS: usize = 1_000;

/// Age at which cookies of killed processes are removed.
const OLD_COOKIE: Duration = Duration::from_secs(60);

/// Why a project cannot be watched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WatchError {
    /// The system reported an error.
    #[error("watching {path}: {source}")]
    System {
        /// The folder.
        path: String,
        /// Error of the watcher.
        source: notify::Error,
    },
    /// Another machine may change its files without a notice.
    #[error("{place} is a file system ({kind}) that does not report all changes")]
    Remote {
        /// Mount point.
        place: String,
        /// Its kind.
        kind: String,
    },
    /// There are too many files with several names.
    #[error("more than {MOST_LINKED} files are hard links")]
    Linked,
    /// There are too many folders.
    #[error("more than {MOST_FOLDERS} folders")]
    Folders,
    /// The folder for cookies cannot be written.
    #[error("writing {path}: {source}")]
    Cookies {
        /// The folder.
        path: String,
        /// Error of the system.
        source: std::io::Error,
    },
}

/// A watch over all folders of a project. It ends when it is dropped.
pub struct Watch {
    heard: Arc<WatchState>,
    cookies: PathBuf,
    next: AtomicU64,
    /// Cookies whose events were received: touching one again costs less than a new file.
    kept: Mutex<Vec<Cookie>>,
    folders: usize,
    /// The project's folder when the watch began.
    root: Option<AnchoredFolder>,
    /// File systems of the project when the watch began.
    mounts: Option<Mounts>,
    linked: LinkedFiles,
    /// Ignore files outside of the project, as they were when the watch began.
    outer_rules: OuterRules,
    /// What git tracked when the watch began.
    tracked: Mutex<TrackedState>,
    /// Held because its thread stops when it is dropped; the thread sleeps between events.
    _watcher: Mutex<RecommendedWatcher>,
}

/// A file that one question at a time touches and whose events it waits for.
struct Cookie {
    name: OsString,
    file: File,
}

/// Most cookies that are kept.
const KEPT: usize = 8;

/// The changes that the watcher's thread has received.
struct WatchState {
    root: PathBuf,
    cookies: PathBuf,
    changes: AtomicU64,
    texts: AtomicU64,
    is_unreliable: AtomicBool,
    /// Paths changed since the last call of `take_changed_paths`; `None` if there are too many.
    paths: Mutex<Option<FxHashSet<String>>>,
    folders: Mutex<FxHashSet<PathBuf>>,
    /// The cookies being waited for, and whether only a touch counts: other events of a kept cookie may be late.
    waiting: Mutex<FxHashMap<OsString, bool>>,
    arrived: Condvar,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watch {
    /// Watches every folder under `root` that a walk enters. Cookies are written in `cookies`, a folder for them alone.
    pub fn start(root: &Path, cookies: &Path) -> Result<Watch, WatchError> {
        let root_folder = AnchoredFolder::open(root).ok();
        let mounts = Mounts::below(root);
        if let Some((kind, place)) = mounts.as_ref().and_then(Mounts::find_remote) {
            return Err(WatchError::Remote {
                place: place.display().to_string(),
                kind: kind.to_owned(),
            });
        }
        // Read before the walk reads the files.
        let outer_rules = OuterRules::around(root);
        let cookies = prepare_cookie_dir(cookies)?;
        let heard = Arc::new(WatchState {
            root: root.to_path_buf(),
            cookies: cookies.clone(),
            changes: AtomicU64::new(0),
            texts: AtomicU64::new(0),
            is_unreliable: AtomicBool::new(false),
            paths: Mutex::new(Some(FxHashSet::default())),
            folders: Mutex::default(),
            waiting: Mutex::default(),
            arrived: Condvar::new(),
        });
        let hears = heard.clone();
        let config = Config::default().with_follow_symlinks(false);
        let watcher = RecommendedWatcher::new(move |event| hears.handle_event(event), config);
        let mut watcher = watcher.map_err(|source| system_error(root, source))?;
        watch_folder(&mut watcher, &cookies)?;
        let exclude = root.join(".git/info");
        if exclude.is_dir() {
            watch_folder(&mut watcher, &exclude)?;
        }
        let mut failed = None;
        let mut folders = 0;
        // A folder is watched before its entries are listed, so an entry that is added later is noticed.
        let (linked, tracked) = walk::folders(root, &is_heard_of, &mut |folder| {
            folders += 1;
            lock(&heard.folders).insert(folder.to_path_buf());
            let added = if folders > MOST_FOLDERS {
                Err(WatchError::Folders)
            } else {
                watch_folder(&mut watcher, folder)
            };
            failed = added.err();
            failed.is_none()
        });
        match failed {
            Some(error) => Err(error),
            None if linked.len() > MOST_LINKED => Err(WatchError::Linked),
            None => Ok(Watch {
                linked: LinkedFiles::new(root, linked),
                outer_rules,
                tracked: Mutex::new(tracked),
                root: root_folder,
                mounts,
                heard,
                cookies,
                next: AtomicU64::new(0),
                kept: Mutex::default(),
                folders,
                _watcher: Mutex::new(watcher),
            }),
        }
    }

    /// Number of folders watched.
    pub fn folder_count(&self) -> usize {
        self.folders
    }

    /// Number of changes so far; `None` once the watch is worthless.
    pub fn change_count(&self) -> Option<u64> {
        if self.root.as_ref().is_some_and(|root| !root.is_unmoved()) {
            self.heard.mark_unreliable();
        }
        let lost = self.heard.is_unreliable.load(Ordering::SeqCst);
        (!lost).then(|| self.heard.changes.load(Ordering::SeqCst))
    }

    /// Number of changes to files with chunks so far: sources, and also documents.
    pub fn text_change_count(&self) -> u64 {
        self.heard.texts.load(Ordering::SeqCst)
    }

    /// Files changed since the last call, in order. `None` if there are too many, or the watch is worthless.
    pub fn take_changed_paths(&self) -> Option<Vec<String>> {
        let heard = lock(&self.heard.paths).replace(FxHashSet::default());
        self.change_count()?;
        let mut paths: Vec<String> = heard?
            .into_iter()
            .map(|path| path.replace('\\', "/"))
            .collect();
        paths.sort();
        Some(paths)
    }

    /// The number of [`Watch::change_count`] after all changes before this call have arrived. `None` also if that takes
    /// longer than `patience`.
    pub fn wait_until_settled(&self, patience: Duration) -> Option<u64> {
        self.change_count()?;
        let kept = lock(&self.kept).pop();
        let heard = kept.is_some_and(|cookie| self.touch_cookie(cookie, patience))
            || self.write_new_cookie(patience).unwrap_or(false);
        if !heard {
            return None;
        }
        self.look_for_silent_changes();
        self.change_count()
    }

    /// Finds changes that no event reports.
    fn look_for_silent_changes(&self) {
        let root = &self.heard.root;
        if Mounts::below(root) != self.mounts
            || self.outer_rules.have_changed()
            || lock(&self.tracked).may_change_walk()
        {
            return self.heard.mark_unreliable();
        }
        self.linked
            .for_each_changed(&mut |path| self.heard.record_change(path));
    }

    /// Adds files with several names that a walk found; returns whether all of them can be checked before each answer.
    pub fn add_linked(&self, found: Vec<FoundText>) -> bool {
        found.len() <= MOST_LINKED && self.linked.add(found) <= MOST_LINKED
    }

    /// Touches a kept cookie; returns whether the event arrived.
    fn touch_cookie(&self, cookie: Cookie, patience: Duration) -> bool {
        self.heard.expect_cookie(&cookie.name, true);
        // Sets both times: Linux reports a change of only one as a read or a write.
        let now = SystemTime::now();
        let times = FileTimes::new().set_accessed(now).set_modified(now);
        let touched =
            cookie.file.set_times(times).is_ok() && self.cookies.join(&cookie.name).exists();
        self.await_cookie(cookie, touched, patience)
    }

    /// Writes a new cookie; returns whether its event arrived.
    fn write_new_cookie(&self, patience: Duration) -> std::io::Result<bool> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let name = OsString::from(format!("{}-{number}", std::process::id()));
        self.heard.expect_cookie(&name, false);
        let mut options = guard::state::private_file_options();
        match options
            .write(true)
            .create(true)
            // Another watch may have left a file of that name; only a change of it is reported.
            .truncate(true)
            .open(self.cookies.join(&name))
        {
            Ok(file) => Ok(self.await_cookie(Cookie { name, file }, true, patience)),
            Err(error) => {
                lock(&self.heard.waiting).remove(&name);
                Err(error)
            }
        }
    }

    fn await_cookie(&self, cookie: Cookie, sent: bool, patience: Duration) -> bool {
        let heard = sent && self.heard.wait_for_cookie(&cookie.name, patience);
        lock(&self.heard.waiting).remove(&cookie.name);
        let mut kept = lock(&self.kept);
        // Other systems may not report a touch of an open file.
        if heard && cfg!(target_os = "linux") && kept.len() < KEPT {
            kept.push(cookie);
        } else {
            drop(kept);
            self.remove_cookie(&cookie);
        }
        heard
    }

    fn remove_cookie(&self, cookie: &Cookie) {
        // A cookie that is left lies in a folder for such files.
        let _ = std::fs::remove_file(self.cookies.join(&cookie.name));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        for cookie in std::mem::take(&mut *lock(&self.kept)) {
            self.remove_cookie(&cookie);
        }
    }
}

fn prepare_cookie_dir(cookies: &Path) -> Result<PathBuf, WatchError> {
    let fail = |source| WatchError::Cookies {
        path: cookies.display().to_string(),
        source,
    };
    // Old cookies are removed from the folder, so it must not be a link to another folder.
    guard::state::create_private_folders(cookies).map_err(|e| fail(std::io::Error::other(e)))?;
    let now = SystemTime::now();
    for entry in std::fs::read_dir(cookies).map_err(fail)?.flatten() {
        let written = entry.metadata().and_then(|m| m.modified());
        let age = written.ok().and_then(|t| now.duration_since(t).ok());
        if age.is_some_and(|age| age > OLD_COOKIE) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
    cookies.real_path().map_err(fail)
}

fn system_error(path: &Path, source: notify::Error) -> WatchError {
    WatchError::System {
        path: path.display().to_string(),
        source,
    }
}

fn watch_folder(watcher: &mut RecommendedWatcher, folder: &Path) -> Result<(), WatchError> {
    match watcher.watch(folder, RecursiveMode::NonRecursive) {
        Ok(()) => Ok(()),
        // It is removed already; the folder around it reports that.
        Err(error) if matches!(error.kind, notify::ErrorKind::PathNotFound) => Ok(()),
        Err(error) => Err(system_error(folder, error)),
    }
}

impl WatchState {
    /// Registers a cookie whose event is waited for.
    fn expect_cookie(&self, cookie: &OsString, a_touch: bool) {
        lock(&self.waiting).insert(cookie.clone(), a_touch);
    }

    fn wait_for_cookie(&self, cookie: &OsString, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        let mut waiting = lock(&self.waiting);
        while waiting.contains_key(cookie) {
            let Some(left) = until.checked_duration_since(Instant::now()) else {
                return false;
            };
            let woken = self.arrived.wait_timeout(waiting, left);
            waiting = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    fn handle_event(&self, event: notify::Result<Event>) {
        let Ok(event) = event else {
            return self.mark_unreliable();
        };
        if event.need_rescan() {
            return self.mark_unreliable();
        }
        // A read is not a change; a walk and an index read a lot.
        let read = match event.kind {
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => false,
            EventKind::Access(_) => true,
            _ => false,
        };
        if read {
            return;
        }
        for path in &event.paths {
            match path.parent() {
                Some(folder) if folder == self.cookies => {
                    self.handle_cookie_event(&event.kind, path)
                }
                _ => self.handle_path_event(&event.kind, path),
            }
        }
    }

    fn handle_cookie_event(&self, kind: &EventKind, path: &Path) {
        let name = path.file_name().unwrap_or_default();
        let touched = matches!(kind, EventKind::Modify(ModifyKind::Metadata(_)));
        let mut waiting = lock(&self.waiting);
        if waiting.get(name).is_some_and(|a_touch| touched || !a_touch) {
            waiting.remove(name);
            self.arrived.notify_all();
        }
    }

    fn handle_path_event(&self, kind: &EventKind, path: &Path) {
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("");
        if walk::is_never_walked(name) {
            return;
        }
        let moves = matches!(
            kind,
            EventKind::Create(_)
                | EventKind::Remove(_)
                | EventKind::Modify(ModifyKind::Name(_))
                | EventKind::Any
                | EventKind::Other
        );
        let folder = || lock(&self.folders).contains(path) || is_folder(path);
        if is_ignore_file(name) || (moves && folder()) {
            return self.mark_unreliable();
        }
        let inside = path.strip_prefix(&self.root).ok();
        let inside = inside.map(platform::file::to_slashes);
        let inside = inside.as_ref().and_then(|inside| inside.to_str());
        self.record_change(inside.unwrap_or(name));
    }

    /// Records that a file has changed.
    fn record_change(&self, inside: &str) {
        let name = inside.rsplit('/').next().unwrap_or(inside);
        if is_ignore_file(name) {
            return self.mark_unreliable();
        }
        let is_text = chunks::is_chunked(inside);
        let of_graph = walk::may_be_source(inside) || walk::is_manifest(inside);
        if is_text || of_graph {
            self.record_changed_path(inside);
        }
        if is_text {
            self.texts.fetch_add(1, Ordering::SeqCst);
        }
        if of_graph {
            self.changes.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn record_changed_path(&self, path: &str) {
        let mut slot = lock(&self.paths);
        if let Some(paths) = slot.as_mut() {
            paths.insert(path.to_owned());
            if paths.len() > MOST_PATHS {
                *slot = None;
            }
        }
    }

    fn mark_unreliable(&self) {
        self.is_unreliable.store(true, Ordering::SeqCst);
    }
}

/// Whether a change of that file matters.
fn is_heard_of(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    chunks::is_chunked(path)
        || walk::may_be_source(path)
        || walk::is_manifest(path)
        || is_ignore_file(name)
}

/// Whether the file decides which folders are walked.
fn is_ignore_file(name: &str) -> bool {
    matches!(
        name,
        ".knotworkignore" | ".gitignore" | ".ignore" | "exclude"
    )
}

fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|m| m.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const PATIENCE: Duration = Duration::from_secs(5);

    struct Fixture {
        folder: tempfile::TempDir,
    }

    impl Fixture {
        fn new() -> (Fixture, Watch) {
            let fixture = Fixture {
                folder: tempfile::tempdir().unwrap(),
            };
            for folder in ["src/deep", "node_modules/x", "ignored", ".devbooks"] {
                fs::create_dir_all(fixture.at(folder)).unwrap();
            }
            fixture.write(".gitignore", "ignored/\n");
            fixture.write("src/a.py", "x = 1\n");
            let watch = fixture.watch();
            (fixture, watch)
        }

        fn watch(&self) -> Watch {
            let root = self.folder.path().canonicalize().unwrap();
            Watch::start(&root, &root.join(".devbooks/cookies")).unwrap()
        }

        fn at(&self, path: &str) -> PathBuf {
            self.folder.path().join(path)
        }

        fn write(&self, path: &str, text: &str) {
            fs::write(self.at(path), text).unwrap();
        }
    }

    #[test]
    fn a_change_before_the_question_is_heard_of() {
        let (repo, watch) = Fixture::new();
        for round in 0..200 {
            let before = watch.wait_until_settled(PATIENCE).unwrap();
            assert_eq!(
                watch.wait_until_settled(PATIENCE),
                Some(before),
                "round {round}"
            );
            repo.write("src/a.py", &format!("x = {round}\n"));
            assert!(
                watch.wait_until_settled(PATIENCE).unwrap() > before,
                "round {round}"
            );
        }
        let left = || fs::read_dir(repo.at(".devbooks/cookies")).unwrap().count();
        assert_eq!(left(), 1, "one cookie serves all");
        drop(watch);
        assert_eq!(left(), 0);
    }

    #[test]
    fn what_no_walk_would_see_is_no_change() {
        let (repo, watch) = Fixture::new();
        let before = watch.wait_until_settled(PATIENCE);
        repo.write("node_modules/x/index.js", "1\n");
        repo.write("ignored/b.py", "1\n");
        repo.write(".devbooks/graph.db", "1\n");
        repo.write("src/notes.txt", "1\n");
        fs::create_dir_all(repo.at("src/__pycache__")).unwrap();
        fs::read(repo.at("src/a.py")).unwrap();
        assert!(before.is_some());
        assert_eq!(watch.wait_until_settled(PATIENCE), before);
    }

    #[test]
    fn new_renamed_and_removed_files_are_changes() {
        let (repo, watch) = Fixture::new();
        let mut last = watch.wait_until_settled(PATIENCE).unwrap();
        let mut changed = |what: &str| {
            let now = watch.wait_until_settled(PATIENCE).unwrap();
            assert!(now > last, "{what}");
            last = now;
        };
        repo.write("src/deep/new.go", "package deep\n");
        changed("new");
        fs::rename(repo.at("src/deep/new.go"), repo.at("src/deep/old.go")).unwrap();
        changed("renamed");
        fs::remove_file(repo.at("src/deep/old.go")).unwrap();
        changed("removed");
        repo.write("package.json", "{}\n");
        changed("manifest");
    }

    #[test]
    fn folders_and_ignore_files_make_a_new_watch_necessary() {
        let doings: [&dyn Fn(&Fixture); 4] = [
            &|repo| fs::create_dir_all(repo.at("src/new/inner")).unwrap(),
            &|repo| fs::rename(repo.at("src/deep"), repo.at("deep")).unwrap(),
            &|repo| fs::remove_dir(repo.at("src/deep")).unwrap(),
            &|repo| repo.write(".gitignore", "src/\n"),
        ];
        for (at, doing) in doings.iter().enumerate() {
            let (repo, watch) = Fixture::new();
            doing(&repo);
            assert_eq!(watch.wait_until_settled(PATIENCE), None, "{at}");
            assert!(repo.watch().wait_until_settled(PATIENCE).is_some(), "{at}");
        }
    }

    #[test]
    fn a_newly_tracked_file_that_a_rule_ignores_makes_a_new_watch_necessary() {
        let fixture = Fixture {
            folder: tempfile::tempdir().unwrap(),
        };
        let git = |words: &[&str]| {
            let mut git = std::process::Command::new("git");
            let done = git.args(words).current_dir(fixture.folder.path()).output();
            assert!(done.unwrap().status.success(), "{words:?}");
        };
        for folder in ["src", "lib", ".devbooks"] {
            fs::create_dir_all(fixture.at(folder)).unwrap();
        }
        fixture.write(".gitignore", "lib/\n*.gen.py\n");
        for path in [
            "src/a.py",
            "src/b.gen.py",
            "src/c.py",
            "lib/d.py",
            "lib/e.py",
        ] {
            fixture.write(path, "x = 1\n");
        }
        let before = fixture.watch();
        git(&["init", "-q"]);
        git(&["add", "src/a.py"]);
        assert_eq!(before.wait_until_settled(PATIENCE), None);
        // Other changes of the index change nothing.
        let watch = fixture.watch();
        git(&["add", "src/c.py"]);
        git(&["update-index", "--refresh"]);
        assert!(watch.wait_until_settled(PATIENCE).is_some());
        for path in ["src/b.gen.py", "lib/d.py"] {
            git(&["add", "-f", path]);
            assert_eq!(watch.wait_until_settled(PATIENCE), None, "{path}");
            let watch = fixture.watch();
            let before = watch.wait_until_settled(PATIENCE).unwrap();
            fixture.write(path, "x = 2\n");
            assert!(watch.wait_until_settled(PATIENCE).unwrap() > before);
            git(&["rm", "-q", "--cached", "-f", path]);
            assert_eq!(watch.wait_until_settled(PATIENCE), None, "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn edits_through_a_second_name_are_seen() {
        let fixture = Fixture {
            folder: tempfile::tempdir().unwrap(),
        };
        let outside = tempfile::tempdir().unwrap();
        let link = |name: &str, to: &str| {
            fs::hard_link(fixture.at(name), outside.path().join(to)).unwrap();
        };
        fs::create_dir_all(fixture.at(".devbooks")).unwrap();
        for name in ["a.py", "b.py"] {
            fixture.write(name, "x = 1\n");
        }
        fixture.write(".gitignore", "ignored/\n");
        link("a.py", "a");
        let watch = fixture.watch();
        let settled = || watch.wait_until_settled(PATIENCE).unwrap();
        let edit = |name: &str| fs::write(outside.path().join(name), "x = 2, 3\n").unwrap();
        let before = settled();
        assert_eq!(settled(), before);
        edit("a");
        let after = settled();
        assert!(after > before);
        assert_eq!(settled(), after, "a change is told once");
        assert_eq!(watch.take_changed_paths().unwrap(), ["a.py"]);
        // A second name that is made later is known after the next walk.
        link("b.py", "b");
        link(".gitignore", "c");
        let (walked, _) = walk::folders(&fixture.at("."), &is_heard_of, &mut |_| true);
        assert!(watch.add_linked(walked));
        assert_eq!(settled(), after);
        edit("b");
        assert!(settled() > after);
        assert_eq!(watch.take_changed_paths().unwrap(), ["b.py"]);
        edit("c");
        assert_eq!(watch.wait_until_settled(PATIENCE), None);
        let many = (0..=MOST_LINKED).map(|number| FoundText {
            path: format!("{number}.py"),
            size: 0,
            stat: 0,
        });
        assert!(!watch.add_linked(many.collect()));
    }

    #[test]
    fn a_folder_above_the_project_that_is_exchanged_makes_a_new_watch_necessary() {
        let [folder, cookies] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let folder = folder.path().canonicalize().unwrap();
        for (name, text) in [("work", "x = 1\n"), ("new", "x = 2\n")] {
            fs::create_dir_all(folder.join(name).join("p")).unwrap();
            fs::write(folder.join(name).join("p/a.py"), text).unwrap();
        }
        let root = folder.join("work/p");
        let watch = Watch::start(&root, cookies.path()).unwrap();
        assert!(watch.wait_until_settled(PATIENCE).is_some());
        fs::rename(folder.join("work"), folder.join("old")).unwrap();
        fs::rename(folder.join("new"), folder.join("work")).unwrap();
        assert_eq!(watch.change_count(), None);
        assert_eq!(watch.wait_until_settled(PATIENCE), None);
        let watch = Watch::start(&root, cookies.path()).unwrap();
        assert!(watch.wait_until_settled(PATIENCE).is_some());
        fs::rename(folder.join("work"), folder.join("gone")).unwrap();
        assert_eq!(watch.change_count(), None);
    }

    #[test]
    fn without_a_place_for_cookies_nothing_is_known() {
        let (repo, watch) = Fixture::new();
        fs::remove_dir(repo.at(".devbooks/cookies")).unwrap();
        assert_eq!(watch.wait_until_settled(Duration::from_millis(50)), None);
    }
}
