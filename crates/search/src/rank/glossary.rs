//! Chinese and Japanese words of the trade with their English ones, so that a question in either finds code and
//! documentation that are written in English.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;
use text::cjk::is_han_or_kana;

/// Lines of a word, a tab, and English words.
const TERMS: &str = include_str!("glossary.tsv");

/// The longest word. Characters.
const LONGEST: usize = 8;

static GLOSSARY: LazyLock<FxHashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let lines = TERMS.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once('\t')).collect()
});

/// English words for what the text says in Chinese or Japanese, separated by spaces; none where it says nothing that
/// is known. The longest word counts at each place.
pub(super) fn translate_to_english(text: &str) -> Option<String> {
    if !text.contains(is_han_or_kana) {
        return None;
    }
    let mut found: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_han_or_kana) {
        rest = &rest[start..];
        let length = match longest_word(rest) {
            Some((length, words)) => {
                let new = words.split(' ').filter(|w| !found.contains(w));
                let new: Vec<&str> = new.collect();
                found.extend(new);
                length
            }
            None => rest.chars().next().map_or(1, char::len_utf8),
        };
        rest = &rest[length..];
    }
    (!found.is_empty()).then(|| found.join(" "))
}

/// The longest known word at the start of the text: its bytes and its English words.
fn longest_word(text: &str) -> Option<(usize, &'static str)> {
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    let ends: Vec<usize> = ends.take(LONGEST).collect();
    let known = |end: &usize| GLOSSARY.get(&text[..*end]).map(|words| (*end, *words));
    ends.iter().rev().find_map(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_word_counts() {
        assert_eq!(
            translate_to_english("在哪里计算重试的指数退避").as_deref(),
            Some("compute calculate retry exponential backoff")
        );
        assert_eq!(
            translate_to_english("HTTPException の例外処理はどこ").as_deref(),
            Some("exception handling")
        );
        assert_eq!(translate_to_english("where is the retry"), None);
        assert_eq!(translate_to_english("你好吗"), None);
    }

    #[test]
    fn every_line_is_a_word_and_its_english() {
        let mut seen = FxHashMap::default();
        for line in TERMS.lines().filter(|l| !l.starts_with('#')) {
            let (word, words) = line.split_once('\t').unwrap();
            assert!(word.chars().count() <= LONGEST, "{word}");
            assert!(word.contains(is_han_or_kana), "{word}");
            assert!(
                words.split(' ').all(|w| !w.is_empty() && w.is_ascii()),
                "{line}"
            );
            assert_eq!(seen.insert(word, words), None, "{word} stands twice");
        }
        assert!(seen.len() > 700);
    }
}
