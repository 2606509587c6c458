//! TypeScript and JavaScript: `facts` reads a file, `link` resolves its names, members and calls.

mod facts;
mod link;
#[cfg(test)]
mod tests;

use crate::support::Support;

/// TypeScript without JSX.
pub(crate) const TYPESCRIPT: Support = Support {
    mend: facts::mend,
    is_misread: facts::is_misread,
    tables: |repo| Box::new(link::TypeScript::new(repo)),
    ..Support::new(
        || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        facts::walk,
    )
};

/// TypeScript with JSX.
pub(crate) const TSX: Support = Support {
    grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    ..TYPESCRIPT
};

/// JavaScript.
pub(crate) const JAVASCRIPT: Support = Support {
    grammar: || tree_sitter_javascript::LANGUAGE.into(),
    ..TYPESCRIPT
};
