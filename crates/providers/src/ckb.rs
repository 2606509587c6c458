//! The connection to CKB, another code index: its HTTP interface, `GET /search` and `GET
//! /callgraph/ID`.

use crate::http::{self, AddressError, HttpAddress};
use engine::{BackendError, CodeBackend, CodeSymbol};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write;
use std::time::Instant;

/// The most bytes of an answer.
const LARGEST: u64 = 8 << 20;
/// The most bytes of memory for a decoded answer.
const MOST_DECODED: usize = 256 << 20;

/// A CKB server.
#[derive(Debug, Clone)]
pub(crate) struct Ckb {
    base: String,
    address: HttpAddress,
}

#[derive(Deserialize)]
struct SearchAnswer {
    #[serde(default)]
    results: Vec<SymbolFound>,
}

#[derive(Deserialize)]
struct SymbolFound {
    id: String,
    name: String,
    #[serde(default)]
    location: Option<Location>,
    #[serde(default)]
    score: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(default)]
    file_id: String,
    #[serde(default)]
    path: String,
    #[serde(default)]
    start_line: u32,
    #[serde(default)]
    end_line: Option<u32>,
}

impl Location {
    fn path(&self) -> &str {
        if self.path.is_empty() {
            &self.file_id
        } else {
            &self.path
        }
    }
}

#[derive(Deserialize)]
struct CallGraph {
    #[serde(default)]
    nodes: Vec<Node>,
    #[serde(default)]
    edges: Vec<Edge>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Node {
    id: String,
    #[serde(default)]
    symbol_id: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    location: Option<Location>,
}

#[derive(Deserialize)]
struct Edge {
    from: String,
    to: String,
}

impl Ckb {
    pub(crate) fn new(address: &str) -> Result<Ckb, AddressError> {
        let base = address.trim().trim_end_matches('/').to_owned();
        let address = HttpAddress::parse("CKB", &base)?;
        Ok(Ckb { base, address })
    }

    fn request<T: for<'de> Deserialize<'de>>(
        &self,
        path: &str,
        deadline: Instant,
    ) -> Result<T, BackendError> {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(BackendError::Late);
        }
        let away = |error: ureq::Error| BackendError::NoAnswer {
            address: self.base.clone(),
            reason: error.to_string(),
        };
        let invalid = |reason: String| BackendError::Invalid {
            address: self.base.clone(),
            reason,
        };
        let request = http::build_agent(self.address.secure, self.address.loopback)
            .get(format!("{}{path}", self.base))
            .config()
            .timeout_global(Some(left))
            .build()
            .header("accept", "application/json");
        let mut response = request.call().map_err(away)?;
        let status = response.status().as_u16();
        if !(200..300).contains(&status) {
            return Err(BackendError::Status {
                address: self.base.clone(),
                status,
            });
        }
        let body = response.body_mut().with_config().limit(LARGEST);
        let text = body.read_to_string().map_err(away)?;
        if base::json::decoded_size(text.as_bytes()) > MOST_DECODED {
            return Err(invalid("too many values".to_owned()));
        }
        serde_json::from_str(&text).map_err(|error| invalid(format!("not its JSON: {error}")))
    }
}

/// A part of an address, with everything but letters, digits and `-_.~` in percent form.
fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(byte));
            }
            _ => drop(write!(out, "%{byte:02X}")),
        }
    }
    out
}

impl CodeBackend for Ckb {
    fn search(
        &self,
        query: &str,
        limit: usize,
        deadline: Instant,
    ) -> Result<Vec<CodeSymbol>, BackendError> {
        let path = format!("/search?q={}&limit={limit}", encode(query));
        let answer: SearchAnswer = self.request(&path, deadline)?;
        let symbol = |found: SymbolFound| {
            let location = found.location?;
            Some(CodeSymbol {
                path: location.path().to_owned(),
                line: location.start_line.max(1),
                end_line: location.end_line.filter(|line| *line > 0),
                id: found.id,
                name: found.name,
                score: found.score,
            })
        };
        Ok(answer.results.into_iter().filter_map(symbol).collect())
    }

    fn call_graph(&self, id: &str, depth: u32, deadline: Instant) -> Result<Value, BackendError> {
        // CKB allows at most four hops.
        let depth = depth.min(4);
        let path = format!("/callgraph/{}?direction=both&depth={depth}", encode(id));
        let graph: CallGraph = self.request(&path, deadline)?;
        let node = |node: Node| {
            let place = node.location.as_ref();
            let id = if node.symbol_id.is_empty() {
                node.id.clone()
            } else {
                node.symbol_id.clone()
            };
            let name = if node.name.is_empty() {
                id.clone()
            } else {
                node.name
            };
            let value = json!({
                "id": id, "symbol": name,
                "file_path": place.map_or("", Location::path),
                "line": place.map(|place| place.start_line),
            });
            (node.id, value)
        };
        let nodes: Vec<(String, Value)> = graph.nodes.into_iter().map(node).collect();
        // Edges name nodes by their own ids.
        let mut symbols: HashMap<&str, &Value> = HashMap::with_capacity(nodes.len());
        for (own, node) in &nodes {
            symbols.entry(own).or_insert(&node["id"]);
        }
        let symbol_of = |id: &str| {
            let found = symbols.get(id);
            found.map_or_else(|| Value::from(id), |symbol| (*symbol).clone())
        };
        let edge =
            |edge: &Edge| json!({"source": symbol_of(&edge.from), "target": symbol_of(&edge.to)});
        let edges: Vec<Value> = graph.edges.iter().map(edge).collect();
        let nodes: Vec<Value> = nodes.into_iter().map(|(_, node)| node).collect();
        Ok(json!({"nodes": nodes, "edges": edges}))
    }
}
