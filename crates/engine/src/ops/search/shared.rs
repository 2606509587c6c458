//! `search` in the shared store: words and vectors are looked up in the database, texts come from there, and no file of the project is read.

use super::{
    ChunkDisplay, SearchAnswer, SearchRequest, answer_by_names, from_chunk_hit, from_symbol_hit,
    make_relevance_monotonic, name_by_graph, rank_mode, to_search_mode,
};
use crate::session::Session;
use crate::snippet::dedented_lines;
use crate::workspace::Workspace;
use crate::{EngineError, IndexInfo, shared};
use ::search::embed::{CodeModel, Embedder};
use ::search::rank::{self, RankMode};
use ::search::{Filter, Mode, search_symbols};
use std::collections::BTreeMap;
use store::SearchTexts;

pub(super) fn search_shared(
    workspace: &Workspace,
    request: &SearchRequest,
    filter: &Filter,
    limit: usize,
) -> Result<SearchAnswer, EngineError> {
    let (mut answer, index) = workspace.ask_on(shared::open_structure, |session| {
        let found = match rank_mode(request.mode) {
            Some(mode) => search_chunks(session, request, filter, (mode, limit)),
            None => search_names(session, request, filter, limit),
        }?;
        session.check_cancelled()?;
        Ok(found)
    })?;
    make_relevance_monotonic(&mut answer.results);
    Ok(SearchAnswer { index, ..answer })
}

/// Texts of the repository, each read once.
struct Texts<'s> {
    texts: &'s dyn SearchTexts,
    read: BTreeMap<String, Option<String>>,
}

impl<'s> Texts<'s> {
    fn open(session: &'s Session<'_>) -> Result<Texts<'s>, EngineError> {
        let texts = session.store().as_texts().ok_or_else(no_texts)?;
        let read = BTreeMap::new();
        Ok(Texts { texts, read })
    }

    /// Lines of a file; empty where there is no text of it.
    fn lines(&mut self, path: &str, first: u32, last: u32) -> Result<String, EngineError> {
        if !self.read.contains_key(path) {
            self.read.insert(path.to_owned(), self.texts.text(path)?);
        }
        let text = self.read.get(path).and_then(Option::as_deref);
        Ok(rank::lines_of(text.unwrap_or_default(), first, last))
    }
}

fn no_texts() -> EngineError {
    EngineError::bad_arguments("the shared store has no texts of this repository to search")
        .with_hint("`knotwork index` of this version publishes them")
}

fn search_chunks(
    session: &Session<'_>,
    request: &SearchRequest,
    filter: &Filter,
    (mode, limit): (RankMode, usize),
) -> Result<SearchAnswer, EngineError> {
    let mut texts = Texts::open(session)?;
    let tuning = rank::Tuning::default();
    let model = CodeModel::get().ok().map(|model| model as &dyn Embedder);
    let found = rank::search_texts(
        texts.texts,
        model,
        &rank::Request {
            query: &request.query,
            mode,
            limit,
            filter,
            min_relevance: request.min_relevance as f32,
            following_relevance: request.following_relevance(),
            project: None,
            tuning: &tuning,
        },
    )?
    .ok_or_else(no_texts)?;
    let fallback = found
        .fallback
        .as_ref()
        .map(|reason| format!("{reason}; words alone answered"));
    if let (Some(detail), false) = (&fallback, session.config().embedding().fallback_to_keyword) {
        return Err(EngineError::runtime_failure(detail.clone()).with_hint(
            "embedding.fallback_to_keyword is off, so a search by words alone is not made",
        ));
    }
    let display = ChunkDisplay::new(&request.query);
    let mut results = Vec::with_capacity(found.chunks.len());
    for mut hit in found.chunks {
        let text = texts.lines(&hit.path, hit.start_line, hit.end_line)?;
        let snippet = display.snippet(&mut hit, &text);
        results.push(from_chunk_hit(hit, snippet.filter(|_| !request.no_snippet)));
    }
    name_by_graph(&session.state, &mut results)?;
    Ok(SearchAnswer {
        query: request.query.clone(),
        mode: to_search_mode(found.mode),
        total: found.total,
        results,
        fallback,
        degraded: None,
        index: IndexInfo::default(),
        left_out: Default::default(),
    })
}

fn search_names(
    session: &Session<'_>,
    request: &SearchRequest,
    filter: &Filter,
    limit: usize,
) -> Result<SearchAnswer, EngineError> {
    let found = search_symbols(session.names(), &request.query, Mode::Symbol, filter, limit)?;
    let mut texts = Texts::open(session)?;
    let mut results = Vec::with_capacity(found.hits.len());
    for hit in found.hits {
        let text = texts.lines(&hit.file_path, hit.line_start, hit.line_end)?;
        let snippet = (!request.no_snippet && hit.line_start > 0).then(|| dedented_lines(&text));
        let snippet = snippet.filter(|lines| !lines.is_empty());
        results.push(from_symbol_hit(hit, snippet));
    }
    Ok(answer_by_names(request, results, found.total))
}
