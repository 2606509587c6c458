//! GDScript, of which only names are read: classes, functions, variables, signals, enums.

#[cfg(test)]
mod tests;

use crate::outline::{self, LineStarts, Outline, Tags};
use crate::support::Support;
use syntax::complexity::Rules;

/// The code.
pub(crate) const SUPPORT: Support = Support {
    is_foreign: |source| LINES.are_of_others(source),
    ..Support::new(
        || grammars::GDSCRIPT.language(),
        |builder, root| outline::walk_tags(builder, root, &TAGS),
    )
};

/// GAP share an ending with it.
static LINES: LineStarts = LineStarts {
    own: &["extends ", "class_name ", "func ", "var ", "@tool", "tool"],
    others: &[
        "InstallMethod",
        "InstallGlobalFunction",
        "DeclareOperation",
        "DeclareGlobalFunction",
        "BindGlobal",
        "#############",
    ],
};

static TAGS: Tags = Tags {
    private_prefixes: &["_"],
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
        "match_statement",
        "conditional_expression",
    ],
    no_path: &["match_statement"],
    arms: &["pattern_section"],
    elses: &["elif_clause", "else_clause"],
    else_paths: &["elif_clause"],
    logical: (&["binary_operator"], &["and", "or", "&&", "||"]),
    jumps: &[],
    functions: &["lambda"],
    words: &[
        "if", "for", "while", "match", "elif", "else", "and", "or", "func",
    ],
    signs: &["&&", "||", ":"],
};
