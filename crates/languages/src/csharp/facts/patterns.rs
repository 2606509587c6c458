//! Patterns: the types that they name, and the variables that they bind.

use super::{Walker, children_of_kind, has_word};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

impl Walker<'_, '_> {
    /// Reads a pattern for a value. Its variables are bound in the current scope. In fact the control flow decides which
    /// statements see them, but their names rarely collide.
    pub(super) fn pattern(&mut self, node: Node<'_>, value: ExprId) {
        if !self.b.enter_level() {
            return;
        }
        match node.kind_name() {
            "declaration_pattern" => {
                let ty = self.written_type(node.field("type"));
                self.designation(node, ty, value);
            }
            "var_pattern" => self.designation(node, None, value),
            "recursive_pattern" => self.recursive_pattern(node, value),
            "type_pattern" => {
                if let Some(written) = node.field("type") {
                    self.ty(written);
                }
            }
            "negated_pattern" | "parenthesized_pattern" | "and_pattern" | "or_pattern" => {
                for part in super::expressions(node) {
                    self.pattern(part, value);
                }
            }
            "list_pattern" => {
                let element = self.b.add_expr(Expr::Element(value));
                for part in super::expressions(node) {
                    if part.kind_name() != "identifier" {
                        self.pattern(part, element);
                    }
                }
            }
            "constant_pattern" | "relational_pattern" => {
                for part in super::expressions(node) {
                    match part.kind_name() {
                        "tuple_expression" => self.tuple_of_patterns(part, value),
                        _ => self.constant(part),
                    }
                }
            }
            "discard" => {}
            _ => self.constant(node),
        }
        self.b.leave_level();
    }

    /// A constant or a type. The grammar does not tell them apart.
    fn constant(&mut self, node: Node<'_>) {
        self.expr(node);
    }

    /// `(1, var x)`, which the grammar reads as a tuple.
    fn tuple_of_patterns(&mut self, node: Node<'_>, value: ExprId) {
        for (argument, n) in children_of_kind(node, "argument").into_iter().zip(0..) {
            let Some(part) = super::last_expression(argument) else {
                continue;
            };
            if part.kind_name() != "declaration_expression" {
                self.expr(part);
                continue;
            }
            let inner = self.b.add_expr(Expr::Part(value, n));
            let ty = self.written_type(part.field("type"));
            if let Some(name) = part.field("name") {
                self.bind_local(name, ty, Some(inner));
            }
        }
    }

    /// The variables behind a type.
    fn designation(&mut self, node: Node<'_>, ty: Option<TypeId>, value: ExprId) {
        if let Some(name) = node.field("name") {
            return self.bind_local(name, ty, Some(value));
        }
        if let Some(list) = child_of_kind(node, "parenthesized_variable_designation") {
            self.designations(list, value);
        }
    }

    pub(super) fn designations(&mut self, list: Node<'_>, value: ExprId) {
        let mut cursor = list.walk();
        let parts: Vec<Node<'_>> = list
            .named_children(&mut cursor)
            .filter(|c| !c.is_extra())
            .collect();
        for (part, n) in parts.into_iter().zip(0..) {
            let inner = self.b.add_expr(Expr::Part(value, n));
            match part.kind_name() {
                "identifier" => self.bind_local(part, None, Some(inner)),
                "parenthesized_variable_designation" if self.b.enter_level() => {
                    self.designations(part, inner);
                    self.b.leave_level();
                }
                _ => {}
            }
        }
    }

    fn recursive_pattern(&mut self, node: Node<'_>, value: ExprId) {
        let ty = self.written_type(node.field("type"));
        let value = match ty {
            Some(ty) => self.b.add_expr(Expr::Cast(value, ty)),
            None => self.b.add_expr(Expr::Try(value)),
        };
        if let Some(clause) = child_of_kind(node, "positional_pattern_clause") {
            for (part, n) in children_of_kind(clause, "subpattern").into_iter().zip(0..) {
                let inner = self.b.add_expr(Expr::Part(value, n));
                self.subpattern(part, inner, None);
            }
        }
        if let Some(clause) = child_of_kind(node, "property_pattern_clause") {
            for part in children_of_kind(clause, "subpattern") {
                self.subpattern(part, value, Some(value));
            }
        }
        self.designation(node, ty, value);
    }

    /// `Name: pattern`. In a property pattern, the name is a member of `object`.
    fn subpattern(&mut self, node: Node<'_>, value: ExprId, object: Option<ExprId>) {
        let parts = super::expressions(node);
        let (name, pattern) = match parts[..] {
            [name, pattern] if has_word(node, ":") => (Some(name), pattern),
            [pattern] => (None, pattern),
            _ => return,
        };
        let inner = match (name, object) {
            (Some(name), Some(object)) => self.property_path(name, object),
            _ => value,
        };
        self.pattern(pattern, inner);
    }

    /// `A.B` inside a property pattern.
    fn property_path(&mut self, node: Node<'_>, object: ExprId) -> ExprId {
        let mut names = Vec::new();
        let mut next = Some(node);
        while let Some(at) = next {
            names.push(at.field("name").unwrap_or(at));
            next = at.field("expression").or_else(|| at.field("qualifier"));
        }
        let mut object = object;
        for name_node in names.into_iter().rev() {
            let name = self.b.intern_node_text(name_node);
            object = self.b.add_expr(Expr::Member { object, name });
            self.b.add_reference(RefTarget::Expr(object), name_node);
        }
        object
    }

    /// `(a, var b, C d)` on the left of an assignment or in `foreach`.
    pub(super) fn deconstruct(&mut self, node: Node<'_>, value: ExprId) {
        for (argument, n) in children_of_kind(node, "argument").into_iter().zip(0..) {
            let Some(part) = super::last_expression(argument) else {
                continue;
            };
            let inner = self.b.add_expr(Expr::Part(value, n));
            match part.kind_name() {
                "declaration_expression" => {
                    let ty = self.written_type(part.field("type"));
                    if let Some(name) = part.field("name") {
                        self.bind_local(name, ty, Some(inner));
                    }
                }
                "tuple_expression" if self.b.enter_level() => {
                    self.deconstruct(part, inner);
                    self.b.leave_level();
                }
                _ => {
                    self.write_target(part);
                }
            }
        }
    }
}
