//! Re-ranking by a language model: sorts the best results again, or leaves their order and says why.
//!
//! There is an answer even if the model fails: the results in their former order.

mod cached_llm;
mod input;
mod parse;
mod prompt;
#[cfg(test)]
mod tests;

pub use input::read_candidates;

use crate::operation::{Access, operation};
use crate::project::Project;
use crate::workspace::Workspace;
use crate::{EngineError, Llm, LlmChoice, LlmError, LlmProvider, ProviderError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most results that are judged; those after them keep their place.
pub const MAX_CANDIDATES: usize = 10;

/// The waits before each further attempt.
const WAITS: [Duration; 3] = [
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(4),
];

/// Sort results again by what a language model says of their relevance.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RerankRequest {
    /// What was searched for
    pub query: String,
    /// The results: texts, or objects with a `snippet` and a `file_path`
    pub candidates: Vec<Value>,
    /// Whose model; by default that of the configuration
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<LlmProvider>,
    /// The model's answer, instead of asking one
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub mock_llm: Option<String>,
    /// Ignore the cached answer
    #[serde(default)]
    #[schemars(skip)]
    pub no_cache: bool,
}

/// The results in their new order.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RerankAnswer {
    /// Best first.
    pub ranked_results: Vec<RankedResult>,
    /// Facts about the re-ranking.
    pub metadata: RerankMetadata,
}

/// A result with its place and score.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RankedResult {
    /// Its rank and its score.
    #[serde(flatten)]
    pub ranked: Ranked,
    /// The other fields of the input.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
}

/// The place of a result.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Ranked {
    /// Its position in the input, from 0.
    pub index: usize,
    /// Its rank before, from 1.
    pub original_rank: usize,
    /// The score, 0–10. None if the model gave no score.
    pub score: Option<f64>,
    /// The model's reason.
    pub reason: Option<String>,
}

/// The reason why nothing was sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// Re-ranking is off.
    Disabled,
    /// The provider's key is missing or wrong.
    ApiKeyMissing,
    /// No answer in time.
    Timeout,
    /// The answer of the model cannot be used.
    InvalidResponse,
    /// Every attempt failed, or the next one would have come too late.
    MaxRetriesExceeded,
    /// There is nothing to sort.
    NoCandidates,
}

/// Facts about a re-ranking.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RerankMetadata {
    /// Whether the order is the model's.
    pub reranked: bool,
    /// The reason if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skip_reason: Option<SkipReason>,
    /// Details of the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Provider and model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The number of results that were judged.
    pub candidates: usize,
    /// The number of rows of the model that cannot be used: the score is outside 0–10, or the index does not exist or was used
    /// before.
    pub discarded: usize,
    /// The number of requests to the model.
    pub attempts: u32,
    /// The duration, in milliseconds.
    pub latency_ms: u64,
}

/// A result in the form in which the model gets it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RerankCandidate<'a> {
    /// The place: `src/a.py:10-20`.
    pub place: &'a str,
    /// The source.
    pub text: &'a str,
}

/// The judge of relevance.
#[derive(Clone)]
pub enum Judge {
    /// A language model.
    Model(Arc<dyn Llm>),
    /// No judge, with the reason.
    Nobody(SkipReason, String),
}

/// Options of a re-ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RerankOptions {
    /// The time limit for all attempts and the waits between them.
    pub timeout: Duration,
}

impl Default for RerankOptions {
    fn default() -> RerankOptions {
        RerankOptions {
            timeout: Duration::from_secs(2),
        }
    }
}

/// The new order of all candidates, and how it was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Reranked {
    /// Best first: candidates with a score by their score, then the others in their former order.
    pub ranked: Vec<Ranked>,
    /// Facts about the re-ranking.
    pub metadata: RerankMetadata,
}

/// Sorts candidates by the judge's scores. Never fails: without a usable answer they keep their order.
pub fn rerank(
    query: &str,
    candidates: &[RerankCandidate<'_>],
    judge: &Judge,
    options: &RerankOptions,
) -> Reranked {
    let since = Instant::now();
    let judged = candidates.len().min(MAX_CANDIDATES);
    let mut metadata = RerankMetadata {
        reranked: false,
        skip_reason: None,
        detail: None,
        model: None,
        candidates: judged,
        discarded: 0,
        attempts: 0,
        latency_ms: 0,
    };
    let rows = match judge {
        Judge::Nobody(SkipReason::Disabled, why) => Err((SkipReason::Disabled, why.clone())),
        _ if candidates.is_empty() => Err((SkipReason::NoCandidates, String::new())),
        Judge::Nobody(reason, why) => Err((*reason, why.clone())),
        Judge::Model(llm) => {
            metadata.model = Some(llm.model().to_owned());
            let prompt = prompt::build_prompt(query, &candidates[..judged]);
            let deadline = since + options.timeout;
            ask(&**llm, &prompt, deadline, &mut metadata.attempts)
                .and_then(|text| scores(&text, judged, &mut metadata.discarded))
        }
    };
    let mut ranked: Vec<Ranked> = (0..candidates.len())
        .map(|index| Ranked {
            index,
            original_rank: index + 1,
            score: None,
            reason: None,
        })
        .collect();
    match rows {
        Ok(rows) => {
            metadata.reranked = true;
            for row in rows {
                ranked[row.index].score = Some(row.score);
                ranked[row.index].reason = row.reason;
            }
            // The sort is stable: candidates with equal or no scores keep their order.
            let key = |r: &Ranked| r.score.unwrap_or(-1.0);
            ranked.sort_by(|a, b| key(b).total_cmp(&key(a)));
        }
        Err((reason, detail)) => {
            metadata.skip_reason = Some(reason);
            metadata.detail = Some(detail).filter(|d| !d.is_empty());
        }
    }
    metadata.latency_ms = since.elapsed().as_millis() as u64;
    Reranked { ranked, metadata }
}

type Skip = (SkipReason, String);

/// The model's answer. Transient failures are retried as long as the next attempt begins in time.
fn ask(llm: &dyn Llm, prompt: &str, deadline: Instant, attempts: &mut u32) -> Result<String, Skip> {
    if let Some(kept) = llm.cached_answer(prompt) {
        return Ok(kept);
    }
    let mut waits = WAITS.iter();
    loop {
        *attempts += 1;
        let error = match llm.complete(prompt, deadline) {
            Ok(text) => return Ok(text),
            Err(error) => error,
        };
        let reason = match &error {
            LlmError::Timeout => SkipReason::Timeout,
            LlmError::Auth(_) => SkipReason::ApiKeyMissing,
            LlmError::Invalid(_) => SkipReason::InvalidResponse,
            LlmError::RateLimited { .. } | LlmError::Network(_) => SkipReason::MaxRetriesExceeded,
        };
        let wanted = match &error {
            LlmError::RateLimited {
                retry_after: Some(wait),
            } => *wait,
            _ => Duration::ZERO,
        };
        let wait = waits.next().map(|own| wanted.max(*own));
        match wait {
            Some(wait)
                if error.is_transient()
                    && wait < deadline.saturating_duration_since(Instant::now()) =>
            {
                std::thread::sleep(wait);
            }
            _ => return Err((reason, error.to_string())),
        }
    }
}

/// The usable rows of an answer; at least one.
fn scores(text: &str, judged: usize, discarded: &mut usize) -> Result<Vec<parse::Row>, Skip> {
    let found = parse::parse_rankings(text, judged);
    *discarded = found.discarded;
    if found.rows.is_empty() {
        Err((SkipReason::InvalidResponse, found.problem))
    } else {
        Ok(found.rows)
    }
}

operation! {
    /// Re-ranking by a language model.
    RerankOperation {
        name: "rerank",
        request: RerankRequest => RerankAnswer,
        access: |_| Access::Read,
        tool: None,
        answer: rerank_candidates,
    }
}

/// Sorts results again by a language model's judgement.
pub(crate) fn rerank_candidates(
    workspace: &Workspace,
    request: &RerankRequest,
) -> Result<RerankAnswer, EngineError> {
    if request.query.trim().is_empty() {
        return Err(EngineError::bad_arguments("the query is empty"));
    }
    let owned = input::parse_candidates(&request.candidates)?;
    let views: Vec<RerankCandidate<'_>> = owned
        .iter()
        .map(input::Candidate::as_rerank_candidate)
        .collect();
    let asked = request.provider.is_some() || request.mock_llm.is_some();
    let judge = make_judge(
        workspace,
        &JudgeRequest {
            asked,
            provider: request.provider,
            mock: request.mock_llm.as_deref(),
            no_cache: request.no_cache,
        },
    );
    let options = RerankOptions {
        timeout: workspace.config().reranker().timeout,
    };
    let Reranked { ranked, metadata } = rerank(&request.query, &views, &judge, &options);
    if let Some(observer) = workspace.observer() {
        let took = Duration::from_millis(metadata.latency_ms);
        observer.reranked(metadata.reranked.then_some(took));
    }
    let result = |ranked: Ranked| RankedResult {
        fields: owned[ranked.index].fields.clone(),
        ranked,
    };
    Ok(RerankAnswer {
        ranked_results: ranked.into_iter().map(result).collect(),
        metadata,
    })
}

/// The judge that a caller wants.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct JudgeRequest<'r> {
    /// Whether the caller wants one, unless it is switched off.
    pub asked: bool,
    /// The provider; by default that of the configuration.
    pub provider: Option<LlmProvider>,
    /// A fixed answer instead of a model's.
    pub mock: Option<&'r str>,
    /// Whether cached answers are ignored.
    pub no_cache: bool,
}

/// The folder of a model's answers of the last minutes.
pub(crate) fn cache_folder(project: &Project) -> PathBuf {
    project.cache_dir.join("reranker")
}

/// The judge of relevance.
pub(crate) fn make_judge(workspace: &Workspace, request: &JudgeRequest<'_>) -> Judge {
    let JudgeRequest {
        asked,
        provider,
        mock,
        no_cache,
    } = *request;
    let config = workspace.config().reranker();
    if let Some(place) = &config.switched_off {
        let why = format!("reranker.enabled is off ({place})");
        return Judge::Nobody(SkipReason::Disabled, why);
    }
    if !asked && !config.enabled {
        let why = "reranker.enabled is off".to_owned();
        return Judge::Nobody(SkipReason::Disabled, why);
    }
    let own = LlmProvider::parse(&config.provider).unwrap_or_default();
    let provider = provider.unwrap_or(own);
    // The model and address of one provider do not apply to another.
    let same = provider == own;
    let choice = LlmChoice {
        given_address_only: !same && config.base_url.is_some(),
        provider,
        model: config.model.filter(|_| same),
        base_url: config.base_url.filter(|_| same),
        mock: mock.map(str::to_owned),
    };
    let made = match &workspace.settings().providers {
        Some(providers) => providers.llm(&choice),
        None => Err(ProviderError::Invalid(
            "no language model is available in this program".to_owned(),
        )),
    };
    match made {
        Ok(llm) if no_cache || llm.model().starts_with("mock") => Judge::Model(llm),
        Ok(llm) => {
            let folder = cache_folder(workspace.project());
            Judge::Model(Arc::new(cached_llm::CachedLlm::new(llm, folder)))
        }
        Err(error) => Judge::Nobody(SkipReason::ApiKeyMissing, error.to_string()),
    }
}
