//! Java: `facts` reads a file, `link` resolves its names, members and calls.

mod facts;
pub(crate) mod link;
mod mend;
#[cfg(test)]
mod tests;

use crate::support::Support;

/// The code.
pub(crate) const SUPPORT: Support = Support {
    tables: |repo| Box::new(link::Java::new(repo)),
    mend: mend::mend,
    ..Support::new(facts::grammar, facts::walk)
};
