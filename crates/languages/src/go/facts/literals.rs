//! Composite literals: `T{…}`, `[]T{…}`, `map[K]V{…}`, with elided types inside.

use super::{Walker, parts};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// What the elements of a literal's body belong to.
#[derive(Clone, Copy)]
enum Body {
    /// A struct, most likely: plain keys are its fields. The expression is the literal.
    Struct(ExprId),
    /// A slice, array or map with these types of key and element.
    Elements(Option<TypeId>, TypeId),
    /// Not known.
    Unknown,
}

impl<'s> Walker<'_, 's> {
    /// A composite literal.
    pub(super) fn composite(&mut self, node: Node<'_>) -> ExprId {
        let (Some(written), Some(values)) = (node.field("type"), node.field("body")) else {
            return self.unknown(node);
        };
        let expr = match written.kind_name() {
            "type_identifier" | "qualified_type" | "generic_type" => self.construct(written),
            _ => {
                let ty = self.ty(written);
                self.value_of(ty)
            }
        };
        let body = match self.b.facts().expr(expr) {
            Expr::Cast(_, ty) => self.body_of(expr, *ty),
            _ => Body::Struct(expr),
        };
        self.literal_value(values, body);
        expr
    }

    /// `T{…}` of a named type: a site of its own.
    fn construct(&mut self, written: Node<'_>) -> ExprId {
        let name = match written.kind_name() {
            "generic_type" => written.field("type").unwrap_or(written),
            _ => written,
        };
        let type_args = match written.field("type_arguments") {
            Some(list) => parts(list).into_iter().map(|t| self.ty(t)).collect(),
            None => Box::default(),
        };
        let (class, place) = match (name.field("package"), name.field("name")) {
            (Some(package), Some(member)) => {
                let object = self.b.name_expr(package);
                let name = self.b.node_name(member);
                (self.b.expr(Expr::Member { object, name }), member)
            }
            _ => (self.b.name_expr(name), name),
        };
        let expr = self.b.expr(Expr::New {
            class,
            args: Box::default(),
            type_args,
        });
        self.b.add_call(expr, CallKind::Literal, 0, place);
        expr
    }

    fn value_of(&mut self, ty: TypeId) -> ExprId {
        let nothing = self.b.expr(Expr::Unknown);
        self.b.expr(Expr::Cast(nothing, ty))
    }

    fn body_of(&self, expr: ExprId, ty: TypeId) -> Body {
        match self.b.facts().ty(ty) {
            TypeExpr::Array(element) => Body::Elements(None, *element),
            TypeExpr::Map(key, element) => Body::Elements(Some(*key), *element),
            TypeExpr::Named { .. } | TypeExpr::Anonymous(_) => Body::Struct(expr),
            TypeExpr::Reference(inner) => self.body_of(expr, *inner),
            _ => Body::Unknown,
        }
    }

    fn literal_value(&mut self, node: Node<'_>, body: Body) {
        if !self.b.enter() {
            return;
        }
        let mut cursor = node.walk();
        for element in node.named_children(&mut cursor) {
            match element.kind_name() {
                "comment" => {}
                "keyed_element" => self.keyed(element, body),
                "literal_element" => self.element(element, body),
                _ => self.statement(element),
            }
        }
        self.b.leave();
    }

    fn keyed(&mut self, node: Node<'_>, body: Body) {
        if let Some(key) = node.field("key").and_then(|k| k.named_child(0)) {
            match (key.kind_name(), body) {
                ("identifier", Body::Struct(object)) => {
                    let name = self.b.node_name(key);
                    let member = self.b.expr(Expr::Member { object, name });
                    self.b.add_write(member, key);
                }
                ("literal_value", Body::Elements(Some(ty), _)) => self.elided(key, ty),
                ("literal_value", _) => self.literal_value(key, Body::Unknown),
                ("identifier", Body::Unknown) => {}
                _ => {
                    self.expr(key);
                }
            }
        }
        if let Some(value) = node.field("value") {
            self.element(value, body);
        }
    }

    fn element(&mut self, node: Node<'_>, body: Body) {
        let Some(inner) = node.named_child(0) else {
            return;
        };
        match (inner.kind_name(), body) {
            ("literal_value", Body::Elements(_, ty)) => self.elided(inner, ty),
            // No struct field may elide its type: the named type is a slice or map after all.
            ("literal_value", Body::Struct(object)) => {
                let element = self.b.expr(Expr::Element(object));
                self.literal_value(inner, Body::Struct(element));
            }
            ("literal_value", _) => self.literal_value(inner, Body::Unknown),
            _ => {
                self.expr(inner);
            }
        }
    }

    /// A literal whose type the one around it says.
    fn elided(&mut self, node: Node<'_>, ty: TypeId) {
        let expr = self.value_of(ty);
        let body = self.body_of(expr, ty);
        self.literal_value(node, body);
    }
}
