//! A test on the source code: foreign files are opened only through `guard`, and programs are started only by it.
//!
//! Code that opens files in another way is listed with the reason. An entry that is no longer needed fails the test too, so the
//! list only shrinks.

use std::collections::BTreeSet;

/// Calls that are never needed outside of `guard`: they follow links, block, have no limit, or remove the target of a link on the
/// way. `Connection::open` follows links and opens any database.
const NEVER: &[&str] = &[
    "fs::read(",
    "fs::read_to_string(",
    "fs::remove_dir_all(",
    "File::open(",
    "Connection::open(",
];

/// Other calls that open, list, write or remove files, or start programs. The functions of `guard` for paths that a user names
/// (`read_user_…`) are included: they follow links, so they must not get a path that a repository names.
const WAYS: &[&str] = &[
    "read_user_",
    "open_user_",
    "fs::create_dir_all(",
    "fs::read_dir(",
    "fs::write(",
    "fs::copy(",
    "fs::hard_link(",
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

/// Crates that may use any of these calls: `guard` itself with the layer below it, and crates that only tests use.
const EXEMPT: &[&str] = &[
    "crates/guard/",
    // It runs when the program is built, and reads the packages of cargo.
    "crates/grammars/build.rs",
    "crates/platform/",
    "crates/testkit/",
    "xtask/",
    "fuzz/",
];

/// Test files that are compiled with the product and read fixtures beside them.
const FIXTURES: &[&str] = &[
    "crates/ingest/src/archive/forged_facts.rs",
    "crates/languages/src/fixture/",
];

/// A file, the call that it uses, and the reason.
type Allowed = (&'static str, &'static str, &'static str);

include!("opens_allowed.in");

/// The lines of a file without its tests.
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

fn found(ways: &[&'static str]) -> BTreeSet<(String, &'static str)> {
    let mut found = BTreeSet::new();
    for (path, text) in crate::tidy::files(&[".rs"]) {
        let is_test =
            path.contains("/tests/") || path.ends_with("/tests.rs") || path.contains("/benches/");
        if is_test || EXEMPT.iter().any(|exempt| path.starts_with(exempt)) {
            continue;
        }
        for way in ways {
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
    let found = found(WAYS);
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
fn no_reason_is_good_enough_for_these() {
    let mut found = found(NEVER);
    found.retain(|(path, _)| !FIXTURES.iter().any(|folder| path.starts_with(folder)));
    assert!(
        found.is_empty(),
        "read files with guard::Folder, guard::state::read_own_file or guard::read_user_file, remove folders with \
         guard::state::remove_folder_below, open databases without following links: {found:#?}"
    );
    let named = ALLOWED.iter().filter(|(_, way, _)| NEVER.contains(way));
    assert_eq!(named.count(), 0, "opens_allowed.in has no say in these");
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
