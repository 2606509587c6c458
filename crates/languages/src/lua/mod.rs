//! Lua: `facts` reads a file, `link` follows `require` and resolves the contents of tables.

mod facts;
mod link;
#[cfg(test)]
mod tests;

use crate::support::Support;

/// The code.
pub(crate) const SUPPORT: Support = Support {
    tables: |repo| Box::new(link::Lua::new(repo)),
    ..Support::new(facts::grammar, facts::walk)
};
