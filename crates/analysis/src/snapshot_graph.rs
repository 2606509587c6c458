//! The graph kept in memory, for processes that answer many questions.

use crate::{AdjacentEdge, AnalysisError, EdgeDirection, Graph};
use base::{EdgeType, Tier};
use std::borrow::Cow;
use std::cmp::Ordering;
use store::{NameRow, Neighbor, NodeLocation, NodeRelation, Snapshot};

fn to_step(neighbor: Neighbor<'_>) -> AdjacentEdge<'_> {
    AdjacentEdge {
        to: neighbor.node,
        edge_type: neighbor.edge_type,
        tier: neighbor.tier,
        confidence: neighbor.confidence,
        site: neighbor.site,
        file: neighbor.file,
        line: neighbor.line,
        more_lines: neighbor.more_lines,
    }
}

impl Graph for Snapshot {
    fn key_of_id(&self, id: &str) -> Result<Option<u32>, AnalysisError> {
        Ok(self.node_index(id))
    }

    fn visit_node(
        &self,
        key: u32,
        visit: &mut dyn FnMut(NameRow<'_>),
    ) -> Result<(), AnalysisError> {
        visit(self.name_row(key));
        Ok(())
    }

    fn location(&self, key: u32) -> Result<NodeLocation, AnalysisError> {
        Ok(Snapshot::location(self, key))
    }

    fn file_path(&self, file: u32) -> Cow<'_, str> {
        Cow::Borrowed(Snapshot::file_path(self, file))
    }

    fn compare_ids(&self, a: u32, b: u32) -> Ordering {
        a.cmp(&b)
    }

    fn visit_edges(
        &self,
        key: u32,
        way: EdgeDirection,
        types: &[EdgeType],
        visit: &mut dyn FnMut(AdjacentEdge<'_>),
    ) -> Result<(), AnalysisError> {
        for only in types {
            match way {
                EdgeDirection::Out => self.outgoing(key, *only).map(to_step).for_each(&mut *visit),
                EdgeDirection::In => self.incoming(key, *only).map(to_step).for_each(&mut *visit),
            }
        }
        Ok(())
    }

    fn count_incoming_edges(&self, key: u32, most: usize) -> Result<usize, AnalysisError> {
        let counts = EdgeType::ALL.map(|only| self.incoming(key, only).len());
        Ok(counts.into_iter().sum::<usize>().min(most))
    }

    fn visit_relations(
        &self,
        key: u32,
        way: EdgeDirection,
        visit: &mut dyn FnMut(u32, &str, Tier),
    ) -> Result<(), AnalysisError> {
        let each = |r: NodeRelation<'_>| visit(r.other, r.kind, r.tier);
        match way {
            EdgeDirection::Out => self.relations_out(key).for_each(each),
            EdgeDirection::In => self.relations_in(key).for_each(each),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        CallChainOptions, Direction, Graph, ImpactOptions, StoreGraph, analyze_impact, call_chain,
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
        let file = testkit::Repo::new("//- a\n");
        let mut store = SqliteStore::open(&file.file_path("graph.db")).unwrap();
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
        store.apply_change(&change).unwrap();
        let memory = store.snapshot().unwrap();
        let options = CallChainOptions {
            direction: Direction::Both,
            depth: 3,
            ..CallChainOptions::default()
        };
        let limits = ImpactOptions::default();
        let both: [&dyn Graph; 2] = [&memory, &StoreGraph::new(&store)];
        for id in ["a", "b", "i", "z"] {
            let [in_memory, in_store] = both.map(|graph| {
                let key = [graph.key_of_id(id).unwrap().unwrap()];
                let chain = call_chain(graph, &key, &options).unwrap();
                (chain, analyze_impact(graph, id, &key, &limits).unwrap())
            });
            assert_eq!(in_memory, in_store);
        }
        let chain = call_chain(&memory, &[memory.node_index("b").unwrap()], &options).unwrap();
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
