//! Judges whether a value is likely the secret that its name suggests, or only a stand-in: placeholders, words, paths,
//! code.

use super::names::{self, SecretNameKind};
use crate::list::{self, WordList};
use std::sync::LazyLock;

/// Lists of texts of values.
pub(super) const VALUES: &str = include_str!("values.txt");

/// Parts of values that are placeholders for a secret.
static PLACEHOLDERS: WordList =
    LazyLock::new(|| list::words(list::section(VALUES, "placeholders")).collect());

/// Beginnings of short values that name an algorithm, an encoding or a field.
static TERMS: WordList = LazyLock::new(|| list::words(list::section(VALUES, "terms")).collect());

/// For each letter, a bit set of the letters that follow it in the words of programs.
const FOLLOW: [u32; 26] = [
    0x1FFBD7F, 0x01E591F, 0x11EDD95, 0x137695F, 0x1FFF9FF, 0x11E4931, 0x01679D1, 0x11E5911,
    0x2AEFD7F, 0x0044011, 0x0040111, 0x13CF93D, 0x11CD91F, 0x13EFD7F, 0x0FEFD7F, 0x11ECD99,
    0x0100810, 0x13EFD7F, 0x15FFDB7, 0x15ED9BF, 0x00EB97F, 0x000C111, 0x0066191, 0x0088114,
    0x00CB118, 0x0000111,
];

/// For each letter, the cost of each next one in the names and words of public code: bits, less one, nine at most.
const COSTS: [&[u8; 26]; 26] = [
    b"84336649496232949231566558",
    b"26562689247267369436288939",
    b"26462472493367168352468969",
    b"35431566287355358335464769",
    b"36335457597442645123655459",
    b"35552278199355259334387759",
    b"46561544397453458234467978",
    b"16551678297646269353466958",
    b"45334449898341259432849694",
    b"37540678496656267636377878",
    b"36340566298544556524576979",
    b"25541667297366249643357949",
    b"14551677297646327645477879",
    b"36322426495564359632457979",
    b"55337558585331439244354799",
    b"26552665497366239243466959",
    b"67555778698477648554086989",
    b"26441558296545269333547949",
    b"47361664295556337521476955",
    b"26451573298556349234476739",
    b"44453459399332739222899898",
    b"16560677299655457655888899",
    b"24452573297553357225667898",
    b"45252465398546528541676649",
    b"44344465386333517422665887",
    b"37550578497565349445577854",
];

/// Position of a value relative to its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ValueContext {
    /// In quotes, or in another frame that shows where it ends.
    pub(super) quoted: bool,
    /// Whether something stands between name and value: a call, a key, an alternative.
    pub(super) loose: bool,
}

/// Whether a value is likely the secret that its name suggests.
pub(super) fn is_likely_secret(value: &str, promise: SecretNameKind, stand: ValueContext) -> bool {
    if value.len() < 6 || value.contains(char::is_whitespace) || is_placeholder(value) {
        return false;
    }
    let shape = Shape::analyze(value);
    if starts_with_known_term(value) || looks_like_date(value.as_bytes()) {
        return false;
    }
    match promise {
        SecretNameKind::Password | SecretNameKind::Pair => {
            looks_like_password(value, &shape, stand) || looks_like_generated_key(value, &shape)
        }
        SecretNameKind::Key => {
            looks_like_generated_key(value, &shape)
                || looks_like_strong_password(value, &shape, stand)
                || looks_like_passphrase(value)
                || has_random_letters(value)
                || !stand.loose
                    && value.len() >= 8
                    && shape.has_irregular_case()
                    && shape.has_costly_letter_pairs()
        }
        SecretNameKind::Perhaps => {
            let long = value.len() >= 20 && shape.digits >= 3 && shape.letter_count() >= 5;
            value.len() >= 20
                && has_random_letters(value)
                && !looks_like_code(value)
                && !looks_like_path_or_url(value, &shape)
                || long
                    && (shape.has_short_runs(2.8) || is_hex(value))
                    && looks_like_generated_key(value, &shape)
                    && !is_uuid(value)
        }
    }
}

/// Whether letters of both cases are mixed as in no word: `EqsIJNNxWtsrGrdz`.
pub(super) fn has_random_letters(value: &str) -> bool {
    let shape = Shape::analyze(value);
    value.len() >= 12 && shape.symbols * 8 <= value.len() && shape.has_costly_letter_pairs()
}

/// Whether only a program can have made up the value: a name near it is enough evidence.
pub(super) fn is_surely_generated(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let noise = value.len() >= 14
        && has_random_letters(value)
        && Shape::analyze(value).has_irregular_case();
    if digits < 2 && !noise
        || is_placeholder(value)
        || starts_with_known_term(value)
        || looks_like_date(value.as_bytes())
    {
        return false;
    }
    let shape = Shape::analyze(value);
    let kinds = [
        shape.lower,
        shape.upper,
        shape.digits,
        shape.symbols - shape.joints,
    ];
    let kinds = kinds.iter().filter(|count| **count > 0).count();
    let mixed = kinds >= 3 && shape.lower > 0 && shannon_entropy(value) >= 3.3;
    let long = value.len() >= 24 && shape.letter_count() >= 6 && shannon_entropy(value) >= 3.0;
    (mixed || long || noise)
        && shape.letter_count() >= 4
        && shape.symbols * 4 <= value.len()
        && shape.has_short_runs(2.5)
        && !looks_like_code(value)
        && !looks_like_path_or_url(value, &shape)
        && !value.contains("/")
        && !looks_like_compound_name(value, &shape)
        && !is_uuid(value)
}

/// Whether a person may have chosen the value: `password: optional` and `password=user.password` are code and prose.
fn looks_like_password(value: &str, shape: &Shape, stand: ValueContext) -> bool {
    // A value of letters alone counts as a name if nothing frames it, unless the letters form no word.
    let letters = value.len() >= 8 && shape.symbols == 0 && shape.has_costly_letter_pairs();
    let code = !stand.quoted && !letters && looks_like_code(value);
    if value.len() > 256 || looks_like_path_or_url(value, shape) || code {
        return false;
    }
    if looks_like_compound_name(value, shape) {
        return false;
    }
    let mixed = shape.digits > 0 && (shape.letter_count() > 0 || shape.digits == value.len());
    let inner = value.trim_matches(|c: char| !c.is_alphanumeric());
    let signs = shape.symbols > shape.joints
        && shape.letter_count() >= 4
        && !looks_like_call(value)
        && !inner.chars().all(char::is_alphabetic);
    if stand.loose {
        let strange = shape.has_short_runs(3.2)
            || shape.symbols > shape.joints
            || looks_like_passphrase(value);
        value.len() >= 8
            && (mixed && strange && shape.letter_count() >= 2 && !looks_like_call(value)
                || shape.has_irregular_case()
                || has_random_letters(value))
    } else {
        mixed
            || signs
            || shape.has_irregular_case()
            || value.len() >= 8 && shape.has_costly_letter_pairs()
    }
}

/// Whether a machine made the value: it is long and without pattern.
fn looks_like_generated_key(value: &str, shape: &Shape) -> bool {
    value.len() >= 16
        && (shape.digits >= 2 || shape.digits == 1 && shape.has_costly_letter_pairs())
        && shape.letter_count() >= 4
        && shape.symbols * 4 <= value.len()
        && (shape.has_short_runs(3.2) || is_hex(value))
        && shannon_entropy(value) >= 3.0
        && !looks_like_path_or_url(value, shape)
        && !looks_like_code(value)
}

/// Whether the value is short, but has so many kinds of characters that it is no word.
fn looks_like_strong_password(value: &str, shape: &Shape, stand: ValueContext) -> bool {
    let kinds = [shape.lower, shape.upper, shape.digits, shape.symbols];
    let kinds = kinds.iter().filter(|count| **count > 0).count();
    let framed = stand.quoted || !looks_like_code(value);
    let strange = shape.has_short_runs(2.7) || shape.symbols > shape.joints;
    framed
        && value.len() >= 8
        && shape.digits > 0
        && kinds >= 3
        && strange
        && !looks_like_path_or_url(value, shape)
        && !looks_like_call(value)
        && !looks_like_compound_name(value, shape)
}

/// `user.password`, `get_token()`, `$TOKEN`, `settings["x"]`: names and calls.
fn looks_like_code(value: &str) -> bool {
    let called = value.contains(['(', ')', '[', ']', '{', '}', ';']);
    let joined = value.contains('.') && !Shape::analyze(value).has_short_runs(2.2);
    let mut parts = value.split(['.', ':']);
    let word = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.chars().all(|c| {
                c.is_ascii_alphabetic() || c == '_' || c == '-' || joined && c.is_ascii_digit()
            })
    };
    called || parts.all(word)
}

/// `get_password(user)`: a name before brackets.
fn looks_like_call(value: &str) -> bool {
    let Some((name, rest)) = value.split_once(['(', '[', '{']) else {
        return false;
    };
    let named = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':' | '$' | '-'));
    named && rest.ends_with([')', ']', '}'])
}

/// `auth.v3:Password`, `test-password-1`: joined words with few or no digits, or a name that suggests a secret itself.
fn looks_like_compound_name(value: &str, shape: &Shape) -> bool {
    let phrase = looks_like_passphrase(value);
    if value.len() < 32 && shape.digits < 3 && !phrase && names::classify_name(value, "").is_some()
    {
        return true;
    }
    if phrase
        || shape.symbols == 0
        || shape.symbols > shape.joints
        || shape.has_irregular_case()
        || shape.has_unusual_letter_pairs()
    {
        return false;
    }
    let joint = |c: char| matches!(c, '_' | '-' | '.' | ':' | '/' | '+');
    // `in2_XYP4`: no part is as long as a word.
    let short = |part: &str| part.chars().filter(char::is_ascii_alphabetic).count() <= 3;
    if shape.lower > 0 && shape.upper > 0 && shape.digits > 0 && value.split(joint).all(short) {
        return false;
    }
    value
        .split(joint)
        .filter(|part| !part.is_empty())
        .all(|part| {
            let word = part.trim_end_matches(|c: char| c.is_ascii_digit());
            let number = part.len() - word.len();
            let shape = Shape::analyze(word);
            let worded = shape.letter_count() < 3
                || shape.changes == 0
                || shape.letter_count() >= 3 * shape.runs;
            word.chars().all(char::is_alphabetic)
                && (number < 3 && word.len() >= 2 && worded || part.len() < 2)
        })
}

/// `otter-bridge-47-violet`: words with a number between them, as programs propose them.
fn looks_like_passphrase(value: &str) -> bool {
    let parts: Vec<&str> = value.split(['-', '_', '.']).collect();
    let words = parts
        .iter()
        .filter(|part| part.len() >= 3 && part.bytes().all(|b| b.is_ascii_alphabetic()))
        .count();
    let numbers = parts
        .iter()
        .filter(|part| part.len() >= 2 && part.bytes().all(|b| b.is_ascii_digit()))
        .count();
    words >= 3 && numbers >= 1 && words + numbers == parts.len()
}

fn starts_with_known_term(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    value.len() < 20
        && TERMS.iter().any(|term| lower.starts_with(term))
        && !Shape::analyze(value).has_short_runs(2.0)
}

/// `2024-05-01T12:00:00Z`
fn looks_like_date(value: &[u8]) -> bool {
    let digit = |at: usize| {
        value
            .get(at)
            .is_some_and(|b| b.is_ascii_digit() || *b == b'%' || *b == b'i')
    };
    value.get(4) == Some(&b'-')
        && value.get(7) == Some(&b'-')
        && [0, 1, 2, 3, 5, 6, 8, 9].into_iter().all(digit)
        || value.starts_with(b"%i-")
}

fn is_hex(value: &str) -> bool {
    value.len() >= 32 && value.bytes().all(|b| b.is_ascii_hexdigit())
}

fn looks_like_path_or_url(value: &str, shape: &Shape) -> bool {
    let rooted = value.starts_with(['/', '~']) && value.matches('/').count() >= 2;
    rooted && !shape.has_short_runs(2.7)
        || value.contains("://")
        || value.starts_with("./")
        || value.starts_with("../")
}

fn is_uuid(value: &str) -> bool {
    let bytes = value.as_bytes();
    bytes.len() == 36 && [8, 13, 18, 23].iter().all(|at| bytes[*at] == b'-')
}

/// Whether the value is a placeholder: `${NAME}`, `<your token>`, `%(name)s`, `{{ name }}`, `@NAME@`, `xxxxxxxx`.
pub(super) fn is_placeholder(value: &str) -> bool {
    let name = |text: &str| {
        let sign = |c: char| matches!(c, '_' | '.' | '-' | ':' | '(' | ')');
        let constant = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        let named = text.chars().all(|c| c.is_ascii_alphabetic() || sign(c));
        !text.is_empty() && (named || text.contains('_') && text.chars().all(constant))
    };
    let stands = match value.as_bytes() {
        [b'$', b'{' | b'(', ..] | [b'{', b'{', ..] | [b'#', b'{', ..] | [b'<', b'%', ..] => true,
        [b'$', ..] => name(&value[1..]),
        [b'<', .., b'>']
        | [b'{', .., b'}']
        | [b'[', .., b']']
        | [b'%', .., b'%']
        | [b'@', .., b'@'] => true,
        [b'%', b'(', ..] => true,
        [b'&' | b'@' | b'%' | b'#', ..] => name(&value[1..]),
        _ => false,
    };
    if stands || value.starts_with("[redacted") {
        return true;
    }
    let lower = value.to_ascii_lowercase();
    PLACEHOLDERS.iter().any(|p| lower.contains(p)) || has_few_distinct_bytes(value.as_bytes())
}

/// Whether a few letters make up the whole, as in `xxxxxxxx` and `00000000`.
pub(super) fn has_few_distinct_bytes(value: &[u8]) -> bool {
    let mut seen = [false; 256];
    let mut distinct = 0;
    for byte in value {
        if !std::mem::replace(&mut seen[usize::from(*byte)], true) {
            distinct += 1;
        }
    }
    distinct < (value.len() / 4).clamp(3, 7)
}

/// Counts of a value's characters.
#[derive(Default)]
struct Shape {
    lower: usize,
    upper: usize,
    digits: usize,
    symbols: usize,
    /// Symbols that join words.
    joints: usize,
    /// Runs of letters and of digits; a capital with the small letters after it is one run.
    runs: usize,
    /// Number of pairs of adjacent letters that differ in case.
    changes: usize,
    /// Runs of small letters, of capitals and of digits.
    stretches: usize,
    /// Number of pairs of adjacent letters, in any case, and of those that occur in no word.
    pairs: usize,
    odd: usize,
    /// Sum of their costs, see [`COSTS`].
    cost: usize,
}

impl Shape {
    fn analyze(value: &str) -> Shape {
        let mut shape = Shape::default();
        let mut last = ' ';
        for c in value.chars() {
            if let (Some(first), Some(second)) = (letter_index(last), letter_index(c)) {
                shape.pairs += 1;
                shape.odd += usize::from(FOLLOW[first] >> second & 1 == 0);
                shape.cost += usize::from(COSTS[first][second] - b'0');
            }
            match c {
                'a'..='z' => {
                    shape.lower += 1;
                    shape.runs += usize::from(!last.is_ascii_alphabetic());
                    shape.stretches += usize::from(!last.is_ascii_lowercase());
                    shape.changes += usize::from(last.is_ascii_uppercase());
                }
                'A'..='Z' => {
                    shape.upper += 1;
                    shape.runs += usize::from(!last.is_ascii_uppercase());
                    shape.stretches += usize::from(!last.is_ascii_uppercase());
                    shape.changes += usize::from(last.is_ascii_lowercase());
                }
                '0'..='9' => {
                    shape.digits += 1;
                    shape.runs += usize::from(!last.is_ascii_digit());
                    shape.stretches += usize::from(!last.is_ascii_digit());
                }
                c if c.is_alphabetic() => shape.lower += 1,
                _ => {
                    shape.symbols += 1;
                    shape.joints += usize::from(matches!(c, '_' | '-' | '.' | ':' | '/' | '+'));
                }
            }
            last = c;
        }
        shape
    }

    fn letter_count(&self) -> usize {
        self.lower + self.upper
    }

    /// Whether its runs are shorter than those of words, on average.
    fn has_short_runs(&self, most: f64) -> bool {
        let length = (self.letter_count() + self.digits) as f64;
        let mean = |count: usize| length / count.max(1) as f64;
        mean(self.runs) < most
            || mean(self.stretches) < 2.0 && mean(self.runs) < most + 0.6
            || self.has_unusual_letter_pairs()
            || self.has_costly_letter_pairs()
    }

    /// Whether its letter pairs cost more than those of names and words.
    fn has_costly_letter_pairs(&self) -> bool {
        let both = self.lower > 0 && self.upper > 0;
        both && self.pairs >= 6 && self.cost * 4 >= self.pairs * 17
    }

    /// Whether its letters follow each other as in no word.
    fn has_unusual_letter_pairs(&self) -> bool {
        self.pairs >= 4 && self.odd * 20 >= self.pairs * 7
    }

    /// Whether letters of both cases are without order: `hGtRewQa`, unlike the words of `camelCase`.
    fn has_irregular_case(&self) -> bool {
        let both = self.lower >= 2 && self.upper >= 2;
        let often = self.changes * 5 >= self.letter_count() * 2;
        let short = self.changes >= 3 && self.letter_count() * 10 <= self.runs * 27;
        self.letter_count() >= 8 && both && (often || short || self.has_unusual_letter_pairs())
    }
}

fn letter_index(c: char) -> Option<usize> {
    let small = c.to_ascii_lowercase();
    small
        .is_ascii_lowercase()
        .then(|| small as usize - 'a' as usize)
}

/// Shannon entropy in bits per byte.
pub(super) fn shannon_entropy(value: &str) -> f64 {
    let mut counts = [0u32; 256];
    for byte in value.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let length = value.len().max(1) as f64;
    let share = |count: &u32| f64::from(*count) / length;
    let seen = counts.iter().filter(|c| **c > 0).map(share);
    seen.map(|p| -p * p.log2()).sum()
}
