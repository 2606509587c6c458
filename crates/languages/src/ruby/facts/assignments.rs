//! Assignments: variables, fields, attributes, parts of arrays, constants.

use super::{Walker, children, first_child};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Deepest nesting of targets in targets.
const MAX_NESTING: u32 = 32;

impl<'s> Walker<'_, 's> {
    pub(super) fn assignment(&mut self, node: Node<'_>) -> ExprId {
        let tags = std::mem::take(&mut self.tag_lines);
        let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
            self.children_of(node);
            return self.unknown;
        };
        if matches!(left.kind_name(), "constant" | "scope_resolution") {
            return self.constant_assignment(node, (left, right), &tags);
        }
        let value = self.assigned_value(right);
        let value = self.declared_value(&tags, value);
        self.assign(left, value);
        value
    }

    /// The value on the right: several ones are an array.
    fn assigned_value(&mut self, right: Node<'_>) -> ExprId {
        if right.kind_name() != "right_assignment_list" {
            return self.argument_value(right);
        }
        let mut values = Vec::new();
        for item in children(right) {
            values.push(self.argument_value(item));
        }
        self.b.add_expr(Expr::Tuple(values.into()))
    }

    /// Gives a target a value.
    pub(super) fn assign(&mut self, target: Node<'_>, value: ExprId) {
        self.assign_inside(target, value, 0);
    }

    fn assign_inside(&mut self, target: Node<'_>, value: ExprId, nesting: u32) {
        if nesting > MAX_NESTING {
            return;
        }
        match target.kind_name() {
            "identifier" => {
                let name = self.b.intern_node_text(target);
                self.set_variable(name, value);
            }
            "instance_variable" | "class_variable" | "global_variable" => {
                let field = self.field(target, Some(value));
                self.b.add_write(field, target);
            }
            "left_assignment_list" | "destructured_left_assignment" => {
                self.assign_parts(target, value, nesting);
            }
            "rest_assignment" => {
                if let Some(inner) = first_child(target) {
                    let element = self.b.add_expr(Expr::Element(value));
                    let list = self.b.add_expr(Expr::List(Box::from([element])));
                    self.assign_inside(inner, list, nesting + 1);
                }
            }
            "call" => self.assign_attribute(target, value),
            "element_reference" => self.assign_element(target, value),
            _ => {
                self.expr(target);
            }
        }
    }

    fn assign_parts(&mut self, list: Node<'_>, value: ExprId, nesting: u32) {
        let known = match self.b.facts().expr(value) {
            Expr::Tuple(parts) | Expr::List(parts) => parts.to_vec(),
            _ => Vec::new(),
        };
        let mut rest = false;
        for (target, at) in children(list).into_iter().zip(0u32..) {
            rest |= target.kind_name() == "rest_assignment";
            let part = match known.get(at as usize) {
                Some(part) if !rest => *part,
                _ if target.kind_name() == "rest_assignment" => value,
                _ if rest => self.b.add_expr(Expr::Element(value)),
                _ => self.b.add_expr(Expr::Part(value, at)),
            };
            self.assign_inside(target, part, nesting + 1);
        }
    }

    /// `object.name = value` calls `name=`.
    fn assign_attribute(&mut self, target: Node<'_>, value: ExprId) {
        let (Some(receiver), Some(method)) = (target.field("receiver"), target.field("method"))
        else {
            self.expr(target);
            return;
        };
        let object = self.expr(receiver);
        self.written_attribute(object, method, value);
    }

    fn written_attribute(&mut self, object: ExprId, method: Node<'_>, value: ExprId) {
        let text = self.b.text(method);
        let setter = self.b.intern_owned_name(&format!("{text}="));
        let callee = self.b.add_expr(Expr::Member {
            object,
            name: setter,
        });
        let call = self.b.add_expr(Expr::Call {
            callee,
            args: Box::from([value]),
            type_args: Box::default(),
        });
        self.b.add_call(call, CallKind::Call, 1, method);
        self.attribute_assigned(object, method, value);
        let name = self.b.intern_name(text);
        let target = self.b.add_expr(Expr::Member { object, name });
        self.b.add_write(target, method);
    }

    /// `self.name = value` gives the field of an attribute a value.
    fn attribute_assigned(&mut self, object: ExprId, method: Node<'_>, value: ExprId) {
        let own = self.frame().own;
        if !matches!(own, super::context::Own::Instance(_)) || object != self.self_expr() {
            return;
        }
        let text = self.b.text(method);
        let name = self.b.intern_name(text);
        let attribute = self.context().methods.get(&(name, false)).copied();
        let is_attribute =
            attribute.is_some_and(|def| self.b.facts().def(def).kind == SymbolKind::Property);
        if is_attribute {
            let field = self.b.intern_owned_name(&format!("@{text}"));
            self.give_field(field, method, value);
        }
    }

    /// `object[key] = value` calls `[]=`.
    fn assign_element(&mut self, target: Node<'_>, value: ExprId) {
        let object_node = target.field("object");
        let object = self.expr_or_unknown(object_node);
        let mut args = Vec::new();
        for item in children(target) {
            if Some(item) != object_node {
                args.push(self.argument_value(item));
            }
        }
        args.push(value);
        self.element_call(target, object, "[]=", args);
    }

    /// `x += 1`, `x ||= y`.
    pub(super) fn operator_assignment(&mut self, node: Node<'_>) -> ExprId {
        let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
            self.children_of(node);
            return self.unknown;
        };
        let operator = node.field("operator");
        let word = operator.map_or("", |o| self.b.text(o));
        if matches!(left.kind_name(), "constant" | "scope_resolution") && word == "||=" {
            return self.constant_assignment(node, (left, right), &[]);
        }
        match left.kind_name() {
            "instance_variable" | "class_variable" | "global_variable" => {
                let old = self.field_mention_of(left);
                let value = self.expr(right);
                let kept = self.operated((old, value), word, operator);
                // The value from before is one of those that the field has anyway.
                let given = if word == "||=" { value } else { kept };
                let field = self.field(left, Some(given));
                self.b.add_write(field, left);
                if word == "||=" { field } else { kept }
            }
            "identifier" => {
                let known = self.b.find_name(self.b.text(left));
                let old = known.and_then(|name| self.variable(name));
                let old = old.unwrap_or(self.unknown);
                let value = self.expr(right);
                let value = self.operated((old, value), word, operator);
                self.assign(left, value);
                value
            }
            "call" => self.operated_attribute(left, right, word),
            _ => {
                let old = self.expr(left);
                let value = self.expr(right);
                let value = self.operated((old, value), word, operator);
                if left.kind_name() == "element_reference" {
                    let object = match self.b.facts().expr(old) {
                        Expr::Call { callee, .. } => match self.b.facts().expr(*callee) {
                            Expr::Member { object, .. } => *object,
                            _ => self.unknown,
                        },
                        _ => self.unknown,
                    };
                    self.element_call(left, object, "[]=", vec![self.unknown, value]);
                }
                value
            }
        }
    }

    fn field_mention_of(&mut self, node: Node<'_>) -> ExprId {
        let field = self.field(node, None);
        self.b.add_reference(RefTarget::Expr(field), node);
        field
    }

    /// `object.name ||= value` reads and writes the attribute.
    fn operated_attribute(&mut self, left: Node<'_>, right: Node<'_>, word: &str) -> ExprId {
        let old = self.expr(left);
        let value = self.expr(right);
        let value = self.operated((old, value), word, None);
        let object = match self.b.facts().expr(old) {
            Expr::Call { callee, .. } => match self.b.facts().expr(*callee) {
                Expr::Member { object, .. } | Expr::Scoped { object, .. } => *object,
                _ => self.unknown,
            },
            _ => self.unknown,
        };
        if let Some(method) = left.field("method") {
            self.written_attribute(object, method, value);
        }
        value
    }

    /// The value of an operator with an assignment.
    fn operated(
        &mut self,
        (old, value): (ExprId, ExprId),
        word: &str,
        place: Option<Node<'_>>,
    ) -> ExprId {
        match word {
            "||=" => self.b.add_expr(Expr::Either(Box::from([old, value]))),
            "&&=" => value,
            _ => {
                let name = self.b.intern_owned_name(word.trim_end_matches('='));
                let callee = self.b.add_expr(Expr::Member { object: old, name });
                let call = self.b.add_expr(Expr::Call {
                    callee,
                    args: Box::from([value]),
                    type_args: Box::default(),
                });
                if let Some(place) = place {
                    self.b.add_call(call, CallKind::Operator, 1, place);
                }
                call
            }
        }
    }

    /// `NAME = value`; a class if the value makes one.
    fn constant_assignment(
        &mut self,
        node: Node<'_>,
        (left, right): (Node<'_>, Node<'_>),
        tags: &[&'s str],
    ) -> ExprId {
        let name_node = match left.kind_name() {
            "constant" => left,
            _ => {
                if let Some(scope) = left.field("scope") {
                    self.expr(scope);
                }
                left.field("name").unwrap_or(left)
            }
        };
        if let Some(made) = self.made_class(node, (left, name_node), right, tags) {
            return made;
        }
        let name = self.b.intern_node_text(name_node);
        let def = self.add_member(name, SymbolKind::Constant, node, name_node);
        if left.kind_name() == "scope_resolution" {
            let ty = self.class_type(left);
            self.b.def_mut(def).ty = Some(ty);
        }
        self.document(def, tags);
        self.b.open_owner(def);
        let value = self.assigned_value(right);
        self.b.close_owner();
        self.b.def_mut(def).value = Some(value);
        value
    }
}
