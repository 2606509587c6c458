//! The parts of an index that may be in memory below the ceiling, and what is released near it.

use crate::EngineError;
use crate::graph_state::GraphState;
use store::SqliteStore;

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

/// The bytes that an operation on the whole graph holds beside the graph, for each node and each edge.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WorkingSet {
    pub node: u64,
    pub edge: u64,
}

/// The bytes of the program besides the graph and the work on it.
const PROGRAM: u64 = 96 << 20;

/// The most of the ceiling that the rows of an answer may take, in percent.
const ROWS_PERCENT: u64 = 25;
/// The rows that every answer may list.
const LEAST_ROWS: u64 = 1_000;

/// The most rows of an answer, each of which takes so many bytes as a record, as a value and as text. It follows from the ceiling
/// alone, so that equal questions have equal answers.
pub(crate) fn rows_that_fit(ceiling: Option<u64>, bytes_each: u64) -> usize {
    let fit = |ceiling: u64| (ceiling / 100 * ROWS_PERCENT / bytes_each.max(1)).max(LEAST_ROWS);
    ceiling.map_or(usize::MAX, |ceiling| {
        usize::try_from(fit(ceiling)).unwrap_or(usize::MAX)
    })
}

/// An error where a graph of that many nodes and edges, and the work on it, do not fit below the ceiling.
fn check_fits(
    counts: (u64, u64),
    ceiling: Option<u64>,
    work: WorkingSet,
) -> Result<(), EngineError> {
    let Some(ceiling) = ceiling else {
        return Ok(());
    };
    let (nodes, edges) = counts;
    let graph = nodes * NODE + edges * EDGE;
    let all = graph + nodes * work.node + edges * work.edge;
    let is_too_large = graph > ceiling / 100 * GRAPH_PERCENT;
    if !is_too_large && all <= ceiling.saturating_sub(PROGRAM.min(ceiling / 2)) {
        return Ok(());
    }
    let message = format!(
        "this question needs the whole graph, {} MB with the work on it, which does not fit below the memory ceiling of {} MB",
        all >> 20,
        ceiling >> 20
    );
    Err(EngineError::runtime_failure(message).with_hint("raise --memory or limits.memory"))
}

/// An error where the graph of a state, and the work on it, do not fit below the ceiling.
pub(crate) fn check_graph_fits(
    state: &GraphState,
    ceiling: Option<u64>,
    work: WorkingSet,
) -> Result<(), EngineError> {
    let counts = match &state.memory {
        Some(memory) => (memory.node_count() as u64, memory.edge_count() as u64),
        None => state.store.local()?.node_and_edge_counts()?,
    };
    check_fits(counts, ceiling, work)
}

#[cfg(test)]
mod tests {
    use super::{WorkingSet, check_fits, rows_that_fit, too_large};
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

    #[test]
    fn the_work_on_a_graph_counts_before_it_begins() {
        let (ceiling, counts) = (Some(512 << 20), (700_000, 700_000));
        let alone = WorkingSet::default();
        let work = WorkingSet { node: 400, edge: 0 };
        assert!(check_fits(counts, ceiling, alone).is_ok());
        let error = check_fits(counts, ceiling, work).unwrap_err();
        assert!(error.message.contains("memory ceiling"), "{error:?}");
        assert!(check_fits(counts, Some(1 << 30), work).is_ok());
        assert!(check_fits(counts, None, work).is_ok());
    }

    #[test]
    fn rows_of_an_answer_are_limited_by_the_ceiling() {
        assert_eq!(rows_that_fit(None, 3_000), usize::MAX);
        let rows = rows_that_fit(Some(512 << 20), 3_000);
        assert!((40_000..50_000).contains(&rows), "{rows}");
        assert_eq!(rows_that_fit(Some(1), 3_000), 1_000);
    }
}
