//! Scala: `facts` reads a file, `link` resolves its names, members and calls.

mod facts;
#[cfg(test)]
mod tests;

use crate::support::Support;

/// The code.
pub(crate) const SUPPORT: Support = Support::new(facts::grammar, facts::walk);
