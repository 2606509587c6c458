//! The wrappers with the names and call shapes of an earlier implementation, called as shell scripts.

use crate::common::knotwork;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use testkit::{CommandOutput, Repo, run_program};

/// A project with the wrappers beside it.
pub(crate) struct Old {
    pub(crate) repo: Repo,
    tools: Repo,
}

const SERVER: &str = "//- package.json\n{\"name\": \"shop\", \"dependencies\": {\"express\": \"4\"}}\n//- tsconfig.json\n{}\n\
//- src/server.ts\nimport { TOOLS } from './tools';\nexport function handleToolCall(name: string): string {\n  return lookup(name);\n}\n\
export function lookup(name: string): string {\n  if (TOOLS.includes(name)) {\n    return name;\n  }\n  return '';\n}\n\
export function main() {\n  return handleToolCall('a');\n}\nmain();\n//- src/tools.ts\nexport const TOOLS = ['a'];\n";

impl Old {
    pub(crate) fn new(text: &str) -> Old {
        let (repo, tools) = (Repo::new(text), Repo::new(""));
        let folder = tools.path().display().to_string();
        let said = knotwork(&repo, &["shims", "install", &folder]);
        assert_eq!(said.code, 0, "{said:?}");
        Old { repo, tools }
    }

    fn with_history(text: &str) -> Old {
        let old = Old::new(text);
        old.repo.commit_all();
        old
    }

    pub(crate) fn call(&self, line: &str, environment: &[(&str, &str)]) -> CommandOutput {
        let words: Vec<&str> = line.split_whitespace().collect();
        self.call_with(words[0], &words[1..], environment)
    }

    fn call_with(
        &self,
        name: &str,
        arguments: &[&str],
        environment: &[(&str, &str)],
    ) -> CommandOutput {
        let script = self.tools.file_path(name).display().to_string();
        run_program(&script, self.repo.path(), arguments, environment)
    }

    /// A JSON answer, with nothing else on either stream.
    pub(crate) fn json(&self, line: &str) -> Value {
        self.json_with(line, &[])
    }

    pub(crate) fn json_with(&self, line: &str, environment: &[(&str, &str)]) -> Value {
        let said = self.call(line, environment);
        assert_eq!(
            (said.code, said.stderr.as_str()),
            (0, ""),
            "{line}: {said:?}"
        );
        serde_json::from_str(&said.stdout).unwrap_or_else(|e| panic!("{line}: {e}: {said:?}"))
    }

    fn text(&self, line: &str) -> String {
        let said = self.call(line, &[]);
        assert_eq!(said.code, 0, "{line}: {said:?}");
        said.stdout
    }

    pub(crate) fn fails(&self, line: &str) -> String {
        let said = self.call(line, &[]);
        assert_ne!(said.code, 0, "{line}: {said:?}");
        said.stderr + &said.stdout
    }
}

/// A graph written by hand: A calls B calls C calls D.
fn by_hand() -> Old {
    let old = Old::new("");
    assert_eq!(old.call("graph-store.sh init", &[]).code, 0);
    for (id, name) in [("A", "a"), ("B", "b"), ("C", "c"), ("D", "d")] {
        let line = format!(
            "graph-store.sh add-node --id sym:func:{id} --symbol func{id} --kind function --file src/{name}.ts"
        );
        old.json(&line);
    }
    for (from, to) in [("A", "B"), ("B", "C"), ("C", "D")] {
        let line = format!(
            "graph-store.sh add-edge --source sym:func:{from} --target sym:func:{to} --type CALLS"
        );
        old.json(&line);
    }
    old
}

#[test]
fn scripts_are_written_and_files_of_others_are_kept() {
    let old = Old::new("");
    let all: Vec<_> = old.tools.path().read_dir().unwrap().flatten().collect();
    let scripts = all.iter().filter(|e| e.path().is_file()).count();
    assert!(scripts >= 26, "{scripts}");
    let text = fs::read_to_string(old.tools.file_path("graph-rag.sh")).unwrap();
    assert!(text.starts_with("#!/bin/sh\n# Written by"), "{text}");
    // Installing again succeeds, but a file of the user is not replaced.
    let folder = old.tools.path().display().to_string();
    assert_eq!(knotwork(&old.repo, &["shims", "install", &folder]).code, 0);
    old.tools.write("graph-rag.sh", "#!/bin/sh\necho mine\n");
    let said = knotwork(&old.repo, &["shims", "install", &folder]);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.stderr.contains("graph-rag.sh exists"), "{said:?}");
    let checked = Command::new("shellcheck")
        .arg(old.tools.file_path("graph-store.sh"))
        .output();
    if let Ok(checked) = checked {
        assert!(checked.status.success(), "{checked:?}");
    }
}

#[test]
fn graph_store() {
    let old = by_hand();
    let again = old.call("graph-store.sh init --skip-precompute", &[]);
    assert_eq!(again.code, 0);
    assert!(again.stderr.contains("already exists"), "{again:?}");
    let stats = old.json("graph-store.sh stats");
    assert_eq!((&stats["nodes"], &stats["edges"]), (&json!(4), &json!(3)));
    assert_eq!(stats["edges_by_type"]["CALLS"], 3);
    for word in ["CALL", "calls", "Calls"] {
        let line = format!(
            "graph-store.sh add-edge --source sym:func:A --target sym:func:B --type {word}"
        );
        let told = old.fails(&line);
        assert!(told.contains("Invalid edge type"), "{told}");
        assert!(told.contains("DEFINES, IMPORTS, CALLS, MODIFIES"), "{told}");
    }
    let edges = old.json("graph-store.sh query-edges --from sym:func:A --type CALLS");
    assert_eq!(edges.as_array().unwrap().len(), 1);
    assert!(old.json("graph-store.sh find-orphans").is_array());
    let path = old.json("graph-store.sh find-path --from sym:func:A --to sym:func:D --max-depth 5");
    assert_eq!((&path["found"], &path["length"]), (&json!(true), &json!(3)));
    assert_eq!(path["path"].as_array().unwrap().len(), 4);
    old.repo.write("bad.json", "{\"nodes\": [{\"id\": \"x\", \"symbol\": \"x\", \"kind\": \"function\", \"file_path\": \"x\"}], \"edges\": [{\"source\": \"x\", \"target\": \"x\", \"type\": \"NO\"}]}");
    old.fails("graph-store.sh batch-import --file bad.json --skip-precompute");
    assert_eq!(old.json("graph-store.sh stats")["nodes"], 4);
    let check = old.text("graph-store.sh migrate --check");
    assert!(check.contains("UP_TO_DATE"), "{check}");
    let apply = old.text("graph-store.sh migrate --apply");
    let last: Value = serde_json::from_str(apply.lines().last().unwrap()).unwrap();
    assert_eq!(last["status"], "UP_TO_DATE");
    let backup = last["backup_path"].as_str().unwrap();
    assert!(std::path::Path::new(backup).is_file(), "{last}");
}

#[test]
fn scip_to_graph() {
    let old = Old::new(SERVER);
    let told = old.fails("scip-to-graph.sh parse");
    assert!(told.contains("SCIP index not found"), "{told}");
    assert!(told.contains("npx scip-typescript"), "{told}");
    old.repo.write("index.scip", "no protobuf at all");
    let answer = old.json("scip-to-graph.sh parse --format json");
    assert_eq!(answer["confidence"], "low", "{answer}");
    assert!(answer["nodes"].as_u64().unwrap() > 0, "{answer}");
}

#[test]
fn daemon() {
    let old = Old::new(SERVER);
    let status = old.json("daemon.sh status");
    assert_eq!(
        (&status["running"], &status["status"]),
        (&json!(false), &json!("stopped"))
    );
    assert_eq!(status["queue_size"], 0);
    let alone = old.json("daemon.sh warmup");
    assert_eq!(alone["warmup_status"], "ok", "{alone}");
    let started = old.call("daemon.sh start", &[]);
    assert!(started.stdout.contains("Daemon started"), "{started:?}");
    let again = old.call("daemon.sh start", &[]);
    let ping = old.call("daemon.sh ping", &[]);
    let query = old.call_with(
        "daemon.sh",
        &["query", "SELECT count(*) AS n FROM nodes"],
        &[],
    );
    let warm = old.call("daemon.sh warmup --format json", &[]);
    let status = old.json("daemon.sh status");
    old.call("daemon.sh stop", &[]);
    assert!(again.stderr.contains("already running"), "{again:?}");
    assert_ne!(again.code, 0);
    for said in [ping, query] {
        let answer: Value = serde_json::from_str(&said.stdout).unwrap();
        assert_eq!(
            (said.code, &answer["status"]),
            (0, &json!("ok")),
            "{answer}"
        );
    }
    let warm: Value = serde_json::from_str(&warm.stdout).unwrap();
    assert_eq!(warm["warmup_status"], "ok");
    assert!(
        warm["duration_ms"].is_u64() && warm["symbols_cached"].is_u64(),
        "{warm}"
    );
    assert_eq!(status["status"], "running");
}

#[test]
fn cache_manager() {
    let old = Old::new("//- a.txt\nx\n");
    let cache = old.repo.file_path("cache").display().to_string();
    let here = [("CACHE_DIR", cache.as_str())];
    let get = "cache-manager.sh --get a.txt --query q --debug";
    assert!(old.call(get, &here).stderr.contains("skip"));
    let file = fs::File::options()
        .write(true)
        .open(old.repo.file_path("a.txt"))
        .unwrap();
    file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(60))
        .unwrap();
    assert!(old.call(get, &here).stderr.contains("miss"));
    old.json_or_empty("cache-manager.sh --set a.txt --query q --value kept", &here);
    let hit = old.call(get, &here);
    assert_eq!(hit.stdout, "kept\n");
    assert!(hit.stderr.contains("L1 cache hit"), "{hit:?}");
    assert_eq!(old.call("cache-manager.sh --clear-l1", &here).code, 0);
    assert!(old.call(get, &here).stderr.contains("L2 cache hit"));
    let entry = old
        .repo
        .file_path("cache/l2")
        .read_dir()
        .unwrap()
        .flatten()
        .next()
        .unwrap();
    let entry: Value = serde_json::from_str(&fs::read_to_string(entry.path()).unwrap()).unwrap();
    for field in [
        "schema_version",
        "key",
        "file_path",
        "mtime",
        "blob_hash",
        "value",
        "created_at",
        "accessed_at",
    ] {
        assert!(!entry[field].is_null(), "{field}: {entry}");
    }
    assert_eq!(
        old.json_with("cache-manager.sh --stats", &here)["total_entries"],
        1
    );
    let small = [("CACHE_MAX_SIZE", "3")];
    for (key, value) in [("k1", "v1"), ("k2", "v2"), ("k3", "v3")] {
        old.json_or_empty(&format!("cache-manager.sh cache-set {key} {value}"), &small);
    }
    assert_eq!(
        old.call("cache-manager.sh cache-get k1", &small).stdout,
        "v1\n"
    );
    old.json_or_empty("cache-manager.sh cache-set k4 v4", &small);
    assert_eq!(old.call("cache-manager.sh cache-get k2", &small).stdout, "");
    assert_eq!(
        old.call("cache-manager.sh cache-get k1", &small).stdout,
        "v1\n"
    );
    let stats = old.json_with("cache-manager.sh stats --format json", &small);
    assert_eq!(stats["total_entries"], 3, "{stats}");
    assert!(stats["hit_rate"].as_f64().unwrap() > 0.5, "{stats}");
}

impl Old {
    fn json_or_empty(&self, line: &str, environment: &[(&str, &str)]) {
        let said = self.call(line, environment);
        assert_eq!(
            (said.code, said.stderr.as_str()),
            (0, ""),
            "{line}: {said:?}"
        );
    }
}

#[test]
fn graph_rag() {
    let old = Old::with_history(SERVER);
    let answer = old.json(
        "graph-rag.sh --query handleToolCall --format json --token-budget 400 --mock-embedding",
    );
    assert_eq!(answer["schema_version"], "1.0");
    let candidates = answer["candidates"].as_array().unwrap();
    assert!(!candidates.is_empty(), "{answer}");
    let tokens = candidates.iter().map(|c| c["tokens"].as_u64().unwrap());
    assert!(tokens.sum::<u64>() <= 400);
    let priorities: Vec<f64> = candidates
        .iter()
        .map(|c| c["priority"].as_f64().unwrap())
        .collect();
    assert!(priorities.windows(2).all(|p| p[0] >= p[1]) && priorities[0] <= 1.0);
    assert_eq!(answer["metadata"]["priority_weights"]["relevance"], 0.4);
    let empty = old.json("graph-rag.sh search handleToolCall --budget 0 --format json");
    assert_eq!(empty["candidates"], json!([]));
    for budget in ["-100", "many"] {
        let told = old.fails(&format!(
            "graph-rag.sh --query x --token-budget {budget} --format json"
        ));
        assert!(told.contains("invalid"), "{told}");
    }
}

#[test]
fn llm_rerank() {
    let old = Old::with_history(SERVER);
    let mock = (
        "LLM_MOCK_RESPONSE",
        "[{\"index\":1,\"score\":9,\"reason\":\"first\"},{\"index\":0,\"score\":2}]",
    );
    let ask =
        "graph-rag.sh --query handleToolCall --rerank --format json --mock-embedding --no-cache";
    let answer = old.json_with(ask, &[mock]);
    assert_eq!(answer["metadata"]["reranked"], true, "{answer}");
    assert_eq!(answer["metadata"]["fallback_reason"], Value::Null);
    assert_eq!(answer["candidates"][0]["llm_score"], 9.0);
    assert_eq!(answer["candidates"][0]["llm_reason"], "first");
    let off = old.json_with(&ask.replace("--rerank", "--no-rerank"), &[mock]);
    assert_eq!(off["metadata"]["fallback_reason"], "cli_disabled");
    let broken = old.json_with(ask, &[("LLM_MOCK_RESPONSE", "I cannot")]);
    assert_eq!(broken["metadata"]["fallback_reason"], "invalid_json");
    assert_eq!(
        old.json(ask)["metadata"]["fallback_reason"],
        "api_key_missing"
    );
    // A features file that switches it off overrides the flag.
    old.repo
        .write("off.yaml", "features:\n  llm_rerank:\n    enabled: false\n");
    let off = old.json_with(ask, &[mock, ("DEVBOOKS_FEATURE_CONFIG", "off.yaml")]);
    assert_eq!(off["metadata"]["fallback_reason"], "disabled", "{off}");
    // `--enable-all-features` overrides the file.
    let all = format!("{ask} --enable-all-features");
    let on = old.json_with(&all, &[mock, ("DEVBOOKS_FEATURE_CONFIG", "off.yaml")]);
    assert_eq!(on["metadata"]["reranked"], true, "{on}");
}

#[test]
fn subgraph_retrieval() {
    let old = Old::new(SERVER);
    let answer =
        old.json("graph-rag.sh --symbol handleToolCall --subgraph --depth 9 --format json");
    let nodes = answer["nodes"].as_array().unwrap();
    let has = |name: &str| nodes.iter().any(|n| n["symbol"] == name);
    assert!(
        has("handleToolCall") && has("lookup") && has("main"),
        "{answer}"
    );
    assert!(
        answer["edges"]
            .as_array()
            .unwrap()
            .iter()
            .any(|e| e["from"] == "main" && e["type"] == "calls")
    );
    assert_eq!(answer["metadata"]["depth"], 4);
    let text = old.text("graph-rag.sh --symbol handleToolCall --subgraph --format text");
    assert!(text.contains("main --calls--> handleToolCall"), "{text}");
    let unknown = old.json("graph-rag.sh --symbol no.such.thing --subgraph --format json");
    assert_eq!(unknown["nodes"], json!([]));
}

#[test]
fn impact_analyzer() {
    let old = by_hand();
    // The callers of D are affected, not the callees of A.
    let answer = old.json("impact-analyzer.sh analyze sym:func:D --depth 3 --format json");
    let nodes = answer["affected_nodes"].as_array().unwrap();
    let of: Vec<(&Value, &Value)> = nodes.iter().map(|n| (&n["id"], &n["confidence"])).collect();
    assert_eq!(
        of,
        [
            (&json!("sym:func:C"), &json!(0.8)),
            (&json!("sym:func:B"), &json!(0.64)),
            (&json!("sym:func:A"), &json!(0.512)),
        ]
    );
    let near = old.json("impact-analyzer.sh analyze sym:func:D --threshold 0.7");
    assert_eq!(near["affected_nodes"].as_array().unwrap().len(), 1);
    let drawn = old.text("impact-analyzer.sh analyze sym:func:D --format mermaid");
    assert!(drawn.contains("graph") && drawn.contains("-->"), "{drawn}");
    let none = old.json("impact-analyzer.sh analyze sym:func:none");
    assert_eq!(none["affected_nodes"], json!([]), "{none}");
    assert_eq!(none["message"], "symbol not found: sym:func:none");
    assert!(old.fails("impact-analyzer.sh analyze").contains("usage"));
    assert!(
        old.fails("graph-rag.sh --symbol= --subgraph")
            .contains("required")
    );
    for wrong in ["--depth -1", "--threshold 1.5"] {
        let told = old.fails(&format!("impact-analyzer.sh analyze sym:func:D {wrong}"));
        assert!(
            told.contains("invalid") || told.contains("Must be"),
            "{told}"
        );
    }
    let file = old.json("impact-analyzer.sh file src/c.ts --depth 2");
    assert!(file.to_string().contains("funcB"), "{file}");
}

#[test]
fn ast_delta() {
    let old = Old::with_history(SERVER);
    let answer = old.json("ast-delta.sh update src/tools.ts");
    assert!(
        answer["delta"].is_object() && answer["strategy"].is_string(),
        "{answer}"
    );
    old.json("ast-delta.sh update --force-rebuild");
    old.repo.write(
        "src/tools.ts",
        "export const TOOLS = ['a', 'b'];\nexport function more() {}\n",
    );
    let answer = old.json("ast-delta.sh batch --since HEAD");
    assert_eq!(answer["delta"]["added"], 1, "{answer}");
    old.fails("ast-delta.sh update no/such/file.ts");
    old.fails("ast-delta.sh");
    old.fails("ast-delta.sh explode");
}

#[test]
fn cod_visualizer() {
    let old = Old::with_history(SERVER);
    let drawn =
        old.text("cod-visualizer.sh generate --level 3 --format mermaid --include-hotspots");
    assert!(
        drawn.starts_with("graph ") && drawn.contains("-->"),
        "{drawn}"
    );
    let data = old.json("cod-visualizer.sh module src --format d3json --include-complexity");
    assert!(
        data["nodes"].is_array() && data["links"].is_array(),
        "{data}"
    );
    assert!(
        data["metadata"]["total_nodes"].is_u64() && data["metadata"]["generated_at"].is_string()
    );
    let wrong = old.json("cod-visualizer.sh generate --level 7 --format d3json");
    assert!(wrong["note"].to_string().contains("Invalid"), "{wrong}");
    assert!(
        old.fails("cod-visualizer.sh generate --format png")
            .to_lowercase()
            .contains("invalid")
    );
}

#[test]
fn overview_of_a_graph_by_hand() {
    let old = by_hand();
    let data = old.json("cod-visualizer.sh generate --level 3 --format d3json");
    let ids = data["nodes"].as_array().unwrap();
    assert_eq!(ids.len(), 4, "{data}");
    assert_eq!(data["links"].as_array().unwrap().len(), 3, "{data}");
    let drawn = old.text("cod-visualizer.sh generate --level 3 --format mermaid");
    assert!(drawn.contains("a.ts") && drawn.contains("-->"), "{drawn}");
    // Nodes may stand for folders.
    for name in ["lib", "src", "tests"] {
        old.json(&format!(
            "graph-store.sh add-node --id mod:{name} --symbol {name} --kind module --file {name}/"
        ));
    }
    old.json("graph-store.sh add-edge --source mod:tests --target mod:src --type IMPORTS");
    let drawn = old.text("cod-visualizer.sh generate --level 2 --include-hotspots");
    assert!(
        drawn.starts_with("graph TD") && drawn.contains("classDef hot"),
        "{drawn}"
    );
    for part in ["\"tests<br/>", "\"src<br/>", "\"lib<br/>", "-->"] {
        assert!(drawn.contains(part), "{part}: {drawn}");
    }
    let wrong = old.text("cod-visualizer.sh generate --level 9");
    assert!(wrong.contains("Invalid level: 9"), "{wrong}");
    old.repo.write("empty/.keep", "");
    let empty = old.json("cod-visualizer.sh module empty --format d3json");
    assert_eq!(empty["nodes"], json!([]), "{empty}");
    let outside = Repo::new("");
    let folder = outside.path().display().to_string();
    let empty = old.json(&format!(
        "cod-visualizer.sh module {folder} --format d3json"
    ));
    assert_eq!(
        (&empty["nodes"], &empty["links"]),
        (&json!([]), &json!([])),
        "{empty}"
    );
    let gone = old.fails(&format!("cod-visualizer.sh module {folder}/none"));
    assert!(gone.contains("not found"), "{gone}");
}

#[test]
fn intent_learner() {
    let old = Old::new("");
    let place = old.repo.file_path("history.json").display().to_string();
    let context = old.repo.file_path("context.json").display().to_string();
    let here = [
        ("INTENT_HISTORY_PATH", place.as_str()),
        ("CONVERSATION_CONTEXT_PATH", context.as_str()),
    ];
    for (symbol, action) in [("edit", "edit"), ("view", "view"), ("skip", "ignore")] {
        old.json_with(
            &format!("intent-learner.sh record {symbol} src/a.ts::{symbol} --action {action}"),
            &here,
        );
    }
    let stored: Value = serde_json::from_str(&fs::read_to_string(&place).unwrap()).unwrap();
    assert_eq!(stored["entries"][0]["symbol"], "edit");
    assert_eq!(stored["entries"][0]["symbol_id"], "src/a.ts::edit");
    assert_eq!(stored["entries"][2]["action"], "ignore");
    assert!(stored["entries"][0]["timestamp"].is_u64());
    let preferences = old.json_with(
        "intent-learner.sh get-preferences --top 10 --prefix src/",
        &here,
    );
    let scores: Vec<f64> = preferences
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["score"].as_f64().unwrap())
        .collect();
    assert_eq!(scores, [2.0, 1.0, 0.5]);
    assert_eq!(preferences[0]["symbol"], "edit");
    assert_eq!(preferences[0]["symbol_id"], "src/a.ts::edit");
    assert_ne!(
        old.call("intent-learner.sh record a b --action delete", &here)
            .code,
        0
    );
    fs::write(&place, "{").unwrap();
    old.json_with("intent-learner.sh record again src/b.ts::again", &here);
    for turn in 1..=11 {
        old.json_with(
            &format!("intent-learner.sh context save --query q{turn} --symbols src/a.ts::s{turn}"),
            &here,
        );
    }
    let loaded = old.json_with("intent-learner.sh context load", &here);
    let window = loaded["context_window"].as_array().unwrap();
    assert_eq!(window.len(), 10);
    assert_eq!(
        (&window[0]["turn"], &window[9]["query"]),
        (&json!(2), &json!("q11"))
    );
    assert!(!loaded["session_id"].as_str().unwrap().is_empty());
    let results =
        r#"[{"symbol":"src/x.ts::x","score":0.8},{"symbol":"src/a.ts::s11","score":0.6}]"#;
    let said = old.call_with(
        "intent-learner.sh",
        &["context", "apply-weight", "--results", results],
        &here,
    );
    let weighed: Value = serde_json::from_str(&said.stdout).unwrap();
    // 0.2 + 0.3 + 0.1 is more than half of the score.
    assert_eq!(
        weighed[0],
        json!({"symbol": "src/a.ts::s11", "score": 0.9, "original_score": 0.6, "context_boost": 0.3})
    );
}

#[test]
fn vuln_tracker() {
    let old = Old::new("//- package.json\n{\"name\": \"x\"}\n");
    old.repo.write("audit.json", r#"{"auditReportVersion": 2, "vulnerabilities": {
        "@scope/a": {"name": "@scope/a", "severity": "high", "via": [{"source": 1, "name": "@scope/a", "title": "bad", "severity": "high", "range": "<2"}], "range": "<2"},
        "b": {"name": "b", "dev": true, "severity": "critical", "via": [{"source": 2, "name": "b", "title": "worse", "severity": "critical", "range": "<3"}], "range": "<3"}}}"#);
    let answer = old.json("vuln-tracker.sh parse --input audit.json");
    assert_eq!(
        answer["total"], 1,
        "what is for development alone is left out: {answer}"
    );
    assert_eq!(answer["by_severity"]["high"], 1);
    assert!(answer["scan_time"].is_string());
    let all =
        old.json("vuln-tracker.sh parse --input audit.json --include-dev --severity critical");
    assert_eq!(all["total"], 1);
    assert_eq!(all["vulnerabilities"][0]["name"], "b");
    let table = old.text("vuln-tracker.sh parse --input audit.json --format md");
    assert!(table.contains('|') && table.contains("---"), "{table}");
    old.repo.write("bad.json", "{");
    assert!(
        old.fails("vuln-tracker.sh parse --input bad.json")
            .contains("error")
    );
}

#[test]
fn dependency_guard() {
    let old = Old::with_history(
        "//- src/a.ts\nimport { b } from './b';\nexport function a() { b(); }\n//- src/b.ts\nimport { a } from './a';\nexport function b() { a(); }\n",
    );
    let answer = old.json("dependency-guard.sh --cycles --scope src/** --format json");
    assert_eq!(answer["schema_version"], "1.0");
    assert_eq!(answer["summary"]["total_cycles"], 1, "{answer}");
    assert!(answer["cycles"][0]["path"].is_array());
    assert_eq!(answer["files_checked"], 2);
    let orphans = old.json("dependency-guard.sh --orphan-check --exclude src/b.ts --format json");
    assert!(
        orphans["orphans"].is_array() && orphans["summary"]["orphan_ratio"].is_number(),
        "{orphans}"
    );
    old.repo.write("rules.yaml", "rules:\n  - name: r\n    from: src/a.ts\n    cannot_import: [\"src/b.ts\"]\n    severity: error\n  - name: o\n    type: orphan-detection\nconfig:\n  ignore: [\"**/*.test.ts\"]\n");
    let answer = old.json("dependency-guard.sh --rules rules.yaml --format json");
    assert_eq!(answer["summary"]["total_violations"], 1, "{answer}");
    assert_eq!(answer["violations"][0]["rule"], "r");
    assert!(
        answer["violations"][0]["file"].is_string() && answer["violations"][0]["line"].is_u64()
    );
    assert!(
        answer["warnings"].to_string().contains("orphan-detection"),
        "{answer}"
    );
    let staged = old.json("dependency-guard.sh --pre-commit --with-deps --format json");
    assert_eq!(staged["files_checked"], 0, "{staged}");
}

#[test]
fn pattern_learner() {
    let mut text = String::from(
        "//- src/base.py\nclass Store:\n    def open_file(self, path):\n        return path\n    def close_file(self):\n        return None\n\nclass StoreError(Exception):\n    pass\n",
    );
    for name in ["user", "order", "item", "price"] {
        let class = format!("{}{}Store", name[..1].to_uppercase(), &name[1..]);
        text += &format!(
            "//- src/stores/{name}_store.py\nfrom src.base import Store, StoreError\n\nclass {class}(Store):\n    def load_all(self):\n        self.open_file('{name}')\n        try:\n            rows = list(self.rows)\n        except ValueError as err:\n            raise StoreError('{name}') from err\n        self.close_file()\n        return rows\n"
        );
    }
    let old = Old::with_history(&text);
    let answer =
        old.json("pattern-learner.sh learn --auto-discover --min-frequency 3 --format json");
    assert_eq!(answer["schema_version"], "1.0");
    assert!(
        !answer["patterns"].as_array().unwrap().is_empty(),
        "{answer}"
    );
    assert!(answer["patterns"][0]["pattern_id"].is_string());
    let file = ".devbooks/learned-patterns.json";
    let decayed = old.json(&format!("pattern-learner.sh decay --patterns-file {file} --eliminate-threshold 0.3 --daily --format json"));
    assert!(decayed.is_object());
    old.json("pattern-learner.sh --detect src --confidence-threshold 0.5 --format json");
    assert!(
        old.fails("pattern-learner.sh --nothing")
            .contains("unknown")
    );
}

#[test]
fn decay_of_patterns() {
    let old = Old::new("//- a.py\ndef a(): pass\n");
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap()
        .as_secs();
    let ten_days = now - 10 * 86_400;
    let pattern = |id: &str, confidence: f64| {
        json!({
            "pattern_id": id, "kind": "naming", "description": "d", "confidence": confidence,
            "last_confirmed": ten_days,
        })
    };
    let file = json!({"schema_version": "1.0", "patterns": [pattern("kept", 0.9), pattern("gone", 0.4)], "metadata": {}});
    old.repo.write("patterns.json", &file.to_string());
    let said = old.call("pattern-learner.sh decay --patterns-file patterns.json --eliminate-threshold 0.3 --format json", &[]);
    assert_eq!(said.code, 0, "{said:?}");
    let after: Value =
        serde_json::from_str(&fs::read_to_string(old.repo.file_path("patterns.json")).unwrap())
            .unwrap();
    let patterns = after["patterns"].as_array().unwrap();
    assert_eq!(patterns.len(), 1, "{after}");
    // 0.9 × 0.95^10
    let confidence = patterns[0]["confidence"].as_f64().unwrap();
    assert!((confidence - 0.539).abs() < 0.002, "{after}");
}

#[test]
fn bug_locator() {
    let old = Old::with_history(SERVER);
    let ask = ["--error", "TypeError in handleToolCall", "--format", "json"];
    let said = old.call_with("bug-locator.sh", &ask, &[]);
    let answer: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(answer["schema_version"], "1.0");
    assert_eq!(answer["candidates"][0]["file_path"], "src/server.ts");
    let ask = [
        "--error",
        "TypeError in handleToolCall",
        "--with-impact",
        "--impact-depth",
        "2",
    ];
    let said = old.call_with("bug-locator.sh", &ask, &[]);
    let list: Value = serde_json::from_str(&said.stdout).unwrap();
    let first = &list[0];
    assert!(
        first["impact"]["total_affected"].is_u64() && first["impact"]["affected_files"].is_array(),
        "{list}"
    );
    assert_eq!(first["original_score"], first["score"]);
    assert!(old.fails("bug-locator.sh").contains("usage"));
    assert!(old.fails("bug-locator.sh --wrong").contains("未知"));
    let help = old.text("bug-locator.sh --help");
    assert!(help.contains('5') && help.contains("30"), "{help}");
}

#[test]
fn hotspot_analyzer() {
    let old = Old::with_history(SERVER);
    let answer =
        old.json("hotspot-analyzer.sh --format json --top-n 3 --days 30 --weighted --coupling");
    assert_eq!(answer["schema_version"], "1.0");
    let first = &answer["hotspots"][0];
    assert_eq!(first["file"], "src/server.ts", "{answer}");
    for field in [
        "score",
        "frequency",
        "complexity",
        "churn",
        "churn_norm",
        "coupling",
        "age",
        "recency_factor",
    ] {
        assert!(first[field].is_number(), "{field}: {first}");
    }
    let number = |field: &str| first[field].as_f64().unwrap();
    let sum = 0.4 * number("churn_norm")
        + 0.3 * number("complexity_norm")
        + 0.2 * number("coupling")
        + 0.1 * number("age");
    assert!((sum - number("score")).abs() < 0.001, "{first}");
    for wrong in ["--top-n -1", "--top-n 0", "--days 0", "--days -1"] {
        let said = old.call(&format!("hotspot-analyzer.sh {wrong}"), &[]);
        assert!(said.code < 4, "{said:?}");
    }
    let empty = Old::new("");
    assert_eq!(
        empty.json("hotspot-analyzer.sh --format json")["hotspots"],
        json!([])
    );
}

#[test]
fn boundary_detector() {
    let old = Old::new("//- src/a.ts\nexport const a = 1;\n//- package.json\n{}\n");
    old.repo.write("config/boundaries.yaml", "rules:\n  - pattern: \"legacy/**\"\n    type: vendor\n    confidence: 0.9\n    reason: old\noverrides:\n  - pattern: \"legacy/own/**\"\n    type: user\n");
    for (path, kind) in [
        ("src/a.ts", "user"),
        ("node_modules/x/index.js", "library"),
        ("package.json", "config"),
        ("legacy/x.js", "library"),
        ("vendor/x/y.go", "library"),
        ("legacy/own/x.js", "user"),
        ("src/日本/ファイル.ts", "user"),
    ] {
        let answer = old.json(&format!("boundary-detector.sh --path {path} --format json"));
        assert_eq!(answer["type"], kind, "{path}: {answer}");
        assert_eq!(answer["schema_version"], "1.0");
        assert!(answer["confidence"].as_f64().unwrap() > 0.0 && answer["path"] == path);
    }
    old.fails("boundary-detector.sh --nothing");
    old.fails("boundary-detector.sh --path=");
}

#[test]
fn augment_context_global() {
    let old = Old::with_history(SERVER);
    old.repo
        .write(".devbooks/config.yaml", "root: dev-playbooks/\n");
    old.repo.write(
        "dev-playbooks/specs/_meta/project-profile.md",
        "# Profile\n- Node must be 18 or newer\n- Never write to tests/\n",
    );
    old.repo.write(
        "dev-playbooks/specs/architecture/c4.md",
        "# C4\n- server may depend on tools only\n",
    );
    let folder = old.repo.path().display().to_string();
    let mut child = Command::new(old.tools.file_path("augment-context-global.sh"))
        .args(["--format", "json"])
        .env("WORKING_DIRECTORY", &folder)
        .current_dir(old.repo.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let prompt = json!({"prompt": "fix the bug in handleToolCall"}).to_string();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(prompt.as_bytes())
        .unwrap();
    let done = child.wait_with_output().unwrap();
    assert!(done.status.success() && done.stderr.is_empty(), "{done:?}");
    let answer: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(answer["project_profile"]["name"], "shop");
    assert!(
        answer["project_profile"]["tech_stack"]
            .to_string()
            .contains("express")
    );
    assert!(
        answer["project_profile"]["key_constraints"]
            .to_string()
            .contains("Node must")
    );
    assert!(answer["current_state"]["branch"].is_string(), "{answer}");
    assert_eq!(answer["task_context"]["intent"], "debug");
    assert!(answer["recommended_tools"].is_array());
    assert!(
        answer["constraints"]["architectural"]
            .to_string()
            .contains("tools only")
    );
    assert!(
        answer["constraints"]["prohibitions"]
            .to_string()
            .contains("Never write")
    );
}

#[test]
fn the_other_names() {
    let old = Old::with_history(SERVER);
    let chain = old.json("call-chain-tracer.sh --symbol lookup --depth 3");
    assert_eq!(chain["target_symbol"], "lookup");
    let flow = old.json("call-chain.sh --symbol handleToolCall --trace-data-flow --format json");
    assert_eq!(flow["source"]["symbol"], "handleToolCall");
    assert_eq!(flow["direction"], "both");
    assert!(!flow["paths"].as_array().unwrap().is_empty(), "{flow}");
    assert!(
        old.fails("call-chain.sh --symbol x --data-flow --max-depth 0")
            .contains("depth")
    );
    assert!(old.json("complexity.sh src")["files"].is_array());
    assert!(
        old.text("ci-search handleToolCall --limit 2")
            .contains("src/server.ts")
    );
    assert_eq!(
        old.json("indexer.sh --force")["files"]
            .as_u64()
            .map(|n| n >= 2),
        Some(true)
    );
    assert_eq!(old.call("embedding.sh build --mock-embedding", &[]).code, 0);
    assert_eq!(old.call("devbooks-embedding.sh status", &[]).code, 0);
    old.repo
        .write("in.json", "[{\"file_path\": \"a\", \"snippet\": \"x\"}]");
    let ranked = old.json("context-reranker.sh --query x --input in.json");
    assert!(ranked["ranked_results"].is_array());
    assert!(old.json("graph-rag-context.sh --query lookup")["candidates"].is_array());
}
