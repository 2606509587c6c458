//! C#, of which only names are read: types with their members, namespaces.

#[cfg(test)]
mod tests;

use crate::conditions;
use crate::outline::{self, Definition, FoundDefinition, Name, Outline, Walker};
use crate::support::Support;
use base::{SymbolKind, Visibility};
use syntax::complexity::Rules;
use syntax::fields::Fields;
use tree_sitter::Node;

/// The code.
pub(crate) const SUPPORT: Support = Support {
    mend: conditions::mend,
    ..Support::new(
        || tree_sitter_c_sharp::LANGUAGE.into(),
        |builder, root| outline::walk(builder, root, &OUTLINE),
    )
};

static OUTLINE: Outline = Outline {
    definitions: &[
        // A namespace spans many files, like a Java package: it can be found, but is not part of names.
        Definition {
            name: Name::Path("name"),
            is_heading: true,
            ..Definition::new("namespace_declaration", SymbolKind::Namespace)
        },
        Definition {
            name: Name::Path("name"),
            is_heading: true,
            ..Definition::new("file_scoped_namespace_declaration", SymbolKind::Namespace)
        },
        Definition::new("class_declaration", SymbolKind::Class),
        Definition::new("struct_declaration", SymbolKind::Struct),
        Definition::new("interface_declaration", SymbolKind::Interface),
        Definition::new("enum_declaration", SymbolKind::Enum),
        Definition {
            kind_by_child: &[("struct", SymbolKind::Struct)],
            ..Definition::new("record_declaration", SymbolKind::Class)
        },
        Definition::new("enum_member_declaration", SymbolKind::EnumMember),
        Definition::new("method_declaration", SymbolKind::Method),
        Definition::new("local_function_statement", SymbolKind::Function),
        Definition::new("constructor_declaration", SymbolKind::Constructor),
        Definition::new("property_declaration", SymbolKind::Property),
        Definition::new("event_declaration", SymbolKind::Field),
        Definition::new("delegate_declaration", SymbolKind::TypeAlias),
        Definition {
            name: Name::Fixed("this", "this"),
            ..Definition::new("indexer_declaration", SymbolKind::Property)
        },
        Definition {
            name: Name::Each(&["variable_declaration", "variable_declarator", "identifier"]),
            kind_by_word: &[("const", SymbolKind::Constant)],
            ..Definition::new("field_declaration", SymbolKind::Field)
        },
        Definition {
            name: Name::Each(&["variable_declaration", "variable_declarator", "identifier"]),
            ..Definition::new("event_field_declaration", SymbolKind::Field)
        },
    ],
    special,
    complexity: &COMPLEXITY,
    visibility: &[
        ("public", Visibility::Public),
        ("private", Visibility::Private),
        ("protected", Visibility::Protected),
        ("internal", Visibility::Package),
    ],
    default_visibility: (Visibility::Package, Visibility::Private),
    ..Outline::NEUTRAL
};

/// Operators and destructors, whose names are not separate nodes.
fn special(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    let (at, prefix) = match node.kind_name() {
        "operator_declaration" => (node.field("operator"), "operator "),
        "conversion_operator_declaration" => (node.field("type"), "operator "),
        "destructor_declaration" => (node.field("name"), "~"),
        _ => return false,
    };
    let Some(at) = at else {
        return false;
    };
    let name = format!("{prefix}{}", walker.b.text(at));
    let mut found = FoundDefinition::new(node, at, SymbolKind::Method);
    found.name = Some(&name);
    found.parameters = node.field("parameters").into_iter().collect();
    found.body = node.field("body");
    walker.define(found);
    true
}

static COMPLEXITY: Rules = Rules {
    nesting: &[
        "if_statement",
        "for_statement",
        "foreach_statement",
        "while_statement",
        "do_statement",
        "switch_statement",
        "switch_expression",
        "conditional_expression",
        "catch_clause",
    ],
    no_path: &["switch_statement", "switch_expression"],
    arms: &["switch_section", "switch_expression_arm"],
    elses: &[],
    else_paths: &[],
    logical: (&["binary_expression"], &["&&", "||", "??"]),
    jumps: &["goto_statement"],
    functions: &[
        "lambda_expression",
        "anonymous_method_expression",
        "local_function_statement",
    ],
    words: &[
        "if", "for", "foreach", "while", "do", "switch", "catch", "case", "else", "goto",
        "delegate",
    ],
    signs: &["?", "&&", "||", "=>"],
};
