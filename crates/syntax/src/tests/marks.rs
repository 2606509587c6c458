//! Tests of marks: decorators with their literal arguments, and error handling. A call serves as a decorator here.

use super::walk::tree;
use crate::builder::Builder;
use crate::facts::*;
use crate::fields::Fields;
use base::{Language, MarkKind, SymbolKind};
use tree_sitter::Node;

/// The calls that are statements of a source.
fn calls<'t>(root: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = root.walk();
    let statements: Vec<Node<'t>> = root.named_children(&mut cursor).collect();
    let calls = statements.into_iter().filter_map(|one| one.named_child(0));
    calls.collect()
}

/// The name of the first call of a source and its arguments, recorded like those of a decorator.
fn decorator(source: &str) -> (Option<String>, Option<String>) {
    let tree = tree(source);
    let call = calls(tree.root_node())[0];
    let mut b = Builder::new(Language::TypeScript, source, &|| false);
    let mark = b.read_decorator(call.field("function").unwrap(), call.field("arguments"));
    assert_eq!(
        (mark.kind, mark.owner, mark.line),
        (MarkKind::Decorator, None, 1)
    );
    let facts = b.finish();
    let text = |id: Option<NameId>| id.map(|id| facts.name(id).to_owned());
    (text(mark.name), text(mark.detail))
}

/// The recorded form of arguments.
fn arguments(written: &str) -> Option<String> {
    decorator(&format!("f({written});\n")).1
}

#[test]
fn literal_arguments_are_kept_and_others_are_not() {
    assert_eq!(
        decorator("a.get(\"/users\", handler, 12, true);\n"),
        (
            Some("a.get".to_owned()),
            Some("\"/users\", 12, true".to_owned())
        )
    );
    assert_eq!(arguments(""), None);
    assert_eq!(arguments("handler, g(1)"), None);
}

#[test]
fn lists_of_literals_are_kept_on_one_line() {
    let kept = arguments("[1,\n    \"b\"], [1, handler]");
    assert_eq!(kept.as_deref(), Some("[1, \"b\"]"));
}

#[test]
fn of_many_arguments_the_first_are_kept() {
    let many: Vec<String> = (0..12).map(|n| n.to_string()).collect();
    let kept = arguments(&many.join(", "));
    assert_eq!(kept.as_deref(), Some("0, 1, 2, 3, 4, 5, 6, 7"));
    // A long list is left out as a whole, not cut.
    assert_eq!(arguments(&format!("[{}]", many.join(", "))), None);
}

#[test]
fn long_arguments_are_left_out_and_long_names_are_cut() {
    let long = format!("\"{}\", 1", "x".repeat(200));
    assert_eq!(arguments(&long).as_deref(), Some("1"));
    // A name is not cut within a character.
    let name = format!("a{}", "é".repeat(60));
    let (kept, _) = decorator(&format!("{name}();\n"));
    assert_eq!(kept, Some(format!("a{}", "é".repeat(39))));
}

#[test]
fn marks_are_of_a_definition_or_of_the_file() {
    let source = "one(1);\ntwo(2);\n";
    let tree = tree(source);
    let calls = calls(tree.root_node());
    let mut b = Builder::new(Language::TypeScript, source, &|| false);
    let name = b.intern_name(&source[..3]);
    let def = b.add_def(name, SymbolKind::Function, calls[0], calls[0]);
    let decorator = b.read_decorator(calls[0].field("function").unwrap(), None);
    b.add_decorator(def, decorator);
    b.add_file_mark(MarkKind::Throw, calls[1].field("function"), calls[1]);
    b.add_file_mark(MarkKind::CatchAll, None, calls[1]);
    let facts = b.finish();
    let marks: Vec<_> = facts.marks.iter().map(|m| (m.kind, m.owner)).collect();
    assert_eq!(
        marks,
        [
            (MarkKind::Decorator, Some(def)),
            (MarkKind::Throw, None),
            (MarkKind::CatchAll, None)
        ]
    );
    assert_eq!(facts.marks[1].name.map(|id| facts.name(id)), Some("two"));
    assert_eq!((facts.marks[1].line, facts.marks[2].name), (2, None));
}
