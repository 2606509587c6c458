//! The interface through which an analysis reads a graph. Implemented over the store itself (one-shot commands) and over a
//! snapshot in memory (long-running processes).

use crate::AnalysisError;
use base::{EdgeType, Site, Tier};
use std::borrow::Cow;
use std::cmp::Ordering;
use store::{Name, NameRow, NodeLocation};

/// Along the edges or against them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EdgeDirection {
    /// From source to target: to what the node calls, imports, defines or extends.
    Out,
    /// From target to source: to what calls, imports, defines or extends the node.
    In,
}

/// An edge as seen from one of its ends.
#[derive(Debug, Clone, Copy)]
pub struct AdjacentEdge<'a> {
    /// The other end.
    pub to: u32,
    /// The relation.
    pub edge_type: EdgeType,
    /// Tier: how the edge is known.
    pub tier: Tier,
    /// 0–1.
    pub confidence: f64,
    /// For CALLS: a call or a mention.
    pub site: Option<Site>,
    /// The file of the edge, for [`Graph::file_path`].
    pub file: Option<u32>,
    /// The line of the edge.
    pub line: Option<u32>,
    /// Further lines with the same edge, ascending.
    pub more_lines: &'a [u32],
}

/// A graph that can be walked from a node. Nodes and files are numbers that hold for one graph.
pub trait Graph {
    /// The number of the node with that id.
    fn key_of_id(&self, id: &str) -> Result<Option<u32>, AnalysisError>;
    /// Shows the name and place of a node.
    fn visit_node(&self, key: u32, visit: &mut dyn FnMut(NameRow<'_>))
    -> Result<(), AnalysisError>;
    /// Place of a node's definition.
    fn location(&self, key: u32) -> Result<NodeLocation, AnalysisError>;
    /// The path of a file.
    fn file_path(&self, file: u32) -> Cow<'_, str>;
    /// The order of two nodes by id.
    fn compare_ids(&self, a: u32, b: u32) -> Ordering;
    /// Visits the edges at a node, in no particular order.
    fn visit_edges(
        &self,
        key: u32,
        way: EdgeDirection,
        types: &[EdgeType],
        visit: &mut dyn FnMut(AdjacentEdge<'_>),
    ) -> Result<(), AnalysisError>;
    /// Number of edges that enter a node, counted up to `most`: cheap, whatever their number.
    fn count_incoming_edges(&self, key: u32, most: usize) -> Result<usize, AnalysisError>;
    /// Visits the relations (`overrides`, `implements`, …) at a node: the other end, kind, tier.
    fn visit_relations(
        &self,
        key: u32,
        way: EdgeDirection,
        visit: &mut dyn FnMut(u32, &str, Tier),
    ) -> Result<(), AnalysisError>;
}

/// The name and place of a node.
///
/// # Errors
/// If the graph cannot be read.
pub fn load_name(graph: &dyn Graph, key: u32) -> Result<Name, AnalysisError> {
    let mut found = Name::default();
    graph.visit_node(key, &mut |row| found = row.into())?;
    Ok(found)
}

/// The name within the file: `Class.method`, or the path for a file.
pub(crate) fn display_name<'a>(row: &NameRow<'a>) -> &'a str {
    if row.kind == "file" && !row.file_path.is_empty() {
        return row.file_path;
    }
    row.qualified_name.unwrap_or(row.symbol)
}
