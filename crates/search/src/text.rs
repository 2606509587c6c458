//! From text to index terms: identifiers whole and in parts, stems, stop words, bigrams for CJK.
//!
//! The same function reads documents and queries, so that both fall into the same terms.

use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// Identifiers longer than this are data (hashes, base64), not names.
const MAX_IDENTIFIER: usize = 80;
/// Parts that one identifier gives at most.
const MAX_PARTS: usize = 12;

/// Words that say nothing about what code or a question is about.
const STOP: &str = "a an the of to in for and or is are be if with this that it as on by from at into \
    its will can not no how what where when which does do has have was were been but so than then \
    their there these those they them we you your our i he she his her via per s t \
    return returns self else const let var def fn func elif";

static STOP_WORDS: LazyLock<FxHashSet<&'static str>> =
    LazyLock::new(|| STOP.split_whitespace().collect());

/// Whether a lower-case word is left out of the index and of queries.
pub(crate) fn is_stop(word: &str) -> bool {
    STOP_WORDS.contains(word)
}

/// One run of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Run<'t> {
    /// Letters, digits, `_` and `$`.
    Identifier(&'t str),
    /// Two neighbouring characters of a script without spaces, or one that stands alone.
    Gram(&'t str),
}

/// Calls `f` for every run of the text, in order.
pub(crate) fn runs<'t>(text: &'t str, mut f: impl FnMut(Run<'t>)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let b = bytes[at];
        if is_name_byte(b) {
            let end = identifier_end(text, at);
            f(Run::Identifier(&text[at..end]));
            at = end;
            continue;
        }
        if b.is_ascii() {
            at += 1;
            continue;
        }
        let Some(c) = text[at..].chars().next() else {
            break;
        };
        if is_cjk(c) {
            at = grams(text, at, &mut f);
        } else if c.is_alphanumeric() {
            let end = identifier_end(text, at);
            f(Run::Identifier(&text[at..end]));
            at = end;
        } else {
            at += c.len_utf8();
        }
    }
}

/// By byte whether it stands in names; every byte of every text is looked up.
const NAME_BYTES: [bool; 256] = {
    let mut table = [false; 256];
    let mut at = 0;
    while at < 128 {
        let b = at as u8;
        table[at] = b.is_ascii_alphanumeric() || b == b'_' || b == b'$';
        at += 1;
    }
    table
};

fn is_name_byte(b: u8) -> bool {
    NAME_BYTES[usize::from(b)]
}

fn identifier_end(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        if is_name_byte(bytes[at]) {
            at += 1;
            continue;
        }
        if bytes[at].is_ascii() {
            break;
        }
        match text[at..].chars().next() {
            Some(c) if c.is_alphanumeric() && !is_cjk(c) => at += c.len_utf8(),
            _ => break,
        }
    }
    at
}

/// Han, Kana and Hangul: written without spaces between words, or (Hangul) with endings attached.
fn is_cjk(c: char) -> bool {
    matches!(c as u32, 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF
        | 0xF900..=0xFAFF | 0xFF66..=0xFF9F | 0x20000..=0x2FA1F)
}

fn grams<'t>(text: &'t str, from: usize, f: &mut impl FnMut(Run<'t>)) -> usize {
    let mut end = from;
    let mut before: Option<usize> = None;
    let mut count = 0;
    for c in text[from..].chars().take_while(|c| is_cjk(*c)) {
        let start = end;
        end += c.len_utf8();
        if let Some(before) = before {
            f(Run::Gram(&text[before..end]));
        }
        before = Some(start);
        count += 1;
    }
    if count == 1 {
        f(Run::Gram(&text[from..end]));
    }
    end
}

/// The parts of an identifier as slices of it: `getUserById2` → get, User, By, Id, 2;
/// `HTTPServer` → HTTP, Server; `snake_case` → snake, case.
pub(crate) fn parts<'t>(identifier: &'t str, mut f: impl FnMut(&'t str)) {
    let mut start = None;
    let mut before: Option<char> = None;
    let mut chars = identifier.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if !c.is_alphanumeric() {
            if let Some(from) = start.take() {
                f(&identifier[from..at]);
            }
            before = None;
            continue;
        }
        let after = chars.peek().map(|(_, c)| *c);
        if let (Some(from), Some(b)) = (start, before)
            && border(b, c, after)
        {
            f(&identifier[from..at]);
            start = Some(at);
        }
        start = start.or(Some(at));
        before = Some(c);
    }
    if let Some(from) = start {
        f(&identifier[from..]);
    }
}

fn border(before: char, c: char, after: Option<char>) -> bool {
    if c.is_uppercase() {
        return !before.is_uppercase() || after.is_some_and(char::is_lowercase);
    }
    c.is_numeric() != before.is_numeric()
}

/// Turns words into stems, remembering those it has seen.
pub(crate) struct Stems {
    snowball: Stemmer,
    seen: FxHashMap<Box<str>, Box<str>>,
}

impl Stems {
    pub(crate) fn new() -> Stems {
        Stems {
            snowball: Stemmer::create(Algorithm::English),
            seen: FxHashMap::default(),
        }
    }

    /// The stem of a lower-case word. Beyond Snowball's English, the endings of those who act
    /// (`parser`, `validator`) fall too, since code names its actors after what they do.
    pub(crate) fn stem(&mut self, word: &str, f: impl FnOnce(&str)) {
        if let Some(stem) = self.seen.get(word) {
            return f(stem);
        }
        let stem = stem_with(&self.snowball, word);
        f(&stem);
        self.seen.insert(word.into(), stem.into());
    }
}

/// Beginnings of words that are spelled otherwise in British English, with the American ones, which names of code
/// mostly are.
const SPELLINGS: [(&str, &str); 15] = [
    ("artefact", "artifact"),
    ("behaviour", "behavior"),
    ("catalogue", "catalog"),
    ("centred", "centered"),
    ("centre", "center"),
    ("colour", "color"),
    ("defence", "defense"),
    ("dialogue", "dialog"),
    ("favour", "favor"),
    ("flavour", "flavor"),
    ("fulfil", "fulfill"),
    ("grey", "gray"),
    ("honour", "honor"),
    ("licence", "license"),
    ("neighbour", "neighbor"),
];

/// The same for verbs in `-ise`: what stands before the ending.
const VERBS: [&str; 43] = [
    "author",
    "anonym",
    "canonical",
    "capital",
    "categor",
    "character",
    "container",
    "crystall",
    "custom",
    "deserial",
    "digit",
    "emphas",
    "equal",
    "final",
    "general",
    "global",
    "harmon",
    "initial",
    "international",
    "italic",
    "local",
    "material",
    "maxim",
    "memor",
    "minim",
    "modern",
    "normal",
    "optim",
    "organ",
    "parallel",
    "parametr",
    "polar",
    "priorit",
    "quant",
    "random",
    "recogn",
    "sanit",
    "serial",
    "special",
    "standard",
    "summar",
    "synchron",
    "token",
];

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

fn stem_with(snowball: &Stemmer, word: &str) -> String {
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

/// Identifiers that are remembered with their terms.
const REMEMBERED: usize = 50_000;

/// Terms by number, and which of them each identifier gives. Files of a repository share most of their identifiers.
pub(crate) struct Terms {
    stems: Stems,
    numbers: FxHashMap<Box<str>, u32>,
    texts: Vec<Box<str>>,
    /// By identifier: where in `lists` its terms stand.
    identifiers: FxHashMap<Box<str>, (u32, u32)>,
    lists: Vec<u32>,
}

impl Terms {
    pub(crate) fn new() -> Terms {
        Terms {
            stems: Stems::new(),
            numbers: FxHashMap::default(),
            texts: Vec::new(),
            identifiers: FxHashMap::default(),
            lists: Vec::new(),
        }
    }

    /// Forgets what it remembers, where that is much: numbers given before stand for nothing any more.
    pub(crate) fn forget(&mut self) {
        if self.identifiers.len().max(self.texts.len()) > REMEMBERED {
            *self = Terms::new();
        }
    }

    /// The number of a term.
    pub(crate) fn number(&mut self, term: &str) -> u32 {
        number(term, &mut self.numbers, &mut self.texts)
    }

    /// The term of that number.
    pub(crate) fn text(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }

    /// The numbers of an identifier's terms.
    pub(crate) fn terms_of(&mut self, identifier: &str) -> &[u32] {
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

/// The index terms of an identifier, handed to `f`: its parts as stems, and in front of them the
/// whole name in lower case without separators where it has several parts.
pub(crate) fn terms_of(identifier: &str, stems: &mut Stems, mut f: impl FnMut(&str)) {
    let mut lower = String::new();
    let mut count = 0;
    parts(identifier, |part| {
        count += 1;
        add_lower(part, &mut lower);
    });
    if count > 1 && identifier.len() <= MAX_IDENTIFIER && lower.len() > 2 {
        f(&lower);
    }
    part_stems(identifier, count > 1, stems, &mut lower, f);
}

/// Its parts as stems; where none of them is a word, the whole name as above. `lower` is room to work in.
pub(crate) fn stems_of(
    identifier: &str,
    stems: &mut Stems,
    lower: &mut String,
    mut f: impl FnMut(&str),
) {
    let mut count = 0;
    parts(identifier, |_| count += 1);
    if !part_stems(identifier, count > 1, stems, lower, &mut f) {
        terms_of(identifier, stems, f);
    }
}

/// Whether there were any.
fn part_stems(
    identifier: &str,
    several: bool,
    stems: &mut Stems,
    lower: &mut String,
    mut f: impl FnMut(&str),
) -> bool {
    let mut taken = 0;
    parts(identifier, |part| {
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

/// Single letters and long numbers are no words.
fn is_word(part: &str) -> bool {
    let digits = part.bytes().all(|b| b.is_ascii_digit());
    part.len() > 1 && part.len() <= 40 && !(digits && part.len() > 6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> String {
        let mut stems = Stems::new();
        let mut found = Vec::new();
        runs(text, |run| match run {
            Run::Identifier(name) => terms_of(name, &mut stems, |t| found.push(t.to_owned())),
            Run::Gram(gram) => found.push(gram.to_owned()),
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
        assert_eq!(american("unnormalised").as_deref(), Some("unnormalized"));
        assert_eq!(american("reinitialise").as_deref(), Some("reinitialize"));
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
