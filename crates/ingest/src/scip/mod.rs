//! Import of SCIP indexes: the findings of a compiler-grade indexer become nodes and edges of tier `scip`.
//!
//! Never knows: the store, the linker. The data of a file that it needs (text, tree facts, node ids) come through
//! [`Sources`].

mod define;
mod edges;
mod external;
mod fresh;
mod kind;
mod lines;
mod overlay;
mod passed;
mod plan;
pub mod symbol;
pub mod wire;

pub(crate) use overlay::Overlay;
pub use overlay::ScipReport;
pub use passed::{MOST_NAMED, PassedOver};
pub use plan::{FELL_BACK, FORCED, INCREMENTAL, Plan, UP_TO_DATE, plan};

use base::{EdgeType, LONGEST_PATH, NodeId, Site, SymbolKind, fingerprint};
use define::DefinedDocument;
use lines::Lines;
use passed::{NOT_IN_THE_GRAPH, PassedOverCounter, STALE, TOO_LONG};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;
use store::{GraphEdge, GraphExternal, NodeRecord, RelationRecord};
use syntax::FileFacts;
use syntax::facts::DefId;

/// Most bytes of an index. It is held in memory, and takes several times as much while it is read.
pub const MOST_BYTES: u64 = 1 << 30;

/// Bytes of memory for each occurrence, symbol or relation: decoded, resolved, and as an edge.
const PER_FIELD: u64 = 320;

/// Role bit of a definition.
pub const DEFINITION: u32 = 1;
/// Role bit of an import.
pub const IMPORT: u32 = 2;
/// Role bit of a write.
pub const WRITE: u32 = 4;
/// Role bit of a read.
pub const READ: u32 = 8;
/// Role bit of a declaration whose definition is elsewhere.
pub const FORWARD: u32 = 64;

/// The repository's files, as far as the import needs them.
pub trait Sources: Sync {
    /// Whether the repository has a file of that path that belongs to the graph.
    fn contains(&self, path: &str) -> bool;
    /// The file of that path; `None` if it is not part of the graph or cannot be read.
    fn source_file(&self, path: &str) -> Option<SourceFile<'_>>;
}

/// A source file in its present state.
#[derive(Debug, Clone)]
pub struct SourceFile<'a> {
    /// The text from which the facts were made.
    pub text: Cow<'a, str>,
    /// Facts of its syntax tree.
    pub facts: Cow<'a, FileFacts>,
    /// The node of each definition, in order: its own, or that of the definition it declares or stands in; `None` if
    /// that is the file.
    pub nodes: Cow<'a, [Option<NodeId>]>,
    /// The node of the file itself.
    pub file_node: NodeId,
    /// Time of last change.
    pub modified: Option<SystemTime>,
}

/// Why an index could not be imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScipError {
    /// There is no such file.
    #[error("SCIP index not found: {0}")]
    Missing(String),
    /// The file cannot be read.
    #[error("cannot read the SCIP index {path}: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why it cannot be read.
        reason: String,
    },
    /// Reading it takes more memory than allowed.
    #[error(
        "SCIP index {path}: it takes {needed} MB of memory to be read, {most} MB is its share of the memory ceiling (more \
         with --memory or limits.memory)"
    )]
    TooLarge {
        /// The file.
        path: String,
        /// The least memory that it would take, in MB.
        needed: u64,
        /// The memory that it may take, in MB.
        most: u64,
    },
    /// The file is not a SCIP index, or it is damaged.
    #[error("damaged SCIP index {path}: {reason}")]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// An index, converted to our types.
#[derive(Debug, Clone, Default)]
pub struct ScipImport {
    /// The indexers with their versions, e.g. `scip-typescript 0.4.0`.
    pub tools: Vec<String>,
    /// Documents that describe the present files, in order of path.
    pub documents: Vec<ScipDocument>,
    /// Documents that were skipped, the first in order of path.
    pub passed_over: Vec<PassedOver>,
    /// Number of further skipped documents, by reason.
    pub passed_over_more: BTreeMap<String, u64>,
    /// Counts.
    pub summary: Summary,
}

/// The data of an index about one file. They replace the linker's CALLS and MODIFIES edges for that file. Nodes,
/// DEFINES and IMPORTS edges of the syntax tree stay, and those of the index are added.
#[derive(Debug, Clone, Default)]
pub struct ScipDocument {
    /// Path in the project.
    pub path: String,
    /// Nodes that the syntax tree does not have.
    pub nodes: Vec<NodeRecord>,
    /// Definitions of the syntax tree, with their symbols in the index.
    pub named: Vec<(DefId, String)>,
    /// Edges that start in this file; their ids are not assigned yet.
    pub edges: Vec<GraphEdge>,
    /// Relations that are written in this file.
    pub relations: Vec<RelationRecord>,
    /// Uses of other packages.
    pub externals: Vec<GraphExternal>,
    /// Call sites of the syntax tree that have an edge.
    pub calls_resolved: u32,
    /// Call sites whose target lies outside the repository.
    pub calls_external: u32,
    /// Line and column in bytes, both from 0, of every reference that the index resolves. The linker's result for the
    /// same place is ignored.
    pub covered: FxHashSet<(u32, u32)>,
}

/// Counts of an import, as `scip parse` prints them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Documents of the index.
    pub documents: usize,
    /// Distinct symbols defined in the imported documents.
    pub symbols: usize,
    /// Occurrences in the imported documents.
    pub occurrences: usize,
    /// Edges by type; for DEFINES, the edges of the syntax tree that the index confirms.
    pub edges: BTreeMap<EdgeType, usize>,
    /// CALLS edges by site.
    pub calls_by_site: BTreeMap<Site, usize>,
}

/// The first definition of a symbol.
#[derive(Clone, Copy)]
struct Target {
    node: NodeId,
    kind: SymbolKind,
}

/// Reads the index at `index` and matches it with the files of the repository.
///
/// `shown` is the path that messages name. The result depends only on the index and the files.
pub fn import_index(
    index: &Path,
    shown: &str,
    sources: &dyn Sources,
) -> Result<ScipImport, ScipError> {
    import_index_within(index, shown, sources, u64::MAX)
}

/// As [`import_index`], with at most `most` bytes of memory.
pub(crate) fn import_index_within(
    index: &Path,
    shown: &str,
    sources: &dyn Sources,
    most: u64,
) -> Result<ScipImport, ScipError> {
    let too_large = |needed: u64| ScipError::TooLarge {
        path: shown.to_owned(),
        needed: needed >> 20,
        most: most >> 20,
    };
    let unreadable = |e: guard::OpenError| match e {
        e if e.is_missing() => ScipError::Missing(shown.to_owned()),
        guard::OpenError::TooLarge { limit, .. } if limit < MOST_BYTES => {
            too_large(index.metadata().map_or(limit, |m| m.len()))
        }
        e => ScipError::Unreadable {
            path: shown.to_owned(),
            reason: e.reason(),
        },
    };
    let bytes = guard::read_user_file(index, most.min(MOST_BYTES)).map_err(unreadable)?;
    // A file that is not an index is reported below.
    let fields = wire::count_items(&bytes).unwrap_or_default();
    let needed = (bytes.len() as u64).saturating_add(fields.saturating_mul(PER_FIELD));
    if needed > most {
        return Err(too_large(needed));
    }
    let written = index.metadata().and_then(|m| m.modified());
    let written = written.map_err(|e| ScipError::Unreadable {
        path: shown.to_owned(),
        reason: e.to_string(),
    })?;
    import_bytes(&bytes, Some(written), sources).map_err(|e| ScipError::Damaged {
        path: shown.to_owned(),
        reason: e.to_string(),
    })
}

/// The paths of an index's documents, as it writes them.
pub fn document_paths(bytes: &[u8]) -> Result<Vec<String>, wire::WireError> {
    let frame = wire::decode_frame(bytes)?;
    let paths = frame.documents.iter().map(|(_, bytes)| {
        let document = wire::decode_document(bytes)?;
        Ok(document.path.to_string())
    });
    paths.collect()
}

/// Like [`import_index`] for an index in memory, written at the given time.
pub fn import_bytes(
    bytes: &[u8],
    written: Option<SystemTime>,
    sources: &dyn Sources,
) -> Result<ScipImport, wire::WireError> {
    let frame = wire::decode_frame(bytes)?;
    if frame.origins.is_empty() && frame.documents.is_empty() {
        return Err(wire::WireError::Malformed);
    }
    let documents = decode_documents(&frame)?;
    let count = documents.len();
    let prefixes = path_prefixes(&frame, &documents, sources);
    let (files, mut passed_over) = open_files(&frame, &documents, &prefixes, sources);
    let lines: Vec<Lines<'_>> = files
        .par_iter()
        .map(|(at, _, file)| Lines::new(&file.text, documents[*at].encoding))
        .collect();
    let mut documents: Vec<Option<wire::Document<'_>>> = documents.into_iter().map(Some).collect();
    let taken: Vec<_> = files
        .iter()
        .map(|(at, path, _)| (path, documents[*at].take()))
        .collect();
    let mut defined: Vec<DefinedDocument<'_>> = taken
        .into_par_iter()
        .zip(&files)
        .zip(&lines)
        .map(|(((path, document), (_, _, file)), lines)| {
            let document = document.unwrap_or_default();
            let mut defined = define::assign_nodes(path.clone(), document, file, lines);
            let touched = file
                .modified
                .zip(written)
                .is_some_and(|(file, index)| file > index);
            defined.stale = fresh::staleness_reason(&defined, file, lines, touched);
            defined
        })
        .collect();
    let targets = symbol_targets(&defined, &files);
    let mut taken: Vec<(ScipDocument, Summary)> = (&defined, &files, &lines)
        .into_par_iter()
        .filter(|(defined, _, _)| defined.stale.is_none())
        .map(|(defined, (_, _, file), lines)| edges::build_edges(defined, file, lines, &targets))
        .collect();
    taken.sort_by(|a, b| a.0.path.cmp(&b.0.path));
    for document in &defined {
        if let Some(why) = &document.stale {
            passed_over.add(&document.path, STALE, Some(why));
        }
    }
    let (passed_over, passed_over_more) = passed_over.finish();
    let mut out = ScipImport {
        tools: passed::tools(&frame.origins),
        passed_over,
        passed_over_more,
        ..ScipImport::default()
    };
    out.summary.documents = count;
    for (mut document, summary) in taken {
        out.summary.merge(&summary);
        move_nodes_into(&mut document, &mut defined);
        out.documents.push(document);
    }
    Ok(out)
}

impl Summary {
    fn merge(&mut self, other: &Summary) {
        self.symbols += other.symbols;
        self.occurrences += other.occurrences;
        for edge_type in EdgeType::ALL {
            let more = other.edges.get(&edge_type).copied().unwrap_or_default();
            *self.edges.entry(edge_type).or_default() += more;
        }
        for (site, more) in &other.calls_by_site {
            *self.calls_by_site.entry(*site).or_default() += more;
        }
    }
}

/// Decodes every document and determines its unit of columns.
fn decode_documents<'a>(
    frame: &wire::UndecodedIndex<'a>,
) -> Result<Vec<wire::Document<'a>>, wire::WireError> {
    let one = |(origin, bytes): &(usize, &'a [u8])| {
        let mut document = wire::decode_document(bytes)?;
        let tool = frame.origins.get(*origin).map_or("", |o| o.tool);
        document.encoding = define::default_encoding(tool, document.encoding);
        Ok(document)
    };
    frame.documents.par_iter().map(one).collect()
}

/// For each origin, the prefix of its documents' paths.
fn path_prefixes(
    frame: &wire::UndecodedIndex<'_>,
    documents: &[wire::Document<'_>],
    sources: &dyn Sources,
) -> Vec<String> {
    let mut own: Vec<Vec<&wire::Document<'_>>> = vec![Vec::new(); frame.origins.len()];
    for ((origin, _), document) in frame.documents.iter().zip(documents) {
        if let Some(own) = own.get_mut(*origin) {
            own.push(document);
        }
    }
    let origins = frame.origins.iter().zip(&own);
    origins
        .map(|(origin, own)| find_path_prefix(own, origin.project_root, sources))
        .collect()
}

/// Longest root of a system, in bytes.
const LONGEST_ROOT: usize = 4_096;
/// Most folders of a root that are tried, from its end.
const MOST_PARTS: usize = 64;

/// An index may have been written in a folder of the project. This is the ending of the index's root under which most
/// of its documents are found; it is put before their paths.
fn find_path_prefix(
    documents: &[&wire::Document<'_>],
    root: &str,
    sources: &dyn Sources,
) -> String {
    let root = root.split_once("://").map_or(root, |(_, path)| path);
    let parts: Vec<&str> = root.split('/').filter(|p| !p.is_empty()).collect();
    let parts = if root.len() <= LONGEST_ROOT {
        &parts[parts.len().saturating_sub(MOST_PARTS)..]
    } else {
        &[]
    };
    let endings = (1..=parts.len()).map(|n| format!("{}/", parts[parts.len() - n..].join("/")));
    let endings = endings.take_while(|ending| ending.len() <= LONGEST_PATH);
    let step = documents.len().div_ceil(64).max(1);
    let found = |prefix: &str| {
        let sample = documents.iter().step_by(step);
        let sample = sample.filter(|d| prefix.len() + d.path.len() <= LONGEST_PATH);
        sample
            .filter(|d| sources.contains(&format!("{prefix}{}", d.path)))
            .count()
    };
    let mut best = (found(""), String::new());
    for ending in endings {
        let count = found(&ending);
        if count > best.0 {
            best = (count, ending);
        }
    }
    best.1
}

type Opened<'s> = (usize, String, SourceFile<'s>);

/// The files of the documents, each used once. Paths that lead out of the project are never opened.
fn open_files<'s>(
    frame: &wire::UndecodedIndex<'_>,
    documents: &[wire::Document<'_>],
    prefixes: &[String],
    sources: &'s dyn Sources,
) -> (Vec<Opened<'s>>, PassedOverCounter) {
    let mut passed_over = PassedOverCounter::default();
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    // Paths that are not in the graph may be many: only their hashes are kept.
    let mut unknown: FxHashSet<u64> = FxHashSet::default();
    let mut full = String::new();
    for (at, document) in documents.iter().enumerate() {
        let prefix = prefixes
            .get(frame.documents[at].0)
            .map_or("", String::as_str);
        if prefix.len() + document.path.len() > LONGEST_PATH {
            passed_over.count(TOO_LONG);
            continue;
        }
        full.clear();
        full.push_str(prefix);
        full.push_str(document.path);
        let path = full.as_str();
        let inside = !path.starts_with('/') && path.split('/').all(|p| p != "..");
        if inside && sources.contains(path) {
            if !first.contains_key(path) {
                first.insert(path.to_owned(), at);
            }
        } else if unknown.insert(fingerprint(&[path.as_bytes()])) {
            passed_over.add(path, NOT_IN_THE_GRAPH, None);
        }
    }
    let list: Vec<(String, usize)> = first.into_iter().collect();
    let opened: Vec<_> = list
        .into_par_iter()
        .map(|(path, at)| match sources.source_file(&path) {
            Some(file) => Ok((at, path, file)),
            None => Err(path),
        })
        .collect();
    let mut files = Vec::new();
    for one in opened {
        match one {
            Ok(file) => files.push(file),
            Err(path) => passed_over.add(&path, NOT_IN_THE_GRAPH, None),
        }
    }
    (files, passed_over)
}

/// The node of every symbol that is not local to its document: that of the first definition in order of path. Documents
/// that describe the present files come first.
fn symbol_targets<'a>(
    defined: &[DefinedDocument<'a>],
    files: &[Opened<'_>],
) -> FxHashMap<&'a str, Target> {
    let mut targets = FxHashMap::default();
    for document in defined.iter().filter(|d| d.stale.is_none()) {
        for (symbol, node) in &document.nodes_by_symbol {
            if !symbol::is_local(symbol) {
                let kind = document
                    .kinds
                    .get(node)
                    .copied()
                    .unwrap_or(SymbolKind::Other);
                targets
                    .entry(*symbol)
                    .or_insert(Target { node: *node, kind });
            }
        }
    }
    for (document, (_, _, file)) in defined.iter().zip(files) {
        if document.stale.is_some() {
            add_targets_by_name(document, file, &mut targets);
        }
    }
    targets
}

/// In a file that has changed since, a symbol is still found if its dotted name is unique there.
fn add_targets_by_name<'a>(
    document: &DefinedDocument<'a>,
    file: &SourceFile<'_>,
    targets: &mut FxHashMap<&'a str, Target>,
) {
    let mut names: FxHashMap<String, Option<Target>> = FxHashMap::default();
    for (at, def) in file.facts.defs.iter().enumerate() {
        if let Some(Some(node)) = file.nodes.get(at) {
            let name = file.facts.qualified_name(DefId(at as u32));
            let target = Target {
                node: *node,
                kind: def.kind,
            };
            names
                .entry(name)
                .and_modify(|t| *t = None)
                .or_insert(Some(target));
        }
    }
    let definitions = document
        .document
        .occurrences
        .iter()
        .filter(|o| o.roles & DEFINITION != 0);
    for symbol in definitions.map(|o| o.symbol) {
        let global = symbol::GlobalSymbol::parse(symbol);
        let found = global.and_then(|g| names.get(&g.qualified_name()).copied().flatten());
        if let Some(target) = found {
            targets.entry(symbol).or_insert(target);
        }
    }
}

/// Adds the nodes of a document, own and named.
fn move_nodes_into(document: &mut ScipDocument, defined: &mut [DefinedDocument<'_>]) {
    if let Ok(at) = defined.binary_search_by(|d| d.path.cmp(&document.path)) {
        document.nodes = std::mem::take(&mut defined[at].nodes);
        let named = &defined[at].named;
        document.named = named
            .iter()
            .map(|(def, symbol)| (*def, (*symbol).to_owned()))
            .collect();
    }
}
