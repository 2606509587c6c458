//! Dart as data. Compiled into `base`.

mod trace;

use crate::language::*;

/// Dart.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "dart",
    extensions: &["dart"],
    files: FileConventions {
        test_endings: &["_test.dart"],
        generated_endings: &[".g.dart", ".freezed.dart"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax::C_LIKE,
    traces: Some(&trace::FORMAT),
    ..LanguageProfile::NEUTRAL
};
