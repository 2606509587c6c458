//! C# as data. Compiled into `base`.

mod trace;

use crate::language::*;

/// C#.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "csharp",
    extensions: &["cs", "csx"],
    files: FileConventions {
        test_endings: &["test.cs", "tests.cs"],
        generated_endings: &[".g.cs", ".g.i.cs", ".designer.cs", ".generated.cs"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax::C_LIKE,
    traces: Some(&trace::FORMAT),
    ..LanguageProfile::NEUTRAL
};
