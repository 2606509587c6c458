//! JSX: elements call their component.

use super::Walker;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'t> Walker<'_, '_, 't> {
    pub(super) fn visit_jsx(&mut self, node: Node<'t>) -> ExprId {
        match node.kind_name() {
            "jsx_self_closing_element" => self.visit_jsx_tag(node),
            _ => self.jsx_element(node),
        }
    }

    fn jsx_element(&mut self, node: Node<'t>) -> ExprId {
        let mut value = self.unknown;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind_name() {
                "jsx_opening_element" => value = self.visit_jsx_tag(child),
                "jsx_closing_element" => self.visit_jsx_closing_tag(child),
                "jsx_element" | "jsx_self_closing_element" | "jsx_fragment" => {
                    self.expr(child);
                }
                "jsx_expression" => self.expressions(child),
                _ => {}
            }
        }
        value
    }

    /// An opening or self-closing tag with its attributes.
    fn visit_jsx_tag(&mut self, node: Node<'t>) -> ExprId {
        let type_args = match node.field("type_arguments") {
            Some(list) => self.lower_type_args(list),
            None => Box::default(),
        };
        let mut value = self.unknown;
        if let Some(name) = node.field("name").filter(|n| self.is_component(*n)) {
            let callee = self.visit_expr_unmentioned(name);
            value = self.b.add_expr(Expr::Call {
                callee,
                args: Box::default(),
                type_args,
            });
            if let Some(at) = self.called_name(name) {
                self.b.add_call(value, CallKind::Jsx, 0, at);
            }
        }
        let mut cursor = node.walk();
        for attribute in node.fields("attribute", &mut cursor) {
            self.jsx_attribute(attribute);
        }
        value
    }

    fn jsx_attribute(&mut self, node: Node<'t>) {
        if node.kind_name() == "jsx_expression" {
            self.expressions(node);
            return;
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind_name() {
                "jsx_expression" => self.expressions(child),
                "jsx_element" | "jsx_self_closing_element" => {
                    self.expr(child);
                }
                _ => {}
            }
        }
    }

    fn visit_jsx_closing_tag(&mut self, node: Node<'t>) {
        if let Some(name) = node.field("name").filter(|n| self.is_component(*n)) {
            self.expr(name);
        }
    }

    /// Whether an element is a component: lower-case names are elements of the platform.
    fn is_component(&self, name: Node<'t>) -> bool {
        match name.kind_name() {
            "member_expression" | "nested_identifier" => true,
            "identifier" => !self
                .b
                .text(name)
                .starts_with(|c: char| c.is_ascii_lowercase()),
            _ => false,
        }
    }
}
