//! `rerank` at the command line: off, mocked, with a local server, and with invalid input.

use crate::common::{knotwork, knotwork_with};
use serde_json::{Value, json};
use testkit::http::{Reply, Server};
use testkit::{CommandOutput, Repo};

const INPUT: &str = r#"{"candidates": [
  {"file_path": "a.py", "line_start": 1, "line_end": 2, "snippet": "def a(): pass", "distance": 1},
  {"file_path": "b.py", "line_start": 1, "line_end": 2, "snippet": "def b(): pass", "distance": 2}
]}"#;
const ANSWER: &str = "Sure:\n```json\n[{\"index\": 1, \"score\": 9, \"reason\": \"it is b\"}, {\"index\": 0, \"score\": 1}]\n```";

fn repo() -> Repo {
    let repo = Repo::new("//- .git/HEAD\nref\n//- a.py\ndef a(): pass\n");
    repo.write("input.json", INPUT);
    repo
}

/// A repository whose user has switched re-ranking on.
fn enabled() -> Repo {
    let repo = repo();
    repo.write(
        "no-configuration/knotwork/config.yaml",
        "features:\n  llm_rerank:\n    enabled: true\n",
    );
    repo
}

const ASK: [&str; 5] = ["rerank", "--query", "where is b", "--input", "input.json"];

fn answer(said: &CommandOutput) -> Value {
    assert_eq!(said.code, 0, "{said:?}");
    serde_json::from_str(&said.stdout).unwrap()
}

fn skipped(said: &CommandOutput) -> String {
    let answer = answer(said);
    assert_eq!(answer["metadata"]["reranked"], false);
    let files: Vec<&Value> = (0..2)
        .map(|i| &answer["ranked_results"][i]["file_path"])
        .collect();
    assert_eq!(files, ["a.py", "b.py"], "the order is kept");
    answer["metadata"]["skip_reason"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn ac_003_results_are_sorted_again() {
    let mut arguments = ASK.to_vec();
    arguments.extend(["--mock-llm", ANSWER]);
    let answer = answer(&knotwork(&repo(), &arguments));
    assert_eq!(
        answer["ranked_results"][0],
        json!({
            "index": 1, "original_rank": 2, "score": 9.0, "reason": "it is b", "file_path": "b.py",
            "line_start": 1, "line_end": 2, "snippet": "def b(): pass", "distance": 2
        })
    );
    assert_eq!(answer["metadata"]["reranked"], true);
    assert_eq!(answer["metadata"]["model"], "mock");
}

#[test]
fn ct_lr_001_off_unless_switched_on() {
    let seam = [("LLM_MOCK_RESPONSE", ANSWER)];
    assert_eq!(skipped(&knotwork_with(&repo(), &seam, &ASK)), "disabled");
    let off = repo();
    off.write(
        "config/features.yaml",
        "features:\n  llm_rerank:\n    enabled: false\n",
    );
    assert_eq!(skipped(&knotwork_with(&off, &seam, &ASK)), "disabled");
    // A flag does not override a file that switches the feature off, and the reason names the file.
    off.write("a.py", "def find_user(name):\n    return name\n");
    let ask = ["graph-rag", "find user", "--rerank", "--format", "json"];
    let context = answer(&knotwork_with(&off, &seam, &ask));
    assert_eq!(context["metadata"]["skip_reason"], "disabled");
    let why = context["metadata"]["skip_detail"].as_str().unwrap();
    assert!(why.contains("config/features.yaml:3"), "{why}");
    assert!(!context["candidates"].as_array().unwrap().is_empty());
    let on = answer(&knotwork_with(&enabled(), &seam, &ASK));
    assert_eq!(on["ranked_results"][0]["file_path"], "b.py");
}

#[test]
fn ct_lr_002_failures_keep_the_order() {
    let on = enabled();
    assert_eq!(skipped(&knotwork(&on, &ASK)), "api_key_missing");
    let slow = [("LLM_MOCK_RESPONSE", ANSWER), ("LLM_MOCK_DELAY_MS", "5000")];
    assert_eq!(skipped(&knotwork_with(&on, &slow, &ASK)), "timeout");
    let down = [("LLM_MOCK_RESPONSE", ANSWER), ("LLM_MOCK_FAIL_COUNT", "9")];
    assert_eq!(
        skipped(&knotwork_with(&on, &down, &ASK)),
        "max_retries_exceeded"
    );
    let prose = [("LLM_MOCK_RESPONSE", "I would rather not.")];
    assert_eq!(
        skipped(&knotwork_with(&on, &prose, &ASK)),
        "invalid_response"
    );
    let once = [("LLM_MOCK_RESPONSE", ANSWER), ("LLM_MOCK_FAIL_COUNT", "1")];
    let again = answer(&knotwork_with(&on, &once, &ASK));
    assert_eq!(again["metadata"]["attempts"], 2);
    assert_eq!(again["metadata"]["reranked"], true);
    on.write("input.json", "[]");
    let none = answer(&knotwork_with(&on, &once, &ASK));
    assert_eq!(none["metadata"]["skip_reason"], "no_candidates");
    assert_eq!(none["ranked_results"], json!([]));
}

#[test]
fn a_real_request_goes_where_it_is_configured_and_shows_no_key() {
    let server = Server::start(|_, _| {
        let answer =
            json!({"content": [{"type": "text", "text": ANSWER}], "stop_reason": "end_turn"});
        Reply::new(200, answer.to_string())
    });
    let url = server.url();
    let key = "sk-ant-0123456789abcdef";
    let environment = [
        ("ANTHROPIC_API_KEY", key),
        ("ANTHROPIC_BASE_URL", url.as_str()),
    ];
    let said = knotwork_with(&enabled(), &environment, &ASK);
    assert_eq!(answer(&said)["ranked_results"][0]["file_path"], "b.py");
    assert_eq!(server.requests()[0].header("x-api-key"), Some(key));
    let refusing = Server::start(move |_, _| {
        Reply::new(
            401,
            json!({"error": {"message": format!("bad key {key}")}}).to_string(),
        )
    });
    let url = refusing.url();
    let environment = [
        ("ANTHROPIC_API_KEY", key),
        ("ANTHROPIC_BASE_URL", url.as_str()),
        ("DEVBOOKS_DEBUG", "1"),
    ];
    let said = knotwork_with(&enabled(), &environment, &ASK);
    assert_eq!(skipped(&said), "api_key_missing");
    assert!(!format!("{said:?}").contains("0123456789"), "{said:?}");
}

#[test]
fn input_that_is_none_is_refused() {
    let repo = repo();
    for (text, says) in [
        ("", "no JSON"),
        ("{\"candidates\": 7}", "no list of results"),
        ("[{\"score\": 1}]", "candidate 0 has no text"),
    ] {
        repo.write("input.json", text);
        let said = knotwork(&repo, &ASK);
        assert_eq!(said.code, 1, "{said:?}");
        assert!(said.stderr.contains(says), "{said:?}");
    }
    let said = knotwork(&repo, &["rerank", "--query", "q", "--input", "gone.json"]);
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("cannot read gone.json"));
    repo.write("input.json", INPUT);
    let said = knotwork(&repo, &["rerank", "--query", " ", "--input", "input.json"]);
    assert_eq!(said.code, 1);
}

#[test]
fn the_address_of_one_provider_sends_nobody_to_the_public_one_of_another() {
    let mut arguments = vec!["--set", "reranker.provider=openai"];
    arguments.extend(["--set", "reranker.base_url=http://127.0.0.1:9"]);
    arguments.extend(ASK);
    arguments.extend(["--provider", "anthropic"]);
    let said = knotwork_with(
        &repo(),
        &[("ANTHROPIC_API_KEY", "sk-ant-0123456789")],
        &arguments,
    );
    skipped(&said);
    assert!(said.stdout.contains("ANTHROPIC_BASE_URL"), "{said:?}");
}
