//! `search --mode regex`: lines, mistakes in patterns, patterns that would never end.

use crate::common::client::Client;
use crate::common::{json, knotwork};
use serde_json::json;
use std::time::{Duration, Instant};
use testkit::Repo;

fn repo() -> Repo {
    Repo::new(
        "//- .git/HEAD\nref\n//- src/retry.py\nimport time\n\n\ndef retry_backoff(n):\n    time.sleep(n)\n//- src/Main.java\nclass Main { void retryBackoff() {} }\n//- tests/test_retry.py\ndef test_retry_backoff():\n    retry_backoff(1)\n//- notes.txt\nretry_backoff is slow\n",
    )
}

#[test]
fn results_are_lines_sources_first() {
    let found = json(&repo(), &["search", "--mode", "regex", r"retry_\w+\("]);
    assert_eq!(found["mode"], "regex");
    let first = &found["results"][0];
    assert_eq!(
        (
            &first["file_path"],
            &first["line_start"],
            &first["line_end"]
        ),
        (&json!("src/retry.py"), &json!(4), &json!(4))
    );
    assert_eq!(first["snippet"], "def retry_backoff(n):");
    assert_eq!(found["results"][1]["file_path"], "tests/test_retry.py");
    let below = json(
        &repo(),
        &["search", "-m", "regex", "retry", "--path", "tests"],
    );
    assert_eq!(below["total"], 2);
    let one = json(&repo(), &["search", "-m", "regex", "retry", "--limit", "1"]);
    assert_eq!(one["results"].as_array().unwrap().len(), 1);
    let none = json(&repo(), &["search", "-m", "regex", "nothing_like_this"]);
    assert_eq!(none["results"], json!([]));
    let capitals = json(&repo(), &["search", "-m", "regex", "retryB"]);
    assert_eq!(capitals["results"][0]["file_path"], "src/Main.java");
}

#[test]
fn a_mistake_is_shown_with_its_place() {
    for (pattern, says) in [
        ("retry(", "unclosed group, at character 6"),
        ("[z-a]", "at character 2"),
        ("*x", "at character 1"),
        ("(x{1000}){1000}", "grows too large"),
        (" ", "it is empty"),
    ] {
        let said = knotwork(&repo(), &["search", "--mode", "regex", "--", pattern]);
        assert_eq!(said.code, 1, "{pattern}: {said:?}");
        assert!(said.stderr.contains(says), "{pattern}: {said:?}");
    }
    let said = knotwork(&repo(), &["search", "-m", "regex", "x", "--kind", "class"]);
    assert_eq!(said.code, 1, "{said:?}");
}

#[test]
fn patterns_that_others_never_finish_are_finished() {
    let repo = repo();
    repo.write("src/long.py", &format!("x = '{}'\n", "a".repeat(200_000)));
    let since = Instant::now();
    for pattern in ["(a+)+$b", "(a|a)*ccc9", "(.*)*ddd9", "(a?){60}a{60}eee9"] {
        let found = json(&repo, &["search", "--mode", "regex", pattern]);
        assert_eq!(found["total"], 0, "{pattern}");
    }
    assert!(since.elapsed() < Duration::from_secs(50));
}

#[test]
fn over_mcp_as_well() {
    let repo = repo();
    let mut client = Client::start(&repo);
    client.initialize();
    let (found, failed) = client.call("ci_search", json!({"query": r"def \w+", "mode": "regex"}));
    assert!(!failed);
    assert_eq!(found["results"][0]["line_start"], 4);
    let (error, failed) = client.call("ci_search", json!({"query": "(", "mode": "regex"}));
    assert!(failed);
    assert!(
        error["error"]["message"]
            .as_str()
            .unwrap()
            .contains("at character 1")
    );
}
