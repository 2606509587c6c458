//! The top-level definitions of a few files. Everything inside one counts as part of it.

use super::TopSpans;
use super::edges::{FileLink, USES, UseCounts};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use store::{NodeFlags, Snapshot};

/// A definition at the top of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolInfo {
    /// Its name.
    pub name: String,
    /// Kind of symbol.
    pub kind: String,
    /// The index of its file in [`super::OverviewInput::files`].
    pub file: u32,
    /// Lines, including everything inside.
    pub lines: u32,
    /// First and last line.
    pub span: (u32, u32),
    /// Sum of the cyclomatic complexity of its functions.
    pub complexity: u32,
}

/// The top-level definitions of files, given by path and index, and for each node of these files the definition that it
/// counts for.
pub fn top_level_symbols(
    graph: &Snapshot,
    files: &[(&str, u32)],
) -> (Vec<SymbolInfo>, FxHashMap<u32, u32>) {
    let mut found: Vec<SymbolInfo> = Vec::new();
    let mut of_node: FxHashMap<u32, u32> = FxHashMap::default();
    let mut types: FxHashMap<&str, u32> = FxHashMap::default();
    for (path, file) in files {
        for node in graph.nodes_of_file(path) {
            let row = graph.name_row(*node);
            let is_top = row.qualified_name.is_none_or(|q| !q.contains('.'));
            let hidden = row.kind == "file" || row.flags.contains(NodeFlags::LOCAL);
            if !is_top || hidden {
                continue;
            }
            let span = (row.line_start.unwrap_or(0), row.line_end.unwrap_or(0));
            let number = found.len() as u32;
            of_node.insert(*node, number);
            types.entry(row.symbol).or_insert(number);
            found.push(SymbolInfo {
                name: row.symbol.to_owned(),
                kind: row.kind.to_owned(),
                file: *file,
                lines: (span.1 + 1).saturating_sub(span.0),
                span,
                complexity: 0,
            });
        }
    }
    let spans = TopSpans::new(&found);
    for (path, file) in files {
        for node in graph.nodes_of_file(path) {
            if of_node.contains_key(node) {
                continue;
            }
            let row = graph.name_row(*node);
            let line = row.line_start.unwrap_or(0);
            let around = spans.around(*file, line);
            let enclosing = around.filter(|_| row.kind != "file");
            // Methods may be defined outside of their type (Go, Rust).
            let first = row.qualified_name.and_then(|q| q.split('.').next());
            let named = first.and_then(|first| types.get(first)).copied();
            if let Some(number) = named.or(enclosing) {
                of_node.insert(*node, number);
                if enclosing.is_none() {
                    let lines = (row.line_end.unwrap_or(0) + 1).saturating_sub(line);
                    found[number as usize].lines += lines;
                }
            }
        }
    }
    (found, of_node)
}

/// Uses between definitions.
pub fn symbol_links(graph: &Snapshot, of_node: &FxHashMap<u32, u32>) -> Vec<FileLink> {
    let mut found: BTreeMap<(u32, u32), UseCounts> = BTreeMap::new();
    for (node, from) in of_node {
        for kind in USES {
            for edge in graph.outgoing(*node, kind) {
                if let Some(to) = of_node.get(&edge.node).filter(|to| *to != from) {
                    let uses = 1 + edge.more_lines.len() as u32;
                    found.entry((*from, *to)).or_default().add(kind, uses);
                }
            }
        }
    }
    found
        .into_iter()
        .map(|((from, to), weight)| FileLink { from, to, weight })
        .collect()
}
