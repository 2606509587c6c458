//! Zig, of which only names are read: functions, types with their members, constants, tests.

#[cfg(test)]
mod tests;

use crate::outline::{self, Candidate, Outline, Tags, Walker};
use crate::support::Support;
use base::{SymbolKind, Visibility};
use syntax::complexity::Rules;

/// The code.
pub(crate) const SUPPORT: Support = Support::new(
    || grammars::ZIG.language(),
    |builder, root| outline::walk_tags(builder, root, &TAGS),
);

static TAGS: Tags = Tags {
    outline: Outline {
        complexity: &COMPLEXITY,
        visibility: &[("pub", Visibility::Public), ("export", Visibility::Public)],
        default_visibility: (Visibility::Private, Visibility::Private),
        ..Outline::NEUTRAL
    },
    adjust: |walker, candidate| !is_import(walker, candidate),
    ..Tags::new(include_str!("tags.scm"))
};

/// Whether a constant is an imported file.
fn is_import(walker: &Walker<'_, '_>, candidate: &Candidate<'_>) -> bool {
    candidate.kind == SymbolKind::Constant && walker.b.text(candidate.node).contains("= @import(")
}

static COMPLEXITY: Rules = Rules {
    nesting: &[
        "if_statement",
        "if_expression",
        "for_statement",
        "for_expression",
        "while_statement",
        "while_expression",
        "switch_expression",
        "catch_expression",
    ],
    no_path: &["switch_expression"],
    arms: &["switch_case"],
    elses: &["else_clause"],
    else_paths: &[],
    logical: (&["binary_expression"], &["and", "or", "orelse"]),
    jumps: &[],
    functions: &[],
    words: &[
        "if", "for", "while", "switch", "catch", "else", "and", "or", "orelse",
    ],
    signs: &["=>"],
};
