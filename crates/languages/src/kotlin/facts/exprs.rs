//! Expressions.

use super::{Walker, code_children, is_type, word_child};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

impl Walker<'_, '_> {
    /// An expression; records the calls, references and writes inside it.
    pub(super) fn expr(&mut self, node: Node<'_>) -> ExprId {
        if !self.b.enter_level() {
            return self.b.add_expr(Expr::Unknown);
        }
        let expr = self.expr_inner(node);
        self.b.leave_level();
        expr
    }

    fn expr_inner(&mut self, node: Node<'_>) -> ExprId {
        if let Some(value) = self.values.remove(&node.id()) {
            return value;
        }
        if matches!(
            node.kind_name(),
            "parenthesized_expression" | "lambda_literal"
        ) && let Some(call) = self.generic_call_at(node, None)
        {
            return call;
        }
        match node.kind_name() {
            "identifier" => self.identifier(node),
            "call_expression" => self.call(node),
            "navigation_expression" => {
                let (expr, name) = self.navigation(node);
                if let Some(name) = name {
                    self.b.add_reference(RefTarget::Expr(expr), name);
                }
                expr
            }
            "parenthesized_expression" => self.first_child(node),
            "annotated_expression" | "labeled_expression" => self.labelled(node),
            "binary_expression" => self.binary(node),
            "unary_expression" => self.unary(node),
            "infix_expression" => self.infix(node),
            "range_expression" => self.range(node),
            "in_expression" => self.contained(node),
            "is_expression" => self.type_check(node),
            "as_expression" => self.cast(node),
            "index_expression" => self.index(node),
            "if_expression" => self.if_expression(node),
            "when_expression" => self.when_expression(node),
            "try_expression" => self.try_expression(node),
            "lambda_literal" => self.lambda(node, ""),
            "annotated_lambda" => self.first_child(node),
            "anonymous_function" => self.anonymous_function(node),
            "object_literal" => self.object_literal(node),
            "callable_reference" => self.callable_reference(node),
            "this_expression" => self.this(node),
            "super_expression" => self.super_expression(node),
            "return_expression" => self.return_expression(node),
            "throw_expression" => self.throw(node),
            "collection_literal" => self.collection(node),
            "spread_expression" => {
                let inner = self.first_child(node);
                self.b.add_expr(Expr::Spread(inner))
            }
            "string_literal" | "multiline_string_literal" => {
                self.interpolations(node);
                self.b.add_expr(Expr::Literal(Primitive::String))
            }
            "character_literal" => self.b.add_expr(Expr::Literal(Primitive::Char)),
            "number_literal" => self.number(node),
            "float_literal" => self.float(node),
            _ => self.unknown(node),
        }
    }

    /// An unknown expression, whose contents are read all the same.
    fn unknown(&mut self, node: Node<'_>) -> ExprId {
        self.statements(node);
        self.b.add_expr(Expr::Unknown)
    }

    /// The use of a name, without back quotes.
    pub(super) fn name_expr(&mut self, node: Node<'_>) -> ExprId {
        let name = self.name(node);
        let scope = self.b.current_scope();
        let at = node.start_byte() as u32;
        self.b.add_expr(Expr::Name { name, scope, at })
    }

    fn identifier(&mut self, node: Node<'_>) -> ExprId {
        match self.b.text(node) {
            "true" | "false" => self.b.add_expr(Expr::Literal(Primitive::Bool)),
            "null" | "break" | "continue" => self.b.add_expr(Expr::Literal(Primitive::Null)),
            _ => {
                let expr = self.name_expr(node);
                self.b.add_reference(RefTarget::Expr(expr), node);
                expr
            }
        }
    }

    pub(super) fn first_child(&mut self, node: Node<'_>) -> ExprId {
        match super::first_code_child(node) {
            Some(inner) => self.expr(inner),
            None => self.b.add_expr(Expr::Unknown),
        }
    }

    fn labelled(&mut self, node: Node<'_>) -> ExprId {
        self.annotations_in(node);
        match code_children(node).pop() {
            Some(inner) if !matches!(inner.kind_name(), "label" | "annotation") => self.expr(inner),
            _ => self.b.add_expr(Expr::Unknown),
        }
    }

    pub(super) fn expr_in_field(&mut self, node: Node<'_>, name: &'static str) -> ExprId {
        match node.field(name) {
            Some(child) => self.expr(child),
            None => self.b.add_expr(Expr::Unknown),
        }
    }

    fn interpolations(&mut self, node: Node<'_>) {
        for part in super::children_of_kind(node, "interpolation") {
            for inner in code_children(part) {
                self.expr(inner);
            }
        }
    }

    /// `1` is an `Int`; a suffix makes it a `Long` or an unsigned number.
    fn number(&mut self, node: Node<'_>) -> ExprId {
        let text = self.b.text(node);
        let literal = self.b.add_expr(Expr::Literal(Primitive::Int));
        let is_long = text.ends_with(['L', 'l']);
        let is_hex = text.starts_with("0x") || text.starts_with("0X");
        let is_unsigned = text.contains(['u', 'U']);
        let name = match (is_unsigned, is_long) {
            (true, true) => "ULong",
            (true, false) => "UInt",
            (false, true) => "Long",
            (false, false) if !is_hex && text.parse::<i32>().is_err() && text.len() > 9 => "Long",
            _ => return literal,
        };
        let ty = self.standard_type(name, Box::default());
        self.b.add_expr(Expr::Cast(literal, ty))
    }

    fn float(&mut self, node: Node<'_>) -> ExprId {
        let text = self.b.text(node);
        let literal = self.b.add_expr(Expr::Literal(Primitive::Float));
        if !text.ends_with(['f', 'F']) {
            return literal;
        }
        let ty = self.standard_type("Float", Box::default());
        self.b.add_expr(Expr::Cast(literal, ty))
    }

    /// A type of the standard library that the source does not name.
    fn standard_type(&mut self, name: &str, args: Box<[TypeId]>) -> TypeId {
        let path = ["kotlin", name].map(|part| self.b.intern_owned_name(part));
        self.b.add_type(TypeExpr::Named {
            path: path.into(),
            args,
            scope: FILE_SCOPE,
            at: 0,
        })
    }

    fn type_check(&mut self, node: Node<'_>) -> ExprId {
        let value = self.expr_in_field(node, "left");
        if let Some(right) = node.field("right") {
            let ty = self.ty(right);
            self.note_check(node, ty, value);
        }
        self.b.add_expr(Expr::Literal(Primitive::Bool))
    }

    fn cast(&mut self, node: Node<'_>) -> ExprId {
        let value = self.expr_in_field(node, "left");
        let Some(right) = node.field("right") else {
            return value;
        };
        let ty = self.ty(right);
        if word_child(node, "as").is_some() {
            self.note_check(node, ty, value);
        }
        self.b.add_expr(Expr::Cast(value, ty))
    }

    fn collection(&mut self, node: Node<'_>) -> ExprId {
        let parts = code_children(node).into_iter().map(|part| self.expr(part));
        let parts: Vec<ExprId> = parts.collect();
        self.b.add_expr(Expr::List(parts.into()))
    }

    /// `this`, `this@label`: a name, since the scopes around say what it is.
    fn this(&mut self, node: Node<'_>) -> ExprId {
        let text: &str = self.b.text(node);
        let text: String = text.split_whitespace().collect();
        let name = self.b.intern_owned_name(&text);
        let scope = self.b.current_scope();
        let at = node.start_byte() as u32;
        self.b.add_expr(Expr::Name { name, scope, at })
    }

    pub(super) fn super_expression(&mut self, node: Node<'_>) -> ExprId {
        let label = child_of_kind(node, "identifier").map(|label| self.b.text(label));
        let facts = self.b.facts();
        let class = self.classes.iter().rev().find(|class| match label {
            Some(label) => facts.name(facts.def(class.def).name) == label,
            None => true,
        });
        let class = class.map(|class| class.def);
        let written = code_children(node).into_iter().find(|c| is_type(*c));
        if let Some(written) = written {
            let ty = self.ty(written);
            let value = self.b.add_expr(class.map_or(Expr::Unknown, Expr::Super));
            return self.b.add_expr(Expr::Cast(value, ty));
        }
        self.b.add_expr(class.map_or(Expr::Unknown, Expr::Super))
    }

    /// `::f`, `A::f`, `A::class`.
    fn callable_reference(&mut self, node: Node<'_>) -> ExprId {
        let name_node = child_of_kind(node, "identifier");
        let receiver = code_children(node).into_iter().find(|c| is_type(*c));
        match (receiver, name_node) {
            (None, Some(name)) => {
                let expr = self.name_expr(name);
                self.b.add_reference(RefTarget::Expr(expr), name);
                // A mention of a function has no type that calls of other names could use.
                self.b.add_expr(Expr::Borrowed(expr))
            }
            (Some(receiver), Some(name_node)) => {
                let ty = self.ty(receiver);
                let object = self.b.add_expr(Expr::Type(ty));
                self.reference_to_member(object, name_node)
            }
            (Some(receiver), None) => {
                let of = self.ty(receiver);
                let class = self.standard_type("KClass", Box::from([of]));
                let unknown = self.b.add_expr(Expr::Unknown);
                self.b.add_expr(Expr::Cast(unknown, class))
            }
            (None, None) => self.b.add_expr(Expr::Unknown),
        }
    }

    pub(super) fn reference_to_member(&mut self, object: ExprId, name_node: Node<'_>) -> ExprId {
        let name = self.name(name_node);
        let expr = self.b.add_expr(Expr::Scoped { object, name });
        self.b.add_reference(RefTarget::Expr(expr), name_node);
        expr
    }
}
