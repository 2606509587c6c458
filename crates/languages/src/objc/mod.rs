//! Objective-C, of which only names are read: classes, protocols and categories with their members, and the definitions of C.

mod mend;
#[cfg(test)]
mod tests;

use crate::outline::{self, LineStarts, Outline, Tags};
use crate::support::Support;
use base::Visibility;
use syntax::complexity::Rules;

/// The code.
pub(crate) const SUPPORT: Support = Support {
    mend: mend::mend,
    is_foreign: |source| LINES.are_of_others(source),
    ..Support::new(
        || grammars::OBJC.language(),
        |builder, root| outline::walk_tags(builder, root, &TAGS),
    )
};

/// MATLAB, Mathematica and Mercury share an ending with it.
static LINES: LineStarts = LineStarts {
    own: &[
        "#import",
        "#include",
        "#define",
        "#if",
        "@interface",
        "@implementation",
        "@protocol",
        "@class",
        "@import",
        "@end",
    ],
    others: &["%", "function ", "classdef ", "(*", ":- "],
};

static TAGS: Tags = Tags {
    outline: Outline {
        complexity: &COMPLEXITY,
        visibility: &[("static", Visibility::Private)],
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
        "conditional_expression",
        "catch_clause",
    ],
    no_path: &["switch_statement"],
    arms: &["case_statement"],
    elses: &["else_clause"],
    else_paths: &[],
    logical: (&["binary_expression"], &["&&", "||"]),
    jumps: &["goto_statement"],
    functions: &["block_literal"],
    words: &[
        "if", "for", "while", "do", "switch", "case", "else", "goto", "default", "catch",
    ],
    signs: &["?", "&&", "||", "^"],
};
