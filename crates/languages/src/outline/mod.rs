//! Facts of languages of which only names are read: definitions by the kinds of their nodes, with documentation,
//! parameters and complexity. There are no calls, references or imports; C adds its own.
//!
//! A language describes its definitions in an [`Outline`]. A function in its folder handles whatever a table cannot
//! express, and returns each [`FoundDefinition`].

pub(crate) mod doc;
mod walk;

pub(crate) use walk::{Walker, walk};

use base::{SymbolKind, Visibility};
use syntax::complexity;
use syntax::facts::DefFlags;
use syntax::fields::Fields;
use tree_sitter::Node;

/// The forms of definitions in the trees of a language.
pub(crate) struct Outline {
    /// The kinds of nodes that are definitions.
    pub(crate) definitions: &'static [Definition],
    /// Handles definitions that the table cannot express. Returns whether the node was one; it was then read with all
    /// its contents.
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
        definitions: &[],
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

/// The place of a definition's names.
pub(crate) enum Name {
    /// In that field. The name is the last part of a path.
    Field(&'static str),
    /// In every field of that name.
    Fields(&'static str),
    /// In that field, if it is a node of that kind.
    FieldOf(&'static str, &'static str),
    /// In the first child of one of these kinds.
    Child(&'static [&'static str]),
    /// At the end of a path of kinds: in the first child of the last kind, below every child of the kinds before it.
    Each(&'static [&'static str]),
    /// In every child of the second kind inside the first child of the first kind.
    Every(&'static str, &'static str),
    /// Without a name in the source: this text is the name, at the place of this token.
    Fixed(&'static str, &'static str),
}

/// A kind of node that defines something.
pub(crate) struct Definition {
    /// The kind.
    pub(crate) node: &'static str,
    /// The place of its names.
    pub(crate) name: Name,
    /// The symbol kind.
    pub(crate) kind: SymbolKind,
    /// The symbol kind inside a type.
    pub(crate) kind_inside: SymbolKind,
    /// Children, including tokens, that change the kind: the first row with an existing child counts.
    pub(crate) kind_by_child: &'static [(&'static str, SymbolKind)],
    /// Keywords before the name that change the kind.
    pub(crate) kind_by_word: &'static [(&'static str, SymbolKind)],
    /// A child without which it is no definition.
    pub(crate) needs: Option<&'static str>,
    /// The place of the body.
    pub(crate) body: Part,
    /// The place of the parameters.
    pub(crate) parameters: Part,
    /// Whether it belongs to the type and not to its instances.
    pub(crate) is_static: bool,
    /// Whether it counts as local and is left out inside a function.
    pub(crate) may_be_local: bool,
}

/// A part of a definition.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// That field.
    Field(&'static str),
    /// The first child of one of these kinds.
    Child(&'static [&'static str]),
}

impl Definition {
    /// A definition of the same kind everywhere, with its name in the field `name`.
    pub(crate) const fn new(node: &'static str, kind: SymbolKind) -> Definition {
        Definition {
            node,
            name: Name::Field("name"),
            kind,
            kind_inside: kind,
            kind_by_child: &[],
            kind_by_word: &[],
            needs: None,
            body: Part::Field("body"),
            parameters: Part::Field("parameters"),
            is_static: false,
            may_be_local: false,
        }
    }

    /// A function, which is a method inside a type.
    pub(crate) const fn function(node: &'static str) -> Definition {
        Definition {
            kind_inside: SymbolKind::Method,
            ..Definition::new(node, SymbolKind::Function)
        }
    }

    /// A variable of the file, a member inside a type, and left out inside a function.
    pub(crate) const fn variable(
        node: &'static str,
        kind: SymbolKind,
        inside: SymbolKind,
    ) -> Definition {
        Definition {
            kind_inside: inside,
            may_be_local: true,
            ..Definition::new(node, kind)
        }
    }
}

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
