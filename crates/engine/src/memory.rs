//! The parts of an index that may be in memory below the ceiling, and what is released near it.

use crate::EngineError;
use crate::graph_state::GraphState;
use std::sync::Arc;
use store::{Snapshot, SqliteStore};

/// The bytes that a graph in memory takes while it is made: for each node its id, name and place, for each edge both directions.
const NODE: u64 = 260;
const EDGE: u64 = 64;

/// The most of the ceiling that the graph may take, in percent.
const GRAPH_PERCENT: u64 = 50;

/// The memory in use, in percent of the ceiling, above which a process releases what it keeps between questions.
const TIGHT_PERCENT: u64 = 75;

/// The memory in use, in percent of the ceiling, up to which an update may begin: for an update that has yet to load its state,
/// and for one that has it loaded.
pub(crate) const LOADING_PERCENT: u64 = 25;
pub(crate) const UPDATING_PERCENT: u64 = 50;

/// The bytes that the graph of a store takes in memory, where that is more than its share of the ceiling.
pub(crate) fn too_large(
    store: &SqliteStore,
    ceiling: Option<u64>,
) -> Result<Option<u64>, EngineError> {
    let Some(ceiling) = ceiling else {
        return Ok(None);
    };
    let (nodes, edges) = store.node_and_edge_counts()?;
    let bytes = nodes * NODE + edges * EDGE;
    Ok((bytes > ceiling / 100 * GRAPH_PERCENT).then_some(bytes))
}

/// Whether this process is near its ceiling.
pub(crate) fn is_tight(ceiling: Option<u64>) -> bool {
    is_above(ceiling, TIGHT_PERCENT)
}

/// Whether this process uses more than a share of its ceiling.
pub(crate) fn is_above(ceiling: Option<u64>, percent: u64) -> bool {
    ceiling.is_some_and(|ceiling| ingest::memory_in_use() > ceiling / 100 * percent)
}

/// The graph in memory: the kept one, or one read for this question. An error where it does not fit below the ceiling.
pub(crate) fn graph_of(
    state: &GraphState,
    ceiling: Option<u64>,
) -> Result<Arc<Snapshot>, EngineError> {
    if let Some(memory) = &state.memory {
        return Ok(memory.clone());
    }
    if let Some(bytes) = too_large(state.store.local()?, ceiling)? {
        let message = format!(
            "this question needs the whole graph, {} MB, which does not fit below the memory ceiling of {} MB",
            bytes >> 20,
            ceiling.unwrap_or_default() >> 20
        );
        return Err(
            EngineError::runtime_failure(message).with_hint("raise --memory or limits.memory")
        );
    }
    Ok(Arc::new(state.store.snapshot()?))
}

#[cfg(test)]
mod tests {
    use super::too_large;
    use crate::{ArchCheckRequest, Engine, IndexRequest, Settings};
    use testkit::Repo;

    #[test]
    fn a_graph_that_does_not_fit_is_said_and_not_read() {
        let repo = Repo::new("//- a.py\ndef f():\n    g()\n\ndef g():\n    pass\n");
        let engine = |ceiling| {
            let settings = Settings {
                memory_limit: Some(ceiling),
                ..Settings::with_start(repo.path())
            };
            Engine::open(settings, Box::new(())).unwrap()
        };
        let usual = engine(1 << 30);
        usual.index(&IndexRequest::default()).unwrap();
        let store = store::SqliteStore::open_read_only(usual.database()).unwrap();
        assert_eq!(too_large(&store, Some(1 << 30)).unwrap(), None);
        assert_eq!(too_large(&store, None).unwrap(), None);
        assert!(too_large(&store, Some(500)).unwrap().is_some());
        let request = ArchCheckRequest::default();
        assert!(usual.arch_check(&request).is_ok());
        let error = engine(500).arch_check(&request).unwrap_err();
        assert!(error.message.contains("memory ceiling"), "{error:?}");
    }
}
