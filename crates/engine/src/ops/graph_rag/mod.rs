//! `graph-rag`: the source that answers a question, within a budget of tokens.
//!
//! Anchors from hybrid search, their callers and callees from the graph, priority, greedy choice.

mod anchors;
mod answer;
mod fragments;
mod near;
mod render;
mod request;
mod scale;
mod sources;
mod weights;

pub use answer::{
    CandidateSource, ContextCandidate, ContextMetadata, ContextSource, Fallback, GraphRagAnswer,
    Via,
};
pub use request::{ContextFormat, GraphRagRequest};

use crate::open::Open;
use crate::{Engine, EngineError};
use ::search::index::Index;
use ::search::prune::{Selection, select};
use ::search::rank::RankMode;
use fragments::{Draft, Drafts};
use near::Near;
use request::Limits;
use sources::Sources;
use weights::Weights;

/// Said where the setting is off.
const DISABLED: &str = "Graph-RAG is disabled (graph_rag.enabled)";

/// Said where no fragment fits.
const TOO_SMALL: &str = "the budget is too small for any whole fragment";

pub(crate) fn run(
    engine: &Engine,
    request: &GraphRagRequest,
) -> Result<GraphRagAnswer, EngineError> {
    let config = engine.config().graph_rag();
    let limits = Limits::of(request, &config)?;
    if !config.enabled {
        return Ok(disabled(&limits));
    }
    let open = engine.for_question()?;
    let mut answer = empty(&limits);
    if request.query.trim().is_empty() {
        answer.warnings.push("the query is empty".to_owned());
    } else if limits.budget > 0 {
        fill(engine, &open, request, &limits, &mut answer)?;
    }
    answer.index = engine.done(open);
    Ok(answer)
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

/// Says so, reads nothing.
fn disabled(limits: &Limits) -> GraphRagAnswer {
    let mut answer = empty(limits);
    answer.warnings.push(DISABLED.to_owned());
    answer
}

/// What the query found, from whatever there is.
struct Start {
    index: Option<Index>,
    found: anchors::Found,
    fallback: Option<Fallback>,
}

fn fill(
    engine: &Engine,
    open: &Open,
    request: &GraphRagRequest,
    limits: &Limits,
    answer: &mut GraphRagAnswer,
) -> Result<(), EngineError> {
    let start = start(engine, open, &request.query, limits, answer)?;
    let found = &start.found;
    let question = (request.query.as_str(), found.mode);
    let near = near::of_anchors(open, start.index.as_ref(), question, &found.anchors, limits)?;
    describe(&start, answer);
    answer.metadata.anchors = found.anchors.len();
    answer.metadata.expanded = near.len();
    if found.anchors.is_empty() {
        let nothing = "nothing in this project is relevant to the query";
        answer.warnings.push(nothing.to_owned());
        return Ok(());
    }
    choose(engine, open, request, (&found.anchors, &near), answer)
}

fn start(
    engine: &Engine,
    open: &Open,
    query: &str,
    limits: &Limits,
    answer: &mut GraphRagAnswer,
) -> Result<Start, EngineError> {
    let by_names = |reason: &str, detail: String| -> Result<Start, EngineError> {
        Ok(Start {
            index: None,
            found: anchors::names(open, query, limits.top_k)?,
            fallback: Some(Fallback {
                reason: reason.to_owned(),
                degraded_to: "keyword".to_owned(),
                detail,
            }),
        })
    };
    // Of a graph that was put in by hand there are names alone.
    if crate::engine::is_by_hand(&open.store)? {
        return by_names("no_index", crate::engine::BY_HAND.to_owned());
    }
    let (index, note) = match engine.passages() {
        Ok(found) => found,
        Err(error) => return by_names("no_index", error.to_string()),
    };
    answer.warnings.extend(note);
    let wanted = (limits.top_k, limits.min_relevance);
    let found = anchors::passages(engine, open, &index, query, wanted)?;
    Ok(Start {
        fallback: found.fallback.as_ref().map(|detail| Fallback {
            reason: "no_embedding".to_owned(),
            degraded_to: "keyword".to_owned(),
            detail: detail.clone(),
        }),
        index: Some(index),
        found,
    })
}

/// Says what the answer rests on.
fn describe(start: &Start, answer: &mut GraphRagAnswer) {
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

fn choose(
    engine: &Engine,
    open: &Open,
    request: &GraphRagRequest,
    (anchors, near): (&[anchors::Anchor], &[Near]),
    answer: &mut GraphRagAnswer,
) -> Result<(), EngineError> {
    let weights = Weights::of(engine, &open.store)?;
    let mut sources = Sources::new(engine.project());
    let mut drafts: Vec<Draft> = Vec::with_capacity(anchors.len() + near.len());
    for anchor in anchors {
        drafts.push(Draft::of_anchor(anchor, &mut sources, &weights));
    }
    for near in near {
        drafts.push(Draft::of_near(near, &mut sources, &weights));
    }
    let shape = (request.format, request.skeleton);
    let mut drafts = Drafts::new(&drafts, &mut sources, &open.store, shape);
    let fragments = drafts.fragments();
    answer.index.clone_from(&open.index);
    let around = render::frame(answer, request.format);
    let room = answer.metadata.budget.saturating_sub(around);
    let Selection {
        chosen,
        tokens,
        left_out,
        ..
    } = select(&fragments, room, &mut drafts);
    answer.candidates = chosen.iter().map(|c| drafts.candidate(c)).collect();
    answer.metadata.left_out = left_out;
    match answer.candidates.is_empty() {
        true => answer.warnings.push(TOO_SMALL.to_owned()),
        false => answer.token_count = around + tokens,
    }
    Ok(())
}
