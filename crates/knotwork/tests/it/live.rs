//! A long-running server with a changing tree: no answer is older than its query.

use crate::common::client::Client;
use crate::common::knotwork;
use serde_json::{Value, json};
use std::fs;
use std::time::{Duration, Instant};
use testkit::Repo;

const PROJECT: &str = "//- .gitignore
ignored/
//- src/a.py
from src.b import work

def start():
    work()
//- src/b.py
def work():
    pass
";

fn serve(repo: &Repo) -> Client {
    let mut client = Client::start(repo);
    client.initialize();
    client
}

/// The callers of `work`, and the state of the index.
fn callers(client: &mut Client) -> (Vec<String>, Value) {
    let (chain, failed) = client.call("ci_call_chain", json!({"symbol": "work", "depth": 1}));
    assert!(!failed, "{chain}");
    let callers = chain["paths"][0]["callers"].as_array().unwrap();
    let names = callers
        .iter()
        .map(|c| c["symbol_name"].as_str().unwrap().to_owned());
    (names.collect(), chain["index"].clone())
}

/// Waits until queries are answered without walking the tree, so that the watcher is under test.
fn settle(client: &mut Client) {
    let since = Instant::now();
    while since.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(50));
        let (_, index) = callers(client);
        if index["watched"] == true {
            return;
        }
    }
    panic!("the watch never stood");
}

#[test]
fn every_edit_before_a_question_is_in_its_answer() {
    let repo = Repo::new(PROJECT);
    let mut client = serve(&repo);
    assert_eq!(callers(&mut client).0, ["start"]);
    for round in 0..12 {
        let name = format!("start{round}");
        repo.write(
            "src/a.py",
            &format!("from src.b import work\n\ndef {name}():\n    work()\n"),
        );
        let (names, index) = callers(&mut client);
        assert_eq!(names, [name]);
        assert_eq!(
            (&index["fresh"], &index["reindexed_files"]),
            (&json!(true), &json!(1))
        );
        if round % 3 == 0 {
            settle(&mut client);
        }
    }
}

#[test]
fn folders_that_come_and_go_are_seen() {
    let repo = Repo::new(PROJECT);
    let mut client = serve(&repo);
    settle(&mut client);
    let body = "from src.b import work\n\ndef deep():\n    work()\n";
    repo.write("src/new/inner/c.py", body);
    assert_eq!(callers(&mut client).0, ["start", "deep"]);
    settle(&mut client);
    repo.write("src/new/inner/c.py", &body.replace("deep", "deeper"));
    assert_eq!(callers(&mut client).0, ["start", "deeper"]);
    settle(&mut client);
    fs::rename(repo.file_path("src/new"), repo.file_path("src/moved")).unwrap();
    let (chain, _) = client.call(
        "ci_call_chain",
        json!({"symbol": "deeper", "direction": "callees"}),
    );
    assert_eq!(chain["paths"][0]["file_path"], "src/moved/inner/c.py");
    settle(&mut client);
    fs::remove_dir_all(repo.file_path("src/moved")).unwrap();
    assert_eq!(callers(&mut client).0, ["start"]);
    settle(&mut client);
    repo.write("ignored/d.py", &body.replace("deep", "nobody"));
    assert_eq!(callers(&mut client).0, ["start"]);
    repo.write(".gitignore", "nothing/\n");
    assert_eq!(callers(&mut client).0, ["nobody", "start"]);
}

#[cfg(unix)]
#[test]
fn an_edit_through_a_hard_link_outside_is_in_the_next_answer() {
    let repo = Repo::new(PROJECT);
    let outside = tempfile::tempdir().unwrap();
    let other = outside.path().join("a");
    fs::hard_link(repo.file_path("src/a.py"), &other).unwrap();
    let mut client = serve(&repo);
    settle(&mut client);
    for name in ["begin", "launch"] {
        let text = format!("from src.b import work\n\ndef {name}():\n    work()\n");
        fs::write(&other, text).unwrap();
        assert_eq!(callers(&mut client).0, [name]);
        settle(&mut client);
    }
}

#[test]
fn a_commit_is_named_as_soon_as_it_is_made() {
    let repo = Repo::new(PROJECT);
    repo.commit_all();
    let head = |repo: &Repo| {
        let text = fs::read_to_string(repo.file_path(".git/logs/HEAD")).unwrap();
        let last = text.lines().last().unwrap().to_owned();
        last.split(' ').nth(1).unwrap().to_owned()
    };
    let mut client = serve(&repo);
    settle(&mut client);
    let first = head(&repo);
    assert_eq!(callers(&mut client).1["commit"], first);
    repo.write("README.md", "text\n");
    repo.commit_all();
    assert_ne!(head(&repo), first);
    let (_, index) = callers(&mut client);
    assert_eq!(
        (&index["commit"], &index["watched"]),
        (&json!(head(&repo)), &json!(true))
    );
}

#[test]
fn what_another_process_does_to_the_index_is_seen() {
    let repo = Repo::new(PROJECT);
    let mut client = serve(&repo);
    settle(&mut client);
    let node = [
        "--id", "x", "--symbol", "extra", "--kind", "function", "--file", "x.py",
    ];
    let mut add = vec!["graph-store", "add-node"];
    add.extend(node);
    assert_eq!(knotwork(&repo, &add).code, 0);
    let edge = ["graph-store", "add-edge", "--source", "x", "--target"];
    let (found, _) = client.call(
        "ci_graph_store",
        json!({"action": "find-symbol", "payload": {"symbol": "work"}}),
    );
    assert_eq!(found["index"]["fresh"], true);
    let id = found["items"][0]["id"].as_str().unwrap();
    let mut add = edge.to_vec();
    add.extend([id, "--type", "CALLS"]);
    assert_eq!(knotwork(&repo, &add).code, 0);
    assert_eq!(callers(&mut client).0.len(), 2);
    settle(&mut client);
    assert_eq!(knotwork(&repo, &["index", "--force"]).code, 0);
    assert_eq!(callers(&mut client).0.len(), 2);
    settle(&mut client);
    for name in ["graph.db", "graph.db-wal", "graph.db-shm"] {
        let _ = fs::remove_file(repo.file_path(".devbooks").join(name));
    }
    assert_eq!(callers(&mut client).0, ["start"]);
}

/// Files found for a query.
fn found(client: &mut Client, query: &str) -> Vec<String> {
    let (answer, failed) = client.call("ci_search", json!({"query": query, "mode": "keyword"}));
    assert!(!failed, "{answer}");
    let results = answer["results"].as_array().unwrap();
    let files = results
        .iter()
        .map(|r| r["file_path"].as_str().unwrap().to_owned());
    files.collect()
}

#[test]
fn searches_see_every_edit_of_sources_and_of_documents() {
    let repo = Repo::new(PROJECT);
    repo.write("docs/guide.md", "# Guide\n\nHow to bake bread.\n");
    let mut client = serve(&repo);
    settle(&mut client);
    assert_eq!(found(&mut client, "bake bread"), ["docs/guide.md"]);
    for round in 0..6 {
        let word = ["lantern", "quarry", "walrus", "teapot", "violin", "marble"][round];
        assert!(found(&mut client, word).is_empty(), "{word}");
        repo.write("docs/guide.md", &format!("# Guide\n\nAbout a {word}.\n"));
        assert_eq!(found(&mut client, word), ["docs/guide.md"], "round {round}");
        repo.write(
            "src/b.py",
            &format!("def work():\n    return '{word} of the source'\n"),
        );
        let both = found(&mut client, word);
        assert!(both.contains(&"src/b.py".to_owned()), "{both:?}");
        assert!(found(&mut client, "bake bread").is_empty());
        if round % 2 == 0 {
            settle(&mut client);
        }
    }
    fs::remove_file(repo.file_path("docs/guide.md")).unwrap();
    assert_eq!(found(&mut client, "marble"), ["src/b.py"]);
}

#[test]
fn files_without_a_grammar_are_counted_again_when_some_come_or_go() {
    let repo = Repo::new("//- a.rs\nfn a() {}\n//- b.tcl\nproc b {} {}\n");
    let mut client = Client::start(&repo);
    client.initialize();
    let mut notes = || {
        let find = json!({"action": "find-symbol", "payload": {"symbol": "a"}});
        let (found, failed) = client.call("ci_graph_store", find);
        assert!(!failed, "{found}");
        found["index"]["notes"].to_string()
    };
    for (wanted, change) in [
        ("1 file in tcl", 0),
        ("2 files in tcl", 1),
        ("1 file in tcl", 2),
    ] {
        match change {
            1 => repo.write("c.tcl", "proc c {} {}\n"),
            2 => std::fs::remove_file(repo.file_path("c.tcl")).unwrap(),
            _ => {}
        }
        // Later queries use the cached answer.
        for _ in 0..3 {
            let said = notes();
            assert!(said.contains(wanted), "{wanted} in {said}");
            std::thread::sleep(std::time::Duration::from_millis(300));
        }
    }
}
