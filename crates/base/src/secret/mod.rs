//! Likely secrets in texts: keys of known forms, private keys, passwords in addresses, values given to names
//! such as `password` and `api_key`. One pass, in time linear in the text.
//!
//! `blocks` finds texts of several lines within programs. Known forms are in `forms` and `rules`. `names` classifies names, `named` finds the value of a name, `lines` finds
//! values on other lines than their names, `likely` judges values, and `framed` finds places that show a secret without
//! a name.

mod blocks;
mod forms;
mod framed;
mod keywords;
mod likely;
mod lines;
mod named;
mod names;
mod rules;
mod scan;

use std::borrow::Cow;
use std::ops::Range;

/// Most passes over a text.
const MOST_PASSES: usize = 8;

/// A range of text that is likely a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Bytes of the secret itself; the name or address around it is left out.
    pub range: Range<usize>,
    /// Kind of secret, e.g. `GitHub token`.
    pub kind: &'static str,
}

/// Every likely secret, in order, none overlapping another.
pub fn find_secrets(text: &str) -> Vec<Finding> {
    scan::Scan::new(text, false).into_findings()
}

/// Whether a single word looks like a key, whatever is around it: long, of letters and digits without a pattern.
pub fn looks_like_bare_key(word: &str) -> bool {
    let stand = likely::ValueContext {
        quoted: true,
        loose: false,
    };
    word.len() >= 16 && likely::is_likely_secret(word, names::SecretNameKind::Key, stand)
}

/// Kind of a text, as far as secrets are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// A program: the text after `token =` without quotes is an expression.
    Code,
    /// Configuration, documentation, logs.
    Other,
}

impl TextKind {
    /// Kind of a file's text, by its path.
    pub fn from_path(path: &str) -> TextKind {
        match crate::Language::from_path(path) {
            Some(language) if !language.profile().has_bare_texts => TextKind::Code,
            _ => TextKind::Other,
        }
    }
}

/// The text with `*` in place of every byte of a likely secret, except line ends. Its length does not change, so every
/// position stays valid.
pub fn mask_secrets(text: String, kind: TextKind) -> String {
    let mut text = text;
    // A masked secret may have hidden another one from the search.
    for _ in 0..MOST_PASSES {
        let found = scan::Scan::new(&text, kind == TextKind::Code).into_findings();
        if found.is_empty() {
            break;
        }
        let mut bytes = text.into_bytes();
        for finding in found {
            for byte in &mut bytes[finding.range] {
                if !matches!(byte, b'\n' | b'\r') {
                    *byte = b'*';
                }
            }
        }
        // Whole characters were replaced, so the bytes are still text.
        text = String::from_utf8(bytes).unwrap_or_default();
    }
    text
}

/// The text with `[redacted: <kind>]` in place of each likely secret, and the kinds found, in order. Borrowed if there is none.
pub fn redact_secrets(text: &str) -> (Cow<'_, str>, Vec<&'static str>) {
    let found = find_secrets(text);
    if found.is_empty() {
        return (Cow::Borrowed(text), Vec::new());
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for finding in &found {
        out.push_str(&text[from..finding.range.start]);
        out.push_str("[redacted: ");
        out.push_str(finding.kind);
        out.push(']');
        from = finding.range.end;
    }
    out.push_str(&text[from..]);
    (Cow::Owned(out), found.into_iter().map(|f| f.kind).collect())
}

#[cfg(test)]
mod tests;
