//! Ruby as data. Compiled into `base`.

mod trace;

use crate::language::*;

/// Ruby, of which names are read, but not calls.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "ruby",
    extensions: &["rb", "rake"],
    file_names: &["Gemfile", "Rakefile", "rakefile"],
    interpreters: &["ruby", "jruby"],
    files: FileConventions {
        test_endings: &["_spec.rb", "_test.rb"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax {
        line: &["#"],
        block: &[("=begin", "=end")],
        documentation_strings: false,
    },
    traces: Some(&trace::FORMAT),
    ..LanguageProfile::NEUTRAL
};
