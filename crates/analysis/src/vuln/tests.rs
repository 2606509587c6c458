//! Tests with reports of each tool, in the shapes that the tools document.

use super::*;
use crate::lockfiles::{Ecosystem, Lockfile, Manifests, read};

const NPM_6: &str = include_str!("fixtures/npm-6.json");
const NPM_7: &str = include_str!("fixtures/npm-7.json");
const OSV: &str = include_str!("fixtures/osv-scanner.json");
const CARGO: &str = include_str!("fixtures/cargo-audit.json");
const PIP: &str = include_str!("fixtures/pip-audit.json");
const GO: &str = include_str!("fixtures/govulncheck.json");

/// `severity package version id (fixed)`.
fn shown(text: &str) -> (AuditSource, Vec<String>) {
    let Audit {
        source,
        advisories: found,
        ..
    } = parse_audit(text).unwrap();
    let line = |a: &Advisory| {
        let fixed: Vec<&str> = a.fixed.iter().map(String::as_str).collect();
        let severity = a.severity.map_or("-", Severity::as_str);
        let (package, version, id) = (&a.package, &a.version, &a.id);
        format!("{severity} {package} {version} {id} ({})", fixed.join(", "))
    };
    (source, merge_advisories(found).iter().map(line).collect())
}

#[test]
fn every_tool_is_told_by_its_shape() {
    for (text, source, expected) in [
        (
            NPM_6,
            AuditSource::Npm6,
            vec![
                "moderate minimist 0.0.8 GHSA-vh95-rmgr-6w4m (>=0.2.1)",
                "high lodash 4.17.15 CVE-2020-8203 (>=4.17.19)",
            ],
        ),
        (
            NPM_7,
            AuditSource::Npm,
            vec![
                "high lodash  GHSA-35jh-r3h4-6jhm (4.17.21)",
                "critical minimist  GHSA-xvch-5gv4-984h ()",
                "low ms  GHSA-w9mr-4mfr-499f ()",
            ],
        ),
        (
            OSV,
            AuditSource::Osv,
            vec![
                "high jinja2 2.11.2 GHSA-g3rq-g295-4j3m (2.11.3)",
                "critical time 0.1.43 RUSTSEC-2020-0071 (0.2.23)",
            ],
        ),
        (
            CARGO,
            AuditSource::Cargo,
            vec!["moderate time 0.1.43 RUSTSEC-2020-0071 (>=0.2.23)"],
        ),
        (
            PIP,
            AuditSource::Pip,
            vec!["- flask 0.5 PYSEC-2019-179 (1.0)"],
        ),
        (
            GO,
            AuditSource::Go,
            vec!["- golang.org/x/text v0.3.5 GO-2021-0113 (v0.3.7)"],
        ),
    ] {
        let (found, mut lines) = shown(text);
        assert_eq!(found, source);
        lines.sort();
        let mut expected = expected;
        expected.sort_unstable();
        assert_eq!(lines, expected);
    }
}

#[test]
fn what_is_no_report_is_an_error() {
    for (text, message) in [
        ("", "invalid JSON"),
        ("{\"vulnerabilities\": {", "invalid JSON at line 1"),
        ("not json", "invalid JSON"),
        ("{}", "not a report of npm audit"),
        ("[1]", "not a report of npm audit"),
        // Forms of other tools.
        ("[]", "not a report of npm audit"),
        (
            "[{\"name\": \"flask\", \"version\": \"0.5\"}]",
            "not a report of npm audit",
        ),
        ("{\"vulnerabilities\": {}}", "not a report of npm audit"),
        (
            "{\"vulnerabilities\": {}, \"message\": \"request failed\"}",
            "not a report of npm audit",
        ),
        (
            "{\"results\": [{\"check_id\": \"sqli\", \"path\": \"a.py\"}], \"errors\": []}",
            "not a report of npm audit",
        ),
        (
            "{\"results\": [], \"errors\": []}",
            "not a report of npm audit",
        ),
        ("{\"dependencies\": []}", "not a report of npm audit"),
        (
            "{\"dependencies\": [{\"ref\": \"a\"}]}",
            "not a report of npm audit",
        ),
        (
            "{\"bomFormat\": \"CycloneDX\", \"components\": [], \"dependencies\": []}",
            "not a report of npm audit",
        ),
        // Reports that contradict themselves.
        (
            "{\"vulnerabilities\": {\"found\": true, \"count\": 1, \"list\": []}}",
            "not complete",
        ),
        (
            "{\"auditReportVersion\": 2, \"vulnerabilities\": {}, \"metadata\": {\"vulnerabilities\": {\"high\": 1}}}",
            "not complete",
        ),
        (
            "{\"config\": {\"protocol_version\": \"v1.0.0\"}}",
            "not complete",
        ),
        (
            "{\"error\": {\"code\": \"ENOLOCK\", \"summary\": \"This command requires an existing lockfile.\"}}",
            "the tool failed: This command requires an existing lockfile.",
        ),
        (
            "{\"message\": \"offline\", \"error\": {}}",
            "the tool failed: offline",
        ),
    ] {
        let error = parse_audit(text).unwrap_err().to_string();
        assert!(
            error.starts_with("audit report") && error.contains(message),
            "{error}"
        );
    }
}

#[test]
fn an_empty_report_of_each_tool_is_one() {
    for (text, source) in [
        (
            "{\"auditReportVersion\": 2, \"vulnerabilities\": {}}",
            AuditSource::Npm,
        ),
        (
            "{\"actions\": [], \"advisories\": {}, \"metadata\": {}}",
            AuditSource::Npm6,
        ),
        (
            "{\"vulnerabilities\": {\"found\": false, \"count\": 0, \"list\": []}}",
            AuditSource::Cargo,
        ),
        ("{\"results\": []}", AuditSource::Osv),
        (
            "{\"results\": [], \"experimental_config\": {\"licenses\": {}}}",
            AuditSource::Osv,
        ),
        ("{\"dependencies\": [], \"fixes\": []}", AuditSource::Pip),
        (
            "[{\"name\": \"a\", \"version\": \"1\", \"vulns\": []}]",
            AuditSource::Pip,
        ),
        (
            "{\"config\": {}}{\"progress\": {\"message\": \"Scanning\"}}",
            AuditSource::Go,
        ),
        (
            "{\"bomFormat\": \"CycloneDX\", \"vulnerabilities\": []}",
            AuditSource::CycloneDx,
        ),
    ] {
        let audit = parse_audit(text).unwrap();
        assert_eq!(audit.source, source);
        assert!(audit.advisories.is_empty() && audit.notes.is_empty());
    }
}

#[test]
fn all_reports_of_a_text_count() {
    let empty = "{\"auditReportVersion\": 2, \"vulnerabilities\": {}}\n";
    let (source, lines) = shown(&format!("{empty}{NPM_7}{PIP}{GO}"));
    assert_eq!((source, lines.len()), (AuditSource::Go, 5));
    let error = parse_audit(&format!("{empty}{{\"Results\": []}}")).unwrap_err();
    let error = error.to_string();
    assert!(error.starts_with("audit report 2 of 2: "), "{error}");
    // A finding counts, even if what it names is missing.
    let finding =
        "{\"finding\": {\"osv\": \"GO-1\", \"trace\": [{\"module\": \"m\", \"version\": \"v1\"}]}}";
    assert_eq!(shown(finding).1, ["- m v1 GO-1 ()"]);
}

#[test]
fn what_a_tool_did_not_check_is_said() {
    let pip = "{\"dependencies\": [{\"name\": \"own\", \"skip_reason\": \"not found on PyPI\"}], \"fixes\": []}";
    let notes = parse_audit(pip).unwrap().notes;
    assert_eq!(notes, ["pip-audit did not check own (not found on PyPI)"]);
    let cargo = "{\"vulnerabilities\": {\"found\": false, \"count\": 0, \"list\": []}, \"warnings\": {\"unsound\": [{}]}}";
    let notes = parse_audit(cargo).unwrap().notes;
    assert_eq!(
        notes,
        ["cargo audit warns that 1 crate is unsound; warnings are not listed"]
    );
}

#[test]
fn cyclonedx_is_read() {
    let report = r#"{"bomFormat": "CycloneDX", "specVersion": "1.4",
  "components": [
    {"bom-ref": "b1", "name": "flask", "version": "0.5", "purl": "pkg:pypi/flask@0.5"},
    {"bom-ref": "b2", "name": "app", "components": [
      {"bom-ref": "b3", "name": "core", "version": "7.0.0", "purl": "pkg:npm/%40babel/core@7.0.0"}]}],
  "dependencies": [{"ref": "b1"}],
  "vulnerabilities": [
    {"id": "PYSEC-2019-179", "description": "Memory", "ratings": [{"severity": "critical"}],
     "references": [{"id": "CVE-2019-1"}], "affects": [{"ref": "b1"}]},
    {"id": "CVE-1", "ratings": [{"score": 7.5}], "affects": [{"ref": "b3"}, {"ref": "pkg:maven/org.a/b@1.0"}]},
    {"id": "CVE-2", "analysis": {"state": "not_affected"}, "affects": [{"ref": "b1"}]},
    {"id": "CVE-3", "affects": []}]}"#;
    let (source, mut lines) = shown(report);
    lines.sort();
    assert_eq!(source, AuditSource::CycloneDx);
    assert_eq!(
        lines,
        [
            "critical flask 0.5 PYSEC-2019-179 ()",
            "high @babel/core 7.0.0 CVE-1 ()",
            "high org.a:b 1.0 CVE-1 ()"
        ]
    );
    assert_eq!(parse_audit(report).unwrap().notes.len(), 2);
}

fn lock(path: &str, text: &str) -> Lockfile {
    read(path, text, &Manifests::default()).unwrap()
}

fn npm_lock() -> Lockfile {
    lock(
        "package-lock.json",
        r#"{"name": "shop", "lockfileVersion": 3, "packages": {
  "": {"name": "shop", "dependencies": {"lodash": "^4", "mkdirp": "^0.5"}, "devDependencies": {"debug": "2"}},
  "node_modules/debug": {"version": "2.0.0", "dev": true, "dependencies": {"ms": "0.6"}},
  "node_modules/lodash": {"version": "4.17.15"},
  "node_modules/mkdirp": {"version": "0.5.1", "dependencies": {"minimist": "0.0.8"}},
  "node_modules/minimist": {"version": "1.2.8"},
  "node_modules/mkdirp/node_modules/minimist": {"version": "0.0.8"},
  "node_modules/ms": {"version": "0.6.2", "dev": true}}}"#,
    )
}

const ALL: ReportOptions = ReportOptions {
    threshold: Severity::Low,
    include_dev: true,
    routes: 3,
    places: 10,
};

fn use_of(package: &str, symbol: &str, file: &str, function: Option<(&str, u32)>) -> PackageUse {
    PackageUse {
        package: package.to_owned(),
        symbol: symbol.to_owned(),
        file_path: file.to_owned(),
        line: 7,
        count: 1,
        function: function.map(|(name, line)| (name.to_owned(), line)),
        aside: false,
    }
}

#[test]
fn advisories_meet_the_lock_file_and_the_code() {
    let advisories = merge_advisories(parse_audit(NPM_7).unwrap().advisories);
    let uses = [
        PackageUse {
            aside: true,
            ..use_of("lodash", "", "aside/a.ts", None)
        },
        use_of("lodash", "", "src/a.ts", None),
        use_of("lodash", "merge", "src/a.ts", Some(("Cart.total", 20))),
        use_of("lodash-es", "merge", "src/b.ts", None),
    ];
    let found = build_report(&advisories, &[npm_lock()], &uses, &ALL);
    let lines: Vec<String> = found
        .vulnerabilities
        .iter()
        .map(|v| format!("{} {}", v.severity.as_str(), v.path.join(" > ")))
        .collect();
    // Version 1.2.8 of minimist lies outside the range and is not listed.
    assert_eq!(
        lines,
        [
            "critical shop > mkdirp@0.5.1 > minimist@0.0.8",
            "high shop > lodash@4.17.15",
            "low shop > debug@2.0.0 > ms@0.6.2"
        ]
    );
    let lodash = &found.vulnerabilities[1];
    assert_eq!(lodash.affected_files.len(), 2);
    assert_eq!(lodash.affected_files[0].symbols, ["merge"]);
    assert_eq!(lodash.affected_files[1].file_path, "aside/a.ts");
    assert_eq!(lodash.functions[0].symbol, "Cart.total");
    assert!(found.vulnerabilities[2].dev && !lodash.dev);
    assert_eq!(found.by_severity.critical, 1);
}

#[test]
fn a_file_has_its_packages_from_the_nearest_lock_file() {
    let advisories = merge_advisories(parse_audit(NPM_7).unwrap().advisories);
    let yarn = "lodash@^4:\n  version \"4.17.21\"\n";
    let files = [npm_lock(), lock("web/yarn.lock", yarn)];
    let uses = [
        use_of("lodash", "merge", "src/a.ts", None),
        use_of("lodash", "merge", "web/b.ts", None),
    ];
    let found = build_report(&advisories, &files, &uses, &ALL);
    let lodash = found.vulnerabilities.iter().find(|v| v.name == "lodash");
    let paths: Vec<&str> = lodash
        .unwrap()
        .affected_files
        .iter()
        .map(|f| f.file_path.as_str())
        .collect();
    assert_eq!(paths, ["src/a.ts"]);
}

#[test]
fn ct_013_severity_and_development_are_filtered() {
    let advisories = merge_advisories(parse_audit(NPM_7).unwrap().advisories);
    let counts = |threshold, include_dev| {
        let options = ReportOptions {
            threshold,
            include_dev,
            ..ALL
        };
        let found = build_report(&advisories, &[npm_lock()], &[], &options);
        assert_eq!(found.total, found.vulnerabilities.len());
        (found.total, found.below_threshold, found.dev_left_out)
    };
    assert_eq!(counts(Severity::Low, true), (3, 0, 0));
    assert_eq!(counts(Severity::Low, false), (2, 0, 1));
    assert_eq!(counts(Severity::Moderate, true), (2, 1, 0));
    assert_eq!(counts(Severity::High, true), (2, 1, 0));
    assert_eq!(counts(Severity::Critical, true), (1, 2, 0));
    assert!(Severity::Low < Severity::Moderate && Severity::High < Severity::Critical);
}

#[test]
fn two_tools_that_report_one_fault_are_one_entry() {
    let mut both = parse_audit(CARGO).unwrap().advisories;
    both.extend(parse_audit(OSV).unwrap().advisories);
    let merged = merge_advisories(both);
    let time: Vec<&Advisory> = merged.iter().filter(|a| a.package == "time").collect();
    assert_eq!(time.len(), 1);
    let sources: Vec<&String> = time[0].sources.iter().collect();
    assert_eq!(sources, ["cargo audit", "osv-scanner"]);
    assert!(time[0].symbols.contains("time::at"));
    let uses = [
        use_of("time", "now_utc", "src/lib.rs", Some(("early", 3))),
        use_of("time", "at", "src/lib.rs", Some(("late", 30))),
    ];
    let file = lock(
        "Cargo.lock",
        "[[package]]\nname = \"app\"\nversion = \"1.0.0\"\ndependencies = [\"time\"]\n[[package]]\nname = \"time\"\nversion = \"0.1.43\"\nsource = \"registry+x\"\n",
    );
    let found = build_report(&merged, &[file], &uses, &ALL);
    let functions = &found.vulnerabilities[0].functions;
    assert_eq!(
        (functions[0].symbol.as_str(), functions[0].at_fault),
        ("late", true)
    );
    assert!(!functions[1].at_fault);
}

#[test]
fn without_a_lock_file_the_tool_s_own_ways_are_shown() {
    let advisories = merge_advisories(parse_audit(NPM_6).unwrap().advisories);
    let found = build_report(&advisories, &[], &[], &ALL);
    let minimist = found.vulnerabilities.iter().find(|v| v.name == "minimist");
    assert_eq!(minimist.unwrap().path, ["mkdirp", "minimist"]);
    assert_eq!(minimist.unwrap().ecosystem, Some(Ecosystem::Npm));
}

#[test]
fn a_package_is_traced_through_every_lock_file() {
    let files = [
        npm_lock(),
        lock("web/yarn.lock", "minimist@^1:\n  version \"1.2.0\"\n"),
    ];
    let uses = [use_of(
        "minimist",
        "default",
        "bin/cli.js",
        Some(("main", 4)),
    )];
    let found = trace_package("minimist", &files, &uses, 5, 5);
    let ways: Vec<String> = found
        .found
        .iter()
        .map(|f| {
            format!(
                "{}: {}",
                f.lock_file,
                f.paths
                    .first()
                    .map_or(String::new(), |p| p.path.join(" > "))
            )
        })
        .collect();
    assert_eq!(
        ways,
        [
            "package-lock.json: shop > mkdirp@0.5.1 > minimist@0.0.8",
            "package-lock.json: ",
            "web/yarn.lock: web > minimist@1.2.0"
        ]
    );
    assert_eq!(found.functions[0].symbol, "main");
    let markdown = trace_to_markdown(&found);
    assert!(
        markdown.contains("- shop → mkdirp@0.5.1 → minimist@0.0.8"),
        "{markdown}"
    );
}

#[test]
fn markdown_is_a_table_and_survives_any_text() {
    let mut advisories = merge_advisories(parse_audit(NPM_7).unwrap().advisories);
    advisories[0].title = "a | b\n<script>".to_owned();
    let text = report_to_markdown(&build_report(&advisories, &[npm_lock()], &[], &ALL), true);
    let rows: Vec<&str> = text.lines().filter(|l| l.starts_with('|')).collect();
    assert_eq!(rows.len(), 5, "{text}");
    assert!(text.contains("a \\| b &lt;script>"), "{text}");
    assert!(text.contains("🔴 critical"));
    let none = report_to_markdown(&VulnReport::default(), true);
    assert!(none.contains("No vulnerabilities"));
}

/// Reports of at most 5 MB, as each tool would write them, in which one long text is referred to often.
fn long_reports() -> [String; 5] {
    let long = "t".repeat(200_000);
    let many = |n: usize, one: &dyn Fn(usize) -> String| {
        (0..n).map(one).collect::<Vec<String>>().join(",")
    };
    let names = many(5_000, &|n| format!("\"{n:x}\""));
    let findings = |n: usize| {
        let one =
            |n| format!("{{\"finding\":{{\"osv\":\"G\",\"trace\":[{{\"module\":\"m{n:x}\"}}]}}}}");
        (0..n).map(one).collect::<Vec<String>>().join("\n")
    };
    let parts = many(20_000, &|n| {
        format!("{{\"package\":{{\"name\":\"m{n:x}\"}}}}")
    });
    [
        format!(
            "{{\"osv\":{{\"id\":\"G\",\"aliases\":[{names}]}}}}\n{}",
            findings(20_000)
        ),
        format!(
            "{{\"osv\":{{\"id\":\"G\",\"affected\":[{parts}]}}}}\n{}",
            findings(20_000)
        ),
        format!(
            "{{\"advisories\":{{\"1\":{{\"module_name\":\"x\",\"title\":\"{long}\",\"findings\":[{}]}}}}}}",
            many(10_000, &|n| format!("{{\"version\":\"{n:x}\"}}"))
        ),
        format!(
            "{{\"dependencies\":[{{\"name\":\"r\",\"version\":\"2\",\"vulns\":[{}]}}]}}",
            many(20_000, &|n| format!(
                "{{\"id\":\"X{n}\",\"aliases\":[{}]}}",
                many(20, &|m| format!("\"a{n}-{m}\""))
            ))
        ),
        format!(
            "{{\"advisories\":{{\"1\":{{\"module_name\":\"x\",\"findings\":[{}]}}}}}}",
            many(50_000, &|n| format!(
                "{{\"version\":\"1\",\"paths\":[\"a{n:x}\"]}}"
            ))
        ),
    ]
}

#[test]
fn what_a_report_says_once_is_not_multiplied() {
    for text in long_reports() {
        let audit = parse_audit(&text).unwrap();
        let bytes: usize = audit.advisories.iter().map(|a| a.title.len()).sum();
        assert!(bytes < 5 << 20, "{bytes}");
        assert!(audit.advisories.len() + audit.left_out >= 10_000);
        merge_advisories(audit.advisories);
    }
}

#[test]
fn tokens_in_reports_are_hidden() {
    let token = "ghp_0123456789abcdefghijklmnopqrstuvwxAB";
    let report = NPM_7.replace("\"title\": \"", &format!("\"title\": \"{token} "));
    assert_ne!(report, NPM_7);
    let advisories = merge_advisories(parse_audit(&report).unwrap().advisories);
    let text = report_to_markdown(&super::build_report(&advisories, &[], &[], &ALL), true);
    assert!(text.contains("****") && !text.contains(token), "{text}");
    let failed = format!(
        "{{\"error\": {{\"summary\": \"no {token} {}\"}}}}",
        "x".repeat(9_000)
    );
    let said = parse_audit(&failed).unwrap_err().to_string();
    assert!(!said.contains(token) && said.len() < 600, "{said}");
}

/// A lock file of many packages, each needed by the one before.
fn long_lock(count: usize) -> Lockfile {
    let one = |n: usize| {
        let next = if n + 1 < count {
            format!("dependencies = [\"p{}\"]\n", n + 1)
        } else {
            String::new()
        };
        format!(
            "[[package]]\nname = \"p{n}\"\nversion = \"1.0.0\"\nsource = \"registry+x\"\n{next}"
        )
    };
    lock("Cargo.lock", &(0..count).map(one).collect::<String>())
}

fn advisory(package: &str, version: &str, id: usize) -> Advisory {
    Advisory {
        package: package.to_owned(),
        ecosystem: Some(Ecosystem::Cargo),
        version: version.to_owned(),
        id: format!("X{id}"),
        title: "t".repeat(300),
        ..Advisory::default()
    }
}

#[test]
fn advisories_are_not_multiplied_with_the_lock_file() {
    let files = [long_lock(10_000)];
    let uses: Vec<PackageUse> = (0..10_000)
        .map(|n| use_of(&format!("p{n}"), "f", "src/lib.rs", Some(("f", n as u32))))
        .collect();
    let advisories: Vec<Advisory> = (0..10_000)
        .map(|n| advisory(&format!("p{n}"), "", n))
        .collect();
    let found = build_report(&advisories, &files, &uses, &ALL);
    assert_eq!((found.total, found.not_compared), (10_000, 0));
    assert!(found.ways_left_out > 0 && found.vulnerabilities.iter().all(|v| v.path.len() < 110));
}

#[test]
fn advisories_of_one_package_are_not_multiplied_with_its_versions_or_places() {
    let versions: String = (0..5_000)
        .map(|n| {
            format!("[[package]]\nname = \"p\"\nversion = \"1.0.{n}\"\nsource = \"registry+x\"\n")
        })
        .collect();
    let files = [lock("Cargo.lock", &versions)];
    let uses: Vec<PackageUse> = (0..50_000)
        .map(|n| use_of("p", &format!("f{n}"), "src/lib.rs", Some(("f", n as u32))))
        .collect();
    let advisories: Vec<Advisory> = (0..10_000).map(|n| advisory("p", "", n)).collect();
    let found = build_report(&advisories, &files, &uses, &ALL);
    assert!(
        found.not_compared > 9_000 && found.not_listed > 0,
        "{}",
        found.not_compared
    );
    let symbols = &found.vulnerabilities[0].affected_files[0].symbols;
    assert_eq!(symbols.last().unwrap(), "… (49800 more)");
    assert!(found.vulnerabilities.len() < 100_000);
}
