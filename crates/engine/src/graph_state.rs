//! The state that a question is answered from: the store, and the graph in memory where it is of the same state.

use crate::question_store::QuestionStore;
use crate::{EngineError, IndexInfo};
use analysis::{Graph, StoreGraph};
use std::sync::Arc;
use store::{GraphStore, Names, Snapshot};

/// Metadata that the indexer leaves.
const INDEXED_AT: &str = "indexed_at";

/// The note on a graph that no indexer made.
pub(crate) const BY_HAND: &str =
    "this graph was written by hand; `knotwork index` adds the project's files to it";

/// A state of the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Version {
    /// The file: an index that was cleared and built again is another one.
    pub file: (u64, u64),
    /// The connection that gave `data`; numbers of two connections cannot be compared.
    pub sentinel: u64,
    /// The connection's number for the state of the data.
    pub data: i64,
}

/// A store ready for a question. All of an answer is read from one state, even if updates come meanwhile: a node that was found
/// must still be there when its name is read.
pub(crate) struct GraphState {
    pub store: QuestionStore,
    /// The version of that state, where a long-running process knows it.
    pub version: Option<Version>,
    /// The graph in memory, where it is of that state.
    pub memory: Option<Arc<Snapshot>>,
    pub index: IndexInfo,
    /// Whether the watcher has reported everything that happened to the files before the question.
    pub watcher_settled: bool,
}

impl GraphState {
    /// The source for looking up names.
    pub(crate) fn names(&self) -> &dyn Names {
        match &self.memory {
            Some(memory) => &**memory,
            None => self.store.as_names(),
        }
    }

    /// Runs an analysis on the nodes with these ids.
    pub(crate) fn on_graph<T>(
        &self,
        ids: &[String],
        run: impl FnOnce(&dyn Graph, &[u32]) -> Result<T, analysis::AnalysisError>,
    ) -> Result<T, EngineError> {
        match &self.memory {
            Some(memory) => with_keys(&**memory, ids, run),
            None => with_keys(&StoreGraph::new(&*self.store), ids, run),
        }
    }
}

fn with_keys<T>(
    graph: &dyn Graph,
    ids: &[String],
    run: impl FnOnce(&dyn Graph, &[u32]) -> Result<T, analysis::AnalysisError>,
) -> Result<T, EngineError> {
    let mut keys = Vec::with_capacity(ids.len());
    for id in ids {
        keys.extend(graph.key_of_id(id)?);
    }
    Ok(run(graph, &keys)?)
}

/// The time of the last write to the index, seconds since 1970; none where no indexer ever wrote.
pub(crate) fn indexed_at(store: &dyn GraphStore) -> Result<Option<u64>, EngineError> {
    let text = store.metadata(INDEXED_AT)?;
    Ok(text.and_then(|text| text.parse().ok()))
}

/// Whether the store holds nodes and no indexer ever wrote to it.
pub(crate) fn is_manual_graph(store: &dyn GraphStore) -> Result<bool, EngineError> {
    Ok(indexed_at(store)?.is_none() && store.has_nodes()?)
}
