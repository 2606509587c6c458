//! One question: a snapshot of the store, the configuration, the time, and the means to cancel it.
//!
//! [`Workspace::ask`] is the only loop around questions. It opens the state and returns the connection afterwards. It asks again
//! if files changed during the answer or if the database turned out to be damaged.

use crate::config::Config;
use crate::damaged::DamagedFiles;
use crate::embedder::SearchIndex;
use crate::error::ErrorKind;
use crate::graph_state::GraphState;
use crate::heat::{self, Heat};
use crate::memory::WorkingSet;
use crate::prior::{Prior, SearchView};
use crate::project::Project;
use crate::question_store::QuestionStore;
use crate::snippet::FileSnapshot;
use crate::workspace::Workspace;
use crate::{EngineError, IndexInfo, memory, update};
use analysis::{CancellableGraph, Graph};
use base::Language;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::SystemTime;
use store::{GraphStore, Names, Snapshot, SqliteStore};

/// Note on files whose lines an answer names.
const CHANGED: &str = "changed during the question";

/// The most files that one search checks against the project's rules.
const MOST_RANKED: usize = 2_000;

/// Note on files whose results are missing.
const LEFT_OUT: &str = "left out because they changed during the search";

/// Files that differ from the index, and the note on them.
#[derive(Default)]
struct MovedFiles {
    note: &'static str,
    paths: BTreeSet<String>,
}

/// One question to a workspace.
pub(crate) struct Session<'w> {
    workspace: &'w Workspace,
    /// The state that the question is answered from.
    pub state: GraphState,
    /// The time of the question.
    now: SystemTime,
    moved: RefCell<MovedFiles>,
    /// Notes for the answer.
    notes: RefCell<Vec<String>>,
}

impl<'w> Session<'w> {
    pub(crate) fn new(workspace: &'w Workspace, state: GraphState) -> Session<'w> {
        Session {
            workspace,
            state,
            now: SystemTime::now(),
            moved: RefCell::default(),
            notes: RefCell::default(),
        }
    }

    pub(crate) fn workspace(&self) -> &'w Workspace {
        self.workspace
    }

    pub(crate) fn project(&self) -> &'w Project {
        self.workspace.project()
    }

    pub(crate) fn config(&self) -> &'w Config {
        self.workspace.config()
    }

    /// The time of the question.
    pub(crate) fn now(&self) -> SystemTime {
        self.now
    }

    /// An error where the question is cancelled.
    pub(crate) fn check_cancelled(&self) -> Result<(), EngineError> {
        self.workspace.check_cancelled()
    }

    pub(crate) fn store(&self) -> &dyn GraphStore {
        &*self.state.store
    }

    /// The project's own database; an error where the question is answered from a shared store.
    pub(crate) fn local_store(&self) -> Result<&SqliteStore, EngineError> {
        self.state.store.local()
    }

    /// Whether the question is answered from a shared store, whose files need not be those of the project.
    pub(crate) fn is_shared(&self) -> bool {
        self.state.store.is_shared()
    }

    /// The source for looking up names.
    /// The language of a file of the graph: by its name, or as it was read if it has no ending.
    pub(crate) fn language(&self, path: &str) -> Result<Option<Language>, EngineError> {
        if !Language::may_be_script(path) {
            return Ok(Language::from_path(path));
        }
        let record = self.store().indexed_file(path)?;
        Ok(record.and_then(|record| Language::from_name(&record.language)))
    }

    pub(crate) fn names(&self) -> &dyn Names {
        self.state.names()
    }

    /// Whether every file was as indexed when the question began.
    pub(crate) fn is_fresh(&self) -> bool {
        self.state.index.fresh
    }

    /// Runs an analysis on the nodes with these ids. It ends at its next step where the question is cancelled.
    pub(crate) fn on_graph<T>(
        &self,
        ids: &[String],
        run: impl FnOnce(&dyn Graph, &[u32]) -> Result<T, analysis::AnalysisError>,
    ) -> Result<T, EngineError> {
        let cancel = self.workspace.cancel();
        self.state.on_graph(ids, |graph, keys| {
            run(&CancellableGraph::new(graph, cancel), keys)
        })
    }

    /// The whole graph in memory, where it fits below the ceiling.
    pub(crate) fn graph(&self) -> Result<Arc<Snapshot>, EngineError> {
        self.graph_for(WorkingSet::default())
    }

    /// The whole graph in memory, where it and the work on it fit below the ceiling.
    pub(crate) fn graph_for(&self, work: WorkingSet) -> Result<Arc<Snapshot>, EngineError> {
        let ceiling = self.workspace.inputs().memory_ceiling();
        memory::check_graph_fits(&self.state, ceiling, work)?;
        if let Some(graph) = &self.state.memory {
            return Ok(graph.clone());
        }
        let read = || -> Result<Snapshot, EngineError> { Ok(self.local_store()?.snapshot()?) };
        match (self.workspace.resident(), self.state.version) {
            (Some(resident), Some(version)) => resident.graph_or_read(version, read),
            _ => Ok(Arc::new(read()?)),
        }
    }

    /// The most rows that an answer may list below the ceiling, each of which takes so many bytes.
    pub(crate) fn rows_that_fit(&self, bytes_each: u64) -> usize {
        memory::rows_that_fit(self.workspace.inputs().memory_ceiling(), bytes_each)
    }

    /// The chunks to search and the model for queries.
    pub(crate) fn search_index(&self) -> Result<SearchIndex, EngineError> {
        update::search_index(self.workspace, self.state.watcher_settled)
    }

    /// The prior of each file.
    pub(crate) fn prior(&self) -> Result<Arc<Prior>, EngineError> {
        match self.workspace.resident() {
            Some(resident) => resident.prior(&self.state),
            None => Ok(Arc::new(Prior::load(self.local_store()?)?)),
        }
    }

    /// Facts about the project for ranking.
    pub(crate) fn project_view(&self) -> Result<SearchView<'w>, EngineError> {
        let note = |note| self.workspace.record_repair(note);
        let cache = &self.workspace.shared().file_role_rules;
        Ok(SearchView {
            prior: self.prior()?,
            rules: cache.rules(self.project(), MOST_RANKED, &note),
            project: self.project(),
        })
    }

    /// The heat of each file.
    pub(crate) fn heat(&self) -> Result<Arc<Heat>, EngineError> {
        heat::load_heat(self.workspace, self.local_store()?)
    }

    /// Notes files that were removed or changed meanwhile, for an answer that names their lines without reading them. A state
    /// that is not fresh or was written by hand gets no such note: its answer says so itself.
    pub(crate) fn check_files(&self, paths: &BTreeSet<&str>) -> Result<(), EngineError> {
        let mut changed = BTreeSet::new();
        for path in paths {
            if self.is_fresh() && !path.is_empty() && !self.matches_index(path)? {
                changed.insert((*path).to_owned());
            }
        }
        self.note_moved(CHANGED, changed);
        Ok(())
    }

    /// Adds a note to the answer, once.
    pub(crate) fn note(&self, line: String) {
        let mut notes = self.notes.borrow_mut();
        if !notes.contains(&line) {
            notes.push(line);
        }
    }

    /// Files with syntax errors, in the state of this question.
    pub(crate) fn damaged_files(&self) -> Result<Arc<DamagedFiles>, EngineError> {
        if self.is_shared() {
            return Ok(Arc::default());
        }
        match self.workspace.resident() {
            Some(resident) => resident.damaged_files(&self.state, self.project()),
            None => {
                let damaged = DamagedFiles::load(self.local_store()?, self.project())?;
                Ok(Arc::new(damaged))
            }
        }
    }

    /// Whether the watcher has reported everything that happened to the files before the question.
    pub(crate) fn watcher_settled(&self) -> bool {
        self.state.watcher_settled
    }

    /// Notes the files that an answer left out because they differ from the index.
    pub(crate) fn note_left_out(&self, paths: BTreeSet<String>) {
        self.note_moved(LEFT_OUT, paths);
    }

    fn note_moved(&self, note: &'static str, paths: BTreeSet<String>) {
        *self.moved.borrow_mut() = MovedFiles { note, paths };
    }

    fn matches_index(&self, path: &str) -> Result<bool, EngineError> {
        let stamp = ingest::walk::file_stamp(&self.workspace.root().join(path));
        let memory = self.state.memory.as_ref();
        let known = memory.and_then(|memory| memory.file_stamp(path));
        if stamp.is_some() && stamp == known {
            return Ok(true);
        }
        let Some(record) = self.local_store()?.file_record(path)? else {
            return Ok(true);
        };
        if stamp == Some((record.size, record.stat)) {
            return Ok(true);
        }
        let source = FileSnapshot::read(self.project(), path);
        Ok(source.is_some_and(|source| source.matches_record(&record)))
    }

    /// Whether asking again may avoid files that changed during the answer.
    fn is_outdated(&self) -> bool {
        self.is_fresh() && !self.moved.borrow().paths.is_empty()
    }

    /// Adds a hint to an error from a state that is not fresh: the present files may not cause the error.
    fn say_if_stale(&self, error: EngineError) -> EngineError {
        let index = &self.state.index;
        if index.fresh || error.kind != ErrorKind::BadArguments {
            return error;
        }
        let mut parts: Vec<String> = error.hint.iter().cloned().collect();
        parts.push("the index is not up to date".to_owned());
        parts.extend(index.notes.iter().cloned());
        error.with_hint(parts.join("; "))
    }

    /// Returns the connection, and gives the state of the index for the answer.
    fn finish(self) -> IndexInfo {
        let GraphState {
            store, mut index, ..
        } = self.state;
        if let Some(resident) = self.workspace.resident() {
            if let QuestionStore::Local(store) = store {
                resident.return_connection(store);
            }
            if resident.free_memory_near_ceiling() {
                self.workspace.shared().heat.clear();
                self.workspace.shared().federation_index.clear();
            }
        }
        index.notes.append(&mut self.workspace.take_repair_notes());
        let moved = self.moved.into_inner();
        index.note_changed_files(moved.note, &moved.paths);
        index.notes.append(&mut self.notes.into_inner());
        index
    }
}

impl Workspace {
    /// Answers a question from one state of the index as the files are now, and gives that state. If files changed during the
    /// answer, the question is asked once more; if the database is damaged, it is answered from a new one.
    pub(crate) fn ask<T>(
        &self,
        question: impl Fn(&Session<'_>) -> Result<T, EngineError>,
    ) -> Result<(T, IndexInfo), EngineError> {
        self.ask_on(update::open_current, question)
    }

    /// Answers a question on a state opened by `open`.
    pub(crate) fn ask_on<T>(
        &self,
        open: impl Fn(&Workspace) -> Result<GraphState, EngineError>,
        question: impl Fn(&Session<'_>) -> Result<T, EngineError>,
    ) -> Result<(T, IndexInfo), EngineError> {
        self.with_repair(|| {
            let mut session = Session::new(self, open(self)?);
            let mut answer = question(&session).map_err(|e| session.say_if_stale(e))?;
            if session.is_outdated() {
                session.finish();
                session = Session::new(self, open(self)?);
                answer = question(&session).map_err(|e| session.say_if_stale(e))?;
            }
            Ok((answer, session.finish()))
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::session::Session;
    use crate::workspace::Workspace;
    use crate::{Settings, ops, update};
    use serde_json::json;
    use store::{GraphStore, NodeRecord, SqliteStore};
    use testkit::Repo;

    /// A question sees nothing that is written while it is answered; the next one does.
    fn check(workspace: &Workspace, ready: bool, id: &str) {
        let session = Session::new(workspace, update::open_current(workspace).unwrap());
        assert_eq!(session.state.memory.is_some(), ready, "{id}");
        let mut writer = SqliteStore::open(workspace.database()).unwrap();
        writer
            .put_node(&NodeRecord {
                id: id.to_owned(),
                symbol: id.to_owned(),
                kind: "function".to_owned(),
                file_path: "a.py".to_owned(),
                ..NodeRecord::default()
            })
            .unwrap();
        assert!(session.store().node(id).unwrap().is_none(), "{id}");
        session.finish();
        let next = Session::new(workspace, update::open_current(workspace).unwrap());
        assert!(next.store().node(id).unwrap().is_some(), "{id}");
        next.finish();
    }

    #[test]
    fn an_answer_is_read_from_one_state_whatever_is_written_meanwhile() {
        for long_running in [false, true] {
            let repo = Repo::new("//- a.py\ndef run():\n    pass\n");
            let settings = Settings {
                long_running,
                ..Settings::with_start(repo.path())
            };
            let inputs = crate::inputs::Inputs::find(settings).unwrap();
            let workspace = &Workspace::new(inputs, std::sync::Arc::new(()));
            let everything = serde_json::from_value(json!({})).unwrap();
            ops::index::build_index(workspace, &everything).unwrap();
            check(workspace, false, "first");
            if long_running {
                workspace.wait_until_prepared();
                workspace.ask(|_| Ok(())).unwrap();
                workspace.wait_until_prepared();
                check(workspace, true, "second");
            }
        }
    }
}
