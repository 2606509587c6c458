//! Swift, of which only names are read: types and protocols with their members, including those that extensions add,
//! functions, variables.

#[cfg(test)]
mod tests;

use crate::outline::{self, Definition, Name, Outline, Part};
use crate::support::Support;
use base::{SymbolKind, Visibility};
use syntax::complexity::Rules;

/// The code.
pub(crate) const SUPPORT: Support = Support::new(
    || grammars::SWIFT.language(),
    |builder, root| outline::walk(builder, root, &OUTLINE),
);

const PARAMETERS: Part = Part::Children("parameter");

const fn function(node: &'static str, name: Name) -> Definition {
    Definition {
        name,
        parameters: PARAMETERS,
        ..Definition::function(node)
    }
}

static OUTLINE: Outline = Outline {
    definitions: &[
        Definition {
            kind_by_child: &[
                ("extension", SymbolKind::Impl),
                ("struct", SymbolKind::Struct),
                ("enum", SymbolKind::Enum),
            ],
            ..Definition::new("class_declaration", SymbolKind::Class)
        },
        Definition::new("protocol_declaration", SymbolKind::Interface),
        function("function_declaration", Name::Field("name")),
        function("protocol_function_declaration", Name::Field("name")),
        Definition {
            name: Name::Field("name"),
            parameters: PARAMETERS,
            ..Definition::new("init_declaration", SymbolKind::Constructor)
        },
        function("deinit_declaration", Name::Fixed("deinit", "deinit")),
        function(
            "subscript_declaration",
            Name::Fixed("subscript", "subscript"),
        ),
        Definition {
            name: Name::Child(&["simple_identifier"]),
            parameters: PARAMETERS,
            ..Definition::new("macro_declaration", SymbolKind::Macro)
        },
        Definition {
            name: Name::Fields("name"),
            ..Definition::new("enum_entry", SymbolKind::EnumMember)
        },
        Definition::new("typealias_declaration", SymbolKind::TypeAlias),
        Definition::new("associatedtype_declaration", SymbolKind::TypeAlias),
        Definition {
            name: Name::Each(&["pattern", "simple_identifier"]),
            body: Part::Field("computed_value"),
            ..Definition::variable(
                "property_declaration",
                SymbolKind::Variable,
                SymbolKind::Property,
            )
        },
        Definition {
            name: Name::Each(&["pattern", "simple_identifier"]),
            ..Definition::new("protocol_property_declaration", SymbolKind::Property)
        },
    ],
    comments: &["comment", "multiline_comment"],
    complexity: &COMPLEXITY,
    visibility: &[
        ("private", Visibility::Private),
        ("fileprivate", Visibility::Private),
        ("internal", Visibility::Package),
        ("public", Visibility::Public),
        ("open", Visibility::Public),
    ],
    default_visibility: (Visibility::Package, Visibility::Package),
    ..Outline::NEUTRAL
};

static COMPLEXITY: Rules = Rules {
    nesting: &[
        "if_statement",
        "guard_statement",
        "for_statement",
        "while_statement",
        "repeat_while_statement",
        "switch_statement",
        "ternary_expression",
        "catch_block",
    ],
    no_path: &["switch_statement"],
    arms: &["switch_entry"],
    elses: &[],
    else_paths: &[],
    logical: (
        &[
            "conjunction_expression",
            "disjunction_expression",
            "nil_coalescing_expression",
        ],
        &["&&", "||", "??"],
    ),
    jumps: &[],
    functions: &["lambda_literal", "function_declaration", "init_declaration"],
    words: &[
        "if", "guard", "for", "while", "repeat", "switch", "case", "catch", "else",
    ],
    signs: &["?", "&&", "||", "{"],
};
