//! Anchors of a context: the chunks that search finds, and the nodes of the graph in them.

use super::answer::CandidateSource;
use super::scale;
use super::tuning::GraphRagTuning;
use crate::EngineError;
use crate::graph_state::GraphState;
use crate::prior::SearchView;
use base::SymbolKind;
use search::embed::Embedder;
use search::index::Index;
use search::rank::{self, NoQueryVector, RankMode};
use store::{Name, NodeFlags};

/// The query, with the index, the model and the numbers that answer it.
pub(super) struct Question<'q> {
    pub text: &'q str,
    pub index: Option<&'q Index>,
    pub embedder: Option<&'q dyn Embedder>,
    pub tuning: &'q GraphRagTuning,
}

/// The most nodes taken from a chunk that names none of them.
const MOST_NODES: usize = 6;

/// A chunk that the query found.
#[derive(Debug, Clone)]
pub(super) struct Anchor {
    pub path: String,
    pub start: u32,
    pub end: u32,
    pub symbol: String,
    pub kind: String,
    pub relevance: f64,
    pub source: CandidateSource,
    /// Nodes from which the graph is walked, with their relevance.
    pub nodes: Vec<(Name, f64)>,
}

/// The results of the search.
pub(super) struct AnchorSet {
    pub anchors: Vec<Anchor>,
    /// The search mode that was used.
    pub mode: RankMode,
    /// The reason why there are no vectors.
    pub fallback: Option<NoQueryVector>,
}

/// The best chunks.
pub(super) fn chunk_anchors(
    (open, view): (&GraphState, &SearchView<'_>),
    index: &Index,
    question: &Question<'_>,
    (top_k, min_relevance): (usize, f64),
) -> Result<AnchorSet, EngineError> {
    let least = scale::context_to_search_scale(min_relevance, question.tuning) as f32;
    let found = rank::search(
        index,
        question.embedder,
        &rank::Request {
            query: question.text,
            mode: RankMode::Hybrid,
            limit: top_k,
            filter: &search::Filter::default(),
            min_relevance: least,
            following_relevance: least,
            project: Some(view),
            tuning: &rank::Tuning::default(),
        },
    );
    let sure: Vec<f64> = found
        .chunks
        .iter()
        .map(|p| scale::search_to_context_scale(f64::from(p.relevance), question.tuning))
        .collect();
    let mut anchors = Vec::with_capacity(found.chunks.len());
    for (chunk, relevance) in found.chunks.iter().zip(scale::decreasing_relevances(
        &sure,
        min_relevance,
        question.tuning,
    )) {
        let nodes = open.names().by_file(&chunk.path)?;
        anchors.push(build_anchor(chunk, relevance, nodes, question.tuning));
    }
    Ok(AnchorSet {
        anchors,
        mode: found.mode,
        fallback: found.fallback,
    })
}

fn build_anchor(
    chunk: &rank::ChunkHit,
    relevance: f64,
    nodes: Vec<Name>,
    tuning: &GraphRagTuning,
) -> Anchor {
    let mut nodes = nodes;
    nodes.retain(is_callable_or_type);
    let lines = (chunk.start_line, chunk.end_line);
    let named = chunk
        .symbol
        .as_deref()
        .filter(|_| lines != chunk.chunk_lines);
    let exact: Vec<&Name> = nodes
        .iter()
        .filter(|node| node.line_start == Some(lines.0) && Some(node.symbol.as_str()) == named)
        .collect();
    let chosen: Vec<(Name, f64)> = match exact.first() {
        Some(node) => vec![((*node).clone(), relevance)],
        None => definitions_in_lines(&nodes, lines, relevance, tuning),
    };
    let best = chunk.symbol.as_deref();
    let named = chosen
        .iter()
        .find(|(node, _)| Some(node.symbol.as_str()) == best);
    let (symbol, kind) = match (named.or(chosen.first()), best) {
        (Some((node, _)), _) => (node.qualified_or_symbol().to_owned(), node.kind.clone()),
        (None, Some(symbol)) => (symbol.to_owned(), chunk.kind.clone()),
        (None, None) => (chunk.container.clone(), chunk.kind.clone()),
    };
    Anchor {
        path: chunk.path.clone(),
        start: lines.0,
        end: lines.1,
        symbol,
        kind,
        relevance,
        source: match chunk.source {
            rank::Source::Keyword => CandidateSource::Keyword,
            rank::Source::Embedding => CandidateSource::Embedding,
        },
        nodes: chosen,
    }
}

/// Whether a node is a callable or a type, and not local.
pub(super) fn is_callable_or_type(node: &Name) -> bool {
    let kind = SymbolKind::parse(&node.kind);
    kind.is_some_and(|kind| kind.is_callable() || kind.is_type())
        && !node.flags.contains(NodeFlags::LOCAL)
}

/// The definitions that begin within the lines; where none does, the innermost definition around them.
pub(super) fn definitions_in_lines(
    nodes: &[Name],
    (start, end): (u32, u32),
    relevance: f64,
    tuning: &GraphRagTuning,
) -> Vec<(Name, f64)> {
    let begins = |node: &&Name| {
        node.line_start
            .is_some_and(|line| (start..=end).contains(&line))
    };
    let inside: Vec<&Name> = nodes.iter().filter(begins).take(MOST_NODES).collect();
    let around = || {
        let holds = |node: &&Name| {
            node.line_start.is_some_and(|from| from <= start)
                && node.line_end.is_some_and(|to| to >= end)
        };
        let length = |node: &&Name| node.line_end.unwrap_or(0) - node.line_start.unwrap_or(0);
        nodes.iter().filter(holds).min_by_key(length)
    };
    let part = match inside.len() {
        0 | 1 => relevance,
        _ => relevance * tuning.shared,
    };
    let chosen = if inside.is_empty() {
        around().into_iter().collect()
    } else {
        inside
    };
    chosen
        .into_iter()
        .map(|node| (node.clone(), part))
        .collect()
}

/// Names that match, where there are no chunks: in a graph written by hand.
pub(super) fn name_anchors(
    state: &GraphState,
    query: &str,
    top_k: usize,
) -> Result<AnchorSet, EngineError> {
    let filter = search::Filter::default();
    let find = |mode| search::search_symbols(state.names(), query, mode, &filter, top_k);
    let mut hits = find(search::Mode::Symbol)?.hits;
    if hits.is_empty() {
        hits = find(search::Mode::Keyword)?.hits;
    }
    let mut anchors = Vec::new();
    for hit in hits {
        let node = state.names().by_id(&hit.id)?;
        anchors.push(Anchor {
            path: hit.file_path,
            start: hit.line_start,
            end: hit.line_end,
            symbol: hit.qualified_name.unwrap_or(hit.symbol),
            kind: hit.kind,
            relevance: hit.score,
            source: CandidateSource::Keyword,
            nodes: node.into_iter().map(|node| (node, hit.score)).collect(),
        });
    }
    Ok(AnchorSet {
        anchors,
        mode: RankMode::Keyword,
        fallback: None,
    })
}
