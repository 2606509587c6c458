//! What a process that answers many questions keeps between them: the graph in memory, a watch over the
//! files, and open connections.
//!
//! A thread of its own makes these after a question that had to walk the tree, and ends. A question is
//! answered from them only while everything is as that thread saw it: no file heard of since, the same
//! state of the database, the same SCIP index.

use crate::ceiling::{LOADING_PERCENT, UPDATING_PERCENT, is_above, is_tight, too_large};
use crate::engine::BY_HAND;
use crate::inputs::{Inputs, ScipStamp};
use crate::open::Open;
use crate::ops::search::Prior;
use crate::{EngineError, IndexInfo, Progress};
use ::search::index::Index;
use ingest::watch::Watch;
use ingest::{Cancel, DeltaAsk, DeltaReport, Follow, IndexOptions, IngestError, Residence, Way};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use store::sqlite::FileState;
use store::{GraphStore, Snapshot, SqliteStore};

/// How long a question waits to hear of all earlier changes before it walks the tree itself.
const WATCHER_TIMEOUT: Duration = Duration::from_millis(20);

/// The same for the thread that prepares the next question.
const BACKGROUND_WATCHER_TIMEOUT: Duration = Duration::from_secs(2);

/// After this time of questions answered from a watch, a walk checks the watch itself.
const WATCHER_CHECK_INTERVAL: Duration = Duration::from_secs(60);

/// After this time without an update, what updates need is let go as far as it can be read again soon.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

/// After this time without one, the rest goes too.
const LONG_IDLE_TIMEOUT: Duration = Duration::from_secs(900);

/// What a watch may be late.
const WATCHER_DELAY: Duration = Duration::from_millis(200);

/// Idle connections kept.
const CONNECTIONS: usize = 4;

/// A state of the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Version {
    /// The file: an index that was cleared and built again is another one.
    file: (u64, u64),
    /// Which connection was asked, since numbers of several cannot be compared.
    sentinel: u64,
    data: i64,
}

/// A connection that does nothing but tell whether others have written.
struct Sentinel {
    store: SqliteStore,
    file: (u64, u64),
    number: u64,
}

/// What was true when the files and the index were last found to agree.
#[derive(Clone)]
struct FreshState {
    version: Version,
    /// None for a graph that was put in by hand, which no file changes.
    watched: Option<WatcherState>,
    index: IndexInfo,
    since: Instant,
}

#[derive(Clone)]
struct WatcherState {
    watch: Arc<Watch>,
    changes: u64,
    scip: ScipStamp,
}

/// The chunks, and what the watch had said before they were brought up to date.
struct CachedChunks {
    watch: Arc<Watch>,
    texts: u64,
    index: Arc<Index>,
}

/// What the watch says before the chunks are brought up to date.
pub(crate) struct ChunkWatcherState {
    watch: Arc<Watch>,
    texts: u64,
}

/// See the module.
pub(crate) struct Live {
    inputs: Arc<Inputs>,
    progress: Arc<dyn Progress + Send>,
    idle: Mutex<Vec<((u64, u64), SqliteStore)>>,
    sentinel: Mutex<(u64, Option<Sentinel>)>,
    /// The database's files when they were last found to be as this user's programs left them.
    trusted_files: Mutex<Option<FileState>>,
    graph: Mutex<Option<(Version, Arc<Snapshot>)>>,
    fresh_state: Mutex<Option<FreshState>>,
    watch: Mutex<Option<Arc<Watch>>>,
    chunks: Mutex<Option<CachedChunks>>,
    prior: Mutex<Option<(Version, Arc<Prior>)>>,
    unwatchable: AtomicBool,
    preparing: AtomicBool,
    /// What updates need.
    residence: Residence,
    /// The watch that has told of every change since what updates need was read, and when the last update was.
    followed_watcher: Mutex<Option<(Arc<Watch>, Instant)>>,
    idle_timer_running: AtomicBool,
    tidying: AtomicBool,
    /// The state whose graph does not fit below the ceiling on memory: questions read the database.
    too_large: Mutex<Option<Version>>,
    /// Whether chunks of files that were told of may be older than the graph.
    chunks_outdated: AtomicBool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Live {
    pub(crate) fn new(inputs: Arc<Inputs>, progress: Arc<dyn Progress + Send>) -> Live {
        Live {
            inputs,
            progress,
            idle: Mutex::default(),
            sentinel: Mutex::default(),
            trusted_files: Mutex::default(),
            graph: Mutex::default(),
            fresh_state: Mutex::default(),
            watch: Mutex::default(),
            chunks: Mutex::default(),
            prior: Mutex::default(),
            unwatchable: AtomicBool::new(false),
            preparing: AtomicBool::new(false),
            residence: Residence::default(),
            followed_watcher: Mutex::default(),
            idle_timer_running: AtomicBool::new(false),
            tidying: AtomicBool::new(false),
            too_large: Mutex::default(),
            chunks_outdated: AtomicBool::new(true),
        }
    }

    /// Everything for a question, if nothing at all has changed; none where the tree has to be walked.
    pub(crate) fn open_if_unchanged(self: &Arc<Live>) -> Option<Open> {
        let fresh_state = lock(&self.fresh_state).clone()?;
        if fresh_state.watched.is_some() && fresh_state.since.elapsed() > WATCHER_CHECK_INTERVAL {
            self.prepare_in_background();
        }
        let mut index = fresh_state.index;
        if let Some(watched) = &fresh_state.watched {
            let changes = watched.watch.settled(WATCHER_TIMEOUT)?;
            if changes != watched.changes || self.inputs.scip_stamp() != watched.scip {
                return None;
            }
            index.watched = self.inputs.settings.says_watched;
            index.commit = ingest::git::head_commit(&self.inputs.project.root);
        }
        let watcher_settled = fresh_state.watched.is_some();
        let store = self.take_connection()?;
        // A connection that cannot be read from is not kept.
        store.hold().ok()?;
        // What was held before is of this state, if it is still the state now.
        if self.version() != Some(fresh_state.version) {
            self.return_connection(store);
            return None;
        }
        let memory = self.graph(fresh_state.version);
        if memory.is_none() && *lock(&self.too_large) != Some(fresh_state.version) {
            self.prepare_in_background();
        }
        Some(Open {
            store,
            state: Some(fresh_state.version),
            memory,
            index,
            watcher_settled,
        })
    }

    /// The chunks, if no file that they are made of has changed since they were kept; else what has to be known
    /// to keep the next ones. `watcher_settled` where the same question has asked the watch already.
    pub(crate) fn chunks(
        &self,
        watcher_settled: bool,
    ) -> Result<Arc<Index>, Option<ChunkWatcherState>> {
        let watch = lock(&self.watch).clone().ok_or(None)?;
        if !watcher_settled {
            watch.settled(WATCHER_TIMEOUT).ok_or(None)?;
        }
        let texts = watch.texts();
        let kept = lock(&self.chunks);
        match &*kept {
            Some(kept) if Arc::ptr_eq(&kept.watch, &watch) && kept.texts == texts => {
                Ok(kept.index.clone())
            }
            _ => Err(Some(ChunkWatcherState { watch, texts })),
        }
    }

    /// Keeps chunks that were brought up to date after `before` was known.
    pub(crate) fn cache_chunks(&self, before: ChunkWatcherState, index: &Arc<Index>) {
        *lock(&self.chunks) = Some(CachedChunks {
            watch: before.watch,
            texts: before.texts,
            index: index.clone(),
        });
    }

    /// How central files are, of the state that a question is answered from.
    pub(crate) fn prior(&self, open: &Open) -> Result<Arc<Prior>, EngineError> {
        let Some(state) = open.state else {
            return Ok(Arc::new(Prior::load(&open.store)?));
        };
        if let Some((of, prior)) = &*lock(&self.prior)
            && *of == state
        {
            return Ok(prior.clone());
        }
        let prior = Arc::new(Prior::load(&open.store)?);
        *lock(&self.prior) = Some((state, prior.clone()));
        Ok(prior)
    }

    /// A number that is another one after files changed; none where no watch is on, or it is worthless now.
    pub(crate) fn change_count(&self) -> Option<u64> {
        let watch = lock(&self.watch).clone()?;
        Some(watch.changes()? + watch.texts())
    }

    /// Brings the index up to date. Where a watch has told of every change, only these files are looked at.
    pub(crate) fn update(
        self: &Arc<Live>,
        options: &IndexOptions,
        named: &[String],
        with_chunks: bool,
    ) -> Result<DeltaReport, IngestError> {
        let watched_paths = self.watcher().and_then(|watch| {
            let changes = watch.settled(WATCHER_TIMEOUT)?;
            let paths = watch.take_paths();
            Some((watch, changes, paths))
        });
        // An update has the ceiling for itself.
        self.free_memory_for_update();
        let scip = self.inputs.scip_stamp();
        let mut follows = lock(&self.followed_watcher);
        let mut paths = named.to_vec();
        let mut only_these = false;
        if let Some((watch, _, Some(told))) = &watched_paths {
            paths.extend_from_slice(told);
            only_these = follows.as_ref().is_some_and(|(w, _)| Arc::ptr_eq(w, watch));
        }
        let ask = DeltaAsk {
            paths: &paths,
            only_these,
            chunks: match (with_chunks, self.chunks_outdated.load(Ordering::SeqCst)) {
                (false, _) => Follow::Nothing,
                (true, true) => Follow::All,
                (true, false) => Follow::Named,
            },
        };
        // Until this has gone well, the paths that were taken are known to nobody.
        *follows = None;
        let report = ingest::delta(options, &self.residence, ask, &*self.progress)?;
        // What a question without chunks was told of, nobody is told of again.
        self.chunks_outdated.store(
            !with_chunks || !report.warnings.is_empty(),
            Ordering::SeqCst,
        );
        if let Some((watch, changes, _)) = watched_paths {
            *follows = Some((watch.clone(), Instant::now()));
            let watched = WatcherState {
                watch,
                changes,
                scip,
            };
            self.record_fresh(watched, &report);
        }
        let is_followed = follows.is_some();
        drop(follows);
        if is_followed && report.way != Way::Files {
            self.preload_update_state(options);
        }
        self.release_when_idle();
        if report.is_untidy {
            self.tidy_in_background(options);
        }
        Ok(report)
    }

    /// Does what updates have left, on a thread of its own.
    fn tidy_in_background(self: &Arc<Live>, options: &IndexOptions) {
        if self.tidying.swap(true, Ordering::SeqCst) {
            return;
        }
        let options = IndexOptions {
            cancel: Cancel::default(),
            ..options.clone()
        };
        let live = self.clone();
        let work = move || {
            let _done = ClearOnDrop(&live.tidying);
            if let Err(error) = ingest::tidy(&options) {
                let progress = &live.progress;
                progress.detail(format_args!("left as it is: {error}"));
            }
        };
        let started = std::thread::Builder::new()
            .name("tidy".to_owned())
            .spawn(work);
        if started.is_err() {
            self.tidying.store(false, Ordering::SeqCst);
        }
    }

    /// When the index was last written.
    pub(crate) fn indexed_at(&self) -> Option<u64> {
        let store = self.take_connection()?;
        let indexed_at = store.metadata("indexed_at").ok().flatten();
        self.return_connection(store);
        indexed_at?.parse().ok()
    }

    /// Reads what the next update needs, on a thread of its own: after an update that went through all files nothing
    /// of it is kept.
    fn preload_update_state(self: &Arc<Live>, options: &IndexOptions) {
        let options = IndexOptions {
            cancel: Cancel::default(),
            ..options.clone()
        };
        let live = Arc::downgrade(self);
        let work = move || {
            if let Some(live) = live.upgrade() {
                // What cannot be read now is read by the update.
                let _ = live.residence.prepare(&options);
            }
        };
        // Without it the next update takes longer.
        let _ = std::thread::Builder::new()
            .name("ready".to_owned())
            .spawn(work);
    }

    /// Lets everything go that was read from the database, and every connection to it: when its files are others than
    /// those that are open, only a process without any sees the new ones.
    pub(crate) fn clear_database_state(&self) {
        lock(&self.fresh_state).take();
        lock(&self.followed_watcher).take();
        self.residence.clear();
        lock(&self.idle).clear();
        lock(&self.sentinel).1 = None;
        lock(&self.graph).take();
        lock(&self.prior).take();
    }

    /// Whether an update can be made without a walk.
    pub(crate) fn is_following_changes(&self) -> bool {
        let follows = lock(&self.followed_watcher);
        follows.as_ref().is_some_and(|(w, _)| w.changes().is_some()) && !self.residence.is_empty()
    }

    /// After an update files and index agree.
    fn record_fresh(&self, watched: WatcherState, report: &DeltaReport) {
        let (Some(version), Some(store)) = (self.version(), self.take_connection()) else {
            return;
        };
        let indexed_at = store.metadata("indexed_at").ok().flatten();
        self.return_connection(store);
        let mut fresh_state = lock(&self.fresh_state);
        let before = fresh_state
            .as_ref()
            .and_then(|a| Some((a.watched.as_ref()?, a.since)));
        let since = before.filter(|(w, _)| Arc::ptr_eq(&w.watch, &watched.watch));
        *fresh_state = Some(FreshState {
            version,
            watched: Some(watched),
            index: IndexInfo {
                commit: report.commit.clone(),
                indexed_at: indexed_at.and_then(|t| t.parse().ok()),
                fresh: true,
                notes: report.warnings.clone(),
                ..IndexInfo::default()
            },
            // A walk looks after the watch from time to time, however many updates there are.
            since: since.map_or_else(Instant::now, |(_, since)| since),
        });
    }

    /// Lets go what updates need when there have been none for a while.
    fn release_when_idle(self: &Arc<Live>) {
        if self.idle_timer_running.swap(true, Ordering::SeqCst) {
            return;
        }
        let live = Arc::downgrade(self);
        let work = move || {
            let mut rests = false;
            loop {
                std::thread::sleep(IDLE_TIMEOUT / 4);
                let Some(live) = live.upgrade() else { return };
                let mut follows = lock(&live.followed_watcher);
                let idle = follows.as_ref().map(|(_, last)| last.elapsed());
                match idle {
                    Some(idle) if idle < IDLE_TIMEOUT => rests = false,
                    Some(idle) if idle < LONG_IDLE_TIMEOUT && !rests => {
                        live.residence.rest();
                        rests = true;
                    }
                    Some(idle) if idle < LONG_IDLE_TIMEOUT => {}
                    _ => live.residence.clear(),
                }
                if idle.is_none_or(|idle| idle >= IDLE_TIMEOUT) && live.residence.is_empty() {
                    *follows = None;
                    live.idle_timer_running.store(false, Ordering::SeqCst);
                    return;
                }
            }
        };
        let started = std::thread::Builder::new()
            .name("rest".to_owned())
            .spawn(work);
        if started.is_err() {
            self.idle_timer_running.store(false, Ordering::SeqCst);
        }
    }

    /// Holds a state of the database, and tells which it is, unless another writes at that very moment.
    pub(crate) fn begin_read(&self, store: &SqliteStore) -> Result<Option<Version>, EngineError> {
        let before = self.version();
        store.hold()?;
        Ok(before.filter(|_| self.version() == before))
    }

    /// The graph in memory, if it is of that state.
    pub(crate) fn graph(&self, version: Version) -> Option<Arc<Snapshot>> {
        let graph = lock(&self.graph);
        let (of, graph) = graph.as_ref()?;
        (*of == version).then(|| graph.clone())
    }

    /// Lets go what is kept between questions, what is asked for least first, until the process is not near its ceiling
    /// any more. All of it is made again when it is wanted. False where the process was not near it.
    pub(crate) fn free_memory_near_ceiling(&self) -> bool {
        let ceiling = self.inputs.ceiling();
        if !is_tight(ceiling) {
            return false;
        }
        self.progress
            .detail(format_args!("near the memory ceiling: dropping caches"));
        self.residence.clear_unused();
        *lock(&self.prior) = None;
        *lock(&self.chunks) = None;
        lock(&self.idle).clear();
        if is_tight(ceiling) {
            *lock(&self.graph) = None;
        }
        true
    }

    /// Before an update: what only questions need goes where it takes a share that the update may want.
    fn free_memory_for_update(&self) {
        self.free_memory_near_ceiling();
        let share = if self.residence.is_empty() {
            LOADING_PERCENT
        } else {
            UPDATING_PERCENT
        };
        if is_above(self.inputs.ceiling(), share) {
            *lock(&self.prior) = None;
            *lock(&self.chunks) = None;
            lock(&self.idle).clear();
            *lock(&self.graph) = None;
        }
    }

    /// Takes a connection back for the next question.
    pub(crate) fn return_connection(&self, store: SqliteStore) {
        let Some(file) = ingest::walk::file_id(store.path()) else {
            return;
        };
        let mut idle = lock(&self.idle);
        if store.release().is_ok() && idle.len() < CONNECTIONS {
            idle.push((file, store));
        }
    }

    fn take_connection(&self) -> Option<SqliteStore> {
        let path = &self.inputs.project.db_path;
        let file = ingest::walk::file_id(path)?;
        let mut idle = lock(&self.idle);
        idle.retain(|(of, _)| *of == file);
        match idle.pop() {
            Some((_, store)) => Some(store),
            None => SqliteStore::open_read_only(path).ok(),
        }
    }

    /// Whether the database is as this user's programs left it: compared again only where its files have changed.
    fn is_database_trusted(&self) -> bool {
        let path = &self.inputs.project.db_path;
        let now = FileState::read(path);
        let mut believed = lock(&self.trusted_files);
        if *believed != Some(now) {
            *believed = (!store::sqlite::is_doubted(path)).then_some(now);
        }
        believed.is_some()
    }

    /// The state of the database now.
    fn version(&self) -> Option<Version> {
        let path = &self.inputs.project.db_path;
        let file = ingest::walk::file_id(path)?;
        if !self.is_database_trusted() {
            return None;
        }
        let mut slot = lock(&self.sentinel);
        let (count, sentinel) = &mut *slot;
        if sentinel.as_ref().is_none_or(|s| s.file != file) {
            *count += 1;
            *sentinel = Some(Sentinel {
                store: SqliteStore::open_read_only(path).ok()?,
                file,
                number: *count,
            });
        }
        let now = sentinel.as_ref()?;
        let number = now.number;
        let Ok(data) = now.store.data_version() else {
            // The next one asks through another connection.
            *sentinel = None;
            return None;
        };
        Some(Version {
            file,
            sentinel: number,
            data,
        })
    }

    /// Whether the next question is being prepared for.
    pub(crate) fn is_preparing(&self) -> bool {
        self.preparing.load(Ordering::SeqCst)
    }

    /// Starts to prepare for the next question, unless that is being done.
    pub(crate) fn prepare_in_background(self: &Arc<Live>) {
        if self.preparing.swap(true, Ordering::SeqCst) {
            return;
        }
        let live = self.clone();
        let work = move || {
            let _done = ClearOnDrop(&live.preparing);
            let checked = live.check_freshness();
            if let Err(error) = checked {
                live.progress
                    .detail(format_args!("not ready for the next question: {error}"));
            }
        };
        let started = std::thread::Builder::new()
            .name("snapshot".to_owned())
            .spawn(work);
        if started.is_err() {
            self.preparing.store(false, Ordering::SeqCst);
        }
    }

    /// Finds out whether files and index agree while a watch is on, then reads the graph.
    fn check_freshness(&self) -> Result<(), String> {
        let version = self.version().ok_or("no database")?;
        let store = self.take_connection().ok_or("no database")?;
        if crate::engine::is_manual_graph(&store).map_err(|e| e.to_string())? {
            *lock(&self.fresh_state) = Some(FreshState {
                version,
                watched: None,
                index: IndexInfo::stale(None, None, BY_HAND),
                since: Instant::now(),
            });
        } else if let Some(watch) = self.watcher() {
            let changes = watch
                .settled(BACKGROUND_WATCHER_TIMEOUT)
                .ok_or("files move")?;
            let scip = self.inputs.scip_stamp();
            let options = self.inputs.options_on(Some(&store));
            let freshness = ingest::check_store(&store, &options).map_err(|e| e.to_string())?;
            if !freshness.is_fresh() {
                if !(freshness.changed.is_empty() && freshness.removed.is_empty()) {
                    self.verify_watcher(&watch, changes, version);
                }
                return Err("files have changed".to_owned());
            }
            *lock(&self.fresh_state) = Some(FreshState {
                version,
                watched: Some(WatcherState {
                    watch,
                    changes,
                    scip,
                }),
                index: IndexInfo::fresh(freshness),
                since: Instant::now(),
            });
        }
        self.read_graph(version, &store)?;
        self.return_connection(store);
        Ok(())
    }

    /// Files have changed: a watch that still says what it said when they agreed does not hear of
    /// everything (a file system of another machine, for one), and is not trusted again.
    fn verify_watcher(&self, watch: &Watch, changes: u64, version: Version) {
        // A change can be seen on disk a moment before the system tells of it.
        std::thread::sleep(WATCHER_DELAY);
        let mut fresh_state = lock(&self.fresh_state);
        let before = fresh_state.as_ref().filter(|a| a.version == version);
        let before = before.and_then(|a| a.watched.as_ref());
        let deaf = before.is_some_and(|b| b.changes == changes)
            && watch.settled(BACKGROUND_WATCHER_TIMEOUT) == Some(changes);
        if deaf {
            *fresh_state = None;
            self.unwatchable.store(true, Ordering::SeqCst);
            self.progress.detail(format_args!(
                "the watch misses changes: every question walks the tree"
            ));
        }
    }

    fn read_graph(&self, version: Version, store: &SqliteStore) -> Result<(), String> {
        if self.graph(version).is_some() {
            return Ok(());
        }
        let ceiling = self.inputs.ceiling();
        if let Some(bytes) = too_large(store, ceiling).map_err(|e| e.to_string())? {
            *lock(&self.too_large) = Some(version);
            self.progress.detail(format_args!(
                "the graph stays in the database: {} MB do not fit below the memory ceiling",
                bytes >> 20
            ));
            return Ok(());
        }
        let since = Instant::now();
        let graph = store.snapshot().map_err(|e| e.to_string())?;
        if self.version() != Some(version) {
            return Err("the index was changed by another process".to_owned());
        }
        self.progress.detail(format_args!(
            "graph in memory: {} nodes, {} edges, {} bytes an edge, in {:?}",
            graph.node_count(),
            graph.edge_count(),
            graph.edge_bytes() / graph.edge_count().max(1),
            since.elapsed()
        ));
        *lock(&self.graph) = Some((version, Arc::new(graph)));
        Ok(())
    }

    /// A watch that stands, started where there is none; none where the system has none to give.
    fn watcher(&self) -> Option<Arc<Watch>> {
        let mut slot = lock(&self.watch);
        if self.unwatchable.load(Ordering::SeqCst) {
            *slot = None;
            return None;
        }
        if let Some(watch) = slot.as_ref().filter(|w| w.changes().is_some()) {
            return Some(watch.clone());
        }
        // The old one's watches go before the new one's come.
        *lock(&self.fresh_state) = None;
        *slot = None;
        let since = Instant::now();
        let project = &self.inputs.project;
        match Watch::start(&project.root, &project.state_dir.join("cookies")) {
            Ok(watch) => {
                self.progress.detail(format_args!(
                    "watching {} folders, in {:?}",
                    watch.folders(),
                    since.elapsed()
                ));
                *slot = Some(Arc::new(watch));
            }
            Err(error) => {
                self.unwatchable.store(true, Ordering::SeqCst);
                self.progress
                    .detail(format_args!("every question walks the tree: {error}"));
            }
        }
        slot.clone()
    }
}

/// Sets a flag back, whatever happens.
struct ClearOnDrop<'a>(&'a AtomicBool);

impl Drop for ClearOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::SeqCst);
    }
}
