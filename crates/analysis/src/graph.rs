//! What an analysis asks of a graph. Implemented over the store itself (one-shot commands) and
//! over the store's in-memory adjacency (long-running processes).

use crate::AnalysisError;
use base::{EdgeType, Site, Tier};
use std::fmt::Debug;
use std::hash::Hash;
use store::NodeRecord;

/// Along the edges or against them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Way {
    /// From source to target: what the node calls, imports, defines, extends.
    Out,
    /// From target to source: what calls, imports, defines, extends the node.
    In,
}

/// An edge as seen from one of its ends.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a, K> {
    /// The other end.
    pub to: &'a K,
    /// The relation.
    pub edge_type: EdgeType,
    /// How it is known.
    pub tier: Tier,
    /// 0–1.
    pub confidence: f64,
    /// For CALLS: a call or a mention.
    pub site: Option<Site>,
    /// The file in which it stands.
    pub file_path: Option<&'a str>,
    /// The line at which it stands.
    pub line: Option<u32>,
    /// Further lines with the same edge, ascending.
    pub more_lines: &'a [u32],
}

/// A graph that can be walked from a node.
pub trait Graph {
    /// A cheap handle of a node.
    type Key: Clone + Eq + Hash + Ord + Debug;

    /// The handle of the node with that id.
    fn key(&self, id: &str) -> Result<Option<Self::Key>, AnalysisError>;
    /// The record of a node.
    fn node(&self, key: &Self::Key) -> Result<NodeRecord, AnalysisError>;
    /// Visits the edges at a node in order of file, line and id.
    fn steps(
        &self,
        key: &Self::Key,
        way: Way,
        types: &[EdgeType],
        visit: &mut dyn FnMut(Step<'_, Self::Key>),
    ) -> Result<(), AnalysisError>;
    /// Visits the relations (`overrides`, `implements`, …) at a node: the other end, kind, tier.
    fn relations(
        &self,
        key: &Self::Key,
        way: Way,
        visit: &mut dyn FnMut(&Self::Key, &str, Tier),
    ) -> Result<(), AnalysisError>;
    /// The nodes of a file in order of line, the file's own node included.
    fn file_members(&self, path: &str) -> Result<Vec<Self::Key>, AnalysisError>;
}
