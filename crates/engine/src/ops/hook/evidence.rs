//! Finds the code that a prompt is about, and decides whether it is about this code at all.

use super::context::ContextPiece;
use super::prompt::Prompt;
use super::session::is_symbol_current;
use super::tuning::HookTuning;
use super::{GatheredContext, HookFallback, keyword_fallback};
use crate::embedder::embedding_choice;
use crate::fallback::{LinearHit, linear_search};
use crate::ops::{graph_rag, intent, rerank, search};
use crate::project::Project;
use crate::session::Session;
use crate::snippet::read_masked_lines;
use crate::workspace::Workspace;
use crate::{
    CallChainAnswer, EmbeddingProvider, EngineError, IndexInfo, ProviderError, RerankRequest,
    SearchMode, SearchRequest, SearchResult, symbols, update,
};
use ::search::index::Index;
use ::search::rank::{self, RankMode};
use analysis::{CallChainOptions, ChainNode, Direction};
use serde_json::json;
use std::time::Instant;
use store::{Name, NameRow, NameVisitor};

/// The number of results looked at.
const TOP: usize = 10;

/// The most callers that are searched; further ones would only be counted.
const MOST_CALLERS: usize = 40;
/// The most names whose callers are searched.
const NAMES: usize = 3;

/// The least relevance of the best result for a prompt to be about this code.
fn relevance_threshold(
    known_name: bool,
    is_elsewhere: bool,
    prompt: &Prompt,
    tuning: &HookTuning,
) -> f64 {
    match (known_name, prompt.words) {
        (true, _) => tuning.least_named,
        // Questions about the whole project are answered by its introductory texts.
        _ if prompt.is_overview => tuning.least_named,
        (false, 0 | 1) => tuning.least_word,
        _ if prompt.is_own_machine || is_elsewhere => tuning.least_word,
        (false, _) => tuning.least_words,
    }
}

/// Gathers results of search and callers, and decides whether they are relevant enough.
pub(super) fn gather_context(
    workspace: &Workspace,
    prompt: &Prompt,
    tuning: &HookTuning,
) -> Result<GatheredContext, EngineError> {
    let without_key = key_is_missing(workspace);
    let mode = if without_key {
        SearchMode::Keyword
    } else {
        SearchMode::Hybrid
    };
    let request = SearchRequest {
        query: prompt.query.clone(),
        mode,
        kind: Vec::new(),
        path: None,
        limit: TOP,
        min_relevance: 0.0,
        no_snippet: true,
    };
    // Only the chunks are brought up to date: a second walk over all files would take as long again. Results of the graph are
    // compared with their files instead.
    let session = &Session::new(workspace, update::open_last(workspace)?);
    let answer = search::search_open_graph(session, &request, &::search::Filter::default(), TOP)?;
    let names = resolve_prompt_names(session, prompt)?;
    let known = !names.is_empty()
        || prompt
            .paths
            .iter()
            .any(|path| exists_in_project(workspace, path))
        || has_code(workspace, prompt, &answer.results);
    let pieces = relevant_pieces(
        &answer.results,
        relevance_threshold(
            known,
            !known && names_what_is_elsewhere(session, prompt, &answer.results)?,
            prompt,
            tuning,
        ),
        tuning.of_the_best,
    );
    let degraded = |source: &'static str| match (&answer.degraded, without_key) {
        (_, true) => Some(keyword_fallback("no_api_key")),
        (Some(degraded), false) => Some(HookFallback {
            reason: degraded.reason,
            degraded_to: source,
        }),
        (None, false) => None,
    };
    if pieces.is_empty() {
        return Ok(GatheredContext {
            fallback: without_key.then(|| keyword_fallback("no_api_key")),
            ..GatheredContext::default()
        });
    }
    intent::record_search_results(workspace, "(prompt)", &answer.results);
    let mut pieces = drop_unreadable(workspace, pieces);
    let mut source = match answer.mode {
        SearchMode::Hybrid | SearchMode::Semantic => "embedding",
        _ => "keyword",
    };
    let mut fallback = degraded(source);
    let has_graph = workspace.config().features().graph_store;
    if workspace.config().graph_rag().enabled && !has_graph {
        fallback.get_or_insert(HookFallback {
            reason: "ckb_unavailable",
            degraded_to: source,
        });
    } else if workspace.config().graph_rag().enabled {
        let near = graph_rag::find_neighbors(session, &answer.results, tuning.neighbours);
        match &near {
            Ok(_) if without_key => {}
            Ok(_) => source = "graph-rag",
            Err(error) => {
                workspace.progress().detail(format_args!("{error}"));
                fallback.get_or_insert(HookFallback {
                    reason: "ckb_unavailable",
                    degraded_to: source,
                });
            }
        }
        let near = near.unwrap_or_default().into_iter();
        let near = near.filter(|near| is_symbol_current(workspace.project(), &near.node));
        pieces.extend(near.map(|near| ContextPiece {
            symbol: near.node.qualified_or_symbol().to_owned(),
            start: near.node.line_start.unwrap_or(1),
            end: near.node.line_end.unwrap_or(1),
            path: near.node.file_path,
            kind: near.node.kind,
            relevance: (near.relevance * 1_000.0).round() / 1_000.0,
            source: "graph",
            via: Some(format!("{} {}", near.via.relation, near.via.symbol)),
            text: String::new(),
        }));
    }
    Ok(GatheredContext {
        pieces,
        source,
        fallback,
        call_chain: if has_graph {
            find_callers(session, &names)?
        } else {
            None
        },
    })
}

/// The pieces that search found, in a language model's order; pieces from the graph stay after them.
pub(super) fn rerank_pieces(
    workspace: &Workspace,
    query: &str,
    pieces: Vec<ContextPiece>,
) -> Result<Vec<ContextPiece>, EngineError> {
    let (found, near): (Vec<ContextPiece>, Vec<ContextPiece>) =
        pieces.into_iter().partition(|p| p.via.is_none());
    let candidate = |p: &ContextPiece| json!({"file_path": p.path, "snippet": p.text});
    let request = RerankRequest {
        query: query.to_owned(),
        candidates: found.iter().map(candidate).collect(),
        ..RerankRequest::default()
    };
    let answer = rerank::rerank_candidates(workspace, &request)?;
    let order = answer.ranked_results.iter().map(|r| r.ranked.index);
    let mut sorted: Vec<ContextPiece> = order
        .filter_map(|index| found.get(index).cloned())
        .collect();
    sorted.extend(near);
    Ok(sorted)
}

/// Whether the chosen provider needs a key and none is set.
fn key_is_missing(workspace: &Workspace) -> bool {
    let choice = embedding_choice(workspace.config());
    let provider = choice.provider;
    let external = !matches!(
        provider,
        EmbeddingProvider::BuiltIn | EmbeddingProvider::Auto
    );
    let made = workspace
        .settings()
        .providers
        .as_ref()
        .map(|p| p.embedder(&choice));
    external && matches!(made, Some(Err(ProviderError::KeyMissing { .. })))
}

/// A search by words alone, in the index as it was last left.
pub(super) fn keyword_context(
    workspace: &Workspace,
    prompt: &Prompt,
    tuning: &HookTuning,
) -> Result<GatheredContext, EngineError> {
    let folder = ingest::chunks_folder(&workspace.options());
    let index = Index::open(&folder).map_err(|e| EngineError::runtime_failure(e.to_string()))?;
    let filter = ::search::Filter::default();
    let least = relevance_threshold(false, false, prompt, tuning) as f32;
    let found = rank::search(
        &index,
        None,
        &rank::Request {
            query: &prompt.query,
            mode: RankMode::Keyword,
            limit: TOP,
            filter: &filter,
            min_relevance: least,
            following_relevance: least,
            project: None,
            tuning: &rank::Tuning::default(),
        },
    );
    let piece = |p: rank::ChunkHit| ContextPiece {
        path: p.path,
        start: p.start_line,
        end: p.end_line,
        symbol: p.symbol.unwrap_or(p.container),
        kind: p.kind,
        relevance: f64::from(p.relevance),
        source: "keyword",
        via: None,
        text: String::new(),
    };
    Ok(GatheredContext {
        pieces: drop_unreadable(workspace, found.chunks.into_iter().map(piece).collect()),
        source: "keyword",
        fallback: Some(keyword_fallback("timeout")),
        call_chain: None,
    })
}

/// A search over the files themselves, where there is no index and none can be written.
pub(super) fn linear_context(
    workspace: &Workspace,
    prompt: &Prompt,
    deadline: Instant,
    tuning: &HookTuning,
) -> Result<GatheredContext, EngineError> {
    let (hits, is_whole) = linear_search(workspace, &prompt.query, TOP, deadline)?;
    let least = relevance_threshold(false, false, prompt, tuning);
    let hits = hits.into_iter().filter(|hit| hit.score >= least);
    let reason = if is_whole {
        "ckb_unavailable"
    } else {
        "timeout"
    };
    let piece = |hit: LinearHit| ContextPiece {
        path: hit.path,
        start: hit.line_start,
        end: hit.line_end,
        kind: if hit.symbol.is_empty() {
            "file"
        } else {
            "function"
        }
        .to_owned(),
        symbol: hit.symbol,
        relevance: hit.score,
        source: "keyword",
        via: None,
        text: String::new(),
    };
    Ok(GatheredContext {
        pieces: drop_unreadable(workspace, hits.map(piece).collect()),
        source: "keyword",
        fallback: Some(keyword_fallback(reason)),
        call_chain: None,
    })
}

/// The results that are relevant enough; none where the best is not.
fn relevant_pieces(results: &[SearchResult], least: f64, of_the_best: f64) -> Vec<ContextPiece> {
    let best = results
        .iter()
        .map(|r| r.relevance_score)
        .fold(0.0, f64::max);
    if best < least {
        return Vec::new();
    }
    let piece = |r: &SearchResult| ContextPiece {
        path: r.file_path.clone(),
        start: r.line_start,
        end: r.line_end,
        symbol: r.symbol.clone(),
        kind: r.kind.clone(),
        relevance: r.relevance_score,
        source: r.source,
        via: None,
        text: String::new(),
    };
    let near = results
        .iter()
        .filter(|r| r.relevance_score >= best * of_the_best);
    near.map(piece).collect()
}

/// Whether one of the results contains an error code of the prompt literally.
fn has_code(workspace: &Workspace, prompt: &Prompt, results: &[SearchResult]) -> bool {
    !prompt.codes.is_empty()
        && results.iter().any(|result| {
            let (from, to) = (result.line_start, result.line_end);
            let text = read_masked_lines(workspace.project(), &result.file_path, from, to);
            text.is_some_and(|text| prompt.codes.iter().any(|code| text.contains(code.as_str())))
        })
}

/// Whether the prompt names a person, a place or a product that no name and no path here contains. An occurrence in a text,
/// such as an example, does not count.
fn names_what_is_elsewhere(
    session: &Session<'_>,
    prompt: &Prompt,
    results: &[SearchResult],
) -> Result<bool, EngineError> {
    let in_paths = |noun: &str| {
        let mut paths = results.iter().map(|r| r.file_path.to_lowercase());
        paths.any(|path| path.contains(noun))
    };
    for noun in prompt.proper_nouns.iter().filter(|noun| !in_paths(noun)) {
        let mut search = NameWithWord { noun, found: false };
        session.names().visit_wanted_names(&mut search)?;
        if !search.found {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Searches for a name that contains a word, in any case.
struct NameWithWord<'w> {
    noun: &'w str,
    found: bool,
}

impl NameVisitor for NameWithWord<'_> {
    fn wants(&mut self, symbol: &str) -> bool {
        let noun = self.noun.as_bytes();
        let mut windows = symbol.as_bytes().windows(noun.len());
        self.found = self.found || windows.any(|part| part.eq_ignore_ascii_case(noun));
        false
    }

    fn visit(&mut self, _: NameRow<'_>) {}
}

fn drop_unreadable(workspace: &Workspace, mut pieces: Vec<ContextPiece>) -> Vec<ContextPiece> {
    pieces.retain_mut(|piece| piece.read_lines(workspace.project()));
    pieces
}

/// Ids of the nodes for names that the prompt writes as code. Names that mean several symbols have none.
fn resolve_prompt_names(
    session: &Session<'_>,
    prompt: &Prompt,
) -> Result<Vec<(String, Vec<String>)>, EngineError> {
    let mut known = Vec::new();
    for name in &prompt.names {
        let bare = name.rsplit(['.', ':', '#']).next().unwrap_or(name);
        if bare.is_empty() || session.names().by_symbol(bare)?.is_empty() {
            continue;
        }
        // A name that means several symbols is known, but its callers are not searched.
        let ids = [name.as_str(), bare]
            .into_iter()
            .find_map(|n| symbols::resolve(&session.state, session.project(), n).ok());
        known.push((name.clone(), ids.unwrap_or_default()));
        if known.len() == NAMES {
            break;
        }
    }
    Ok(known)
}

fn exists_in_project(workspace: &Workspace, path: &str) -> bool {
    let inside = workspace.project().relative_path(path).ok();
    inside.is_some_and(|path| workspace.project().resolve_on_disk(&path).is_some())
}

/// The callers of the first name that has any.
fn find_callers(
    session: &Session<'_>,
    names: &[(String, Vec<String>)],
) -> Result<Option<CallChainAnswer>, EngineError> {
    let options = CallChainOptions {
        direction: Direction::Callers,
        limit: MOST_CALLERS,
        ..CallChainOptions::default()
    };
    for (name, ids) in names.iter().filter(|(_, ids)| !ids.is_empty()) {
        let mut chain = session.on_graph(ids, |graph, keys| {
            analysis::call_chain(graph, keys, &options)
        })?;
        if chain.total > 0 {
            chain.target_symbol.clone_from(name);
            for path in &mut chain.paths {
                let callers = path.callers.iter_mut();
                callers.for_each(|all| all.retain(|node| is_current(session.project(), node)));
            }
            let index: IndexInfo = session.state.index.clone();
            return Ok(Some(CallChainAnswer {
                chain,
                definitions: None,
                unresolved: None,
                unresolved_callees: None,
                virtual_edges: Vec::new(),
                fallback: None,
                index,
            }));
        }
    }
    Ok(None)
}

/// Whether a node of a chain is still at its place in the graph.
fn is_current(project: &Project, node: &ChainNode) -> bool {
    let symbol = node.symbol_name.rsplit('.').next();
    is_symbol_current(
        project,
        &Name {
            symbol: symbol.unwrap_or(&node.symbol_name).to_owned(),
            file_path: node.file_path.clone(),
            line_start: Some(node.line),
            ..Name::default()
        },
    )
}
