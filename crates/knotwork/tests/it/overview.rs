//! The overview, complexity and boundary at the command line.

use crate::common::client::Client;
use crate::common::{json, knotwork};
use serde_json::{Value, json};
use std::process::{Command, Stdio};
use testkit::Repo;

const APP: &str = r#"//- .git/HEAD
ref
//- package.json
{"name": "root", "private": true, "workspaces": ["packages/*"]}
//- packages/core/package.json
{"name": "@app/core"}
//- packages/core/src/store.ts
export class Store {
  read(key: string, fallback: string, strict: boolean): string {
    if (strict && key) {
      for (const c of key) {
        if (c === "x") { return c; }
      }
    }
    return fallback;
  }
}
export function open(): Store { return new Store(); }
export const unused = 1;
//- packages/web/package.json
{"name": "@app/web"}
//- packages/web/src/page.ts
import { open } from "../../core/src/store";
export function render(): string { return open().read("a", "b", true); }
//- packages/web/src/page.test.ts
import { render } from "./page";
test("x", () => { render(); });
"#;

fn app() -> Repo {
    Repo::new(APP)
}

fn labels(answer: &Value) -> Vec<String> {
    let nodes = answer["nodes"].as_array().unwrap();
    let label = |n: &Value| n["label"].as_str().unwrap().to_owned();
    nodes.iter().map(label).collect()
}

#[test]
fn ct_005_the_overview_is_mermaid_with_real_names() {
    let repo = app();
    let said = knotwork(&repo, &["cod", "generate", "--level", "1"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.stdout.starts_with("graph LR\n"), "{said:?}");
    assert!(said.stdout.contains("[\"@app/core<br/>"), "{said:?}");
    assert!(said.stdout.contains(" -->|"), "{said:?}");
    assert!(said.stderr.contains("1 test"), "{said:?}");
    let plain = knotwork(&repo, &["cod", "generate", "--include-complexity=false"]);
    assert!(!plain.stdout.contains("complexity"), "{plain:?}");
    let given = [
        "cod",
        "generate",
        "--include-complexity",
        "--include-hotspots",
        "--level",
        "3",
    ];
    assert!(knotwork(&repo, &given).stdout.contains("complexity"));
    knotwork(&repo, &["cod", "generate", "--output", "out.mmd"]);
    let written = std::fs::read_to_string(repo.file_path("out.mmd")).unwrap();
    assert!(written.starts_with("graph LR\n"));
}

#[test]
fn ct_006_the_overview_is_json_for_d3() {
    let repo = app();
    let ask = |level: &str| {
        let all = ["--format", "d3json", "cod", "generate", "--level", level];
        let said = knotwork(&repo, &all);
        serde_json::from_str::<Value>(&said.stdout).unwrap()
    };
    let one = ask("1");
    assert_eq!(labels(&one), ["@app/core", "@app/web"]);
    assert_eq!(one["links"][0]["source"], "packages/web");
    assert_eq!(one["links"][0]["target"], "packages/core");
    assert!(one["links"][0]["weight"].as_u64().unwrap() >= 3, "{one}");
    assert_eq!(one["metadata"]["level"], 1);
    assert_eq!(one["left_out"]["test"], 1);
    let three = ask("3");
    assert_eq!(labels(&three), ["src/store.ts", "src/page.ts"]);
    assert_eq!(three["groups"][0]["id"], "packages/core");
}

#[test]
fn the_overview_is_text_for_people() {
    let repo = app();
    let text = ["--format", "text", "cod", "generate", "--level", "3"];
    let text = knotwork(&repo, &text).stdout;
    let lines: Vec<&str> = text.lines().collect();
    let user = lines
        .iter()
        .position(|line| line.starts_with("packages/web/src/page.ts  file"));
    let uses = lines[user.unwrap() + 1];
    assert!(
        uses.starts_with("  uses packages/core/src/store.ts ("),
        "{text}"
    );
    assert!(lines[0].contains(" files in 2 parts"), "{text}");
}

#[test]
fn a_file_is_shown_by_its_definitions() {
    let repo = app();
    let module = [
        "--format",
        "d3json",
        "cod",
        "module",
        "packages/core/src/store.ts",
    ];
    let said = knotwork(&repo, &module);
    let answer: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(labels(&answer), ["Store", "open", "unused"], "{answer}");
    assert_eq!(answer["nodes"][0]["complexity"], 5);
    let links = answer["links"].as_array().unwrap();
    assert_eq!(links[0]["source"], "packages/core/src/store.ts#open");
    assert_eq!(links[0]["target"], "packages/core/src/store.ts#Store");
}

#[test]
fn bad_arguments_of_the_overview_are_named() {
    let repo = app();
    for (arguments, message) in [
        (
            ["cod", "generate", "--level", "4"].as_slice(),
            "invalid level: 4",
        ),
        (
            &["--format", "sarif", "cod", "generate"],
            "invalid format: sarif",
        ),
        (
            &["cod", "module", "nowhere"],
            "module not found in the index: nowhere",
        ),
        (&["cod", "module", "../.."], "path outside the project"),
    ] {
        let said = knotwork(&repo, arguments);
        assert_eq!(said.code, 1, "{said:?}");
        assert!(said.stderr.contains(message), "{said:?}");
    }
    let empty = Repo::new("//- .git/HEAD\nref\n");
    let said = knotwork(&empty, &["cod", "generate"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.stdout.contains("nothing to show"), "{said:?}");
}

/// Paths that Mermaid could misread.
const NAMES: [&str; 14] = [
    "end/end.py",
    "graph/subgraph.py",
    "a\"b/c'd.py",
    "x]/(y)/{z}.py",
    "#35;/#.py",
    "1. one/2) two.py",
    "- dash/+ plus.py",
    "名前/файл.py",
    "emoji🙂/a|b.py",
    "back`tick/**bold**.py",
    "<b>/&amp;.py",
    "%%{init/%% c.py",
    "style/click.py",
    "a;b/c:::d.py",
];

/// Parses with npm's mermaid, if `MERMAID_MODULES` names a folder with `mermaid` and `jsdom`.
fn parses(drawing: &str) -> Option<bool> {
    let modules = std::env::var_os("MERMAID_MODULES")?;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../eval/mermaid/parse.mjs");
    let mut child = Command::new("node")
        .arg(script)
        .env("MERMAID_MODULES", modules)
        .stdin(Stdio::piped())
        .stdout(Stdio::inherit())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take()?;
    std::io::Write::write_all(&mut input, drawing.as_bytes()).ok()?;
    drop(input);
    Some(child.wait().ok()?.success())
}

#[cfg(unix)]
#[test]
fn any_name_of_a_file_is_drawn() {
    let repo = Repo::new("//- .git/HEAD\nref\n");
    for name in NAMES {
        repo.write(name, "def f(a):\n    return a\n");
    }
    for level in ["1", "2", "3"] {
        let said = knotwork(
            &repo,
            &["cod", "generate", "--level", level, "--limit", "40"],
        );
        assert_eq!(said.code, 0, "{said:?}");
        for line in said.stdout.lines() {
            let line = line.trim();
            // The text between the outer quotes contains no quote and no character with a meaning in
            // Mermaid.
            let Some((_, label)) = line.split_once('"') else {
                continue;
            };
            let label = label.rsplit_once('"').unwrap().0.replace("<br/>", " ");
            let bad = ['"', '[', ']', '{', '}', '<', '>', '|', '`', '*', '%', '\''];
            assert!(!label.contains(bad), "{line}");
        }
        assert_ne!(parses(&said.stdout), Some(false), "{}", said.stdout);
    }
    let said = knotwork(&repo, &["cod", "module", "end/end.py"]);
    assert_ne!(parses(&said.stdout), Some(false), "{}", said.stdout);
}

#[test]
fn complexity_of_functions_and_files() {
    let repo = app();
    let answer = json(&repo, &["complexity"]);
    let worst = &answer["functions"][0];
    assert_eq!(worst["symbol"], "Store.read");
    assert_eq!(worst["file_path"], "packages/core/src/store.ts");
    let measures = ["line", "line_end", "cyclomatic", "nesting", "parameters"];
    let measures = measures.map(|m| worst[m].as_u64().unwrap());
    assert_eq!(measures, [2, 9, 5, 3, 3]);
    assert!(worst["cognitive"].as_u64().unwrap() > 4, "{worst}");
    assert_eq!(answer["total_functions"], 3, "tests are left out: {answer}");
    assert_eq!(
        answer["files"][0]["file_path"],
        "packages/core/src/store.ts"
    );
    // Measurements are cached by content, and a changed file is measured again.
    assert_eq!(
        json(&repo, &["complexity"])["functions"],
        answer["functions"]
    );
    repo.write(
        "packages/web/src/page.ts",
        "export function one(a: number, b: number) { return a; }\n",
    );
    let one = json(
        &repo,
        &["complexity", "packages/web", "--sort", "parameters"],
    );
    assert_eq!(one["functions"][0]["symbol"], "one", "{one}");
    let over = ["complexity", "--max-nesting", "2", "--over"];
    let over = json(&repo, &over);
    assert_eq!(over["over"], 1);
    assert_eq!(over["functions"][0]["over"], json!(["nesting"]));
    let strict = knotwork(&repo, &["complexity", "--max-nesting", "2", "--strict"]);
    assert_eq!(strict.code, 4);
    assert!(strict.stdout.contains("over: nesting"), "{strict:?}");
    for (arguments, message) in [
        (
            ["complexity", "nowhere"].as_slice(),
            "path not found in the index: nowhere",
        ),
        (&["complexity", "--top", "0"], "Must be between"),
        (&["complexity", "/etc"], "path outside the project"),
    ] {
        let said = knotwork(&repo, arguments);
        assert_eq!(said.code, 1, "{said:?}");
        assert!(said.stderr.contains(message), "{said:?}");
    }
}

#[test]
fn whose_a_file_is() {
    let repo = app();
    let of = |path: &str| json(&repo, &["boundary", "--path", path]);
    assert_eq!(of("packages/core/src/store.ts")["type"], "user");
    assert_eq!(of("packages/web/src/page.test.ts")["type"], "test");
    assert_eq!(of("packages/web/package.json")["type"], "config");
    let library = of("node_modules/x/index.js");
    assert_eq!(
        (&library["type"], &library["exists"]),
        (&"library".into(), &false.into())
    );
    let long = "a/".repeat(2_000) + "名.ts";
    assert_eq!(of(&long)["type"], "user");
    let batch = json(&repo, &["boundary", "--path", "packages", "--batch"]);
    assert_eq!(batch["summary"], json!({"config": 2, "test": 1, "user": 2}));
    repo.write("config/boundaries.yaml", "vendor:\n  - packages/core/\n");
    assert_eq!(of("packages/core/src/store.ts")["type"], "vendor");
    repo.write("config/boundaries.yaml", "vendor:\n  - a\nwrong:\n  - b\n");
    let said = knotwork(&repo, &["boundary", "--path", "a.ts"]);
    assert_eq!(said.code, 1);
    assert!(
        said.stderr
            .contains("config/boundaries.yaml:3: unknown kind wrong"),
        "{said:?}"
    );
    let said = knotwork(&repo, &["boundary", "--path", ""]);
    assert!(
        said.code == 1 && said.stderr.contains("no path given"),
        "{said:?}"
    );
}

#[test]
fn pictures_for_an_agent_stay_within_their_budget() {
    let repo = Repo::new("//- .git/HEAD\nref\n");
    let name = |n: usize| format!("some_rather_long_folder_name_{n:03}/with_a_module_inside.py");
    for n in 0..120 {
        let other = (n * 7 + 1) % 120;
        repo.write(
            &name(n),
            &format!(
                "from some_rather_long_folder_name_{other:03} import with_a_module_inside as w\n\n\ndef f{n}(a):\n    return w.f{other}(a)\n"
            ),
        );
    }
    let mut client = Client::start(&repo);
    client.initialize();
    for format in ["mermaid", "d3json"] {
        let (text, failed) = client.call_text("ci_cod", json!({"level": 3, "format": format}));
        assert!(!failed && text.len() / 4 < 2_000, "{}: {text}", text.len());
        assert!(text.contains("more in"), "{text}");
    }
    let (d3, _) = client.call("ci_cod", json!({"level": 3, "format": "d3json"}));
    assert!(d3["nodes"].as_array().unwrap().len() > 8, "{d3}");
    for (tool, arguments) in [
        ("ci_complexity", json!({"top": 1000})),
        ("ci_boundary", json!({"path": ".", "batch": true})),
    ] {
        let (text, failed) = client.call_text(tool, arguments);
        assert!(!failed && text.len() / 4 < 2_000, "{tool}: {}", text.len());
        assert!(text.contains("next_cursor"), "{text}");
    }
}

#[test]
fn an_agent_asks_the_same() {
    let repo = app();
    let mut client = Client::start(&repo);
    client.initialize();
    let (drawn, failed) = client.call_text("ci_cod", json!({"level": 1}));
    assert!(!failed && drawn.starts_with("graph LR"), "{drawn}");
    let (d3, _) = client.call("ci_cod", json!({"level": 3, "format": "d3json"}));
    assert_eq!(d3["metadata"]["total_nodes"], 2);
    let (measures, _) = client.call("ci_complexity", json!({"top": 1}));
    assert_eq!(measures["functions"][0]["symbol"], "Store.read");
    let (whose, _) = client.call("ci_boundary", json!({"path": "vendor/x.go"}));
    assert_eq!(whose["type"], "vendor");
    let (trace, _) = client.call("ci_vuln", json!({"action": "trace", "package": "nothing"}));
    assert!(
        trace["error"]["message"]
            .as_str()
            .unwrap()
            .contains("package not found")
    );
}
