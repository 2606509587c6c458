//! Kotlin, of which only names are read: classes, interfaces and objects with their members, functions, properties,
//! type aliases.

mod mend;
#[cfg(test)]
mod tests;

use crate::outline::{self, Definition, Name, Outline, Part};
use crate::support::Support;
use base::{SymbolKind, Visibility};
use syntax::complexity::Rules;
use syntax::parse::ScannerLimits;

/// The code.
pub(crate) const SUPPORT: Support = Support {
    mend: mend::mend,
    // After an `@` its scanner looks for white space, even beyond the end of the file.
    scanner: ScannerLimits {
        needs_final_newline: true,
        ..ScannerLimits::NONE
    },
    ..Support::new(
        || grammars::KOTLIN.language(),
        |builder, root| outline::walk(builder, root, &OUTLINE),
    )
};

const BODY: Part = Part::Child(&["function_body", "block"]);
const PARAMETERS: Part = Part::Child(&["function_value_parameters"]);

static OUTLINE: Outline = Outline {
    definitions: &[
        Definition {
            kind_by_child: &[
                ("interface", SymbolKind::Interface),
                ("enum_class_body", SymbolKind::Enum),
            ],
            body: Part::Child(&["class_body", "enum_class_body"]),
            parameters: Part::Child(&[]),
            ..Definition::new("class_declaration", SymbolKind::Class)
        },
        Definition {
            body: Part::Child(&["class_body"]),
            ..Definition::new("object_declaration", SymbolKind::Class)
        },
        Definition {
            body: Part::Child(&["class_body"]),
            needs: Some("identifier"),
            ..Definition::new("companion_object", SymbolKind::Class)
        },
        Definition {
            name: Name::Fixed("Companion", "object"),
            body: Part::Child(&["class_body"]),
            ..Definition::new("companion_object", SymbolKind::Class)
        },
        Definition {
            body: BODY,
            parameters: PARAMETERS,
            ..Definition::function("function_declaration")
        },
        Definition {
            name: Name::Fixed("constructor", "constructor"),
            body: BODY,
            parameters: PARAMETERS,
            ..Definition::new("secondary_constructor", SymbolKind::Constructor)
        },
        Definition {
            name: Name::Child(&["identifier"]),
            ..Definition::new("enum_entry", SymbolKind::EnumMember)
        },
        Definition {
            name: Name::Field("type"),
            ..Definition::new("type_alias", SymbolKind::TypeAlias)
        },
        Definition {
            name: Name::Each(&["variable_declaration", "identifier"]),
            needs: Some("variable_declaration"),
            kind_by_word: &[("const", SymbolKind::Constant)],
            ..Definition::variable(
                "property_declaration",
                SymbolKind::Variable,
                SymbolKind::Property,
            )
        },
        Definition {
            name: Name::Each(&[
                "multi_variable_declaration",
                "variable_declaration",
                "identifier",
            ]),
            ..Definition::variable(
                "property_declaration",
                SymbolKind::Variable,
                SymbolKind::Property,
            )
        },
        // A constructor parameter that is a property.
        Definition {
            name: Name::Child(&["identifier"]),
            needs: Some("val"),
            ..Definition::new("class_parameter", SymbolKind::Property)
        },
        Definition {
            name: Name::Child(&["identifier"]),
            needs: Some("var"),
            ..Definition::new("class_parameter", SymbolKind::Property)
        },
    ],
    comments: &["line_comment", "block_comment", "multiline_comment"],
    complexity: &COMPLEXITY,
    visibility: &[
        ("private", Visibility::Private),
        ("protected", Visibility::Protected),
        ("internal", Visibility::Package),
    ],
    ..Outline::NEUTRAL
};

static COMPLEXITY: Rules = Rules {
    nesting: &[
        "if_expression",
        "for_statement",
        "while_statement",
        "do_while_statement",
        "when_expression",
        "catch_block",
    ],
    no_path: &["when_expression"],
    arms: &["when_entry"],
    elses: &[],
    else_paths: &[],
    logical: (&["binary_expression"], &["&&", "||", "?:"]),
    jumps: &[],
    functions: &[
        "lambda_literal",
        "anonymous_function",
        "function_declaration",
    ],
    words: &["if", "for", "while", "do", "when", "catch", "else", "fun"],
    signs: &["->", "&&", "||", "?:", "{"],
};
