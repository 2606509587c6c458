//! Ruby: modules, classes, methods and constants by name.

#[cfg(test)]
mod tests;

use crate::outline::{self, Definition, Outline};
use crate::support::Support;
use base::SymbolKind;
use syntax::complexity::Rules;

/// The code.
pub(crate) const SUPPORT: Support = Support::new(
    || tree_sitter_ruby::LANGUAGE.into(),
    |builder, root| outline::walk(builder, root, &OUTLINE),
);

static OUTLINE: Outline = Outline {
    definitions: &[
        Definition::new("class", SymbolKind::Class),
        Definition::new("module", SymbolKind::Module),
        Definition {
            kind_inside: SymbolKind::Method,
            ..Definition::new("method", SymbolKind::Function)
        },
        Definition {
            kind_inside: SymbolKind::Method,
            is_static: true,
            ..Definition::new("singleton_method", SymbolKind::Function)
        },
        Definition {
            name: "left",
            name_node: "constant",
            ..Definition::new("assignment", SymbolKind::Constant)
        },
    ],
    comments: &["comment"],
    complexity: &COMPLEXITY,
};

static COMPLEXITY: Rules = Rules {
    nesting: &[
        "if",
        "unless",
        "while",
        "until",
        "for",
        "case",
        "case_match",
        "conditional",
        "if_modifier",
        "unless_modifier",
        "while_modifier",
        "until_modifier",
        "rescue",
        "rescue_modifier",
    ],
    no_path: &["case", "case_match"],
    arms: &["when", "in_clause"],
    elses: &["elsif", "else"],
    else_paths: &["elsif"],
    logical: (&["binary"], &["&&", "||", "and", "or"]),
    jumps: &[],
    functions: &["lambda", "method", "singleton_method"],
    words: &[
        "if", "unless", "while", "until", "for", "case", "when", "in", "elsif", "else", "rescue",
        "and", "or", "lambda", "def",
    ],
    signs: &["?", "&&", "||", "->"],
};
