//! What a question is answered from: the store, and the graph in memory where that is of the same state.

use crate::live::Version;
use crate::{EngineError, IndexInfo};
use analysis::{Graph, StoreGraph};
use std::sync::Arc;
use store::{Names, Snapshot, SqliteStore};

/// A store ready for a question: what is reached must still be there when it is named, so all of an answer is read
/// from one state, however many updates come meanwhile.
pub(crate) struct Open {
    pub store: SqliteStore,
    /// Which state that is, where a process that stays knows it.
    pub state: Option<Version>,
    /// The same graph in memory.
    pub memory: Option<Arc<Snapshot>>,
    pub index: IndexInfo,
    /// Whether all that happened to the files before the question has been heard of.
    pub watcher_settled: bool,
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

#[cfg(test)]
mod tests {
    use crate::{Engine, Settings};
    use serde_json::json;
    use store::{GraphStore, NodeRecord, SqliteStore};
    use testkit::Repo;

    /// A question sees nothing that is written while it is answered; the next one does.
    fn check(engine: &Engine, ready: bool, id: &str) {
        let open = engine.open_current().unwrap();
        assert_eq!(open.memory.is_some(), ready, "{id}");
        let mut writer = SqliteStore::open(engine.database()).unwrap();
        writer
            .put_node(&NodeRecord {
                id: id.to_owned(),
                symbol: id.to_owned(),
                kind: "function".to_owned(),
                file_path: "a.py".to_owned(),
                ..NodeRecord::default()
            })
            .unwrap();
        assert!(open.store.node(id).unwrap().is_none(), "{id}");
        engine.finish(open);
        let next = engine.open_current().unwrap();
        assert!(next.store.node(id).unwrap().is_some(), "{id}");
        engine.finish(next);
    }

    #[test]
    fn an_answer_is_read_from_one_state_whatever_is_written_meanwhile() {
        for long_running in [false, true] {
            let repo = Repo::new("== a.py\ndef run():\n    pass\n");
            let settings = Settings {
                long_running,
                ..Settings::at(repo.path())
            };
            let engine = Engine::open(settings, Box::new(())).unwrap();
            engine
                .index(&serde_json::from_value(json!({})).unwrap())
                .unwrap();
            check(&engine, false, "first");
            if long_running {
                engine.wait_until_prepared();
                engine.finish(engine.open_current().unwrap());
                engine.wait_until_prepared();
                check(&engine, true, "second");
            }
        }
    }
}
