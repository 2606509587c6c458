//! Ruby: `facts` reads a file, `link` resolves its names, members and calls.

mod facts;
mod link;
mod scanner;
#[cfg(test)]
mod tests;

use crate::support::Support;
use syntax::parse::ScannerLimits;

/// The code.
pub(crate) const SUPPORT: Support = Support {
    scanner: ScannerLimits {
        readable: scanner::length_before_long_heredoc,
        ..ScannerLimits::NONE
    },
    tables: |repo| Box::new(link::Ruby::new(repo)),
    ..Support::new(|| grammars::RUBY.language(), facts::walk)
};
