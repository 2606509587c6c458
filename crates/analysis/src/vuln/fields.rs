//! Fields of a report, cut to the length that is kept. A report may come from anybody, and a text that it has once is copied to
//! each finding.

use base::secret::{TextKind, mask_secrets};
use serde_json::Value;
use std::collections::BTreeSet;

/// Bytes of a text: titles, addresses and ranges are shorter.
const LONGEST: usize = 400;

/// Other names of an advisory, and versions that mend it.
pub(super) const MOST_NAMES: usize = 50;

/// Functions at fault.
const MOST_SYMBOLS: usize = 1_000;

/// Ways to a package, and packages on one; fewer are shown.
pub(super) const MOST_WAYS: usize = 20;
const LONGEST_WAY: usize = 100;

/// A text as it is kept: cut, and without likely secrets.
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

/// A field as it is compared.
pub(super) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// A field as it is kept.
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

/// Functions at fault.
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
