//! Words that do not tell which code is meant.

use super::tuning::HookTuning;
use std::sync::LazyLock;
use text::list;

/// Endings that make a word a file's name.
pub(crate) static ENDINGS: LazyLock<Vec<&str>> =
    LazyLock::new(|| list::words(include_str!("words/endings.txt")).collect());

/// Words of every conversation, and of all work on code: they do not tell one place from another. Sorted.
static SAYING_NOTHING: LazyLock<Vec<&str>> =
    LazyLock::new(|| list::words(include_str!("words/saying_nothing.txt")).collect());

/// First words of prompts that ask for a chore around the code, not for code.
static CHORES: LazyLock<Vec<&str>> =
    LazyLock::new(|| list::words(include_str!("words/chores.txt")).collect());

/// First words of chores that are also words of code: they count only where little else is said.
static MAYBE_CHORES: LazyLock<Vec<&str>> =
    LazyLock::new(|| list::words(include_str!("words/maybe_chores.txt")).collect());

/// Words that may come before a chore.
static POLITE: LazyLock<Vec<&str>> =
    LazyLock::new(|| list::words(include_str!("words/polite.txt")).collect());

/// Things in the work around the code, in phrases whose single words mean something else.
pub(crate) static PHRASES: LazyLock<Vec<&str>> =
    LazyLock::new(|| list::entries(include_str!("words/phrases.txt")).collect());

/// Words for parts of any code, and for its style.
static GENERIC: LazyLock<Vec<&str>> =
    LazyLock::new(|| list::words(include_str!("words/generic.txt")).collect());

/// Words for the user's own machines, which are no code.
static MACHINES: LazyLock<Vec<&str>> =
    LazyLock::new(|| list::words(include_str!("words/machines.txt")).collect());

/// Words that refer to something in view.
const POINTING: [&str; 8] = [
    "this", "that", "these", "those", "it", "your", "you", "above",
];

/// The most words between `my` and its noun: `my old laptop`.
const BETWEEN: usize = 2;

fn lower_words(text: &str) -> impl Iterator<Item = String> + '_ {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Whether the text asks to change the style of something in view (`make this function more readable`): then no unknown place in
/// the code is meant. `telling` are the content words.
pub(crate) fn is_manner_request(text: &str, telling: &[String]) -> bool {
    telling.iter().all(|word| GENERIC.contains(&word.as_str()))
        && lower_words(text).any(|word| POINTING.contains(&word.as_str()))
}

/// Whether the text is about the user's own machine.
pub(crate) fn is_about_own_machine(text: &str) -> bool {
    let mut since_my = usize::MAX;
    lower_words(text).any(|word| {
        since_my = match word.as_str() {
            "my" => 0,
            _ => since_my.saturating_add(1),
        };
        since_my <= BETWEEN + 1 && MACHINES.contains(&word.as_str())
    })
}

/// Whether a word, in lower case, is a content word, which tells one place from another.
pub(crate) fn is_content_word(word: &str, tuning: &HookTuning) -> bool {
    let long = word.chars().count() > tuning.short_word || !word.is_ascii();
    long && word.chars().any(char::is_alphabetic) && SAYING_NOTHING.binary_search(&word).is_err()
}

/// Whether the text asks for a chore such as a commit. `words` is the number of all words, `telling` that of content words.
pub(crate) fn is_chore_request(
    text: &str,
    words: usize,
    telling: usize,
    tuning: &HookTuning,
) -> bool {
    let mut all = text.split_whitespace().map(|w| {
        w.trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase()
    });
    let first = all.find(|w| !w.is_empty() && !POLITE.contains(&w.as_str()));
    let begins = |with: &[&str]| first.as_deref().is_some_and(|w| with.contains(&w));
    let maybe = telling <= tuning.chore_telling && begins(&MAYBE_CHORES);
    words <= tuning.chore_words && (begins(&CHORES) || maybe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_every_conversation_say_nothing() {
        let says_something = |word| is_content_word(word, &HookTuning::default());
        for word in ["thanks", "go", "x", "42", "好的", "tests"] {
            assert!(!says_something(word), "{word}");
        }
        for word in ["parser", "retries", "缓存", "cache", "js1"] {
            assert!(says_something(word), "{word}");
        }
        assert!(SAYING_NOTHING.is_sorted());
        assert!(SAYING_NOTHING.iter().all(|w| w.to_lowercase() == *w));
    }

    #[test]
    fn what_is_pointed_at_is_known_already() {
        let is_manner = |text: &str, telling: &[&str]| {
            let telling: Vec<String> = telling.iter().map(|w| (*w).to_owned()).collect();
            is_manner_request(text, &telling)
        };
        assert!(is_manner(
            "make this function readable",
            &["function", "readable"]
        ));
        assert!(is_manner("fix it", &[]));
        assert!(!is_manner(
            "make this parser readable",
            &["parser", "readable"]
        ));
        assert!(!is_manner(
            "where are function names formatted",
            &["function", "names"]
        ));
    }

    #[test]
    fn machines_of_ones_own_are_told() {
        assert!(is_about_own_machine("why does it not start on my laptop"));
        assert!(is_about_own_machine("My new work phone is slow"));
        assert!(!is_about_own_machine(
            "is the laptop mode written by my own parser of phone books"
        ));
        assert!(!is_about_own_machine("why is my parser slow"));
    }

    #[test]
    fn errands_begin_with_their_verb() {
        let is_chore =
            |text, words, telling| is_chore_request(text, words, telling, &HookTuning::default());
        assert!(is_chore("Please commit the parser changes", 5, 1));
        assert!(is_chore("ok, push it", 3, 0));
        assert!(is_chore("install the dependencies", 3, 1));
        assert!(!is_chore("merge the loaders of rules and themes", 7, 3));
        assert!(!is_chore("explain how commit messages are parsed", 6, 1));
        assert!(!is_chore(
            "run through all places where the cache is opened",
            40,
            2
        ));
    }
}
