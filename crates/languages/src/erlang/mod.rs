//! Erlang, of which only names are read: the module, functions, records, types, macros.

#[cfg(test)]
mod tests;

use crate::outline::{self, Clauses, Outline, Tags};
use crate::support::Support;
use syntax::complexity::Rules;

/// The code.
pub(crate) const SUPPORT: Support = Support::new(
    || grammars::ERLANG.language(),
    |builder, root| outline::walk_tags(builder, root, &TAGS),
);

static TAGS: Tags = Tags {
    clauses: Clauses::ByArity,
    outline: Outline {
        complexity: &COMPLEXITY,
        ..Outline::NEUTRAL
    },
    ..Tags::new(include_str!("tags.scm"))
};

static COMPLEXITY: Rules = Rules {
    nesting: &[
        "case_expr",
        "if_expr",
        "receive_expr",
        "try_expr",
        "maybe_expr",
    ],
    no_path: &["case_expr", "if_expr", "receive_expr", "try_expr"],
    arms: &["cr_clause", "if_clause", "catch_clause"],
    elses: &[],
    else_paths: &[],
    logical: (&["binary_op_expr"], &["andalso", "orelse"]),
    jumps: &[],
    functions: &["anonymous_fun"],
    words: &[
        "case", "if", "receive", "try", "fun", "andalso", "orelse", "maybe",
    ],
    signs: &["->"],
};
