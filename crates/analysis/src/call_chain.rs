//! Callers and callees of a symbol, several hops deep.
//!
//! The walk is breadth-first, so that a node is expanded where it is nearest to the target. A node met again is a leaf marked
//! `seen`; on its own path it is a leaf marked `cycle`. A call of an interface's method may run any implementation: the
//! implementations are listed below it, at its depth, marked with the relation. Chains of overriding methods are cut at
//! [`MOST_NESTED`], so that no answer is nested deeper than those who read it can go.

mod render;
mod usage;

pub use render::{chain_to_markdown, chain_to_mermaid};
pub use usage::{EntryKind, EntryPath, Usage, UsageStep, find_entry_paths};

use crate::graph::{display_name, load_name};
use crate::{AdjacentEdge, AnalysisError, EdgeDirection, Graph};
use base::{EdgeType, Site, Tier};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use store::NodeFlags;

/// Direction in which calls are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Callers of the symbol.
    #[default]
    Callers,
    /// Callees of the symbol.
    Callees,
    /// Both.
    Both,
}

/// Nodes below a target, counted along one path, after which overriding methods are not followed. Calls end at
/// [`CallChainOptions::depth`]; a chain of overrides is as long as the source has it. With the calls, and two levels of JSON
/// for a node, an answer stays below the 128 levels that readers of JSON commonly take.
const MOST_NESTED: u32 = 40;

/// Direction, depth and size of a call chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallChainOptions {
    /// Direction.
    pub direction: Direction,
    /// Hops, 1–4.
    pub depth: u32,
    /// Count mentions (callbacks passed on, types in annotations) as well as calls.
    pub references: bool,
    /// Most nodes below the targets, nearest first.
    pub limit: usize,
    /// Whether many callers in tests are only counted, and not listed: they are seldom wanted.
    pub fold_tests: bool,
}

impl Default for CallChainOptions {
    fn default() -> Self {
        CallChainOptions {
            direction: Direction::default(),
            depth: 2,
            references: false,
            limit: 500,
            fold_tests: false,
        }
    }
}

/// The answer, version 1.0.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallChain {
    /// Version of this shape.
    pub schema_version: &'static str,
    /// Name of the symbol that was asked about.
    pub target_symbol: String,
    /// Number of hops that were asked for.
    pub depth: u32,
    /// Direction.
    pub direction: Direction,
    /// The target at depth 0, with its callers or callees nested in it. Several if one name has several definitions in one
    /// place (overloads).
    pub paths: Vec<ChainNode>,
    /// Whether a path returns to a node on it.
    pub cycle_detected: bool,
    /// Id of the first such node.
    pub cycle_at: Option<String>,
    /// Nodes below the targets.
    pub total: usize,
    /// Nodes left out because of the limit.
    #[serde(skip_serializing_if = "is_zero")]
    pub truncated: usize,
    /// Overriding or overridden methods that were not followed, because they are nested too deep.
    #[serde(skip_serializing_if = "is_zero")]
    pub too_nested: usize,
    /// Number of neighbours of the targets that mention them, or are mentioned, without a call (callbacks handed on, types), if
    /// mentions do not count.
    #[serde(skip_serializing_if = "is_zero")]
    pub mentions: usize,
    /// Paths from entry points, if they were asked for.
    #[serde(flatten)]
    pub usage: Option<Usage>,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

fn is_false(b: &bool) -> bool {
    !*b
}

/// A node of the chain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChainNode {
    /// Its id.
    pub symbol_id: String,
    /// Its name, dotted within its file.
    pub symbol_name: String,
    /// Kind of symbol.
    pub kind: String,
    /// File of its definition.
    pub file_path: String,
    /// First line of its definition.
    pub line: u32,
    /// Hops from the target.
    pub depth: u32,
    /// The edge that leads here; `None` for the target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edge: Option<ChainEdge>,
    /// Whether it leads back to a node on its own path.
    #[serde(skip_serializing_if = "is_false")]
    pub cycle: bool,
    /// Whether it is expanded at another place of this answer.
    #[serde(skip_serializing_if = "is_false")]
    pub seen: bool,
    /// Its callers. `None` if they were not asked for or not looked up: beyond the depth, or because it is `seen` or a `cycle`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callers: Option<Vec<ChainNode>>,
    /// Its callees. `None` as for `callers`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callees: Option<Vec<ChainNode>>,
    /// Callers in tests that are only counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tests: Option<FoldedTests>,
    /// Number of callers or callees that were left out because of the limit, or because they are nested too deep.
    #[serde(skip_serializing_if = "is_zero")]
    pub left_out: usize,
}

/// Callers in tests that are only counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FoldedTests {
    /// Number of callers.
    pub callers: usize,
    /// Number of files with such callers.
    pub files: usize,
    /// The files with the most such callers, with their number.
    pub such_as: Vec<(String, usize)>,
}

/// Number of callers in tests that are always listed for a node.
const FEW_TESTS: usize = 3;
/// Most files with tests that are named.
const TEST_FILES_NAMED: usize = 3;

/// The edge between a node of the chain and the node above it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChainEdge {
    /// `overrides` or `implements` if a possible dispatch, and no call, leads here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation: Option<String>,
    /// Tier: how the edge is known.
    pub tier: Tier,
    /// 0–1.
    pub confidence: f64,
    /// A call or a mention.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site: Option<Site>,
    /// The file of the call, if it is not the caller's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_path: Option<String>,
    /// The line of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Further lines with the same call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also_lines: Vec<u32>,
    /// The evidence for a virtual edge, as the caller of the analysis knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
}

/// Follows calls from the `targets`, which must exist.
pub fn call_chain(
    graph: &dyn Graph,
    targets: &[u32],
    options: &CallChainOptions,
) -> Result<CallChain, AnalysisError> {
    if !(1..=4).contains(&options.depth) {
        return Err(AnalysisError::OutOfRange {
            what: "depth",
            value: options.depth.to_string(),
            range: "between 1 and 4".to_owned(),
        });
    }
    let ways: &[EdgeDirection] = match options.direction {
        Direction::Callers => &[EdgeDirection::In],
        Direction::Callees => &[EdgeDirection::Out],
        Direction::Both => &[EdgeDirection::In, EdgeDirection::Out],
    };
    let mut answer = CallChain {
        schema_version: "1.0",
        target_symbol: String::new(),
        depth: options.depth,
        direction: options.direction,
        paths: Vec::with_capacity(targets.len()),
        cycle_detected: false,
        cycle_at: None,
        total: 0,
        truncated: 0,
        too_nested: 0,
        mentions: 0,
        usage: None,
    };
    for key in targets {
        let target = chain_node(graph, *key, 0, None)?;
        answer.target_symbol.clone_from(&target.symbol_name);
        answer.paths.push(target);
    }
    for way in ways {
        let mut walk = Walk::new(graph, *way, options, targets);
        walk.expand_all()?;
        for key in targets.iter().filter(|_| !options.references) {
            answer.mentions += walk.count_mentions(*key)?;
        }
        walk.write_answer(&mut answer)?;
    }
    Ok(answer)
}

impl CallChain {
    /// A line on chains of overriding methods that go on below what is listed.
    pub fn nesting_note(&self) -> Option<String> {
        (self.too_nested > 0).then(|| {
            format!(
                "overriding methods are followed {MOST_NESTED} levels deep: {} more, with what is beyond them, not listed; ask for the last one by name",
                self.too_nested
            )
        })
    }
}

/// A place in the tree under construction.
struct TreeNode {
    key: u32,
    parent: Option<usize>,
    depth: u32,
    /// Nodes above it.
    nested: u32,
    edge: Option<Link>,
    cycle: bool,
    seen: bool,
    children: Vec<usize>,
    tests: Option<FoldedTests>,
    /// Neighbours that were left out because of the limit.
    left_out: usize,
}

/// An edge of the tree, without texts of its own.
#[derive(Clone)]
struct Link {
    relation: Option<String>,
    tier: Tier,
    confidence: f64,
    site: Option<Site>,
    file: Option<u32>,
    line: Option<u32>,
    also_lines: Vec<u32>,
}

struct Walk<'a> {
    graph: &'a dyn Graph,
    direction: EdgeDirection,
    options: &'a CallChainOptions,
    nodes: Vec<TreeNode>,
    expanded: FxHashMap<u32, usize>,
    first_cycle: Option<u32>,
    root_count: usize,
    truncated: usize,
    too_nested: usize,
}

impl<'a> Walk<'a> {
    fn new(
        graph: &'a dyn Graph,
        way: EdgeDirection,
        options: &'a CallChainOptions,
        targets: &[u32],
    ) -> Walk<'a> {
        let mut walk = Walk {
            graph,
            direction: way,
            options,
            nodes: Vec::new(),
            expanded: FxHashMap::default(),
            first_cycle: None,
            root_count: targets.len(),
            truncated: 0,
            too_nested: 0,
        };
        for key in targets {
            walk.push_node(*key, None, 0, None);
        }
        walk
    }

    fn expand_all(&mut self) -> Result<(), AnalysisError> {
        let mut next = 0;
        while next < self.nodes.len() {
            let place = &self.nodes[next];
            if !place.seen && !place.cycle {
                self.expand(next)?;
            }
            next += 1;
        }
        Ok(())
    }

    /// Adds the callers or callees at `at`, and the implementations that a call there may dispatch to.
    fn expand(&mut self, at: usize) -> Result<(), AnalysisError> {
        let (key, depth) = (self.nodes[at].key, self.nodes[at].depth);
        self.push_dispatch_targets(at, key, depth)?;
        if depth < self.options.depth && self.is_full() {
            let left_out = self.count_calls(key)?;
            self.truncated += left_out;
            self.nodes[at].left_out += left_out;
        } else if depth < self.options.depth {
            let links = self.find_call_links(key)?;
            for (to, link) in self.fold_tests(at, links)? {
                self.push_node(to, Some(at), depth + 1, Some(link));
            }
        }
        Ok(())
    }

    /// The links without those from tests, if these are many; they are counted at the node. A caller of a test is another test:
    /// it is listed.
    fn fold_tests(
        &mut self,
        at: usize,
        mut links: Vec<(u32, Link)>,
    ) -> Result<Vec<(u32, Link)>, AnalysisError> {
        let wanted = self.options.fold_tests && self.direction == EdgeDirection::In;
        if !wanted || self.graph.location(self.nodes[at].key)?.test {
            return Ok(links);
        }
        let mut tests = Vec::new();
        // Tests come last.
        while let Some((to, _)) = links.last()
            && self.graph.location(*to)?.test
        {
            tests.extend(links.pop());
        }
        if tests.len() <= FEW_TESTS {
            links.extend(tests.into_iter().rev());
            return Ok(links);
        }
        let mut by_file: FxHashMap<u32, usize> = FxHashMap::default();
        for (to, _) in &tests {
            *by_file.entry(self.graph.location(*to)?.file).or_default() += 1;
        }
        let files = by_file.len();
        let mut such_as: Vec<(String, usize)> = by_file
            .into_iter()
            .map(|(file, callers)| (self.graph.file_path(file).into_owned(), callers))
            .collect();
        such_as.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        such_as.truncate(TEST_FILES_NAMED);
        self.nodes[at].tests = Some(FoldedTests {
            callers: tests.len(),
            files,
            such_as,
        });
        Ok(links)
    }

    /// Adds dispatch targets. For callees: the implementations of an interface's method. For callers: the interface's method
    /// that this one implements, since a call of it may run this one. Each goes one way only, so that a sibling implementation
    /// never shows.
    fn push_dispatch_targets(
        &mut self,
        at: usize,
        key: u32,
        depth: u32,
    ) -> Result<(), AnalysisError> {
        let links = self.find_dispatch_links(key)?;
        if self.nodes[at].nested >= MOST_NESTED {
            self.too_nested += links.len();
            self.nodes[at].left_out += links.len();
            return Ok(());
        }
        for (to, link) in links {
            self.push_node(to, Some(at), depth, Some(link));
        }
        Ok(())
    }

    /// Methods that a call of this one may run, or through which this one may be called.
    fn find_dispatch_links(&self, key: u32) -> Result<Vec<(u32, Link)>, AnalysisError> {
        let against = match self.direction {
            EdgeDirection::Out => EdgeDirection::In,
            EdgeDirection::In => EdgeDirection::Out,
        };
        let mut found = Vec::new();
        self.graph
            .visit_relations(key, against, &mut |to, kind, tier| {
                if matches!(kind, "overrides" | "implements") {
                    found.push((to, kind.to_owned(), tier));
                }
            })?;
        // In order of place, as they are written in the source.
        let mut placed = Vec::with_capacity(found.len());
        for (to, kind, tier) in found {
            let spot = self.graph.location(to)?;
            placed.push((kind, self.graph.file_path(spot.file), spot.line, to, tier));
        }
        placed.sort_by(|a, b| {
            let order = (&a.0, &a.1, a.2).cmp(&(&b.0, &b.1, b.2));
            order.then_with(|| self.graph.compare_ids(a.3, b.3))
        });
        let mut methods = Vec::with_capacity(placed.len());
        for (kind, _, _, to, tier) in placed {
            // Relations between classes are not dispatch of calls.
            if !self.is_method(to)? {
                continue;
            }
            let link = Link {
                relation: Some(kind),
                tier,
                confidence: tier.default_confidence(),
                site: None,
                file: None,
                line: None,
                also_lines: Vec::new(),
            };
            methods.push((to, link));
        }
        Ok(methods)
    }

    fn is_method(&self, key: u32) -> Result<bool, AnalysisError> {
        let mut method = false;
        self.graph.visit_node(key, &mut |row| {
            // A field of C may hold a function, and a call through it runs that.
            let kinds = ["method", "function", "constructor", "property", "field"];
            method = kinds.contains(&row.kind);
        })?;
        Ok(method)
    }

    fn is_full(&self) -> bool {
        self.nodes.len() - self.root_count.min(self.nodes.len()) >= self.options.limit
    }

    fn is_followed(&self, step: &AdjacentEdge<'_>) -> bool {
        step.site != Some(Site::Reference) || self.options.references
    }

    /// Number of neighbours by call.
    fn count_calls(&self, key: u32) -> Result<usize, AnalysisError> {
        let mut found = Vec::new();
        self.graph
            .visit_edges(key, self.direction, &[EdgeType::Calls], &mut |step| {
                if self.is_followed(&step) {
                    found.push(step.to);
                }
            })?;
        found.sort_unstable();
        found.dedup();
        Ok(found.len())
    }

    /// Number of neighbours by reference alone, without a call.
    fn count_mentions(&self, key: u32) -> Result<usize, AnalysisError> {
        let (mut called, mut mentioned) = (Vec::new(), Vec::new());
        self.graph.visit_edges(
            key,
            self.direction,
            &[EdgeType::Calls],
            &mut |step| match step.site {
                Some(Site::Reference) => mentioned.push(step.to),
                _ => called.push(step.to),
            },
        )?;
        called.sort_unstable();
        mentioned.retain(|to| called.binary_search(to).is_err());
        mentioned.sort_unstable();
        mentioned.dedup();
        Ok(mentioned.len())
    }

    /// The neighbours by call, one entry each with its best edge.
    fn find_call_links(&self, key: u32) -> Result<Vec<(u32, Link)>, AnalysisError> {
        let mut found: Vec<(u32, Link)> = Vec::new();
        self.graph
            .visit_edges(key, self.direction, &[EdgeType::Calls], &mut |step| {
                if !self.is_followed(&step) {
                    return;
                }
                let link = Link {
                    relation: None,
                    tier: step.tier,
                    confidence: step.confidence,
                    site: step.site,
                    file: step.file,
                    line: step.line,
                    also_lines: step.more_lines.to_vec(),
                };
                found.push((step.to, link));
            })?;
        // Of several edges between two nodes, the most certain one is kept.
        found.sort_by(|(a, x), (b, y)| {
            let order = a.cmp(b).then((x.tier, x.site).cmp(&(y.tier, y.site)));
            order.then_with(|| self.compare_locations(x, y))
        });
        let mut order: Vec<(u32, Link)> = Vec::with_capacity(found.len());
        for (to, link) in found {
            match order.last_mut() {
                Some((last, best)) if *last == to => merge_links(best, link),
                _ => order.push((to, link)),
            }
        }
        // Tests last, then by place, so that the answer does not depend on how the graph is kept.
        let mut ranked = Vec::with_capacity(order.len());
        for (to, link) in order {
            let test = self.graph.location(to)?.test;
            ranked.push((test, to, link));
        }
        ranked.sort_by(|(s, a, x), (t, b, y)| {
            let order = s.cmp(t).then_with(|| self.compare_locations(x, y));
            order.then_with(|| self.graph.compare_ids(*a, *b))
        });
        Ok(ranked.into_iter().map(|(_, to, link)| (to, link)).collect())
    }

    fn compare_locations(&self, x: &Link, y: &Link) -> Ordering {
        let files = match (x.file, y.file) {
            (Some(a), Some(b)) if a != b => self.graph.file_path(a).cmp(&self.graph.file_path(b)),
            (a, b) => a.is_some().cmp(&b.is_some()),
        };
        files.then(x.line.cmp(&y.line))
    }

    fn push_node(&mut self, key: u32, parent: Option<usize>, depth: u32, edge: Option<Link>) {
        if let Some(parent) = parent.filter(|_| self.is_full()) {
            self.truncated += 1;
            self.nodes[parent].left_out += 1;
            return;
        }
        let cycle = self.is_on_path(parent, key);
        if cycle && self.first_cycle.is_none() {
            self.first_cycle = Some(key);
        }
        let at = self.nodes.len();
        let nested = parent.map_or(0, |parent| self.nodes[parent].nested + 1);
        let seen = !cycle && self.expanded.contains_key(&key);
        if !cycle && !seen {
            self.expanded.insert(key, at);
        }
        self.nodes.push(TreeNode {
            key,
            parent,
            depth,
            nested,
            edge,
            cycle,
            seen,
            children: Vec::new(),
            tests: None,
            left_out: 0,
        });
        if let Some(parent) = parent {
            self.nodes[parent].children.push(at);
        }
    }

    fn is_on_path(&self, mut at: Option<usize>, key: u32) -> bool {
        while let Some(i) = at {
            if self.nodes[i].key == key {
                return true;
            }
            at = self.nodes[i].parent;
        }
        false
    }

    fn write_answer(self, answer: &mut CallChain) -> Result<(), AnalysisError> {
        answer.total += self.nodes.len() - self.root_count;
        answer.truncated += self.truncated;
        answer.too_nested += self.too_nested;
        if let (Some(key), None) = (self.first_cycle, &answer.cycle_at) {
            answer.cycle_detected = true;
            answer.cycle_at = Some(load_name(self.graph, key)?.id);
        }
        for root in 0..self.root_count {
            let nested = self.build_child_nodes(root)?;
            let left_out = self.nodes[root].left_out;
            let nested = (left_out == 0 || !nested.is_empty()).then_some(nested);
            let target = &mut answer.paths[root];
            target.left_out += left_out;
            match self.direction {
                EdgeDirection::In => {
                    target.callers = nested;
                    target.tests = self.nodes[root].tests.clone();
                }
                EdgeDirection::Out => target.callees = nested,
            }
        }
        Ok(())
    }

    fn build_child_nodes(&self, at: usize) -> Result<Vec<ChainNode>, AnalysisError> {
        let mut nodes = Vec::with_capacity(self.nodes[at].children.len());
        for &child in &self.nodes[at].children {
            let place = &self.nodes[child];
            let mut node = chain_node(self.graph, place.key, place.depth, None)?;
            node.edge = match &place.edge {
                Some(link) => Some(self.build_edge(link, at, child)?),
                None => None,
            };
            node.cycle = place.cycle;
            node.seen = place.seen;
            node.tests = place.tests.clone();
            node.left_out = place.left_out;
            // A node that was not looked up has no list, rather than an empty one.
            let looked = place.depth < self.options.depth && place.left_out == 0;
            let looked = looked || !place.children.is_empty();
            let below = if looked && !place.cycle && !place.seen {
                Some(self.build_child_nodes(child)?)
            } else {
                None
            };
            match self.direction {
                EdgeDirection::In => node.callers = below,
                EdgeDirection::Out => node.callees = below,
            }
            nodes.push(node);
        }
        Ok(nodes)
    }

    fn build_edge(
        &self,
        link: &Link,
        parent: usize,
        child: usize,
    ) -> Result<ChainEdge, AnalysisError> {
        let caller = match self.direction {
            EdgeDirection::In => child,
            EdgeDirection::Out => parent,
        };
        self.build_edge_from(link, self.nodes[caller].key)
    }

    /// The edge, as seen from its source.
    fn build_edge_from(&self, link: &Link, caller: u32) -> Result<ChainEdge, AnalysisError> {
        let home = self.graph.location(caller)?.file;
        let away = link.file.filter(|file| *file != home);
        Ok(ChainEdge {
            relation: link.relation.clone(),
            tier: link.tier,
            confidence: link.confidence,
            site: link.site,
            file_path: away.map(|file| self.graph.file_path(file).into_owned()),
            line: link.line,
            also_lines: link.also_lines.clone(),
            evidence: None,
        })
    }
}

/// Joins a less certain edge between the same two nodes: its lines are kept.
fn merge_links(best: &mut Link, other: Link) {
    best.also_lines.extend(other.also_lines);
    if other.file == best.file {
        best.also_lines
            .extend(other.line.filter(|l| Some(*l) != best.line));
    }
    best.also_lines.sort_unstable();
    best.also_lines.dedup();
}

fn chain_node(
    graph: &dyn Graph,
    key: u32,
    depth: u32,
    edge: Option<ChainEdge>,
) -> Result<ChainNode, AnalysisError> {
    let mut node = ChainNode {
        symbol_id: String::new(),
        symbol_name: String::new(),
        kind: String::new(),
        file_path: String::new(),
        line: 0,
        depth,
        edge,
        cycle: false,
        seen: false,
        callers: None,
        callees: None,
        tests: None,
        left_out: 0,
    };
    graph.visit_node(key, &mut |row| {
        let is_abstract = row.flags.contains(NodeFlags::ABSTRACT);
        node.symbol_id = row.id.to_owned();
        node.symbol_name = display_name(&row).to_owned();
        node.kind = if is_abstract {
            format!("abstract {}", row.kind)
        } else {
            row.kind.to_owned()
        };
        node.file_path = row.file_path.to_owned();
        node.line = row.line_start.unwrap_or(0);
    })?;
    Ok(node)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_graph::TestGraph;

    fn run(graph: &TestGraph, target: &str, options: CallChainOptions) -> CallChain {
        call_chain(graph, &[graph.key_of_name(target)], &options).unwrap()
    }

    fn shape(nodes: &[ChainNode]) -> String {
        let mut parts = Vec::new();
        for node in nodes {
            let below = node.callers.as_ref().or(node.callees.as_ref());
            let mark = match (node.cycle, node.seen) {
                (true, _) => "!",
                (_, true) => "~",
                _ => "",
            };
            let inner = below.map(|b| shape(b)).unwrap_or_default();
            parts.push(format!("{}{mark}[{inner}]", node.symbol_name));
        }
        parts.join(" ")
    }

    fn options(direction: Direction, depth: u32) -> CallChainOptions {
        CallChainOptions {
            direction,
            depth,
            ..CallChainOptions::default()
        }
    }

    #[test]
    fn what_was_not_looked_up_is_no_empty_list() {
        let lines = ["a -> t", "b -> t", "x -> a", "y -> a", "z -> b"];
        let graph = TestGraph::new(&lines);
        let answer = run(
            &graph,
            "t",
            CallChainOptions {
                limit: 3,
                ..options(Direction::Callers, 2)
            },
        );
        assert_eq!(shape(&answer.paths), "t[a[x[]] b[]]");
        let callers = answer.paths[0].callers.as_ref().unwrap();
        assert_eq!((callers[0].left_out, callers[1].left_out), (1, 1));
        assert_eq!(callers[1].callers, None);
        assert_eq!((answer.total, answer.truncated), (3, 2));
    }

    #[test]
    fn many_callers_in_tests_are_counted_and_a_few_listed() {
        let mut lines = vec!["a -> t".to_owned(), "x -> a".to_owned()];
        lines.extend((0..5).map(|n| format!("tests/test_{n}.py -> t")));
        lines.push("tests/test_0.py -> a".to_owned());
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let graph = TestGraph::new(&lines);
        let fold = CallChainOptions {
            fold_tests: true,
            ..options(Direction::Callers, 2)
        };
        let answer = run(&graph, "t", fold);
        let tests = answer.paths[0].tests.as_ref().unwrap();
        assert_eq!((tests.callers, tests.files, tests.such_as.len()), (5, 5, 3));
        assert_eq!(answer.paths[0].callers.as_ref().unwrap().len(), 1);
        let all = run(&graph, "t", options(Direction::Callers, 2));
        assert_eq!(all.paths[0].callers.as_ref().unwrap().len(), 6);
    }

    #[test]
    fn ct_005_shape_of_a_call_chain_with_two_nested_levels() {
        let graph = TestGraph::new(&["main -> run", "run -> parse", "parse -> lex"]);
        let answer = run(&graph, "main", options(Direction::Callees, 3));
        let json = serde_json::to_value(&answer).unwrap();
        assert_eq!(json["schema_version"], "1.0");
        assert_eq!(json["target_symbol"], "main");
        assert_eq!(json["cycle_detected"], false);
        assert!(json["cycle_at"].is_null());
        let run = &json["paths"][0]["callees"][0];
        assert_eq!(run["symbol_name"], "run");
        assert_eq!(run["depth"], 1);
        assert_eq!(run["edge"]["tier"], "scoped");
        assert_eq!(run["edge"]["site"], "call");
        let lex = &run["callees"][0]["callees"][0];
        assert_eq!(lex["symbol_id"], "lex");
        assert_eq!(lex["depth"], 3);
    }

    #[test]
    fn depth_ends_the_walk_and_is_checked() {
        let graph = TestGraph::new(&["a -> b", "b -> c", "c -> d"]);
        let answer = run(&graph, "d", options(Direction::Callers, 2));
        assert_eq!(shape(&answer.paths), "d[c[b[]]]");
        for depth in [0, 5] {
            let wrong = options(Direction::Callers, depth);
            let error = call_chain(&graph, &[graph.key_of_name("a")], &wrong).unwrap_err();
            assert!(error.to_string().starts_with("invalid depth"), "{error}");
        }
    }

    #[test]
    fn a_cycle_is_marked_where_it_closes() {
        let graph = TestGraph::new(&["a -> b", "b -> c", "c -> a", "c -> c"]);
        let answer = run(&graph, "a", options(Direction::Callees, 4));
        assert_eq!(shape(&answer.paths), "a[b[c[a![] c![]]]]");
        assert!(answer.cycle_detected);
        assert_eq!(answer.cycle_at.as_deref(), Some("a"));
    }

    #[test]
    fn a_node_is_expanded_once_where_it_is_nearest() {
        let graph = TestGraph::new(&["a -> b", "a -> c", "b -> c", "c -> d"]);
        let answer = run(&graph, "a", options(Direction::Callees, 3));
        assert_eq!(shape(&answer.paths), "a[b[c~[]] c[d[]]]");
        assert!(!answer.cycle_detected);
    }

    #[test]
    fn mentions_count_only_when_asked_for() {
        let graph = TestGraph::new(&["a ~> b", "a -> c"]);
        let calls = run(&graph, "a", options(Direction::Callees, 1));
        assert_eq!(shape(&calls.paths), "a[c[]]");
        assert_eq!(calls.mentions, 1);
        let mut all = options(Direction::Callees, 1);
        all.references = true;
        let all = run(&graph, "a", all);
        assert_eq!(shape(&all.paths), "a[b[] c[]]");
        assert_eq!(all.mentions, 0, "nothing is left out");
    }

    #[test]
    fn an_interface_method_shows_its_implementations_and_what_they_call() {
        let graph = TestGraph::new(&[
            "draw -> Shape.area",
            "Circle.area overrides Shape.area",
            "Square.area overrides Shape.area",
            "Circle.area -> pi",
        ]);
        let down = run(&graph, "draw", options(Direction::Callees, 2));
        assert_eq!(
            shape(&down.paths),
            "draw[Shape.area[Circle.area[pi[]] Square.area[]]]"
        );
        let json = serde_json::to_value(&down).unwrap();
        let circle = &json["paths"][0]["callees"][0]["callees"][0];
        assert_eq!(circle["edge"]["relation"], "overrides");
        assert_eq!(circle["depth"], 1);
        let up = run(&graph, "Circle.area", options(Direction::Callers, 2));
        assert_eq!(shape(&up.paths), "Circle.area[Shape.area[draw[]]]");
    }

    #[test]
    fn several_sites_are_one_edge_with_its_lines() {
        let graph = TestGraph::new(&["a -> b", "a -> b", "a -> b"]);
        let answer = run(&graph, "a", options(Direction::Callees, 1));
        let edge = answer.paths[0].callees.as_ref().unwrap()[0].edge.clone();
        let edge = edge.unwrap();
        assert_eq!((edge.line, edge.also_lines), (Some(1), vec![2, 3]));
    }

    #[test]
    fn the_limit_counts_what_it_leaves_out() {
        let graph = TestGraph::new(&["a -> b", "a -> c", "a -> d"]);
        let mut few = options(Direction::Callees, 1);
        few.limit = 2;
        let answer = run(&graph, "a", few);
        assert_eq!((answer.total, answer.truncated), (2, 1));
    }

    #[test]
    fn a_long_chain_of_overriding_methods_is_cut_and_said_to_go_on() {
        let chain: Vec<String> = (1..300)
            .map(|n| format!("C{n}.m overrides C{}.m", n - 1))
            .collect();
        let lines: Vec<&str> = chain.iter().map(String::as_str).collect();
        let graph = TestGraph::new(&lines);
        for (target, direction) in [
            ("C299.m", Direction::Callers),
            ("C0.m", Direction::Callees),
            ("C150.m", Direction::Both),
        ] {
            let asked = CallChainOptions {
                limit: 10_000,
                ..options(direction, 4)
            };
            let answer = run(&graph, target, asked);
            let sides = if direction == Direction::Both { 2 } else { 1 };
            assert_eq!(
                (answer.total, answer.too_nested, answer.truncated),
                (sides * MOST_NESTED as usize, sides, 0)
            );
            assert!(answer.nesting_note().is_some());
            let text = serde_json::to_string(&answer).unwrap();
            serde_json::from_str::<serde_json::Value>(&text).unwrap();
        }
    }

    #[test]
    fn both_directions_hang_on_the_target() {
        let graph = TestGraph::new(&["a -> b", "b -> c"]);
        let answer = run(&graph, "b", options(Direction::Both, 1));
        let target = &answer.paths[0];
        assert_eq!(shape(target.callers.as_ref().unwrap()), "a[]");
        assert_eq!(shape(target.callees.as_ref().unwrap()), "c[]");
    }
}
