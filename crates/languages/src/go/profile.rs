//! Go as data. Compiled into `base`.

mod trace;

use crate::SymbolKind;
use crate::language::*;

/// Go.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "go",
    extensions: &["go"],
    depth: Depth::Calls,
    isolation: ParserIsolation::None,
    files: FileConventions {
        test_endings: &["_test.go"],
        required_names: &["doc.go"],
        manifests: &["go.mod", "go.work"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax::C_LIKE,
    modules: ModuleTraits {
        // The tests of a package may import packages that import it.
        cycle_unit: CycleUnit::Folder {
            apart: &["_test.go"],
        },
        names_at_run_time: false,
        ..ModuleTraits::NEUTRAL
    },
    linking: LinkTraits {
        // The methods of an interface decide which types implement it, even if those do not mention it.
        members_of: &[SymbolKind::Interface],
        aliases: true,
        structural_interfaces: true,
        packages_named_apart: true,
        conversions_look_like_calls: true,
        // Methods of interfaces of the standard library.
        looked_up_names: &[
            "Close",
            "Error",
            "Len",
            "Less",
            "Read",
            "ReadAt",
            "Seek",
            "ServeHTTP",
            "String",
            "Swap",
            "Write",
        ],
        ..LinkTraits::NEUTRAL
    },
    program_package: Some("main"),
    rules: RuleSet::Go,
    traces: Some(&trace::FORMAT),
    ..LanguageProfile::NEUTRAL
};
