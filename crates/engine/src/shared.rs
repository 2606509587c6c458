//! The store that several people share: its repository of this project, reading it, and publishing to it.

use crate::graph_state::{GraphState, indexed_at};
use crate::ops::federation::published;
use crate::published_texts::LocalTexts;
use crate::question_store::QuestionStore;
use crate::workspace::Workspace;
use crate::{EngineError, IndexInfo, SharedRepository, update};
use ingest::diff::{DiffBase, FileChange, diff_until};
use serde::Serialize;
use std::path::Path;
use store::{GraphStore, Publication, SqliteStore, StoreError, TextSource};

/// The indexer's metadata that readers of the shared store need.
const NOTED: [&str; 3] = ["indexed_at", "commit", "skipped_files"];

/// The metadata key for the number of files that differ from the commit.
const DIRTY: &str = "dirty";

/// The kind, for its seal, of the file that records the permission to publish.
const KIND: &str = "publishing";

/// The most bytes of that file.
const LONGEST: u64 = 16 << 10;

/// The result of publishing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PublishAnswer {
    /// The repository's name in the shared store.
    pub repository: String,
    /// The server, without credentials.
    pub server: String,
    /// The number of indexed files that are not as the commit has them, and of files that are gone.
    pub dirty: usize,
    /// The number of files whose texts can be searched there; none where no texts are published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texts: Option<usize>,
    /// Files whose texts were left out: they changed after they were indexed.
    #[serde(skip_serializing_if = "is_zero")]
    pub texts_left_out: usize,
    /// The rows and files that were published.
    #[serde(flatten)]
    pub published: store::Published,
}

/// Whether the project's graph and texts are those of a shared store.
pub(crate) fn is_chosen(workspace: &Workspace) -> Result<bool, EngineError> {
    Ok(chosen_store(workspace)?.is_some())
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The shared store of a workspace, and the name of its repository there; none where none was chosen.
fn chosen_store(workspace: &Workspace) -> Result<Option<(&SharedRepository, String)>, EngineError> {
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

/// Fails where a shared store was chosen and this folder may not publish there. It may if the user named the repository, or has
/// allowed the folder to publish under the name that its `origin` gives. `is_told` allows that from now on: it is noted under the
/// user's seal.
///
/// An archive, or a clone of somebody else's, may have any `origin`.
pub(crate) fn ensure_may_publish(workspace: &Workspace, is_told: bool) -> Result<(), EngineError> {
    let Some((shared, name)) = chosen_store(workspace)? else {
        return Ok(());
    };
    if shared.name.is_some() {
        return Ok(());
    }
    let server = shared.stores.server();
    let path = workspace.project().state_dir.join("publishing");
    let word = word(workspace.root(), &name, &server);
    if guard::seal::read_sealed(&path, KIND, LONGEST).is_some_and(|known| known == word) {
        return Ok(());
    }
    if is_told {
        workspace.project().prepare_state()?;
        return guard::seal::write_sealed(&path, KIND, &word).map_err(|error| {
            EngineError::runtime_failure(format!("cannot write {}: {error}", path.display()))
        });
    }
    Err(EngineError::bad_arguments(format!(
        "the `origin` of this folder names it {name} in the shared store, but publishing there is not allowed yet"
    ))
    .with_hint(
        "`knotwork index --publish` says so; or set GRAPH_REPOSITORY; or unset GRAPH_BACKEND to index for this folder alone",
    ))
}

/// The noted permission to publish. It contains the root, so that a copy of the folder has none.
fn word(root: &Path, name: &str, server: &str) -> Vec<u8> {
    format!("{name}\n{server}\n{}\n", root.display()).into_bytes()
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
    let Some((shared, name)) = chosen_store(workspace)? else {
        return Ok(None);
    };
    let store = shared.stores.open(&name).map_err(explain)?;
    let commit = store
        .metadata("commit")?
        .filter(|commit| !commit.is_empty());
    let dirty = store.metadata(DIRTY)?.and_then(|text| text.parse().ok());
    let note = format!(
        "the graph of {name} in the shared store, as it was published{}{}; changed files are not read",
        commit
            .as_ref()
            .map_or_else(String::new, |commit| format!(" at {commit}")),
        changes_beside(dirty.unwrap_or(0)),
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

/// The note on files that differ from the commit.
fn changes_beside(files: usize) -> String {
    match files {
        0 => String::new(),
        1 => " with 1 file changed since (dirty)".to_owned(),
        files => format!(" with {files} files changed since (dirty)"),
    }
}

/// The number of indexed files that differ from a commit, plus the files of the commit that are gone.
///
/// Errors: those of reading git's files. A graph that cannot be compared with its commit is not published as that commit's.
fn count_dirty(
    workspace: &Workspace,
    commit: &str,
    local: &SqliteStore,
) -> Result<usize, EngineError> {
    let indexed = local.indexed_files()?;
    let against = DiffBase::Since(commit.to_owned());
    let diff = diff_until(workspace.root(), &against, &workspace.options().cancel)
        .map_err(|error| EngineError::runtime_failure(error.to_string()))?;
    let is_ours = |file: &&FileChange| file.new.is_none() || indexed.contains_key(&file.path);
    Ok(diff.files.iter().filter(is_ours).count() + diff.passed_over)
}

/// An error of the shared store, with what to do.
fn explain(error: StoreError) -> EngineError {
    let hint = match &error {
        StoreError::Unreachable { .. } | StoreError::Denied { .. } | StoreError::Invalid(_) => {
            "check GRAPH_DB_URL; unset GRAPH_BACKEND to ask this project's own index"
        }
        StoreError::Missing(_) => "`knotwork index` publishes this project's graph",
        StoreError::Schema { found, wanted, .. } if is_lower(found, wanted) => {
            "`knotwork index` upgrades it"
        }
        StoreError::Schema { .. } => "update Knotwork: the database was written by a newer one",
        _ => return error.into(),
    };
    EngineError::from(error).with_hint(hint)
}

/// Whether one version, written as a number, is below another.
fn is_lower(one: &str, other: &str) -> bool {
    let number = |text: &str| text.parse::<u32>().ok();
    number(one).is_some_and(|one| number(other).is_some_and(|other| one < other))
}

/// An error where a shared store was chosen, which this command does not write to.
pub(crate) fn refuse_writes(workspace: &Workspace) -> Result<(), EngineError> {
    match chosen_store(workspace)? {
        None => Ok(()),
        Some((_, name)) => Err(EngineError::bad_arguments(format!(
            "the graph of {name} in the shared store is written by `knotwork index` alone"
        ))
        .with_hint("unset GRAPH_BACKEND to write to this project's own graph")),
    }
}

/// Publishes the project's graph, as it was indexed last; none where no shared store was chosen.
pub(crate) fn publish(workspace: &Workspace) -> Result<Option<PublishAnswer>, EngineError> {
    let Some((shared, repository)) = chosen_store(workspace)? else {
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
    let dirty = match &commit {
        Some(commit) => count_dirty(workspace, commit, &local)?,
        None => 0,
    };
    metadata.push((DIRTY.to_owned(), dirty.to_string()));
    let texts = LocalTexts::open(workspace, &local)?;
    // Links are a part of the published state: who asks for it need not have the files.
    let ((project, virtual_edges), _) = workspace.ask(published::edges_to_publish)?;
    metadata.push((published::PROJECT.to_owned(), project));
    let publication = Publication {
        graph: &local,
        texts: texts.as_ref().map(|texts| texts as &dyn TextSource),
        commit: commit.as_deref(),
        metadata: &metadata,
        virtual_edges: &virtual_edges,
    };
    let published = (shared.stores)
        .publish(&repository, &publication)
        .map_err(|error| {
            let error = explain(error);
            let hint = error
                .hint
                .clone()
                .map_or_else(String::new, |hint| format!("{hint}; "));
            error.with_hint(format!("{hint}the local index was built and is complete"))
        })?;
    Ok(Some(PublishAnswer {
        repository,
        server: shared.stores.server(),
        dirty,
        texts: texts.as_ref().map(LocalTexts::published),
        texts_left_out: texts.as_ref().map_or(0, LocalTexts::left_out),
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
            publication: &Publication<'_>,
        ) -> Result<Published, StoreError> {
            let (from, metadata) = (publication.graph, publication.metadata);
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
            let mut store = SqliteStore::open(&self.folder.join(repository))?;
            store.apply_change(&change)?;
            store.put_virtual_edges(publication.virtual_edges)?;
            Ok(Published {
                was_current: false,
                rows: change.nodes.len() as u64,
            })
        }
    }

    #[test]
    fn a_shared_store_answers_about_structure_and_is_written_by_index_alone() {
        let repo = Repo::new("//- a.py\ndef f():\n    g()\n\ndef g():\n    pass\n");
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
        // Symbols that only the shared store has are found, and local changes are not read.
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
        // The project's own index still works when the server is gone.
        copies.is_gone.store(true, Ordering::Relaxed);
        let gone = engine.index(&IndexRequest::default()).unwrap_err();
        assert!(gone.hint.unwrap().contains("local index was built"));
        let local = SqliteStore::open_read_only(engine.database()).unwrap();
        assert_eq!(local.find_symbol("changed").unwrap().len(), 1);
    }

    #[test]
    fn virtual_edges_of_a_shared_store_are_crossed() {
        let repo = Repo::new(
            "//- package.json\n{}\n//- server.js\nconst app = express();\nfunction readUser(req, res) {}\napp.get('/users/:id', readUser);\n\
             //- web/users.js\nexport function loadUser(id) {\n  return fetch(`/users/${id}`);\n}\n",
        );
        let (elsewhere, other) = (
            tempfile::TempDir::new().unwrap(),
            Repo::new("//- x.py\nx = 1\n"),
        );
        let copies = Arc::new(Copies {
            folder: elsewhere.path().to_owned(),
            is_gone: AtomicBool::new(false),
        });
        let open = |folder: &Path| {
            let settings = Settings {
                shared: Some(SharedRepository {
                    stores: copies.clone(),
                    name: Some("team".to_owned()),
                }),
                ..Settings::with_start(folder)
            };
            Engine::open(settings, Box::new(())).unwrap()
        };
        open(repo.path()).index(&IndexRequest::default()).unwrap();
        // Who asks need not have the files.
        let engine = open(other.path());
        let ask = |more: serde_json::Value| {
            let mut request = json!({"symbol": "readUser"});
            request
                .as_object_mut()
                .unwrap()
                .extend(more.as_object().unwrap().clone());
            let request: ImpactRequest = serde_json::from_value(request).unwrap();
            serde_json::to_value(engine.impact(&request).unwrap()).unwrap()
        };
        // The file that registers the handler, and the client.
        let answer = ask(json!({}));
        assert_eq!(answer["total_affected"], 2, "{answer}");
        let client = &answer["affected"][1];
        assert_eq!(client["symbol"], "loadUser", "{answer}");
        let evidence = client["edge"]["evidence"].as_str().unwrap();
        assert!(evidence.contains("/users/"), "{answer}");
        let without = ask(json!({"virtual_edges": false}));
        assert_eq!(without["total_affected"], 1, "{without}");
        let query =
            serde_json::from_value(json!({"action": "query-virtual", "symbol": "loadUser"}));
        let edges = serde_json::to_value(engine.federation(&query.unwrap()).unwrap()).unwrap();
        assert_eq!(edges["total"], 1, "{edges}");
    }

    /// A repository whose `origin` names one of a team.
    fn with_origin() -> Repo {
        let repo = Repo::new("//- a.py\ndef f():\n    pass\n//- b.py\ndef g():\n    pass\n");
        repo.commit_all();
        let config = repo.file_path(".git/config");
        let mut text = std::fs::read_to_string(&config).unwrap();
        text.push_str("[remote \"origin\"]\n\turl = https://ann:t0ken@example.org:8443/team.git\n");
        std::fs::write(config, text).unwrap();
        repo
    }

    #[test]
    fn a_folder_publishes_under_the_name_of_its_origin_when_the_user_has_said_so() {
        let repo = with_origin();
        let elsewhere = tempfile::TempDir::new().unwrap();
        std::fs::create_dir(elsewhere.path().join("example.org")).unwrap();
        let copies = Arc::new(Copies {
            folder: elsewhere.path().to_owned(),
            is_gone: AtomicBool::new(false),
        });
        let open = |folder: &std::path::Path| {
            let settings = Settings {
                shared: Some(SharedRepository {
                    stores: copies.clone(),
                    name: None,
                }),
                ..Settings::with_start(folder)
            };
            Engine::open(settings, Box::new(())).unwrap()
        };
        let told = IndexRequest {
            publish: true,
            ..IndexRequest::default()
        };
        let silent = IndexRequest::default();
        let refused = open(repo.path()).index(&silent).unwrap_err();
        assert!(refused.message.contains("example.org/team"), "{refused}");
        assert!(!refused.message.contains("t0ken") && !refused.message.contains("8443"));
        assert!(refused.hint.unwrap().contains("--publish"));
        assert!(!elsewhere.path().join("example.org/team").exists());
        let published = open(repo.path()).index(&told).unwrap().shared.unwrap();
        assert_eq!(
            (&*published.repository, published.dirty),
            ("example.org/team", 0)
        );
        // From now on the option is not needed.
        open(repo.path()).index(&silent).unwrap();
        // A copy of the folder has no permission.
        let copy = with_origin();
        let copied = std::process::Command::new("cp")
            .arg("-a")
            .arg(repo.path().join(".devbooks"))
            .arg(copy.path())
            .status();
        assert!(copied.unwrap().success());
        assert!(open(copy.path()).index(&silent).is_err());
    }

    #[test]
    fn files_that_are_not_as_the_commit_has_them_are_counted_and_said() {
        let repo = with_origin();
        let elsewhere = tempfile::TempDir::new().unwrap();
        let settings = Settings {
            shared: Some(SharedRepository {
                stores: Arc::new(Copies {
                    folder: elsewhere.path().to_owned(),
                    is_gone: AtomicBool::new(false),
                }),
                name: Some("team".to_owned()),
            }),
            ..Settings::with_start(repo.path())
        };
        let engine = Engine::open(settings, Box::new(())).unwrap();
        let publish = || {
            engine
                .index(&IndexRequest::default())
                .unwrap()
                .shared
                .unwrap()
        };
        let chain: CallChainRequest = serde_json::from_value(json!({"symbol": "f"})).unwrap();
        let note = || engine.call_chain(&chain).unwrap().index.notes[0].clone();
        assert_eq!(publish().dirty, 0);
        assert!(!note().contains("dirty"), "{}", note());
        repo.write("a.py", "def f():\n    return 1\n");
        assert_eq!(publish().dirty, 1);
        assert!(note().contains("1 file changed"), "{}", note());
        // A file that git does not know, and one that is gone.
        repo.write("new.py", "def n():\n    pass\n");
        std::fs::remove_file(repo.file_path("b.py")).unwrap();
        assert_eq!(publish().dirty, 3);
        assert!(note().contains("3 files changed"), "{}", note());
    }
}
