//! A test that reads the code: files that are not ours are opened through `guard` alone, and programs started by it.
//!
//! What opens a file in another way stands in a list, with the reason why it may. An entry that is not needed any more
//! fails as well, so that the list only grows shorter.

use std::collections::BTreeSet;

/// Ways to open, list, write or remove files, and to start programs.
const WAYS: &[&str] = &[
    "fs::read(",
    "fs::read_to_string(",
    "fs::read_dir(",
    "fs::write(",
    "fs::copy(",
    "fs::remove_dir_all(",
    "fs::hard_link(",
    "File::open(",
    "File::create(",
    "File::create_new(",
    "File::options(",
    "OpenOptions::new(",
    "memmap2",
    "Command::new(",
    "gix::discover(",
    "gix::open(",
    "WalkBuilder",
];

/// Crates that may: the one that the others go through, and what only tests use.
const EXEMPT: &[&str] = &["crates/guard/", "crates/testkit/", "xtask/", "fuzz/"];

/// A file, how it opens others, and why it may.
type Allowed = (&'static str, &'static str, &'static str);

include!("opens_allowed.in");

/// The code of a file that is not for tests alone.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let mut before = "";
    text.lines()
        .take_while(move |line| {
            let is_test = before.starts_with("#[cfg(") && before.contains("test");
            before = line;
            !(is_test && line.starts_with("mod ") && line.ends_with('{'))
        })
        .filter(|line| !line.trim_start().starts_with("//"))
}

fn found() -> BTreeSet<(String, &'static str)> {
    let mut found = BTreeSet::new();
    for (path, text) in crate::tidy::files(&[".rs"]) {
        let is_test =
            path.contains("/tests/") || path.ends_with("/tests.rs") || path.contains("/benches/");
        if is_test || EXEMPT.iter().any(|exempt| path.starts_with(exempt)) {
            continue;
        }
        for way in WAYS {
            if code(&text).any(|line| line.contains(way)) {
                found.insert((path.clone(), *way));
            }
        }
    }
    found
}

#[test]
fn files_are_opened_in_one_way() {
    let allowed: BTreeSet<(String, &str)> = ALLOWED
        .iter()
        .map(|(path, way, _)| ((*path).to_owned(), *way))
        .collect();
    let found = found();
    let new: Vec<_> = found.difference(&allowed).collect();
    let old: Vec<_> = allowed.difference(&found).collect();
    assert!(
        new.is_empty(),
        "open files through `guard` (guard::Folder, guard::read_named, guard::state) and programs through \
         guard::program, or say in opens_allowed.in why not: {new:#?}"
    );
    assert!(
        old.is_empty(),
        "not needed any more in opens_allowed.in: {old:#?}"
    );
    assert!(ALLOWED.iter().all(|(_, _, why)| why.len() > 10));
}

#[test]
fn tests_are_told_from_code() {
    let text =
        "fn a() {}\n// fs::read(\n#[cfg(all(test, unix))]\nmod tests {\n    fs::read(x);\n}\n";
    assert_eq!(
        code(text).collect::<Vec<_>>(),
        ["fn a() {}", "#[cfg(all(test, unix))]"]
    );
}
