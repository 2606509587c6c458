//! Terms of a text for the index: stems of words, parts of identifiers, pairs of Chinese, Japanese and Korean characters, and the
//! English of their terms. Also codes and names of exceptions, which are matched exactly.

use crate::glossary;
use std::collections::HashSet;
use std::sync::LazyLock;
use text::cjk::is_cjk_or_mark;
use text::identifier::{Digits, borders};
use text::list;
use text::stem::English;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The most characters of a field that are indexed.
const INDEXED: usize = 200_000;
/// The most characters of a word; longer ones are data.
const LONGEST: usize = 64;

/// The terms of a text as they are indexed, in order, with repetitions.
pub(crate) fn index_terms(text: &str) -> Vec<String> {
    let stemmer = English::new();
    let mut out = Vec::new();
    let mut word = String::new();
    let mut signs: Vec<char> = Vec::new();
    for c in text.chars().take(INDEXED).chain(['\n']) {
        if is_cjk_or_mark(c) {
            push_stemmed_word(&stemmer, &mut word, &mut out);
            signs.push(c);
            continue;
        }
        push_cjk_bigrams(&mut signs, &mut out);
        if c.is_alphanumeric() || is_combining_mark(c) {
            word.push(c)
        } else {
            push_stemmed_word(&stemmer, &mut word, &mut out)
        }
    }
    if text.chars().take(INDEXED).any(is_cjk_or_mark) {
        let english = glossary::translate_terms(text).english;
        out.extend(
            english
                .iter()
                .flat_map(|words| words.split(' '))
                .map(|w| stemmer.stem(w).into_owned()),
        );
    }
    out
}

/// The text for a field of the index.
pub(crate) fn index_text(text: &str) -> String {
    index_terms(text).join(" ")
}

/// Adds pairs of neighbouring characters; a single one is added alone.
fn push_cjk_bigrams(signs: &mut Vec<char>, out: &mut Vec<String>) {
    match signs.len() {
        0 => return,
        1 => out.push(signs[0].to_string()),
        _ => out.extend(signs.windows(2).map(|pair| pair.iter().collect::<String>())),
    }
    signs.clear();
}

fn push_stemmed_word(stemmer: &English, word: &mut String, out: &mut Vec<String>) {
    if word.is_empty() {
        return;
    }
    let parts = split_camel_case(word);
    let mut push = |text: &str| {
        let plain = fold_case_and_marks(text);
        if plain.is_empty() || plain.chars().count() > LONGEST {
            return;
        }
        let is_word = plain.bytes().all(|b| b.is_ascii_lowercase());
        out.push(if is_word {
            stemmer.stem(&plain).into_owned()
        } else {
            plain
        });
    };
    push(word);
    if parts.len() > 1 {
        parts.iter().for_each(|part| push(part));
    }
    word.clear();
}

/// The text in lower case, without diacritics.
fn fold_case_and_marks(text: &str) -> String {
    if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        text.nfkd()
            .filter(|c| !is_combining_mark(*c))
            .flat_map(char::to_lowercase)
            .filter(|c| c.is_alphanumeric())
            .collect()
    }
}

/// The words of a name such as `NullPointerException`; at most eight.
fn split_camel_case(word: &str) -> Vec<&str> {
    let mut cuts = vec![0];
    borders(word, Digits::JoinWords, |at| {
        if cuts.len() < 8 {
            cuts.push(at);
        }
    });
    cuts.push(word.len());
    cuts.windows(2).map(|w| &word[w[0]..w[1]]).collect()
}

/// Words that tell nothing about a problem.
static COMMON: LazyLock<HashSet<&str>> =
    LazyLock::new(|| list::words(include_str!("words/common.txt")).collect());

/// The terms of a query, each once; common ones only where there are no others.
pub(crate) fn query_terms(query: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    let all: Vec<String> = index_terms(query)
        .into_iter()
        .filter(|t| seen.insert(t.clone()))
        .collect();
    let telling: Vec<String> = all
        .iter()
        .filter(|t| !COMMON.contains(t.as_str()))
        .cloned()
        .collect();
    if telling.is_empty() { all } else { telling }
}

/// Codes and exceptions in a text, in lower case, each once.
pub(crate) fn error_codes(text: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    let lower = find_error_codes(text).into_iter().map(|c| c.to_lowercase());
    lower.filter(|c| seen.insert(c.clone())).collect()
}

/// Codes and exceptions as written in the text, each once, at most 200.
pub(crate) fn find_error_codes(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    let mut before = ["", ""];
    let splits = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let end = text
        .char_indices()
        .nth(INDEXED)
        .map_or(text.len(), |(at, _)| at);
    for token in text[..end].split(splits) {
        let token = token.trim_matches(['.', '-', '_']);
        if token.is_empty() {
            continue;
        }
        let last = token.rsplit('.').next().unwrap_or(token);
        let code = is_error_code(last)
            .then(|| last.to_owned())
            .or_else(|| status_code(before, token));
        if let Some(code) = code
            && found.len() < 200
            && seen.insert(code.clone())
        {
            found.push(code);
        }
        before = [before[1], token];
    }
    found
}

/// A status code such as `HTTP 404`, `status code 502`, `exit code 137`, `errno 13`, or an SQL state.
fn status_code(before: [&str; 2], token: &str) -> Option<String> {
    let number = |least: usize| {
        (least..=5).contains(&token.len()) && token.bytes().all(|b| b.is_ascii_digit())
    };
    let word = before[1].to_ascii_lowercase();
    let first = before[0].to_ascii_lowercase();
    match (first.as_str(), word.as_str()) {
        (_, "http" | "status") | ("status" | "http" | "response", "code" | "status")
            if number(3) && token.len() == 3 =>
        {
            Some(format!("HTTP {token}"))
        }
        ("exit" | "return", "code" | "status") | (_, "exited") if number(1) => {
            Some(format!("exit code {token}"))
        }
        (_, "errno") if number(1) => Some(format!("errno {token}")),
        (_, "sqlstate") if token.len() == 5 => Some(format!("SQLSTATE {token}")),
        _ => None,
    }
}

/// Names of the system's errors.
static ERRNOS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| list::words(include_str!("words/errors.txt")).collect());

/// Words with letters and digits that are no codes.
static NO_CODES: LazyLock<HashSet<&str>> =
    LazyLock::new(|| list::words(include_str!("words/no_codes.txt")).collect());

fn is_error_code(token: &str) -> bool {
    if token.len() < 3 || token.len() > 80 || !token.is_ascii() {
        return false;
    }
    let upper = token.bytes().any(|b| b.is_ascii_uppercase());
    if ERRNOS.contains(token) {
        return true;
    }
    if let Some(hex) = token
        .strip_prefix("0x")
        .or_else(|| token.strip_prefix("0X"))
    {
        return (6..=16).contains(&hex.len()) && hex.bytes().all(|b| b.is_ascii_hexdigit());
    }
    if !upper || token.contains('.') {
        return false;
    }
    is_exception(token) || is_numbered_code(token) || is_upper_case_constant(token)
}

/// Whether a token is an exception: `KeyError`, `NullPointerException`, `SegmentationFault`.
fn is_exception(token: &str) -> bool {
    let camel = token.starts_with(|c: char| c.is_ascii_uppercase())
        && token.bytes().any(|b| b.is_ascii_lowercase());
    let ends = [
        "Error",
        "Exception",
        "Fault",
        "Panic",
        "Violation",
        "Failure",
    ];
    let stem = ends.iter().find_map(|e| token.strip_suffix(e));
    camel
        && stem.is_some_and(|stem| stem.len() >= 2)
        && token.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// Whether a token is a numbered code: `E0382`, `TS2345`, `ORA-00942`, `CVE-2021-44228`.
fn is_numbered_code(token: &str) -> bool {
    let letters = token.bytes().take_while(u8::is_ascii_alphabetic).count();
    if letters == 0 || letters > 10 || !token[..letters].bytes().all(|b| b.is_ascii_uppercase()) {
        return false;
    }
    let rest = token[letters..].trim_start_matches(['-', '_']);
    let digits = rest.bytes().filter(u8::is_ascii_digit).count();
    let only = rest
        .bytes()
        .all(|b| b.is_ascii_digit() || b == b'-' || b.is_ascii_uppercase());
    let word = token[..letters].to_ascii_lowercase();
    only && digits >= 2
        && digits * 2 > rest.len()
        && rest.starts_with(|c: char| c.is_ascii_digit())
        && token.len() >= 4
        && !NO_CODES.contains(word.as_str())
}

/// Whether a token is a constant in upper case: `CERTIFICATE_VERIFY_FAILED`, `ERR_OSSL_EVP_UNSUPPORTED`.
fn is_upper_case_constant(token: &str) -> bool {
    let capital = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
    token.len() >= 8
        && token.contains('_')
        && token.bytes().all(capital)
        && !token.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_parts_and_pairs() {
        assert_eq!(index_terms("Timeouts timed"), ["timeout", "time"]);
        assert_eq!(
            index_terms("NullPointerException"),
            ["nullpointerexcept", "null", "pointer", "except"]
        );
        assert_eq!(
            index_terms("snake_case HTTPServer2"),
            ["snake", "case", "httpserver2", "http", "server2"]
        );
        let mixed = index_terms("连接超时 abc 中");
        assert_eq!(mixed[..5], ["连接", "接超", "超时", "abc", "中"]);
        assert!(mixed.contains(&"timeout".to_owned()), "{mixed:?}");
        assert_eq!(index_terms("café Straße"), ["cafe", "straße"]);
        assert_eq!(index_terms("\0\u{1f680} -- \"\""), [""; 0]);
    }

    #[test]
    fn questions_lose_common_words() {
        assert_eq!(
            query_terms("How do I fix the the timeout?"),
            ["fix", "timeout"]
        );
        assert_eq!(query_terms("to be or not to be"), ["to", "be", "or", "not"]);
    }

    #[test]
    fn codes_are_told_from_words() {
        let text = "error[E0382]: TS2345 ORA-00942 java.lang.NullPointerException ECONNREFUSED 0x80070005 \
                    ERR_OSSL_EVP_UNSUPPORTED CVE-2021-44228 status code 502, exit code 137, HTTP 404 \
                    KeyError: 'x' [SSL: CERTIFICATE_VERIFY_FAILED] CrashLoopBackOff errno 13 E11000";
        let want = [
            "E0382",
            "TS2345",
            "ORA-00942",
            "NullPointerException",
            "ECONNREFUSED",
            "0x80070005",
            "ERR_OSSL_EVP_UNSUPPORTED",
            "CVE-2021-44228",
            "HTTP 502",
            "exit code 137",
            "HTTP 404",
            "KeyError",
            "CERTIFICATE_VERIFY_FAILED",
            "CrashLoopBackOff",
            "errno 13",
            "E11000",
        ];
        assert_eq!(find_error_codes(text), want);
        let prose = "UTF-8 SHA256 IPv6 Error Exception HTTP2 x86_64 Python3 v1.2.3 the ERROR in 2024 IPV4 H264 port 8080";
        assert_eq!(find_error_codes(prose), [""; 0]);
        assert_eq!(error_codes("KeyError KEYERROR KeyError"), ["keyerror"]);
    }
}
