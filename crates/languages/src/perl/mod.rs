//! Perl, of which only names are read: packages, subs, constants, package variables.

mod prepare;
#[cfg(test)]
mod tests;

use crate::outline::{self, LineStarts, Outline, Tags};
use crate::support::Support;
use syntax::complexity::Rules;

/// The code.
pub(crate) const SUPPORT: Support = Support {
    prepare: prepare::prepare,
    is_foreign: |source| LINES.are_of_others(source),
    ..Support::new(
        || grammars::PERL.language(),
        |builder, root| outline::walk_tags(builder, root, &TAGS),
    )
};

/// Prolog share an ending with it.
static LINES: LineStarts = LineStarts {
    own: &["use ", "my ", "our ", "sub ", "package ", "#!", "require "],
    others: &[":- ", "%"],
};

static TAGS: Tags = Tags {
    private_prefixes: &["_"],
    outline: Outline {
        complexity: &COMPLEXITY,
        ..Outline::NEUTRAL
    },
    separator: Some("::"),
    ..Tags::new(include_str!("tags.scm"))
};

static COMPLEXITY: Rules = Rules {
    nesting: &[
        "conditional_statement",
        "for_statement",
        "cstyle_for_statement",
        "loop_statement",
        "postfix_conditional_expression",
        "postfix_for_expression",
        "postfix_loop_expression",
        "conditional_expression",
    ],
    no_path: &[],
    arms: &[],
    elses: &["elsif", "else"],
    else_paths: &["elsif"],
    logical: (
        &["binary_expression", "lowprec_logical_expression"],
        &["&&", "||", "//", "and", "or"],
    ),
    jumps: &[],
    functions: &["anonymous_subroutine_expression"],
    words: &[
        "if", "unless", "for", "foreach", "while", "until", "elsif", "else", "and", "or", "sub",
    ],
    signs: &["?", "&&", "||", "//"],
};
