//! Assignments: variables, parts of arrays, properties.

use super::{Walker, children, end, first_child};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Most values that are kept of a property or of the elements of an array.
const MAX_VALUES: usize = 8;
/// Deepest nesting of targets in targets.
const MAX_NESTING: u32 = 32;

impl Walker<'_, '_> {
    pub(super) fn assignment(&mut self, node: Node<'_>) -> ExprId {
        let declared = self.next_variable.take();
        let Some(right) = node.field("right") else {
            self.read_children(node);
            return self.b.add_expr(Expr::Unknown);
        };
        let value = self.expr(right);
        if let Some(left) = node.field("left") {
            self.next_variable = declared;
            self.assign(left, value, end(node));
            self.next_variable = None;
        }
        value
    }

    /// `$x .= y`, `$x ??= y`.
    pub(super) fn augmented(&mut self, node: Node<'_>) -> ExprId {
        let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
            self.read_children(node);
            return self.b.add_expr(Expr::Unknown);
        };
        let old = self.expr(left);
        let value = self.expr(right);
        let operator = node.field("operator").map_or("", |o| self.b.text(o));
        if operator != "??=" {
            self.written(left, old);
            return old;
        }
        let either = Expr::Either(Box::from([old, value]));
        let either = self.b.add_expr(either);
        match left.kind_name() {
            "variable_name" => self.assign(left, either, end(node)),
            _ => {
                self.assigned_property(old, value);
                self.written(left, old);
            }
        }
        either
    }

    /// Gives a target a value from `at` on.
    pub(super) fn assign(&mut self, target: Node<'_>, value: ExprId, at: u32) {
        self.assign_at(target, value, at, 0);
    }

    fn assign_at(&mut self, target: Node<'_>, value: ExprId, at: u32, nesting: u32) {
        if nesting > MAX_NESTING {
            return;
        }
        match target.kind_name() {
            "variable_name" => self.assign_variable(target, value, at),
            "by_ref" => {
                if let Some(inner) = first_child(target) {
                    self.assign_at(inner, value, at, nesting + 1);
                }
            }
            "list_literal" | "array_creation_expression" => {
                self.assign_parts(target, value, at, nesting);
            }
            "subscript_expression" => self.assign_element(target, value, at),
            "member_access_expression"
            | "nullsafe_member_access_expression"
            | "scoped_property_access_expression" => {
                if let Some(checked) = self.own_property(target) {
                    self.end_checks(checked, at);
                }
                let expr = self.expr(target);
                self.assigned_property(expr, value);
                self.written(target, expr);
            }
            _ => {
                self.expr(target);
            }
        }
    }

    fn assign_variable(&mut self, target: Node<'_>, value: ExprId, at: u32) {
        if self.b.text(target) == "$this" {
            return;
        }
        let name = self.b.intern_node_text(target);
        let named = self.declared.iter().find(|(n, _)| *n == name);
        let ty = named.map(|(_, ty)| *ty).or(self.next_variable.take());
        let value = Some(value);
        self.bind_variable(name, Bound::Local { ty, value }, at);
    }

    /// `[$a, 'key' => $b] = value`.
    fn assign_parts(&mut self, list: Node<'_>, value: ExprId, at: u32, nesting: u32) {
        let mut position = 0u32;
        let mut pending: Option<Node<'_>> = None;
        let mut has_key = false;
        let mut cursor = list.walk();
        let all: Vec<Node<'_>> = list.children(&mut cursor).collect();
        for child in all {
            match child.kind_name() {
                "," | ")" | "]" => {
                    if let Some(target) = pending.take() {
                        let part = self.part(value, (!has_key).then_some(position));
                        self.assign_at(target, part, at, nesting + 1);
                    }
                    position += u32::from(child.kind_name() == ",");
                    has_key = false;
                }
                "=>" => {
                    if let Some(key) = pending.take() {
                        self.expr(key);
                    }
                    has_key = true;
                }
                "array_element_initializer" => {
                    self.assign_initializer(child, value, position, (at, nesting));
                }
                "comment" => {}
                _ if child.is_named() => pending = Some(child),
                _ => {}
            }
        }
    }

    fn assign_initializer(
        &mut self,
        item: Node<'_>,
        value: ExprId,
        position: u32,
        place: (u32, u32),
    ) {
        let parts = children(item);
        let (target, part) = match parts[..] {
            [target] => (target, self.part(value, Some(position))),
            [key, target] => {
                self.expr(key);
                (target, self.part(value, None))
            }
            _ => return,
        };
        self.assign_at(target, part, place.0, place.1 + 1);
    }

    /// A part of an array, by its position or by a key.
    fn part(&mut self, value: ExprId, position: Option<u32>) -> ExprId {
        let Some(position) = position else {
            let index = self.b.add_expr(Expr::Unknown);
            return self.b.add_expr(Expr::Index {
                object: value,
                index,
            });
        };
        if let Expr::List(parts) = self.b.facts().expr(value)
            && let Some(part) = parts.get(position as usize)
        {
            return *part;
        }
        self.b.add_expr(Expr::Part(value, position))
    }

    /// `$items[] = value`: the variable is an array that may have the value.
    fn assign_element(&mut self, target: Node<'_>, value: ExprId, at: u32) {
        let parts = children(target);
        for part in parts.iter().skip(1) {
            self.expr(*part);
        }
        let Some(array) = parts.first() else {
            return;
        };
        let old = self.expr(*array);
        let is_literal = matches!(self.b.facts().expr(value), Expr::Literal(_) | Expr::Unknown);
        match array.kind_name() {
            "variable_name" if !is_literal && self.b.text(*array) != "$this" => {
                let name = self.b.intern_node_text(*array);
                if let Some(either) = self.with_element(old, value) {
                    let bound = Bound::Local {
                        ty: None,
                        value: Some(either),
                    };
                    self.bind_variable(name, bound, at);
                }
            }
            "member_access_expression" | "scoped_property_access_expression" => {
                if !is_literal {
                    let list = self.b.add_expr(Expr::List(Box::from([value])));
                    self.assigned_property(old, list);
                }
                self.written(*array, old);
            }
            _ => {}
        }
    }

    /// An array with one more element; `None` if many were added already.
    fn with_element(&mut self, old: ExprId, value: ExprId) -> Option<ExprId> {
        let known = match self.value_behind(old) {
            Some(Expr::Either(parts)) => parts.to_vec(),
            _ => vec![old],
        };
        if known.len() >= MAX_VALUES {
            return None;
        }
        let list = self.b.add_expr(Expr::List(Box::from([value])));
        let all = known.into_iter().chain([list]).collect();
        Some(self.b.add_expr(Expr::Either(all)))
    }

    /// The value that a variable was given last.
    fn value_behind(&mut self, variable: ExprId) -> Option<&Expr> {
        let Expr::Name { name, .. } = *self.b.facts().expr(variable) else {
            return None;
        };
        match self.bound_now(name)? {
            Bound::Local {
                ty: None,
                value: Some(value),
            } => Some(self.b.facts().expr(value)),
            _ => None,
        }
    }

    /// Adds the write of a member.
    pub(super) fn written(&mut self, target: Node<'_>, expr: ExprId) {
        let is_member = matches!(
            self.b.facts().expr(expr),
            Expr::Member { .. } | Expr::Scoped { .. }
        );
        if let (true, Some(name)) = (is_member, target.field("name")) {
            self.b.add_write(expr, name);
        }
    }

    /// A value that a method gives to a property of its own class.
    fn assigned_property(&mut self, target: ExprId, value: ExprId) {
        let name = match *self.b.facts().expr(target) {
            Expr::Member { object, name } | Expr::Scoped { object, name }
                if self.is_own_object(object) =>
            {
                name
            }
            _ => return,
        };
        let is_plain = matches!(self.b.facts().expr(value), Expr::Literal(_) | Expr::Unknown);
        let Some(class) = self.types.last_mut().filter(|_| !is_plain) else {
            return;
        };
        let known = class.assigned.iter().filter(|(n, _)| *n == name).count();
        if known < MAX_VALUES {
            class.assigned.push((name, value));
        }
    }

    /// `$this`, `self`, `static`.
    fn is_own_object(&self, object: ExprId) -> bool {
        let own = self.current_type();
        match self.b.facts().expr(object) {
            Expr::This(def) => Some(*def) == own,
            Expr::Type(ty) => match self.b.facts().ty(*ty) {
                TypeExpr::Anonymous(def) | TypeExpr::SelfType(def) => Some(*def) == own,
                _ => false,
            },
            _ => false,
        }
    }
}
