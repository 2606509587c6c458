//! Facts of C# files.
//!
//! Conventions of this language: a namespace is a definition and a scope, but not part of the names in it. A function
//! literal keeps the type that its context expects in [`Def::ty`]. Predefined types are plain names (`int`, `string`).
//! The first parameter of an extension method is its receiver. An attribute is named with its suffix (`TestAttribute`
//! for `[Test]`). A parameter with `ref` has a reference as its type, one with `in` a reference to a reference, one with `out` a
//! third around these; the arguments are borrowed as often. A whole number that is not from 1 to 127 is an `int` cast from a part of a literal, whose
//! position is the value. The value of a local constant is borrowed. A choice among no expressions has no value: it throws.
//! The default of a type parameter is what its constraint `struct` or `class` asks for: `System.ValueType` or `System.Object`.

mod calls;
mod constants;
mod creations;
mod definitions;
mod ends;
mod exprs;
mod headers;
mod imports;
mod lambdas;
mod members;
mod operators;
mod patterns;
mod queries;
mod statements;
mod types;

use crate::outline::doc;
use rustc_hash::FxHashMap;
use syntax::builder::Builder;
use syntax::complexity::Rules;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// The grammar.
pub(super) fn grammar() -> tree_sitter::Language {
    grammars::C_SHARP.language()
}

/// Reads a whole file.
pub(super) fn walk(builder: &mut Builder<'_>, root: Node<'_>) {
    let mut walker = Walker {
        b: builder,
        types: Vec::new(),
        frames: Vec::new(),
        handlers: Vec::new(),
        outs: Vec::new(),
        has_file_namespace: false,
        conditions: 0,
        int: None,
        ints: FxHashMap::default(),
    };
    walker.body(root);
    if walker.has_file_namespace {
        walker.b.close_scope();
    }
}

const RULES: Rules = Rules {
    nesting: &[
        "if_statement",
        "for_statement",
        "foreach_statement",
        "while_statement",
        "do_statement",
        "switch_statement",
        "switch_expression",
        "conditional_expression",
        "catch_clause",
    ],
    no_path: &["switch_statement", "switch_expression"],
    arms: &["switch_section", "switch_expression_arm"],
    elses: &[],
    else_paths: &[],
    logical: (&["binary_expression"], &["&&", "||", "??"]),
    jumps: &["goto_statement"],
    functions: &[
        "lambda_expression",
        "anonymous_method_expression",
        "local_function_statement",
    ],
    words: &[
        "if", "for", "foreach", "while", "do", "switch", "catch", "case", "else", "goto",
        "delegate",
    ],
    signs: &["?", "&&", "||", "=>"],
};

/// The kind of the type that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TypeKind {
    Class,
    Interface,
    Enum,
}

/// The function whose `return` statements are being read.
enum FunctionFrame {
    /// A method with the type that it returns, or code without a result.
    Method(Option<TypeId>),
    /// A lambda with its returned expressions so far.
    Lambda(Vec<ExprId>),
}

/// An enclosing type.
struct TypeFrame {
    def: DefId,
    kind: TypeKind,
}

/// A variable that an argument declares (`out var x`). Its type is known once the call has been read.
struct OutVariable {
    name: NameId,
    scope: ScopeId,
    from: u32,
    argument: u32,
}

/// Walks one file.
struct Walker<'b, 's> {
    b: &'b mut Builder<'s>,
    /// The enclosing types, innermost last.
    types: Vec<TypeFrame>,
    frames: Vec<FunctionFrame>,
    /// The error names of the method's open `catch` clauses, innermost last.
    handlers: Vec<&'s str>,
    /// Variables that arguments of open calls declare.
    outs: Vec<OutVariable>,
    /// Whether the rest of the file is in a namespace.
    has_file_namespace: bool,
    /// The number of open `#if`s.
    conditions: u32,
    /// The type of constants with a value.
    int: Option<TypeId>,
    /// The values of constants of type `int`.
    ints: FxHashMap<ExprId, i32>,
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
        let mut comments: Vec<&'s str> = Vec::new();
        let mut next_row = 0;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let row = child.start_position().row;
            if child.kind_name() == "comment" {
                if row != next_row {
                    comments.clear();
                }
                comments.push(self.b.text(child));
                next_row = child.end_position().row + 1;
                continue;
            }
            let is_above = row == next_row;
            let doc = (is_above && !comments.is_empty()).then(|| doc::plain_text(&comments));
            comments.clear();
            self.declaration(child, doc.as_deref());
        }
    }

    fn declaration(&mut self, node: Node<'_>, doc: Option<&str>) {
        if !self.b.enter_level() {
            return;
        }
        match node.kind_name() {
            "using_directive" => self.using_directive(node),
            "namespace_declaration" => self.namespace(node, doc),
            "file_scoped_namespace_declaration" => self.file_namespace(node, doc),
            "class_declaration"
            | "struct_declaration"
            | "interface_declaration"
            | "enum_declaration"
            | "record_declaration" => self.type_declaration(node, doc),
            "delegate_declaration" => self.delegate(node, doc),
            "enum_member_declaration" => self.enum_member(node, doc),
            "method_declaration"
            | "constructor_declaration"
            | "destructor_declaration"
            | "operator_declaration"
            | "conversion_operator_declaration"
            | "local_function_statement" => self.function(node, doc),
            "property_declaration" | "indexer_declaration" | "event_declaration" => {
                self.property(node, doc)
            }
            "field_declaration" | "event_field_declaration" => self.field(node, doc),
            "global_attribute" => self.attributes_in(node),
            "global_statement" | "ERROR" | "declaration_list" => self.body(node),
            "preproc_if" | "preproc_else" | "preproc_elif" => {
                self.conditions += 1;
                self.body(node);
                self.conditions -= 1;
            }
            _ => self.statement(node),
        }
        self.b.leave_level();
    }
}

/// Whether a node can be an expression: a named node, or `this` or `base`, which are unnamed.
fn is_expression(node: Node<'_>) -> bool {
    if node.is_named() {
        !node.is_extra()
    } else {
        matches!(node.kind_name(), "this" | "base")
    }
}

/// The first expression among the children.
fn first_expression(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).find(|c| is_expression(*c))
}

/// The last expression among the children.
fn last_expression(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .filter(|c| is_expression(*c))
        .last()
}

/// Every expression among the children.
fn expressions(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .filter(|c| is_expression(*c))
        .collect()
}

/// The named children of a kind.
fn children_of_kind<'t>(node: Node<'t>, kind: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|c| c.kind_name() == kind)
        .collect()
}

/// Whether a node has an unnamed child with a given text.
fn has_word(node: Node<'_>, word: &str) -> bool {
    word_child(node, word).is_some()
}

/// The first unnamed child with a given text.
fn word_child<'t>(node: Node<'t>, word: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).find(|c| c.kind_name() == word)
}
