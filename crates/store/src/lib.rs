//! Storage of the graph: records, the trait [`GraphStore`], and the SQLite backend.
//!
//! Never knows: the caller, source files, wire formats.

pub mod batch;
pub mod codes;
#[cfg(feature = "testing")]
pub mod contract;
pub mod graph;
pub mod names;
pub mod private;
pub mod record;
pub mod snapshot;
pub mod sqlite;
mod subgraph_cache;
pub mod texts;
mod virtual_edge_table;

pub use graph::{FileGraph, GraphEdge, GraphExternal, GraphImport, GraphMark, UnresolvedName};
pub use names::{Name, NameVisitor, Names};
pub use record::*;
pub use snapshot::{
    EdgeRow, FileStamp, Neighbor, NodeLocation, NodeRelation, Snapshot, SnapshotBuilder,
};
pub use sqlite::{SqliteBuild, SqliteStore, WriterLock};
pub use subgraph_cache::{SubgraphCache, SubgraphCacheStats};
pub use texts::{SearchTexts, TextSource};
pub use virtual_edge_table::{EdgeTableCounts, VirtualEdgeTable};

use base::EdgeType;
use serde::Serialize;
use std::collections::BTreeMap;

/// Errors of a store.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The word is not an edge type; nothing was written.
    #[error(transparent)]
    EdgeType(#[from] base::UnknownEdgeType),
    /// A record of a batch is bad; nothing of the batch was written.
    #[error("batch rolled back: {what} {position}: {reason}")]
    Batch {
        /// `node` or `edge`.
        what: &'static str,
        /// Position in its list, from 0.
        position: usize,
        /// Why.
        reason: String,
    },
    /// The record does not exist.
    #[error("{what} not found: {id}")]
    NotFound {
        /// `node` or `edge`.
        what: &'static str,
        /// Its id.
        id: String,
    },
    /// A value is out of range or malformed.
    #[error("{0}")]
    Invalid(String),
    /// The database is damaged.
    #[error("damaged database {path}: {reason}")]
    Damaged {
        /// The file.
        path: String,
        /// Result of the check.
        reason: String,
    },
    /// A row or a table differs from those that this program writes, though the database can be read.
    #[error("malformed database {path}: {reason}")]
    Malformed {
        /// The file.
        path: String,
        /// Description of the error.
        reason: String,
    },
    /// Something other than a regular file is in the place of a database file; it is neither read nor written.
    #[error("{path} is {what} and is not opened")]
    Irregular {
        /// Path.
        path: String,
        /// Kind of file, in words.
        what: &'static str,
    },
    /// The database's files were replaced while they were open: new connections are needed.
    #[error("{path} was changed by another program: {reason}")]
    Lost {
        /// The file.
        path: String,
        /// Error of the database.
        reason: String,
    },
    /// The database may come from anywhere: no seal shows that this user's programs wrote its present state.
    #[error(
        "{0} was not written by this user on this machine, or another program changed or damaged it: it is not trusted"
    )]
    Unvouched(String),
    /// The database server cannot be reached, or the connection was lost, even after several attempts.
    #[error("{server} cannot be reached: {reason}")]
    Unreachable {
        /// The server, without credentials.
        server: String,
        /// The cause.
        reason: String,
    },
    /// The database server refused the user, the password, or an operation for lack of rights.
    #[error("{server} refused access: {reason}")]
    Denied {
        /// The server, without credentials.
        server: String,
        /// The cause.
        reason: String,
    },
    /// The server sent more than the limit for an answer.
    #[error("{server} sent {reason}")]
    Oversized {
        /// The server, without credentials.
        server: String,
        /// The limit, in words.
        reason: String,
    },
    /// The database contains foreign code that would run with the rights of the writer.
    #[error("{server} has {what}, which Knotwork did not create: nothing is written")]
    Foreign {
        /// The server, without credentials.
        server: String,
        /// What was found, and where.
        what: String,
    },
    /// Another process holds the store.
    #[error("the store is busy: {0}")]
    Busy(String),
    /// There is no database at that place.
    #[error("no graph database at {0}")]
    Missing(String),
    /// The schema of the database is older or newer than the one that this program reads.
    #[error("{path} has schema version {found}, but this program reads {wanted}")]
    Schema {
        /// The file.
        path: String,
        /// Its version.
        found: String,
        /// This program's version.
        wanted: String,
    },
    /// Free SQL was refused: it would write, or it is not a single reading statement.
    #[error("query refused: {0}")]
    Refused(String),
    /// Free SQL exceeded its time limit, in milliseconds.
    #[error("query stopped after {0} ms")]
    TimeLimit(u128),
    /// The caller cancelled the query.
    #[error("cancelled by the client")]
    Cancelled,
    /// Free SQL, or other work of the process at the same time, took too much memory.
    #[error("query stopped: it took more than {0} MB of memory")]
    MemoryLimit(u64),
    /// The answer to free SQL exceeds the limit.
    #[error("query stopped: its answer is larger than {0} MB")]
    AnswerLimit(u64),
    /// Any other error of the database or the file system.
    #[error("{context}: {reason}")]
    Backend {
        /// The operation, with the path.
        context: String,
        /// The cause.
        reason: String,
    },
}

impl StoreError {
    /// Whether the file itself is damaged, so that it has to be replaced.
    pub fn is_file_damaged(&self) -> bool {
        matches!(
            self,
            StoreError::Damaged { .. }
                | StoreError::Malformed { .. }
                | StoreError::Irregular { .. }
        )
    }
}

/// Stores of many repositories on a server that several people use.
pub trait SharedStores: Send + Sync + std::fmt::Debug {
    /// The server, without credentials.
    fn server(&self) -> String;
    /// Opens the graph of a repository for reading. It stays in its present state as long as it is open.
    ///
    /// Errors: [`StoreError::Missing`] if nobody has published the repository.
    fn open(&self, repository: &str) -> Result<Box<dyn GraphStore>, StoreError>;
    /// Replaces the published graph of a repository.
    fn publish(
        &self,
        repository: &str,
        publication: &Publication<'_>,
    ) -> Result<Published, StoreError>;
}

/// Data to publish for a repository.
#[derive(Clone, Copy)]
pub struct Publication<'p> {
    /// The store whose rows are published; rows added by hand are left out.
    pub graph: &'p dyn GraphStore,
    /// The texts for search. If there are none, texts of another graph or commit are removed.
    pub texts: Option<&'p dyn TextSource>,
    /// The commit, stored with the graph.
    pub commit: Option<&'p str>,
    /// Metadata, stored with the graph.
    pub metadata: &'p [(String, String)],
    /// The virtual edges of the project, in place of those published before.
    pub virtual_edges: &'p [VirtualEdgeRecord],
}

/// Report of a publication.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Published {
    /// Whether the repository already had this graph, so that no row was written.
    pub was_current: bool,
    /// Rows written, over all tables.
    pub rows: u64,
}

/// A store of one project's graph.
///
/// Every write is one transaction. Reads see the last committed state.
pub trait GraphStore: Send {
    /// Adds a node, or replaces the node with its id.
    fn put_node(&mut self, node: &NodeRecord) -> Result<(), StoreError>;
    /// The node with that id.
    fn node(&self, id: &str) -> Result<Option<NodeRecord>, StoreError>;
    /// The nodes with these ids, those that exist, in no particular order.
    fn nodes(&self, ids: &[&str]) -> Result<Vec<NodeRecord>, StoreError> {
        let found = ids.iter().map(|id| self.node(id));
        Ok(found
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .flatten()
            .collect())
    }
    /// Deletes a node and its edges; returns whether it existed.
    fn delete_node(&mut self, id: &str) -> Result<bool, StoreError>;
    /// Adds an edge, or replaces the edge with its id. Both ends must exist.
    fn put_edge(&mut self, edge: &EdgeRecord) -> Result<(), StoreError>;
    /// The edge with that id.
    fn edge(&self, id: &str) -> Result<Option<EdgeRecord>, StoreError>;
    /// Deletes an edge; returns whether it existed.
    fn delete_edge(&mut self, id: &str) -> Result<bool, StoreError>;
    /// Edges that leave a node, in order of file, line and id.
    fn edges_from(&self, id: &str, only: Option<EdgeType>) -> Result<Vec<EdgeRecord>, StoreError>;
    /// Edges that enter a node, in order of file, line and id.
    fn edges_to(&self, id: &str, only: Option<EdgeType>) -> Result<Vec<EdgeRecord>, StoreError>;
    /// Edges that leave any of the nodes; those of one node in order of file, line and id.
    fn edges_from_all(&self, ids: &[&str]) -> Result<Vec<EdgeRecord>, StoreError> {
        let found = ids.iter().map(|id| self.edges_from(id, None));
        Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
    }
    /// Edges that enter any of the nodes; those of one node in order of file, line and id.
    fn edges_to_all(&self, ids: &[&str]) -> Result<Vec<EdgeRecord>, StoreError> {
        let found = ids.iter().map(|id| self.edges_to(id, None));
        Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
    }
    /// Whether each question goes over a network, so that a few large ones are better than many small ones.
    fn is_remote(&self) -> bool {
        false
    }
    /// The texts of the same state for search; `None` if this store has no texts.
    fn as_texts(&self) -> Option<&dyn SearchTexts> {
        None
    }
    /// Number of edges that enter a node, counted up to `most`.
    fn count_uses(&self, id: &str, most: usize) -> Result<usize, StoreError> {
        Ok(self.edges_to(id, None)?.len().min(most))
    }
    /// Nodes whose symbol is `name`, or whose qualified name ends in `.name`, exact case.
    fn find_symbol(&self, name: &str) -> Result<Vec<NodeRecord>, StoreError>;
    /// Nodes of a file in order of line.
    fn find_file(&self, path: &str) -> Result<Vec<NodeRecord>, StoreError>;
    /// Nodes without an incoming edge other than DEFINES from their container, in order of file and line: the first `most`, and the
    /// number of all.
    fn orphans(&self, most: usize) -> Result<(Vec<NodeRecord>, usize), StoreError>;
    /// A shortest path along edges of the given types (all types if empty), at most `max_depth` edges long.
    fn shortest_path(
        &self,
        from: &str,
        to: &str,
        max_depth: u32,
        types: &[EdgeType],
    ) -> Result<Option<Vec<EdgeRecord>>, StoreError>;
    /// Imports nodes, then edges, in one transaction. A bad record undoes all of it, and the error names its position.
    fn batch_import(&mut self, batch: &Batch) -> Result<BatchCount, StoreError>;
    /// Replaces the indexer's rows of the given files by the given records, in one transaction. Nodes and edges that were added
    /// by hand ([`base::Tier::Manual`]) stay.
    fn apply_change(&mut self, change: &GraphChange) -> Result<(), StoreError>;
    /// Whether there is at least one node.
    fn has_nodes(&self) -> Result<bool, StoreError> {
        Ok(self.stats()?.nodes > 0)
    }
    /// Counts and sizes.
    fn stats(&self) -> Result<Stats, StoreError>;
    /// Records of the indexed files, by path.
    fn indexed_files(&self) -> Result<BTreeMap<String, FileRecord>, StoreError>;
    /// One of them. Backends that can do it without reading the others should do so.
    fn indexed_file(&self, path: &str) -> Result<Option<FileRecord>, StoreError> {
        Ok(self.indexed_files()?.remove(path))
    }
    /// How many they are.
    fn file_count(&self) -> Result<usize, StoreError> {
        Ok(self.indexed_files()?.len())
    }
    /// A value of the `metadata` table.
    fn metadata(&self, key: &str) -> Result<Option<String>, StoreError>;
    /// Sets a value of the `metadata` table.
    fn set_metadata(&mut self, key: &str, value: &str) -> Result<(), StoreError>;
    /// Relations that leave a node, in order of kind and target.
    fn relations_from(&self, id: &str) -> Result<Vec<RelationRecord>, StoreError>;
    /// Relations that enter a node, in order of kind and source.
    fn relations_to(&self, id: &str) -> Result<Vec<RelationRecord>, StoreError>;
    /// Relations that leave any of the nodes; those of one node in order of kind and target.
    fn relations_from_all(&self, ids: &[&str]) -> Result<Vec<RelationRecord>, StoreError> {
        let found = ids.iter().map(|id| self.relations_from(id));
        Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
    }
    /// Relations that enter any of the nodes; those of one node in order of kind and source.
    fn relations_to_all(&self, ids: &[&str]) -> Result<Vec<RelationRecord>, StoreError> {
        let found = ids.iter().map(|id| self.relations_to(id));
        Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
    }
    /// Unresolved calls of that name: each file with the lines of its calls, in order of path.
    fn unresolved_calls(&self, name: &str) -> Result<Vec<(String, Vec<u32>)>, StoreError>;
    /// Unresolved calls in the file with that node: each name with the lines of its calls, in order of name.
    fn unresolved_calls_in(&self, file: &str) -> Result<Vec<(String, Vec<u32>)>, StoreError>;
    /// Symbols outside the repository that a node uses, in order of package and symbol.
    fn externals_of(&self, id: &str) -> Result<Vec<ExternalRecord>, StoreError>;
    /// Adds edges across repositories, or replaces those with their ids.
    fn put_virtual_edges(&mut self, edges: &[VirtualEdgeRecord]) -> Result<(), StoreError>;
    /// Deletes edges across repositories by id; returns how many existed.
    fn delete_virtual_edges(&mut self, ids: &[String]) -> Result<usize, StoreError>;
    /// Edges across repositories of at least that confidence, highest first. If a symbol is given: only those with that
    /// symbol at either end.
    fn virtual_edges(
        &self,
        symbol: Option<&str>,
        min_confidence: f64,
    ) -> Result<Vec<VirtualEdgeRecord>, StoreError>;
    /// The whole graph in memory, in its present state.
    fn snapshot(&self) -> Result<Snapshot, StoreError>;
    /// Visits every relation, in order of source, kind and target.
    fn for_each_relation(&self, visit: &mut dyn FnMut(RelationRecord)) -> Result<(), StoreError>;
    /// Visits every external, in order of source, package and symbol.
    fn for_each_external(&self, visit: &mut dyn FnMut(ExternalRecord)) -> Result<(), StoreError>;
    /// Visits every external, in no particular order. Backends should override it if they can avoid making records.
    fn for_each_use(&self, visit: &mut dyn FnMut(UseRow<'_>)) -> Result<(), StoreError> {
        self.for_each_external(&mut |x| {
            visit(UseRow {
                source_id: &x.source_id,
                package: &x.package,
                symbol: &x.symbol,
                line: x.line,
                count: x.count,
            });
        })
    }
    /// Visits every import; those of a file come together and in order.
    fn for_each_import(&self, visit: &mut dyn FnMut(ImportRow<'_>)) -> Result<(), StoreError>;
    /// Visits every mark, in order of source, kind, name and detail.
    fn for_each_mark(&self, visit: &mut dyn FnMut(MarkRow<'_>)) -> Result<(), StoreError>;
    /// Visits the unresolved calls, in order of file and name.
    fn for_each_unresolved(
        &self,
        visit: &mut dyn FnMut(UnresolvedCallRecord),
    ) -> Result<(), StoreError>;
    /// Externals of the packages that are wanted, in order of package, symbol and source. Backends should override it
    /// if they can select packages first.
    fn externals_of_packages(
        &self,
        wanted: &mut dyn FnMut(&str) -> bool,
    ) -> Result<Vec<ExternalRecord>, StoreError> {
        let mut found = Vec::new();
        self.for_each_external(&mut |external| {
            if wanted(&external.package) {
                found.push(external);
            }
        })?;
        found.sort_by(|a, b| {
            (&a.package, &a.symbol, &a.source_id).cmp(&(&b.package, &b.symbol, &b.source_id))
        });
        Ok(found)
    }
    /// Visits every node, in order of id.
    fn for_each_node(&self, visit: &mut dyn FnMut(NodeRecord)) -> Result<(), StoreError>;
    /// Visits every edge, in order of id.
    fn for_each_edge(&self, visit: &mut dyn FnMut(EdgeRecord)) -> Result<(), StoreError>;
    /// Visits every node's name and place, in no particular order. Backends should override it if they can avoid
    /// reading whole records.
    fn for_each_name(&self, visit: &mut dyn FnMut(NameRow<'_>)) -> Result<(), StoreError> {
        self.for_each_node(&mut |node| visit(NameRow::from_node(&node)))
    }
}
