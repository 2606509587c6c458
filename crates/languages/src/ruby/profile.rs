//! Ruby as data. Compiled into `base`.

mod trace;

use crate::language::*;

/// Ruby.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "ruby",
    extensions: &["rb", "rake"],
    file_names: &["Gemfile", "Rakefile", "rakefile"],
    interpreters: &["ruby", "jruby"],
    depth: Depth::Calls,
    // The scanner was read. It ends the process at a heredoc with an empty word, and `readable` beside the code ends a
    // source before a word that its state cannot hold.
    isolation: ParserIsolation::Separate,
    files: FileConventions {
        test_endings: &["_spec.rb", "_test.rb"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax {
        line: &["#"],
        block: &[("=begin", "=end")],
        documentation_strings: false,
    },
    modules: ModuleTraits {
        by_file: true,
        // Every file sees the constants of all files that are loaded.
        passes_imports_on: true,
        types_in_comments: true,
        late_names: true,
        ..ModuleTraits::NEUTRAL
    },
    linking: LinkTraits {
        users_are_looked_up: true,
        inherited_methods_override: true,
        statics_share_names: true,
        looked_up_names: &["each", "included", "initialize", "method_missing"],
        ..LinkTraits::NEUTRAL
    },
    traces: Some(&trace::FORMAT),
    ..LanguageProfile::NEUTRAL
};
