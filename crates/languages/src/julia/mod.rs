//! Julia, of which only names are read: modules, types, functions, macros, constants.

#[cfg(test)]
mod tests;

use crate::outline::{self, Outline, Tags};
use crate::support::Support;
use syntax::complexity::Rules;

/// The code.
pub(crate) const SUPPORT: Support = Support::new(
    || grammars::JULIA.language(),
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
        "catch_clause",
        "ternary_expression",
    ],
    no_path: &[],
    arms: &[],
    elses: &["elseif_clause", "else_clause"],
    else_paths: &["elseif_clause"],
    logical: (&["binary_expression"], &["&&", "||"]),
    jumps: &[],
    functions: &["arrow_function_expression", "do_clause"],
    words: &["if", "for", "while", "catch", "elseif", "else", "do"],
    signs: &["?", "&&", "||", "->"],
};
