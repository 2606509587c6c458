//! F# as data. Compiled into `base`.

use crate::language::*;

/// F#.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "fsharp",
    extensions: &["fs", "fsx"],
    files: FileConventions {
        test_endings: &["test.fs", "tests.fs"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax {
        line: &["//"],
        block: &[("(*", "*)")],
        documentation_strings: false,
    },
    ..LanguageProfile::NEUTRAL
};
