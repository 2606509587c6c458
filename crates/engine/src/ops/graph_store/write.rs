//! Writing to the graph store by hand.

use super::{
    BatchArgs, EdgeArgs, EdgeChange, GraphStoreAnswer, NodeArgs, NodeChange, ok_or_not_found,
    parse_edge_type, to_json_value,
};
use crate::EngineError;
use crate::update;
use crate::workspace::WRITER_LOCK_TIMEOUT;
use crate::workspace::Workspace;
use base::{EdgeType, Site, Tier};
use serde_json::{Value, json};
use std::collections::HashMap;
use store::{
    Batch, EdgeRecord, GraphStore, NodeFlags, NodeRecord, SqliteStore, StoreError, WriterLock,
};

pub(super) fn init(workspace: &Workspace) -> Result<GraphStoreAnswer, EngineError> {
    let path = workspace.database();
    if !workspace.project().db_is_given {
        workspace.project().prepare_state()?;
    }
    let _lock = WriterLock::acquire_with_seal(path, WRITER_LOCK_TIMEOUT)?;
    let (store, existed) = SqliteStore::open_or_create(path)?;
    drop(store);
    let status = if existed { "exists" } else { "initialized" };
    let data = json!({"status": status, "path": path.display().to_string()});
    let mut answer = GraphStoreAnswer::from_data(data);
    if existed {
        let note = "Database already exists, skipping initialization";
        answer.notes.push(note.to_owned());
    }
    Ok(answer)
}

/// Runs before writing. A database that is not as this user's programs left it, for example after damage, is moved aside and
/// rebuilt. Every question does the same.
pub(super) fn renew_unknown_database(workspace: &Workspace) -> Result<(), EngineError> {
    match SqliteStore::open_read_only(workspace.database()) {
        Err(StoreError::Unvouched(_)) => update::open_current(workspace).map(drop),
        Err(error @ StoreError::Damaged { .. }) => Err(error.into()),
        _ => Ok(()),
    }
}

/// Refuses to change a node that comes from a file. Nothing would show that the graph differs from the files, and the next build
/// would bring the node back.
pub(super) fn ensure_manual_node(store: &SqliteStore, id: &str) -> Result<(), EngineError> {
    match store.node(id)? {
        Some(node) if node.flags.0 & NodeFlags::MANUAL == 0 => {
            Err(read_from_file_error("node", id, &node.file_path))
        }
        _ => Ok(()),
    }
}

/// Refuses to change an edge that comes from a file.
pub(super) fn ensure_manual_edge(store: &SqliteStore, id: &str) -> Result<(), EngineError> {
    match store.edge(id)? {
        Some(edge) if edge.tier != Tier::Manual => {
            let file = edge.file_path.unwrap_or_default();
            Err(read_from_file_error("edge", id, &file))
        }
        _ => Ok(()),
    }
}

fn read_from_file_error(what: &str, id: &str, file: &str) -> EngineError {
    EngineError::bad_arguments(format!("{what} {id} was read from {file}"))
        .with_hint("it changes with that file; only what was added by hand can be changed by hand")
}

pub(super) fn deletion_result(
    what: &'static str,
    id: &str,
    done: bool,
) -> Result<Value, EngineError> {
    ok_or_not_found(what, id, done.then_some(()))?;
    Ok(json!({"status": "ok", "deleted": id}))
}

/// The path of a file as the graph has it: relative to the root, without `.` and `..`. A path that leads outside is refused. An
/// empty path is allowed, for nodes that are in no file.
fn normalize_node_path(workspace: &Workspace, path: &str) -> Result<String, EngineError> {
    match path {
        "" => Ok(String::new()),
        _ => workspace.project().relative_path(path),
    }
}

fn normalize_optional_path(
    workspace: &Workspace,
    path: Option<&String>,
) -> Result<Option<String>, EngineError> {
    path.map(|path| normalize_node_path(workspace, path))
        .transpose()
}

pub(super) fn add_node(workspace: &Workspace, args: &NodeArgs) -> Result<Value, EngineError> {
    let file_path = normalize_node_path(workspace, &args.file)?;
    let mut store = update::open_for_writing(workspace)?;
    ensure_manual_node(&store, &args.id)?;
    store.put_node(&NodeRecord {
        id: args.id.clone(),
        symbol: args.symbol.clone(),
        kind: args.kind.clone(),
        file_path,
        line_start: args.line_start,
        line_end: args.line_end,
        flags: NodeFlags(NodeFlags::MANUAL),
        ..NodeRecord::default()
    })?;
    Ok(json!({"status": "ok", "id": args.id}))
}

pub(super) fn update_node(
    workspace: &Workspace,
    change: &NodeChange,
) -> Result<Value, EngineError> {
    let file = normalize_optional_path(workspace, change.file.as_ref())?;
    let mut store = update::open_for_writing(workspace)?;
    ensure_manual_node(&store, &change.id)?;
    let mut node = ok_or_not_found("node", &change.id, store.node(&change.id)?)?;
    node.symbol = change.symbol.clone().unwrap_or(node.symbol);
    node.kind = change.kind.clone().unwrap_or(node.kind);
    node.file_path = file.unwrap_or(node.file_path);
    node.line_start = change.line_start.or(node.line_start);
    node.line_end = change.line_end.or(node.line_end);
    store.put_node(&node)?;
    to_json_value(&node)
}

pub(super) fn add_edge(workspace: &Workspace, args: &EdgeArgs) -> Result<Value, EngineError> {
    let edge_type = parse_edge_type(&args.edge_type)?;
    let mut edge = EdgeRecord {
        id: args.id.clone().unwrap_or_default(),
        source_id: args.source.clone(),
        target_id: args.target.clone(),
        edge_type,
        file_path: normalize_optional_path(workspace, args.file.as_ref())?,
        line: args.line,
        tier: Tier::Manual,
        confidence: Tier::Manual.default_confidence(),
        site: (edge_type == EdgeType::Calls).then_some(Site::Call),
        more_lines: Vec::new(),
    };
    if args.id.is_none() {
        edge.id = edge.fingerprint();
    }
    let mut store = update::open_for_writing(workspace)?;
    ensure_manual_edge(&store, &edge.id)?;
    store.put_edge(&edge)?;
    Ok(json!({"status": "ok", "id": edge.id}))
}

pub(super) fn update_edge(
    workspace: &Workspace,
    change: &EdgeChange,
) -> Result<Value, EngineError> {
    let kind = change
        .edge_type
        .as_deref()
        .map(parse_edge_type)
        .transpose()?;
    let file = normalize_optional_path(workspace, change.file.as_ref())?;
    let mut store = update::open_for_writing(workspace)?;
    ensure_manual_edge(&store, &change.id)?;
    let mut edge = ok_or_not_found("edge", &change.id, store.edge(&change.id)?)?;
    edge.edge_type = kind.unwrap_or(edge.edge_type);
    edge.file_path = file.or(edge.file_path);
    edge.line = change.line.or(edge.line);
    store.put_edge(&edge)?;
    to_json_value(&edge)
}

/// The most bytes of a batch file.
const MOST_BATCH: u64 = 64 << 20;

pub(super) fn batch_import(workspace: &Workspace, args: &BatchArgs) -> Result<Value, EngineError> {
    let mut batch = Batch {
        nodes: args.nodes.clone(),
        edges: args.edges.clone(),
    };
    if let Some(file) = &args.file {
        let path = workspace.project().relative_path(file)?;
        let text = workspace
            .project()
            .read_text(&path, MOST_BATCH)
            .map_err(|e| {
                EngineError::bad_arguments(format!("cannot read {path}: {}", e.reason()))
            })?;
        batch = parse_batch(&text, &path)?;
    }
    let mut places = HashMap::new();
    normalize_record_paths(workspace, "node", &mut batch.nodes, &mut places)?;
    normalize_record_paths(workspace, "edge", &mut batch.edges, &mut places)?;
    let mut store = update::open_for_writing(workspace)?;
    let ids = |records: &[Value]| -> Vec<String> {
        let id = |record: &Value| record["id"].as_str().map(str::to_owned);
        records.iter().filter_map(id).collect()
    };
    for id in ids(&batch.nodes) {
        ensure_manual_node(&store, &id)?;
    }
    for id in ids(&batch.edges) {
        ensure_manual_edge(&store, &id)?;
    }
    let count = store.batch_import(&batch)?;
    Ok(json!({"status": "ok", "nodes": count.nodes, "edges": count.edges}))
}

/// The most bytes of memory that a batch may take once it is decoded: some 300,000 records of a dozen fields.
const MOST_DECODED: usize = 448 << 20;

/// Reads a batch, or another structure of one, from the text of a file.
///
/// # Errors
/// A text that is no batch, or one that would take too much memory.
pub fn parse_batch<T: serde::de::DeserializeOwned>(
    text: &str,
    path: &str,
) -> Result<T, EngineError> {
    if base::json::decoded_size(text.as_bytes()) > MOST_DECODED {
        let message = format!("{path} would take more than {} MB", MOST_DECODED >> 20);
        return Err(EngineError::bad_arguments(message).with_hint("import it in parts"));
    }
    serde_json::from_str(text).map_err(|e| {
        EngineError::bad_arguments(format!("{path} is not a valid batch: {e}"))
            .with_hint("a batch is a JSON object {\"nodes\": […], \"edges\": […]}")
    })
}

/// Makes the paths in a batch's records those of the graph. Values that are no text are left for the store to refuse.
fn normalize_record_paths(
    workspace: &Workspace,
    what: &str,
    records: &mut [Value],
    places: &mut HashMap<String, String>,
) -> Result<(), EngineError> {
    for (position, record) in records.iter_mut().enumerate() {
        for name in ["file_path", "file"] {
            let Some(Value::String(path)) = record.get_mut(name) else {
                continue;
            };
            if !places.contains_key(path) {
                let placed = normalize_node_path(workspace, path).map_err(|mut error| {
                    error.message = format!("{what} {position}: {}", error.message);
                    error
                })?;
                places.insert(path.clone(), placed);
            }
            path.clone_from(&places[path.as_str()]);
        }
    }
    Ok(())
}
