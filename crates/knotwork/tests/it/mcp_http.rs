//! The MCP server over streamable HTTP, and features of both transports: presets, pages, progress.

use crate::common::client::Client;
use crate::common::{graph, knotwork};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use testkit::Repo;

struct Served {
    child: Child,
    address: String,
    token: Option<String>,
    session: Option<String>,
}

struct Answer {
    status: u16,
    session: Option<String>,
    body: String,
}

impl Served {
    fn start(repo: &Repo, arguments: &[&str]) -> Served {
        let mut command = Command::new(env!("CARGO_BIN_EXE_knotwork"));
        command
            .args(["mcp", "--http", "127.0.0.1:0"])
            .args(arguments)
            .current_dir(repo.path())
            .env_remove("DEVBOOKS_DIR")
            .env_remove("GRAPH_DB_PATH")
            .env_remove("GRAPH_BACKEND")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut first = lines.next().unwrap().unwrap();
        let is_seen = arguments.contains(&"--token");
        assert_eq!(first.contains("list of processes"), is_seen, "{first}");
        if is_seen {
            first = lines.next().unwrap().unwrap();
        }
        let address = first.strip_prefix("Listening on http://").unwrap();
        let address = address.strip_suffix("/mcp").unwrap().to_owned();
        let asks = !arguments.iter().any(|a| a.contains("token"));
        let token = asks.then(|| {
            let line = lines.next().unwrap().unwrap();
            line.strip_prefix("Token: ").unwrap().to_owned()
        });
        std::thread::spawn(move || lines.for_each(drop));
        Served {
            child,
            address,
            token,
            session: None,
        }
    }

    /// Posts a message with additional headers.
    fn post(&self, path: &str, headers: &[(&str, &str)], message: &Value) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        let body = message.to_string();
        let mut head = format!(
            "POST {path} HTTP/1.1\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: {}\r\nConnection: close\r\n",
            body.len()
        );
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head.push_str(&format!("Host: {}\r\n", self.address));
        }
        if let Some(session) = &self.session {
            head.push_str(&format!("Mcp-Session-Id: {session}\r\n"));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        write!(stream, "{head}\r\n{body}").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let session = head.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("mcp-session-id")
                .then(|| value.to_owned())
        });
        Answer {
            status: head.split(' ').nth(1).unwrap().parse().unwrap(),
            session,
            body: body.to_owned(),
        }
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.token.as_deref().unwrap_or("none"))
    }

    fn ask(&self, method: &str, params: Value) -> Value {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let bearer = self.bearer();
        let answer = self.post("/mcp", &[("Authorization", &bearer)], &message);
        assert_eq!(answer.status, 200, "{}", answer.body);
        let data = answer
            .body
            .lines()
            .filter_map(|line| line.strip_prefix("data: "));
        let mut messages = data.filter_map(|text| serde_json::from_str::<Value>(text).ok());
        messages
            .find(|message| message["id"] == 1)
            .unwrap_or_else(|| panic!("{}", answer.body))
    }

    fn begin(&mut self) -> Value {
        let message = initialize();
        let bearer = self.bearer();
        let answer = self.post("/mcp", &[("Authorization", &bearer)], &message);
        assert_eq!(answer.status, 200, "{}", answer.body);
        self.session = answer.session;
        assert!(self.session.is_some());
        let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let said = self.post("/mcp", &[("Authorization", &bearer)], &done);
        assert_eq!(said.status, 202);
        let data = answer
            .body
            .lines()
            .filter_map(|line| line.strip_prefix("data: "));
        data.filter_map(|text| serde_json::from_str::<Value>(text).ok())
            .next_back()
            .unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn initialize() -> Value {
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}
    }})
}

#[test]
fn tools_answer_over_http() {
    let repo = graph(&["a CALLS b", "b CALLS c"]);
    let mut served = Served::start(&repo, &[]);
    let hello = served.begin();
    assert_eq!(hello["result"]["serverInfo"]["name"], "knotwork");
    let tools = served.ask("tools/list", json!({}));
    assert!(tools["result"]["tools"].as_array().unwrap().len() >= 7);
    let call = json!({"name": "ci_impact", "arguments": {"symbol": "c"}});
    let answer = served.ask("tools/call", call);
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    let impact: Value = serde_json::from_str(text).unwrap();
    assert_eq!(impact["total_affected"], 2);
}

#[test]
fn strangers_are_sent_away() {
    let repo = graph(&["a CALLS b"]);
    let served = Served::start(&repo, &[]);
    let bearer = served.bearer();
    let wrong = format!("{bearer}0");
    let right = ("Authorization", bearer.as_str());
    for (headers, path, status) in [
        (&[][..], "/mcp", 401),
        (&[("Authorization", "Bearer ")], "/mcp", 401),
        (&[("Authorization", wrong.as_str())], "/mcp", 401),
        (&[("Authorization", "Basic Zm9v")], "/mcp", 401),
        (&[right, ("Origin", "https://evil.example")], "/mcp", 403),
        (&[right, ("Host", "evil.example")], "/mcp", 403),
        (&[right], "/elsewhere", 404),
        (&[right], "/mcp", 200),
        (&[right, ("Origin", "http://localhost:5173")], "/mcp", 200),
    ] {
        let answer = served.post(path, headers, &initialize());
        assert_eq!(answer.status, status, "{headers:?} {path}: {}", answer.body);
        assert!(status == 200 || !answer.body.contains("knotwork"));
    }
}

#[test]
fn a_token_of_one_s_own_or_none() {
    let repo = graph(&["a CALLS b"]);
    let mut own = Served::start(&repo, &["--token", "open sesame, please"]);
    assert_eq!(own.post("/mcp", &[], &initialize()).status, 401);
    own.token = Some("open sesame, please".to_owned());
    own.begin();
    let mut open = Served::start(&repo, &["--no-token"]);
    open.begin();
    let short = knotwork(&repo, &["mcp", "--http", "127.0.0.1:0", "--token", "x"]);
    assert_eq!(short.code, 1, "{short:?}");
    assert!(short.stderr.contains("could be guessed"), "{short:?}");
}

#[cfg(unix)]
#[test]
fn a_token_is_read_from_a_file_that_nobody_else_may_read() {
    let repo = graph(&["a CALLS b"]);
    repo.write("token", "a token from a file\n");
    let path = repo.file_path("token");
    let path = path.to_str().unwrap();
    let asked = ["mcp", "--http", "127.0.0.1:0", "--token-file", path];
    let close = |mode| {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    close(0o644);
    let said = knotwork(&repo, &asked);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.stderr.contains("others may read it"), "{said:?}");
    close(0o600);
    let mut file = Served::start(&repo, &["--token-file", path]);
    assert_eq!(file.post("/mcp", &[], &initialize()).status, 401);
    file.token = Some("a token from a file".to_owned());
    file.begin();
    repo.write("token", "\n");
    let said = knotwork(&repo, &asked);
    assert!(said.stderr.contains("its first line is empty"), "{said:?}");
}

#[test]
fn nobody_listens_to_other_machines_unasked() {
    let repo = graph(&["a CALLS b"]);
    let said = knotwork(&repo, &["mcp", "--http", "0.0.0.0:0"]);
    assert_eq!(said.code, 3, "{said:?}");
    assert!(
        said.stderr.contains("other machines would reach it"),
        "{said:?}"
    );
    let said = knotwork(
        &repo,
        &["mcp", "--http", "0.0.0.0:0", "--allow-remote", "--no-token"],
    );
    assert!(said.stderr.contains("without a token"), "{said:?}");
}

#[test]
fn the_tools_of_most_questions_are_listed_and_the_others_answered() {
    let repo = graph(&["a CALLS b"]);
    let mut client = Client::start(&repo);
    client.initialize();
    let tools = client.ask("tools/list", json!({}));
    let names: Vec<&str> = tools["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| t["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "ci_search",
            "ci_graph_rag",
            "ci_call_chain",
            "ci_impact",
            "search_solutions",
            "save_solution",
            "get_solution"
        ]
    );
    assert!(tools["result"].to_string().len() / 4 <= 1_000);
    let (answer, failed) = client.call("ci_index_status", json!({"action": "status"}));
    assert!(!failed, "{answer}");
}

#[test]
fn resources_and_prompts_are_there() {
    let repo = Repo::new("//- src/a b.py\ndef one():\n    two()\n\ndef two():\n    pass\n");
    let mut client = Client::start(&repo);
    client.initialize();
    let listed = client.ask("resources/list", json!({}));
    let listed = listed["result"]["resources"].as_array().unwrap().clone();
    assert_eq!(listed.len(), 2, "{listed:?}");
    for resource in listed {
        let read = client.ask("resources/read", json!({"uri": resource["uri"]}));
        let contents = &read["result"]["contents"][0];
        assert_eq!(contents["mimeType"], resource["mimeType"], "{read}");
        assert!(contents["text"].as_str().unwrap().len() > 20, "{read}");
    }
    let outline = json!({"uri": "knotwork://outline/src/a%20b.py"});
    let outline = client.ask("resources/read", outline);
    let text = outline["result"]["contents"][0]["text"].as_str().unwrap();
    assert!(text.contains("one") && text.contains("two"), "{outline}");
    for uri in ["knotwork://outline/nowhere.py", "file:///etc/passwd", "x"] {
        let refused = client.ask("resources/read", json!({ "uri": uri }));
        assert!(refused["error"]["message"].is_string(), "{refused}");
    }
    let listed = client.ask("prompts/list", json!({}));
    assert_eq!(listed["result"]["prompts"].as_array().unwrap().len(), 3);
    let locate = json!({"name": "locate-bug", "arguments": {"report": "E501 in one"}});
    let prompt = client.ask("prompts/get", locate);
    let text = prompt["result"]["messages"][0]["content"]["text"].as_str();
    assert!(text.unwrap().contains("E501 in one"), "{prompt}");
    let refused = client.ask("prompts/get", json!({"name": "locate-bug"}));
    assert!(refused["error"]["message"].is_string(), "{refused}");
}

#[test]
fn answers_are_structured_where_that_is_wanted() {
    let repo = graph(&["a CALLS b"]);
    let mut client = Client::start_with(&repo, &["--structured"]);
    client.initialize();
    let tools = client.ask("tools/list", json!({}));
    assert_eq!(
        tools["result"]["tools"][0]["outputSchema"]["type"],
        "object"
    );
    let call = json!({"name": "ci_call_chain", "arguments": {"symbol": "b"}});
    let answer = client.ask("tools/call", call)["result"].clone();
    assert!(
        answer["structuredContent"].to_string().contains("\"a\""),
        "{answer}"
    );
    let text = answer["content"][0]["text"].as_str().unwrap();
    assert!(text.len() < 400 && !text.starts_with('{'), "{text}");
    let call = json!({"name": "ci_call_chain", "arguments": {"symbol": "nobody"}});
    let failed = client.ask("tools/call", call)["result"].clone();
    assert!(
        failed["isError"] == true && failed.get("structuredContent").is_none(),
        "{failed}"
    );
}

#[test]
fn long_lists_come_in_pages() {
    let edges: Vec<String> = (0..300)
        .map(|n| format!("caller_number_{n:03} CALLS target"))
        .collect();
    let edges: Vec<&str> = edges.iter().map(String::as_str).collect();
    let repo = graph(&edges);
    let mut client = Client::start(&repo);
    client.initialize();
    for (tool, list, key, mut arguments) in [
        (
            "ci_search",
            "results",
            "symbol",
            json!({"query": "caller", "mode": "symbol", "limit": 300}),
        ),
        (
            "ci_impact",
            "affected",
            "symbol",
            json!({"symbol": "target", "limit": 1000}),
        ),
        (
            "ci_graph_store",
            "items",
            "source_id",
            json!({"action": "query-edges", "payload": {"to": "target"}}),
        ),
    ] {
        let (mut seen, mut pages) = (std::collections::BTreeSet::new(), 0);
        loop {
            let (text, failed) = client.call_text(tool, arguments.clone());
            assert!(!failed && text.len() / 4 < 2_000, "{tool}: {text}");
            let answer: Value = serde_json::from_str(&text).unwrap();
            for item in answer[list].as_array().unwrap() {
                if let Some(name) = item[key].as_str() {
                    assert!(seen.insert(name.to_owned()), "{tool}: {name} came twice");
                }
            }
            pages += 1;
            match answer.get("next_cursor") {
                Some(cursor) => arguments["cursor"] = cursor.clone(),
                None => break,
            }
        }
        assert!(pages > 1, "{tool}");
        assert_eq!(seen.len(), 300, "{tool}");
    }
}

#[test]
fn progress_is_told_while_an_index_is_built() {
    let files: Vec<String> = (0..40)
        .map(|n| format!("//- src/f{n}.py\ndef f{n}():\n    pass\n"))
        .collect();
    let repo = Repo::new(&files.concat());
    let mut client = Client::start(&repo);
    client.initialize();
    let params = json!({
        "name": "ci_index_status", "arguments": {"action": "build"}, "_meta": {"progressToken": "how far"},
    });
    let (answer, heard) = client.ask_hearing("tools/call", params);
    assert_eq!(answer["result"]["isError"], json!(false), "{answer}");
    let told: Vec<&Value> = heard
        .iter()
        .filter(|m| m["method"] == "notifications/progress")
        .collect();
    assert!(!told.is_empty(), "{heard:?}");
    let mut last = 0.0;
    for message in told {
        assert_eq!(message["params"]["progressToken"], "how far");
        let now = message["params"]["progress"].as_f64().unwrap();
        assert!(now > last, "{heard:?}");
        assert!(!message["params"]["message"].as_str().unwrap().is_empty());
        last = now;
    }
}

#[cfg(unix)]
#[test]
fn paths_of_tools_begin_where_the_client_stands() {
    use crate::common::resident::Resident;
    let daemon = Resident::start(
        Repo::new(
            "//- .git/HEAD\nref\n//- a.py\ndef one():\n    return 1\n\ndef two():\n    return one()\n//- sub/a.py\ndef other():\n    return 1\n",
        ),
        &[],
    );
    let mut client = Client::start_with(daemon.repo(), &["-C", "sub"]);
    client.initialize();
    let (answer, failed) = client.call("ci_complexity", json!({"path": "a.py"}));
    assert!(!failed, "{answer}");
    let text = answer.to_string();
    assert!(text.contains("other") && !text.contains("two"), "{text}");
    assert_eq!(daemon.asked("tool"), 1);
}

#[test]
fn a_daemon_answers_for_the_server() {
    #[cfg(unix)]
    {
        use crate::common::resident::Resident;
        let daemon = Resident::start(
            Repo::new("//- a.py\ndef one():\n    return two()\n\ndef two():\n    pass\n"),
            &[],
        );
        let mut client = Client::start(daemon.repo());
        client.initialize();
        let (chain, failed) = client.call("ci_call_chain", json!({"symbol": "two"}));
        assert!(!failed, "{chain}");
        assert_eq!(chain["paths"][0]["callers"][0]["symbol_name"], "one");
        let (wrong, failed) = client.call("ci_call_chain", json!({"symbol": "tow"}));
        assert!(
            failed && wrong["error"]["message"] == "symbol not found: tow",
            "{wrong}"
        );
        assert_eq!(daemon.asked("tool"), 2);
        assert_eq!(daemon.run(&["daemon", "stop"]).code, 0);
        let (chain, failed) = client.call("ci_call_chain", json!({"symbol": "two"}));
        assert!(!failed, "{chain}");
        assert_eq!(chain["paths"][0]["callers"][0]["symbol_name"], "one");
    }
}

#[cfg(unix)]
#[test]
fn what_is_cancelled_or_wanted_by_nobody_ends_at_the_daemon_too() {
    use crate::common::resident::{Resident, until};
    let repo = Repo::new("//- a.py\ndef work():\n    pass\n");
    let daemon = Resident::start(repo, &[("DAEMON_MOCK_DELAY_MS", "60000")]);
    let stands = |working: u64, cancelled: u64| {
        let stats = daemon.ask(&json!({"action": "stats"}))["data"].clone();
        stats["working"] == working && stats["cancelled"] == cancelled
    };
    let mut client = Client::start(daemon.repo());
    client.initialize();
    let question = || json!({"name": "ci_search", "arguments": {"query": "work"}});
    let id = client.begin("tools/call", question());
    until(|| stands(1, 0));
    client.tell(
        "notifications/cancelled",
        json!({"requestId": id, "reason": "no matter"}),
    );
    until(|| stands(0, 1));
    client.begin("tools/call", question());
    until(|| stands(1, 1));
    client.go_away();
    until(|| stands(0, 2));
}
