//! `search`: chunks by words and meaning, symbols by name.

mod regex;
mod shared;

use crate::embedder::{Degradation, SearchIndex};
use crate::fallback;
use crate::graph_state::GraphState;
use crate::graph_state::is_manual_graph;
use crate::operation::{Access, Tool, operation};
use crate::prior::SearchView;
use crate::session::Session;
use crate::snippet::FileSnapshot;
use crate::workspace::Workspace;
use crate::{EngineError, IndexInfo, unread};
use rayon::prelude::*;
use schemars::JsonSchema;
use search::rank::{self, RankMode};
use serde::{Deserialize, Serialize};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// The most lines shown of a chunk.
const SNIPPET_LINES: usize = 3;

/// How a query is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
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
    /// Symbols by name: exact, prefix, word inside the name, abbreviation, or with typing errors
    Symbol,
    /// Lines that match a regular expression
    Regex,
}

/// Find code by words, meaning or name.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct SearchRequest {
    /// Question, words, message or name
    #[cfg_attr(feature = "cli", arg(skip))]
    pub query: String,
    /// How to search
    #[schemars(description = "")]
    #[cfg_attr(feature = "cli", arg(long, short, value_enum, default_value_t))]
    #[serde(default)]
    pub mode: SearchMode,
    /// Only symbols of these kinds: function, method, class, interface, …
    #[schemars(description = "function, method, class, …")]
    #[cfg_attr(feature = "cli", arg(long, value_delimiter = ','))]
    #[serde(default)]
    pub kind: Vec<String>,
    /// Only files in this folder, or that match this glob (*, **)
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Maximum number of results
    #[schemars(description = "")]
    #[cfg_attr(feature = "cli", arg(long, short = 'n', default_value_t = 10))]
    #[serde(default = "default_limit")]
    pub limit: usize,
    /// Minimum relevance of a result, 0-1; by default weaker ones are shown beside one that has it
    #[cfg_attr(feature = "cli", arg(long, default_value_t = default_relevance()))]
    #[serde(default = "default_relevance")]
    #[schemars(skip)]
    pub min_relevance: f64,
    /// Omit the source lines
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    #[schemars(skip)]
    pub no_snippet: bool,
}

fn default_limit() -> usize {
    10
}

impl SearchRequest {
    /// The least relevance of further results, where one has [`SearchRequest::min_relevance`]. A limit that the caller chose
    /// applies to all results.
    fn following_relevance(&self) -> f32 {
        if self.min_relevance == default_relevance() {
            rank::FOLLOWING_RELEVANCE
        } else {
            self.min_relevance as f32
        }
    }
}

/// The default for the least relevance. Results below it are noise, and an empty answer is more useful.
fn default_relevance() -> f64 {
    f64::from((rank::MIN_RELEVANCE * 1000.0).round()) / 1000.0
}

/// A chunk or symbol found.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SearchResult {
    /// Where it is defined.
    pub file_path: String,
    /// First line.
    pub line_start: u32,
    /// Last line.
    pub line_end: u32,
    /// Name, dotted within its file; empty where no definition is shown.
    pub symbol: String,
    /// The kind of the symbol or chunk.
    pub kind: String,
    /// The relevance, 0–1.
    pub relevance_score: f64,
    /// The source: `keyword` or `embedding`.
    pub source: &'static str,
    /// The id of its node, if it is a symbol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The most telling lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
}

/// The results, and the state of the index.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SearchAnswer {
    /// The query.
    pub query: String,
    /// The mode that answered.
    pub mode: SearchMode,
    /// The best results, best first.
    pub results: Vec<SearchResult>,
    /// Number of matches: all names; all lines of an expression; of chunks, which all match a little, those of the most promising files that are as
    /// relevant as was asked for.
    pub total: usize,
    /// The reason why another mode than the requested one answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
    /// The state of the index.
    pub index: IndexInfo,
    /// Files whose results were left out, because the files differ from the index.
    #[serde(skip)]
    pub(crate) left_out: BTreeSet<String>,
    /// The reason why the vectors are not those that the configuration asks for.
    #[serde(skip)]
    pub(crate) degraded: Option<Degradation>,
}

operation! {
    /// Finding code.
    SearchOperation {
        name: "search",
        request: SearchRequest => SearchAnswer,
        access: |_| Access::Read,
        tool: Some(Tool {
            title: "Search code",
            about: "Find code by a question, an error message or a name; who calls it: ci_call_chain",
            pages: true,
            core: true,
            writes: false,
        }),
        answer: find_matches,
    }
}

pub(crate) fn find_matches(
    workspace: &Workspace,
    request: &SearchRequest,
) -> Result<SearchAnswer, EngineError> {
    let limit = super::arguments::in_range("limit", request.limit as i64, 1, 1000)? as usize;
    if !(0.0..=1.0).contains(&request.min_relevance) {
        let given = request.min_relevance;
        return Err(EngineError::bad_arguments(format!(
            "invalid min-relevance: {given}. Must be between 0 and 1"
        )));
    }
    for kind in &request.kind {
        if base::SymbolKind::parse(kind).is_none() {
            let all: Vec<_> = base::SymbolKind::ALL.iter().map(|k| k.as_str()).collect();
            return Err(EngineError::bad_arguments(format!("invalid kind: {kind}"))
                .with_hint(format!("kinds are {}", all.join(", "))));
        }
    }
    let path = workspace
        .project()
        .filter_argument(request.path.as_deref())?;
    let filter = search::Filter {
        kinds: request.kind.clone(),
        path,
    };
    if request.mode == SearchMode::Regex {
        let find = || regex::search_regex(workspace, request, &filter, limit);
        let found = workspace.with_repair(find)?;
        let has_results = !found.results.is_empty();
        let ((), index) = workspace.ask(|session| unread::note_unsearched(session, has_results))?;
        return Ok(SearchAnswer { index, ..found });
    }
    if crate::shared::is_chosen(workspace)? {
        return shared::search_shared(workspace, request, &filter, limit);
    }
    let ask = || {
        workspace.ask(|session| {
            let answer = search_open_graph(session, request, &filter, limit)?;
            session.note_left_out(answer.left_out.clone());
            unread::note_unsearched(session, !answer.results.is_empty())?;
            Ok(answer)
        })
    };
    let (mut answer, index) = match ask() {
        Ok(found) => found,
        Err(error) if error.no_graph => {
            return fallback::search_without_graph(workspace, request, limit, &error.message);
        }
        Err(error) => return Err(error),
    };
    make_relevance_monotonic(&mut answer.results);
    Ok(SearchAnswer { index, ..answer })
}

/// Makes relevance fall with the rank: neighbours in the wrong order get their mean (pool adjacent violators, Ayer et al. 1955).
/// The rank knows more than the relevance, which is measured for each result alone.
fn make_relevance_monotonic(results: &mut [SearchResult]) {
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for result in results.iter() {
        let mut pool = (result.relevance_score, 1);
        while let Some(before) = pools.last().filter(|b| b.0 <= pool.0) {
            let count = before.1 + pool.1;
            let sum = before.0 * before.1 as f64 + pool.0 * pool.1 as f64;
            pool = (sum / count as f64, count);
            pools.pop();
        }
        pools.push(pool);
    }
    let smooth = pools
        .iter()
        .flat_map(|(mean, count)| std::iter::repeat_n(*mean, *count));
    for (result, mean) in results.iter_mut().zip(smooth) {
        result.relevance_score = round_score(mean);
    }
}

/// Searches a graph that is open. The caller sets the answer's state of the index.
pub(crate) fn search_open_graph(
    session: &Session<'_>,
    request: &SearchRequest,
    filter: &search::Filter,
    limit: usize,
) -> Result<SearchAnswer, EngineError> {
    // A graph written by hand has only names.
    let by_hand = is_manual_graph(session.store())?;
    let answer = match rank_mode(request.mode).filter(|_| !by_hand) {
        None => search_names(session, request, filter, limit)?,
        Some(mode) => match session.search_index() {
            Ok(from) => {
                let mut answer = search_chunks(
                    session,
                    request,
                    &from,
                    &ChunkRanking {
                        filter,
                        mode,
                        limit,
                        view: &session.project_view()?,
                    },
                )?;
                answer.fallback = answer.fallback.or(from.note);
                answer
            }
            Err(error) => SearchAnswer {
                fallback: Some(error.to_string()),
                ..search_names(session, request, filter, limit)?
            },
        },
    };
    session.check_cancelled()?;
    Ok(answer)
}

fn rank_mode(mode: SearchMode) -> Option<RankMode> {
    match mode {
        SearchMode::Hybrid => Some(RankMode::Hybrid),
        SearchMode::Semantic => Some(RankMode::Semantic),
        SearchMode::Keyword => Some(RankMode::Keyword),
        SearchMode::Symbol | SearchMode::Regex => None,
    }
}

fn to_search_mode(mode: RankMode) -> SearchMode {
    match mode {
        RankMode::Hybrid => SearchMode::Hybrid,
        RankMode::Semantic => SearchMode::Semantic,
        RankMode::Keyword => SearchMode::Keyword,
    }
}

/// The text that is shown of the chunks that a query finds.
struct ChunkDisplay {
    query: rank::Query,
    tuning: rank::Tuning,
}

impl ChunkDisplay {
    fn new(query: &str) -> ChunkDisplay {
        ChunkDisplay {
            query: rank::Query::new(query),
            tuning: rank::Tuning::default(),
        }
    }

    /// The most telling lines of a chunk's text. If the query asks for a definition in the chunk, the chunk is narrowed to it.
    fn snippet(&self, p: &mut rank::ChunkHit, text: &str) -> Option<String> {
        let from = p.start_line;
        rank::narrow_to_definition(p, text, &self.query, &self.tuning);
        let before = text
            .split_inclusive('\n')
            .take((p.start_line - from) as usize);
        let before: usize = before.map(str::len).sum();
        let lines = (p.end_line - p.start_line + 1) as usize;
        let part = text.get(before..)?.split_inclusive('\n').take(lines);
        let part: String = part.collect();
        let snippet = rank::build_snippet(&part, &self.query, SNIPPET_LINES);
        Some(snippet).filter(|s| !s.is_empty())
    }
}

fn round_score(score: f64) -> f64 {
    (score * 1000.0).round() / 1000.0
}

fn search_names(
    session: &Session<'_>,
    request: &SearchRequest,
    filter: &search::Filter,
    limit: usize,
) -> Result<SearchAnswer, EngineError> {
    let mode = match request.mode {
        SearchMode::Symbol => search::Mode::Symbol,
        _ => search::Mode::Keyword,
    };
    let found = search::search_symbols(session.names(), &request.query, mode, filter, limit)?;
    let mut left_out = BTreeSet::new();
    let mut results = Vec::with_capacity(found.hits.len());
    for hit in found.hits {
        let source = FileSnapshot::read(session.project(), &hit.file_path);
        // A node written by hand need not have a file.
        let stands = match session.local_store()?.file_record(&hit.file_path)? {
            Some(record) => match &source {
                Some(source) => !session.is_fresh() || source.matches_record(&record),
                None => false,
            },
            None => true,
        };
        if !stands {
            left_out.insert(hit.file_path);
            continue;
        }
        let lines = source.and_then(|s| s.first_lines(hit.line_start, hit.line_end));
        results.push(from_symbol_hit(hit, lines.filter(|_| !request.no_snippet)));
    }
    Ok(SearchAnswer {
        left_out,
        ..answer_by_names(request, results, found.total)
    })
}

fn from_symbol_hit(hit: search::Hit, snippet: Option<String>) -> SearchResult {
    SearchResult {
        snippet,
        file_path: hit.file_path,
        line_start: hit.line_start,
        line_end: hit.line_end,
        symbol: hit.qualified_name.unwrap_or(hit.symbol),
        kind: hit.kind,
        relevance_score: round_score(hit.score),
        source: "keyword",
        id: Some(hit.id),
    }
}

fn answer_by_names(
    request: &SearchRequest,
    results: Vec<SearchResult>,
    total: usize,
) -> SearchAnswer {
    SearchAnswer {
        query: request.query.clone(),
        mode: SearchMode::Symbol,
        results,
        total,
        fallback: None,
        index: IndexInfo::default(),
        left_out: BTreeSet::new(),
        degraded: None,
    }
}

/// Gives chunks of one definition its name and id in the graph: `Context.ClientIP` for a method that is outside its type.
fn name_by_graph(state: &GraphState, results: &mut [SearchResult]) -> Result<(), EngineError> {
    let mut files: BTreeMap<String, Vec<store::Name>> = BTreeMap::new();
    for result in results.iter_mut().filter(|r| !r.symbol.is_empty()) {
        let nodes = match files.entry(result.file_path.clone()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(state.names().by_file(&result.file_path)?),
        };
        let name = result.symbol.rsplit('.').next().unwrap_or_default();
        let lines = result.line_start..=result.line_end;
        let stands_here = |node: &&store::Name| {
            node.symbol == name
                && node.kind == result.kind
                && node.line_start.is_some_and(|line| lines.contains(&line))
        };
        // A later part of a long function begins after its first line.
        let goes_on = |node: &&store::Name| {
            node.symbol == name
                && node.kind == result.kind
                && node.line_start.is_some_and(|line| line < result.line_start)
                && node.line_end.is_some_and(|line| line >= result.line_start)
        };
        let mut all = nodes.iter();
        if let Some(node) = nodes.iter().find(stands_here).or_else(|| all.find(goes_on)) {
            result.symbol = node.qualified_or_symbol().to_owned();
            result.id = Some(node.id.clone());
        }
    }
    Ok(())
}

/// The choice and ranking of chunks.
struct ChunkRanking<'a> {
    filter: &'a search::Filter,
    mode: RankMode,
    limit: usize,
    view: &'a SearchView<'a>,
}

/// A found chunk, after its file was read.
enum ReadHit {
    Shown(SearchResult),
    /// The file at this path is no longer the one that was indexed.
    Differs(String),
}

fn search_chunks(
    session: &Session<'_>,
    request: &SearchRequest,
    from: &SearchIndex,
    ranking: &ChunkRanking<'_>,
) -> Result<SearchAnswer, EngineError> {
    let &ChunkRanking {
        filter,
        mode,
        limit,
        view,
    } = ranking;
    let found = search::rank::search(
        &from.index,
        from.embedder(),
        &rank::Request {
            query: &request.query,
            mode,
            limit,
            filter,
            min_relevance: request.min_relevance as f32,
            following_relevance: request.following_relevance(),
            project: Some(view),
            tuning: &rank::Tuning::default(),
        },
    );
    let display = ChunkDisplay::new(&request.query);
    let project = session.project();
    // A file that differs from its chunks is shown as a path alone.
    let result = |mut p: rank::ChunkHit| {
        let source = FileSnapshot::read(project, &p.path);
        let Some(source) = source.filter(|source| from.is_file_current(&p.path, source)) else {
            return ReadHit::Differs(p.path);
        };
        let text = source.masked_lines(p.start_line, p.end_line);
        let snippet = display.snippet(&mut p, &text);
        let snippet = snippet.filter(|_| !request.no_snippet);
        ReadHit::Shown(from_chunk_hit(p, snippet))
    };
    // Done in parallel, since each result reads a file.
    let read: Vec<ReadHit> = found.chunks.into_par_iter().map(result).collect();
    let (mut results, mut left_out) = (Vec::with_capacity(read.len()), BTreeSet::new());
    for one in read {
        match one {
            ReadHit::Shown(result) => results.push(result),
            ReadHit::Differs(path) => drop(left_out.insert(path)),
        }
    }
    name_by_graph(&session.state, &mut results)?;
    // A search by words alone needs no model.
    let degraded = if mode == RankMode::Keyword {
        None
    } else {
        from.degradation(session.config(), found.fallback.as_ref())?
    };
    Ok(SearchAnswer {
        query: request.query.clone(),
        mode: to_search_mode(found.mode),
        total: found.total,
        results,
        fallback: degraded.as_ref().map(|degraded| degraded.detail.clone()),
        degraded,
        index: IndexInfo::default(),
        left_out,
    })
}

fn from_chunk_hit(p: rank::ChunkHit, snippet: Option<String>) -> SearchResult {
    SearchResult {
        snippet,
        symbol: match (p.symbol, p.container) {
            (Some(symbol), container) if container.is_empty() || container == symbol => symbol,
            (Some(symbol), container) => format!("{container}.{symbol}"),
            (None, container) => container,
        },
        file_path: p.path,
        line_start: p.start_line,
        line_end: p.end_line,
        kind: p.kind,
        relevance_score: round_score(f64::from(p.relevance)),
        source: match p.source {
            rank::Source::Keyword => "keyword",
            rank::Source::Embedding => "embedding",
        },
        id: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fallen(relevance: &[f64]) -> Vec<f64> {
        let result = |relevance_score: &f64| SearchResult {
            file_path: String::new(),
            line_start: 1,
            line_end: 1,
            symbol: String::new(),
            kind: String::new(),
            relevance_score: *relevance_score,
            source: "keyword",
            id: None,
            snippet: None,
        };
        let mut results: Vec<SearchResult> = relevance.iter().map(result).collect();
        make_relevance_monotonic(&mut results);
        results.iter().map(|r| r.relevance_score).collect()
    }

    #[test]
    fn relevance_falls_with_the_place() {
        assert!(fallen(&[]).is_empty());
        assert_eq!(fallen(&[0.9, 0.5, 0.1]), [0.9, 0.5, 0.1]);
        assert_eq!(fallen(&[0.6, 0.2, 0.4, 0.1]), [0.6, 0.3, 0.3, 0.1]);
        assert_eq!(fallen(&[0.2, 0.4, 0.6]), [0.4, 0.4, 0.4]);
    }
}
