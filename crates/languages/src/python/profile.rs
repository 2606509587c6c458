//! Python as data. Compiled into `base`.

mod trace;

use crate::language::*;

/// Python and its stubs.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "python",
    extensions: &["py", "pyi"],
    interpreters: &["python", "pypy"],
    depth: Depth::Calls,
    isolation: ParserIsolation::None,
    files: FileConventions {
        test_endings: &["_test.py"],
        test_names: &["conftest.py"],
        generated_endings: &["_pb2.py"],
        required_names: &["__init__.py"],
        manifests: &["pyproject.toml", "setup.cfg", "setup.py"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax {
        line: &["#"],
        documentation_strings: true,
        ..CommentSyntax::NEUTRAL
    },
    modules: ModuleTraits {
        by_file: true,
        passes_imports_on: true,
        expressions_load_later: false,
        late_names: true,
        ..ModuleTraits::NEUTRAL
    },
    linking: LinkTraits {
        fields: FieldLookup::Counted,
        inherited_methods_override: true,
        ..LinkTraits::NEUTRAL
    },
    naming: NamingConventions {
        function_case: FunctionCase::Functions,
        test_names: &[
            ("*.test.*", TestName::Ends(".test")),
            ("*.spec.*", TestName::Ends(".spec")),
            ("*_spec.*", TestName::Ends("_spec")),
            ("test_*.py", TestName::Begins("test_")),
            ("*_test.py", TestName::Ends("_test")),
        ],
        ..NamingConventions::NEUTRAL
    },
    universal_base: Some("object"),
    rules: RuleSet::Python,
    traces: Some(&trace::FORMAT),
    ..LanguageProfile::NEUTRAL
};
