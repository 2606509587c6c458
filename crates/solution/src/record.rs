//! Requests and answers, field for field as clients see them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A solved problem to keep.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct SaveRequest {
    /// The problem in one line
    #[cfg_attr(
        feature = "cli",
        arg(long, default_value = "", hide_default_value = true)
    )]
    pub title: String,
    /// What went wrong, and when
    #[cfg_attr(
        feature = "cli",
        arg(long, default_value = "", hide_default_value = true)
    )]
    pub problem: String,
    /// What solved it
    #[cfg_attr(
        feature = "cli",
        arg(long, default_value = "", hide_default_value = true)
    )]
    pub solution: String,
    /// Why it went wrong
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub root_cause: Option<String>,
    /// Error messages, verbatim
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "cli", arg(long = "error-message", value_name = "TEXT"))]
    pub error_messages: Vec<String>,
    /// Tags [default: found in the text]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "cli", arg(long = "tag", value_name = "TAG"))]
    pub tags: Vec<String>,
    /// Project [default: the current one]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "cli", arg(long))]
    pub project_name: Option<String>,
    /// Id of the solution to replace
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "cli", arg(long, value_name = "ID"))]
    pub update: Option<String>,
}

/// What saving did.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SaveAnswer {
    /// Its UUID.
    pub id: String,
    /// Saved, updated, or known already; what was removed; what is similar.
    pub message: String,
    /// Tags it has now.
    pub tags: Vec<String>,
    /// Other solutions that may be about the same problem.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub similar: Vec<Similar>,
    /// What was removed before saving, and what did not work.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A solution close to the one that was saved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Similar {
    /// Its UUID.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Cosine of both, 0–1.
    pub similarity: f64,
}

/// Which half searches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum SearchMode {
    /// By words and by embedding
    #[default]
    Hybrid,
    /// By embedding alone
    Semantic,
    /// By words alone
    Keyword,
}

/// How both halves become one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Fusion {
    /// α × semantic + (1 − α) × keyword
    #[default]
    Weighted,
    /// Reciprocal rank fusion, k = 60
    Rrf,
}

/// The most results.
pub const MOST_RESULTS: u32 = 20;
/// The seed's weight of the semantic half.
pub const ALPHA: f64 = 0.6;

fn default_limit() -> u32 {
    5
}

fn default_alpha() -> f64 {
    ALPHA
}

/// A question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct SearchRequest {
    /// The problem or the error message
    #[cfg_attr(feature = "cli", arg(skip))]
    pub query: String,
    /// Maximum number of results
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 20))]
    #[cfg_attr(feature = "cli", arg(long, short = 'n', default_value_t = 5))]
    pub limit: u32,
    /// Only with all of these tags
    #[serde(default)]
    #[cfg_attr(feature = "cli", arg(long = "tag", value_name = "TAG"))]
    pub tags: Vec<String>,
    /// How to search
    #[serde(default)]
    #[cfg_attr(
        feature = "cli",
        arg(
            long = "mode",
            short = 'm',
            alias = "search-mode",
            value_enum,
            default_value = "hybrid"
        )
    )]
    pub search_mode: SearchMode,
    /// Weight of the embedding, 0-1
    #[serde(default = "default_alpha")]
    #[schemars(range(min = 0, max = 1))]
    #[cfg_attr(feature = "cli", arg(long, default_value_t = ALPHA))]
    pub alpha: f64,
    /// How to combine both scores
    #[serde(default)]
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value = "weighted"))]
    pub fusion: Fusion,
}

impl SearchRequest {
    /// A question with the defaults.
    pub fn new(query: impl Into<String>) -> SearchRequest {
        SearchRequest {
            query: query.into(),
            limit: default_limit(),
            tags: Vec::new(),
            search_mode: SearchMode::default(),
            alpha: ALPHA,
            fusion: Fusion::default(),
        }
    }
}

/// One solution found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SolutionHit {
    /// Its UUID.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The problem's first 200 characters.
    pub problem: String,
    /// Both halves joined, with weak priors, 0–1.
    pub relevance: f64,
    /// Similarity of meaning, 0–1.
    pub semantic_score: f64,
    /// Match of words, 0–1.
    pub keyword_score: f64,
    /// Where it comes from.
    pub project_name: String,
    /// When it was saved, UTC.
    pub created_at: String,
    /// Its tags.
    pub tags: Vec<String>,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SearchAnswer {
    /// Best first.
    pub results: Vec<SolutionHit>,
    /// How many matched before the limit.
    pub total: usize,
    /// The mode that answered: `hybrid`, `semantic` or `keyword`.
    pub mode: SearchMode,
    /// Why another mode answered than the one asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
    /// What else is to be known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Asks for one solution.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct GetRequest {
    /// UUID of the solution
    pub id: String,
}

/// A solution, whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solution {
    /// Its UUID.
    #[serde(default)]
    pub id: String,
    /// The problem in one line.
    pub title: String,
    /// What went wrong.
    pub problem: String,
    /// Why.
    #[serde(default)]
    pub root_cause: Option<String>,
    /// What solved it.
    pub solution: String,
    /// Messages, word for word.
    #[serde(default)]
    pub error_messages: Vec<String>,
    /// Its tags.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Where it comes from.
    #[serde(default)]
    pub project_name: String,
    /// When it was saved, UTC.
    #[serde(default)]
    pub created_at: String,
    /// When it was changed last, UTC.
    #[serde(default)]
    pub updated_at: String,
}

/// What a tag speaks of.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "cli", value(rename_all = "snake_case"))]
#[schemars(inline)]
pub enum Category {
    /// A language, framework or tool
    TechStack,
    /// Kind of problem
    ProblemType,
    /// An error code or the name of an exception
    ErrorCode,
}

impl Category {
    /// As it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Category::TechStack => "tech_stack",
            Category::ProblemType => "problem_type",
            Category::ErrorCode => "error_code",
        }
    }
}

/// Asks for the tags.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct ListTagsRequest {
    /// Only tags of this category
    #[serde(default)]
    #[cfg_attr(feature = "cli", arg(long, value_enum))]
    pub category: Option<Category>,
}

/// A tag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tag {
    /// Its name.
    pub name: String,
    /// `tech_stack`, `problem_type` or `error_code`.
    pub category: String,
    /// How many solutions have it.
    pub count: u64,
}

/// The tags, by category, most used first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ListTagsAnswer {
    /// The tags.
    pub tags: Vec<Tag>,
}

/// An earlier state of a solution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Version {
    /// From 1, oldest first.
    pub version: u64,
    /// When it was replaced, UTC.
    pub replaced_at: String,
    /// `update` or `delete`.
    pub why: String,
    /// What it was.
    pub solution: Solution,
}

/// How the store stands.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Stats {
    /// The database file.
    pub path: String,
    /// Solutions kept.
    pub solutions: u64,
    /// Tags used.
    pub tags: u64,
    /// Projects they come from.
    pub projects: u64,
    /// Earlier states kept.
    pub versions: u64,
    /// The model of the vectors.
    pub model: String,
    /// Their dimensions.
    pub dimension: usize,
    /// `embedded` or `chroma`.
    pub backend: String,
    /// Vectors in place.
    pub vectors: u64,
    /// Solutions that wait for their vector.
    pub pending: u64,
    /// Size of the database in bytes.
    pub bytes: u64,
    /// Opened most, with how often.
    pub most_used: Vec<Used>,
    /// What is not as it should be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// How often a solution was opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Used {
    /// Its UUID.
    pub id: String,
    /// Its title.
    pub title: String,
    /// How often.
    pub opened: u64,
}
