//! Tests of kinds and fields of nodes, compared with those of the library.

use super::walk::tree;
use crate::fields::Fields;
use tree_sitter::Node;

/// Every node of a tree.
fn all<'t>(root: Node<'t>) -> Vec<Node<'t>> {
    let mut found = vec![root];
    let mut at = 0;
    while at < found.len() {
        let node = found[at];
        let mut cursor = node.walk();
        found.extend(node.children(&mut cursor));
        at += 1;
    }
    found
}

const SOURCE: &str =
    "class A extends B { m(a, b) { if (a) { b(); } else { c(); } } }\nlet x = (1;\n";

#[test]
fn kinds_and_fields_are_those_of_the_library() {
    let tree = tree(SOURCE);
    let nodes = all(tree.root_node());
    assert!(nodes.len() > 40);
    assert!(nodes.iter().any(|n| n.is_error() || n.is_missing()));
    for node in nodes {
        assert_eq!(node.kind_name(), node.kind());
        for field in ["name", "body", "alternative", "value", "no_such_field"] {
            assert_eq!(
                node.field(field),
                node.child_by_field_name(field),
                "{field}"
            );
            let (mut own, mut theirs) = (node.walk(), node.walk());
            let own: Vec<Node<'_>> = node.fields(field, &mut own).collect();
            let theirs: Vec<Node<'_>> = node.children_by_field_name(field, &mut theirs).collect();
            assert_eq!(own, theirs, "{field} of {}", node.kind());
        }
    }
}

#[test]
fn grammars_are_not_mixed_up() {
    let mut parser = tree_sitter::Parser::new();
    parser
        .set_language(&tree_sitter_rust::LANGUAGE.into())
        .unwrap();
    let rust = parser.parse("fn f() -> u32 { 1 }", None).unwrap();
    let typescript = tree(SOURCE);
    // Alternating, so that the cache of one grammar is used with the other.
    let both = all(rust.root_node())
        .into_iter()
        .zip(all(typescript.root_node()));
    for (one, other) in both {
        assert_eq!(one.kind_name(), one.kind());
        assert_eq!(other.kind_name(), other.kind());
        assert_eq!(one.field("name"), one.child_by_field_name("name"));
        assert_eq!(other.field("name"), other.child_by_field_name("name"));
        assert_eq!(
            one.field("return_type"),
            one.child_by_field_name("return_type")
        );
    }
}
