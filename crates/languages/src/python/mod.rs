//! Python: `facts` reads a file, `link` resolves its names, members and calls.

mod facts;
mod link;
mod scanner;
#[cfg(test)]
mod tests;

use crate::support::Support;
use syntax::parse::ScannerLimits;

/// The code.
pub(crate) const SUPPORT: Support = Support {
    is_documentation: facts::is_documentation,
    tables: |repo| Box::new(link::Python::new(repo)),
    scanner: ScannerLimits {
        readable: scanner::readable,
        ..ScannerLimits::NONE
    },
    ..Support::new(facts::grammar, facts::walk)
};
