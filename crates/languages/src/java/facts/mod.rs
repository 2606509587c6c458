//! Facts of Java files.
//!
//! Two conventions of this language: methods are bound in [`Namespace::MACRO`], because methods and variables have
//! separate namespaces. An anonymous function or class keeps the type that its context expects (`Runnable r = () -> …`)
//! in [`Def::ty`]. Primitive types are plain names (`int`, `long`), because overloads distinguish them.

mod calls;
mod classes;
mod docs;
mod exprs;
mod imports;
mod lambdas;
mod members;
mod statements;
mod types;

use syntax::builder::Builder;
use syntax::complexity::Rules;
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// The grammar.
pub(super) fn grammar() -> tree_sitter::Language {
    grammars::JAVA.language()
}

/// Reads a whole file.
pub(super) fn walk(builder: &mut Builder<'_>, root: Node<'_>) {
    let mut walker = Walker::new(builder);
    walker.body(root);
    walker.mark_unused(root);
}

const RULES: Rules = Rules {
    nesting: &[
        "if_statement",
        "for_statement",
        "enhanced_for_statement",
        "while_statement",
        "do_statement",
        "catch_clause",
        "switch_expression",
        "ternary_expression",
    ],
    no_path: &["switch_expression"],
    arms: &["switch_label"],
    elses: &[],
    else_paths: &[],
    logical: (&["binary_expression"], &["&&", "||"]),
    jumps: &[],
    functions: &["lambda_expression", "method_declaration"],
    words: &[
        "if", "for", "while", "do", "catch", "switch", "case", "default",
    ],
    signs: &["?", "&&", "||"],
};

/// The kind of class that the walk is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ClassKind {
    Class,
    Interface,
}

/// The function whose `return` statements are being read.
enum FunctionFrame {
    /// A method with its written result, or code without a result.
    Method(Option<TypeId>),
    /// A lambda with its returned expressions so far.
    Lambda(Vec<ExprId>),
}

/// An enclosing class.
struct ClassFrame {
    def: DefId,
    kind: ClassKind,
    /// Records: the components in the header.
    components: Vec<Param>,
}

/// Walks one file.
struct Walker<'b, 's> {
    b: &'b mut Builder<'s>,
    /// The enclosing classes, innermost last.
    classes: Vec<ClassFrame>,
    frames: Vec<FunctionFrame>,
    /// The values of the open switch expressions' arms.
    yields: Vec<Vec<ExprId>>,
    /// The error names of the method's open `catch` clauses, innermost last.
    handlers: Vec<&'s str>,
}

impl<'b, 's> Walker<'b, 's> {
    fn new(b: &'b mut Builder<'s>) -> Self {
        Walker {
            b,
            classes: Vec::new(),
            frames: Vec::new(),
            yields: Vec::new(),
            handlers: Vec::new(),
        }
    }

    /// Whether the walk is inside a function or initialiser.
    fn is_in_function(&self) -> bool {
        !self.frames.is_empty()
    }

    fn current_class(&self) -> Option<DefId> {
        self.classes.last().map(|c| c.def)
    }

    fn in_interface(&self) -> bool {
        self.classes
            .last()
            .is_some_and(|c| c.kind == ClassKind::Interface)
    }

    /// The enclosing class of that name.
    fn find_enclosing_class(&self, name: &str) -> Option<DefId> {
        let facts = self.b.facts();
        self.classes
            .iter()
            .rev()
            .map(|c| c.def)
            .find(|id| facts.name(facts.def(*id).name) == name)
    }

    /// Declarations of a class body, an interface body, a file: each with the comment before it.
    fn body(&mut self, node: Node<'_>) {
        let mut comment = None;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind_name() {
                "block_comment" => comment = Some(child),
                "line_comment" => {}
                _ => {
                    self.visit_declaration(child, comment.take());
                }
            }
        }
    }

    fn visit_declaration(&mut self, node: Node<'_>, comment: Option<Node<'_>>) {
        if !self.b.enter_level() {
            return;
        }
        match node.kind_name() {
            "package_declaration" => self.visit_package_clause(node),
            "import_declaration" => self.import(node),
            "class_declaration"
            | "interface_declaration"
            | "annotation_type_declaration"
            | "enum_declaration"
            | "record_declaration" => self.class_declaration(node, comment),
            "method_declaration"
            | "constructor_declaration"
            | "compact_constructor_declaration"
            | "annotation_type_element_declaration" => self.visit_method(node, comment),
            "field_declaration" | "constant_declaration" => {
                self.visit_field_declaration(node, comment)
            }
            "enum_constant" => self.enum_constant(node, comment),
            "enum_body_declarations" | "ERROR" => self.body(node),
            "static_initializer" => self.visit_initializer_block(node),
            "block" if self.current_class().is_some() && !self.is_in_function() => {
                self.visit_initializer_block(node)
            }
            "module_declaration" => {}
            _ => self.statement(node),
        }
        self.b.leave_level();
    }
}

/// The last named child that is not a comment.
fn last_child(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|c| !is_comment(*c))
        .last()
}

/// The first named child that is not a comment.
fn first_code_child(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|c| !is_comment(*c))
}

fn is_comment(node: Node<'_>) -> bool {
    matches!(node.kind_name(), "line_comment" | "block_comment")
}

fn is_annotation(node: Node<'_>) -> bool {
    matches!(node.kind_name(), "annotation" | "marker_annotation")
}
