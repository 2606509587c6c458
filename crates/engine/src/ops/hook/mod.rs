//! Context for an agent's prompt, from search and graph; empty where the prompt is not about the code.
//!
//! An empty answer is better than noise, and a late one is worthless. So the work has a deadline. If it is not done in time, a
//! search by words in the last index answers, or there is no answer.

mod context;
mod evidence;
mod prompt;
pub(crate) mod session;
mod tuning;
mod words;

use crate::config::Config;
use crate::workspace::Workspace;
use crate::{CallChainAnswer, ContextReport, EngineError};
use context::{ContextInput, ContextPiece};
use prompt::Prompt;
pub use prompt::may_be_about_code;
use serde::Serialize;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};
pub use tuning::HookTuning;

/// The part of the time limit that is kept for printing.
const MARGIN: Duration = Duration::from_millis(15);

/// Context for a prompt. Serialized, it is an object with `additionalContext`, and where they apply `graphContext`, `callChain`
/// and `fallback`.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HookAnswer {
    /// The text to add to the prompt, as Markdown; empty where nothing is relevant.
    pub additional_context: String,
    /// The pieces in that text, and their source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph_context: Option<HookContext>,
    /// The callers of a function that the prompt names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_chain: Option<CallChainAnswer>,
    /// The reason for a lesser answer than usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<HookFallback>,
}

/// The pieces of a context, and their source; version 1.0.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HookContext {
    /// Version of this shape.
    pub schema_version: &'static str,
    /// `graph-rag`, `embedding` or `keyword`.
    pub source: &'static str,
    /// Estimated tokens of the added text.
    pub token_count: usize,
    /// The pieces, best first.
    pub candidates: Vec<HookCandidate>,
}

/// A piece of a context.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HookCandidate {
    /// The path of the file.
    pub file_path: String,
    /// First line.
    pub line_start: u32,
    /// Last line.
    pub line_end: u32,
    /// The definition; empty where there is none.
    pub symbol: String,
    /// The relevance, 0–1.
    pub relevance_score: f64,
    /// The source: `keyword`, `embedding` or `graph`.
    pub source: &'static str,
}

/// The reason for a lesser answer than usual, and its source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HookFallback {
    /// The reason: `no_api_key`, `ckb_unavailable` (there is no graph), `timeout`, `provider_failed` or `not_built`.
    pub reason: &'static str,
    /// The source used instead: `embedding` or `keyword`.
    pub degraded_to: &'static str,
}

/// The findings before they are rendered.
#[derive(Debug, Clone, Default)]
struct GatheredContext {
    /// The pieces, best first.
    pieces: Vec<ContextPiece>,
    source: &'static str,
    fallback: Option<HookFallback>,
    call_chain: Option<CallChainAnswer>,
}

/// Context for a prompt. Always returns by the deadline.
pub(crate) fn prompt(
    workspace: &Arc<Workspace>,
    text: &str,
    deadline: Instant,
    tuning: &HookTuning,
) -> HookAnswer {
    let since = Instant::now();
    let answer = answer_prompt(workspace, text, deadline, tuning);
    if let Some(observer) = workspace.observer() {
        let pieces = answer.graph_context.iter().flat_map(|c| &c.candidates);
        let relevances: Vec<f64> = pieces.map(|piece| piece.relevance_score).collect();
        observer.hook_answered(&ContextReport {
            took: since.elapsed(),
            relevances: &relevances,
            cache: None,
            fell_back: answer.fallback.is_some(),
        });
    }
    answer
}

fn answer_prompt(
    workspace: &Arc<Workspace>,
    text: &str,
    deadline: Instant,
    tuning: &HookTuning,
) -> HookAnswer {
    let settings = workspace.config().hook();
    let prompt = Prompt::parse(text, tuning);
    if !settings.enabled || prompt.is_empty() {
        return HookAnswer::default();
    }
    if !may_answer(workspace) {
        return HookAnswer {
            fallback: Some(keyword_fallback("ckb_unavailable")),
            ..HookAnswer::default()
        };
    }
    let mut found = gather_until_deadline(workspace, prompt.clone(), deadline, tuning);
    if workspace.config().reranker().enabled && found.fallback.is_none() {
        rerank_until_deadline(workspace, &prompt, &mut found, deadline);
    }
    render_answer(workspace.config(), found, &prompt, tuning)
}

/// Whether there is an index, or one that can be built while the user waits.
fn may_answer(workspace: &Workspace) -> bool {
    workspace.project().db_path.exists()
        || (workspace.config().embedding().auto_build
            && session::is_small(&workspace.project().root))
}

/// The best answer within the deadline. Late work goes on until the process ends, and is not waited for.
fn gather_until_deadline(
    workspace: &Arc<Workspace>,
    prompt: Prompt,
    deadline: Instant,
    tuning: &HookTuning,
) -> GatheredContext {
    let (sender, whole) = mpsc::channel();
    let (of, about, numbers) = (workspace.clone(), prompt.clone(), tuning.clone());
    std::thread::spawn(move || drop(sender.send(evidence::gather_context(&of, &about, &numbers))));
    let left = || deadline.saturating_duration_since(Instant::now() + MARGIN);
    let mut reason = "timeout";
    match whole.recv_timeout(left().mul_f64(tuning.patience)) {
        Ok(Ok(found)) => return found,
        Err(RecvTimeoutError::Timeout) => {}
        // An error in opening the graph or the search index has nothing to do with time.
        Ok(Err(error)) => {
            workspace.progress().detail(format_args!("{error}"));
            reason = "ckb_unavailable";
        }
        Err(RecvTimeoutError::Disconnected) => reason = "ckb_unavailable",
    }
    let (sender, words) = mpsc::channel();
    let (of, numbers) = (workspace.clone(), tuning.clone());
    std::thread::spawn(move || {
        let found = evidence::keyword_context(&of, &prompt, &numbers);
        let found = found.or_else(|_| evidence::linear_context(&of, &prompt, deadline, &numbers));
        drop(sender.send(found))
    });
    let late = |source: &mpsc::Receiver<Result<GatheredContext, EngineError>>| {
        source.recv_timeout(left()).ok().and_then(Result::ok)
    };
    let by_words = late(&words);
    // The full answer may be ready after all.
    if let Ok(Ok(found)) = whole.try_recv() {
        return found;
    }
    GatheredContext {
        source: "keyword",
        fallback: Some(keyword_fallback(reason)),
        ..by_words.unwrap_or_default()
    }
}

/// Lets a language model sort the pieces, if it does so in time.
fn rerank_until_deadline(
    workspace: &Arc<Workspace>,
    prompt: &Prompt,
    found: &mut GatheredContext,
    deadline: Instant,
) {
    let (sender, receiver) = mpsc::channel();
    let (of, query, pieces) = (
        workspace.clone(),
        prompt.query.clone(),
        found.pieces.clone(),
    );
    std::thread::spawn(move || drop(sender.send(evidence::rerank_pieces(&of, &query, pieces))));
    let left = deadline.saturating_duration_since(Instant::now() + MARGIN);
    if let Ok(Ok(pieces)) = receiver.recv_timeout(left) {
        found.pieces = pieces;
    }
}

fn render_answer(
    config: &Config,
    found: GatheredContext,
    prompt: &Prompt,
    tuning: &HookTuning,
) -> HookAnswer {
    let words: Vec<String> = prompt
        .query
        .split_whitespace()
        .map(str::to_lowercase)
        .collect();
    let (text, candidates) = context::render_context(&ContextInput {
        pieces: &found.pieces,
        chain: found.call_chain.as_ref(),
        words: &words,
        characters: config.hook().max_characters,
        tuning,
    });
    let graph = config.graph_rag().enabled && !candidates.is_empty();
    HookAnswer {
        graph_context: graph.then(|| HookContext {
            schema_version: "1.0",
            source: found.source,
            token_count: text.chars().count().div_ceil(4),
            candidates,
        }),
        additional_context: text,
        call_chain: found.call_chain,
        fallback: found.fallback,
    }
}

/// A fallback to a search by words.
fn keyword_fallback(reason: &'static str) -> HookFallback {
    HookFallback {
        reason,
        degraded_to: "keyword",
    }
}
