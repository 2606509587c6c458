//! Turns the outcome of linking into rows of the store.

mod imports;
mod marks;

use base::{EdgeType, FileKey, NodeId, Site, SymbolKind, Tier, fingerprint};
use linker::{
    CallCounts, External, FileId, GlobalDef, ImportTarget, LinkOutcome, LinkedFile, RelationKind,
    Repo, UnresolvedReason, confidence,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use store::{FileGraph, GraphEdge, GraphExternal, NodeRecord, RelationRecord, UnresolvedName};
use syntax::facts::*;

/// Assigns each file its key: a hash of its path, or the next free one if the hashes of two files collide. `paths` are
/// in order; the same paths always get the same keys.
pub fn assign_file_keys<'p>(paths: impl Iterator<Item = &'p str>) -> Vec<FileKey> {
    let mut taken = FxHashSet::default();
    let paths: Vec<&str> = paths.collect();
    let many = paths.len() > FileKey::FEW;
    paths
        .into_iter()
        .map(|path| {
            let mut key = FileKey::from_hash(fingerprint(&[path.as_bytes()]), many);
            while !taken.insert(key) {
                key = key.next();
            }
            key
        })
        .collect()
}

/// Assigns ids within one file: a hash of the symbol, or the next free one if that is taken.
pub(crate) struct Ids {
    file: FileKey,
    taken: FxHashSet<u32>,
}

impl Ids {
    /// All ids are free but the file's own.
    fn new(file: FileKey) -> Ids {
        Ids {
            file,
            taken: FxHashSet::from_iter([0]),
        }
    }

    /// Ids that differ from those of `nodes` in its file.
    pub(crate) fn excluding(file: NodeId, nodes: &[Option<NodeId>]) -> Ids {
        let first = NodeId::new(file.file(), 0).number();
        let local = |id: &NodeId| (id.number() - first) as u32;
        let mut ids = Ids::new(file.file());
        let own = nodes.iter().flatten().filter(|n| n.file() == ids.file);
        ids.taken.extend(own.map(local));
        ids
    }

    pub(crate) fn allocate(&mut self, hash: u64) -> NodeId {
        let mut local = NodeId::local_from_hash(hash, self.taken.len() > FileKey::FEW);
        while !self.taken.insert(local) {
            local = NodeId::next_local(local);
        }
        NodeId::new(self.file, local)
    }
}

/// Hash for a node's local number: of its qualified name, its kind, and its position among the nodes that share both,
/// in order of appearance.
fn node_hash(qualified_name: &str, kind: SymbolKind, ordinal: u32) -> u64 {
    fingerprint(&[
        qualified_name.as_bytes(),
        kind.as_str().as_bytes(),
        &ordinal.to_le_bytes(),
    ])
}

/// Assigns the edges of a file their ids and order. There is one edge for each combination of source, target, type and
/// site.
pub(crate) fn assign_edge_ids(file: FileKey, edges: &mut [GraphEdge]) {
    edges.sort_unstable_by_key(edge_key);
    let mut ids = Ids::new(file);
    for edge in edges.iter_mut() {
        let (source, target, edge_type, site) = edge_key(edge);
        let kind = (edge_type as u64) << 2 | site.map_or(0, |s| s as u64 + 1);
        edge.id = ids
            .allocate(splitmix64(splitmix64(source.number()) ^ target.number()) ^ splitmix64(kind));
    }
    edges.sort_unstable_by_key(|e| e.id);
}

/// The key that distinguishes edges.
pub(crate) fn edge_key(edge: &GraphEdge) -> (NodeId, NodeId, EdgeType, Option<Site>) {
    (edge.source, edge.target, edge.edge_type, edge.site)
}

/// The finalizer of SplitMix64 (Steele, Lea, Flood 2014): spreads every bit over all.
fn splitmix64(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The nodes of one file's definitions.
#[derive(Debug, Clone, Default)]
pub struct FileNodes {
    /// The file's own node.
    pub file: NodeId,
    /// The node of each definition: its own, that of the definition it declares, or that of the enclosing definition;
    /// `None` if that is the file.
    pub of_def: Vec<Option<NodeId>>,
    /// For each definition, whether it has a node of its own.
    pub own: Vec<bool>,
    /// Qualified names of definitions with a node of their own; empty otherwise.
    pub qualified: Vec<String>,
}

/// Assigns each definition of a file its node.
pub fn assign_nodes(key: FileKey, facts: &FileFacts) -> FileNodes {
    let count = facts.defs.len();
    let mut nodes = FileNodes {
        file: NodeId::new(key, 0),
        of_def: vec![None; count],
        own: vec![false; count],
        qualified: vec![String::new(); count],
    };
    let mut seen: FxHashMap<(String, SymbolKind), u32> = FxHashMap::default();
    let mut ids = Ids::new(key);
    let bodies = match_declarations_to_bodies(facts);
    for (i, (def, body)) in facts.defs.iter().zip(&bodies).enumerate() {
        let parent = def.parent.and_then(|p| nodes.of_def[p.index()]);
        if def.flags.has(DefFlags::ANONYMOUS) || def.kind == SymbolKind::Impl {
            nodes.of_def[i] = parent;
            continue;
        }
        if body.is_some() {
            continue;
        }
        let name = facts.qualified_name(DefId(i as u32));
        let ordinal = seen.entry((name.clone(), def.kind)).or_insert(0);
        nodes.of_def[i] = Some(ids.allocate(node_hash(&name, def.kind, *ordinal)));
        *ordinal += 1;
        nodes.own[i] = true;
        nodes.qualified[i] = name;
    }
    for (i, body) in bodies.iter().enumerate() {
        if let Some(body) = body {
            nodes.of_def[i] = nodes.of_def[body.index()];
        }
    }
    nodes
}

/// For each declaration without a body (an overload signature): the definition of the same name and parent with a body,
/// or else the first declaration.
fn match_declarations_to_bodies(facts: &FileFacts) -> Vec<Option<DefId>> {
    let mut first: FxHashMap<(Option<DefId>, NameId), (DefId, bool)> = FxHashMap::default();
    let only_declared = |d: &Def| d.flags.has(DefFlags::DECLARATION_ONLY);
    for (i, def) in facts.defs.iter().enumerate() {
        if !def.kind.is_callable() {
            continue;
        }
        let entry = first
            .entry((def.parent, def.name))
            .or_insert((DefId(i as u32), only_declared(def)));
        if entry.1 && !only_declared(def) {
            *entry = (DefId(i as u32), false);
        }
    }
    facts
        .defs
        .iter()
        .enumerate()
        .map(|(i, def)| {
            if !def.kind.is_callable() || !only_declared(def) {
                return None;
            }
            let body = first.get(&(def.parent, def.name))?.0;
            (body.index() != i).then_some(body)
        })
        .collect()
}

/// All rows of one file.
#[derive(Debug, Clone, Default)]
pub struct FileRows {
    /// Its part of the graph.
    pub graph: FileGraph,
    /// Call sites by outcome.
    pub calls: CallCounts,
}

impl FileRows {
    /// Numbers the edges and returns a hash of all rows, 16 hex digits.
    pub fn number_and_hash(&mut self, file: FileKey) -> String {
        self.graph.nodes.sort_by(|a, b| a.id.cmp(&b.id));
        assign_edge_ids(file, &mut self.graph.edges);
        let graph = &self.graph;
        let rows = (&graph.path, &graph.nodes, &graph.relations);
        let mut bytes = postcard::to_stdvec(&rows).unwrap_or_default();
        for e in &graph.edges {
            bytes.extend(e.id.number().to_le_bytes());
            bytes.extend(e.source.number().to_le_bytes());
            bytes.extend(e.target.number().to_le_bytes());
            let site = e.site.map_or(0, |s| s as u8 + 1);
            bytes.extend([e.edge_type as u8, site, e.tier as u8]);
            bytes.extend(e.confidence.to_le_bytes());
            bytes.extend(e.line.to_le_bytes());
            bytes.extend((e.more_lines.len() as u32).to_le_bytes());
            bytes.extend(e.more_lines.iter().flat_map(|l| l.to_le_bytes()));
        }
        for x in &graph.externals {
            bytes.extend(x.source.number().to_le_bytes());
            for text in [&x.package, &x.symbol] {
                bytes.extend((text.len() as u32).to_le_bytes());
                bytes.extend(text.as_bytes());
            }
            bytes.extend(x.line.to_le_bytes());
            bytes.extend(x.count.to_le_bytes());
        }
        for i in &graph.imports {
            bytes.extend(i.line.to_le_bytes());
            bytes.extend(i.target.map_or(0, |t| t.number() + 1).to_le_bytes());
            bytes.extend([i.kind.code(), i.flags.0]);
            for text in [&i.specifier, &i.names] {
                bytes.extend((text.len() as u32).to_le_bytes());
                bytes.extend(text.as_bytes());
            }
        }
        for u in &graph.unresolved {
            bytes.extend((u.name.len() as u32).to_le_bytes());
            bytes.extend(u.name.as_bytes());
            bytes.extend((u.lines.len() as u32).to_le_bytes());
            bytes.extend(u.lines.iter().flat_map(|l| l.to_le_bytes()));
        }
        for m in &graph.marks {
            bytes.extend(m.source.number().to_le_bytes());
            bytes.push(m.kind.code());
            for text in [&m.name, &m.detail] {
                bytes.extend((text.len() as u32).to_le_bytes());
                bytes.extend(text.as_bytes());
            }
            bytes.extend((m.lines.len() as u32).to_le_bytes());
            bytes.extend(m.lines.iter().flat_map(|l| l.to_le_bytes()));
        }
        blake3::hash(&bytes).to_hex()[..16].to_owned()
    }
}

/// Look-up of the nodes of files.
pub trait NodeLookup: Sync {
    /// Nodes of a file.
    fn nodes_of_file(&self, file: FileId) -> &FileNodes;
}

impl NodeLookup for &[FileNodes] {
    fn nodes_of_file(&self, file: FileId) -> &FileNodes {
        &self[file.0 as usize]
    }
}

/// Makes the rows of one file.
pub fn build_file_rows(
    repo: &Repo,
    nodes: &dyn NodeLookup,
    file: FileId,
    linked: &LinkedFile,
) -> FileRows {
    let mut emitter = Emitter {
        repo,
        nodes,
        file,
        rows: FileRows::default(),
        seen: FxHashMap::default(),
        called: FxHashSet::default(),
        externals: FxHashMap::default(),
        unresolved: BTreeMap::new(),
    };
    emitter.emit_nodes();
    emitter.emit_defines_edges();
    emitter.emit_imports(linked);
    emitter.import_rows(linked);
    emitter.emit_calls(linked);
    emitter.emit_references_and_writes(linked);
    emitter.emit_relations(linked);
    emitter.emit_marks();
    emitter.finish()
}

struct Emitter<'a> {
    repo: &'a Repo,
    nodes: &'a dyn NodeLookup,
    file: FileId,
    rows: FileRows,
    /// Edges so far, with their index in the rows.
    seen: FxHashMap<(NodeId, NodeId, EdgeType, Option<Site>), usize>,
    /// Pairs with a call edge: a reference between them adds nothing.
    called: FxHashSet<(NodeId, NodeId)>,
    externals: FxHashMap<(NodeId, External), (u32, u32)>,
    /// Lines of unresolved calls, by the called name.
    unresolved: BTreeMap<NameId, Vec<u32>>,
}

impl Emitter<'_> {
    fn own_nodes(&self) -> &FileNodes {
        self.nodes.nodes_of_file(self.file)
    }

    fn path(&self) -> &str {
        &self.repo.file(self.file).path
    }

    fn node_of(&self, def: GlobalDef) -> Option<NodeId> {
        let nodes = self.nodes.nodes_of_file(def.file);
        nodes.of_def[def.def.index()]
    }

    fn owner_node(&self, owner: Option<DefId>) -> NodeId {
        let here = self.own_nodes();
        owner
            .and_then(|o| here.of_def[o.index()])
            .unwrap_or(here.file)
    }

    fn emit_nodes(&mut self) {
        let source = self.repo.file(self.file);
        let path = source.path.to_string();
        let facts = source.facts.get().clone();
        let here = self.own_nodes();
        let mut out = vec![NodeRecord {
            id: here.file.to_string(),
            symbol: path.rsplit('/').next().unwrap_or(&path).to_owned(),
            kind: SymbolKind::File.as_str().to_owned(),
            file_path: path.clone(),
            line_start: Some(1),
            line_end: Some(facts.lines.max(1)),
            flags: marks::file_flags(&facts),
            ..NodeRecord::default()
        }];
        for (i, def) in facts.defs.iter().enumerate() {
            let (true, Some(id)) = (here.own[i], here.of_def[i]) else {
                continue;
            };
            let symbol = facts.name(def.name).to_owned();
            let qualified = &here.qualified[i];
            out.push(NodeRecord {
                id: id.to_string(),
                qualified_name: (*qualified != symbol).then(|| qualified.clone()),
                symbol,
                kind: def.kind.as_str().to_owned(),
                file_path: path.clone(),
                line_start: Some(def.span.start_line),
                line_end: Some(def.span.end_line),
                signature: (!def.signature_text.is_empty()).then(|| def.signature_text.to_string()),
                doc: def.doc.as_ref().map(|d| d.to_string()),
                flags: marks::node_flags(&facts, DefId(i as u32)),
                scip_symbol: None,
            });
        }
        self.rows.graph.nodes = out;
    }

    /// Adds an edge, or adds the line to an existing edge. `line` 0 means no line.
    fn add_edge(
        &mut self,
        ends: (NodeId, NodeId),
        edge_type: EdgeType,
        line: u32,
        tier: Tier,
        confidence: f64,
        site: Option<Site>,
    ) {
        let (source, target) = ends;
        let key = (source, target, edge_type, site);
        if let Some(at) = self.seen.get(&key) {
            let edge = &mut self.rows.graph.edges[*at];
            edge.more_lines.push(line);
            if confidence > edge.confidence {
                (edge.tier, edge.confidence) = (tier, confidence);
            }
            return;
        }
        self.seen.insert(key, self.rows.graph.edges.len());
        self.rows.graph.edges.push(GraphEdge {
            id: NodeId::default(),
            source,
            target,
            edge_type,
            site,
            tier,
            confidence,
            line,
            more_lines: Vec::new(),
        });
    }

    fn emit_defines_edges(&mut self) {
        let facts = self.repo.file(self.file).facts.get().clone();
        let types = top_level_types(&facts);
        for (i, def) in facts.defs.iter().enumerate() {
            let here = self.own_nodes();
            let (true, Some(id)) = (here.own[i], here.of_def[i]) else {
                continue;
            };
            let holder = self
                .container_node(&facts, &types, def)
                .filter(|h| *h != id);
            let source = holder.unwrap_or(self.own_nodes().file);
            self.add_edge(
                (source, id),
                EdgeType::Defines,
                def.name_line,
                Tier::Scoped,
                1.0,
                None,
            );
        }
    }

    /// The node that contains a definition: its parent. For a method outside its type, that type, if it is in the same
    /// file.
    fn container_node(
        &self,
        facts: &FileFacts,
        types: &FxHashMap<&str, usize>,
        def: &Def,
    ) -> Option<NodeId> {
        let type_named = |name: &str| types.get(name).and_then(|i| self.own_nodes().of_def[*i]);
        if let Some(receiver) = def.callable.as_ref().and_then(|c| c.receiver) {
            return type_named(facts.name(receiver));
        }
        let parent = def.parent?;
        let above = facts.def(parent);
        if above.kind == SymbolKind::Impl {
            let name = facts.name(above.name);
            let base = name.split(['<', ' ']).next().unwrap_or(name);
            let base = base.rsplit("::").next().unwrap_or(base);
            return type_named(base).or(self.own_nodes().of_def[parent.index()]);
        }
        self.own_nodes().of_def[parent.index()]
    }

    fn emit_imports(&mut self, linked: &LinkedFile) {
        let facts = self.repo.file(self.file).facts.get().clone();
        for (import, target) in facts.imports.iter().zip(&linked.imports) {
            // An import in a comment does not exist when the program runs.
            if import.type_only && facts.language.profile().modules.types_in_comments {
                continue;
            }
            let source = self.own_nodes().file;
            match target {
                ImportTarget::File(file) => {
                    let target = self.nodes.nodes_of_file(*file).file;
                    self.add_import_edge(source, target, import.line);
                }
                ImportTarget::Defs(defs) => {
                    for target in self.imported_nodes(defs) {
                        self.add_import_edge(source, target, import.line);
                    }
                }
                ImportTarget::External(external) => {
                    self.add_external_use(source, external, import.line, 0)
                }
                ImportTarget::Unresolved => {}
            }
        }
    }

    fn add_import_edge(&mut self, source: NodeId, target: NodeId, line: u32) {
        if source != target {
            let tier = Tier::Scoped;
            self.add_edge(
                (source, target),
                EdgeType::Imports,
                line,
                tier,
                tier.default_confidence(),
                None,
            );
        }
    }

    fn add_external_use(&mut self, source: NodeId, external: &External, line: u32, count: u32) {
        let entry = self
            .externals
            .entry((source, external.clone()))
            .or_insert((line, 0));
        entry.0 = entry.0.min(line);
        entry.1 += count;
    }

    fn is_type_conversion(&self, outcome: &LinkOutcome) -> bool {
        let LinkOutcome::Targets(defs, _) = outcome else {
            return false;
        };
        let language = self.repo.language(self.file);
        language.profile().linking.conversions_look_like_calls
            && defs.iter().all(|def| {
                let kind = self.repo.def(*def).kind;
                kind.is_type() || kind == SymbolKind::TypeAlias
            })
    }

    fn emit_calls(&mut self, linked: &LinkedFile) {
        let facts = self.repo.file(self.file).facts.get().clone();
        for (site, outcome) in facts.calls.iter().zip(&linked.calls) {
            // A struct literal constructs without a function: it is a reference to the type. So is a conversion in Go,
            // which looks like a call.
            let kind = match site.kind {
                CallKind::Literal => Site::Reference,
                _ if self.is_type_conversion(outcome) => Site::Reference,
                _ => {
                    self.rows.calls.add(outcome);
                    Site::Call
                }
            };
            let source = self.owner_node(site.owner);
            match outcome {
                LinkOutcome::Targets(defs, tier) => {
                    let sure = confidence(*tier, defs.len());
                    for def in defs {
                        let Some(target) = self.node_of(*def) else {
                            continue;
                        };
                        if kind == Site::Reference && !self.called.insert((source, target)) {
                            continue;
                        }
                        self.called.insert((source, target));
                        self.add_edge(
                            (source, target),
                            EdgeType::Calls,
                            site.line,
                            *tier,
                            sure,
                            Some(kind),
                        );
                    }
                }
                LinkOutcome::External(external) => {
                    self.add_external_use(source, external, site.line, 1)
                }
                LinkOutcome::Unresolved(reason) if kind == Site::Call && may_be_named(*reason) => {
                    if let Some(name) = facts.called_name(site.expr) {
                        self.unresolved.entry(name).or_default().push(site.line);
                    }
                }
                LinkOutcome::Unresolved(_) | LinkOutcome::Nothing => {}
            }
        }
    }

    /// Emits references (once for each pair, and only if there is no call) and writes.
    fn emit_references_and_writes(&mut self, linked: &LinkedFile) {
        let facts = self.repo.file(self.file).facts.get().clone();
        for (site, outcome) in facts.writes.iter().zip(&linked.writes) {
            let LinkOutcome::Targets(defs, tier) = outcome else {
                continue;
            };
            let source = self.owner_node(site.owner);
            for def in defs {
                let Some(target) = self.node_of(*def).filter(|t| *t != source) else {
                    continue;
                };
                let sure = confidence(*tier, defs.len());
                self.add_edge(
                    (source, target),
                    EdgeType::Modifies,
                    site.line,
                    *tier,
                    sure,
                    None,
                );
            }
        }
        for (site, outcome) in facts.references.iter().zip(&linked.references) {
            let source = self.owner_node(site.owner);
            match outcome {
                LinkOutcome::Targets(defs, tier) => {
                    let sure = confidence(*tier, defs.len());
                    for def in defs {
                        let Some(target) = self.node_of(*def).filter(|t| *t != source) else {
                            continue;
                        };
                        if self.called.insert((source, target)) {
                            let site_kind = Some(Site::Reference);
                            self.add_edge(
                                (source, target),
                                EdgeType::Calls,
                                site.line,
                                *tier,
                                sure,
                                site_kind,
                            );
                        }
                    }
                }
                LinkOutcome::External(external) => {
                    self.add_external_use(source, external, site.line, 0)
                }
                _ => {}
            }
        }
    }

    fn emit_relations(&mut self, linked: &LinkedFile) {
        for relation in &linked.relations {
            let ends = (self.node_of(relation.from), self.node_of(relation.to));
            let (Some(from), Some(to)) = ends else {
                continue;
            };
            let tier = match relation.kind {
                RelationKind::Overrides => Tier::Typed,
                _ => Tier::Scoped,
            };
            let file_path = self.path().to_owned();
            self.rows.graph.relations.push(RelationRecord {
                source_id: from.to_string(),
                target_id: to.to_string(),
                kind: relation.kind.as_str().to_owned(),
                file_path,
                tier,
            });
        }
        self.rows.graph.relations.sort_by(|a, b| {
            (&a.source_id, &a.kind, &a.target_id).cmp(&(&b.source_id, &b.kind, &b.target_id))
        });
        self.rows.graph.relations.dedup();
    }

    /// Unresolved names, in order of name.
    fn unresolved_names(&mut self) -> Vec<UnresolvedName> {
        let source = self.own_nodes().file;
        let facts = self.repo.file(self.file).facts.get().clone();
        let lines_by_name = std::mem::take(&mut self.unresolved);
        let mut names: Vec<UnresolvedName> = lines_by_name
            .into_iter()
            .map(|(name, mut lines)| {
                lines.sort_unstable();
                UnresolvedName {
                    source,
                    name: facts.name(name).to_owned(),
                    lines,
                }
            })
            .collect();
        names.sort_by(|a, b| a.name.cmp(&b.name));
        names
    }

    fn finish(mut self) -> FileRows {
        self.rows.graph.edges.iter_mut().for_each(sort_lines);
        let mut externals: Vec<GraphExternal> = self
            .externals
            .drain()
            .map(|((source, external), (line, count))| GraphExternal {
                source,
                package: external.package,
                symbol: external.symbol,
                line,
                count,
            })
            .collect();
        externals.sort_by(|a, b| {
            (a.source, &a.package, &a.symbol).cmp(&(b.source, &b.package, &b.symbol))
        });
        self.rows.graph.externals = externals;
        self.rows.graph.unresolved = self.unresolved_names();
        self.rows.graph.path = self.path().to_owned();
        self.rows
    }
}

/// Whether the called definition may have the name at the call. A called parameter has the name of the parameter,
/// whatever it holds.
fn may_be_named(reason: UnresolvedReason) -> bool {
    match reason {
        UnresolvedReason::UnknownName
        | UnresolvedReason::UnknownReceiver
        | UnresolvedReason::NoSuchMember
        | UnresolvedReason::UnresolvedImport
        | UnresolvedReason::Ambiguous
        | UnresolvedReason::TooComplex => true,
        UnresolvedReason::Dynamic | UnresolvedReason::Computed => false,
    }
}

/// The first type of each name at the top level of a file.
fn top_level_types(facts: &FileFacts) -> FxHashMap<&str, usize> {
    let mut found = FxHashMap::default();
    for (i, def) in facts.defs.iter().enumerate() {
        if def.parent.is_none() && (def.kind.is_type() || def.kind == SymbolKind::TypeAlias) {
            found.entry(facts.name(def.name)).or_insert(i);
        }
    }
    found
}

/// Sorts the lines of an edge: the first in `line`, the others ascending in `more_lines`.
pub(crate) fn sort_lines(edge: &mut GraphEdge) {
    if edge.more_lines.is_empty() {
        return;
    }
    let mut lines = std::mem::take(&mut edge.more_lines);
    lines.push(edge.line);
    lines.sort_unstable();
    lines.dedup();
    edge.line = lines.remove(0);
    edge.more_lines = lines;
}
