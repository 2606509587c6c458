//! Fusion of two scores: α × semantic + (1 − α) × keyword, or reciprocal ranks (Cormack et al., 2009,
//! <https://doi.org/10.1145/1571941.1572114>). Exact codes and weak priors add to the result.

use super::{KeywordScores, Scored, SearchQuery, SemanticScores, Tuning};
use crate::record::{Fusion, SearchMode, SolutionRanker};
use crate::store::AgeAndUse;
use std::collections::HashMap;

/// All candidates with their scores, in no order.
pub(super) fn fuse_scores(
    ask: &SearchQuery<'_>,
    keyword: &KeywordScores,
    semantic: Option<&SemanticScores>,
) -> Vec<Scored> {
    let mut all: HashMap<i64, Scored> = HashMap::new();
    let wanted = |rid: i64| {
        ask.allowed_rows
            .as_ref()
            .is_none_or(|only| only.contains(&rid))
    };
    if ask.mode != SearchMode::Semantic {
        for (rid, score) in keyword.best.iter().filter(|(rid, _)| wanted(*rid)) {
            get_or_insert_scored(&mut all, *rid).keyword = score.clamp(0.0, 1.0);
        }
        for (rid, weight) in keyword.codes.iter().filter(|(rid, _)| wanted(**rid)) {
            let one = get_or_insert_scored(&mut all, *rid);
            // The keyword half already counts equal codes. The bonus on the fused score is an addition to the
            // design.
            one.keyword += (1.0 - one.keyword) * ask.tuning.code * weight;
        }
    }
    if let (Some(semantic), true) = (semantic, ask.mode != SearchMode::Keyword) {
        for (rid, _) in semantic.best.iter().filter(|(rid, _)| wanted(*rid)) {
            get_or_insert_scored(&mut all, *rid);
        }
        for one in all.values_mut() {
            let score = semantic.known.get(&one.rid).copied().unwrap_or(0.0);
            one.semantic = score.clamp(0.0, 1.0);
        }
    }
    let mut all: Vec<Scored> = all.into_values().collect();
    all.sort_by_key(|one| one.rid);
    match (ask.mode, semantic, ask.fusion) {
        (SearchMode::Semantic, Some(_), _) => {
            all.iter_mut().for_each(|one| one.relevance = one.semantic)
        }
        (SearchMode::Hybrid, Some(_), Fusion::Weighted) => all.iter_mut().for_each(|one| {
            one.relevance = ask.alpha * one.semantic + (1.0 - ask.alpha) * one.keyword;
        }),
        (SearchMode::Hybrid, Some(_), Fusion::Rrf) => add_reciprocal_ranks(&mut all, ask),
        _ => all.iter_mut().for_each(|one| one.relevance = one.keyword),
    }
    if ask.mode != SearchMode::Semantic && ask.ranker == SolutionRanker::Evidence {
        for one in &mut all {
            if let Some(weight) = keyword.codes.get(&one.rid) {
                one.code_bonus = (1.0 - one.relevance) * ask.tuning.code * weight;
                one.relevance += one.code_bonus;
            }
        }
    }
    all
}

fn get_or_insert_scored(all: &mut HashMap<i64, Scored>, rid: i64) -> &mut Scored {
    all.entry(rid).or_insert_with(|| Scored {
        rid,
        semantic: 0.0,
        keyword: 0.0,
        relevance: 0.0,
        code_bonus: 0.0,
        prior_bonus: 0.0,
        listed: AgeAndUse::default(),
    })
}

/// Adds reciprocal ranks of both halves, weighted by α, as a share of their maximum.
fn add_reciprocal_ranks(all: &mut [Scored], ask: &SearchQuery<'_>) {
    let (alpha, constant) = (ask.alpha, ask.tuning.rank_constant);
    let mut add = |score: fn(&Scored) -> f64, weight: f64| {
        let mut order: Vec<usize> = (0..all.len()).filter(|at| score(&all[*at]) > 0.0).collect();
        order.sort_by(|a, b| score(&all[*b]).total_cmp(&score(&all[*a])));
        for (rank, at) in order.into_iter().enumerate() {
            all[at].relevance += weight * (constant + 1.0) / (constant + 1.0 + rank as f64);
        }
    };
    add(|one| one.semantic, alpha);
    add(|one| one.keyword, 1.0 - alpha);
}

/// The relevance with a small bonus, so that new and used solutions come first among equals.
pub(super) fn boost_recent_and_used(relevance: f64, listed: &AgeAndUse, tuning: &Tuning) -> f64 {
    let prior = tuning.prior;
    let new = (-listed.days / tuning.prior_days).exp();
    let used = (f64::from(listed.opened).ln_1p() / tuning.prior_opened.ln()).min(1.0);
    (relevance * (1.0 - 2.0 * prior) + prior * new + prior * used).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    static TUNING: std::sync::OnceLock<Tuning> = std::sync::OnceLock::new();

    fn ask(mode: SearchMode, fusion: Fusion) -> SearchQuery<'static> {
        SearchQuery {
            query: "",
            mode,
            alpha: 0.6,
            fusion,
            ranker: SolutionRanker::Evidence,
            allowed_rows: None,
            tuning: TUNING.get_or_init(Tuning::default),
        }
    }

    fn halves() -> (KeywordScores, SemanticScores) {
        let keyword = KeywordScores {
            best: vec![(1, 0.9), (2, 0.3)],
            ..KeywordScores::default()
        };
        (
            keyword,
            SemanticScores::from_backend(vec![(2, 0.8), (3, 0.5)], Vec::new(), 0.25),
        )
    }

    fn relevance(scored: &[Scored], rid: i64) -> f64 {
        scored
            .iter()
            .find(|s| s.rid == rid)
            .map_or(-1.0, |s| s.relevance)
    }

    #[test]
    fn halves_are_weighted() {
        let (keyword, semantic) = halves();
        let both = fuse_scores(
            &ask(SearchMode::Hybrid, Fusion::Weighted),
            &keyword,
            Some(&semantic),
        );
        assert!((relevance(&both, 1) - 0.36).abs() < 1e-9);
        assert!((relevance(&both, 2) - (0.48 + 0.12)).abs() < 1e-9);
        assert!((relevance(&both, 3) - 0.3).abs() < 1e-9);
        let words = fuse_scores(
            &ask(SearchMode::Keyword, Fusion::Weighted),
            &keyword,
            Some(&semantic),
        );
        assert_eq!(relevance(&words, 3), -1.0);
        let by_embedding = fuse_scores(
            &ask(SearchMode::Semantic, Fusion::Weighted),
            &keyword,
            Some(&semantic),
        );
        assert_eq!(relevance(&by_embedding, 1), -1.0);
        let alone = fuse_scores(&ask(SearchMode::Hybrid, Fusion::Weighted), &keyword, None);
        assert_eq!(relevance(&alone, 1), 0.9);
    }

    #[test]
    fn ranks_are_joined() {
        let (keyword, semantic) = halves();
        let both = fuse_scores(
            &ask(SearchMode::Hybrid, Fusion::Rrf),
            &keyword,
            Some(&semantic),
        );
        assert!(relevance(&both, 2) > relevance(&both, 1));
        assert!(relevance(&both, 2) <= 1.0);
    }

    #[test]
    fn a_code_stands_above_prose() {
        let (mut keyword, semantic) = halves();
        keyword.codes.insert(3, 1.0);
        let both = fuse_scores(
            &ask(SearchMode::Hybrid, Fusion::Weighted),
            &keyword,
            Some(&semantic),
        );
        assert!(relevance(&both, 3) > relevance(&both, 1));
    }

    #[test]
    fn priors_are_weak() {
        let with_priors = |relevance, listed: &AgeAndUse| {
            boost_recent_and_used(relevance, listed, &Tuning::default())
        };
        let new = AgeAndUse::default();
        let old = AgeAndUse {
            days: 4_000.0,
            ..AgeAndUse::default()
        };
        let used = AgeAndUse {
            opened: 100,
            ..old.clone()
        };
        assert!(with_priors(0.5, &new) > with_priors(0.5, &old));
        assert!(with_priors(0.5, &used) > with_priors(0.5, &old));
        assert!(with_priors(0.55, &old) > with_priors(0.5, &new));
        assert!(with_priors(1.0, &used) <= 1.0);
    }
}
