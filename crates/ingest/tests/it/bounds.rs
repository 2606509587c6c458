//! Sources that would take far too long are cut, reported and counted, in a full build as in an update.

use base::Language;
use ingest::{Cancel, IndexOptions, IngestError};
use linker::{LinkOutcome, Manifest, Repo, UnresolvedReason, link_file};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

/// Runs work on a thread with as much stack as indexing has; it must end.
fn ends<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (send, receive) = mpsc::channel();
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    thread.spawn(move || send.send(work())).unwrap();
    receive.recv_timeout(Duration::from_secs(300)).unwrap()
}

fn link(path: &str, text: &str) -> Vec<LinkOutcome> {
    let facts = languages::extract(Language::from_path(path).unwrap(), text);
    let repo = Repo::new(vec![(path.into(), Arc::new(facts))], Vec::new());
    let langs = languages::tables(&repo);
    let files: Vec<_> = repo.files().map(|(id, _)| id).collect();
    link_file(&repo, &langs, files[0]).calls
}

#[test]
fn each_link_of_a_path_is_asked_for_once() {
    let rust = format!("fn f() {{ {}b(); }}", "a::".repeat(60));
    assert_eq!(ends(move || link("a.rs", &rust)).len(), 1);
    // A reference to a method is not a call.
    let java = format!("class A {{ Object x = {}b; }}", "a::".repeat(60));
    assert!(ends(move || link("A.java", &java)).is_empty());
}

#[test]
fn a_long_path_is_still_resolved() {
    let nested = format!(
        "{}pub fn b() {{}}{}",
        "pub mod a { ".repeat(60),
        "}".repeat(60)
    );
    let text = format!("{nested} fn f() {{ {}b(); }}", "a::".repeat(60));
    let calls = ends(move || link("src/lib.rs", &text));
    assert!(matches!(calls[..], [LinkOutcome::Targets(..)]), "{calls:?}");
}

#[test]
fn aliases_that_double_their_argument_are_small() {
    // Written out, a type of a thousand parts for each function.
    let aliases = |head: &str| -> String {
        (1..9)
            .map(|i| format!("{head} T{i}<X> = T{}<A<X, X>>;\n", i - 1))
            .collect()
    };
    let rust = format!(
        "struct A<X, Y>(X, Y);\ntype T0<X> = A<X, X>;\n{}{}",
        aliases("type"),
        "fn f(x: T8<u8>) { x.m() }\n".repeat(4_000)
    );
    assert_eq!(ends(move || link("src/lib.rs", &rust)).len(), 4_000);
    // A union of many parts and one more, at each function.
    let parts: Vec<String> = (0..500).map(|i| format!("C{i}")).collect();
    let classes: String = parts
        .iter()
        .map(|c| format!("class {c} {{ m() {{}} }}\n"))
        .collect();
    let typescript = format!(
        "{classes}type U = {};\n{}",
        parts.join(" | "),
        "function f(x: U | string) { x.m() }\n".repeat(4_000)
    );
    assert_eq!(ends(move || link("a.ts", &typescript)).len(), 4_000);
}

#[test]
fn parameters_that_bound_each_other_end() {
    let text = "function f<T extends U | V, U extends T | V, V extends T | U>(x: T) { x.a(); }";
    assert_eq!(ends(move || link("a.ts", text)).len(), 1);
    let text = "class A { <T extends U & V, U extends T & V, V extends T & U> void f(T x) { x.a(); g(x); } \
                void g(A a) {} void g(String b) {} }";
    assert_eq!(ends(move || link("A.java", text)).len(), 2);
}

#[test]
fn configurations_that_extend_many_times_are_read_once_each() {
    let read = || {
        let twice = |name: &str| {
            format!(
                "{{\"extends\": [{}]}}",
                vec![format!("\"./{name}\""); 40].join(",")
            )
        };
        let manifests = (0..15).map(|i| Manifest {
            path: format!("tsconfig.{i}.json").into(),
            text: twice(&format!("tsconfig.{}.json", i + 1)).into(),
        });
        let facts = Arc::new(languages::extract(Language::TypeScript, "f();"));
        let repo = Repo::new(vec![("a.ts".into(), facts)], manifests.collect());
        languages::tables(&repo);
    };
    ends(read);
}

/// Outcomes of a file whose functions, methods or variables share one name.
fn namesakes(path: &str, count: usize) -> Vec<LinkOutcome> {
    let (before, piece, after) = match path.rsplit('.').next().unwrap() {
        "rs" => ("", "fn f() { f() }\n", ""),
        "py" => ("", "def f(): f()\n", ""),
        "go" => ("package a\n", "func f() { f() }\n", ""),
        "java" => ("class A {\n", "void f() { f(); }\n", "}\n"),
        _ => ("", "function f() { f() }\n", ""),
    };
    let text = format!("{before}{}{after}", piece.repeat(count));
    let path = path.to_owned();
    ends(move || link(&path, &text))
}

#[test]
fn what_thousands_share_a_name_with_is_given_up() {
    for path in ["a.rs", "a.py", "a.go", "a.ts", "a.tsx", "a.js", "A.java"] {
        let given_up =
            |o: &LinkOutcome| matches!(o, LinkOutcome::Unresolved(UnresolvedReason::TooComplex));
        let outcomes = namesakes(path, 1_100);
        assert_eq!(outcomes.len(), 1_100, "{path}");
        assert!(outcomes.iter().all(given_up), "{path}: {:?}", outcomes[0]);
        let outcomes = namesakes(path, 100);
        assert!(!outcomes.iter().any(given_up), "{path}: {:?}", outcomes[0]);
    }
}

/// Functions that share one name, too many of them to choose from.
fn exhausting() -> String {
    "fn f() { f() }\n".repeat(1_100)
}

#[test]
fn what_is_given_up_is_counted_by_builds_and_updates_alike() {
    let outcomes = ends(|| link("src/lib.rs", &exhausting()));
    let given_up =
        |o: &&LinkOutcome| matches!(o, LinkOutcome::Unresolved(UnresolvedReason::TooComplex));
    let expected = outcomes.iter().filter(given_up).count() as u64;
    assert!(expected > 0);
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().join(".devbooks");
    std::fs::create_dir_all(dir.path().join("src")).unwrap();
    let file = dir.path().join("src/lib.rs");
    std::fs::write(&file, exhausting()).unwrap();
    let options = IndexOptions::new(dir.path(), &state);
    let report = ingest::update(&options, &()).unwrap();
    assert_eq!(report.calls.given_up, expected);
    assert!(report.calls.unresolved >= expected);
    std::fs::write(&file, "fn f() { f(); }").unwrap();
    let report = ingest::update(&options, &()).unwrap();
    assert_eq!(report.calls.given_up, 0);
}

#[test]
fn linking_ends_when_it_is_cancelled() {
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().join(".devbooks");
    for i in 0..20 {
        std::fs::write(dir.path().join(format!("a{i}.rs")), exhausting()).unwrap();
    }
    let options = IndexOptions {
        cancel: Cancel::default(),
        ..IndexOptions::new(dir.path(), &state)
    };
    let cancel = options.cancel.clone();
    let update = std::thread::spawn(move || ingest::update(&options, &()));
    std::thread::sleep(Duration::from_millis(50));
    cancel.set();
    let ended = ends(move || update.join().unwrap());
    assert!(matches!(ended, Err(IngestError::Cancelled)), "{ended:?}");
}

/// A project with sources that exceed a scanner's limits is indexed, also without workers.
#[test]
fn what_a_scanner_cannot_take_stops_no_index() {
    let folder = tempfile::tempdir().unwrap();
    let blocks = (0..511).map(|level| format!("{}if a:\n", " ".repeat(level)));
    let blocks: String = blocks.collect();
    let word = "A".repeat(300);
    for (path, text) in [
        ("end.kt", "class A\n@B".to_owned()),
        (
            "word.rb",
            format!("class C\nend\nx = <<{word}\nb #{{1}}\n{word}\n"),
        ),
        ("deep.py", format!("{blocks}{}x = 'y'\n", " ".repeat(511))),
        ("fine.rs", "fn fine() {}\n".to_owned()),
    ] {
        std::fs::write(folder.path().join(path), text).unwrap();
    }
    let report = ends(move || {
        let options = IndexOptions::new(folder.path(), &folder.path().join(".devbooks"));
        let report = ingest::update(&options, &()).unwrap();
        drop(folder);
        report
    });
    assert_eq!(report.files, 4);
    assert!(report.skipped.is_empty(), "{:?}", report.skipped);
    // The ends of two were not read.
    assert_eq!(report.files_given_up, 2);
}
