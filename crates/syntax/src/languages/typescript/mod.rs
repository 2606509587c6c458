//! Facts of TypeScript, TSX, JavaScript and JSX files.

use crate::builder::Builder;
use base::Language;
use tree_sitter::Node;

/// The grammar.
pub(super) fn grammar(language: Language) -> fn() -> tree_sitter::Language {
    match language {
        Language::Tsx => || tree_sitter_typescript::LANGUAGE_TSX.into(),
        Language::JavaScript => || tree_sitter_javascript::LANGUAGE.into(),
        _ => || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    }
}

/// Reads a whole file.
pub(super) fn walk(_builder: &mut Builder<'_>, _root: Node<'_>) {}
