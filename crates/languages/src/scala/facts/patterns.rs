//! Patterns: what they bind, and the extractors that they call.

use super::types::path_names;
use super::{Walker, children_of_kind, field_nodes, parts};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// A name that a pattern binds.
pub(super) struct BoundName<'t> {
    pub(super) node: Node<'t>,
    pub(super) ty: Option<TypeId>,
    pub(super) value: ExprId,
}

impl Walker<'_, '_> {
    /// Binds names in the current scope, visible from a byte on.
    pub(super) fn bind_all(&mut self, bound: Vec<BoundName<'_>>, from: u32) {
        let scope = self.b.current_scope();
        for one in bound {
            let name = self.plain_name(one.node);
            let to = Bound::Local {
                ty: one.ty,
                value: Some(one.value),
            };
            self.b.bind_in(scope, name, Namespace::VALUE, from, to);
        }
    }

    /// Reads a pattern that a value is matched with; returns the names that it binds.
    pub(super) fn pattern<'t>(&mut self, node: Node<'t>, value: ExprId) -> Vec<BoundName<'t>> {
        let mut out = Vec::new();
        self.pattern_into(node, value, &mut out);
        out
    }

    fn pattern_into<'t>(&mut self, node: Node<'t>, value: ExprId, out: &mut Vec<BoundName<'t>>) {
        if !self.b.enter_level() {
            return;
        }
        match node.kind_name() {
            "identifier" | "operator_identifier" => self.name_pattern(node, value, out),
            "stable_identifier" => self.mention(node),
            "capture_pattern" => self.capture(node, value, out),
            "typed_pattern" => {
                let written = field_nodes(node, "type").into_iter().next();
                let ty = written.map(|ty| self.ty(ty));
                if let Some(inner) = node.field("pattern") {
                    let from = out.len();
                    self.pattern_into(inner, value, out);
                    if let (Some(one), true) = (out.get_mut(from), inner.child_count() == 0) {
                        one.ty = ty;
                    }
                }
            }
            "case_class_pattern" => self.class_pattern(node, value, out),
            "infix_pattern" => self.infix_pattern(node, value, out),
            "tuple_pattern" => {
                for (part, at) in parts(node).into_iter().zip(0..) {
                    let value = self.b.add_expr(Expr::Part(value, at));
                    self.pattern_into(part, value, out);
                }
            }
            "alternative_pattern" => {
                for part in parts(node) {
                    self.pattern_into(part, value, out);
                }
            }
            "repeat_pattern" => {
                if let Some(inner) = node.field("pattern") {
                    self.pattern_into(inner, value, out);
                }
            }
            "named_tuple_pattern" | "named_pattern" => self.named_parts(node, out),
            "interpolated_string_expression" => self.text_pattern(node, out),
            "given_pattern" => {
                if let Some(ty) = node.field("type") {
                    self.ty(ty);
                }
            }
            _ => {}
        }
        self.b.leave_level();
    }

    /// A name: in lower case it is bound, otherwise it names a value to compare with.
    fn name_pattern<'t>(&mut self, node: Node<'t>, value: ExprId, out: &mut Vec<BoundName<'t>>) {
        let text = self.b.text(node);
        if text.starts_with(|c: char| c.is_lowercase() || c == '_') {
            out.push(BoundName {
                node,
                ty: None,
                value,
            });
        } else {
            self.mention(node);
        }
    }

    /// A path that names a value to compare with.
    fn mention(&mut self, node: Node<'_>) {
        let mut names = Vec::new();
        path_names(node, &mut names);
        let path = self.stable_path(node);
        if let (Expr::Bare(path), Some(last)) = (self.b.facts().expr(path), names.last()) {
            let path = *path;
            self.b.add_reference(RefTarget::Expr(path), *last);
        }
    }

    /// `x @ p`.
    fn capture<'t>(&mut self, node: Node<'t>, value: ExprId, out: &mut Vec<BoundName<'t>>) {
        let Some(inner) = node.field("pattern") else {
            return;
        };
        let at = out.len();
        let whole = match inner.kind_name() {
            "case_class_pattern" => match self.extractor(inner) {
                Some(variant) => self.b.add_expr(Expr::Payload {
                    value,
                    variant,
                    index: WHOLE_VARIANT,
                }),
                None => value,
            },
            _ => value,
        };
        let written = match inner.kind_name() {
            "typed_pattern" => field_nodes(inner, "type").into_iter().next(),
            _ => None,
        };
        let ty = written.map(|ty| self.ty(ty));
        self.pattern_into(inner, value, out);
        if let Some(name) = node.field("name")
            && name.kind_name() != "wildcard"
        {
            let bound = BoundName {
                node: name,
                ty,
                value: whole,
            };
            out.insert(at.min(out.len()), bound);
        }
    }

    /// The path of the class or extractor of a pattern.
    fn extractor(&mut self, node: Node<'_>) -> Option<ExprId> {
        let written = node.field("type")?;
        let path = self.stable_path(written);
        match *self.b.facts().expr(path) {
            Expr::Bare(path) => Some(path),
            _ => None,
        }
    }

    /// `A(p, q)`: parts of a case class, or what an extractor gives.
    fn class_pattern<'t>(&mut self, node: Node<'t>, value: ExprId, out: &mut Vec<BoundName<'t>>) {
        let Some(variant) = self.extractor(node) else {
            return;
        };
        if let Some(list) = node.field("type_arguments") {
            self.type_arguments(list);
        }
        if let Some(written) = node.field("type") {
            let mut names = Vec::new();
            path_names(written, &mut names);
            if let Some(last) = names.last() {
                self.b.add_reference(RefTarget::Expr(variant), *last);
                self.extractor_call(variant, value, *last);
            }
        }
        for (part, index) in field_nodes(node, "pattern").into_iter().zip(0..) {
            let payload = Expr::Payload {
                value,
                variant,
                index,
            };
            let payload = self.b.add_expr(payload);
            self.pattern_into(part, payload, out);
        }
    }

    /// The call of `unapply`, where an object has one.
    fn extractor_call(&mut self, variant: ExprId, value: ExprId, name_node: Node<'_>) {
        let object = self.b.add_expr(Expr::Bare(variant));
        let name = self.b.intern_owned_name("unapply");
        let callee = self.b.add_expr(Expr::Member { object, name });
        let call = self.b.add_expr(Expr::Call {
            callee,
            args: Box::from([value]),
            type_args: Box::default(),
        });
        self.b.add_call(call, CallKind::Operator, 1, name_node);
    }

    /// `a :: b`.
    fn infix_pattern<'t>(&mut self, node: Node<'t>, value: ExprId, out: &mut Vec<BoundName<'t>>) {
        let Some(operator) = node.field("operator") else {
            return;
        };
        let variant = self.name_path(operator);
        self.extractor_call(variant, value, operator);
        let operands = [node.field("left"), node.field("right")];
        for (part, index) in operands.into_iter().zip(0..) {
            let payload = Expr::Payload {
                value,
                variant,
                index,
            };
            let payload = self.b.add_expr(payload);
            if let Some(part) = part {
                self.pattern_into(part, payload, out);
            }
        }
    }

    /// `(name = p)`: parts by name, whose types are not known.
    fn named_parts<'t>(&mut self, node: Node<'t>, out: &mut Vec<BoundName<'t>>) {
        let inside = match node.kind_name() {
            "named_pattern" => vec![node],
            _ => children_of_kind(node, "named_pattern"),
        };
        for part in inside {
            let value = self.unknown();
            if let Some(pattern) = parts(part).last() {
                self.pattern_into(*pattern, value, out);
            }
        }
    }

    /// `s"$a/$b"` as a pattern.
    fn text_pattern<'t>(&mut self, node: Node<'t>, out: &mut Vec<BoundName<'t>>) {
        let Some(text) = child_of_kind(node, "interpolated_string") else {
            return;
        };
        for part in children_of_kind(text, "interpolation") {
            let Some(inner) = parts(part).first().copied() else {
                continue;
            };
            let inner = match inner.kind_name() {
                "block" => parts(inner).first().copied().unwrap_or(inner),
                _ => inner,
            };
            let value = self.unknown();
            self.pattern_into(inner, value, out);
        }
    }
}
