//! Likely secrets in texts: keys of known forms, private keys, passwords in addresses, values given to names
//! such as `password` and `api_key`. One pass, in time linear in the text.
//!
//! What each form looks like is in `forms`; what makes a value of a named setting likely is in `assigned`.

mod assigned;
mod forms;
mod scan;

use std::borrow::Cow;
use std::ops::Range;

/// A stretch of text that is likely secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Bytes of the secret itself; the name or address around it is left out.
    pub range: Range<usize>,
    /// What it looks like, e.g. `GitHub token`.
    pub kind: &'static str,
}

/// Every likely secret, in order, none overlapping another.
pub fn find(text: &str) -> Vec<Finding> {
    scan::Scan::new(text, false).run()
}

/// What a text is, as far as secrets are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// A program: what follows `token =` without quotes is an expression.
    Code,
    /// Configuration, documentation, logs.
    Other,
}

impl TextKind {
    /// By the file's path.
    pub fn of_path(path: &str) -> TextKind {
        match crate::Language::of_path(path) {
            Some(_) => TextKind::Code,
            None => TextKind::Other,
        }
    }
}

/// The text with `*` in place of every byte of a likely secret, line ends apart: as long as before, so that every
/// position stays what it was.
pub fn mask(text: String, kind: TextKind) -> String {
    let found = scan::Scan::new(&text, kind == TextKind::Code).run();
    if found.is_empty() {
        return text;
    }
    let mut bytes = text.into_bytes();
    for finding in found {
        for byte in &mut bytes[finding.range] {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b'*';
            }
        }
    }
    // Whole characters were replaced, so that it is text still.
    String::from_utf8(bytes).unwrap_or_default()
}

/// The text with `[redacted: <kind>]` in place of each likely secret, and the kinds found, in order.
/// Borrowed where there is none.
pub fn redact(text: &str) -> (Cow<'_, str>, Vec<&'static str>) {
    let found = find(text);
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
