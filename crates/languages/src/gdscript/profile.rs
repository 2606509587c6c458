//! GDScript as data. Compiled into `base`.

use crate::language::*;

/// GDScript.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "gdscript",
    extensions: &["gd"],
    comments: CommentSyntax {
        line: &["#"],
        block: &[],
        documentation_strings: false,
    },
    ..LanguageProfile::NEUTRAL
};
