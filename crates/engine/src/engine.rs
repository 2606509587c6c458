//! An opened project and its operations.

use crate::ops::{call_chain, graph_store, impact, index, scip, search};
use crate::project::Project;
use crate::{
    CallChainAnswer, CallChainRequest, EngineError, GraphStoreRequest, ImpactAnswer, ImpactRequest,
    IndexAnswer, IndexInfo, IndexRequest, Progress, ScipAnswer, ScipRequest, SearchAnswer,
    SearchRequest, Settings, StatusAnswer,
};
use ingest::{IndexOptions, IngestError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use store::{GraphStore, SqliteStore, StoreError};

/// Metadata that the indexer leaves.
const INDEXED_AT: &str = "indexed_at";
const COMMIT: &str = "commit";

/// Said of a graph that no indexer made.
pub(crate) const BY_HAND: &str =
    "this graph was put in by hand; `knotwork index` adds the project's files to it";

/// A project that can be asked.
///
/// Questions bring the index up to date first: they build it where there is none, and read changed
/// files again. A graph that was put in by hand is left as it is.
pub struct Engine {
    settings: Settings,
    pub(crate) project: Project,
    progress: Box<dyn Progress + Send>,
    /// One update at a time within this process.
    turn: Mutex<()>,
}

/// A store ready for a question.
pub(crate) struct Open {
    pub store: SqliteStore,
    pub index: IndexInfo,
}

impl Engine {
    /// Finds the project around `settings.start`. Reads and writes nothing else yet.
    pub fn open(
        settings: Settings,
        progress: Box<dyn Progress + Send>,
    ) -> Result<Engine, EngineError> {
        let project = Project::find(&settings)?;
        Ok(Engine {
            settings,
            project,
            progress,
            turn: Mutex::new(()),
        })
    }

    /// The project's root.
    pub fn root(&self) -> &Path {
        &self.project.root
    }

    /// The graph's database.
    pub fn database(&self) -> &Path {
        &self.project.db_path
    }

    /// Builds the index or brings it up to date.
    pub fn index(&self, request: &IndexRequest) -> Result<IndexAnswer, EngineError> {
        index::run(self, request)
    }

    /// How the index stands; changes nothing.
    pub fn index_status(&self) -> Result<StatusAnswer, EngineError> {
        index::status(self)
    }

    /// Removes the index; gives the files removed.
    pub fn index_clear(&self) -> Result<Vec<String>, EngineError> {
        index::clear(self)
    }

    /// An operation on the graph store itself: its data, and what else should be said.
    pub fn graph_store(
        &self,
        request: &GraphStoreRequest,
    ) -> Result<(serde_json::Value, Vec<String>), EngineError> {
        graph_store::run(self, request)
    }

    /// Writes the whole graph as JSON, or one record a line.
    pub fn export(&self, out: &mut dyn std::io::Write, lines: bool) -> Result<(), EngineError> {
        Ok(self.for_store_question()?.export(out, lines)?)
    }

    /// Imports a SCIP index.
    pub fn scip_parse(&self, request: &ScipRequest) -> Result<ScipAnswer, EngineError> {
        scip::run(self, request)
    }

    /// Finds symbols by name.
    pub fn search(&self, request: &SearchRequest) -> Result<SearchAnswer, EngineError> {
        search::run(self, request)
    }

    /// Follows calls from a symbol.
    pub fn call_chain(&self, request: &CallChainRequest) -> Result<CallChainAnswer, EngineError> {
        call_chain::run(self, request)
    }

    /// What a change may affect.
    pub fn impact(&self, request: &ImpactRequest) -> Result<ImpactAnswer, EngineError> {
        impact::run(self, request)
    }

    pub(crate) fn progress(&self) -> &dyn Progress {
        &*self.progress
    }

    /// How long to wait for another process that writes.
    pub(crate) fn patience(&self) -> Duration {
        Duration::from_secs(3)
    }

    /// What to index and how. A limit of file size once given holds until another is given, so
    /// that the next question does not build another graph.
    pub(crate) fn options(&self) -> IndexOptions {
        let defaults = IndexOptions::new(&self.project.root, &self.project.state_dir);
        let before = || self.built_with("max_file_size");
        let limit = self.settings.max_file_size.or_else(before);
        IndexOptions {
            db_path: self.project.db_path.clone(),
            scip_path: self.scip_path(),
            max_file_size: limit.unwrap_or(defaults.max_file_size),
            threads: self.settings.threads,
            memory_limit: self.settings.memory_limit,
            ..defaults
        }
    }

    /// A number of the stamp that the last build left.
    fn built_with(&self, key: &str) -> Option<u64> {
        let store = SqliteStore::open_read_only(&self.project.db_path).ok()?;
        let stamp = store.metadata("version_stamp").ok()??;
        let stamp: serde_json::Value = serde_json::from_str(&stamp).ok()?;
        stamp.get(key)?.as_u64()
    }

    /// The SCIP index to read: the one named, else the newer of the project's own and the one
    /// that `--precise` left.
    pub(crate) fn scip_path(&self) -> Option<PathBuf> {
        if let Some(path) = &self.settings.scip_path {
            return Some(std::path::absolute(path).unwrap_or_else(|_| path.clone()));
        }
        let written = |path: &PathBuf| path.metadata().and_then(|m| m.modified()).ok();
        [&self.project.state_dir, &self.project.root]
            .into_iter()
            .map(|folder| folder.join("index.scip"))
            .filter(|path| path.is_file())
            .max_by_key(written)
    }

    pub(crate) fn indexed_at(&self, store: &SqliteStore) -> Result<Option<u64>, EngineError> {
        let text = store.metadata(INDEXED_AT)?;
        Ok(text.and_then(|text| text.parse().ok()))
    }

    /// The store, with every changed file read again; where another process writes, or nothing can
    /// be written here, the last state, and the answer says so.
    pub(crate) fn for_question(&self) -> Result<Open, EngineError> {
        if let Some(store) = self.by_hand()? {
            let index = IndexInfo::stale(None, None, BY_HAND);
            return Ok(Open { store, index });
        }
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let prepared = self.project.prepare_state();
        let updated = match prepared {
            Ok(()) => {
                let mut options = self.options();
                // Where there is a last state to answer from, nobody waits long for a better one.
                if self.project.db_path.exists() {
                    options.wait = self.patience();
                }
                ingest::update(&options, self.progress()).map_err(EngineError::from)
            }
            Err(error) => Err(error),
        };
        match updated {
            Ok(report) => {
                let store = SqliteStore::open_read_only(&self.project.db_path)?;
                let index = IndexInfo::of(&report, self.indexed_at(&store)?);
                Ok(Open { store, index })
            }
            Err(error) => self.last_state(error),
        }
    }

    fn last_state(&self, error: EngineError) -> Result<Open, EngineError> {
        let Ok(store) = SqliteStore::open_read_only(&self.project.db_path) else {
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
        Ok(Open { store, index })
    }

    /// For operations on the store itself: what is there, built only where there is nothing and
    /// the caller did not name a database.
    pub(crate) fn for_store_question(&self) -> Result<SqliteStore, EngineError> {
        match SqliteStore::open_read_only(&self.project.db_path) {
            Ok(store) if self.indexed_at(&store)?.is_none() => Ok(store),
            Err(error @ StoreError::Missing(_)) if self.project.db_is_given => {
                Err(EngineError::from(error).hint("create it with `knotwork graph-store init`"))
            }
            Ok(_) | Err(StoreError::Missing(_) | StoreError::Damaged { .. }) => {
                Ok(self.for_question()?.store)
            }
            Err(StoreError::Schema { .. }) => Ok(SqliteStore::open(&self.project.db_path)?),
            Err(other) => Err(other.into()),
        }
    }

    /// The store for writing by hand, made where it is missing.
    pub(crate) fn for_writing(&self) -> Result<SqliteStore, EngineError> {
        if !self.project.db_is_given {
            self.project.prepare_state()?;
        }
        Ok(SqliteStore::open_writer(
            &self.project.db_path,
            self.patience(),
        )?)
    }

    /// The store, if it holds nodes and no indexer ever wrote to it.
    pub(crate) fn by_hand(&self) -> Result<Option<SqliteStore>, EngineError> {
        let Ok(store) = SqliteStore::open_read_only(&self.project.db_path) else {
            return Ok(None);
        };
        if self.indexed_at(&store)?.is_some() || store.stats()?.nodes == 0 {
            return Ok(None);
        }
        Ok(Some(store))
    }
}

impl From<IngestError> for EngineError {
    fn from(error: IngestError) -> EngineError {
        match error {
            IngestError::Store(error) => error.into(),
            IngestError::Memory { .. } => EngineError::failure(error.to_string())
                .hint("raise --memory, or index a part of the repository"),
            other => EngineError::failure(other.to_string()),
        }
    }
}
