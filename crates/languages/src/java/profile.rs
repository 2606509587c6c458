//! Java as data. Compiled into `base`.

mod trace;

use crate::SymbolKind;
use crate::language::*;

/// Java.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "java",
    extensions: &["java"],
    depth: Depth::Calls,
    isolation: ParserIsolation::Bounded,
    files: FileConventions {
        test_endings: &["test.java", "tests.java"],
        required_names: &["package-info.java"],
        manifests: &[
            "pom.xml",
            "build.gradle",
            "build.gradle.kts",
            "settings.gradle",
            "settings.gradle.kts",
        ],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax::C_LIKE,
    modules: ModuleTraits {
        cycle_unit: CycleUnit::Folder { apart: &[] },
        ..ModuleTraits::NEUTRAL
    },
    linking: LinkTraits {
        // The methods of an interface decide which functions fit it, the fields of a record its constructor.
        members_of: &[SymbolKind::Interface, SymbolKind::Struct],
        packages_by_types: true,
        paths_name_definitions: true,
        inherited_methods_override: true,
        ..LinkTraits::NEUTRAL
    },
    naming: NamingConventions {
        function_case: FunctionCase::All,
        constant_case: true,
        test_names: &[
            ("*.test.*", TestName::Ends(".test")),
            ("*.spec.*", TestName::Ends(".spec")),
            ("*_spec.*", TestName::Ends("_spec")),
            ("*Tests.java", TestName::Ends("Tests")),
            ("*Test.java", TestName::Ends("Test")),
            ("Test*.java", TestName::Begins("Test")),
        ],
        ..NamingConventions::NEUTRAL
    },
    called_by: &[Language::Kotlin, Language::Scala],
    rules: RuleSet::Java,
    traces: Some(&trace::FORMAT),
    ..LanguageProfile::NEUTRAL
};
