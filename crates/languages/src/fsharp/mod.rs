//! F#, of which only names are read: modules, types with their members, functions, values.

#[cfg(test)]
mod tests;

use crate::outline::{self, LineStarts, Outline, Tags};
use crate::support::Support;
use base::Visibility;
use syntax::complexity::Rules;

/// The code.
pub(crate) const SUPPORT: Support = Support {
    is_foreign: |source| LINES.are_of_others(source),
    ..Support::new(
        || grammars::FSHARP.language(),
        |builder, root| outline::walk_tags(builder, root, &TAGS),
    )
};

/// GLSL and Forth share an ending with it.
static LINES: LineStarts = LineStarts {
    own: &["module ", "namespace ", "open ", "let ", "type "],
    others: &[
        "#version",
        "void main",
        "uniform ",
        "varying ",
        "precision ",
        ": ",
        "\\ ",
    ],
};

static TAGS: Tags = Tags {
    outline: Outline {
        complexity: &COMPLEXITY,
        visibility: &[
            ("private", Visibility::Private),
            ("internal", Visibility::Package),
            ("protected", Visibility::Protected),
        ],
        ..Outline::NEUTRAL
    },
    separator: Some("."),
    ..Tags::new(include_str!("tags.scm"))
};

static COMPLEXITY: Rules = Rules {
    nesting: &[
        "if_expression",
        "elif_expression",
        "for_expression",
        "while_expression",
        "match_expression",
        "try_expression",
        "function_expression",
    ],
    no_path: &["match_expression", "try_expression", "function_expression"],
    arms: &["rule"],
    elses: &[],
    else_paths: &[],
    logical: (&["infix_expression"], &["&&", "||"]),
    jumps: &[],
    functions: &["fun_expression"],
    words: &[
        "if", "elif", "for", "while", "match", "try", "fun", "function", "else",
    ],
    signs: &["|", "&&", "||", "->"],
};
