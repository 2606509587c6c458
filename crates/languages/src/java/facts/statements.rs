//! Statements: scopes, local variables, returned values.

use super::{
    FunctionFrame, Walker, child_of_kind, first_code_child, is_annotation, is_comment, last_child,
};
use base::MarkKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Most bytes of a thrown expression that are searched for the caught error. Its arguments may contain handlers that
/// throw.
const LONGEST_ARGUMENTS: usize = 4_000;

impl Walker<'_, '_> {
    /// The statements of a block, in the scope that is open.
    pub(super) fn visit_statements(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if !is_comment(child) {
                self.visit_declaration(child, None);
            }
        }
    }

    pub(super) fn statement(&mut self, node: Node<'_>) {
        match node.kind_name() {
            "line_comment" | "block_comment" | "break_statement" | "continue_statement" => {}
            "local_variable_declaration" => self.visit_local_variables(node),
            "block" => self.block(node),
            "labeled_statement" => self.visit_last_statement(node),
            "if_statement" => self.if_statement(node),
            "for_statement" => self.for_statement(node),
            "enhanced_for_statement" => self.for_each(node),
            "try_with_resources_statement" => self.try_with_resources(node),
            "catch_clause" => self.visit_catch(node),
            "return_statement" => self.return_statement(node),
            "yield_statement" => self.yield_statement(node),
            "expression_statement" => {
                if let Some(expr) = first_code_child(node) {
                    self.expr(expr);
                }
            }
            "while_statement"
            | "do_statement"
            | "try_statement"
            | "finally_clause"
            | "synchronized_statement"
            | "assert_statement" => {
                self.visit_statements(node);
            }
            "throw_statement" => {
                self.mark_throw(node);
                self.visit_statements(node);
            }
            _ => {
                self.expr(node);
            }
        }
    }

    /// An error that is created where it is thrown, with or without the handled one as its cause.
    fn mark_throw(&mut self, node: Node<'_>) {
        let Some(made) =
            first_code_child(node).filter(|c| c.kind_name() == "object_creation_expression")
        else {
            return;
        };
        let kind = match self.handlers.last() {
            None => MarkKind::Throw,
            Some(caught) if self.mentions(made, caught) => MarkKind::Rethrow,
            Some(_) => MarkKind::RethrowWithoutCause,
        };
        self.b.add_file_mark(kind, made.field("type"), node);
    }

    /// Whether a word occurs in the arguments of the created error.
    fn mentions(&self, made: Node<'_>, word: &str) -> bool {
        let arguments = made.field("arguments").map_or("", |list| self.b.text(list));
        let arguments = syntax::builder::head(arguments, LONGEST_ARGUMENTS);
        let mut words = arguments.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
        words.any(|part| part == word)
    }

    pub(super) fn block(&mut self, node: Node<'_>) {
        self.b.open_scope(ScopeKind::Block, None);
        self.visit_statements(node);
        self.b.close_scope();
    }

    fn visit_last_statement(&mut self, node: Node<'_>) {
        if let Some(last) = last_child(node) {
            self.visit_declaration(last, None);
        }
    }

    fn visit_statement_in_field(&mut self, node: Node<'_>, field: &'static str) {
        if let Some(child) = node.field(field) {
            self.visit_declaration(child, None);
        }
    }

    /// A chain of `else if` is read in a loop, since it can be long.
    fn if_statement(&mut self, node: Node<'_>) {
        let mut node = node;
        loop {
            self.visit_statement_in_field(node, "condition");
            self.visit_statement_in_field(node, "consequence");
            match node.field("alternative") {
                Some(next) if next.kind_name() == "if_statement" => node = next,
                Some(other) => return self.visit_declaration(other, None),
                None => return,
            }
        }
    }

    fn visit_local_variables(&mut self, node: Node<'_>) {
        self.visit_annotations(node);
        let ty_node = node.field("type");
        let ty = match ty_node {
            Some(t) if !self.is_var(t) => Some(self.ty(t)),
            _ => None,
        };
        let mut cursor = node.walk();
        for declarator in node.fields("declarator", &mut cursor) {
            let Some(name_node) = declarator.field("name") else {
                continue;
            };
            let dimensions = declarator.field("dimensions");
            let ty = ty.map(|t| self.wrap_array_dimensions(t, dimensions));
            let value = declarator
                .field("value")
                .map(|v| self.visit_expr_with_expected_type(v, ty));
            self.bind_local(name_node, ty, value);
        }
    }

    /// Binds a local variable from its name on.
    pub(super) fn bind_local(
        &mut self,
        name_node: Node<'_>,
        ty: Option<TypeId>,
        value: Option<ExprId>,
    ) {
        let name = self.b.intern_node_text(name_node);
        let scope = self.b.current_scope();
        let from = name_node.start_byte() as u32;
        self.b.bind_in(
            scope,
            name,
            Namespace::VALUE,
            from,
            Bound::Local { ty, value },
        );
    }

    fn for_statement(&mut self, node: Node<'_>) {
        self.b.open_scope(ScopeKind::Block, None);
        self.visit_statements(node);
        self.b.close_scope();
    }

    fn for_each(&mut self, node: Node<'_>) {
        self.visit_annotations(node);
        let value = node.field("value").map(|v| self.expr(v));
        self.b.open_scope(ScopeKind::Block, None);
        let ty = self.declared_type(node, node.field("dimensions"));
        let element = value.map(|v| self.b.add_expr(Expr::Element(v)));
        if let Some(name_node) = node.field("name") {
            self.bind_local(name_node, ty, element);
        }
        self.visit_statement_in_field(node, "body");
        self.b.close_scope();
    }

    fn try_with_resources(&mut self, node: Node<'_>) {
        self.b.open_scope(ScopeKind::Block, None);
        if let Some(resources) = node.field("resources") {
            let mut cursor = resources.walk();
            for resource in resources.named_children(&mut cursor) {
                self.visit_resource(resource);
            }
        }
        self.visit_statement_in_field(node, "body");
        self.b.close_scope();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if matches!(child.kind_name(), "catch_clause" | "finally_clause") {
                self.visit_declaration(child, None);
            }
        }
    }

    fn visit_resource(&mut self, node: Node<'_>) {
        let Some(name_node) = node.field("name") else {
            return self.visit_statements(node);
        };
        self.visit_annotations(node);
        let ty = self.declared_type(node, node.field("dimensions"));
        let value = node.field("value").map(|v| self.expr(v));
        self.bind_local(name_node, ty, value);
    }

    fn visit_catch(&mut self, node: Node<'_>) {
        self.b.open_scope(ScopeKind::Block, None);
        let mut caught = "";
        if let Some(param) = child_of_kind(node, "catch_formal_parameter") {
            self.visit_annotations(param);
            let ty = child_of_kind(param, "catch_type").map(|t| self.ty(t));
            if let Some(name_node) = param.field("name") {
                self.bind_local(name_node, ty, None);
                self.b.add_file_mark(MarkKind::Catch, Some(name_node), node);
                caught = self.b.text(name_node);
            }
        }
        self.handlers.push(caught);
        self.visit_statement_in_field(node, "body");
        self.handlers.pop();
        self.b.close_scope();
    }

    fn return_statement(&mut self, node: Node<'_>) {
        let Some(value) = first_code_child(node) else {
            return;
        };
        let expected = match self.frames.last() {
            Some(FunctionFrame::Method(ret)) => *ret,
            _ => None,
        };
        let value = self.visit_expr_with_expected_type(value, expected);
        if let Some(FunctionFrame::Lambda(returns)) = self.frames.last_mut() {
            returns.push(value);
        }
    }

    fn yield_statement(&mut self, node: Node<'_>) {
        if let Some(value) = first_code_child(node) {
            let value = self.expr(value);
            if let Some(yields) = self.yields.last_mut() {
                yields.push(value);
            }
        }
    }

    /// Reads the annotations among a node's modifiers or children.
    pub(super) fn visit_annotations(&mut self, node: Node<'_>) {
        if !self.b.text(node).contains('@') {
            return;
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if is_annotation(child) {
                self.annotation(child);
            } else if child.kind_name() == "modifiers" {
                let mut inner = child.walk();
                for modifier in child.named_children(&mut inner) {
                    if is_annotation(modifier) {
                        self.annotation(modifier);
                    }
                }
            }
        }
    }
}
