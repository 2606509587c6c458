//! A prepared call graph, used instead of the project's own.

use crate::EngineError;
use base::{EdgeType, Site, Tier};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use store::{EdgeRow, NameRow, NodeFlags, Snapshot};

/// A node of the prepared graph.
#[derive(Default)]
struct Node {
    name: String,
    kind: String,
    file: String,
    line: Option<u32>,
}

#[derive(Default)]
struct MockGraph {
    nodes: BTreeMap<String, Node>,
    /// Edges: caller, callee, line.
    edges: Vec<(String, String, Option<u32>)>,
}

/// Reads `{nodes: [{id, symbol, file_path, line}], edges: [{source, target}]}`, a tree of `callers` and `callees` as
/// `call-chain` prints it, or `{"caller": ["called", …]}`.
pub(super) fn read(text: &str) -> Result<Snapshot, EngineError> {
    let bad = |reason: String| EngineError::bad_arguments(format!("invalid call graph: {reason}"));
    let value: Value = serde_json::from_str(text).map_err(|e| bad(e.to_string()))?;
    let mut given = MockGraph::default();
    match &value {
        Value::Object(fields) if fields.contains_key("edges") || fields.contains_key("nodes") => {
            for node in array_field(fields, "nodes") {
                given
                    .add_node(node)
                    .ok_or_else(|| bad(format!("a node without an id: {node}")))?;
            }
            for edge in array_field(fields, "edges") {
                given
                    .add_edge(edge)
                    .ok_or_else(|| bad(format!("an edge without source or target: {edge}")))?;
            }
        }
        Value::Object(fields) if fields.values().all(is_string_array) && !fields.is_empty() => {
            for (caller, called) in fields {
                for name in called.as_array().into_iter().flatten() {
                    given.add_call(caller, name.as_str().unwrap_or_default(), None);
                }
            }
        }
        Value::Object(fields) if fields.contains_key("paths") => {
            array_field(fields, "paths")
                .iter()
                .for_each(|node| drop(given.add_tree(node)));
        }
        Value::Array(nodes) => nodes.iter().for_each(|node| drop(given.add_tree(node))),
        tree => drop(given.add_tree(tree)),
    }
    if given.nodes.is_empty() {
        Err(bad("no node in it".to_owned()))
    } else {
        Ok(given.snapshot())
    }
}

fn array_field<'v>(fields: &'v Map<String, Value>, key: &str) -> &'v [Value] {
    let items = fields.get(key).and_then(Value::as_array);
    items.map(Vec::as_slice).unwrap_or_default()
}

fn is_string_array(value: &Value) -> bool {
    let items = value.as_array();
    items.is_some_and(|items| items.iter().all(Value::is_string))
}

fn first_string_field(value: &Value, keys: &[&str]) -> Option<String> {
    let text = keys.iter().find_map(|key| value[*key].as_str());
    text.filter(|text| !text.is_empty()).map(str::to_owned)
}

fn line_field(value: &Value) -> Option<u32> {
    let number = ["line", "line_start"]
        .iter()
        .find_map(|key| value[*key].as_u64());
    number.and_then(|number| u32::try_from(number).ok())
}

impl MockGraph {
    fn add_node(&mut self, value: &Value) -> Option<String> {
        let names = ["symbol_name", "symbol", "name"];
        let id = first_string_field(value, &["symbol_id", "id"])
            .or_else(|| first_string_field(value, &names))?;
        let node = self.nodes.entry(id.clone()).or_default();
        node.name = first_string_field(value, &names).unwrap_or_else(|| id.clone());
        node.kind = first_string_field(value, &["kind"]).unwrap_or_else(|| "function".to_owned());
        node.file = first_string_field(value, &["file_path", "file"]).unwrap_or_default();
        node.line = line_field(value);
        Some(id)
    }

    fn add_edge(&mut self, value: &Value) -> Option<()> {
        let from = first_string_field(value, &["source", "source_id", "from", "caller"])?;
        let to = first_string_field(value, &["target", "target_id", "to", "callee"])?;
        let kind = first_string_field(value, &["type", "edge_type"]);
        if kind.is_none_or(|kind| kind.eq_ignore_ascii_case("calls")) {
            self.add_call(&from, &to, line_field(value));
        }
        Some(())
    }

    fn add_call(&mut self, from: &str, to: &str, line: Option<u32>) {
        for id in [from, to] {
            let node = self.nodes.entry(id.to_owned()).or_default();
            if node.name.is_empty() {
                node.name = id.to_owned();
                node.kind = "function".to_owned();
            }
        }
        self.edges.push((from.to_owned(), to.to_owned(), line));
    }

    /// Adds a tree. Its depth is limited, since serde_json reads at most 128 levels.
    fn add_tree(&mut self, value: &Value) -> Option<String> {
        let id = self.add_node(value)?;
        for (key, up) in [("callers", true), ("callees", false)] {
            for inner in value[key].as_array().into_iter().flatten() {
                let other = match inner.as_str() {
                    Some(name) => Some(name.to_owned()),
                    None => self.add_tree(inner),
                };
                match (other, up) {
                    (Some(other), true) => self.add_call(&other, &id, None),
                    (Some(other), false) => self.add_call(&id, &other, None),
                    (None, _) => {}
                }
            }
        }
        Some(id)
    }

    fn snapshot(self) -> Snapshot {
        let mut builder = Snapshot::builder();
        for (id, node) in &self.nodes {
            builder.add_node(&NameRow {
                id,
                symbol: node.name.rsplit('.').next().unwrap_or(&node.name),
                qualified_name: node.name.contains('.').then_some(node.name.as_str()),
                kind: &node.kind,
                file_path: &node.file,
                line_start: node.line,
                line_end: node.line,
                flags: NodeFlags(NodeFlags::MANUAL),
            });
        }
        let mut edges = self.edges;
        edges.sort();
        edges.dedup();
        for (source, target, line) in &edges {
            builder.add_edge(&EdgeRow {
                source,
                target,
                edge_type: EdgeType::Calls,
                file: self.nodes.get(source).map(|node| node.file.as_str()),
                line: *line,
                tier: Tier::Manual,
                confidence: Tier::Manual.default_confidence(),
                site: Some(Site::Call),
                more_lines: &[],
            });
        }
        builder.finish().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(text: &str) -> Vec<String> {
        let graph = read(text).unwrap();
        let mut found = Vec::new();
        for node in 0..graph.node_count() as u32 {
            for edge in graph.outgoing(node, EdgeType::Calls) {
                let names = [node, edge.node].map(|n| graph.name_row(n).symbol.to_owned());
                found.push(names.join(" "));
            }
        }
        found
    }

    #[test]
    fn a_prepared_graph_in_any_of_its_shapes() {
        let lists = r#"{"nodes": [{"id": "1", "symbol": "a", "file_path": "a.ts", "line": 3}, {"id": "2", "name": "b"}],
            "edges": [{"source": "1", "target": "2", "type": "CALLS"}, {"from": "2", "to": "1", "type": "IMPORTS"}]}"#;
        assert_eq!(calls(lists), ["a b"]);
        assert_eq!(
            calls(r#"{"a": ["b", "c"], "b": ["c"]}"#),
            ["a b", "a c", "b c"]
        );
        let tree = r#"{"symbol_id": "b", "callers": [{"symbol_id": "a"}], "callees": [{"symbol_id": "c", "callees": ["d"]}]}"#;
        assert_eq!(calls(tree), ["a b", "b c", "c d"]);
        for bad in [
            "",
            "{}",
            "[]",
            "{\"nodes\": [{}]}",
            "{\"edges\": [{\"from\": \"a\"}]}",
        ] {
            let message = read(bad).unwrap_err().message;
            assert!(
                message.starts_with("invalid call graph"),
                "{bad}: {message}"
            );
        }
    }
}
