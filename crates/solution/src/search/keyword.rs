//! The words' half: BM25 over the word index, and codes matched to the letter.

use super::{CANDIDATES, Tuning};
use crate::error::Result;
use crate::store::Store;
use crate::words;
use std::collections::{HashMap, HashSet};

/// Words of a question that are looked up at most, rarest first.
const WORDS: usize = 24;
/// Rows that are scored for them at most; the rarest word is always looked up.
const ROWS: u64 = 6_000;
/// In a large store one row in so many may be scored.
const ROWS_PART: u64 = 16;
/// Factor on the number of candidates when a filter is given.
const ROOM: usize = 20;
/// Codes of a question that count.
const CODES: usize = 8;
/// Solutions of a small store, for shares of them.
const FEW: u64 = 10;

/// What the words found.
#[derive(Debug, Default)]
pub(crate) struct KeywordScores {
    /// Row, score 0–1, best first.
    pub(crate) best: Vec<(i64, f64)>,
    /// How rare the rarest code is that a row shares with the question, 0–1.
    pub(crate) codes: HashMap<i64, f64>,
    /// How many rows have a word or a code.
    pub(crate) total: usize,
}

impl KeywordScores {
    /// Looks the question's words and codes up.
    pub(crate) fn search(
        store: &Store,
        query: &str,
        only: Option<&HashSet<i64>>,
        tuning: &Tuning,
    ) -> Result<KeywordScores> {
        let asked = words::query_terms(query);
        let (counts, all) = store.document_frequencies(&asked)?;
        let rarity = |count: u64| {
            // As FTS5 counts it.
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
        // A question's words stand in what it asks for, or it asks in other words; in between, a few that are shared
        // by chance say little, so that half of what is asked for counts for much less than half.
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
