//! Translation of technical words in Chinese and Japanese questions, so that they find code and documentation
//! written in English.

use text::cjk::is_han_or_kana;
use text::glossary::Glossary;

/// The English words for the Chinese or Japanese words of a text, separated by spaces; none if it has no known word.
/// The longest word counts at each place.
pub(super) fn translate_to_english(text: &str) -> Option<String> {
    if !text.contains(is_han_or_kana) {
        return None;
    }
    let glossary = Glossary::of_code();
    let mut found: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_han_or_kana) {
        rest = &rest[start..];
        let length = match glossary.longest_term(rest) {
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
}
