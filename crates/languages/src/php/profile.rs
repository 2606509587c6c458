//! PHP as data. Compiled into `base`.

mod trace;

use crate::language::*;

/// PHP.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "php",
    extensions: &["php", "php5", "phtml"],
    files: FileConventions {
        test_endings: &["test.php", "testcase.php"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax {
        line: &["//", "#"],
        block: &[("/*", "*/")],
        documentation_strings: false,
    },
    traces: Some(&trace::FORMAT),
    ..LanguageProfile::NEUTRAL
};
