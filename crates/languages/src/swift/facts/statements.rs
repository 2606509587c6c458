//! Statements: scopes, loops, branches, returned values, errors.

use super::types::is_type;
use super::{
    Expected, FunctionFrame, Walker, children_of_kind, children_with_fields, named_children,
};
use base::MarkKind;
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// Maximum number of branches that contribute to the type of a value.
const MAX_BRANCHES: usize = 8;

impl<'s> Walker<'_, 's> {
    pub(super) fn statement(&mut self, node: Node<'_>) {
        match node.kind_name() {
            "if_statement" => {
                self.if_branches(node, Expected::Nothing);
            }
            "guard_statement" => self.guard(node),
            "while_statement" => {
                self.in_block(|walker| {
                    walker.conditions(node);
                    walker.branch(node, Expected::Nothing);
                });
            }
            "repeat_while_statement" => {
                self.in_block(|walker| {
                    walker.branch(node, Expected::Nothing);
                });
                if let Some(condition) = node.field("condition") {
                    self.expr(condition);
                }
            }
            "for_statement" => self.for_loop(node),
            "switch_statement" => {
                self.switch_branches(node, Expected::Nothing);
            }
            "do_statement" => self.do_block(node),
            "control_transfer_statement" => self.transfer(node),
            "attribute" | "modifiers" | "directive" | "diagnostic" | "where_keyword"
            | "shebang_line" | "discard_statement" => {}
            kind if is_type(kind) => {
                self.ty(node);
            }
            _ => {
                self.expr(node);
            }
        }
    }

    /// The statements of a branch, and its value if it is a single expression.
    fn branch(&mut self, node: Node<'_>, expected: Expected) -> Option<ExprId> {
        let statements = child_of_kind(node, "statements")?;
        self.block_body(statements, expected)
    }

    /// The branches of `if`. A chain of `else if` is read in a loop, since it can be long.
    fn if_branches(&mut self, node: Node<'_>, expected: Expected) -> Vec<ExprId> {
        let mut values = Vec::new();
        let mut node = node;
        loop {
            self.in_block(|walker| {
                walker.conditions(node);
                values.extend(walker.branch(node, expected));
            });
            let mut cursor = node.walk();
            let behind: Vec<Node<'_>> = node
                .named_children(&mut cursor)
                .skip_while(|c| c.kind_name() != "else")
                .skip(1)
                .filter(|c| !super::is_comment(*c))
                .collect();
            match behind.first() {
                Some(next) if next.kind_name() == "if_statement" => node = *next,
                Some(last) => {
                    self.in_block(|walker| {
                        values.extend(walker.block_body(*last, expected));
                    });
                    return values;
                }
                None => return values,
            }
        }
    }

    /// Runs `read` in a scope of its own. The frame of a closure stays the innermost one, so that its results are seen.
    fn in_block(&mut self, read: impl FnOnce(&mut Self)) {
        let is_outside = self.frames.is_empty();
        if is_outside {
            self.frames.push(FunctionFrame::Function(None));
        }
        self.b.open_scope(ScopeKind::Block, None);
        read(self);
        self.b.close_scope();
        if is_outside {
            self.frames.pop();
        }
    }

    /// `if` as a value.
    pub(super) fn if_value(&mut self, node: Node<'_>, expected: Expected) -> ExprId {
        let values = self.if_branches(node, expected);
        self.one_of(values)
    }

    /// `switch` as a value.
    pub(super) fn switch_value(&mut self, node: Node<'_>, expected: Expected) -> ExprId {
        let values = self.switch_branches(node, expected);
        self.one_of(values)
    }

    fn one_of(&mut self, mut values: Vec<ExprId>) -> ExprId {
        values.truncate(MAX_BRANCHES);
        self.b.add_expr(Expr::Either(values.into()))
    }

    /// `guard`. Its variables are seen behind it.
    fn guard(&mut self, node: Node<'_>) {
        self.conditions(node);
        self.in_block(|walker| {
            walker.branch(node, Expected::Nothing);
        });
    }

    fn for_loop(&mut self, node: Node<'_>) {
        let collection = node.field("collection").map(|c| self.expr(c));
        self.in_block(|walker| {
            let mut element = match collection {
                Some(collection) => walker.b.add_expr(Expr::Element(collection)),
                None => walker.b.add_expr(Expr::Unknown),
            };
            if let Some(written) = child_of_kind(node, "type_annotation")
                && let Some(ty) = walker.annotation(written)
            {
                element = walker.b.add_expr(Expr::Cast(element, ty));
            }
            if let Some(pattern) = node.field("item") {
                let is_case = super::children(pattern)
                    .iter()
                    .any(|c| c.kind_name() == "case");
                if is_case {
                    walker.pattern(pattern, element);
                } else {
                    walker.bind_pattern(pattern, element, pattern.start_byte() as u32);
                }
            }
            if let Some(condition) = child_of_kind(node, "where_clause") {
                walker.unknown(condition);
            }
            walker.branch(node, Expected::Nothing);
        });
    }

    fn switch_branches(&mut self, node: Node<'_>, expected: Expected) -> Vec<ExprId> {
        let value = match node.field("expr") {
            Some(value) => self.expr(value),
            None => self.b.add_expr(Expr::Unknown),
        };
        let mut values = Vec::new();
        for entry in children_of_kind(node, "switch_entry") {
            self.in_block(|walker| {
                for child in named_children(entry) {
                    match child.kind_name() {
                        "switch_pattern" => {
                            if let Some(pattern) = child.named_child(0) {
                                walker.pattern(pattern, value);
                            }
                        }
                        "statements" => values.extend(walker.block_body(child, expected)),
                        "modifiers" | "default_keyword" | "where_keyword" => {}
                        _ => {
                            walker.expr(child);
                        }
                    }
                }
            });
        }
        values
    }

    fn do_block(&mut self, node: Node<'_>) {
        self.in_block(|walker| {
            walker.branch(node, Expected::Nothing);
        });
        for caught in children_of_kind(node, "catch_block") {
            self.in_block(|walker| walker.catch(caught));
        }
    }

    fn catch(&mut self, node: Node<'_>) {
        let name = self.b.intern_name("error");
        let written = self.b.intern_name("Error");
        let scope = self.b.current_scope();
        let ty = self.b.add_type(TypeExpr::Named {
            path: [written].into(),
            args: Box::default(),
            scope,
            at: node.start_byte() as u32,
        });
        let unknown = self.b.add_expr(Expr::Unknown);
        let error = self.b.add_expr(Expr::Cast(unknown, ty));
        let to = Bound::Local {
            ty: Some(ty),
            value: None,
        };
        self.b.bind(name, Namespace::VALUE, to);
        let pattern = node.field("error");
        if let Some(pattern) = pattern {
            self.pattern(pattern, error);
        }
        self.b.add_file_mark(MarkKind::Catch, pattern, node);
        if let Some(condition) = child_of_kind(node, "where_clause") {
            self.unknown(condition);
        }
        self.branch(node, Expected::Nothing);
    }

    /// `return`, `throw`, `break` and the like.
    fn transfer(&mut self, node: Node<'_>) {
        let is_throw = child_of_kind(node, "throw_keyword").is_some();
        let word = node.child(0).map_or("", |c| c.kind_name());
        if is_throw {
            self.b.add_file_mark(MarkKind::Throw, None, node);
        }
        if matches!(word, "break" | "continue") {
            return;
        }
        for (child, field) in children_with_fields(node) {
            if !child.is_named() || child.kind_name() == "throw_keyword" {
                continue;
            }
            if field == "result" && word == "return" {
                self.returned(child);
            } else {
                self.expr(child);
            }
        }
    }

    fn returned(&mut self, node: Node<'_>) {
        let expected = match self.frames.last() {
            Some(FunctionFrame::Function(Some(ret))) => Expected::Type(*ret),
            Some(FunctionFrame::Closure(frame)) => frame.expected,
            _ => Expected::Nothing,
        };
        let value = self.expr_expecting(node, expected);
        if let Some(FunctionFrame::Closure(frame)) = self.frames.last_mut() {
            frame.returns.push(value);
        }
    }
}
