//! A graph with further edges between its nodes: links by contract, route or topic.

use crate::graph::load_name;
use crate::{AdjacentEdge, AnalysisError, EdgeDirection, Graph};
use base::{EdgeType, Tier};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cmp::Ordering;
use store::{NameRow, NodeLocation};

/// An edge that is not in the store.
#[derive(Debug, Clone, PartialEq)]
pub struct VirtualLink {
    /// The node that calls.
    pub source: String,
    /// The node that is called.
    pub target: String,
    /// 0–1.
    pub confidence: f64,
    /// The line of the call, in the file of the source.
    pub line: u32,
}

/// A graph and the links between its nodes; they are CALLS edges of the tier [`Tier::Virtual`].
pub struct LinkedGraph<'g> {
    graph: &'g dyn Graph,
    outgoing: FxHashMap<&'g str, Vec<&'g VirtualLink>>,
    incoming: FxHashMap<&'g str, Vec<&'g VirtualLink>>,
}

impl<'g> LinkedGraph<'g> {
    /// The graph with the links. Links with an end outside the graph are ignored.
    pub fn new(graph: &'g dyn Graph, links: &'g [VirtualLink]) -> LinkedGraph<'g> {
        let mut linked = LinkedGraph {
            graph,
            outgoing: FxHashMap::default(),
            incoming: FxHashMap::default(),
        };
        for link in links {
            linked.outgoing.entry(&link.source).or_default().push(link);
            linked.incoming.entry(&link.target).or_default().push(link);
        }
        linked
    }

    fn links_at(&self, key: u32, way: EdgeDirection) -> Result<&[&'g VirtualLink], AnalysisError> {
        let links = match way {
            EdgeDirection::Out => &self.outgoing,
            EdgeDirection::In => &self.incoming,
        };
        if links.is_empty() {
            return Ok(&[]);
        }
        let id = load_name(self.graph, key)?.id;
        Ok(links
            .get(id.as_str())
            .map_or(&[][..], |found| found.as_slice()))
    }
}

impl Graph for LinkedGraph<'_> {
    fn key_of_id(&self, id: &str) -> Result<Option<u32>, AnalysisError> {
        self.graph.key_of_id(id)
    }

    fn visit_node(
        &self,
        key: u32,
        visit: &mut dyn FnMut(NameRow<'_>),
    ) -> Result<(), AnalysisError> {
        self.graph.visit_node(key, visit)
    }

    fn location(&self, key: u32) -> Result<NodeLocation, AnalysisError> {
        self.graph.location(key)
    }

    fn file_path(&self, file: u32) -> Cow<'_, str> {
        self.graph.file_path(file)
    }

    fn compare_ids(&self, a: u32, b: u32) -> Ordering {
        self.graph.compare_ids(a, b)
    }

    fn visit_edges(
        &self,
        key: u32,
        way: EdgeDirection,
        types: &[EdgeType],
        visit: &mut dyn FnMut(AdjacentEdge<'_>),
    ) -> Result<(), AnalysisError> {
        self.graph.visit_edges(key, way, types, visit)?;
        if !types.contains(&EdgeType::Calls) {
            return Ok(());
        }
        for link in self.links_at(key, way)? {
            let other = match way {
                EdgeDirection::Out => &link.target,
                EdgeDirection::In => &link.source,
            };
            let (Some(to), Some(source)) = (
                self.graph.key_of_id(other)?,
                self.graph.key_of_id(&link.source)?,
            ) else {
                continue;
            };
            visit(AdjacentEdge {
                to,
                edge_type: EdgeType::Calls,
                tier: Tier::Virtual,
                confidence: link.confidence,
                site: None,
                file: Some(self.graph.location(source)?.file),
                line: Some(link.line),
                more_lines: &[],
            });
        }
        Ok(())
    }

    fn count_incoming_edges(&self, key: u32, most: usize) -> Result<usize, AnalysisError> {
        let stored = self.graph.count_incoming_edges(key, most)?;
        let links = self.links_at(key, EdgeDirection::In)?.len();
        Ok((stored + links).min(most))
    }

    fn visit_relations(
        &self,
        key: u32,
        way: EdgeDirection,
        visit: &mut dyn FnMut(u32, &str, Tier),
    ) -> Result<(), AnalysisError> {
        self.graph.visit_relations(key, way, visit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_graph::TestGraph;
    use crate::{CallChainOptions, ImpactOptions, analyze_impact, call_chain};

    fn link(graph: &TestGraph, source: &str, target: &str) -> VirtualLink {
        let id = |name: &str| load_name(graph, graph.key_of_name(name)).unwrap().id;
        VirtualLink {
            source: id(source),
            target: id(target),
            confidence: 0.73,
            line: 12,
        }
    }

    #[test]
    fn walks_cross_links_and_say_so() {
        let graph = TestGraph::new(&["page -> load", "handler -> save"]);
        let links = [link(&graph, "load", "handler")];
        let linked = LinkedGraph::new(&graph, &links);
        let root = [graph.key_of_name("save")];
        let answer = analyze_impact(&linked, "save", &root, &ImpactOptions::default()).unwrap();
        let found: Vec<(&str, &str, Tier)> = answer
            .affected
            .iter()
            .map(|a| (a.symbol.as_str(), a.edge.via.as_str(), a.edge.tier))
            .collect();
        assert_eq!(found[0].0, "handler");
        assert_eq!(found[1], ("load", "VIRTUAL_CALLS", Tier::Virtual));
        assert_eq!(found[2].0, "page");
        assert_eq!(answer.affected[1].edge.confidence, 0.73);
        let chain = call_chain(&linked, &root, &CallChainOptions::default()).unwrap();
        assert_eq!(chain.total, 2);
        let without = analyze_impact(&graph, "save", &root, &ImpactOptions::default()).unwrap();
        assert_eq!(without.total_affected, 1);
    }
}
