//! Cycles, layer rules and unused symbols at the command line.

use crate::common::client::Client;
use crate::common::{json, knotwork, knotwork_with};
use serde_json::Value;
use testkit::Repo;

const CYCLE: &str = "//- .git/HEAD\nref\n\
//- src/a.ts\nimport { b } from './b';\nexport const a = () => b();\n\
//- src/b.ts\nimport { c } from './c';\nimport type { T } from './t';\nexport const b = () => c();\n\
//- src/c.ts\nimport { a } from './a';\nexport const c = () => a();\n\
//- src/t.ts\nimport { b } from './b';\nexport type T = ReturnType<typeof b>;\n";

#[test]
fn a_cycle_has_its_path_the_places_and_a_cut() {
    let repo = Repo::new(CYCLE);
    let answer = json(&repo, &["arch-check", "--cycles"]);
    assert_eq!(answer["schema_version"], "1.0");
    assert_eq!(answer["summary"]["total_cycles"], 1, "{answer}");
    assert_eq!(answer["summary"]["blocked"], true);
    let checked = serde_json::json!(["cycles"]);
    assert_eq!(answer["summary"]["checked"], checked);
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
fn strict_fails_with_exit_code_4_and_prints_all_the_same() {
    let repo = Repo::new(CYCLE);
    let said = knotwork(&repo, &["arch-check", "--cycles", "--strict"]);
    assert_eq!(said.code, 4, "{said:?}");
    // A check that was not requested is not shown as a count of zero.
    let first = said.stdout.lines().next().unwrap_or("");
    assert_eq!(first, "4 files checked: 1 cycle");
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

const LAYERS: &str = "//- .git/HEAD\nref\n\
//- src/ui/view.py\nfrom src.core.model import Model\nfrom src.core.model import Other\n\nclass View:\n    def show(self):\n        return Model()\n\
//- src/core/model.py\nfrom src.db.rows import load\nfrom src.db.rows import keep\n\nclass Model:\n    def fill(self):\n        return load()\nclass Other:\n    pass\n\
//- src/db/rows.py\ndef load():\n    from src.ui.view import View\n    return View\ndef keep():\n    pass\n\
//- rules.yaml\nrules:\n  - name: db-below-ui\n    from: src/db/**\n    to: src/ui/**\n    reason: rows know no views\n  - name: soft\n    from: src/ui/**\n    to: src/core/**\n    severity: warning\n";

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
    assert_eq!(knotwork(&repo, &strict).code, 4);
    repo.write(
        "rules.yaml",
        "rules:\n  - {from: src/ui/**, to: src/core/**, severity: info}\n",
    );
    assert_eq!(knotwork(&repo, &strict).code, 0);
}

#[test]
fn invalid_rules_are_refused_with_file_line_and_reason() {
    let repo = Repo::new(
        "//- .git/HEAD\nref\n//- r.yaml\nrules:\n  - from: a\n    to: b\n    severity: fatal\n",
    );
    let said = knotwork(&repo, &["arch-check", "--rules", "r.yaml"]);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(
        said.stderr
            .contains("invalid rules: r.yaml:4: severity must be"),
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
    let text = std::fs::read_to_string(repo.file_path("config/arch-rules.yaml")).unwrap();
    assert!(
        text.contains("# today: src/db/rows.py:2 needs src/ui/view.py"),
        "{text}"
    );
    let answer = json(&repo, &["arch-check"]);
    assert_eq!(
        answer["violations"][0]["file"], "src/db/rows.py",
        "{answer}"
    );
    let strict = knotwork(
        &repo,
        &[
            "arch-check",
            "--rules",
            "config/arch-rules.yaml",
            "--strict",
        ],
    );
    assert_eq!(strict.code, 0, "what is broken today warns: {strict:?}");
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
        "{CYCLE}//- r.yaml\nrules:\n  - {{name: up, from: src/c.ts, to: src/a.ts}}\n"
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
    let repo = Repo::new("//- .git/HEAD\nref\n//- notes.txt\nx\n");
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

/// Names of the reported orphans, in order.
fn orphans(repo: &Repo, more: &[&str]) -> Vec<String> {
    let mut arguments = vec!["arch-check", "--orphan-check"];
    arguments.extend(more);
    let answer = json(repo, &arguments);
    let found = answer["orphans"].as_array().unwrap();
    found
        .iter()
        .map(|o| o["symbol"].as_str().unwrap().to_owned())
        .collect()
}

/// The design requires that known orphans are found and nothing else is reported.
#[test]
fn ac_005_orphans_are_found_and_nothing_else() {
    let repo = Repo::new(
        "//- .git/HEAD\nref\n\
//- package.json\n{\"private\": true, \"main\": \"src/index.ts\", \"scripts\": {\"seed\": \"node tool/seed.js\"}}\n\
//- src/index.ts\nimport { used } from './used';\nexport function start() { return used(); }\n\
//- src/used.ts\nexport function used() { return 1; }\nexport function unusedExport() { return 2; }\nfunction lonely() { return lonely; }\nexport const later = () => import('./lazy');\nconsole.log(later);\n\
//- src/lazy.ts\nexport function loaded() {}\n\
//- src/forgotten.ts\nexport function a1() { return b1(); }\nfunction b1() { return 1; }\n\
//- src/used.test.ts\nimport { used } from './used';\nit('x', () => { used(); });\n\
//- tool/seed.js\nfunction seedAll() {}\nseedAll();\n\
//- jest.config.js\nmodule.exports = {};\n",
    );
    let answer = json(&repo, &["arch-check", "--orphan-check"]);
    assert_eq!(
        orphans(&repo, &[]),
        ["src/forgotten.ts", "lonely", "unusedExport"],
        "{answer}"
    );
    let summary = &answer["summary"];
    assert_eq!(summary["orphan_count"], 3);
    let ratio =
        summary["orphan_count"].as_f64().unwrap() / summary["total_nodes"].as_f64().unwrap();
    assert!(
        (summary["orphan_ratio"].as_f64().unwrap() - ratio).abs() < 1e-4,
        "{answer}"
    );
    let one = &answer["orphans"][1];
    assert_eq!(
        (&one["kind"], &one["file_path"], &one["line"]),
        (&"function".into(), &"src/used.ts".into(), &3.into())
    );
    assert!(one["suggestion"].as_str().unwrap().contains("delete it"));
    assert_eq!(
        knotwork(&repo, &["arch-check", "--orphan-check", "--strict"]).code,
        4
    );
}

/// In a graph that was written by hand, an orphan is a symbol without an incoming edge that is no entry point.
#[test]
fn ct_od_001_an_orphan_has_no_incoming_edge_and_is_no_entry_point() {
    let repo = crate::common::graph(&["main CALLS used", "test_it CALLS used", "lost CALLS used"]);
    assert_eq!(orphans(&repo, &[]), ["lost"]);
    let whole = crate::common::graph(&["a CALLS b", "b CALLS a"]);
    assert!(orphans(&whole, &[]).is_empty());
}

#[test]
fn ct_od_002_excluded_files_are_not_reported() {
    let repo = Repo::new(
        "//- .git/HEAD\nref\n//- src/a.py\ndef _gone():\n    pass\n//- legacy/b.py\ndef _old():\n    pass\n//- main.py\nimport src.a\nimport legacy.b\n",
    );
    assert_eq!(orphans(&repo, &[]), ["_old", "_gone"]);
    assert_eq!(orphans(&repo, &["--exclude", "legacy/**"]), ["_gone"]);
    assert_eq!(
        orphans(&repo, &["--exclude", "legacy", "--exclude", "a.py"]),
        [""; 0]
    );
}

#[test]
fn what_frameworks_and_readers_call_is_no_orphan() {
    let repo = Repo::new(
        "//- .git/HEAD\nref\n\
//- pyproject.toml\n[project]\nname = \"x\"\n[project.scripts]\nx = \"pkg.cli:run_it\"\n\
//- pkg/__init__.py\n__all__ = [\"shown\"]\n\
//- pkg/cli.py\ndef run_it():\n    pass\n\n@app.route('/')\ndef _page():\n    pass\n\ndef _dead():\n    return _dead()\n\
//- pkg/api.py\ndef public_function():\n    pass\n\nclass _Walker:\n    def go(self, x):\n        return getattr(self, 'visit_' + x)()\n    def visit_name(self):\n        pass\n    def __enter__(self):\n        pass\n\n_walker = _Walker().go('name')\nprint(_walker)\n\
//- pkg/thread.py\nimport threading\nclass _Job(threading.Thread):\n    def run(self):\n        pass\n_Job().start()\n\
//- docs/guide.md\nCall `_quoted` by hand.\n\
//- pkg/q.py\ndef _quoted():\n    pass\n\
//- conf/hooks.yaml\nhook: _by_name\n\
//- pkg/h.py\ndef _by_name():\n    pass\n",
    );
    assert_eq!(orphans(&repo, &[]), ["_dead"]);
    let possible = orphans(&repo, &["--possible"]);
    for name in [
        "public_function",
        "_quoted",
        "_by_name",
        "_Walker.visit_name",
    ] {
        assert!(possible.iter().any(|p| p == name), "{name}: {possible:?}");
    }
    for name in ["_page", "_Walker.__enter__"] {
        assert!(!possible.iter().any(|p| p == name), "{name}: {possible:?}");
    }
}

#[test]
fn entry_points_of_compiled_languages() {
    let repo = Repo::new(
        "//- .git/HEAD\nref\n\
//- go.mod\nmodule example.org/m\n\
//- cmd/tool/main.go\npackage main\n\nfunc init() {}\nfunc main() {}\nfunc Helper() {}\nfunc lost() {}\n\
//- lib.go\npackage m\n\ntype byAge []int\n\nfunc (b byAge) Len() int { return len(b) }\n\nfunc Public() { _ = byAge{} }\n\n// hidden is documented.\nfunc hidden() {}\n\
//- lock_linux.go\npackage m\n\nfunc lock() {}\n\nfunc Take() { lock() }\n\
//- lock_windows.go\npackage m\n\nfunc lock() {}\n\
//- Cargo.toml\n[package]\nname = \"r\"\n\
//- src/lib.rs\nuse std::fmt;\npub fn api() {}\npub struct P;\nimpl fmt::Display for P {\n    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { Ok(()) }\n}\n#[no_mangle]\nfn called_from_c() {}\nfn nobody() {}\n\
//- j/A.java\npackage j;\nclass A {\n  @Inject void wired() {}\n  private void readObject(java.io.ObjectInputStream in) {}\n  private void unusedHere() {}\n  @Override public void hooked() {}\n  public static void main(String[] a) { new A(); }\n}\n",
    );
    assert_eq!(
        orphans(&repo, &[]),
        ["lost", "A.unusedHere", "hidden", "nobody", "Helper"]
    );
    let possible = orphans(&repo, &["--possible"]);
    assert!(
        !possible.iter().any(|name| name == "A.hooked"),
        "the compiler demands that something calls it: {possible:?}"
    );
}

#[test]
fn what_may_be_dead_or_is_data_of_another_language_is_only_possible() {
    let repo = Repo::new(
        "//- lint/Cargo.toml\n[package]\nname = \"linter\"\n//- lint/src/main.rs\nfn main() {}\n\n#[allow(dead_code)]\nfn compiles_alone() {}\n\nfn forgotten_one() {}\n//- lint/resources/corpus/sample.py\ndef _sample():\n    return 1\n",
    );
    assert_eq!(orphans(&repo, &[]), ["forgotten_one"]);
    let possible = orphans(&repo, &["--possible"]);
    for symbol in ["compiles_alone", "lint/resources/corpus/sample.py"] {
        assert!(possible.iter().any(|one| one == symbol), "{possible:?}");
    }
}

#[test]
fn orphan_detection_can_be_turned_off() {
    let repo = Repo::new(
        "//- .git/HEAD\nref\n//- a.py\ndef _gone():\n    pass\n//- config/features.yaml\nfeatures:\n  orphan_detection:\n    enabled: false\n",
    );
    let said = knotwork(&repo, &["arch-check", "--orphan-check"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(
        said.stderr.contains("Orphan detection is disabled"),
        "{said:?}"
    );
    assert_eq!(orphans(&repo, &[]), [""; 0]);
}

/// The graph leads an import to the imported definition, but the file that is loaded is the one named in the
/// statement.
#[test]
fn a_file_that_only_passes_on_is_part_of_the_cycle() {
    let repo = Repo::new(
        "//- .git/HEAD\nref\n\
//- src/index.ts\nexport * from './a';\nexport { b } from './b';\n\
//- src/a.ts\nimport { b } from './index';\nexport const a = () => b();\n\
//- src/b.ts\nexport const b = () => 1;\n\
//- pkg/__init__.py\nfrom .one import first\nfrom .two import second\n\
//- pkg/one.py\nfrom pkg import second\n\ndef first():\n    return second()\n\
//- pkg/two.py\ndef second():\n    from pkg import first\n    return first\n",
    );
    let answer = json(&repo, &["arch-check", "--cycles"]);
    let cycles = answer["cycles"].as_array().unwrap();
    let paths: Vec<String> = cycles.iter().map(|c| c["path"].to_string()).collect();
    assert_eq!(
        paths,
        [
            r#"["pkg/__init__.py","pkg/one.py","pkg/__init__.py"]"#,
            r#"["src/a.ts","src/index.ts","src/a.ts"]"#
        ],
        "{answer}"
    );
    assert_eq!(cycles[1]["steps"][0]["line"], 1);
    assert_eq!(answer["summary"]["deferred_imports"], 1);
}

#[test]
fn before_a_commit_only_staged_files_count() {
    let repo = Repo::new(CYCLE.trim_start_matches("//- .git/HEAD\nref\n"));
    repo.commit_all();
    let check = ["arch-check", "--cycles", "--pre-commit"];
    let answer = json(&repo, &check);
    assert_eq!(
        (&answer["summary"]["total_cycles"], &answer["files_checked"]),
        (&0.into(), &0.into())
    );
    repo.write(
        "src/c.ts",
        "import { a } from './a';\nexport const c = () => a() + 1;\n",
    );
    let staged = std::process::Command::new("git")
        .args(["add", "-A"])
        .current_dir(repo.path())
        .status();
    assert!(staged.unwrap().success());
    let answer = json(&repo, &check);
    assert_eq!(
        (&answer["summary"]["total_cycles"], &answer["files_checked"]),
        (&1.into(), &1.into()),
        "{answer}"
    );
    let answer = json(
        &repo,
        &["arch-check", "--cycles", "--pre-commit", "--with-deps"],
    );
    assert_eq!(answer["files_checked"], 3, "{answer}");
}

#[test]
fn rules_are_found_by_the_environment_and_idle_patterns_are_named() {
    let repo = Repo::new(
        "//- .git/HEAD\nref\n//- house/rules.yaml\nrules:\n  - name: no-b\n    from: src/a.py\n    to: [src/b.py, src/c/**]\n//- src/a.py\nimport src.b\n//- src/b.py\nx = 1\n",
    );
    let rules = [("ARCH_RULES_FILE", "house/rules.yaml")];
    let said = knotwork_with(&repo, &rules, &["arch-check", "--format", "json"]);
    assert_eq!(said.code, 0, "{said:?}");
    let answer: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(answer["violations"][0]["rule"], "no-b", "{answer}");
    assert_eq!(
        answer["warnings"][0],
        "rule no-b: no file matches to src/c/**"
    );
    let cycles = ["arch-check", "--cycles", "--format", "json"];
    let said = knotwork_with(&repo, &rules, &cycles);
    assert!(said.stdout.contains("\"violations\":[]"), "{said:?}");
    let wrong = [("ARCH_RULES_FILE", "house/none.yaml")];
    let said = knotwork_with(&repo, &wrong, &["arch-check"]);
    assert_eq!(said.code, 1);
    assert!(
        said.stderr.contains("cannot read rules house/none.yaml"),
        "{said:?}"
    );
}

#[test]
fn an_import_of_java_for_documentation_closes_no_cycle() {
    let text = |link: &str| {
        format!(
            "//- .git/HEAD\nref\n//- src/p/A.java\npackage p;\nimport q.B;\n/** See {{@link B}}. */\npublic class A {{ {link} }}\n//- src/q/B.java\npackage q;\nimport p.A;\npublic class B {{ A a; }}\n"
        )
    };
    let repo = Repo::new(&text(""));
    let answer = json(&repo, &["arch-check", "--cycles"]);
    assert_eq!(answer["summary"]["total_cycles"], 0, "{answer}");
    assert_eq!(answer["summary"]["type_only_imports"], 1);
    let repo = Repo::new(&text("B b;"));
    let answer = json(&repo, &["arch-check", "--cycles"]);
    assert_eq!(answer["summary"]["total_cycles"], 1, "{answer}");
}

/// A package of the same repository is imported by name: the statement loads the file that the package names, and
/// that file loads what it re-exports.
#[test]
fn a_cycle_goes_through_the_entry_of_a_package() {
    let repo = Repo::new(
        "//- package.json\n{\"name\":\"root\",\"workspaces\":[\"packages/*\"]}\n\
//- packages/a/package.json\n{\"name\":\"@x/a\",\"main\":\"dist/index.js\"}\n\
//- packages/a/src/index.ts\nexport { a } from './real';\n\
//- packages/a/src/real.ts\nimport { b } from '@x/b';\nexport const a = () => b();\n\
//- packages/b/package.json\n{\"name\":\"@x/b\",\"main\":\"dist/index.js\"}\n\
//- packages/b/src/index.ts\nimport { a } from '@x/a';\nexport const b = () => a();\n",
    );
    let answer = json(&repo, &["arch-check", "--cycles"]);
    assert_eq!(answer["summary"]["total_cycles"], 1, "{answer}");
    let members = answer["cycles"][0]["members"].as_array().unwrap();
    let mut members: Vec<&str> = members.iter().filter_map(Value::as_str).collect();
    members.sort_unstable();
    let whole = [
        "packages/a/src/index.ts",
        "packages/a/src/real.ts",
        "packages/b/src/index.ts",
    ];
    assert_eq!(members, whole, "{answer}");
}

#[test]
fn imports_that_run_later_or_never_close_no_cycle_and_are_counted() {
    let repo = Repo::new(
        "//- .git/HEAD\nref\n\
//- p/a.py\nimport p.b\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from p.c import C\n\
//- p/b.py\ndef f():\n    if f:\n        from p import a\n\
//- p/c.py\nfrom p import a\nclass C: pass\n\
//- p/d.py\ntry:\n    import p.e\nexcept ImportError:\n    pass\n\
//- p/e.py\nif True:\n    import p.d\n\
//- s/a.js\nif (process.env.B) {\n  require('./b');\n}\n\
//- s/b.js\nrequire('./a');\n\
//- s/c.ts\nimport { d } from './d';\nexport class C {}\nexport const c = () => d();\n\
//- s/d.ts\nimport type { C } from './c';\nexport const d = (c?: C) => import('./c');\n",
    );
    let answer = json(&repo, &["arch-check", "--cycles"]);
    let paths: Vec<String> = answer["cycles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["path"].to_string())
        .collect();
    assert_eq!(
        paths,
        [
            r#"["p/d.py","p/e.py","p/d.py"]"#,
            r#"["s/a.js","s/b.js","s/a.js"]"#
        ],
        "{answer}"
    );
    assert_eq!(answer["summary"]["type_only_imports"], 2, "{answer}");
    assert_eq!(answer["summary"]["deferred_imports"], 2, "{answer}");
    let all = json(&repo, &["arch-check", "--cycles", "--all-imports"]);
    assert_eq!(all["summary"]["total_cycles"], 4, "{all}");
}
