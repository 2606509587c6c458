//! What must not be kept: `<private>` blocks, likely secrets, signs that no database takes.

use base::secret;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// Cleans texts and remembers what was removed.
#[derive(Default)]
pub(crate) struct Cleaner {
    blocks: usize,
    nuls: usize,
    secrets: BTreeMap<&'static str, usize>,
    /// Values that are secret somewhere, and so everywhere.
    known: BTreeSet<String>,
}

/// The shortest value that is looked for where nothing else tells it.
const KNOWN: usize = 6;

impl Cleaner {
    /// The text without private blocks, secrets and NUL bytes.
    pub(crate) fn clean(&mut self, text: &str) -> String {
        let (open, blocks) = strip_private_blocks(text);
        self.blocks += blocks;
        let nuls = open.bytes().filter(|b| *b == 0).count();
        self.nuls += nuls;
        let open = match nuls {
            0 => open,
            _ => open.replace('\0', ""),
        };
        let (clean, kinds) = secret::redact_secrets(&open);
        for kind in kinds {
            *self.secrets.entry(kind).or_default() += 1;
        }
        self.remove_known_secrets(clean.trim())
    }

    /// The text without the values that are secret elsewhere. Each place is looked up among all of them at once: a text
    /// may have a secret on every line.
    fn remove_known_secrets(&mut self, text: &str) -> String {
        let (mut out, mut from, mut at) = (String::new(), 0, 0);
        let mut met: BTreeSet<&str> = BTreeSet::new();
        while !self.known.is_empty() && text.len() - at >= KNOWN {
            match longest_secret_at(&self.known, &text[at..]) {
                Some(value) => {
                    out.push_str(&text[from..at]);
                    out.push_str("[redacted]");
                    met.insert(value);
                    at += value.len();
                    from = at;
                }
                None => at += text[at..].chars().next().map_or(1, char::len_utf8),
            }
        }
        if !met.is_empty() {
            *self.secrets.entry("value").or_default() += met.len();
        }
        out.push_str(&text[from..]);
        out
    }

    /// Remembers the values that are secret in a text, so that they are none the less so in another one.
    pub(crate) fn collect_secrets(&mut self, text: &str) {
        let (open, _) = strip_private_blocks(text);
        for found in secret::find_secrets(&open) {
            let value = open[found.range].trim();
            if value.len() >= KNOWN {
                self.known.insert(value.to_owned());
            }
        }
    }

    /// Begins with another solution.
    pub(crate) fn clear_secrets(&mut self) {
        self.known.clear();
    }

    /// A tag, which is a word: what looks like a key is none.
    pub(crate) fn clean_tag(&mut self, text: &str) -> Option<String> {
        let clean = self.clean(text);
        if text
            .split([' ', ',', '=', ':'])
            .any(secret::looks_like_bare_key)
        {
            *self.secrets.entry("tag").or_default() += 1;
            return None;
        }
        let kept = !clean.is_empty() && !clean.contains("[redacted");
        kept.then_some(clean)
    }

    /// What was removed, for the user.
    pub(crate) fn removal_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.blocks > 0 {
            notes.push(format!("{} private block(s) were left out", self.blocks));
        }
        if !self.secrets.is_empty() {
            let kinds: Vec<String> = self
                .secrets
                .iter()
                .map(|(kind, count)| match count {
                    1 => (*kind).to_owned(),
                    _ => format!("{kind} × {count}"),
                })
                .collect();
            notes.push(format!(
                "likely secrets were redacted: {}",
                kinds.join(", ")
            ));
        }
        if self.nuls > 0 {
            notes.push(format!("{} NUL byte(s) were left out", self.nuls));
        }
        notes
    }
}

/// The longest known value that a text begins with: the nearest one before it in the order, or one that begins both.
fn longest_secret_at<'k>(known: &'k BTreeSet<String>, text: &str) -> Option<&'k str> {
    let mut most = text;
    loop {
        let before = known.range::<str, _>((Bound::Unbounded, Bound::Included(most)));
        let before = before.last()?.as_str();
        if most.starts_with(before) {
            return Some(before);
        }
        let mut shared = before.bytes().zip(most.bytes()).take_while(|(a, b)| a == b);
        let mut shared = shared.by_ref().count();
        while !most.is_char_boundary(shared) {
            shared -= 1;
        }
        // A shorter one may stand farther before.
        if shared < KNOWN {
            return None;
        }
        most = &most[..shared];
    }
}

const OPEN: &[u8] = b"<private";
const CLOSE: &[u8] = b"</private";

/// The text outside of `<private>…</private>`, and how many blocks there were. Blocks may lie in one another; one
/// that is never closed reaches to the end.
pub(crate) fn strip_private_blocks(text: &str) -> (String, usize) {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let (mut depth, mut blocks, mut from, mut at) = (0usize, 0, 0, 0);
    while let Some(offset) = bytes[at..].iter().position(|b| *b == b'<') {
        let tag = at + offset;
        let opens = starts_with_ignore_case(&bytes[tag..], OPEN);
        let closes = starts_with_ignore_case(&bytes[tag..], CLOSE);
        at = tag + 1;
        if !(opens || closes) {
            continue;
        }
        let name = if opens { OPEN.len() } else { CLOSE.len() };
        let rest = &bytes[tag + name..];
        // A tag may have attributes; its end is near.
        let end = rest.iter().take(200).position(|b| *b == b'>');
        let Some(end) = end.filter(|e| *e == 0 || !rest[0].is_ascii_alphanumeric()) else {
            continue;
        };
        at = tag + name + end + 1;
        if opens {
            if depth == 0 {
                out.push_str(&text[from..tag]);
                blocks += 1;
            }
            depth += 1;
        } else if depth > 0 {
            depth -= 1;
            from = at;
        }
    }
    if depth == 0 {
        out.push_str(&text[from..]);
    }
    (out, blocks)
}

fn starts_with_ignore_case(bytes: &[u8], word: &[u8]) -> bool {
    bytes
        .get(..word.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_blocks_go() {
        for (text, left, blocks) in [
            ("a <private>b</private> c", "a  c", 1),
            ("a <PRIVATE reason=\"x\">b</Private > c", "a  c", 1),
            ("a <private>b <private>c</private> d</private> e", "a  e", 1),
            ("a <private>never closed", "a ", 1),
            ("<private>a</private><private>b</private>", "", 2),
            ("a </private> b", "a </private> b", 0),
            (
                "a <privateer>b</privateer>",
                "a <privateer>b</privateer>",
                0,
            ),
            ("if a < b", "if a < b", 0),
            ("密<private>é</private>码", "密码", 1),
        ] {
            assert_eq!(
                strip_private_blocks(text),
                (left.to_owned(), blocks),
                "{text}"
            );
        }
    }

    #[test]
    fn what_was_removed_is_said() {
        let mut cleaner = Cleaner::default();
        let text = "x\0 <private>y</private> postgres://u:s3cretpw@h/d";
        assert_eq!(
            cleaner.clean(text),
            "x  postgres://u:[redacted: password in an address]@h/d"
        );
        let notes = cleaner.removal_notes().join("; ");
        assert!(
            notes.contains("1 private block")
                && notes.contains("password")
                && notes.contains("NUL"),
            "{notes}"
        );
        assert!(!notes.contains("s3cretpw"));
        assert!(Cleaner::default().removal_notes().is_empty());
    }

    #[test]
    fn what_is_secret_in_one_field_is_so_in_all() {
        let mut cleaner = Cleaner::default();
        cleaner.collect_secrets("DB_PASSWORD=w4lnut-gravel7");
        assert_eq!(
            cleaner.clean("then w4lnut-gravel7 was refused"),
            "then [redacted] was refused"
        );
        assert_eq!(cleaner.clean_tag("w4lnut-gravel7"), None);
        assert_eq!(cleaner.clean_tag("password:w4lnut-gravel7"), None);
        // Long, without pattern: no tag is so, whatever is known.
        assert_eq!(cleaner.clean_tag("a8Fk2LmQ9zXc4VbN7sDf1GhJ"), None);
        for tag in [
            "docker",
            "error:ECONNREFUSED",
            "python-3.12",
            "token-expiry",
            "utf-8",
        ] {
            assert_eq!(cleaner.clean_tag(tag).as_deref(), Some(tag));
        }
        cleaner.clear_secrets();
        assert_eq!(cleaner.clean("w4lnut-gravel7"), "w4lnut-gravel7");
    }

    #[test]
    fn a_secret_on_every_line_takes_linear_time() {
        let line = |n: u32| format!("password = \"aK{n:x}9zQm{n:07}\"\n");
        let text: String = (0..60_000).map(line).collect();
        let mut cleaner = Cleaner::default();
        cleaner.collect_secrets(&text);
        assert!(cleaner.known.len() > 50_000);
        let bare: String = text.replace("password = ", "");
        let clean = cleaner.clean(&bare);
        assert!(clean.matches("[redacted]").count() > 50_000);
        assert_eq!(cleaner.clean("nothing of that"), "nothing of that");
    }

    #[test]
    fn known_values_are_found_wherever_they_stand() {
        let mut cleaner = Cleaner::default();
        let values = ["abcdefg1", "abcdefg1x", "abcdefh", "abcdzz9"];
        cleaner.known = values.map(str::to_owned).into();
        for (text, clean) in [
            ("abcdefg1", "[redacted]"),
            ("xabcdefg1yy", "x[redacted]yy"),
            ("abcdefg1xabcdefh", "[redacted][redacted]"),
            ("abcdefg1zabcdefé", "[redacted]zabcdefé"),
            ("ééabcdzz9", "éé[redacted]"),
            ("abcdeabcdzz", "abcdeabcdzz"),
        ] {
            assert_eq!(cleaner.clean(text), clean, "{text}");
        }
    }

    #[test]
    fn many_tags_take_linear_time() {
        let text = "<private".repeat(200_000);
        let since = std::time::Instant::now();
        strip_private_blocks(&text);
        assert!(since.elapsed().as_secs() < 3);
    }
}
