//! Haskell as data. Compiled into `base`.

use crate::language::*;

/// Haskell.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "haskell",
    extensions: &["hs", "hs-boot", "hsc"],
    files: FileConventions {
        test_endings: &["spec.hs", "test.hs", "tests.hs"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax {
        line: &["--"],
        block: &[("{-", "-}")],
        documentation_strings: false,
    },
    ..LanguageProfile::NEUTRAL
};
