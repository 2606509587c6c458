//! Statements and the branches they make.

use super::docblock::DocBlock;
use super::flow::{Branch, Check, UNKNOWN};
use super::{LeadingComments, Walker, children, children_of_kind, end, first_child, start};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    /// The types that `@var` in the comment above a statement gives to its variables.
    pub(super) fn declare_variables(&mut self, node: Node<'_>, above: LeadingComments<'_, 's>) {
        let Some(block) = above.block().filter(|block| block.contains("var")) else {
            return;
        };
        for (name, ty) in DocBlock::parse(block).vars {
            let ty = self.doc_type(&ty);
            match name {
                Some(name) => {
                    let name = self.b.intern_owned_name(&format!("${name}"));
                    self.declared.push((name, ty));
                    if self.is_bound(name) {
                        let value = None;
                        let bound = Bound::Local {
                            ty: Some(ty),
                            value,
                        };
                        self.bind_variable(name, bound, start(node));
                    }
                }
                None => self.next_variable = Some(ty),
            }
        }
    }

    /// Reads one statement; `false` if control does not continue after it.
    pub(super) fn statement(&mut self, node: Node<'_>) -> bool {
        match node.kind_name() {
            "expression_statement" => return self.expression_statement(node),
            "compound_statement"
            | "colon_block"
            | "program"
            | "declaration_list"
            | "enum_declaration_list" => return self.block(node),
            "return_statement" => {
                let value = first_child(node).map(|value| self.expr(value));
                self.frame().returns.extend(value);
                return false;
            }
            "exit_statement" | "goto_statement" => {
                self.read_children(node);
                return false;
            }
            "break_statement" | "continue_statement" => {
                self.jump();
                return false;
            }
            "if_statement" => return self.if_statement(node),
            "while_statement" | "do_statement" => self.while_statement(node),
            "for_statement" => self.for_statement(node),
            "foreach_statement" => self.foreach_statement(node),
            "switch_statement" => self.switch_statement(node),
            "try_statement" => return self.try_statement(node),
            "global_declaration" => {
                for name in children(node) {
                    self.bind_unknown(name);
                }
            }
            "function_static_declaration" => self.static_variables(node),
            "unset_statement" => {
                self.read_children(node);
                for name in children(node) {
                    self.bind_unknown(name);
                }
            }
            "ERROR" | "else_clause" | "else_if_clause" | "catch_clause" | "finally_clause"
            | "case_statement" | "default_statement" => return self.block(node),
            "comment"
            | "php_tag"
            | "text"
            | "text_interpolation"
            | "empty_statement"
            | "named_label_statement"
            | "declare_directive" => {}
            "echo_statement" | "sequence_expression" => self.read_children(node),
            "declare_statement" => return self.block(node),
            _ => {
                self.expr(node);
            }
        }
        true
    }

    /// Reads every child as an expression.
    pub(super) fn read_children(&mut self, node: Node<'_>) {
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

    fn expression_statement(&mut self, node: Node<'_>) -> bool {
        let Some(inner) = first_child(node) else {
            return true;
        };
        self.expr(inner);
        match inner.kind_name() {
            "function_call_expression" => self.assertion(inner),
            "member_call_expression" | "scoped_call_expression" => self.tested_class(inner),
            _ => {}
        }
        inner.kind_name() != "throw_expression"
    }

    /// `assert($x instanceof A)`.
    fn assertion(&mut self, call: Node<'_>) {
        let called = call.field("function").map(|f| self.b.text(f));
        if called.map(|name| name.trim_start_matches('\\')) != Some("assert") {
            return;
        }
        let first = call.field("arguments").and_then(first_child);
        if let Some(condition) = first.and_then(first_child) {
            let found = self.checks(condition);
            self.narrow(&found.when_true, end(call));
        }
    }

    /// `$this->assertInstanceOf(A::class, $x)`.
    fn tested_class(&mut self, call: Node<'_>) {
        let called = call.field("name").map(|name| self.b.text(name));
        if called != Some("assertInstanceOf") {
            return;
        }
        let arguments = call.field("arguments").map(children).unwrap_or_default();
        let values: Vec<Node<'_>> = arguments.into_iter().filter_map(first_child).collect();
        if let [class, value, ..] = values[..]
            && let Some(class) = self.class_constant(class)
            && let Some(name) = self.checked_variable(value)
        {
            let ty = self.class_type(class);
            self.narrow(&[(name, Check::Is(ty))], end(call));
        }
    }

    fn bind_unknown(&mut self, name: Node<'_>) {
        if name.kind_name() == "variable_name" {
            let id = self.b.intern_node_text(name);
            self.bind_variable(id, UNKNOWN, end(name));
        }
    }

    fn static_variables(&mut self, node: Node<'_>) {
        for declared in children_of_kind(node, "static_variable_declaration") {
            if let Some(value) = declared.field("value") {
                self.expr(value);
            }
            if let Some(name) = declared.field("name") {
                self.bind_unknown(name);
            }
        }
    }

    /// Reads a part of a statement as a branch of its own, in which some checks hold.
    pub(super) fn branch(&mut self, body: Node<'_>, checks: &[(NameId, Check)]) -> Branch {
        let mark = self.mark();
        self.narrow(checks, start(body));
        let goes_on = self.declaration(body, LeadingComments::default());
        self.end_branch(mark, goes_on, end(body))
    }

    fn if_statement(&mut self, node: Node<'_>) -> bool {
        let (Some(condition), Some(body)) = (node.field("condition"), node.field("body")) else {
            return self.block(node);
        };
        self.expr(condition);
        let found = self.checks(condition);
        let mut branches = vec![self.branch(body, &found.when_true)];
        let mut has_else = false;
        // Each further branch starts with all earlier conditions false.
        let mut widened = self.narrow(&found.when_false, end(body));
        let mut cursor = node.walk();
        let alternatives: Vec<Node<'_>> = node.fields("alternative", &mut cursor).collect();
        for clause in alternatives {
            let Some(body) = clause.field("body") else {
                continue;
            };
            match clause.field("condition") {
                Some(condition) => {
                    self.expr(condition);
                    let found = self.checks(condition);
                    branches.push(self.branch(body, &found.when_true));
                    let more = self.narrow(&found.when_false, end(body));
                    widened.extend(more);
                }
                None => {
                    has_else = true;
                    branches.push(self.branch(body, &[]));
                }
            }
        }
        let all_leave = branches.iter().all(|branch| !branch.goes_on());
        if !has_else {
            if !all_leave {
                self.widen(&widened, end(node));
            }
            branches.push(Branch::empty());
        }
        self.join(&branches, end(node));
        !(has_else && all_leave)
    }

    fn while_statement(&mut self, node: Node<'_>) {
        let (Some(condition), Some(body)) = (node.field("condition"), node.field("body")) else {
            self.block(node);
            return;
        };
        let is_first = node.kind_name() == "while_statement";
        self.open_exits();
        let mut checks = Vec::new();
        if is_first {
            self.expr(condition);
            checks = self.checks(condition).when_true;
        }
        let inner = self.mark();
        self.narrow(&checks, start(body));
        let goes_on = self.declaration(body, LeadingComments::default());
        let run = self.end_branch(inner, goes_on, end(body));
        let from = start(if is_first { condition } else { body });
        self.end_loop(run, (from, end(body)), is_first);
        if !is_first {
            self.expr(condition);
        }
    }

    /// Joins the runs of a loop; `range` is the repeated part.
    fn end_loop(&mut self, run: Branch, range: (u32, u32), may_skip: bool) {
        let (from, to) = range;
        let mut ends = self.close_exits();
        ends.push(run);
        self.carry(&ends, from);
        if may_skip {
            ends.push(Branch::empty());
        }
        self.join(&ends, to);
    }

    fn for_statement(&mut self, node: Node<'_>) {
        for field in ["initialize", "condition"] {
            self.read_fields(node, field);
        }
        self.open_exits();
        let mark = self.mark();
        let mut cursor = node.walk();
        let bodies: Vec<Node<'_>> = node.fields("body", &mut cursor).collect();
        let mut goes_on = true;
        for body in &bodies {
            goes_on &= self.declaration(*body, LeadingComments::default());
        }
        self.read_fields(node, "update");
        let run = self.end_branch(mark, goes_on, end(node));
        let from = bodies.first().map_or(end(node), |body| start(*body));
        self.end_loop(run, (from, end(node)), true);
    }

    fn read_fields(&mut self, node: Node<'_>, field: &'static str) {
        let mut cursor = node.walk();
        let parts: Vec<Node<'_>> = node.fields(field, &mut cursor).collect();
        for part in parts {
            self.statement(part);
        }
    }

    fn foreach_statement(&mut self, node: Node<'_>) {
        let body = node.field("body");
        let mut parts = children(node).into_iter().filter(|c| Some(*c) != body);
        let (Some(sequence), Some(target)) = (parts.next(), parts.next()) else {
            self.block(node);
            return;
        };
        let value = self.expr(sequence);
        self.open_exits();
        let mark = self.mark();
        let element = self.b.add_expr(Expr::Element(value));
        if target.kind_name() == "pair" {
            let pair = children(target);
            if let [key, target] = pair[..] {
                let key_value = self.b.add_expr(Expr::Key(value));
                self.assign(key, key_value, end(target));
                self.assign(target, element, end(target));
            }
        } else {
            self.assign(target, element, end(target));
        }
        let goes_on = body.is_none_or(|body| self.declaration(body, LeadingComments::default()));
        let run = self.end_branch(mark, goes_on, end(node));
        let from = body.map_or(end(node), start);
        self.end_loop(run, (from, end(node)), true);
    }

    fn switch_statement(&mut self, node: Node<'_>) {
        let condition = node.field("condition");
        if let Some(condition) = condition {
            self.expr(condition);
        }
        // `switch (true)` chooses by conditions.
        let by_condition = condition.is_some_and(|c| self.b.text(c).eq_ignore_ascii_case("(true)"));
        let Some(body) = node.field("body") else {
            return;
        };
        self.open_exits();
        let mut branches = Vec::new();
        let mut has_default = false;
        for case in children(body) {
            let mark = self.mark();
            has_default |= case.kind_name() == "default_statement";
            let value = case.field("value");
            if let Some(value) = value {
                self.expr(value);
                if by_condition {
                    let found = self.checks(value);
                    self.narrow(&found.when_true, end(value));
                }
            }
            let goes_on = self.case_body(case, value);
            branches.push(self.end_branch(mark, goes_on, end(case)));
        }
        branches.extend(self.close_exits());
        if !has_default {
            branches.push(Branch::empty());
        }
        self.join(&branches, end(node));
    }

    fn case_body(&mut self, case: Node<'_>, value: Option<Node<'_>>) -> bool {
        let mut goes_on = true;
        for child in children(case) {
            if Some(child) != value {
                goes_on &= self.declaration(child, LeadingComments::default());
            }
        }
        goes_on
    }

    fn try_statement(&mut self, node: Node<'_>) -> bool {
        let Some(body) = node.field("body") else {
            return self.block(node);
        };
        let tried = self.branch(body, &[]);
        let mut goes_on = tried.goes_on();
        // A handler may run before or after what the body assigns.
        let started = tried.interrupted();
        let mut branches = vec![tried];
        for clause in children_of_kind(node, "catch_clause") {
            let mark = self.mark();
            self.join(&[Branch::empty(), started.interrupted()], start(clause));
            let leads_on = self.catch(clause);
            goes_on |= leads_on;
            branches.push(self.end_branch(mark, leads_on, end(clause)));
        }
        self.join(&branches, end(node));
        if let Some(last) = child_of_kind(node, "finally_clause")
            && let Some(body) = last.field("body")
        {
            goes_on &= self.declaration(body, LeadingComments::default());
        }
        goes_on
    }

    fn catch(&mut self, clause: Node<'_>) -> bool {
        let types = clause.field("type").map(children).unwrap_or_default();
        let types: Vec<TypeId> = types
            .into_iter()
            .map(|ty| self.native_type(ty).ty)
            .collect();
        if let Some(name) = clause.field("name") {
            let id = self.b.intern_node_text(name);
            let ty = match types[..] {
                [one] => one,
                _ => self.b.add_type(TypeExpr::Union(types.into())),
            };
            let ty = Some(ty);
            self.bind_variable(id, Bound::Local { ty, value: None }, end(name));
        }
        clause
            .field("body")
            .is_none_or(|body| self.declaration(body, LeadingComments::default()))
    }
}
