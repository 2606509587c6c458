//! OCaml as data. Compiled into `base`.

mod trace;

use crate::language::*;

/// OCaml.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "ocaml",
    extensions: &["ml"],
    ..COMMON
};

/// Interfaces of OCaml, which have a grammar of their own.
pub(super) const INTERFACE: LanguageProfile = LanguageProfile {
    name: "ocamlinterface",
    extensions: &["mli"],
    family: Some(Language::Ocaml),
    ..COMMON
};

const COMMON: LanguageProfile = LanguageProfile {
    files: FileConventions {
        test_endings: &["_test.ml", "_tests.ml"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax {
        line: &[],
        block: &[("(*", "*)")],
        documentation_strings: false,
    },
    traces: Some(&trace::FORMAT),
    ..LanguageProfile::NEUTRAL
};
