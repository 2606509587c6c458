//! Elixir, of which only names are read: modules, protocols, functions and macros, types, tests.

#[cfg(test)]
mod tests;

use crate::outline::{self, Clauses, LineStarts, Outline, Tags};
use crate::support::Support;
use base::Visibility;
use syntax::complexity::Rules;

/// The code.
pub(crate) const SUPPORT: Support = Support {
    is_foreign: |source| LINES.are_of_others(source),
    ..Support::new(
        || grammars::ELIXIR.language(),
        |builder, root| outline::walk_tags(builder, root, &TAGS),
    )
};

/// Euphoria share an ending with it.
static LINES: LineStarts = LineStarts {
    own: &["defmodule ", "def ", "import ", "use ", "alias ", "config "],
    others: &[
        "end procedure",
        "end function",
        "procedure ",
        "global function ",
    ],
};

static TAGS: Tags = Tags {
    clauses: Clauses::ByArity,
    outline: Outline {
        complexity: &COMPLEXITY,
        visibility: &[
            ("defp", Visibility::Private),
            ("defmacrop", Visibility::Private),
            ("defguardp", Visibility::Private),
            ("typep", Visibility::Private),
            ("defnp", Visibility::Private),
        ],
        ..Outline::NEUTRAL
    },
    separator: Some("."),
    ..Tags::new(include_str!("tags.scm"))
};

static COMPLEXITY: Rules = Rules {
    nesting: &["anonymous_function"],
    no_path: &[],
    arms: &["stab_clause", "else_block", "rescue_block", "catch_block"],
    elses: &[],
    else_paths: &[],
    logical: (&["binary_operator"], &["&&", "||", "and", "or"]),
    jumps: &[],
    functions: &["anonymous_function"],
    words: &["fn", "else", "rescue", "catch", "and", "or", "do"],
    signs: &["->", "&&", "||"],
};
