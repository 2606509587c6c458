//! Tables of `eval bugs`.

use super::bugs::{Candidate, Outcome};
use analysis::bug_locate::{Ranker, Tuning};
use std::collections::BTreeSet;

type Score<'f> = &'f dyn Fn(&Candidate) -> f64;

/// Prints the ranking systems by repository.
pub fn print(outcomes: &[Outcome], misses: bool) {
    let repos: BTreeSet<&str> = outcomes.iter().map(|o| o.case.repo.as_str()).collect();
    let design = |c: &Candidate| Ranker::Design.confidence(&c.signals, &Tuning::default());
    let default = |c: &Candidate| c.confidence;
    let bm25: Vec<Option<usize>> = outcomes.iter().map(|o| o.bm25).collect();
    let systems = [
        ("BM25, whole files", bm25),
        ("design", places(outcomes, &design)),
        ("evidence (default)", places(outcomes, &default)),
    ];
    println!(
        "{:<24}{:<20}{:>6}{:>8}{:>8}{:>8}{:>8}",
        "", "", "cases", "hit@1", "hit@5", "hit@10", "MRR"
    );
    for repo in &repos {
        rows(repo, outcomes, &systems, &|o| o.case.repo == *repo);
    }
    rows("all", outcomes, &systems, &|_| true);
    rows("no word of the name", outcomes, &systems, &|o| {
        o.case.stem_word_in_text == Some(false)
    });
    rows("users' issues", outcomes, &systems, &|o| {
        o.case.stem_word_in_text.is_none()
    });
    times(outcomes);
    if misses {
        self::misses(outcomes);
    }
}

fn rows(
    name: &str,
    outcomes: &[Outcome],
    systems: &[(&str, Vec<Option<usize>>)],
    of: &dyn Fn(&Outcome) -> bool,
) {
    for (at, (system, places)) in systems.iter().enumerate() {
        let mine: Vec<Option<usize>> = outcomes
            .iter()
            .zip(places)
            .filter(|(o, _)| of(o))
            .map(|(_, p)| *p)
            .collect();
        if mine.is_empty() {
            return;
        }
        let shown = if at == 0 { name } else { "" };
        let [one, five, ten, mrr] = figures(&mine);
        println!(
            "{shown:<24}{system:<20}{:>6}{one:>8.3}{five:>8.3}{ten:>8.3}{mrr:>8.3}",
            mine.len()
        );
    }
}

/// Hit@1, hit@5, hit@10 and MRR (mean reciprocal rank) of ranks from 1.
pub fn figures(places: &[Option<usize>]) -> [f64; 4] {
    let count = places.len().max(1) as f64;
    let hit = |most: usize| places.iter().flatten().filter(|p| **p <= most).count() as f64 / count;
    let mrr = places
        .iter()
        .flatten()
        .map(|p| 1.0 / *p as f64)
        .sum::<f64>()
        / count;
    [hit(1), hit(5), hit(10), mrr]
}

/// The rank of the first changed file in each case, by a score.
fn places(outcomes: &[Outcome], score: Score<'_>) -> Vec<Option<usize>> {
    let place = |outcome: &Outcome| {
        let mut order: Vec<&Candidate> = outcome.candidates.iter().collect();
        order.sort_by(|a, b| {
            score(b)
                .total_cmp(&score(a))
                .then_with(|| a.file_path.cmp(&b.file_path))
        });
        let is_gold = |c: &&Candidate| outcome.case.gold_files.contains(&c.file_path);
        order.iter().position(is_gold).map(|at| at + 1)
    };
    outcomes.iter().map(place).collect()
}

fn times(outcomes: &[Outcome]) {
    let mut times: Vec<u128> = outcomes.iter().map(|o| o.took.as_millis()).collect();
    times.sort_unstable();
    if let (Some(half), Some(most)) = (
        times.get(times.len() / 2),
        times.get(times.len() * 95 / 100),
    ) {
        println!(
            "\na question as a process of its own, index and history at hand: p50 {half} ms, p95 {most} ms"
        );
    }
}

fn misses(outcomes: &[Outcome]) {
    println!();
    for outcome in outcomes {
        let gold = &outcome.case.gold_files;
        let place = outcome
            .candidates
            .iter()
            .position(|c| gold.contains(&c.file_path));
        if place.is_none_or(|at| at >= 5) {
            let title: String = outcome.case.text.chars().take(80).collect();
            let first = outcome
                .candidates
                .first()
                .map_or("", |c| c.file_path.as_str());
            let shown = place.map_or("-".to_owned(), |at| (at + 1).to_string());
            println!(
                "{shown:>4} {}: {title:?}\n     {gold:?}, first: {first}",
                outcome.case.id
            );
        }
    }
}
