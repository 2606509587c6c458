//! Blocks, `let`, control flow and closures: everything that opens a scope inside a function.

use super::items::PendingAttributes;
use super::{RULES, Walker, first_child, is_comment_or_attribute};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    /// Reads a list of statements and items in the current scope; returns the tail expression.
    pub(super) fn visit_statements(&mut self, node: Node<'_>) -> Option<ExprId> {
        let mut pending = PendingAttributes::default();
        let mut tail = None;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind_name() {
                "line_comment" | "block_comment" => {
                    self.push_doc_comment(child, &mut pending);
                    continue;
                }
                "attribute_item" => {
                    self.push_attribute(child, &mut pending);
                    continue;
                }
                "inner_attribute_item" | "label" | "empty_statement" | "shebang" => continue,
                "let_declaration" => {
                    self.let_declaration(child);
                    tail = None;
                }
                "expression_statement" => tail = self.expression_statement(child, &mut pending),
                _ if self.visit_item(child, &mut pending) => tail = None,
                _ => tail = Some(self.expr(child)),
            }
            pending = PendingAttributes::default();
        }
        tail
    }

    fn expression_statement(
        &mut self,
        node: Node<'_>,
        pending: &mut PendingAttributes<'s>,
    ) -> Option<ExprId> {
        let inner = first_child(node)?;
        if inner.kind_name() == "macro_invocation" && self.visit_item(inner, pending) {
            return None;
        }
        let value = self.expr(inner);
        let ended = self.b.text(node).ends_with(';');
        (!ended).then_some(value)
    }

    /// Reads a block in a scope of its own; returns the value of its tail.
    pub(super) fn visit_block(&mut self, node: Node<'_>) -> ExprId {
        self.b.open_scope(ScopeKind::Block, None);
        let tail = self.visit_statements(node);
        self.b.close_scope();
        tail.unwrap_or(self.unknown)
    }

    fn let_declaration(&mut self, node: Node<'_>) {
        let ty = node.field("type").map(|t| self.ty(t));
        let value = node.field("value").map(|v| self.expr(v));
        if let Some(alternative) = node.field("alternative") {
            self.visit_block(alternative);
        }
        let Some(pattern) = node.field("pattern") else {
            return;
        };
        let from = node.end_byte() as u32;
        let value = value.unwrap_or(self.unknown);
        match (self.plain_identifier(pattern), ty) {
            (Some(identifier), _) => self.bind_local(identifier, ty, value, from),
            (None, Some(ty)) => {
                let value = self.b.add_expr(Expr::Cast(value, ty));
                self.pattern(pattern, value, from);
            }
            (None, None) => self.pattern(pattern, value, from),
        }
    }

    /// A condition. The names that its `let` patterns bind are visible from there to the end of the open scope.
    fn visit_condition(&mut self, node: Node<'_>) {
        match node.kind_name() {
            "let_chain" => {
                let mut cursor = node.walk();
                for child in node.named_children(&mut cursor) {
                    self.visit_condition(child);
                }
            }
            "let_condition" => {
                let value = match node.field("value") {
                    Some(value) => self.expr(value),
                    None => self.unknown,
                };
                if let Some(pattern) = node.field("pattern") {
                    self.pattern(pattern, value, node.end_byte() as u32);
                }
            }
            kind if is_comment_or_attribute(kind) => {}
            _ => {
                self.expr(node);
            }
        }
    }

    pub(super) fn if_expression(&mut self, node: Node<'_>) -> ExprId {
        self.b.open_scope(ScopeKind::Block, None);
        if let Some(condition) = node.field("condition") {
            self.visit_condition(condition);
        }
        let mut arms = Vec::new();
        if let Some(body) = node.field("consequence") {
            arms.push(self.visit_block(body));
        }
        self.b.close_scope();
        if let Some(alternative) = node.field("alternative")
            && let Some(inner) = first_child(alternative)
        {
            arms.push(self.expr(inner));
        }
        self.either_expr(arms)
    }

    /// One of several values; unknown ones do not count.
    pub(super) fn either_expr(&mut self, mut values: Vec<ExprId>) -> ExprId {
        values.retain(|v| *v != self.unknown);
        match values.as_slice() {
            [] => self.unknown,
            [one] => *one,
            _ => self.b.add_expr(Expr::Either(values.into())),
        }
    }

    pub(super) fn match_expression(&mut self, node: Node<'_>) -> ExprId {
        let value = match node.field("value") {
            Some(value) => self.expr(value),
            None => self.unknown,
        };
        let mut arms = Vec::new();
        if let Some(body) = node.field("body") {
            let mut cursor = body.walk();
            for arm in body.named_children(&mut cursor) {
                if arm.kind_name() == "match_arm" {
                    arms.push(self.match_arm(arm, value));
                }
            }
        }
        self.either_expr(arms)
    }

    pub(super) fn match_arm(&mut self, arm: Node<'_>, value: ExprId) -> ExprId {
        self.b.open_scope(ScopeKind::Block, None);
        if let Some(pattern) = arm.field("pattern") {
            let condition = pattern.field("condition");
            if let Some(inner) = first_child(pattern)
                && Some(inner) != condition
            {
                self.pattern(inner, value, 0);
            }
            if let Some(condition) = condition {
                self.visit_condition(condition);
            }
        }
        let out = match arm.field("value") {
            Some(value) => self.expr(value),
            None => self.unknown,
        };
        self.b.close_scope();
        out
    }

    pub(super) fn while_expression(&mut self, node: Node<'_>) {
        self.b.open_scope(ScopeKind::Block, None);
        if let Some(condition) = node.field("condition") {
            self.visit_condition(condition);
        }
        if let Some(body) = node.field("body") {
            self.visit_block(body);
        }
        self.b.close_scope();
    }

    pub(super) fn for_expression(&mut self, node: Node<'_>) {
        let value = match node.field("value") {
            Some(value) => self.expr(value),
            None => self.unknown,
        };
        self.b.open_scope(ScopeKind::Block, None);
        if let Some(pattern) = node.field("pattern") {
            let element = self.b.add_expr(Expr::Element(value));
            self.pattern(pattern, element, 0);
        }
        if let Some(body) = node.field("body") {
            self.visit_statements(body);
        }
        self.b.close_scope();
    }

    /// A closure, as an anonymous function. `argument_of` is set if it is an argument.
    pub(super) fn visit_closure(
        &mut self,
        node: Node<'_>,
        argument_of: Option<(ExprId, u32)>,
    ) -> ExprId {
        let name = self.b.intern_owned_name("<anonymous>");
        let id = self.b.add_def(name, SymbolKind::Function, node, node);
        let is_async = self.b.text(node).starts_with("async");
        let def = self.b.def_mut(id);
        def.flags.set(DefFlags::ANONYMOUS);
        def.flags.set(DefFlags::LOCAL);
        if is_async {
            def.flags.set(DefFlags::ASYNC);
        }
        self.b.open_def(id, ScopeKind::Function);
        self.functions += 1;
        let params = self.visit_parameters(node, id);
        let ret = node.field("return_type").map(|r| self.ty(r));
        self.returns.push(ret.is_none().then(Vec::new));
        let body = node.field("body");
        let value = body.map(|b| match b.kind_name() {
            "block" => self.visit_statements(b).unwrap_or(self.unknown),
            _ => self.expr(b),
        });
        let mut returns = self.returns.pop().flatten().unwrap_or_default();
        if let Some(value) = value
            && ret.is_none()
        {
            returns.insert(0, value);
            returns.truncate(8);
        }
        self.b.def_mut(id).callable = Some(Box::new(Callable {
            params,
            ret,
            returns,
            argument_of,
            ..Callable::default()
        }));
        if let Some(body) = body {
            self.b.set_complexity(id, body, &RULES);
        }
        self.functions -= 1;
        self.b.close_def();
        self.b.add_expr(Expr::Function(id))
    }

    pub(super) fn return_expression(&mut self, node: Node<'_>) {
        let Some(inner) = first_child(node) else {
            return;
        };
        let value = self.expr(inner);
        if let Some(Some(returns)) = self.returns.last_mut() {
            returns.push(value);
        }
    }
}
