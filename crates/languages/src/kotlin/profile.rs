//! Kotlin as data. Compiled into `base`. Its stack traces are those of Java.

use crate::language::*;

/// Kotlin.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "kotlin",
    extensions: &["kt", "kts"],
    files: FileConventions {
        test_endings: &["test.kt", "tests.kt"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax::C_LIKE,
    ..LanguageProfile::NEUTRAL
};
