//! Protocol Buffers as data. Compiled into `base`.

use crate::language::*;

/// Protocol Buffers.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "protobuf",
    extensions: &["proto"],
    comments: CommentSyntax::C_LIKE,
    ..LanguageProfile::NEUTRAL
};
