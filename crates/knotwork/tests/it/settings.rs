//! Configuration and intent history, at the command line and over MCP.

use crate::common::client::Client;
use crate::common::{json, knotwork, knotwork_with};
use serde_json::{Value, json};
use testkit::Repo;

const SHOP: &str = "//- .git/HEAD\nref\n//- shop/cart.py\nclass Cart:\n    def total(self):\n        \"\"\"The price of \
                    all items with tax.\"\"\"\n        return sum(self.items)\n\n\ndef checkout(cart):\n    return cart.total()\n";

fn entry<'v>(shown: &'v Value, key: &str) -> &'v Value {
    let values = shown["values"].as_array().unwrap();
    values.iter().find(|v| v["key"] == key).unwrap()
}

#[test]
fn a_file_that_the_environment_names_is_the_users_unless_it_is_in_the_project() {
    let repo = Repo::new(SHOP);
    let text = "features:\n  llm_rerank:\n    enabled: true\n";
    repo.write("inside.yaml", text);
    let elsewhere = tempfile::tempdir().unwrap();
    let outside = elsewhere.path().join("features.yaml");
    std::fs::write(&outside, text).unwrap();
    for (file, origin, value) in [
        ("inside.yaml", "default", false),
        (outside.to_str().unwrap(), "user", true),
    ] {
        let said = knotwork_with(
            &repo,
            &[("FEATURES_CONFIG", file)],
            &["config", "show", "--format", "json"],
        );
        let shown: Value = serde_json::from_str(&said.stdout).unwrap();
        let found = entry(&shown, "reranker.enabled");
        assert_eq!(found["value"], value, "{file}: {said:?}");
        assert_eq!(found["origin"], origin, "{file}");
    }
}

#[test]
fn every_value_is_shown_with_where_it_came_from() {
    let repo = Repo::new(SHOP);
    repo.write(
        ".devbooks/config.yaml",
        "graph_rag:\n  max_depth: 7\n  top_k: 20\n",
    );
    repo.write(
        "elsewhere.yaml",
        "features:\n  daemon:\n    max_restarts: 5\n",
    );
    repo.write("home/knotwork/config.yaml", "intent: {enabled: false}\n");
    let home = repo.file_path("home");
    let said = knotwork_with(
        &repo,
        &[
            ("FEATURES_CONFIG", "elsewhere.yaml"),
            ("XDG_CONFIG_HOME", home.to_str().unwrap()),
            ("KNOTWORK_RERANKER_TIMEOUT_MS", "900"),
            ("CKB_ENABLED", "false"),
        ],
        &[
            "config",
            "show",
            "--format",
            "json",
            "--set",
            "graph_rag.cache_ttl=0",
        ],
    );
    assert_eq!(said.code, 0, "{said:?}");
    let shown: Value = serde_json::from_str(&said.stdout).unwrap();
    let of = |key: &str| {
        let found = entry(&shown, key);
        (found["value"].clone(), found["origin"].clone())
    };
    assert_eq!(of("graph_rag.max_depth"), (json!(2), json!("default")));
    assert_eq!(of("graph_rag.top_k"), (json!(20), json!("project")));
    assert_eq!(
        of("features.daemon.max_restarts"),
        (json!(5), json!("project"))
    );
    assert_eq!(of("intent.enabled"), (json!(false), json!("user")));
    assert_eq!(
        of("reranker.timeout_ms"),
        (json!(900), json!("environment"))
    );
    assert_eq!(
        of("features.ckb.enabled"),
        (json!(false), json!("environment"))
    );
    assert_eq!(of("graph_rag.cache_ttl"), (json!(0), json!("flag")));
    let place = entry(&shown, "graph_rag.top_k")["place"].as_str().unwrap();
    assert!(place.ends_with(".devbooks/config.yaml:3"), "{place}");
    assert!(
        said.stderr.contains("config.yaml:2: graph_rag.max_depth"),
        "{said:?}"
    );
    assert_eq!(shown["warnings"].as_array().unwrap().len(), 1);
    assert!(
        !repo.file_path(".devbooks/graph.db").exists(),
        "showing indexes nothing"
    );
}

#[test]
fn ct_010_intent_is_recorded_queried_and_cleaned() {
    let repo = Repo::new(SHOP);
    let record = |symbols: &str, action: &str| {
        let arguments = [
            "intent",
            "record",
            "--query",
            "how is tax added",
            "--symbols",
            symbols,
        ];
        json(
            &repo,
            &[&arguments[..], &["--user-action", action]].concat(),
        )
    };
    assert_eq!(
        record("Cart.total,checkout", "view"),
        json!({"success": true})
    );
    record("Cart.total", "edit");
    let found = json(&repo, &["intent", "query", "--top", "5"]);
    assert_eq!(
        found,
        json!({"success": true, "preferences": [
            {"symbol": "Cart.total", "score": 3.0},
            {"symbol": "checkout", "score": 1.0},
        ]})
    );
    let prefixed = json(&repo, &["intent", "get-preferences", "--prefix", "che"]);
    assert_eq!(prefixed["preferences"].as_array().unwrap().len(), 1);
    let cleaned = json(&repo, &["intent", "cleanup"]);
    assert_eq!(cleaned, json!({"success": true, "cleaned_count": 0}));
    let without = knotwork(&repo, &["intent", "record", "--query", "x"]);
    assert_eq!(without.code, 1);
    assert!(
        without.stderr.contains("needs a query and symbols"),
        "{without:?}"
    );
}

#[test]
fn ct_011_old_entries_are_cleaned() {
    let repo = Repo::new(SHOP);
    json(
        &repo,
        &["intent", "record", "--query", "q", "--symbols", "new"],
    );
    let path = repo.file_path(".devbooks/intent-history.json");
    let mut history: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let mut old = history["entries"][0].clone();
    let now = old["at"].as_u64().unwrap();
    let mut entries = Vec::new();
    for days in [200, 91, 89] {
        old["at"] = json!(now - days * 86_400);
        old["symbols"] = json!([format!("days{days}")]);
        entries.push(old.clone());
    }
    entries.push(history["entries"][0].clone());
    history["entries"] = json!(entries);
    std::fs::write(&path, history.to_string()).unwrap();
    // A file edited by hand is trusted if the user says so.
    let trust = [("KNOTWORK_TRUST_INDEX", "1")];
    let said = knotwork_with(&repo, &trust, &["intent", "cleanup", "--format", "json"]);
    let said: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(said["cleaned_count"], 2);
    let left = json(&repo, &["intent", "query"]);
    let symbols: Vec<&str> = left["preferences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["symbol"].as_str().unwrap())
        .collect();
    assert_eq!(symbols, ["new", "days89"]);
}

#[test]
fn intent_that_is_off_says_so_and_keeps_nothing() {
    let repo = Repo::new(SHOP);
    repo.write(".devbooks/config.yaml", "intent:\n  enabled: false\n");
    let arguments = ["intent", "record", "--query", "q", "--symbols", "a"];
    let said = json(&repo, &arguments);
    assert_eq!(said["success"], false);
    assert!(said["notes"][0].as_str().unwrap().contains("disabled"));
    assert!(!repo.file_path(".devbooks/intent-history.json").exists());
}

#[test]
fn what_is_asked_about_after_a_search_counts_as_a_view() {
    let repo = Repo::new(SHOP);
    let mut client = Client::start(&repo);
    client.initialize();
    let known = |client: &mut Client| {
        let (found, failed) = client.call("ci_intent", json!({"action": "query"}));
        assert!(!failed, "{found}");
        found["preferences"].clone()
    };
    // No search came before this.
    client.call("ci_call_chain", json!({"symbol": "checkout"}));
    assert_eq!(known(&mut client), json!([]));
    let (found, _) = client.call("ci_search", json!({"query": "price of all items with tax"}));
    assert_eq!(found["results"][0]["symbol"], "Cart.total", "{found}");
    client.call("ci_impact", json!({"symbol": "Cart.total"}));
    assert_eq!(
        known(&mut client),
        json!([{"symbol": "shop/cart.py::Cart.total", "score": 1.0}])
    );
}

#[test]
fn features_that_are_off_say_so_and_do_nothing() {
    let repo = Repo::new(SHOP);
    repo.write(
        "config/features.yaml",
        "features:\n  graph_store:\n    enabled: false\n  scip_parser:\n    enabled: false\n",
    );
    let said = knotwork(&repo, &["graph-store", "stats"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.stderr.contains("Graph store is disabled"), "{said:?}");
    let said = knotwork(&repo, &["scip", "parse"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.stderr.contains("SCIP parser is disabled"), "{said:?}");
    assert!(!repo.file_path(".devbooks").exists());
}

#[test]
fn no_search_index_is_built_where_that_is_not_wanted() {
    let repo = Repo::new("//- .git/HEAD\nref\n//- src/a.py\ndef retry_backoff(n):\n    return n\n");
    let off = "embedding.auto_build=false";
    let said = knotwork(
        &repo,
        &["--set", off, "search", "retry backoff", "--format", "json"],
    );
    assert_eq!(said.code, 0, "{said:?}");
    let answer: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(answer["mode"], "symbol");
    let why = answer["fallback"].as_str().unwrap();
    assert!(why.contains("embedding.auto_build"), "{why}");
    assert!(!repo.file_path(".devbooks/search").exists());
    assert_eq!(knotwork(&repo, &["--set", off, "index"]).code, 0);
    let said = knotwork(
        &repo,
        &["--set", off, "search", "retry backoff", "--format", "json"],
    );
    assert!(said.stdout.contains("\"mode\":\"hybrid\""), "{said:?}");
}

#[test]
fn the_ceiling_on_memory_is_the_users_own_and_what_does_not_fit_is_said_at_every_door() {
    let repo = Repo::new(SHOP);
    repo.write(".devbooks/config.yaml", "limits:\n  memory: 300MB\n");
    let said = knotwork(&repo, &["config", "show", "--format", "json"]);
    let shown: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(entry(&shown, "limits.memory")["origin"], "default");
    let small = knotwork(&repo, &["--memory", "10MB", "index"]);
    assert_eq!(small.code, 1);
    assert!(small.stderr.contains("at least 256 MB"), "{small:?}");

    repo.write("big.py", &"x = 1  # one more line\n".repeat(90_000));
    let low = ["index", "--memory", "256MB", "--max-file-size", "4MiB"];
    let report = json(&repo, &low);
    assert!(
        report["skipped"].to_string().contains("ceiling"),
        "{report}"
    );
    let notice = "1 file not in the graph (too large: big.py): does not fit below the memory ceiling of 256 MB";
    assert!(report["warnings"].to_string().contains(notice), "{report}");
    for question in [&["index", "status"][..], &["search", "checkout"]] {
        let answer = json(&repo, question);
        assert!(
            answer["index"]["notes"].to_string().contains(notice),
            "{answer}"
        );
    }
    // A query does not build another graph, but a user can request more memory.
    assert_eq!(json(&repo, &["index"])["strategy"], "UP_TO_DATE");
    let report = json(&repo, &["index", "--memory", "2GB"]);
    assert_eq!(
        (&report["files"], &report["skipped"]),
        (&json!(2), &json!({}))
    );
}
