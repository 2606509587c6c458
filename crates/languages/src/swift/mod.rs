//! Swift: `facts` reads a file, `link` resolves its names, members and calls.

mod facts;
mod link;
#[cfg(test)]
mod tests;

use crate::support::Support;

/// The code.
pub(crate) const SUPPORT: Support = Support {
    tables: |repo| Box::new(link::Swift::new(repo)),
    ..Support::new(facts::grammar, facts::walk)
};
