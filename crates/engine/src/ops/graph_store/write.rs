//! Writing to the graph store by hand.

use super::{
    BatchArgs, EdgeArgs, EdgeChange, GraphStoreAnswer, NodeArgs, NodeChange, edge_type, present,
    value,
};
use crate::EngineError;
use crate::update;
use crate::workspace::WRITER_LOCK_TIMEOUT;
use crate::workspace::Workspace;
use base::{EdgeType, Site, Tier};
use serde_json::{Value, json};
use std::collections::HashMap;
use store::{Batch, EdgeRecord, GraphStore, NodeFlags, NodeRecord, SqliteStore, WriterLock};

pub(super) fn init(workspace: &Workspace) -> Result<GraphStoreAnswer, EngineError> {
    let path = workspace.database();
    if !workspace.project().db_is_given {
        workspace.project().prepare_state()?;
    }
    let _lock = WriterLock::of_database(path, WRITER_LOCK_TIMEOUT)?;
    let (store, existed) = SqliteStore::init(path)?;
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

pub(super) fn deleted(what: &'static str, id: &str, done: bool) -> Result<Value, EngineError> {
    present(what, id, done.then_some(()))?;
    Ok(json!({"status": "ok", "deleted": id}))
}

/// The path of a file as the graph has it: in the project, relative to its root, without `.` and `..`. One that leads
/// outside is refused; none at all is allowed, for what stands in no file.
fn place(workspace: &Workspace, path: &str) -> Result<String, EngineError> {
    match path {
        "" => Ok(String::new()),
        _ => workspace.project().relative(path),
    }
}

fn place_of(workspace: &Workspace, path: Option<&String>) -> Result<Option<String>, EngineError> {
    path.map(|path| place(workspace, path)).transpose()
}

pub(super) fn add_node(workspace: &Workspace, args: &NodeArgs) -> Result<Value, EngineError> {
    let file_path = place(workspace, &args.file)?;
    update::open_for_writing(workspace)?.put_node(&NodeRecord {
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
    let file = place_of(workspace, change.file.as_ref())?;
    let mut store = update::open_for_writing(workspace)?;
    let mut node = present("node", &change.id, store.node(&change.id)?)?;
    node.symbol = change.symbol.clone().unwrap_or(node.symbol);
    node.kind = change.kind.clone().unwrap_or(node.kind);
    node.file_path = file.unwrap_or(node.file_path);
    node.line_start = change.line_start.or(node.line_start);
    node.line_end = change.line_end.or(node.line_end);
    store.put_node(&node)?;
    value(&node)
}

pub(super) fn add_edge(workspace: &Workspace, args: &EdgeArgs) -> Result<Value, EngineError> {
    let edge_type = edge_type(&args.edge_type)?;
    let mut edge = EdgeRecord {
        id: args.id.clone().unwrap_or_default(),
        source_id: args.source.clone(),
        target_id: args.target.clone(),
        edge_type,
        file_path: place_of(workspace, args.file.as_ref())?,
        line: args.line,
        tier: Tier::Manual,
        confidence: Tier::Manual.default_confidence(),
        site: (edge_type == EdgeType::Calls).then_some(Site::Call),
        more_lines: Vec::new(),
    };
    if args.id.is_none() {
        edge.id = edge.fingerprint();
    }
    update::open_for_writing(workspace)?.put_edge(&edge)?;
    Ok(json!({"status": "ok", "id": edge.id}))
}

pub(super) fn update_edge(
    workspace: &Workspace,
    change: &EdgeChange,
) -> Result<Value, EngineError> {
    let kind = change.edge_type.as_deref().map(edge_type).transpose()?;
    let file = place_of(workspace, change.file.as_ref())?;
    let mut store = update::open_for_writing(workspace)?;
    let mut edge = present("edge", &change.id, store.edge(&change.id)?)?;
    edge.edge_type = kind.unwrap_or(edge.edge_type);
    edge.file_path = file.or(edge.file_path);
    edge.line = change.line.or(edge.line);
    store.put_edge(&edge)?;
    value(&edge)
}

/// Bytes of a file with a batch.
const MOST_BATCH: u64 = 64 << 20;

pub(super) fn batch_import(workspace: &Workspace, args: &BatchArgs) -> Result<Value, EngineError> {
    let mut batch = Batch {
        nodes: args.nodes.clone(),
        edges: args.edges.clone(),
    };
    if let Some(file) = &args.file {
        let path = workspace.project().relative(file)?;
        let text = workspace
            .project()
            .read_text(&path, MOST_BATCH)
            .map_err(|e| EngineError::bad(format!("cannot read {path}: {}", e.reason())))?;
        batch = serde_json::from_str(&text).map_err(|e| {
            EngineError::bad(format!("not a batch: {path}: {e}"))
                .hint("a batch is a JSON object {\"nodes\": […], \"edges\": […]}")
        })?;
    }
    let mut places = HashMap::new();
    place_all(workspace, "node", &mut batch.nodes, &mut places)?;
    place_all(workspace, "edge", &mut batch.edges, &mut places)?;
    let count = update::open_for_writing(workspace)?.batch_import(&batch)?;
    Ok(json!({"status": "ok", "nodes": count.nodes, "edges": count.edges}))
}

/// Makes the paths of a batch's records those of the graph. What is no text is for the store to refuse.
fn place_all(
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
                let placed = place(workspace, path).map_err(|mut error| {
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
