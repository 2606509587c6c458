//! Solidity, of which only names are read: contracts, interfaces and libraries with their members, functions.

#[cfg(test)]
mod tests;

use crate::outline::{self, Outline, Tags};
use crate::support::Support;
use base::Visibility;
use syntax::complexity::Rules;

/// The code.
pub(crate) const SUPPORT: Support = Support::new(
    || grammars::SOLIDITY.language(),
    |builder, root| outline::walk_tags(builder, root, &TAGS),
);

static TAGS: Tags = Tags {
    outline: Outline {
        complexity: &COMPLEXITY,
        visibility: &[
            ("private", Visibility::Private),
            ("internal", Visibility::Protected),
            ("external", Visibility::Public),
            ("public", Visibility::Public),
        ],
        ..Outline::NEUTRAL
    },
    ..Tags::new(include_str!("tags.scm"))
};

static COMPLEXITY: Rules = Rules {
    nesting: &[
        "if_statement",
        "for_statement",
        "while_statement",
        "do_while_statement",
        "ternary_expression",
        "catch_clause",
    ],
    no_path: &[],
    arms: &[],
    elses: &[],
    else_paths: &[],
    logical: (&["binary_expression"], &["&&", "||"]),
    jumps: &[],
    functions: &[],
    words: &["if", "for", "while", "do", "catch", "else"],
    signs: &["?", "&&", "||"],
};
