//! C: functions, types with their members, macros, variables of files, and their calls. C++ shares the parts that both need.

mod dialect;
mod facts;
pub(crate) mod link;
mod mend;
#[cfg(test)]
mod tests;
pub(crate) mod walk;

pub(crate) use facts::{
    call_of_macro, conditions, include, is_entry, macro_definition, passed_macros,
};
pub(crate) use mend::{PASSED, is_misread_cpp, mend_cpp};

use crate::outline::{self, Outline};
use crate::support::Support;
use base::Visibility;
use syntax::complexity::Rules;

/// The code of C.
pub(crate) const SUPPORT: Support = Support {
    mend: mend::mend_c,
    dialect: dialect::of_header,
    tables: |repo| Box::new(crate::cpp::link::Family::new(repo)),
    ..Support::new(
        || grammars::C.language(),
        |builder, root| {
            outline::walk(builder, root, &C_OUTLINE);
            passed_macros(builder);
            facts::bind_macros(builder);
            facts::hide_declared_static(builder);
        },
    )
};

static C_OUTLINE: Outline = Outline {
    special: facts::special,
    complexity: &COMPLEXITY,
    visibility: &[("static", Visibility::Private)],
    ..Outline::NEUTRAL
};

/// What counts for complexity in C and C++.
pub(crate) static COMPLEXITY: Rules = Rules {
    nesting: &[
        "if_statement",
        "for_statement",
        "for_range_loop",
        "while_statement",
        "do_statement",
        "switch_statement",
        "conditional_expression",
        "catch_clause",
        "preproc_if",
        "preproc_ifdef",
    ],
    no_path: &["switch_statement", "preproc_if", "preproc_ifdef"],
    arms: &["case_statement"],
    elses: &["else_clause"],
    else_paths: &[],
    logical: (&["binary_expression"], &["&&", "||", "and", "or"]),
    jumps: &["goto_statement"],
    functions: &["lambda_expression", "function_definition"],
    words: &[
        "if", "for", "while", "do", "switch", "catch", "case", "else", "goto", "and", "or",
    ],
    signs: &["?", "&&", "||", "["],
};
