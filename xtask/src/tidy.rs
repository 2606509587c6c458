//! Tests of the repository's own rules: the crate table, file sizes, headers, licences, forbidden words.

use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_members: Vec<String>,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    license: Option<String>,
    license_file: Option<String>,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    kind: Option<String>,
    path: Option<String>,
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn metadata() -> Metadata {
    let out = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    serde_json::from_slice(&out.stdout).unwrap()
}

/// Text files below the root with one of the endings. Build outputs are left out, and so are the programs of the
/// corpora, which are data.
pub(crate) fn files(endings: &[&str]) -> Vec<(String, String)> {
    let root = root();
    let fuzz = root.join("fuzz");
    let mut found: Vec<(String, String)> = ignore::WalkBuilder::new(&root)
        .hidden(false)
        .filter_entry(move |e| {
            !matches!(
                e.file_name().to_str(),
                Some(".git" | "target" | ".devbooks" | "corpus")
            ) || e.path().starts_with(&fuzz)
        })
        .build()
        .filter_map(Result::ok)
        .filter(|e| e.file_type().is_some_and(|t| t.is_file()))
        .filter_map(|e| {
            let path = e.path().strip_prefix(&root).ok()?.to_str()?.to_owned();
            let wanted = endings.iter().any(|ending| path.ends_with(ending));
            wanted.then(|| {
                std::fs::read_to_string(e.path())
                    .map(|text| (path, text))
                    .ok()
            })?
        })
        .collect();
    found.sort();
    assert!(!found.is_empty());
    found
}

pub(crate) fn fail(what: &str, found: &[String]) {
    assert!(found.is_empty(), "{what}:\n  {}", found.join("\n  "));
}

#[test]
fn the_crate_table_is_true() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    // The first table lists the crates; a later one lists cycles of files.
    let table: BTreeMap<String, BTreeSet<String>> = text
        .lines()
        .skip_while(|line| !line.starts_with("| `"))
        .take_while(|line| line.starts_with("| `"))
        .map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let uses = cells[2].split(',').map(str::trim);
            let uses = uses.filter(|c| *c != "–").map(str::to_owned).collect();
            (cells[1].trim_matches('`').to_owned(), uses)
        })
        .collect();
    let metadata = metadata();
    let actual: BTreeMap<String, BTreeSet<String>> = metadata
        .packages
        .iter()
        .filter(|p| metadata.workspace_members.contains(&p.id))
        .map(|p| {
            let inside = p.dependencies.iter().filter(|d| d.path.is_some());
            let uses = inside.filter(|d| d.kind.as_deref() != Some("dev"));
            (p.name.clone(), uses.map(|d| d.name.clone()).collect())
        })
        .collect();
    assert_eq!(table, actual, "left: ARCHITECTURE.md, right: the manifests");
}

#[test]
fn every_dependency_may_be_used() {
    const ALLOWED: [&str; 11] = [
        "MIT",
        "Apache-2.0",
        "Apache-2.0 WITH LLVM-exception",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "CC0-1.0",
        "ISC",
        "MPL-2.0",
        "Unicode-3.0",
        "Unlicense",
        "Zlib",
    ];
    let deny = std::fs::read_to_string(root().join("deny.toml")).unwrap();
    for license in ALLOWED {
        assert!(
            deny.contains(&format!("\"{license}\"")),
            "deny.toml lacks {license}"
        );
    }
    let allowed = |expression: &str| {
        let expression = expression.replace(['(', ')'], "").replace('/', " OR ");
        expression
            .split(" AND ")
            .all(|all| all.split(" OR ").any(|one| ALLOWED.contains(&one.trim())))
    };
    assert!(!allowed("GPL-3.0-only") && allowed("(MIT OR GPL-2.0) AND Zlib"));
    let refused: Vec<String> = metadata()
        .packages
        .iter()
        .filter(|p| !p.license.as_deref().is_some_and(allowed))
        .map(|p| format!("{}: {:?} {:?}", p.name, p.license, p.license_file))
        .collect();
    fail("licences that are not allowed", &refused);
}

#[test]
fn no_file_is_too_long() {
    let long: Vec<String> = files(&[".rs", ".py", ".go", ".java"])
        .iter()
        .filter(|(_, text)| text.lines().count() > 1_000)
        .map(|(path, text)| format!("{path}: {} lines", text.lines().count()))
        .collect();
    fail("files over 1,000 lines", &long);
}

#[test]
fn every_module_says_what_it_is_for() {
    let rust = files(&[".rs"]);
    let silent: Vec<String> = rust
        .iter()
        .filter(|(_, text)| !text.starts_with("//! "))
        .map(|(path, _)| path.clone())
        .collect();
    fail("modules that do not open with `//!`", &silent);
    let unknowing: Vec<String> = rust
        .iter()
        .filter(|(path, _)| path.starts_with("crates/") && path.ends_with("src/lib.rs"))
        .filter(|(_, text)| {
            let header = text.lines().take_while(|line| line.starts_with("//!"));
            !header
                .collect::<String>()
                .to_lowercase()
                .contains("never knows")
        })
        .map(|(path, _)| path.clone())
        .collect();
    fail("lib.rs that do not say what they never know", &unknowing);
}

#[test]
fn no_words_of_one_machine() {
    // Written in two halves, so that this file does not contain the words itself.
    let forbidden = [
        ["/wo", "rk/"],
        ["/tm", "p/"],
        ["/ho", "me/"],
        ["/ro", "ot/"],
        ["artifact", "ory"],
        ["index.crates", ".io"],
        ["registry.npmjs", ".org"],
        ["pypi", ".org"],
        ["proxy.golang", ".org"],
        ["deb.debian", ".org"],
    ];
    let mut found = Vec::new();
    for (path, text) in files(&[".rs", ".md", ".toml", ".sh", ".py", ".go", ".java", "/run"]) {
        for (at, line) in text.lines().enumerate() {
            // Only the beginning of a path counts: in `a.com/root/b` the middle is no path of this machine.
            let names = |[a, b]: &[&str; 2]| {
                line.match_indices(&format!("{a}{b}"))
                    .any(|(at, _)| !line[..at].ends_with(char::is_alphanumeric))
            };
            if forbidden.iter().any(names) {
                found.push(format!("{path}:{}: {}", at + 1, line.trim()));
            }
        }
    }
    fail("paths of one machine or hosts of registries", &found);
}

/// A source file without its test module, which is at the end.
fn without_tests(text: &str) -> &str {
    text.split("\nmod tests").next().unwrap_or(text)
}

/// Lines of code that name a language: `Language::X`, where `X` is no constant.
fn names_a_language(line: &str) -> bool {
    line.match_indices("Language::").any(|(at, mark)| {
        let mut after = line[at + mark.len()..].chars();
        let is_variant = after.next().is_some_and(char::is_uppercase)
            && after.next().is_some_and(char::is_lowercase);
        is_variant && !line[..at].ends_with(char::is_alphanumeric)
    })
}

#[test]
fn languages_are_named_in_their_folders_alone() {
    assert!(names_a_language("a == base::Language::Go"));
    assert!(!names_a_language("Language::ALL.map(Language::profile)"));
    // The registration of languages, and a rule about one program that writes SCIP indexes.
    let allowed = [
        "crates/base/src/language/",
        "crates/languages/",
        "crates/engine/src/ops/precise.rs",
        // A framework belongs to a language.
        "crates/contract/src/code/",
        // Exported types of TypeScript are contracts.
        "crates/engine/src/ops/federation/surface.rs",
        // Any language serves as the example there.
        "crates/ingest/src/cache/lend.rs",
    ];
    let found: Vec<String> = files(&[".rs"])
        .iter()
        .filter(|(path, _)| path.starts_with("crates/") && path.contains("/src/"))
        .filter(|(path, _)| !allowed.iter().any(|own| path.starts_with(own)))
        .filter(|(path, _)| !path.ends_with("tests.rs") && !path.contains("/tests/"))
        .flat_map(|(path, text)| {
            let lines = without_tests(text).lines().zip(1..);
            let lines = lines.filter(|(line, _)| names_a_language(line));
            lines.map(move |(line, at)| format!("{path}:{at}: {}", line.trim()))
        })
        .collect();
    fail("languages named outside their folders", &found);
}

#[test]
fn programs_are_started_in_one_place() {
    // Written in two halves, so that this file does not contain the text itself.
    let starts = [
        ["Command:", ":new("],
        ["Command:", ":from("],
        ["exe", "cvp("],
    ];
    // That file only passes commands of `guard::program` on to tokio.
    let supervisor = "crates/server/src/daemon/supervise.rs";
    let found: Vec<String> = files(&[".rs"])
        .iter()
        .filter(|(path, _)| path.starts_with("crates/") && path.contains("/src/"))
        .filter(|(path, _)| {
            let ours = ["crates/guard/src/program/", "crates/testkit/"];
            !ours.iter().any(|own| path.starts_with(own))
                && !path.ends_with("tests.rs")
                && !path.contains("/tests/")
        })
        .flat_map(|(path, text)| {
            let lines = without_tests(text).lines().zip(1..);
            let lines = lines.filter(|(line, _)| {
                starts
                    .iter()
                    .any(|[a, b]| line.contains(&format!("{a}{b}")))
            });
            let is_other = path != supervisor;
            let lines = lines.filter(move |_| is_other);
            lines.map(move |(line, at)| format!("{path}:{at}: {}", line.trim()))
        })
        .collect();
    fail(
        "programs that are not started through guard::program",
        &found,
    );
    let text = std::fs::read_to_string(root().join(supervisor)).unwrap();
    assert_eq!(text.matches("process::Command").count(), 1, "{supervisor}");
    assert!(text.contains("tokio::process::Command::from(command)"));
}

#[test]
fn the_papers_are_there() {
    for paper in [
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE-MIT",
        "LICENSE-APACHE",
    ] {
        let text = std::fs::read_to_string(root().join(paper)).unwrap_or_default();
        assert!(text.len() > 500, "{paper} is missing or empty");
    }
    let changelog = std::fs::read_to_string(root().join("CHANGELOG.md")).unwrap();
    assert!(changelog.contains("## Unreleased") || changelog.contains("## 0.1.0"));
}

/// Vague names of types are forbidden: they do not say what the type holds.
#[test]
fn types_have_names_of_the_field() {
    let vague = ["Found", "Place", "Known", "Kept", "Ask", "Told", "Said"];
    let of_line = |line: &str| {
        let mut words = line.trim_start().split([' ', '<', '{', '(', ';', ':']);
        let kind = words.find(|word| !matches!(*word, "pub" | "crate)" | "super)" | ""));
        let is_type = matches!(kind, Some("struct" | "enum" | "trait" | "type"));
        is_type && words.next().is_some_and(|name| vague.contains(&name))
    };
    assert!(of_line("pub(crate) struct Found<T> {") && !of_line("struct FoundFile {"));
    let found: Vec<String> = files(&[".rs"])
        .iter()
        .filter(|(path, _)| path.starts_with("crates/") && path.contains("/src/"))
        .flat_map(|(path, text)| {
            let lines = text.lines().zip(1..).filter(|(line, _)| of_line(line));
            lines.map(move |(line, at)| format!("{path}:{at}: {}", line.trim()))
        })
        .collect();
    fail("names that docs/glossary.md rules out", &found);
}

/// Names of functions that do not say what the function does are forbidden.
#[test]
fn functions_say_what_they_do() {
    let vague = [
        "run", "of", "go", "handle", "process", "exec", "do_it", "work", "perform", "act", "make",
    ];
    let name_of_line = |line: &str| {
        let (before, after) = line.split_once("fn ")?;
        let is_definition = before
            .split_whitespace()
            .all(|word| matches!(word, "const" | "async" | "unsafe") || word.starts_with("pub"));
        let name = after.split(['(', '<']).next()?;
        (is_definition && vague.contains(&name)).then(|| name.to_owned())
    };
    assert!(name_of_line("    pub(crate) fn run<T>(").is_some());
    assert!(name_of_line("fn run_once() {").is_none());
    assert!(name_of_line("// fn run() {").is_none());
    let is_product = |path: &str| {
        let is_code = path.starts_with("crates/") && path.contains("/src/");
        (is_code || path.starts_with("xtask/src/"))
            && !path.ends_with("tests.rs")
            && !path.contains("/tests/")
    };
    let found: Vec<String> = files(&[".rs"])
        .iter()
        .filter(|(path, _)| is_product(path))
        .flat_map(|(path, text)| {
            let lines = without_tests(text).lines().zip(1..);
            let lines = lines.filter(|(line, _)| name_of_line(line).is_some());
            lines.map(move |(line, at)| format!("{path}:{at}: {}", line.trim()))
        })
        .collect();
    fail("functions whose names do not say what they do", &found);
}

/// Fixtures of several files have one form: a heading `//- path` before each file. Another form would be read as text.
#[test]
fn fixtures_have_headings_of_one_form() {
    let old_heading = |line: &str| {
        let at_start = line.strip_prefix("== ");
        let mut inside = ["\"== ", "\\n== "].iter().flat_map(|mark| {
            let found = line.match_indices(mark);
            found.map(|(at, mark)| &line[at + mark.len()..])
        });
        let is_path =
            |rest: &str| rest.starts_with(|c: char| c.is_alphanumeric() || "./_{".contains(c));
        at_start.is_some_and(is_path) || inside.any(is_path)
    };
    // Written in two halves, so that this file does not contain the text itself.
    for start in ["", "Repo::new(\"", "x\\n"] {
        assert!(old_heading(&format!("{start}={}", "= src/a.rs")));
    }
    assert!(!old_heading("    == other") && !old_heading("strip_prefix(\"== \")"));
    let found: Vec<String> = files(&[".rs"])
        .iter()
        .flat_map(|(path, text)| {
            let lines = text.lines().zip(1..).filter(|(line, _)| old_heading(line));
            lines.map(move |(line, at)| format!("{path}:{at}: {}", line.trim()))
        })
        .collect();
    fail("headings of fixtures that testkit does not read", &found);
}

/// Reading and linking are where mistakes hide, so their tests are at least half as long as the code under test.
#[test]
fn reading_and_linking_have_tests_of_half_their_length() {
    let lines = |text: &str| text.lines().filter(|line| !line.trim().is_empty()).count();
    let all = files(&[".rs"]);
    for name in ["syntax", "linker"] {
        let folder = format!("crates/{name}/");
        let (mut product, mut tests) = (0, 0);
        for (path, text) in all.iter().filter(|(path, _)| path.starts_with(&folder)) {
            let is_test = path.contains("/tests/") || path.ends_with("tests.rs");
            let code = if is_test {
                0
            } else {
                lines(without_tests(text))
            };
            product += code;
            tests += lines(text) - code;
        }
        assert!(
            2 * tests >= product,
            "{name}: {tests} lines of tests for {product}"
        );
    }
}
