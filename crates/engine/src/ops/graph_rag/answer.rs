//! The answer of Graph-RAG.

use crate::{IndexInfo, SearchResult, SkipReason};
use base::Tier;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an answer rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ContextSource {
    /// Search and the graph.
    GraphRag,
    /// Words and vectors, without the graph.
    Embedding,
    /// Words or names alone.
    Keyword,
}

/// What found a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CandidateSource {
    /// Mostly its words.
    Keyword,
    /// Mostly its vector.
    Embedding,
    /// An edge of the graph.
    Graph,
}

/// What is missing from an answer, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fallback {
    /// `no_graph`, `no_index`; of vectors `no_embedding`, `no_api_key`, `timeout`, `provider_failed` or `not_built`.
    pub reason: String,
    /// What answered instead: `embedding` or `keyword`.
    pub degraded_to: String,
    /// In words.
    pub detail: String,
}

/// The edge that led to a candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Via {
    /// What the candidate is to `symbol`: `calls`, `called by`, `implements`, `implemented by`, …
    pub relation: String,
    /// The symbol at the other end.
    pub symbol: String,
    /// How the edge is known.
    #[schemars(with = "String")]
    pub tier: Tier,
    /// 0–1.
    pub confidence: f64,
    /// Where the call stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// A fragment of source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContextCandidate {
    /// Its file.
    pub file_path: String,
    /// First line.
    pub line_start: u32,
    /// Last line.
    pub line_end: u32,
    /// The definition, dotted within its file; empty where there is none.
    pub symbol: String,
    /// What it is.
    pub kind: String,
    /// 0–1; what says nothing is below 0.3.
    pub relevance_score: f64,
    /// How hot its file is, 0–1, times the square of the relevance: heat makes nothing relevant by itself.
    pub hotspot: f64,
    /// 1 for what the query found, and one more for each hop of the graph.
    pub distance: u32,
    /// The score by which it was chosen.
    pub priority: f64,
    /// What it costs as it stands in this answer.
    pub tokens: usize,
    /// What the language model says of it, 0–10; none where none was asked or it did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rerank_score: Option<f64>,
    /// Why, in the model's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rerank_reason: Option<String>,
    /// What found it.
    pub source: CandidateSource,
    /// The edge that led here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
    /// Further definitions in the same lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// What its file imports and these lines use, at the first fragment of a file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub imports: Vec<String>,
    /// Whether signatures and documentation stand for the whole.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub skeleton: bool,
    /// The lines, without the indentation common to all.
    pub snippet: String,
}

/// How an answer came about.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ContextMetadata {
    /// Most tokens of the answer.
    pub budget: usize,
    /// Hops.
    pub max_depth: u32,
    /// Most anchors.
    pub top_k: usize,
    /// The least relevance.
    pub min_relevance: f64,
    /// What the query found.
    pub anchors: usize,
    /// What the graph added.
    pub expanded: usize,
    /// Fragments that did not fit.
    pub left_out: usize,
    /// Whether a language model sorted the best again.
    pub reranked: bool,
    /// Why it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip_reason: Option<SkipReason>,
    /// More of that, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip_detail: Option<String>,
    /// `hit` or `miss`; none where the answer may not be kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<String>,
}

/// Context for a question, version 1.0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GraphRagAnswer {
    /// Version of this shape.
    pub schema_version: String,
    /// What it rests on.
    pub source: ContextSource,
    /// Estimated tokens of the whole answer in the format asked for, 0 where there are no candidates; never more than the budget.
    pub token_count: usize,
    /// What is worth most first.
    pub candidates: Vec<ContextCandidate>,
    /// What is missing and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<Fallback>,
    /// What else should be known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// How it came about.
    pub metadata: ContextMetadata,
    /// The state of the index.
    #[serde(skip_deserializing)]
    pub index: IndexInfo,
}

impl GraphRagAnswer {
    /// The candidates as results of a search, for the intent history.
    pub fn to_search_results(&self) -> Vec<SearchResult> {
        let result = |c: &ContextCandidate| SearchResult {
            file_path: c.file_path.clone(),
            line_start: c.line_start,
            line_end: c.line_end,
            symbol: c.symbol.clone(),
            kind: c.kind.clone(),
            relevance_score: c.relevance_score,
            source: "graph",
            id: None,
            snippet: None,
        };
        self.candidates.iter().map(result).collect()
    }

    /// An answer without candidates.
    pub(super) fn empty(metadata: ContextMetadata) -> GraphRagAnswer {
        GraphRagAnswer {
            schema_version: "1.0".to_owned(),
            source: ContextSource::GraphRag,
            token_count: 0,
            candidates: Vec::new(),
            fallback: None,
            warnings: Vec::new(),
            metadata,
            index: IndexInfo::default(),
        }
    }
}
