//! What a language registers.

use base::Language;
use linker::Repo;
use linker::lang::Lang;
use syntax::builder::Builder;
use tree_sitter::Node;

/// What a language's folder registers.
pub(crate) struct Support {
    /// The grammar of one of the family's languages.
    pub(crate) grammar: fn(Language) -> fn() -> tree_sitter::Language,
    /// Collects the facts of a file from its tree.
    pub(crate) walk: for<'s> fn(&mut Builder<'s>, Node<'_>),
    /// Whether a node is documentation, though it is no comment.
    pub(crate) is_documentation: fn(Node<'_>) -> bool,
    /// See [`syntax::Reader::mend`].
    pub(crate) mend: fn(&str) -> Option<String>,
    /// Its semantics over all files of a repository.
    pub(crate) tables: fn(&Repo) -> Box<dyn Lang>,
}
