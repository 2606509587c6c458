//! R, of which only names are read: functions, variables, classes of S4, R6 and reference classes, tests.

#[cfg(test)]
mod tests;

use crate::outline::{self, LineStarts, Outline, Tags};
use crate::support::Support;
use syntax::complexity::Rules;

/// The code.
pub(crate) const SUPPORT: Support = Support {
    is_foreign: |source| LINES.are_of_others(source),
    ..Support::new(
        || grammars::R.language(),
        |builder, root| outline::walk_tags(builder, root, &TAGS),
    )
};

/// Rebol share an ending with it.
static LINES: LineStarts = LineStarts {
    own: &[],
    others: &["REBOL [", "REBOL[", "Rebol ["],
};

static TAGS: Tags = Tags {
    private_prefixes: &["."],
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
        "repeat_statement",
    ],
    no_path: &[],
    arms: &[],
    elses: &[],
    else_paths: &[],
    logical: (&["binary_operator"], &["&&", "||"]),
    jumps: &[],
    functions: &["function_definition"],
    words: &["if", "for", "while", "repeat", "else", "function"],
    signs: &["&&", "||", "\\"],
};
