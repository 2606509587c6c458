//! Lua: `facts` reads a file, `link` follows `require` and says what tables hold.

mod facts;
mod link;
#[cfg(test)]
mod tests;

use crate::support::Support;

/// The registration.
pub(crate) const SUPPORT: Support = Support {
    grammar: |_| facts::grammar,
    walk: facts::walk,
    is_documentation: |_| false,
    mend: |_| None,
    tables: |repo| Box::new(link::Lua::new(repo)),
};
