//! A graph written as lines of text, for tests.
//!
//! `a -> b` calls, `a ~> b` mentions, `a => b` modifies, `a imports b`, `a *> b` imports and mentions, `a defines b`, and
//! `a overrides b`, `a implements b`, `a extends b`. A name with `/` is a file, one with a capital
//! and no dot a class, any other a function. The line of an edge is its position in the list.

use crate::{AdjacentEdge, AnalysisError, EdgeDirection, Graph};
use base::{EdgeType, Site, Tier};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use store::{NameRow, NodeLocation, NodeRecord};

struct Edge {
    from: String,
    to: String,
    kind: EdgeType,
    site: Option<Site>,
    line: u32,
}

/// A graph for tests.
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
                "*>" => {
                    graph.edges.push(Edge {
                        from: from.to_owned(),
                        to: to.to_owned(),
                        kind: EdgeType::Imports,
                        site: None,
                        line: at as u32 + 1,
                    });
                    (EdgeType::Calls, Some(Site::Reference))
                }
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

impl TestGraph {
    /// The number of a node: its place in the order of names.
    pub(crate) fn key_of_name(&self, name: &str) -> u32 {
        let at = self.nodes.keys().position(|n| n == name);
        at.unwrap_or_else(|| panic!("no node {name}")) as u32
    }

    fn node(&self, key: u32) -> &NodeRecord {
        self.nodes.values().nth(key as usize).expect("a node")
    }
}

impl Graph for TestGraph {
    fn key_of_id(&self, id: &str) -> Result<Option<u32>, AnalysisError> {
        Ok(self.nodes.contains_key(id).then(|| self.key_of_name(id)))
    }

    fn visit_node(
        &self,
        key: u32,
        visit: &mut dyn FnMut(NameRow<'_>),
    ) -> Result<(), AnalysisError> {
        visit(NameRow::from_node(self.node(key)));
        Ok(())
    }

    fn location(&self, key: u32) -> Result<NodeLocation, AnalysisError> {
        let node = self.node(key);
        Ok(NodeLocation {
            file: u32::from(node.file_path != "src/all.ts") * (key + 1),
            line: node.line_start.unwrap_or(0),
            test: base::is_test_path(&node.file_path),
        })
    }

    fn file_path(&self, file: u32) -> Cow<'_, str> {
        Cow::Borrowed(match file {
            0 => "src/all.ts",
            file => &self.node(file - 1).file_path,
        })
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
        for edge in self.edges.iter().filter(|e| types.contains(&e.kind)) {
            let (here, to) = match way {
                EdgeDirection::Out => (&edge.from, &edge.to),
                EdgeDirection::In => (&edge.to, &edge.from),
            };
            if self.key_of_name(here) == key {
                visit(AdjacentEdge {
                    to: self.key_of_name(to),
                    edge_type: edge.kind,
                    tier: Tier::Scoped,
                    confidence: 0.95,
                    site: edge.site,
                    file: Some(0),
                    line: Some(edge.line),
                    more_lines: &[],
                });
            }
        }
        Ok(())
    }

    fn count_incoming_edges(&self, key: u32, most: usize) -> Result<usize, AnalysisError> {
        let entering = self.edges.iter().filter(|e| self.key_of_name(&e.to) == key);
        Ok(entering.count().min(most))
    }

    fn visit_relations(
        &self,
        key: u32,
        way: EdgeDirection,
        visit: &mut dyn FnMut(u32, &str, Tier),
    ) -> Result<(), AnalysisError> {
        for (from, to, kind) in &self.relations {
            let (here, there) = match way {
                EdgeDirection::Out => (from, to),
                EdgeDirection::In => (to, from),
            };
            if self.key_of_name(here) == key {
                visit(self.key_of_name(there), kind, Tier::Typed);
            }
        }
        Ok(())
    }
}
