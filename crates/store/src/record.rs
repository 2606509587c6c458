//! Records of the store.

use base::{EdgeType, MarkKind, Site, Tier};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A node: a symbol or a file.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct NodeRecord {
    /// Fingerprint, or any text for nodes added by hand.
    pub id: String,
    /// The name (for files, the file name).
    pub symbol: String,
    /// A word of [`base::SymbolKind`], or any word for nodes added by hand.
    pub kind: String,
    /// Path in the project, with `/`.
    pub file_path: String,
    /// First line, from 1.
    pub line_start: Option<u32>,
    /// Last line, from 1, inclusive.
    pub line_end: Option<u32>,
    /// Dotted path within the file (`Class.method`); `None` if it equals the symbol.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qualified_name: Option<String>,
    /// The signature on one line, at most 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// First paragraph of the documentation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// Properties: see [`NodeFlags`].
    #[serde(default)]
    pub flags: NodeFlags,
    /// SCIP symbol, if an index named it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scip_symbol: Option<String>,
}

/// Properties of a node, as a bit set (column `flags`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeFlags(pub u32);

impl NodeFlags {
    /// Visible outside its file.
    pub const EXPORTED: u32 = 1;
    /// A test, by the language's convention.
    pub const TEST: u32 = 2;
    /// Local to a function or (SCIP) to a document: left out of search, orphans and overviews.
    pub const LOCAL: u32 = 4;
    /// Declared without a body.
    pub const ABSTRACT: u32 = 8;
    /// Added by hand, not by the indexer.
    pub const MANUAL: u32 = 16;
    /// Private or protected by the language's rules.
    pub const PRIVATE: u32 = 32;
    /// Names a supertype, whether or not it is in the graph. Python's `object` does not count.
    pub const INHERITS: u32 = 64;
    /// Marked as an override or implementation of an inherited member: `@Override`, `override`, `impl Trait for`.
    pub const OVERRIDES: u32 = 128;
    /// Declared here and defined elsewhere: `declare`, an overload's signature, a Go function without a body.
    pub const DECLARED: u32 = 256;
    /// Started from outside. A file: it is run (`#!`, `if __name__`, Go's package `main`). A definition: Java's
    /// `static void main`, Go's `//export` or `//go:linkname`.
    pub const ENTRY: u32 = 512;
    /// The default export of its file.
    pub const DEFAULT_EXPORT: u32 = 1024;
    /// One of several constants or variables that are declared together (Go).
    pub const GROUPED: u32 = 2048;
    /// Only for type checkers (Python's `if TYPE_CHECKING`).
    pub const TYPE_ONLY: u32 = 4096;
    /// Written by a macro (Rust): its text is in the macro's definition.
    pub const FROM_MACRO: u32 = 8192;
    /// An empty file.
    pub const BLANK: u32 = 16384;
    /// An expression with a name that only it sees itself (ECMAScript). Others know it by the name it is assigned to,
    /// or by the place it is passed to.
    pub const OWN_NAME: u32 = 32768;

    /// Whether the bit is set.
    pub fn contains(self, bit: u32) -> bool {
        self.0 & bit != 0
    }
}

/// The part of a node that a search by name needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NameRow<'a> {
    /// Its id.
    pub id: &'a str,
    /// The name.
    pub symbol: &'a str,
    /// Dotted path within the file; `None` if it equals the symbol.
    pub qualified_name: Option<&'a str>,
    /// Kind of symbol.
    pub kind: &'a str,
    /// Path in the project.
    pub file_path: &'a str,
    /// First line, from 1.
    pub line_start: Option<u32>,
    /// Last line, from 1, inclusive.
    pub line_end: Option<u32>,
    /// Properties.
    pub flags: NodeFlags,
}

impl<'a> NameRow<'a> {
    /// The name and place of a node.
    pub fn from_node(node: &'a NodeRecord) -> NameRow<'a> {
        NameRow {
            id: &node.id,
            symbol: &node.symbol,
            qualified_name: node.qualified_name.as_deref(),
            kind: &node.kind,
            file_path: &node.file_path,
            line_start: node.line_start,
            line_end: node.line_end,
            flags: node.flags,
        }
    }
}

/// An edge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EdgeRecord {
    /// Fingerprint, or any text for edges added by hand.
    pub id: String,
    /// Source node.
    pub source_id: String,
    /// Target node.
    pub target_id: String,
    /// The relation.
    pub edge_type: EdgeType,
    /// The file of the edge.
    pub file_path: Option<String>,
    /// The line of the edge, from 1.
    pub line: Option<u32>,
    /// Tier: how the edge is known.
    pub tier: Tier,
    /// 0–1.
    pub confidence: f64,
    /// Further lines of the edge, ascending. (There is one edge for each source, target, type and site.)
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more_lines: Vec<u32>,
    /// For CALLS: a call or only a reference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<Site>,
}

impl EdgeRecord {
    /// The id of an edge that was given none: a fingerprint of both ends, type, site, file and line.
    pub fn fingerprint(&self) -> String {
        let number = base::fingerprint(&[
            b"edge",
            self.source_id.as_bytes(),
            self.target_id.as_bytes(),
            self.edge_type.as_str().as_bytes(),
            self.site.map_or("", base::Site::as_str).as_bytes(),
            self.file_path.as_deref().unwrap_or_default().as_bytes(),
            &self.line.unwrap_or_default().to_le_bytes(),
        ]);
        format!("{number:016x}")
    }
}

/// A file that the index holds or has skipped.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct FileRecord {
    /// Path in the project, with `/`.
    pub path: String,
    /// A word of [`base::Language`].
    pub language: String,
    /// BLAKE3 of the bytes, 32 hex digits.
    pub hash: String,
    /// Bytes.
    pub size: u64,
    /// Hash of the file's metadata when it was read, without its size: times of change and number.
    pub stat: i64,
    /// Lines.
    pub lines: u32,
    /// `user`, `test`, `generated`, `vendor`, `minified`.
    #[serde(rename = "boundary")]
    pub role: String,
    /// Origin of its edges: `scip` or `syntax`; `skipped: <reason>` for skipped files.
    pub source: String,
    /// Syntax errors.
    pub syntax_errors: u32,
    /// Call sites.
    pub calls: u32,
    /// Call sites with an edge.
    pub calls_resolved: u32,
    /// Call sites whose target lies outside the repository.
    pub calls_external: u32,
    /// Hash of all rows that the indexer wrote for the file, 16 hex digits. It shows whether linking again changed
    /// anything.
    #[serde(default)]
    pub output_hash: String,
    /// Sum of the cyclomatic complexity of its functions.
    #[serde(default)]
    pub complexity: u32,
}

/// A relation other than the four edge types: inheritance, implementation, override, type definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelationRecord {
    /// Source node (the subclass, the implementer, the overriding method).
    pub source_id: String,
    /// Target node (the superclass, the interface, the overridden method).
    pub target_id: String,
    /// `extends`, `implements`, `overrides`, `embeds`, `type_definition`, `reference`.
    pub kind: String,
    /// The file in which it is written.
    pub file_path: String,
    /// Tier: how the relation is known.
    pub tier: Tier,
}

/// Uses of something outside the repository, summed over one definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExternalRecord {
    /// The node that uses it.
    pub source_id: String,
    /// The package (npm, PyPI, crate, Go module or Java package), `std` parts included (`node:fs`, `os.path`).
    pub package: String,
    /// The symbol within it, dotted; empty for the package itself.
    pub symbol: String,
    /// The file of the uses.
    pub file_path: String,
    /// The first line.
    pub line: u32,
    /// Number of call sites.
    pub count: u32,
}

/// A use of a symbol outside the repository, as a borrowed row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UseRow<'a> {
    /// See [`ExternalRecord::source_id`].
    pub source_id: &'a str,
    /// See [`ExternalRecord::package`].
    pub package: &'a str,
    /// See [`ExternalRecord::symbol`].
    pub symbol: &'a str,
    /// See [`ExternalRecord::line`].
    pub line: u32,
    /// See [`ExternalRecord::count`].
    pub count: u32,
}

/// Properties of an import, as a bit set (column `flags`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ImportFlags(pub u8);

impl ImportFlags {
    /// The import is only for types by its own statement, or only comments use its names: nothing is loaded.
    pub const TYPE_ONLY: u8 = 1;
    /// It takes effect when a function runs, not when the file is loaded.
    pub const DEFERRED: u8 = 2;
    /// It re-exports its names: `export … from`, `pub use`.
    pub const REEXPORT: u8 = 4;
    /// All its names are types, so the compiler drops it (TypeScript).
    pub const ERASED: u8 = 8;

    /// Whether the bit is set.
    pub fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }
}

/// Kind of import, as a small number (column `kind`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ImportKind {
    /// Names of a module.
    Names,
    /// The module itself, under a name.
    Module,
    /// All exports of the module.
    All,
    /// No name: the module is only loaded.
    SideEffect,
    /// The module, by an evaluated expression: `import("./a")`.
    Dynamic,
}

impl ImportKind {
    /// Every kind, in order of their numbers.
    pub const ALL: [ImportKind; 5] = [
        ImportKind::Names,
        ImportKind::Module,
        ImportKind::All,
        ImportKind::SideEffect,
        ImportKind::Dynamic,
    ];

    /// The stored form.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The kind of a stored number; `None` for another number.
    pub fn from_code(code: u8) -> Option<ImportKind> {
        ImportKind::ALL.get(usize::from(code)).copied()
    }
}

/// An import of a file: one line, one module, and one target file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportRecord {
    /// The node of the file that imports.
    pub source_id: String,
    /// The line, from 1.
    pub line: u32,
    /// The module as written: `./a`, `..b`, `a.b`.
    pub specifier: String,
    /// The node of the imported file, if it is one of the repository.
    pub target_id: Option<String>,
    /// Kind of import.
    pub kind: ImportKind,
    /// The imported names, separated by commas; for a module its name here.
    pub names: String,
    /// Properties.
    pub flags: ImportFlags,
}

/// An import as a borrowed row, with paths instead of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportRow<'a> {
    /// The file that imports.
    pub path: &'a str,
    /// See [`ImportRecord::line`].
    pub line: u32,
    /// See [`ImportRecord::specifier`].
    pub specifier: &'a str,
    /// The imported file, if it is one of the repository.
    pub target: Option<&'a str>,
    /// See [`ImportRecord::kind`].
    pub kind: ImportKind,
    /// See [`ImportRecord::names`].
    pub names: &'a str,
    /// See [`ImportRecord::flags`].
    pub flags: ImportFlags,
}

impl ImportRow<'_> {
    /// The record, by the ids of the files' nodes; `None` if the importing file has no node.
    pub fn to_record(&self, file_ids: &FxHashMap<String, String>) -> Option<ImportRecord> {
        Some(ImportRecord {
            source_id: file_ids.get(self.path)?.clone(),
            line: self.line,
            specifier: self.specifier.to_owned(),
            target_id: self.target.and_then(|path| file_ids.get(path)).cloned(),
            kind: self.kind,
            names: self.names.to_owned(),
            flags: self.flags,
        })
    }
}

/// Unresolved calls of one name in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnresolvedCallRecord {
    /// The node of the file.
    pub source_id: String,
    /// The last name of the called expression.
    pub name: String,
    /// The line of each call, ascending; a line with several calls is repeated.
    pub lines: Vec<u32>,
}

/// A mark of a definition or a file, such as a decorator: see [`MarkKind`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkRecord {
    /// The decorated definition, or the file for any other mark.
    pub source_id: String,
    /// Kind of mark.
    pub kind: MarkKind,
    /// See [`MarkKind`]; empty if there is none.
    pub name: String,
    /// See [`MarkKind`]; empty if there is none.
    pub detail: String,
    /// The lines of the mark, ascending.
    pub lines: Vec<u32>,
}

/// A mark as a borrowed row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarkRow<'a> {
    /// See [`MarkRecord::source_id`].
    pub source_id: &'a str,
    /// See [`MarkRecord::kind`].
    pub kind: MarkKind,
    /// See [`MarkRecord::name`].
    pub name: &'a str,
    /// See [`MarkRecord::detail`].
    pub detail: &'a str,
    /// See [`MarkRecord::lines`].
    pub lines: &'a [u32],
}

impl MarkRow<'_> {
    /// The owned record.
    pub fn to_record(&self) -> MarkRecord {
        MarkRecord {
            source_id: self.source_id.to_owned(),
            kind: self.kind,
            name: self.name.to_owned(),
            detail: self.detail.to_owned(),
            lines: self.lines.to_vec(),
        }
    }
}

/// An edge between symbols of two repositories.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VirtualEdgeRecord {
    /// Any unique text.
    pub id: String,
    /// The repository that calls.
    pub source_repo: String,
    /// The symbol that calls.
    pub source_symbol: String,
    /// The called repository.
    pub target_repo: String,
    /// The called symbol.
    pub target_symbol: String,
    /// `VIRTUAL_CALLS` or `VIRTUAL_IMPORTS`.
    pub edge_type: String,
    /// `proto`, `openapi`, `graphql` or `typescript`; `http` or `topic` without a contract.
    pub contract_type: String,
    /// 0–1.
    pub confidence: f64,
    /// The evidence for it, and the places of its ends.
    #[serde(flatten)]
    pub detail: VirtualEdgeDetail,
}

/// The evidence for an edge across repositories. It is empty for edges that older programs wrote.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct VirtualEdgeDetail {
    /// Similarity of the names, 0–1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_similarity: Option<f64>,
    /// Similarity of the signatures, 0–1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature_similarity: Option<f64>,
    /// The contract's bonus, before its weight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract_bonus: Option<f64>,
    /// The file of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_file: Option<String>,
    /// The line of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_line: Option<u32>,
    /// The file of the called symbol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_file: Option<String>,
    /// The line of the called symbol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_line: Option<u32>,
    /// The operation: `POST /users`, `UserService.GetUser`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// The reason for the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
}

/// A change that the indexer writes in one transaction.
#[derive(Debug, Clone, Default)]
pub struct GraphChange {
    /// Drop everything the indexer wrote before (a full build), instead of only `clear_files`.
    pub clear_all: bool,
    /// Files whose nodes, edges, relations, externals, imports, unresolved calls and marks are dropped first (changed and
    /// deleted ones).
    pub clear_files: Vec<String>,
    /// Files whose record is removed as well.
    pub removed_files: Vec<String>,
    /// New nodes.
    pub nodes: Vec<NodeRecord>,
    /// New edges. A missing end is an error.
    pub edges: Vec<EdgeRecord>,
    /// New relations.
    pub relations: Vec<RelationRecord>,
    /// New externals.
    pub externals: Vec<ExternalRecord>,
    /// New imports; those of a file in their order.
    pub imports: Vec<ImportRecord>,
    /// New unresolved calls.
    pub unresolved: Vec<UnresolvedCallRecord>,
    /// New marks.
    pub marks: Vec<MarkRecord>,
    /// New or changed file records.
    pub files: Vec<FileRecord>,
    /// Values for `metadata`.
    pub metadata: Vec<(String, String)>,
}

/// Input of a batch import, as in `batch-import --file`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Batch {
    /// Nodes as JSON objects `{id, symbol, kind, file_path, line_start?, line_end?}`.
    #[serde(default)]
    pub nodes: Vec<serde_json::Value>,
    /// Edges as JSON objects `{id?, source|source_id, target|target_id, type|edge_type, file|file_path?, line?}`.
    #[serde(default)]
    pub edges: Vec<serde_json::Value>,
}

/// Numbers of records in a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchCount {
    /// Nodes.
    pub nodes: usize,
    /// Edges.
    pub edges: usize,
}

/// Counts and sizes of a store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stats {
    /// Nodes.
    pub nodes: u64,
    /// Edges.
    pub edges: u64,
    /// Numbers of edges of each of the four types, with 0 for missing ones.
    pub edges_by_type: BTreeMap<EdgeType, u64>,
    /// Edges of each tier.
    pub edges_by_tier: BTreeMap<Tier, u64>,
    /// Bytes of the database file with its write-ahead log.
    pub db_size_bytes: u64,
}
