//! Kotlin as data. Compiled into `base`. Its stack traces are those of Java.

use crate::SymbolKind;
use crate::language::*;

/// Kotlin.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "kotlin",
    extensions: &["kt", "kts"],
    files: FileConventions {
        test_endings: &["test.kt", "tests.kt"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax::C_LIKE,
    depth: Depth::Calls,
    // The scanner has no state, and its loops end at the last line break, which every source is given.
    isolation: ParserIsolation::Bounded,
    // Files of both languages share packages.
    family: Some(Language::Java),
    called_by: &[Language::Java],
    modules: ModuleTraits {
        cycle_unit: CycleUnit::Folder { apart: &[] },
        ..ModuleTraits::NEUTRAL
    },
    linking: LinkTraits {
        // The method of an interface decides which lambdas fit it.
        members_of: &[SymbolKind::Interface],
        paths_name_definitions: true,
        inherited_methods_override: true,
        looked_up_names: &[
            "Companion",
            "invoke",
            "iterator",
            "next",
            "getValue",
            "component1",
            "component2",
            "component3",
            "component4",
            "component5",
        ],
        ..LinkTraits::NEUTRAL
    },
    ..LanguageProfile::NEUTRAL
};
