//! Skipped documents of an index: the first are named, all are counted.

use base::LONGEST_PATH;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Most documents that are named. An index can have any number of documents of a few bytes each, and named ones are
/// kept, stored and printed.
pub const MOST_NAMED: usize = 1_000;

pub(super) const NOT_IN_THE_GRAPH: &str = "not in the graph";
pub(super) const STALE: &str = "stale";
pub(super) const TOO_LONG: &str = "path longer than 1,024 bytes";
const _: () = assert!(LONGEST_PATH == 1_024);

/// A document that was skipped.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PassedOver {
    /// Path in the project.
    pub path: String,
    /// `not in the graph`, or the reason why it is stale. The edges of the syntax tree then count for that file.
    pub reason: String,
}

/// Collects skipped documents, however many there are.
#[derive(Debug, Default)]
pub(super) struct PassedOverCounter {
    /// The first in order of path.
    first: BTreeSet<PassedOver>,
    counts: BTreeMap<&'static str, u64>,
}

impl PassedOverCounter {
    /// Adds a document whose reason is `kind`, optionally with more words.
    pub(super) fn add(&mut self, path: &str, kind: &'static str, more: Option<&str>) {
        self.count(kind);
        let is_full = self.first.len() >= MOST_NAMED;
        if is_full && self.first.last().is_some_and(|last| *path >= *last.path) {
            return;
        }
        self.first.insert(PassedOver {
            path: path.to_owned(),
            reason: more.map_or_else(|| kind.to_owned(), |more| format!("{kind}: {more}")),
        });
        if self.first.len() > MOST_NAMED {
            self.first.pop_last();
        }
    }

    /// Counts a document without its name.
    pub(super) fn count(&mut self, kind: &'static str) {
        *self.counts.entry(kind).or_default() += 1;
    }

    /// The first skipped documents by path, and counts of the others by reason.
    pub(super) fn finish(mut self) -> (Vec<PassedOver>, BTreeMap<String, u64>) {
        for one in &self.first {
            let kind = self.counts.iter_mut();
            let kind = kind.into_iter().find(|(k, _)| one.reason.starts_with(**k));
            if let Some((_, count)) = kind {
                *count = count.saturating_sub(1);
            }
        }
        let more = self.counts.into_iter().filter(|(_, count)| *count > 0);
        let more = more.map(|(kind, count)| (kind.to_owned(), count)).collect();
        (self.first.into_iter().collect(), more)
    }
}

/// Most indexers that are named.
const MOST_TOOLS: usize = 16;
/// Most characters of an indexer's name and version that are shown.
const TOOL_TEXT: usize = 100;

/// The indexers of an index, in order; one may occur several times in a row.
pub(super) fn tools(origins: &[super::wire::Origin<'_>]) -> Vec<String> {
    let mut named: Vec<String> = Vec::new();
    let (mut last, mut more) = (None, 0);
    for origin in origins {
        let this = (origin.tool, origin.version);
        if last.replace(this) == Some(this) {
            continue;
        }
        if named.len() < MOST_TOOLS {
            let cut = |text: &str| text.chars().take(TOOL_TEXT).collect::<String>();
            named.push(format!("{} {}", cut(origin.tool), cut(origin.version)));
        } else {
            more += 1;
        }
    }
    if more > 0 {
        named.push(format!("{more} more"));
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scip::wire::Origin;

    #[test]
    fn the_first_are_named_and_all_are_counted() {
        let mut counter = PassedOverCounter::default();
        for at in (0..100_000).rev() {
            let path = format!("{at:05}");
            match at % 2 {
                0 => counter.add(&path, NOT_IN_THE_GRAPH, None),
                _ => counter.add(&path, STALE, Some("line 1 differs from the index")),
            }
        }
        counter.count(TOO_LONG);
        let (named, more) = counter.finish();
        assert_eq!(named.len(), MOST_NAMED);
        assert_eq!(named[0].path, "00000");
        assert_eq!(named[999].path, "00999");
        assert!(named[999].reason.starts_with("stale: line"));
        assert_eq!(more[NOT_IN_THE_GRAPH], 49_500);
        assert_eq!(more[STALE], 49_500);
        assert_eq!(more[TOO_LONG], 1);
    }

    #[test]
    fn many_indexers_are_counted() {
        let origin = |version| Origin {
            tool: "t",
            version,
            project_root: "",
        };
        let one = [origin("1"), origin("1")];
        assert_eq!(tools(&one), ["t 1"]);
        let many = ["1", "2"].repeat(50);
        let many: Vec<Origin<'_>> = many.into_iter().map(origin).collect();
        assert_eq!(tools(&many).len(), 17);
        assert_eq!(tools(&many)[16], "84 more");
    }
}
