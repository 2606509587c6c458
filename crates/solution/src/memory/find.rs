//! Search: both halves, fused. A note says if one half is missing.

use super::{Memory, OpenState, QUESTION};
use crate::error::{Result, SolutionError};
use crate::record::{MOST_RESULTS, SearchAnswer, SearchMode, SearchRequest, SolutionHit};
use crate::search::{self, CANDIDATES, KeywordScores, Scored, SearchQuery, SemanticScores};
use crate::store::Store;
use crate::vectors::chroma::ChromaError;
use std::time::{Duration, Instant};

/// The characters of the problem that a result shows.
const SHOWN: usize = 200;
/// The most characters of a query that are read.
const QUERY: usize = 20_000;
/// The longest that a query waits for missing vectors.
const CATCH_UP: Duration = Duration::from_millis(1_500);

impl Memory {
    /// Solutions for a problem, best first; an empty list where none is found.
    pub fn search(&self, request: &SearchRequest) -> Result<SearchAnswer> {
        self.search_with_patience(request, CATCH_UP)
    }

    /// As [`Memory::search`], after making missing vectors for at most `patience`.
    pub fn search_with_patience(
        &self,
        request: &SearchRequest,
        patience: Duration,
    ) -> Result<SearchAnswer> {
        let query = validate_request(request)?;
        let until = Instant::now() + QUESTION;
        let mut fallback = None;
        let mut vector = None;
        if request.search_mode != SearchMode::Keyword {
            let _ = self.compute_by_deadline(patience, until);
            match self.embed_query(&query) {
                Ok(made) => vector = Some(made),
                Err(error) => fallback = Some(format!("keywords only: {error}")),
            }
        }
        let missed = self.index_words_of_others()?;
        let (mut answer, why) = self
            .with_store(|inner| self.run_search(inner, request, &query, vector.as_ref(), until))?;
        if let Some(why) = fallback.or(why) {
            answer.mode = SearchMode::Keyword;
            answer.fallback = Some(why);
        }
        answer.notes.extend(missed);
        answer.notes.extend(self.take_notes());
        Ok(answer)
    }

    /// Indexes the words of solutions that other programs saved. Returns a note if they cannot be
    /// found yet.
    fn index_words_of_others(&self) -> Result<Option<String>> {
        let indexed = self.with_store(|inner| {
            let store = inner.open_store()?;
            if !store.is_read_only() && store.has_unindexed_rows()? {
                store.index_missing_words()?;
            }
            Ok(())
        });
        match indexed {
            // The answer comes from the solutions that are indexed already.
            Err(error) if error.busy => Ok(Some(format!(
                "solutions of other programs are not found yet: {error}"
            ))),
            done => done.map(|()| None),
        }
    }

    /// The answer. If it comes from words alone, with the reason.
    fn run_search(
        &self,
        inner: &mut OpenState,
        request: &SearchRequest,
        query: &str,
        vector: Option<&(String, Vec<f32>)>,
        until: Instant,
    ) -> Result<(SearchAnswer, Option<String>)> {
        let mut why = None;
        // A vector of a model that is no longer chosen is not compared.
        let given = vector.is_some();
        let vector = vector.filter(|(model, _)| *model == self.model_name());
        if given && vector.is_none() {
            why = Some("keywords only: the model was changed during the search".to_owned());
        }
        let mut notes = Vec::new();
        let store = inner.open_store()?;
        let mut ask = SearchQuery {
            query,
            mode: match vector {
                Some(_) => request.search_mode,
                None => SearchMode::Keyword,
            },
            alpha: request.alpha,
            fusion: request.fusion,
            ranker: request.ranker,
            allowed_rows: store.rows_with_tags(&request.tags)?,
            tuning: &self.tuning,
        };
        let keyword = match ask.mode {
            SearchMode::Semantic if !inner.backend.is_chroma() => KeywordScores::default(),
            // Words alone answer if Chroma does not.
            _ => KeywordScores::search(
                inner.open_store()?,
                ask.query,
                ask.allowed_rows.as_ref(),
                ask.tuning,
            )?,
        };
        let semantic = match vector {
            None => None,
            Some((_, vector)) => match semantic_scores(inner, &ask, vector, &keyword, until)? {
                Ok(semantic) => Some(semantic),
                Err(away) => {
                    why = Some(format!("keywords only: {away}"));
                    ask.mode = SearchMode::Keyword;
                    None
                }
            },
        };
        let store = inner.open_store()?;
        if semantic.is_some() {
            let waiting = store.count_by_sql("SELECT count(*) FROM solution_pending")?;
            if waiting > 0 {
                notes.push(format!(
                    "{waiting} solution(s) have no vector of this model yet and are found by words alone"
                ));
            }
        }
        let (scored, total) = search::rank_results(store, &ask, &keyword, semantic.as_ref())?;
        let limit = request.limit as usize;
        let results = scored.iter().take(limit).map(|one| to_hit(store, one));
        let answer = SearchAnswer {
            results: results.collect::<Result<_>>()?,
            total,
            mode: ask.mode,
            fallback: None,
            notes,
        };
        Ok((answer, why))
    }
}

/// The reason why there are no similarities, so that words alone answer.
#[derive(Debug, thiserror::Error)]
enum NoSimilarities {
    #[error("no solution has a vector of this model yet")]
    NoVectors,
    #[error("Chroma is not available in this program")]
    NoChroma,
    #[error(transparent)]
    Chroma(#[from] ChromaError),
}

/// Similarities from the backend in use, or the reason why there are none.
fn semantic_scores(
    inner: &mut OpenState,
    ask: &SearchQuery<'_>,
    vector: &[f32],
    keyword: &KeywordScores,
    until: Instant,
) -> Result<std::result::Result<SemanticScores, NoSimilarities>> {
    let named: Vec<i64> = keyword
        .best
        .iter()
        .map(|(rid, _)| *rid)
        .chain(keyword.codes.keys().copied())
        .collect();
    if inner.backend.is_chroma() {
        return chroma_scores(inner, ask, vector, &named, until);
    }
    let OpenState { store, loaded, .. } = inner;
    let store = store
        .as_ref()
        .ok_or_else(|| SolutionError::failure("the solution store is not open"))?;
    loaded.refresh(store)?;
    let solutions = store.count_by_sql("SELECT EXISTS (SELECT 1 FROM solutions)")?;
    if loaded.len() == 0 && solutions > 0 {
        return Ok(Err(NoSimilarities::NoVectors));
    }
    Ok(Ok(SemanticScores::search(loaded, vector, ask, &named)))
}

fn chroma_scores(
    inner: &mut OpenState,
    ask: &SearchQuery<'_>,
    vector: &[f32],
    named: &[i64],
    until: Instant,
) -> Result<std::result::Result<SemanticScores, NoSimilarities>> {
    let OpenState { store, chroma, .. } = inner;
    let (Some(store), Some(chroma)) = (store.as_ref(), chroma.as_ref()) else {
        return Ok(Err(NoSimilarities::NoChroma));
    };
    // After a filter, few of the nearest are left, so more are requested.
    let wanted = match &ask.allowed_rows {
        Some(_) => CANDIDATES * 10,
        None => CANDIDATES,
    };
    let nearest = match chroma.nearest(vector, wanted, until) {
        Ok(nearest) => nearest,
        Err(away) => return Ok(Err(away.into())),
    };
    let mut best = Vec::new();
    for (id, score) in nearest {
        if let Some(rid) = store.row_id(&id)?
            && ask
                .allowed_rows
                .as_ref()
                .is_none_or(|only| only.contains(&rid))
        {
            best.push((rid, score));
        }
    }
    let known: Vec<i64> = best.iter().map(|(rid, _)| *rid).collect();
    let mut others = Vec::new();
    for rid in named.iter().filter(|rid| !known.contains(rid)) {
        if let Some(listed) = store.age_and_use(*rid)? {
            others.push((*rid, listed.id));
        }
    }
    let ids: Vec<&str> = others.iter().map(|(_, id)| id.as_str()).collect();
    let scores = chroma.similarities(vector, &ids, until).unwrap_or_default();
    let others = others
        .iter()
        .filter_map(|(rid, id)| Some((*rid, *scores.get(id)?)));
    let others = others.collect();
    Ok(Ok(SemanticScores::from_backend(
        best,
        others,
        ask.tuning.least_similarity,
    )))
}

/// The query's text within its limit; an error for arguments out of bounds.
fn validate_request(request: &SearchRequest) -> Result<String> {
    if !(1..=MOST_RESULTS).contains(&request.limit) {
        let message = format!("limit {} is not within 1 to {MOST_RESULTS}", request.limit);
        return Err(SolutionError::bad_arguments(message));
    }
    if !(0.0..=1.0).contains(&request.alpha) {
        let message = format!("alpha {} is not within 0 to 1", request.alpha);
        return Err(SolutionError::bad_arguments(message));
    }
    let query: String = request
        .query
        .chars()
        .filter(|c| *c != '\0')
        .take(QUERY)
        .collect();
    if query.trim().is_empty() {
        return Err(SolutionError::bad_arguments("query is empty"));
    }
    Ok(query)
}

fn to_hit(store: &Store, one: &Scored) -> Result<SolutionHit> {
    let row = store.get_by_row(one.rid)?.unwrap_or_default();
    let solution = row.solution;
    let rounded = |score: f64| (score * 10_000.0).round() / 10_000.0;
    Ok(SolutionHit {
        id: solution.id,
        title: solution.title,
        problem: solution.problem.chars().take(SHOWN).collect(),
        relevance: rounded(one.relevance),
        semantic_score: rounded(one.semantic),
        keyword_score: rounded(one.keyword),
        code_bonus: rounded(one.code_bonus),
        prior_bonus: rounded(one.prior_bonus),
        project_name: solution.project_name,
        created_at: solution.created_at,
        tags: solution.tags,
    })
}
