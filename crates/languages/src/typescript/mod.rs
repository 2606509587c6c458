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
    ..Support::new(|| grammars::TYPESCRIPT.language(), facts::walk)
};

/// TypeScript with JSX.
pub(crate) const TSX: Support = Support {
    grammar: || grammars::TSX.language(),
    ..TYPESCRIPT
};

/// JavaScript.
pub(crate) const JAVASCRIPT: Support = Support {
    grammar: || grammars::JAVASCRIPT.language(),
    ..TYPESCRIPT
};
