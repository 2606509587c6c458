//! Facts of Ruby files.
//!
//! Conventions of this language: a class or module is a definition for each place where it is opened, and the path behind
//! `class` is its [`Def::ty`]. Methods of the class itself are static. Instance, class and global variables are fields with
//! their signs. A local variable is the expression that was assigned to it last, so reading one adds nothing. A call without
//! a receiver is an [`Expr::Scoped`] on `self`, one with a receiver an [`Expr::Member`]. A block is a function without a name
//! whose value is the call that it is given to. What a class takes over with `extend` and `prepend` are properties without a
//! node. A group of examples is a class without a name.

mod assignments;
mod blocks;
mod branches;
mod calls;
mod classes;
mod comments;
mod context;
mod examples;
mod exprs;
mod flow;
mod made;
mod methods;
mod mixins;
mod patterns;
mod requires;
mod types;

pub(super) use context::{EXTENDED, GLOBAL_MIXIN, INCLUDED, PREPENDED};

use context::{Context, Own};
use flow::Frame;
use syntax::builder::Builder;
use syntax::complexity::Rules;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Reads a whole file.
pub(super) fn walk(builder: &mut Builder<'_>, root: Node<'_>) {
    let scope = builder.open_scope(ScopeKind::Block, None);
    let unknown = builder.add_expr(Expr::Unknown);
    let fuel = FUEL_OF_A_BYTE * builder.source.len().max(LEAST_SOURCE);
    let mut walker = Walker {
        b: builder,
        contexts: vec![Context::new(None, FILE_SCOPE)],
        frames: vec![Frame::new(scope, Own::Main)],
        unknown,
        fuel,
        signature: None,
        tag_lines: Vec::new(),
        leading: (Vec::new(), 0),
    };
    walker.statements(root);
    walker.close_context();
    walker.b.close_scope();
}

/// Changes of variables that joining branches may copy, for each byte of a source.
const FUEL_OF_A_BYTE: usize = 16;
const LEAST_SOURCE: usize = 1_000;

static RULES: Rules = Rules {
    nesting: &[
        "if",
        "unless",
        "while",
        "until",
        "for",
        "case",
        "case_match",
        "conditional",
        "if_modifier",
        "unless_modifier",
        "while_modifier",
        "until_modifier",
        "rescue",
        "rescue_modifier",
    ],
    no_path: &["case", "case_match"],
    arms: &["when", "in_clause"],
    elses: &["elsif", "else"],
    else_paths: &["elsif"],
    logical: (&["binary"], &["&&", "||", "and", "or"]),
    jumps: &[],
    functions: &["lambda", "method", "singleton_method"],
    words: &[
        "if", "unless", "while", "until", "for", "case", "when", "in", "elsif", "else", "rescue",
        "and", "or", "lambda", "def",
    ],
    signs: &["?", "&&", "||", "->"],
};

/// Walks one file.
struct Walker<'b, 's> {
    b: &'b mut Builder<'s>,
    /// The enclosing classes, with the file first.
    contexts: Vec<Context>,
    /// The open methods, with the file's own code first.
    frames: Vec<Frame>,
    /// The expression of which nothing is known.
    unknown: ExprId,
    /// What is left of the work of joining branches.
    fuel: usize,
    /// The `sig` before the next method.
    signature: Option<types::Signature>,
    /// The lines of the comment above the current statement.
    tag_lines: Vec<&'s str>,
    /// Comments before the first statement of the next body, and the row behind them: they stand outside of the body.
    leading: (Vec<&'s str>, usize),
}

impl<'s> Walker<'_, 's> {
    /// Statements, each with the comment right above it; returns the value of the last one.
    fn statements(&mut self, node: Node<'_>) -> ExprId {
        let mut cursor = node.walk();
        let all: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        self.statement_list(&all)
    }

    fn statement_list(&mut self, all: &[Node<'_>]) -> ExprId {
        let mut value = self.unknown;
        if !self.b.enter_level() {
            return value;
        }
        let (mut comments, mut next_row) = std::mem::take(&mut self.leading);
        let mut last_row = usize::MAX;
        for child in all {
            let row = child.start_position().row;
            match child.kind_name() {
                "comment" => {
                    // A comment behind code on its line belongs to that code.
                    if row == last_row {
                        continue;
                    }
                    if row != next_row {
                        comments.clear();
                    }
                    comments.push(self.b.text(*child));
                    let end = child.end_position();
                    next_row = end.row + usize::from(end.column > 0);
                    continue;
                }
                "heredoc_body" => {
                    self.children_of(*child);
                    continue;
                }
                _ => {}
            }
            if row != next_row {
                comments.clear();
            }
            last_row = child.end_position().row;
            self.tag_lines = std::mem::take(&mut comments);
            value = self.expr(*child);
            self.tag_lines.clear();
        }
        self.b.leave_level();
        value
    }

    /// Reads the body of a class with the comment before its first statement.
    fn body_with_comments(&mut self, node: Node<'_>, body: Node<'_>) {
        let mut cursor = node.walk();
        let before = node.named_children(&mut cursor);
        let before = before.take_while(|child| *child != body);
        let comments: Vec<Node<'_>> = before.filter(|c| c.kind_name() == "comment").collect();
        let (mut lines, mut next_row) = (Vec::new(), 0);
        let first_row = node.start_position().row;
        for comment in comments {
            // A comment behind the name of the class is none of its first member.
            if comment.start_position().row == first_row {
                continue;
            }
            if comment.start_position().row != next_row {
                lines.clear();
            }
            lines.push(self.b.text(comment));
            let end = comment.end_position();
            next_row = end.row + usize::from(end.column > 0);
        }
        self.leading = (lines, next_row);
        self.expr(body);
        self.leading = (Vec::new(), 0);
    }

    /// Reads every child for its calls.
    fn children_of(&mut self, node: Node<'_>) {
        if !self.b.enter_level() {
            return;
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if child.kind_name() != "comment" {
                self.expr(child);
            }
        }
        self.b.leave_level();
    }

    /// Reads a node that may be missing.
    fn expr_or_unknown(&mut self, node: Option<Node<'_>>) -> ExprId {
        match node {
            Some(node) => self.expr(node),
            None => self.unknown,
        }
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

/// The line on which a node begins, from 1.
fn line(node: Node<'_>) -> u32 {
    node.start_position().row as u32 + 1
}
