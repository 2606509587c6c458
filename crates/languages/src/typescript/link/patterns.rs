//! Patterns with one `*`, indexed by the text before and after it, so that a look-up does not depend on their number.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Most targets that are tried for one name.
pub(super) const MOST_TARGETS: usize = 16;

/// The patterns of one list, by their parts.
#[derive(Debug, Default)]
pub(super) struct Patterns {
    exact: FxHashMap<String, usize>,
    /// By the text before the `*`.
    before: FxHashMap<String, SuffixPatterns>,
    /// The lengths of these texts.
    lengths: BTreeSet<usize>,
    texts: Vec<String>,
}

/// Patterns with the same beginning, by the text after the `*`.
#[derive(Debug, Default)]
struct SuffixPatterns {
    by_text: FxHashMap<String, Vec<usize>>,
    lengths: BTreeSet<usize>,
}

impl Patterns {
    pub(super) fn new<'p>(patterns: impl Iterator<Item = &'p str>) -> Patterns {
        let mut all = Patterns::default();
        for (at, pattern) in patterns.enumerate() {
            all.texts.push(pattern.to_owned());
            let Some((before, behind)) = pattern.split_once('*') else {
                all.exact.entry(pattern.to_owned()).or_insert(at);
                continue;
            };
            all.lengths.insert(before.len());
            let entry = all.before.entry(before.to_owned()).or_default();
            entry.lengths.insert(behind.len());
            let same = entry.by_text.entry(behind.to_owned()).or_default();
            same.push(at);
        }
        all
    }

    /// A pattern by its index in the list.
    pub(super) fn text(&self, at: usize) -> &str {
        &self.texts[at]
    }

    /// The matching patterns, by index in the list, with the text for `*`: an exact one first, then those with the
    /// longest text before the `*`.
    pub(super) fn matching<'t>(&self, text: &'t str) -> Vec<(usize, &'t str)> {
        let mut found: Vec<(usize, &str)> = Vec::new();
        found.extend(self.exact.get(text).map(|at| (*at, "")));
        for length in self.lengths.range(..=text.len()).rev() {
            let Some((before, rest)) = text.split_at_checked(*length) else {
                continue;
            };
            let Some(behind) = self.before.get(before) else {
                continue;
            };
            let first = found.len();
            for length in behind.lengths.range(..=rest.len()) {
                if let Some((star, end)) = rest.split_at_checked(rest.len() - length)
                    && let Some(same) = behind.by_text.get(end)
                {
                    found.extend(same.iter().map(|at| (*at, star)));
                }
            }
            found[first..].sort_unstable();
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_text_before_the_star_goes_first() {
        let all = ["a/*", "*", "a/b", "a/*.js", "é*", "a/b*"];
        let patterns = Patterns::new(all.into_iter());
        let found = |text| -> Vec<(&str, &str)> {
            let found = patterns.matching(text).into_iter();
            found.map(|(at, star)| (all[at], star)).collect()
        };
        assert_eq!(
            found("a/b"),
            [("a/b", ""), ("a/b*", ""), ("a/*", "b"), ("*", "a/b")]
        );
        assert_eq!(
            found("a/c.js"),
            [("a/*", "c.js"), ("a/*.js", "c"), ("*", "a/c.js")]
        );
        assert_eq!(found("éa"), [("é*", "a"), ("*", "éa")]);
        assert_eq!(found(""), [("*", "")]);
    }
}
