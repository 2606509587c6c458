//! Symbols and files that a change of a symbol or file may affect.
//!
//! Breadth-first against the edges: from a callee to its callers, from an import's target to its importers. The impact of a
//! node is 0.8 to the power of its distance; the walk ends at the given depth or where the impact falls below the threshold.

use crate::graph::load_name;
use crate::{AffectedFile, AnalysisError, EdgeDirection, Graph, impact_files, impact_list};
use base::{EdgeType, Site, SymbolKind, Tier};
use serde::Serialize;

/// The share of the impact that one hop leaves.
pub const DECAY: f64 = 0.8;

const FOLLOWED: [EdgeType; 3] = [EdgeType::Calls, EdgeType::Modifies, EdgeType::Imports];

/// Depth of the walk, and length of the list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImpactOptions {
    /// Hops, 1–10.
    pub depth: u32,
    /// The least impact that counts, 0–1.
    pub threshold: f64,
    /// The share of the impact that one hop leaves; 0.8 in the design.
    pub decay: f64,
    /// Most entries. If there are more, the affected symbols of one file become one entry. 0 lists every symbol by itself.
    pub limit: usize,
    /// Whether entries beyond the limit are listed as well. Then `limit` only decides which symbols of one file become one
    /// entry.
    pub uncut: bool,
    /// Whether each entry has the id of its symbol.
    pub ids: bool,
}

impl Default for ImpactOptions {
    fn default() -> Self {
        ImpactOptions {
            depth: 5,
            threshold: 0.1,
            decay: DECAY,
            limit: 0,
            uncut: false,
            ids: false,
        }
    }
}

/// The answer, version 1.0.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Impact {
    /// Version of this shape.
    pub schema_version: &'static str,
    /// The symbol or file that was asked about.
    pub root: String,
    /// Ids of the symbols that were asked about.
    pub root_ids: Vec<String>,
    /// Number of hops that were asked for.
    pub depth: u32,
    /// The least impact that counts.
    pub threshold: f64,
    /// Number of affected symbols and files.
    pub total_affected: usize,
    /// Number of them at one hop, two hops, …
    pub by_depth: Vec<usize>,
    /// Number of them that are tests or lie in files of tests.
    pub tests: usize,
    /// Affected symbols and files, nearest first. At one distance: first those that use it, then files that only import it,
    /// then tests. Then by file and line.
    pub affected: Vec<Affected>,
    /// Number of affected symbols without an entry, because of the limit.
    #[serde(skip_serializing_if = "is_zero")]
    pub truncated: usize,
    /// The files of all affected symbols, nearest first.
    #[serde(skip)]
    pub files: Vec<AffectedFile>,
}

impl Impact {
    /// Keeps `entries` entries of the list; the others are only counted.
    pub fn truncate_entries(&mut self, entries: usize) {
        let cut = self.affected.drain(entries.min(self.affected.len())..);
        self.truncated += cut.map(|a| a.members.max(1)).sum::<usize>();
    }
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// An affected symbol or file, or several in one file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Affected {
    /// Its name, dotted within its file. The file's name for a file, and for several symbols of one file.
    pub symbol: String,
    /// Its id, where ids were asked for and the entry stands for one symbol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Kind of symbol.
    pub kind: String,
    /// File of its definition.
    pub file_path: String,
    /// First line of its definition.
    pub line: u32,
    /// Hops from the root.
    pub depth: u32,
    /// 0.8 to the power of the depth.
    pub impact: f64,
    /// Number of affected symbols of the file that the entry stands for; 0 if it stands for itself.
    #[serde(skip_serializing_if = "is_zero")]
    pub members: usize,
    /// The first of these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub such_as: Vec<String>,
    /// The edge by which it (or the first of its members) depends on a node nearer to the root.
    pub edge: ImpactEdge,
}

/// The edge from an affected node to its dependency.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImpactEdge {
    /// Name of the dependency.
    pub to: String,
    /// The entry of the dependency; `None` if that belongs to the root.
    #[serde(skip)]
    pub to_entry: Option<usize>,
    /// `CALLS`, `MODIFIES`, `IMPORTS`, or a relation: `overrides`, `implements`, `extends`, …
    pub via: String,
    /// `reference` if the place of a CALLS edge has a mention and no call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site: Option<Site>,
    /// Tier: how the edge is known.
    pub tier: Tier,
    /// 0–1.
    pub confidence: f64,
    /// The file of the edge, if it is not the symbol's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_path: Option<String>,
    /// The line of the edge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The evidence for a virtual edge, as the caller of the analysis knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
}

/// Finds the symbols and files that a change of the `roots` may affect. `root` is the name for the answer.
pub fn analyze_impact(
    graph: &dyn Graph,
    root: &str,
    roots: &[u32],
    options: &ImpactOptions,
) -> Result<Impact, AnalysisError> {
    check_options(options)?;
    let mut walk = Walk::new(graph, roots)?;
    let mut level = 0..walk.reached.len();
    let mut by_depth = Vec::new();
    for depth in 1..=options.depth {
        if level.is_empty() || impact_at(options.decay, depth) < options.threshold {
            break;
        }
        let before = walk.reached.len();
        for at in level {
            walk.expand(at, depth)?;
        }
        level = before..walk.reached.len();
        if !level.is_empty() {
            by_depth.push(level.len());
        }
    }
    let files = impact_files::affected_files(&walk)?;
    let root_ids = roots.iter().map(|key| Ok(load_name(graph, *key)?.id));
    let mut answer = Impact {
        schema_version: "1.0",
        root: root.to_owned(),
        root_ids: root_ids.collect::<Result<_, AnalysisError>>()?,
        depth: options.depth,
        threshold: options.threshold,
        total_affected: by_depth.iter().sum(),
        tests: files.iter().filter(|f| f.test).map(|f| f.symbols).sum(),
        by_depth,
        files,
        affected: Vec::new(),
        truncated: 0,
    };
    impact_list::fill_affected_list(&walk, options, &mut answer)?;
    Ok(answer)
}

fn check_options(options: &ImpactOptions) -> Result<(), AnalysisError> {
    if !(1..=10).contains(&options.depth) {
        return Err(AnalysisError::OutOfRange {
            what: "depth",
            value: options.depth.to_string(),
            range: "between 1 and 10".to_owned(),
        });
    }
    if !(0.0..=1.0).contains(&options.threshold) {
        return Err(AnalysisError::OutOfRange {
            what: "threshold",
            value: options.threshold.to_string(),
            range: "between 0 and 1".to_owned(),
        });
    }
    if !(options.decay > 0.0 && options.decay <= 1.0) {
        return Err(AnalysisError::OutOfRange {
            what: "decay",
            value: options.decay.to_string(),
            range: "above 0 and at most 1".to_owned(),
        });
    }
    Ok(())
}

/// decay^depth, rounded to six digits so that it prints as people write it.
pub(crate) fn impact_at(decay: f64, depth: u32) -> f64 {
    (decay.powi(depth as i32) * 1e6).round() / 1e6
}

/// The reason why a node was reached. It holds no text.
#[derive(Clone, Copy)]
pub(crate) struct IncomingEdge {
    /// Place of the dependency in `reached`.
    pub from: usize,
    pub cause: Cause,
    pub is_mention: bool,
    pub tier: Tier,
    pub confidence: f64,
    pub file: Option<u32>,
    pub line: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cause {
    Edge(EdgeType),
    /// An index of [`Walk::kinds`].
    Relation(usize),
}

pub(crate) struct Reached {
    pub key: u32,
    pub depth: u32,
    is_file: bool,
    /// Whether it was reached from an implementation: other implementations of the same symbol are not affected.
    upwards: bool,
    pub via: Option<IncomingEdge>,
}

pub(crate) struct Walk<'a> {
    pub graph: &'a dyn Graph,
    /// Reached nodes, in order of depth.
    pub reached: Vec<Reached>,
    /// Kinds of relations.
    pub kinds: Vec<String>,
    /// Whether a node was reached, by its number.
    seen: Vec<bool>,
    /// Whether the walk begins at a file. A file includes its contents, so importers of files count only then.
    from_file: bool,
}

impl<'a> Walk<'a> {
    fn new(graph: &'a dyn Graph, roots: &[u32]) -> Result<Walk<'a>, AnalysisError> {
        let mut walk = Walk {
            graph,
            reached: Vec::new(),
            kinds: Vec::new(),
            seen: Vec::new(),
            from_file: false,
        };
        for key in roots {
            let (mut is_file, mut is_type) = (false, false);
            graph.visit_node(*key, &mut |row| {
                is_file = row.kind == "file";
                is_type = SymbolKind::parse(row.kind).is_some_and(SymbolKind::is_type);
            })?;
            walk.from_file |= is_file;
            walk.add(*key, 0, is_file, false, None);
            // A type or file changes with its members.
            if is_type || is_file {
                walk.add_members(*key)?;
            }
        }
        Ok(walk)
    }

    fn add_members(&mut self, key: u32) -> Result<(), AnalysisError> {
        let mut next = vec![key];
        while let Some(at) = next.pop() {
            let mut inner = Vec::new();
            self.graph
                .visit_edges(at, EdgeDirection::Out, &[EdgeType::Defines], &mut |step| {
                    inner.push(step.to);
                })?;
            inner.retain(|member| !self.is_seen(*member));
            inner.sort_unstable_by(|a, b| self.graph.compare_ids(*a, *b));
            inner.dedup();
            for member in &inner {
                self.add(*member, 0, false, false, None);
            }
            next.extend(inner);
        }
        Ok(())
    }

    fn is_seen(&self, key: u32) -> bool {
        self.seen.get(key as usize).copied().unwrap_or(false)
    }

    fn add(
        &mut self,
        key: u32,
        depth: u32,
        is_file: bool,
        upwards: bool,
        via: Option<IncomingEdge>,
    ) {
        if self.is_seen(key) {
            return;
        }
        let at = key as usize;
        if at >= self.seen.len() {
            self.seen.resize((at + 1).max(self.seen.len() * 2), false);
        }
        self.seen[at] = true;
        self.reached.push(Reached {
            key,
            depth,
            is_file,
            upwards,
            via,
        });
    }

    fn expand(&mut self, at: usize, depth: u32) -> Result<(), AnalysisError> {
        let (key, is_file) = (self.reached[at].key, self.reached[at].is_file);
        // The file that imports a changed symbol is affected. A file that imports something else from it is not.
        if is_file && !self.from_file {
            return Ok(());
        }
        let mut found: Vec<(u32, IncomingEdge)> = Vec::new();
        let seen = &self.seen;
        self.graph
            .visit_edges(key, EdgeDirection::In, &FOLLOWED, &mut |step| {
                if !seen.get(step.to as usize).copied().unwrap_or(false) {
                    let via = IncomingEdge {
                        from: at,
                        cause: Cause::Edge(step.edge_type),
                        is_mention: step.site == Some(Site::Reference),
                        tier: step.tier,
                        confidence: step.confidence,
                        file: step.file,
                        line: step.line,
                    };
                    found.push((step.to, via));
                }
            })?;
        // A call says more than the import that makes it possible, a certain edge more than a guess.
        let rank = |via: &IncomingEdge| (via.cause == Cause::Edge(EdgeType::Imports), via.tier);
        found.sort_by(|(a, x), (b, y)| {
            let order = rank(x).cmp(&rank(y));
            let order = order.then_with(|| self.graph.compare_ids(*a, *b));
            order.then_with(|| (x.line, x.cause).cmp(&(y.line, y.cause)))
        });
        for (to, via) in found {
            self.add_if_unseen(to, via, depth, false)?;
        }
        self.expand_relations(at, key, depth)
    }

    /// Adds overriding, implementing and extending nodes of a changed one. Also adds the nodes that it overrides: a call of
    /// those may run it.
    fn expand_relations(&mut self, at: usize, key: u32, depth: u32) -> Result<(), AnalysisError> {
        let upwards = self.reached[at].upwards;
        let mut found: Vec<(bool, u32, String, Tier)> = Vec::new();
        for way in [EdgeDirection::In, EdgeDirection::Out] {
            if way == EdgeDirection::In && upwards {
                continue;
            }
            self.graph
                .visit_relations(key, way, &mut |to, kind, tier| {
                    let follows = match way {
                        EdgeDirection::In => kind != "reference",
                        EdgeDirection::Out => kind == "overrides",
                    };
                    if follows {
                        found.push((way == EdgeDirection::Out, to, kind.to_owned(), tier));
                    }
                })?;
        }
        found.sort_by(|a, b| {
            let order = a.0.cmp(&b.0).then_with(|| self.graph.compare_ids(a.1, b.1));
            order.then_with(|| (&a.2, a.3).cmp(&(&b.2, b.3)))
        });
        for (upwards, to, kind, tier) in found {
            let via = IncomingEdge {
                from: at,
                cause: Cause::Relation(self.intern_kind(kind)),
                is_mention: false,
                tier,
                confidence: tier.default_confidence(),
                file: None,
                line: None,
            };
            self.add_if_unseen(to, via, depth, upwards)?;
        }
        Ok(())
    }

    fn intern_kind(&mut self, kind: String) -> usize {
        let known = self.kinds.iter().position(|k| *k == kind);
        known.unwrap_or_else(|| {
            self.kinds.push(kind);
            self.kinds.len() - 1
        })
    }

    fn add_if_unseen(
        &mut self,
        to: u32,
        via: IncomingEdge,
        depth: u32,
        upwards: bool,
    ) -> Result<(), AnalysisError> {
        if self.is_seen(to) {
            return Ok(());
        }
        // Only importers need to be known as files; a call at the top level of a file does not import anything further.
        let mut is_file = false;
        if via.cause == Cause::Edge(EdgeType::Imports) {
            self.graph
                .visit_node(to, &mut |row| is_file = row.kind == "file")?;
        }
        self.add(to, depth, is_file, upwards, Some(via));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_graph::TestGraph;

    fn run(graph: &TestGraph, root: &str, options: ImpactOptions) -> Impact {
        analyze_impact(graph, root, &[graph.key_of_name(root)], &options).unwrap()
    }

    fn depths(answer: &Impact) -> Vec<(&str, u32)> {
        let affected = answer.affected.iter();
        affected.map(|a| (a.symbol.as_str(), a.depth)).collect()
    }

    const CHAIN: [&str; 4] = ["a -> b", "b -> c", "c -> d", "d -> e"];

    #[test]
    fn ct_003_shape_of_an_impact() {
        let answer = run(&TestGraph::new(&CHAIN), "c", ImpactOptions::default());
        let json = serde_json::to_value(&answer).unwrap();
        assert_eq!(json["root"], "c");
        assert_eq!(json["depth"], 5);
        assert_eq!(json["total_affected"], 2);
        let first = &json["affected"][0];
        assert_eq!(first["symbol"], "b");
        assert_eq!(first["depth"], 1);
        assert_eq!(first["impact"], 0.8);
        assert_eq!(first["edge"]["to"], "c");
        assert_eq!(first["edge"]["via"], "CALLS");
        assert_eq!(first["edge"]["tier"], "scoped");
        assert_eq!(first["edge"]["line"], 2);
        assert!(first["edge"]["site"].is_null(), "a call");
    }

    #[test]
    fn a_mention_is_told_from_a_call() {
        let graph = TestGraph::new(&["a ~> c", "b -> c"]);
        let answer = run(&graph, "c", ImpactOptions::default());
        let sites = answer.affected.iter().map(|a| (&*a.symbol, a.edge.site));
        let sites: Vec<(&str, Option<Site>)> = sites.collect();
        assert_eq!(sites, [("a", Some(Site::Reference)), ("b", None)]);
    }

    #[test]
    fn ct_004_impact_is_08_to_the_power_of_the_depth() {
        let answer = run(&TestGraph::new(&CHAIN), "e", ImpactOptions::default());
        let impacts: Vec<f64> = answer.affected.iter().map(|a| a.impact).collect();
        assert_eq!(impacts, [0.8, 0.64, 0.512, 0.4096]);
    }

    #[test]
    fn threshold_and_depth_end_the_walk() {
        let graph = TestGraph::new(&CHAIN);
        let near = ImpactOptions {
            threshold: 0.6,
            ..ImpactOptions::default()
        };
        assert_eq!(depths(&run(&graph, "e", near)), [("d", 1), ("c", 2)]);
        let one = ImpactOptions {
            depth: 1,
            ..ImpactOptions::default()
        };
        assert_eq!(depths(&run(&graph, "e", one)), [("d", 1)]);
    }

    #[test]
    fn arguments_out_of_range_are_refused() {
        let graph = TestGraph::new(&CHAIN);
        for (depth, threshold) in [(0, 0.1), (11, 0.1), (5, 1.5), (5, -0.1), (5, f64::NAN)] {
            let options = ImpactOptions {
                depth,
                threshold,
                limit: 0,
                uncut: false,
                ..ImpactOptions::default()
            };
            let error =
                analyze_impact(&graph, "a", &[graph.key_of_name("a")], &options).unwrap_err();
            assert!(error.to_string().starts_with("invalid "), "{error}");
        }
    }

    #[test]
    fn cycles_end_and_the_shortest_distance_counts() {
        let graph = TestGraph::new(&["a -> b", "b -> c", "c -> a", "a -> c"]);
        let answer = run(&graph, "c", ImpactOptions::default());
        assert_eq!(depths(&answer), [("a", 1), ("b", 1)]);
    }

    #[test]
    fn the_importer_of_a_symbol_is_affected_but_not_who_imports_the_importer() {
        let graph = TestGraph::new(&["src/b.ts imports f", "src/c.ts imports src/b.ts"]);
        let answer = run(&graph, "f", ImpactOptions::default());
        assert_eq!(depths(&answer), [("b.ts", 1)]);
        let file = run(&graph, "src/b.ts", ImpactOptions::default());
        assert_eq!(depths(&file), [("c.ts", 1)]);
    }

    #[test]
    fn a_call_is_shown_rather_than_the_import_beside_it() {
        let graph = TestGraph::new(&["src/b.ts imports f", "src/b.ts -> f"]);
        let answer = run(&graph, "f", ImpactOptions::default());
        assert_eq!(answer.affected[0].edge.via, "CALLS");
    }

    #[test]
    fn implementations_follow_the_interface_but_not_each_other() {
        let graph = TestGraph::new(&[
            "Circle.area overrides Shape.area",
            "Square.area overrides Shape.area",
            "draw -> Shape.area",
        ]);
        let interface = run(&graph, "Shape.area", ImpactOptions::default());
        assert_eq!(interface.total_affected, 3);
        let circle = run(&graph, "Circle.area", ImpactOptions::default());
        assert_eq!(depths(&circle), [("Shape.area", 1), ("draw", 2)]);
    }

    #[test]
    fn a_class_changes_with_its_members() {
        let graph = TestGraph::new(&[
            "Box defines Box.open",
            "main -> Box.open",
            "Lid extends Box",
        ]);
        let answer = run(&graph, "Box", ImpactOptions::default());
        assert_eq!(depths(&answer), [("Lid", 1), ("main", 1)]);
    }
}
