//! `graph-store`: nodes and edges as they are stored.

mod requests;
mod write;

use crate::session::Session;
use crate::update;
use crate::workspace::WRITER_LOCK_TIMEOUT;
use crate::workspace::Workspace;
pub use requests::*;
pub use write::parse_batch;

use crate::operation::{Access, Tool, operation};
use crate::{EngineError, IndexInfo, shared, unread};
use base::EdgeType;
use base::language::RuleSet;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;
use store::sqlite::QueryLimits;
use store::{GraphStore, NodeFlags, NodeRecord, SqliteStore, StoreError, WriterLock};

/// The result of an operation on the store.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphStoreAnswer {
    /// The data: a list, or an object.
    pub data: Value,
    /// Notes on the answer.
    pub notes: Vec<String>,
    /// The state of the index, for operations that read the graph.
    pub index: Option<IndexInfo>,
}

impl GraphStoreAnswer {
    fn from_data(data: Value) -> GraphStoreAnswer {
        GraphStoreAnswer {
            data,
            notes: Vec::new(),
            index: None,
        }
    }

    /// The data with the state of the index in it, where it is an object.
    pub fn to_json(&self) -> Value {
        let mut data = self.data.clone();
        let index = self
            .index
            .as_ref()
            .and_then(|i| serde_json::to_value(i).ok());
        if let (Value::Object(fields), Some(index)) = (&mut data, index) {
            fields.insert("index".to_owned(), index);
        }
        data
    }
}

operation! {
    /// The stored graph.
    GraphStoreOperation {
        name: "graph-store",
        request: GraphStoreCall => Value,
        access: |request| {
            if request.parse().is_ok_and(|request| !request.is_write()) {
                Access::Read
            } else {
                Access::Write
            }
        },
        tool: Some(Tool {
            title: "Graph",
            about: "Read or write nodes and edges of the graph directly",
            pages: true,
            core: false,
            writes: true,
        }),
        answer: |workspace, request| Ok(answer_graph_question(workspace, &request.parse()?)?.to_json()),
    }
}

pub(crate) fn answer_graph_question(
    workspace: &Workspace,
    request: &GraphStoreRequest,
) -> Result<GraphStoreAnswer, EngineError> {
    workspace.with_repair(|| run_once(workspace, request))
}

fn run_once(
    workspace: &Workspace,
    request: &GraphStoreRequest,
) -> Result<GraphStoreAnswer, EngineError> {
    use GraphStoreRequest as R;
    if !workspace.config().features().graph_store {
        let note = "Graph store is disabled (features.graph_store.enabled)";
        return Ok(GraphStoreAnswer {
            data: json!({"status": "disabled"}),
            notes: vec![note.to_owned()],
            index: None,
        });
    }
    if request.is_write() {
        shared::refuse_writes(workspace)?;
    }
    if request.is_write() && !matches!(request, R::Migrate(_)) {
        write::renew_unknown_database(workspace)?;
    }
    let data = match request {
        R::Init {} => return write::init(workspace),
        R::AddNode(args) => write::add_node(workspace, args)?,
        R::UpdateNode(change) => write::update_node(workspace, change)?,
        R::DeleteNode(id) => {
            let mut store = update::open_for_writing(workspace)?;
            write::ensure_manual_node(&store, &id.id)?;
            let done = store.delete_node(&id.id)?;
            write::deletion_result("node", &id.id, done)?
        }
        R::AddEdge(args) => write::add_edge(workspace, args)?,
        R::UpdateEdge(change) => write::update_edge(workspace, change)?,
        R::DeleteEdge(id) => {
            let mut store = update::open_for_writing(workspace)?;
            write::ensure_manual_edge(&store, &id.id)?;
            let done = store.delete_edge(&id.id)?;
            write::deletion_result("edge", &id.id, done)?
        }
        R::BatchImport(args) => write::batch_import(workspace, args)?,
        R::Vacuum {} => {
            let (before, after) = update::open_for_writing(workspace)?.vacuum()?;
            json!({"status": "ok", "bytes_before": before, "bytes_after": after})
        }
        R::Migrate(args) if args.apply => {
            let _lock = WriterLock::acquire_with_seal(workspace.database(), WRITER_LOCK_TIMEOUT)?;
            to_json_value(&SqliteStore::migrate(workspace.database())?)?
        }
        R::Migrate(_) => to_json_value(&SqliteStore::migration_state(workspace.database())?)?,
        _ => {
            let answer = |session: &Session<'_>| read(session, request);
            let (data, index) = workspace.ask_on(shared::open_for_store_operation, answer)?;
            return Ok(GraphStoreAnswer {
                index: Some(index),
                ..GraphStoreAnswer::from_data(data)
            });
        }
    };
    Ok(GraphStoreAnswer::from_data(data))
}

fn read(session: &Session<'_>, request: &GraphStoreRequest) -> Result<Value, EngineError> {
    use GraphStoreRequest as R;
    let store = session.store();
    if !matches!(
        request,
        R::Query(_) | R::Export { .. } | R::GetNode(_) | R::GetEdge(_)
    ) {
        unread::note_gaps(session)?;
        unread::note_languages_without_calls(session)?;
    }
    match request {
        R::GetNode(id) => to_json_value(&ok_or_not_found("node", &id.id, store.node(&id.id)?)?),
        R::GetEdge(id) => to_json_value(&ok_or_not_found("edge", &id.id, store.edge(&id.id)?)?),
        R::QueryEdges(query) => query_edges(session, query),
        R::FindSymbol { symbol } => nodes_to_json(session, store.find_symbol(symbol)?),
        R::FindFile { path } => {
            nodes_to_json(session, find_file(store, session.workspace(), path)?)
        }
        R::FindUnresolved { name, limit } => {
            let mut calls = store.unresolved_calls(name)?;
            cut_list(session, &mut calls, *limit, ("file", FILE_BYTES));
            let calls = calls.into_iter();
            let calls = calls.map(|(path, lines)| json!({"file_path": path, "lines": lines}));
            Ok(Value::Array(calls.collect()))
        }
        R::FindOrphans { limit } => find_orphans(session, *limit),
        R::FindPath(query) => find_path(store, query),
        R::Stats {} => {
            let mut stats = to_json_value(&store.stats()?)?;
            // A shared store counts all repositories in it, which is no business of who asks about one.
            if let Some(fields) = stats.as_object_mut().filter(|_| session.is_shared()) {
                fields.remove("db_size_bytes");
            }
            Ok(stats)
        }
        R::Query(query) => {
            let limits = QueryLimits {
                rows: query.limit,
                time: Duration::from_secs(5),
                cancel: session.workspace().cancel().clone(),
                ..QueryLimits::default()
            };
            to_json_value(
                &session
                    .local_store()?
                    .query(query.text()?, &query.params, limits)?,
            )
        }
        R::Export { lines } => {
            check_export_fits(session)?;
            let mut bytes = Vec::new();
            session.local_store()?.export(&mut bytes, *lines)?;
            match serde_json::from_slice(&bytes) {
                Ok(data) => Ok(data),
                Err(_) => Ok(Value::from(String::from_utf8_lossy(&bytes).into_owned())),
            }
        }
        _ => Err(EngineError::runtime_failure("not a reading operation")),
    }
}

/// The bytes of a node in an answer, as a record, as a value and as text.
const NODE_BYTES: u64 = 3_000;
/// The bytes of an edge.
const EDGE_BYTES: u64 = 2_500;
/// The bytes of a file with lines.
const FILE_BYTES: u64 = 1_000;

/// Cuts a list at `limit` (0 lists all) and at what fits below the memory ceiling, and notes how many more there are.
fn cut_list<T>(session: &Session<'_>, list: &mut Vec<T>, limit: usize, row: (&str, u64)) {
    let (what, bytes) = row;
    let fit = session.rows_that_fit(bytes);
    let most = Some(limit).filter(|limit| *limit > 0).unwrap_or(usize::MAX);
    let more = list.len().saturating_sub(most.min(fit));
    list.truncate(most.min(fit));
    note_unlisted(session, more, what, most <= fit);
}

/// Notes how many rows are not listed: because of the caller's limit, or because of the memory ceiling.
/// Nodes that nothing uses. Where a language has no rules that say which definitions others need, none of its nodes is listed.
fn find_orphans(session: &Session<'_>, limit: usize) -> Result<Value, EngineError> {
    let fit = session.rows_that_fit(NODE_BYTES);
    let most = Some(limit).filter(|limit| *limit > 0).unwrap_or(usize::MAX);
    let mut asked = most.min(fit);
    loop {
        let (nodes, total) = session.store().orphans(asked)?;
        let is_all = nodes.len() == total || asked >= fit;
        let looked_at = nodes.len();
        let mut listed = Vec::new();
        let mut unjudged = BTreeSet::new();
        for node in nodes {
            let language = session.language(&node.file_path)?;
            let without_rules = language.filter(|l| l.profile().rules == RuleSet::None);
            match without_rules {
                Some(language) if !node.flags.contains(NodeFlags::MANUAL) => {
                    unjudged.insert(language.as_str());
                }
                _ => listed.push(node),
            }
        }
        if listed.len() < most && !is_all {
            asked = asked.saturating_mul(4).min(fit);
            continue;
        }
        let more = total - looked_at + listed.len().saturating_sub(most);
        listed.truncate(most);
        note_unjudged(session, unjudged);
        note_unlisted(session, more, "node", most <= fit);
        return to_json_value(&listed);
    }
}

/// Says of which languages nodes were found that no rules judge.
fn note_unjudged(session: &Session<'_>, names: BTreeSet<&str>) {
    if !names.is_empty() {
        let names: Vec<&str> = names.into_iter().collect();
        session.note(format!(
            "no orphans of {} are listed: there are no rules for what others need",
            names.join(", ")
        ));
    }
}

fn note_unlisted(session: &Session<'_>, more: usize, what: &str, by_limit: bool) {
    if more > 0 {
        let plural = if more == 1 { "" } else { "s" };
        let why = if by_limit {
            "limit"
        } else {
            "they do not fit below the memory ceiling; `graph-store export` writes all"
        };
        session.note(format!("{more} more {what}{plural} not listed ({why})"));
    }
}

/// An error where the whole graph as one answer does not fit below the memory ceiling.
fn check_export_fits(session: &Session<'_>) -> Result<(), EngineError> {
    let (nodes, edges) = session.local_store()?.node_and_edge_counts()?;
    let rows = (nodes * NODE_BYTES + edges * EDGE_BYTES).div_ceil(NODE_BYTES);
    if rows as usize <= session.rows_that_fit(NODE_BYTES) {
        return Ok(());
    }
    let message = format!(
        "{nodes} nodes and {edges} edges do not fit into one answer below the memory ceiling"
    );
    Err(EngineError::bad_arguments(message)
        .with_hint("`knotwork graph-store export` writes them row by row"))
}

fn nodes_to_json(session: &Session<'_>, mut nodes: Vec<NodeRecord>) -> Result<Value, EngineError> {
    cut_list(session, &mut nodes, 0, ("node", NODE_BYTES));
    to_json_value(&nodes)
}

fn parse_edge_type(word: &str) -> Result<EdgeType, EngineError> {
    word.parse::<EdgeType>()
        .map_err(|error| StoreError::from(error).into())
}

fn query_edges(session: &Session<'_>, query: &QueryEdges) -> Result<Value, EngineError> {
    let store = session.store();
    let only = query
        .edge_type
        .as_deref()
        .map(parse_edge_type)
        .transpose()?;
    let mut edges = match (&query.from, &query.to) {
        (Some(from), to) => {
            let mut edges = store.edges_from(from, only)?;
            edges.retain(|edge| to.as_ref().is_none_or(|to| edge.target_id == *to));
            edges
        }
        (None, Some(to)) => store.edges_to(to, only)?,
        (None, None) => return Err(EngineError::bad_arguments("give --from, --to, or both")),
    };
    cut_list(session, &mut edges, 0, ("edge", EDGE_BYTES));
    to_json_value(&edges)
}

/// Nodes of a file by the store's path; a path on disk is taken relative to the project.
fn find_file(
    store: &dyn GraphStore,
    workspace: &Workspace,
    path: &str,
) -> Result<Vec<NodeRecord>, EngineError> {
    let found = store.find_file(path)?;
    if !found.is_empty() {
        return Ok(found);
    }
    Ok(store.find_file(&workspace.project().relative_path(path)?)?)
}

fn find_path(store: &dyn GraphStore, query: &FindPath) -> Result<Value, EngineError> {
    let types = query.edge_types.iter().map(|word| parse_edge_type(word));
    let types = types.collect::<Result<Vec<_>, _>>()?;
    for id in [&query.from, &query.to] {
        let node = store.node(id)?;
        node.ok_or_else(|| {
            EngineError::bad_arguments(format!("no such node: {id}")).with_hint(format!(
                "`knotwork graph-store find-symbol {id}` gives the ids of a name"
            ))
        })?;
    }
    let found = store.shortest_path(&query.from, &query.to, query.max_depth, &types)?;
    let Some(edges) = found else {
        return Ok(json!({"found": false, "length": 0, "path": [], "edges": []}));
    };
    let mut path = vec![query.from.as_str()];
    path.extend(edges.iter().map(|edge| edge.target_id.as_str()));
    Ok(json!({
        "found": true,
        "length": edges.len(),
        "path": path,
        "edges": to_json_value(&edges)?,
    }))
}

fn ok_or_not_found<T>(what: &'static str, id: &str, found: Option<T>) -> Result<T, EngineError> {
    let missing = || StoreError::NotFound {
        what,
        id: id.to_owned(),
    };
    found.ok_or_else(|| missing().into())
}

fn to_json_value(data: &impl Serialize) -> Result<Value, EngineError> {
    serde_json::to_value(data).map_err(|e| EngineError::runtime_failure(format!("not JSON: {e}")))
}

/// Writes the whole graph as JSON, or one record a line.
pub(crate) fn export(
    workspace: &Workspace,
    out: &mut dyn std::io::Write,
    lines: bool,
) -> Result<(), EngineError> {
    // Checked first: once a part is written, the export cannot be started again.
    let state = workspace.with_repair(|| {
        let state = shared::open_for_store_operation(workspace)?;
        state.store.local()?.check_integrity()?;
        Ok(state)
    })?;
    Ok(state.store.local()?.export(out, lines)?)
}

#[cfg(test)]
mod tests {
    use super::GraphStoreRequest;
    use crate::{Engine, IndexRequest, Settings};
    use testkit::Repo;

    #[test]
    fn rows_that_do_not_fit_below_the_ceiling_are_counted_and_not_listed() {
        let repo = Repo::new("");
        let unused: String = (0..1_200)
            .map(|n| format!("def f{n}():\n    pass\n\n"))
            .collect();
        repo.write("a.py", &unused);
        let engine = |ceiling| {
            let settings = Settings {
                memory_limit: Some(ceiling),
                ..Settings::with_start(repo.path())
            };
            Engine::open(settings, Box::new(())).unwrap()
        };
        let usual = engine(1 << 30);
        usual.index(&IndexRequest::default()).unwrap();
        let listed = |engine: &Engine, limit| {
            let request = GraphStoreRequest::FindOrphans { limit };
            let answer = engine.graph_store(&request).unwrap();
            let notes = answer.index.unwrap().notes.join("; ");
            (answer.data.as_array().unwrap().len(), notes)
        };
        let (all, notes) = listed(&usual, 0);
        assert!(all >= 1_200 && !notes.contains("not listed"), "{notes}");
        assert!(listed(&usual, 7).1.contains("not listed (limit)"));
        let (few, notes) = listed(&engine(500), 0);
        assert_eq!(few, 1_000);
        let more = format!("{} more nodes not listed (they do not fit", all - few);
        assert!(notes.contains(&more), "{notes}");
        let export = GraphStoreRequest::Export { lines: false };
        assert!(usual.graph_store(&export).is_ok());
        let error = engine(500).graph_store(&export).unwrap_err();
        assert!(error.message.contains("memory ceiling"), "{error:?}");
    }
}
