//! What a process that answers many questions keeps between them: the graph in memory, a watch over the
//! files, and open connections.
//!
//! A thread of its own makes these after a question that had to walk the tree, and ends. A question is
//! answered from them only while everything is as that thread saw it: no file heard of since, the same
//! state of the database, the same SCIP index.

use crate::damaged::DamagedFiles;
use crate::graph_state::{BY_HAND, GraphState, Version, is_manual_graph};
use crate::inputs::{Inputs, ScipStamp};
use crate::memory::{LOADING_PERCENT, UPDATING_PERCENT, is_above, is_tight, too_large};
use crate::prior::Prior;
use crate::project::Project;
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

/// How long a question waits to hear of all earlier changes before it walks the tree itself.
const WATCHER_TIMEOUT: Duration = Duration::from_millis(20);

/// The same for the thread that prepares the next question.
const BACKGROUND_WATCHER_TIMEOUT: Duration = Duration::from_secs(2);

/// After this time of questions answered from a watch, a walk checks the watch itself.
const WATCHER_CHECK_INTERVAL: Duration = Duration::from_secs(60);

/// After this time since the last such walk a question waits for the next one: nobody has asked for a while, and what the
/// watch does not hear of may have happened meanwhile.
const LONGEST_UNCHECKED: Duration = Duration::from_secs(120);

/// After this time without an update, what updates need is let go as far as it can be read again soon.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

/// After this time without one, the rest goes too.
const LONG_IDLE_TIMEOUT: Duration = Duration::from_secs(900);

/// What a watch may be late.
const WATCHER_DELAY: Duration = Duration::from_millis(200);

/// Idle connections kept.
const CONNECTIONS: usize = 4;

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

impl FreshState {
    /// Whether the last walk is so long ago that the watch alone is not believed.
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

/// What hears of changes.
#[derive(Default)]
enum Watcher {
    /// Nothing yet, or not any more.
    #[default]
    Off,
    /// A thread sets it up; others wait for it.
    Starting,
    On(Arc<Watch>),
    /// The system has none to give, or it missed a change.
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
    /// The graph of this state does not fit below the ceiling: questions read the database.
    TooLarge(Version),
}

impl Memory {
    fn graph(&self, version: Version) -> Option<&Arc<Snapshot>> {
        match self {
            Memory::Loaded(of, graph) if *of == version => Some(graph),
            Memory::Empty | Memory::Loaded(..) | Memory::TooLarge(_) => None,
        }
    }

    /// Lets the graph go; that one is too large is still known.
    fn clear(&mut self) {
        if let Memory::Loaded(..) = self {
            *self = Memory::Empty;
        }
    }
}

/// How updates stand to the watch.
#[derive(Default)]
enum Updates {
    /// No watch has told of every change since what updates need was read.
    #[default]
    Unfollowed,
    /// One is being made: the paths that the watch told of are known to it alone until it has gone well.
    Running,
    /// This watch has told of every change since; the last update was then.
    Followed(Arc<Watch>, Instant),
}

/// What is kept between questions, under one lock. Nothing slow is done under it: reading, walking and watching happen before
/// it is taken.
#[derive(Default)]
struct State {
    idle: Vec<((u64, u64), SqliteStore)>,
    /// Sentinels so far, and the present one.
    sentinels: u64,
    sentinel: Option<Sentinel>,
    /// The database's files when they were last found to be as this user's programs left them.
    trusted_files: Option<FileState>,
    memory: Memory,
    fresh: Option<FreshState>,
    watcher: Watcher,
    chunks: Option<CachedChunks>,
    prior: Option<(Version, Arc<Prior>)>,
    damaged: Option<(Version, Arc<DamagedFiles>)>,
    updates: Updates,
    /// Whether chunks of all files that were told of are as new as the graph.
    chunks_current: bool,
    jobs: Jobs,
}

impl State {
    /// Lets go what only questions need.
    fn clear_for_questions(&mut self) {
        self.prior = None;
        self.damaged = None;
        self.chunks = None;
        self.idle.clear();
    }
}

/// Threads that run beside the questions; of each kind one at a time.
#[derive(Default)]
struct Jobs {
    preparing: bool,
    tidying: bool,
    idle_timer: bool,
}

/// One of [`Jobs`].
type Job = fn(&mut Jobs) -> &mut bool;

/// Graph, watch and connections of a long-running process.
pub(crate) struct ResidentState {
    inputs: Arc<Inputs>,
    progress: Arc<dyn Progress + Send>,
    state: Mutex<State>,
    /// Told when a watch has been set up, or cannot be.
    watcher_started: Condvar,
    /// What updates need.
    residence: ResidentCell,
}

impl ResidentState {
    pub(crate) fn new(inputs: Arc<Inputs>, progress: Arc<dyn Progress + Send>) -> ResidentState {
        ResidentState {
            inputs,
            progress,
            state: Mutex::default(),
            watcher_started: Condvar::new(),
            residence: ResidentCell::default(),
        }
    }

    fn lock_unpoisoned(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state, once nobody is setting up a watch.
    fn lock_with_watcher(&self) -> MutexGuard<'_, State> {
        let mut state = self.lock_unpoisoned();
        while matches!(state.watcher, Watcher::Starting) {
            let waited = self.watcher_started.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        state
    }

    /// Starts a thread for a job, unless that is being done.
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

    /// Everything for a question, if nothing at all has changed; none where the tree has to be walked.
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
        // A connection that cannot be read from is not kept.
        store.begin_read_snapshot().ok()?;
        // What was held before is of this state, if it is still the state now.
        if self.version() != Some(fresh_state.version) {
            self.return_connection(store);
            return None;
        }
        let memory = self.graph(fresh_state.version);
        if memory.is_none() && !self.is_too_large(fresh_state.version) {
            self.prepare_in_background();
        }
        Some(GraphState {
            store,
            version: Some(fresh_state.version),
            memory,
            index,
            watcher_settled,
        })
    }

    fn is_too_large(&self, version: Version) -> bool {
        matches!(self.lock_unpoisoned().memory, Memory::TooLarge(of) if of == version)
    }

    /// The watch that stands, if any; waits for one that is being set up.
    fn standing_watch(&self) -> Option<Arc<Watch>> {
        self.lock_with_watcher().watcher.watch().cloned()
    }

    /// The chunks, if no file that they are made of has changed since they were kept; else what has to be known
    /// to keep the next ones. `watcher_settled` where the same question has asked the watch already.
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

    /// Keeps chunks that were brought up to date after `before` was known.
    pub(crate) fn cache_chunks(&self, before: ChunkWatcherState, index: &Arc<Index>) {
        self.lock_unpoisoned().chunks = Some(CachedChunks {
            watch: before.watch,
            texts: before.texts,
            index: index.clone(),
        });
    }

    /// How central files are, of the state that a question is answered from.
    pub(crate) fn prior(&self, state: &GraphState) -> Result<Arc<Prior>, EngineError> {
        let Some(version) = state.version else {
            return Ok(Arc::new(Prior::load(&state.store)?));
        };
        let known = match &self.lock_unpoisoned().prior {
            Some((of, prior)) if *of == version => Some(prior.clone()),
            _ => None,
        };
        if let Some(prior) = known {
            return Ok(prior);
        }
        let prior = Arc::new(Prior::load(&state.store)?);
        self.lock_unpoisoned().prior = Some((version, prior.clone()));
        Ok(prior)
    }

    /// Files with syntax errors, of the state that a question is answered from.
    pub(crate) fn damaged_files(
        &self,
        state: &GraphState,
        project: &Project,
    ) -> Result<Arc<DamagedFiles>, EngineError> {
        let Some(version) = state.version else {
            return Ok(Arc::new(DamagedFiles::load(&state.store, project)?));
        };
        let known = match &self.lock_unpoisoned().damaged {
            Some((of, damaged)) if *of == version => Some(damaged.clone()),
            _ => None,
        };
        if let Some(damaged) = known {
            return Ok(damaged);
        }
        let damaged = Arc::new(DamagedFiles::load(&state.store, project)?);
        self.lock_unpoisoned().damaged = Some((version, damaged.clone()));
        Ok(damaged)
    }

    /// A number that is another one after files changed; none where no watch is on, or it is worthless now.
    pub(crate) fn change_count(&self) -> Option<u64> {
        let watch = self.standing_watch()?;
        Some(watch.change_count()? + watch.text_change_count())
    }

    /// Brings the index up to date. Where a watch has told of every change, only these files are looked at.
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
        // An update has the ceiling for itself.
        self.free_memory_for_update();
        let scip = self.inputs.scip_stamp();
        // Until this has gone well, the paths that were taken are known to nobody.
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
        // What a question without chunks was told of, nobody is told of again.
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

    /// Does what updates have left, on a thread of its own.
    fn clean_up_in_background(self: &Arc<ResidentState>, options: &IndexOptions) {
        let options = IndexOptions {
            cancel: Cancel::default(),
            ..options.clone()
        };
        let live = self.clone();
        let work = move || {
            let _done = JobDone(&live, |jobs| &mut jobs.tidying);
            if let Err(error) = ingest::run_deferred_maintenance(&options) {
                let progress = &live.progress;
                progress.detail(format_args!("left as it is: {error}"));
            }
        };
        self.start_job("tidy", |jobs| &mut jobs.tidying, work);
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
    fn preload_update_state(self: &Arc<ResidentState>, options: &IndexOptions) {
        let options = IndexOptions {
            cancel: Cancel::default(),
            ..options.clone()
        };
        let live = Arc::downgrade(self);
        let work = move || {
            if let Some(live) = live.upgrade() {
                // What cannot be read now is read by the update.
                let _ = live.residence.preload(&options);
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

    /// After an update files and index agree.
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
            // A walk looks after the watch from time to time, however many updates there are.
            since,
        });
    }

    /// Lets go what updates need when there have been none for a while.
    fn release_when_idle(self: &Arc<ResidentState>) {
        let live = Arc::downgrade(self);
        let work = move || {
            let mut rests = false;
            loop {
                std::thread::sleep(IDLE_TIMEOUT / 4);
                let Some(live) = live.upgrade() else { return };
                if live.release_step(&mut rests) {
                    return;
                }
            }
        };
        self.start_job("rest", |jobs| &mut jobs.idle_timer, work);
    }

    /// One look of the thread that lets go; whether it has nothing more to do.
    fn release_step(&self, rests: &mut bool) -> bool {
        // Held meanwhile: an update that begins now would lose what it is about to read.
        let mut state = self.lock_unpoisoned();
        let idle = match &state.updates {
            Updates::Running => return false,
            Updates::Followed(_, last) => Some(last.elapsed()),
            Updates::Unfollowed => None,
        };
        match idle {
            Some(idle) if idle < IDLE_TIMEOUT => *rests = false,
            Some(idle) if idle < LONG_IDLE_TIMEOUT && !*rests => {
                self.residence.release_memory();
                *rests = true;
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

    /// Holds a state of the database, and tells which it is, unless another writes at that very moment.
    pub(crate) fn begin_read(&self, store: &SqliteStore) -> Result<Option<Version>, EngineError> {
        let before = self.version();
        store.begin_read_snapshot()?;
        Ok(before.filter(|_| self.version() == before))
    }

    /// The graph in memory, if it is of that state.
    pub(crate) fn graph(&self, version: Version) -> Option<Arc<Snapshot>> {
        self.lock_unpoisoned().memory.graph(version).cloned()
    }

    /// Lets go what is kept between questions, what is asked for least first, until the process is not near its ceiling
    /// any more. All of it is made again when it is wanted. False where the process was not near it.
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

    /// Before an update: what only questions need goes where it takes a share that the update may want.
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

    /// Whether the database is as this user's programs left it: compared again only where its files have changed.
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

    /// The state of the database now.
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
            // The next one asks through another connection.
            state.sentinel = None;
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
        self.lock_unpoisoned().jobs.preparing
    }

    /// Starts to prepare for the next question, unless that is being done.
    pub(crate) fn prepare_in_background(self: &Arc<ResidentState>) {
        let live = self.clone();
        let work = move || {
            let _done = JobDone(&live, |jobs| &mut jobs.preparing);
            let checked = live.check_freshness();
            if let Err(error) = checked {
                live.progress
                    .detail(format_args!("not ready for the next question: {error}"));
            }
        };
        self.start_job("snapshot", |jobs| &mut jobs.preparing, work);
    }

    /// Walks the tree where that has not been done for long. Where the walk finds what the watch has not told of, the next
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

    /// Finds out whether files and index agree while a watch is on, then reads the graph.
    fn check_freshness(&self) -> Result<(), String> {
        let (version, store) = self.compare_with_disk()?;
        self.read_graph(version, &store)?;
        self.return_connection(store);
        Ok(())
    }

    /// Finds out whether files and index agree while a watch is on.
    fn compare_with_disk(&self) -> Result<(Version, SqliteStore), String> {
        let version = self.version().ok_or("no database")?;
        let store = self.take_connection().ok_or("no database")?;
        if is_manual_graph(&store).map_err(|e| e.to_string())? {
            self.lock_unpoisoned().fresh = Some(FreshState {
                version,
                watched: None,
                index: IndexInfo::stale(None, None, BY_HAND),
                since: Instant::now(),
            });
        } else if let Some(watch) = self.watcher() {
            let changes = watch
                .wait_until_settled(BACKGROUND_WATCHER_TIMEOUT)
                .ok_or("files move")?;
            let scip = self.inputs.scip_stamp();
            let options = self.inputs.options_for_store(Some(&store));
            let mut freshness =
                ingest::check_store_freshness(&store, &options).map_err(|e| e.to_string())?;
            if !watch.add_linked(std::mem::take(&mut freshness.linked)) {
                self.give_watcher_up("too many files are hard links");
                return Err("the watch does not hear of hard links".to_owned());
            }
            if !freshness.is_fresh() {
                if !(freshness.changed.is_empty() && freshness.removed.is_empty()) {
                    self.verify_watcher(&watch, changes, version);
                }
                return Err("files have changed".to_owned());
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

    /// Files have changed: a watch that still says what it said when they agreed does not hear of
    /// everything (a file system of another machine, for one), and is not trusted again.
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
        // A change can be seen on disk a moment before the system tells of it.
        std::thread::sleep(WATCHER_DELAY);
        if said_nothing() && watch.wait_until_settled(BACKGROUND_WATCHER_TIMEOUT) == Some(changes) {
            self.give_watcher_up("the watch misses changes");
        }
    }

    /// No watch is used any more.
    fn give_watcher_up(&self, why: &str) {
        let mut state = self.lock_unpoisoned();
        state.fresh = None;
        state.watcher = Watcher::Unusable;
        drop(state);
        self.progress
            .detail(format_args!("{why}: every question walks the tree"));
    }

    fn read_graph(&self, version: Version, store: &SqliteStore) -> Result<(), String> {
        if self.graph(version).is_some() {
            return Ok(());
        }
        let ceiling = self.inputs.memory_ceiling();
        if let Some(bytes) = too_large(store, ceiling).map_err(|e| e.to_string())? {
            self.lock_unpoisoned().memory = Memory::TooLarge(version);
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
        self.lock_unpoisoned().memory = Memory::Loaded(version, Arc::new(graph));
        Ok(())
    }

    /// A watch that stands, started where there is none; none where the system has none to give.
    fn watcher(&self) -> Option<Arc<Watch>> {
        let mut state = self.lock_with_watcher();
        match &state.watcher {
            Watcher::On(watch) if watch.change_count().is_some() => return Some(watch.clone()),
            Watcher::Unusable => return None,
            Watcher::Off | Watcher::Starting | Watcher::On(_) => {}
        }
        // The old one's watches go before the new one's come.
        state.fresh = None;
        let old = std::mem::replace(&mut state.watcher, Watcher::Starting);
        drop(state);
        drop(old);
        let starting = StartWatcher {
            live: self,
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

/// A watch is being set up. Others wait for it, so that whatever happens they are told.
struct StartWatcher<'a> {
    live: &'a ResidentState,
    now: Watcher,
}

impl StartWatcher<'_> {
    fn start(mut self) -> Option<Arc<Watch>> {
        self.now = self.live.start_watcher();
        self.now.watch().cloned()
    }
}

impl Drop for StartWatcher<'_> {
    fn drop(&mut self) {
        self.live.lock_unpoisoned().watcher = std::mem::take(&mut self.now);
        self.live.watcher_started.notify_all();
    }
}

/// An update is being made. One that fails leaves changes that nobody is told of again.
struct StopUpdate<'a>(&'a ResidentState);

impl Drop for StopUpdate<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock_unpoisoned();
        if let Updates::Running = state.updates {
            state.updates = Updates::Unfollowed;
        }
    }
}

/// Notes that a job is done, whatever happens.
struct JobDone<'a>(&'a ResidentState, Job);

impl Drop for JobDone<'_> {
    fn drop(&mut self) {
        *(self.1)(&mut self.0.lock_unpoisoned().jobs) = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CallChainAnswer, Engine, Settings};
    use serde_json::json;
    use testkit::Repo;

    const PROJECT: &str =
        "== a.py\nfrom b import work\n\ndef start():\n    work()\n== b.py\ndef work():\n    pass\n";

    fn callers(engine: &Engine) -> CallChainAnswer {
        let request = json!({"symbol": "work", "depth": 1});
        engine
            .call_chain(&serde_json::from_value(request).unwrap())
            .unwrap()
    }

    /// Asks until a watch vouches for the answer.
    fn settle(engine: &Engine) {
        let since = Instant::now();
        while !callers(engine).index.watched {
            assert!(
                since.elapsed() < Duration::from_secs(20),
                "the watch never stood"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    #[cfg_attr(not(unix), ignore = "hard links leave no trace there")]
    #[test]
    fn a_watch_that_was_not_looked_after_for_long_is_not_believed() {
        let repo = Repo::new(PROJECT);
        let outside = tempfile::tempdir().unwrap();
        let mut settings = Settings::with_start(repo.path());
        settings.long_running = true;
        let engine = Engine::open(settings, Box::new(())).unwrap();
        settle(&engine);
        // The second name is younger than the watch, which does not know of it.
        let other = outside.path().join("a");
        std::fs::hard_link(repo.file_path("a.py"), &other).unwrap();
        let text = std::fs::read_to_string(&other).unwrap();
        std::fs::write(&other, text.replace("start", "begin")).unwrap();
        let live = engine.workspace().live().unwrap();
        let long_ago = Instant::now().checked_sub(LONGEST_UNCHECKED * 2).unwrap();
        live.lock_unpoisoned().fresh.as_mut().unwrap().since = long_ago;
        let answer = serde_json::to_string(&callers(&engine)).unwrap();
        assert!(
            answer.contains("begin") && !answer.contains("start"),
            "{answer}"
        );
        assert!(matches!(live.lock_unpoisoned().watcher, Watcher::Unusable));
    }
}
