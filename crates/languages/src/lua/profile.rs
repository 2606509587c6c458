//! Lua as data. Compiled into `base`.

use crate::language::*;

/// Lua.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "lua",
    extensions: &["lua"],
    interpreters: &["lua", "luajit"],
    depth: Depth::Calls,
    isolation: ParserIsolation::None,
    files: FileConventions {
        test_endings: &["_spec.lua", "_test.lua"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax {
        line: &["--"],
        block: &[("--[[", "]]")],
        documentation_strings: false,
    },
    ..LanguageProfile::NEUTRAL
};
