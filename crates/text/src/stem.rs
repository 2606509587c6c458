//! Stems: one form for `parse`, `parser`, `parsing`.

use crate::list;
use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::LazyLock;

/// Snowball's stemmer for English: <https://snowballstem.org/algorithms/english/stemmer.html>.
pub struct English(Stemmer);

impl English {
    /// Creates a stemmer; it costs nothing.
    pub fn new() -> English {
        English(Stemmer::create(Algorithm::English))
    }

    /// The stem of a lower-case word.
    pub fn stem<'w>(&self, word: &'w str) -> Cow<'w, str> {
        self.0.stem(word)
    }
}

impl Default for English {
    fn default() -> English {
        English::new()
    }
}

/// The word without the most common English endings: `parser`, `parsing`, `parses` ≈ `parse`. Fast and rough, for names
/// that are compared one by one.
pub fn without_ending(word: &str) -> &str {
    for ending in ["ing", "ers", "er", "ed", "es", "s", "e"] {
        if let Some(stem) = word.strip_suffix(ending)
            && stem.len() >= 3
        {
            return stem;
        }
    }
    word
}

/// Turns words of code into stems, with a cache.
pub struct Stems {
    snowball: English,
    seen: FxHashMap<Box<str>, Box<str>>,
}

impl Default for Stems {
    fn default() -> Stems {
        Stems::new()
    }
}

impl Stems {
    /// Creates an empty cache.
    pub fn new() -> Stems {
        Stems {
            snowball: English::new(),
            seen: FxHashMap::default(),
        }
    }

    /// The stem of a lower-case word. In addition to Snowball's English, it removes the endings of agent nouns
    /// (`parser`, `validator`), since code often names things after what they do.
    pub fn stem(&mut self, word: &str, f: impl FnOnce(&str)) {
        if let Some(stem) = self.seen.get(word) {
            return f(stem);
        }
        let stem = stem_with(&self.snowball, word);
        f(&stem);
        self.seen.insert(word.into(), stem.into());
    }
}

/// Beginnings of words in British English, with the American spelling.
static SPELLINGS: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| list::pairs(include_str!("../data/british.tsv")).collect());

/// Verbs in `-ise`, without the ending.
static VERBS: LazyLock<Vec<&str>> =
    LazyLock::new(|| list::entries(include_str!("../data/verbs_in_ise.txt")).collect());

/// A word as it is spelled in American English.
fn american(word: &str) -> Option<String> {
    let begins = |(british, _): &&(&str, &str)| word.starts_with(british);
    if let Some((british, american)) = SPELLINGS.iter().find(begins) {
        // `fulfill` begins with `fulfil`.
        let done = word.starts_with(american);
        return (!done).then(|| format!("{american}{}", &word[british.len()..]));
    }
    let rest = word
        .strip_prefix("un")
        .or(word.strip_prefix("re"))
        .unwrap_or(word);
    let verb = VERBS.iter().find(|verb| {
        let ending = rest.strip_prefix(*verb).unwrap_or_default();
        ["ise", "isa", "isi"].iter().any(|e| ending.starts_with(e))
    })?;
    let at = word.len() - rest.len() + verb.len();
    Some(format!("{}iz{}", &word[..at], &word[at + 2..]))
}

fn stem_with(snowball: &English, word: &str) -> String {
    if word.len() < 3 || !word.is_ascii() {
        return word.to_owned();
    }
    let american = american(word);
    let word = american.as_deref().unwrap_or(word);
    let once = snowball.stem(word);
    for ending in ["er", "or"] {
        if let Some(rest) = once.strip_suffix(ending)
            && rest.len() >= 4
        {
            return snowball.stem(&format!("{rest}e")).into_owned();
        }
    }
    once.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn british_words_become_american() {
        assert_eq!(american("unnormalised").as_deref(), Some("unnormalized"));
        assert_eq!(american("reinitialise").as_deref(), Some("reinitialize"));
        assert_eq!(american("fulfill"), None);
        assert_eq!((SPELLINGS.len(), VERBS.len()), (15, 43));
    }

    #[test]
    fn common_endings_fall() {
        for (word, expected) in [("parsers", "pars"), ("bus", "bus"), ("cached", "cach")] {
            assert_eq!(without_ending(word), expected);
        }
    }
}
