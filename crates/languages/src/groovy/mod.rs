//! Groovy, of which only names are read: types with their members, functions of scripts, tasks of Gradle.

mod mend;
#[cfg(test)]
mod tests;

use crate::outline::{self, Outline, Tags};
use crate::support::Support;
use base::Visibility;
use syntax::complexity::Rules;

/// The code.
pub(crate) const SUPPORT: Support = Support {
    mend: mend::mend,
    ..Support::new(
        || grammars::GROOVY.language(),
        |builder, root| outline::walk_tags(builder, root, &TAGS),
    )
};

static TAGS: Tags = Tags {
    outline: Outline {
        complexity: &COMPLEXITY,
        visibility: &[
            ("private", Visibility::Private),
            ("protected", Visibility::Protected),
        ],
        ..Outline::NEUTRAL
    },
    ..Tags::new(include_str!("tags.scm"))
};

static COMPLEXITY: Rules = Rules {
    nesting: &[
        "if_statement",
        "for_statement",
        "enhanced_for_statement",
        "while_statement",
        "do_statement",
        "switch_expression",
        "catch_clause",
        "ternary_expression",
    ],
    no_path: &["switch_expression"],
    arms: &["switch_label"],
    elses: &[],
    else_paths: &[],
    logical: (&["binary_expression"], &["&&", "||"]),
    jumps: &[],
    functions: &["lambda_expression"],
    words: &[
        "if", "for", "while", "do", "switch", "case", "catch", "else",
    ],
    signs: &["?", "&&", "||", "->"],
};
