//! Facts of PHP files.
//!
//! Conventions of this language: a namespace is a definition and a scope, but not part of the names in it. Names of
//! classes are resolved here, since a file's own namespace and imports decide what they mean: a written type has the
//! whole name from the root ([`FILE_SCOPE`]). Variables keep their `$` where they are bound, so that they differ from
//! constants and functions. What a comment declares (`@property`, `@method`, `@mixin`) is a property without a node.

mod assignments;
mod calls;
mod checks;
mod classes;
mod creations;
mod docblock;
mod exprs;
mod flow;
mod functions;
mod headers;
mod imports;
mod members;
mod names;
mod statements;
mod traits;
mod types;

use crate::outline::doc;
use flow::Frame;
pub(super) use members::MIXIN;
use names::Names;
use syntax::builder::Builder;
use syntax::complexity::Rules;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// The grammar.
pub(super) fn grammar() -> tree_sitter::Language {
    grammars::PHP.language()
}

/// Reads a whole file.
pub(super) fn walk(builder: &mut Builder<'_>, root: Node<'_>) {
    let scope = builder.open_scope(ScopeKind::Block, None);
    let mut walker = Walker {
        b: builder,
        names: Names::default(),
        types: Vec::new(),
        frames: vec![Frame::new(scope)],
        templates: Vec::new(),
        declared: Vec::new(),
        has_file_namespace: false,
        next_variable: None,
    };
    walker.block(root);
    walker.close_namespace();
    walker.b.close_scope();
}

static RULES: Rules = Rules {
    nesting: &[
        "if_statement",
        "for_statement",
        "foreach_statement",
        "while_statement",
        "do_statement",
        "switch_statement",
        "match_expression",
        "conditional_expression",
        "catch_clause",
    ],
    no_path: &["switch_statement", "match_expression"],
    arms: &["case_statement", "match_conditional_expression"],
    elses: &["else_clause", "else_if_clause"],
    else_paths: &["else_if_clause"],
    logical: (&["binary_expression"], &["&&", "||", "and", "or", "??"]),
    jumps: &["goto_statement"],
    functions: &[
        "anonymous_function",
        "arrow_function",
        "function_definition",
        "method_declaration",
    ],
    words: &[
        "if", "for", "foreach", "while", "do", "switch", "match", "catch", "case", "else",
        "elseif", "goto", "and", "or", "function", "fn",
    ],
    signs: &["?", "&&", "||", "=>"],
};

/// An enclosing class, interface, trait or enum.
struct TypeFrame {
    def: DefId,
    is_trait: bool,
    /// The class that it extends.
    parent: Option<TypeId>,
    /// Values that its methods give to its properties.
    assigned: Vec<(NameId, ExprId)>,
}

/// The comments above a declaration.
#[derive(Clone, Copy, Default)]
struct LeadingComments<'a, 's> {
    comments: &'a [&'s str],
}

impl<'s> LeadingComments<'_, 's> {
    /// The description in plain text.
    fn text(&self) -> String {
        doc::plain_text(self.comments)
    }

    /// The last documentation comment.
    fn block(&self) -> Option<&'s str> {
        let last = self.comments.last()?;
        last.starts_with("/**").then_some(*last)
    }
}

/// Walks one file.
struct Walker<'b, 's> {
    b: &'b mut Builder<'s>,
    names: Names,
    /// The enclosing types, innermost last.
    types: Vec<TypeFrame>,
    /// The open functions, with the file's own code first.
    frames: Vec<Frame>,
    /// Type parameters of comments that are in force, with their scopes.
    templates: Vec<(NameId, ScopeId)>,
    /// Types that the comment above the current statement gives to variables.
    declared: Vec<(NameId, TypeId)>,
    /// The type that this comment gives to the variable of the next assignment.
    next_variable: Option<TypeId>,
    /// Whether the rest of the file is in a namespace.
    has_file_namespace: bool,
}

impl<'s> Walker<'_, 's> {
    fn current_type(&self) -> Option<DefId> {
        self.types.last().map(|t| t.def)
    }

    /// Statements and declarations, each with the comments right above it; returns whether control continues after
    /// them.
    fn block(&mut self, node: Node<'_>) -> bool {
        if !self.b.enter_level() {
            return true;
        }
        let mut comments: Vec<&'s str> = Vec::new();
        let (mut next_row, mut last_row) = (0, usize::MAX);
        let mut goes_on = true;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let row = child.start_position().row;
            if child.kind_name() == "comment" {
                // A comment behind code on its line belongs to that code.
                if row == last_row {
                    continue;
                }
                if row != next_row {
                    comments.clear();
                }
                comments.push(self.b.text(child));
                let end = child.end_position();
                next_row = end.row + usize::from(end.column > 0);
                continue;
            }
            if row != next_row {
                comments.clear();
            }
            last_row = child.end_position().row;
            let above = LeadingComments {
                comments: &comments,
            };
            goes_on &= self.declaration(child, above);
            comments.clear();
        }
        self.b.leave_level();
        goes_on
    }

    /// A statement or declaration; returns whether control continues after it.
    fn declaration(&mut self, node: Node<'_>, above: LeadingComments<'_, 's>) -> bool {
        if !self.b.enter_level() {
            return true;
        }
        let mut goes_on = true;
        match node.kind_name() {
            "namespace_definition" => self.namespace(node, above),
            "namespace_use_declaration" => self.use_declaration(node),
            "class_declaration"
            | "interface_declaration"
            | "trait_declaration"
            | "enum_declaration" => self.type_declaration(node, above),
            "function_definition" => self.function(node, above),
            "method_declaration" => self.method(node, above),
            "const_declaration" => self.constants(node, above),
            "property_declaration" => self.properties(node, above),
            "enum_case" => self.enum_case(node, above),
            "use_declaration" => {}
            _ => {
                self.declare_variables(node, above);
                goes_on = self.statement(node);
                self.declared.clear();
                self.next_variable = None;
            }
        }
        self.b.leave_level();
        goes_on
    }
}

/// Every named child that is no comment.
fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    let all = node.named_children(&mut cursor);
    all.filter(|c| c.kind_name() != "comment").collect()
}

/// The first named child that is no comment.
fn first_child(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .find(|c| c.kind_name() != "comment")
}

/// Every named child of that kind.
fn children_of_kind<'t>(node: Node<'t>, kind: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    let all = node.named_children(&mut cursor);
    all.filter(|c| c.kind_name() == kind).collect()
}

/// Whether a node has an unnamed child with that text.
fn has_word(node: Node<'_>, word: &str) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|c| c.kind_name() == word)
}

/// Whether a node is a name of a class, function or constant.
fn is_name(node: Node<'_>) -> bool {
    matches!(
        node.kind_name(),
        "name" | "qualified_name" | "relative_name"
    )
}

fn start(node: Node<'_>) -> u32 {
    node.start_byte() as u32
}

fn end(node: Node<'_>) -> u32 {
    node.end_byte() as u32
}
