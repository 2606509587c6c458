//! C, with its calls, and C++, of which only names are read: functions, types with their members, macros, variables of
//! files.

mod dialect;
mod facts;
mod link;
mod mend;
#[cfg(test)]
mod tests;
mod walk;

use crate::outline::{self, Outline};
use crate::support::Support;
use base::Visibility;
use syntax::complexity::Rules;

/// The code of C.
pub(crate) const C: Support = Support {
    mend: mend::mend_c,
    dialect: dialect::of_header,
    tables: |repo| Box::new(link::C::new(repo)),
    ..Support::new(
        || tree_sitter_c::LANGUAGE.into(),
        |builder, root| {
            outline::walk(builder, root, &C_OUTLINE);
            facts::passed_macros(builder);
            facts::bind_macros(builder);
            facts::hide_declared_static(builder);
        },
    )
};

/// The code of C++.
pub(crate) const CPP: Support = Support {
    mend: mend::mend_cpp,
    ..Support::new(
        || tree_sitter_cpp::LANGUAGE.into(),
        |builder, root| outline::walk(builder, root, &CPP_OUTLINE),
    )
};

static C_OUTLINE: Outline = Outline {
    special: facts::special,
    complexity: &COMPLEXITY,
    visibility: &[("static", Visibility::Private)],
    ..Outline::NEUTRAL
};

static CPP_OUTLINE: Outline = Outline {
    special: walk::special,
    wrappers: &["template_declaration"],
    complexity: &COMPLEXITY,
    ..Outline::NEUTRAL
};

static COMPLEXITY: Rules = Rules {
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
