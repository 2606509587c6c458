//! PHP, of which only names are read: namespaces, classes, interfaces, traits and enums with their members, functions,
//! constants.

#[cfg(test)]
mod tests;

use crate::outline::{self, Definition, FoundDefinition, Name, Outline, Walker};
use crate::support::Support;
use base::{SymbolKind, Visibility};
use syntax::complexity::Rules;
use syntax::fields::Fields;
use tree_sitter::Node;

/// The code.
pub(crate) const SUPPORT: Support = Support::new(
    || tree_sitter_php::LANGUAGE_PHP.into(),
    |builder, root| outline::walk(builder, root, &OUTLINE),
);

static OUTLINE: Outline = Outline {
    definitions: &[
        // A namespace spans many files, like a Java package: it can be found, but is not part of names.
        Definition {
            name: Name::Path("name"),
            is_heading: true,
            ..Definition::new("namespace_definition", SymbolKind::Namespace)
        },
        Definition::new("class_declaration", SymbolKind::Class),
        Definition::new("interface_declaration", SymbolKind::Interface),
        Definition::new("trait_declaration", SymbolKind::Trait),
        Definition::new("enum_declaration", SymbolKind::Enum),
        Definition::new("enum_case", SymbolKind::EnumMember),
        Definition::function("function_definition"),
        Definition::new("method_declaration", SymbolKind::Method),
        Definition {
            name: Name::Each(&["const_element", "name"]),
            ..Definition::new("const_declaration", SymbolKind::Constant)
        },
        Definition {
            name: Name::Each(&["property_element", "variable_name", "name"]),
            ..Definition::new("property_declaration", SymbolKind::Property)
        },
    ],
    special,
    complexity: &COMPLEXITY,
    visibility: &[
        ("private", Visibility::Private),
        ("protected", Visibility::Protected),
        ("public", Visibility::Public),
    ],
    ..Outline::NEUTRAL
};

fn special(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    match node.kind_name() {
        "function_call_expression" => constant(walker, node),
        "property_promotion_parameter" => promoted(walker, node),
        _ => {}
    }
    false
}

/// `define('NAME', …)`.
fn constant(walker: &mut Walker<'_, '_>, node: Node<'_>) {
    let called = node.field("function").map(|name| walker.b.text(name));
    if called != Some("define") {
        return;
    }
    let first = node.field("arguments").and_then(|list| list.named_child(0));
    let string = first.and_then(|argument| argument.named_child(0));
    let name = string.and_then(|string| string.named_child(0));
    if let Some(name) = name.filter(|name| name.kind_name() == "string_content") {
        walker.declare(&FoundDefinition::new(node, name, SymbolKind::Constant));
    }
}

/// A constructor parameter that is a property of the class.
fn promoted(walker: &mut Walker<'_, '_>, node: Node<'_>) {
    let name = node.field("name").and_then(|name| name.named_child(0));
    let class = walker.b.current_owner();
    let class = class.and_then(|constructor| walker.b.facts().def(constructor).parent);
    if let Some(name) = name {
        let def = walker.declare(&FoundDefinition::new(node, name, SymbolKind::Property));
        walker.b.def_mut(def).parent = class;
    }
}

static COMPLEXITY: Rules = Rules {
    nesting: &[
        "if_statement",
        "for_statement",
        "foreach_statement",
        "while_statement",
        "do_statement",
        "switch_statement",
        "match_expression",
        "conditional_expression",
        "catch_clause",
    ],
    no_path: &["switch_statement", "match_expression"],
    arms: &["case_statement", "match_conditional_expression"],
    elses: &["else_clause", "else_if_clause"],
    else_paths: &["else_if_clause"],
    logical: (&["binary_expression"], &["&&", "||", "and", "or", "??"]),
    jumps: &["goto_statement"],
    functions: &[
        "anonymous_function",
        "arrow_function",
        "function_definition",
        "method_declaration",
    ],
    words: &[
        "if", "for", "foreach", "while", "do", "switch", "match", "catch", "case", "else",
        "elseif", "goto", "and", "or", "function", "fn",
    ],
    signs: &["?", "&&", "||", "=>"],
};
