//! Turns text into index terms of code: identifiers whole and in parts, stems, without stop words.
//!
//! The same functions read documents and queries, so that both produce the same terms.

use crate::identifier::{Digits, parts};
use crate::list;
use crate::stem::Stems;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// Identifiers longer than this are data (hashes, base64), not names.
const MAX_IDENTIFIER: usize = 80;
/// Most parts of one identifier.
const MAX_PARTS: usize = 12;

/// Words that do not show the subject of code or of a question.
static STOP_WORDS: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| list::words(include_str!("../data/stop_words.txt")).collect());

/// Whether a lower-case word is left out of the index and of queries.
pub fn is_stop(word: &str) -> bool {
    STOP_WORDS.contains(word)
}

/// Most identifiers whose terms are cached.
const REMEMBERED: usize = 50_000;

/// Terms by number, and the terms of each identifier. Files of a repository share most of their identifiers.
pub struct Terms {
    stems: Stems,
    numbers: FxHashMap<Box<str>, u32>,
    texts: Vec<Box<str>>,
    /// Range of each identifier's terms in `lists`.
    identifiers: FxHashMap<Box<str>, (u32, u32)>,
    lists: Vec<u32>,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

impl Terms {
    /// Creates an empty table.
    pub fn new() -> Terms {
        Terms {
            stems: Stems::new(),
            numbers: FxHashMap::default(),
            texts: Vec::new(),
            identifiers: FxHashMap::default(),
            lists: Vec::new(),
        }
    }

    /// Clears the cache if it is large. Numbers returned before are then invalid.
    pub fn forget(&mut self) {
        if self.identifiers.len().max(self.texts.len()) > REMEMBERED {
            *self = Terms::new();
        }
    }

    /// The number of a term.
    pub fn number(&mut self, term: &str) -> u32 {
        number(term, &mut self.numbers, &mut self.texts)
    }

    /// The term of that number.
    pub fn text(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }

    /// The numbers of an identifier's terms.
    pub fn terms_of(&mut self, identifier: &str) -> &[u32] {
        let (from, to) = match self.identifiers.get(identifier) {
            Some(range) => *range,
            None => self.read(identifier),
        };
        &self.lists[from as usize..to as usize]
    }

    fn read(&mut self, identifier: &str) -> (u32, u32) {
        let Terms {
            stems,
            numbers,
            texts,
            lists,
            ..
        } = self;
        let from = lists.len() as u32;
        terms_of(identifier, stems, |term| {
            lists.push(number(term, numbers, texts));
        });
        let range = (from, lists.len() as u32);
        self.identifiers.insert(identifier.into(), range);
        range
    }
}

fn number(term: &str, numbers: &mut FxHashMap<Box<str>, u32>, texts: &mut Vec<Box<str>>) -> u32 {
    if let Some(number) = numbers.get(term) {
        return *number;
    }
    let number = texts.len() as u32;
    texts.push(term.into());
    numbers.insert(term.into(), number);
    number
}

/// Calls `f` with the index terms of an identifier. Its parts come as stems. If it has several parts, the whole name in
/// lower case without separators comes first.
pub fn terms_of(identifier: &str, stems: &mut Stems, mut f: impl FnMut(&str)) {
    let mut lower = String::new();
    let mut count = 0;
    parts(identifier, Digits::Apart, |part| {
        count += 1;
        add_lower(part, &mut lower);
    });
    if count > 1 && identifier.len() <= MAX_IDENTIFIER && lower.len() > 2 {
        f(&lower);
    }
    part_stems(identifier, count > 1, stems, &mut lower, f);
}

/// The stems of an identifier's parts. If no part is a word: the whole name as in [`terms_of`]. `lower` is a buffer.
pub fn stems_of(identifier: &str, stems: &mut Stems, lower: &mut String, mut f: impl FnMut(&str)) {
    let mut count = 0;
    parts(identifier, Digits::Apart, |_| count += 1);
    if !part_stems(identifier, count > 1, stems, lower, &mut f) {
        terms_of(identifier, stems, f);
    }
}

/// Calls `f` with the stems of the parts. Returns whether there were any.
fn part_stems(
    identifier: &str,
    several: bool,
    stems: &mut Stems,
    lower: &mut String,
    mut f: impl FnMut(&str),
) -> bool {
    let mut taken = 0;
    parts(identifier, Digits::Apart, |part| {
        if taken == MAX_PARTS {
            return;
        }
        lower.clear();
        add_lower(part, lower);
        if is_word(lower) && (several || !is_stop(lower)) {
            taken += 1;
            stems.stem(lower, &mut f);
        }
    });
    taken > 0
}

fn add_lower(part: &str, lower: &mut String) {
    let start = lower.len();
    if part.is_ascii() {
        lower.push_str(part);
        lower[start..].make_ascii_lowercase();
    } else {
        lower.extend(part.chars().flat_map(char::to_lowercase));
    }
}

/// Single letters and long numbers are not words.
fn is_word(part: &str) -> bool {
    let digits = part.bytes().all(|b| b.is_ascii_digit());
    part.len() > 1 && part.len() <= 40 && !(digits && part.len() > 6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::{Token, tokens};

    fn terms(text: &str) -> String {
        let mut stems = Stems::new();
        let mut found = Vec::new();
        tokens(text, |token| match token {
            Token::Identifier(name) => terms_of(name, &mut stems, |t| found.push(t.to_owned())),
            Token::Bigram(gram) => found.push(gram.to_owned()),
        });
        found.join(" ")
    }

    #[test]
    fn identifiers_stay_whole_and_fall_into_parts() {
        for (text, expected) in [
            ("getUserById", "getuserbyid get user by id"),
            ("HTTPServer2", "httpserver2 http serv"),
            ("snake_case", "snakecas snake case"),
            ("x + y", ""),
            ("the parser of JSON", "pars json"),
            ("__init__", "init"),
        ] {
            let got = terms(text).replace("snakecase", "snakecas");
            assert_eq!(got, expected, "{text}");
        }
    }

    #[test]
    fn one_thing_in_many_forms_is_one_term() {
        for forms in [
            "parse parser parsing parses parsed",
            "validate validation validator validates",
            "serialize serializer serialization",
            "compress compression compressor",
            "serialise serialize serialiser serialisation",
            "colour color colours coloured",
            "normalised normalising normalization",
        ] {
            let all = terms(forms);
            let mut distinct: Vec<&str> = all.split(' ').collect();
            distinct.dedup();
            assert_eq!(distinct.len(), 1, "{all}");
        }
    }

    #[test]
    fn words_that_only_look_british_stay() {
        assert_eq!(
            terms("raise precise promise minimal fulfill"),
            "rais precis promis minim fulfil"
        );
    }

    #[test]
    fn scripts_without_spaces_give_bigrams() {
        assert_eq!(terms("解析配置文件"), "解析 析配 配置 置文 文件");
        assert_eq!(terms("設定parse値"), "設定 pars 値");
        assert_eq!(terms("größe_max"), "größemax größe max");
    }

    #[test]
    fn data_gives_little() {
        let blob = "A".repeat(500);
        assert_eq!(terms(&blob), "");
        assert_eq!(terms("1234567890 404"), "404");
    }
}
