//! The MCP server as a client sees it: JSON-RPC lines on standard input and output.

use crate::common::client::Client;
use crate::common::graph;
use serde_json::json;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use testkit::Repo;

#[test]
fn the_server_introduces_itself_and_its_tools() {
    let repo = graph(&["a CALLS b"]);
    let mut client = Client::start_with(&repo, &["--preset", "full"]);
    let hello = client.initialize();
    assert_eq!(hello["result"]["serverInfo"]["name"], "knotwork");
    assert_eq!(hello["result"]["protocolVersion"], "2025-06-18");
    let tools = client.ask("tools/list", json!({}));
    let mut names: Vec<&str> = Vec::new();
    for tool in tools["result"]["tools"].as_array().unwrap() {
        names.push(tool["name"].as_str().unwrap());
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert!(tool["title"].is_string(), "{tool}");
        let writes = [
            "ci_federation",
            "ci_graph_store",
            "ci_index_status",
            "ci_intent",
            "ci_pattern",
            "save_solution",
        ];
        let reads = !writes.contains(names.last().unwrap());
        assert_eq!(tool["annotations"]["readOnlyHint"] == true, reads, "{tool}");
    }
    names.sort_unstable();
    let expected = [
        "ci_arch_check",
        "ci_ast_delta",
        "ci_boundary",
        "ci_bug_locate",
        "ci_call_chain",
        "ci_cod",
        "ci_complexity",
        "ci_federation",
        "ci_graph_rag",
        "ci_graph_store",
        "ci_hotspot",
        "ci_impact",
        "ci_index_status",
        "ci_intent",
        "ci_pattern",
        "ci_search",
        "ci_vuln",
        "get_solution",
        "list_tags",
        "save_solution",
        "search_solutions",
    ];
    assert_eq!(names, expected);
    assert!(tools["result"].to_string().len() / 4 < 3_000);
}

#[test]
fn a_line_that_is_no_json_gets_an_error_and_the_server_goes_on() {
    let repo = graph(&["a CALLS b"]);
    let mut client = Client::start(&repo);
    let refused = |client: &mut Client, line: &[u8]| {
        client.say(line);
        let said = client.hear();
        assert_eq!(said["error"]["code"], -32700, "{said}");
        assert_eq!(said.get("id"), Some(&serde_json::Value::Null), "{said}");
        assert_eq!(said["jsonrpc"], "2.0");
    };
    refused(&mut client, b"hello\n");
    client.initialize();
    for line in [
        &b"{\"jsonrpc\":\"2.0\",\"id\":7,\n"[..],
        b"\xff\xfe\n",
        b"]\n",
    ] {
        refused(&mut client, line);
    }
    // Nested deeper than any reader accepts.
    refused(&mut client, &[&b"[".repeat(5_000)[..], b"\n"].concat());
    // Valid JSON, but not a valid identifier of a request.
    for id in ["{\"a\":1}", "1.5", "[1]", "true"] {
        let line = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n");
        client.say(line.as_bytes());
        let said = client.hear();
        assert_eq!(said["error"]["code"], -32600, "{said}");
        assert_eq!(said.get("id"), Some(&serde_json::Value::Null), "{said}");
    }
    let (stats, failed) = client.call("ci_graph_store", json!({"action": "stats"}));
    assert!(!failed);
    assert_eq!(stats["edges_by_type"]["CALLS"], 1);
    // The last line needs no line end.
    client.say(b"bye");
    client.go_away();
    assert_eq!(client.hear()["error"]["code"], -32700);
}

#[test]
fn every_tool_answers() {
    let repo = graph(&["a CALLS b", "b CALLS c"]);
    let mut client = Client::start(&repo);
    client.initialize();
    let (chain, failed) = client.call("ci_call_chain", json!({"symbol": "c"}));
    assert!(!failed);
    assert_eq!(
        chain["paths"][0]["callers"][0]["callers"][0]["symbol_id"],
        "a"
    );
    assert_eq!(chain["index"]["fresh"], false);
    let (impact, _) = client.call("ci_impact", json!({"symbol": "c", "depth": 1}));
    assert_eq!(impact["affected"][0]["impact"], 0.8);
    let (drawn, _) = client.call_text("ci_impact", json!({"symbol": "c", "format": "mermaid"}));
    assert!(drawn.starts_with("graph RL"));
    let (found, _) = client.call("ci_search", json!({"query": "b"}));
    assert_eq!(found["results"][0]["symbol"], "b");
    let (stats, _) = client.call("ci_graph_store", json!({"action": "stats"}));
    assert_eq!(stats["edges_by_type"]["CALLS"], 2);
    let (status, _) = client.call("ci_index_status", json!({}));
    assert_eq!(status["exists"], true);
}

#[test]
fn what_is_written_is_seen_by_the_next_question() {
    let repo = graph(&["a CALLS b"]);
    let mut client = Client::start(&repo);
    client.initialize();
    assert_eq!(
        client.call("ci_impact", json!({"symbol": "b"})).0["total_affected"],
        1
    );
    let node = json!({"id": "z", "symbol": "z", "kind": "function", "file": "src/x.ts"});
    client.call(
        "ci_graph_store",
        json!({"action": "add_node", "payload": node}),
    );
    let edge = json!({"source": "z", "target": "b", "type": "CALLS"});
    let (added, failed) = client.call(
        "ci_graph_store",
        json!({"action": "add-edge", "payload": edge}),
    );
    assert!(!failed, "{added}");
    assert_eq!(
        client.call("ci_impact", json!({"symbol": "b"})).0["total_affected"],
        2
    );
}

#[test]
fn errors_are_tool_errors_with_a_hint() {
    let repo = graph(&["alpha CALLS beta"]);
    let mut client = Client::start(&repo);
    client.initialize();
    for (tool, arguments, message) in [
        (
            "ci_call_chain",
            json!({"symbol": "alpa"}),
            "symbol not found: alpa",
        ),
        (
            "ci_call_chain",
            json!({"symbol": "alpha", "depth": 9}),
            "invalid depth: 9",
        ),
        (
            "ci_impact",
            json!({"symbol": "../../etc/passwd", "file": true}),
            "path outside the project",
        ),
        ("ci_search", json!({}), "wrong arguments"),
        (
            "ci_search",
            json!({"query": "x", "path": "/etc"}),
            "path outside the project",
        ),
        (
            "ci_graph_store",
            json!({"action": "batch-import", "payload": {"file": "/etc/hostname"}}),
            "path outside the project",
        ),
        ("ci_graph_store", json!({"action": "explode"}), "explode"),
    ] {
        let (answer, failed) = client.call(tool, arguments.clone());
        assert!(failed, "{tool} {arguments}: {answer}");
        let said = answer["error"]["message"].as_str().unwrap();
        assert!(said.contains(message), "{tool} {arguments}: {said}");
    }
    let unknown = client.ask("tools/call", json!({"name": "ci_nothing", "arguments": {}}));
    assert!(
        unknown["error"]["message"]
            .as_str()
            .unwrap()
            .contains("unknown tool")
    );
}

#[test]
fn calls_of_older_clients_are_answered() {
    let repo = Repo::new(
        "//- src/tools.ts\nexport function run() {}\n//- src/main.ts\nimport { run } from './tools';\nrun();\n",
    );
    let mut client = Client::start(&repo);
    client.initialize();
    for (tool, arguments, warns) in [
        ("ci_complexity", json!({"format": "json"}), false),
        ("ci_hotspot", json!({"format": "json"}), false),
        (
            "ci_boundary",
            json!({"file": "src/tools.ts", "format": "json"}),
            false,
        ),
        (
            "ci_arch_check",
            json!({"path": "src", "format": "json"}),
            false,
        ),
        (
            "ci_ast_delta",
            json!({"action": "update", "file": "src/tools.ts"}),
            false,
        ),
        ("ci_cod", json!({"action": "generate", "level": 2}), false),
        ("ci_impact", json!({"file": "src/tools.ts"}), false),
        ("ci_impact", json!({"symbol": "run", "decay": 0.5}), false),
        (
            "ci_impact",
            json!({"action": "analyze", "symbol": "run"}),
            false,
        ),
        ("ci_intent", json!({"action": "cleanup", "days": 30}), false),
        (
            "ci_intent",
            json!({"action": "record", "query": "q", "symbols": ["run"], "colour": "red"}),
            true,
        ),
        (
            "ci_bug_locate",
            json!({"error": "run fails", "ranker": "design"}),
            false,
        ),
        ("ci_hotspot", json!({"ranker": "design"}), false),
        (
            "ci_federation",
            json!({"action": "search", "query": "run", "min_confidence": 0.5}),
            false,
        ),
        (
            "ci_federation",
            json!({"action": "query-virtual", "query": "run"}),
            false,
        ),
        ("ci_search", json!({"query": "run", "colour": "red"}), true),
    ] {
        let (answer, failed) = client.call_text(tool, arguments.clone());
        assert!(!failed, "{tool} {arguments}: {answer}");
        assert_eq!(
            answer.contains("is not known here"),
            warns,
            "{tool} {arguments}: {answer}"
        );
    }
    let (answer, _) = client.call("ci_impact", json!({"symbol": "run", "decay": 0.5}));
    assert_eq!(answer["affected"][0]["impact"], 0.5, "{answer}");
    let (answer, failed) = client.call_text("ci_complexity", json!({"format": "text"}));
    assert!(!failed && answer.contains("answers in JSON"), "{answer}");
    let (answer, failed) =
        client.call_text("ci_intent", json!({"action": "cleanup", "dry_run": true}));
    assert!(failed, "{answer}");
    let (answer, _) = client.call("ci_impact", json!({"file": "src/tools.ts"}));
    assert_eq!(
        answer["affected"][0]["file_path"], "src/main.ts",
        "{answer}"
    );
}

#[test]
fn answers_stay_within_2000_tokens() {
    let edges: Vec<String> = (0..300)
        .map(|n| format!("caller_number_{n:03} CALLS target"))
        .collect();
    let edges: Vec<&str> = edges.iter().map(String::as_str).collect();
    let repo = graph(&edges);
    let mut client = Client::start(&repo);
    client.initialize();
    for (tool, arguments) in [
        ("ci_call_chain", json!({"symbol": "target"})),
        ("ci_impact", json!({"symbol": "target"})),
        ("ci_impact", json!({"symbol": "target", "format": "md"})),
        (
            "ci_impact",
            json!({"symbol": "target", "format": "mermaid"}),
        ),
        (
            "ci_graph_store",
            json!({"action": "query-edges", "payload": {"to": "target"}}),
        ),
        ("ci_graph_store", json!({"action": "export"})),
        ("ci_search", json!({"query": "caller", "limit": 200})),
        ("ci_arch_check", json!({"orphan_check": true})),
    ] {
        let (text, failed) = client.call_text(tool, arguments.clone());
        assert!(!failed, "{tool}: {text}");
        assert!(
            text.len() / 4 < 2_000,
            "{tool} {arguments}: {} characters",
            text.len()
        );
    }
    // The rest comes on further pages, and each caller appears once.
    let (mut callers, mut cursor) = (Vec::new(), serde_json::Value::Null);
    loop {
        let arguments = json!({"symbol": "target", "cursor": cursor});
        let (page, _) = client.call("ci_call_chain", arguments);
        assert_eq!(page["total"], 300);
        let names = page["paths"][0]["callers"].as_array().unwrap().iter();
        callers.extend(names.map(|c| c["symbol_name"].as_str().unwrap().to_owned()));
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(callers.len(), 300);
    callers.sort();
    callers.dedup();
    assert_eq!(callers.len(), 300);
}

#[test]
fn a_client_that_does_not_read_is_not_read_either() {
    const PINGS: usize = 50_000;
    let repo = graph(&["a CALLS b"]);
    let mut client = Client::start(&repo);
    client.initialize();
    let mut input = client.take_input();
    let written = Arc::new(AtomicUsize::new(0));
    let count = written.clone();
    let writer = std::thread::spawn(move || {
        for id in 0..PINGS {
            let ping = json!({"jsonrpc": "2.0", "id": format!("p{id}"), "method": "ping"});
            writeln!(input, "{ping}").unwrap();
            count.store(id + 1, Ordering::SeqCst);
        }
        input
    });
    // Waits until the pipes are full and nothing moves.
    let mut before = usize::MAX;
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let now = written.load(Ordering::SeqCst);
        if now == before {
            break;
        }
        before = now;
    }
    assert!(before < PINGS, "all were taken, though no answer was read");
    // A client that reads late loses nothing.
    let mut heard: Vec<String> = (0..PINGS)
        .map(|_| client.hear()["id"].as_str().unwrap().to_owned())
        .collect();
    heard.sort_unstable();
    heard.dedup();
    assert_eq!(heard.len(), PINGS);
    drop(writer.join().unwrap());
}

#[test]
fn a_client_that_goes_away_ends_the_server() {
    let repo = Repo::new("//- .git/HEAD\nref\n");
    let mut client = Client::start(&repo);
    client.go_away();
    let since = Instant::now();
    while since.elapsed() < Duration::from_secs(5) {
        if let Ok(Some(status)) = client.ended() {
            assert!(status.success());
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("the server still runs");
}
