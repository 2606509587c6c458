//! An opened project and its operations.

use crate::embedder::EmbedderChoice;
use crate::heat::{Heat, HeatCache, HeatKey};
use crate::inputs::Inputs;
use crate::live::Live;
use crate::open::Open;
use crate::ops::impact::call_sites::CallSites;
use crate::ops::{
    arch_check, bug_locate, call_chain, delta, graph_rag, graph_store, hotspot, impact, index,
    pattern, scip, search,
};
use crate::project::Project;
use crate::snippet::Source;
use crate::{
    ArchCheckAnswer, ArchCheckRequest, AstDeltaAnswer, AstDeltaRequest, BugLocateAnswer,
    BugLocateRequest, CallChainAnswer, CallChainRequest, Config, EngineError, GraphRagAnswer,
    GraphRagRequest, GraphStoreAnswer, GraphStoreRequest, HotspotAnswer, HotspotRequest,
    ImpactAnswer, ImpactRequest, IndexAnswer, IndexInfo, IndexRequest, PatternAnswer,
    PatternRequest, Progress, ScipAnswer, ScipRequest, SearchAnswer, SearchRequest, Settings,
    StatusAnswer,
};
use ::search::index::Index;
use ingest::walk::FoundText;
use ingest::{Cancel, DeltaAsk, DeltaReport, Follow, IndexOptions, IngestError, Residence};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use store::{GraphStore, SqliteStore, StoreError};

/// Metadata that the indexer leaves.
const INDEXED_AT: &str = "indexed_at";
const COMMIT: &str = "commit";

/// What is said of files whose lines an answer names.
const CHANGED: &str = "changed during the question";

/// A walk this long ago was made for the question that is being answered.
const SAME_QUESTION: Duration = Duration::from_millis(250);

/// Said of a graph that no indexer made.
pub(crate) const BY_HAND: &str =
    "this graph was written by hand; `knotwork index` adds the project's files to it";

/// A project that can be asked.
///
/// Questions bring the index up to date first: they build it where there is none, and read changed
/// files again. A graph that was put in by hand is left as it is.
pub struct Engine {
    inputs: Arc<Inputs>,
    progress: Arc<dyn Progress + Send>,
    /// One update at a time within this process.
    update_lock: Arc<Mutex<()>>,
    /// For a process that answers many questions.
    live: Option<Arc<Live>>,
    /// How hot files were when that was asked last.
    heat: Arc<Mutex<HeatCache>>,
    /// Calls of files that were asked about.
    calls: Arc<CallSites>,
    /// Files as a walk found them that has just been made.
    recent_walk: Mutex<Option<(Instant, Vec<FoundText>)>>,
    /// Who makes vectors.
    embedder_choice: Arc<OnceLock<EmbedderChoice>>,
    /// What was mended and not yet told.
    pub(crate) repair_notes: Arc<Mutex<Vec<String>>>,
    /// Whether anybody waits for the answer still.
    cancel: Cancel,
}

impl Engine {
    /// Finds the project around `settings.start`. Reads and writes nothing else yet.
    pub fn open(
        settings: Settings,
        progress: Box<dyn Progress + Send>,
    ) -> Result<Engine, EngineError> {
        let progress: Arc<dyn Progress + Send> = Arc::from(progress);
        let inputs = Arc::new(Inputs::find(settings)?);
        let notes = inputs.settings.notes.iter().chain(&inputs.project.note);
        for note in notes {
            progress.warning(format_args!("{note}"));
        }
        for warning in inputs.config.warnings() {
            progress.warning(format_args!("{warning}"));
        }
        let long_running = inputs.settings.long_running;
        Ok(Engine {
            live: long_running.then(|| Arc::new(Live::new(inputs.clone(), progress.clone()))),
            inputs,
            progress,
            update_lock: Arc::default(),
            heat: Arc::default(),
            calls: Arc::default(),
            recent_walk: Mutex::default(),
            embedder_choice: Arc::default(),
            repair_notes: Arc::default(),
            cancel: Cancel::default(),
        })
    }

    /// The same project, asked by somebody who stands in another of its folders: paths are taken relative to that.
    /// What is kept between questions is shared.
    pub fn with_current_dir(&self, folder: &Path) -> Result<Engine, EngineError> {
        let mut inputs = Arc::clone(&self.inputs);
        if folder != self.project().start {
            let start = folder
                .canonicalize()
                .unwrap_or_else(|_| folder.to_path_buf());
            if !start.starts_with(self.root()) {
                let message = format!("outside the project: {}", folder.display());
                return Err(EngineError::bad(message));
            }
            Arc::make_mut(&mut inputs).project.start = start;
        }
        Ok(self.share_with(inputs, &self.cancel))
    }

    /// The same project, for a question that somebody may want no more before it is answered: it then ends at its next
    /// step. What is kept between questions is shared.
    pub fn with_cancel(&self, cancel: &Cancel) -> Engine {
        self.share_with(self.inputs.clone(), cancel)
    }

    fn share_with(&self, inputs: Arc<Inputs>, cancel: &Cancel) -> Engine {
        Engine {
            inputs,
            progress: self.progress.clone(),
            update_lock: self.update_lock.clone(),
            live: self.live.clone(),
            heat: self.heat.clone(),
            calls: self.calls.clone(),
            recent_walk: Mutex::default(),
            embedder_choice: self.embedder_choice.clone(),
            repair_notes: self.repair_notes.clone(),
            cancel: cancel.clone(),
        }
    }

    /// Says whether anybody still waits for the answer, for what works long.
    pub(crate) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Whether nobody waits for the answer any more.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_set()
    }

    /// An error where nobody waits for the answer any more.
    pub(crate) fn check_cancelled(&self) -> Result<(), EngineError> {
        if self.cancel.is_set() {
            Err(EngineError::failure(
                "cancelled: nobody waits for the answer",
            ))
        } else {
            Ok(())
        }
    }

    /// Whether a file of the configuration is another one than when the project was opened.
    pub fn configuration_changed(&self) -> bool {
        self.inputs.configuration_changed()
    }

    /// The project's root.
    pub fn root(&self) -> &Path {
        &self.project().root
    }

    /// The graph's database.
    pub fn database(&self) -> &Path {
        &self.project().db_path
    }

    /// The configuration, as it was when the project was opened.
    pub fn config(&self) -> &Config {
        &self.inputs.config
    }

    /// Builds the index or brings it up to date.
    pub fn index(&self, request: &IndexRequest) -> Result<IndexAnswer, EngineError> {
        self.with_repair(|| index::run(self, request))
    }

    /// How the index stands; changes nothing.
    pub fn index_status(&self) -> Result<StatusAnswer, EngineError> {
        index::status(self)
    }

    /// Removes the index; gives the files removed.
    pub fn index_clear(&self) -> Result<Vec<String>, EngineError> {
        index::clear(self)
    }

    /// An operation on the graph store itself.
    pub fn graph_store(
        &self,
        request: &GraphStoreRequest,
    ) -> Result<GraphStoreAnswer, EngineError> {
        self.with_repair(|| graph_store::run(self, request))
    }

    /// Writes the whole graph as JSON, or one record a line.
    pub fn export(&self, out: &mut dyn std::io::Write, lines: bool) -> Result<(), EngineError> {
        let asked = ingest::walk::file_id(&self.project().db_path);
        let open = self.with_repair(|| self.open_for_store_operation())?;
        let Err(error) = open.store.export(out, lines) else {
            return Ok(());
        };
        // A part has been written: it cannot be begun again here.
        let error = EngineError::from(error);
        if error.fault.is_some() {
            self.repair(error.clone(), asked)?;
        }
        Err(error.hint("run it again"))
    }

    /// Imports a SCIP index.
    pub fn scip_parse(&self, request: &ScipRequest) -> Result<ScipAnswer, EngineError> {
        self.with_repair(|| scip::run(self, request))
    }

    /// Finds symbols by name.
    pub fn search(&self, request: &SearchRequest) -> Result<SearchAnswer, EngineError> {
        self.with_repair(|| search::run(self, request))
    }

    /// The source that answers a question, within a budget of tokens.
    pub fn graph_rag(&self, request: &GraphRagRequest) -> Result<GraphRagAnswer, EngineError> {
        self.with_repair(|| graph_rag::run(self, request))
    }

    /// Follows calls from a symbol.
    pub fn call_chain(&self, request: &CallChainRequest) -> Result<CallChainAnswer, EngineError> {
        self.with_repair(|| call_chain::run(self, request))
    }

    /// What a change may affect.
    pub fn impact(&self, request: &ImpactRequest) -> Result<ImpactAnswer, EngineError> {
        self.with_repair(|| impact::run(self, request))
    }

    /// What this code does nearly always, and where it does otherwise.
    pub fn pattern(&self, request: &PatternRequest) -> Result<PatternAnswer, EngineError> {
        self.with_repair(|| pattern::run(self, request))
    }

    /// Cycles, layer rules and symbols without a user.
    pub fn arch_check(&self, request: &ArchCheckRequest) -> Result<ArchCheckAnswer, EngineError> {
        self.with_repair(|| arch_check::run(self, request))
    }

    /// Where the bug behind an error or a report may be.
    pub fn bug_locate(&self, request: &BugLocateRequest) -> Result<BugLocateAnswer, EngineError> {
        self.with_repair(|| bug_locate::run(self, request))
    }

    pub(crate) fn embedder_cell(&self) -> &OnceLock<EmbedderChoice> {
        &self.embedder_choice
    }

    /// One update at a time.
    pub(crate) fn lock_updates(&self) -> MutexGuard<'_, ()> {
        self.update_lock
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn live(&self) -> Option<&Arc<Live>> {
        self.live.as_ref()
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.inputs.settings
    }

    /// Files that change often and are complex.
    pub fn hotspots(&self, request: &HotspotRequest) -> Result<HotspotAnswer, EngineError> {
        self.with_repair(|| hotspot::run(self, request))
    }

    /// What [`crate::heat::heat`] found last, if it still holds.
    pub(crate) fn cached_heat(&self, key: &HeatKey) -> Option<Arc<Heat>> {
        let kept = self.heat.lock().unwrap_or_else(PoisonError::into_inner);
        let (of, heat) = kept.as_ref()?;
        (of == key).then(|| heat.clone())
    }

    pub(crate) fn cache_heat(&self, key: HeatKey, heat: Arc<Heat>) {
        *self.heat.lock().unwrap_or_else(PoisonError::into_inner) = Some((key, heat));
    }

    /// Calls of files, where they are kept: in a process that answers many questions.
    pub(crate) fn call_sites(&self) -> Option<&Arc<CallSites>> {
        self.live.is_some().then_some(&self.calls)
    }

    /// What the project was opened with.
    pub(crate) fn inputs(&self) -> Arc<Inputs> {
        self.inputs.clone()
    }

    pub(crate) fn project(&self) -> &Project {
        &self.inputs.project
    }

    pub(crate) fn progress(&self) -> &dyn Progress {
        &*self.progress
    }

    /// How long to wait for another process that writes.
    pub(crate) fn writer_lock_timeout(&self) -> Duration {
        Duration::from_secs(3)
    }

    pub(crate) fn options(&self) -> IndexOptions {
        IndexOptions {
            cancel: self.cancel.clone(),
            ..self.inputs.options()
        }
    }

    pub(crate) fn scip_path(&self) -> Option<PathBuf> {
        self.inputs.scip_path()
    }

    pub(crate) fn indexed_at(&self, store: &SqliteStore) -> Result<Option<u64>, EngineError> {
        indexed_at(store)
    }

    /// The store, with every changed file read again; where another process writes, or nothing can
    /// be written here, the last state, and the answer says so.
    pub(crate) fn open_current(&self) -> Result<Open, EngineError> {
        let ready = || self.live.as_ref().and_then(|live| live.open_if_unchanged());
        if let Some(open) = ready() {
            return Ok(open);
        }
        self.check_cancelled()?;
        let _turn = self.lock_updates();
        self.check_cancelled()?;
        // Another thread may have done it while this one waited for its turn.
        if let Some(open) = ready() {
            return Ok(open);
        }
        let (store, mut index) = self.update_and_open()?;
        self.report_repairs(&mut index);
        self.check_cancelled()?;
        let open = self.open_at_snapshot(store, index)?;
        if let Some(live) = &self.live {
            live.prepare_in_background();
        }
        Ok(open)
    }

    /// A store from whose state now a question is answered.
    pub(crate) fn open_at_snapshot(
        &self,
        store: SqliteStore,
        index: IndexInfo,
    ) -> Result<Open, EngineError> {
        let state = match &self.live {
            Some(live) => live.begin_read(&store)?,
            None => {
                store.hold()?;
                None
            }
        };
        let live = self.live.as_ref().zip(state);
        Ok(Open {
            store,
            state,
            memory: live.and_then(|(live, state)| live.graph(state)),
            index,
            watcher_settled: false,
        })
    }

    /// Brings the index up to date after files changed.
    pub fn ast_delta(&self, request: &AstDeltaRequest) -> Result<AstDeltaAnswer, EngineError> {
        self.with_repair(|| delta::run(self, request))
    }

    /// Brings the index up to date; the content of the files named is compared whatever their times say.
    pub(crate) fn update_files(
        &self,
        paths: &[String],
        with_chunks: bool,
        force: bool,
    ) -> Result<DeltaReport, EngineError> {
        let _turn = self.lock_updates();
        self.check_cancelled()?;
        let mut options = self.options();
        options.force = force;
        if options.db_path.exists() {
            options.wait = self.writer_lock_timeout();
        }
        self.run_delta(&options, paths, with_chunks)
    }

    fn run_delta(
        &self,
        options: &IndexOptions,
        paths: &[String],
        with_chunks: bool,
    ) -> Result<DeltaReport, EngineError> {
        if let Some(live) = &self.live {
            return Ok(live.update(options, paths, with_chunks)?);
        }
        let ask = DeltaAsk {
            paths,
            only_these: false,
            chunks: if with_chunks {
                Follow::All
            } else {
                Follow::Nothing
            },
        };
        let residence = Residence::default();
        Ok(ingest::delta(options, &residence, ask, self.progress())?)
    }

    /// When the index was last written.
    pub(crate) fn indexed_at_now(&self) -> Option<u64> {
        if let Some(live) = &self.live {
            return live.indexed_at();
        }
        let store = SqliteStore::open_read_only(&self.project().db_path).ok()?;
        indexed_at(&store).ok().flatten()
    }

    /// Whether the index has a file of that path.
    pub(crate) fn is_file_indexed(&self, path: &str) -> bool {
        let store = SqliteStore::open_read_only(&self.project().db_path);
        store.is_ok_and(|store| store.find_file(path).is_ok_and(|nodes| !nodes.is_empty()))
    }

    /// The chunks, with every changed file read again, and what should be said of them. Where they cannot be
    /// brought up to date, the last state. `watcher_settled` where the question at hand has asked the watch already.
    pub(crate) fn chunks(
        &self,
        watcher_settled: bool,
    ) -> Result<(Arc<Index>, Option<String>), EngineError> {
        self.check_cancelled()?;
        let before = match self.live.as_ref().map(|live| live.chunks(watcher_settled)) {
            Some(Ok(index)) => return Ok((index, None)),
            Some(Err(before)) => before,
            None => None,
        };
        let mut options = self.options();
        let folder = ingest::chunks_folder(&options);
        if !folder.exists() && !self.config().embedding().auto_build {
            let message = "there is no search index, and embedding.auto_build is off";
            return Err(EngineError::missing(message).hint("build it with `knotwork index`"));
        }
        if folder.exists() {
            options.wait = self.writer_lock_timeout();
        }
        // One walk serves graph and chunks. With a watch, only a walk after what it said counts.
        let walked = self.take_recent_walk().filter(|_| before.is_none());
        let updated = match walked {
            Some(found) => ingest::update_chunks_of(&options, found, self.progress()),
            None => ingest::update_chunks(&options, self.progress()),
        };
        match updated {
            Ok((index, report)) => {
                let index = Arc::new(index);
                if let (Some(live), Some(before)) = (&self.live, before) {
                    live.cache_chunks(before, &index);
                }
                // The answer is what it would have been, so that it is no fallback: its state of the index says it.
                if let Some(why) = report.rebuilt {
                    self.record_repair(format!("{why}; it was rebuilt"));
                }
                Ok((index, None))
            }
            Err(IngestError::Cancelled) => {
                self.check_cancelled()?;
                Err(IngestError::Cancelled.into())
            }
            Err(error) => match Index::open(&folder) {
                Ok(index) => Ok((
                    Arc::new(index),
                    Some(format!("answered from the last index: {error}")),
                )),
                Err(_) => Err(error.into()),
            },
        }
    }

    /// How central files are.
    pub(crate) fn prior(&self, open: &Open) -> Result<Arc<search::Prior>, EngineError> {
        match &self.live {
            Some(live) => live.prior(open),
            None => Ok(Arc::new(search::Prior::load(&open.store)?)),
        }
    }

    /// Ends a question; gives the state of the index to answer with.
    pub(crate) fn finish(&self, open: Open) -> IndexInfo {
        if let Some(live) = &self.live {
            live.return_connection(open.store);
            if live.free_memory_near_ceiling() {
                *self.heat.lock().unwrap_or_else(PoisonError::into_inner) = None;
                self.calls.clear();
            }
        }
        let mut index = open.index;
        self.report_repairs(&mut index);
        index
    }

    /// Answers a question whose answer names lines of files without reading them. Where such a file went or changed
    /// meanwhile, it is asked once more; what changes again, the answer's state of the index says.
    pub(crate) fn answer_with_file_check<T>(
        &self,
        ask: impl Fn(&Open) -> Result<T, EngineError>,
        named: impl for<'t> Fn(&'t T) -> BTreeSet<&'t str>,
    ) -> Result<(T, IndexInfo), EngineError> {
        let mut open = self.open_current()?;
        let mut answer = ask(&open)?;
        let mut moved = self.changed_files(&open, &named(&answer))?;
        if !moved.is_empty() {
            self.finish(open);
            open = self.open_current()?;
            answer = ask(&open)?;
            moved = self.changed_files(&open, &named(&answer))?;
        }
        let mut index = self.finish(open);
        index.moved(CHANGED, &moved);
        Ok((answer, index))
    }

    /// The files that are not as the graph has them. A last state says for itself that it is one; so does what was put
    /// in by hand.
    fn changed_files(
        &self,
        open: &Open,
        paths: &BTreeSet<&str>,
    ) -> Result<BTreeSet<String>, EngineError> {
        let mut moved = BTreeSet::new();
        for path in paths {
            if open.index.fresh && !path.is_empty() && !self.matches_index(open, path)? {
                moved.insert((*path).to_owned());
            }
        }
        Ok(moved)
    }

    fn matches_index(&self, open: &Open, path: &str) -> Result<bool, EngineError> {
        let stamp = ingest::walk::file_stamp(&self.root().join(path));
        let known = open.memory.as_ref().and_then(|m| m.file_stamp(path));
        if stamp.is_some() && stamp == known {
            return Ok(true);
        }
        let Some(record) = open.store.file(path)? else {
            return Ok(true);
        };
        if stamp == Some((record.size, record.stat)) {
            return Ok(true);
        }
        let source = Source::read(self.project(), path);
        Ok(source.is_some_and(|source| source.is(&record)))
    }

    fn store_walk(&self, found: Vec<FoundText>) {
        let mut kept = self
            .recent_walk
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *kept = Some((Instant::now(), found));
    }

    /// What a walk for the same question found; once.
    fn take_recent_walk(&self) -> Option<Vec<FoundText>> {
        let mut kept = self
            .recent_walk
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let (since, found) = kept.take()?;
        (since.elapsed() < SAME_QUESTION).then_some(found)
    }

    /// Walks the tree. Only where something changed is anything opened for writing.
    fn update_and_open(&self) -> Result<(SqliteStore, IndexInfo), EngineError> {
        let db_path = &self.project().db_path;
        let store = SqliteStore::open_read_only(db_path).ok();
        let mut options = self.inputs.options_on(store.as_ref());
        options.cancel = self.cancel.clone();
        let follows = self
            .live
            .as_ref()
            .is_some_and(|live| live.is_following_changes());
        if let Some(store) = store.filter(|_| !follows) {
            if is_manual_graph(&store)? {
                return Ok((store, IndexInfo::stale(None, None, BY_HAND)));
            }
            match ingest::check_store(&store, &options) {
                Ok(mut freshness) if freshness.is_fresh() => {
                    self.store_walk(std::mem::take(&mut freshness.texts));
                    self.progress
                        .detail(format_args!("no file changed since the last index run"));
                    return Ok((store, IndexInfo::fresh(freshness)));
                }
                Ok(freshness) => self.progress.detail(format_args!(
                    "changed: {:?}, gone: {:?}, built with the same versions and manifests: {}",
                    freshness.changed, freshness.removed, freshness.same_inputs
                )),
                Err(error) => self.progress.detail(format_args!("{error}")),
            }
        }
        // Where there is a last state to answer from, nobody waits long for a better one.
        if db_path.exists() {
            options.wait = self.writer_lock_timeout();
        }
        let prepared = self.project().prepare_state();
        let updated = prepared.and_then(|()| self.run_delta(&options, &[], false));
        match updated {
            Ok(report) => {
                let store = SqliteStore::open_read_only(db_path)?;
                let index = IndexInfo::from_report(report, indexed_at(&store)?);
                Ok((store, index))
            }
            Err(error) => self.open_outdated(error),
        }
    }

    fn open_outdated(&self, error: EngineError) -> Result<(SqliteStore, IndexInfo), EngineError> {
        // A damaged database is no state to answer from.
        if error.fault.is_some() {
            return Err(error);
        }
        let Ok(store) = SqliteStore::open_read_only(&self.project().db_path) else {
            return Err(error);
        };
        let indexed_at = self.indexed_at(&store)?;
        // Half a first build is no state to answer from.
        if indexed_at.is_none() {
            return Err(error);
        }
        let index = IndexInfo::stale(
            store.metadata(COMMIT)?.filter(|c| !c.is_empty()),
            indexed_at,
            &format!("answered from the last index: {error}"),
        );
        Ok((store, index))
    }

    /// For operations on the store itself: an old schema is upgraded, and a database that the caller
    /// named is not made where it is missing.
    pub(crate) fn open_for_store_operation(&self) -> Result<Open, EngineError> {
        if let Some(open) = self.live.as_ref().and_then(|live| live.open_if_unchanged()) {
            return Ok(open);
        }
        match SqliteStore::open_read_only(&self.project().db_path) {
            Err(error @ StoreError::Missing(_)) if self.project().db_is_given => {
                Err(EngineError::from(error).hint("create it with `knotwork graph-store init`"))
            }
            // Made with `init` and still empty.
            Ok(store) if indexed_at(&store)?.is_none() => {
                self.open_at_snapshot(store, IndexInfo::stale(None, None, BY_HAND))
            }
            Err(StoreError::Schema { .. }) => {
                drop(SqliteStore::open_writer(
                    &self.project().db_path,
                    self.writer_lock_timeout(),
                )?);
                self.open_current()
            }
            Ok(_) | Err(StoreError::Missing(_) | StoreError::Unvouched(_)) => self.open_current(),
            Err(other) => Err(other.into()),
        }
    }

    /// The store for writing by hand, made where it is missing.
    pub(crate) fn open_for_writing(&self) -> Result<SqliteStore, EngineError> {
        if !self.project().db_is_given {
            self.project().prepare_state()?;
        }
        Ok(SqliteStore::open_writer(
            &self.project().db_path,
            self.writer_lock_timeout(),
        )?)
    }
}

fn indexed_at(store: &SqliteStore) -> Result<Option<u64>, EngineError> {
    let text = store.metadata(INDEXED_AT)?;
    Ok(text.and_then(|text| text.parse().ok()))
}

/// Whether the store holds nodes and no indexer ever wrote to it.
pub(crate) fn is_manual_graph(store: &SqliteStore) -> Result<bool, EngineError> {
    Ok(indexed_at(store)?.is_none() && store.has_nodes()?)
}

impl From<IngestError> for EngineError {
    fn from(error: IngestError) -> EngineError {
        match error {
            IngestError::Store(error) => error.into(),
            other => EngineError::failure(other.to_string()),
        }
    }
}
