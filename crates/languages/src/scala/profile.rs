//! Scala as data. Compiled into `base`. Its stack traces are those of Java.

use crate::language::*;

/// Scala 2 and 3.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "scala",
    extensions: &["scala", "sc", "sbt"],
    files: FileConventions {
        test_endings: &["test.scala", "tests.scala", "spec.scala", "suite.scala"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax::C_LIKE,
    ..LanguageProfile::NEUTRAL
};
