//! Builds a snapshot from nodes, edges and relations in any order.

use super::arcs::{EdgeTable, NONE, PackedEdge};
use super::texts::StringTable;
use super::{Extra, FileStamp, PackedLocation, Related, Snapshot};
use crate::{NameRow, StoreError};
use base::{EdgeType, Language, Site, Tier, is_test_path};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// An edge to add.
#[derive(Debug, Clone, Copy)]
pub struct EdgeRow<'a> {
    /// Source node.
    pub source: &'a str,
    /// Target node.
    pub target: &'a str,
    /// The relation.
    pub edge_type: EdgeType,
    /// The file of the edge.
    pub file: Option<&'a str>,
    /// The line of the edge.
    pub line: Option<u32>,
    /// Tier: how the edge is known.
    pub tier: Tier,
    /// 0–1.
    pub confidence: f64,
    /// For CALLS: a call or only a reference.
    pub site: Option<Site>,
    /// Further lines, ascending.
    pub more_lines: &'a [u32],
}

/// Texts that occur many times, each stored once.
#[derive(Debug, Default)]
struct Interner {
    texts: StringTable,
    numbers: FxHashMap<Box<str>, u32>,
}

impl Interner {
    fn intern(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(text);
        self.numbers.insert(text.into(), number);
        number
    }
}

/// Collects nodes, then edges and relations, into a [`Snapshot`].
#[derive(Debug, Default)]
pub struct SnapshotBuilder {
    numbers: FxHashMap<Box<str>, u32>,
    ids: StringTable,
    symbols: Interner,
    symbol: Vec<u32>,
    dotted: StringTable,
    places: Vec<PackedLocation>,
    words: Interner,
    files: Interner,
    edges: Vec<(u32, PackedEdge)>,
    extras: Vec<Extra>,
    lines: Vec<u32>,
    relations: Vec<Related>,
    records: Vec<(u32, FileStamp, Option<Language>)>,
    too_large: bool,
}

impl SnapshotBuilder {
    /// Adds a node. Ids must differ.
    pub fn add_node(&mut self, row: &NameRow<'_>) {
        self.numbers.insert(row.id.into(), self.places.len() as u32);
        self.ids.push(row.id);
        self.symbol.push(self.symbols.intern(row.symbol));
        self.dotted.push(row.qualified_name.unwrap_or_default());
        self.places.push(PackedLocation {
            file: self.files.intern(row.file_path),
            kind: self.words.intern(row.kind),
            line_start: row.line_start.unwrap_or(NONE),
            line_end: row.line_end.unwrap_or(NONE),
            flags: row.flags,
        });
    }

    /// Adds an edge; it is dropped if one of its ends has no node.
    pub fn add_edge(&mut self, row: &EdgeRow<'_>) {
        let ends = (self.numbers.get(row.source), self.numbers.get(row.target));
        let (Some(&source), Some(&target)) = ends else {
            return;
        };
        let usual = row.confidence == row.tier.default_confidence() && row.more_lines.is_empty();
        let extra = if usual { 0 } else { self.add_extra(row) };
        let Some(bits) = PackedEdge::pack_bits(row.edge_type, row.tier, row.site, extra) else {
            self.too_large = true;
            return;
        };
        let arc = PackedEdge {
            bits,
            other: target,
            line: row.line.unwrap_or(NONE),
            file: row.file.map_or(NONE, |file| self.files.intern(file)),
        };
        self.edges.push((source, arc));
    }

    fn add_extra(&mut self, row: &EdgeRow<'_>) -> usize {
        if self.extras.is_empty() {
            // Number 0 means no extra data.
            let nothing = Extra {
                confidence: 0.0,
                lines: (0, 0),
            };
            self.extras.push(nothing);
        }
        let from = self.lines.len() as u32;
        self.lines.extend(row.more_lines);
        self.extras.push(Extra {
            confidence: row.confidence,
            lines: (from, self.lines.len() as u32),
        });
        self.extras.len() - 1
    }

    /// Adds a relation; it is dropped if one of its ends has no node.
    pub fn add_relation(&mut self, source: &str, kind: &str, target: &str, tier: Tier) {
        let ends = (self.numbers.get(source), self.numbers.get(target));
        if let (Some(&node), Some(&other)) = ends {
            let kind = self.words.intern(kind);
            self.relations.push(Related {
                node,
                kind,
                other,
                tier,
            });
        }
    }

    /// Adds stamp and language of a file; they are dropped if the file has no nodes and edges. `language` is a word of
    /// [`Language`].
    pub fn add_file(&mut self, path: &str, stamp: FileStamp, language: &str) {
        let number = self.files.numbers.get(path);
        let record = |number: &u32| (*number, stamp, Language::from_name(language));
        self.records.extend(number.map(record));
    }

    /// The finished graph.
    ///
    /// Errors: [`StoreError::Invalid`] if there are more nodes or edges than the numbers here can distinguish.
    pub fn finish(mut self) -> Result<Snapshot, StoreError> {
        let limit = u32::MAX as usize - 1;
        if self.too_large || self.places.len() > limit || self.edges.len() > limit {
            return Err(StoreError::Invalid(
                "the graph is too large to be kept in memory".to_owned(),
            ));
        }
        drop(std::mem::take(&mut self.numbers));
        let count = self.places.len();
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_unstable_by(|a, b| self.ids.get(*a).cmp(self.ids.get(*b)));
        let mut number = vec![0u32; count];
        for (new, old) in order.iter().enumerate() {
            number[*old as usize] = new as u32;
        }
        for (from, arc) in &mut self.edges {
            *from = number[*from as usize];
            arc.other = number[arc.other as usize];
        }
        for relation in &mut self.relations {
            relation.node = number[relation.node as usize];
            relation.other = number[relation.other as usize];
        }
        let forward = EdgeTable::from_edges(count, &self.edges);
        for (from, arc) in &mut self.edges {
            std::mem::swap(from, &mut arc.other);
        }
        let backward = EdgeTable::from_edges(count, &self.edges);
        drop(std::mem::take(&mut self.edges));
        let (related_out, related_in) = index_relations(&self.relations);
        let places = order.iter().map(|old| self.places[*old as usize]);
        let mut stamps = vec![None; self.files.texts.len()];
        let mut languages = vec![None; self.files.texts.len()];
        for (file, stamp, language) in &self.records {
            stamps[*file as usize] = Some(*stamp);
            languages[*file as usize] = *language;
        }
        let (names, rank) = sort_texts(&self.symbols.texts);
        drop(std::mem::take(&mut self.symbols));
        let symbol = order
            .iter()
            .map(|old| rank[self.symbol[*old as usize] as usize]);
        let mut snapshot = Snapshot {
            ids: self.ids.reordered(&order),
            names,
            symbol: symbol.collect(),
            starts: Vec::new(),
            qualified_names: self.dotted.reordered(&order),
            locations: places.collect(),
            relation_kinds: self.words.texts,
            files: self.files.texts,
            test_files: Vec::new(),
            stamps,
            languages,
            by_path: Vec::new(),
            by_symbol: Vec::new(),
            by_file: Vec::new(),
            forward,
            backward,
            extras: self.extras,
            lines: self.lines,
            related_out,
            related_in,
        };
        build_lookup_orders(&mut snapshot);
        Ok(snapshot)
    }
}

/// The texts in ascending order, and the new position of each by its old number.
fn sort_texts(texts: &StringTable) -> (StringTable, Vec<u32>) {
    let mut order: Vec<u32> = (0..texts.len() as u32).collect();
    order.sort_unstable_by(|a, b| texts.get(*a).cmp(texts.get(*b)));
    let mut rank = vec![0; order.len()];
    for (new, old) in order.iter().enumerate() {
        rank[*old as usize] = new as u32;
    }
    (texts.reordered(&order), rank)
}

/// Relations sorted by source, and sorted by target.
fn index_relations(relations: &[Related]) -> (Vec<Related>, Vec<Related>) {
    let mut out = relations.to_vec();
    sort_and_dedup(&mut out);
    let turned = relations.iter().map(|r| Related {
        node: r.other,
        other: r.node,
        ..*r
    });
    let mut into: Vec<Related> = turned.collect();
    sort_and_dedup(&mut into);
    (out, into)
}

/// Sorts relations without duplicates. If several files state one, the most trusted is kept.
fn sort_and_dedup(relations: &mut Vec<Related>) {
    relations.sort_unstable();
    relations.dedup_by_key(|r| (r.node, r.kind, r.other));
}

/// Builds the look-up orders, which equal those of a store: a node without a line comes before the first line.
fn build_lookup_orders(snapshot: &mut Snapshot) {
    let files = 0..snapshot.files.len() as u32;
    let tests = files
        .clone()
        .map(|file| is_test_path(snapshot.file_path(file)));
    snapshot.test_files = tests.collect();
    let mut by_path: Vec<u32> = files.collect();
    by_path.sort_unstable_by(|a, b| snapshot.file_path(*a).cmp(snapshot.file_path(*b)));
    let mut by_symbol: Vec<u32> = (0..snapshot.node_count() as u32).collect();
    let mut by_file = by_symbol.clone();
    by_symbol.sort_unstable_by(|a, b| {
        let key = |node: u32| {
            let row = snapshot.name_row(node);
            let symbol = snapshot.symbol[node as usize];
            (symbol, row.file_path, row.line_start, node)
        };
        key(*a).cmp(&key(*b))
    });
    let names = 0..=snapshot.names.len() as u32;
    let symbol = |node: &u32| snapshot.symbol[*node as usize];
    let start = |name| by_symbol.partition_point(|node| symbol(node) < name) as u32;
    let starts = names.map(start).collect();
    by_file.sort_unstable_by_key(|node| {
        let row = snapshot.name_row(*node);
        let file = snapshot.locations[*node as usize].file;
        (file, row.line_start, Reverse(row.line_end), *node)
    });
    snapshot.by_path = by_path;
    snapshot.by_symbol = by_symbol;
    snapshot.starts = starts;
    snapshot.by_file = by_file;
}
