//! Nix, of which only names are read: attributes and functions of the outer sets.

#[cfg(test)]
mod tests;

use crate::outline::{self, Outline, Tags};
use crate::support::Support;
use syntax::complexity::Rules;

/// The code.
pub(crate) const SUPPORT: Support = Support::new(
    || grammars::NIX.language(),
    |builder, root| outline::walk_tags(builder, root, &TAGS),
);

static TAGS: Tags = Tags {
    outline: Outline {
        complexity: &COMPLEXITY,
        ..Outline::NEUTRAL
    },
    separator: Some("."),
    ..Tags::new(include_str!("tags.scm"))
};

static COMPLEXITY: Rules = Rules {
    nesting: &["if_expression"],
    no_path: &[],
    arms: &[],
    elses: &[],
    else_paths: &[],
    logical: (&["binary_expression"], &["&&", "||"]),
    jumps: &[],
    functions: &["function_expression"],
    words: &["if", "else"],
    signs: &["&&", "||", ":"],
};
