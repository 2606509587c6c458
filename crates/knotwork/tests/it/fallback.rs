//! Queries without a graph: CKB answers if one is configured, else a linear search of the files. The answer always says so.

use crate::common::{json, knotwork, knotwork_with};
use serde_json::{Value, json};
use testkit::Repo;
use testkit::http::{Reply, Request, Server};

const SHOP: &str = "//- .git/HEAD\nref\n//- src/cart.ts\nimport { price } from './price';\nexport function total(items: string[]) {\n  return items.map((item) => price(item));\n}\n//- src/price.ts\nexport function price(item: string): number {\n  return item.length;\n}\n//- src/checkout.py\ndef checkout(items):\n    return total(items)\n";

/// A state folder that cannot be created, so that no index can be written.
const NOWHERE: (&str, &str) = ("DEVBOOKS_DIR", "/dev/null/nowhere");
const OFF: [&str; 2] = ["--set", "features.graph_store.enabled=false"];

fn answer(repo: &Repo, environment: &[(&str, &str)], arguments: &[&str]) -> Value {
    let mut all = arguments.to_vec();
    all.extend(["--format", "json"]);
    let said = knotwork_with(repo, environment, &all);
    assert_eq!(said.code, 0, "{arguments:?}: {said:?}");
    serde_json::from_str(&said.stdout).unwrap()
}

fn callers(answer: &Value) -> Vec<&str> {
    let all = answer["paths"][0]["callers"].as_array().unwrap();
    all.iter()
        .map(|c| c["symbol_name"].as_str().unwrap())
        .collect()
}

#[test]
fn where_no_index_can_be_written_the_files_are_searched() {
    let repo = Repo::new(SHOP);
    let chain = answer(&repo, &[NOWHERE], &["call-chain", "price"]);
    assert_eq!(callers(&chain), ["total"], "{chain}");
    assert_eq!(chain["fallback"]["degraded_to"], "linear");
    assert_eq!(chain["fallback"]["reason"], "no_graph");
    assert_eq!(chain["index"]["fresh"], false);
    assert_eq!(chain["paths"][0]["callers"][0]["edge"]["confidence"], 0.5);
    let impact = answer(&repo, &[NOWHERE], &["impact", "price"]);
    assert_eq!(impact["affected"][0]["symbol"], "total", "{impact}");
    assert_eq!(impact["affected"][0]["edge"]["confidence"], 0.5);
    assert_eq!(impact["fallback"]["degraded_to"], "linear");
    let found = answer(&repo, &[NOWHERE], &["search", "price", "zzunknown"]);
    assert_eq!(found["results"][0]["file_path"], "src/price.ts", "{found}");
    assert!(found["fallback"].as_str().unwrap().contains("line by line"));
    let context = answer(
        &repo,
        &[NOWHERE],
        &["graph-rag", "where is total made", "--budget", "200"],
    );
    assert_eq!(context["source"], "keyword");
    assert_eq!(context["fallback"]["degraded_to"], "linear");
    let candidates = context["candidates"].as_array().unwrap();
    assert!(!candidates.is_empty(), "{context}");
    let tokens = candidates.iter().map(|c| c["tokens"].as_u64().unwrap());
    assert!(tokens.sum::<u64>() <= 200);
    let said = knotwork_with(&repo, &[NOWHERE], &["call-chain", "nothing_like_it"]);
    assert_eq!(said.code, 1, "{said:?}");
}

#[test]
fn a_search_of_the_files_that_ends_at_a_limit_says_so() {
    let uses = "    price(item)\n".repeat(600);
    let repo = Repo::new(&format!(
        "//- .git/HEAD\nref\n//- a.py\ndef price(item):\n    pass\n\ndef total(item):\n{uses}"
    ));
    let chain = answer(&repo, &[NOWHERE], &["call-chain", "price"]);
    let detail = chain["fallback"]["detail"].as_str().unwrap();
    assert!(detail.contains("until a limit was reached"), "{detail}");
    assert_eq!(callers(&chain), ["total"], "{chain}");
}

#[test]
fn the_hook_says_that_there_is_no_graph() {
    let repo = Repo::new(SHOP);
    let ask = [
        "hook",
        "--prompt",
        "where is price defined and who calls price",
    ];
    let said = answer(&repo, &[NOWHERE], &ask);
    let expected = json!({"reason": "ckb_unavailable", "degraded_to": "keyword"});
    assert_eq!(said["fallback"], expected, "{said}");
    json(&repo, &["index"]);
    let off = [&ask[..], &OFF].concat();
    let said = answer(&repo, &[], &off);
    assert_eq!(said["fallback"]["reason"], "ckb_unavailable", "{said}");
    assert_eq!(answer(&repo, &[], &ask)["fallback"], Value::Null);
}

#[test]
fn the_hook_says_that_a_provider_does_not_answer() {
    let repo = Repo::new(SHOP);
    json(&repo, &["index"]);
    // The provider's vectors were never built, so the built-in model answers.
    let key = ("OPENAI_API_KEY", "x");
    let ask = [
        "hook",
        "--prompt",
        "where is price defined and who calls price",
        "--set",
        "embedding.provider=openai",
        "--set",
        "embedding.base_url=http://127.0.0.1:9",
    ];
    let said = answer(&repo, &[key], &ask);
    assert_eq!(said["fallback"]["reason"], "not_built", "{said}");
    assert_eq!(said["fallback"]["degraded_to"], "embedding");
}

#[test]
fn the_hook_says_that_words_alone_answered() {
    let repo = Repo::new(SHOP);
    let server = Server::start(|request: &Request, _| {
        let body: Value = serde_json::from_str(&request.body).unwrap_or_default();
        let texts = body["input"].as_array().map_or(1, Vec::len);
        let vector = |at: usize| json!({"index": at, "embedding": [0.1, 0.2, at as f64 + 0.3]});
        let data: Vec<Value> = (0..texts).map(vector).collect();
        Reply::new(200, json!({"data": data, "model": "m"}).to_string())
    });
    let address = format!("embedding.base_url={}", server.url());
    let provider = [
        "--set",
        "embedding.provider=openai",
        "--set",
        "embedding.model=m",
        "--set",
        address.as_str(),
    ];
    let key = ("OPENAI_API_KEY", "x");
    answer(
        &repo,
        &[key],
        &[&["embedding", "build"][..], &provider].concat(),
    );
    // The provider is down when the query comes.
    drop(server);
    let ask = [
        "hook",
        "--prompt",
        "where is price defined and who calls price",
    ];
    let said = answer(&repo, &[key], &[&ask[..], &provider].concat());
    let expected = json!({"reason": "provider_failed", "degraded_to": "keyword"});
    assert_eq!(said["fallback"], expected, "{said}");
}

/// A server that speaks the protocol of CKB.
fn ckb() -> Server {
    Server::start(|request: &Request, _| {
        if request.path.starts_with("/search?q=price&") {
            let found = json!({"query": "price", "results": [
                {"id": "ckb:shop:sym:1", "name": "price", "kind": "function", "score": 0.9,
                 "location": {"fileId": "src/price.ts", "path": "src/price.ts", "startLine": 1, "startColumn": 1}},
            ], "total": 1, "hasMore": false});
            return Reply::new(200, found.to_string());
        }
        if request.path.starts_with("/callgraph/ckb%3Ashop%3Asym%3A1?") {
            let graph = json!({"root": "n1", "nodes": [
                {"id": "n1", "symbolId": "ckb:shop:sym:1", "name": "price", "depth": 0, "role": "root",
                 "location": {"fileId": "src/price.ts", "startLine": 1}, "score": 1.0},
                {"id": "n2", "symbolId": "ckb:shop:sym:2", "name": "told by CKB", "depth": 1, "role": "caller",
                 "location": {"fileId": "src/cart.ts", "startLine": 2}, "score": 1.0},
            ], "edges": [{"from": "n2", "to": "n1"}]});
            return Reply::new(200, graph.to_string());
        }
        Reply::new(404, "{\"error\": \"not found\"}")
    })
}

#[test]
fn ckb_answers_where_there_is_no_graph() {
    let (repo, server) = (Repo::new(SHOP), ckb());
    let url = server.url();
    let here = [("CKB_URL", url.as_str()), NOWHERE];
    let chain = answer(&repo, &here, &["call-chain", "price"]);
    assert_eq!(callers(&chain), ["told by CKB"], "{chain}");
    assert_eq!(chain["fallback"]["degraded_to"], "ckb");
    let found = answer(&repo, &here, &["search", "price"]);
    assert!(found["fallback"].as_str().unwrap().contains("CKB answered"));
    assert_eq!(found["results"][0]["file_path"], "src/price.ts");
    let context = answer(&repo, &here, &["graph-rag", "price"]);
    assert_eq!(context["fallback"]["degraded_to"], "ckb", "{context}");
    assert!(
        context["candidates"][0]["snippet"]
            .as_str()
            .unwrap()
            .contains("item.length")
    );
    // CKB does not know this symbol, so the linear search answers.
    let other = answer(&repo, &here, &["call-chain", "total"]);
    assert_eq!(other["fallback"]["degraded_to"], "linear", "{other}");
    assert_eq!(callers(&other), ["checkout"]);
}

#[test]
fn ckb_is_never_asked_where_there_is_a_graph_or_it_is_off() {
    let (repo, server) = (Repo::new(SHOP), ckb());
    let url = server.url();
    let here = ("CKB_URL", url.as_str());
    let chain = answer(&repo, &[here], &["call-chain", "price"]);
    assert_eq!(chain["fallback"], Value::Null);
    assert_eq!(callers(&chain), ["total"]);
    let off = answer(
        &repo,
        &[here, NOWHERE, ("CKB_ENABLED", "false")],
        &["call-chain", "price"],
    );
    assert_eq!(off["fallback"]["degraded_to"], "linear");
    assert!(server.requests().is_empty());
    // A repository may not name a server either.
    repo.write(
        "config/features.yaml",
        &format!("features:\n  ckb:\n    base_url: {url}\n"),
    );
    let named = answer(&repo, &[NOWHERE], &["call-chain", "price"]);
    assert_eq!(named["fallback"]["degraded_to"], "linear");
    assert!(server.requests().is_empty());
}

#[test]
fn a_ckb_that_is_away_is_named() {
    let repo = Repo::new(SHOP);
    let here = [("CKB_URL", "http://127.0.0.1:9"), NOWHERE];
    let chain = answer(&repo, &here, &["call-chain", "price"]);
    let detail = chain["fallback"]["detail"].as_str().unwrap();
    assert_eq!(chain["fallback"]["degraded_to"], "linear");
    assert!(
        detail.contains("CKB at http://127.0.0.1:9 does not answer"),
        "{detail}"
    );
}

#[test]
fn a_graph_that_is_switched_off_answers_nothing() {
    let repo = Repo::new(SHOP);
    json(&repo, &["index"]);
    let chain = answer(&repo, &[], &[&["call-chain", "price"][..], &OFF].concat());
    assert_eq!(chain["fallback"]["degraded_to"], "linear", "{chain}");
    let said = knotwork(&repo, &[&["graph-store", "stats"][..], &OFF].concat());
    assert_eq!(said.code, 0);
    assert!(said.stderr.contains("disabled"), "{said:?}");
}
