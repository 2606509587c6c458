//! A graph whose walks end once the question is cancelled.

use crate::{AdjacentEdge, AnalysisError, EdgeDirection, Graph};
use base::{Cancel, EdgeType, Tier};
use std::borrow::Cow;
use std::cmp::Ordering;
use store::{NameRow, NodeLocation, StoreError};

/// A graph with the signal that ends a question early. Every walk asks for nodes or edges at each step, so none needs a check of
/// its own.
pub struct CancellableGraph<'g> {
    graph: &'g dyn Graph,
    cancel: &'g Cancel,
}

impl<'g> CancellableGraph<'g> {
    /// The graph, which gives an error once `cancel` is set.
    pub fn new(graph: &'g dyn Graph, cancel: &'g Cancel) -> CancellableGraph<'g> {
        CancellableGraph { graph, cancel }
    }

    fn check(&self) -> Result<(), AnalysisError> {
        if self.cancel.is_set() {
            return Err(StoreError::Cancelled.into());
        }
        Ok(())
    }
}

impl Graph for CancellableGraph<'_> {
    fn key_of_id(&self, id: &str) -> Result<Option<u32>, AnalysisError> {
        self.graph.key_of_id(id)
    }

    fn visit_node(
        &self,
        key: u32,
        visit: &mut dyn FnMut(NameRow<'_>),
    ) -> Result<(), AnalysisError> {
        self.check()?;
        self.graph.visit_node(key, visit)
    }

    fn location(&self, key: u32) -> Result<NodeLocation, AnalysisError> {
        self.check()?;
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
        self.check()?;
        self.graph.visit_edges(key, way, types, visit)
    }

    fn count_incoming_edges(&self, key: u32, most: usize) -> Result<usize, AnalysisError> {
        self.check()?;
        self.graph.count_incoming_edges(key, most)
    }

    fn visit_relations(
        &self,
        key: u32,
        way: EdgeDirection,
        visit: &mut dyn FnMut(u32, &str, Tier),
    ) -> Result<(), AnalysisError> {
        self.check()?;
        self.graph.visit_relations(key, way, visit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_graph::TestGraph;
    use crate::{CallChainOptions, ImpactOptions, analyze_impact, call_chain, find_entry_paths};

    #[test]
    fn a_walk_ends_once_the_question_is_cancelled() {
        let graph = TestGraph::new(&["main -> run", "run -> step", "step -> target"]);
        let targets = [graph.key_of_name("target")];
        let cancel = Cancel::default();
        let cancellable = CancellableGraph::new(&graph, &cancel);
        let found = find_entry_paths(&cancellable, &targets, 9).unwrap();
        assert_eq!(found, find_entry_paths(&graph, &targets, 9).unwrap());
        assert_eq!(found.entry_paths.len(), 1);
        cancel.set();
        let is_cancelled = |error: AnalysisError| {
            assert!(
                matches!(error, AnalysisError::Store(StoreError::Cancelled)),
                "{error}"
            );
        };
        is_cancelled(find_entry_paths(&cancellable, &targets, 9).unwrap_err());
        let options = CallChainOptions::default();
        is_cancelled(call_chain(&cancellable, &targets, &options).unwrap_err());
        let options = ImpactOptions::default();
        is_cancelled(analyze_impact(&cancellable, "target", &targets, &options).unwrap_err());
    }
}
