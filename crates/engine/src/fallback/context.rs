//! Search and context without a graph.

use super::{
    LinearHit, Origin, PATIENCE, Substitute, ckb_deadline, code_backend, describe, linear_search,
};
use crate::ops::graph_rag::answer::{
    CandidateSource, ContextCandidate, ContextSource, GraphRagAnswer,
};
use crate::workspace::Workspace;
use crate::{EngineError, SearchAnswer, SearchMode, SearchRequest, SearchResult};
use ::search::prune::priority;
use std::time::Instant;

/// The lines shown of a place that CKB names.
const CKB_LINES: u32 = 20;

/// The best places, and the source that found them.
fn find(
    workspace: &Workspace,
    query: &str,
    limit: usize,
) -> Result<(Vec<LinearHit>, Origin), EngineError> {
    let mut failed = None;
    match code_backend(workspace) {
        Ok(None) => {}
        Err(error) => failed = Some(error.to_string()),
        Ok(Some(ckb)) => match ckb.search(query, limit, ckb_deadline()) {
            Err(error) => failed = Some(error.to_string()),
            Ok(symbols) => {
                let project = workspace.project();
                let hits = symbols.into_iter().filter_map(|symbol| {
                    let end = symbol.line + CKB_LINES - 1;
                    let text = crate::snippet::read_masked_lines(
                        project,
                        &symbol.path,
                        symbol.line,
                        symbol.end_line.unwrap_or(end).min(end),
                    )?;
                    let lines = u32::try_from(text.lines().count()).ok()?;
                    Some(LinearHit {
                        line_start: symbol.line,
                        line_end: symbol.line + lines.max(1) - 1,
                        path: symbol.path,
                        symbol: symbol.name,
                        score: symbol.score.clamp(0.0, 1.0),
                        text,
                    })
                });
                let hits: Vec<LinearHit> = hits.collect();
                if !hits.is_empty() {
                    let origin = Origin {
                        instead: Substitute::Ckb,
                        failed,
                        is_cut: false,
                    };
                    return Ok((hits, origin));
                }
                failed = Some("CKB found nothing".to_owned());
            }
        },
    }
    let deadline = Instant::now() + PATIENCE;
    let (hits, is_whole) = linear_search(workspace, query, limit, deadline)?;
    let origin = Origin {
        instead: Substitute::Linear,
        failed,
        is_cut: !is_whole,
    };
    Ok((hits, origin))
}

/// Answers a search.
pub(crate) fn search_without_graph(
    workspace: &Workspace,
    request: &SearchRequest,
    limit: usize,
    why: &str,
) -> Result<SearchAnswer, EngineError> {
    let (hits, origin) = find(workspace, &request.query, limit)?;
    let (fallback, index) = describe(&origin, why);
    let result = |hit: LinearHit| SearchResult {
        snippet: (!request.no_snippet)
            .then(|| hit.text.lines().take(3).collect::<Vec<_>>().join("\n")),
        kind: if hit.symbol.is_empty() {
            "file"
        } else {
            "function"
        }
        .to_owned(),
        file_path: hit.path,
        line_start: hit.line_start,
        line_end: hit.line_end,
        symbol: hit.symbol,
        relevance_score: hit.score,
        source: "keyword",
        id: None,
    };
    let results: Vec<SearchResult> = hits.into_iter().map(result).collect();
    Ok(SearchAnswer {
        query: request.query.clone(),
        mode: SearchMode::Keyword,
        total: results.len(),
        results,
        fallback: Some(fallback.detail),
        index,
        left_out: Default::default(),
        degraded: None,
    })
}

/// Fills an answer of Graph-RAG with whole fragments within its budget.
pub(crate) fn context_without_graph(
    workspace: &Workspace,
    query: &str,
    why: &str,
    mut answer: GraphRagAnswer,
) -> Result<GraphRagAnswer, EngineError> {
    let (hits, origin) = find(workspace, query, answer.metadata.top_k)?;
    let (fallback, index) = describe(&origin, why);
    answer.source = ContextSource::Keyword;
    answer.fallback = Some(fallback);
    answer.index = index;
    answer.metadata.anchors = hits.len();
    let mut left = answer.metadata.budget;
    for hit in hits {
        let tokens = (hit.text.chars().count() + hit.path.chars().count() + 80).div_ceil(4);
        if hit.score < answer.metadata.min_relevance {
            continue;
        }
        if tokens > left {
            answer.metadata.left_out += 1;
            continue;
        }
        left -= tokens;
        answer.token_count += tokens;
        answer.candidates.push(ContextCandidate {
            priority: priority(hit.score, 0.0, 1),
            file_path: hit.path,
            line_start: hit.line_start,
            line_end: hit.line_end,
            kind: if hit.symbol.is_empty() {
                String::new()
            } else {
                "function".to_owned()
            },
            symbol: hit.symbol,
            relevance_score: hit.score,
            hotspot: 0.0,
            preference: 0.0,
            distance: 1,
            tokens,
            rerank_score: None,
            rerank_reason: None,
            source: CandidateSource::Keyword,
            via: None,
            also: Vec::new(),
            imports: Vec::new(),
            skeleton: false,
            snippet: hit.text,
        });
    }
    Ok(answer)
}
