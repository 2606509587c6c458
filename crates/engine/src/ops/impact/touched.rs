//! The definitions that contain changed lines.

use base::SymbolKind;
use std::collections::BTreeMap;
use store::Name;

/// A range of changed lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ChangedLines {
    pub(super) first: u32,
    pub(super) last: u32,
    /// Whether it surrounds removed lines.
    pub(super) is_gap: bool,
}

impl ChangedLines {
    /// Whether it counts as a whole new block.
    fn is_whole(self) -> bool {
        self.last.saturating_sub(self.first) > WHOLE
    }
}

/// The lines above which a range counts as a whole new block: every definition in it counts.
const WHOLE: u32 = 5_000;

/// The definitions that contain the lines, in order.
pub(super) fn touched<'n>(nodes: &'n [Name], lines: &[ChangedLines]) -> Vec<&'n Name> {
    let mut touched: BTreeMap<(u32, &str), &Name> = BTreeMap::new();
    let mut take = |node: &'n Name, range: ChangedLines| {
        // A type that lost a member is unchanged for users of its other members.
        let is_type = || SymbolKind::parse(&node.kind).is_some_and(SymbolKind::is_type);
        let holds = node.line_start.is_some_and(|start| start <= range.first)
            && node.line_end.is_some_and(|end| end >= range.last);
        if !range.is_gap || (holds && !is_type()) {
            touched.insert((node.line_start.unwrap_or(0), &node.id), node);
        }
    };
    let inner = Innermost::from_definitions(nodes, lines);
    for range in lines {
        if range.is_whole() {
            let meets = nodes
                .iter()
                .filter(|n| span(n).0 <= range.last && span(n).1 >= range.first);
            meets.for_each(|node| take(node, *range));
            continue;
        }
        let mut last = NONE;
        for line in range.first..=range.last {
            let at = inner.at(line);
            if at != last
                && let Some(node) = nodes.get(at as usize)
            {
                take(node, *range);
            }
            last = at;
        }
    }
    touched.into_values().collect()
}

fn span(node: &Name) -> (u32, u32) {
    (node.line_start.unwrap_or(0), node.line_end.unwrap_or(0))
}

/// Stands for no definition.
const NONE: u32 = u32::MAX;

/// The innermost definition around each line: the shortest of those that contain it, and of equal ones the first. It does not
/// depend on the range around the line, so it is computed once for all ranges.
struct Innermost(Vec<u32>);

impl Innermost {
    /// Computes it for the lines up to the end of the last range that is no whole block.
    fn from_definitions(nodes: &[Name], lines: &[ChangedLines]) -> Innermost {
        let some = lines.iter().filter(|range| !range.is_whole());
        let last = some.map(|range| range.last as usize).max();
        let mut inner = vec![NONE; last.map_or(0, |last| last + 1)];
        let mut order: Vec<u32> = (0..nodes.len() as u32).collect();
        order.sort_by_key(|at| {
            let (start, end) = span(&nodes[*at as usize]);
            (end.saturating_sub(start), start)
        });
        // For each line the next one without a definition; paths that were followed are shortened.
        let mut next: Vec<u32> = (0..=inner.len() as u32).collect();
        for at in order {
            let (start, end) = span(&nodes[at as usize]);
            let mut line = first_free_line(&mut next, start as usize);
            while line < inner.len() && line <= end as usize {
                inner[line] = at;
                next[line] = line as u32 + 1;
                line = first_free_line(&mut next, line + 1);
            }
        }
        Innermost(inner)
    }

    fn at(&self, line: u32) -> u32 {
        self.0.get(line as usize).copied().unwrap_or(NONE)
    }
}

/// The first line from there without a definition yet.
fn first_free_line(next: &mut [u32], from: usize) -> usize {
    let mut line = from.min(next.len() - 1);
    while next[line] as usize != line {
        next[line] = next[next[line] as usize];
        line = next[line] as usize;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use store::NodeFlags;

    fn node(number: usize, (start, end): (u32, u32)) -> Name {
        Name {
            id: format!("{number:06}"),
            symbol: format!("f{number}"),
            qualified_name: None,
            kind: ["function", "class"][number % 2].to_owned(),
            file_path: "a.py".to_owned(),
            line_start: Some(start),
            line_end: Some(end),
            flags: NodeFlags::default(),
        }
    }

    fn lines_of(first: u32, last: u32, is_gap: bool) -> ChangedLines {
        ChangedLines {
            first,
            last,
            is_gap,
        }
    }

    /// For each line of a range the smallest of the definitions that contain it.
    fn by_definition(nodes: &[Name], lines: &[ChangedLines]) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for range in lines {
            for line in range.first..=range.last {
                let holds = nodes
                    .iter()
                    .filter(|n| span(n).0 <= line && span(n).1 >= line);
                let Some(node) = holds.min_by_key(|n| (span(n).1 - span(n).0, span(n).0)) else {
                    continue;
                };
                let around = span(node).0 <= range.first && span(node).1 >= range.last;
                if !range.is_gap || around && node.kind == "function" {
                    found.insert(node.id.clone());
                }
            }
        }
        found
    }

    #[test]
    fn each_line_is_of_the_innermost_definition() {
        let mut seed = 7_u32;
        let mut random = |most: u32| {
            seed ^= seed << 13;
            seed ^= seed >> 17;
            seed ^= seed << 5;
            seed % most
        };
        for _ in 0..300 {
            let mut place = |most: u32| {
                let start = 1 + random(40);
                (start, start + random(most))
            };
            let nodes: Vec<Name> = (0..12).map(|n| node(n, place(20))).collect();
            let lines = (0..4).map(|n| {
                let (first, last) = place(6);
                lines_of(first, last, n % 2 == 0)
            });
            let lines: Vec<ChangedLines> = lines.collect();
            let found = touched(&nodes, &lines);
            let found: BTreeSet<String> = found.iter().map(|n| n.id.clone()).collect();
            assert_eq!(found, by_definition(&nodes, &lines), "{nodes:?} {lines:?}");
        }
    }

    #[test]
    fn many_stretches_of_many_definitions_are_gone_through_once() {
        let nodes: Vec<Name> = (0..120_000_u32)
            .map(|n| node(n as usize, (2 * n + 1, 2 * n + 1)))
            .collect();
        let lines: Vec<ChangedLines> = (0..120_000)
            .map(|n| lines_of(2 * n + 1, 2 * n + 1, false))
            .collect();
        assert_eq!(touched(&nodes, &lines).len(), 120_000);
        assert_eq!(touched(&nodes, &[lines_of(1, 60_000, false)]).len(), 30_000);
        assert_eq!(touched(&nodes, &[lines_of(9, 3, false)]).len(), 0);
    }
}
