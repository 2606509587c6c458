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
    interpreters: &["sh", "bash", "dash", "ash", "ksh", "mksh", "bats"],
    depth: Depth::Calls,
    // The scanner was read. It reads beyond a table of the C library for some characters; `readable` beside the code ends a source
    // before them.
    isolation: ParserIsolation::Bounded,
    modules: ModuleTraits {
        by_file: true,
        // A file that is sourced brings what it sources.
        passes_imports_on: true,
        late_names: true,
        ..ModuleTraits::NEUTRAL
    },
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
