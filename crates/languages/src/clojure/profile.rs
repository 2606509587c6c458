//! Clojure and ClojureScript as data. Compiled into `base`.

use crate::language::*;

/// Clojure and ClojureScript.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "clojure",
    extensions: &["clj", "cljs", "cljc"],
    files: FileConventions {
        test_endings: &["_test.clj", "_test.cljs", "_test.cljc"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax {
        line: &[";"],
        block: &[],
        documentation_strings: true,
    },
    ..LanguageProfile::NEUTRAL
};
