//! Facts of Swift files.
//!
//! Conventions of this language: an extension is an `impl` whose type is the extended one. A parameter whose argument
//! label differs from its name has the type [`TypeExpr::Binding`] with the label, `_` if it has none. A first trailing
//! closure is an argument with the label [`TRAILING`]. The associated types of a protocol are its type parameters.
//! An optional value is wrapped by [`Expr::Enter`] and unwrapped by [`Expr::Try`]. A subscript is a call of the member
//! `subscript`. An operator is a call of its name. The targets of a package's manifest are its exports, each with the
//! folder of its sources. The callee of a call behind `await` is borrowed, twice if the chain ends with the call.

mod arguments;
mod chains;
mod closures;
mod definitions;
mod directives;
mod exprs;
mod functions;
mod headers;
mod manifest;
mod operators;
mod patterns;
mod properties;
mod statements;
mod types;

use crate::outline::doc;
use directives::Branches;
use syntax::builder::Builder;
use syntax::complexity::Rules;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// The label of a first trailing closure, which fits any parameter that takes a function.
pub(super) const TRAILING: &str = "{}";

/// The name of the member that subscripts are.
pub(super) const SUBSCRIPT: &str = "subscript";

/// The grammar.
pub(super) fn grammar() -> tree_sitter::Language {
    grammars::SWIFT.language()
}

/// Reads a whole file.
pub(super) fn walk(builder: &mut Builder<'_>, root: Node<'_>) {
    let mut walker = Walker {
        b: builder,
        types: Vec::new(),
        frames: Vec::new(),
        is_static: false,
        is_awaited: false,
        branches: Branches::default(),
        is_manifest: false,
    };
    walker.body(root);
}

static RULES: Rules = Rules {
    nesting: &[
        "if_statement",
        "guard_statement",
        "for_statement",
        "while_statement",
        "repeat_while_statement",
        "switch_statement",
        "ternary_expression",
        "catch_block",
    ],
    no_path: &["switch_statement"],
    arms: &["switch_entry"],
    elses: &[],
    else_paths: &[],
    logical: (
        &[
            "conjunction_expression",
            "disjunction_expression",
            "nil_coalescing_expression",
        ],
        &["&&", "||", "??"],
    ),
    jumps: &[],
    functions: &["lambda_literal", "function_declaration", "init_declaration"],
    words: &[
        "if", "guard", "for", "while", "repeat", "switch", "case", "catch", "else",
    ],
    signs: &["?", "&&", "||", "{"],
};

/// The kind of the type that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TypeKind {
    Class,
    Struct,
    Enum,
    Protocol,
    Extension,
}

/// An enclosing type.
struct TypeFrame {
    def: DefId,
    kind: TypeKind,
    /// The visibility of members that an extension with an access modifier gives.
    members: Option<base::Visibility>,
    /// Whether its methods may be tests.
    has_tests: bool,
}

/// The function whose `return` statements are being read.
enum FunctionFrame {
    /// A function with the type that it returns, or code without a result.
    Function(Option<TypeId>),
    /// A closure.
    Closure(ClosureFrame),
}

/// A closure that is being read.
struct ClosureFrame {
    /// Its returned expressions so far.
    returns: Vec<ExprId>,
    /// The type that is expected of its result.
    expected: Expected,
    /// The number of parameters that its body uses as `$0`, `$1` and so on.
    numbered: u32,
    /// Whether it names its parameters.
    has_params: bool,
}

/// The type that the context of an expression expects.
#[derive(Debug, Clone, Copy, Default)]
enum Expected {
    /// Not known.
    #[default]
    Nothing,
    /// A written type.
    Type(TypeId),
    /// That of the argument of a call at a position.
    Argument(ExprId, u32),
    /// That of another expression.
    Like(ExprId),
}

/// Walks one file.
struct Walker<'b, 's> {
    b: &'b mut Builder<'s>,
    /// The enclosing types, innermost last.
    types: Vec<TypeFrame>,
    frames: Vec<FunctionFrame>,
    /// Whether `self` is a type, not an instance.
    is_static: bool,
    /// Whether the place is in the operand of `await`.
    is_awaited: bool,
    /// The open branches of `#if`.
    branches: Branches,
    /// Whether the file describes a package.
    is_manifest: bool,
}

impl<'s> Walker<'_, 's> {
    /// Whether the walk is inside a function or initial value.
    fn is_in_function(&self) -> bool {
        !self.frames.is_empty()
    }

    fn current_type(&self) -> Option<DefId> {
        self.types.last().map(|t| t.def)
    }

    fn is_in(&self, kind: TypeKind) -> bool {
        self.types.last().is_some_and(|t| t.kind == kind)
    }

    /// Reads declarations and statements, each with the comments directly above it.
    fn body(&mut self, node: Node<'_>) {
        let open = self.branches.len();
        let mut comments: Vec<&'s str> = Vec::new();
        let mut next_row = 0;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let row = child.start_position().row;
            match child.kind_name() {
                "comment" | "multiline_comment" => {
                    if row != next_row {
                        comments.clear();
                    }
                    comments.push(self.b.text(child));
                    next_row = child.end_position().row + 1;
                    continue;
                }
                "directive" => {
                    let text = self.b.text(child);
                    self.branches.read(text);
                    comments.clear();
                    continue;
                }
                _ => {}
            }
            let is_above = row == next_row;
            let doc = (is_above && !comments.is_empty()).then(|| doc::plain_text(&comments));
            comments.clear();
            self.declaration(child, doc.as_deref());
        }
        self.branches.close(open);
    }

    fn declaration(&mut self, node: Node<'_>, doc: Option<&str>) {
        if !self.b.enter_level() {
            return;
        }
        match node.kind_name() {
            "import_declaration" => self.import(node),
            "class_declaration" | "protocol_declaration" => self.type_declaration(node, doc),
            "function_declaration"
            | "protocol_function_declaration"
            | "init_declaration"
            | "deinit_declaration"
            | "subscript_declaration"
            | "macro_declaration" => self.function(node, doc),
            "property_declaration" | "protocol_property_declaration" => self.property(node, doc),
            "enum_entry" => self.enum_entry(node, doc),
            "typealias_declaration" | "associatedtype_declaration" => self.alias(node, doc),
            "operator_declaration" | "precedence_group_declaration" | "statement_label" => {}
            "statements" | "ERROR" | "class_body" => self.body(node),
            _ => self.statement(node),
        }
        self.b.leave_level();
    }
}

/// The children, named or not, that are no comments.
fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .filter(|c| !is_comment(*c))
        .collect()
}

/// The named children that are no comments.
fn named_children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|c| !is_comment(*c))
        .collect()
}

/// The named children of a kind.
fn children_of_kind<'t>(node: Node<'t>, kind: &str) -> Vec<Node<'t>> {
    let mut all = named_children(node);
    all.retain(|c| c.kind_name() == kind);
    all
}

/// The children with their fields, that are no comments.
fn children_with_fields<'t>(node: Node<'t>) -> Vec<(Node<'t>, &'t str)> {
    let mut out = Vec::new();
    let mut cursor = node.walk();
    if !cursor.goto_first_child() {
        return out;
    }
    loop {
        let child = cursor.node();
        if !is_comment(child) {
            out.push((child, cursor.field_name().unwrap_or("")));
        }
        if !cursor.goto_next_sibling() {
            return out;
        }
    }
}

fn is_comment(node: Node<'_>) -> bool {
    matches!(node.kind_name(), "comment" | "multiline_comment")
}

/// Whether the first type in an associated type is its bound, not its default.
fn types_before_default(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .find(|c| c.kind_name() == ":" || c.kind_name() == "=")
        .is_some_and(|c| c.kind_name() == ":")
}
