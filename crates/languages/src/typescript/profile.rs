//! TypeScript and JavaScript as data. Compiled into `base`.

mod trace;

use crate::language::*;

const FILES: FileConventions = FileConventions {
    manifests: &["package.json", "pnpm-workspace.yaml", "jsconfig.json"],
    shared_configuration: Some(SharedConfiguration {
        ending: ".json",
        name_part: "tsconfig",
        folder_parts: &["tsconfig", "typescript-config"],
    }),
    ..FileConventions::NEUTRAL
};

const NAMING: NamingConventions = NamingConventions {
    file_case: true,
    function_case: FunctionCase::All,
    constant_case: true,
    test_names: &[
        ("*.test.*", TestName::Ends(".test")),
        ("*.spec.*", TestName::Ends(".spec")),
        ("*_spec.*", TestName::Ends("_spec")),
    ],
};

/// JavaScript. The others add types to it.
pub(super) const JAVASCRIPT: LanguageProfile = LanguageProfile {
    name: "javascript",
    extensions: &["js", "jsx", "mjs", "cjs"],
    file_names: &[],
    interpreters: &["node", "nodejs"],
    family: Some(Language::TypeScript),
    called_by: &[],
    depth: Depth::Calls,
    isolation: ParserIsolation::None,
    files: FILES,
    comments: CommentSyntax::C_LIKE,
    modules: ModuleTraits {
        by_file: true,
        types_in_comments: true,
        ..ModuleTraits::NEUTRAL
    },
    linking: LinkTraits {
        statics_share_names: true,
        looked_up_names: &[
            "constructor",
            "default",
            "exports",
            "iterator",
            "module",
            "next",
            "then",
        ],
        inherited_methods_override: true,
        ..LinkTraits::NEUTRAL
    },
    naming: NAMING,
    program_package: None,
    universal_base: None,
    rules: RuleSet::Script,
    traces: Some(&trace::FORMAT),
    has_bare_texts: false,
    unread_files: None,
};

/// TypeScript without JSX.
pub(super) const TYPESCRIPT: LanguageProfile = LanguageProfile {
    name: "typescript",
    extensions: &["ts", "mts", "cts"],
    interpreters: &["ts-node", "deno", "bun"],
    modules: TYPED_MODULES,
    ..JAVASCRIPT
};

/// TypeScript with JSX.
pub(super) const TSX: LanguageProfile = LanguageProfile {
    name: "tsx",
    extensions: &["tsx"],
    interpreters: &["tsx"],
    modules: TYPED_MODULES,
    naming: NamingConventions {
        // Components are functions with names like classes.
        function_case: FunctionCase::Fixed,
        constant_case: false,
        ..NAMING
    },
    ..JAVASCRIPT
};

const TYPED_MODULES: ModuleTraits = ModuleTraits {
    by_file: true,
    erases_types: true,
    ..ModuleTraits::NEUTRAL
};
