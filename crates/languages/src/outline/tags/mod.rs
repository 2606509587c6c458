//! Names by a query. A language describes its definitions by a query in its folder (`tags.scm`), and by a few rules in
//! [`Tags`]. There is no walk of its own. Queries are written as those of tree-sitter: nodes, fields, alternatives, `.`
//! between neighbours, `?`, `+`, captures, and the predicates `eq?`, `any-of?`, `not-any-of?`, `starts-with?`, `contains?`.
//!
//! Captures of a query:
//!
//! - `@definition.KIND`: a definition; `KIND` is the word of a [`SymbolKind`]. The same match has its parts:
//!   `@name` (if several patterns have one name, the first of them counts), `@owner` (what it belongs to, if it is not inside of
//!   it), `@parameters`, `@body`, `@visibility` (a keyword), `@doc` (documentation inside of it), `@wrapper` (a node around
//!   it where its text begins).
//! - `@comment`: a comment. `@doc` in a match without a definition: documentation of what follows. `@doc.outer`: of what
//!   is around it. `@between`: what may stand between documentation and a definition.
//! - `@closed`: a node that is not searched for definitions.
//! - `@export`: a name that other files see; `@export.all`: they see everything. Without either, everything is seen.
//!
//! Settings of a pattern: `(#set! rest)`: the definition extends to the end of what is around it, or to the next such
//! definition; `(#set! ends-rest)`: one before it ends here. `(#set! ends-function)`: so does a
//! function around it. `(#set! names last)`: the last of several names counts. `(#set! names SEPARATOR)`: they are joined. Otherwise
//! each is a definition. `(#set! visibility WORD)`.

mod matching;
mod pattern;
mod query;
mod sweep;

pub(crate) use sweep::walk_tags;

use super::{Outline, Walker};
use base::SymbolKind;
use tree_sitter::Node;

/// The definitions of a language as a query.
pub(crate) struct Tags {
    /// The query.
    pub(crate) query: &'static str,
    /// Visibility and complexity. Its definitions are not used.
    pub(crate) outline: Outline,
    /// Whether several definitions of one name are clauses of one function.
    pub(crate) clauses: Clauses,
    /// Beginnings of names that are private.
    pub(crate) private_prefixes: &'static [&'static str],
    /// What stands between the parts of a name that is a path (`Shop.Cart`). The last part is the name, the rest its owner.
    pub(crate) separator: Option<&'static str>,
    /// Changes a definition by rules that a query cannot express. Returns whether it is one.
    pub(crate) adjust: for<'t> fn(&Walker<'_, '_>, &mut Candidate<'t>) -> bool,
}

impl Candidate<'_> {
    /// Makes the last part of a path the name.
    fn split_path(&mut self, separator: &str) {
        let [(name, _)] = self.names.as_mut_slice() else {
            return;
        };
        let is_word = |part: &str| {
            let is_part = |c: char| c.is_alphanumeric() || "_-'".contains(c);
            !part.is_empty() && part.chars().all(is_part)
        };
        if !name.split(separator).all(is_word) {
            return;
        }
        if let Some((owner, last)) = name.rsplit_once(separator) {
            self.owner = Some(owner.replace(separator, "."));
            *name = last.to_owned();
        }
    }
}

impl Tags {
    /// A query without further rules.
    pub(crate) const fn new(query: &'static str) -> Tags {
        Tags {
            query,
            outline: Outline::NEUTRAL,
            clauses: Clauses::Apart,
            private_prefixes: &[],
            separator: None,
            adjust: |_, _| true,
        }
    }
}

/// Definitions of one name that follow each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clauses {
    /// Each is a definition.
    Apart,
    /// They are clauses of one function.
    ByName,
    /// They are clauses of one function if they have the same number of parameters.
    ByArity,
}

/// A match of the query that may be a definition.
pub(crate) struct Candidate<'t> {
    /// The whole node.
    pub(crate) node: Node<'t>,
    /// Its names, and the nodes of these.
    pub(crate) names: Vec<(String, Node<'t>)>,
    /// Its kind.
    pub(crate) kind: SymbolKind,
    /// What it belongs to, if it is not inside of it.
    pub(crate) owner: Option<String>,
    /// The parameters.
    parameters: Vec<Node<'t>>,
    body: Option<Node<'t>>,
    visibility: Option<String>,
    doc: Vec<Node<'t>>,
    wrapper: Option<Node<'t>>,
    has_rest: bool,
    ends_rest: bool,
    ends_function: bool,
    /// The pattern that matched.
    pattern: usize,
}
