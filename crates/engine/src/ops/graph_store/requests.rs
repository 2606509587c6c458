//! Requests to the graph store.

use crate::EngineError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// An operation on the graph store.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Subcommand))]
#[serde(tag = "action", content = "payload", rename_all = "kebab-case")]
pub enum GraphStoreRequest {
    /// Create the database. An existing one is kept
    Init {},
    /// Add a node, or replace the node with the same id
    AddNode(NodeArgs),
    /// Show a node
    GetNode(IdArgs),
    /// Change fields of a node
    UpdateNode(NodeChange),
    /// Delete a node and its edges
    DeleteNode(IdArgs),
    /// Add an edge, or replace the edge with the same id
    AddEdge(EdgeArgs),
    /// Show an edge
    GetEdge(IdArgs),
    /// Change fields of an edge
    UpdateEdge(EdgeChange),
    /// Delete an edge
    DeleteEdge(IdArgs),
    /// List the edges of a node
    QueryEdges(QueryEdges),
    /// Find nodes by exact name or Class.method
    FindSymbol {
        /// The name
        symbol: String,
    },
    /// List the nodes of a file
    FindFile {
        /// The path
        path: String,
    },
    /// List unresolved calls with this name
    FindUnresolved {
        /// The name
        name: String,
        /// Maximum number of files to list. 0 lists all
        #[cfg_attr(feature = "cli", arg(long, short = 'n', default_value_t = 0))]
        #[serde(default)]
        limit: usize,
    },
    /// List nodes without incoming edges
    FindOrphans {
        /// Maximum number of nodes to list. 0 lists all
        #[cfg_attr(feature = "cli", arg(long, short = 'n', default_value_t = 0))]
        #[serde(default)]
        limit: usize,
    },
    /// Find a shortest path between two nodes
    FindPath(FindPath),
    /// Import {nodes:[…], edges:[…]} in one transaction
    BatchImport(BatchArgs),
    /// Show counts and sizes
    Stats {},
    /// Run a read-only SQL query
    Query(QueryArgs),
    /// Check or upgrade the schema. A backup is kept
    Migrate(MigrateArgs),
    /// Release unused space
    Vacuum {},
    /// Write the whole graph as JSON
    Export {
        /// One record per line
        #[cfg_attr(feature = "cli", arg(long))]
        #[serde(default)]
        lines: bool,
    },
}

impl GraphStoreRequest {
    /// Whether the request changes the graph or its file.
    pub fn is_write(&self) -> bool {
        use GraphStoreRequest as R;
        match self {
            R::GetNode(_)
            | R::GetEdge(_)
            | R::QueryEdges(_)
            | R::FindSymbol { .. }
            | R::FindFile { .. }
            | R::FindUnresolved { .. }
            | R::FindOrphans { .. }
            | R::FindPath(_)
            | R::Stats {}
            | R::Query(_)
            | R::Export { .. } => false,
            R::Init {}
            | R::AddNode(_)
            | R::UpdateNode(_)
            | R::DeleteNode(_)
            | R::AddEdge(_)
            | R::UpdateEdge(_)
            | R::DeleteEdge(_)
            | R::BatchImport(_)
            | R::Migrate(_)
            | R::Vacuum {} => true,
        }
    }
}

/// An operation on the graph store as a client writes it: words may be joined by `_`, and the payload may be missing.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GraphStoreCall {
    /// add-, get-, update-, delete-node or -edge; query-edges, find-symbol, find-file, find-unresolved, find-orphans, find-path, batch-import,
    /// stats, query, export
    pub action: String,
    /// {id} · node {id,symbol,kind,file} · edge {source,target,type} · query-edges {from?,to?,type?} ·
    /// find-symbol {symbol} · find-file {path} · find-unresolved {name} · find-path {from,to,max_depth?} · query {sql,params?} ·
    /// batch-import {nodes,edges}
    #[serde(default)]
    pub payload: Map<String, Value>,
}

impl GraphStoreCall {
    /// The request.
    ///
    /// # Errors
    /// If the action is not known, or the payload does not fit it.
    pub fn parse(&self) -> Result<GraphStoreRequest, EngineError> {
        let action = self.action.replace('_', "-");
        serde_json::from_value(json!({"action": action, "payload": self.payload}))
            .map_err(|e| EngineError::bad_arguments(format!("graph store: {action}: {e}")))
    }
}

/// A node to add.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct NodeArgs {
    /// Id of the node
    #[cfg_attr(feature = "cli", arg(long))]
    pub id: String,
    /// Name of the symbol
    #[cfg_attr(feature = "cli", arg(long))]
    pub symbol: String,
    /// Kind of the symbol: function, class, …
    #[cfg_attr(feature = "cli", arg(long))]
    pub kind: String,
    /// Path of the file
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
    /// Id of the node
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
    /// Id of the source node
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(alias = "source_id")]
    pub source: String,
    /// Id of the target node
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(alias = "target_id")]
    pub target: String,
    /// DEFINES, IMPORTS, CALLS or MODIFIES
    #[cfg_attr(feature = "cli", arg(long = "type", value_name = "TYPE"))]
    #[serde(rename = "type", alias = "edge_type")]
    pub edge_type: String,
    /// Id of the edge [default: made from its nodes and its place]
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub id: Option<String>,
    /// Path of the file that contains the call or reference
    #[cfg_attr(feature = "cli", arg(long, alias = "file-path"))]
    #[serde(default, alias = "file_path")]
    pub file: Option<String>,
    /// Line of the call or reference
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub line: Option<u32>,
}

/// Fields of an edge to change.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct EdgeChange {
    /// Id of the node
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
    /// Only edges from this node
    #[cfg_attr(feature = "cli", arg(long, required_unless_present = "to"))]
    #[serde(default)]
    pub from: Option<String>,
    /// Only edges to this node
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub to: Option<String>,
    /// Only edges of this type
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
    /// Maximum number of edges on the path
    #[cfg_attr(feature = "cli", arg(long, default_value_t = 10))]
    #[serde(default = "default_path_depth")]
    pub max_depth: u32,
    /// Only edges of these types, e.g. CALLS,IMPORTS
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
#[serde(deny_unknown_fields)]
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
    /// One read-only statement. ?1, ?2, … are parameters
    #[cfg_attr(
        feature = "cli",
        arg(id = "statement", value_name = "SQL", required_unless_present = "sql")
    )]
    #[serde(skip)]
    pub statement: Option<String>,
    /// Same as SQL
    #[cfg_attr(feature = "cli", arg(long, conflicts_with = "statement"))]
    pub sql: Option<String>,
    /// The value of a parameter, in order. It is a number if it looks like one, else text
    #[cfg_attr(feature = "cli", arg(long = "param", value_name = "VALUE", value_parser = parse_sql_parameter))]
    #[serde(default)]
    pub params: Vec<Value>,
    /// Maximum number of rows
    #[cfg_attr(feature = "cli", arg(long, short = 'n', default_value_t = 1000))]
    #[serde(default = "default_rows")]
    pub limit: usize,
}

impl QueryArgs {
    /// The statement, from either field.
    ///
    /// # Errors
    /// There is none.
    pub fn text(&self) -> Result<&str, EngineError> {
        let text = self.statement.as_deref().or(self.sql.as_deref());
        text.ok_or_else(|| EngineError::bad_arguments("no SQL given"))
    }
}

fn default_rows() -> usize {
    1000
}

/// A parameter as written at the command line.
#[cfg(feature = "cli")]
fn parse_sql_parameter(text: &str) -> Result<Value, std::convert::Infallible> {
    let number = serde_json::from_str::<serde_json::Number>(text);
    Ok(number.map_or_else(|_| Value::from(text), Value::Number))
}

/// What to do about the schema.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct MigrateArgs {
    /// Show whether an upgrade is needed
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
