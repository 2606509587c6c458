//! Sentences about what something does, beside the names of subjects.
//!
//! `retry middleware and backoff logic` names a subject: files about it answer. `what happens when a request fails too
//! often` asks for a place that does something: one function answers, in any file.

use super::Tuning;
use rustc_hash::FxHashSet;
use std::sync::LazyLock;
use text::list;

static JOINING: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| list::words(include_str!("sentence_words.txt")).collect());

/// Whether a query is such a sentence. A question how something works names a subject.
pub(crate) fn is_sentence(text: &str, tuning: &Tuning) -> bool {
    let least = tuning.sentence_words;
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let mut words = words
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .peekable();
    if words.peek().is_some_and(|first| first == "how") {
        return false;
    }
    let joining = words.filter(|word| JOINING.contains(word.as_str()));
    joining.take(least).count() == least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_told_from_subjects() {
        for text in [
            "what happens when a request fails",
            "where is the cache filled",
            "find the nearest config file that exists",
        ] {
            assert!(is_sentence(text, &Tuning::default()), "{text}");
        }
        for text in [
            "retry middleware and backoff logic",
            "how routes are registered when the app starts",
            "Parser",
            "",
        ] {
            assert!(!is_sentence(text, &Tuning::default()), "{text}");
        }
    }
}
