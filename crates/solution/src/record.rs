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

/// Changes of single fields of a solution. A field that is none keeps its value.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UpdateRequest {
    /// The id, or its beginning.
    pub id: String,
    /// The problem in one line.
    pub title: Option<String>,
    /// What went wrong, and when.
    pub problem: Option<String>,
    /// What solved it.
    pub solution: Option<String>,
    /// Why it went wrong.
    pub root_cause: Option<String>,
    /// Error messages, in place of the present ones.
    pub error_messages: Option<Vec<String>>,
    /// Tags, in place of the present ones.
    pub tags: Option<Vec<String>>,
    /// The project.
    pub project_name: Option<String>,
}

impl UpdateRequest {
    /// The solution with these changes.
    pub(crate) fn applied_to(&self, now: &Solution) -> SaveRequest {
        let text = |new: &Option<String>, now: &String| new.as_ref().unwrap_or(now).clone();
        let list =
            |new: &Option<Vec<String>>, now: &Vec<String>| new.as_ref().unwrap_or(now).clone();
        SaveRequest {
            title: text(&self.title, &now.title),
            problem: text(&self.problem, &now.problem),
            solution: text(&self.solution, &now.solution),
            root_cause: self.root_cause.clone().or_else(|| now.root_cause.clone()),
            error_messages: list(&self.error_messages, &now.error_messages),
            tags: list(&self.tags, &now.tags),
            project_name: Some(text(&self.project_name, &now.project_name)),
            update: Some(now.id.clone()),
        }
    }
}

/// The result of saving.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SaveAnswer {
    /// The UUID.
    pub id: String,
    /// A message: whether it was saved, updated or known already, with what was removed and what is similar.
    pub message: String,
    /// The present tags.
    pub tags: Vec<String>,
    /// Other solutions that may be about the same problem.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub similar: Vec<Similar>,
    /// Notes on what was removed before saving, and on what failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A solution close to the one that was saved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Similar {
    /// The UUID.
    pub id: String,
    /// The title.
    pub title: String,
    /// The cosine of both vectors, 0–1.
    pub similarity: f64,
}

/// Which half searches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[schemars(inline, description = "")]
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
#[schemars(inline, description = "")]
pub enum Fusion {
    /// α × semantic + (1 − α) × keyword
    #[default]
    Weighted,
    /// Reciprocal rank fusion, k = 60
    Rrf,
}

/// How results are ranked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[schemars(inline, description = "")]
pub enum SolutionRanker {
    /// Weighted sum of words and embedding, plus bonuses for a matching error code, age and use
    #[default]
    Evidence,
    /// α × semantic + (1 − α) × keyword, and nothing else
    Design,
}

/// The most results of a search.
pub const MOST_RESULTS: u32 = 20;
/// The default weight of the semantic half.
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
    #[schemars(description = "")]
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 20))]
    #[cfg_attr(feature = "cli", arg(long, short = 'n', default_value_t = 5))]
    pub limit: u32,
    /// Only with all of these tags
    #[serde(default)]
    #[cfg_attr(feature = "cli", arg(long = "tag", value_name = "TAG"))]
    pub tags: Vec<String>,
    /// How to search
    #[schemars(description = "")]
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
    #[schemars(description = "")]
    #[serde(default)]
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value = "weighted"))]
    pub fusion: Fusion,
    /// The scoring formula
    #[schemars(skip)]
    #[serde(default)]
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value = "evidence"))]
    pub ranker: SolutionRanker,
}

impl SearchRequest {
    /// A request with the defaults.
    pub fn new(query: impl Into<String>) -> SearchRequest {
        SearchRequest {
            query: query.into(),
            limit: default_limit(),
            tags: Vec::new(),
            search_mode: SearchMode::default(),
            alpha: ALPHA,
            fusion: Fusion::default(),
            ranker: SolutionRanker::default(),
        }
    }
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

/// A solution found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SolutionHit {
    /// The UUID.
    pub id: String,
    /// The title.
    pub title: String,
    /// The problem's first 200 characters.
    pub problem: String,
    /// The fused score of both halves, with weak priors, 0–1.
    pub relevance: f64,
    /// The similarity of meaning, 0–1.
    pub semantic_score: f64,
    /// The match of words, 0–1.
    pub keyword_score: f64,
    /// The part of the relevance for an equal error code, beyond the fused halves.
    #[serde(skip_serializing_if = "is_zero")]
    pub code_bonus: f64,
    /// The part of the relevance for new and used solutions, beyond that; below 0 for others.
    #[serde(skip_serializing_if = "is_zero")]
    pub prior_bonus: f64,
    /// The project that it comes from.
    pub project_name: String,
    /// The time when it was saved, UTC.
    pub created_at: String,
    /// The tags.
    pub tags: Vec<String>,
}

/// The results of a search.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SearchAnswer {
    /// The results, best first.
    pub results: Vec<SolutionHit>,
    /// The number of matches before the limit.
    pub total: usize,
    /// The mode that was used: `hybrid`, `semantic` or `keyword`.
    pub mode: SearchMode,
    /// The reason why it is not the requested mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
    /// Further notes.
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

/// A solution in full.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solution {
    /// The UUID.
    #[serde(default)]
    pub id: String,
    /// The problem in one line.
    pub title: String,
    /// The problem.
    pub problem: String,
    /// The cause of the problem.
    #[serde(default)]
    pub root_cause: Option<String>,
    /// The solution of the problem.
    pub solution: String,
    /// Error messages, verbatim.
    #[serde(default)]
    pub error_messages: Vec<String>,
    /// The tags.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The project that it comes from.
    #[serde(default)]
    pub project_name: String,
    /// The time when it was saved, UTC.
    #[serde(default)]
    pub created_at: String,
    /// The time of the last change, UTC.
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
    /// The stored name.
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
    /// The name.
    pub name: String,
    /// The category: `tech_stack`, `problem_type` or `error_code`.
    pub category: String,
    /// The number of solutions with it.
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
    /// The number of the version, from 1 for the oldest.
    pub version: u64,
    /// The time when it was replaced, UTC.
    pub replaced_at: String,
    /// The cause: `update` or `delete`.
    pub why: String,
    /// The solution in that state.
    pub solution: Solution,
}

/// The state of the store.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Stats {
    /// The database file.
    pub path: String,
    /// The number of solutions.
    pub solutions: u64,
    /// The number of tags in use.
    pub tags: u64,
    /// The number of projects that solutions come from.
    pub projects: u64,
    /// The number of earlier states.
    pub versions: u64,
    /// The model of the vectors.
    pub model: String,
    /// The dimensions of a vector.
    pub dimension: usize,
    /// The backend: `embedded` or `chroma`.
    pub backend: String,
    /// The number of vectors.
    pub vectors: u64,
    /// The number of solutions that wait for a vector.
    pub pending: u64,
    /// Size of the database in bytes.
    pub bytes: u64,
    /// The solutions opened most, with their counts.
    pub most_used: Vec<Used>,
    /// Notes on problems of the store.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A solution with the number of times that it was opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Used {
    /// The UUID.
    pub id: String,
    /// The title.
    pub title: String,
    /// The number of times that it was opened.
    pub opened: u64,
}
