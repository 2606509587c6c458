//! C++: facts of its files, and the meaning of names, members and calls in them. C provides the preprocessor and the search for
//! headers.

mod facts;
pub(crate) mod link;
#[cfg(test)]
mod tests;

use crate::c::{COMPLEXITY, is_misread_cpp, mend_cpp, passed_macros};
use crate::outline::{self, Outline};
use crate::support::Support;

/// The code of C++.
pub(crate) const SUPPORT: Support = Support {
    mend: mend_cpp,
    is_misread: is_misread_cpp,
    ..Support::new(
        || grammars::CPP.language(),
        |builder, root| {
            outline::walk(builder, root, &OUTLINE);
            passed_macros(builder);
        },
    )
};

static OUTLINE: Outline = Outline {
    special: facts::special,
    wrappers: &["template_declaration"],
    complexity: &COMPLEXITY,
    ..Outline::NEUTRAL
};
