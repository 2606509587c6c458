//! The weights of frequent words, kept between questions: the same few words make up most of the work of most questions.

use super::Tuning;
use super::weigh::TermMatches;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The least number of places for which a word is kept; other words are looked up quickly.
const LEAST: usize = 512;
/// The most places that are kept, for each chunk of the index.
const MOST: usize = 16;

/// Words with their weighted places under one set of weights, for the words looked up so far.
pub(crate) struct TermCache {
    most: usize,
    inner: Mutex<CachedTerms>,
}

#[derive(Default)]
struct CachedTerms {
    tuning: Option<Tuning>,
    words: FxHashMap<String, Arc<TermMatches>>,
    places: usize,
}

impl TermCache {
    /// A cache for an index with `chunks` chunks.
    pub(crate) fn new(chunks: usize) -> TermCache {
        TermCache {
            most: chunks.saturating_mul(MOST),
            inner: Mutex::default(),
        }
    }

    /// The matches of a word under these weights, from the cache or else from `look_up`.
    pub(crate) fn get_or_insert_with(
        &self,
        word: &str,
        tuning: &Tuning,
        look_up: impl FnOnce() -> TermMatches,
    ) -> Arc<TermMatches> {
        {
            let kept = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.tuning.as_ref() == Some(tuning)
                && let Some(found) = kept.words.get(word)
            {
                return Arc::clone(found);
            }
        }
        let found = Arc::new(look_up());
        self.insert(word, tuning, &found);
        found
    }

    fn insert(&self, word: &str, tuning: &Tuning, found: &Arc<TermMatches>) {
        let places = found.chunks.len() + found.files.len();
        if places < LEAST || places > self.most {
            return;
        }
        let mut kept = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.tuning.as_ref() != Some(tuning) || kept.places + places > self.most {
            // The whole cache is dropped. Words in use come back, so no order of use is needed.
            *kept = CachedTerms {
                tuning: Some(tuning.clone()),
                ..CachedTerms::default()
            };
        }
        if kept
            .words
            .insert(word.to_owned(), Arc::clone(found))
            .is_none()
        {
            kept.places += places;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(places: usize) -> TermMatches {
        TermMatches {
            chunks: (0..places as u32).map(|c| (c, 1.0)).collect(),
            ..TermMatches::default()
        }
    }

    fn is_known(known: &TermCache, word: &str, tuning: &Tuning) -> bool {
        let mut looked = false;
        known.get_or_insert_with(word, tuning, || {
            looked = true;
            found(1)
        });
        !looked
    }

    #[test]
    fn frequent_words_are_looked_up_once() {
        let (known, tuning) = (TermCache::new(1_000), Tuning::default());
        known.get_or_insert_with("parse", &tuning, || found(900));
        assert_eq!(
            known
                .get_or_insert_with("parse", &tuning, || found(0))
                .chunks
                .len(),
            900
        );
        known.get_or_insert_with("rare", &tuning, || found(3));
        assert!(!is_known(&known, "rare", &tuning));
    }

    #[test]
    fn other_weights_are_another_word() {
        let (known, tuning) = (TermCache::new(1_000), Tuning::default());
        known.get_or_insert_with("parse", &tuning, || found(900));
        assert!(!is_known(&known, "parse", &Tuning::bm25_only()));
        known.get_or_insert_with("parse", &Tuning::bm25_only(), || found(700));
        assert!(!is_known(&known, "parse", &tuning));
    }

    #[test]
    fn what_is_kept_has_an_end() {
        let (known, tuning) = (TermCache::new(1_000), Tuning::default());
        for word in 0..40 {
            known.get_or_insert_with(&word.to_string(), &tuning, || found(900));
        }
        let kept = known.inner.lock().unwrap();
        assert!(kept.places <= 16_000 && !kept.words.is_empty());
    }
}
