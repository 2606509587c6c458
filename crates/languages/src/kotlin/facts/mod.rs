//! Facts of Kotlin files.
//!
//! Conventions of this language: operators are calls of their functions. A primary constructor belongs to the class
//! definition itself, whose [`Def::callable`] has its parameters. The first parameter of a lambda is its receiver, named
//! after the function that it is passed to; [`Def::value`] of a lambda gives the type that its context expects. A lambda
//! behind the parentheses of a call is the last argument, as [`Expr::Borrowed`]. `this` is a name. A jump (`return`,
//! `throw`) has the type of `null`. `a ?: b` is an [`Expr::Operation`]. The receiver in a function type is its first
//! parameter, as [`TypeExpr::Reference`].

mod calls;
mod classes;
mod exprs;
mod functions;
mod generic_calls;
mod headers;
mod imports;
mod lambdas;
mod narrow;
mod operators;
mod properties;
mod statements;
mod types;

use crate::outline::doc;
use rustc_hash::FxHashMap;
use syntax::builder::Builder;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Reads a whole file.
pub(super) fn walk(builder: &mut Builder<'_>, root: Node<'_>) {
    // The first name, so that linking finds it without a search.
    builder.intern_name("this");
    let mut walker = Walker {
        b: builder,
        classes: Vec::new(),
        frames: Vec::new(),
        handlers: Vec::new(),
        checks: FxHashMap::default(),
        generic_calls: FxHashMap::default(),
        values: FxHashMap::default(),
        doc: Vec::new(),
        doc_end: 0,
    };
    walker.statements(root);
    // Outer calls come first: the receivers of lambdas follow from them.
    let calls = &mut walker.b.facts_mut().calls;
    calls.sort_by_key(|site| (site.line, site.column));
}

/// A function or lambda whose returned values are being read.
struct Frame<'s> {
    /// The name that `return@name` uses.
    label: &'s str,
    is_lambda: bool,
    /// The written result type.
    ret: Option<TypeId>,
    /// The returned values so far.
    returns: Vec<ExprId>,
}

/// An enclosing class.
struct ClassFrame {
    def: DefId,
    /// The scope with the parameters of the primary constructor.
    constructor: Option<ScopeId>,
    is_interface: bool,
}

/// The name that a type check is about, and the type.
#[derive(Debug, Clone, Copy)]
struct Check {
    name: NameId,
    ty: TypeId,
    value: ExprId,
}

/// Walks one file.
struct Walker<'b, 's> {
    b: &'b mut Builder<'s>,
    /// The enclosing classes, innermost last.
    classes: Vec<ClassFrame>,
    frames: Vec<Frame<'s>>,
    /// The error names of the open `catch` clauses, innermost last.
    handlers: Vec<&'s str>,
    /// The type checks that were read, by the number of their node.
    checks: FxHashMap<usize, Check>,
    /// Calls whose arguments are still to be read, by the number of the node with them.
    generic_calls: FxHashMap<usize, generic_calls::GenericCall<'s>>,
    /// Values of nodes that were read before.
    values: FxHashMap<usize, ExprId>,
    /// The adjacent comment lines directly before the walk's position.
    doc: Vec<&'s str>,
    /// The row after the last of them.
    doc_end: usize,
}

impl<'s> Walker<'_, 's> {
    /// Whether the walk is inside a function or a lambda.
    fn is_in_function(&self) -> bool {
        !self.frames.is_empty()
    }

    fn current_class(&self) -> Option<DefId> {
        self.classes.last().map(|class| class.def)
    }

    /// The name of an identifier, without back quotes.
    fn name(&mut self, node: Node<'_>) -> NameId {
        let text = self.b.text(node);
        self.b.intern_name(text.trim_matches('`'))
    }

    /// Keeps a comment for the definition below it, unless it follows code on its line.
    fn comment(&mut self, node: Node<'_>) {
        /// Most bytes before a comment that are searched for code on its line.
        const MOST_BEFORE: usize = 200;
        let start = node.start_position();
        let line = node.start_byte().saturating_sub(start.column);
        let before = self.b.source.as_bytes().get(line..node.start_byte());
        let before = before.unwrap_or_default();
        if before.len() > MOST_BEFORE || !before.trim_ascii().is_empty() {
            return;
        }
        if start.row != self.doc_end {
            self.doc.clear();
        }
        self.doc.push(self.b.text(node));
        self.doc_end = node.end_position().row + usize::from(node.end_position().column > 0);
    }

    /// The comments right above a row.
    fn take_doc(&mut self, row: usize) -> String {
        let comments = std::mem::take(&mut self.doc);
        if row != self.doc_end {
            return String::new();
        }
        doc::plain_text(&comments)
    }
}

/// Whether a node is a comment.
fn is_comment(node: Node<'_>) -> bool {
    matches!(node.kind_name(), "line_comment" | "block_comment")
}

/// The named children that are no comments.
fn code_children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|child| !is_comment(*child))
        .collect()
}

/// The first named child that is no comment.
fn first_code_child(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .find(|child| !is_comment(*child))
}

/// The named children of a kind.
fn children_of_kind<'t>(node: Node<'t>, kind: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|child| child.kind_name() == kind)
        .collect()
}

/// The first unnamed child with a given text.
fn word_child<'t>(node: Node<'t>, word: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .find(|child| child.kind_name() == word)
}

/// Whether a node is a written type.
fn is_type(node: Node<'_>) -> bool {
    matches!(
        node.kind_name(),
        "user_type"
            | "nullable_type"
            | "function_type"
            | "non_nullable_type"
            | "parenthesized_type"
            | "dynamic"
    )
}

/// The identifiers of a dotted name, without back quotes.
fn child_text_parts<'s>(source: &'s str, path: Node<'_>) -> Vec<&'s str> {
    let parts = children_of_kind(path, "identifier");
    let text = |part: Node<'_>| source.get(part.byte_range()).unwrap_or("");
    let parts = parts.into_iter().map(|part| text(part).trim_matches('`'));
    parts.collect()
}
