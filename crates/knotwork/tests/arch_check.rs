//! Cycles, layer rules and symbols without a user, as a person asks for them.

#![allow(clippy::unwrap_used)]

mod common;

use common::client::Client;
use common::{json, knotwork};
use serde_json::Value;
use testkit::Repo;

const CYCLE: &str = "== .git/HEAD\nref\n\
== src/a.ts\nimport { b } from './b';\nexport const a = () => b();\n\
== src/b.ts\nimport { c } from './c';\nimport type { T } from './t';\nexport const b = () => c();\n\
== src/c.ts\nimport { a } from './a';\nexport const c = () => a();\n\
== src/t.ts\nimport { b } from './b';\nexport type T = ReturnType<typeof b>;\n";

#[test]
fn a_cycle_has_its_path_the_places_and_a_cut() {
    let repo = Repo::new(CYCLE);
    let answer = json(&repo, &["arch-check", "--cycles"]);
    assert_eq!(answer["schema_version"], "1.0");
    assert_eq!(answer["summary"]["total_cycles"], 1, "{answer}");
    assert_eq!(answer["summary"]["blocked"], true);
    let cycle = &answer["cycles"][0];
    let path = serde_json::json!(["src/a.ts", "src/b.ts", "src/c.ts", "src/a.ts"]);
    assert_eq!(
        cycle["path"], path,
        "the import for a type closes none: {answer}"
    );
    assert_eq!(cycle["steps"][2]["file_path"], "src/c.ts");
    assert_eq!(cycle["steps"][2]["line"], 1);
    assert_eq!(cycle["cuts"].as_array().unwrap().len(), 1);
    let all = json(&repo, &["arch-check", "--cycle-check", "--all-imports"]);
    assert_eq!(
        all["cycles"][0]["members"].as_array().unwrap().len(),
        4,
        "{all}"
    );
    let scope = json(
        &repo,
        &["arch-check", "--cycles", "--scope", "src/{a,b}.ts"],
    );
    assert_eq!(scope["summary"]["total_cycles"], 0);
    assert_eq!(scope["files_checked"], 2);
}

#[test]
fn strict_fails_with_exit_code_1_and_prints_all_the_same() {
    let repo = Repo::new(CYCLE);
    let said = knotwork(&repo, &["arch-check", "--cycles", "--strict"]);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(
        said.stdout.contains("src/c.ts:1 needs src/a.ts"),
        "{said:?}"
    );
    let said = knotwork(
        &repo,
        &[
            "arch-check",
            "--cycles",
            "--strict",
            "--exclude",
            "src/c.ts",
        ],
    );
    assert_eq!(said.code, 0, "{said:?}");
}

const LAYERS: &str = "== .git/HEAD\nref\n\
== src/ui/view.py\nfrom src.core.model import Model\nfrom src.core.model import Other\n\nclass View:\n    def show(self):\n        return Model()\n\
== src/core/model.py\nfrom src.db.rows import load\nfrom src.db.rows import keep\n\nclass Model:\n    def fill(self):\n        return load()\nclass Other:\n    pass\n\
== src/db/rows.py\ndef load():\n    from src.ui.view import View\n    return View\ndef keep():\n    pass\n\
== rules.yaml\nrules:\n  - name: db-below-ui\n    from: src/db/**\n    to: src/ui/**\n    reason: rows know no views\n  - name: soft\n    from: src/ui/**\n    to: src/core/**\n    severity: warning\n";

#[test]
fn a_broken_rule_has_file_line_and_reason() {
    let repo = Repo::new(LAYERS);
    let answer = json(&repo, &["arch-check", "--rules", "rules.yaml"]);
    let found = answer["violations"].as_array().unwrap();
    assert_eq!(found.len(), 3, "{answer}");
    assert_eq!(found[0]["rule"], "db-below-ui");
    assert_eq!(
        (&found[0]["file"], &found[0]["line"]),
        (&"src/db/rows.py".into(), &2.into())
    );
    assert_eq!(found[0]["reason"], "rows know no views");
    assert_eq!(found[1]["severity"], "warning");
    assert_eq!(answer["summary"]["blocked"], true);
    let strict = ["arch-check", "--rules", "rules.yaml", "--strict"];
    assert_eq!(knotwork(&repo, &strict).code, 1);
    repo.write(
        "rules.yaml",
        "rules:\n  - {from: src/ui/**, to: src/core/**, severity: info}\n",
    );
    assert_eq!(knotwork(&repo, &strict).code, 0);
}

#[test]
fn invalid_rules_are_refused_with_file_line_and_reason() {
    let repo = Repo::new(
        "== .git/HEAD\nref\n== r.yaml\nrules:\n  - from: a\n    to: b\n    severity: fatal\n",
    );
    let said = knotwork(&repo, &["arch-check", "--rules", "r.yaml"]);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(
        said.stderr
            .contains("Invalid rules: r.yaml:4: severity must be"),
        "{said:?}"
    );
    let said = knotwork(&repo, &["arch-check", "--rules", "none.yaml"]);
    assert_eq!(said.code, 1, "{said:?}");
    let said = knotwork(&repo, &["arch-check", "--rules", "/etc/hostname"]);
    assert!(said.stderr.contains("path outside the project"), "{said:?}");
}

#[test]
fn init_proposes_rules_that_the_check_reads() {
    let repo = Repo::new(LAYERS);
    let said = knotwork(&repo, &["arch-check", "init"]);
    assert_eq!(said.code, 0, "{said:?}");
    let text = std::fs::read_to_string(repo.file("config/arch-rules.yaml")).unwrap();
    assert!(
        text.contains("# today: src/db/rows.py:2 needs src/ui/view.py"),
        "{text}"
    );
    let answer = json(&repo, &["arch-check"]);
    assert_eq!(
        answer["violations"][0]["file"], "src/db/rows.py",
        "{answer}"
    );
    assert_eq!(
        knotwork(&repo, &["arch-check", "init"]).code,
        1,
        "it is there already"
    );
    assert_eq!(knotwork(&repo, &["arch-check", "init", "--force"]).code, 0);
}

#[test]
fn sarif_has_rules_levels_and_relative_places() {
    let repo = Repo::new(&format!(
        "{CYCLE}== r.yaml\nrules:\n  - {{name: up, from: src/c.ts, to: src/a.ts}}\n"
    ));
    let said = knotwork(
        &repo,
        &[
            "arch-check",
            "--cycles",
            "--rules",
            "r.yaml",
            "--format",
            "sarif",
        ],
    );
    assert_eq!(said.code, 0, "{said:?}");
    let log: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let ids: Vec<&Value> = run["tool"]["driver"]["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| &r["id"])
        .collect();
    assert_eq!(ids, ["cycle", "layer/up"]);
    for result in run["results"].as_array().unwrap() {
        assert!(ids.contains(&&result["ruleId"]), "{result}");
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        let place = &result["locations"][0]["physicalLocation"];
        assert!(
            place["artifactLocation"]["uri"]
                .as_str()
                .unwrap()
                .starts_with("src/")
        );
        assert!(place["region"]["startLine"].as_u64().unwrap() > 0);
    }
}

#[test]
fn an_empty_graph_has_nothing_to_check() {
    let repo = Repo::new("== .git/HEAD\nref\n== notes.txt\nx\n");
    let answer = json(&repo, &["arch-check"]);
    assert_eq!(answer["cycles"], serde_json::json!([]));
    assert!(
        answer["warnings"][0]
            .as_str()
            .unwrap()
            .contains("graph is empty"),
        "{answer}"
    );
    let said = knotwork(&repo, &["arch-check", "init", "--output", "-"]);
    assert!(said.stdout.contains("rules: []"), "{said:?}");
}

#[test]
fn the_tool_answers_as_the_command_does() {
    let repo = Repo::new(CYCLE);
    let mut client = Client::start(&repo);
    client.initialize();
    let (answer, failed) = client.call("ci_arch_check", serde_json::json!({"cycle_check": true}));
    assert!(!failed, "{answer}");
    assert_eq!(answer["cycles"][0]["path"][0], "src/a.ts");
    let (answer, failed) = client.call("ci_arch_check", serde_json::json!({"rules": "../x.yaml"}));
    assert!(failed, "{answer}");
}
