//! C as data. Compiled into `base`.

mod trace;

use crate::language::*;

/// C, and headers without a sign of another language.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "c",
    // There is no scanner, but `x => x => …` takes memory quadratic in its length.
    isolation: ParserIsolation::Bounded,
    extensions: &["c", "h"],
    depth: Depth::Calls,
    files: FileConventions {
        manifests: &["compile_commands.json"],
        test_endings: &["_test.c", "_tests.c", "_unittest.c"],
        generated_endings: &[".tab.c", ".tab.h", ".pb-c.c", ".pb-c.h"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax::C_LIKE,
    modules: ModuleTraits {
        by_file: true,
        // Other files see the contents of a header through a file that includes it.
        passes_imports_on: true,
        names_at_run_time: false,
        ..ModuleTraits::NEUTRAL
    },
    called_by: &[Language::Cpp, Language::Swift, Language::ObjC],
    linking: LinkTraits {
        // Measured with C++: 1,240.
        bytes_of_a_call: 1_300,
        // Initialisers without names refer to fields by position.
        fields: FieldLookup::Counted,
        ..LinkTraits::NEUTRAL
    },
    traces: Some(&trace::FORMAT),
    ..LanguageProfile::NEUTRAL
};
