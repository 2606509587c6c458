//! Answers report which parts of a project were not read.

use crate::common::{client::Client, json, knotwork};
use serde_json::json;
use testkit::Repo;

/// A program in three languages: one is read, one has syntax errors in part, one has no grammar.
const MIXED: &str = "//- src/app.py
def run():
    return step()

def step():
    return 1
//- src/broken.py
from src.app import step

def before():
    return step()

def bad(:
    !!!
//- tests/data_test.py
def bad(:
//- native/fast.nim
fast = 1
//- scripts/run.tcl
proc go {} { return 1 }
";

fn mixed() -> Repo {
    let repo = Repo::new(MIXED);
    repo.write(".gitignore", ".devbooks\n");
    repo.write("src/packed.js", &"a(1);".repeat(4_000));
    repo.commit_all();
    repo
}

#[test]
fn scripts_without_an_ending_are_read_by_their_first_line() {
    let repo = Repo::new(
        "//- lib.sh
log() {
  echo \"$1\"
}
//- bin/tool
#!/usr/bin/env bash
. lib.sh
start() {
  log hello
}
start
//- bin/report
#!/usr/bin/env python3
def total(rows):
    return sum(rows)

print(total([1]))
//- LICENSE
log is a word here.
",
    );
    let callers = json(&repo, &["call-chain", "log", "--direction", "callers"]).to_string();
    assert!(callers.contains("\"bin/tool\""), "{callers}");
    assert!(!callers.contains("LICENSE"), "{callers}");
    let callers = json(&repo, &["call-chain", "total", "--direction", "callers"]).to_string();
    assert!(callers.contains("\"bin/report\""), "{callers}");
    let measured = json(&repo, &["complexity"]).to_string();
    assert!(measured.contains("bin/report"), "{measured}");
    // An edit of the first line takes a script away, and brings one.
    repo.write(
        "bin/tool",
        "no script any more\nstart() {\n  log hello\n}\n",
    );
    repo.write("LICENSE", "#!/bin/sh\n. ./lib.sh\nshow() {\n  log it\n}\n");
    let callers = json(&repo, &["call-chain", "log", "--direction", "callers"]).to_string();
    assert!(!callers.contains("\"bin/tool\""), "{callers}");
    assert!(callers.contains("\"LICENSE\""), "{callers}");
}

#[test]
fn index_and_its_status_name_what_is_not_read() {
    let repo = mixed();
    let said = knotwork(&repo, &["index"]).stdout;
    for part in [
        "as text: nim 1, tcl 1",
        "2 files with syntax errors",
        "passed over: minified 1",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
    let status = json(&repo, &["index", "status"]);
    assert_eq!(
        status["syntax_error_files"],
        json!(["src/broken.py", "tests/data_test.py"])
    );
    let text = knotwork(&repo, &["index", "status"]).stdout;
    assert!(text.contains("          src/broken.py\n"), "{text}");
}

#[test]
fn answers_about_the_whole_do_not_count_what_tests_hold() {
    let repo = mixed();
    for command in ["complexity", "hotspot", "arch-check"] {
        let said = knotwork(&repo, &[command]).stderr;
        assert!(
            said.contains("1 file in nim, 1 file in tcl, 1 skipped file not in the graph")
                && said.contains("parts of 1 file with syntax errors"),
            "{command}: {said}"
        );
    }
}

#[test]
fn a_change_that_is_not_in_the_graph_comes_first() {
    let repo = mixed();
    repo.write("native/fast.nim", "fast = 2\n");
    let said = knotwork(&repo, &["impact", "--since", "HEAD"]).stdout;
    assert!(
        said.starts_with(
            "Not known is what these affect: native/fast.nim (no grammar for nim)\n\
             0 symbols affected by the rest of what differs from HEAD"
        ),
        "{said}"
    );
    let answer = json(&repo, &["impact", "--since", "HEAD"]);
    assert_eq!(
        answer["diff"]["not_in_graph"],
        json!({"native/fast.nim": "no grammar for nim"})
    );
    let said = knotwork(&repo, &["impact", "src/broken.py"]).stderr;
    assert!(said.contains("src/broken.py has syntax errors"), "{said}");
    for (path, reason) in [
        ("native/fast.nim", "no grammar for nim"),
        ("src/packed.js", "minified"),
    ] {
        let said = knotwork(&repo, &["ast-delta", path]).stderr;
        let note = format!("{path} is not in the graph: {reason}");
        assert!(said.contains(&note), "{said}");
    }
}

#[test]
fn a_language_without_calls_is_said_where_edges_are_asked_for() {
    let repo = Repo::new("//- a.py\ndef f(): pass\n//- b.dart\nint g() {\n  return 1;\n}\n");
    repo.write(".gitignore", ".devbooks\n");
    repo.commit_all();
    for ask in [
        &["arch-check"][..],
        &["cod", "generate"],
        &["graph-store", "find-orphans"],
    ] {
        let said = knotwork(&repo, ask).stderr;
        assert!(
            said.contains("calls and imports of 1 file in dart are not read"),
            "{said}"
        );
    }
    repo.write("b.dart", "int g() {\n  return 2;\n}\n");
    let said = knotwork(&repo, &["impact", "--since", "HEAD"]).stdout;
    assert!(
        said.starts_with("Not known is what these affect: b.dart (calls of dart are not read)\n"),
        "{said}"
    );
}

#[test]
fn a_search_that_finds_nothing_says_what_it_did_not_look_into() {
    let repo = mixed();
    let said = knotwork(&repo, &["search", "xyzzy frobnicate"]).stderr;
    assert!(said.contains("1 skipped file not searched"), "{said}");
}

#[test]
fn a_path_is_told_from_a_symbol() {
    let repo = mixed();
    for (argument, message) in [
        ("../other/expire.c", "path outside the project"),
        ("m.c", "file or symbol not found: m.c"),
        ("native/fast.nim", "no grammar for nim"),
    ] {
        let said = knotwork(&repo, &["impact", argument]);
        assert_eq!(said.code, 1);
        assert!(said.stderr.contains(message), "{argument}: {said:?}");
    }
}

#[test]
fn an_impact_over_mcp_names_every_symbol() {
    let mut text = String::from(
        "//- src/root.py\ndef root():\n    return 1\n//- src/many.py\nfrom src.root import root\n",
    );
    for n in 0..40 {
        text.push_str(&format!("\ndef user_{n:02}():\n    return root()\n"));
    }
    let repo = Repo::new(&text);
    let mut client = Client::start(&repo);
    client.initialize();
    let (mut named, mut cursor) = (Vec::new(), None);
    loop {
        let mut arguments = json!({"symbol": "root"});
        if let Some(cursor) = cursor {
            arguments["cursor"] = cursor;
        }
        let (page, failed) = client.call("ci_impact", arguments);
        assert!(!failed, "{page}");
        for entry in page["affected"].as_array().into_iter().flatten() {
            let members = entry["such_as"].as_array().into_iter().flatten();
            named.extend(members.filter_map(|name| name.as_str().map(str::to_owned)));
        }
        cursor = page.get("next_cursor").cloned();
        if cursor.is_none() {
            break;
        }
    }
    named.sort();
    named.dedup();
    assert_eq!(named.len(), 40, "{named:?}");
}

#[test]
fn limits_have_one_name_and_leave_the_counts() {
    let repo = Repo::new(
        "//- src/main.py\ndef _one():\n    return 1\n\ndef _two():\n    return 2\n\ndef outer():\n    def inside():\n        return 1\n    return inside()\n\nprint(outer())\n",
    );
    let all = json(&repo, &["arch-check", "--orphan-check"]);
    assert_eq!(all["summary"]["orphan_count"], 2, "{all}");
    let first = json(&repo, &["arch-check", "--orphan-check", "-n", "1"]);
    assert_eq!(first["orphans"].as_array().unwrap().len(), 1);
    assert_eq!(first["summary"]["orphan_count"], 2);
    let said = knotwork(&repo, &["arch-check", "--orphan-check", "--limit", "1"]);
    assert!(
        said.stderr.contains("1 more orphan not listed (--limit)"),
        "{said:?}"
    );
    let strict = ["arch-check", "--orphan-check", "--strict", "-n", "1"];
    assert_eq!(knotwork(&repo, &strict).code, 4);
    for command in [
        vec!["impact", "outer", "-n", "1"],
        vec!["call-chain", "outer", "-n", "3"],
        vec!["graph-store", "find-unresolved", "outer", "-n", "1"],
        vec!["graph-store", "query", "SELECT 1", "-n", "1"],
    ] {
        assert_eq!(knotwork(&repo, &command).code, 0, "{command:?}");
    }
    let nodes = json(&repo, &["graph-store", "find-orphans", "-n", "1"]);
    assert_eq!(nodes.as_array().unwrap().len(), 1);
    let found = json(&repo, &["search", "--mode", "symbol", "inside"]);
    assert_eq!(found["results"][0]["symbol"], "outer.inside", "{found}");
}

#[test]
fn an_inherited_member_is_answered_and_one_of_another_type_named() {
    let repo = Repo::new(
        "//- src/base.py\nclass Base:\n    def close(self):\n        return 1\n\nclass Buffer(Base):\n    def read(self):\n        return self.close()\n\nclass DeepBuffer(Buffer):\n    pass\n\nclass Socket:\n    def send(self):\n        return 1\n",
    );
    let answer = json(&repo, &["call-chain", "DeepBuffer.close"]);
    assert_eq!(answer["paths"][0]["symbol_name"], "Base.close", "{answer}");
    let said = knotwork(&repo, &["impact", "DeepBuffer.close"]);
    assert_eq!(said.code, 0);
    assert!(
        said.stderr
            .contains("DeepBuffer does not define close itself; it inherits Base.close"),
        "{said:?}"
    );
    let said = knotwork(&repo, &["call-chain", "Buffer.send"]);
    assert_eq!(said.code, 1);
    assert!(
        said.stderr.contains("Socket.send") && said.stderr.contains("elsewhere are listed"),
        "{said:?}"
    );
}

#[test]
fn cycles_among_tests_stand_behind_those_of_the_product() {
    let repo = Repo::new(
        "//- package.json\n{}\n//- src/z.ts\nimport { y } from './y'\nexport const z = () => y\n//- src/y.ts\nimport { z } from './z'\nexport const y = () => z\n//- test/a.ts\nimport { b } from './b'\nexport const a = () => b\n//- test/b.ts\nimport { a } from './a'\nexport const b = () => a\n",
    );
    let answer = json(&repo, &["arch-check", "--cycle-check"]);
    assert_eq!(answer["cycles"][0]["path"][0], "src/y.ts", "{answer}");
    assert_eq!(answer["summary"]["cycles_in_tests"], 1);
    let said = knotwork(&repo, &["arch-check", "--cycle-check"]).stdout;
    assert!(said.contains("2 cycles (1 among tests)"), "{said}");
}

#[test]
fn a_star_of_types_is_no_syntax_error_and_closes_no_cycle() {
    let repo = Repo::new(
        "//- package.json\n{}\n//- src/a.ts\nimport { used } from './index'\nexport interface Thing { go(): number }\nexport const a = () => used\n//- src/index.ts\nexport type * from './a'\nexport const used = 1\n//- src/use.ts\nimport { Thing } from './index'\nexport function f(t: Thing) { return t.go() }\n",
    );
    let status = json(&repo, &["index"]);
    assert_eq!(status["files_with_errors"], 0, "{status}");
    let answer = json(&repo, &["call-chain", "Thing.go"]);
    assert_eq!(
        answer["paths"][0]["callers"][0]["symbol_name"], "f",
        "{answer}"
    );
    let answer = json(&repo, &["arch-check", "--cycle-check"]);
    assert_eq!(answer["summary"]["total_cycles"], 0, "{answer}");
}

#[test]
fn callers_in_languages_that_are_not_read_are_said() {
    let repo = Repo::new(
        "//- f.c
int f(int a) { return a; }
//- g.c
int f(int a);
int g(void) { return f(1); }
//- m.m
@implementation M
- (int)m { return f(1); }
@end
",
    );
    let said = knotwork(&repo, &["call-chain", "f"]);
    let note = "calls from 1 file in objc are not known, and may lead to f";
    assert!(
        said.stderr.contains(note) || said.stdout.contains(note),
        "{said:?}"
    );
    let said = knotwork(&repo, &["impact", "f"]);
    assert!(
        said.stderr.contains(note) || said.stdout.contains(note),
        "{said:?}"
    );
    let answer = json(&repo, &["call-chain", "f"]);
    assert!(answer.to_string().contains(note), "{answer}");
    std::fs::remove_file(repo.path().join("m.m")).unwrap();
    let said = knotwork(&repo, &["call-chain", "f"]);
    assert!(!said.stderr.contains("not read"), "{said:?}");
}
