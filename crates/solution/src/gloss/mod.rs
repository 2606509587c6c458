//! A glossary of technical terms in Chinese, Japanese and Korean with their English, since the built-in model knows only English.
//!
//! Terms of a text are replaced by their English, the longest first. The remaining characters get a vector of their own from
//! their pairs, so that texts that share them are near each other.

use std::collections::HashMap;
use std::sync::OnceLock;
use text::cjk::is_cjk_or_mark;

/// Files of terms with their English; `_` stands for a blank.
const TERMS: [&str; 3] = [
    include_str!("zh.txt"),
    include_str!("ja.txt"),
    include_str!("ko.txt"),
];

/// A text with terms translated for the model.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct GlossedText {
    /// The text with English in place of its terms.
    pub(crate) text: String,
    /// The English of its terms, in order.
    pub(crate) english: Vec<&'static str>,
    /// Runs of characters without a translation.
    pub(crate) untranslated: Vec<String>,
    /// The number of translated characters, and of all that could be translated.
    pub(crate) translated_count: usize,
    pub(crate) character_count: usize,
}

struct Terms {
    english: HashMap<&'static str, String>,
    longest: usize,
}

fn glossary() -> &'static Terms {
    static ALL: OnceLock<Terms> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut english = HashMap::new();
        for pair in TERMS.iter().flat_map(|text| text.split_whitespace()) {
            if let Some((term, words)) = pair.split_once('=') {
                english
                    .entry(term)
                    .or_insert_with(|| words.replace('_', " "));
            }
        }
        let longest = english.keys().map(|t| t.chars().count()).max();
        Terms {
            english,
            longest: longest.unwrap_or(0),
        }
    })
}

/// Replaces terms by their English.
pub(crate) fn translate_terms(text: &str) -> GlossedText {
    let mut reading = GlossedText::default();
    if !text.chars().any(is_cjk_or_mark) {
        reading.text = text.to_owned();
        return reading;
    }
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if !is_cjk_or_mark(first) {
            reading.text.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let end = rest.find(|c| !is_cjk_or_mark(c)).unwrap_or(rest.len());
        translate_run(&rest[..end], &mut reading);
        rest = &rest[end..];
    }
    reading
}

/// Translates one run of characters.
fn translate_run(signs: &str, reading: &mut GlossedText) {
    let terms = glossary();
    let ends: Vec<usize> = signs
        .char_indices()
        .map(|(at, c)| at + c.len_utf8())
        .collect();
    let (mut at, mut from) = (0, 0);
    let mut left = String::new();
    while at < ends.len() {
        let most = (at + terms.longest).min(ends.len());
        let found = (at..most).rev().find_map(|last| {
            let english = terms.english.get(&signs[from..ends[last]])?;
            Some((last + 1, english))
        });
        match found {
            Some((next, english)) => {
                push_untranslated(&mut left, reading);
                reading.text.push(' ');
                reading.text.push_str(english);
                reading.text.push(' ');
                if !english.is_empty() {
                    reading.english.push(english);
                    reading.translated_count += next - at;
                    reading.character_count += next - at;
                }
                (at, from) = (next, ends[next - 1]);
            }
            None => {
                left.push_str(&signs[from..ends[at]]);
                from = ends[at];
                at += 1;
            }
        }
    }
    push_untranslated(&mut left, reading);
}

/// Adds the untranslated characters so far. A single character is mostly a particle or an ending, and hiragana nearly always, so
/// both are dropped.
fn push_untranslated(left: &mut String, reading: &mut GlossedText) {
    let run = std::mem::take(left);
    for part in run.split(|c| matches!(c, '\u{3040}'..='\u{309f}')) {
        let count = part.chars().count();
        if count >= 2 {
            reading.character_count += count;
            reading.untranslated.push(part.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_become_english() {
        let reading = translate_terms("数据库的连接超时");
        assert_eq!(reading.english, ["database", "connection timeout"]);
        assert!(reading.untranslated.is_empty());
        assert_eq!(translate_terms("plain text").text, "plain text");
        let mixed = translate_terms("Redis 连接被拒绝 ECONNREFUSED");
        assert!(
            mixed.text.contains("connection") && mixed.text.contains("refused"),
            "{mixed:?}"
        );
        assert!(mixed.text.contains("ECONNREFUSED"));
    }

    #[test]
    fn unknown_signs_stay() {
        let reading = translate_terms("鳳凰涅槃超时");
        assert_eq!(reading.untranslated, ["鳳凰涅槃"]);
        assert_eq!((reading.translated_count, reading.character_count), (2, 6));
    }

    #[test]
    fn every_term_is_well_formed() {
        let lines = TERMS.iter().flat_map(|text| text.lines());
        let lines = lines.filter(|line| !line.starts_with('#'));
        for pair in lines.flat_map(str::split_whitespace) {
            let (term, words) = pair.split_once('=').unwrap();
            assert!(term.chars().all(is_cjk_or_mark), "{pair}");
            assert!(words.is_ascii(), "{pair}");
        }
    }
}
