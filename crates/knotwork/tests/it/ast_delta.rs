//! `ast-delta`: every interface reads changed files again.

use crate::common::client::Client;
use crate::common::{json, knotwork};
use serde_json::{Value, json};
use std::fs;
use testkit::Repo;

const PROJECT: &str = "//- src/a.py
from src.b import work

def start():
    work()
//- src/b.py
def work():
    pass

def other():
    return 1
";

fn delta(answer: &Value) -> (u64, u64, u64) {
    let of = |key: &str| answer["delta"][key].as_u64().unwrap();
    (of("added"), of("removed"), of("modified"))
}

/// The fields that the design names, with their types.
fn check_shape(answer: &Value) {
    let strategies = ["INCREMENTAL", "FULL_REBUILD", "FALLBACK"];
    let strategy = answer["strategy"].as_str().unwrap();
    assert!(strategies.contains(&strategy), "{answer}");
    assert!(answer["files_updated"].is_u64(), "{answer}");
    delta(answer);
    assert!(answer["latency_ms"].as_f64().unwrap() >= 0.0, "{answer}");
}

#[test]
fn ct_001_ast_delta_answers_as_the_design_has_it() {
    let repo = Repo::new(PROJECT);
    let first = json(&repo, &["ast-delta"]);
    check_shape(&first);
    assert_eq!(first["strategy"], "FULL_REBUILD");
    assert_eq!(delta(&first), (5, 0, 0), "two files and three functions");
    repo.write(
        "src/b.py",
        "def work():\n    return other()\n\ndef other():\n    return 1\n\ndef more(): pass\n",
    );
    let second = json(&repo, &["ast-delta", "src/b.py"]);
    check_shape(&second);
    assert_eq!(second["strategy"], "INCREMENTAL");
    assert_eq!(second["files_updated"], 1);
    // `work` calls another function now, and the file has more lines.
    assert_eq!(delta(&second), (1, 0, 2));
    let mut client = Client::start(&repo);
    client.initialize();
    repo.write("src/b.py", "def work():\n    pass\n");
    for arguments in [json!({"file": "src/b.py"}), json!({})] {
        let (answer, failed) = client.call("ci_ast_delta", arguments);
        assert!(!failed, "{answer}");
        check_shape(&answer);
        assert_eq!(answer["strategy"], "INCREMENTAL");
    }
}

#[test]
fn ct_002_ast_delta_takes_less_than_120_ms() {
    let repo = Repo::new(PROJECT);
    json(&repo, &["index"]);
    let mut client = Client::start(&repo);
    client.initialize();
    let mut best = f64::MAX;
    for round in 0..12 {
        repo.write("src/b.py", &format!("def work():\n    x = {round}\n"));
        let (answer, failed) = client.call("ci_ast_delta", json!({"file": "src/b.py"}));
        assert!(!failed, "{answer}");
        best = best.min(answer["latency_ms"].as_f64().unwrap());
    }
    assert!(best < 120.0, "{best} ms");
}

#[test]
fn what_was_lost_is_read_again_and_said() {
    let repo = Repo::new(PROJECT);
    json(&repo, &["index"]);
    fs::write(repo.file_path(".devbooks/ast-cache/facts.pack"), "damaged").unwrap();
    repo.write(
        "src/a.py",
        "from src.b import other\n\ndef begin():\n    other()\n",
    );
    let answer = json(&repo, &["ast-delta", "src/a.py"]);
    assert_eq!(answer["strategy"], "FALLBACK");
    assert!(
        answer["reason"].as_str().unwrap().contains("cache"),
        "{answer}"
    );
    let chain = json(&repo, &["call-chain", "--symbol", "other", "--depth", "1"]);
    assert_eq!(chain["paths"][0]["callers"][0]["symbol_name"], "begin");
    let again = json(&repo, &["ast-delta", "--force-rebuild"]);
    assert_eq!(again["strategy"], "FULL_REBUILD");
}

#[test]
fn content_decides_where_size_and_time_are_as_they_were() {
    let repo = Repo::new(PROJECT);
    json(&repo, &["index"]);
    let file = repo.file_path("src/b.py");
    let time = fs::metadata(&file).unwrap().modified().unwrap();
    let text = fs::read_to_string(&file).unwrap().replace("other", "three");
    fs::write(&file, text).unwrap();
    fs::File::options()
        .write(true)
        .open(&file)
        .unwrap()
        .set_modified(time)
        .unwrap();
    let answer = json(&repo, &["ast-delta", "src/b.py"]);
    assert_eq!(
        (&answer["files_updated"], delta(&answer)),
        (&json!(1), (1, 1, 0))
    );
}

#[test]
fn since_takes_what_git_says_and_refuses_what_it_does_not_know() {
    let repo = Repo::new(PROJECT);
    repo.commit_all();
    json(&repo, &["index"]);
    repo.write("src/c.py", "def third(): pass\n");
    let answer = json(&repo, &["ast-delta", "--since", "HEAD"]);
    assert_eq!(answer["files_updated"], 1);
    let said = knotwork(&repo, &["ast-delta", "--since", "nowhere"]);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(
        said.stderr.contains("unknown revision: nowhere"),
        "{said:?}"
    );
}

#[test]
fn paths_that_lead_outside_and_files_that_are_not_there_are_refused() {
    let repo = Repo::new(PROJECT);
    json(&repo, &["index"]);
    for (path, words) in [
        ("../other.py", "outside the project"),
        ("/etc/passwd", "outside the project"),
        ("src/none.py", "no such file"),
        ("src", "a folder"),
    ] {
        let said = knotwork(&repo, &["ast-delta", path]);
        assert_eq!(said.code, 1, "{path}: {said:?}");
        assert!(said.stderr.contains(words), "{path}: {said:?}");
    }
    fs::remove_file(repo.file_path("src/a.py")).unwrap();
    let answer = json(&repo, &["ast-delta", "src/a.py"]);
    assert_eq!((&answer["files_updated"], delta(&answer).1), (&json!(1), 2));
}

fn git(folder: &std::path::Path, arguments: &[&str]) {
    let who = [
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@t",
        "-c",
        "protocol.file.allow=always",
    ];
    let done = std::process::Command::new("git")
        .args(who)
        .args(arguments)
        .current_dir(folder)
        .output();
    let done = done.unwrap();
    assert!(done.status.success(), "{arguments:?}: {done:?}");
}

#[test]
fn what_changes_in_a_submodule_is_seen() {
    let library = Repo::new("//- lib.py\ndef helper():\n    return 1\n");
    library.commit_all();
    let repo = Repo::new(
        "//- app.py\nfrom vendor.lib import helper\n\ndef start():\n    return helper()\n",
    );
    repo.commit_all();
    let from = library.path().display().to_string();
    git(
        repo.path(),
        &["submodule", "--quiet", "add", &from, "vendor"],
    );
    git(repo.path(), &["commit", "-qam", "a submodule"]);
    let callers = |symbol: &str| {
        let chain = json(&repo, &["call-chain", "--symbol", symbol, "--depth", "1"]);
        chain["paths"][0]["callers"].as_array().unwrap().len()
    };
    json(&repo, &["index"]);
    assert_eq!(callers("helper"), 1);
    let text = "def helper():\n    return 1\n\ndef more():\n    return helper()\n";
    repo.write("vendor/lib.py", text);
    let answer = json(&repo, &["ast-delta", "--since", "HEAD"]);
    assert_eq!((&answer["files_updated"], delta(&answer).0), (&json!(1), 1));
    assert_eq!(callers("helper"), 2);
    // A pull brings another commit of the submodule.
    git(
        &repo.file_path("vendor"),
        &["checkout", "-q", "--force", "HEAD"],
    );
    let answer = json(&repo, &["ast-delta"]);
    assert_eq!((&answer["files_updated"], delta(&answer).1), (&json!(1), 1));
    assert_eq!(callers("helper"), 1);
    git(
        repo.path(),
        &["submodule", "--quiet", "deinit", "--force", "vendor"],
    );
    assert_eq!(json(&repo, &["ast-delta"])["files_updated"], 1);
    assert_eq!(json(&repo, &["index"])["files"], 1);
}
