//! `graph-store`: nodes and edges as they are kept.

use crate::{Engine, EngineError};
use base::{EdgeType, Site, Tier};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::Duration;
use store::sqlite::QueryLimits;
use store::{Batch, EdgeRecord, GraphStore, NodeFlags, NodeRecord, SqliteStore, StoreError};

/// Operations that change the graph.
pub const WRITES: [&str; 9] = [
    "init",
    "add-node",
    "update-node",
    "delete-node",
    "add-edge",
    "update-edge",
    "delete-edge",
    "batch-import",
    "vacuum",
];

/// Whether an operation of that name changes the graph.
pub fn is_write(action: &str) -> bool {
    WRITES.contains(&action)
}

/// An operation on the graph store.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Subcommand))]
#[serde(tag = "action", content = "payload", rename_all = "kebab-case")]
pub enum GraphStoreRequest {
    /// Create the database (an existing one is kept)
    Init {},
    /// Add a node, or replace the one with its id
    AddNode(NodeArgs),
    /// Show a node
    GetNode(IdArgs),
    /// Change fields of a node
    UpdateNode(NodeChange),
    /// Delete a node and its edges
    DeleteNode(IdArgs),
    /// Add an edge, or replace the one with its id
    AddEdge(EdgeArgs),
    /// Show an edge
    GetEdge(IdArgs),
    /// Change fields of an edge
    UpdateEdge(EdgeChange),
    /// Delete an edge
    DeleteEdge(IdArgs),
    /// Edges that leave or enter a node
    QueryEdges(QueryEdges),
    /// Nodes by exact name or Class.method
    FindSymbol {
        /// The name
        symbol: String,
    },
    /// Nodes of a file
    FindFile {
        /// The path
        path: String,
    },
    /// Nodes that no edge leads to
    FindOrphans {},
    /// A shortest path between two nodes
    FindPath(FindPath),
    /// Import {nodes:[…], edges:[…]} in one transaction
    BatchImport(BatchArgs),
    /// Counts and sizes
    Stats {},
    /// Run SQL that only reads
    Query(QueryArgs),
    /// Check or upgrade the schema (a backup is kept)
    Migrate(MigrateArgs),
    /// Give unused space back
    Vacuum {},
    /// Write the whole graph as JSON
    Export {
        /// One record a line
        #[cfg_attr(feature = "cli", arg(long))]
        #[serde(default)]
        lines: bool,
    },
}

/// A node to add.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct NodeArgs {
    /// Its id
    #[cfg_attr(feature = "cli", arg(long))]
    pub id: String,
    /// Its name
    #[cfg_attr(feature = "cli", arg(long))]
    pub symbol: String,
    /// What it is: function, class, …
    #[cfg_attr(feature = "cli", arg(long))]
    pub kind: String,
    /// Its file
    #[cfg_attr(feature = "cli", arg(long, alias = "file-path"))]
    #[serde(alias = "file_path")]
    pub file: String,
    /// First line
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub line_start: Option<u32>,
    /// Last line
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub line_end: Option<u32>,
}

/// An id.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct IdArgs {
    /// The id
    #[cfg_attr(feature = "cli", arg(long))]
    pub id: String,
}

/// Fields of a node to change.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct NodeChange {
    /// Its id
    #[cfg_attr(feature = "cli", arg(long))]
    pub id: String,
    /// New name
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub symbol: Option<String>,
    /// New kind
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub kind: Option<String>,
    /// New file
    #[cfg_attr(feature = "cli", arg(long, alias = "file-path"))]
    #[serde(default, alias = "file_path")]
    pub file: Option<String>,
    /// New first line
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub line_start: Option<u32>,
    /// New last line
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub line_end: Option<u32>,
}

/// An edge to add.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct EdgeArgs {
    /// Id of the node it leaves
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(alias = "source_id")]
    pub source: String,
    /// Id of the node it enters
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(alias = "target_id")]
    pub target: String,
    /// DEFINES, IMPORTS, CALLS or MODIFIES
    #[cfg_attr(feature = "cli", arg(long = "type", value_name = "TYPE"))]
    #[serde(rename = "type", alias = "edge_type")]
    pub edge_type: String,
    /// Its id; made from its ends and place where none is given
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub id: Option<String>,
    /// The file in which it stands
    #[cfg_attr(feature = "cli", arg(long, alias = "file-path"))]
    #[serde(default, alias = "file_path")]
    pub file: Option<String>,
    /// The line at which it stands
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub line: Option<u32>,
}

/// Fields of an edge to change.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct EdgeChange {
    /// Its id
    #[cfg_attr(feature = "cli", arg(long))]
    pub id: String,
    /// New type
    #[cfg_attr(feature = "cli", arg(long = "type", value_name = "TYPE"))]
    #[serde(default, rename = "type", alias = "edge_type")]
    pub edge_type: Option<String>,
    /// New file
    #[cfg_attr(feature = "cli", arg(long, alias = "file-path"))]
    #[serde(default, alias = "file_path")]
    pub file: Option<String>,
    /// New line
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub line: Option<u32>,
}

/// Which edges.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct QueryEdges {
    /// Id of the node that they leave
    #[cfg_attr(feature = "cli", arg(long, required_unless_present = "to"))]
    #[serde(default)]
    pub from: Option<String>,
    /// Id of the node that they enter
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub to: Option<String>,
    /// Only this type
    #[cfg_attr(feature = "cli", arg(long = "type", value_name = "TYPE"))]
    #[serde(default, rename = "type", alias = "edge_type")]
    pub edge_type: Option<String>,
}

/// Ends and limits of a path.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct FindPath {
    /// Id of the first node
    #[cfg_attr(feature = "cli", arg(long))]
    pub from: String,
    /// Id of the last node
    #[cfg_attr(feature = "cli", arg(long))]
    pub to: String,
    /// Most edges
    #[cfg_attr(feature = "cli", arg(long, default_value_t = 10))]
    #[serde(default = "default_path_depth")]
    pub max_depth: u32,
    /// Only these types, e.g. CALLS,IMPORTS
    #[cfg_attr(feature = "cli", arg(long, value_delimiter = ','))]
    #[serde(default)]
    pub edge_types: Vec<String>,
}

fn default_path_depth() -> u32 {
    10
}

/// Nodes and edges to import.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct BatchArgs {
    /// A JSON file with nodes and edges
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub file: Option<String>,
    /// Nodes: {id, symbol, kind, file_path, line_start?, line_end?}
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(default)]
    pub nodes: Vec<Value>,
    /// Edges: {source, target, type, file?, line?}
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(default)]
    pub edges: Vec<Value>,
}

/// SQL with its parameters.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct QueryArgs {
    /// One statement that reads; ?1, ?2, … are parameters
    #[cfg_attr(feature = "cli", arg(long))]
    pub sql: String,
    /// A parameter, in order: a number, or else text
    #[cfg_attr(feature = "cli", arg(long = "param", value_name = "VALUE", value_parser = parameter))]
    #[serde(default)]
    pub params: Vec<Value>,
    /// Most rows
    #[cfg_attr(feature = "cli", arg(long, default_value_t = 1000))]
    #[serde(default = "default_rows")]
    pub limit: usize,
}

fn default_rows() -> usize {
    1000
}

/// A parameter as written on the command line.
#[cfg(feature = "cli")]
fn parameter(text: &str) -> Result<Value, std::convert::Infallible> {
    let number = serde_json::from_str::<serde_json::Number>(text);
    Ok(number.map_or_else(|_| Value::from(text), Value::Number))
}

/// What to do about the schema.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct MigrateArgs {
    /// Say whether an upgrade is needed
    #[cfg_attr(feature = "cli", arg(long, conflicts_with = "apply"))]
    #[serde(default)]
    pub check: bool,
    /// Upgrade, keeping a backup
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub apply: bool,
    /// Show the version
    #[cfg_attr(feature = "cli", arg(long, conflicts_with = "apply"))]
    #[serde(default)]
    pub status: bool,
}

pub(crate) fn run(
    engine: &Engine,
    request: &GraphStoreRequest,
) -> Result<(Value, Vec<String>), EngineError> {
    use GraphStoreRequest as R;
    if let R::Init {} = request {
        return init(engine);
    }
    let data = match request {
        R::Init {} => Value::Null,
        R::AddNode(_) | R::UpdateNode(_) | R::DeleteNode(_) => write_node(engine, request)?,
        R::AddEdge(_) | R::UpdateEdge(_) | R::DeleteEdge(_) => write_edge(engine, request)?,
        R::BatchImport(args) => batch_import(engine, args)?,
        R::Vacuum {} => {
            let (before, after) = engine.for_writing()?.vacuum()?;
            json!({"status": "ok", "bytes_before": before, "bytes_after": after})
        }
        R::Migrate(args) => migrate(engine, args)?,
        _ => read(&engine.for_store_question()?, request, engine)?,
    };
    Ok((data, Vec::new()))
}

fn init(engine: &Engine) -> Result<(Value, Vec<String>), EngineError> {
    let path = engine.database();
    if !engine.project.db_is_given {
        engine.project.prepare_state()?;
    }
    let (_, existed) = SqliteStore::init(path)?;
    let status = if existed { "exists" } else { "initialized" };
    let note = "Database already exists, skipping initialization".to_owned();
    let notes = if existed { vec![note] } else { Vec::new() };
    Ok((
        json!({"status": status, "path": path.display().to_string()}),
        notes,
    ))
}

fn read(
    store: &SqliteStore,
    request: &GraphStoreRequest,
    engine: &Engine,
) -> Result<Value, EngineError> {
    use GraphStoreRequest as R;
    match request {
        R::GetNode(id) => to_json(
            &store
                .node(&id.id)?
                .ok_or_else(|| not_found("node", &id.id))?,
        ),
        R::GetEdge(id) => to_json(
            &store
                .edge(&id.id)?
                .ok_or_else(|| not_found("edge", &id.id))?,
        ),
        R::QueryEdges(query) => query_edges(store, query),
        R::FindSymbol { symbol } => to_json(&store.find_symbol(symbol)?),
        R::FindFile { path } => to_json(&find_file(store, engine, path)?),
        R::FindOrphans {} => to_json(&store.orphans()?),
        R::FindPath(query) => find_path(store, query),
        R::Stats {} => to_json(&store.stats()?),
        R::Query(query) => {
            let limits = QueryLimits {
                rows: query.limit,
                time: Duration::from_secs(5),
            };
            to_json(&store.query(&query.sql, &query.params, limits)?)
        }
        R::Export { lines } => {
            let mut bytes = Vec::new();
            store.export(&mut bytes, *lines)?;
            match serde_json::from_slice(&bytes) {
                Ok(value) => Ok(value),
                Err(_) => Ok(Value::from(String::from_utf8_lossy(&bytes).into_owned())),
            }
        }
        _ => Err(EngineError::failure("not a reading operation")),
    }
}

fn write_node(engine: &Engine, request: &GraphStoreRequest) -> Result<Value, EngineError> {
    use GraphStoreRequest as R;
    let mut store = engine.for_writing()?;
    match request {
        R::AddNode(node) => {
            store.put_node(&NodeRecord {
                id: node.id.clone(),
                symbol: node.symbol.clone(),
                kind: node.kind.clone(),
                file_path: node.file.clone(),
                line_start: node.line_start,
                line_end: node.line_end,
                flags: NodeFlags(NodeFlags::MANUAL),
                ..NodeRecord::default()
            })?;
            Ok(json!({"status": "ok", "id": node.id}))
        }
        R::UpdateNode(change) => {
            let id = &change.id;
            let mut node = store.node(id)?.ok_or_else(|| not_found("node", id))?;
            node.symbol = change.symbol.clone().unwrap_or(node.symbol);
            node.kind = change.kind.clone().unwrap_or(node.kind);
            node.file_path = change.file.clone().unwrap_or(node.file_path);
            node.line_start = change.line_start.or(node.line_start);
            node.line_end = change.line_end.or(node.line_end);
            store.put_node(&node)?;
            to_json(&node)
        }
        R::DeleteNode(id) => match store.delete_node(&id.id)? {
            true => Ok(json!({"status": "ok", "deleted": id.id})),
            false => Err(not_found("node", &id.id)),
        },
        _ => Err(EngineError::failure("not an operation on nodes")),
    }
}

fn write_edge(engine: &Engine, request: &GraphStoreRequest) -> Result<Value, EngineError> {
    use GraphStoreRequest as R;
    match request {
        R::AddEdge(args) => {
            let mut edge = edge_of(args)?;
            if let Some(id) = &args.id {
                edge.id.clone_from(id);
            }
            engine.for_writing()?.put_edge(&edge)?;
            Ok(json!({"status": "ok", "id": edge.id}))
        }
        R::UpdateEdge(change) => {
            let kind = change.edge_type.as_deref().map(edge_type).transpose()?;
            let mut store = engine.for_writing()?;
            let id = &change.id;
            let mut edge = store.edge(id)?.ok_or_else(|| not_found("edge", id))?;
            edge.edge_type = kind.unwrap_or(edge.edge_type);
            edge.file_path = change.file.clone().or(edge.file_path);
            edge.line = change.line.or(edge.line);
            store.put_edge(&edge)?;
            to_json(&edge)
        }
        R::DeleteEdge(id) => match engine.for_writing()?.delete_edge(&id.id)? {
            true => Ok(json!({"status": "ok", "deleted": id.id})),
            false => Err(not_found("edge", &id.id)),
        },
        _ => Err(EngineError::failure("not an operation on edges")),
    }
}

fn edge_of(args: &EdgeArgs) -> Result<EdgeRecord, EngineError> {
    let edge_type = edge_type(&args.edge_type)?;
    let mut edge = EdgeRecord {
        id: String::new(),
        source_id: args.source.clone(),
        target_id: args.target.clone(),
        edge_type,
        file_path: args.file.clone(),
        line: args.line,
        tier: Tier::Manual,
        confidence: Tier::Manual.default_confidence(),
        site: (edge_type == EdgeType::Calls).then_some(Site::Call),
        more_lines: Vec::new(),
    };
    edge.id = edge.fingerprint();
    Ok(edge)
}

fn edge_type(word: &str) -> Result<EdgeType, EngineError> {
    word.parse::<EdgeType>()
        .map_err(|error| StoreError::from(error).into())
}

fn query_edges(store: &SqliteStore, query: &QueryEdges) -> Result<Value, EngineError> {
    let only = query.edge_type.as_deref().map(edge_type).transpose()?;
    let edges = match (&query.from, &query.to) {
        (Some(from), to) => {
            let mut edges = store.edges_from(from, only)?;
            edges.retain(|edge| to.as_ref().is_none_or(|to| edge.target_id == *to));
            edges
        }
        (None, Some(to)) => store.edges_to(to, only)?,
        (None, None) => return Err(EngineError::bad("give --from, --to, or both")),
    };
    to_json(&edges)
}

/// A path as the store has it; one on disk is taken relative to the project.
fn find_file(
    store: &SqliteStore,
    engine: &Engine,
    path: &str,
) -> Result<Vec<NodeRecord>, EngineError> {
    let found = store.find_file(path)?;
    if !found.is_empty() {
        return Ok(found);
    }
    Ok(store.find_file(&engine.project.relative(path)?)?)
}

fn find_path(store: &SqliteStore, query: &FindPath) -> Result<Value, EngineError> {
    let types: Vec<EdgeType> = query
        .edge_types
        .iter()
        .map(|word| edge_type(word))
        .collect::<Result<_, _>>()?;
    let found = GraphStore::path(store, &query.from, &query.to, query.max_depth, &types)?;
    let Some(edges) = found else {
        return Ok(json!({"found": false, "length": 0, "path": [], "edges": []}));
    };
    let mut path = vec![query.from.as_str()];
    path.extend(edges.iter().map(|edge| edge.target_id.as_str()));
    Ok(json!({
        "found": true,
        "length": edges.len(),
        "path": path,
        "edges": to_json(&edges)?,
    }))
}

fn batch_import(engine: &Engine, args: &BatchArgs) -> Result<Value, EngineError> {
    let mut batch = Batch {
        nodes: args.nodes.clone(),
        edges: args.edges.clone(),
    };
    if let Some(file) = &args.file {
        let path = engine.root().join(engine.project.relative(file)?);
        let text = std::fs::read_to_string(&path)
            .map_err(|e| EngineError::bad(format!("cannot read {}: {e}", path.display())))?;
        batch = serde_json::from_str(&text).map_err(|e| {
            EngineError::bad(format!("not a batch: {}: {e}", path.display()))
                .hint("a batch is a JSON object {\"nodes\": […], \"edges\": […]}")
        })?;
    }
    let count = engine.for_writing()?.batch_import(&batch)?;
    Ok(json!({"status": "ok", "nodes": count.nodes, "edges": count.edges}))
}

fn migrate(engine: &Engine, args: &MigrateArgs) -> Result<Value, EngineError> {
    let path = engine.database();
    if args.apply {
        return to_json(&SqliteStore::migrate(path)?);
    }
    to_json(&SqliteStore::migration_state(path)?)
}

fn not_found(what: &'static str, id: &str) -> EngineError {
    StoreError::NotFound {
        what,
        id: id.to_owned(),
    }
    .into()
}

fn to_json(value: &impl Serialize) -> Result<Value, EngineError> {
    serde_json::to_value(value).map_err(|e| EngineError::failure(format!("not JSON: {e}")))
}
