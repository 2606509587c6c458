//! Statements: the scopes they open, the names they bind, the targets they write to.

use super::{NameKind, Walker, named_parts, strip_parentheses};
use base::MarkKind;
use rustc_hash::FxHashSet;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    /// Reads every child as a statement, including those in ERROR nodes.
    pub(super) fn visit_children(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.visit_statement(child);
        }
    }

    /// A statement, or any other node in the place of one.
    pub(super) fn visit_statement(&mut self, node: Node<'_>) {
        if !self.b.enter_level() {
            return;
        }
        match node.kind_name() {
            "comment"
            | "label_name"
            | "break_statement"
            | "continue_statement"
            | "goto_statement"
            | "fallthrough_statement"
            | "empty_statement" => {}
            "block" => {
                self.open_block();
                self.visit_children(node);
                self.close_block();
            }
            "short_var_declaration" => self.short_declaration(node),
            "assignment_statement" => self.assignment(node),
            "inc_statement" | "dec_statement" => {
                if let Some(target) = node.named_child(0) {
                    self.visit_assignment_target(target);
                }
            }
            "if_statement" => self.if_statement(node),
            "for_statement" => self.for_statement(node),
            "expression_switch_statement" | "select_statement" => self.visit_switch(node),
            "type_switch_statement" => self.type_switch(node),
            "receive_statement" => self.visit_receive(node),
            "type_identifier" | "qualified_type" | "generic_type" | "pointer_type"
            | "slice_type" | "array_type" | "map_type" | "channel_type" | "function_type" => {
                self.lower_type(node);
            }
            "package_clause"
            | "import_declaration"
            | "function_declaration"
            | "method_declaration"
            | "const_declaration"
            | "var_declaration"
            | "type_declaration" => self.visit_top_level(node, None),
            "ERROR"
            | "statement_list"
            | "expression_statement"
            | "return_statement"
            | "go_statement"
            | "defer_statement"
            | "send_statement"
            | "labeled_statement"
            | "expression_list"
            | "parameter_list"
            | "argument_list" => self.visit_children(node),
            _ => {
                self.expr(node);
            }
        }
        self.b.leave_level();
    }

    fn short_declaration(&mut self, node: Node<'_>) {
        let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
            return self.visit_children(node);
        };
        let names = named_parts(left);
        let values = self.visit_value_list(right, names.len());
        self.bind_declared(&names, &values, node.end_byte() as u32);
    }

    /// Binds the names that `:=` declares; names that the scope already has are assigned to.
    fn bind_declared(&mut self, names: &[Node<'_>], values: &[Option<ExprId>], from: u32) {
        for (i, node) in names.iter().enumerate() {
            if node.kind_name() != "identifier" {
                self.visit_statement(*node);
                continue;
            }
            let name = self.b.intern_node_text(*node);
            if self.b.text(*node) == "_" || self.is_bound_in_innermost(name) {
                continue;
            }
            let value = values.get(i).copied().flatten();
            let to = Bound::Local { ty: None, value };
            self.bind_local(name, from, to, NameKind::Value);
        }
    }

    fn assignment(&mut self, node: Node<'_>) {
        if let Some(right) = node.field("right") {
            self.visit_children(right);
        }
        if let Some(left) = node.field("left") {
            for target in named_parts(left) {
                self.visit_assignment_target(target);
            }
        }
    }

    /// The target of an assignment. Assigning to an element writes to its container.
    fn visit_assignment_target(&mut self, target: Node<'_>) {
        let target = strip_parentheses(target);
        match target.kind_name() {
            "identifier" => {
                let name = self.b.intern_node_text(target);
                if self.find_local(name).is_none() && self.b.text(target) != "_" {
                    let expr = self.b.add_name_expr(target);
                    self.b.add_write(expr, target);
                }
            }
            "selector_expression" => {
                if let Some((expr, field)) = self.member(target) {
                    self.b.add_write(expr, field);
                }
            }
            "index_expression" => {
                if let Some(index) = target.field("index") {
                    self.expr(index);
                }
                if let Some(operand) = target.field("operand")
                    && self.b.enter_level()
                {
                    self.visit_assignment_target(operand);
                    self.b.leave_level();
                }
            }
            _ => {
                self.expr(target);
            }
        }
    }

    /// `if err != nil { return … }`: records whether `err` is returned unchanged, or as part of another value.
    fn mark_error_return(&mut self, node: Node<'_>) {
        let condition = node
            .field("condition")
            .filter(|c| self.b.text(*c) == "err != nil");
        let block = condition.and_then(|_| node.field("consequence"));
        let Some(first) = block
            .and_then(first_statement)
            .filter(|s| s.kind_name() == "return_statement")
        else {
            return;
        };
        let Some(last) = named_parts(first)
            .last()
            .and_then(|list| named_parts(*list).last().copied())
        else {
            return;
        };
        match last.kind_name() {
            "identifier" if self.b.text(last) == "err" => {
                self.b.add_file_mark(MarkKind::ReturnPlain, None, first);
            }
            "call_expression"
                if last
                    .field("arguments")
                    .is_some_and(|list| self.has_err(list)) =>
            {
                self.b.add_file_mark(MarkKind::ReturnWrapped, None, first);
            }
            _ => {}
        }
    }

    /// Whether one of the arguments is `err`.
    pub(super) fn has_err(&self, list: Node<'_>) -> bool {
        let mut cursor = list.walk();
        list.named_children(&mut cursor)
            .any(|argument| argument.kind_name() == "identifier" && self.b.text(argument) == "err")
    }

    fn if_statement(&mut self, node: Node<'_>) {
        self.mark_error_return(node);
        self.open_block();
        for field in ["initializer", "condition", "consequence", "alternative"] {
            if let Some(part) = node.field(field) {
                self.visit_statement(part);
            }
        }
        self.close_block();
    }

    fn for_statement(&mut self, node: Node<'_>) {
        self.open_block();
        for part in named_parts(node) {
            match part.kind_name() {
                "for_clause" => self.visit_children(part),
                "range_clause" => self.visit_range_clause(part),
                _ => self.visit_statement(part),
            }
        }
        self.close_block();
    }

    fn visit_range_clause(&mut self, node: Node<'_>) {
        let Some(right) = node.field("right") else {
            return self.visit_children(node);
        };
        let over = self.expr(right);
        let Some(left) = node.field("left") else {
            return;
        };
        let names = named_parts(left);
        if !has_token(node, ":=") {
            for target in names {
                self.visit_assignment_target(target);
            }
            return;
        }
        let key = self.b.add_expr(Expr::Key(over));
        let element = self.b.add_expr(Expr::Element(over));
        let values = [Some(key), Some(element)];
        self.bind_declared(&names, &values, node.end_byte() as u32);
    }

    /// `switch` on values, `select`.
    fn visit_switch(&mut self, node: Node<'_>) {
        self.open_block();
        for part in named_parts(node) {
            match part.kind_name() {
                "expression_case" | "default_case" | "communication_case" => {
                    self.open_block();
                    self.visit_children(part);
                    self.close_block();
                }
                _ => self.visit_statement(part),
            }
        }
        self.close_block();
    }

    fn visit_receive(&mut self, node: Node<'_>) {
        let Some(right) = node.field("right") else {
            return self.visit_children(node);
        };
        let names = node.field("left").map(named_parts);
        let names = names.unwrap_or_default();
        let values = self.visit_value_list(right, names.len());
        if has_token(node, ":=") {
            self.bind_declared(&names, &values, node.end_byte() as u32);
        } else {
            for target in names {
                self.visit_assignment_target(target);
            }
        }
    }

    /// `switch x := v.(type)`: each case has an `x` of its own type.
    fn type_switch(&mut self, node: Node<'_>) {
        self.open_block();
        if let Some(initializer) = node.field("initializer") {
            self.visit_statement(initializer);
        }
        let value = node.field("value").map(|v| self.expr(v));
        let alias = node
            .field("alias")
            .and_then(|list| strip_parentheses(list).named_child(0));
        for case in named_parts(node) {
            if !matches!(case.kind_name(), "type_case" | "default_case") {
                continue;
            }
            self.open_block();
            let written = super::named_children_in_field(case, "type");
            let mut types = Vec::new();
            for node in &written {
                if self.b.text(*node) != "nil" {
                    types.push(self.lower_type(*node));
                }
            }
            if let Some(alias) = alias {
                let name = self.b.intern_node_text(alias);
                let ty = match (types.as_slice(), written.len()) {
                    ([only], 1) => Some(*only),
                    _ => None,
                };
                let value = if ty.is_some() { None } else { value };
                let from = case.start_byte() as u32;
                self.bind_local(name, from, Bound::Local { ty, value }, NameKind::Value);
            }
            // One case may name a hundred thousand types.
            let read: FxHashSet<usize> = written.iter().map(|t| t.id()).collect();
            for part in named_parts(case) {
                if !read.contains(&part.id()) {
                    self.visit_statement(part);
                }
            }
            self.close_block();
        }
        self.close_block();
    }
}

/// The first statement of a block.
fn first_statement(block: Node<'_>) -> Option<Node<'_>> {
    let mut node = block;
    while matches!(node.kind_name(), "block" | "statement_list") {
        let mut cursor = node.walk();
        node = node
            .named_children(&mut cursor)
            .find(|c| c.kind_name() != "comment")?;
    }
    Some(node)
}

fn has_token(node: Node<'_>, token: &str) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|c| c.kind_name() == token)
}
