//! Rules of gitleaks (see `gitleaks/README.md`) and a few of the same form: a regular expression is tried at each
//! keyword.

use super::likely::{ValueContext, is_likely_secret, is_placeholder, shannon_entropy};
use super::names::SecretNameKind;
use regex::bytes::{Regex, RegexBuilder};
use std::ops::Range;
use std::sync::OnceLock;

const GITLEAKS: &str = include_str!("gitleaks/rules.tsv");
const OURS: &str = include_str!("rules.tsv");
/// A name of any length before the keyword. It only limits the place of the keyword.
const NAME: &str = r"[\w.-]{0,50}?";
/// Text between the keyword and the value, in most rules.
const ASSIGNED: &str = r#"(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)"#;
/// Our own rules that find secrets chosen by people.
const PASSWORDS: [&str; 5] = [
    "told-login",
    "net-use",
    "expect-send",
    "go-data-source",
    "oracle-address",
];
/// Bytes before a keyword that an expression looks at.
const BEFORE: usize = 48;
const BEHIND: usize = 1_024;

const BARE: ValueContext = ValueContext {
    quoted: false,
    loose: true,
};

/// A rule.
pub(super) struct Rule {
    pub(super) id: &'static str,
    pub(super) keywords: Vec<&'static str>,
    entropy: f64,
    group: Option<usize>,
    source: &'static str,
    regex: OnceLock<Option<Regex>>,
    /// Only a name near the value shows that it is a secret.
    named: bool,
    /// The value is a password, and must look like one.
    password: bool,
}

/// All rules.
pub(super) fn all_rules() -> &'static [Rule] {
    static ALL: OnceLock<Vec<Rule>> = OnceLock::new();
    ALL.get_or_init(|| {
        GITLEAKS
            .lines()
            .chain(OURS.lines())
            .filter_map(parse_rule)
            .collect()
    })
}

fn parse_rule(line: &'static str) -> Option<Rule> {
    let mut cells = line.splitn(5, '\t');
    let mut next = || cells.next();
    let (id, keywords, entropy, group, source) = (next()?, next()?, next()?, next()?, next()?);
    Some(Rule {
        id,
        keywords: keywords.split(',').flat_map(expand_keyword).collect(),
        entropy: entropy.parse().unwrap_or(0.0),
        group: group.parse().ok(),
        source,
        regex: OnceLock::new(),
        named: source.contains(ASSIGNED),
        password: PASSWORDS.contains(&id),
    })
}

/// The keywords to search for. Two characters are too few; they are used only together with the characters that may
/// follow.
fn expand_keyword(word: &'static str) -> Vec<&'static str> {
    const AZURE: [&str; 10] = [
        "0q~", "1q~", "2q~", "3q~", "4q~", "5q~", "6q~", "7q~", "8q~", "9q~",
    ];
    const TWILIO: [&str; 16] = [
        "sk0", "sk1", "sk2", "sk3", "sk4", "sk5", "sk6", "sk7", "sk8", "sk9", "ska", "skb", "skc",
        "skd", "ske", "skf",
    ];
    match word {
        "q~" => AZURE.to_vec(),
        "sk" => TWILIO.to_vec(),
        _ if word.len() < 3 => Vec::new(),
        _ => vec![word],
    }
}

impl Rule {
    fn regex(&self) -> Option<&Regex> {
        let build = || {
            // Go's classes are ASCII. Without the name before it, the expression begins with its keyword.
            RegexBuilder::new(&self.source.replace(NAME, ""))
                .unicode(false)
                .size_limit(4 << 20)
                .build()
                .ok()
        };
        self.regex.get_or_init(build).as_ref()
    }

    /// The secret near a keyword at `at`.
    pub(super) fn find_near(&self, text: &str, at: Range<usize>) -> Option<Range<usize>> {
        let from = floor_char_boundary(text, at.start.saturating_sub(BEFORE));
        let to = floor_char_boundary(text, text.len().min(at.end + BEHIND));
        let window = &text.as_bytes()[from..to];
        let regex = self.regex()?;
        let start = if self.named { at.start - from } else { 0 };
        let found = regex.captures_at(window, start)?;
        let whole = found.get(0)?;
        let group = match self.group {
            Some(group) => found.get(group),
            None => found.iter().skip(1).flatten().next(),
        };
        let secret = group.unwrap_or(whole);
        // A keyword further on is tried on its own.
        if self.named && whole.start() > start + BEFORE {
            return None;
        }
        let (start, end) = (
            floor_char_boundary(text, from + secret.start()),
            floor_char_boundary(text, from + secret.end()),
        );
        let value = text.get(start..end).filter(|value| !value.is_empty())?;
        let random = value.bytes().filter(u8::is_ascii_digit).count() >= 2;
        // `s.` begins old tokens of Vault, and every other call of a method of `s`.
        let likely = (random || !value.starts_with("s."))
            && !is_placeholder(value)
            && shannon_entropy(value) >= self.entropy
            && (!self.password || is_likely_secret(value, SecretNameKind::Password, BARE))
            && (!self.named || random && shannon_entropy(value) >= 3.0);
        likely.then_some(start..end)
    }
}

fn floor_char_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_keywords_and_compiles() {
        assert!(all_rules().len() > 190);
        for rule in all_rules() {
            assert!(rule.regex().is_some(), "{}", rule.id);
            assert!(!rule.keywords.is_empty(), "{}", rule.id);
            let lower = rule.keywords.iter().all(|k| k.to_ascii_lowercase() == **k);
            assert!(lower, "{}", rule.id);
        }
    }
}
