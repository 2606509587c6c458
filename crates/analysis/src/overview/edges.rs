//! Uses between files, and then between pieces.

use base::EdgeType;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use store::Snapshot;

/// Number of uses of one thing by another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UseCounts {
    /// Calls and mentions.
    pub calls: u32,
    /// Imports.
    pub imports: u32,
    /// Writes.
    pub writes: u32,
}

impl UseCounts {
    /// All together.
    pub fn total(self) -> u32 {
        self.calls + self.imports + self.writes
    }

    /// Adds uses of a type.
    pub(super) fn add(&mut self, kind: EdgeType, uses: u32) {
        match kind {
            EdgeType::Imports => self.imports += uses,
            EdgeType::Modifies => self.writes += uses,
            _ => self.calls += uses,
        }
    }

    fn merge(&mut self, other: UseCounts) {
        self.calls += other.calls;
        self.imports += other.imports;
        self.writes += other.writes;
    }

    /// The name of the most frequent edge type.
    pub(super) fn dominant_kind(self) -> &'static str {
        match (self.calls, self.imports, self.writes) {
            (c, i, w) if c >= i && c >= w => EdgeType::Calls.as_str(),
            (_, i, w) if i >= w => EdgeType::Imports.as_str(),
            _ => EdgeType::Modifies.as_str(),
        }
    }
}

/// Uses of one file (or definition) by another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileLink {
    /// Index of the file that uses.
    pub from: u32,
    /// Index of the file that is used.
    pub to: u32,
    /// Number of uses.
    pub weight: UseCounts,
}

/// The edge types that count as a use.
pub(super) const USES: [EdgeType; 3] = [EdgeType::Calls, EdgeType::Imports, EdgeType::Modifies];

/// Uses between files, in order of both files. `place` gives the index of a file by its path.
pub fn file_links(graph: &Snapshot, place: &dyn Fn(&str) -> Option<u32>) -> Vec<FileLink> {
    let mut places: FxHashMap<u32, Option<u32>> = FxHashMap::default();
    let mut of = |file: u32| {
        *places
            .entry(file)
            .or_insert_with(|| place(graph.file_path(file)))
    };
    let nodes: Vec<Option<u32>> = (0..graph.node_count() as u32)
        .map(|node| of(graph.location(node).file))
        .collect();
    let mut found: FxHashMap<(u32, u32), UseCounts> = FxHashMap::default();
    for (node, from) in nodes.iter().enumerate() {
        let Some(from) = from else { continue };
        for kind in USES {
            for edge in graph.outgoing(node as u32, kind) {
                let to = nodes.get(edge.node as usize).copied().flatten();
                if let Some(to) = to.filter(|to| to != from) {
                    let uses = 1 + edge.more_lines.len() as u32;
                    found.entry((*from, to)).or_default().add(kind, uses);
                }
            }
        }
    }
    let mut links: Vec<FileLink> = found
        .into_iter()
        .map(|((from, to), weight)| FileLink { from, to, weight })
        .collect();
    links.sort_unstable_by_key(|link| (link.from, link.to));
    links
}

/// Uses of one piece by another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) weight: UseCounts,
}

/// Edges between different pieces.
pub(super) fn edges_between_pieces(links: &[FileLink], piece: &[Option<u32>]) -> Vec<Edge> {
    let of = |at: u32| piece.get(at as usize).copied().flatten();
    let edges = links.iter().filter_map(|link| {
        let (from, to) = (of(link.from)?, of(link.to)?);
        (from != to).then_some(Edge {
            from,
            to,
            weight: link.weight,
        })
    });
    merge_edges(edges.collect())
}

/// Merges the edges of each pair into one, in order of the pairs.
pub(super) fn merge_edges(edges: Vec<Edge>) -> Vec<Edge> {
    let mut all: BTreeMap<(u32, u32), UseCounts> = BTreeMap::new();
    for edge in edges {
        all.entry((edge.from, edge.to))
            .or_default()
            .merge(edge.weight);
    }
    all.into_iter()
        .map(|((from, to), weight)| Edge { from, to, weight })
        .collect()
}

/// At most `most` edges: the heaviest one of each piece in each direction, then the heaviest of all. In order of their ends.
pub(super) fn keep_heaviest_edges(edges: Vec<Edge>, most: usize) -> Vec<Edge> {
    if edges.len() <= most {
        return edges;
    }
    let mut order: Vec<usize> = (0..edges.len()).collect();
    order.sort_by_key(|at| (std::cmp::Reverse(edges[*at].weight.total()), *at));
    let mut kept = vec![false; edges.len()];
    let mut left = most;
    let (mut out, mut into) = (Vec::new(), Vec::new());
    for at in &order {
        let (from, to) = (edges[*at].from, edges[*at].to);
        let first = !out.contains(&from) || !into.contains(&to);
        if first && left > 0 {
            out.push(from);
            into.push(to);
            kept[*at] = true;
            left -= 1;
        }
    }
    for at in &order {
        if left > 0 && !kept[*at] {
            kept[*at] = true;
            left -= 1;
        }
    }
    let pairs = edges.into_iter().zip(kept);
    pairs.filter(|(_, kept)| *kept).map(|(e, _)| e).collect()
}
