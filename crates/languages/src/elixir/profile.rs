//! Elixir as data. Compiled into `base`.

mod trace;

use crate::language::*;

/// Elixir.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "elixir",
    extensions: &["ex", "exs"],
    files: FileConventions {
        test_endings: &["_test.exs"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax {
        line: &["#"],
        block: &[],
        documentation_strings: true,
    },
    traces: Some(&trace::FORMAT),
    ..LanguageProfile::NEUTRAL
};
