//! Removal of content that must not be stored: `<private>` blocks, likely secrets, characters that no database accepts.

use aho_corasick::automaton::Automaton;
use aho_corasick::nfa::contiguous::NFA;
use aho_corasick::{Anchored, PatternID};
use base::secret;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Cleans texts and records what was removed.
#[derive(Default)]
pub(crate) struct Cleaner {
    blocks: usize,
    nuls: usize,
    secrets: BTreeMap<&'static str, usize>,
    /// Values that are secret in one text. They are secret in all texts.
    known: BTreeSet<String>,
    /// The automaton that finds them; built when it is needed.
    matcher: Option<NFA>,
}

/// The least bytes of a value that is removed from other texts.
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

    /// The text without values that are secret in other texts.
    ///
    /// One automaton finds all of them in one pass: a text may have a secret on every line, and secrets may begin alike.
    fn remove_known_secrets(&mut self, text: &str) -> String {
        if self.known.is_empty() || text.len() < KNOWN {
            return text.to_owned();
        }
        if self.matcher.is_none() {
            self.matcher = NFA::new(&self.known).ok();
        }
        let found = self.matcher.as_ref().map(|nfa| covered_ranges(nfa, text));
        let Some(Ok(covered)) = found else {
            // If there are more values than an automaton can hold, no part of the text is known to be safe.
            *self.secrets.entry("value").or_default() += 1;
            return "[redacted]".to_owned();
        };
        let (mut out, mut from) = (String::new(), 0);
        for range in &covered.ranges {
            out.push_str(&text[from..range.start]);
            out.push_str("[redacted]");
            from = range.end;
        }
        if !covered.values.is_empty() {
            *self.secrets.entry("value").or_default() += covered.values.len();
        }
        out.push_str(&text[from..]);
        out
    }

    /// Collects the values that are secret in a text, so that they are removed from others too.
    pub(crate) fn collect_secrets(&mut self, text: &str) {
        let (open, _) = strip_private_blocks(text);
        for found in secret::find_secrets(&open) {
            let value = open[found.range].trim();
            if value.len() >= KNOWN {
                self.known.insert(value.to_owned());
                self.matcher = None;
            }
        }
    }

    /// Forgets collected secrets, before another solution.
    pub(crate) fn clear_secrets(&mut self) {
        self.known.clear();
        self.matcher = None;
    }

    /// A cleaned tag, which is a word; none for one that looks like a key.
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

    /// Notes for the user on what was removed.
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

/// The places of values in a text.
#[derive(Default)]
struct CoveredRanges {
    /// The ranges, in order and without overlap.
    ranges: Vec<Range<usize>>,
    /// The values found.
    values: BTreeSet<PatternID>,
}

/// All ranges covered by values. Values that overlap make one range.
///
/// Among the values that end at a byte, the longest covers the others, so one check for each byte is enough. An iterator over all
/// matches would yield each of them, and one over the leftmost matches would look far ahead at each byte.
fn covered_ranges(nfa: &NFA, text: &str) -> Result<CoveredRanges, aho_corasick::MatchError> {
    let mut covered = CoveredRanges::default();
    let mut state = nfa.start_state(Anchored::No)?;
    for (at, byte) in text.bytes().enumerate() {
        state = nfa.next_state(Anchored::No, state, byte);
        if !nfa.is_match(state) {
            continue;
        }
        // The first match of a state is the longest.
        let value = nfa.match_pattern(state, 0);
        covered.values.insert(value);
        let mut range = at + 1 - nfa.pattern_len(value)..at + 1;
        while let Some(last) = covered.ranges.pop_if(|last| last.end > range.start) {
            range.start = range.start.min(last.start);
        }
        covered.ranges.push(range);
    }
    Ok(covered)
}

const OPEN: &[u8] = b"<private";
const CLOSE: &[u8] = b"</private";

/// The text outside of `<private>…</private>`, and the number of blocks. Blocks may be nested; one that is never closed reaches
/// to the end.
pub(crate) fn strip_private_blocks(text: &str) -> (String, usize) {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let (mut depth, mut blocks, mut from, mut at) = (0usize, 0, 0, 0);
    // The end of the tag is searched for once, however many tags come before it.
    let mut end_of_tag = 0;
    while let Some(offset) = bytes[at..].iter().position(|b| *b == b'<') {
        let tag = at + offset;
        let opens = starts_with_ignore_case(&bytes[tag..], OPEN);
        let closes = starts_with_ignore_case(&bytes[tag..], CLOSE);
        at = tag + 1;
        if !(opens || closes) {
            continue;
        }
        let name = if opens { OPEN.len() } else { CLOSE.len() };
        let behind = tag + name;
        // Another tag, such as `<private_key`.
        let goes_on = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
        if bytes.get(behind).is_some_and(goes_on) {
            continue;
        }
        if end_of_tag < behind {
            let offset = bytes[behind..].iter().position(|b| *b == b'>');
            end_of_tag = offset.map_or(bytes.len(), |offset| behind + offset);
        }
        // A tag may have attributes. A tag without an end contains everything after it.
        if closes && end_of_tag == bytes.len() {
            continue;
        }
        at = (end_of_tag + 1).min(bytes.len());
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
        // A long word without a pattern is no tag, whatever secrets are known.
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
    fn secrets_that_begin_alike_take_linear_time() {
        let period = "k7QxZ3";
        let text = period.repeat(200_000);
        let mut cleaner = Cleaner::default();
        for from in 0..period.len() {
            for len in KNOWN..250 {
                cleaner.known.insert(text[from..from + len].to_owned());
            }
        }
        assert_eq!(cleaner.clean(&text), "[redacted]");
        let apart = format!("{text} {text}");
        assert_eq!(cleaner.clean(&apart), "[redacted] [redacted]");
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
    fn a_tag_with_a_long_attribute_opens_a_block_and_another_word_does_not() {
        let long = format!("a <private data=\"{}\">secret</private> b", "x".repeat(500));
        assert_eq!(strip_private_blocks(&long), ("a  b".to_owned(), 1));
        for (text, kept) in [
            ("a <private data secret", "a "),
            (
                "a < b && c <private_count > d",
                "a < b && c <private_count > d",
            ),
            ("a <private>x</private y", "a "),
        ] {
            assert_eq!(strip_private_blocks(text).0, kept, "{text}");
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
