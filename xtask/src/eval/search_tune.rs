//! Chooses weights by coordinate ascent, and measures them on repositories that were left out.

use super::search::{evaluate, mean};
use super::search_data::Repository;
use base::tuning::Table;
use search::rank::{RankMode, Tuning};

/// Only the weights of rules: finer ones would overfit to these repositories.
const NAMES: [&str; 17] = [
    "vector",
    "lexical",
    "file",
    "several",
    "definition",
    "stem",
    "folder",
    "exported",
    "role",
    "stub",
    "compat",
    "platform",
    "in_path",
    "coverage",
    "declaration",
    "version",
    "prior",
];
const STEPS: [f32; 4] = [0.0, 0.6, 1.5, 2.5];

/// Prints weights chosen on all repositories, and the mean score of each repository with weights
/// chosen without it.
pub fn tune_search(repositories: &[Repository], start: &Tuning, folds: bool) {
    let (tuning, score) = ascend(repositories, start, None);
    println!("\nchosen on all: {score:.4}\n{tuning:?}");
    if !folds {
        return;
    }
    let mut held = Vec::new();
    for out in 0..repositories.len() {
        let (tuning, _) = ascend(repositories, start, Some(out));
        let scores: Vec<f64> = evaluate(repositories, RankMode::Hybrid, &tuning)
            .iter()
            .filter(|(r, _, _)| *r == out)
            .map(|s| s.2.ndcg)
            .collect();
        println!(
            "  without {:<20} {:.3} on it",
            repositories[out].name,
            mean(scores.iter().copied())
        );
        held.extend(scores);
    }
    println!("left out, mean over queries: {:.4}", mean(held.into_iter()));
}

fn objective(repositories: &[Repository], tuning: &Tuning, without: Option<usize>) -> f64 {
    let scores = evaluate(repositories, RankMode::Hybrid, tuning);
    mean(
        scores
            .iter()
            .filter(|(r, _, _)| Some(*r) != without)
            .map(|s| s.2.ndcg),
    )
}

fn ascend(repositories: &[Repository], start: &Tuning, without: Option<usize>) -> (Tuning, f64) {
    let mut best = start.clone();
    let mut score = objective(repositories, &best, without);
    for _ in 0..2 {
        let before = score;
        for name in NAMES {
            for step in STEPS {
                let mut tried = best.clone();
                let Some(weight) = tried.value(name) else {
                    continue;
                };
                tried.set(name, weight * f64::from(step));
                let value = objective(repositories, &tried, without);
                // Smaller gains are noise.
                if value > score + 0.001 {
                    (best, score) = (tried, value);
                }
            }
        }
        if score - before < 0.002 {
            break;
        }
    }
    (best, score)
}
