//! Neighbours in the graph of what the query found.

use super::anchors::{self, Anchor, AnchorSet, Question};
use super::answer::CandidateEdge;
use super::request::Limits;
use super::scale;
use crate::EngineError;
use crate::graph_state::GraphState;
use analysis::{EdgeDirection, ExpandOptions, Graph, Hop, Reached, Root, expand, load_name};
use search::index::Index;
use search::rank::{PlaceRelevance, RankMode, SourceLine, judge_places};
use std::collections::BTreeMap;
use store::Name;

/// A node near an anchor.
#[derive(Debug, Clone)]
pub(super) struct NearNode {
    pub node: Name,
    /// The number of hops from the nearest anchor.
    pub hops: u32,
    pub relevance: f64,
    pub via: CandidateEdge,
    /// The line of the edge that led here, where it is in the node's own file; else the node's first line.
    pub line: u32,
    /// The lines of the chunk around that line.
    pub chunk: Option<(u32, u32)>,
}

/// Callers and callees of the anchors' nodes that are relevant enough, the nearest first.
pub(super) fn expand_anchors(
    state: &GraphState,
    question: &Question<'_>,
    found: &AnchorSet,
    limits: &Limits,
) -> Result<Vec<NearNode>, EngineError> {
    let roots = root_relevances(&found.anchors);
    let ids: Vec<String> = roots.keys().map(|id| (*id).to_owned()).collect();
    let options = ExpandOptions {
        depth: limits.max_depth,
        ..ExpandOptions::default()
    };
    let mut all: Vec<NearNode> = state.on_graph(&ids, |graph, keys| {
        let relevant = roots.values().copied();
        let roots: Vec<Root> = keys
            .iter()
            .zip(relevant)
            .map(|(key, relevance)| Root {
                key: *key,
                relevance,
            })
            .collect();
        let reached = expand(graph, &roots, &options)?;
        reached
            .iter()
            .map(|r| describe_reached_symbol(graph, r))
            .collect()
    })?;
    let judged = match question.index {
        Some(index) => judge_nodes(index, question, found.mode, &all),
        None => vec![None; all.len()],
    };
    for (near, judged) in all.iter_mut().zip(judged) {
        let tuning = question.tuning;
        let own = judged.map(|j| scale::search_to_context_scale(f64::from(j.relevance), tuning));
        near.relevance = scale::combine_relevance(near.relevance, own, tuning);
        near.chunk = judged.map(|j| j.lines);
    }
    all.retain(|near| near.relevance >= limits.min_relevance && is_worth_showing(near));
    Ok(all)
}

/// Nodes to start from, by id, each with its highest relevance.
fn root_relevances(found: &[Anchor]) -> BTreeMap<&str, f64> {
    let mut roots: BTreeMap<&str, f64> = BTreeMap::new();
    for (node, relevance) in found.iter().flat_map(|anchor| &anchor.nodes) {
        let best = roots.entry(&node.id).or_insert(0.0);
        *best = best.max(*relevance);
    }
    roots
}

fn judge_nodes(
    index: &Index,
    question: &Question<'_>,
    mode: RankMode,
    near: &[NearNode],
) -> Vec<Option<PlaceRelevance>> {
    let place = |near: &'_ NearNode| (near.node.file_path.clone(), near.node.symbol.clone());
    let texts: Vec<(String, String)> = near.iter().map(place).collect();
    let places: Vec<SourceLine<'_>> = texts
        .iter()
        .zip(near)
        .map(|((path, symbol), near)| SourceLine {
            path,
            line: near.line,
            symbol,
        })
        .collect();
    judge_places(index, question.embedder, question.text, mode, &places)
}

fn describe_reached_symbol(
    graph: &dyn Graph,
    reached: &Reached,
) -> Result<NearNode, analysis::AnalysisError> {
    let node = load_name(graph, reached.key)?;
    let before = load_name(graph, reached.hop.from)?;
    let hop = &reached.hop;
    let file = hop.file.map(|file| graph.file_path(file).into_owned());
    // A call is in its caller, which is the node reached against the edge.
    let own = hop.way == EdgeDirection::In && file.as_deref() == Some(node.file_path.as_str());
    let line = hop.line.filter(|_| own);
    let at = match (&file, hop.line) {
        (Some(file), Some(line)) => Some(format!("{file}:{line}")),
        _ => None,
    };
    Ok(NearNode {
        hops: reached.hops,
        relevance: reached.relevance,
        via: CandidateEdge {
            relation: relation_word(hop).to_owned(),
            symbol: display_name(&before),
            tier: hop.tier,
            confidence: hop.confidence,
            at,
        },
        line: line.or(node.line_start).unwrap_or(1),
        chunk: None,
        node,
    })
}

/// Whether a node is worth showing. A field or a variable says little by itself, and a declaration without a body less than the
/// body from which it was reached.
fn is_worth_showing(near: &NearNode) -> bool {
    let declaration = matches!(
        near.via.relation.as_str(),
        "overridden by" | "implemented by"
    );
    !declaration && (near.node.kind == "file" || anchors::is_callable_or_type(&near.node))
}

/// The path of a file; the dotted name of anything else.
pub(super) fn display_name(node: &Name) -> String {
    match node.kind.as_str() {
        "file" => node.file_path.clone(),
        _ => node.qualified_or_symbol().to_owned(),
    }
}

/// The relation of the new node to the one before it.
fn relation_word(hop: &Hop) -> &'static str {
    match (hop.relation.as_deref(), hop.way) {
        (None, EdgeDirection::In) => "calls",
        (None, EdgeDirection::Out) => "called by",
        (Some("overrides"), EdgeDirection::In) => "overrides",
        (Some("overrides"), EdgeDirection::Out) => "overridden by",
        (Some(_), EdgeDirection::In) => "implements",
        (Some(_), EdgeDirection::Out) => "implemented by",
    }
}
