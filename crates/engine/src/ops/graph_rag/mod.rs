//! `graph-rag`: the source that answers a question, within a budget of tokens.
//!
//! Anchors from hybrid search, their callers and callees from the graph, priority, greedy choice.

mod anchors;
pub(crate) mod answer;
mod around;
pub(crate) mod cache;
mod fragments;
mod imports;
mod memo;
mod near;
mod render;
mod request;
mod scale;
mod sources;
mod tuning;
mod weights;

use crate::graph_state::BY_HAND;
use crate::graph_state::is_manual_graph;
use crate::project::Project;
use crate::session::Session;
use crate::workspace::Workspace;
pub use answer::{
    CandidateEdge, CandidateSource, ContextCandidate, ContextMetadata, ContextSource, Fallback,
    GraphRagAnswer,
};
pub(crate) use around::find_neighbors;
pub use request::{ContextFormat, GraphRagRequest, TokenCounter};
pub use tuning::GraphRagTuning;

use crate::embedder::SearchIndex;
use crate::fallback::{self, GraphAnswer};
use crate::graph_state::GraphState;
use crate::operation::{Access, Tool, operation};
use crate::ops::rerank::{
    Judge, JudgeRequest, MAX_CANDIDATES, Ranked, RerankCandidate, RerankOptions, SkipReason,
    make_judge, rerank,
};
use crate::{ContextReport, EngineError};
use ::search::embed::Embedder;
use ::search::prune::{Selection, select_fragments};
use ::search::rank::RankMode;
use anchors::Question;
use cache::CacheEntryFile;
use fragments::{Draft, Drafts};
use memo::QueryVectorCache;
use near::NearNode;
use request::Limits;
use sources::Sources;
use std::collections::BTreeSet;
use std::time::Instant;
use weights::Weights;

/// The message where the setting is off.
const DISABLED: &str = "Graph-RAG is disabled (graph_rag.enabled)";

/// The message where no fragment fits.
const TOO_SMALL: &str = "the budget is too small for any whole fragment";

operation! {
    /// Source code that answers a question.
    GraphRagOperation {
        name: "graph-rag",
        request: GraphRagRequest => GraphRagAnswer,
        access: |_| Access::Read,
        tool: Some(Tool {
            title: "Collect context",
            about: "Collect the source that answers a question, within a token budget, instead of reading files",
            pages: false,
            core: true,
            writes: false,
        }),
        answer: collect_context,
    }
}

pub(crate) fn collect_context(
    workspace: &Workspace,
    request: &GraphRagRequest,
) -> Result<GraphRagAnswer, EngineError> {
    let since = Instant::now();
    let answer = collect_with(workspace, request, &GraphRagTuning::default())?;
    if let Some(observer) = workspace.observer() {
        let relevances: Vec<f64> = answer
            .candidates
            .iter()
            .map(|c| c.relevance_score)
            .collect();
        let report = ContextReport {
            took: since.elapsed(),
            relevances: &relevances,
            cache: answer.metadata.cache.as_deref(),
            fell_back: answer.fallback.is_some(),
        };
        observer.context_given(&report, answer.metadata.skip_reason.is_some());
    }
    Ok(answer)
}

/// Collects context with other parameters than the product's. A caller that has some sets `no_cache`: a cached answer does not say
/// what it was made with.
pub(crate) fn collect_with(
    workspace: &Workspace,
    request: &GraphRagRequest,
    tuning: &GraphRagTuning,
) -> Result<GraphRagAnswer, EngineError> {
    let config = workspace.config().graph_rag();
    let limits = Limits::from_request(request, &config)?;
    if !config.enabled {
        return Ok(disabled_answer(&limits));
    }
    let ask = || {
        workspace.ask(|session| {
            let mut answer = empty(&limits);
            if request.query.trim().is_empty() {
                answer.warnings.push("the query is empty".to_owned());
            } else if limits.budget > 0 {
                let asked = TunedRequest { request, tuning };
                session.note_left_out(build_answer(session, asked, &limits, &mut answer)?);
            }
            session.check_cancelled()?;
            Ok(answer)
        })
    };
    let mut answer = match fallback::ask_graph(workspace, ask)? {
        GraphAnswer::Graph((answer, index)) => GraphRagAnswer { index, ..answer },
        GraphAnswer::Without(why) => {
            fallback::context_without_graph(workspace, &request.query, &why, empty(&limits))?
        }
    };
    name_skipped_rerank(workspace, request, &mut answer);
    Ok(answer)
}

/// Gives the reason why no language model sorted the answer, where none was asked.
fn name_skipped_rerank(
    workspace: &Workspace,
    request: &GraphRagRequest,
    answer: &mut GraphRagAnswer,
) {
    let metadata = &mut answer.metadata;
    if metadata.reranked || metadata.skip_reason.is_some() {
        return;
    }
    let wanted = JudgeRequest {
        asked: request.rerank,
        ..JudgeRequest::default()
    };
    let (reason, detail) = match make_judge(workspace, &wanted) {
        Judge::Nobody(reason, detail) => (reason, detail),
        Judge::Model(_) if answer.candidates.is_empty() => {
            (SkipReason::NoCandidates, String::new())
        }
        Judge::Model(_) => (
            SkipReason::Disabled,
            "no model is asked where there is no graph".to_owned(),
        ),
    };
    metadata.skip_reason = Some(reason);
    metadata.skip_detail = Some(detail).filter(|text| request.rerank && !text.is_empty());
}

fn empty(limits: &Limits) -> GraphRagAnswer {
    let mut answer = GraphRagAnswer::empty(ContextMetadata {
        budget: limits.budget,
        max_depth: limits.max_depth,
        top_k: limits.top_k,
        min_relevance: limits.min_relevance,
        ..ContextMetadata::default()
    });
    answer.warnings.clone_from(&limits.notes);
    answer
}

/// The answer where Graph-RAG is off; reads nothing.
fn disabled_answer(limits: &Limits) -> GraphRagAnswer {
    let mut answer = empty(limits);
    answer.warnings.push(DISABLED.to_owned());
    answer
}

/// A request, with the numbers that answer it.
#[derive(Clone, Copy)]
struct TunedRequest<'r> {
    request: &'r GraphRagRequest,
    tuning: &'r GraphRagTuning,
}

/// The results of the search, from the best index available.
struct SearchStart {
    found: anchors::AnchorSet,
    fallback: Option<Fallback>,
}

/// Fills the answer. Returns the files whose lines were left out because they differ from the index.
fn build_answer(
    session: &Session<'_>,
    asked: TunedRequest<'_>,
    limits: &Limits,
    answer: &mut GraphRagAnswer,
) -> Result<BTreeSet<String>, EngineError> {
    let TunedRequest { request, tuning } = asked;
    let (searchable, missing) = open_search_index(session, answer)?;
    let fresh = searchable.as_ref().filter(|_| session.is_fresh());
    let slot = fresh.and_then(|s| {
        CacheEntryFile::for_request(session.workspace(), request, limits, &s.cache_key())
    });
    let kept = slot.as_ref().and_then(CacheEntryFile::read);
    if let Some(whole) = kept.and_then(|kept| restore_cached(session.project(), fresh, kept)) {
        *answer = whole;
        return Ok(BTreeSet::new());
    }
    answer.metadata.cache = slot.is_some().then(|| "miss".to_owned());
    let memo = searchable
        .as_ref()
        .and_then(SearchIndex::embedder)
        .map(QueryVectorCache::new);
    let embedder = memo.as_ref().map(|memo| memo as &dyn Embedder);
    let question = Question {
        text: &request.query,
        index: searchable.as_ref().map(|s| &*s.index),
        embedder,
        tuning,
    };
    let start = match &searchable {
        Some(searchable) => start_from_chunks(session, searchable, &question, limits)?,
        None => start_from_names(&session.state, &request.query, limits, missing)?,
    };
    let found = &start.found;
    let near = near::expand_anchors(&session.state, &question, found, limits)?;
    set_source_and_fallback(&start, answer);
    answer.metadata.anchors = found.anchors.len();
    answer.metadata.expanded = near.len();
    let mut sources = Sources::new(session.project(), fresh);
    if found.anchors.is_empty() {
        let nothing = "nothing in this project is relevant to the query";
        answer.warnings.push(nothing.to_owned());
    } else {
        let found = (&*found.anchors, &*near);
        choose_candidates(session, asked, found, (answer, &mut sources))?;
    }
    // Nodes written by hand need not be in files.
    let moved = if session.is_fresh() {
        sources.into_changed_files()
    } else {
        BTreeSet::new()
    };
    if let Some(slot) = slot.filter(|_| moved.is_empty() && is_cacheable(answer)) {
        slot.write(answer);
    }
    Ok(moved)
}

/// Whether an answer may be cached: not where a model failed to sort it, nor where its texts cannot be read back from its places.
fn is_cacheable(answer: &GraphRagAnswer) -> bool {
    let skipped = answer.metadata.skip_reason;
    let sorted = skipped.is_none_or(|reason| reason == SkipReason::Disabled);
    let whole = answer
        .fallback
        .as_ref()
        .is_none_or(|f| f.reason == "no_graph");
    sorted && whole && !answer.candidates.iter().any(|c| c.skeleton)
}

/// A cached answer with the texts of its places; none where they cannot be read back.
fn restore_cached(
    project: &Project,
    chunks: Option<&SearchIndex>,
    mut answer: GraphRagAnswer,
) -> Option<GraphRagAnswer> {
    let mut sources = Sources::new(project, chunks);
    for c in &mut answer.candidates {
        c.snippet = sources.text(&c.file_path, c.line_start, c.line_end)?;
    }
    answer.metadata.cache = Some("hit".to_owned());
    Some(answer)
}

/// The chunks, or the reason why there are none.
fn open_search_index(
    session: &Session<'_>,
    answer: &mut GraphRagAnswer,
) -> Result<(Option<SearchIndex>, String), EngineError> {
    // A graph written by hand has only names.
    if is_manual_graph(session.store())? {
        return Ok((None, BY_HAND.to_owned()));
    }
    match session.search_index() {
        Ok(found) => {
            answer.warnings.extend(found.note.clone());
            Ok((Some(found), String::new()))
        }
        Err(error) => Ok((None, error.to_string())),
    }
}

fn start_from_names(
    state: &GraphState,
    query: &str,
    limits: &Limits,
    detail: String,
) -> Result<SearchStart, EngineError> {
    Ok(SearchStart {
        found: anchors::name_anchors(state, query, limits.top_k)?,
        fallback: Some(Fallback {
            reason: "no_index".to_owned(),
            degraded_to: "keyword".to_owned(),
            detail,
        }),
    })
}

fn start_from_chunks(
    session: &Session<'_>,
    searchable: &SearchIndex,
    question: &Question<'_>,
    limits: &Limits,
) -> Result<SearchStart, EngineError> {
    let wanted = (limits.top_k, limits.min_relevance);
    let view = session.project_view()?;
    let found =
        anchors::chunk_anchors((&session.state, &view), &searchable.index, question, wanted)?;
    let degraded = searchable.degradation(session.config(), found.fallback.as_ref())?;
    let to = match found.mode {
        RankMode::Keyword => "keyword",
        _ => "embedding",
    };
    Ok(SearchStart {
        fallback: degraded.map(|degraded| Fallback {
            reason: degraded.reason.to_owned(),
            degraded_to: to.to_owned(),
            detail: degraded.detail,
        }),
        found,
    })
}

/// Records what the answer is based on.
fn set_source_and_fallback(start: &SearchStart, answer: &mut GraphRagAnswer) {
    let found = &start.found;
    let in_graph = found.anchors.iter().any(|anchor| !anchor.nodes.is_empty());
    answer.fallback.clone_from(&start.fallback);
    if found.anchors.is_empty() || in_graph {
        return;
    }
    let (source, word) = match found.mode {
        RankMode::Keyword => (ContextSource::Keyword, "keyword"),
        _ => (ContextSource::Embedding, "embedding"),
    };
    answer.source = source;
    answer.fallback.get_or_insert_with(|| Fallback {
        reason: "no_graph".to_owned(),
        degraded_to: word.to_owned(),
        detail: "the graph has no symbols where the query was found".to_owned(),
    });
}

/// The language model's order of the first drafts; none where it was not asked or did not answer.
fn rerank_order(
    workspace: &Workspace,
    request: &GraphRagRequest,
    drafts: &[Draft],
    (sources, metadata): (&mut Sources<'_>, &mut ContextMetadata),
) -> Option<Vec<Ranked>> {
    let judge = make_judge(
        workspace,
        &JudgeRequest {
            asked: request.rerank,
            no_cache: request.no_cache,
            ..JudgeRequest::default()
        },
    );
    let judged = match &judge {
        Judge::Model(_) => &drafts[..drafts.len().min(MAX_CANDIDATES)],
        Judge::Nobody(..) => &drafts[..drafts.len().min(1)],
    };
    let texts: Vec<(String, String)> = judged
        .iter()
        .map(|draft| (draft.location(), draft.text(sources)))
        .collect();
    let candidates: Vec<RerankCandidate<'_>> = texts
        .iter()
        .map(|(place, text)| RerankCandidate { place, text })
        .collect();
    let options = RerankOptions {
        timeout: workspace.config().reranker().timeout,
    };
    let done = rerank(&request.query, &candidates, &judge, &options);
    metadata.reranked = done.metadata.reranked;
    metadata.skip_reason = done.metadata.skip_reason;
    // A caller who did not ask for it needs no reason, which costs tokens.
    metadata.skip_detail = done.metadata.detail.filter(|_| request.rerank);
    done.metadata.reranked.then_some(done.ranked)
}

fn choose_candidates(
    session: &Session<'_>,
    TunedRequest { request, tuning }: TunedRequest<'_>,
    (anchors, near): (&[anchors::Anchor], &[NearNode]),
    (answer, sources): (&mut GraphRagAnswer, &mut Sources<'_>),
) -> Result<(), EngineError> {
    let weights = Weights::load(session, tuning)?;
    let mut drafts: Vec<Draft> = Vec::with_capacity(anchors.len() + near.len());
    for anchor in anchors {
        drafts.push(Draft::from_anchor(anchor, sources, &weights));
    }
    for near in near {
        drafts.push(Draft::from_near(near, sources, &weights));
    }
    drafts.retain(|draft| sources.is_unchanged(draft.path()));
    fragments::sort_drafts(&mut drafts, |drafts| {
        rerank_order(
            session.workspace(),
            request,
            drafts,
            (sources, &mut answer.metadata),
        )
    });
    let shape = (request.format, request.tokenizer.into());
    let mut drafts = Drafts::new(
        &drafts,
        sources,
        session.local_store()?,
        (shape, request.skeleton),
    );
    let fragments = drafts.fragments();
    answer.index.clone_from(&session.state.index);
    let around = render::overhead_tokens(answer, shape);
    let room = answer.metadata.budget.saturating_sub(around);
    let Selection {
        chosen,
        tokens,
        left_out,
        ..
    } = select_fragments(&fragments, room, &mut drafts);
    answer.candidates = chosen.iter().map(|c| drafts.build_candidate(c)).collect();
    answer.metadata.left_out = left_out;
    if answer.candidates.is_empty() {
        answer.warnings.push(TOO_SMALL.to_owned())
    } else {
        let left = room - tokens;
        let named =
            imports::add_imports(&mut answer.candidates, session.local_store()?, shape, left);
        answer.token_count = around + tokens + named;
    }
    Ok(())
}
