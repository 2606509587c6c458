//! Scala as data. Compiled into `base`. Its stack traces are those of Java.

use crate::SymbolKind;
use crate::language::*;

/// Scala 2 and 3.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "scala",
    extensions: &["scala", "sc", "sbt"],
    files: FileConventions {
        test_endings: &["test.scala", "tests.scala", "spec.scala", "suite.scala"],
        ..FileConventions::NEUTRAL
    },
    depth: Depth::Calls,
    isolation: ParserIsolation::Separate,
    comments: CommentSyntax::C_LIKE,
    modules: ModuleTraits {
        cycle_unit: CycleUnit::Folder { apart: &[] },
        ..ModuleTraits::NEUTRAL
    },
    linking: LinkTraits {
        // The abstract methods of a trait decide which functions fit it.
        members_of: &[SymbolKind::Trait],
        paths_name_definitions: true,
        inherited_methods_override: true,
        // Implicit conversions are found by the types that they take and make.
        aliases: true,
        looked_up_names: &[
            "this",
            "apply",
            "unapply",
            "unapplySeq",
            "update",
            "map",
            "flatMap",
            "foreach",
            "withFilter",
        ],
        ..LinkTraits::NEUTRAL
    },
    universal_base: Some("AnyRef"),
    ..LanguageProfile::NEUTRAL
};
