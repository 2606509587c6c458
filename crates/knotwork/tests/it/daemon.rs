//! The daemon as its clients use it, with real processes and a real socket.

use crate::common::resident::{Resident, kill, lines_of, until};
use crate::common::{knotwork, knotwork_with};
use serde_json::{Value, json};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::sync::mpsc;
use std::time::{Duration, Instant};
use testkit::Repo;

const PROJECT: &str = "//- src/a.py
from src.b import work

def start():
    work()
//- src/b.py
def work():
    \"\"\"Does the work of the whole project.\"\"\"
    return helper()

def helper():
    return 1
//- shop/retry.py
class Backoff:
    \"\"\"How long to wait before a request is tried again.\"\"\"

    def delay(self, attempt):
        \"\"\"The pause in seconds: doubles with each attempt, up to a limit.\"\"\"
        return min(self.limit, self.base * 2 ** attempt)
//- shop/client.py
from shop.retry import Backoff


def send_order(order):
    \"\"\"Sends an order to the warehouse and waits between attempts.\"\"\"
    return Backoff().delay(1)
";

/// A prompt for which the hook has an answer.
const PROMPT: &str =
    "how long does the shop wait before a request to the warehouse is tried again?";

fn started(environment: &[(&str, &str)]) -> Resident {
    Resident::start(Repo::new(PROJECT), environment)
}

#[test]
fn a_daemon_follows_the_files_before_it_is_asked() {
    let daemon = Resident::new(Repo::new(PROJECT), &[]);
    assert_eq!(daemon.run(&["index"]).code, 0);
    let manifest = || std::fs::read_to_string(daemon.file("search/manifest.json")).unwrap();
    let before = manifest();
    assert_eq!(daemon.run(&["daemon", "start"]).code, 0);
    daemon
        .repo()
        .write("src/c.py", "def later():\n    return 2\n");
    until(|| manifest() != before);
}

#[test]
fn ct_dm_001_one_daemon_for_a_project() {
    let daemon = started(&[]);
    let pid = daemon.pid();
    let second = daemon.run(&["daemon", "start"]);
    assert_eq!(second.code, 1);
    let message = format!("Daemon already running (PID: {pid})");
    assert!(second.stderr.contains(&message), "{second:?}");
    let state = daemon.file("daemon.pid");
    assert_eq!(
        std::fs::read_to_string(&state).unwrap().trim(),
        pid.to_string()
    );
    let mode = daemon
        .file("daemon.sock")
        .metadata()
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let status = daemon.json(&["daemon", "status"]);
    assert_eq!(
        (&status["running"], &status["pid"]),
        (&json!(true), &json!(pid))
    );
    for key in ["uptime_seconds", "queue_size", "last_heartbeat"] {
        assert!(status[key].is_u64(), "{key}: {status}");
    }
    let stopped = daemon.run(&["daemon", "stop"]);
    assert_eq!(
        (stopped.code, stopped.stdout.trim()),
        (0, "Daemon stopped gracefully")
    );
    for name in [
        "daemon.pid",
        "daemon.sock",
        "daemon.heartbeat",
        "monitor.pid",
    ] {
        assert!(!daemon.file(name).exists(), "{name}");
    }
    assert_eq!(
        daemon.json(&["daemon", "status"]),
        json!({"running": false})
    );
}

#[test]
fn ct_dm_001_a_stale_pid_file_is_cleaned() {
    // The number of an ended process, of another program that has it now, and no number at all.
    for pid in ["4194304", &std::process::id().to_string(), "rubbish"] {
        let repo = Repo::new(PROJECT);
        repo.write(".devbooks/daemon.pid", pid);
        repo.write(".devbooks/daemon.sock", "");
        let daemon = Resident::new(repo, &[]);
        assert_eq!(
            daemon.json(&["daemon", "status"]),
            json!({"running": false})
        );
        let said = daemon.run(&["daemon", "start"]);
        assert_eq!(said.code, 0, "{said:?}");
        assert!(said.stderr.contains("Cleaning stale PID file"), "{said:?}");
        assert!(said.stdout.starts_with("Daemon started (PID: "), "{said:?}");
    }
}

#[test]
fn of_several_that_start_at_once_one_wins() {
    let daemon = Resident::new(Repo::new(PROJECT), &[]);
    let said: Vec<_> = std::thread::scope(|scope| {
        let starts: Vec<_> = (0..5)
            .map(|_| scope.spawn(|| daemon.run(&["daemon", "start"])))
            .collect();
        starts
            .into_iter()
            .map(|start| start.join().unwrap())
            .collect()
    });
    let won: Vec<_> = said.iter().filter(|said| said.code == 0).collect();
    assert_eq!(won.len(), 1, "{said:?}");
    let pid = daemon.pid();
    assert_eq!(won[0].stdout.trim(), format!("Daemon started (PID: {pid})"));
    for other in said.iter().filter(|said| said.code != 0) {
        assert_eq!(other.code, 1);
        assert!(
            other.stderr.contains("Daemon already running (PID: "),
            "{other:?}"
        );
    }
}

#[test]
fn ct_dm_002_the_eleventh_that_waits_is_told_at_once() {
    let daemon = started(&[("DAEMON_MOCK_DELAY_MS", "700")]);
    let write = json!({"action": "write", "payload": {"nodes": [], "edges": []}});
    let (tell, hear) = mpsc::channel();
    std::thread::scope(|scope| {
        for number in 0..12 {
            let (tell, daemon, write) = (tell.clone(), &daemon, &write);
            scope.spawn(move || {
                let since = Instant::now();
                let answer = daemon.ask(write);
                tell.send((number, answer, since.elapsed())).unwrap();
            });
            // The daemon works on the first request; the others wait in this order.
            let expected = (number as u64).min(10);
            until(|| {
                number == 11
                    || daemon.ask(&json!({"action": "ping"}))["data"]["queue_size"] == expected
            });
            if number == 11 {
                let (number, answer, took) = hear.recv().unwrap();
                assert_eq!(number, 11);
                assert_eq!(answer["status"], "busy");
                assert_eq!(answer["error_message"], "Request queue full");
                assert!(took < Duration::from_millis(500), "{took:?}");
                break;
            }
        }
        // The daemon is stopped, so that the test need not wait for all eleven.
        daemon.run(&["daemon", "stop"]);
    });
    let rest: Vec<Value> = hear.try_iter().map(|(_, answer, _)| answer).collect();
    assert!(
        rest.iter().any(|answer| answer["status"] == "ok"),
        "{rest:?}"
    );
    let refused = |a: &&Value| a["error_message"] == "the daemon is stopping";
    assert!(rest.iter().filter(refused).count() >= 8, "{rest:?}");
}

#[test]
fn ct_dm_003_requests_and_answers_are_json_lines() {
    let daemon = started(&[]);
    let ping = daemon.ask(&json!({"action": "ping", "timestamp": 5}));
    assert_eq!(
        (&ping["status"], &ping["data"]["pong"]),
        (&json!("ok"), &json!(true))
    );
    assert!(ping["latency_ms"].is_number());
    let node = |id: &str| json!({"id": id, "symbol": id, "kind": "function", "file_path": "x.py"});
    let edge = json!({"source": "one", "target": "two", "type": "CALLS"});
    let payload = json!({"nodes": [node("one"), node("two")], "edges": [edge]});
    let written = daemon.ask(&json!({"action": "write", "payload": payload}));
    assert_eq!(written["status"], "ok", "{written}");
    for key in ["query", "sql"] {
        let sql = "SELECT id, file_path FROM nodes WHERE id = ?1";
        let payload = json!({key: sql, "params": ["two"]});
        let found = daemon.ask(&json!({"action": "query", "payload": payload}));
        assert_eq!(
            found["data"],
            json!([{"id": "two", "file_path": "x.py"}]),
            "{found}"
        );
    }
    let bad = json!({"nodes": [], "edges": [{"source": "one", "target": "two", "type": "LIKES"}]});
    for (request, message) in [
        (
            json!({"action": "write", "payload": bad}),
            "Invalid edge type: LIKES",
        ),
        (
            json!({"action": "write", "payload": {"sql": "DELETE FROM nodes"}}),
            "refused",
        ),
        (
            json!({"action": "query", "payload": {"sql": "DELETE FROM nodes"}}),
            "only read-only statements",
        ),
        (json!({"action": "explode"}), "unknown action: explode"),
        (
            json!({"action": "search", "payload": {"limit": 5}}),
            "wrong payload",
        ),
        (json!({"payload": {}}), "invalid request"),
        (json!([1]), "invalid request"),
    ] {
        let answer = daemon.ask(&request);
        assert_eq!(answer["status"], "error", "{request}: {answer}");
        let said = answer["error_message"].as_str().unwrap();
        assert!(said.contains(message), "{request}: {said}");
    }
    let stats = daemon.ask(&json!({"action": "stats"}));
    assert_eq!(stats["data"]["graph_edge_count"], 1, "{stats}");
    assert!(
        stats["data"]["daemon_latency_ms"]["count"]
            .as_u64()
            .unwrap()
            >= 6
    );
    let text = daemon.run(&["daemon", "stats", "--prometheus"]).stdout;
    assert!(
        lines_of(&text).any(|line| line == "graph_node_count 2"),
        "{text}"
    );
}

#[test]
fn every_operation_is_an_action() {
    let daemon = started(&[]);
    let ask = |action: &str, payload: Value| {
        let answer = daemon.ask(&json!({"action": action, "payload": payload}));
        assert_eq!(answer["status"], "ok", "{action}: {answer}");
        answer["data"].clone()
    };
    assert_eq!(ask("index", json!({}))["files"], 4);
    assert_eq!(
        ask("search", json!({"query": "work"}))["results"][0]["symbol"],
        "work"
    );
    let chain = ask("call_chain", json!({"symbol": "work"}));
    assert_eq!(chain["paths"][0]["callers"][0]["symbol_name"], "start");
    assert!(ask("impact", json!({"symbol": "helper"}))["total_affected"].as_u64() >= Some(2));
    assert!(ask("graph-rag", json!({"query": "work"}))["candidates"].is_array());
    assert!(ask("hotspot", json!({}))["hotspots"].is_array());
    let drawn = ask("cod", json!({"level": 3}));
    assert!(drawn["diagram"].as_str().unwrap().starts_with("graph LR"));
    assert!(ask("complexity", json!({}))["total_functions"].as_u64() >= Some(3));
    let whose = ask("boundary", json!({"path": "vendor/a.py"}));
    assert_eq!(whose["type"], "vendor");
    let vuln = json!({"action": "parse", "report": "{\"auditReportVersion\": 2, \"vulnerabilities\": {}}"});
    assert_eq!(ask("vuln", vuln)["total"], 0);
    let found = ask(
        "graph-store",
        json!({"action": "find-symbol", "payload": {"symbol": "helper"}}),
    );
    assert_eq!(found[0]["file_path"], "src/b.py");
    assert_eq!(ask("index-status", json!({}))["exists"], true);
    assert_eq!(ask("embedding-status", json!({}))["exists"], true);
    assert_eq!(ask("cache-status", json!({}))["cleared"], false);
    assert_eq!(ask("cache-clear", json!({}))["cleared"], true);
    let context = ask("hook", json!({"prompt": PROMPT}))["additionalContext"].clone();
    assert!(context.as_str().unwrap().contains("Backoff"), "{context}");
    assert_eq!(ask("intent", json!({"action": "query"}))["success"], true);
    let ranked = ask(
        "rerank",
        json!({"query": "x", "candidates": ["a", "b"], "mock_llm": "[]"}),
    );
    assert_eq!(ranked["ranked_results"].as_array().unwrap().len(), 2);
    assert!(ask("config", json!({}))["values"].is_array() || ask("config", json!({})).is_object());
    let tool = json!({"name": "ci_search", "arguments": {"query": "work"}});
    assert!(
        ask("tool", tool)["text"]
            .as_str()
            .unwrap()
            .contains("src/b.py")
    );
    let warm = ask("warmup", json!({}));
    assert_eq!(warm["warmup_status"], "ok");
    assert!(warm["duration_ms"].is_u64() && warm["symbols_cached"].as_u64() > Some(0));
    assert!(ask("index-clear", json!({}))["removed"].is_array());
    assert_eq!(
        ask("search", json!({"query": "work"}))["results"][0]["symbol"],
        "work"
    );
}

/// AC-003, AC-N01, CT-DM-004: 100 queries to a warm daemon; the 95th percentile is within half a
/// second.
#[test]
fn ct_dm_004_ac_003_ac_n01_hot_requests_are_answered_soon() {
    let daemon = started(&[]);
    assert_eq!(daemon.run(&["daemon", "warmup"]).code, 0);
    let request = json!({"action": "search", "payload": {"query": "where is the work done"}});
    let mut client = daemon.connect();
    let mut times: Vec<Duration> = (0..100)
        .map(|_| {
            let since = Instant::now();
            let answer = client.ask(&request);
            assert_eq!(answer["status"], "ok", "{answer}");
            since.elapsed()
        })
        .collect();
    times.sort();
    assert!(times[94] <= Duration::from_millis(500), "{:?}", times[94]);
}

#[test]
fn a_crash_is_mended_three_times_and_then_no_more() {
    let daemon = started(&[("DAEMON_BACKOFF_MS", "20")]);
    let mut last = daemon.pid();
    for restart in 1..=3 {
        kill(last, "KILL");
        until(|| daemon.alive().is_some_and(|pid| pid != last));
        last = daemon.pid();
        let log = std::fs::read_to_string(daemon.file("daemon.log")).unwrap();
        assert!(log.contains(&format!("restart {restart} in")), "{log}");
        let pings = daemon.ask(&json!({"action": "ping"}));
        assert_eq!(pings["data"]["pid"], last);
    }
    kill(last, "KILL");
    until(|| daemon.json(&["daemon", "status"])["state"] == "FAILED");
    let status = daemon.json(&["daemon", "status"]);
    assert_eq!(status["running"], false, "{status}");
    assert!(!daemon.file("daemon.pid").exists() && !daemon.file("daemon.sock").exists());
    // The user may start it again.
    assert_eq!(daemon.run(&["daemon", "start"]).code, 0);
    assert_eq!(daemon.json(&["daemon", "status"])["state"], Value::Null);
}

#[test]
fn without_restarts_a_crash_is_the_end() {
    let repo = Repo::new(PROJECT);
    repo.write(
        "config/features.yaml",
        "features:\n  daemon:\n    auto_restart: false\n",
    );
    let daemon = Resident::start(repo, &[]);
    assert!(!daemon.file("monitor.pid").exists());
    kill(daemon.pid(), "KILL");
    until(|| daemon.json(&["daemon", "status"])["running"] == false);
    let again = daemon.run(&["daemon", "start"]);
    assert_eq!(again.code, 0, "{again:?}");
    assert!(
        again.stderr.contains("Cleaning stale PID file"),
        "{again:?}"
    );
}

#[test]
fn a_daemon_that_hangs_is_killed_and_started_again() {
    let daemon = started(&[
        ("DAEMON_BACKOFF_MS", "10"),
        ("DAEMON_SILENCE_MS", "600"),
        ("DAEMON_HEARTBEAT_MS", "100"),
    ]);
    let pid = daemon.pid();
    kill(pid, "STOP");
    // The monitor replaces the silent daemon, so another process answers.
    until(|| daemon.alive().is_some_and(|now| now != pid));
    let log = std::fs::read_to_string(daemon.file("daemon.log")).unwrap();
    assert!(log.contains("no heartbeat"), "{log}");
}

#[test]
fn a_daemon_that_crashes_while_it_is_stopped_is_not_started_again() {
    let daemon = started(&[("DAEMON_BACKOFF_MS", "10")]);
    let monitor = std::fs::read_to_string(daemon.file("monitor.pid")).unwrap();
    let pid = daemon.pid();
    // The stopped process cannot react to the signal to end.
    kill(pid, "STOP");
    kill(monitor.trim().parse().unwrap(), "TERM");
    std::thread::sleep(std::time::Duration::from_millis(100));
    kill(pid, "KILL");
    until(|| !daemon.file("monitor.pid").exists());
    let log = std::fs::read_to_string(daemon.file("daemon.log")).unwrap();
    assert!(!log.contains("restart"), "{log}");
}

#[test]
fn commands_do_the_work_themselves_where_the_daemon_does_not_answer() {
    let daemon = started(&[]);
    assert_eq!(daemon.run(&["search", "work"]).code, 0);
    kill(daemon.pid(), "STOP");
    let said = daemon.json(&["call-chain", "helper"]);
    assert_eq!(said["paths"][0]["callers"][0]["symbol_name"], "work");
    let hook = daemon.run(&["hook", "--prompt", PROMPT]);
    assert_eq!(hook.code, 0);
    assert!(hook.stdout.contains("shop/retry.py"), "{hook:?}");
    assert_eq!(daemon.json(&["daemon", "status"])["state"], "UNRESPONSIVE");
    let stopped = daemon.run(&["daemon", "stop"]);
    assert_eq!(stopped.code, 0, "{stopped:?}");
    assert!(stopped.stdout.contains("Daemon killed"), "{stopped:?}");
    assert_eq!(
        daemon.json(&["daemon", "status"]),
        json!({"running": false})
    );
}

#[test]
fn it_ends_when_nobody_asks_or_the_project_is_gone() {
    let idle = started(&[("DAEMON_IDLE_MS", "300")]);
    until(|| idle.json(&["daemon", "status"]) == json!({"running": false}));
    let log = std::fs::read_to_string(idle.file("daemon.log")).unwrap();
    assert!(log.contains("nobody asked anything"), "{log}");

    let orphan = started(&[]);
    let pid = orphan.pid();
    std::fs::remove_dir_all(orphan.repo().path()).unwrap();
    until(|| !orphan.is_process(pid));
}

#[test]
fn a_path_too_long_for_a_socket_is_no_hindrance() {
    let repo = Repo::new(PROJECT);
    let deep = repo.file_path(&format!("state/{}", "d".repeat(110)));
    let moved = deep.display().to_string();
    let daemon = Resident::start(repo, &[("DEVBOOKS_DIR", &moved)]);
    let pointer = std::fs::read_to_string(deep.join("daemon.sock")).unwrap();
    assert!(pointer.trim().len() < 100, "{pointer}");
    assert!(std::path::Path::new(pointer.trim()).exists());
    assert_eq!(daemon.run(&["daemon", "ping"]).code, 0);
    assert_eq!(daemon.run(&["daemon", "stop"]).code, 0);
    assert!(!deep.join("daemon.sock").exists());
    assert!(!std::path::Path::new(pointer.trim()).exists());
}

#[test]
fn daemon_sock_moves_the_socket() {
    let repo = Repo::new(PROJECT);
    let socket = repo.file_path("elsewhere.sock").display().to_string();
    let daemon = Resident::start(repo, &[("DAEMON_SOCK", &socket)]);
    assert!(std::path::Path::new(&socket).exists());
    assert!(!daemon.file("daemon.sock").exists());
    assert_eq!(daemon.run(&["daemon", "ping"]).code, 0);
}

#[test]
fn a_disabled_daemon_is_not_started() {
    let repo = Repo::new(PROJECT);
    repo.write(
        "config/features.yaml",
        "features:\n  daemon:\n    enabled: false\n",
    );
    let said = knotwork(&repo, &["daemon", "start"]);
    assert_eq!(said.code, 0);
    assert!(said.stderr.contains("features.daemon.enabled"), "{said:?}");
    let nobody = knotwork(&repo, &["daemon", "ping"]);
    assert_eq!(
        (nobody.code, nobody.stderr.contains("daemon is not running")),
        (1, true)
    );
    let stop = knotwork(&repo, &["daemon", "stop"]);
    assert_eq!(
        (stop.code, stop.stdout.trim()),
        (0, "Daemon is not running")
    );
}

#[test]
fn the_same_words_with_the_daemon_and_without() {
    let repo = Repo::new(PROJECT);
    repo.commit_all();
    assert_eq!(knotwork(&repo, &["index"]).code, 0);
    let all: &[&[&str]] = &[
        &["search", "where is the work done"],
        &["search", "helper", "--mode", "symbol", "--format", "json"],
        &["search", "nothing like this zzzqqq", "--mode", "symbol"],
        &["call-chain", "work", "--direction", "both"],
        &["call-chain", "work", "--format", "json"],
        &["call-chain", "wrok"],
        &["call-chain", "wrok", "--format", "json"],
        &["call-chain", "work", "--depth", "9"],
        &["impact", "helper", "--format", "md"],
        &["impact", "file", "src/b.py"],
        &["impact", "file", "/etc/passwd"],
        &["graph-rag", "who does the work", "--format", "md"],
        &["graph-store", "find-symbol", "work"],
        &[
            "graph-store",
            "query",
            "--sql",
            "SELECT count(*) FROM nodes",
        ],
        &["graph-store", "query", "--sql", "DROP TABLE nodes"],
        &["hotspot"],
        &["cod", "generate", "--level", "3"],
        &["cod", "module", "nowhere"],
        &["complexity", "--format", "json"],
        &["boundary", "--path", "src", "--batch"],
        &["vuln", "trace", "nothing"],
        &["call-chain", "work", "--trace-usage", "--format", "mermaid"],
        &["hook", "--prompt", PROMPT],
        &["hook", "--prompt", PROMPT, "--format", "json"],
        &["search", "work", "--format", "mermaid"],
    ];
    // A first round builds the index, and cached answers are removed.
    for arguments in all {
        knotwork(&repo, arguments);
    }
    knotwork(&repo, &["cache", "clear"]);
    let alone: Vec<_> = all
        .iter()
        .map(|arguments| knotwork(&repo, arguments))
        .collect();
    let daemon = Resident::start(repo, &[]);
    daemon.run(&["cache", "clear"]);
    for (arguments, alone) in all.iter().zip(alone) {
        let with = daemon.run(arguments);
        assert_eq!(
            (with.code, &with.stdout, &with.stderr),
            (alone.code, &alone.stdout, &alone.stderr),
            "{arguments:?}"
        );
    }
    let asked = daemon.ask(&json!({"action": "stats"}));
    let asked = asked["data"]["actions"]["command"]["count"]
        .as_u64()
        .unwrap();
    assert!(asked as usize >= all.len() - 1, "{asked} of {}", all.len());
}

#[test]
fn contexts_are_counted_whichever_door_gave_them() {
    let daemon = started(&[]);
    let counts = || {
        let stats = daemon.ask(&json!({"action": "stats"}))["data"].clone();
        (
            stats["hook_latency_ms"]["count"].as_u64().unwrap(),
            stats["relevance_score_avg"].as_f64().unwrap(),
        )
    };
    assert_eq!(counts(), (0, 0.0));
    assert_eq!(daemon.run(&["graph-rag", "who sends an order"]).code, 0);
    let (hooks, relevance) = counts();
    assert_eq!(hooks, 0);
    assert!(relevance > 0.0);
    assert_eq!(daemon.run(&["hook", "--prompt", PROMPT]).code, 0);
    assert_eq!(counts().0, 1);
    daemon.ask(&json!({"action": "hook", "payload": {"prompt": PROMPT}}));
    assert_eq!(counts().0, 2);
}

#[test]
fn paths_are_relative_to_where_the_caller_stands() {
    let daemon = started(&[]);
    let inside = daemon.run_in("src", &["impact", "file", "b.py"]);
    assert_eq!(inside.code, 0, "{inside:?}");
    assert!(inside.stdout.contains("start"), "{inside:?}");
    assert_eq!(daemon.asked("command"), 1);
}

#[test]
fn other_settings_are_no_matter_for_the_daemon() {
    let daemon = started(&[]);
    daemon.run(&["search", "work"]);
    assert_eq!(daemon.asked("command"), 1);
    let set = daemon.run(&["search", "work", "--set", "graph_rag.top_k=20"]);
    assert_eq!(set.code, 0);
    assert_eq!(daemon.asked("command"), 1);
    let variables = [("KNOTWORK_GRAPH_RAG_TOP_K", "20")];
    let said = knotwork_with(daemon.repo(), &variables, &["search", "work"]);
    assert_eq!(said.code, 0);
    let stats = daemon.ask(&json!({"action": "stats"}));
    assert_eq!(stats["data"]["actions"]["command"]["errors"], 1, "{stats}");
    // A configuration file is read again after a change.
    let config = ".devbooks/config.yaml";
    daemon
        .repo()
        .write(config, "features:\n  graph_store:\n    enabled: false\n");
    let found = daemon.json(&["graph-store", "find-symbol", "work"]);
    assert_eq!(found["status"], "disabled");
}

#[test]
fn an_edit_before_the_question_is_in_its_answer() {
    let daemon = started(&[]);
    daemon.run(&["daemon", "warmup"]);
    for round in 0..8 {
        let name = format!("begin{round}");
        let text = format!("from src.b import work\n\ndef {name}():\n    work()\n");
        daemon.repo().write("src/a.py", &text);
        daemon.repo().write(
            "notes.md",
            &format!("# Notes\n\nThe quokka numbered {round}.\n"),
        );
        let chain = daemon.ask(&json!({"action": "call-chain", "payload": {"symbol": "work"}}));
        let caller = &chain["data"]["paths"][0]["callers"][0]["symbol_name"];
        assert_eq!(caller, &json!(name), "{chain}");
        let query = json!({"query": "quokka numbered", "mode": "keyword"});
        let found = daemon.ask(&json!({"action": "search", "payload": query}));
        let snippet = found["data"]["results"][0]["snippet"].as_str().unwrap();
        assert!(snippet.contains(&format!("numbered {round}")), "{found}");
        if round % 3 == 0 {
            std::thread::sleep(Duration::from_millis(600));
        }
    }
}

#[test]
fn rubbish_is_answered_and_harms_nobody() {
    let daemon = started(&[("DAEMON_REQUEST_MS", "300")]);
    let mut client = daemon.connect();
    for line in [
        "{",
        "null",
        "\u{0}\u{1}",
        "[[[[[[[[",
        "{\"action\":{}}",
        "GET / HTTP/1.1",
    ] {
        let answer = client.ask_text(line);
        assert_eq!(answer["status"], "error", "{line}: {answer}");
    }
    let deep = format!("{{\"action\":\"query\",\"payload\":{}", "[".repeat(100_000));
    assert_eq!(client.ask_text(&deep)["status"], "error");
    assert_eq!(client.ask(&json!({"action": "ping"}))["status"], "ok");
    // A request that never ends, and one that is cut off.
    let mut slow = daemon.connect();
    slow.send(b"{\"action\":");
    let answer = slow.read().unwrap();
    assert!(
        answer["error_message"]
            .as_str()
            .unwrap()
            .contains("incomplete"),
        "{answer}"
    );
    assert!(slow.read().is_none());
    let mut half = daemon.connect();
    half.send(b"{\"action\":\"pi");
    half.close_writing();
    assert_eq!(half.read().unwrap()["status"], "error");
    // A client that has closed its sending side still gets its answer.
    let mut last = daemon.connect();
    last.send(b"{\"action\":\"search\",\"payload\":{\"query\":\"work\"}}");
    last.close_writing();
    assert_eq!(last.read().unwrap()["status"], "ok");
}

#[test]
fn an_enormous_request_is_cut_off() {
    let daemon = started(&[]);
    let mut client = daemon.connect();
    let part = vec![b'x'; 1 << 20];
    client.send(b"{\"action\":\"");
    for _ in 0..40 {
        if client.try_send(&part).is_err() {
            break;
        }
    }
    if let Some(answer) = client.read() {
        assert!(
            answer["error_message"]
                .as_str()
                .unwrap()
                .contains("too large"),
            "{answer}"
        );
    }
    assert_eq!(daemon.run(&["daemon", "ping"]).code, 0);
    let stats = daemon.ask(&json!({"action": "stats"}));
    assert_eq!(stats["data"]["malformed"], 1);
}

#[test]
fn a_client_that_never_reads_is_cut_off() {
    let daemon = started(&[("DAEMON_ANSWER_MS", "300")]);
    let mut client = daemon.connect();
    let mut many = Vec::new();
    for _ in 0..2_000 {
        many.extend_from_slice(b"{\"action\":\"stats\"}\n");
    }
    client.send(&many);
    until(|| daemon.ask(&json!({"action": "stats"}))["data"]["open_connections"] == 1);
    assert_eq!(daemon.run(&["daemon", "ping"]).code, 0);
}

#[test]
fn a_thousand_clients_at_once_are_served() {
    let daemon = started(&[]);
    daemon.run(&["daemon", "warmup"]);
    let mut clients: Vec<_> = (0..1_000).map(|_| daemon.connect()).collect();
    let request = json!({"action": "search", "payload": {"query": "work", "mode": "symbol"}});
    for client in &mut clients {
        client.send(format!("{request}\n").as_bytes());
    }
    let (mut answered, mut busy) = (0, 0);
    for client in &mut clients {
        let answer = client.read().expect("an answer");
        match answer["status"].as_str().unwrap() {
            "ok" => answered += 1,
            "busy" => busy += 1,
            other => panic!("{other}: {answer}"),
        }
    }
    assert_eq!(answered + busy, 1_000);
    assert!(answered >= 10, "{answered} answered, {busy} busy");
    for client in &mut clients {
        assert_eq!(client.ask(&json!({"action": "ping"}))["status"], "ok");
    }
}

#[test]
fn a_client_that_is_killed_takes_its_request_with_it() {
    let daemon = started(&[("DAEMON_MOCK_DELAY_MS", "60000")]);
    let mut waits = daemon.spawn(&["search", "work"]);
    let write = b"{\"action\":\"write\",\"payload\":{\"nodes\":[],\"edges\":[]}}\n";
    let mut works = daemon.connect();
    works.send(write);
    let mut queued = daemon.connect();
    queued.send(write);
    until(|| {
        let stats = daemon.ask(&json!({"action": "stats"}))["data"].clone();
        stats["queue_size"] == 1 && stats["working"] == 2
    });
    kill(waits.id(), "KILL");
    waits.wait().unwrap();
    drop((works, queued));
    until(|| {
        let stats = daemon.ask(&json!({"action": "stats"}))["data"].clone();
        stats["cancelled"] == 3 && stats["queue_size"] == 0 && stats["working"] == 0
    });
}

#[test]
fn a_kill_in_the_middle_of_writes_loses_nothing_that_was_answered() {
    let daemon = started(&[("DAEMON_BACKOFF_MS", "10")]);
    let mut told = 0;
    for round in 0..3 {
        let pid = daemon.pid();
        let mut client = daemon.connect();
        let killer = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(40 + 30 * round));
            kill(pid, "KILL");
        });
        loop {
            let id = format!("n{told}");
            let node = json!({"id": id, "symbol": id, "kind": "function", "file_path": "x.py"});
            let request = json!({"action": "write", "payload": {"nodes": [node], "edges": []}});
            let line = format!("{request}\n");
            let sent = client.try_send(line.as_bytes());
            match sent.ok().and_then(|()| client.read()) {
                Some(answer) if answer["status"] == "ok" => told += 1,
                _ => break,
            }
        }
        killer.join().unwrap();
        until(|| daemon.alive().is_some_and(|now| now != pid));
    }
    assert!(told > 0);
    let count = json!({"sql": "SELECT count(*) AS n FROM nodes WHERE file_path = 'x.py'"});
    let found = daemon.ask(&json!({"action": "query", "payload": count}));
    assert!(
        found["data"][0]["n"].as_u64() >= Some(told),
        "{told}: {found}"
    );
    let sound =
        daemon.ask(&json!({"action": "query", "payload": {"sql": "PRAGMA integrity_check"}}));
    let said = sound.to_string();
    assert!(said.contains("ok") || said.contains("refused"), "{said}");
    let _ = std::io::stderr().flush();
}
