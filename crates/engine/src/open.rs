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
            // What is reached must still be there when it is named.
            None => (self.store).at_one_moment(|| on(&StoreGraph::new(&self.store), ids, run))?,
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

#[cfg(test)]
mod tests {
    use super::*;
    use store::{GraphStore, NodeRecord};
    use testkit::Repo;

    #[test]
    fn a_graph_in_the_store_stays_as_it_is_while_it_is_walked() {
        let repo = Repo::new("");
        let path = repo.file("g.db");
        let mut writer = SqliteStore::open(&path).unwrap();
        let node = |id: &str| NodeRecord {
            id: id.to_owned(),
            symbol: id.to_owned(),
            kind: "function".to_owned(),
            file_path: "a.py".to_owned(),
            ..NodeRecord::default()
        };
        writer.put_node(&node("a")).unwrap();
        let open = Open {
            store: SqliteStore::open_read_only(&path).unwrap(),
            memory: None,
            index: IndexInfo::default(),
            heard: false,
        };
        let found = open.on_graph(&["a".to_owned()], |graph, keys| {
            writer.put_node(&node("b")).unwrap();
            Ok((keys.len(), graph.key("b")?.is_some()))
        });
        assert_eq!(found, Ok((1, false)));
        assert!(open.store.node("b").unwrap().is_some());
    }
}
