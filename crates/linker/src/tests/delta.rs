//! Which files are linked again after definitions were added or removed.

use super::tiny::{facts, repo};
use crate::definition_changes::{DefinitionDelta, FileDelta, collect_definition_delta};
use crate::exposed::ExposedChanges;
use crate::{FileId, Repo};
use base::Language;
use std::sync::Arc;

pub(super) fn file_delta(file: FileId, exposed: Option<&ExposedChanges>) -> FileDelta<'_> {
    FileDelta { file, exposed }
}

/// The repository after the edit of a file, and what is linked again.
fn after(fixture: &str, path: &str, text: &str) -> (Repo, Option<DefinitionDelta>) {
    let mut repo = repo(fixture);
    let file = repo.file_at(path).unwrap();
    let new = facts(Language::from_path(path).unwrap(), text);
    let exposed = ExposedChanges::diff(repo.facts(file), &new).expect("a change of names");
    repo.replace_facts(file, Arc::new(new));
    let delta = collect_definition_delta(&repo, &[file_delta(file, Some(&exposed))]);
    (repo, delta)
}

fn paths(repo: &Repo, delta: &DefinitionDelta) -> Vec<String> {
    delta
        .files
        .iter()
        .map(|f| repo.file(*f).path.to_string())
        .collect()
}

#[test]
fn files_that_have_the_name_are_linked_again() {
    let (repo, delta) = after(
        "//- a.lua\nfn f() {}\n//- b.lua\nfn g() { fresh() }\n//- c.lua\nfn g() { other() }\n//- d.py\nfn g() { fresh() }\n",
        "a.lua",
        "fn f() {}\nfn fresh() {}\n",
    );
    let delta = delta.unwrap();
    assert_eq!(paths(&repo, &delta), ["a.lua", "b.lua"]);
    let names: Vec<&str> = delta.names.iter().map(|n| repo.sym_text(*n)).collect();
    assert_eq!(names, ["fresh"]);
    assert_eq!(delta.fresh.len(), 1);
    assert_eq!(repo.qualified_name(delta.fresh[0]), "fresh");
    assert!(delta.imports.is_empty());
}

#[test]
fn a_file_that_shows_the_name_to_others_asks_for_everything() {
    let fixture =
        |b: &str| format!("//- a.lua\nfn f() {{}}\n//- b.lua\n{b}//- c.lua\nfn g() {{ h() }}\n");
    let new = "fn f() {}\nfn fresh() = 1\n";
    let hidden = "import a.*\nfn h() { fresh() }\n";
    assert!(after(&fixture(hidden), "a.lua", new).1.is_some());
    let shown = "import a.*\nfn h() = fresh()\n";
    assert!(after(&fixture(shown), "a.lua", new).1.is_none());
}

#[test]
fn a_name_that_many_files_have_asks_for_everything() {
    let many = |count: usize| {
        let mut fixture = String::from("//- a.lua\nfn f() {}\n");
        for n in 0..count {
            fixture += &format!("//- m{n:02}.lua\nfn g{n}() {{ fresh() }}\n");
        }
        after(&fixture, "a.lua", "fn f() {}\nfn fresh() {}\n").1
    };
    assert_eq!(many(15).map(|d| d.files.len()), Some(16));
    assert!(many(16).is_none());
    // The affected files are more than a quarter of all.
    assert!(many(20).is_none());
}

#[test]
fn nothing_that_others_see_is_nothing_to_link() {
    let repo = repo("//- a.lua\nfn f() {}\n");
    let delta = collect_definition_delta(&repo, &[file_delta(FileId(0), None)]).unwrap();
    assert!(delta.files.is_empty() && delta.names.is_empty() && delta.fresh.is_empty());
}

#[test]
fn what_python_hands_on_by_import_is_looked_for_beside_the_module() {
    let fixture = |b: &str| {
        format!(
            "//- a.py\nfn f() {{}}\n//- b.py\n{b}//- c.py\nfn g() {{ thing() }}\n//- lib.py\nfn thing() {{}}\n"
        )
    };
    let new = "import lib.thing\nfn f() {}\n";
    let (repo, delta) = after(&fixture("import a\nfn h() { a.thing() }\n"), "a.py", new);
    let delta = delta.unwrap();
    assert!(paths(&repo, &delta).contains(&"b.py".to_owned()));
    assert!(!paths(&repo, &delta).contains(&"c.py".to_owned()));
    assert_eq!(delta.imports, [FileId(0)]);
    // A file that imports everything may import that, too.
    assert!(
        after(&fixture("import a.*\nfn h() { thing() }\n"), "a.py", new)
            .1
            .is_none()
    );
    let (_, delta) = after(
        &fixture("import a\n")
            .replace("a.py", "__init__.py")
            .replace("import a\n", ""),
        "__init__.py",
        new,
    );
    assert!(delta.is_none());
}

#[test]
fn packages_of_go_may_be_named_unlike_their_folders() {
    let fixture = |package: &str| {
        format!(
            "//- a/a.go\npackage a\nfn f() {{}}\n//- lib/one.go\npackage {package}\nfn g() {{}}\n"
        )
    };
    let new = "package a\nimport lib/one\nfn f() {}\n";
    let same = after(&fixture("one"), "a/a.go", new);
    assert!(same.1.is_some());
    let other = after(
        &fixture("different").replace("lib/one.go", "one/x.go"),
        "a/a.go",
        new,
    );
    assert!(other.1.is_none());
    let main = after(
        &fixture("main").replace("lib/one.go", "one/x.go"),
        "a/a.go",
        new,
    );
    assert!(main.1.is_some());
}

#[test]
fn several_changed_files_are_gathered() {
    let mut repo =
        repo("//- a.lua\nfn f() {}\n//- b.lua\nfn g() {}\n//- c.lua\nfn h() { one() two() }\n");
    let mut all = Vec::new();
    for (at, text) in [
        (0, "fn f() {}\nfn one() {}\n"),
        (1, "fn g() {}\nfn two() {}\n"),
    ] {
        let new = facts(Language::Lua, text);
        let exposed = ExposedChanges::diff(repo.facts(FileId(at)), &new).unwrap();
        repo.replace_facts(FileId(at), Arc::new(new));
        all.push((FileId(at), exposed));
    }
    let deltas: Vec<FileDelta<'_>> = all.iter().map(|(f, e)| file_delta(*f, Some(e))).collect();
    let delta = collect_definition_delta(&repo, &deltas).unwrap();
    assert_eq!(delta.files, [FileId(0), FileId(1), FileId(2)]);
    assert_eq!(delta.fresh.len(), 2);
    assert_eq!(delta.names.len(), 2);
}
