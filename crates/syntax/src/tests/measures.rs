//! Tests of complexity: the nodes that count, the weight of nesting, and that skipping code without marks changes nothing.

use super::walk::{RULES, facts, tree};
use crate::complexity::{Table, find_marks, measure};
use crate::facts::Complexity;
use crate::fields::Fields;
use proptest::prelude::*;

/// Cyclomatic, cognitive, and greatest nesting of a body.
fn of(body: &str) -> (u16, u16, u16) {
    let facts = facts(&format!("function f(a, b, c) {{ {body} }}\n"));
    let found = facts.defs[0].complexity;
    (found.cyclomatic, found.cognitive, found.nesting)
}

#[test]
fn constructs_count_as_they_are_written() {
    for (body, expected) in [
        ("", (1, 0, 0)),
        ("g(); h();", (1, 0, 0)),
        ("if (a) g();", (2, 1, 1)),
        ("g();if(a)h();", (2, 1, 1)),
        ("{}if(a)h();", (2, 1, 1)),
        ("if (a) g(); else h();", (2, 2, 1)),
        ("if (a) g(); else if (b) h();", (3, 2, 1)),
        ("if (a) g(); else if (b) h(); else c();", (3, 3, 1)),
        ("if (a) { if (b) g(); }", (3, 3, 2)),
        ("for (;;) { while (a) { if (b) g(); } }", (4, 6, 3)),
        ("return a ? b : c;", (2, 1, 1)),
        ("return a && b;", (2, 1, 0)),
        ("return a && b && c;", (3, 1, 0)),
        ("return a && b || c;", (3, 2, 0)),
        ("return a + b;", (1, 0, 0)),
        (
            "switch (a) { case 1: g(); case 2: h(); default: c(); }",
            (3, 1, 1),
        ),
        ("try { g(); } catch (e) { h(); }", (2, 1, 1)),
        ("again: for (;;) { g(); }", (2, 2, 1)),
        ("const g = () => { if (a) b(); };", (2, 2, 2)),
        ("const g = () => () => { if (a) b(); };", (2, 3, 3)),
    ] {
        assert_eq!(of(body), expected, "{body}");
    }
}

#[test]
fn functions_inside_count_for_what_is_around_them_up_to_a_depth() {
    let nested = |depth: usize| {
        let open = "(() => { ".repeat(depth);
        let close = " })()".repeat(depth);
        of(&format!("{open} if (a) b(); {close}"))
    };
    assert_eq!(nested(7).0, 2);
    assert_eq!(nested(8).0, 2);
    assert_eq!(nested(9).0, 1);
    assert_eq!(nested(30).0, 1);
}

#[test]
fn counts_stay_within_their_numbers() {
    let body = "if (a) b(); ".repeat(70_000);
    assert_eq!(of(&body), (u16::MAX, u16::MAX, 1));
}

#[test]
fn marks_of_strings_and_comments_count_for_nothing() {
    let plain = of("g();");
    for body in [
        "g('if && ?');",
        "/* if while for */ g();",
        "// else if\n g();",
        "g(`case`);",
    ] {
        assert_eq!(of(body), plain, "{body}");
    }
}

#[test]
fn damaged_bodies_are_measured() {
    for body in [
        "if (a { g(); }",
        "if (a) g(); ))) if (b) h();",
        "g(; if (a) { }",
    ] {
        let source = format!("function f(a, b) {{ {body} }}\nfunction later() {{ if (a) b(); }}\n");
        let facts = facts(&source);
        assert!(facts.syntax_errors > 0, "{body}");
        let name_is = |d: &&crate::facts::Def, name: &str| facts.name(d.name) == name;
        let later = facts.defs.iter().find(|d| name_is(d, "later"));
        let found = later.map(|d| (d.complexity.cyclomatic, d.complexity.cognitive));
        assert!(
            found.is_none_or(|found| found == (2, 1)),
            "{body}: {found:?}"
        );
    }
    // A keyword that the parser inserts, and that is not in the source, must not lead to skipping.
    let facts = facts("function f(a) { if (a) g(); ))) }\n");
    assert!(facts.syntax_errors > 0);
    assert_eq!(facts.defs[0].complexity.cyclomatic, 2);
}

/// Statements of all kinds, nested.
fn statement() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("g();".to_owned()),
        Just("return a && b || c;".to_owned()),
        Just("x = a ? b : c;".to_owned()),
        Just("// if while\n".to_owned()),
        Just("h('case', `else`);".to_owned()),
        Just("iffy(elsewhere);".to_owned()),
    ];
    leaf.prop_recursive(4, 40, 4, |inner| {
        let several = prop::collection::vec(inner, 0..4).prop_map(|all| all.join(" "));
        (several.clone(), several, 0..6).prop_map(|(one, other, kind)| match kind {
            0 => format!("if (a) {{ {one} }}"),
            1 => format!("if (a || b) {{ {one} }} else {{ {other} }}"),
            2 => format!("for (;;) {{ {one} }} {other}"),
            3 => format!("switch (a) {{ case 1: {one} default: {other} }}"),
            4 => format!("try {{ {one} }} catch (e) {{ {other} }}"),
            _ => format!("k(() => {{ {one} }}); {other}"),
        })
    })
}

fn measured(source: &str, marks: &[u32]) -> Complexity {
    let tree = tree(source);
    let body = tree
        .root_node()
        .named_child(0)
        .and_then(|f| f.field("body"));
    let body = body.expect("a body");
    let table = Table::new(&RULES, &body.language());
    measure(body, &table, source, marks).0
}

proptest! {
    #[test]
    fn skipping_what_has_no_marks_changes_nothing(statements in prop::collection::vec(statement(), 0..4)) {
        let source = format!("function f(a, b, c) {{ {} }}", statements.join("\n"));
        let marks = find_marks(&source, &RULES);
        // With a mark at every byte nothing is skipped.
        let all: Vec<u32> = (0..source.len() as u32).collect();
        prop_assert_eq!(measured(&source, &marks), measured(&source, &all), "{}", source);
        let sorted = marks.windows(2).all(|pair| pair[0] < pair[1]);
        prop_assert!(sorted);
    }

    #[test]
    fn what_comes_before_a_function_does_not_count(body in statement(), before in statement()) {
        let alone = of(&body);
        let facts = facts(&format!("function e(a) {{ {before} }}\nfunction f(a, b, c) {{ {body} }}\n"));
        let at = facts.defs.iter().position(|d| facts.name(d.name) == "f").unwrap();
        let found = facts.defs[at].complexity;
        prop_assert_eq!((found.cyclomatic, found.cognitive, found.nesting), alone);
    }
}
