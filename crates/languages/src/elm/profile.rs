//! Elm as data. Compiled into `base`.

use crate::language::*;

/// Elm.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "elm",
    extensions: &["elm"],
    files: FileConventions {
        test_endings: &["test.elm", "tests.elm"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax {
        line: &["--"],
        block: &[("{-", "-}")],
        documentation_strings: false,
    },
    ..LanguageProfile::NEUTRAL
};
