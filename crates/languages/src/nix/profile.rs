//! Nix as data. Compiled into `base`.

use crate::language::*;

/// Nix.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "nix",
    extensions: &["nix"],
    comments: CommentSyntax {
        line: &["#"],
        block: &[("/*", "*/")],
        documentation_strings: false,
    },
    ..LanguageProfile::NEUTRAL
};
