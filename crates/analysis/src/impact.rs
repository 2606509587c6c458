//! What a change of a symbol or file may affect.
//!
//! Breadth-first against the edges: from what is called to its callers, from what is imported to
//! its importers. The impact of a node is 0.8 to the power of its distance; the walk ends at the
//! given depth or where the impact falls below the threshold.

use crate::call_chain::display_name;
use crate::{AnalysisError, Graph, Step, Way};
use base::{EdgeType, Tier};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::hash_map::Entry;
use store::NodeRecord;

/// What an impact loses with each hop.
const DECAY: f64 = 0.8;

const FOLLOWED: [EdgeType; 3] = [EdgeType::Calls, EdgeType::Modifies, EdgeType::Imports];

/// How far to go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImpactOptions {
    /// Hops, 1–10.
    pub depth: u32,
    /// The least impact that counts, 0–1.
    pub threshold: f64,
}

impl Default for ImpactOptions {
    fn default() -> Self {
        ImpactOptions {
            depth: 5,
            threshold: 0.1,
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
    /// Ids of what was asked about: the definition, or everything in the file.
    pub root_ids: Vec<String>,
    /// Hops that were asked for.
    pub depth: u32,
    /// The least impact that counts.
    pub threshold: f64,
    /// What is affected: nearest first, then by file and line.
    pub affected: Vec<Affected>,
    /// Number of affected nodes.
    pub total_affected: usize,
}

/// An affected symbol or file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Affected {
    /// Its name, dotted within its file.
    pub symbol: String,
    /// Its id.
    pub symbol_id: String,
    /// What it is.
    pub kind: String,
    /// Where it is defined.
    pub file_path: String,
    /// First line of its definition.
    pub line: u32,
    /// Hops from the root.
    pub depth: u32,
    /// 0.8 to the power of the depth.
    pub impact: f64,
    /// The edge by which it depends on something nearer to the root.
    pub edge: ImpactEdge,
}

/// The edge from an affected node to what it depends on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImpactEdge {
    /// Name of what it depends on.
    pub to: String,
    /// Id of what it depends on.
    pub to_id: String,
    /// `CALLS`, `MODIFIES`, `IMPORTS`, or a relation: `overrides`, `implements`, `extends`, …
    pub via: String,
    /// How it is known.
    pub tier: Tier,
    /// 0–1.
    pub confidence: f64,
    /// The file in which it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_path: Option<String>,
    /// The line at which it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// What changing the `roots` may affect. `root` is the name to answer with.
pub fn impact<G: Graph>(
    graph: &G,
    root: &str,
    roots: &[G::Key],
    options: &ImpactOptions,
) -> Result<Impact, AnalysisError> {
    check(options)?;
    let mut walk = Walk::new(graph, roots)?;
    let mut frontier: Vec<usize> = (0..walk.reached.len()).collect();
    for depth in 1..=options.depth {
        if frontier.is_empty() || impact_at(depth) < options.threshold {
            break;
        }
        let before = walk.reached.len();
        for at in frontier {
            walk.expand(at, depth)?;
        }
        frontier = (before..walk.reached.len()).collect();
    }
    let mut affected = walk.affected()?;
    affected.sort_by(|a, b| {
        (a.depth, &a.file_path, a.line, &a.symbol_id).cmp(&(
            b.depth,
            &b.file_path,
            b.line,
            &b.symbol_id,
        ))
    });
    Ok(Impact {
        schema_version: "1.0",
        root: root.to_owned(),
        root_ids: roots
            .iter()
            .map(|key| graph.node(key).map(|n| n.id))
            .collect::<Result<_, _>>()?,
        depth: options.depth,
        threshold: options.threshold,
        total_affected: affected.len(),
        affected,
    })
}

fn check(options: &ImpactOptions) -> Result<(), AnalysisError> {
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
    Ok(())
}

/// 0.8^depth, rounded to six digits so that it prints as people write it.
fn impact_at(depth: u32) -> f64 {
    (DECAY.powi(depth as i32) * 1e6).round() / 1e6
}

/// Why a node was reached, without any text of its own.
struct Via<K> {
    from: usize,
    to: K,
    why: Why,
    tier: Tier,
    confidence: f64,
    line: Option<u32>,
    file_path: Option<String>,
}

enum Why {
    Edge(EdgeType),
    Relation(String),
}

struct Reached<K> {
    key: K,
    depth: u32,
    is_file: bool,
    /// Reached from an implementation to what it implements: other implementations of that are
    /// not affected.
    upwards: bool,
    via: Option<Via<K>>,
}

struct Walk<'a, G: Graph> {
    graph: &'a G,
    reached: Vec<Reached<G::Key>>,
    index: FxHashMap<G::Key, usize>,
    /// A file stands for what is in it, so that importers of files count only from a file.
    from_file: bool,
}

impl<'a, G: Graph> Walk<'a, G> {
    fn new(graph: &'a G, roots: &[G::Key]) -> Result<Walk<'a, G>, AnalysisError> {
        let mut walk = Walk {
            graph,
            reached: Vec::new(),
            index: FxHashMap::default(),
            from_file: false,
        };
        for key in roots {
            let node = graph.node(key)?;
            walk.from_file |= node.kind == "file";
            walk.add(key, 0, node.kind == "file", false, None);
            // A type changes with its members.
            if is_type(&node) {
                for member in members(graph, key)? {
                    walk.add(&member, 0, false, false, None);
                }
            }
        }
        Ok(walk)
    }

    fn add(
        &mut self,
        key: &G::Key,
        depth: u32,
        is_file: bool,
        upwards: bool,
        via: Option<Via<G::Key>>,
    ) {
        if self.index.contains_key(key) {
            return;
        }
        self.index.insert(key.clone(), self.reached.len());
        self.reached.push(Reached {
            key: key.clone(),
            depth,
            is_file,
            upwards,
            via,
        });
    }

    fn expand(&mut self, at: usize, depth: u32) -> Result<(), AnalysisError> {
        let (key, is_file) = (self.reached[at].key.clone(), self.reached[at].is_file);
        // The file that imports a changed symbol is affected; whoever imports something else
        // from that file is not.
        if is_file && !self.from_file {
            return Ok(());
        }
        let mut found: Vec<Via<G::Key>> = Vec::new();
        let seen = &self.index;
        self.graph
            .steps(&key, Way::In, &FOLLOWED, &mut |step: Step<'_, G::Key>| {
                if !seen.contains_key(step.to) {
                    found.push(Via {
                        from: at,
                        to: step.to.clone(),
                        why: Why::Edge(step.edge_type),
                        tier: step.tier,
                        confidence: step.confidence,
                        line: step.line,
                        file_path: step.file_path.map(str::to_owned),
                    });
                }
            })?;
        // A call says more than the import that makes it possible, a certain edge more than a guess.
        let rank = |via: &Via<G::Key>| {
            let imports = matches!(via.why, Why::Edge(EdgeType::Imports));
            (imports, via.tier, via.to.clone(), via.line)
        };
        found.sort_by_cached_key(rank);
        for via in found {
            self.reach(via, depth, false)?;
        }
        self.relations(at, &key, depth)
    }

    /// What overrides, implements or extends a changed thing is affected; so is what it
    /// overrides, since a call of that may run it.
    fn relations(&mut self, at: usize, key: &G::Key, depth: u32) -> Result<(), AnalysisError> {
        let upwards = self.reached[at].upwards;
        let mut found: Vec<(Via<G::Key>, bool)> = Vec::new();
        for way in [Way::In, Way::Out] {
            if way == Way::In && upwards {
                continue;
            }
            self.graph.relations(key, way, &mut |to, kind, tier| {
                let follows = match way {
                    Way::In => kind != "reference",
                    Way::Out => kind == "overrides",
                };
                if follows {
                    let via = Via {
                        from: at,
                        to: to.clone(),
                        why: Why::Relation(kind.to_owned()),
                        tier,
                        confidence: tier.default_confidence(),
                        line: None,
                        file_path: None,
                    };
                    found.push((via, way == Way::Out));
                }
            })?;
        }
        found.sort_by(|(a, x), (b, y)| (x, &a.to).cmp(&(y, &b.to)));
        for (via, upwards) in found {
            self.reach(via, depth, upwards)?;
        }
        Ok(())
    }

    fn reach(&mut self, via: Via<G::Key>, depth: u32, upwards: bool) -> Result<(), AnalysisError> {
        if self.index.contains_key(&via.to) {
            return Ok(());
        }
        let importer = matches!(via.why, Why::Edge(EdgeType::Imports));
        // Only importers need to be known as files; a file that calls at its top level imports
        // nothing onwards by that.
        let is_file = importer && self.graph.node(&via.to)?.kind == "file";
        let key = via.to.clone();
        self.add(&key, depth, is_file, upwards, Some(via));
        Ok(())
    }

    fn affected(&self) -> Result<Vec<Affected>, AnalysisError> {
        let mut affected = Vec::new();
        let mut names: FxHashMap<usize, (String, String)> = FxHashMap::default();
        for reached in &self.reached {
            let Some(via) = &reached.via else { continue };
            let node = self.graph.node(&reached.key)?;
            let (to, to_id) = match names.entry(via.from) {
                Entry::Occupied(known) => known.get().clone(),
                Entry::Vacant(slot) => {
                    let to = self.graph.node(&self.reached[via.from].key)?;
                    slot.insert((display_name(&to).to_owned(), to.id)).clone()
                }
            };
            affected.push(Affected {
                symbol: display_name(&node).to_owned(),
                depth: reached.depth,
                impact: impact_at(reached.depth),
                line: node.line_start.unwrap_or(0),
                symbol_id: node.id,
                kind: node.kind,
                file_path: node.file_path,
                edge: ImpactEdge {
                    to,
                    to_id,
                    via: match &via.why {
                        Why::Edge(kind) => kind.as_str().to_owned(),
                        Why::Relation(kind) => kind.clone(),
                    },
                    tier: via.tier,
                    confidence: via.confidence,
                    file_path: via.file_path.clone(),
                    line: via.line,
                },
            });
        }
        Ok(affected)
    }
}

fn is_type(node: &NodeRecord) -> bool {
    base::SymbolKind::parse(&node.kind).is_some_and(base::SymbolKind::is_type)
}

fn members<G: Graph>(graph: &G, key: &G::Key) -> Result<Vec<G::Key>, AnalysisError> {
    let mut found = Vec::new();
    graph.steps(key, Way::Out, &[EdgeType::Defines], &mut |step| {
        found.push(step.to.clone());
    })?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_graph::TestGraph;

    fn run(graph: &TestGraph, root: &str, options: ImpactOptions) -> Impact {
        impact(graph, root, &[root.to_owned()], &options).unwrap()
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
            let options = ImpactOptions { depth, threshold };
            let error = impact(&graph, "a", &["a".to_owned()], &options).unwrap_err();
            assert!(error.to_string().starts_with("Invalid "), "{error}");
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
        assert_eq!(depths(&answer), [("src/b.ts", 1)]);
        let file = run(&graph, "src/b.ts", ImpactOptions::default());
        assert_eq!(depths(&file), [("src/c.ts", 1)]);
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
