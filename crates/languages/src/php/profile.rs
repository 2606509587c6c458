//! PHP as data. Compiled into `base`.

mod trace;

use crate::language::*;

/// PHP.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "php",
    extensions: &["php", "php5", "phtml"],
    interpreters: &["php"],
    depth: Depth::Calls,
    // The scanner was read. A heredoc whose word does not fit into the state is forgotten, and every loop ends with
    // the file.
    isolation: ParserIsolation::Bounded,
    files: FileConventions {
        test_endings: &["test.php", "testcase.php"],
        manifests: &["composer.json"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax {
        line: &["//", "#"],
        block: &[("/*", "*/")],
        documentation_strings: false,
    },
    modules: ModuleTraits {
        types_in_comments: true,
        ..ModuleTraits::NEUTRAL
    },
    linking: LinkTraits {
        packages_by_types: true,
        users_are_looked_up: true,
        paths_name_definitions: true,
        inherited_methods_override: true,
        looked_up_names: &["current", "getIterator", "offsetGet", "@mixin"],
        ..LinkTraits::NEUTRAL
    },
    traces: Some(&trace::FORMAT),
    ..LanguageProfile::NEUTRAL
};
