//! Tests of the facts that the builder collects in a walk: definitions, owners, scopes, sites.

use super::walk::{defs, facts};
use crate::builder::{Builder, MAX_DEPTH};
use crate::facts::*;
use base::Language;

#[test]
fn definitions_stand_in_what_encloses_them() {
    let facts = facts(
        "class A {
  one() { function inner() { two(); } }
  two() {}
}
function three() { return () => { function deep() {} }; }
const four = 1;
",
    );
    assert_eq!(
        defs(&facts),
        [
            "A",
            "A.one",
            "A.one.inner",
            "A.two",
            "three",
            "three",
            "three.deep",
            "four"
        ]
    );
    let lines: Vec<u32> = facts.defs.iter().map(|d| d.name_line).collect();
    assert_eq!(lines, [1, 2, 2, 3, 5, 5, 5, 6]);
    for def in &facts.defs {
        if let Some(parent) = def.parent {
            let outer = facts.def(parent).span;
            assert!(outer.start_byte <= def.span.start_byte);
            assert!(outer.end_byte >= def.span.end_byte);
        }
        if let Some(body) = def.body {
            assert_eq!(facts.scope(body).parent, Some(def.scope));
        }
    }
    let inner = &facts.defs[2];
    assert_eq!(
        (
            inner.name_column,
            inner.span.start_line,
            inner.span.end_line
        ),
        (19, 2, 2)
    );
}

#[test]
fn sites_belong_to_the_innermost_definition_with_a_name() {
    let facts = facts(
        "top();
function f() { one(1, 2); [].map(() => two(x)); }
class A { m() { three(); } }
const held = four();
",
    );
    let sites: Vec<(String, u32, u32, u16, Option<String>)> = facts
        .calls
        .iter()
        .map(|site| {
            let name = facts.called_name(site.expr).unwrap();
            let owner = site.owner.map(|d| facts.qualified_name(d));
            (
                facts.name(name).to_owned(),
                site.line,
                site.column,
                site.argc,
                owner,
            )
        })
        .collect();
    let owner = |name: &str| Some(name.to_owned());
    let expected = [
        ("top".to_owned(), 1, 0, 0, None),
        ("one".to_owned(), 2, 15, 2, owner("f")),
        ("[].map".to_owned(), 2, 26, 1, owner("f")),
        ("two".to_owned(), 2, 39, 1, owner("f")),
        ("three".to_owned(), 3, 16, 0, owner("A.m")),
        ("four".to_owned(), 4, 13, 0, owner("held")),
    ];
    assert_eq!(sites, expected);
}

#[test]
fn bindings_are_sorted_by_scope_and_keep_their_order() {
    let facts = facts(
        "function b() { let y = 1; let x = 2; { let z = 3; let y = 4; } let y = 5; }
function a() {}
function b() {}
",
    );
    let scopes: Vec<u32> = facts.bindings.iter().map(|b| b.scope.0).collect();
    let mut sorted = scopes.clone();
    sorted.sort_unstable();
    assert_eq!(scopes, sorted);
    let names = |scope: u32| -> Vec<&str> {
        let bound = facts.bindings_in_scope(ScopeId(scope));
        bound.iter().map(|b| facts.name(b.name)).collect()
    };
    assert_eq!(names(0), ["b", "a", "b"]);
    let all: Vec<Vec<&str>> = (1..facts.scopes.len() as u32).map(names).collect();
    assert!(all.contains(&vec!["y", "x", "y"]), "{all:?}");
    assert!(all.contains(&vec!["z", "y"]), "{all:?}");
}

#[test]
fn names_are_kept_once() {
    let facts = facts("same(same); function same() { same(); } other(same);\n");
    let count = |name: &str| facts.names.iter().filter(|n| &***n == name).count();
    assert_eq!((count("same"), count("other")), (1, 1));
}

#[test]
fn owned_names_and_names_of_the_source_are_one() {
    let source = "abc def";
    let mut b = Builder::new(Language::Lua, source, &|| false);
    let owned = b.intern_owned_name("abc");
    assert_eq!(b.find_name("abc"), Some(owned));
    assert_eq!(b.intern_name(&source[..3]), owned);
    let written = b.intern_name(&source[4..]);
    assert_eq!(b.intern_owned_name("def"), written);
    assert_ne!(owned, written);
    assert_eq!(b.find_name("ghi"), None);
    let long = "n".repeat(2_000);
    let cut = b.intern_owned_name(&long);
    assert_eq!(b.intern_owned_name(&long), cut);
    let facts = b.finish();
    assert_eq!(facts.names.len(), 3);
    assert!(facts.names[2].len() < 600);
}

#[test]
fn scopes_close_and_the_files_own_stays() {
    let mut b = Builder::new(Language::Lua, "", &|| false);
    assert_eq!(b.current_scope(), FILE_SCOPE);
    let outer = b.open_scope(ScopeKind::Block, None);
    let inner = b.open_scope(ScopeKind::Function, None);
    assert_eq!(b.current_scope(), inner);
    b.close_scope();
    assert_eq!(b.current_scope(), outer);
    b.reopen_scope(inner);
    assert_eq!(b.current_scope(), inner);
    for _ in 0..5 {
        b.close_scope();
    }
    assert_eq!(b.current_scope(), FILE_SCOPE);
    assert_eq!(b.current_owner(), None);
    let facts = b.finish();
    assert_eq!(facts.scope(inner).parent, Some(outer));
    assert_eq!(facts.scopes.len(), 3);
}

#[test]
fn conditions_hold_until_they_are_set_back() {
    let mut b = Builder::new(Language::Rust, "", &|| false);
    let unix = b.intern_owned_name("unix");
    assert_eq!(b.set_condition(Some(unix)), None);
    let import = |b: &mut Builder<'_>| {
        let module = b.intern_owned_name("m");
        b.add_import(Import {
            module,
            what: Imported::Glob,
            local: None,
            scope: FILE_SCOPE,
            owner: None,
            level: 0,
            type_only: false,
            unused: false,
            visibility: base::Visibility::Private,
            line: 1,
            condition: None,
        })
    };
    let (first, second) = (import(&mut b), import(&mut b));
    assert_eq!(b.set_condition(None), Some(unix));
    let third = import(&mut b);
    let facts = b.finish();
    let conditions = [first, second, third].map(|i| facts.import(i).condition);
    assert_eq!(conditions, [Some(unix), Some(unix), None]);
}

#[test]
fn what_nests_too_deeply_is_left_out_and_counted() {
    let deep = MAX_DEPTH as usize;
    let source = format!(
        "before();\n{}x{}\nafter();\n",
        "[".repeat(deep),
        "]".repeat(deep)
    );
    let facts = facts(&source);
    let called: Vec<&str> = facts
        .calls
        .iter()
        .filter_map(|site| facts.called_name(site.expr))
        .map(|name| facts.name(name))
        .collect();
    assert_eq!(called, ["before", "after"]);
    assert_eq!(facts.too_deep, 1);
    assert!(facts.is_incomplete());
    let shallow = super::walk::facts("[[[[x]]]]\n");
    assert_eq!(shallow.too_deep, 0);
    assert!(!shallow.is_incomplete());
}

#[test]
fn depth_is_given_back() {
    let mut b = Builder::new(Language::Lua, "", &|| false);
    for _ in 0..3 * MAX_DEPTH {
        assert!(b.enter_level());
        b.leave_level();
    }
    assert_eq!(b.facts().too_deep, 0);
    for _ in 0..MAX_DEPTH {
        assert!(b.enter_level());
    }
    assert!(!b.enter_level());
    assert!(!b.enter_level());
    b.leave_level();
    assert!(b.enter_level());
    assert_eq!(b.facts().too_deep, 2);
    assert_eq!(b.visit_count(), u64::from(4 * MAX_DEPTH + 3));
}

#[test]
fn whoever_stops_is_asked_now_and_then() {
    let asked = std::cell::Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 2
    };
    let mut b = Builder::new(Language::Lua, "", &stop);
    let mut entered = 0;
    while b.enter_level() {
        b.leave_level();
        entered += 1;
    }
    assert_eq!(asked.get(), 3);
    assert!((8_192..=3 * 4_096).contains(&entered), "{entered}");
    // Once stopped it stays so.
    assert!(!b.enter_level());
    assert!((b.stop_check())());
}
