//! Facts of Scala files.
//!
//! Conventions of this language: a package with a body is a definition and a scope, but not part of the names in it. The
//! other package clauses are [`FileFacts::package`]. A name or member without arguments is an [`Expr::Bare`] call. The
//! parameters of a class are those of its primary constructor. Parameters that the compiler fills in (`implicit`,
//! `using`) are [`ParamKind::KeywordOnly`]. A part of a pattern is an [`Expr::Payload`].

mod assignments;
mod calls;
mod classes;
mod controls;
mod definitions;
mod exprs;
mod headers;
mod imports;
mod lambdas;
mod loops;
mod packages;
mod patterns;
mod types;

use crate::outline::doc;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::builder::Builder;
use syntax::complexity::Rules;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// The grammar.
pub(super) fn grammar() -> tree_sitter::Language {
    grammars::SCALA.language()
}

/// Reads a whole file.
pub(super) fn walk(builder: &mut Builder<'_>, root: Node<'_>) {
    let variables = names_after_var(builder.source);
    let mut walker = Walker {
        b: builder,
        types: Vec::new(),
        holes: FxHashMap::default(),
        variables,
        is_local: false,
        clauses: Vec::new(),
    };
    walker.body(root);
    walker.set_package();
}

const RULES: Rules = Rules {
    nesting: &[
        "if_expression",
        "for_expression",
        "while_expression",
        "do_while_expression",
        "match_expression",
        "catch_clause",
    ],
    no_path: &["match_expression", "catch_clause"],
    arms: &["case_clause"],
    elses: &[],
    else_paths: &[],
    logical: (&["infix_expression"], &["&&", "||"]),
    jumps: &[],
    functions: &["lambda_expression", "function_definition"],
    words: &["if", "for", "while", "do", "match", "catch", "case", "else"],
    signs: &["&&", "||", "=>"],
};

/// The place of `_` in a function literal such as `_ + 1`.
#[derive(Clone, Copy)]
struct Hole {
    /// The name of the parameter that it stands for.
    name: NameId,
}

/// Walks one file.
struct Walker<'b, 's> {
    b: &'b mut Builder<'s>,
    /// The enclosing types, innermost last.
    types: Vec<DefId>,
    /// The parameters of placeholder functions, by the id of the node of each `_`.
    holes: FxHashMap<usize, Hole>,
    /// The names that the file declares by `var`.
    variables: FxHashSet<&'s str>,
    /// Whether the walk is inside a function, block or initial value.
    is_local: bool,
    /// The package clauses without a body.
    clauses: Vec<&'s str>,
}

impl<'s> Walker<'_, 's> {
    fn current_type(&self) -> Option<DefId> {
        self.types.last().copied()
    }

    /// Reads definitions and expressions, each with the comments directly above it. Returns the last expression.
    fn body(&mut self, node: Node<'_>) -> Option<ExprId> {
        let mut comments: Vec<&'s str> = Vec::new();
        let mut next_row = 0;
        let mut last = None;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let row = child.start_position().row;
            if is_comment(child) {
                if row != next_row {
                    comments.clear();
                }
                comments.push(self.b.text(child));
                let end = child.end_position();
                next_row = end.row + usize::from(end.column > 0);
                continue;
            }
            let is_above = row == next_row && !comments.is_empty();
            let doc = is_above.then(|| doc::plain_text(&comments));
            comments.clear();
            if child.kind_name() != "self_type" && child.kind_name() != "end_marker" {
                last = self.statement(child, doc.as_deref());
            }
        }
        last
    }

    /// A definition, or an expression, which is returned.
    fn statement(&mut self, node: Node<'_>, doc: Option<&str>) -> Option<ExprId> {
        if !self.b.enter_level() {
            return None;
        }
        let value = self.statement_inside(node, doc);
        self.b.leave_level();
        value
    }

    fn statement_inside(&mut self, node: Node<'_>, doc: Option<&str>) -> Option<ExprId> {
        match node.kind_name() {
            "package_clause" => self.package_clause(node, doc),
            "package_object" => self.package_object(node, doc),
            "import_declaration" => self.import_declaration(node),
            "export_declaration" | "annotation" => {}
            "class_definition" | "trait_definition" | "enum_definition" => self.class(node, doc),
            "object_definition" => self.object(node, doc),
            "enum_case_definitions" => self.enum_cases(node, doc),
            "given_definition" => self.given(node, doc),
            "extension_definition" => self.extension(node),
            "function_definition" | "function_declaration" => {
                self.function(node, doc, Vec::new());
            }
            "val_definition" | "var_definition" => self.value_definition(node, doc),
            "val_declaration" | "var_declaration" => self.value_declaration(node, doc),
            "type_definition" => self.type_alias(node, doc),
            "ERROR" => return self.body(node),
            _ => return Some(self.full(node)),
        }
        None
    }
}

/// The names that stand behind `var`, as the text shows them.
fn names_after_var(source: &str) -> FxHashSet<&str> {
    let mut names = FxHashSet::default();
    let mut rest = source;
    while let Some(at) = rest.find("var ") {
        rest = &rest[at + 4..];
        let name = rest.trim_start();
        let end = name.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
        names.insert(&name[..end.unwrap_or(name.len())]);
    }
    names
}

fn is_comment(node: Node<'_>) -> bool {
    matches!(node.kind_name(), "comment" | "block_comment")
}

/// The named children without comments.
fn parts(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    let children = node.named_children(&mut cursor);
    children.filter(|child| !is_comment(*child)).collect()
}

/// The first named child that is no comment.
fn first_part(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    let mut children = node.named_children(&mut cursor);
    children.find(|child| !is_comment(*child))
}

/// The named children of a kind.
fn children_of_kind<'t>(node: Node<'t>, kind: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    let children = node.named_children(&mut cursor);
    children.filter(|c| c.kind_name() == kind).collect()
}

/// The named nodes of a field.
fn field_nodes<'t>(node: Node<'t>, field: &'static str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    let found = node.fields(field, &mut cursor);
    found.filter(Node::is_named).collect()
}

/// Whether a node has an unnamed child with a given text.
fn has_word(node: Node<'_>, word: &str) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .any(|c| !c.is_named() && c.kind_name() == word)
}
