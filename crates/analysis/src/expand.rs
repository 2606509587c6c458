//! Expands search results to their neighbours in the graph: callers and callees, breadth first.
//!
//! A neighbour inherits a part of the relevance of the node that led to it. The part shrinks with each hop, with the doubt
//! about the edge, and with the number of callers of the called end. A function that everything calls (a logger, an assertion)
//! says nothing about the one that was asked for.

use crate::{AdjacentEdge, AnalysisError, EdgeDirection, Graph};
use base::{EdgeType, Site, Tier};
use rustc_hash::FxHashSet;
use std::cmp::Ordering;

base::tuning! {
    /// The share of relevance that is left after each step from node to node. All numbers are in docs/tuning.md.
    #[derive(Copy)]
    pub struct ExpandTuning {
        /// One hop. Factor.
        decay: f64 = 0.6, neutral 1.0;
        /// The caller is a test. Factor.
        from_test: f64 = 0.4, neutral 1.0;
        /// Callers of the called function: relevance is divided by 1 plus this number for each e-fold of callers.
        rarity: f64 = 0.5, neutral 0.0;
    }
}

/// Most edges that are visited on one side of one node: a bound on work, like those below.
const EDGES: usize = 400;
/// Number of incoming edges from which a node counts as used everywhere.
const HUB: usize = 4 * EDGES;
/// Most edges that are visited one by one.
const FEW: usize = 64;
/// Neighbours kept on one side of one node.
const NEIGHBOURS: usize = 40;

/// Limits of an expansion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpandOptions {
    /// Hops, 0 or more.
    pub depth: u32,
    /// Most nodes beside the roots.
    pub limit: usize,
    /// Share of relevance that is passed on; [`ExpandTuning::default`] outside of evaluations.
    pub tuning: ExpandTuning,
}

impl Default for ExpandOptions {
    fn default() -> Self {
        ExpandOptions {
            depth: 2,
            limit: 300,
            tuning: ExpandTuning::default(),
        }
    }
}

/// A node that the question found by itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Root {
    /// Node key.
    pub key: u32,
    /// 0–1.
    pub relevance: f64,
}

/// The step that reached a node from the one before it.
#[derive(Debug, Clone, PartialEq)]
pub struct Hop {
    /// The node before.
    pub from: u32,
    /// [`EdgeDirection::In`]: the new node calls the one before. [`EdgeDirection::Out`]: the new node is called by it.
    pub way: EdgeDirection,
    /// `overrides` or `implements` if a possible dispatch, and no call, leads here.
    pub relation: Option<String>,
    /// Tier: how the edge is known.
    pub tier: Tier,
    /// 0–1.
    pub confidence: f64,
    /// The file of the call, for [`Graph::file_path`].
    pub file: Option<u32>,
    /// The line of the call.
    pub line: Option<u32>,
}

/// A node near a root.
#[derive(Debug, Clone, PartialEq)]
pub struct Reached {
    /// Node key.
    pub key: u32,
    /// Hops from the nearest root, at least 1.
    pub hops: u32,
    /// Inherited relevance, 0–1.
    pub relevance: f64,
    /// The edge that leads here on the way that leaves most.
    pub hop: Hop,
}

/// Walks from the roots. Each node is met once, where it is nearest. Within a level the most relevant come first, equal ones by
/// id.
pub fn expand(
    graph: &dyn Graph,
    roots: &[Root],
    options: &ExpandOptions,
) -> Result<Vec<Reached>, AnalysisError> {
    let mut seen: FxHashSet<u32> = roots.iter().map(|root| root.key).collect();
    let mut level: Vec<(u32, f64)> = roots.iter().map(|r| (r.key, r.relevance)).collect();
    let mut all: Vec<Reached> = Vec::new();
    for hops in 1..=options.depth {
        let mut found = Vec::new();
        for (key, relevance) in &level {
            let from = (*key, *relevance);
            push_neighbors(graph, &options.tuning, from, hops, &mut found)?;
        }
        found.retain(|reached: &Reached| !seen.contains(&reached.key));
        found.sort_by(|a, b| compare_reached(graph, a, b));
        found.retain(|reached| seen.insert(reached.key));
        found.truncate(options.limit.saturating_sub(all.len()));
        level = found.iter().map(|r| (r.key, r.relevance)).collect();
        all.append(&mut found);
    }
    Ok(all)
}

fn compare_reached(graph: &dyn Graph, a: &Reached, b: &Reached) -> Ordering {
    let way = |hop: &Hop| {
        (
            hop.way == EdgeDirection::In,
            hop.relation.is_some(),
            hop.line,
        )
    };
    b.relevance
        .total_cmp(&a.relevance)
        .then_with(|| graph.compare_ids(a.key, b.key))
        .then_with(|| graph.compare_ids(a.hop.from, b.hop.from))
        .then_with(|| way(&a.hop).cmp(&way(&b.hop)))
}

/// Adds the callers of the node, its callees, and the implementations that a call of it may run.
fn push_neighbors(
    graph: &dyn Graph,
    tuning: &ExpandTuning,
    (key, relevance): (u32, f64),
    hops: u32,
    found: &mut Vec<Reached>,
) -> Result<(), AnalysisError> {
    let part = relevance * tuning.decay;
    for way in [EdgeDirection::Out, EdgeDirection::In] {
        let mut near: Vec<Reached> = Vec::new();
        // A function that everything calls has callers of all kinds: none of them is near.
        if way == EdgeDirection::In && graph.count_incoming_edges(key, HUB)? == HUB {
            continue;
        }
        let steps = find_call_hops(graph, key, way)?;
        let callers = steps.len();
        for hop_to in steps {
            let (to, hop) = hop_to;
            let rare = match way {
                EdgeDirection::In => caller_weight(callers, tuning),
                EdgeDirection::Out => caller_weight(count_callers(graph, to)?, tuning),
            };
            let test = if way == EdgeDirection::In
                && graph.location(to)?.test
                && !graph.location(key)?.test
            {
                tuning.from_test
            } else {
                1.0
            };
            near.push(Reached {
                key: to,
                hops,
                relevance: part * hop.confidence * rare * test,
                hop: Hop { from: key, ..hop },
            });
        }
        near.sort_by(|a, b| compare_reached(graph, a, b));
        near.truncate(NEIGHBOURS);
        found.append(&mut near);
    }
    push_dispatch_neighbors(graph, tuning, (key, part), hops, found)
}

/// Number of callers of a node. If many edges enter it, the number of edges is close enough, and costs nothing.
fn count_callers(graph: &dyn Graph, key: u32) -> Result<usize, AnalysisError> {
    let uses = graph.count_incoming_edges(key, HUB)?;
    if uses > FEW {
        Ok(uses)
    } else {
        Ok(find_call_hops(graph, key, EdgeDirection::In)?.len())
    }
}

/// Weight of one caller among `callers`.
fn caller_weight(callers: usize, tuning: &ExpandTuning) -> f64 {
    1.0 / (1.0 + tuning.rarity * (callers.max(1) as f64).ln())
}

/// The other ends of calls at a node, each once by its first call. Mentions do not count.
fn find_call_hops(
    graph: &dyn Graph,
    key: u32,
    way: EdgeDirection,
) -> Result<Vec<(u32, Hop)>, AnalysisError> {
    let mut all: Vec<(u32, Hop)> = Vec::new();
    graph.visit_edges(key, way, &[EdgeType::Calls], &mut |step: AdjacentEdge<
        '_,
    >| {
        if step.site == Some(Site::Reference) || step.to == key {
            return;
        }
        let hop = Hop {
            from: key,
            way,
            relation: None,
            tier: step.tier,
            confidence: step.confidence,
            file: step.file,
            line: step.line,
        };
        all.push((step.to, hop));
    })?;
    all.sort_by(|a, b| {
        graph
            .compare_ids(a.0, b.0)
            .then_with(|| b.1.confidence.total_cmp(&a.1.confidence))
            .then_with(|| a.1.line.cmp(&b.1.line))
    });
    all.dedup_by_key(|(to, _)| *to);
    all.truncate(EDGES);
    Ok(all)
}

/// The implementations of a method of an interface, and the method that this one implements.
fn push_dispatch_neighbors(
    graph: &dyn Graph,
    tuning: &ExpandTuning,
    (key, part): (u32, f64),
    hops: u32,
    found: &mut Vec<Reached>,
) -> Result<(), AnalysisError> {
    for way in [EdgeDirection::In, EdgeDirection::Out] {
        let mut near: Vec<(u32, String, Tier)> = Vec::new();
        graph.visit_relations(key, way, &mut |to, kind, tier| {
            if matches!(kind, "overrides" | "implements") && to != key {
                near.push((to, kind.to_owned(), tier));
            }
        })?;
        near.sort_by(|a, b| graph.compare_ids(a.0, b.0).then_with(|| a.1.cmp(&b.1)));
        near.dedup_by_key(|(to, _, _)| *to);
        let rare = match way {
            EdgeDirection::In => caller_weight(near.len(), tuning),
            EdgeDirection::Out => 1.0,
        };
        for (to, kind, tier) in near.into_iter().take(NEIGHBOURS) {
            let confidence = tier.default_confidence();
            found.push(Reached {
                key: to,
                hops,
                relevance: part * confidence * rare,
                hop: Hop {
                    from: key,
                    way,
                    relation: Some(kind),
                    tier,
                    confidence,
                    file: None,
                    line: None,
                },
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_graph::TestGraph;

    fn around(graph: &TestGraph, roots: &[&str], depth: u32) -> Vec<(String, u32)> {
        let reached = reach(graph, roots, depth);
        reached
            .iter()
            .map(|r| (name(graph, r.key), r.hops))
            .collect()
    }

    fn reach(graph: &TestGraph, roots: &[&str], depth: u32) -> Vec<Reached> {
        let root = |name: &&str| Root {
            key: graph.key_of_name(name),
            relevance: 1.0,
        };
        let roots: Vec<Root> = roots.iter().map(root).collect();
        let options = ExpandOptions {
            depth,
            limit: 100,
            ..ExpandOptions::default()
        };
        expand(graph, &roots, &options).unwrap()
    }

    fn name(graph: &TestGraph, key: u32) -> String {
        crate::graph::load_name(graph, key).unwrap().symbol
    }

    fn names(found: &[(String, u32)]) -> Vec<String> {
        let mut all: Vec<String> = found.iter().map(|(n, h)| format!("{n}{h}")).collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn callers_and_callees_hop_by_hop() {
        let graph = TestGraph::new(&["a -> b", "b -> c", "c -> d", "z -> a", "y -> z"]);
        assert_eq!(names(&around(&graph, &["b"], 1)), ["a1", "c1"]);
        assert_eq!(names(&around(&graph, &["b"], 2)), ["a1", "c1", "d2", "z2"]);
        assert_eq!(around(&graph, &["b"], 0), []);
    }

    #[test]
    fn a_cycle_ends() {
        let graph = TestGraph::new(&["a -> b", "b -> c", "c -> a", "a -> a"]);
        assert_eq!(names(&around(&graph, &["a"], 4)), ["b1", "c1"]);
    }

    #[test]
    fn mentions_and_imports_lead_nowhere() {
        let graph = TestGraph::new(&["a ~> b", "x/y imports a", "x/y defines a"]);
        assert_eq!(around(&graph, &["a"], 2), []);
    }

    #[test]
    fn what_many_call_inherits_little() {
        let mut lines: Vec<String> = (0..30).map(|n| format!("caller{n} -> log")).collect();
        lines.extend(["root -> log".to_owned(), "root -> step".to_owned()]);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let graph = TestGraph::new(&lines);
        let reached = reach(&graph, &["root"], 1);
        let of = |wanted: &str| {
            let found = reached.iter().find(|r| name(&graph, r.key) == wanted);
            found.map(|r| r.relevance).unwrap()
        };
        assert!(of("step") > 0.5 && of("log") < 0.25, "{reached:?}");
    }

    #[test]
    fn a_call_of_an_interface_reaches_its_implementations() {
        let graph = TestGraph::new(&["a -> I.run", "One.run implements I.run"]);
        let reached = reach(&graph, &["a"], 2);
        let last = reached.last().unwrap();
        assert_eq!(last.hop.relation.as_deref(), Some("implements"));
        assert_eq!((last.key, last.hops), (graph.key_of_name("One.run"), 2));
    }

    #[test]
    fn edges_say_how_they_are_known() {
        let graph = TestGraph::new(&["a -> b"]);
        let reached = reach(&graph, &["b"], 1);
        let hop = &reached[0].hop;
        assert_eq!(
            (hop.way, hop.tier, hop.line),
            (EdgeDirection::In, Tier::Scoped, Some(1))
        );
        assert_eq!(hop.from, graph.key_of_name("b"));
    }
}
