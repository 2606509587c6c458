//! Calls and paths.

use super::{Walker, children_of_kind, code_children};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    pub(super) fn call(&mut self, node: Node<'_>) -> ExprId {
        if let Some((argument, lambda)) = super::generic_calls::split_lambda(node)
            && let Some(call) = self.generic_call_at(argument, Some(lambda))
        {
            return call;
        }
        let Some(function) = super::first_code_child(node) else {
            return self.b.add_expr(Expr::Unknown);
        };
        let trailing = child_of_kind(node, "annotated_lambda");
        // `f(a) { … }` is one call, which the grammar reads as a call of `f(a)`.
        let is_split = trailing.is_some()
            && function.kind_name() == "call_expression"
            && child_of_kind(node, "value_arguments").is_none()
            && child_of_kind(function, "annotated_lambda").is_none();
        let call = if is_split { function } else { node };
        let Some(function) = super::first_code_child(call) else {
            return self.b.add_expr(Expr::Unknown);
        };
        let (callee, name) = self.callee(function);
        let type_args = child_of_kind(call, "type_arguments").map(|l| self.type_arguments(l));
        let label = name.map_or("", |name| self.b.text(name));
        let list = child_of_kind(call, "value_arguments");
        let mut args = list
            .map(|list| self.arguments_of(list, label))
            .unwrap_or_default();
        if let Some(lambda) = trailing {
            let lambda = self.trailing_lambda(lambda, label);
            args.push(self.b.add_expr(Expr::Borrowed(lambda)));
        }
        let type_args = type_args.unwrap_or_default().into();
        self.add_call(callee, args, type_args, name.unwrap_or(function))
    }

    pub(super) fn trailing_lambda(&mut self, node: Node<'_>, label: &'s str) -> ExprId {
        self.annotations_in(node);
        let written = child_of_kind(node, "label").map(|l| self.b.text(l).trim_end_matches('@'));
        match child_of_kind(node, "lambda_literal") {
            Some(lambda) if self.b.enter_level() => {
                let value = self.lambda(lambda, written.unwrap_or(label));
                self.b.leave_level();
                value
            }
            _ => self.b.add_expr(Expr::Unknown),
        }
    }

    pub(super) fn add_call(
        &mut self,
        callee: ExprId,
        args: Vec<ExprId>,
        type_args: Box<[TypeId]>,
        name_node: Node<'_>,
    ) -> ExprId {
        let argc = args.len();
        let literals = self.function_literals(&args);
        let call = self.b.add_expr(Expr::Call {
            callee,
            args: args.into(),
            type_args,
        });
        self.expect_literals(literals, call);
        self.b.add_call(call, CallKind::Call, argc, name_node);
        call
    }

    /// The callee of a call, and the node of its name.
    pub(super) fn callee<'t>(&mut self, function: Node<'t>) -> (ExprId, Option<Node<'t>>) {
        match function.kind_name() {
            "identifier" => (self.name_expr(function), Some(function)),
            "navigation_expression" => self.navigation(function),
            _ => (self.expr(function), None),
        }
    }

    /// `object.name`, and the node of the name. No reference is recorded for it.
    pub(super) fn navigation<'t>(&mut self, node: Node<'t>) -> (ExprId, Option<Node<'t>>) {
        let children = code_children(node);
        let (Some(object), Some(name_node)) = (children.first(), children.get(1)) else {
            return (self.b.add_expr(Expr::Unknown), None);
        };
        let object_expr = self.expr(*object);
        if super::word_child(node, "::").is_some() {
            if self.b.text(*name_node) == "class" {
                return (self.b.add_expr(Expr::Unknown), None);
            }
            return (self.reference_to_member(object_expr, *name_node), None);
        }
        let name = self.name(*name_node);
        let expr = self.b.add_expr(Expr::Member {
            object: object_expr,
            name,
        });
        (expr, Some(*name_node))
    }

    pub(super) fn arguments(&mut self, list: Node<'_>) -> Vec<ExprId> {
        self.arguments_of(list, "")
    }

    /// The arguments of a call of the function with that name.
    fn arguments_of(&mut self, list: Node<'_>, label: &'s str) -> Vec<ExprId> {
        let mut out = Vec::new();
        for argument in children_of_kind(list, "value_argument") {
            out.push(self.argument(argument, label));
        }
        out
    }

    fn argument(&mut self, node: Node<'_>, label: &'s str) -> ExprId {
        let children = code_children(node);
        let Some(value_node) = children.last().copied() else {
            return self.b.add_expr(Expr::Unknown);
        };
        let value = if value_node.kind_name() == "lambda_literal" && self.b.enter_level() {
            let value = self.lambda(value_node, label);
            self.b.leave_level();
            value
        } else {
            self.expr(value_node)
        };
        let is_spread = super::word_child(node, "*").is_some();
        let value = if is_spread {
            self.b.add_expr(Expr::Spread(value))
        } else {
            value
        };
        let is_named = super::word_child(node, "=").is_some();
        match children.first().filter(|_| is_named && children.len() > 1) {
            Some(name) => {
                let name = self.name(*name);
                self.b.add_expr(Expr::Keyword(name, value))
            }
            None => value,
        }
    }
}
