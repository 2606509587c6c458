//! Everything that limits leave out of manifests is reported, both by an index and by a check of it.

use ingest::{IndexOptions, check_freshness, update};
use std::fs;
use std::path::Path;

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn list(n: usize, item: impl Fn(usize) -> String) -> String {
    let items: Vec<String> = (0..n).map(|i| format!("\"{}\"", item(i))).collect();
    format!("[{}]", items.join(","))
}

/// The notice about manifests from an index of `root` and from a check of it.
fn said(root: &Path) -> Option<String> {
    let state = tempfile::tempdir().unwrap();
    let options = IndexOptions::new(root, state.path());
    let of = |warnings: &[String]| {
        let of = warnings.iter().find(|w| w.contains("manifests"));
        of.cloned()
    };
    let first = of(&update(&options, &()).unwrap().warnings);
    let checked = of(&check_freshness(&options).unwrap().warnings);
    assert_eq!(first, checked);
    let again = of(&update(&options, &()).unwrap().warnings);
    assert_eq!(first, again);
    first
}

/// A manifest with `n` items, and the notice for too many of them.
type Case = (&'static str, fn(usize) -> String, usize, &'static str);

const CASES: &[Case] = &[
    (
        "tsconfig.json",
        |n| {
            let to = list(n, |i| format!("p{i}/*"));
            format!(r#"{{"compilerOptions":{{"paths":{{"~/*":{to}}}}}}}"#)
        },
        16,
        "tsconfig.json: more than 16 targets",
    ),
    (
        "tsconfig.json",
        |n| {
            let to = list(n, |i| format!("r{i}"));
            format!(r#"{{"compilerOptions":{{"rootDirs":{to}}}}}"#)
        },
        16,
        "tsconfig.json: more than 16 folders in `rootDirs`",
    ),
    (
        "web/tsconfig.json",
        |n| format!(r#"{{"include":{}}}"#, list(n, |i| format!("d{i}/*"))),
        1_000,
        "web/tsconfig.json: more than 1000 patterns",
    ),
    (
        "package.json",
        |n| format!(r#"{{"workspaces":{}}}"#, list(n, |i| format!("w{i}/*"))),
        512,
        "package.json: more than 512 patterns",
    ),
    (
        "lib/package.json",
        |n| {
            let to = list(n, |i| format!("./e{i}.js"));
            format!(r#"{{"name":"lib","exports":{{".":{to}}}}}"#)
        },
        16,
        "lib/package.json: more than 16 targets",
    ),
];

#[test]
fn a_manifest_that_is_not_used_whole_is_named() {
    for (path, make, most, expected) in CASES {
        for (n, said_of) in [(*most, None), (most + 1, Some(*expected))] {
            let root = tempfile::tempdir().unwrap();
            write(root.path(), "src/a.ts", "export function f() {}\n");
            write(root.path(), path, &make(n));
            let said = said(root.path());
            let right = match said_of {
                None => said.is_none(),
                Some(text) => said.as_deref().is_some_and(|s| s.contains(text)),
            };
            assert!(right, "{path} with {n}: {said:?}");
        }
    }
}

#[test]
fn projects_that_refer_to_too_many_are_named_and_those_of_a_ring_are_not() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "src/a.ts", "export function f() {}\n");
    // Each project refers to the next: 1,001 projects, of which the first reaches all others.
    for i in 0..1_001 {
        let next = (i + 1) % 1_001;
        let text = format!(r#"{{"references":[{{"path":"../p{next}"}}]}}"#);
        write(root.path(), &format!("p{i}/tsconfig.json"), &text);
    }
    let named = said(root.path()).unwrap();
    assert!(
        named.contains("p0/tsconfig.json: more than 1000 projects"),
        "{named}"
    );
    assert!(named.contains("(and 1000 more)"), "{named}");
    fs::remove_dir_all(root.path().join("p1000")).unwrap();
    assert_eq!(said(root.path()), None);
}

#[test]
fn modules_of_go_that_share_a_path_are_named() {
    let root = tempfile::tempdir().unwrap();
    let mut work = "go 1.22\n".to_owned();
    for i in 0..66 {
        let module = format!("module example.com/m{i}\nreplace example.com/x => ../x\n");
        write(root.path(), &format!("m{i}/go.mod"), &module);
        write(root.path(), &format!("m{i}/a.go"), "package a\n");
        work += &format!("use ./m{i}\n");
    }
    write(root.path(), "go.work", &work);
    let named = said(root.path()).unwrap();
    assert!(
        named.contains("go.work: more than 64 modules have or replace example.com/x"),
        "{named}"
    );
    write(root.path(), "m65/go.mod", "module example.com/m65\n");
    assert_eq!(said(root.path()), None);
}
