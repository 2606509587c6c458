//! Erlang as data. Compiled into `base`.

mod trace;

use crate::language::*;

/// Erlang.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "erlang",
    extensions: &["erl", "hrl", "escript"],
    file_names: &["rebar.config"],
    files: FileConventions {
        test_endings: &["_suite.erl", "_tests.erl"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax {
        line: &["%"],
        block: &[],
        documentation_strings: false,
    },
    traces: Some(&trace::FORMAT),
    ..LanguageProfile::NEUTRAL
};
