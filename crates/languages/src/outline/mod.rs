//! Facts of languages of which names alone are read: definitions by the kinds of their nodes, with documentation, parameters and
//! complexity. There are no calls, references or imports here; C adds its own.
//!
//! A language says in an [`Outline`] what defines. What no table can say stands in a function of its folder, which gives what it
//! finds as [`FoundDefinition`].

mod doc;
mod walk;

pub(crate) use walk::{Walker, walk};

use base::{SymbolKind, Visibility};
use syntax::complexity;
use syntax::facts::DefFlags;
use syntax::fields::Fields;
use tree_sitter::Node;

/// How definitions stand in the trees of a language.
pub(crate) struct Outline {
    /// The kinds of nodes that define something.
    pub(crate) definitions: &'static [Definition],
    /// What is no row of that table: whether the node was one, and was read with all that is inside.
    pub(crate) special: for<'t> fn(&mut Walker<'_, '_>, Node<'t>) -> bool,
    /// Kinds of nodes that are comments.
    pub(crate) comments: &'static [&'static str],
    /// Kinds of nodes that hold one definition and have its documentation above them: templates, exports.
    pub(crate) wrappers: &'static [&'static str],
    /// Kinds of nodes in which nothing is looked for.
    pub(crate) closed: &'static [&'static str],
    /// What counts for complexity.
    pub(crate) complexity: &'static complexity::Rules,
    /// Words before a name that say who may use it. The first of the source decides.
    pub(crate) visibility: &'static [(&'static str, Visibility)],
    /// Who may use what says nothing: outside of types, and in classes and structs.
    pub(crate) default_visibility: (Visibility, Visibility),
    /// Whether a signature goes on to the body, and does not end with the parameters.
    pub(crate) results_follow: bool,
    /// Whether functions in a module are its methods.
    pub(crate) module_methods: bool,
}

impl Outline {
    /// Nothing is known.
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

/// Where the names of a definition stand.
pub(crate) enum Name {
    /// In that field. Of a path, the last part is the name.
    Field(&'static str),
    /// In every field of that name.
    Fields(&'static str),
    /// In that field, with the whole path.
    Path(&'static str),
    /// In that field, where it is a node of that kind.
    FieldOf(&'static str, &'static str),
    /// In the first child of one of these kinds.
    Child(&'static [&'static str]),
    /// In the first child of the kind at the end, below children of the kinds before it: one for each.
    Each(&'static [&'static str]),
    /// In every child of the second kind of the first child of the first.
    Every(&'static str, &'static str),
    /// Nowhere: it is called that, and stands where this token does.
    Fixed(&'static str, &'static str),
}

/// A kind of node that defines something.
pub(crate) struct Definition {
    /// The kind.
    pub(crate) node: &'static str,
    /// Where its names are.
    pub(crate) name: Name,
    /// What it defines.
    pub(crate) kind: SymbolKind,
    /// What it defines inside a type.
    pub(crate) kind_inside: SymbolKind,
    /// Children, tokens included, that make it something else: the first row that it has a child of.
    pub(crate) kind_by_child: &'static [(&'static str, SymbolKind)],
    /// Words before the name that do the same.
    pub(crate) kind_by_word: &'static [(&'static str, SymbolKind)],
    /// A child without which it defines nothing.
    pub(crate) needs: Option<&'static str>,
    /// Where the body is.
    pub(crate) body: Part,
    /// Where the parameters are.
    pub(crate) parameters: Part,
    /// Whether it belongs to the type, not to its instances.
    pub(crate) is_static: bool,
    /// Whether it is local to a function, and left out, where it stands in one.
    pub(crate) may_be_local: bool,
    /// Whether it holds for what follows, so that it ends with its name and owns nothing.
    pub(crate) is_heading: bool,
}

/// A part of a definition.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// That field.
    Field(&'static str),
    /// The first child of one of these kinds.
    Child(&'static [&'static str]),
    /// Every child of that kind.
    Children(&'static str),
}

impl Definition {
    /// A definition that is the same everywhere, with its name in the field `name`.
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
            is_heading: false,
        }
    }

    /// A function, which is a method inside a type.
    pub(crate) const fn function(node: &'static str) -> Definition {
        Definition {
            kind_inside: SymbolKind::Method,
            ..Definition::new(node, SymbolKind::Function)
        }
    }

    /// What is a variable of the file, a member inside a type, and left out inside a function.
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
    /// All of it.
    pub(crate) node: Node<'t>,
    /// Where its name stands.
    pub(crate) at: Node<'t>,
    /// The name; that text where it is none.
    pub(crate) name: Option<&'n str>,
    /// What it is.
    pub(crate) kind: SymbolKind,
    /// Properties that are known.
    pub(crate) flags: DefFlags,
    /// The type that it belongs to, where it does not stand in it.
    pub(crate) receiver: Option<&'n str>,
    /// The parameters.
    pub(crate) parameters: Vec<Node<'t>>,
    /// The body.
    pub(crate) body: Option<Node<'t>>,
    /// Who may use it, where that is known otherwise than by words before the name.
    pub(crate) visibility: Option<Visibility>,
    /// Whether it is a heading: see [`Definition::is_heading`].
    pub(crate) is_heading: bool,
}

impl<'t> FoundDefinition<'t, '_> {
    /// A definition of which nothing more is known.
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
            is_heading: false,
        }
    }
}

/// The first child of one of these kinds, tokens included.
pub(crate) fn child_of_kind<'t>(node: Node<'t>, kinds: &[&str]) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    let mut children = node.children(&mut cursor);
    children.find(|child| kinds.contains(&child.kind_name()))
}
