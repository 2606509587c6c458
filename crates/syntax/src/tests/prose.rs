//! Lines with code on them.

use super::walk::{rust, typescript};
use crate::prose::lines_with_code;
use crate::read::Reader;

fn shown(lines: &[bool]) -> String {
    lines
        .iter()
        .map(|code| if *code { 'c' } else { '.' })
        .collect()
}

#[test]
fn comments_and_empty_lines_are_no_code() {
    for (source, expected) in [
        ("", ""),
        ("f();\n", "c"),
        ("// a\nf();\n\n/* b\n c */\ng(); // d\n", ".c...c"),
        ("f(\n  1,\n\n  2 /* x */\n);\n", "cc.cc"),
        ("`a\n\nb`;\n", "ccc"),
        ("/* a */ f();\n", "c"),
        ("f();\n// the end", "c."),
    ] {
        assert_eq!(
            shown(&lines_with_code(typescript(), source)),
            expected,
            "{source:?}"
        );
    }
}

#[test]
fn what_a_language_has_for_documentation_is_no_code() {
    let reader = Reader {
        is_documentation: |node| {
            let is_text = node.kind() == "expression_statement";
            is_text && node.named_child(0).is_some_and(|c| c.kind() == "string")
        },
        ..typescript()
    };
    let source = "'what it is\\\n for';\nf('text');\n";
    assert_eq!(shown(&lines_with_code(reader, source)), "..c");
    assert_eq!(shown(&lines_with_code(typescript(), source)), "ccc");
}

#[test]
fn what_tools_read_is_code() {
    let source = "//go:embed file\n// go:embed\nf();\n";
    assert_eq!(shown(&lines_with_code(typescript(), source)), "c.c");
}

#[test]
fn a_source_that_cannot_be_read_is_code_everywhere() {
    let source = format!(
        "// a\n\n{}",
        format!("{}\n", "r#\"".repeat(20)).repeat(8_000)
    );
    let lines = lines_with_code(rust(), &source);
    assert_eq!(lines.len(), source.lines().count());
    assert!(lines.iter().all(|code| *code));
}
