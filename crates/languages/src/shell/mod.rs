//! The shell: `facts` reads a file, `link` follows sources and says which function a command calls.

mod facts;
mod link;
#[cfg(test)]
mod tests;

use crate::support::Support;
use syntax::parse::ScannerLimits;

/// The code.
pub(crate) const SUPPORT: Support = Support {
    tables: |repo| Box::new(link::Shell::new(repo)),
    scanner: ScannerLimits {
        readable,
        ..ScannerLimits::NONE
    },
    ..Support::new(|| grammars::BASH.language(), facts::walk)
};

/// The greatest character that `isdigit` of C takes.
const LAST_OF_TABLE: char = '\u{ff}';

/// The bytes that the grammar's scanner can read. It asks `isdigit` about the character behind `{`, `{1` and `{1..`, whatever that is,
/// and some C libraries then read beyond a table.
fn readable(source: &str) -> usize {
    let mut at = 0;
    while let Some(found) = source[at..].find('{') {
        at += found + 1;
        let rest = source[at..].trim_start_matches(|c: char| c.is_ascii_digit());
        let range = rest.strip_prefix("..");
        let range = range.map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
        for rest in [Some(rest), range].into_iter().flatten() {
            if rest.starts_with(|c: char| c > LAST_OF_TABLE) {
                return source.len() - rest.len();
            }
        }
        at = source.len() - rest.len();
    }
    source.len()
}
