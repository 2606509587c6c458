//! The answer of Graph-RAG.

use crate::{IndexInfo, SearchResult, SkipReason};
use base::Tier;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The source of an answer.
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

/// The way in which a candidate was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CandidateSource {
    /// Mostly by its words.
    Keyword,
    /// Mostly by its vector.
    Embedding,
    /// By an edge of the graph.
    Graph,
}

/// A part that is missing from an answer, and the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fallback {
    /// `no_graph`, `no_index`; of vectors `no_embedding`, `no_api_key`, `timeout`, `provider_failed` or `not_built`.
    pub reason: String,
    /// The source that answered instead: `embedding` or `keyword`.
    pub degraded_to: String,
    /// The reason in words.
    pub detail: String,
}

/// The edge that led to a candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CandidateEdge {
    /// The relation of the candidate to `symbol`: `calls`, `called by`, `implements`, `implemented by`, …
    pub relation: String,
    /// The symbol at the other end.
    pub symbol: String,
    /// The tier of the edge.
    #[schemars(with = "String")]
    pub tier: Tier,
    /// The confidence of the edge, 0–1.
    pub confidence: f64,
    /// The place of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

/// A fragment of source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContextCandidate {
    /// The file.
    pub file_path: String,
    /// First line.
    pub line_start: u32,
    /// Last line.
    pub line_end: u32,
    /// The name of the definition, dotted within its file. Empty if there is no definition.
    pub symbol: String,
    /// The kind of the definition.
    pub kind: String,
    /// The relevance, 0–1. Fragments without relevance are below 0.3.
    pub relevance_score: f64,
    /// The heat of the file, 0–1, times the square of the relevance. So heat alone makes no fragment relevant.
    pub hotspot: f64,
    /// The distance: 1 for a result of the query, and one more for each hop in the graph.
    pub distance: u32,
    /// The part of the priority that comes from what the user opened and edited before.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub preference: f64,
    /// The priority by which it was chosen.
    pub priority: f64,
    /// The number of tokens that it takes in this answer.
    pub tokens: usize,
    /// The score of the language model, 0–10. None if no model was asked, or if the model gave no score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rerank_score: Option<f64>,
    /// The model's reason for the score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rerank_reason: Option<String>,
    /// The way in which it was found.
    pub source: CandidateSource,
    /// The edge that led to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<CandidateEdge>,
    /// Further definitions in the same lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// The imports of the file that these lines use. Only the first fragment of a file lists them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub imports: Vec<String>,
    /// Whether only signatures and documentation are shown.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub skeleton: bool,
    /// The lines, without the indentation common to all.
    pub snippet: String,
}

/// Facts about the making of an answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ContextMetadata {
    /// The budget of tokens.
    pub budget: usize,
    /// The most hops in the graph.
    pub max_depth: u32,
    /// The most anchors.
    pub top_k: usize,
    /// The least relevance.
    pub min_relevance: f64,
    /// The number of results of the query.
    pub anchors: usize,
    /// The number of fragments that the graph added.
    pub expanded: usize,
    /// The number of fragments that did not fit.
    pub left_out: usize,
    /// Whether a language model sorted the best fragments again.
    pub reranked: bool,
    /// The reason if it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip_reason: Option<SkipReason>,
    /// Details of the reason, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip_detail: Option<String>,
    /// `hit` or `miss`. None if the answer may not be cached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<String>,
}

/// Context for a question, version 1.0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GraphRagAnswer {
    /// Version of this shape.
    pub schema_version: String,
    /// The source of the answer.
    pub source: ContextSource,
    /// Estimated tokens of the whole answer in the format asked for, 0 where there are no candidates; never more than the budget.
    pub token_count: usize,
    /// The fragments, the most valuable first.
    pub candidates: Vec<ContextCandidate>,
    /// The missing part, and the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<Fallback>,
    /// Further notes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Facts about the making of the answer.
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
