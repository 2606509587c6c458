//! Replaces results of the linker by those of a SCIP index, file by file.
//!
//! If the index resolves a reference, its result counts. If it does not (missing dependencies, code under another
//! configuration, files changed since), the linker's result stays, with its own tier.

use super::{
    FELL_BACK, ScipDocument, ScipError, ScipImport, SourceFile, Sources, Summary,
    import_index_within,
};
use crate::emit::{FileNodes, FileRows, edge_key, sort_lines};
use crate::pipeline::Parsed;
use crate::text::{self, Decoded};
use base::{EdgeType, NodeId, Site, Tier};
use guard::Folder;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, UNIX_EPOCH};
use store::{FileGraph, GraphEdge, GraphExternal, NodeRecord, RelationRecord};
use syntax::FileFacts;
use syntax::facts::CallKind;

/// Report on an index during an update.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScipReport {
    /// The indexers with their versions.
    pub tools: Vec<String>,
    /// Counts.
    pub summary: Summary,
    /// Files whose edges come from the index.
    pub files: u32,
    /// Documents that were skipped because their files have changed since, or are not in the graph: the first ones.
    pub passed_over: Vec<super::PassedOver>,
    /// Number of further ones, by reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub passed_over_more: BTreeMap<String, u64>,
    /// Why the index could not be read; the graph then comes from syntax trees alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl ScipReport {
    /// Number of skipped documents.
    pub fn passed_over_count(&self) -> u64 {
        self.passed_over.len() as u64 + self.passed_over_more.values().sum::<u64>()
    }

    /// `high` if edges come from the index, `low` if it could not be read.
    pub fn confidence(&self) -> &'static str {
        if self.problem.is_some() {
            "low"
        } else {
            "high"
        }
    }

    /// `scip`, or `syntax` if the index could not be read.
    pub fn source(&self) -> &'static str {
        if self.problem.is_some() {
            "syntax"
        } else {
            "scip"
        }
    }
}

/// The data of an index about a file.
#[derive(Debug, Default)]
struct OverlayDocument {
    document: ScipDocument,
    /// Its rows, until they are taken.
    rows: Mutex<OverlayRows>,
}

/// The rows that an index adds to a file.
#[derive(Debug, Default)]
struct OverlayRows {
    nodes: Vec<NodeRecord>,
    edges: Vec<GraphEdge>,
    relations: Vec<RelationRecord>,
}

impl OverlayDocument {
    fn new(mut document: ScipDocument) -> OverlayDocument {
        let rows = OverlayRows {
            nodes: std::mem::take(&mut document.nodes),
            edges: std::mem::take(&mut document.edges),
            relations: std::mem::take(&mut document.relations),
        };
        OverlayDocument {
            document,
            rows: Mutex::new(rows),
        }
    }

    fn take_rows(&self) -> OverlayRows {
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *rows)
    }
}

/// An imported index, by file.
#[derive(Debug, Default)]
pub(crate) struct Overlay {
    documents: FxHashMap<String, OverlayDocument>,
    pub(crate) report: Option<ScipReport>,
    /// Whether it was not read because it takes too much memory.
    pub(crate) is_too_large: bool,
}

impl Overlay {
    /// Imports the index at `path`, if there is one. If it is damaged, or takes more than `most` bytes of memory, the
    /// overlay is empty, and its report gives the reason.
    pub(crate) fn load(
        path: Option<&Path>,
        root: &Path,
        (parsed, nodes): (&[Parsed], &[FileNodes]),
        most: u64,
    ) -> Overlay {
        let Some(path) = path.filter(|p| p.exists()) else {
            return Overlay::default();
        };
        let files = ParsedFiles::new(root, parsed, nodes);
        let shown = path
            .strip_prefix(root)
            .unwrap_or(path)
            .display()
            .to_string();
        match import_index_within(path, &shown, &files, most) {
            Ok(imported) => Overlay::from_import(imported),
            Err(error) => Overlay {
                documents: FxHashMap::default(),
                is_too_large: matches!(error, ScipError::TooLarge { .. }),
                report: Some(ScipReport {
                    problem: Some(error.to_string()),
                    ..ScipReport::default()
                }),
            },
        }
    }

    fn from_import(imported: ScipImport) -> Overlay {
        let report = ScipReport {
            tools: imported.tools,
            summary: imported.summary,
            files: imported.documents.len() as u32,
            passed_over: imported.passed_over,
            passed_over_more: imported.passed_over_more,
            problem: None,
        };
        let documents = imported.documents.into_iter();
        let documents = documents
            .map(|d| (d.path.clone(), OverlayDocument::new(d)))
            .collect();
        Overlay {
            documents,
            report: Some(report),
            is_too_large: false,
        }
    }

    /// A warning about the index, if there is one.
    pub(crate) fn warning(&self) -> Option<String> {
        let problem = self.report.as_ref()?.problem.as_ref()?;
        Some(format!("{FELL_BACK} ({problem})"))
    }

    /// Whether the file's edges come from the index.
    pub(crate) fn covers_file(&self, path: &str) -> bool {
        self.documents.contains_key(path)
    }

    /// The references in a file that the index resolves, by line and column from 0; `None` if it does not cover the
    /// file.
    pub(crate) fn covered_positions(&self, path: &str) -> Option<&FxHashSet<(u32, u32)>> {
        self.documents.get(path).map(|said| &said.document.covered)
    }

    /// Adds the index's rows of a file to the linker's rows for the places that the index does not cover. Call it once
    /// for each file, since it takes the rows.
    pub(crate) fn add_to_rows(
        &self,
        path: &str,
        facts: &FileFacts,
        nodes: &FileNodes,
        rows: &mut FileRows,
    ) {
        let Some(indexed) = self.documents.get(path) else {
            return;
        };
        let document = &indexed.document;
        let mut own = indexed.take_rows();
        let graph = &mut rows.graph;
        set_scip_names(document, nodes, graph);
        graph.nodes.append(&mut own.nodes);
        name_files(&own.edges, graph);
        merge_scip_edges(own.edges, graph);
        add_relations(own.relations, graph);
        add_externals(document, graph);
        let covered = facts.calls.iter().filter(|c| {
            let at = (c.line.saturating_sub(1), c.column);
            c.kind != CallKind::Literal && document.covered.contains(&at)
        });
        // The linker counted the calls that the index covers as external.
        let outside = rows.calls.external.saturating_sub(covered.count() as u64);
        rows.calls.external = outside + u64::from(document.calls_external);
        rows.calls.resolved += u64::from(document.calls_resolved);
    }
}

fn set_scip_names(document: &ScipDocument, nodes: &FileNodes, graph: &mut FileGraph) {
    let mut names: FxHashMap<NodeId, &str> = FxHashMap::default();
    for (def, symbol) in &document.named {
        if let Some(id) = nodes.of_def.get(def.index()).copied().flatten() {
            names.entry(id).or_insert(symbol);
        }
    }
    let texts: FxHashMap<String, &str> = names
        .iter()
        .map(|(id, name)| (id.to_string(), *name))
        .collect();
    for node in &mut graph.nodes {
        if let Some(symbol) = texts.get(&node.id) {
            node.scip_symbol = Some((*symbol).to_owned());
        }
    }
    for edge in &mut graph.edges {
        if edge.edge_type == EdgeType::Defines && names.contains_key(&edge.target) {
            (edge.tier, edge.confidence) = (Tier::Scip, Tier::Scip.default_confidence());
        }
    }
}

/// Sets the targets of imports that the linker cannot resolve to those of the index.
fn name_files(edges: &[GraphEdge], graph: &mut FileGraph) {
    let mut lines: FxHashMap<u32, NodeId> = FxHashMap::default();
    let imports = edges.iter().filter(|e| e.edge_type == EdgeType::Imports);
    for edge in imports {
        let file = NodeId::new(edge.target.file(), 0);
        let all = std::iter::once(edge.line).chain(edge.more_lines.iter().copied());
        all.for_each(|line| {
            lines.entry(line).or_insert(file);
        });
    }
    for import in &mut graph.imports {
        import.target = import.target.or_else(|| lines.get(&import.line).copied());
    }
}

fn merge_scip_edges(edges: Vec<GraphEdge>, graph: &mut FileGraph) {
    let calls = edges.iter().filter(|e| e.edge_type == EdgeType::Calls);
    let known: FxHashSet<(NodeId, NodeId)> = calls.map(|e| (e.source, e.target)).collect();
    graph.edges.retain(|edge| {
        edge.site != Some(Site::Reference) || !known.contains(&(edge.source, edge.target))
    });
    let mut there: FxHashMap<_, usize> = FxHashMap::default();
    for (at, edge) in graph.edges.iter().enumerate() {
        there.insert(edge_key(edge), at);
    }
    for edge in edges {
        match there.get(&edge_key(&edge)) {
            Some(at) => merge_edge(&mut graph.edges[*at], &edge),
            None => graph.edges.push(edge),
        }
    }
}

/// Merges an edge that both linker and index have; that of the index is certain.
fn merge_edge(there: &mut GraphEdge, edge: &GraphEdge) {
    there.more_lines.push(edge.line);
    there.more_lines.extend(&edge.more_lines);
    (there.tier, there.confidence) = (edge.tier, edge.confidence);
    sort_lines(there);
}

/// If both state a relation, that of the index counts.
fn add_relations(relations: Vec<RelationRecord>, rows: &mut FileGraph) {
    let mut new: FxHashSet<_> = relations.iter().map(relation_key).collect();
    let present = rows.relations.iter();
    let is_present: Vec<bool> = present
        .map(|there| new.remove(&relation_key(there)))
        .collect();
    let is_new: Vec<bool> = relations
        .iter()
        .map(|relation| new.contains(&relation_key(relation)))
        .collect();
    for (there, is_present) in rows.relations.iter_mut().zip(is_present) {
        if is_present {
            there.tier = Tier::Scip;
        }
    }
    let added = relations.into_iter().zip(is_new);
    let added = added.filter_map(|(relation, is_new)| is_new.then_some(relation));
    rows.relations.extend(added);
}

fn relation_key(relation: &RelationRecord) -> (&str, &str, &str) {
    (&relation.source_id, &relation.target_id, &relation.kind)
}

fn add_externals(document: &ScipDocument, rows: &mut FileGraph) {
    let key = |x: &GraphExternal| (x.source, x.package.clone(), x.symbol.clone());
    let known = rows.externals.iter().enumerate();
    let mut there: FxHashMap<_, usize> = known.map(|(at, x)| (key(x), at)).collect();
    for external in &document.externals {
        let next = rows.externals.len();
        let at = *there.entry(key(external)).or_insert(next);
        match rows.externals.get_mut(at) {
            Some(there) => {
                there.count += external.count;
                there.line = there.line.min(external.line);
            }
            None => rows.externals.push(external.clone()),
        }
    }
}

/// The files of an update, as the import needs them.
struct ParsedFiles<'a> {
    root: Option<Folder>,
    files: FxHashMap<&'a str, (&'a Parsed, &'a FileNodes)>,
}

impl<'a> ParsedFiles<'a> {
    fn new(root: &Path, parsed: &'a [Parsed], nodes: &'a [FileNodes]) -> ParsedFiles<'a> {
        let files = parsed
            .iter()
            .zip(nodes)
            .map(|(p, n)| (p.found.path.as_str(), (p, n)));
        ParsedFiles {
            root: Folder::open(root).ok(),
            files: files.collect(),
        }
    }
}

impl Sources for ParsedFiles<'_> {
    fn contains(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    fn source_file(&self, path: &str) -> Option<SourceFile<'_>> {
        let (parsed, nodes) = self.files.get(path)?;
        let limit = parsed.found.size.max(1 << 16);
        let bytes = self.root.as_ref()?.read(path, limit).ok()?;
        let Decoded::Text(text) = text::decode_masked(path, bytes) else {
            return None;
        };
        let since = Duration::from_nanos(u64::try_from(parsed.found.mtime_ns).unwrap_or_default());
        Some(SourceFile {
            text: Cow::Owned(text),
            facts: Cow::Borrowed(parsed.facts.as_ref()),
            nodes: Cow::Borrowed(&nodes.of_def),
            file_node: nodes.file,
            modified: Some(UNIX_EPOCH + since),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(source: usize, target: usize, tier: Tier) -> RelationRecord {
        RelationRecord {
            source_id: source.to_string(),
            target_id: target.to_string(),
            kind: "reference".to_owned(),
            file_path: "a.py".to_owned(),
            tier,
        }
    }

    #[test]
    fn relations_of_all_with_all_are_joined_in_proportion() {
        let all = |tier| (0..200_000).map(move |at| relation(at % 500, at / 500, tier));
        let linked: Vec<_> = all(Tier::Named).step_by(2).collect();
        let mut rows = FileGraph {
            relations: linked.clone(),
            ..FileGraph::default()
        };
        add_relations(all(Tier::Scip).collect(), &mut rows);
        assert_eq!(rows.relations.len(), 200_000);
        assert!(rows.relations.iter().all(|r| r.tier == Tier::Scip));
        assert_eq!(relation_key(&rows.relations[1]), relation_key(&linked[1]));
        assert_eq!(rows.relations[100_000].source_id, "1");
    }
}
