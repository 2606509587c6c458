//! C++ as data. Compiled into `base`.

use crate::language::*;

/// C++, and headers with a line that only C++ has.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "cpp",
    // Its scanner keeps 16 characters at most, and ends with the file.
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
        // What a header includes, others see through it.
        passes_imports_on: true,
        names_at_run_time: false,
        ..ModuleTraits::NEUTRAL
    },
    linking: LinkTraits {
        // Measured with C++: 1,240.
        bytes_of_a_call: 1_300,
        // The parts of a structured binding are counted.
        fields: FieldLookup::Counted,
        // A macro that opens a namespace decides what stands in it.
        aliases: true,
        // What loops, conditions, brackets, arrows and calls of objects mean, and what C++20 makes of other comparisons.
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
