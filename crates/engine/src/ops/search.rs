//! `search`: symbols by name.

use crate::{Engine, EngineError, IndexInfo, snippet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a query is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum SearchMode {
    /// One name: exact, prefix, sub-word, abbreviation, typing errors
    #[default]
    Symbol,
    /// Words, in the name, what encloses it, or the path
    Keyword,
}

/// Find symbols by name.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct SearchRequest {
    /// A name, or words
    pub query: String,
    /// How the query is read
    #[cfg_attr(feature = "cli", arg(long, short, value_enum, default_value_t))]
    #[serde(default)]
    pub mode: SearchMode,
    /// Only these kinds: function, method, class, interface, …
    #[cfg_attr(feature = "cli", arg(long, value_delimiter = ','))]
    #[serde(default)]
    pub kind: Vec<String>,
    /// Only below this folder, or where this pattern (*, **) matches
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Most results
    #[cfg_attr(feature = "cli", arg(long, short = 'n', default_value_t = 10))]
    #[serde(default = "default_limit")]
    pub limit: usize,
    /// Leave out the source lines
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    #[schemars(skip)]
    pub no_snippet: bool,
}

fn default_limit() -> usize {
    10
}

/// A symbol found.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SearchResult {
    /// Where it is defined.
    pub file_path: String,
    /// First line.
    pub line_start: u32,
    /// Last line.
    pub line_end: u32,
    /// Name, dotted within its file.
    pub symbol: String,
    /// What it is.
    pub kind: String,
    /// 0–1.
    pub relevance_score: f64,
    /// How it was found: `keyword`.
    pub source: &'static str,
    /// Node id.
    pub id: String,
    /// The first lines of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
}

/// What was found, and the state of the index.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SearchAnswer {
    /// The query.
    pub query: String,
    /// The mode that answered.
    pub mode: SearchMode,
    /// The best results, best first.
    pub results: Vec<SearchResult>,
    /// How many matched at all.
    pub total: usize,
    /// The state of the index.
    pub index: IndexInfo,
}

pub(crate) fn run(engine: &Engine, request: &SearchRequest) -> Result<SearchAnswer, EngineError> {
    let limit = super::call_chain::in_range("limit", request.limit as i64, 1, 1000)? as usize;
    for kind in &request.kind {
        if base::SymbolKind::parse(kind).is_none() {
            let all: Vec<_> = base::SymbolKind::ALL.iter().map(|k| k.as_str()).collect();
            return Err(EngineError::bad(format!("Invalid kind: {kind}"))
                .hint(format!("kinds are {}", all.join(", "))));
        }
    }
    let path = match &request.path {
        Some(path) if path.contains(['*', '?']) => Some(path.clone()),
        Some(path) => Some(engine.project().relative(path)?),
        None => None,
    };
    let filter = search::Filter {
        kinds: request.kind.clone(),
        path,
    };
    let mode = match request.mode {
        SearchMode::Symbol => search::Mode::Symbol,
        SearchMode::Keyword => search::Mode::Keyword,
    };
    let open = engine.for_question()?;
    let found = search::search(open.names(), &request.query, mode, &filter, limit)?;
    let result = |hit: search::Hit| SearchResult {
        snippet: (!request.no_snippet)
            .then(|| {
                snippet::read(
                    engine.project(),
                    &hit.file_path,
                    hit.line_start,
                    hit.line_end,
                )
            })
            .flatten(),
        file_path: hit.file_path,
        line_start: hit.line_start,
        line_end: hit.line_end,
        symbol: hit.qualified_name.unwrap_or(hit.symbol),
        kind: hit.kind,
        relevance_score: (hit.score * 1000.0).round() / 1000.0,
        source: "keyword",
        id: hit.id,
    };
    Ok(SearchAnswer {
        query: request.query.clone(),
        mode: request.mode,
        results: found.hits.into_iter().map(result).collect(),
        total: found.total,
        index: engine.done(open),
    })
}
