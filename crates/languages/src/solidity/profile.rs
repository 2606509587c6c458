//! Solidity as data. Compiled into `base`.

use crate::language::*;

/// Solidity.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "solidity",
    extensions: &["sol"],
    files: FileConventions {
        test_endings: &[".t.sol"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax::C_LIKE,
    ..LanguageProfile::NEUTRAL
};
