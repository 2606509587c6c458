//! The store that several people share: its repository of this project, reading it, and publishing to it.

use crate::graph_state::{GraphState, indexed_at};
use crate::question_store::QuestionStore;
use crate::workspace::Workspace;
use crate::{EngineError, IndexInfo, SharedRepository, update};
use serde::Serialize;
use store::{GraphStore, SqliteStore, StoreError};

/// What the indexer notes, and readers of the shared store need.
const NOTED: [&str; 3] = ["indexed_at", "commit", "skipped_files"];

/// The result of publishing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PublishAnswer {
    /// The repository's name in the shared store.
    pub repository: String,
    /// The server, without credentials.
    pub server: String,
    /// What was written.
    #[serde(flatten)]
    pub published: store::Published,
}

/// The shared store of a workspace, and the name of its repository there; none where none was chosen.
fn chosen(workspace: &Workspace) -> Result<Option<(&SharedRepository, String)>, EngineError> {
    let Some(shared) = &workspace.inputs().settings.shared else {
        return Ok(None);
    };
    let named = shared.name.clone();
    let name = named.or_else(|| ingest::git::origin_name(workspace.root()));
    let name = name.ok_or_else(|| {
        EngineError::bad_arguments(
            "this project has no `origin` that could name it in the shared store",
        )
        .with_hint("set GRAPH_REPOSITORY to a name such as example.org/team/project")
    })?;
    Ok(Some((shared, name)))
}

/// An error where a shared store was chosen and nothing names the project's repository in it.
pub(crate) fn ensure_named(workspace: &Workspace) -> Result<(), EngineError> {
    chosen(workspace).map(|_| ())
}

/// Opens the state for a question about the structure of the code: that of the shared store, where one was chosen, else that of
/// the project's own index.
pub(crate) fn open_structure(workspace: &Workspace) -> Result<GraphState, EngineError> {
    match open_shared(workspace)? {
        Some(state) => Ok(state),
        None => update::open_current(workspace),
    }
}

/// As [`open_structure`], for a question about the stored rows.
pub(crate) fn open_for_store_operation(workspace: &Workspace) -> Result<GraphState, EngineError> {
    match open_shared(workspace)? {
        Some(state) => Ok(state),
        None => update::open_for_store_operation(workspace),
    }
}

fn open_shared(workspace: &Workspace) -> Result<Option<GraphState>, EngineError> {
    let Some((shared, name)) = chosen(workspace)? else {
        return Ok(None);
    };
    let store = shared.stores.open(&name).map_err(explain)?;
    let commit = store
        .metadata("commit")?
        .filter(|commit| !commit.is_empty());
    let note = format!(
        "the graph of {name} in the shared store, as it was published{}; changed files are not read",
        commit
            .as_ref()
            .map_or_else(String::new, |commit| format!(" at {commit}"))
    );
    let index = IndexInfo::stale(commit, indexed_at(&*store)?, &note);
    Ok(Some(GraphState {
        store: QuestionStore::Shared(store),
        version: None,
        memory: None,
        index,
        watcher_settled: false,
    }))
}

/// An error of the shared store, with what to do.
fn explain(error: StoreError) -> EngineError {
    let hint = match &error {
        StoreError::Unreachable { .. } | StoreError::Denied { .. } | StoreError::Invalid(_) => {
            "check GRAPH_DB_URL; unset GRAPH_BACKEND to ask this project's own index"
        }
        StoreError::Missing(_) => "`knotwork index` publishes this project's graph",
        StoreError::Schema { found, wanted, .. } if found < wanted => {
            "`knotwork index` upgrades it"
        }
        StoreError::Schema { .. } => "update Knotwork: the database was written by a newer one",
        _ => return error.into(),
    };
    EngineError::from(error).with_hint(hint)
}

/// An error where a shared store was chosen, which this command does not write to.
pub(crate) fn refuse_writes(workspace: &Workspace) -> Result<(), EngineError> {
    match chosen(workspace)? {
        None => Ok(()),
        Some((_, name)) => Err(EngineError::bad_arguments(format!(
            "the graph of {name} in the shared store is written by `knotwork index` alone"
        ))
        .with_hint("unset GRAPH_BACKEND to write to this project's own graph")),
    }
}

/// Publishes the project's graph, as it was indexed last; none where no shared store was chosen.
pub(crate) fn publish(workspace: &Workspace) -> Result<Option<PublishAnswer>, EngineError> {
    let Some((shared, repository)) = chosen(workspace)? else {
        return Ok(None);
    };
    let local = SqliteStore::open_read_only(workspace.database())?;
    local.begin_read_snapshot()?;
    let mut metadata = Vec::new();
    for key in NOTED {
        if let Some(value) = local.metadata(key)? {
            metadata.push((key.to_owned(), value));
        }
    }
    let commit = local
        .metadata("commit")?
        .filter(|commit| !commit.is_empty());
    let published = (shared.stores)
        .publish(&repository, &local, commit.as_deref(), &metadata)
        .map_err(|error| {
            let error = explain(error);
            let hint = error
                .hint
                .clone()
                .map_or_else(String::new, |hint| format!("{hint}; "));
            error.with_hint(format!(
                "{hint}this project's own index was built and is as it should be"
            ))
        })?;
    Ok(Some(PublishAnswer {
        repository,
        server: shared.stores.server(),
        published,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        CallChainRequest, Engine, GraphStoreRequest, ImpactRequest, IndexRequest, Settings,
    };
    use serde_json::json;
    use std::path::PathBuf;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use store::{NodeRecord, Published, SharedStores};
    use testkit::Repo;

    /// Shared stores that are copies of databases in a folder.
    #[derive(Debug)]
    struct Copies {
        folder: PathBuf,
        is_gone: AtomicBool,
    }

    impl SharedStores for Copies {
        fn server(&self) -> String {
            "copies".to_owned()
        }

        fn open(&self, repository: &str) -> Result<Box<dyn GraphStore>, StoreError> {
            Ok(Box::new(SqliteStore::open_read_only(
                &self.folder.join(repository),
            )?))
        }

        fn publish(
            &self,
            repository: &str,
            from: &dyn GraphStore,
            _: Option<&str>,
            metadata: &[(String, String)],
        ) -> Result<Published, StoreError> {
            if self.is_gone.load(Ordering::Relaxed) {
                return Err(StoreError::Unreachable {
                    server: self.server(),
                    reason: "gone".to_owned(),
                });
            }
            let mut change = store::GraphChange {
                clear_all: true,
                metadata: metadata.to_vec(),
                ..store::GraphChange::default()
            };
            from.for_each_node(&mut |node| change.nodes.push(node))?;
            from.for_each_edge(&mut |edge| change.edges.push(edge))?;
            change.nodes.push(NodeRecord {
                id: "only-shared".to_owned(),
                symbol: "only_shared".to_owned(),
                kind: "function".to_owned(),
                file_path: "elsewhere.py".to_owned(),
                ..NodeRecord::default()
            });
            SqliteStore::open(&self.folder.join(repository))?.apply_change(&change)?;
            Ok(Published {
                was_current: false,
                rows: change.nodes.len() as u64,
            })
        }
    }

    #[test]
    fn a_shared_store_answers_about_structure_and_is_written_by_index_alone() {
        let repo = Repo::new("== a.py\ndef f():\n    g()\n\ndef g():\n    pass\n");
        let elsewhere = tempfile::TempDir::new().unwrap();
        let copies = Arc::new(Copies {
            folder: elsewhere.path().to_owned(),
            is_gone: AtomicBool::new(false),
        });
        let open = |name: Option<&str>| {
            let settings = Settings {
                shared: Some(SharedRepository {
                    stores: copies.clone(),
                    name: name.map(str::to_owned),
                }),
                ..Settings::with_start(repo.path())
            };
            Engine::open(settings, Box::new(())).unwrap()
        };
        let nameless = open(None).index(&IndexRequest::default()).unwrap_err();
        assert!(nameless.hint.unwrap().contains("GRAPH_REPOSITORY"));
        let engine = open(Some("team"));
        let chain: CallChainRequest = serde_json::from_value(json!({"symbol": "g"})).unwrap();
        let early = engine.call_chain(&chain).unwrap_err();
        assert!(early.hint.unwrap().contains("publishes"));
        let indexed = engine.index(&IndexRequest::default()).unwrap();
        assert_eq!(indexed.shared.unwrap().repository, "team");
        // What is only in the shared store is found, and what changes here is not read.
        repo.write("a.py", "def changed():\n    pass\n");
        let answer = engine.call_chain(&chain).unwrap();
        assert_eq!(answer.chain.total, 1);
        assert!(!answer.index.fresh && answer.index.notes[0].contains("team"));
        let impact: ImpactRequest =
            serde_json::from_value(json!({"symbol": "only_shared"})).unwrap();
        assert!(engine.impact(&impact).is_ok());
        let stats = engine.graph_store(&GraphStoreRequest::Stats {}).unwrap();
        assert!(stats.data["nodes"].as_u64().unwrap() >= 4);
        let write = engine.graph_store(&GraphStoreRequest::Init {});
        assert!(write.unwrap_err().message.contains("`knotwork index`"));
        let sql =
            serde_json::from_value(json!({"action": "query", "payload": {"sql": "SELECT 1"}}));
        let refused = engine.graph_store(&sql.unwrap()).unwrap_err();
        assert!(refused.hint.unwrap().contains("GRAPH_BACKEND"));
        // A server that is gone leaves the project's own index as it should be.
        copies.is_gone.store(true, Ordering::Relaxed);
        let gone = engine.index(&IndexRequest::default()).unwrap_err();
        assert!(gone.hint.unwrap().contains("own index was built"));
        let local = SqliteStore::open_read_only(engine.database()).unwrap();
        assert_eq!(local.find_symbol("changed").unwrap().len(), 1);
    }
}
