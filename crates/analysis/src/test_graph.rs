//! A graph written as lines of text, for tests.
//!
//! `a -> b` calls, `a ~> b` mentions, `a => b` modifies, `a imports b`, `a defines b`, and
//! `a overrides b`, `a implements b`, `a extends b`. A name with `/` is a file, one with a capital
//! and no dot a class, any other a function. The line of an edge is its position in the list.

use crate::{AnalysisError, Graph, Step, Way};
use base::{EdgeType, Site, Tier};
use std::collections::BTreeMap;
use store::NodeRecord;

struct Edge {
    from: String,
    to: String,
    kind: EdgeType,
    site: Option<Site>,
    line: u32,
}

/// See the module.
pub(crate) struct TestGraph {
    nodes: BTreeMap<String, NodeRecord>,
    edges: Vec<Edge>,
    relations: Vec<(String, String, String)>,
}

impl TestGraph {
    pub(crate) fn new(lines: &[&str]) -> TestGraph {
        let mut graph = TestGraph {
            nodes: BTreeMap::new(),
            edges: Vec::new(),
            relations: Vec::new(),
        };
        for (at, line) in lines.iter().enumerate() {
            let words: Vec<&str> = line.split(' ').collect();
            let [from, word, to] = words[..] else {
                panic!("not `a -> b`: {line}")
            };
            graph.add_node(from);
            graph.add_node(to);
            let (kind, site) = match word {
                "->" => (EdgeType::Calls, Some(Site::Call)),
                "~>" => (EdgeType::Calls, Some(Site::Reference)),
                "=>" => (EdgeType::Modifies, None),
                "imports" => (EdgeType::Imports, None),
                "defines" => (EdgeType::Defines, None),
                relation => {
                    graph
                        .relations
                        .push((from.into(), to.into(), relation.into()));
                    continue;
                }
            };
            graph.edges.push(Edge {
                from: from.to_owned(),
                to: to.to_owned(),
                kind,
                site,
                line: at as u32 + 1,
            });
        }
        graph
    }

    fn add_node(&mut self, name: &str) {
        let kind = match name {
            n if n.contains('/') => "file",
            n if n.contains('.') => "method",
            n if n.starts_with(char::is_uppercase) => "class",
            _ => "function",
        };
        let file_path = if kind == "file" { name } else { "src/all.ts" };
        self.nodes
            .entry(name.to_owned())
            .or_insert_with(|| NodeRecord {
                id: name.to_owned(),
                symbol: name.rsplit('.').next().unwrap_or(name).to_owned(),
                qualified_name: name.contains('.').then(|| name.to_owned()),
                kind: kind.to_owned(),
                file_path: file_path.to_owned(),
                line_start: Some(1),
                line_end: Some(2),
                ..NodeRecord::default()
            });
    }
}

impl Graph for TestGraph {
    type Key = String;

    fn key(&self, id: &str) -> Result<Option<String>, AnalysisError> {
        Ok(self.nodes.get(id).map(|n| n.id.clone()))
    }

    fn node(&self, key: &String) -> Result<NodeRecord, AnalysisError> {
        let node = self.nodes.get(key).cloned();
        node.ok_or_else(|| AnalysisError::NoNode(key.clone()))
    }

    fn steps(
        &self,
        key: &String,
        way: Way,
        types: &[EdgeType],
        visit: &mut dyn FnMut(Step<'_, String>),
    ) -> Result<(), AnalysisError> {
        for edge in self.edges.iter().filter(|e| types.contains(&e.kind)) {
            let (here, to) = match way {
                Way::Out => (&edge.from, &edge.to),
                Way::In => (&edge.to, &edge.from),
            };
            if here == key {
                visit(Step {
                    to,
                    edge_type: edge.kind,
                    tier: Tier::Scoped,
                    confidence: 0.95,
                    site: edge.site,
                    file_path: Some("src/all.ts"),
                    line: Some(edge.line),
                    more_lines: &[],
                });
            }
        }
        Ok(())
    }

    fn relations(
        &self,
        key: &String,
        way: Way,
        visit: &mut dyn FnMut(&String, &str, Tier),
    ) -> Result<(), AnalysisError> {
        for (from, to, kind) in &self.relations {
            let (here, there) = match way {
                Way::Out => (from, to),
                Way::In => (to, from),
            };
            if here == key {
                visit(there, kind, Tier::Typed);
            }
        }
        Ok(())
    }

    fn file_members(&self, path: &str) -> Result<Vec<String>, AnalysisError> {
        let members = self.nodes.values().filter(|n| n.file_path == path);
        Ok(members.map(|n| n.id.clone()).collect())
    }
}
