//! The keyword half: BM25 over the word index, and exact matches of codes.

use super::{CANDIDATES, Tuning};
use crate::error::Result;
use crate::store::Store;
use crate::words;
use std::collections::{HashMap, HashSet};

/// The most words of a query that are looked up, rarest first.
const WORDS: usize = 24;
/// The most rows that are scored for them; the rarest word is always looked up.
const ROWS: u64 = 6_000;
/// In a large store, the divisor that gives the most rows scored.
const ROWS_PART: u64 = 16;
/// Factor on the number of candidates when a filter is given.
const ROOM: usize = 20;
/// The most codes of a query that count.
const CODES: usize = 8;
/// The least number of solutions that shares are computed with.
const FEW: u64 = 10;

/// The results of the keyword half.
#[derive(Debug, Default)]
pub(crate) struct KeywordScores {
    /// Rows with scores 0–1, best first.
    pub(crate) best: Vec<(i64, f64)>,
    /// For each row, the rarity of the rarest code that it shares with the query, 0–1.
    pub(crate) codes: HashMap<i64, f64>,
    /// The number of rows with a word or a code of the query.
    pub(crate) total: usize,
}

impl KeywordScores {
    /// Looks up the words and codes of a query.
    pub(crate) fn search(
        store: &Store,
        query: &str,
        only: Option<&HashSet<i64>>,
        tuning: &Tuning,
    ) -> Result<KeywordScores> {
        let asked = words::query_terms(query);
        let (counts, all) = store.document_frequencies(&asked)?;
        let rarity = |count: u64| {
            // The formula of FTS5.
            let (count, all) = (count as f64, all as f64);
            ((all - count + 0.5) / (count + 0.5)).ln().max(1e-6)
        };
        let mut there: Vec<(u64, &String)> = counts
            .iter()
            .copied()
            .zip(&asked)
            .filter(|(n, _)| *n > 0)
            .collect();
        there.sort();
        let mut rows = 0;
        let mut chosen: Vec<String> = Vec::new();
        for (count, word) in there {
            rows += count;
            if chosen.is_empty() || (rows <= ROWS.max(all / ROWS_PART) && chosen.len() < WORDS) {
                chosen.push(word.clone());
            }
        }
        let wanted: f64 = counts.iter().map(|count| rarity(*count)).sum();
        let room = match only {
            Some(_) => CANDIDATES * ROOM,
            None => CANDIDATES,
        };
        let mut found = store.search_words(&chosen, room)?;
        found.retain(|(rid, _)| only.is_none_or(|only| only.contains(rid)));
        found.truncate(CANDIDATES);
        // A matching solution contains most words of the query, unless the query uses other words. A few words may be shared
        // by chance, so half of the words count for much less than half.
        let share = |score: f64| (score / wanted.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        let codes = score_codes(store, query, only, all, tuning)?;
        let named: HashSet<i64> = found
            .iter()
            .map(|(rid, _)| *rid)
            .chain(codes.keys().copied())
            .collect();
        Ok(KeywordScores {
            total: named.len(),
            best: found
                .into_iter()
                .map(|(rid, score)| (rid, share(score).powf(tuning.steepness)))
                .collect(),
            codes,
        })
    }
}

fn score_codes(
    store: &Store,
    query: &str,
    only: Option<&HashSet<i64>>,
    all: u64,
    tuning: &Tuning,
) -> Result<HashMap<i64, f64>> {
    let mut found: HashMap<i64, f64> = HashMap::new();
    for code in words::error_codes(query).into_iter().take(CODES) {
        let (rows, count) = store.rows_with_code(&code, CANDIDATES)?;
        // In a store of few solutions every code is in a large share of them.
        let share = count as f64 / all.max(FEW) as f64;
        let weight = (1.0 - share * tuning.code_common).clamp(tuning.code_least, 1.0);
        for rid in rows {
            if only.is_none_or(|only| only.contains(&rid)) {
                let known = found.entry(rid).or_default();
                *known = known.max(weight);
            }
        }
    }
    Ok(found)
}
