//! SQL as data. Compiled into `base`.

use crate::language::*;

/// SQL.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "sql",
    extensions: &["sql", "ddl", "pgsql"],
    comments: CommentSyntax {
        line: &["--"],
        block: &[("/*", "*/")],
        documentation_strings: false,
    },
    ..LanguageProfile::NEUTRAL
};
