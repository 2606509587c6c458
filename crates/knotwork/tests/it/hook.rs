//! The prompt hook as Claude Code runs it: JSON on standard input, JSON on standard output.

use crate::common::{json, knotwork_with};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use testkit::Repo;

const SHOP: &str = "//- shop/retry.py
\"\"\"Retries with exponential back-off.\"\"\"


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


def cancel_order(order):
    return send_order(order)

//- shop/tax.py
def add_tax(price, rate):
    \"\"\"The price with value added tax.\"\"\"
    return price * (1 + rate)
";

/// A small repository under version control.
fn shop() -> Repo {
    let repo = Repo::new(SHOP);
    repo.commit_all();
    repo
}

struct Answer {
    value: Value,
    took: Duration,
}

/// Runs the hook on bytes; it must print JSON and succeed.
fn hook_on(repo: &Repo, arguments: &[&str], environment: &[(&str, &str)], input: &[u8]) -> Answer {
    let since = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_knotwork"))
        .arg("hook")
        .args(arguments)
        .current_dir(repo.path())
        .env("XDG_CONFIG_HOME", repo.file_path("no-configuration"))
        .env_remove("DEVBOOKS_DIR")
        .env_remove("FEATURES_CONFIG")
        .env_remove("OPENAI_API_KEY")
        .env_remove("AZURE_OPENAI_API_KEY")
        .env_remove("ANTHROPIC_API_KEY")
        .envs(environment.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A hook may answer without having read everything.
    let _ = child.stdin.take().unwrap().write_all(input);
    let said = child.wait_with_output().unwrap();
    let took = since.elapsed();
    let shown = String::from_utf8_lossy(&said.stdout).into_owned();
    assert_eq!(said.status.code(), Some(0), "{shown} {said:?}");
    let value = serde_json::from_str(&shown).unwrap_or_else(|e| panic!("{e}: {shown}"));
    Answer { value, took }
}

/// The input that Claude Code sends with a prompt.
fn prompt(repo: &Repo, text: &str) -> String {
    json!({
        "session_id": "0a1b2c3d", "transcript_path": "/Users/u/.claude/projects/shop/0a1b2c3d.jsonl",
        "cwd": repo.path(), "permission_mode": "default", "hook_event_name": "UserPromptSubmit", "prompt": text,
    })
    .to_string()
}

fn claude(repo: &Repo, text: &str) -> Value {
    hook_on(repo, &[], &[], prompt(repo, text).as_bytes()).value
}

/// The answer in the format of the design.
fn object(repo: &Repo, text: &str, environment: &[(&str, &str)]) -> Value {
    let input = prompt(repo, text);
    hook_on(repo, &["--format", "json"], environment, input.as_bytes()).value
}

const QUESTION: &str = "where is the pause between two attempts computed, and how does it double?";

#[test]
fn ct_001_the_hook_answers_in_claude_codes_shape_and_nothing_else() {
    let repo = shop();
    let said = claude(&repo, QUESTION);
    let keys: Vec<&String> = said.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["hookSpecificOutput"]);
    let inner = said["hookSpecificOutput"].as_object().unwrap();
    let mut keys: Vec<&String> = inner.keys().collect();
    keys.sort();
    assert_eq!(keys, ["additionalContext", "hookEventName"]);
    assert_eq!(inner["hookEventName"], "UserPromptSubmit");
    let text = inner["additionalContext"].as_str().unwrap();
    assert!(text.contains("shop/retry.py:"), "{text}");
    assert!(text.contains("self.base * 2 ** attempt"), "{text}");
    assert!(text.encode_utf16().count() < 10_000);
}

#[test]
fn ct_001_the_designs_object_has_its_fields() {
    let repo = shop();
    let said = object(&repo, "what does `send_order` do with its attempts?", &[]);
    assert!(
        said["additionalContext"]
            .as_str()
            .unwrap()
            .contains("send_order")
    );
    let context = &said["graphContext"];
    assert_eq!(context["schema_version"], "1.0");
    assert!(["graph-rag", "embedding", "keyword"].contains(&context["source"].as_str().unwrap()));
    assert!(context["token_count"].as_u64().unwrap() > 0);
    let first = &context["candidates"][0];
    assert_eq!(first["file_path"], "shop/client.py");
    assert!((0.0..=1.0).contains(&first["relevance_score"].as_f64().unwrap()));
    assert!(["keyword", "embedding", "graph"].contains(&first["source"].as_str().unwrap()));
    let chain = &said["callChain"];
    assert_eq!(chain["schema_version"], "1.0");
    assert_eq!(chain["target_symbol"], "send_order");
    assert_eq!(chain["cycle_detected"], false);
    assert_eq!(chain["cycle_at"], Value::Null);
    assert_eq!(
        chain["paths"][0]["callers"][0]["symbol_name"],
        "cancel_order"
    );
    // The built-in model needs no key, so there is no fallback.
    assert_eq!(said.get("fallback"), None);
    for key in said.as_object().unwrap().keys() {
        assert!(
            ["additionalContext", "graphContext", "callChain"].contains(&key.as_str()),
            "{key}"
        );
    }
}

#[test]
fn prompts_that_are_not_about_the_code_get_nothing() {
    let repo = shop();
    json(&repo, &["index"]);
    for text in [
        "thanks",
        "yes go on",
        "commit this",
        "ok, commit the tax change and push",
        "/compact",
        "what will the weather be like in Lisbon tomorrow?",
        "write a haiku about autumn leaves",
        "",
    ] {
        assert_eq!(claude(&repo, text), json!({}), "{text}");
    }
    assert!(object(&repo, "thanks", &[]) == json!({"additionalContext": ""}));
}

#[test]
fn ct_002_ac_006_without_a_key_words_answer_and_the_answer_says_so() {
    let repo = shop();
    let openai = [("KNOTWORK_EMBEDDING_PROVIDER", "openai")];
    let said = object(&repo, QUESTION, &openai);
    assert_eq!(
        said["fallback"],
        json!({"reason": "no_api_key", "degraded_to": "keyword"})
    );
    assert_eq!(said["graphContext"]["source"], "keyword");
    let text = said["additionalContext"].as_str().unwrap();
    assert!(text.contains("shop/retry.py"), "{text}");
    let seen = claude(&repo, QUESTION);
    assert!(
        seen["hookSpecificOutput"]["additionalContext"]
            .as_str()
            .is_some()
    );
}

#[test]
fn ct_003_ac_007_what_is_switched_off_is_not_in_the_answer() {
    let repo = shop();
    let said = object(&repo, QUESTION, &[]);
    assert!(said.get("graphContext").is_some());
    repo.write(
        ".devbooks/config.yaml",
        "graph_rag:\n  enabled: false\nreranker:\n  enabled: false\n",
    );
    let said = object(&repo, QUESTION, &[]);
    assert_eq!(said.get("graphContext"), None);
    assert!(
        said["additionalContext"]
            .as_str()
            .unwrap()
            .contains("shop/retry.py")
    );
    assert!(!said.to_string().contains("rerank"));
    repo.write(".devbooks/config.yaml", "hook:\n  enabled: false\n");
    assert_eq!(
        object(&repo, QUESTION, &[]),
        json!({"additionalContext": ""})
    );
}

#[test]
fn ac_008_a_late_answer_gives_way_to_words_and_says_so() {
    let repo = shop();
    json(&repo, &["index"]);
    // Another process holds the lock, and a file has changed, so a fresh answer would have to wait.
    repo.write(
        "shop/tax.py",
        "def add_tax(price, rate):\n    return price + rate\n",
    );
    let mut lock = std::fs::OpenOptions::new();
    let hold = |name: &str, lock: &mut std::fs::OpenOptions| {
        let file = lock
            .create(true)
            .write(true)
            .truncate(false)
            .open(repo.file_path(name))
            .unwrap();
        file.lock().unwrap();
        file
    };
    let _graph = hold(".devbooks/graph.db.lock", &mut lock);
    let _chunks = hold(".devbooks/search/index.lock", &mut lock);
    let limit = [("KNOTWORK_HOOK_TIMEOUT_MS", "900")];
    let input = prompt(&repo, QUESTION);
    let said = hook_on(&repo, &["--format", "json"], &limit, input.as_bytes());
    assert!(said.took < Duration::from_secs(3), "{:?}", said.took);
    assert_eq!(
        said.value["fallback"],
        json!({"reason": "timeout", "degraded_to": "keyword"})
    );
    assert_eq!(said.value["graphContext"]["source"], "keyword");
    let text = said.value["additionalContext"].as_str().unwrap();
    assert!(text.contains("shop/retry.py"), "{text}");
}

#[test]
fn ac_008_standard_input_that_never_ends_is_not_waited_for() {
    let repo = shop();
    let since = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_knotwork"))
        .arg("hook")
        .current_dir(repo.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let open = child.stdin.take();
    let said = child.wait_with_output().unwrap();
    drop(open);
    assert!(since.elapsed() < Duration::from_millis(4_000));
    assert!(said.status.success());
    assert_eq!(String::from_utf8_lossy(&said.stdout).trim(), "{}");
}

#[test]
fn rubbish_is_answered_with_nothing() {
    let repo = shop();
    let long = prompt(
        &repo,
        &"where is the pause ( computed \"' -- \\ ".repeat(3_000),
    );
    let deep = "[".repeat(200_000);
    let binary: Vec<u8> = (0..=255u8).cycle().take(100_000).collect();
    for input in [
        &b""[..],
        b"\n",
        b"{",
        b"null",
        b"where is it",
        b"{\"prompt\": null}",
        b"{\"prompt\": \"\\ud800\"}",
        b"{\"hook_event_name\": \"PreToolUse\", \"tool_name\": \"Grep\", \"tool_input\": 7}",
        b"{\"hook_event_name\": \"PostToolUse\"}",
        &binary,
        deep.as_bytes(),
    ] {
        let said = hook_on(&repo, &[], &[], input);
        assert_eq!(
            said.value,
            json!({}),
            "{}",
            String::from_utf8_lossy(&input[..input.len().min(80)])
        );
    }
    assert!(long.len() > 100_000);
    let said = hook_on(&repo, &[], &[], long.as_bytes());
    assert!(said.took < Duration::from_secs(3));
}

#[test]
fn hostile_prompts_are_words_like_others() {
    let repo = shop();
    json(&repo, &["index"]);
    for text in [
        "'; DROP TABLE nodes; -- pause attempts",
        "pause NEAR(\"attempt\" *) AND OR NOT (((",
        "(a+)+$ pause attempts (x*)*y",
        "pause \u{0}\u{7}\u{1b}[31m attempts \u{202e}",
        "../../../../etc/passwd pause attempts",
        "暂停 attempts 多久",
    ] {
        let said = claude(&repo, text);
        assert!(said.is_object(), "{text}");
    }
    let stats = json(&repo, &["graph-store", "stats"]);
    assert!(stats["nodes"].as_u64().unwrap() > 0);
}

#[test]
fn without_a_repository_nothing_is_said_and_nothing_is_written() {
    let repo = Repo::new(SHOP);
    assert_eq!(claude(&repo, QUESTION), json!({}));
    assert_eq!(
        object(&repo, QUESTION, &[])["fallback"],
        json!({"reason": "ckb_unavailable", "degraded_to": "keyword"})
    );
    assert!(!repo.file_path(".devbooks").exists());
}

#[test]
fn a_large_repository_is_not_indexed_while_somebody_waits() {
    let repo = shop();
    let mut header = b"DIRC\0\0\0\x02".to_vec();
    header.extend(90_000u32.to_be_bytes());
    std::fs::write(repo.file_path(".git/index"), header).unwrap();
    assert_eq!(claude(&repo, QUESTION), json!({}));
    assert!(!repo.file_path(".devbooks").exists());
    let start = json!({"hook_event_name": "SessionStart", "source": "startup", "cwd": repo.path()});
    let said = hook_on(&repo, &[], &[], start.to_string().as_bytes()).value;
    let text = said["hookSpecificOutput"]["additionalContext"]
        .as_str()
        .unwrap();
    assert!(text.contains("knotwork index"), "{text}");
}

#[test]
fn a_session_starts_with_a_line_about_the_graph() {
    let repo = shop();
    json(&repo, &["index"]);
    let event = |source: &str| {
        let input =
            json!({"hook_event_name": "SessionStart", "source": source, "cwd": repo.path()});
        hook_on(&repo, &[], &[], input.to_string().as_bytes()).value
    };
    let said = event("startup");
    assert_eq!(said["hookSpecificOutput"]["hookEventName"], "SessionStart");
    let text = said["hookSpecificOutput"]["additionalContext"]
        .as_str()
        .unwrap();
    assert!(text.contains("3 files"), "{text}");
    assert_eq!(event("resume"), json!({}));
}

#[test]
fn a_tool_that_searches_for_a_name_is_told_where_it_is() {
    let repo = shop();
    json(&repo, &["index"]);
    let before = |tool: &str, input: Value| {
        let event = json!({"hook_event_name": "PreToolUse", "cwd": repo.path(), "tool_name": tool, "tool_input": input});
        hook_on(&repo, &[], &[], event.to_string().as_bytes()).value
    };
    for (tool, input) in [
        ("Grep", json!({"pattern": "send_order"})),
        ("Grep", json!({"pattern": "no_such_name|(send_order)"})),
        (
            "Bash",
            json!({"command": "grep -rn 'def send_order' shop/"}),
        ),
    ] {
        let said = before(tool, input);
        assert_eq!(said["hookSpecificOutput"]["hookEventName"], "PreToolUse");
        assert_eq!(
            said["hookSpecificOutput"].as_object().unwrap().len(),
            2,
            "no decision is made"
        );
        let text = said["hookSpecificOutput"]["additionalContext"]
            .as_str()
            .unwrap();
        assert!(
            text.contains("`shop/client.py:4` (function `send_order`)"),
            "{text}"
        );
    }
    for (tool, input) in [
        ("Grep", json!({"pattern": "no_such_name"})),
        ("Grep", json!({"pattern": "FIRST|SECOND"})),
        ("Bash", json!({"command": "cargo test"})),
        ("Glob", json!({"pattern": "**/*.py"})),
        ("WebFetch", json!({"url": "https://example.org"})),
    ] {
        assert_eq!(before(tool, input.clone()), json!({}), "{input}");
    }
    // A position that has moved is not reported.
    repo.write("shop/client.py", "def other():\n    pass\n");
    assert_eq!(before("Grep", json!({"pattern": "send_order"})), json!({}));
}

#[test]
fn what_is_opened_and_edited_after_a_prompt_is_remembered() {
    let repo = shop();
    json(&repo, &["index"]);
    claude(&repo, QUESTION);
    let tool = |event: &str, tool: &str, input: Value| {
        let event = json!({"hook_event_name": event, "cwd": repo.path(), "tool_name": tool, "tool_input": input});
        hook_on(&repo, &[], &[], event.to_string().as_bytes());
    };
    let known = || {
        let found = json(&repo, &["intent", "query"]);
        let all = found["preferences"].as_array().unwrap().clone();
        all.into_iter()
            .map(|p| {
                (
                    p["symbol"].as_str().unwrap().to_owned(),
                    p["score"].as_f64().unwrap(),
                )
            })
            .collect::<Vec<_>>()
    };
    tool(
        "PreToolUse",
        "Read",
        json!({"file_path": repo.file_path("shop/retry.py")}),
    );
    let seen = known();
    assert!(
        seen.contains(&("shop/retry.py".to_owned(), 1.0)),
        "{seen:?}"
    );
    assert!(
        seen.iter()
            .all(|(symbol, _)| symbol.starts_with("shop/retry.py")),
        "{seen:?}"
    );
    tool(
        "PostToolUse",
        "Edit",
        json!({"file_path": repo.file_path("shop/tax.py"), "old_string": "x", "new_string": "return price * (1 + rate)"}),
    );
    assert!(
        known()
            .iter()
            .any(|(symbol, score)| symbol.starts_with("shop/tax.py") && *score == 2.0)
    );
    // The words of a prompt are private.
    let kept = std::fs::read_to_string(repo.file_path(".devbooks/intent-history.json")).unwrap();
    assert!(!kept.contains("pause between"), "{kept}");
}

#[test]
fn hooks_are_installed_into_settings_and_taken_out_again() {
    let repo =
        Repo::new("//- home/settings.json\n{\n    \"model\": \"opus\",\n    \"n\": 1.50\n}\n");
    let home = repo.file_path("home");
    let data = repo.file_path("data");
    let environment = [
        ("CLAUDE_CONFIG_DIR", home.to_str().unwrap()),
        ("XDG_DATA_HOME", data.to_str().unwrap()),
    ];
    let settings = || std::fs::read_to_string(repo.file_path("home/settings.json")).unwrap();
    let before = settings();
    let said = knotwork_with(&repo, &environment, &["hook", "install"]);
    assert_eq!(said.code, 0, "{said:?}");
    let installed = settings();
    let value: Value = serde_json::from_str(&installed).unwrap();
    let hook = &value["hooks"]["UserPromptSubmit"][0]["hooks"][0];
    assert_eq!(hook["type"], "command");
    assert!(
        hook["command"].as_str().unwrap().ends_with(" hook"),
        "{hook}"
    );
    assert!(
        value["hooks"]["PostToolUse"][0]["matcher"]
            .as_str()
            .unwrap()
            .contains("Edit")
    );
    assert!(installed.starts_with("{\n    \"model\": \"opus\",\n    \"n\": 1.50,"));
    assert_eq!(
        knotwork_with(&repo, &environment, &["hook", "install"]).code,
        0
    );
    assert_eq!(settings(), installed);
    assert_eq!(
        knotwork_with(&repo, &environment, &["hook", "uninstall"]).code,
        0
    );
    assert_eq!(settings(), before);
    assert_eq!(std::fs::read_dir(&home).unwrap().count(), 1);
    assert!(!data.exists(), "a trace");
}

#[test]
fn damaged_settings_are_left_alone() {
    let repo = Repo::new("//- home/settings.json\n{ // mine\n  \"model\" \"opus\",\n}\n");
    let home = repo.file_path("home");
    let data = repo.file_path("data");
    let environment = [
        ("CLAUDE_CONFIG_DIR", home.to_str().unwrap()),
        ("XDG_DATA_HOME", data.to_str().unwrap()),
    ];
    for what in ["install", "uninstall"] {
        let said = knotwork_with(&repo, &environment, &["hook", what]);
        assert_eq!(said.code, 1, "{said:?}");
        assert!(said.stderr.contains("settings.json is damaged"), "{said:?}");
        assert!(said.stderr.contains("nothing was written"), "{said:?}");
    }
    let text = std::fs::read_to_string(repo.file_path("home/settings.json")).unwrap();
    assert!(text.contains("// mine"));
    assert!(
        !repo
            .file_path("home/settings.json.knotwork-backup")
            .exists()
    );
}

#[test]
fn a_project_has_settings_of_its_own() {
    let repo = Repo::new("//- .git/HEAD\nref\n");
    let data = repo.file_path("data");
    let environment = [("XDG_DATA_HOME", data.to_str().unwrap())];
    let said = knotwork_with(&repo, &environment, &["hook", "install", "--project"]);
    assert_eq!(said.code, 0, "{said:?}");
    let text = std::fs::read_to_string(repo.file_path(".claude/settings.json")).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    let hook = &value["hooks"]["UserPromptSubmit"][0]["hooks"][0];
    assert_eq!(hook["command"], "knotwork hook");
    let said = knotwork_with(&repo, &environment, &["hook", "uninstall", "--project"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(!repo.file_path(".claude").exists() && !data.exists());
}
