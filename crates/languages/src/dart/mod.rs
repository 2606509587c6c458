//! Dart, of which only names are read: types with their members, functions, variables.

#[cfg(test)]
mod tests;

use crate::outline::{self, Outline, Tags};
use crate::support::Support;
use syntax::complexity::Rules;

/// The code.
pub(crate) const SUPPORT: Support = Support::new(
    || grammars::DART.language(),
    |builder, root| outline::walk_tags(builder, root, &TAGS),
);

static TAGS: Tags = Tags {
    private_prefixes: &["_"],
    outline: Outline {
        complexity: &COMPLEXITY,
        ..Outline::NEUTRAL
    },
    ..Tags::new(include_str!("tags.scm"))
};

static COMPLEXITY: Rules = Rules {
    nesting: &[
        "if_statement",
        "for_statement",
        "while_statement",
        "do_statement",
        "switch_statement",
        "switch_expression",
        "catch_clause",
        "conditional_expression",
    ],
    no_path: &["switch_statement", "switch_expression"],
    arms: &["switch_statement_case", "switch_expression_case"],
    elses: &[],
    else_paths: &[],
    logical: (
        &[
            "logical_and_expression",
            "logical_or_expression",
            "if_null_expression",
        ],
        &["&&", "||", "??"],
    ),
    jumps: &[],
    functions: &["function_expression", "local_function_declaration"],
    words: &[
        "if", "for", "while", "do", "switch", "catch", "case", "else",
    ],
    signs: &["?", "&&", "||", "=>", "("],
};
