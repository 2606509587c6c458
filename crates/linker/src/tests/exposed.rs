//! Changes of whole definitions: which can be told by names, and which cannot.

use super::tiny::facts;
use crate::exposed::ExposedChanges;
use base::Language;
use base::facts::*;

fn diff_in(language: Language, old: &str, new: &str) -> Option<(FileFacts, ExposedChanges)> {
    let (old, new) = (facts(language, old), facts(language, new));
    let changes = ExposedChanges::diff(&old, &new)?;
    Some((new, changes))
}

fn diff(old: &str, new: &str) -> Option<(FileFacts, ExposedChanges)> {
    diff_in(Language::Lua, old, new)
}

fn names(changes: &ExposedChanges) -> Vec<String> {
    let mut names: Vec<String> = changes.names.iter().map(|n| n.to_string()).collect();
    names.sort();
    names
}

const BASE: &str = "class A { fn m(self) {} fn n(self) {} }
fn f() = 1
fn g() = f()
";

#[test]
fn a_new_definition_is_known_by_its_name() {
    let (facts, changes) = diff(BASE, &format!("{BASE}fn added(x) {{}}\n")).unwrap();
    assert_eq!(names(&changes), ["added"]);
    let added: Vec<&str> = changes
        .added
        .iter()
        .map(|d| facts.name(facts.def(*d).name))
        .collect();
    assert_eq!(added, ["added"]);
    assert!(!changes.imports);
}

#[test]
fn a_removed_definition_leaves_an_index_that_means_nothing() {
    let (_, changes) = diff(BASE, &BASE.replace("fn n(self) {}", "")).unwrap();
    assert_eq!(names(&changes), ["n"]);
    assert!(changes.added.is_empty());
    let at = |def| crate::GlobalDef {
        file: crate::FileId(0),
        def: DefId(def),
    };
    let moved = |def| changes.moved.remap_gdef(crate::FileId(0), at(def));
    assert!(!crate::surface::IndexRemap::is_live(&moved(2)));
    assert_eq!(moved(1), at(1));
    assert_eq!(moved(3), at(2));
}

#[test]
fn what_refers_to_a_changed_definition_changed_too() {
    let (_, changes) = diff(BASE, &BASE.replace("fn f() = 1", "fn f() = \"\"")).unwrap();
    assert_eq!(names(&changes), ["f", "g"]);
    // A change in a body alone is not seen.
    let (_, changes) = diff(BASE, &BASE.replace("fn m(self) {}", "fn m(self) { f() }")).unwrap();
    assert!(names(&changes).is_empty());
}

#[test]
fn a_class_that_changed_as_a_class_is_no_matter_of_names() {
    assert!(diff(BASE, &BASE.replace("class A", "class A: B")).is_none());
    assert!(diff(BASE, &BASE.replace("class A", "interface A")).is_none());
    let (_, changes) = diff(BASE, &format!("{BASE}class New {{ fn m(self) {{}} }}\n")).unwrap();
    assert_eq!(names(&changes), ["New", "m"]);
}

#[test]
fn a_macro_that_gives_something_else_is_no_matter_of_names() {
    let with = |rules: &str| format!("{BASE}macro m(x) {{ {rules} }}\n");
    let old = with("|y| f()");
    for rules in ["", "|y| g()", "|y| f() |y| y"] {
        assert!(diff(&old, &with(rules)).is_none(), "{rules}");
        assert!(diff(&with(rules), &old).is_none(), "{rules}");
    }
    // It returns the result of a changed function.
    assert!(diff(&old, &old.replace("fn f() = 1", "fn f() = \"\"")).is_none());
    let (_, changes) = diff(&old, &format!("{old}fn added(x) {{}}\n")).unwrap();
    assert_eq!(names(&changes), ["added"]);
}

#[test]
fn names_that_linking_looks_for_by_itself_are_no_matter_of_names() {
    for name in [
        "__init", "__", "next", "iterator", "then", "String", "default",
    ] {
        let new = format!("{BASE}fn {name}(x) {{}}\n");
        assert!(diff(BASE, &new).is_none(), "{name}");
    }
    // The constructor is added and removed with its class.
    let new = format!("{BASE}class New {{ fn __init(self) {{}} }}\n");
    let (_, changes) = diff(BASE, &new).unwrap();
    assert_eq!(names(&changes), ["New"]);
    let default = BASE.replace("fn g()", "default fn g()");
    assert!(diff(BASE, &default).is_none());
}

#[test]
fn each_language_has_what_it_finds_by_other_ways() {
    let with_field = BASE.replace("fn n(self) {}", "fn n(self) {} let field = 1");
    let with_asked = "interface I { fn m(self); }\n";
    let more_asked = "interface I { fn m(self); fn n(self); }\n";
    let with_impl = format!("{BASE}extend A: T {{ fn k(self) {{}} }}\n");
    for (language, old, new, told) in [
        (Language::Python, BASE, &*with_field, false),
        (Language::Lua, BASE, &with_field, true),
        (Language::Rust, BASE, &with_field, true),
        (Language::Java, with_asked, more_asked, false),
        (Language::Go, with_asked, more_asked, false),
        (Language::TypeScript, with_asked, more_asked, true),
        (Language::Rust, BASE, &with_impl, false),
        (
            Language::Rust,
            "trait T { fn m(self); }\n",
            "trait T { fn m(self); fn n(self); }\n",
            false,
        ),
        (
            Language::Lua,
            "trait T { fn m(self); }\n",
            "trait T { fn m(self); fn n(self); }\n",
            true,
        ),
    ] {
        let found = diff_in(language, old, new);
        assert_eq!(found.is_some(), told, "{language}: {new}");
    }
}

#[test]
fn imports_come_and_go_by_what_they_bring() {
    let old = format!("import b.thing\nimport c\n{BASE}");
    let new = format!("import b.thing\nimport d.other as own\n{BASE}");
    let (_, changes) = diff(&old, &new).unwrap();
    assert!(changes.imports);
    let mut own: Vec<String> = changes.own.iter().map(|n| n.to_string()).collect();
    own.sort();
    assert_eq!(own, ["c", "other", "own"]);
    assert!(changes.reimported_names.is_empty());
    let (_, changes) = diff_in(Language::Python, &old, &new).unwrap();
    let mut passed: Vec<String> = changes
        .reimported_names
        .iter()
        .map(|n| n.to_string())
        .collect();
    passed.sort();
    assert_eq!(passed, ["c", "other", "own"]);
    assert!(changes.own.is_empty());
    // An import without names of its own can bring anything.
    assert!(diff(BASE, &format!("import b.*\n{BASE}")).is_none());
    // In Rust an import decides what traits are seen.
    assert!(diff_in(Language::Rust, &old, &new).is_none());
}

#[test]
fn what_stays_must_not_rest_on_what_came() {
    // `later` was unknown and is a class now. The type of `value` changes with it, so `value` counts as changed.
    let old = format!("{BASE}let value = later()\n");
    let new = format!("{old}fn later() = new A()\n");
    let (_, changes) = diff(&old, &new).unwrap();
    assert_eq!(names(&changes), ["later", "value"]);
    // A class with an added class as supertype is more than its name.
    let old = format!("{BASE}class Sub: later {{}}\n");
    let new = format!("{old}class later {{}}\n");
    assert!(diff(&old, &new).is_none());
}

#[test]
fn exports_say_under_which_name_a_definition_is_looked_for() {
    let old = format!("export f\nexport h as shown\n{BASE}fn h() = 1\n");
    let new = old.replace("fn h() = 1", "fn h() = \"\"");
    let (_, changes) = diff(&old, &new).unwrap();
    assert_eq!(names(&changes), ["h", "shown"]);
    let (_, changes) = diff(&old, &new.replace("as shown", "as other")).unwrap();
    assert_eq!(names(&changes), ["h", "other", "shown"]);
    assert!(diff(&old, &old.replace("as shown", "as other")).is_none());
    // A file that becomes a module counts as another file.
    assert!(diff(BASE, &format!("export f\n{BASE}")).is_none());
}

#[test]
fn more_names_than_a_few_are_not_looked_for() {
    let many = |count: usize| {
        let added: String = (0..count)
            .map(|n| format!("fn added{n}() {{}}\n"))
            .collect();
        diff(BASE, &format!("{BASE}{added}"))
    };
    assert_eq!(many(64).map(|(_, c)| c.names.len()), Some(64));
    assert!(many(65).is_none());
}

#[test]
fn methods_in_go_are_found_by_what_interfaces_ask_for() {
    let (_, changes) = diff_in(
        Language::Go,
        BASE,
        &BASE.replace("fn n(self) {}", "fn n(self) {} fn asked(self) {}"),
    )
    .unwrap();
    let shared: Vec<&str> = changes.shared.iter().map(|n| &**n).collect();
    assert_eq!(shared, ["asked"]);
    let (_, changes) = diff(
        BASE,
        &BASE.replace("fn n(self) {}", "fn n(self) {} fn asked(self) {}"),
    )
    .unwrap();
    assert!(changes.shared.is_empty());
}
