//! The shell as data. Compiled into `base`.

mod trace;

use crate::language::*;

/// Scripts of sh, Bash and Korn shell. Other shells have other grammars.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "shell",
    extensions: &["sh", "bash", "ksh", "bats"],
    file_names: &[
        ".bashrc",
        ".bash_profile",
        ".bash_aliases",
        ".profile",
        "PKGBUILD",
        "APKBUILD",
    ],
    files: FileConventions {
        test_endings: &[".bats", "_test.sh", "-test.sh"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax {
        line: &["#"],
        block: &[],
        documentation_strings: false,
    },
    traces: Some(&trace::FORMAT),
    has_bare_texts: true,
    ..LanguageProfile::NEUTRAL
};
