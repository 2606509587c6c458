//! C++ as data. Compiled into `base`.

use crate::language::*;

/// C++, and headers with a line that only C++ has.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "cpp",
    // The scanner keeps at most 16 characters and stops at the end of the file.
    isolation: ParserIsolation::Bounded,
    extensions: &[
        "cc", "cpp", "cxx", "c++", "hpp", "hh", "hxx", "h++", "inl", "ipp", "tpp", "txx", "cppm",
        "ixx", "cu", "cuh",
    ],
    depth: Depth::Calls,
    family: Some(Language::C),
    called_by: &[Language::C],
    files: FileConventions {
        manifests: &["compile_commands.json"],
        test_endings: &[
            "_test.cc",
            "_test.cpp",
            "_test.cxx",
            "_tests.cpp",
            "_unittest.cc",
            "_unittest.cpp",
        ],
        generated_endings: &[".pb.cc", ".pb.h"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax::C_LIKE,
    modules: ModuleTraits {
        by_file: true,
        // A file that includes a header also sees what the header includes.
        passes_imports_on: true,
        names_at_run_time: false,
        ..ModuleTraits::NEUTRAL
    },
    linking: LinkTraits {
        // Measured with C++ code: 1,240.
        bytes_of_a_call: 1_300,
        // The parts of a structured binding are told apart by their number.
        fields: FieldLookup::Counted,
        // A macro that opens a namespace decides to which namespace the definitions in it belong.
        aliases: true,
        // The names that loops, conditions, brackets, arrows and calls of objects look up, and those that C++20 uses for other
        // comparisons.
        looked_up_names: &[
            "begin",
            "operator bool",
            "operator()",
            "operator*",
            "operator->",
            "operator<=>",
            "operator==",
            "operator[]",
        ],
        ..LinkTraits::NEUTRAL
    },
    traces: super::c::PROFILE.traces,
    ..LanguageProfile::NEUTRAL
};
