//! Texts in Chinese, Japanese and Korean for the built-in model, which knows only English.
//!
//! Terms of a text are replaced by their English, the longest first. The remaining characters get a vector of their own from
//! their pairs, so that texts that share them are near each other.

use text::cjk::is_cjk_or_mark;
use text::glossary::Glossary;

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
fn translate_run(run: &str, reading: &mut GlossedText) {
    let glossary = Glossary::of_problems();
    let mut untranslated = String::new();
    let mut rest = run;
    while let Some(first) = rest.chars().next() {
        let Some((length, english)) = glossary.longest_term(rest) else {
            untranslated.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        push_untranslated(&mut untranslated, reading);
        reading.text.push(' ');
        reading.text.push_str(english);
        reading.text.push(' ');
        if !english.is_empty() {
            let count = rest[..length].chars().count();
            reading.english.push(english);
            reading.translated_count += count;
            reading.character_count += count;
        }
        rest = &rest[length..];
    }
    push_untranslated(&mut untranslated, reading);
}

/// Adds the untranslated characters so far. A single character is mostly a particle or an ending, and hiragana nearly always, so
/// both are dropped.
fn push_untranslated(untranslated: &mut String, reading: &mut GlossedText) {
    let run = std::mem::take(untranslated);
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
    fn unknown_characters_stay() {
        let reading = translate_terms("鳳凰涅槃超时");
        assert_eq!(reading.untranslated, ["鳳凰涅槃"]);
        assert_eq!((reading.translated_count, reading.character_count), (2, 6));
    }
}
