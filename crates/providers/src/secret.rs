//! A text that cannot be shown by accident.

use std::fmt;

/// A key. Neither `{}` nor `{:?}` shows it, and it cannot be serialised.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Creates a secret from a key, without the white space around it.
    pub fn new(key: impl Into<String>) -> Secret {
        Secret(key.into().trim().to_owned())
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The key itself, for a header.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// A text without the key, even if it has only a part of it: no eight characters of the key in a
    /// row stay.
    pub(crate) fn redact_from(&self, text: &str) -> String {
        const RUN: usize = 8;
        let key = self.0.as_bytes();
        let bytes = text.as_bytes();
        let mut hidden = vec![false; bytes.len()];
        let run = RUN.min(key.len());
        for (at, window) in bytes.windows(run.max(1)).enumerate() {
            if run > 0 && key.windows(run).any(|part| part == window) {
                hidden[at..at + run].fill(true);
            }
        }
        let mut out = String::with_capacity(text.len());
        let mut before = false;
        for (at, c) in text.char_indices() {
            if !hidden[at] {
                out.push(c);
            } else if !before {
                out.push_str("[redacted]");
            }
            before = hidden[at];
        }
        out
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret([redacted])")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_format_shows_a_key() {
        let key = Secret::new(" sk-abcdefgh12345678\n");
        assert_eq!(key.expose(), "sk-abcdefgh12345678");
        let shown = format!("{key} {key:?} {:?} {key:#?}", Some(&key));
        assert!(!shown.contains("abcdefgh"), "{shown}");
        assert_eq!(format!("{key}"), "[redacted]");
    }

    #[test]
    fn texts_lose_the_key_and_its_parts() {
        let key = Secret::new("sk-abcdefgh12345678");
        assert_eq!(
            key.redact_from("Incorrect key: sk-abcdefgh12345678, größer"),
            "Incorrect key: [redacted], größer"
        );
        assert_eq!(
            key.redact_from("Incorrect key: sk-abcde***"),
            "Incorrect key: [redacted]***"
        );
        assert_eq!(key.redact_from("nothing here"), "nothing here");
        assert_eq!(Secret::new("").redact_from("text"), "text");
    }
}
