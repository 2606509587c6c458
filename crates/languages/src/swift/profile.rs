//! Swift as data. Compiled into `base`. Its stack traces are read like those of C.

use crate::SymbolKind;
use crate::language::*;

/// Swift.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "swift",
    extensions: &["swift"],
    depth: Depth::Calls,
    isolation: ParserIsolation::Separate,
    files: FileConventions {
        test_endings: &["test.swift", "tests.swift"],
        generated_endings: &[".pb.swift", ".grpc.swift"],
        required_names: &["Package.swift"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax::C_LIKE,
    linking: LinkTraits {
        // Extensions give types to protocols.
        implementations: true,
        members_of: &[SymbolKind::Interface],
        aliases: true,
        inherited_methods_override: true,
        looked_up_names: &[
            "init",
            "subscript",
            "callAsFunction",
            "makeIterator",
            "makeAsyncIterator",
            "next",
            "Element",
            "projectedValue",
        ],
        ..LinkTraits::NEUTRAL
    },
    ..LanguageProfile::NEUTRAL
};
