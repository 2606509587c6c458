//! Elm, of which only names are read: types with their constructors and fields, functions, values.

#[cfg(test)]
mod tests;

use crate::outline::{self, Clauses, Outline, Tags};
use crate::support::Support;
use syntax::complexity::Rules;

/// The code.
pub(crate) const SUPPORT: Support = Support::new(
    || grammars::ELM.language(),
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
    nesting: &["if_else_expr", "case_of_expr"],
    no_path: &["case_of_expr"],
    arms: &["case_of_branch"],
    elses: &[],
    else_paths: &[],
    logical: (&[], &[]),
    jumps: &[],
    functions: &["anonymous_function_expr"],
    words: &["if", "case", "else"],
    signs: &["->", "\\"],
};
