//! The graph read straight from the store, for commands that look at a few nodes and end.

use crate::{AnalysisError, Graph, Step, Way};
use base::{EdgeType, Tier};
use store::{GraphStore, NodeRecord};

/// A store seen as a [`Graph`]; every step is a look-up by index.
pub struct StoreGraph<'a>(pub &'a dyn GraphStore);

impl Graph for StoreGraph<'_> {
    type Key = String;

    fn key(&self, id: &str) -> Result<Option<String>, AnalysisError> {
        Ok(self.0.node(id)?.map(|node| node.id))
    }

    fn node(&self, key: &String) -> Result<NodeRecord, AnalysisError> {
        let node = self.0.node(key)?;
        node.ok_or_else(|| AnalysisError::NoNode(key.clone()))
    }

    fn steps(
        &self,
        key: &String,
        way: Way,
        types: &[EdgeType],
        visit: &mut dyn FnMut(Step<'_, String>),
    ) -> Result<(), AnalysisError> {
        let only = match types {
            [one] => Some(*one),
            _ => None,
        };
        let edges = match way {
            Way::Out => self.0.edges_from(key, only)?,
            Way::In => self.0.edges_to(key, only)?,
        };
        for edge in edges.iter().filter(|e| types.contains(&e.edge_type)) {
            let to = match way {
                Way::Out => &edge.target_id,
                Way::In => &edge.source_id,
            };
            visit(Step {
                to,
                edge_type: edge.edge_type,
                tier: edge.tier,
                confidence: edge.confidence,
                site: edge.site,
                file_path: edge.file_path.as_deref(),
                line: edge.line,
                more_lines: &edge.more_lines,
            });
        }
        Ok(())
    }

    fn relations(
        &self,
        key: &String,
        way: Way,
        visit: &mut dyn FnMut(&String, &str, Tier),
    ) -> Result<(), AnalysisError> {
        let relations = match way {
            Way::Out => self.0.relations_from(key)?,
            Way::In => self.0.relations_to(key)?,
        };
        for relation in &relations {
            let to = match way {
                Way::Out => &relation.target_id,
                Way::In => &relation.source_id,
            };
            visit(to, &relation.kind, relation.tier);
        }
        Ok(())
    }

    fn file_members(&self, path: &str) -> Result<Vec<String>, AnalysisError> {
        let nodes = self.0.find_file(path)?;
        Ok(nodes.into_iter().map(|node| node.id).collect())
    }
}
