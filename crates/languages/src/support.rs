//! The code that a language registers.

use base::Language;
use linker::Repo;
use linker::lang::{Lang, NoLang};
use syntax::builder::Builder;
use syntax::parse::ScannerLimits;
use tree_sitter::Node;

/// The code of a language. Parts that its folder does not mention are as in [`Support::new`].
pub(crate) struct Support {
    /// The grammar.
    pub(crate) grammar: fn() -> tree_sitter::Language,
    /// Collects the facts of a file from its tree.
    pub(crate) walk: for<'s> fn(&mut Builder<'s>, Node<'_>),
    /// Whether a node is documentation, though it is not a comment.
    pub(crate) is_documentation: fn(Node<'_>) -> bool,
    /// The language of a source whose ending may mean several; `None` for this one.
    pub(crate) dialect: fn(&str) -> Option<Language>,
    /// Whether a source whose ending may mean several languages is in one that is not read.
    pub(crate) is_foreign: fn(&str) -> bool,
    /// See [`syntax::Reader::mend`].
    pub(crate) mend: fn(&str) -> Option<String>,
    pub(crate) is_misread: fn(&str) -> bool,
    /// See [`syntax::Reader::prepare`].
    pub(crate) prepare: fn(&str) -> Option<String>,
    /// Limits of the grammar's scanner.
    pub(crate) scanner: ScannerLimits,
    /// Its semantics over all files of a repository.
    pub(crate) tables: fn(&Repo) -> Box<dyn Lang>,
}

impl Support {
    /// Only comments are documentation, nothing is mended, and nothing is known of other files.
    pub(crate) const fn new(
        grammar: fn() -> tree_sitter::Language,
        walk: for<'s> fn(&mut Builder<'s>, Node<'_>),
    ) -> Support {
        Support {
            grammar,
            walk,
            is_documentation: |_| false,
            dialect: |_| None,
            is_foreign: |_| false,
            mend: |_| None,
            is_misread: |_| false,
            prepare: |_| None,
            scanner: ScannerLimits::NONE,
            tables: |_| Box::new(NoLang),
        }
    }
}
