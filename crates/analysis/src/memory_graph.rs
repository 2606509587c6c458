//! The graph kept in memory, for processes that answer many questions.
//!
//! Confidences are those of the tiers: where the store holds others, ask the store. Steps come from the adjacency, which keeps one line for each edge; records of the nodes that get into an
//! answer come from the store.

use crate::{AnalysisError, Graph, Step, Way};
use base::{EdgeType, Tier};
use rustc_hash::FxHashMap;
use store::{Adjacency, GraphStore, NodeRecord};

/// Relations at a node: the other end, the kind, the tier.
type Relations = FxHashMap<u32, Vec<(u32, Box<str>, Tier)>>;

/// Edges and relations of a whole graph.
#[derive(Debug)]
pub struct MemoryGraph {
    adjacency: Adjacency,
    relations_out: Relations,
    relations_in: Relations,
}

impl MemoryGraph {
    /// Reads everything from the store.
    pub fn load(store: &dyn GraphStore) -> Result<MemoryGraph, AnalysisError> {
        let adjacency = store.adjacency()?;
        let mut graph = MemoryGraph {
            adjacency,
            relations_out: Relations::default(),
            relations_in: Relations::default(),
        };
        store.for_each_relation(&mut |relation| {
            let source = graph.adjacency.index(&relation.source_id);
            let target = graph.adjacency.index(&relation.target_id);
            if let (Some(source), Some(target)) = (source, target) {
                let entry = |to| (to, relation.kind.as_str().into(), relation.tier);
                let out = graph.relations_out.entry(source).or_default();
                out.push(entry(target));
                let into = graph.relations_in.entry(target).or_default();
                into.push(entry(source));
            }
        })?;
        Ok(graph)
    }

    /// The graph with the store that its records come from.
    pub fn on<'a>(&'a self, store: &'a dyn GraphStore) -> MemoryView<'a> {
        MemoryView { graph: self, store }
    }
}

/// A [`MemoryGraph`] that can look up records.
pub struct MemoryView<'a> {
    graph: &'a MemoryGraph,
    store: &'a dyn GraphStore,
}

impl MemoryView<'_> {
    /// The handles of nodes by id; ids that the graph lacks are left out.
    pub fn keys(&self, ids: &[String]) -> Vec<u32> {
        let keys = ids.iter().filter_map(|id| self.graph.adjacency.index(id));
        keys.collect()
    }
}

impl Graph for MemoryView<'_> {
    type Key = u32;

    fn key(&self, id: &str) -> Result<Option<u32>, AnalysisError> {
        Ok(self.graph.adjacency.index(id))
    }

    fn node(&self, key: &u32) -> Result<NodeRecord, AnalysisError> {
        let id = self.graph.adjacency.id(*key);
        let node = self.store.node(id)?;
        node.ok_or_else(|| AnalysisError::NoNode(id.to_owned()))
    }

    fn steps(
        &self,
        key: &u32,
        way: Way,
        types: &[EdgeType],
        visit: &mut dyn FnMut(Step<'_, u32>),
    ) -> Result<(), AnalysisError> {
        let adjacency = &self.graph.adjacency;
        for edge_type in types {
            let arcs = match way {
                Way::Out => adjacency.outgoing_of(*key, *edge_type),
                Way::In => adjacency.incoming_of(*key, *edge_type),
            };
            for arc in arcs {
                // An edge stands in the file of the node it leaves.
                let source = match way {
                    Way::Out => *key,
                    Way::In => arc.node,
                };
                let file = adjacency.files().get(adjacency.file(source) as usize);
                visit(Step {
                    to: &arc.node,
                    edge_type: arc.edge_type,
                    tier: arc.tier,
                    confidence: arc.tier.default_confidence(),
                    site: arc.site,
                    file_path: file.map(|f| &**f),
                    line: (arc.line > 0).then_some(arc.line),
                    more_lines: &[],
                });
            }
        }
        Ok(())
    }

    fn relations(
        &self,
        key: &u32,
        way: Way,
        visit: &mut dyn FnMut(&u32, &str, Tier),
    ) -> Result<(), AnalysisError> {
        let relations = match way {
            Way::Out => &self.graph.relations_out,
            Way::In => &self.graph.relations_in,
        };
        for (to, kind, tier) in relations.get(key).into_iter().flatten() {
            visit(to, kind, *tier);
        }
        Ok(())
    }

    fn file_members(&self, path: &str) -> Result<Vec<u32>, AnalysisError> {
        let nodes = self.store.find_file(path)?;
        let keys = nodes
            .iter()
            .filter_map(|n| self.graph.adjacency.index(&n.id));
        Ok(keys.collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        CallChainOptions, Direction, ImpactOptions, MemoryGraph, StoreGraph, call_chain, impact,
    };
    use base::{EdgeType, Site, Tier};
    use store::{EdgeRecord, GraphChange, GraphStore, NodeRecord, RelationRecord, SqliteStore};

    fn node(id: &str, line: u32) -> NodeRecord {
        NodeRecord {
            id: id.to_owned(),
            symbol: id.to_owned(),
            kind: "method".to_owned(),
            file_path: format!("src/{id}.ts"),
            line_start: Some(line),
            line_end: Some(line + 1),
            ..NodeRecord::default()
        }
    }

    fn call(from: &str, to: &str, line: u32, tier: Tier) -> EdgeRecord {
        let mut edge = EdgeRecord {
            id: String::new(),
            source_id: from.to_owned(),
            target_id: to.to_owned(),
            edge_type: EdgeType::Calls,
            file_path: Some(format!("src/{from}.ts")),
            line: Some(line),
            tier,
            confidence: tier.default_confidence(),
            site: Some(Site::Call),
            more_lines: Vec::new(),
        };
        edge.id = edge.fingerprint();
        edge
    }

    #[test]
    fn the_store_and_the_memory_give_one_answer() {
        let file = testkit::Repo::new("== a\n");
        let mut store = SqliteStore::open(&file.file("graph.db")).unwrap();
        let change = GraphChange {
            nodes: ["z", "b", "m", "a", "i"].map(|id| node(id, 3)).to_vec(),
            edges: vec![
                call("z", "b", 9, Tier::Named),
                call("z", "b", 4, Tier::Typed),
                call("z", "a", 1, Tier::Scip),
                call("a", "b", 2, Tier::Typed),
                call("m", "i", 2, Tier::Typed),
            ],
            relations: vec![RelationRecord {
                source_id: "b".to_owned(),
                target_id: "i".to_owned(),
                kind: "overrides".to_owned(),
                file_path: "src/b.ts".to_owned(),
                tier: Tier::Typed,
            }],
            ..GraphChange::default()
        };
        store.apply(&change).unwrap();
        let memory = MemoryGraph::load(&store).unwrap();
        let view = memory.on(&store);
        let options = CallChainOptions {
            direction: Direction::Both,
            depth: 3,
            ..CallChainOptions::default()
        };
        for id in ["a", "b", "i", "z"] {
            let ids = [id.to_owned()];
            let keys = view.keys(&ids);
            let from_store = call_chain(&StoreGraph(&store), &ids, &options).unwrap();
            assert_eq!(call_chain(&view, &keys, &options).unwrap(), from_store);
            let limits = ImpactOptions::default();
            let from_store = impact(&StoreGraph(&store), id, &ids, &limits).unwrap();
            assert_eq!(impact(&view, id, &keys, &limits).unwrap(), from_store);
        }
        let chain = call_chain(&view, &view.keys(&["b".to_owned()]), &options).unwrap();
        let callers = chain.paths[0].callers.as_ref().unwrap();
        let names: Vec<_> = callers.iter().map(|c| c.symbol_name.as_str()).collect();
        assert_eq!(names, ["i", "a", "z"]);
        let edge = callers[2].edge.as_ref().unwrap();
        assert_eq!(
            (edge.tier, edge.line, &edge.also_lines),
            (Tier::Typed, Some(4), &vec![9])
        );
    }
}
