//! C# as data. Compiled into `base`.

mod trace;

use crate::SymbolKind;
use crate::language::*;

/// C#.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "csharp",
    extensions: &["cs", "csx"],
    depth: Depth::Calls,
    isolation: ParserIsolation::Bounded,
    files: FileConventions {
        test_endings: &["test.cs", "tests.cs"],
        generated_endings: &[".g.cs", ".g.i.cs", ".designer.cs", ".generated.cs"],
        manifests: &["Directory.Build.props", "Directory.Build.targets"],
        shared_configuration: Some(SharedConfiguration {
            ending: ".csproj",
            name_part: "",
            folder_parts: &[],
        }),
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax::C_LIKE,
    linking: LinkTraits {
        // The methods that an interface requires decide which overload takes a lambda.
        members_of: &[SymbolKind::Interface],
        packages_by_types: true,
        paths_name_definitions: true,
        inherited_methods_override: true,
        looked_up_names: &["this", "Deconstruct", "GetEnumerator", "Current"],
        ..LinkTraits::NEUTRAL
    },
    traces: Some(&trace::FORMAT),
    ..LanguageProfile::NEUTRAL
};
