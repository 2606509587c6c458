//! Facts of languages of which only names are read: definitions with documentation, parameters and complexity. There are
//! no calls, references or imports.
//!
//! A language describes its definitions by a query, in [`Tags`]. What the query cannot express stands in an [`Outline`].
//! C and C++ have no query: a function of theirs finds the definitions.

pub(crate) mod doc;
mod foreign;
mod tags;
mod walk;

pub(crate) use foreign::LineStarts;
pub(crate) use tags::{Candidate, Clauses, Tags, walk_tags};
pub(crate) use walk::{Walker, walk};

use base::{SymbolKind, Visibility};
use syntax::complexity;
use syntax::facts::DefFlags;
use syntax::fields::Fields;
use tree_sitter::Node;

/// The forms of definitions in the trees of a language.
pub(crate) struct Outline {
    /// Reads a node that is a definition, with all its contents. Returns whether it was one.
    pub(crate) special: for<'t> fn(&mut Walker<'_, '_>, Node<'t>) -> bool,
    /// Kinds of nodes that are comments.
    pub(crate) comments: &'static [&'static str],
    /// Kinds of nodes that contain one definition and have its documentation above them: templates, exports.
    pub(crate) wrappers: &'static [&'static str],
    /// Kinds of nodes that are not searched.
    pub(crate) closed: &'static [&'static str],
    /// The node kinds that count for complexity.
    pub(crate) complexity: &'static complexity::Rules,
    /// Keywords of visibility before a name. The first in the source counts.
    pub(crate) visibility: &'static [(&'static str, Visibility)],
    /// Visibility without a keyword: outside of types, and in classes and structs.
    pub(crate) default_visibility: (Visibility, Visibility),
    /// Whether a signature continues after the parameters up to the body.
    pub(crate) results_follow: bool,
    /// Whether functions in a module count as its methods.
    pub(crate) module_methods: bool,
}

impl Outline {
    /// Nothing is a definition.
    pub(crate) const NEUTRAL: Outline = Outline {
        special: |_, _| false,
        comments: &["comment"],
        wrappers: &[],
        closed: &[],
        complexity: &NO_COMPLEXITY,
        visibility: &[],
        default_visibility: (Visibility::Public, Visibility::Public),
        results_follow: true,
        module_methods: false,
    };
}

/// Nothing counts.
pub(crate) const NO_COMPLEXITY: complexity::Rules = complexity::Rules {
    nesting: &[],
    no_path: &[],
    arms: &[],
    elses: &[],
    else_paths: &[],
    logical: (&[], &[]),
    jumps: &[],
    functions: &[],
    words: &[],
    signs: &[],
};

/// A definition that was found.
pub(crate) struct FoundDefinition<'t, 'n> {
    /// The whole node.
    pub(crate) node: Node<'t>,
    /// The node of its name.
    pub(crate) at: Node<'t>,
    /// The name; `None` if it is the text of that node.
    pub(crate) name: Option<&'n str>,
    /// Its kind.
    pub(crate) kind: SymbolKind,
    /// Properties that are known.
    pub(crate) flags: DefFlags,
    /// The type that it belongs to, if it is not inside that type.
    pub(crate) receiver: Option<&'n str>,
    /// The parameters.
    pub(crate) parameters: Vec<Node<'t>>,
    /// The body.
    pub(crate) body: Option<Node<'t>>,
    /// Its visibility, if it is not given by keywords before the name.
    pub(crate) visibility: Option<Visibility>,
}

impl<'t> FoundDefinition<'t, '_> {
    /// A definition without further properties.
    pub(crate) fn new(
        node: Node<'t>,
        at: Node<'t>,
        kind: SymbolKind,
    ) -> FoundDefinition<'t, 'static> {
        FoundDefinition {
            node,
            at,
            name: None,
            kind,
            flags: DefFlags::default(),
            receiver: None,
            parameters: Vec::new(),
            body: None,
            visibility: None,
        }
    }
}

/// The first child of one of these kinds, tokens included.
pub(crate) fn child_of_kind<'t>(node: Node<'t>, kinds: &[&str]) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    let mut children = node.children(&mut cursor);
    children.find(|child| kinds.contains(&child.kind_name()))
}
