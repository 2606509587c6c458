//! Search: candidates of both halves, fused and sorted.

mod fuse;
mod keyword;
mod tuning;

pub use tuning::Tuning;

use crate::error::Result;
use crate::record::{Fusion, SearchMode, SolutionRanker};
use crate::store::{AgeAndUse, Store};
use crate::vectors::VectorCache;
use std::collections::{HashMap, HashSet};

/// The most candidates of each half.
pub(crate) const CANDIDATES: usize = 200;

/// A query ready to be answered.
pub(crate) struct SearchQuery<'a> {
    pub(crate) query: &'a str,
    pub(crate) mode: SearchMode,
    pub(crate) alpha: f64,
    pub(crate) fusion: Fusion,
    pub(crate) ranker: SolutionRanker,
    /// The rows to choose from; none for all.
    pub(crate) allowed_rows: Option<HashSet<i64>>,
    pub(crate) tuning: &'a Tuning,
}

/// Similarities of rows.
pub(crate) struct SemanticScores {
    /// Rows with similarities, best first.
    best: Vec<(i64, f64)>,
    /// Similarities by row, also of rows that the other half names.
    known: HashMap<i64, f64>,
    /// The number of rows above the least similarity.
    similar: usize,
}

impl SemanticScores {
    /// Similarities from the store's vectors, with those of the rows in `named`.
    pub(crate) fn search(
        loaded: &VectorCache,
        vector: &[f32],
        ask: &SearchQuery<'_>,
        named: &[i64],
    ) -> SemanticScores {
        let all = loaded.similarities(vector);
        let wanted = |rid: i64| {
            rid != 0
                && ask
                    .allowed_rows
                    .as_ref()
                    .is_none_or(|only| only.contains(&rid))
        };
        let mut best: Vec<(i64, f64)> = loaded
            .rids()
            .iter()
            .zip(&all)
            .filter(|(rid, score)| **score >= ask.tuning.least_similarity && wanted(**rid))
            .map(|(rid, score)| (*rid, f64::from(*score)))
            .collect();
        let similar = best.len();
        let order = |a: &(i64, f64), b: &(i64, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        if best.len() > CANDIDATES {
            best.select_nth_unstable_by(CANDIDATES, order);
            best.truncate(CANDIDATES);
        }
        best.sort_by(order);
        let score = |rid: &i64| loaded.position(*rid).map(|at| (*rid, f64::from(all[at])));
        SemanticScores {
            known: named
                .iter()
                .filter_map(score)
                .chain(best.iter().copied())
                .collect(),
            similar,
            best,
        }
    }

    /// Similarities from another backend's answer, best first, with those of other rows.
    pub(crate) fn from_backend(
        best: Vec<(i64, f64)>,
        others: Vec<(i64, f64)>,
        least: f32,
    ) -> SemanticScores {
        let mut best = best;
        best.retain(|(_, score)| *score >= f64::from(least));
        SemanticScores {
            known: others.into_iter().chain(best.iter().copied()).collect(),
            similar: best.len(),
            best,
        }
    }
}

/// A solution with its scores.
#[derive(Debug, Clone)]
pub(crate) struct Scored {
    pub(crate) rid: i64,
    pub(crate) semantic: f64,
    pub(crate) keyword: f64,
    pub(crate) relevance: f64,
    /// The bonus for an equal code.
    pub(crate) code_bonus: f64,
    /// The bonus for age and use.
    pub(crate) prior_bonus: f64,
    pub(crate) listed: AgeAndUse,
}

/// The keyword half: rows with their score, and rows that contain a code of the query.
pub(crate) use keyword::KeywordScores;

/// Both halves as one list, best first, and the number of matches.
pub(crate) fn rank_results(
    store: &Store,
    ask: &SearchQuery<'_>,
    keyword: &KeywordScores,
    semantic: Option<&SemanticScores>,
) -> Result<(Vec<Scored>, usize)> {
    let mut scored = fuse::fuse_scores(ask, keyword, semantic);
    for one in &mut scored {
        if let Some(listed) = store.age_and_use(one.rid)? {
            one.listed = listed;
        }
    }
    scored.retain(|one| !one.listed.id.is_empty());
    let by_words = match ask.mode {
        SearchMode::Semantic => 0,
        _ => keyword.total,
    };
    let by_embedding = match ask.mode {
        SearchMode::Keyword => 0,
        _ => semantic.map_or(0, |s| s.similar),
    };
    for one in &mut scored {
        if ask.ranker == SolutionRanker::Evidence {
            let fused = one.relevance;
            one.relevance = fuse::boost_recent_and_used(fused, &one.listed, ask.tuning);
            one.prior_bonus = one.relevance - fused;
        }
    }
    scored.sort_by(|a, b| {
        let newer = a.listed.days.total_cmp(&b.listed.days);
        b.relevance
            .total_cmp(&a.relevance)
            .then(newer)
            .then_with(|| a.listed.id.cmp(&b.listed.id))
    });
    let total = by_words.max(by_embedding).max(scored.len());
    Ok((scored, total))
}
