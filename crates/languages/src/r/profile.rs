//! R as data. Compiled into `base`.

use crate::language::*;

/// R.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "r",
    extensions: &["r", "R"],
    file_names: &[".Rprofile"],
    comments: CommentSyntax {
        line: &["#"],
        block: &[],
        documentation_strings: false,
    },
    ..LanguageProfile::NEUTRAL
};
