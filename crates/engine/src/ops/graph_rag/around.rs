//! Neighbours in the graph of search results, for callers that name places and show no source of them.

use super::GraphRagRequest;
use super::anchors::{self, Anchor};
use super::answer::{CandidateEdge, CandidateSource};
use super::near;
use super::request::Limits;
use super::scale;
use super::tuning::GraphRagTuning;
use crate::session::Session;
use crate::{EngineError, SearchResult};
use ::search::rank::RankMode;
use store::Name;

/// The most results from which the graph is walked.
const ROOTS: usize = 4;

/// A definition near a result.
#[derive(Debug, Clone)]
pub(crate) struct Neighbour {
    /// The node of the definition.
    pub node: Name,
    /// The edge that led here.
    pub via: CandidateEdge,
    /// The relevance, 0–1.
    pub relevance: f64,
}

/// Callers and callees of the best results, the most relevant first, at most `most`.
pub(crate) fn find_neighbors(
    session: &Session<'_>,
    results: &[SearchResult],
    most: usize,
) -> Result<Vec<Neighbour>, EngineError> {
    let tuning = GraphRagTuning::default();
    let mut roots = Vec::new();
    for result in results.iter().take(ROOTS) {
        let mut nodes = session.names().by_file(&result.file_path)?;
        nodes.retain(anchors::is_callable_or_type);
        let lines = (result.line_start, result.line_end);
        let relevance = scale::search_to_context_scale(result.relevance_score, &tuning);
        roots.push(Anchor {
            path: result.file_path.clone(),
            start: lines.0,
            end: lines.1,
            symbol: result.symbol.clone(),
            kind: result.kind.clone(),
            relevance,
            source: CandidateSource::Graph,
            nodes: anchors::definitions_in_lines(&nodes, lines, relevance, &tuning),
        });
    }
    let limits = Limits::from_request(
        &GraphRagRequest::from_query(""),
        &session.config().graph_rag(),
    )?;
    let question = anchors::Question {
        text: "",
        index: None,
        embedder: None,
        tuning: &tuning,
    };
    let roots = anchors::AnchorSet {
        anchors: roots,
        mode: RankMode::Keyword,
        fallback: None,
    };
    let mut found = near::expand_anchors(&session.state, &question, &roots, &limits)?;
    found.sort_by(|a, b| {
        let nearer = a.hops.cmp(&b.hops);
        let order = b.relevance.total_cmp(&a.relevance).then(nearer);
        order.then_with(|| a.node.id.cmp(&b.node.id))
    });
    let known = |node: &Name| {
        let line = node.line_start.unwrap_or(0);
        let holds = |r: &SearchResult| {
            r.file_path == node.file_path && (r.line_start..=r.line_end).contains(&line)
        };
        results.iter().any(holds)
    };
    found.retain(|near| !known(&near.node));
    found.truncate(most);
    let neighbour = |near: near::NearNode| Neighbour {
        node: near.node,
        via: near.via,
        relevance: near.relevance,
    };
    Ok(found.into_iter().map(neighbour).collect())
}
