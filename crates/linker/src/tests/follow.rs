//! Linking only what changed gives the same result as linking everything, whatever the edit.

use super::delta::file_delta;
use super::tiny::{call_lines, facts, langs, repo};
use crate::definition_changes::collect_definition_delta;
use crate::exposed::ExposedChanges;
use crate::lang::DefinitionChanges;
use crate::surface::Surface;
use crate::{FileId, LinkedFile, Repo, link_file};
use base::Language;
use proptest::prelude::*;
use std::sync::Arc;

/// How the tables followed an edit of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Others see no difference.
    Unseen,
    /// By names: this many other files are linked again.
    ByNames(usize),
    /// Everything is linked again.
    All,
}

/// Follows an edit of the first file in the tables, and compares every file that is not linked again with a full build.
fn follow(language: &str, old: &str, new: &str, others: &str) -> Result<Way, TestCaseError> {
    let path = format!("a.{language}");
    let mut repo = repo(&format!("//- {path}\n{old}{others}"));
    let mut tables = langs(&repo);
    let file = repo.file_at(&path).unwrap();
    let kept: Vec<LinkedFile> = repo
        .files()
        .map(|(id, _)| link_file(&repo, &tables, id))
        .collect();
    let before: Vec<Vec<String>> = repo
        .files()
        .map(|(id, _)| call_lines(&repo, id, &kept[id.0 as usize]))
        .collect();
    let after = facts(Language::from_path(&path).unwrap(), new);
    let (was, is) = (
        Surface::from_facts(repo.facts(file)),
        Surface::from_facts(&after),
    );
    let unseen = was.remap_to(&is);
    let exposed = match &unseen {
        Some(_) => None,
        None => ExposedChanges::diff(repo.facts(file), &after),
    };
    repo.replace_facts(file, Arc::new(after));
    let fresh = langs(&repo);
    let (moved, delta) = match (unseen, exposed) {
        (Some(moved), _) => (moved, Default::default()),
        (None, Some(exposed)) => {
            match collect_definition_delta(&repo, &[file_delta(file, Some(&exposed))]) {
                Some(delta) => (exposed.moved, delta),
                None => return Ok(Way::All),
            }
        }
        (None, None) => return Ok(Way::All),
    };
    let seen = delta.files.clone();
    let news = DefinitionChanges {
        fresh: &delta.fresh,
        names: &delta.names,
        files: &delta.files,
        imports: &delta.imports,
    };
    if !tables.follow(&repo, &[(file, moved)], &news) {
        return Ok(Way::All);
    }
    let mut again = 0;
    let ids: Vec<FileId> = repo.files().map(|(id, _)| id).collect();
    for id in ids {
        let clean = link_file(&repo, &fresh, id);
        let expected = lines(&repo, id, &clean);
        let followed = link_file(&repo, &tables, id);
        prop_assert_eq!(&lines(&repo, id, &followed), &expected, "followed tables");
        if id != file && !seen.contains(&id) {
            // Definitions in the changed file may have moved to other lines, but must be the same.
            let (kept, wanted) = (
                without_lines(&before[id.0 as usize]),
                without_lines(&expected),
            );
            prop_assert_eq!(kept, wanted, "{} was not linked again", repo.file(id).path);
        } else if id != file {
            again += 1;
        }
    }
    Ok(if seen.is_empty() {
        Way::Unseen
    } else {
        Way::ByNames(again)
    })
}

fn lines(repo: &Repo, file: FileId, linked: &LinkedFile) -> Vec<String> {
    call_lines(repo, file, linked)
}

/// The outcomes without the lines of targets.
fn without_lines(lines: &[String]) -> Vec<String> {
    let cut = |line: &String| {
        let mut out = String::new();
        let mut in_line = false;
        for c in line.chars() {
            in_line = c == '@' || in_line && c.is_ascii_digit();
            if !in_line {
                out.push(c);
            }
        }
        out
    };
    lines.iter().map(cut).collect()
}

const OTHERS: &str = "//- b.EXT
import a
import a.*
fn use() { f() a.g() new A().m() new A().n().m() extra() a.value.m() new GlobalNew() }
class Sub: A { fn n(self) { super.m() self.m() self.extra() } }
fn through() = a.f()
//- c.EXT
import b.Sub
import b
fn more() { new Sub().m() b.through().m() new Sub().extra() }
//- d.EXT
import unrelated
fn far() { f() extra() near() }
fn near() {}
";

/// Pieces that the first file is composed of.
fn pieces() -> impl Strategy<Value = Vec<String>> {
    let piece = prop_oneof![
        Just("class A { fn m(self) = new A() fn n(self) = new B() }"),
        Just("class A { fn m(self) {} }"),
        Just("class A: B { fn n(self) = new A() }"),
        Just("class A { fn m(self) { watched() } fn n(self) { g() } fn extra(self) {} }"),
        Just("class B { fn m(self) = new B() }"),
        Just("class B { fn m(self) = new B() fn extra(self) {} }"),
        Just("class GlobalNew { }"),
        Just("fn f() = new A()"),
        Just("fn f() = new B()"),
        Just("fn f() = g()"),
        Just("fn f(a, b) { g() watched() }"),
        Just("fn g() = new B()"),
        Just("fn g() { h(|x| x) }"),
        Just("fn extra() {}"),
        Just("fn extra() { f() g() }"),
        Just("let value = new A()"),
        Just("let value = f()"),
        Just("let value: B"),
        Just("import d.near"),
        Just("import d"),
    ];
    prop::collection::vec(piece.prop_map(str::to_owned), 1..7)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn following_an_edit_gives_what_a_build_gives(
        old in pieces(),
        at in 0usize..7,
        edit in prop_oneof![Just(None), pieces().prop_map(|p| Some(p[0].clone()))],
        language in prop_oneof![Just("lua"), Just("java"), Just("go"), Just("ts"), Just("rs")],
    ) {
        let mut new = old.clone();
        let at = at % new.len();
        match edit {
            Some(piece) if at % 2 == 0 => new.insert(at, piece),
            Some(piece) => new[at] = piece,
            None => { new.remove(at); }
        }
        let text = |pieces: &[String]| format!("{}\n", pieces.join("\n"));
        let others = OTHERS.replace("EXT", language);
        follow(language, &text(&old), &text(&new), &others)?;
    }
}

fn way(old: &str, new: &str) -> Way {
    follow("lua", old, new, &OTHERS.replace("EXT", "lua")).unwrap()
}

#[test]
fn edits_go_the_shortest_way_that_is_right() {
    let old =
        "class A { fn m(self) {} fn n(self) = new A() }\nfn f() = new A()\nfn g() { helper() }\n";
    assert_eq!(
        way(old, &old.replace("helper()", "helper() more()")),
        Way::Unseen
    );
    // `f` is named in `b` and `d`.
    let added = format!("{old}fn near() {{}}\n");
    assert!(matches!(way(old, &added), Way::ByNames(1..=3)));
    assert_eq!(
        way(old, &format!("{old}fn nobody_names_this() {{}}\n")),
        Way::ByNames(0)
    );
    // The tables also hold data from bodies, which the update must follow.
    assert_eq!(way(old, &old.replace("helper()", "watched()")), Way::All);
    assert_eq!(way(old, &old.replace("class A", "class A: B")), Way::All);
}

#[test]
fn new_classes_come_into_the_tables() {
    let old = "class A { fn m(self) {} }\n";
    let new = format!("{old}class GlobalNew {{ fn init(self) {{}} }}\n");
    assert!(matches!(way(old, &new), Way::ByNames(1)));
    assert!(matches!(way(&new, old), Way::ByNames(1)));
}

#[test]
fn files_of_other_languages_are_left_alone() {
    let others = "//- b.py\nimport a\nfn use() { extra() }\n";
    let found = follow("lua", "fn f() {}\n", "fn f() {}\nfn extra() {}\n", others).unwrap();
    assert_eq!(found, Way::ByNames(0));
}

#[test]
fn every_changed_file_has_to_agree() {
    let bodies = |a: &str, b: &str| {
        let mut repo = repo("//- a.lua\nfn f() {}\n//- b.lua\nfn g() {}\n");
        let mut tables = langs(&repo);
        let mut changes = Vec::new();
        for (at, text) in [(0, a), (1, b)] {
            let new = facts(Language::Lua, text);
            let before = Surface::from_facts(repo.facts(FileId(at)));
            let moved = before.remap_to(&Surface::from_facts(&new));
            repo.replace_facts(FileId(at), Arc::new(new));
            changes.push((FileId(at), moved.expect("only bodies differ")));
        }
        let nothing = DefinitionChanges {
            fresh: &[],
            names: &[],
            files: &[],
            imports: &[],
        };
        tables.follow(&repo, &changes, &nothing)
    };
    let (plain, watched) = ("() { more() }\n", "() { watched() }\n");
    let both = |a: &str, b: &str| bodies(&format!("fn f{a}"), &format!("fn g{b}"));
    assert!(both(plain, plain));
    assert!(!both(watched, plain));
    assert!(!both(plain, watched));
}
