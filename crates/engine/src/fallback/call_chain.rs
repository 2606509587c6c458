//! The calls around one symbol, from CKB or from the lines of the files, in the form of a prepared call graph.

use super::lines::{defined_name, find_word, indentation};
use super::{Origin, PATIENCE, Substitute, ckb_deadline, code_backend, linear};
use crate::workspace::Workspace;
use crate::{BackendError, CodeBackend, EngineError};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Instant;

/// The most places that a linear search lists.
const MOST_PLACES: usize = 500;

/// The calls to and from a symbol, if there are any, and the source that gave them.
pub(crate) fn call_graph(
    workspace: &Workspace,
    symbol: &str,
    depth: u32,
) -> Result<(Option<Value>, Origin), EngineError> {
    let mut failed = None;
    match code_backend(workspace) {
        Ok(None) => {}
        Ok(Some(ckb)) => match ask_ckb(&*ckb, symbol, depth) {
            Ok(Some(graph)) => {
                let origin = Origin {
                    instead: Substitute::Ckb,
                    failed: None,
                    is_cut: false,
                };
                return Ok((Some(graph), origin));
            }
            Ok(None) => failed = Some(format!("CKB knows no {symbol}")),
            Err(error) => failed = Some(error.to_string()),
        },
        Err(error) => failed = Some(error.to_string()),
    }
    let (graph, is_whole) = scan_files(workspace, symbol)?;
    let origin = Origin {
        instead: Substitute::Linear,
        failed,
        is_cut: !is_whole,
    };
    Ok((graph, origin))
}

fn ask_ckb(ckb: &dyn CodeBackend, symbol: &str, depth: u32) -> Result<Option<Value>, BackendError> {
    let deadline = ckb_deadline();
    let last = symbol.rsplit(['.', ':']).next().unwrap_or(symbol);
    let found = ckb.search(last, 10, deadline)?;
    let Some(root) = found.into_iter().find(|s| s.name == last || s.id == symbol) else {
        return Ok(None);
    };
    let mut graph = ckb.call_graph(&root.id, depth, deadline)?;
    // The root is found by the name that was asked for.
    if let Some(nodes) = graph["nodes"].as_array_mut() {
        if !nodes.iter().any(|node| node["id"] == root.id.as_str()) {
            nodes.push(json!({"id": root.id, "file_path": root.path, "line": root.line}));
        }
        for node in nodes
            .iter_mut()
            .filter(|node| node["id"] == root.id.as_str())
        {
            node["symbol"] = Value::from(symbol);
        }
    }
    Ok(Some(graph))
}

/// A line that uses the symbol, with the definition around it.
struct Use {
    path: String,
    line: usize,
    inside: Option<(String, usize)>,
}

/// The calls that a search through the files' lines finds, if any, and whether all files were read.
fn scan_files(workspace: &Workspace, symbol: &str) -> Result<(Option<Value>, bool), EngineError> {
    let name = symbol.rsplit(['.', ':']).next().unwrap_or(symbol);
    let mut defined: Option<(String, usize)> = None;
    let mut uses: Vec<Use> = Vec::new();
    let deadline = Instant::now() + PATIENCE;
    let is_whole = linear::for_each_text(workspace, deadline, |path, text| {
        if !text.contains(name) || base::Language::of_file(path, text.as_bytes()).is_none() {
            return true;
        }
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            let Some(at) = find_word(line, name) else {
                continue;
            };
            if defined_name(line) == Some(name) {
                defined.get_or_insert_with(|| (path.to_owned(), number));
                continue;
            }
            if uses.len() == MOST_PLACES {
                return false;
            }
            if line[at + name.len()..].trim_start().starts_with('(') {
                let inside = enclosing(&lines, number);
                let path = path.to_owned();
                uses.push(Use {
                    path,
                    line: number,
                    inside,
                });
            }
        }
        true
    })?;
    if defined.is_none() && uses.is_empty() {
        return Ok((None, is_whole));
    }
    let (path, line) = defined.map_or((String::new(), None), |(p, l)| (p, Some(l + 1)));
    let mut nodes = BTreeMap::new();
    nodes.insert(
        symbol.to_owned(),
        json!({"id": symbol, "symbol": symbol, "file_path": path, "line": line}),
    );
    let mut edges = Vec::new();
    for one in uses {
        let (name, kind, line) = match &one.inside {
            Some((name, line)) => (name.clone(), "function", line + 1),
            None => (one.path.clone(), "file", 1),
        };
        let id = format!("{}::{name}", one.path);
        let node =
            json!({"id": id, "symbol": name, "kind": kind, "file_path": one.path, "line": line});
        nodes.entry(id.clone()).or_insert(node);
        edges.push(json!({"source": id, "target": symbol, "line": one.line + 1}));
    }
    let nodes: Vec<Value> = nodes.into_values().collect();
    Ok((Some(json!({"nodes": nodes, "edges": edges})), is_whole))
}

/// The definition around a line: the nearest above with less indentation, or the one on the line itself.
fn enclosing(lines: &[&str], number: usize) -> Option<(String, usize)> {
    if let Some(name) = defined_name(lines[number]) {
        return Some((name.to_owned(), number));
    }
    let mut least = indentation(lines[number]);
    for (at, line) in lines[..number].iter().enumerate().rev() {
        let here = indentation(line);
        if line.trim().is_empty() || here >= least {
            continue;
        }
        least = here;
        if let Some(name) = defined_name(line) {
            return Some((name.to_owned(), at));
        }
    }
    None
}
