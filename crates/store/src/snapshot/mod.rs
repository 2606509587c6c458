//! The graph in memory, in the state of one moment: names, places, edges in both directions and relations.
//!
//! Nodes are numbers from 0 in the order of their ids. An edge takes 32 bytes, and 16 more if it has several lines or
//! its confidence differs from that of its tier.

mod arcs;
mod build;
mod texts;

pub use build::{EdgeRow, SnapshotBuilder};

use crate::{Name, NameRow, NameVisitor, Names, NodeFlags, StoreError};
use arcs::{EdgeTable, NONE, PackedEdge};
use base::{EdgeType, Language, Site, Tier};
use texts::{StringTable, partition};

/// An edge as seen from one of its ends: the other end and the properties of the edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbor<'a> {
    /// The relation.
    pub edge_type: EdgeType,
    /// The other end.
    pub node: u32,
    /// The file of the edge, for [`Snapshot::file_path`].
    pub file: Option<u32>,
    /// The line of the edge, from 1.
    pub line: Option<u32>,
    /// Further lines with the same edge, ascending.
    pub more_lines: &'a [u32],
    /// Tier: how the edge is known.
    pub tier: Tier,
    /// 0–1.
    pub confidence: f64,
    /// For CALLS: a call or only a reference.
    pub site: Option<Site>,
}

/// Rare properties of an edge.
#[derive(Debug, Clone, Copy)]
struct Extra {
    confidence: f64,
    /// Its further lines: a range of `lines`.
    lines: (u32, u32),
}

/// A relation at one of its ends: this node, the other end, the kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Related {
    node: u32,
    kind: u32,
    other: u32,
    tier: Tier,
}

/// Size of a file, and its time of change in nanoseconds since 1970.
pub type FileStamp = (u64, i64);

/// A relation of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeRelation<'a> {
    /// The node at the other end.
    pub other: u32,
    /// The kind: `extends`, `overrides`, …
    pub kind: &'a str,
    /// How the relation is known.
    pub tier: Tier,
}

/// Place of a node's definition, without its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeLocation {
    /// The number of the file in its graph.
    pub file: u32,
    /// First line; 0 if it is not known.
    pub line: u32,
    /// Whether it is a test or lies in a file of tests.
    pub test: bool,
}

#[derive(Debug, Clone, Copy)]
struct PackedLocation {
    file: u32,
    kind: u32,
    line_start: u32,
    line_end: u32,
    flags: NodeFlags,
}

/// The whole graph, ready for traversal.
#[derive(Debug, Default)]
pub struct Snapshot {
    ids: StringTable,
    /// Every distinct name, in order.
    names: StringTable,
    /// The name of each node, as an index into `names`.
    symbol: Vec<u32>,
    /// For each name, the position in `by_symbol` at which its nodes begin; and the end of the last.
    starts: Vec<u32>,
    /// Dotted names; empty if the dotted name equals the name.
    qualified_names: StringTable,
    locations: Vec<PackedLocation>,
    /// Kinds of nodes and relations.
    relation_kinds: StringTable,
    files: StringTable,
    test_files: Vec<bool>,
    /// Stamp of each file, if the store has a record of it.
    stamps: Vec<Option<FileStamp>>,
    /// Language of each file, if the store has a record of it.
    languages: Vec<Option<Language>>,
    /// Files in order of path.
    by_path: Vec<u32>,
    /// Nodes in order of symbol, file, line and id.
    by_symbol: Vec<u32>,
    /// Nodes in order of file, first line, last line backwards and id.
    by_file: Vec<u32>,
    forward: EdgeTable,
    backward: EdgeTable,
    extras: Vec<Extra>,
    lines: Vec<u32>,
    related_out: Vec<Related>,
    related_in: Vec<Related>,
}

fn line_if_known(line: u32) -> Option<u32> {
    (line != NONE).then_some(line)
}

impl Snapshot {
    /// Starts an empty snapshot. Nodes come first, then edges and relations.
    pub fn builder() -> SnapshotBuilder {
        SnapshotBuilder::default()
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.locations.len()
    }

    /// Number of edges.
    pub fn edge_count(&self) -> usize {
        self.forward.len()
    }

    /// Bytes that the edges take.
    pub fn edge_bytes(&self) -> usize {
        let extras = self.extras.len() * size_of::<Extra>();
        let lines = self.lines.len() * size_of::<u32>();
        self.forward.memory_bytes() + self.backward.memory_bytes() + extras + lines
    }

    /// The number of the node with that id.
    pub fn node_index(&self, id: &str) -> Option<u32> {
        self.ids.binary_search(id)
    }

    /// Name and place of a node; empty for an invalid number.
    pub fn name_row(&self, node: u32) -> NameRow<'_> {
        let place = self.locations.get(node as usize);
        let place = place.copied().unwrap_or(PackedLocation {
            file: NONE,
            kind: NONE,
            line_start: NONE,
            line_end: NONE,
            flags: NodeFlags::default(),
        });
        let dotted = self.qualified_names.get(node);
        NameRow {
            id: self.ids.get(node),
            symbol: self.symbol(node),
            qualified_name: (!dotted.is_empty()).then_some(dotted),
            kind: self.relation_kinds.get(place.kind),
            file_path: self.files.get(place.file),
            line_start: line_if_known(place.line_start),
            line_end: line_if_known(place.line_end),
            flags: place.flags,
        }
    }

    /// The place of a node's definition.
    pub fn location(&self, node: u32) -> NodeLocation {
        let Some(place) = self.locations.get(node as usize) else {
            return NodeLocation {
                file: NONE,
                line: 0,
                test: false,
            };
        };
        let in_tests = self.test_files.get(place.file as usize).copied();
        let test = place.flags.contains(NodeFlags::TEST) || in_tests.unwrap_or(false);
        NodeLocation {
            file: place.file,
            line: line_if_known(place.line_start).unwrap_or(0),
            test,
        }
    }

    /// Whether a file is a test file.
    pub fn is_test_file(&self, file: u32) -> bool {
        let test = self.test_files.get(file as usize);
        test.copied().unwrap_or(false)
    }

    /// Number of files.
    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    /// The path of a file by its number.
    pub fn file_path(&self, file: u32) -> &str {
        self.files.get(file)
    }

    fn file_number(&self, path: &str) -> Option<u32> {
        let at = partition(self.by_path.len(), |at| {
            self.file_path(self.by_path[at as usize]) < path
        });
        let file = self.by_path.get(at as usize).copied()?;
        (self.file_path(file) == path).then_some(file)
    }

    /// The stamp of a file when its nodes were made; `None` if the store has no record of it.
    pub fn file_stamp(&self, path: &str) -> Option<FileStamp> {
        let file = self.file_number(path)?;
        self.stamps.get(file as usize).copied().flatten()
    }

    /// The language of a file: as it was read, or by its name if the store has no record of it.
    pub fn language(&self, path: &str) -> Option<Language> {
        let file = self.file_number(path);
        let read = file.and_then(|file| *self.languages.get(file as usize)?);
        read.or_else(|| Language::from_path(path))
    }

    /// The nodes of a file in order of line.
    pub fn nodes_of_file(&self, path: &str) -> &[u32] {
        let Some(file) = self.file_number(path) else {
            return &[];
        };
        let of = |node: &u32| self.locations[*node as usize].file;
        let from = self.by_file.partition_point(|node| of(node) < file);
        let to = self.by_file.partition_point(|node| of(node) <= file);
        &self.by_file[from..to]
    }

    /// The nodes of that name, in order of file, line and id.
    pub fn nodes_named(&self, symbol: &str) -> &[u32] {
        self.names
            .binary_search(symbol)
            .map_or(&[], |name| self.nodes_of_name_index(name))
    }

    fn nodes_of_name_index(&self, name: u32) -> &[u32] {
        let at = name as usize;
        let ends = self.starts.get(at).zip(self.starts.get(at + 1));
        let nodes = ends.and_then(|(from, to)| self.by_symbol.get(*from as usize..*to as usize));
        nodes.unwrap_or_default()
    }

    fn symbol(&self, node: u32) -> &str {
        let name = self.symbol.get(node as usize);
        name.map_or("", |name| self.names.get(*name))
    }

    /// Edges of one type that leave a node, in order of their other end and line.
    pub fn outgoing(
        &self,
        node: u32,
        only: EdgeType,
    ) -> impl ExactSizeIterator<Item = Neighbor<'_>> {
        let arcs = self.forward.edges_of_type(node, only);
        arcs.iter().map(|arc| self.unpack_edge(arc))
    }

    /// Edges of one type that enter a node, in order of their other end and line.
    pub fn incoming(
        &self,
        node: u32,
        only: EdgeType,
    ) -> impl ExactSizeIterator<Item = Neighbor<'_>> {
        let arcs = self.backward.edges_of_type(node, only);
        arcs.iter().map(|arc| self.unpack_edge(arc))
    }

    /// Relations that leave a node.
    pub fn relations_out(&self, node: u32) -> impl Iterator<Item = NodeRelation<'_>> {
        self.relations_of(&self.related_out, node)
    }

    /// Relations that enter a node.
    pub fn relations_in(&self, node: u32) -> impl Iterator<Item = NodeRelation<'_>> {
        self.relations_of(&self.related_in, node)
    }

    fn relations_of<'a>(
        &'a self,
        all: &'a [Related],
        node: u32,
    ) -> impl Iterator<Item = NodeRelation<'a>> {
        let from = all.partition_point(|r| r.node < node);
        let here = all[from..].iter().take_while(move |r| r.node == node);
        here.map(|related| NodeRelation {
            other: related.other,
            kind: self.relation_kinds.get(related.kind),
            tier: related.tier,
        })
    }

    fn unpack_edge(&self, arc: &PackedEdge) -> Neighbor<'_> {
        let tier = arc.tier();
        let (confidence, more_lines) = match arc.extra_index() {
            0 => (tier.default_confidence(), &[][..]),
            at => {
                let extra = &self.extras[at];
                let (from, to) = (extra.lines.0 as usize, extra.lines.1 as usize);
                (extra.confidence, &self.lines[from..to])
            }
        };
        Neighbor {
            edge_type: arc.edge_type(),
            node: arc.other,
            file: line_if_known(arc.file),
            line: line_if_known(arc.line),
            more_lines,
            tier,
            confidence,
            site: arc.site(),
        }
    }

    fn to_names(&self, nodes: &[u32]) -> Vec<Name> {
        nodes
            .iter()
            .map(|node| self.name_row(*node).into())
            .collect()
    }
}

impl Names for Snapshot {
    fn by_id(&self, id: &str) -> Result<Option<Name>, StoreError> {
        Ok(self.node_index(id).map(|node| self.name_row(node).into()))
    }

    fn by_symbol(&self, name: &str) -> Result<Vec<Name>, StoreError> {
        let mut found = self.to_names(self.nodes_named(name));
        if let Some((_, last)) = name.rsplit_once('.') {
            let ends_so = |node: &&u32| {
                let dotted = self.qualified_names.get(**node);
                let before = dotted.strip_suffix(name);
                before.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
            };
            let more = self.nodes_named(last).iter().filter(ends_so);
            found.extend(more.map(|node| Name::from(self.name_row(*node))));
        }
        Ok(found)
    }

    fn by_file(&self, path: &str) -> Result<Vec<Name>, StoreError> {
        Ok(self.to_names(self.nodes_of_file(path)))
    }

    fn visit_names(&self, visit: &mut dyn FnMut(NameRow<'_>)) -> Result<(), StoreError> {
        (0..self.node_count() as u32).for_each(|node| visit(self.name_row(node)));
        Ok(())
    }

    fn visit_wanted_names(&self, visitor: &mut dyn NameVisitor) -> Result<(), StoreError> {
        for name in 0..self.names.len() as u32 {
            if visitor.wants(self.names.get(name)) {
                let nodes = self.nodes_of_name_index(name).iter();
                nodes.for_each(|node| visitor.visit(self.name_row(*node)));
            }
        }
        Ok(())
    }
}
