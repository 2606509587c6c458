//! Analyses over the graph: callers and callees, and the reach of a change.
//!
//! Never knows: SQL, files on disk, who asks; how an answer is printed, beyond Markdown and Mermaid.

pub mod bug_locate;
mod call_chain;
mod cancellable_graph;
mod complexity;
mod component;
mod cycle;
mod depend;
mod expand;
mod glob;
mod graph;
mod hotspot;
mod impact;
mod impact_files;
mod impact_list;
mod impact_render;
mod json;
mod layer;
mod layout;
mod linked_graph;
pub mod lockfiles;
mod mermaid;
mod orphan;
pub mod overview;
mod owners;
pub mod pattern;
mod snapshot_graph;
mod starter;
mod store_graph;
#[cfg(test)]
mod test_graph;
pub mod vuln;

pub use call_chain::{
    CallChain, CallChainOptions, ChainEdge, ChainNode, Direction, EntryKind, EntryPath,
    FoldedTests, Usage, UsageStep, call_chain, chain_to_markdown, chain_to_mermaid,
    find_entry_paths,
};
pub use cancellable_graph::CancellableGraph;
pub use complexity::{
    ComplexityLimits, ComplexitySort, FileComplexity, FunctionMeasure, mark_and_sort, sum_by_file,
};
pub use cycle::{Cycle, CycleLevel, CycleStep, find_cycles, uses_inside_cycles};
pub use depend::{FileUses, Loading, Use};
pub use expand::{ExpandOptions, ExpandTuning, Hop, Reached, Root, expand};
pub use glob::{Glob, GlobBudget, LONGEST_PATTERN};
pub use graph::{AdjacentEdge, EdgeDirection, Graph, load_name};
pub use hotspot::{
    CoupledFile, FileMeasure, Hotspot, HotspotFormula, HotspotParts, HotspotWeights, hotspots,
    hotspots_by,
};
pub use impact::{
    Affected, DECAY as IMPACT_DECAY, Impact, ImpactEdge, ImpactOptions, analyze_impact,
};
pub use impact_files::AffectedFile;
pub use impact_render::{to_markdown, to_mermaid};
pub use json::{JsonError, bounded_json};
pub use layer::{LayerRule, Severity, Violation, Violations, find_violations};
pub use layout::{Circle, LayoutItem, LayoutLink, layout};
pub use linked_graph::{LinkedGraph, VirtualLink};
pub use mermaid::escape_label as mermaid_label;
pub use orphan::{
    Candidate, Decorators, Mentions, Orphan, OrphanList, OrphanTuning, Orphans, ProjectFiles,
    TextMentions, find_candidates, judge_candidates,
};
pub use owners::Owners;
pub use starter::suggest_rules;
pub use store_graph::StoreGraph;

/// Errors of an analysis.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// An argument is out of range.
    #[error("invalid {what}: {value}. Must be {range}")]
    OutOfRange {
        /// Name of the argument.
        what: &'static str,
        /// Value that was given.
        value: String,
        /// Allowed range, in words.
        range: String,
    },
    /// A node that the graph names does not exist.
    #[error("node not found: {0}")]
    NoNode(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] store::StoreError),
}
