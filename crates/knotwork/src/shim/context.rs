//! Wrappers of search, Graph-RAG, re-ranking and the prompt hook.

use super::arguments::Arguments;
use super::own::OwnCall;
use super::{Answer, Reply, Script};
use crate::environment;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::fmt::Write;

const GRAPH_RAG_USAGE: &str = "  [search] --query QUERY [--budget N | --token-budget N] [--depth N] [--top-k N] [--min-relevance N]
      [--rerank | --no-rerank] [--mock-embedding] [--cwd DIR] [--format json|text]
  --symbol NAME --subgraph [--depth N] [--format json|text]";
const GRAPH_RAG_FLAGS: &[&str] = &[
    "--rerank",
    "--no-rerank",
    "--mock-embedding",
    "--subgraph",
    "--no-cache",
];
const GRAPH_RAG_OPTIONS: &[&str] = &[
    "--query",
    "--budget",
    "--token-budget",
    "--depth",
    "--max-depth",
    "--top-k",
    "--min-relevance",
    "--symbol",
];

pub(super) const GRAPH_RAG: Script = Script {
    name: "graph-rag",
    usage: GRAPH_RAG_USAGE,
    flags: GRAPH_RAG_FLAGS,
    options: GRAPH_RAG_OPTIONS,
    run: graph_rag,
};

pub(super) const GRAPH_RAG_CONTEXT: Script = Script {
    name: "graph-rag-context",
    ..GRAPH_RAG
};

fn graph_rag(given: Arguments) -> Answer {
    if given.has("--subgraph") {
        return subgraph(&given);
    }
    let words: Vec<&String> = given.words.iter().skip_while(|w| *w == "search").collect();
    let query = match given.option("--query").or(given.option("--symbol")) {
        Some(query) => query.to_owned(),
        None if !words.is_empty() => words.into_iter().cloned().collect::<Vec<_>>().join(" "),
        None => return Err(given.usage()),
    };
    let budget = given.option("--budget").or(given.option("--token-budget"));
    if let Some(budget) = budget
        && budget.parse::<u64>().is_err()
    {
        return Err(Reply::failure(1, format!("invalid budget: {budget}")));
    }
    let own = OwnCall::new(&["graph-rag"])
        .value("--query", &query)
        .args(given.renamed(&[
            ("--budget", "--budget"),
            ("--token-budget", "--budget"),
            ("--depth", "--max-depth"),
            ("--max-depth", "--max-depth"),
            ("--top-k", "--top-k"),
            ("--min-relevance", "--min-relevance"),
            ("--mock-embedding", "--mock-embedding"),
            ("--no-cache", "--no-cache"),
        ]));
    let own = match (given.has("--rerank"), given.has("--no-rerank")) {
        (_, true) => own.value("--set", "reranker.enabled=false"),
        (true, false) => own.arg("--rerank"),
        _ => own,
    };
    let own = own.common(&given);
    if given.is_text() {
        return own.arg("--format").arg("text").quiet();
    }
    let mut answer = own.json()?;
    translate_context(&mut answer);
    if given.has("--no-rerank") {
        answer["metadata"]["fallback_reason"] = "cli_disabled".into();
    }
    Ok(Reply::json(&answer))
}

/// Adds the field names of the earlier implementation.
fn translate_context(answer: &mut Value) {
    let asked = environment::shim_text("LLM_MOCK_FAIL_COUNT").and_then(|n| n.parse::<u64>().ok());
    let metadata = &mut answer["metadata"];
    metadata["priority_weights"] = json!({"relevance": 0.4, "hotspot": 0.3, "distance": 0.3});
    let reranked = metadata["reranked"] == true;
    metadata["fallback_reason"] = match metadata["skip_reason"].as_str() {
        _ if reranked => Value::Null,
        Some("invalid_response") => "invalid_json".into(),
        Some("no_candidates") => "empty_candidates".into(),
        Some(reason) => reason.into(),
        None => Value::Null,
    };
    metadata["retry_count"] = json!(asked.filter(|_| reranked).unwrap_or(0));
    metadata["max_candidate_length"] = json!(2_000);
    if let Some(candidates) = answer["candidates"].as_array_mut() {
        for candidate in candidates {
            if !candidate["rerank_score"].is_null() {
                candidate["llm_score"] = candidate["rerank_score"].clone();
                candidate["llm_reason"] = candidate["rerank_reason"].clone();
            }
            candidate["heuristic_score"] = candidate["priority"].clone();
        }
    }
}

/// The symbols around one, as nodes and edges.
fn subgraph(given: &Arguments) -> Answer {
    let symbol = given.option("--symbol").or(given.option("--query"));
    let symbol = symbol.ok_or_else(|| given.usage())?;
    if symbol.trim().is_empty() {
        return Err(Reply::failure(1, "the symbol is empty: a name is required"));
    }
    let wanted: i64 = given
        .option("--depth")
        .map_or(Ok(2), str::parse)
        .map_err(|_| Reply::failure(1, "invalid depth"))?;
    if wanted < 0 {
        return Err(Reply::failure(1, format!("invalid depth: {wanted}")));
    }
    // The earlier implementation allowed five hops; this program allows four.
    let depth = wanted.clamp(1, 4);
    let own = OwnCall::new(&["call-chain", "--direction", "both", "--references"]);
    let own = own.operand(symbol).value("--depth", &depth.to_string());
    let own = own.common(given);
    let (mut nodes, mut edges) = (Map::new(), Edges::default());
    let mut fallback = Value::Null;
    match own.json() {
        Ok(answer) => {
            for path in answer["paths"].as_array().into_iter().flatten() {
                let alone = path.as_object().cloned().map(|mut path| {
                    path.remove("callers");
                    path.remove("callees");
                    Value::Object(path)
                });
                let alone = alone.filter(|_| wanted == 0);
                flatten(alone.as_ref().unwrap_or(path), &mut nodes, &mut edges);
            }
            fallback = answer["fallback"].clone();
        }
        // An unknown symbol has an empty subgraph.
        Err(reply) if reply.code == 1 => {}
        Err(reply) => return Err(reply),
    }
    if given.is_text() {
        let mut out = format!("depth {depth} (max 4)\n");
        for edge in &edges.all {
            let arrow = if edge["type"] == "calls" {
                "--calls-->"
            } else {
                "--refs-->"
            };
            let text = |name: &str| edge[name].as_str().unwrap_or_default().to_owned();
            let _ = writeln!(out, "{} {arrow} {}", text("from"), text("to"));
        }
        return Ok(Reply::text(out));
    }
    let edges = edges.all;
    let nodes: Vec<Value> = nodes.into_iter().map(|(_, node)| node).collect();
    let mut metadata = json!({"depth": depth, "max_depth": 4});
    if environment::is_variable_on("CKB_DISABLED") {
        metadata["ckb"] =
            "disabled; the graph is this program's own, so nothing is degraded".into();
    }
    Ok(Reply::json(&json!({
        "schema_version": "1.0", "symbol": symbol, "nodes": nodes, "edges": edges,
        "metadata": metadata, "fallback": fallback,
    })))
}

/// Edges in order, each once.
#[derive(Default)]
struct Edges {
    all: Vec<Value>,
    known: HashSet<String>,
}

/// The nodes and edges of a tree of calls.
fn flatten(tree: &Value, nodes: &mut Map<String, Value>, edges: &mut Edges) {
    let id = |node: &Value| node["symbol_id"].as_str().unwrap_or_default().to_owned();
    let name = |node: &Value| node["symbol_name"].as_str().unwrap_or_default().to_owned();
    let node = json!({
        "id": id(tree), "symbol": name(tree), "kind": tree["kind"], "file_path": tree["file_path"],
        "line": tree["line"], "depth": tree["depth"],
    });
    nodes.entry(id(tree)).or_insert(node);
    for (side, is_caller) in [("callers", true), ("callees", false)] {
        for next in tree[side].as_array().into_iter().flatten() {
            let (from, to) = if is_caller {
                (next, tree)
            } else {
                (tree, next)
            };
            let site = next["edge"]["site"].as_str();
            let kind = if site == Some("reference") {
                "refs"
            } else {
                "calls"
            };
            let edge = json!({
                "source": id(from), "target": id(to), "from": name(from), "to": name(to),
                "type": kind, "line": next["edge"]["line"],
            });
            if edges.known.insert(edge.to_string()) {
                edges.all.push(edge);
            }
            flatten(next, nodes, edges);
        }
    }
}

pub(super) const CONTEXT_RERANKER: Script = Script {
    name: "context-reranker",
    usage: "  --query QUERY --input FILE [--provider anthropic|openai|ollama] [--mock-llm TEXT] [--no-cache]",
    flags: &["--no-cache"],
    options: &["--query", "--input", "--provider", "--mock-llm"],
    run: |given| {
        let own = OwnCall::new(&["rerank"]).args(given.renamed(&[
            ("--query", "--query"),
            ("--input", "--input"),
            ("--provider", "--provider"),
            ("--mock-llm", "--mock-llm"),
            ("--no-cache", "--no-cache"),
        ]));
        Ok(Reply::json(&own.common(&given).json()?))
    },
};

pub(super) const CI_SEARCH: Script = Script {
    name: "ci-search",
    usage: "  QUERY [--limit N] [--mode semantic|keyword|hybrid|symbol] [--format json|text]",
    flags: &["--mock-embedding"],
    options: &["--limit", "--mode", "--query"],
    run: |given| {
        let query = match given.option("--query") {
            Some(query) => query.to_owned(),
            None if given.words.is_empty() => return Err(given.usage()),
            None => given.words.join(" "),
        };
        let own = OwnCall::new(&["search"])
            .value("--query", &query)
            .args(given.renamed(&[
                ("--limit", "--limit"),
                ("--mode", "--mode"),
                ("--mock-embedding", "--mock-embedding"),
            ]));
        let own = own.common(&given);
        if given.option("--format") == Some("json") {
            Ok(Reply::json(&own.json()?))
        } else {
            own.quiet()
        }
    },
};

pub(super) const AUGMENT_CONTEXT: Script = Script {
    name: "augment-context-global",
    usage: "  reads {\"prompt\": \"…\"} from standard input [--format json|text]",
    flags: &[],
    options: &["--prompt"],
    run: augment_context,
};

fn augment_context(given: Arguments) -> Answer {
    let prompt = match given.option("--prompt") {
        Some(prompt) => prompt.to_owned(),
        None => prompt_of(&read_standard_input()),
    };
    let folder = environment::shim_text("WORKING_DIRECTORY");
    let folder = folder.as_deref().or(given.option("--cwd"));
    let event = json!({"hook_event_name": "UserPromptSubmit", "prompt": prompt});
    let own = OwnCall::new(&["hook"]).input(event.to_string());
    let own = match folder {
        Some(folder) => own.value("--project", folder),
        None => own,
    };
    let mut answer = own
        .json()
        .unwrap_or_else(|_| json!({"additionalContext": ""}));
    if given.option("--format") != Some("json") {
        let text = answer["additionalContext"].as_str().unwrap_or_default();
        let output = json!({"hookSpecificOutput": {
            "hookEventName": "UserPromptSubmit", "additionalContext": text,
        }});
        return Ok(Reply::json(&output));
    }
    let root = std::path::Path::new(folder.unwrap_or("."));
    for (name, value) in super::facts::project_facts(root, &prompt) {
        answer[name] = value;
    }
    Ok(Reply::json(&answer))
}

pub(super) fn read_standard_input() -> String {
    /// The most bytes of a prompt, as in `knotwork hook`.
    const MOST: u64 = 16 << 20;
    let mut text = Vec::new();
    let mut input = std::io::Read::take(std::io::stdin(), MOST);
    let _ = std::io::Read::read_to_end(&mut input, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

fn prompt_of(text: &str) -> String {
    // Other fields are skipped without being stored.
    #[derive(Deserialize)]
    struct Input {
        prompt: String,
    }
    let parsed = serde_json::from_str::<Input>(text);
    parsed.map_or_else(|_| text.trim().to_owned(), |input| input.prompt)
}
