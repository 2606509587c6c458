//! Translation of German and Spanish questions into English words, so that they find code written in English.
//!
//! Small words tell the language of a text. Its other words are looked up by their beginnings, since both languages
//! inflect endings. German words are also looked up part by part, since German joins words.

use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;
use text::list;

const SMALL_WORDS: &str = include_str!("small_words.txt");

/// The most letters of an ending after a known word.
const LONGEST_ENDING: usize = 5;
/// The least letters of a word that is looked up by its beginning: shorter ones begin other words by chance.
const LEAST_BEGINNING: usize = 4;
/// The most words of a text that are translated: a bound on work, since questions have fewer.
const MOST_WORDS: usize = 200;

/// The most parts of a joined word.
const MOST_PARTS: usize = 6;

/// A language with its words.
struct Language {
    /// Small words of the language that do not exist in English.
    small: FxHashSet<&'static str>,
    /// Small words that may be English as well. They are dropped, and do not identify the language.
    shared: FxHashSet<&'static str>,
    /// Letters that English lacks.
    letters: &'static [char],
    words: FxHashMap<&'static str, &'static str>,
    /// The number of letters of the longest word.
    longest: usize,
    /// Letters that may join the parts of a word; none if the language does not join words.
    joints: &'static [&'static str],
}

impl Language {
    fn new(
        name: &str,
        letters: &'static [char],
        words: &'static str,
        joints: &'static [&'static str],
    ) -> Language {
        let shared = format!("{name} and english");
        let words: FxHashMap<&str, &str> = list::pairs(words).collect();
        let longest = words.keys().map(|w| w.chars().count()).max().unwrap_or(0);
        Language {
            small: list::words(list::section(SMALL_WORDS, name)).collect(),
            shared: list::words(list::section(SMALL_WORDS, &shared)).collect(),
            letters,
            words,
            longest,
            joints,
        }
    }

    /// Whether a text with these words, in lower case or as written in capitals, is written in the language.
    fn is_language_of(&self, words: &[String]) -> bool {
        let small: FxHashSet<&str> = words
            .iter()
            .map(String::as_str)
            .filter(|word| self.small.contains(word))
            .collect();
        let has_letter = words.iter().any(|word| word.contains(self.letters));
        small.len() >= 2 || small.len() == 1 && has_letter
    }

    /// English words for a word, if it is known.
    fn translate(&self, word: &str) -> Option<Vec<&'static str>> {
        let mut found = Vec::new();
        let mut rest = word;
        while let Some((length, english)) = self.longest_beginning(rest, found.is_empty())
            && found.len() < MOST_PARTS
        {
            found.push(english);
            rest = &rest[length..];
            if rest.chars().count() <= LONGEST_ENDING
                && self.longest_beginning(rest, false).is_none()
            {
                return Some(found);
            }
            if self.joints.is_empty() {
                return None;
            }
            let joint = self.joints.iter().find_map(|joint| {
                let behind = rest.strip_prefix(joint)?;
                self.longest_beginning(behind, false).map(|_| behind)
            });
            rest = joint.unwrap_or(rest);
        }
        None
    }

    /// The longest known word that a word begins with: its bytes and its English. A short one must be the whole word.
    fn longest_beginning(&self, word: &str, is_first: bool) -> Option<(usize, &'static str)> {
        let ends = word.char_indices().map(|(at, c)| at + c.len_utf8());
        let ends: Vec<usize> = ends.take(self.longest).collect();
        (1..=ends.len()).rev().find_map(|letters| {
            let end = ends[letters - 1];
            let short = letters < LEAST_BEGINNING;
            let ending = word[end..].chars().count();
            if short && !(is_first && ending <= 2) {
                return None;
            }
            self.words.get(&word[..end]).map(|english| (end, *english))
        })
    }
}

static GERMAN: LazyLock<Language> = LazyLock::new(|| {
    Language::new(
        "german",
        &['ä', 'ö', 'ü', 'ß'],
        include_str!("glossary-german.tsv"),
        &["s", "es", "n", "en", "er", "e", "t", "ung", "ungs"],
    )
});

static SPANISH: LazyLock<Language> = LazyLock::new(|| {
    Language::new(
        "spanish",
        &['á', 'é', 'í', 'ó', 'ú', 'ñ', '¿', '¡'],
        include_str!("glossary-spanish.tsv"),
        &[],
    )
});

/// The text in English, as far as its words are known, if it is German or Spanish. Unknown words stay; small words are
/// dropped.
pub(super) fn translate_to_english(text: &str) -> Option<String> {
    let tokens: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || matches!(c, '?' | '!' | ',' | ';' | '¿' | '¡' | '"'))
        .filter(|token| !token.is_empty())
        .take(MOST_WORDS)
        .collect();
    let lower: Vec<String> = tokens.iter().map(|token| lower_word(token)).collect();
    let languages = [&*GERMAN, &*SPANISH];
    let language = languages.iter().find(|one| one.is_language_of(&lower))?;
    let mut english: Vec<String> = Vec::new();
    for (token, lower) in tokens.iter().zip(&lower) {
        if language.small.contains(lower.as_str()) || language.shared.contains(lower.as_str()) {
            continue;
        }
        match language
            .translate(lower)
            .filter(|_| lower.chars().all(char::is_alphabetic))
        {
            Some(words) => english.extend(words.into_iter().map(str::to_owned)),
            None => english.push((*token).to_owned()),
        }
    }
    (!english.is_empty()).then(|| english.join(" "))
}

/// A word in lower case; `MIT` and `ES` stay, since they are names.
fn lower_word(token: &str) -> String {
    let word = token.trim_matches(['.', ':', '(', ')']);
    if word.chars().count() > 1 && word.chars().all(char::is_uppercase) {
        return word.to_owned();
    }
    word.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_read_in_english() {
        for (text, english) in [
            (
                "Wo werden abgelaufene Schlüssel gelöscht?",
                "expired key delete remove",
            ),
            (
                "wie wird die Konfigurationsdatei gelesen",
                "config configuration file read",
            ),
            (
                "Wo ist die Fehlermeldung von parse_config?",
                "error message parse_config",
            ),
            ("¿dónde se guardan las plantillas?", "save store template"),
            ("cómo funciona el servidor", "work server"),
        ] {
            assert_eq!(
                translate_to_english(text).as_deref(),
                Some(english),
                "{text}"
            );
        }
    }

    #[test]
    fn english_is_left_alone() {
        for text in [
            "where are the keys deleted",
            "the server dies when a client is gone",
            "how does the la carte menu work",
            "find all files in a folder",
            "parse_config",
            "the MIT licence and the DES cipher of ES modules",
            "",
        ] {
            assert_eq!(translate_to_english(text), None, "{text}");
        }
    }

    #[test]
    fn lists_are_words_and_their_english() {
        for language in [&*GERMAN, &*SPANISH] {
            assert!(language.words.len() > 300);
            for (word, english) in &language.words {
                assert!(word.chars().all(char::is_alphabetic), "{word}");
                assert!(
                    english.split(' ').all(|w| !w.is_empty() && w.is_ascii()),
                    "{word}"
                );
            }
        }
    }

    #[test]
    fn long_and_strange_texts_end() {
        let long = "wo wird der schlüssel".to_owned() + &"s".repeat(50_000);
        assert!(translate_to_english(&long).is_some());
        assert!(translate_to_english(&"wo wird ".repeat(9_000)).is_none());
        assert!(translate_to_english("wo wird 🙂 der ß").is_some());
    }
}
