//! OCaml, of which only names are read: modules, types with their constructors and fields, classes, functions, values.

#[cfg(test)]
mod tests;

use crate::outline::{self, Outline, Tags};
use crate::support::Support;
use base::Visibility;
use syntax::complexity::Rules;

/// The code.
pub(crate) const SUPPORT: Support = Support::new(
    || grammars::OCAML.language(),
    |builder, root| outline::walk_tags(builder, root, &TAGS),
);

/// The code of interfaces.
pub(crate) const INTERFACE: Support = Support::new(
    || grammars::OCAML_INTERFACE.language(),
    |builder, root| outline::walk_tags(builder, root, &INTERFACE_TAGS),
);

static TAGS: Tags = Tags {
    outline: OUTLINE,
    ..Tags::new(include_str!("tags.scm"))
};

static INTERFACE_TAGS: Tags = Tags {
    outline: OUTLINE,
    ..Tags::new(include_str!("tags.scm"))
};

const OUTLINE: Outline = Outline {
    complexity: &COMPLEXITY,
    visibility: &[("private", Visibility::Private)],
    ..Outline::NEUTRAL
};

static COMPLEXITY: Rules = Rules {
    nesting: &[
        "if_expression",
        "match_expression",
        "function_expression",
        "try_expression",
        "for_expression",
        "while_expression",
    ],
    no_path: &["match_expression", "function_expression", "try_expression"],
    arms: &["match_case"],
    elses: &[],
    else_paths: &[],
    logical: (&["infix_expression"], &["&&", "||"]),
    jumps: &[],
    functions: &["fun_expression"],
    words: &["if", "match", "function", "try", "for", "while", "fun"],
    signs: &["->", "&&", "||", "|"],
};
