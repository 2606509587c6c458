//! Swift as data. Compiled into `base`. Its stack traces are read like those of C.

use crate::language::*;

/// Swift.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "swift",
    extensions: &["swift"],
    files: FileConventions {
        test_endings: &["test.swift", "tests.swift"],
        generated_endings: &[".pb.swift", ".grpc.swift"],
        required_names: &["Package.swift"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax::C_LIKE,
    ..LanguageProfile::NEUTRAL
};
