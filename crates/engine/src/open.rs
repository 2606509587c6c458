//! What a question is answered from: the store, and the graph in memory where that is of the same state.

use crate::{EngineError, IndexInfo};
use analysis::{Graph, StoreGraph};
use std::sync::Arc;
use store::{Names, Snapshot, SqliteStore};

/// A store ready for a question.
pub(crate) struct Open {
    pub store: SqliteStore,
    /// The same graph in memory.
    pub memory: Option<Arc<Snapshot>>,
    pub index: IndexInfo,
    /// Whether all that happened to the files before the question has been heard of.
    pub heard: bool,
}

impl Open {
    /// Where names are looked up.
    pub(crate) fn names(&self) -> &dyn Names {
        match &self.memory {
            Some(memory) => &**memory,
            None => &self.store,
        }
    }

    /// Runs an analysis on the nodes with these ids.
    pub(crate) fn on_graph<T>(
        &self,
        ids: &[String],
        run: impl FnOnce(&dyn Graph, &[u32]) -> Result<T, analysis::AnalysisError>,
    ) -> Result<T, EngineError> {
        match &self.memory {
            Some(memory) => on(&**memory, ids, run),
            None => on(&StoreGraph::new(&self.store), ids, run),
        }
    }
}

fn on<T>(
    graph: &dyn Graph,
    ids: &[String],
    run: impl FnOnce(&dyn Graph, &[u32]) -> Result<T, analysis::AnalysisError>,
) -> Result<T, EngineError> {
    let mut keys = Vec::with_capacity(ids.len());
    for id in ids {
        keys.extend(graph.key(id)?);
    }
    Ok(run(graph, &keys)?)
}
