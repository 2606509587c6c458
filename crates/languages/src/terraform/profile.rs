//! Terraform as data. Compiled into `base`.

use crate::language::*;

/// Terraform, and other files in the HashiCorp configuration language.
pub(super) const PROFILE: LanguageProfile = LanguageProfile {
    name: "terraform",
    extensions: &["tf", "tfvars", "hcl", "tofu"],
    files: FileConventions {
        test_endings: &[".tftest.hcl"],
        ..FileConventions::NEUTRAL
    },
    comments: CommentSyntax {
        line: &["#", "//"],
        block: &[("/*", "*/")],
        documentation_strings: false,
    },
    ..LanguageProfile::NEUTRAL
};
