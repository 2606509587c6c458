//! Python: `facts` reads a file, `link` says what its names, members and calls mean.

mod facts;
mod link;
#[cfg(test)]
mod tests;

use crate::support::Support;

/// The code.
pub(crate) const SUPPORT: Support = Support {
    is_documentation: facts::is_documentation,
    tables: |repo| Box::new(link::Python::new(repo)),
    ..Support::new(facts::grammar, facts::walk)
};
