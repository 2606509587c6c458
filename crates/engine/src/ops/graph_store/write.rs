//! Writing to the graph store by hand.

use super::{
    BatchArgs, EdgeArgs, EdgeChange, GraphStoreAnswer, NodeArgs, NodeChange, edge_type, present,
    value,
};
use crate::{Engine, EngineError};
use base::{EdgeType, Site, Tier};
use serde_json::{Value, json};
use std::collections::HashMap;
use store::{Batch, EdgeRecord, GraphStore, NodeFlags, NodeRecord, SqliteStore, WriterLock};

pub(super) fn init(engine: &Engine) -> Result<GraphStoreAnswer, EngineError> {
    let path = engine.database();
    if !engine.project().db_is_given {
        engine.project().prepare_state()?;
    }
    let _lock = WriterLock::of_database(path, engine.writer_lock_timeout())?;
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
fn place(engine: &Engine, path: &str) -> Result<String, EngineError> {
    match path {
        "" => Ok(String::new()),
        _ => engine.project().relative(path),
    }
}

fn place_of(engine: &Engine, path: Option<&String>) -> Result<Option<String>, EngineError> {
    path.map(|path| place(engine, path)).transpose()
}

pub(super) fn add_node(engine: &Engine, args: &NodeArgs) -> Result<Value, EngineError> {
    let file_path = place(engine, &args.file)?;
    engine.open_for_writing()?.put_node(&NodeRecord {
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

pub(super) fn update_node(engine: &Engine, change: &NodeChange) -> Result<Value, EngineError> {
    let file = place_of(engine, change.file.as_ref())?;
    let mut store = engine.open_for_writing()?;
    let mut node = present("node", &change.id, store.node(&change.id)?)?;
    node.symbol = change.symbol.clone().unwrap_or(node.symbol);
    node.kind = change.kind.clone().unwrap_or(node.kind);
    node.file_path = file.unwrap_or(node.file_path);
    node.line_start = change.line_start.or(node.line_start);
    node.line_end = change.line_end.or(node.line_end);
    store.put_node(&node)?;
    value(&node)
}

pub(super) fn add_edge(engine: &Engine, args: &EdgeArgs) -> Result<Value, EngineError> {
    let edge_type = edge_type(&args.edge_type)?;
    let mut edge = EdgeRecord {
        id: args.id.clone().unwrap_or_default(),
        source_id: args.source.clone(),
        target_id: args.target.clone(),
        edge_type,
        file_path: place_of(engine, args.file.as_ref())?,
        line: args.line,
        tier: Tier::Manual,
        confidence: Tier::Manual.default_confidence(),
        site: (edge_type == EdgeType::Calls).then_some(Site::Call),
        more_lines: Vec::new(),
    };
    if args.id.is_none() {
        edge.id = edge.fingerprint();
    }
    engine.open_for_writing()?.put_edge(&edge)?;
    Ok(json!({"status": "ok", "id": edge.id}))
}

pub(super) fn update_edge(engine: &Engine, change: &EdgeChange) -> Result<Value, EngineError> {
    let kind = change.edge_type.as_deref().map(edge_type).transpose()?;
    let file = place_of(engine, change.file.as_ref())?;
    let mut store = engine.open_for_writing()?;
    let mut edge = present("edge", &change.id, store.edge(&change.id)?)?;
    edge.edge_type = kind.unwrap_or(edge.edge_type);
    edge.file_path = file.or(edge.file_path);
    edge.line = change.line.or(edge.line);
    store.put_edge(&edge)?;
    value(&edge)
}

/// Bytes of a file with a batch.
const MOST_BATCH: u64 = 64 << 20;

pub(super) fn batch_import(engine: &Engine, args: &BatchArgs) -> Result<Value, EngineError> {
    let mut batch = Batch {
        nodes: args.nodes.clone(),
        edges: args.edges.clone(),
    };
    if let Some(file) = &args.file {
        let path = engine.project().relative(file)?;
        let text = engine
            .project()
            .read_text(&path, MOST_BATCH)
            .map_err(|e| EngineError::bad(format!("cannot read {path}: {}", e.reason())))?;
        batch = serde_json::from_str(&text).map_err(|e| {
            EngineError::bad(format!("not a batch: {path}: {e}"))
                .hint("a batch is a JSON object {\"nodes\": […], \"edges\": […]}")
        })?;
    }
    let mut places = HashMap::new();
    place_all(engine, "node", &mut batch.nodes, &mut places)?;
    place_all(engine, "edge", &mut batch.edges, &mut places)?;
    let count = engine.open_for_writing()?.batch_import(&batch)?;
    Ok(json!({"status": "ok", "nodes": count.nodes, "edges": count.edges}))
}

/// Makes the paths of a batch's records those of the graph. What is no text is for the store to refuse.
fn place_all(
    engine: &Engine,
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
                let placed = place(engine, path).map_err(|mut error| {
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
