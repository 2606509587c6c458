//! Statements: blocks, control flow, loops.

use super::Walker;
use super::narrow::Narrowing;
use base::MarkKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'t> Walker<'_, '_, 't> {
    /// The statements in a program, block or case.
    pub(super) fn visit_statements(&mut self, node: Node<'t>) {
        let mut cursor = node.walk();
        self.doc = None;
        for child in node.named_children(&mut cursor) {
            if child.kind_name() == "comment" {
                self.collect_comment(child);
            } else {
                self.statement(child);
                self.doc = None;
            }
        }
    }

    /// A statement; if it nests too deeply, it is skipped.
    pub(super) fn statement(&mut self, node: Node<'t>) {
        if !self.b.enter_level() {
            return;
        }
        let loops = self.loops.len();
        if matches!(
            node.kind_name(),
            "for_statement" | "for_in_statement" | "while_statement" | "do_statement"
        ) {
            self.loops.push(node.start_byte() as u32);
        }
        match node.kind_name() {
            "statement_block" => self.block(node, &[]),
            "if_statement" => self.if_statement(node),
            "for_statement" => self.for_statement(node),
            "for_in_statement" => self.for_in_statement(node),
            "while_statement" => self.while_statement(node),
            "try_statement" | "finally_clause" | "do_statement" | "labeled_statement"
            | "with_statement" | "else_clause" => self.visit_statements(node),
            "catch_clause" => self.catch_clause(node),
            "switch_statement" => self.switch_statement(node),
            "return_statement" => self.return_statement(node),
            "statement_identifier"
            | "hash_bang_line"
            | "empty_statement"
            | "debugger_statement"
            | "break_statement"
            | "continue_statement" => {}
            "expression_statement" => self.expressions(node),
            "throw_statement" => {
                self.mark_throw(node);
                self.expressions(node);
            }
            "ERROR" => self.visit_statements(node),
            _ if self.visit_declaration(node, node, DefFlags::default()) => {}
            _ => {
                self.expr(node);
            }
        }
        self.loops.truncate(loops);
        self.b.leave_level();
    }

    /// Every expression under a node.
    pub(super) fn expressions(&mut self, node: Node<'t>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind_name() {
                "comment" => {}
                "internal_module" | "module" => {
                    self.visit_declaration(child, node, DefFlags::default());
                }
                _ => {
                    self.expr(child);
                }
            }
        }
    }

    /// A statement in a scope of its own, in which names are narrowed.
    pub(super) fn block(&mut self, node: Node<'t>, narrowed: &[Narrowing<'t>]) {
        self.b.open_scope(ScopeKind::Block, None);
        let scope = self.b.current_scope();
        self.apply_narrowing(narrowed, scope, 0);
        match node.kind_name() {
            "statement_block" => self.visit_statements(node),
            _ => self.statement(node),
        }
        self.b.close_scope();
    }

    fn if_statement(&mut self, node: Node<'t>) {
        let condition = node.field("condition");
        let consequence = node.field("consequence");
        if let Some(condition) = condition {
            self.expr(condition);
        }
        let when_true = self.narrowings_where(condition, true);
        let when_false = self.narrowings_where(condition, false);
        if let Some(consequence) = consequence {
            self.block(consequence, &when_true);
        }
        let alternative = node.field("alternative");
        if let Some(statement) = alternative.and_then(|a| a.named_child(0)) {
            self.block(statement, &when_false);
        } else if consequence.is_some_and(never_completes) {
            let scope = self.b.current_scope();
            self.apply_narrowing(&when_false, scope, node.end_byte() as u32);
        }
    }

    fn while_statement(&mut self, node: Node<'t>) {
        let condition = node.field("condition");
        if let Some(condition) = condition {
            self.expr(condition);
        }
        let narrowed = self.narrowings_where(condition, true);
        if let Some(body) = node.field("body") {
            self.block(body, &narrowed);
        }
    }

    fn for_statement(&mut self, node: Node<'t>) {
        self.b.open_scope(ScopeKind::Block, None);
        for field in ["initializer", "condition", "increment", "body"] {
            if let Some(part) = node.field(field) {
                self.statement(part);
            }
        }
        self.b.close_scope();
    }

    fn for_in_statement(&mut self, node: Node<'t>) {
        let of = node
            .field("operator")
            .is_some_and(|o| o.kind_name() == "of");
        let value = match node.field("right") {
            Some(right) => {
                let over = self.expr(right);
                if of {
                    self.b.add_expr(Expr::Element(over))
                } else {
                    self.literal(Primitive::String)
                }
            }
            None => self.unknown,
        };
        let value = if super::has_token(node, "await") {
            self.b.add_expr(Expr::Await(value))
        } else {
            value
        };
        let kind = node.field("kind").map(|k| k.kind_name());
        self.b.open_scope(ScopeKind::Block, None);
        if let Some(left) = node.field("left") {
            match kind {
                Some("var") => self.bind_pattern_in(left, None, Some(value), self.var_scope()),
                Some(_) => self.bind_pattern_in(left, None, Some(value), self.b.current_scope()),
                None => self.assign_pattern(left, value),
            }
        }
        if let Some(body) = node.field("body") {
            self.statement_or_block(body);
        }
        self.b.close_scope();
    }

    /// The body of a loop whose scope is already open.
    fn statement_or_block(&mut self, body: Node<'t>) {
        match body.kind_name() {
            "statement_block" => self.visit_statements(body),
            _ => self.statement(body),
        }
    }

    /// An error that is created where it is thrown.
    fn mark_throw(&mut self, node: Node<'t>) {
        let mut cursor = node.walk();
        let made = node
            .named_children(&mut cursor)
            .find(|c| c.kind_name() == "new_expression");
        if let Some(made) = made {
            self.b
                .add_file_mark(MarkKind::Throw, made.field("constructor"), node);
        }
    }

    fn mark_catch(&mut self, node: Node<'t>, parameter: Option<Node<'t>>) {
        let kind = match parameter {
            Some(_) => MarkKind::Catch,
            None => MarkKind::CatchAll,
        };
        let name = parameter.filter(|p| p.kind_name() == "identifier");
        self.b.add_file_mark(kind, name, node);
    }

    fn catch_clause(&mut self, node: Node<'t>) {
        self.b.open_scope(ScopeKind::Block, None);
        self.mark_catch(node, node.field("parameter"));
        if let Some(parameter) = node.field("parameter") {
            let ty = node.field("type").map(|t| self.ty(t));
            let scope = self.b.current_scope();
            self.bind_pattern_in(parameter, ty, None, scope);
        }
        if let Some(body) = node.field("body") {
            self.visit_statements(body);
        }
        self.b.close_scope();
    }

    fn switch_statement(&mut self, node: Node<'t>) {
        if let Some(value) = node.field("value") {
            self.expr(value);
        }
        let Some(body) = node.field("body") else {
            return;
        };
        self.b.open_scope(ScopeKind::Block, None);
        let mut cursor = body.walk();
        for case in body.named_children(&mut cursor) {
            if let Some(value) = case.field("value") {
                self.expr(value);
            }
            let mut inner = case.walk();
            for statement in case.fields("body", &mut inner) {
                if statement.is_named() {
                    self.statement(statement);
                }
            }
        }
        self.b.close_scope();
    }

    fn return_statement(&mut self, node: Node<'t>) {
        const MOST: usize = 8;
        let mut cursor = node.walk();
        let value = node
            .named_children(&mut cursor)
            .find(|c| c.kind_name() != "comment");
        let Some(value) = value else { return };
        let value = self.visit_returned_expr(value);
        let returns = self.frames.last_mut().and_then(|f| f.returns.as_mut());
        if let Some(returns) = returns.filter(|r| r.len() < MOST) {
            returns.push(value);
        }
    }

    pub(super) fn var_scope(&self) -> ScopeId {
        self.frames.last().map_or(FILE_SCOPE, |f| f.var_scope)
    }
}

/// Whether control never continues after a statement.
fn never_completes(mut node: Node<'_>) -> bool {
    while node.kind_name() == "statement_block" {
        let last = node.named_child_count().checked_sub(1);
        match last.and_then(|i| node.named_child(i as u32)) {
            Some(last) => node = last,
            None => return false,
        }
    }
    matches!(
        node.kind_name(),
        "return_statement" | "throw_statement" | "continue_statement" | "break_statement"
    )
}
