//! Julia as data. Compiled into `base`.

mod trace;

use crate::language::*;

/// Julia.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "julia",
    extensions: &["jl"],
    comments: CommentSyntax {
        line: &["#"],
        block: &[("#=", "=#")],
        documentation_strings: true,
    },
    traces: Some(&trace::FORMAT),
    ..LanguageProfile::NEUTRAL
};
