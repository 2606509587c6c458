//! Rust as data. Compiled into `base`.

mod trace;

use crate::SymbolKind;
use crate::language::*;

/// Rust.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "rust",
    extensions: &["rs"],
    depth: Depth::Calls,
    isolation: ParserIsolation::Bounded,
    files: FileConventions {
        test_endings: &["_test.rs", "tests.rs"],
        // Tests are in `tests` or beside the tested code; `test_list.rs` belongs to a test runner.
        own_test_prefixes: &[
            "test_util",
            "test_help",
            "test_support",
            "test_common",
            "test_fixture",
            "test_data",
            "test_case",
            "test_macro",
        ],
        test_names: &["tests.rs"],
        required_names: &["mod.rs"],
        manifests: &["Cargo.toml"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax::C_LIKE,
    modules: ModuleTraits {
        cycle_unit: CycleUnit::None,
        conditional: true,
        names_at_run_time: false,
        ..ModuleTraits::NEUTRAL
    },
    linking: LinkTraits {
        fields: FieldLookup::Numbered,
        implementations: true,
        members_of: &[SymbolKind::Trait],
        paths_name_definitions: true,
        looked_up_names: &["Item", "Output", "Target", "next"],
        ..LinkTraits::NEUTRAL
    },
    rules: RuleSet::Rust,
    traces: Some(&trace::FORMAT),
    ..LanguageProfile::NEUTRAL
};
