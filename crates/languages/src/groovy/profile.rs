//! Groovy as data. Compiled into `base`.

use crate::language::*;

/// Groovy, also as Gradle and Jenkins use it.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "groovy",
    extensions: &["groovy", "gradle", "gvy"],
    file_names: &["Jenkinsfile"],
    files: FileConventions {
        test_endings: &["test.groovy", "tests.groovy", "spec.groovy"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax::C_LIKE,
    ..LanguageProfile::NEUTRAL
};
