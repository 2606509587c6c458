//! Fields of a report, cut to a limit. A report may come from anybody, and a text that occurs once in it is copied to each
//! finding.

use base::secret::{TextKind, mask_secrets};
use serde_json::Value;
use std::collections::BTreeSet;

/// The most bytes of a text: titles, addresses and ranges are shorter.
const LONGEST: usize = 400;

/// The most other names of an advisory, and the most versions that fix it.
pub(super) const MOST_NAMES: usize = 50;

/// The most vulnerable functions.
const MOST_SYMBOLS: usize = 1_000;

/// The most routes to a package, and the most packages on one. Fewer are shown.
pub(super) const MOST_WAYS: usize = 20;
const LONGEST_WAY: usize = 100;

/// A text, cut and without likely secrets.
pub(super) fn cut_and_masked(text: &str) -> String {
    let end = text
        .char_indices()
        .map(|(at, _)| at)
        .find(|at| *at >= LONGEST);
    match end {
        Some(end) => format!("{}…", mask_secrets(text[..end].to_owned(), TextKind::Other)),
        None => mask_secrets(text.to_owned(), TextKind::Other),
    }
}

/// A field as text; empty if there is none.
pub(super) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// A field as text, cut and without likely secrets.
pub(super) fn one_of(value: &Value, key: &str) -> String {
    cut_and_masked(text(value, key))
}

/// The texts of a list.
pub(super) fn strings(value: &Value) -> impl Iterator<Item = &str> {
    let items = value.as_array().into_iter().flatten();
    items.filter_map(Value::as_str)
}

/// The first texts of a list of names or versions.
pub(super) fn first_texts(value: &Value) -> BTreeSet<String> {
    strings(value)
        .take(MOST_NAMES)
        .map(cut_and_masked)
        .collect()
}

/// Vulnerable functions.
pub(super) fn symbols<'a>(names: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    names.take(MOST_SYMBOLS).map(cut_and_masked).collect()
}

/// The first routes of a list, which are written with `>` between packages. A route of hundreds of packages is left out.
pub(super) fn ways(list: &Value) -> Vec<Vec<String>> {
    let is_short = |way: &&str| way.matches('>').count() < LONGEST_WAY;
    let ways = strings(list).filter(is_short).take(MOST_WAYS);
    ways.map(|way| {
        way.split('>')
            .map(|name| cut_and_masked(name.trim()))
            .collect()
    })
    .collect()
}
