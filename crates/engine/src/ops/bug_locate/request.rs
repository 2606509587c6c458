//! The request and the answer.

use crate::IndexInfo;
use analysis::bug_locate::{Scores, Signals};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum BugRanker {
    /// A weight for each signal
    #[default]
    Evidence,
    /// 0.4 call chain + 0.3 history + 0.15 hotspot + 0.15 error pattern
    Design,
}

/// Where a bug may be.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct BugLocateRequest {
    /// An error message or description
    #[cfg_attr(feature = "cli", arg(long, short, allow_hyphen_values = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// A stack trace
    #[schemars(description = "")]
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stacktrace: Option<String>,
    /// Maximum number of candidates
    #[schemars(description = "")]
    #[cfg_attr(
        feature = "cli",
        arg(
            long = "limit",
            short = 'n',
            aliases = ["top-n", "top"],
            default_value_t = 5,
            allow_negative_numbers = true
        )
    )]
    #[serde(
        default = "default_top",
        rename = "limit",
        alias = "top",
        alias = "top_n"
    )]
    pub top_n: i64,
    /// How many recent commits count as recent changes
    #[cfg_attr(
        feature = "cli",
        arg(long, default_value_t = 20, allow_negative_numbers = true)
    )]
    #[serde(default = "default_history")]
    #[schemars(skip)]
    pub history_depth: i64,
    /// Add the impact of each candidate
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub with_impact: bool,
    /// How many edges the impact follows, 1-10
    #[cfg_attr(
        feature = "cli",
        arg(long, default_value_t = 3, allow_negative_numbers = true)
    )]
    #[serde(default = "default_reach")]
    #[schemars(skip)]
    pub impact_depth: i64,
    /// Add the score of each signal
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    #[schemars(skip)]
    pub explain: bool,
    /// The scoring formula
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t))]
    #[serde(default)]
    #[schemars(skip)]
    pub ranker: BugRanker,
}

fn default_top() -> i64 {
    5
}

fn default_history() -> i64 {
    20
}

fn default_reach() -> i64 {
    3
}

impl Default for BugLocateRequest {
    fn default() -> BugLocateRequest {
        BugLocateRequest {
            error: None,
            stacktrace: None,
            top_n: default_top(),
            history_depth: default_history(),
            with_impact: false,
            impact_depth: default_reach(),
            explain: false,
            ranker: BugRanker::default(),
        }
    }
}

impl BugLocateRequest {
    /// Message and stack trace in one text.
    pub(super) fn text(&self) -> String {
        let parts = [&self.error, &self.stacktrace];
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        parts.join("\n\n")
    }
}

/// Likely places of the bug.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BugLocateAnswer {
    /// The version of this shape.
    pub schema_version: &'static str,
    /// The name of the formula behind the confidence.
    pub ranker: &'static str,
    /// That formula, in the words of the answer's fields.
    pub formula: &'static str,
    /// The candidates, likeliest first, one for each file.
    pub candidates: Vec<BugCandidate>,
    /// Frames of stack traces, where there are any.
    #[serde(skip_serializing_if = "FrameCount::is_empty")]
    pub frames: FrameCount,
    /// Sources of evidence that were not available.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The state of the index.
    pub index: IndexInfo,
}

/// Frames of the stack traces of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct FrameCount {
    /// The number of frames in files of this repository.
    pub in_repository: usize,
    /// The number of frames in files that are not here, or whose path is ambiguous.
    pub external: usize,
}

impl FrameCount {
    fn is_empty(&self) -> bool {
        *self == FrameCount::default()
    }
}

/// A file with the place in it where the bug may be.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BugCandidate {
    /// The rank, 1 for the likeliest.
    pub rank: usize,
    /// The file.
    pub file_path: String,
    /// First and last line of the place.
    pub line_range: (u32, u32),
    /// The definition at that place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// The confidence, 0–1.
    pub confidence: f64,
    /// The evidence, in words.
    pub reason: String,
    /// Whether the file is among the hottest tenth of the files that change.
    pub is_hotspot: bool,
    /// The time of the last commit, as `2024-05-01T12:00:00Z`.
    pub last_modified: Option<String>,
    /// The four parts of the weighted formula, each 0–1.
    pub scores: Scores,
    /// The impact of a change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impact: Option<BugImpact>,
    /// The evidence as numbers, where they are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signals: Option<Signals>,
}

/// The impact of a change of a candidate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BugImpact {
    /// The number of affected symbols.
    pub total_affected: usize,
    /// The number of affected tests.
    pub tests: usize,
    /// The affected files, nearest first, at most ten.
    pub affected_files: Vec<String>,
}
