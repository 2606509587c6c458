//! Vulnerabilities: tools of the search path, recorded reports, lock files, and the code that uses a package.

use crate::common::{json, knotwork, knotwork_with};
use serde_json::Value;
use testkit::Repo;

const SHOP: &str = r#"//- .git/HEAD
ref
//- package.json
{"name": "shop", "dependencies": {"lodash": "^4", "mkdirp": "^0.5"}, "devDependencies": {"debug": "2"}}
//- package-lock.json
{"name": "shop", "lockfileVersion": 3, "packages": {
  "": {"name": "shop", "dependencies": {"lodash": "^4", "mkdirp": "^0.5"}, "devDependencies": {"debug": "2"}},
  "node_modules/debug": {"version": "2.0.0", "dev": true, "dependencies": {"ms": "0.6"}},
  "node_modules/lodash": {"version": "4.17.15"},
  "node_modules/mkdirp": {"version": "0.5.1", "dependencies": {"minimist": "0.0.8"}},
  "node_modules/minimist": {"version": "1.2.8"},
  "node_modules/mkdirp/node_modules/minimist": {"version": "0.0.8"},
  "node_modules/ms": {"version": "0.6.2", "dev": true}}}
//- src/cart.ts
import { merge } from "lodash";

export class Cart {
  total(prices: object): object {
    return merge({}, prices);
  }
}
//- src/other.ts
export const one = 1;
"#;

const AUDIT: &str = include_str!("../../../analysis/src/vuln/fixtures/npm-7.json");

fn shop() -> Repo {
    let repo = Repo::new(SHOP);
    repo.write("audit.json", AUDIT);
    repo
}

fn names(answer: &Value) -> Vec<&str> {
    let all = answer["vulnerabilities"].as_array().unwrap();
    all.iter().map(|v| v["name"].as_str().unwrap()).collect()
}

#[test]
fn ct_012_a_report_has_the_shape_of_the_design() {
    let repo = shop();
    let parse = [
        "vuln",
        "parse",
        "--input",
        "audit.json",
        "--severity",
        "low",
        "--include-dev",
    ];
    let answer = json(&repo, &parse);
    let time = answer["scan_time"].as_str().unwrap();
    assert!(time.len() == 20 && time.ends_with('Z'), "{time}");
    assert_eq!(answer["total"], 3, "{answer}");
    assert_eq!(
        answer["by_severity"],
        serde_json::json!({"critical": 1, "high": 1, "moderate": 0, "low": 1})
    );
    let lodash = &answer["vulnerabilities"][1];
    assert_eq!(lodash["name"], "lodash");
    assert_eq!(lodash["version"], "4.17.15");
    assert_eq!(lodash["severity"], "high");
    assert_eq!(lodash["title"], "Command Injection in lodash");
    assert_eq!(
        lodash["path"],
        serde_json::json!(["shop", "lodash@4.17.15"])
    );
    assert_eq!(lodash["affected_files"][0]["file_path"], "src/cart.ts");
    assert_eq!(lodash["affected_files"].as_array().unwrap().len(), 1);
    assert_eq!(lodash["functions"][0]["symbol"], "Cart.total");
    assert_eq!(answer["index"]["fresh"], true);
}

#[test]
fn ct_013_severities_are_filtered_and_the_environment_sets_the_default() {
    let repo = shop();
    let parse = |more: &[&str]| {
        let all = [&["vuln", "parse", "--input", "audit.json"], more].concat();
        json(&repo, &all)
    };
    let default = parse(&[]);
    assert_eq!(names(&default), ["minimist", "lodash"]);
    assert_eq!(default["severity_threshold"], "moderate");
    assert_eq!(default["dev_left_out"], 1);
    assert_eq!(names(&parse(&["--severity", "critical"])), ["minimist"]);
    assert_eq!(
        names(&parse(&["--severity", "low", "--include-dev"])),
        ["minimist", "lodash", "ms"]
    );
    let said = knotwork_with(
        &repo,
        &[("VULN_SEVERITY_THRESHOLD", "critical")],
        &["--format", "json", "vuln", "parse", "--input", "audit.json"],
    );
    let answer: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(names(&answer), ["minimist"]);
    let wrong = knotwork_with(
        &repo,
        &[("VULN_SEVERITY_THRESHOLD", "terrible")],
        &["vuln", "parse", "--input", "audit.json"],
    );
    assert_eq!(wrong.code, 0, "{wrong:?}");
    assert!(
        wrong.stderr.contains("VULN_SEVERITY_THRESHOLD"),
        "{wrong:?}"
    );
    let said = knotwork(
        &repo,
        &[
            "vuln",
            "parse",
            "--input",
            "audit.json",
            "--severity",
            "huge",
        ],
    );
    assert_eq!(said.code, 1);
}

#[test]
fn a_package_is_traced_to_the_project_and_to_its_users() {
    let repo = shop();
    let answer = json(&repo, &["vuln", "trace", "minimist"]);
    assert_eq!(
        answer["found"][0]["paths"][0]["path"],
        serde_json::json!(["shop", "mkdirp@0.5.1", "minimist@0.0.8"])
    );
    assert_eq!(answer["affected_files"], serde_json::json!([]));
    let lodash = json(&repo, &["vuln", "trace", "lodash"]);
    assert_eq!(lodash["functions"][0]["symbol"], "Cart.total");
    assert_eq!(lodash["functions"][0]["line"], 4);
    let said = knotwork(&repo, &["vuln", "trace", "lodahs"]);
    assert_eq!(said.code, 1);
    assert!(
        said.stderr.contains("package not found: lodahs"),
        "{said:?}"
    );
    assert!(said.stderr.contains("near it: lodash"), "{said:?}");
}

#[test]
fn reports_as_markdown_and_text() {
    let repo = shop();
    let said = knotwork(
        &repo,
        &["--format", "md", "vuln", "parse", "--input", "audit.json"],
    );
    assert!(
        said.stdout.contains("| 🔴 critical | minimist | 0.0.8 |"),
        "{said:?}"
    );
    let said = knotwork(&repo, &["vuln", "parse", "--input", "audit.json"]);
    assert!(
        said.stdout.contains("shop → mkdirp@0.5.1 → minimist@0.0.8"),
        "{said:?}"
    );
    repo.write(
        "none.json",
        r#"{"auditReportVersion": 2, "vulnerabilities": {}}"#,
    );
    let said = knotwork(
        &repo,
        &["--format", "md", "vuln", "parse", "--input", "none.json"],
    );
    assert!(said.stdout.contains("No vulnerabilities"), "{said:?}");
}

#[test]
fn what_is_no_report_is_refused() {
    let repo = shop();
    repo.write("bad.json", "{\"vulnerabilities\": {");
    for (input, message) in [
        ("bad.json", "error: audit report: invalid JSON at line 1"),
        ("package.json", "not a report of npm audit"),
        ("missing.json", "cannot read missing.json"),
    ] {
        let said = knotwork(&repo, &["vuln", "parse", "--input", input]);
        assert_eq!(said.code, 1, "{said:?}");
        assert!(said.stderr.contains(message), "{said:?}");
    }
}

#[test]
fn without_tools_a_scan_is_empty_and_says_so() {
    let repo = shop();
    let path = [("PATH", "/nonexistent")];
    let said = knotwork_with(&repo, &path, &["--format", "json", "vuln", "scan"]);
    assert_eq!(said.code, 0, "{said:?}");
    let answer: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(answer["total"], 0);
    assert_eq!(answer["lock_files"][0]["packages"], 6);
    let warnings = answer["warnings"].to_string();
    assert!(warnings.contains("no audit tool could run"), "{warnings}");
    assert!(warnings.contains("npm audit: not installed"), "{warnings}");
    let empty = Repo::new("//- .git/HEAD\nref\n//- a.py\nx = 1\n");
    let said = knotwork_with(&empty, &path, &["vuln", "scan"]);
    assert_eq!(said.code, 0);
    assert!(said.stderr.contains("no lock file"), "{said:?}");
    let said = knotwork_with(&repo, &path, &["vuln", "scan"]);
    assert!(said.stdout.starts_with("Nothing was checked"), "{said:?}");
}

#[test]
fn a_damaged_lock_file_is_named_and_the_others_count() {
    let repo = shop();
    repo.write("api/Cargo.lock", "version = 4\n[[package]\n");
    let said = knotwork(&repo, &["vuln", "parse", "--input", "audit.json"]);
    assert_eq!(said.code, 0);
    assert!(
        said.stderr
            .contains("lock file not read: api/Cargo.lock:2: no TOML"),
        "{said:?}"
    );
    let answer = json(&repo, &["vuln", "trace", "minimist"]);
    assert_eq!(answer["problems"][0]["file_path"], "api/Cargo.lock");
    assert_eq!(answer["problems"][0]["line"], 2);
    assert_eq!(answer["found"].as_array().unwrap().len(), 2);
}

#[cfg(unix)]
mod tools {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn program(folder: &Repo, name: &str, script: &str) {
        folder.write(name, &format!("#!/bin/sh\n{script}\n"));
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.file_path(name), mode).unwrap();
    }

    fn scan(repo: &Repo, tools: &Repo, more: &[&str]) -> Value {
        let all = [&["--format", "json", "vuln", "scan", "--online"], more].concat();
        // Programs of the test machine must not run.
        let path = tools.path().display().to_string();
        let said = knotwork_with(repo, &[("PATH", &path)], &all);
        assert_eq!(said.code, 0, "{said:?}");
        serde_json::from_str(&said.stdout).unwrap()
    }

    #[test]
    fn tools_that_are_installed_are_asked() {
        let (repo, tools) = (shop(), Repo::new(""));
        let report = repo.file_path("audit.json").display().to_string();
        program(
            &tools,
            "npm",
            &format!("[ \"$1 $2\" = 'audit --json' ] || exit 9\n/bin/cat {report}\nexit 1"),
        );
        let answer = scan(&repo, &tools, &[]);
        assert_eq!(names(&answer), ["minimist", "lodash"], "{answer}");
        let npm = &answer["tools"][1];
        assert_eq!(
            (&npm["tool"], &npm["ran"]),
            (&"npm audit".into(), &true.into())
        );
        // A program that the repository contains does not count as installed.
        let own = shop();
        program(&own, "npm", "touch run");
        let answer = scan(&own, &own, &[]);
        assert_eq!(answer["tools"][1]["problem"], "not installed");
        assert!(!own.file_path("run").exists());
    }

    #[test]
    fn osv_scanner_is_given_a_list_of_all_packages() {
        let (repo, tools) = (shop(), Repo::new(""));
        repo.write("api/requirements-dev.txt", "flask==0.5\n");
        let report = include_str!("../../../analysis/src/vuln/fixtures/osv-scanner.json");
        repo.write("osv.json", report);
        let report = repo.file_path("osv.json").display().to_string();
        let list = "for last; do :; done; list=${last#osv-scanner:}\n\
            /bin/grep -q '\"ecosystem\":\"PyPI\",\"name\":\"flask\"' \"$list\" || exit 8\n\
            /bin/grep -q '\"name\":\"lodash\",\"version\":\"4.17.15\"' \"$list\" || exit 7";
        program(
            &tools,
            "osv-scanner",
            &format!("{list}\n/bin/cat {report}\nexit 1"),
        );
        let answer = scan(&repo, &tools, &["--include-dev"]);
        assert_eq!(names(&answer), ["time", "jinja2"], "{answer}");
        assert_eq!(answer["tools"][0]["ran"], true);
        program(&tools, "osv-scanner", "echo no such flag >&2; exit 9");
        let answer = scan(&repo, &tools, &[]);
        let run = &answer["tools"][0];
        assert_eq!(run["ran"], false);
        let problem = run["problem"].as_str().unwrap();
        assert!(problem.contains("(exit code 9): no such flag"), "{problem}");
    }

    #[test]
    fn lock_files_that_are_not_read_are_named() {
        let (repo, tools) = (shop(), Repo::new(""));
        repo.write("web/bun.lock", "{}");
        repo.write("api/requirements.txt", "-r base.in\n-r gone.in\n");
        repo.write("api/base.in", "flask==0.5\n");
        let large = format!(
            "{{\"lockfileVersion\": 3,{}\"packages\": {{}}}}",
            " ".repeat(2 << 20)
        );
        repo.write("app/package-lock.json", &large);
        program(&tools, "osv-scanner", "echo '{\"results\": []}'");
        let answer = scan(&repo, &tools, &[]);
        let read = answer["lock_files"].as_array().unwrap().iter();
        let read: Vec<&str> = read
            .map(|file| file["file_path"].as_str().unwrap())
            .collect();
        for path in ["api/base.in", "app/package-lock.json", "package-lock.json"] {
            assert!(read.contains(&path), "{read:?}");
        }
        let named = answer["problems"].as_array().unwrap().iter();
        let named: Vec<&str> = named
            .map(|one| one["file_path"].as_str().unwrap())
            .collect();
        assert_eq!(named, ["api/gone.in", "web/bun.lock"], "{answer}");
        let path = tools.path().display().to_string();
        let said = knotwork_with(&repo, &[("PATH", &path)], &["vuln", "scan"]);
        let first = "No vulnerabilities found in the lock files that were read";
        assert!(said.stdout.starts_with(first), "{said:?}");
        assert!(
            said.stderr
                .contains("web/bun.lock: lock files of Bun are not read"),
            "{said:?}"
        );
    }

    #[test]
    fn a_tool_that_fails_or_hangs_is_named() {
        let (repo, tools) = (shop(), Repo::new(""));
        program(
            &tools,
            "npm",
            r#"echo '{"error": {"code": "ENOAUDIT", "summary": "no network"}}'; exit 1"#,
        );
        let answer = scan(&repo, &tools, &[]);
        assert_eq!(answer["total"], 0);
        let problem = answer["tools"][1]["problem"].as_str().unwrap();
        assert!(problem.contains("the tool failed: no network"), "{problem}");
        program(&tools, "npm", "exec /bin/sleep 60");
        let answer = scan(&repo, &tools, &["--set", "vuln.timeout_ms=300"]);
        let problem = answer["tools"][1]["problem"].as_str().unwrap();
        assert!(problem.contains("stopped"), "{problem}");
    }
}

#[test]
fn a_lock_file_that_cannot_be_read_is_no_missing_one() {
    let repo = Repo::new("//- .git/HEAD\nref\n//- package-lock.json\n{\"packages\": {\n");
    let said = knotwork(&repo, &["vuln", "trace", "left-pad"]);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(
        said.stderr.contains("hint: not read: package-lock.json:"),
        "{said:?}"
    );
    let said = knotwork(&repo, &["vuln", "scan"]);
    assert!(said.stdout.starts_with("Nothing was checked"), "{said:?}");
    assert!(
        said.stderr.contains("no lock file could be read"),
        "{said:?}"
    );
    let said = knotwork(&shop(), &["vuln", "trace", "left-padding"]);
    assert!(
        said.stderr.contains("hint: looked in package-lock.json"),
        "{said:?}"
    );
    let said = knotwork(&shop(), &["vuln", "trace", "shop"]);
    assert!(
        said.stderr.contains("hint: shop is a part of the project"),
        "{said:?}"
    );
}
