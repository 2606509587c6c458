//! Bug location: stack traces, messages, names, history.

use crate::common::{client::Client, json, knotwork};
use serde_json::{Value, json};
use testkit::Repo;

/// One small service in many languages, so that each has neighbours of its own kind.
const SERVICE: &str = r#"//- py/shop/cart.py
from .stock import reserve

def add(cart, item):
    if not reserve(item):
        raise ValueError("item %s is out of stock in %s" % (item, cart))
    cart.append(item)
//- py/shop/stock.py
def reserve(item):
    count = load_counts()[item]
    return count > 0

def load_counts():
    return {}
//- py/shop/report.py
def monthly_report(rows):
    title = f"report of {len(rows)} rows cannot be empty"
    return title
//- web/src/session.ts
export function renewSession(id: string): string {
  if (!id) throw new Error(`session '${id}' has expired and cannot be renewed`);
  return id;
}
//- web/src/main.ts
import { renewSession } from "./session";
export function start(id: string) {
  return renewSession(id);
}
//- web/dist/bundle.js
"use strict";function a(b){if(!b)throw new Error("x");return b}
//- web/dist/bundle.js.map
{"version":3,"sources":["../src/session.ts","../src/main.ts"],"mappings":"AAAA,UACE"}
//- java/src/com/acme/bill/Invoice.java
package com.acme.bill;
public class Invoice {
  public int total(int[] rows) {
    if (rows.length == 0) throw new IllegalStateException("no rows");
    return rows[0];
  }
}
//- java/src/com/acme/app/Main.java
package com.acme.app;
import com.acme.bill.Invoice;
public class Main {
  public static void main(String[] args) { new Invoice().total(new int[0]); }
}
//- go/go.mod
module example.org/wal
//- go/wal/segment.go
package wal

import "fmt"

func Open(n int) error {
	if err := read(n); err != nil {
		return fmt.Errorf("opening segment %d: %w", n, err)
	}
	return nil
}

func read(n int) error { return nil }
//- go/wal/index.go
package wal

func Lookup(rows []int, at int) int { return rows[at] }
//- rs/Cargo.toml
[package]
name = "tool"
version = "0.1.0"
//- rs/src/main.rs
mod cli;
fn main() { cli::parse("x"); }
//- rs/src/cli.rs
pub fn parse(name: &str) -> String {
    match name {
        "build" => name.to_owned(),
        other => panic!("{}", unknown(other)),
    }
}

fn unknown(name: &str) -> String {
    format!("no such subcommand: `{name}`, try --help")
}
//- net/Shop/Basket.cs
namespace Acme.Shop {
  public class Basket {
    public void Add(object item) { item.ToString(); }
  }
}
//- rb/lib/mailer.rb
class Mailer
  def deliver(user)
    user.name
  end
end
//- php/src/Repo.php
<?php
class Repo {
  function find($id) { return $this->db->get($id); }
}
"#;

fn service() -> Repo {
    let repo = Repo::new(SERVICE);
    repo.commit_all();
    repo
}

/// The ten reports of the design: text, and the file with the bug.
const PRESET: [(&str, &str); 10] = [
    (
        "Traceback (most recent call last):\n  File \"/srv/py/shop/cart.py\", line 4, in add\n  File \"/srv/py/shop/stock.py\", line 2, in reserve\nKeyError: 'tea'",
        "py/shop/stock.py",
    ),
    (
        "Error: x\n    at a (/srv/web/dist/bundle.js:1:14)\n    at node:internal/main:1:1",
        "web/src/session.ts",
    ),
    (
        "Exception in thread \"main\" java.lang.IllegalStateException: no rows\n\tat com.acme.bill.Invoice.total(Invoice.java:4)\n\tat com.acme.app.Main.main(Main.java:4)",
        "java/src/com/acme/bill/Invoice.java",
    ),
    (
        "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\nexample.org/wal/wal.Lookup(...)\n\t/srv/u/go/wal/index.go:3 +0x1d",
        "go/wal/index.go",
    ),
    (
        "thread 'main' panicked at src/cli.rs:4:18:\nno such subcommand: `buld`, try --help",
        "rs/src/cli.rs",
    ),
    (
        "System.NullReferenceException: Object reference not set\n   at Acme.Shop.Basket.Add(Object item) in C:\\src\\net\\Shop\\Basket.cs:line 3",
        "net/Shop/Basket.cs",
    ),
    (
        "rb/lib/mailer.rb:3:in `deliver': undefined method `name' for nil (NoMethodError)\n\tfrom rb/main.rb:1:in `<main>'",
        "rb/lib/mailer.rb",
    ),
    (
        "PHP Fatal error:  Uncaught Error: Call to a member function get() on null in /var/www/php/src/Repo.php:3",
        "php/src/Repo.php",
    ),
    (
        "startup failed: opening segment 12: no such file or directory",
        "go/wal/segment.go",
    ),
    (
        "session 'abc' has expired and cannot be renewed",
        "web/src/session.ts",
    ),
];

fn files(answer: &Value) -> Vec<&str> {
    let all = answer["candidates"].as_array().unwrap();
    all.iter()
        .map(|c| c["file_path"].as_str().unwrap())
        .collect()
}

#[test]
fn ac_005_ten_preset_reports_are_located() {
    let repo = service();
    for ranker in ["design", "evidence"] {
        let mut missed = Vec::new();
        for (report, file) in PRESET {
            let answer = json(
                &repo,
                &["bug-locate", "--ranker", ranker, "--error", report],
            );
            let found = files(&answer);
            assert!(found.len() <= 5, "{answer}");
            if !found.contains(&file) {
                missed.push((file, answer));
            }
        }
        assert!(missed.is_empty(), "{ranker}: {missed:?}");
    }
}

#[test]
fn ct_007_the_answer_is_as_the_design_has_it() {
    let repo = service();
    let answer = json(
        &repo,
        &["bug-locate", "--error", "item tea is out of stock in c1"],
    );
    assert_eq!(answer["schema_version"], "1.0");
    let first = &answer["candidates"][0];
    assert_eq!(first["rank"], 1);
    assert_eq!(first["file_path"], "py/shop/cart.py");
    assert_eq!(first["line_range"], json!([5, 5]));
    assert_eq!(first["symbol"], "add");
    let confidence = first["confidence"].as_f64().unwrap();
    assert!(confidence > 0.0 && confidence <= 1.0, "{answer}");
    let reason = first["reason"].as_str().unwrap();
    assert!(reason.contains("is written at line 5"), "{reason}");
    assert!(first["is_hotspot"].is_boolean());
    assert!(first["last_modified"].as_str().unwrap().ends_with('Z'));
    for part in ["call_chain", "history", "hotspot", "error_pattern"] {
        assert!(first["scores"][part].is_number(), "{answer}");
    }
    let confidences: Vec<f64> = answer["candidates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["confidence"].as_f64().unwrap())
        .collect();
    assert!(
        confidences.windows(2).all(|w| w[0] >= w[1]),
        "{confidences:?}"
    );
    assert_eq!(answer["index"]["fresh"], true);
    assert!(first.get("impact").is_none());
}

#[test]
fn messages_of_every_way_to_build_them_are_found() {
    let repo = service();
    for (message, file, line) in [
        ("no such subcommand: `x`, try --help", "rs/src/cli.rs", 9),
        ("report of 0 rows cannot be empty", "py/shop/report.py", 2),
        ("item 7 is out of stock in x", "py/shop/cart.py", 5),
        ("opening segment 3: broken", "go/wal/segment.go", 7),
        (
            "command failed: no such subcommand: `x`, try --help",
            "rs/src/cli.rs",
            9,
        ),
    ] {
        let answer = json(&repo, &["bug-locate", "--error", message]);
        let first = &answer["candidates"][0];
        assert_eq!(first["file_path"], file, "{message}: {answer}");
        assert_eq!(first["line_range"][0], line, "{message}: {answer}");
    }
}

#[test]
fn frames_outside_the_repository_are_counted_not_guessed() {
    let repo = service();
    let trace = "Traceback (most recent call last):\n  File \"/usr/lib/python3/site-packages/other/cart.py\", line 4, in add\n  File \"/opt/other/stock.py\", line 2, in reserve\n  File \"/srv/py/shop/report.py\", line 2, in monthly_report\nKeyError: 'tea'\n";
    repo.write("trace.txt", trace);
    let answer = json(&repo, &["bug-locate", "--stacktrace", "trace.txt"]);
    assert_eq!(answer["frames"], json!({"in_repository": 1, "external": 2}));
    assert_eq!(files(&answer)[0], "py/shop/report.py");
    let installed =
        "  File \"/usr/lib/python3/site-packages/shop/cart.py\", line 4, in add\nKeyError: 'tea'\n";
    repo.write("installed.txt", installed);
    let answer = json(&repo, &["bug-locate", "--stacktrace", "installed.txt"]);
    assert_eq!(answer["frames"], json!({"in_repository": 1, "external": 0}));
    for cache in [
        "/srv/u/.cache/uv/archive-v0/a1/py/shop/report.py",
        "/srv/u/.cargo/git/checkouts/shop-1/a1/py/shop/report.py",
        "https://deno.land/x/shop/py/shop/report.py",
    ] {
        let trace = format!("  File \"{cache}\", line 2, in monthly_report\nKeyError: 'tea'\n");
        repo.write("cached.txt", &trace);
        let answer = json(&repo, &["bug-locate", "--stacktrace", "cached.txt"]);
        assert_eq!(answer["frames"]["in_repository"], 0, "{cache}: {answer}");
    }
}

#[test]
fn a_frame_of_an_older_version_follows_the_rename() {
    let repo = Repo::new(
        "//- src/old/table.py\ndef fill(rows):\n    return rows[0]\n//- src/other.py\nx = 1\n",
    );
    repo.commit_all();
    std::fs::create_dir(repo.file_path("src/new")).unwrap();
    let done = std::process::Command::new("git")
        .args(["mv", "src/old/table.py", "src/new/grid.py"])
        .current_dir(repo.path())
        .status()
        .unwrap();
    assert!(done.success());
    repo.commit_all();
    let trace = "Traceback (most recent call last):\n  File \"/srv/app/src/old/table.py\", line 2, in fill\nIndexError: list index out of range";
    let answer = json(&repo, &["bug-locate", "--error", trace]);
    assert_eq!(answer["frames"]["in_repository"], 1, "{answer}");
    assert_eq!(files(&answer)[0], "src/new/grid.py");
}

#[test]
fn impact_is_added_when_asked_for() {
    let repo = service();
    let answer = json(
        &repo,
        &[
            "bug-locate",
            "--with-impact",
            "--error",
            "KeyError in reserve()",
        ],
    );
    let all = answer["candidates"].as_array().unwrap();
    let stock = all
        .iter()
        .find(|c| c["file_path"] == "py/shop/stock.py")
        .unwrap();
    assert_eq!(stock["impact"]["total_affected"], 2, "{answer}");
    assert_eq!(
        stock["impact"]["affected_files"],
        json!(["py/shop/cart.py"])
    );
}

#[test]
fn a_file_changed_for_the_like_comes_forward() {
    let repo = Repo::new(
        "//- a/one.py\ndef one():\n    return 1\n//- a/two.py\ndef two():\n    return 2\n//- a/three.py\ndef three():\n    return 3\n",
    );
    repo.commit_all();
    let git = |arguments: &[&str]| {
        let done = std::process::Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
            .args(arguments)
            .current_dir(repo.path())
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    repo.write("a/two.py", "def two():\n    return 22\n");
    git(&["commit", "-qam", "fix rounding of negative prices"]);
    repo.write("a/three.py", "def three():\n    return 33\n");
    git(&["commit", "-qam", "faster greeting"]);
    let answer = json(
        &repo,
        &[
            "bug-locate",
            "--error",
            "negative prices are rounded wrongly",
        ],
    );
    assert_eq!(files(&answer)[0], "a/two.py", "{answer}");
    let reason = answer["candidates"][0]["reason"].as_str().unwrap();
    assert!(
        reason.contains("fix rounding of negative prices"),
        "{reason}"
    );
}

#[test]
fn bad_input_is_told_what_is_wrong() {
    let repo = Repo::new("//- a.py\ndef a():\n    pass\n");
    for (arguments, code, said) in [
        (&["bug-locate"][..], 1, "no error given"),
        (&["bug-locate", "--error", "  "], 1, "no error given"),
        (
            &["bug-locate", "--error", "x", "--top-n", "0"],
            1,
            "Must be between 1 and 200",
        ),
        (
            &["bug-locate", "--error", "x", "--history-depth", "-1"],
            1,
            "Must be between",
        ),
        (
            &["bug-locate", "--error", "x", "--impact-depth", "11"],
            1,
            "Must be between 1 and 10",
        ),
        (&["bug-locate", "--stacktrace", "none.txt"], 1, "none.txt"),
        (
            &["bug-locate", "--error", "function a", "--mystery"],
            1,
            "unexpected argument",
        ),
        (
            &["bug-locate", "--error", "function a is wrong"],
            0,
            "no git repository",
        ),
        (&["bug-locate", "--error", "\u{1F600} \u{0} 量子"], 0, ""),
    ] {
        if arguments.iter().any(|a| a.contains('\0')) {
            continue;
        }
        let all = knotwork(&repo, arguments);
        assert_eq!(all.code, code, "{arguments:?}: {all:?}");
        assert!(all.stderr.contains(said), "{arguments:?}: {all:?}");
    }
    let none = knotwork(
        &Repo::new("//- .git/HEAD\nref\n"),
        &["bug-locate", "--error", "anything"],
    );
    assert_eq!(none.code, 0, "{none:?}");
    assert!(
        none.stdout.contains("names nothing in this repository"),
        "{none:?}"
    );
}

#[test]
fn one_commit_is_a_history_that_tells_little() {
    let repo = service();
    let answer = json(&repo, &["bug-locate", "--error", "reserve fails"]);
    assert!(
        answer["warnings"][0]
            .as_str()
            .unwrap()
            .contains("has only 1 commit"),
        "{answer}"
    );
}

#[test]
fn every_door_gives_the_same() {
    let repo = service();
    let error = "item tea is out of stock in c1";
    let mut client = Client::start(&repo);
    client.initialize();
    let (by_tool, failed) = client.call("ci_bug_locate", json!({"error": error, "top_n": 3}));
    assert!(!failed, "{by_tool}");
    let by_command = json(&repo, &["bug-locate", "--error", error, "--top-n", "3"]);
    assert_eq!(by_tool["candidates"], by_command["candidates"]);
    let drawn = knotwork(&repo, &["bug-locate", "--error", error, "--format", "md"]);
    assert!(
        drawn.stdout.contains("| 1 | `py/shop/cart.py:5-5` `add` |"),
        "{drawn:?}"
    );
}

#[test]
fn a_frame_of_a_file_that_is_gone_leads_to_its_function() {
    let repo = Repo::new(
        "//- .git/HEAD\nref\n//- src/parser/targets.rs\nfn skip() {}\n\npub fn to_targets(n: usize) -> usize {\n    n\n}\n//- src/other.rs\npub fn rest() {}\n",
    );
    let error = "thread 'main' panicked at src/old/boot.rs:3:1:\nindex out of bounds\n   4: tool::old::toml::to_targets\n             at ./src/old/toml/targets.rs:80:9\n   5: tool::old::rest\n             at ./src/old/gone.rs:8:9\n";
    let answer = json(&repo, &["bug-locate", "--error", error]);
    let first = &answer["candidates"][0];
    assert_eq!(first["file_path"], "src/parser/targets.rs", "{answer}");
    assert_eq!(first["line_range"], json!([3, 5]));
    let reason = first["reason"].as_str().unwrap();
    assert!(reason.contains("where its function is today"), "{reason}");
    assert_eq!(answer["frames"]["in_repository"], 1, "{answer}");
}

#[test]
fn reasons_quote_the_part_that_is_written_and_name_what_is_defined() {
    let repo = Repo::new(
        "//- .git/HEAD\nref\n//- src/store.py\nclass Cache:\n    def warn(self, path):\n        raise ValueError(f\"the cache at {path} cannot be opened\")\n",
    );
    let error = "warnings.warn fails: the cache at /x cannot be opened when it rains";
    let answer = json(&repo, &["bug-locate", "--error", error]);
    let reason = answer["candidates"][0]["reason"].as_str().unwrap();
    assert!(
        reason.contains("the message \"the cache at /x cannot be opened\" is written at line 3"),
        "{reason}"
    );
    assert!(
        reason.contains("defines Cache.warn at line 2, of warnings.warn"),
        "{reason}"
    );
}

#[test]
fn a_frame_in_a_module_cache_is_one_of_the_module_here() {
    let repo = Repo::new(
        "//- go.mod\nmodule example.org/x/tools\n\ngo 1.22\n//- ssa/builder.go\npackage ssa\n\nfunc Other() {}\n\nfunc Build() {\n\tpanic(1)\n}\n",
    );
    let trace = "panic: 1\n\ngoroutine 1 [running]:\nexample.org/x/tools/ssa.Build(0x1)\n\t/u/go/pkg/mod/example.org/x/tools@v0.20.0/ssa/builder.go:3 +0x12\n";
    let answer = json(&repo, &["bug-locate", trace]);
    let first = &answer["candidates"][0];
    assert_eq!(first["file_path"], "ssa/builder.go", "{answer}");
    assert_eq!(first["symbol"], "Build", "{answer}");
    assert!(
        first["reason"]
            .as_str()
            .unwrap()
            .contains("by its name and not its line"),
        "{answer}"
    );
}

#[test]
fn a_backtrace_without_files_leads_to_the_only_function_of_a_name() {
    let repo = Repo::new(
        "//- src/cycle.rs\npub fn expire_cycle() -> u32 {\n    1\n}\n//- src/other.rs\npub fn print_trace() -> u32 {\n    2\n}\n",
    );
    let trace = "crashed by signal: 11\nserver *:6379(expire_cycle+0x41f)[0x55a8]\n/lib/libc.so.6(+0x42520)[0x7f]\n";
    let answer = json(&repo, &["bug-locate", trace]);
    let first = &answer["candidates"][0];
    assert_eq!(first["file_path"], "src/cycle.rs", "{answer}");
    assert!(
        first["reason"]
            .as_str()
            .unwrap()
            .contains("the only function of that name"),
        "{answer}"
    );
}
