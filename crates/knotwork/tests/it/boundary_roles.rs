//! Classification of files from every source, used alike by all answers that leave out third-party files.

use crate::common::{json, knotwork};
use serde_json::Value;
use testkit::Repo;

/// Two functions that nothing calls, and two modules that import each other, in folders of several kinds.
fn project() -> Repo {
    let repo = Repo::new("//- src/own.py\ndef own_orphan():\n    return 1\n");
    for folder in [
        "lib/copied",
        "typeshed/stdlib",
        "sub/module",
        "gen",
        "legacy",
        "testdata",
    ] {
        repo.write(
            &format!("{folder}/one.py"),
            "import two\n\n\ndef unused_one():\n    return two.x\n",
        );
        repo.write(&format!("{folder}/two.py"), "import one\n\nx = one\n");
    }
    repo.write(
        ".gitattributes",
        "lib/copied/** linguist-vendored\ngen/** linguist-generated\n",
    );
    repo.write(
        ".gitmodules",
        "[submodule \"m\"]\n\tpath = sub/module\n\turl = ../m\n",
    );
    repo.write("config/boundaries.yaml", "vendor:\n  - legacy/**\n");
    repo
}

fn files_of(list: &Value, field: &str) -> Vec<String> {
    let items = list.as_array().unwrap().iter();
    let mut files: Vec<String> = items
        .map(|item| item[field].as_str().unwrap().to_owned())
        .collect();
    files.sort();
    files.dedup();
    files
}

#[test]
fn orphans_cycles_and_complexity_leave_out_what_is_not_the_projects_own() {
    let repo = project();
    let answer = json(&repo, &["arch-check", "--all", "--possible"]);
    assert_eq!(
        files_of(&answer["orphans"], "file_path"),
        ["src/own.py"],
        "{answer}"
    );
    let cycles = answer["cycles"].to_string();
    for folder in ["lib/", "typeshed", "sub/", "gen/", "legacy", "testdata"] {
        assert!(!cycles.contains(folder), "{cycles}");
    }
    let said = answer["warnings"].to_string();
    assert!(
        said.contains("left out of cycles and orphans: fixture 2, generated 2, vendor 8"),
        "{said}"
    );
    let complexity = json(&repo, &["complexity"]);
    assert_eq!(
        files_of(&complexity["functions"], "file_path"),
        ["src/own.py"],
        "{complexity}"
    );
}

#[test]
fn boundary_names_the_file_and_line_that_said_it() {
    let repo = project();
    for (path, kind, reason) in [
        ("lib/copied/one.py", "vendor", ".gitattributes:1"),
        ("gen/one.py", "generated", ".gitattributes:2"),
        ("sub/module/one.py", "vendor", ".gitmodules:2"),
        ("legacy/one.py", "vendor", "config/boundaries.yaml:2"),
        ("typeshed/stdlib/one.py", "vendor", "typeshed"),
        ("testdata/one.py", "test", "testdata"),
        ("src/own.py", "user", "nothing"),
    ] {
        let answer = json(&repo, &["boundary", "--path", path]);
        assert_eq!(answer["type"], kind, "{answer}");
        let said = answer["reason"].as_str().unwrap();
        assert!(said.contains(reason), "{answer}");
    }
}

#[test]
fn rules_that_cannot_be_read_are_said_and_the_answer_is_given() {
    let repo = project();
    repo.write("config/boundaries.yaml", "vendr:\n  - legacy/**\n");
    let said = knotwork(&repo, &["complexity"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(
        said.stderr.contains("unknown kind vendr") && said.stderr.contains("not used"),
        "{said:?}"
    );
}

/// Two files with the same text.
fn two_copies() -> Repo {
    let text = "def compute_backoff(attempt):\n    \"\"\"Seconds to wait before the next retry.\"\"\"\n    return 2 ** attempt\n";
    let repo = Repo::new("//- README.md\n# Retries\n");
    repo.write("billing/backoff.py", text);
    repo.write("mail/backoff.py", text);
    repo
}

#[test]
fn search_and_context_put_what_others_own_behind() {
    let repo = two_copies();
    let first = |command: &[&str], list: &str| -> String {
        let answer = json(&repo, command);
        answer[list][0]["file_path"].as_str().unwrap().to_owned()
    };
    let search = ["search", "how long to wait before a retry"];
    let context = ["graph-rag", "how long to wait before a retry"];
    let before = first(&search, "results");
    assert_eq!(first(&context, "candidates"), before);
    let (folder, other) = match before.as_str() {
        "billing/backoff.py" => ("billing", "mail/backoff.py"),
        "mail/backoff.py" => ("mail", "billing/backoff.py"),
        _ => panic!("{before}"),
    };
    for (file, text) in [
        (
            "config/boundaries.yaml",
            format!("vendor:\n  - {folder}/**\n"),
        ),
        (".gitattributes", format!("{folder}/** linguist-vendored\n")),
        (
            ".gitmodules",
            format!("[submodule \"m\"]\n\tpath = {folder}\n\turl = ../m\n"),
        ),
    ] {
        repo.write(file, &text);
        assert_eq!(first(&search, "results"), other, "{file}");
        assert_eq!(first(&context, "candidates"), other, "{file}");
        std::fs::remove_file(repo.file_path(file)).unwrap();
    }
    assert_eq!(first(&search, "results"), before);
}

#[test]
fn what_stands_somewhere_to_the_letter_comes_first() {
    let repo = Repo::new(
        "//- src/rules.py\ndef add_rule(rule):\n    \"\"\"Adds a new lint rule to the list of rules.\"\"\"\n    return rule\n",
    );
    repo.write(
        "src/lint.py",
        "def new_lint_rule(name):\n    return add(name)\n\n\ndef adding(rule):\n    return rule\n",
    );
    repo.write(
        "CONTRIBUTING.md",
        "# Contributing\n\nWelcome.\n\n## Adding a new lint rule\n\nBegin with a test.\n",
    );
    repo.write(
        "src/memory.c",
        "void deny(void) {\n    reply(\"-OOM command not allowed when used memory > 'maxmemory'.\");\n}\n",
    );
    repo.write(
        "src/memory_used.c",
        "/* memory used, used memory, commands allowed, maxmemory */\nint memory_used(int command) {\n    return command;\n}\n",
    );
    let first = |query: &str| -> String {
        let answer = json(&repo, &["search", query]);
        answer["results"][0]["file_path"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(first("Adding a new lint rule"), "CONTRIBUTING.md");
    assert_eq!(
        first("OOM command not allowed when used memory > 'maxmemory'."),
        "src/memory.c"
    );
    assert_eq!(
        first("where is \"begin with a test\" said"),
        "CONTRIBUTING.md"
    );
}
