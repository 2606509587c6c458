//! Kotlin: `facts` reads a file, `link` resolves its names, members and calls.

mod facts;
mod link;
mod mend;
#[cfg(test)]
mod tests;

use crate::support::Support;
use syntax::complexity::Rules;
use syntax::parse::ScannerLimits;

/// The code of Java, whose files share packages with those of Kotlin.
pub(crate) const JAVA: Support = Support {
    tables: |repo| Box::new(link::Family::new(repo)),
    ..crate::java::SUPPORT
};

/// The code.
pub(crate) const SUPPORT: Support = Support {
    mend: mend::mend,
    // After an `@` its scanner looks for white space, even beyond the end of the file.
    scanner: ScannerLimits {
        needs_final_newline: true,
        ..ScannerLimits::NONE
    },
    ..Support::new(|| grammars::KOTLIN.language(), facts::walk)
};

static COMPLEXITY: Rules = Rules {
    nesting: &[
        "if_expression",
        "for_statement",
        "while_statement",
        "do_while_statement",
        "when_expression",
        "catch_block",
    ],
    no_path: &["when_expression"],
    arms: &["when_entry"],
    elses: &[],
    else_paths: &[],
    logical: (&["binary_expression"], &["&&", "||", "?:"]),
    jumps: &[],
    functions: &[
        "lambda_literal",
        "anonymous_function",
        "function_declaration",
    ],
    words: &["if", "for", "while", "do", "when", "catch", "else", "fun"],
    signs: &["->", "&&", "||", "?:", "{"],
};
