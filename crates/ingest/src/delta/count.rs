//! Counts the definitions that an update adds, removes and changes.

use base::{EdgeType, FileKey};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::BTreeSet;
use store::sqlite::{Outgoing, SqliteStore};
use store::{FileGraph, GraphStore, NodeFlags, NodeRecord, StoreError};

/// Numbers of definitions that were added, removed and modified. Each file also counts as a definition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct DeltaCounts {
    /// New.
    pub added: u64,
    /// Removed.
    pub removed: u64,
    /// Definitions with another signature, documentation or number of lines, or with other calls, references or writes.
    /// A definition that only moved to another line is not counted.
    pub modified: u64,
}

impl DeltaCounts {
    pub(crate) fn add(&mut self, other: DeltaCounts) {
        self.added += other.added;
        self.removed += other.removed;
        self.modified += other.modified;
    }
}

/// The parts of a definition that are compared.
#[derive(Default, PartialEq)]
struct DefShape {
    signature: Option<String>,
    doc: Option<String>,
    flags: u32,
    lines: u32,
    uses: BTreeSet<(String, String, Option<u8>)>,
}

/// The part of the graph that belongs to one file.
pub(crate) struct FileState {
    nodes: Vec<NodeRecord>,
    edges: Vec<Outgoing>,
}

impl FileState {
    /// The file's state in the store.
    pub(crate) fn from_store(store: &SqliteStore, path: &str) -> Result<FileState, StoreError> {
        let mut nodes = store.find_file(path)?;
        nodes.retain(|n| !n.flags.contains(NodeFlags::MANUAL));
        Ok(FileState {
            nodes,
            edges: store.outgoing_edges(path)?,
        })
    }

    /// The file's state after linking; `path_of` gives the paths of files.
    pub(crate) fn from_graph<'p>(
        graph: &FileGraph,
        path_of: &dyn Fn(FileKey) -> &'p str,
    ) -> FileState {
        let edges = graph.edges.iter().map(|edge| Outgoing {
            source_id: edge.source.to_string(),
            target_id: edge.target.to_string(),
            edge_type: edge.edge_type,
            site: edge.site,
            target_path: path_of(edge.target.file()).to_owned(),
        });
        FileState {
            edges: edges.collect(),
            nodes: graph.nodes.clone(),
        }
    }

    /// Counts for a removed file: all its definitions are removed.
    pub(crate) fn count_all_removed(self) -> DeltaCounts {
        DeltaCounts {
            removed: self.nodes.len() as u64,
            ..DeltaCounts::default()
        }
    }

    /// Other files that it uses.
    pub(crate) fn used_files(&self, own: &str) -> BTreeSet<String> {
        let targets = self.edges.iter().map(|e| &e.target_path);
        targets.filter(|p| *p != own).cloned().collect()
    }

    fn into_shapes(self) -> FxHashMap<String, DefShape> {
        let mut shapes: FxHashMap<String, DefShape> = FxHashMap::default();
        for node in self.nodes {
            let lines = node.line_end.zip(node.line_start).map_or(0, |(e, s)| e - s);
            let shape = DefShape {
                signature: node.signature,
                doc: node.doc,
                flags: node.flags.0,
                lines,
                uses: BTreeSet::new(),
            };
            shapes.insert(node.id, shape);
        }
        // An inner definition counts by itself.
        let uses = self
            .edges
            .into_iter()
            .filter(|e| e.edge_type != EdgeType::Defines);
        for edge in uses {
            if let Some(shape) = shapes.get_mut(&edge.source_id) {
                let site = edge.site.map(|s| s as u8);
                shape
                    .uses
                    .insert((edge.edge_type.to_string(), edge.target_id, site));
            }
        }
        shapes
    }

    /// Counts the definitions that differ from `after`.
    pub(crate) fn count_changes(self, after: FileState) -> DeltaCounts {
        let (mut before, after) = (self.into_shapes(), after.into_shapes());
        let mut counts = DeltaCounts::default();
        for (id, shape) in after {
            match before.remove(&id) {
                None => counts.added += 1,
                Some(old) if old != shape => counts.modified += 1,
                Some(_) => {}
            }
        }
        counts.removed = before.len() as u64;
        counts
    }
}
