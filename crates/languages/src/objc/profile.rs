//! Objective-C as data. Compiled into `base`.

use crate::language::*;

/// Objective-C.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "objc",
    extensions: &["m", "mm"],
    files: FileConventions {
        test_endings: &["test.m", "tests.m", "spec.m"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax::C_LIKE,
    ..LanguageProfile::NEUTRAL
};
