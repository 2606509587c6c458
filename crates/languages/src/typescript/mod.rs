//! TypeScript and JavaScript: `facts` reads a file, `link` says what its names, members and calls mean.

mod facts;
mod link;
#[cfg(test)]
mod tests;

use crate::support::Support;

/// The registration.
pub(crate) const SUPPORT: Support = Support {
    grammar: facts::grammar,
    walk: facts::walk,
    is_documentation: |_| false,
    mend: facts::mend,
    tables: |repo| Box::new(link::TypeScript::new(repo)),
};
