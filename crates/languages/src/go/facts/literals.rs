//! Composite literals: `T{…}`, `[]T{…}`, `map[K]V{…}`, with elided types inside.

use super::{Walker, named_parts};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// The type that the elements of a literal's body belong to.
#[derive(Clone, Copy)]
enum LiteralBody {
    /// Most likely a struct: plain keys are its fields. The expression is the literal.
    Struct(ExprId),
    /// A slice, array or map with these types of key and element.
    Elements(Option<TypeId>, TypeId),
    /// Not known.
    Unknown,
}

impl<'s> Walker<'_, 's> {
    /// A composite literal.
    pub(super) fn visit_composite_literal(&mut self, node: Node<'_>) -> ExprId {
        let (Some(written), Some(values)) = (node.field("type"), node.field("body")) else {
            return self.visit_unknown(node);
        };
        let expr = match written.kind_name() {
            "type_identifier" | "qualified_type" | "generic_type" => {
                self.visit_constructed_type(written)
            }
            _ => {
                let ty = self.lower_type(written);
                self.add_value_of_type(ty)
            }
        };
        let body = match self.b.facts().expr(expr) {
            Expr::Cast(_, ty) => self.literal_body_kind(expr, *ty),
            _ => LiteralBody::Struct(expr),
        };
        self.literal_value(values, body);
        expr
    }

    /// The type in `T{…}`, which is recorded as a call site.
    fn visit_constructed_type(&mut self, written: Node<'_>) -> ExprId {
        let name = match written.kind_name() {
            "generic_type" => written.field("type").unwrap_or(written),
            _ => written,
        };
        let type_args = match written.field("type_arguments") {
            Some(list) => named_parts(list)
                .into_iter()
                .map(|t| self.lower_type(t))
                .collect(),
            None => Box::default(),
        };
        let (class, place) = match (name.field("package"), name.field("name")) {
            (Some(package), Some(member)) => {
                let object = self.b.add_name_expr(package);
                let name = self.b.intern_node_text(member);
                (self.b.add_expr(Expr::Member { object, name }), member)
            }
            _ => (self.b.add_name_expr(name), name),
        };
        let expr = self.b.add_expr(Expr::New {
            class,
            args: Box::default(),
            type_args,
        });
        self.b.add_call(expr, CallKind::Literal, 0, place);
        expr
    }

    fn add_value_of_type(&mut self, ty: TypeId) -> ExprId {
        let nothing = self.b.add_expr(Expr::Unknown);
        self.b.add_expr(Expr::Cast(nothing, ty))
    }

    fn literal_body_kind(&self, expr: ExprId, ty: TypeId) -> LiteralBody {
        match self.b.facts().ty(ty) {
            TypeExpr::Array(element) => LiteralBody::Elements(None, *element),
            TypeExpr::Map(key, element) => LiteralBody::Elements(Some(*key), *element),
            TypeExpr::Named { .. } | TypeExpr::Anonymous(_) => LiteralBody::Struct(expr),
            TypeExpr::Reference(inner) => self.literal_body_kind(expr, *inner),
            _ => LiteralBody::Unknown,
        }
    }

    fn literal_value(&mut self, node: Node<'_>, body: LiteralBody) {
        if !self.b.enter_level() {
            return;
        }
        let mut cursor = node.walk();
        for element in node.named_children(&mut cursor) {
            match element.kind_name() {
                "comment" => {}
                "keyed_element" => self.visit_keyed_element(element, body),
                "literal_element" => self.visit_element(element, body),
                _ => self.visit_statement(element),
            }
        }
        self.b.leave_level();
    }

    fn visit_keyed_element(&mut self, node: Node<'_>, body: LiteralBody) {
        if let Some(key) = node.field("key").and_then(|k| k.named_child(0)) {
            match (key.kind_name(), body) {
                ("identifier", LiteralBody::Struct(object)) => {
                    let name = self.b.intern_node_text(key);
                    let member = self.b.add_expr(Expr::Member { object, name });
                    self.b.add_write(member, key);
                }
                ("literal_value", LiteralBody::Elements(Some(ty), _)) => {
                    self.visit_elided_literal(key, ty)
                }
                ("literal_value", _) => self.literal_value(key, LiteralBody::Unknown),
                ("identifier", LiteralBody::Unknown) => {}
                _ => {
                    self.expr(key);
                }
            }
        }
        if let Some(value) = node.field("value") {
            self.visit_element(value, body);
        }
    }

    fn visit_element(&mut self, node: Node<'_>, body: LiteralBody) {
        let Some(inner) = node.named_child(0) else {
            return;
        };
        match (inner.kind_name(), body) {
            ("literal_value", LiteralBody::Elements(_, ty)) => self.visit_elided_literal(inner, ty),
            // Struct fields cannot elide their types, so the named type is a slice or map.
            ("literal_value", LiteralBody::Struct(object)) => {
                let element = self.b.add_expr(Expr::Element(object));
                self.literal_value(inner, LiteralBody::Struct(element));
            }
            ("literal_value", _) => self.literal_value(inner, LiteralBody::Unknown),
            _ => {
                self.expr(inner);
            }
        }
    }

    /// A literal whose type is given by the one around it.
    fn visit_elided_literal(&mut self, node: Node<'_>, ty: TypeId) {
        let expr = self.add_value_of_type(ty);
        let body = self.literal_body_kind(expr, ty);
        self.literal_value(node, body);
    }
}
