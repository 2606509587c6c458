//! Scala, of which only names are read: classes, traits, objects and enums with their members, types, values, givens.

#[cfg(test)]
mod tests;

use crate::outline::{self, Definition, Name, Outline, Part};
use crate::support::Support;
use base::{SymbolKind, Visibility};
use syntax::complexity::Rules;

/// The code.
pub(crate) const SUPPORT: Support = Support::new(
    || grammars::SCALA.language(),
    |builder, root| outline::walk(builder, root, &OUTLINE),
);

const fn value(node: &'static str, name: Name, needs: Option<&'static str>) -> Definition {
    Definition {
        name,
        needs,
        ..Definition::variable(node, SymbolKind::Variable, SymbolKind::Property)
    }
}

/// A type that has the parameters of its constructor.
const fn class(node: &'static str, kind: SymbolKind) -> Definition {
    Definition {
        parameters: Part::Field("class_parameters"),
        ..Definition::new(node, kind)
    }
}

static OUTLINE: Outline = Outline {
    definitions: &[
        class("class_definition", SymbolKind::Class),
        class("trait_definition", SymbolKind::Trait),
        class("enum_definition", SymbolKind::Enum),
        Definition::new("object_definition", SymbolKind::Class),
        Definition::new("package_object", SymbolKind::Module),
        Definition::new("simple_enum_case", SymbolKind::EnumMember),
        Definition::new("full_enum_case", SymbolKind::EnumMember),
        Definition::function("function_definition"),
        Definition::function("function_declaration"),
        Definition {
            may_be_local: true,
            ..Definition::new("type_definition", SymbolKind::TypeAlias)
        },
        Definition::new("given_definition", SymbolKind::Variable),
        value(
            "val_definition",
            Name::Every("identifiers", "identifier"),
            Some("identifiers"),
        ),
        value(
            "val_definition",
            Name::FieldOf("pattern", "identifier"),
            None,
        ),
        value(
            "var_definition",
            Name::Every("identifiers", "identifier"),
            Some("identifiers"),
        ),
        value(
            "var_definition",
            Name::FieldOf("pattern", "identifier"),
            None,
        ),
        value("val_declaration", Name::Fields("name"), None),
        value("var_declaration", Name::Fields("name"), None),
        // A constructor parameter that is a member.
        value("class_parameter", Name::Field("name"), Some("val")),
        value("class_parameter", Name::Field("name"), Some("var")),
    ],
    comments: &["comment", "block_comment"],
    complexity: &COMPLEXITY,
    visibility: &[
        ("private", Visibility::Private),
        ("protected", Visibility::Protected),
    ],
    ..Outline::NEUTRAL
};

static COMPLEXITY: Rules = Rules {
    nesting: &[
        "if_expression",
        "for_expression",
        "while_expression",
        "do_while_expression",
        "match_expression",
        "catch_clause",
    ],
    no_path: &["match_expression", "catch_clause"],
    arms: &["case_clause"],
    elses: &[],
    else_paths: &[],
    logical: (&["infix_expression"], &["&&", "||"]),
    jumps: &[],
    functions: &["lambda_expression", "function_definition"],
    words: &["if", "for", "while", "do", "match", "catch", "case", "else"],
    signs: &["&&", "||", "=>"],
};
