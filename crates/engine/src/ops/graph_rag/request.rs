//! The request of Graph-RAG, and its limits.

use crate::EngineError;
use crate::config::GraphRagConfig;
use crate::ops::arguments::in_range;
use schemars::JsonSchema;
use search::prune::Tokenizer;
use serde::{Deserialize, Serialize};

/// The most tokens of an answer; no reader takes in more.
const MOST_TOKENS: i64 = 200_000;

/// Output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline, description = "")]
pub enum ContextFormat {
    /// JSON
    #[default]
    Json,
    /// Markdown, with code in fences
    Md,
    /// Indented text
    Text,
}

/// Who counts tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum TokenCounter {
    /// A fast estimate. It is rather too high than too low
    #[default]
    Estimate,
    /// The tokenizer cl100k_base of OpenAI
    Cl100k,
    /// The tokenizer o200k_base of OpenAI
    O200k,
}

impl From<TokenCounter> for Tokenizer {
    fn from(counter: TokenCounter) -> Tokenizer {
        match counter {
            TokenCounter::Estimate => Tokenizer::Estimate,
            TokenCounter::Cl100k => Tokenizer::Cl100k,
            TokenCounter::O200k => Tokenizer::O200k,
        }
    }
}

/// The source that answers a question: what search finds, with its callers and callees, within a budget of tokens.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct GraphRagRequest {
    /// A question, a task, an error message or names
    #[cfg_attr(feature = "cli", arg(skip))]
    pub query: String,
    /// Maximum tokens of the answer [default: 8000]
    #[schemars(description = "Maximum tokens of the answer")]
    #[cfg_attr(
        feature = "cli",
        arg(
            long,
            alias = "token-budget",
            value_name = "TOKENS",
            allow_negative_numbers = true
        )
    )]
    #[serde(
        default,
        alias = "token_budget",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(range(min = 0), extend("default" = 8000))]
    pub budget: Option<i64>,
    /// How far to follow callers and callees, 1-4 [default: 2]
    #[schemars(description = "How many calls to follow")]
    #[cfg_attr(
        feature = "cli",
        arg(
            long,
            alias = "depth",
            value_name = "HOPS",
            allow_negative_numbers = true
        )
    )]
    #[serde(default, alias = "depth", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 4), extend("default" = 2))]
    pub max_depth: Option<i64>,
    /// How many search results to start from, 5-50 [default: 10]
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "N", allow_negative_numbers = true)
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub top_k: Option<i64>,
    /// Minimum relevance of a fragment, 0-1 [default: 0.3]
    #[schemars(description = "0-1")]
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "SHARE", allow_negative_numbers = true)
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = 0.3))]
    pub min_relevance: Option<f64>,
    /// Show signatures instead of definitions that do not fit
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub skeleton: bool,
    /// Re-rank the best results with a language model
    #[schemars(description = "With a language model")]
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub rerank: bool,
    /// How to count tokens
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t))]
    #[serde(default)]
    #[schemars(skip)]
    pub tokenizer: TokenCounter,
    /// Do not use the cache of answers
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    #[schemars(skip)]
    pub no_cache: bool,
    /// Output format
    #[schemars(description = "")]
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(default)]
    pub format: ContextFormat,
}

impl GraphRagRequest {
    /// A request with every default.
    pub fn from_query(query: impl Into<String>) -> GraphRagRequest {
        GraphRagRequest {
            query: query.into(),
            budget: None,
            max_depth: None,
            top_k: None,
            min_relevance: None,
            skeleton: false,
            rerank: false,
            tokenizer: TokenCounter::default(),
            no_cache: false,
            format: ContextFormat::default(),
        }
    }
}

/// A request with defaults filled in and limits applied.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Limits {
    pub budget: usize,
    pub max_depth: u32,
    pub top_k: usize,
    pub min_relevance: f64,
    pub notes: Vec<String>,
}

impl Limits {
    pub(super) fn from_request(
        request: &GraphRagRequest,
        config: &GraphRagConfig,
    ) -> Result<Limits, EngineError> {
        let given = request.budget.unwrap_or(config.token_budget as i64);
        if given < 0 {
            let message = format!("invalid budget: {given}. Must be 0 or more");
            return Err(EngineError::bad_arguments(message));
        }
        let mut notes = Vec::new();
        if given > MOST_TOKENS {
            notes.push(format!("the budget was lowered to {MOST_TOKENS} tokens"));
        }
        let least = request.min_relevance.unwrap_or(config.min_relevance);
        if !(0.0..=1.0).contains(&least) {
            let message = format!("invalid min-relevance: {least}. Must be between 0 and 1");
            return Err(EngineError::bad_arguments(message));
        }
        let depth = request.max_depth.unwrap_or(i64::from(config.max_depth));
        let top_k = request.top_k.unwrap_or(config.top_k as i64);
        Ok(Limits {
            budget: given.min(MOST_TOKENS) as usize,
            max_depth: in_range("max-depth", depth, 1, 4)?,
            top_k: in_range("top-k", top_k, 5, 50)? as usize,
            min_relevance: least,
            notes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    fn limits(change: impl FnOnce(&mut GraphRagRequest)) -> Result<Limits, String> {
        let mut request = GraphRagRequest::from_query("q");
        change(&mut request);
        Limits::from_request(&request, &Config::default().graph_rag()).map_err(|e| e.message)
    }

    #[test]
    fn sc_sp_004_default_budget() {
        let defaults = limits(|_| {}).unwrap();
        assert_eq!(
            (defaults.budget, defaults.max_depth, defaults.top_k),
            (8000, 2, 10)
        );
        assert_eq!(defaults.min_relevance, 0.3);
        assert!(defaults.notes.is_empty());
    }

    #[test]
    fn values_out_of_range_are_refused() {
        for (error, message) in [
            (
                limits(|r| r.budget = Some(-5)),
                "invalid budget: -5. Must be 0 or more",
            ),
            (limits(|r| r.max_depth = Some(5)), "invalid max-depth: 5"),
            (limits(|r| r.max_depth = Some(0)), "invalid max-depth: 0"),
            (limits(|r| r.top_k = Some(4)), "invalid top-k: 4"),
            (limits(|r| r.top_k = Some(51)), "invalid top-k: 51"),
            (
                limits(|r| r.min_relevance = Some(1.5)),
                "invalid min-relevance: 1.5",
            ),
            (
                limits(|r| r.min_relevance = Some(f64::NAN)),
                "invalid min-relevance: NaN",
            ),
        ] {
            assert!(
                error.as_ref().unwrap_err().starts_with(message),
                "{error:?}"
            );
        }
    }

    #[test]
    fn a_huge_budget_is_lowered_and_said() {
        let huge = limits(|r| r.budget = Some(i64::MAX)).unwrap();
        assert_eq!((huge.budget, huge.notes.len()), (200_000, 1));
    }
}
