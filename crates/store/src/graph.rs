//! The part of the graph that one file makes, as the indexer builds it: with numbers for ids, and the path given once.

use crate::{
    EdgeRecord, ExternalRecord, GraphChange, ImportFlags, ImportKind, ImportRecord, MarkRecord,
    NodeRecord, RelationRecord, UnresolvedCallRecord,
};
use base::{EdgeType, MarkKind, NodeId, Site, Tier};
use std::sync::Arc;

/// All rows of one file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FileGraph {
    /// Path in the project, with `/`.
    pub path: String,
    /// Its nodes.
    pub nodes: Vec<NodeRecord>,
    /// Edges that start in it.
    pub edges: Vec<GraphEdge>,
    /// Relations that are written in it.
    pub relations: Vec<RelationRecord>,
    /// Symbols outside the repository that it uses.
    pub externals: Vec<GraphExternal>,
    /// Its imports, in order of appearance.
    pub imports: Vec<GraphImport>,
    /// Unresolved names of its calls, in order.
    pub unresolved: Vec<UnresolvedName>,
    /// Marks: decorators, error handling and the like, in order of source, kind, name and detail.
    pub marks: Vec<GraphMark>,
}

/// An edge, without its file.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphEdge {
    /// Its id, in the file of its source.
    pub id: NodeId,
    /// Source node.
    pub source: NodeId,
    /// Target node.
    pub target: NodeId,
    /// The relation.
    pub edge_type: EdgeType,
    /// For CALLS: a call or only a reference.
    pub site: Option<Site>,
    /// Tier: how the edge is known.
    pub tier: Tier,
    /// 0–1.
    pub confidence: f64,
    /// The line of the edge, from 1; 0 if there is none.
    pub line: u32,
    /// Further lines, ascending.
    pub more_lines: Vec<u32>,
}

impl GraphEdge {
    /// Converts to a record of the store.
    pub fn to_record(&self, path: &str) -> EdgeRecord {
        EdgeRecord {
            id: self.id.to_string(),
            source_id: self.source.to_string(),
            target_id: self.target.to_string(),
            edge_type: self.edge_type,
            file_path: Some(path.to_owned()),
            line: (self.line > 0).then_some(self.line),
            tier: self.tier,
            confidence: self.confidence,
            more_lines: self.more_lines.clone(),
            site: self.site,
        }
    }
}

/// A use of something outside the repository, without its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphExternal {
    /// The node that uses it.
    pub source: NodeId,
    /// The package.
    pub package: Arc<str>,
    /// The symbol within it, dotted; empty for the package itself.
    pub symbol: Arc<str>,
    /// The first line.
    pub line: u32,
    /// Number of call sites.
    pub count: u32,
}

impl GraphExternal {
    /// Converts to a record of the store.
    pub fn to_record(&self, path: &str) -> ExternalRecord {
        ExternalRecord {
            source_id: self.source.to_string(),
            package: self.package.to_string(),
            symbol: self.symbol.to_string(),
            file_path: path.to_owned(),
            line: self.line,
            count: self.count,
        }
    }
}

/// An import, without its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphImport {
    /// The node of the file that imports.
    pub source: NodeId,
    /// The line, from 1.
    pub line: u32,
    /// The module as written.
    pub specifier: String,
    /// The node of the imported file, if it is one of the repository.
    pub target: Option<NodeId>,
    /// Kind of import.
    pub kind: ImportKind,
    /// See [`ImportRecord::names`].
    pub names: String,
    /// Properties.
    pub flags: ImportFlags,
}

impl GraphImport {
    /// Converts to a record of the store.
    pub fn record(&self) -> ImportRecord {
        ImportRecord {
            source_id: self.source.to_string(),
            line: self.line,
            specifier: self.specifier.clone(),
            target_id: self.target.map(|target| target.to_string()),
            kind: self.kind,
            names: self.names.clone(),
            flags: self.flags,
        }
    }
}

/// Unresolved calls of one name in a file, without the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnresolvedName {
    /// The node of the file.
    pub source: NodeId,
    /// The last name of the called expression.
    pub name: String,
    /// The line of each call, ascending; a line with several calls is repeated.
    pub lines: Vec<u32>,
}

impl UnresolvedName {
    /// Converts to a record of the store.
    pub fn to_record(&self) -> UnresolvedCallRecord {
        UnresolvedCallRecord {
            source_id: self.source.to_string(),
            name: self.name.clone(),
            lines: self.lines.clone(),
        }
    }
}

/// A mark, without its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphMark {
    /// The node of the definition or of the file that has it.
    pub source: NodeId,
    /// Kind of mark.
    pub kind: MarkKind,
    /// See [`MarkRecord::name`].
    pub name: String,
    /// See [`MarkRecord::detail`].
    pub detail: String,
    /// The lines of the mark, ascending.
    pub lines: Vec<u32>,
}

impl GraphMark {
    /// Converts to a record of the store.
    pub fn to_record(&self) -> MarkRecord {
        MarkRecord {
            source_id: self.source.to_string(),
            kind: self.kind,
            name: self.name.clone(),
            detail: self.detail.clone(),
            lines: self.lines.clone(),
        }
    }
}

impl GraphChange {
    /// Adds the rows of a file.
    pub fn add_file(&mut self, graph: FileGraph) {
        let path = &graph.path;
        self.edges
            .extend(graph.edges.iter().map(|e| e.to_record(path)));
        let externals = graph.externals.iter().map(|x| x.to_record(path));
        self.externals.extend(externals);
        self.imports
            .extend(graph.imports.iter().map(GraphImport::record));
        self.unresolved
            .extend(graph.unresolved.iter().map(UnresolvedName::to_record));
        self.marks
            .extend(graph.marks.iter().map(GraphMark::to_record));
        self.nodes.extend(graph.nodes);
        self.relations.extend(graph.relations);
    }
}
