//! Second pass over a document: its occurrences become edges.
//!
//! There is one edge for each source, target, type and site, with all its lines. Symbols that only have a meaning in
//! their place (locals, parameters, properties of object literals) are defined, written and called, but a plain
//! reference to one makes no edge: nothing needs it, and it would be a third of the graph.

use super::define::DefinedDocument;
use super::external::external_symbol;
use super::lines::Lines;
use super::symbol::{GlobalSymbol, is_local};
use super::wire::Occurrence;
use super::{DEFINITION, FORWARD, IMPORT, READ, ScipDocument, SourceFile, Summary, Target, WRITE};
use crate::emit::sort_lines;
use base::{EdgeType, NodeId, Site, SymbolKind, Tier};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;
use store::{GraphEdge, GraphExternal, RelationRecord};
use syntax::facts::{CallKind, DefFlags, DefId};

/// Makes the edges of a document.
pub(super) fn build_edges(
    defined: &DefinedDocument<'_>,
    file: &SourceFile<'_>,
    lines: &Lines<'_>,
    targets: &FxHashMap<&str, Target>,
) -> (ScipDocument, Summary) {
    let mut work = EdgeBuilder {
        sites: Sites::from_file(file),
        nesting: Nesting::new(defined, file),
        own_packages: own_packages(defined),
        defined,
        file,
        lines,
        targets,
        seen: FxHashMap::default(),
        defined_here: FxHashSet::default(),
        names: FxHashMap::default(),
        externals: BTreeMap::new(),
        resolved: FxHashSet::default(),
        outside: FxHashSet::default(),
        summary: Summary::default(),
        out: ScipDocument {
            path: defined.path.clone(),
            ..ScipDocument::default()
        },
    };
    for occurrence in &defined.document.occurrences {
        if !occurrence.symbol.is_empty() {
            work.add_occurrence(occurrence);
        }
    }
    work.add_relations();
    work.finish()
}

/// Positions in the syntax tree: calls, writes, and the definition that each site belongs to.
struct Sites {
    calls: FxHashSet<(u32, u32)>,
    writes: FxHashSet<(u32, u32)>,
    owners: FxHashMap<(u32, u32), Option<DefId>>,
}

impl Sites {
    fn from_file(file: &SourceFile<'_>) -> Sites {
        let facts = &file.facts;
        let mut owners = FxHashMap::default();
        let mut calls = FxHashSet::default();
        for call in &facts.calls {
            let at = (call.line.saturating_sub(1), call.column);
            owners.insert(at, call.owner);
            if call.kind != CallKind::Literal {
                calls.insert(at);
            }
        }
        for site in &facts.references {
            let at = (site.line.saturating_sub(1), site.column);
            owners.entry(at).or_insert(site.owner);
        }
        let mut writes = FxHashSet::default();
        for site in &facts.writes {
            let at = (site.line.saturating_sub(1), site.column);
            writes.insert(at);
            owners.entry(at).or_insert(site.owner);
        }
        Sites {
            calls,
            writes,
            owners,
        }
    }
}

/// Definitions with a body or value as nested spans, to find the innermost around a byte.
struct Nesting {
    spans: Vec<NestedSpan>,
    /// The innermost span from each byte up to the next entry, in order.
    innermost: Vec<(u32, Option<usize>)>,
}

struct NestedSpan {
    end: u32,
    node: NodeId,
    /// The span around it.
    outer: Option<usize>,
}

/// Most spans that are checked from the innermost outwards: spans of an index need not be nested like those of source.
const MOST_OUTER: usize = 256;

impl Nesting {
    fn new(defined: &DefinedDocument<'_>, file: &SourceFile<'_>) -> Nesting {
        let mut flat: Vec<(u32, u32, NodeId)> = defined.ranges.clone();
        for (at, def) in file.facts.defs.iter().enumerate() {
            if let (Some(Some(node)), false) =
                (file.nodes.get(at), def.flags.has(DefFlags::ANONYMOUS))
            {
                flat.push((def.span.start_byte, def.span.end_byte, *node));
            }
        }
        flat.sort_by_key(|(from, to, node)| (*from, std::cmp::Reverse(*to), *node));
        let mut nesting = Nesting {
            spans: Vec::with_capacity(flat.len()),
            innermost: Vec::new(),
        };
        let mut open: Vec<usize> = Vec::new();
        for (from, end, node) in flat {
            nesting.close_spans_until(&mut open, from);
            let outer = open.last().copied();
            nesting.spans.push(NestedSpan { end, node, outer });
            open.push(nesting.spans.len() - 1);
            nesting.innermost.push((from, open.last().copied()));
        }
        nesting.close_spans_until(&mut open, u32::MAX);
        nesting
    }

    /// Closes the spans that end before or at a byte.
    fn close_spans_until(&mut self, open: &mut Vec<usize>, byte: u32) {
        while let Some(end) = open.last().map(|at| self.spans[*at].end)
            && end <= byte
        {
            open.pop();
            // If spans overlap, one may end inside another that began later.
            let last = self.innermost.last().map_or(0, |(from, _)| *from);
            self.innermost.push((end.max(last), open.last().copied()));
        }
    }

    /// The innermost node around `byte` other than `not`.
    fn innermost_around(&self, byte: u32, not: Option<NodeId>) -> Option<NodeId> {
        let next = self.innermost.partition_point(|(from, _)| *from <= byte);
        let mut at = self.innermost[next.checked_sub(1)?].1;
        for _ in 0..MOST_OUTER {
            let here = &self.spans[at?];
            if byte < here.end && Some(here.node) != not {
                return Some(here.node);
            }
            at = here.outer;
        }
        None
    }
}

struct EdgeBuilder<'r, 'a> {
    sites: Sites,
    nesting: Nesting,
    own_packages: FxHashSet<String>,
    defined: &'r DefinedDocument<'a>,
    file: &'r SourceFile<'r>,
    lines: &'r Lines<'r>,
    targets: &'r FxHashMap<&'a str, Target>,
    seen: FxHashMap<(NodeId, NodeId, EdgeType, Option<Site>), usize>,
    defined_here: FxHashSet<NodeId>,
    /// Names of symbols of other packages.
    names: FxHashMap<&'a str, ExternalSymbol>,
    /// Uses by source, package and symbol: the first line, and the number of calls.
    externals: BTreeMap<Use, (u32, u32)>,
    resolved: FxHashSet<(u32, u32)>,
    outside: FxHashSet<(u32, u32)>,
    summary: Summary,
    out: ScipDocument,
}

/// Packages of the documents' own symbols: a symbol of one of these that the index does not define is not external.
fn own_packages(defined: &DefinedDocument<'_>) -> FxHashSet<String> {
    let symbols = defined.nodes_by_symbol.keys();
    let globals = symbols.filter_map(|s| GlobalSymbol::parse(s));
    globals
        .map(|g| normalize_package_name(&g.package))
        .collect()
}

/// A package's name in the form that package indexes compare. An installed copy of the project itself may spell it
/// differently.
fn normalize_package_name(name: &str) -> String {
    name.to_lowercase().replace(['_', '.'], "-")
}

/// A use of another package: the source node, the package and the symbol.
type Use = (NodeId, Arc<str>, Arc<str>);

/// A symbol that is not defined in the index.
#[derive(Debug, Clone)]
enum ExternalSymbol {
    /// An unknown symbol, or one that should have been defined.
    Unknown,
    /// A symbol of another package that makes no edge.
    Outside,
    /// Package and symbol.
    Named(Arc<str>, Arc<str>),
}

impl ExternalSymbol {
    fn from_symbol(symbol: &str, own_packages: &FxHashSet<String>) -> ExternalSymbol {
        let Some(global) = GlobalSymbol::parse(symbol) else {
            return ExternalSymbol::Unknown;
        };
        if own_packages.contains(&normalize_package_name(&global.package)) {
            return ExternalSymbol::Unknown;
        }
        match external_symbol(&global) {
            Some((package, name)) => ExternalSymbol::Named(package.into(), name.into()),
            None => ExternalSymbol::Outside,
        }
    }
}

impl<'a> EdgeBuilder<'_, 'a> {
    fn add_occurrence(&mut self, occurrence: &Occurrence<'a>) {
        self.summary.occurrences += 1;
        let range = occurrence.range;
        let Some((byte, column)) = self.lines.byte_at(range.start_line, range.start) else {
            return;
        };
        let position = (range.start_line, column);
        let known = self.resolve_target(occurrence.symbol);
        let roles = occurrence.roles & (DEFINITION | IMPORT | WRITE | READ);
        if let (true, Some(target)) = (roles & DEFINITION != 0, known) {
            self.add_definition(target, byte, range.start_line + 1);
        }
        let plain = occurrence.roles & (DEFINITION | IMPORT | WRITE | READ | FORWARD) == 0;
        let uses = [
            (roles & IMPORT != 0, EdgeType::Imports),
            (roles & WRITE != 0, EdgeType::Modifies),
            (roles & READ != 0 || plain, EdgeType::Calls),
        ];
        for (_, edge_type) in uses.into_iter().filter(|(set, _)| *set) {
            match known {
                Some(target) => self.add_edge(target, edge_type, position, byte),
                None => self.add_external_use(occurrence.symbol, position, byte),
            }
        }
        // Some indexers do not distinguish writes from reads; the syntax tree then decides.
        if let (0, Some(target)) = (roles & (DEFINITION | IMPORT | WRITE), known)
            && self.sites.writes.contains(&position)
        {
            self.add_edge(target, EdgeType::Modifies, position, byte);
        }
    }

    /// The node of a symbol: that of this document first.
    fn resolve_target(&self, symbol: &str) -> Option<Target> {
        if let Some(node) = self.defined.nodes_by_symbol.get(symbol) {
            let kind = self
                .defined
                .kinds
                .get(node)
                .copied()
                .unwrap_or(SymbolKind::Other);
            return Some(Target { node: *node, kind });
        }
        if is_local(symbol) {
            return None;
        }
        self.targets.get(symbol).copied()
    }

    /// The innermost definition around a position, or the file.
    fn enclosing_node(&self, position: (u32, u32), byte: u32) -> NodeId {
        if let Some(owner) = self.sites.owners.get(&position) {
            let node = owner.and_then(|d| self.file.nodes.get(d.index()).copied().flatten());
            return node.unwrap_or(self.file.file_node);
        }
        self.nesting
            .innermost_around(byte, None)
            .unwrap_or(self.file.file_node)
    }

    /// DEFINES edges of the tree's own nodes come from the tree; here they are only counted.
    fn add_definition(&mut self, target: Target, byte: u32, line: u32) {
        if target.node == self.file.file_node {
            return;
        }
        if !self.defined_here.insert(target.node) {
            return;
        }
        let source = self
            .nesting
            .innermost_around(byte, Some(target.node))
            .unwrap_or(self.file.file_node);
        *self.summary.edges.entry(EdgeType::Defines).or_default() += 1;
        if self.defined.own.contains(&target.node) {
            self.push_edge(source, target.node, EdgeType::Defines, None, line);
        }
    }

    fn add_edge(&mut self, target: Target, edge_type: EdgeType, position: (u32, u32), byte: u32) {
        self.out.covered.insert(position);
        let source = self.enclosing_node(position, byte);
        let is_call = edge_type == EdgeType::Calls && self.sites.calls.contains(&position);
        let site = match edge_type {
            EdgeType::Calls if is_call => Some(Site::Call),
            EdgeType::Calls => Some(Site::Reference),
            _ => None,
        };
        if is_call {
            self.resolved.insert(position);
        } else if source == target.node || self.is_negligible_mention(target, site) {
            return;
        }
        let line = position.0 + 1;
        let key = (source, target.node, edge_type, site);
        if let Some(at) = self.seen.get(&key) {
            self.out.edges[*at].more_lines.push(line);
            return;
        }
        self.seen.insert(key, self.out.edges.len());
        *self.summary.edges.entry(edge_type).or_default() += 1;
        if let Some(site) = site {
            *self.summary.calls_by_site.entry(site).or_default() += 1;
        }
        self.push_edge(source, target.node, edge_type, site, line);
    }

    fn is_negligible_mention(&self, target: Target, site: Option<Site>) -> bool {
        site == Some(Site::Reference) && self.defined.inner.contains(&target.node)
    }

    fn push_edge(
        &mut self,
        source: NodeId,
        target: NodeId,
        edge_type: EdgeType,
        site: Option<Site>,
        line: u32,
    ) {
        self.out.edges.push(GraphEdge {
            id: NodeId::default(),
            source,
            target,
            edge_type,
            site,
            tier: Tier::Scip,
            confidence: Tier::Scip.default_confidence(),
            line,
            more_lines: Vec::new(),
        });
    }

    fn add_external_use(&mut self, symbol: &'a str, position: (u32, u32), byte: u32) {
        let own = &self.own_packages;
        let known = self.names.entry(symbol);
        let foreign = known
            .or_insert_with(|| ExternalSymbol::from_symbol(symbol, own))
            .clone();
        if matches!(foreign, ExternalSymbol::Unknown) {
            return;
        }
        self.out.covered.insert(position);
        let is_call = self.sites.calls.contains(&position);
        if is_call {
            self.outside.insert(position);
        }
        if let ExternalSymbol::Named(package, name) = foreign {
            let source = self.enclosing_node(position, byte);
            let line = position.0 + 1;
            let entry = self
                .externals
                .entry((source, package, name))
                .or_insert((line, 0));
            entry.0 = entry.0.min(line);
            entry.1 += u32::from(is_call);
        }
    }

    fn add_relations(&mut self) {
        let mut seen = FxHashSet::default();
        for info in &self.defined.document.symbols {
            let Some(source) = self.resolve_target(info.symbol) else {
                continue;
            };
            for relationship in &info.relationships {
                let Some(target) = self.resolve_target(relationship.symbol) else {
                    continue;
                };
                let kind = match () {
                    () if relationship.is_implementation => {
                        implementation_kind(source.kind, target.kind)
                    }
                    () if relationship.is_type_definition => "type_definition",
                    () if relationship.is_reference => "reference",
                    () => continue,
                };
                if source.node != target.node && seen.insert((source.node, target.node, kind)) {
                    self.out.relations.push(RelationRecord {
                        source_id: source.node.to_string(),
                        target_id: target.node.to_string(),
                        kind: kind.to_owned(),
                        file_path: self.out.path.clone(),
                        tier: Tier::Scip,
                    });
                }
            }
        }
    }

    /// Drops references to a definition that the same source also calls: they add nothing.
    fn drop_mentions_of_callees(&mut self) {
        let is = |e: &GraphEdge, site| e.site == Some(site);
        let calls = self.out.edges.iter().filter(|e| is(e, Site::Call));
        let called: FxHashSet<(NodeId, NodeId)> = calls.map(|e| (e.source, e.target)).collect();
        self.out
            .edges
            .retain(|e| !is(e, Site::Reference) || !called.contains(&(e.source, e.target)));
        let mentions = self
            .out
            .edges
            .iter()
            .filter(|e| is(e, Site::Reference))
            .count();
        let before = self
            .summary
            .calls_by_site
            .insert(Site::Reference, mentions)
            .unwrap_or_default();
        if let Some(calls) = self.summary.edges.get_mut(&EdgeType::Calls) {
            *calls -= before - mentions;
        }
    }

    fn finish(mut self) -> (ScipDocument, Summary) {
        self.out.edges.iter_mut().for_each(sort_lines);
        self.drop_mentions_of_callees();
        let symbols = self.defined.nodes_by_symbol.len();
        self.summary.symbols = symbols;
        self.out.calls_resolved = self.resolved.len() as u32;
        self.out.calls_external = self.outside.difference(&self.resolved).count() as u32;
        self.out.externals = self
            .externals
            .into_iter()
            .map(|((source, package, symbol), (line, count))| GraphExternal {
                source,
                package,
                symbol,
                line,
                count,
            })
            .collect();
        (self.out, self.summary)
    }
}

/// Indexers use one relation for subclassing, implementing and overriding.
fn implementation_kind(source: SymbolKind, target: SymbolKind) -> &'static str {
    match (source, target) {
        (s, _) if !s.is_type() => "overrides",
        (SymbolKind::Interface, SymbolKind::Interface) => "extends",
        (SymbolKind::Trait, SymbolKind::Trait) => "extends",
        (_, SymbolKind::Interface | SymbolKind::Trait) => "implements",
        _ => "extends",
    }
}
