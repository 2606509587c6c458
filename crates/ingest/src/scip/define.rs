//! First pass over a document: its definitions, and the node of each of its symbols.
//!
//! If the name of a definition stands at a definition of the syntax tree, it gets the node of that one. Edges of
//! indexed files and of other files therefore meet. Every other defined symbol gets a node of its own.

use super::kind;
use super::lines::Lines;
use super::symbol::{Descriptor, GlobalSymbol, Suffix, is_local};
use super::wire::{Document, Occurrence, SymbolInfo};
use super::{DEFINITION, SourceFile};
use crate::emit::Ids;
use crate::scip::wire::Encoding;
use base::secret::{TextKind, mask_secrets};
use base::{NodeId, SymbolKind, fingerprint};
use rustc_hash::{FxHashMap, FxHashSet};
use store::{NodeFlags, NodeRecord};
use syntax::facts::{DefFlags, DefId};

/// A document with the nodes of its symbols.
pub(super) struct DefinedDocument<'a> {
    /// Path in the project.
    pub path: String,
    pub document: Document<'a>,
    /// The node of each symbol defined here.
    pub nodes_by_symbol: FxHashMap<&'a str, NodeId>,
    /// Kinds of the symbols defined here.
    pub kinds: FxHashMap<NodeId, SymbolKind>,
    /// Nodes that the syntax tree does not have.
    pub nodes: Vec<NodeRecord>,
    /// Ids of these nodes.
    pub own: FxHashSet<NodeId>,
    /// Ids of the nodes that are marked local.
    pub inner: FxHashSet<NodeId>,
    /// Definitions of the syntax tree that the index names.
    pub named: Vec<(DefId, &'a str)>,
    /// Whole definitions of those nodes, in bytes, if the index gives them.
    pub ranges: Vec<(u32, u32, NodeId)>,
    /// Why the index does not describe the present file.
    pub stale: Option<String>,
}

/// Unit of a tool's columns: as stated by the document, or else by the tool.
pub(super) fn default_encoding(tool: &str, stated: Encoding) -> Encoding {
    let counts_bytes = [
        "rust-analyzer",
        "scip-go",
        "scip-clang",
        "lsif-go",
        "scip-ruby",
    ];
    match stated {
        Encoding::Unspecified if counts_bytes.contains(&tool) => Encoding::Utf8,
        Encoding::Unspecified => Encoding::Utf16,
        said => said,
    }
}

/// Finds the nodes of a document's symbols.
pub(super) fn assign_nodes<'a>(
    path: String,
    document: Document<'a>,
    source: &SourceFile<'_>,
    lines: &Lines<'_>,
) -> DefinedDocument<'a> {
    let mut work = Definer {
        ids: Ids::excluding(source.file_node, &source.nodes),
        by_position: names_by_position(source),
        by_node: first_by_node(source),
        infos: document.symbols.iter().map(|s| (s.symbol, s)).collect(),
        source,
        lines,
        out: DefinedDocument {
            path,
            document: Document::default(),
            nodes_by_symbol: FxHashMap::default(),
            kinds: FxHashMap::default(),
            nodes: Vec::new(),
            own: FxHashSet::default(),
            inner: FxHashSet::default(),
            named: Vec::new(),
            ranges: Vec::new(),
            stale: None,
        },
    };
    for occurrence in &document.occurrences {
        if occurrence.roles & DEFINITION != 0 && !occurrence.symbol.is_empty() {
            work.add_definition(occurrence);
        }
    }
    let mut out = work.out;
    out.document = document;
    out
}

/// Definitions of the tree that make nodes, by line and column of their names, both from 0.
fn names_by_position(source: &SourceFile<'_>) -> FxHashMap<(u32, u32), DefId> {
    let mut names = FxHashMap::default();
    for (at, def) in source.facts.defs.iter().enumerate() {
        let makes_node = source.nodes.get(at).is_some_and(Option::is_some);
        let stands_for_other = def.flags.has(DefFlags::ANONYMOUS) || def.kind == SymbolKind::Impl;
        if makes_node && !stands_for_other {
            let position = (def.name_line.saturating_sub(1), def.name_column);
            names.entry(position).or_insert(DefId(at as u32));
        }
    }
    names
}

/// The first definition of each node.
fn first_by_node(source: &SourceFile<'_>) -> FxHashMap<NodeId, DefId> {
    let mut first = FxHashMap::default();
    for (node, at) in source.nodes.iter().zip(0..) {
        if let Some(node) = node {
            first.entry(*node).or_insert(DefId(at));
        }
    }
    first
}

struct Definer<'s, 'a> {
    ids: Ids,
    by_position: FxHashMap<(u32, u32), DefId>,
    by_node: FxHashMap<NodeId, DefId>,
    infos: FxHashMap<&'a str, &'s SymbolInfo<'a>>,
    source: &'s SourceFile<'s>,
    lines: &'s Lines<'s>,
    out: DefinedDocument<'a>,
}

impl<'a> Definer<'_, 'a> {
    fn add_definition(&mut self, occurrence: &Occurrence<'a>) {
        let symbol = occurrence.symbol;
        let global = GlobalSymbol::parse(symbol);
        if is_whole_file(occurrence, global.as_ref()) {
            self.out
                .nodes_by_symbol
                .entry(symbol)
                .or_insert(self.source.file_node);
            self.out
                .kinds
                .insert(self.source.file_node, SymbolKind::File);
            return;
        }
        let range = occurrence.range;
        let Some((_, column)) = self.lines.byte_at(range.start_line, range.start) else {
            return;
        };
        let here = self.by_position.get(&(range.start_line, column)).copied();
        let known = self.out.nodes_by_symbol.get(symbol).copied();
        if let Some(def) = here
            && let Some(node) = self.tree_node(def)
        {
            self.assign_tree_node(symbol, def, node, known);
        } else if known.is_none() {
            self.add_scip_node(occurrence, global.as_ref());
        }
    }

    fn tree_node(&self, def: DefId) -> Option<NodeId> {
        self.source.nodes.get(def.index()).copied().flatten()
    }

    /// If one symbol has several definitions (overloads, merged declarations), the first with a body counts.
    fn assign_tree_node(
        &mut self,
        symbol: &'a str,
        def: DefId,
        node: NodeId,
        known: Option<NodeId>,
    ) {
        let facts = self.source.facts.def(def);
        let better = facts.body.is_some() && !facts.flags.has(DefFlags::DECLARATION_ONLY);
        let first_had_body = known.is_some_and(|k| {
            self.by_node.get(&k).is_some_and(|at| {
                let known = self.source.facts.def(*at);
                known.body.is_some() && !known.flags.has(DefFlags::DECLARATION_ONLY)
            })
        });
        if known.is_none() || (better && !first_had_body) {
            self.out.nodes_by_symbol.insert(symbol, node);
        }
        self.out.kinds.insert(node, facts.kind);
        if !is_local(symbol) {
            self.out.named.push((def, symbol));
        }
    }

    fn add_scip_node(&mut self, occurrence: &Occurrence<'a>, global: Option<&GlobalSymbol<'a>>) {
        let symbol = occurrence.symbol;
        let id = self
            .ids
            .allocate(fingerprint(&[b"scip", symbol.as_bytes()]));
        let info = self.infos.get(symbol).copied();
        let record = self.build_node_record(id, occurrence, global, info);
        if let Some(kind) = SymbolKind::parse(&record.kind) {
            self.out.kinds.insert(id, kind);
        }
        let is_source = !record.flags.contains(NodeFlags::LOCAL);
        if let (true, Some(range)) = (is_source, occurrence.enclosing)
            && let Some((from, to)) = self.lines.byte_range(range)
        {
            self.out.ranges.push((from, to, id));
        }
        self.out.nodes_by_symbol.insert(symbol, id);
        if !is_source {
            self.out.inner.insert(id);
        }
        self.out.own.insert(id);
        self.out.nodes.push(record);
    }

    fn build_node_record(
        &self,
        id: NodeId,
        occurrence: &Occurrence<'a>,
        global: Option<&GlobalSymbol<'a>>,
        info: Option<&SymbolInfo<'a>>,
    ) -> NodeRecord {
        let text = self
            .lines
            .byte_range(occurrence.range)
            .map_or("", |r| self.lines.slice(r));
        // Names in an index may have line ends, which would look like lines of our output.
        let plain = |name: String| name.replace(|c: char| c.is_control(), "\u{fffd}");
        let name = plain(symbol_name(global, info, text));
        let kind = symbol_kind(global, info);
        let qualified = global
            .map(GlobalSymbol::qualified_name)
            .map(plain)
            .filter(|q| *q != name && !q.is_empty());
        let end = occurrence.enclosing.unwrap_or(occurrence.range).end_line;
        let first = occurrence.enclosing.unwrap_or(occurrence.range).start_line;
        let local = global.is_none() || is_meaningful_only_in_place(global, kind);
        let (signature, doc) = if local {
            (None, None)
        } else {
            let hidden = |text: String| mask_secrets(text, TextKind::from_path(&self.out.path));
            let (signature, doc) = split_signature_and_doc(info);
            (signature.map(hidden), doc.map(hidden))
        };
        NodeRecord {
            id: id.to_string(),
            symbol: name,
            kind: kind.as_str().to_owned(),
            file_path: self.out.path.clone(),
            line_start: Some(first + 1),
            line_end: Some(end.max(first) + 1),
            qualified_name: qualified,
            signature,
            doc,
            flags: NodeFlags(if local { NodeFlags::LOCAL } else { 0 }),
            scip_symbol: (!local).then(|| occurrence.symbol.to_owned()),
        }
    }
}

/// Whether a symbol stands for the whole file: a namespace defined at the very start, or over the whole file.
fn is_whole_file(occurrence: &Occurrence<'_>, global: Option<&GlobalSymbol<'_>>) -> bool {
    let range = occurrence.range;
    let at_start = (range.start_line, range.start) == (0, 0);
    let Some(last) = global.and_then(GlobalSymbol::last_descriptor) else {
        return false;
    };
    let module = last.suffix == Suffix::Namespace
        || (last.suffix == Suffix::Meta && last.name == "__init__");
    at_start && module && (range.end_line > 0 || range.end == 0)
}

/// Whether a symbol only has a meaning in its place: parameters, type parameters and properties of object literals.
fn is_meaningful_only_in_place(global: Option<&GlobalSymbol<'_>>, kind: SymbolKind) -> bool {
    let meta = global
        .and_then(GlobalSymbol::last_descriptor)
        .is_some_and(|d| d.suffix == Suffix::Meta);
    meta || matches!(kind, SymbolKind::Parameter | SymbolKind::TypeParameter)
}

fn symbol_name(
    global: Option<&GlobalSymbol<'_>>,
    info: Option<&SymbolInfo<'_>>,
    text: &str,
) -> String {
    let shown = info.map_or("", |i| i.display_name);
    if !shown.is_empty() {
        return shown.to_owned();
    }
    let plain = !text.is_empty() && text.len() <= 200 && !text.contains('\n');
    match global.and_then(GlobalSymbol::last_descriptor) {
        Some(Descriptor {
            suffix: Suffix::Meta,
            ..
        })
        | None
            if plain =>
        {
            text.to_owned()
        }
        Some(last) => last.name.to_string(),
        None => "local".to_owned(),
    }
}

fn symbol_kind(global: Option<&GlobalSymbol<'_>>, info: Option<&SymbolInfo<'_>>) -> SymbolKind {
    if let Some(kind) = info.and_then(|i| kind::kind_from_number(i.kind)) {
        return match (kind, global) {
            (SymbolKind::Variable, None) => SymbolKind::Local,
            _ => kind,
        };
    }
    match global.map(|g| g.descriptors.as_slice()) {
        Some([.., before, last]) => kind::kind_from_suffix(last, Some(before)),
        Some([last]) => kind::kind_from_suffix(last, None),
        _ => SymbolKind::Local,
    }
}

/// Signature and first paragraph. Indexers without a field for the signature put it first, in a code fence.
fn split_signature_and_doc(info: Option<&SymbolInfo<'_>>) -> (Option<String>, Option<String>) {
    let Some(info) = info else {
        return (None, None);
    };
    let mut paragraphs = info.documentation.iter().copied().peekable();
    let mut signature = info.signature;
    if let Some(fenced) = paragraphs.peek().and_then(|p| p.strip_prefix("```")) {
        let inner = fenced.split_once('\n').map_or("", |(_, code)| code);
        if signature.is_empty() {
            signature = inner.split("```").next().unwrap_or("");
        }
        paragraphs.next();
    }
    let one_line = |text: &str, most: usize| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let line: String = words.join(" ").chars().take(most).collect();
        (!line.is_empty()).then_some(line)
    };
    let first = paragraphs.next().and_then(|p| p.split("\n\n").next());
    (
        one_line(signature, 200),
        first.and_then(|p| one_line(p, 400)),
    )
}
