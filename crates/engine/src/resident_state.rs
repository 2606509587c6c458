//! Resident state: what a process that answers many questions keeps between them, namely the graph in memory, a watcher and open
//! connections.
//!
//! A background thread makes these after a question that had to walk the tree, and then ends. A question is answered from them
//! only while nothing has changed since: no file reported by the watcher, the same state of the database, the same SCIP index.

use crate::damaged::DamagedFiles;
use crate::graph_state::{BY_HAND, GraphState, Version, is_manual_graph};
use crate::inputs::{Inputs, ScipStamp};
use crate::memory::{LOADING_PERCENT, UPDATING_PERCENT, is_above, is_tight, too_large};
use crate::not_ready::NotReady;
use crate::prior::Prior;
use crate::project::Project;
use crate::question_store::QuestionStore;
use crate::watched_state::{LanguageCounts, WatchedState};
use crate::{EngineError, IndexInfo, Progress};
use ::search::index::Index;
use ingest::watch::Watch;
use ingest::{
    Cancel, ChunkUpdateScope, DeltaReport, DeltaRequest, IndexOptions, IngestError, ResidentCell,
    UpdateMethod,
};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use store::sqlite::FileState;
use store::{GraphStore, Snapshot, SqliteStore};

/// The longest that a question waits for the watcher to report all earlier changes. After that it walks the tree itself.
const WATCHER_TIMEOUT: Duration = Duration::from_millis(20);

/// The longest that the background thread waits for the watcher.
const BACKGROUND_WATCHER_TIMEOUT: Duration = Duration::from_secs(2);

/// Answers rely on the watcher for this long. Then a walk in the background checks the watcher itself.
const WATCHER_CHECK_INTERVAL: Duration = Duration::from_secs(60);

/// A question waits for the next walk if the last one is longer ago than this. Changes that the watcher does not hear of may have
/// happened meanwhile.
const LONGEST_UNCHECKED: Duration = Duration::from_secs(120);

/// State for updates is released after this long without an update, as far as it can be read again quickly.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

/// The rest of that state is released after this long without an update.
const LONG_IDLE_TIMEOUT: Duration = Duration::from_secs(900);

/// The longest delay of a watcher's report.
const WATCHER_DELAY: Duration = Duration::from_millis(200);

/// The most idle connections kept.
const CONNECTIONS: usize = 4;

/// A connection used only to detect that others have written.
struct Sentinel {
    store: SqliteStore,
    file: (u64, u64),
    number: u64,
}

/// The state in which files and index were last found to agree.
#[derive(Clone)]
struct FreshState {
    version: Version,
    /// None for a graph written by hand, which no file changes.
    watched: Option<WatcherState>,
    index: IndexInfo,
    since: Instant,
}

impl FreshState {
    /// Whether the last walk is too long ago to trust the watcher alone.
    fn is_overdue(&self) -> bool {
        self.watched.is_some() && self.since.elapsed() > LONGEST_UNCHECKED
    }
}

#[derive(Clone)]
struct WatcherState {
    watch: Arc<Watch>,
    changes: u64,
    scip: ScipStamp,
}

/// The chunks, and the watcher's count before they were brought up to date.
struct CachedChunks {
    watch: Arc<Watch>,
    texts: u64,
    index: Arc<Index>,
}

/// The watcher's count before the chunks are brought up to date.
pub(crate) struct ChunkWatcherState {
    watch: Arc<Watch>,
    texts: u64,
}

/// The watcher and its state.
#[derive(Default)]
enum Watcher {
    /// Not started, or stopped.
    #[default]
    Off,
    /// Being started by one thread; others wait for it.
    Starting,
    On(Arc<Watch>),
    /// Not available on this system, or has missed a change.
    Unusable,
}

impl Watcher {
    fn watch(&self) -> Option<&Arc<Watch>> {
        match self {
            Watcher::On(watch) => Some(watch),
            Watcher::Off | Watcher::Starting | Watcher::Unusable => None,
        }
    }
}

/// The graph in memory.
#[derive(Default)]
enum Memory {
    #[default]
    Empty,
    Loaded(Version, Arc<Snapshot>),
    /// The graph of this version does not fit below the ceiling: questions read the database.
    TooLarge(Version),
}

impl Memory {
    fn graph(&self, version: Version) -> Option<&Arc<Snapshot>> {
        match self {
            Memory::Loaded(of, graph) if *of == version => Some(graph),
            Memory::Empty | Memory::Loaded(..) | Memory::TooLarge(_) => None,
        }
    }

    /// Releases the graph. That a graph is too large is remembered.
    fn clear(&mut self) {
        if let Memory::Loaded(..) = self {
            *self = Memory::Empty;
        }
    }
}

/// How far updates can rely on the watcher.
#[derive(Default)]
enum Updates {
    /// No watcher has reported every change since the state for updates was read.
    #[default]
    Unfollowed,
    /// An update is being made. Until it has succeeded, it alone knows the paths that the watcher reported.
    Running,
    /// This watcher has reported every change since; with the time of the last update.
    Followed(Arc<Watch>, Instant),
}

/// State kept between questions, under one lock. Nothing slow happens under it: reading, walking and watching are done before it
/// is taken.
#[derive(Default)]
struct State {
    idle: Vec<((u64, u64), SqliteStore)>,
    /// The number of sentinels so far, and the present one.
    sentinels: u64,
    sentinel: Option<Sentinel>,
    /// The state of the database's files when they were last found to be as this user's programs left them.
    trusted_files: Option<FileState>,
    memory: Memory,
    fresh: Option<FreshState>,
    watcher: Watcher,
    chunks: Option<CachedChunks>,
    prior: Option<(Version, Arc<Prior>)>,
    damaged: Option<(Version, Arc<DamagedFiles>)>,
    counted_texts: Option<(WatchedState, Arc<LanguageCounts>)>,
    updates: Updates,
    /// Whether the chunks of all reported files are as new as the graph.
    chunks_current: bool,
    jobs: Jobs,
}

impl State {
    /// Releases what only questions need.
    fn clear_for_questions(&mut self) {
        self.prior = None;
        self.damaged = None;
        self.counted_texts = None;
        self.chunks = None;
        self.idle.clear();
    }
}

/// Background threads that are running; at most one of each kind.
#[derive(Default)]
struct Jobs {
    preparing: bool,
    tidying: bool,
    idle_timer: bool,
}

/// A field of [`Jobs`].
type Job = fn(&mut Jobs) -> &mut bool;

/// Graph, watcher and connections of a long-running process.
pub(crate) struct ResidentState {
    inputs: Arc<Inputs>,
    progress: Arc<dyn Progress + Send>,
    state: Mutex<State>,
    /// Held while the graph is read, so that it is not in memory twice.
    reading: Mutex<()>,
    /// Notified when a watcher has been started, or cannot be.
    watcher_started: Condvar,
    /// State for updates.
    residence: ResidentCell,
}

impl ResidentState {
    pub(crate) fn new(inputs: Arc<Inputs>, progress: Arc<dyn Progress + Send>) -> ResidentState {
        ResidentState {
            inputs,
            progress,
            state: Mutex::default(),
            reading: Mutex::default(),
            watcher_started: Condvar::new(),
            residence: ResidentCell::default(),
        }
    }

    fn lock_unpoisoned(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The locked state, once no thread is starting a watcher.
    fn lock_with_watcher(&self) -> MutexGuard<'_, State> {
        let mut state = self.lock_unpoisoned();
        while matches!(state.watcher, Watcher::Starting) {
            let waited = self.watcher_started.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        state
    }

    /// Starts a thread for a job, unless one is running.
    fn start_job(
        self: &Arc<ResidentState>,
        name: &str,
        job: Job,
        work: impl FnOnce() + Send + 'static,
    ) {
        if std::mem::replace(job(&mut self.lock_unpoisoned().jobs), true) {
            return;
        }
        let thread = std::thread::Builder::new().name(name.to_owned());
        if thread.spawn(work).is_err() {
            *job(&mut self.lock_unpoisoned().jobs) = false;
        }
    }

    /// The state for a question, if nothing at all has changed; none where the tree has to be walked.
    pub(crate) fn open_if_unchanged(self: &Arc<ResidentState>) -> Option<GraphState> {
        let fresh_state = self.lock_unpoisoned().fresh.clone()?;
        if fresh_state.is_overdue() {
            return None;
        }
        if fresh_state.watched.is_some() && fresh_state.since.elapsed() > WATCHER_CHECK_INTERVAL {
            self.prepare_in_background();
        }
        let mut index = fresh_state.index;
        if let Some(watched) = &fresh_state.watched {
            let changes = watched.watch.wait_until_settled(WATCHER_TIMEOUT)?;
            if changes != watched.changes || self.inputs.scip_stamp() != watched.scip {
                return None;
            }
            index.watched = self.inputs.settings.says_watched;
            index.commit = ingest::git::head_commit(&self.inputs.project.root);
        }
        let watcher_settled = fresh_state.watched.is_some();
        let store = self.take_connection()?;
        // A connection that cannot be read is not kept.
        store.begin_read_snapshot().ok()?;
        // The kept state is valid only if the database still has the same version.
        if self.version() != Some(fresh_state.version) {
            self.return_connection(store);
            return None;
        }
        let memory = self.graph(fresh_state.version);
        if memory.is_none() && !self.is_too_large(fresh_state.version) {
            self.prepare_in_background();
        }
        Some(GraphState {
            store: QuestionStore::Local(store),
            version: Some(fresh_state.version),
            memory,
            index,
            watcher_settled,
        })
    }

    fn is_too_large(&self, version: Version) -> bool {
        matches!(self.lock_unpoisoned().memory, Memory::TooLarge(of) if of == version)
    }

    /// The running watcher, if any; waits for one that is being started.
    fn standing_watch(&self) -> Option<Arc<Watch>> {
        self.lock_with_watcher().watcher.watch().cloned()
    }

    /// The chunks, if none of their files has changed since they were kept; else the watcher's state, needed to keep the next
    /// ones. `watcher_settled` if the same question has waited for the watcher already.
    pub(crate) fn chunks(
        &self,
        watcher_settled: bool,
    ) -> Result<Arc<Index>, Option<ChunkWatcherState>> {
        let watch = self.standing_watch().ok_or(None)?;
        if !watcher_settled {
            watch.wait_until_settled(WATCHER_TIMEOUT).ok_or(None)?;
        }
        let texts = watch.text_change_count();
        match &self.lock_unpoisoned().chunks {
            Some(kept) if Arc::ptr_eq(&kept.watch, &watch) && kept.texts == texts => {
                Ok(kept.index.clone())
            }
            _ => Err(Some(ChunkWatcherState { watch, texts })),
        }
    }

    /// How far the watcher has counted changes to texts; none without a watcher. `watcher_settled` as for
    /// [`ResidentState::chunks`].
    pub(crate) fn text_changes(&self, watcher_settled: bool) -> Option<WatchedState> {
        let watch = self.standing_watch()?;
        if !watcher_settled {
            watch.wait_until_settled(WATCHER_TIMEOUT)?;
        }
        Some(WatchedState::of_texts(&watch))
    }

    /// Keeps chunks that were brought up to date after `before` was taken.
    pub(crate) fn cache_chunks(&self, before: ChunkWatcherState, index: &Arc<Index>) {
        self.lock_unpoisoned().chunks = Some(CachedChunks {
            watch: before.watch,
            texts: before.texts,
            index: index.clone(),
        });
    }

    /// The prior of files, for the state that a question is answered from.
    pub(crate) fn prior(&self, state: &GraphState) -> Result<Arc<Prior>, EngineError> {
        let Some(version) = state.version else {
            return Ok(Arc::new(Prior::load(state.store.local()?)?));
        };
        let known = match &self.lock_unpoisoned().prior {
            Some((of, prior)) if *of == version => Some(prior.clone()),
            _ => None,
        };
        if let Some(prior) = known {
            return Ok(prior);
        }
        let prior = Arc::new(Prior::load(state.store.local()?)?);
        self.lock_unpoisoned().prior = Some((version, prior.clone()));
        Ok(prior)
    }

    /// Files with syntax errors, for the state that a question is answered from.
    pub(crate) fn damaged_files(
        &self,
        state: &GraphState,
        project: &Project,
    ) -> Result<Arc<DamagedFiles>, EngineError> {
        let Some(version) = state.version else {
            return Ok(Arc::new(DamagedFiles::load(state.store.local()?, project)?));
        };
        let known = match &self.lock_unpoisoned().damaged {
            Some((of, damaged)) if *of == version => Some(damaged.clone()),
            _ => None,
        };
        if let Some(damaged) = known {
            return Ok(damaged);
        }
        let damaged = Arc::new(DamagedFiles::load(state.store.local()?, project)?);
        self.lock_unpoisoned().damaged = Some((version, damaged.clone()));
        Ok(damaged)
    }

    /// The files in languages without a grammar as `count` counts them on a walk, or as they were counted last if no file has
    /// changed since. `watcher_settled` if the question has waited for the watcher.
    pub(crate) fn texts_without_grammar(
        &self,
        watcher_settled: bool,
        count: impl FnOnce() -> Result<LanguageCounts, EngineError>,
    ) -> Result<Arc<LanguageCounts>, EngineError> {
        let watch = self.standing_watch().filter(|_| watcher_settled);
        let Some(before) = watch.as_ref().and_then(WatchedState::of_files) else {
            return Ok(Arc::new(count()?));
        };
        if let Some((of, counts)) = &self.lock_unpoisoned().counted_texts
            && *of == before
        {
            return Ok(counts.clone());
        }
        let counts = Arc::new(count()?);
        self.lock_unpoisoned().counted_texts = Some((before, counts.clone()));
        Ok(counts)
    }

    /// A number that changes when files change; none without a watcher, or where it has missed a change.
    pub(crate) fn change_count(&self) -> Option<u64> {
        let watch = self.standing_watch()?;
        Some(watch.change_count()? + watch.text_change_count())
    }

    /// Brings the index up to date. Where the watcher has reported every change, only those files are looked at.
    pub(crate) fn update(
        self: &Arc<ResidentState>,
        options: &IndexOptions,
        named: &[String],
        with_chunks: bool,
    ) -> Result<DeltaReport, IngestError> {
        let watched_paths = self.watcher().and_then(|watch| {
            let changes = watch.wait_until_settled(WATCHER_TIMEOUT)?;
            let paths = watch.take_changed_paths();
            Some((watch, changes, paths))
        });
        // During an update nothing else needs the memory.
        self.free_memory_for_update();
        let scip = self.inputs.scip_stamp();
        // Until the update has succeeded, nobody else knows the paths taken from the watcher.
        let (before, chunks_current) = {
            let mut state = self.lock_unpoisoned();
            let before = std::mem::replace(&mut state.updates, Updates::Running);
            (before, state.chunks_current)
        };
        let running = StopUpdate(self);
        let mut paths = named.to_vec();
        let mut only_these = false;
        if let Some((watch, _, Some(told))) = &watched_paths {
            paths.extend_from_slice(told);
            only_these = matches!(&before, Updates::Followed(of, _) if Arc::ptr_eq(of, watch));
        }
        let ask = DeltaRequest {
            paths: &paths,
            no_other_changes: only_these,
            chunks: match (with_chunks, chunks_current) {
                (false, _) => ChunkUpdateScope::Nothing,
                (true, false) => ChunkUpdateScope::All,
                (true, true) => ChunkUpdateScope::Named,
            },
        };
        let report = ingest::update_incremental(options, &self.residence, ask, &*self.progress)?;
        // The watcher reports a path once, so an update without chunks leaves the chunks of all reported files behind.
        self.lock_unpoisoned().chunks_current = with_chunks && report.warnings.is_empty();
        let is_followed = watched_paths.is_some();
        if let Some((watch, changes, _)) = watched_paths {
            self.lock_unpoisoned().updates = Updates::Followed(watch.clone(), Instant::now());
            let watched = WatcherState {
                watch,
                changes,
                scip,
            };
            self.record_fresh(watched, &report);
        }
        drop(running);
        if is_followed && report.way != UpdateMethod::Files {
            self.preload_update_state(options);
        }
        self.release_when_idle();
        if report.is_untidy {
            self.clean_up_in_background(options);
        }
        Ok(report)
    }

    /// Does deferred maintenance after updates, in a background thread.
    fn clean_up_in_background(self: &Arc<ResidentState>, options: &IndexOptions) {
        let options = IndexOptions {
            cancel: Cancel::default(),
            ..options.clone()
        };
        let resident = self.clone();
        let work = move || {
            let _done = JobDone(&resident, |jobs| &mut jobs.tidying);
            if let Err(error) = ingest::run_deferred_maintenance(&options) {
                let progress = &resident.progress;
                progress.detail(format_args!("left as it is: {error}"));
            }
        };
        self.start_job("tidy", |jobs| &mut jobs.tidying, work);
    }

    /// The time of the last write to the index, seconds since 1970.
    pub(crate) fn indexed_at(&self) -> Option<u64> {
        let store = self.take_connection()?;
        let indexed_at = store.metadata("indexed_at").ok().flatten();
        self.return_connection(store);
        indexed_at?.parse().ok()
    }

    /// Reads the state for the next update in a background thread: after an update that went through all files, none of it is
    /// kept.
    fn preload_update_state(self: &Arc<ResidentState>, options: &IndexOptions) {
        let options = IndexOptions {
            cancel: Cancel::default(),
            ..options.clone()
        };
        let resident = Arc::downgrade(self);
        let work = move || {
            if let Some(resident) = resident.upgrade() {
                // The next update reads what cannot be read now.
                let _ = resident.residence.preload(&options);
            }
        };
        // Without the thread the next update takes longer.
        let _ = std::thread::Builder::new()
            .name("ready".to_owned())
            .spawn(work);
    }

    /// Releases everything read from the database, and every connection to it. When its files were exchanged, only a process
    /// without open connections sees the new ones.
    pub(crate) fn clear_database_state(&self) {
        self.residence.clear();
        let mut state = self.lock_unpoisoned();
        state.fresh = None;
        if let Updates::Followed(..) = state.updates {
            state.updates = Updates::Unfollowed;
        }
        state.idle.clear();
        state.sentinel = None;
        state.memory.clear();
        state.prior = None;
        state.damaged = None;
    }

    /// Whether an update can be made without a walk.
    pub(crate) fn is_following_changes(&self) -> bool {
        let followed = match &self.lock_unpoisoned().updates {
            Updates::Followed(watch, _) => watch.change_count().is_some(),
            Updates::Unfollowed | Updates::Running => false,
        };
        followed && !self.residence.is_empty()
    }

    /// Records that files and index agree after an update.
    fn record_fresh(&self, watched: WatcherState, report: &DeltaReport) {
        let (Some(version), Some(store)) = (self.version(), self.take_connection()) else {
            return;
        };
        let indexed_at = store.metadata("indexed_at").ok().flatten();
        self.return_connection(store);
        let mut state = self.lock_unpoisoned();
        let before = state.fresh.as_ref();
        let before = before.and_then(|a| Some((a.watched.as_ref()?, a.since)));
        let since = before.filter(|(w, _)| Arc::ptr_eq(&w.watch, &watched.watch));
        let since = since.map_or_else(Instant::now, |(_, since)| since);
        state.fresh = Some(FreshState {
            version,
            watched: Some(watched),
            index: IndexInfo {
                commit: report.commit.clone(),
                indexed_at: indexed_at.and_then(|t| t.parse().ok()),
                fresh: true,
                notes: report.warnings.clone(),
                ..IndexInfo::default()
            },
            // The time of the last walk stays: a walk checks the watcher from time to time, however many updates there are.
            since,
        });
    }

    /// Releases state for updates after a while without any.
    fn release_when_idle(self: &Arc<ResidentState>) {
        let resident = Arc::downgrade(self);
        let work = move || {
            let mut has_released = false;
            loop {
                std::thread::sleep(IDLE_TIMEOUT / 4);
                let Some(resident) = resident.upgrade() else {
                    return;
                };
                if resident.release_idle_state(&mut has_released) {
                    return;
                }
            }
        };
        self.start_job("rest", |jobs| &mut jobs.idle_timer, work);
    }

    /// Releases what the time without updates allows: memory first, everything later. Returns whether nothing is left to do.
    fn release_idle_state(&self, has_released: &mut bool) -> bool {
        // The lock is held meanwhile: an update that begins now would lose what it is about to read.
        let mut state = self.lock_unpoisoned();
        let idle = match &state.updates {
            Updates::Running => return false,
            Updates::Followed(_, last) => Some(last.elapsed()),
            Updates::Unfollowed => None,
        };
        match idle {
            Some(idle) if idle < IDLE_TIMEOUT => *has_released = false,
            Some(idle) if idle < LONG_IDLE_TIMEOUT && !*has_released => {
                self.residence.release_memory();
                *has_released = true;
            }
            Some(idle) if idle < LONG_IDLE_TIMEOUT => {}
            _ => self.residence.clear(),
        }
        let is_done = idle.is_none_or(|idle| idle >= IDLE_TIMEOUT) && self.residence.is_empty();
        if is_done {
            state.updates = Updates::Unfollowed;
            state.jobs.idle_timer = false;
        }
        is_done
    }

    /// Begins a read of one state of the database and returns its version; none if another process writes at that moment.
    pub(crate) fn begin_read(&self, store: &SqliteStore) -> Result<Option<Version>, EngineError> {
        let before = self.version();
        store.begin_read_snapshot()?;
        Ok(before.filter(|_| self.version() == before))
    }

    /// The graph in memory, if it is of that version.
    pub(crate) fn graph(&self, version: Version) -> Option<Arc<Snapshot>> {
        self.lock_unpoisoned().memory.graph(version).cloned()
    }

    /// Releases state kept between questions, the least used first, until the process is no longer near its ceiling. All of it can
    /// be recreated. Returns whether the process was near it.
    pub(crate) fn free_memory_near_ceiling(&self) -> bool {
        let ceiling = self.inputs.memory_ceiling();
        if !is_tight(ceiling) {
            return false;
        }
        self.progress
            .detail(format_args!("near the memory ceiling: dropping caches"));
        self.residence.try_clear();
        self.lock_unpoisoned().clear_for_questions();
        if is_tight(ceiling) {
            self.lock_unpoisoned().memory.clear();
        }
        true
    }

    /// Before an update, releases what only questions need, if memory in use leaves too little for the update.
    fn free_memory_for_update(&self) {
        self.free_memory_near_ceiling();
        let share = if self.residence.is_empty() {
            LOADING_PERCENT
        } else {
            UPDATING_PERCENT
        };
        if is_above(self.inputs.memory_ceiling(), share) {
            let mut state = self.lock_unpoisoned();
            state.clear_for_questions();
            state.memory.clear();
        }
    }

    /// Takes a connection back for the next question.
    pub(crate) fn return_connection(&self, store: SqliteStore) {
        let Some(file) = ingest::walk::file_id(store.path()) else {
            return;
        };
        if store.end_read_snapshot().is_ok() {
            let mut state = self.lock_unpoisoned();
            if state.idle.len() < CONNECTIONS {
                state.idle.push((file, store));
            }
        }
    }

    fn take_connection(&self) -> Option<SqliteStore> {
        let path = &self.inputs.project.db_path;
        let file = ingest::walk::file_id(path)?;
        let known = {
            let idle = &mut self.lock_unpoisoned().idle;
            idle.retain(|(of, _)| *of == file);
            idle.pop()
        };
        match known {
            Some((_, store)) => Some(store),
            None => SqliteStore::open_read_only(path).ok(),
        }
    }

    /// Whether the database is as this user's programs left it. Checked again only when its files have changed.
    fn is_database_trusted(&self) -> bool {
        let path = &self.inputs.project.db_path;
        let now = FileState::capture(path);
        if self.lock_unpoisoned().trusted_files == Some(now) {
            return true;
        }
        let trusted = (!store::sqlite::is_untrusted(path)).then_some(now);
        self.lock_unpoisoned().trusted_files = trusted;
        trusted.is_some()
    }

    /// The present version of the database.
    fn version(&self) -> Option<Version> {
        let path = &self.inputs.project.db_path;
        let file = ingest::walk::file_id(path)?;
        if !self.is_database_trusted() {
            return None;
        }
        let mut state = self.lock_unpoisoned();
        if state.sentinel.as_ref().is_none_or(|s| s.file != file) {
            state.sentinels += 1;
            state.sentinel = Some(Sentinel {
                store: SqliteStore::open_read_only(path).ok()?,
                file,
                number: state.sentinels,
            });
        }
        let now = state.sentinel.as_ref()?;
        let number = now.number;
        let Ok(data) = now.store.data_version() else {
            // The next caller gets another sentinel.
            state.sentinel = None;
            return None;
        };
        Some(Version {
            file,
            sentinel: number,
            data,
        })
    }

    /// Whether the next question is being prepared.
    pub(crate) fn is_preparing(&self) -> bool {
        self.lock_unpoisoned().jobs.preparing
    }

    /// Starts preparing for the next question, unless that is being done.
    pub(crate) fn prepare_in_background(self: &Arc<ResidentState>) {
        let resident = self.clone();
        let work = move || {
            let _done = JobDone(&resident, |jobs| &mut jobs.preparing);
            let checked = resident.check_freshness();
            if let Err(error) = checked {
                resident
                    .progress
                    .detail(format_args!("not ready for the next question: {error}"));
            }
        };
        self.start_job("snapshot", |jobs| &mut jobs.preparing, work);
    }

    /// Walks the tree where the last walk is long ago. If the walk finds changes that the watcher has not reported, the next
    /// update walks as well.
    pub(crate) fn check_if_overdue(&self) {
        let is_overdue = |state: &State| state.fresh.as_ref().is_some_and(FreshState::is_overdue);
        if !is_overdue(&self.lock_unpoisoned()) {
            return;
        }
        if let Ok((_, store)) = self.compare_with_disk() {
            return self.return_connection(store);
        }
        let mut state = self.lock_unpoisoned();
        state.fresh = None;
        if let Updates::Followed(..) = state.updates {
            state.updates = Updates::Unfollowed;
        }
    }

    /// Finds out whether files and index agree while a watcher runs, then reads the graph.
    fn check_freshness(&self) -> Result<(), NotReady> {
        let (version, store) = self.compare_with_disk()?;
        self.read_graph(version, &store)?;
        self.return_connection(store);
        Ok(())
    }

    /// Finds out whether files and index agree while a watcher runs.
    fn compare_with_disk(&self) -> Result<(Version, SqliteStore), NotReady> {
        let version = self.version().ok_or(NotReady::NoDatabase)?;
        let store = self.take_connection().ok_or(NotReady::NoDatabase)?;
        if is_manual_graph(&store)? {
            self.lock_unpoisoned().fresh = Some(FreshState {
                version,
                watched: None,
                index: IndexInfo::stale(None, None, BY_HAND),
                since: Instant::now(),
            });
        } else if let Some(watch) = self.watcher() {
            let changes = watch
                .wait_until_settled(BACKGROUND_WATCHER_TIMEOUT)
                .ok_or(NotReady::Moving)?;
            let scip = self.inputs.scip_stamp();
            let options = self.inputs.options_for_store(Some(&store));
            let mut freshness = ingest::check_store_freshness(&store, &options)?;
            if !watch.add_linked(std::mem::take(&mut freshness.linked)) {
                self.give_watcher_up("too many files are hard links");
                return Err(NotReady::HardLinks);
            }
            if !freshness.is_fresh() {
                if !(freshness.changed.is_empty() && freshness.removed.is_empty()) {
                    self.verify_watcher(&watch, changes, version);
                }
                return Err(NotReady::FilesChanged);
            }
            self.lock_unpoisoned().fresh = Some(FreshState {
                version,
                watched: Some(WatcherState {
                    watch,
                    changes,
                    scip,
                }),
                index: IndexInfo::from_freshness(freshness),
                since: Instant::now(),
            });
        }
        Ok((version, store))
    }

    /// Checks the watcher after files have changed. If its count has not grown since files and index last agreed, the watcher
    /// misses changes (on a network file system, for one). It is then not trusted again.
    fn verify_watcher(&self, watch: &Watch, changes: u64, version: Version) {
        let said_nothing = || {
            let state = self.lock_unpoisoned();
            let before = state.fresh.as_ref().filter(|a| a.version == version);
            let before = before.and_then(|a| a.watched.as_ref());
            before.is_some_and(|b| b.changes == changes)
        };
        if !said_nothing() {
            return;
        }
        // A change can be visible on disk a moment before the system reports it.
        std::thread::sleep(WATCHER_DELAY);
        if said_nothing() && watch.wait_until_settled(BACKGROUND_WATCHER_TIMEOUT) == Some(changes) {
            self.give_watcher_up("the watch misses changes");
        }
    }

    /// Stops the use of watchers for good.
    fn give_watcher_up(&self, why: &str) {
        let mut state = self.lock_unpoisoned();
        state.fresh = None;
        state.watcher = Watcher::Unusable;
        drop(state);
        self.progress
            .detail(format_args!("{why}: every question walks the tree"));
    }

    /// The graph of a version: the kept one, or read now and kept. `read` reads that version or fails. Where another thread is
    /// reading, this one waits.
    pub(crate) fn graph_or_read<E>(
        &self,
        version: Version,
        read: impl FnOnce() -> Result<Snapshot, E>,
    ) -> Result<Arc<Snapshot>, E> {
        let _alone = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(graph) = self.graph(version) {
            return Ok(graph);
        }
        // No later question asks for an older one.
        self.lock_unpoisoned().memory.clear();
        let graph = Arc::new(read()?);
        self.lock_unpoisoned().memory = Memory::Loaded(version, graph.clone());
        Ok(graph)
    }

    fn read_graph(&self, version: Version, store: &SqliteStore) -> Result<(), NotReady> {
        if self.graph(version).is_some() {
            return Ok(());
        }
        let ceiling = self.inputs.memory_ceiling();
        if let Some(bytes) = too_large(store, ceiling)? {
            self.lock_unpoisoned().memory = Memory::TooLarge(version);
            self.progress.detail(format_args!(
                "the graph stays in the database: {} MB do not fit below the memory ceiling",
                bytes >> 20
            ));
            return Ok(());
        }
        let since = Instant::now();
        let graph = self.graph_or_read(version, || {
            let graph = store.snapshot()?;
            if self.version() != Some(version) {
                return Err(NotReady::IndexChanged);
            }
            Ok(graph)
        })?;
        self.progress.detail(format_args!(
            "graph in memory: {} nodes, {} edges, {} bytes an edge, in {:?}",
            graph.node_count(),
            graph.edge_count(),
            graph.edge_bytes() / graph.edge_count().max(1),
            since.elapsed()
        ));
        Ok(())
    }

    /// The running watcher, which is started if necessary. None if the system provides none.
    fn watcher(&self) -> Option<Arc<Watch>> {
        let mut state = self.lock_with_watcher();
        match &state.watcher {
            Watcher::On(watch) if watch.change_count().is_some() => return Some(watch.clone()),
            Watcher::Unusable => return None,
            Watcher::Off | Watcher::Starting | Watcher::On(_) => {}
        }
        // The old watcher is closed before the new one is opened.
        state.fresh = None;
        let old = std::mem::replace(&mut state.watcher, Watcher::Starting);
        drop(state);
        drop(old);
        let starting = StartWatcher {
            resident: self,
            now: Watcher::Unusable,
        };
        starting.start()
    }

    fn start_watcher(&self) -> Watcher {
        let since = Instant::now();
        let project = &self.inputs.project;
        match Watch::start(&project.root, &project.state_dir.join("cookies")) {
            Ok(watch) => {
                self.progress.detail(format_args!(
                    "watching {} folders, in {:?}",
                    watch.folder_count(),
                    since.elapsed()
                ));
                Watcher::On(Arc::new(watch))
            }
            Err(error) => {
                self.progress
                    .detail(format_args!("every question walks the tree: {error}"));
                Watcher::Unusable
            }
        }
    }
}

/// Guard while a watcher is being started. Other threads wait for it, so they are notified whatever happens.
struct StartWatcher<'a> {
    resident: &'a ResidentState,
    now: Watcher,
}

impl StartWatcher<'_> {
    fn start(mut self) -> Option<Arc<Watch>> {
        self.now = self.resident.start_watcher();
        self.now.watch().cloned()
    }
}

impl Drop for StartWatcher<'_> {
    fn drop(&mut self) {
        self.resident.lock_unpoisoned().watcher = std::mem::take(&mut self.now);
        self.resident.watcher_started.notify_all();
    }
}

/// Guard while an update is made. An update that fails leaves changes that the watcher does not report again.
struct StopUpdate<'a>(&'a ResidentState);

impl Drop for StopUpdate<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock_unpoisoned();
        if let Updates::Running = state.updates {
            state.updates = Updates::Unfollowed;
        }
    }
}

/// Guard that marks a job as done, whatever happens.
struct JobDone<'a>(&'a ResidentState, Job);

impl Drop for JobDone<'_> {
    fn drop(&mut self) {
        *(self.1)(&mut self.0.lock_unpoisoned().jobs) = false;
    }
}

#[cfg(test)]
mod tests;
