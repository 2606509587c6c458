//! Perl as data. Compiled into `base`.

mod trace;

use crate::language::*;

/// Perl.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "perl",
    extensions: &["pl", "pm", "t", "psgi"],
    file_names: &["cpanfile"],
    comments: CommentSyntax {
        line: &["#"],
        block: &[],
        documentation_strings: false,
    },
    traces: Some(&trace::FORMAT),
    ..LanguageProfile::NEUTRAL
};
