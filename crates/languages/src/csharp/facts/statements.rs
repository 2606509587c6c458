//! Statements: scopes, local variables, returned values.

use super::members::initial_value;
use super::{FunctionFrame, Walker, children_of_kind, first_expression, is_expression};
use base::MarkKind;
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// Maximum number of bytes of a thrown expression that are searched for the caught error.
const LONGEST_ARGUMENTS: usize = 4_000;

impl<'s> Walker<'_, 's> {
    /// Reads the statements and expressions inside a node, in the current scope.
    pub(super) fn statements(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if !child.is_extra() {
                self.declaration(child, None);
            }
        }
    }

    pub(super) fn statement(&mut self, node: Node<'_>) {
        match node.kind_name() {
            "comment" | "break_statement" | "continue_statement" | "empty_statement" => {}
            "block" => self.block(node),
            "local_declaration_statement" => self.local_declaration(node),
            "variable_declaration" => self.variables(node, false),
            "if_statement" => self.if_statement(node),
            "foreach_statement" => self.foreach(node),
            "for_statement" | "using_statement" | "fixed_statement" => self.block(node),
            "catch_clause" => self.catch(node),
            "return_statement" => self.return_statement(node),
            "switch_statement" => self.switch(node),
            "throw_statement" => {
                self.mark_throw(node);
                self.statements(node);
            }
            "labeled_statement" => {
                if let Some(last) = super::last_expression(node) {
                    self.declaration(last, None);
                }
            }
            "goto_statement" | "modifier" => {}
            "expression_statement"
            | "while_statement"
            | "do_statement"
            | "try_statement"
            | "finally_clause"
            | "lock_statement"
            | "checked_statement"
            | "unsafe_statement"
            | "yield_statement" => self.statements(node),
            _ => {
                self.expr(node);
            }
        }
    }

    pub(super) fn block(&mut self, node: Node<'_>) {
        self.b.open_scope(ScopeKind::Block, None);
        self.statements(node);
        self.b.close_scope();
    }

    /// Reads a chain of `else if` in a loop, since it can be long.
    fn if_statement(&mut self, node: Node<'_>) {
        let mut node = node;
        loop {
            for field in ["condition", "consequence"] {
                if let Some(child) = node.field(field) {
                    self.declaration(child, None);
                }
            }
            match node.field("alternative") {
                Some(next) if next.kind_name() == "if_statement" => node = next,
                Some(other) => return self.declaration(other, None),
                None => return,
            }
        }
    }

    fn local_declaration(&mut self, node: Node<'_>) {
        let is_const = self.header(node).is_const;
        match child_of_kind(node, "variable_declaration") {
            Some(declaration) if is_const => self.variables(declaration, true),
            _ => self.statements(node),
        }
    }

    fn variables(&mut self, node: Node<'_>, is_const: bool) {
        let written = node.field("type");
        // What the first value is says nothing of what the variable holds later.
        let is_dynamic = written.is_some_and(|written| self.b.text(written) == "dynamic");
        let ty = self.written_type(written);
        for declarator in children_of_kind(node, "variable_declarator") {
            let value = initial_value(declarator);
            let value = value.map(|value| self.expr_expecting(value, ty));
            let mut value = value.filter(|_| !is_dynamic);
            if is_const {
                value = value.map(|value| self.b.add_expr(Expr::Borrowed(value)));
            }
            if let Some(name) = declarator.field("name") {
                self.bind_local(name, ty, value);
            } else if let (Some(pattern), Some(value)) =
                (child_of_kind(declarator, "tuple_pattern"), value)
            {
                self.tuple_pattern(pattern, value);
            }
        }
    }

    /// Binds a local variable. It is visible from its name on.
    pub(super) fn bind_local(
        &mut self,
        name_node: Node<'_>,
        ty: Option<TypeId>,
        value: Option<ExprId>,
    ) {
        let name = self.b.intern_node_text(name_node);
        let scope = self.b.current_scope();
        let from = name_node.start_byte() as u32;
        let to = Bound::Local { ty, value };
        self.b.bind_in(scope, name, Namespace::VALUE, from, to);
    }

    /// `(a, (b, c))` on the left side of a value.
    pub(super) fn tuple_pattern(&mut self, node: Node<'_>, value: ExprId) {
        let mut cursor = node.walk();
        let parts: Vec<Node<'_>> = node
            .named_children(&mut cursor)
            .filter(|c| !c.is_extra())
            .collect();
        for (part, n) in parts.into_iter().zip(0..) {
            let inner = self.b.add_expr(Expr::Part(value, n));
            match part.kind_name() {
                "identifier" => self.bind_local(part, None, Some(inner)),
                "tuple_pattern" if self.b.enter_level() => {
                    self.tuple_pattern(part, inner);
                    self.b.leave_level();
                }
                _ => {}
            }
        }
    }

    fn foreach(&mut self, node: Node<'_>) {
        let value = node.field("right").map(|v| self.expr(v));
        self.b.open_scope(ScopeKind::Block, None);
        let ty = self.written_type(node.field("type"));
        let element = value.map(|v| self.b.add_expr(Expr::Element(v)));
        if let Some(left) = node.field("left") {
            match (left.kind_name(), element) {
                ("identifier", _) => self.bind_local(left, ty, element),
                ("tuple_pattern", Some(element)) => self.tuple_pattern(left, element),
                ("tuple_expression", Some(element)) => self.deconstruct(left, element),
                _ => {}
            }
        }
        if let Some(body) = node.field("body") {
            self.declaration(body, None);
        }
        self.b.close_scope();
    }

    fn catch(&mut self, node: Node<'_>) {
        self.b.open_scope(ScopeKind::Block, None);
        let mut caught = "";
        if let Some(declaration) = child_of_kind(node, "catch_declaration") {
            let ty = declaration.field("type").map(|t| self.ty(t));
            let name = declaration.field("name");
            if let Some(name) = name {
                self.bind_local(name, ty, None);
                caught = self.b.text(name);
            }
            self.b.add_file_mark(MarkKind::Catch, name, node);
        }
        if let Some(filter) = child_of_kind(node, "catch_filter_clause") {
            self.statements(filter);
        }
        self.handlers.push(caught);
        if let Some(body) = node.field("body") {
            self.declaration(body, None);
        }
        self.handlers.pop();
        self.b.close_scope();
    }

    /// Marks an error that is created where it is thrown. The handled error may be its cause.
    pub(super) fn mark_throw(&mut self, node: Node<'_>) {
        let made = first_expression(node);
        let Some(made) = made.filter(|c| c.kind_name() == "object_creation_expression") else {
            return;
        };
        let kind = match self.handlers.last() {
            None => MarkKind::Throw,
            Some(caught) if !caught.is_empty() && self.mentions(made, caught) => MarkKind::Rethrow,
            Some(_) => MarkKind::RethrowWithoutCause,
        };
        self.b.add_file_mark(kind, made.field("type"), node);
    }

    /// Whether a word occurs in the arguments that create an error.
    fn mentions(&self, made: Node<'_>, word: &str) -> bool {
        let arguments = made.field("arguments").map_or("", |list| self.b.text(list));
        let arguments = syntax::builder::head(arguments, LONGEST_ARGUMENTS);
        let mut words = arguments.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|part| part == word)
    }

    fn return_statement(&mut self, node: Node<'_>) {
        let Some(value) = first_expression(node) else {
            return;
        };
        let expected = match self.frames.last() {
            Some(FunctionFrame::Method(ret)) => *ret,
            _ => None,
        };
        let value = self.expr_expecting(value, expected);
        if let Some(FunctionFrame::Lambda(returns)) = self.frames.last_mut() {
            returns.push(value);
        }
    }

    fn switch(&mut self, node: Node<'_>) {
        let value = self.expr_in_field(node, "value");
        let Some(body) = node.field("body") else {
            return;
        };
        self.b.open_scope(ScopeKind::Block, None);
        for section in children_of_kind(body, "switch_section") {
            self.switch_section(section, value);
        }
        self.b.close_scope();
    }

    fn switch_section(&mut self, node: Node<'_>, value: ExprId) {
        let mut is_label = true;
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            if child.kind_name() == ":" {
                is_label = false;
            } else if is_expression(child) {
                if is_label && child.kind_name() != "when_clause" {
                    self.pattern(child, value);
                } else {
                    self.declaration(child, None);
                }
            }
        }
    }
}
