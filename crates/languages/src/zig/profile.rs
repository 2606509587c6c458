//! Zig as data. Compiled into `base`.

use crate::language::*;

/// Zig.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "zig",
    extensions: &["zig"],
    comments: CommentSyntax {
        line: &["//"],
        block: &[],
        documentation_strings: false,
    },
    ..LanguageProfile::NEUTRAL
};
