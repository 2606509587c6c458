//! Haskell, of which only names are read: types with their constructors and fields, classes, functions.

#[cfg(test)]
mod tests;

use crate::outline::{self, Clauses, Outline, Tags};
use crate::support::Support;
use syntax::complexity::Rules;

/// The code.
pub(crate) const SUPPORT: Support = Support::new(
    || grammars::HASKELL.language(),
    |builder, root| outline::walk_tags(builder, root, &TAGS),
);

static TAGS: Tags = Tags {
    clauses: Clauses::ByName,
    outline: Outline {
        complexity: &COMPLEXITY,
        ..Outline::NEUTRAL
    },
    separator: Some("."),
    ..Tags::new(include_str!("tags.scm"))
};

static COMPLEXITY: Rules = Rules {
    nesting: &["conditional", "case", "lambda_case", "multi_way_if"],
    no_path: &["case", "lambda_case", "multi_way_if"],
    arms: &["alternative", "guards"],
    elses: &[],
    else_paths: &[],
    logical: (&["infix"], &["&&", "||"]),
    jumps: &[],
    functions: &["lambda"],
    words: &["if", "case"],
    signs: &["->", "|", "&&", "||", "\\"],
};
