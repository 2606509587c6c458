//! Expressions: the expression of each node, and the references and writes in it.

use super::{Walker, first_child, is_comment_or_attribute};
use syntax::facts::*;
use syntax::fields::{Fields, left_spine};
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    /// Reads an expression.
    pub(super) fn expr(&mut self, node: Node<'_>) -> ExprId {
        self.with_depth_check(self.unknown, |w| w.visit_expr_inner(node))
    }

    fn visit_expr_inner(&mut self, node: Node<'_>) -> ExprId {
        match node.kind_name() {
            "identifier"
            | "self"
            | "scoped_identifier"
            | "crate"
            | "super"
            | "type_identifier"
            | "scoped_type_identifier" => self.visit_path_mention(node),
            "generic_function" => self.generic_function(node),
            "call_expression" => self.call(node),
            "field_expression" => self.field_expression(node),
            "macro_invocation" => self.visit_macro_call(node),
            "struct_expression" => self.struct_expression(node),
            "closure_expression" => self.visit_closure(node, None),
            "block" | "unsafe_block" | "async_block" | "const_block" | "try_block"
            | "gen_block" => self.visit_any_block(node),
            "if_expression" => self.if_expression(node),
            "match_expression" => self.match_expression(node),
            "while_expression" => {
                self.while_expression(node);
                self.unknown
            }
            "for_expression" => {
                self.for_expression(node);
                self.unknown
            }
            "loop_expression" => {
                if let Some(body) = node.field("body") {
                    self.visit_block(body);
                }
                self.unknown
            }
            "return_expression" => {
                self.return_expression(node);
                self.unknown
            }
            "let_condition" | "let_chain" => self.visit_children(node),
            _ => self.visit_simple_expr(node),
        }
    }

    fn visit_simple_expr(&mut self, node: Node<'_>) -> ExprId {
        match node.kind_name() {
            "parenthesized_expression" => self.inner(node),
            "reference_expression" => {
                let inner = self.inner(node);
                self.b.add_expr(Expr::Borrowed(inner))
            }
            "unary_expression" => self.unary(node),
            "binary_expression" => self.binary(node),
            "assignment_expression" => self.assignment(node),
            "compound_assignment_expr" => self.assignment(node),
            "try_expression" => {
                let inner = self.inner(node);
                self.b.add_expr(Expr::Try(inner))
            }
            "await_expression" => {
                let inner = self.inner(node);
                self.b.add_expr(Expr::Await(inner))
            }
            "type_cast_expression" => self.cast(node),
            "index_expression" => self.index(node),
            "range_expression" => {
                let bounds = self.list(node);
                self.b.add_expr(Expr::List(bounds))
            }
            "tuple_expression" => {
                let parts = self.list(node);
                self.b.add_expr(Expr::Tuple(parts))
            }
            "array_expression" => {
                let elements = self.list(node);
                self.b.add_expr(Expr::List(elements))
            }
            "unit_expression" => self.b.add_expr(Expr::Tuple(Box::default())),
            "string_literal" | "raw_string_literal" => {
                let bytes = self.b.text(node).starts_with('b');
                self.literal(if bytes {
                    Primitive::Bytes
                } else {
                    Primitive::String
                })
            }
            "integer_literal" => self.literal(Primitive::Int),
            "float_literal" => self.literal(Primitive::Float),
            "boolean_literal" => self.literal(Primitive::Bool),
            "char_literal" => self.literal(Primitive::Char),
            kind if is_comment_or_attribute(kind) => self.unknown,
            "label" | "lifetime" | "mutable_specifier" | "token_tree" => self.unknown,
            _ => self.visit_children(node),
        }
    }

    /// Reads all contents of a node that is not understood, such as a syntax error.
    pub(super) fn visit_children(&mut self, node: Node<'_>) -> ExprId {
        self.with_depth_check((), |w| {
            w.visit_statements(node);
        });
        self.unknown
    }

    /// Reads the first inner expression.
    fn inner(&mut self, node: Node<'_>) -> ExprId {
        match first_child(node) {
            Some(inner) => self.expr(inner),
            None => self.unknown,
        }
    }

    fn visit_any_block(&mut self, node: Node<'_>) -> ExprId {
        if node.kind_name() == "block" {
            return self.visit_block(node);
        }
        match super::child_of_kind(node, "block") {
            // `return` and `?` inside an `async` block do not leave the enclosing function.
            Some(inner) if matches!(node.kind_name(), "async_block" | "try_block") => {
                self.returns.push(None);
                let value = self.visit_block(inner);
                self.returns.pop();
                value
            }
            Some(inner) => self.visit_block(inner),
            None => self.unknown,
        }
    }

    /// Reads all inner expressions.
    fn list(&mut self, node: Node<'_>) -> Box<[ExprId]> {
        let mut out = Vec::new();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if !is_comment_or_attribute(child.kind_name()) {
                out.push(self.expr(child));
            }
        }
        out.into()
    }

    fn unary(&mut self, node: Node<'_>) -> ExprId {
        let inner = self.inner(node);
        match self.b.text(node).as_bytes().first() {
            Some(b'!' | b'-') => self.b.add_expr(Expr::Operation(inner, inner)),
            _ => inner,
        }
    }

    /// Long chains of operators nest to the left, so they are read in a loop.
    fn binary(&mut self, node: Node<'_>) -> ExprId {
        let (spine, left) = left_spine(node);
        let mut value = match left {
            Some(left) => self.expr(left),
            None => self.unknown,
        };
        for node in spine.into_iter().rev() {
            let right = match node.field("right") {
                Some(right) => self.expr(right),
                None => self.unknown,
            };
            let operator = node.field("operator").map_or("", |o| o.kind_name());
            value = match operator {
                "&&" | "||" | "==" | "!=" | "<" | ">" | "<=" | ">=" => {
                    self.literal(Primitive::Bool)
                }
                _ => self.b.add_expr(Expr::Operation(value, right)),
            };
        }
        value
    }

    fn assignment(&mut self, node: Node<'_>) -> ExprId {
        if let Some(right) = node.field("right") {
            self.expr(right);
        }
        if let Some(left) = node.field("left") {
            self.visit_assignment_target(left);
        }
        self.unknown
    }

    /// The left side of an assignment.
    fn visit_assignment_target(&mut self, node: Node<'_>) {
        if !self.b.enter_level() {
            return;
        }
        match node.kind_name() {
            "identifier" | "scoped_identifier" => {
                let target = self.add_path_expr(node);
                let name = node.field("name").unwrap_or(node);
                self.b.add_write(target, name);
            }
            "field_expression" => {
                let (member, name) = self.visit_member(node);
                if let Some(name) = name {
                    self.b.add_write(member, name);
                }
            }
            "index_expression" => {
                let mut cursor = node.walk();
                for (i, child) in node
                    .named_children(&mut cursor)
                    .filter(|c| !is_comment_or_attribute(c.kind_name()))
                    .enumerate()
                {
                    if i == 0 {
                        self.visit_assignment_target(child);
                    } else {
                        self.expr(child);
                    }
                }
            }
            "unary_expression" | "parenthesized_expression" => {
                if let Some(inner) = first_child(node) {
                    self.visit_assignment_target(inner);
                }
            }
            "tuple_expression" | "array_expression" => {
                let mut cursor = node.walk();
                for child in node.named_children(&mut cursor) {
                    self.visit_assignment_target(child);
                }
            }
            _ => {
                self.expr(node);
            }
        }
        self.b.leave_level();
    }

    fn cast(&mut self, node: Node<'_>) -> ExprId {
        let value = match node.field("value") {
            Some(value) => self.expr(value),
            None => self.unknown,
        };
        match node.field("type") {
            Some(ty) => {
                let ty = self.ty(ty);
                self.b.add_expr(Expr::Cast(value, ty))
            }
            None => value,
        }
    }

    fn index(&mut self, node: Node<'_>) -> ExprId {
        let parts = self.list(node);
        match *parts {
            [object, index] => self.b.add_expr(Expr::Index { object, index }),
            _ => self.unknown,
        }
    }

    /// A path as an expression; records a reference.
    pub(super) fn visit_path_mention(&mut self, node: Node<'_>) -> ExprId {
        let expr = self.add_path_expr(node);
        if expr != self.unknown && !matches!(node.kind_name(), "self" | "crate" | "super") {
            let name = node.field("name").unwrap_or(node);
            self.b.add_reference(RefTarget::Expr(expr), name);
        }
        expr
    }

    /// A path as an expression, without a reference to its last segment.
    pub(super) fn add_path_expr(&mut self, node: Node<'_>) -> ExprId {
        self.with_depth_check(self.unknown, |w| w.add_path_expr_inner(node))
    }

    fn add_path_expr_inner(&mut self, node: Node<'_>) -> ExprId {
        match node.kind_name() {
            "self" => match self.current_self_type() {
                Some(def) => self.b.add_expr(Expr::This(def)),
                None => self.unknown,
            },
            "identifier" | "type_identifier" | "crate" | "super" => {
                if self.b.text(node) == "Self" {
                    return self.self_type_expr();
                }
                let name = self.intern_identifier(node);
                let scope = self.b.current_scope();
                let at = node.start_byte() as u32;
                self.b.add_expr(Expr::Name { name, scope, at })
            }
            "scoped_identifier" | "scoped_type_identifier" => {
                let object = match node.field("path") {
                    Some(path) => self.qualifier(path),
                    None => self.add_root_name_expr("::", node),
                };
                match node.field("name") {
                    Some(name) => {
                        let name = self.intern_identifier(name);
                        self.b.add_expr(Expr::Scoped { object, name })
                    }
                    None => self.unknown,
                }
            }
            "generic_type" | "generic_type_with_turbofish" => {
                let ty = self.ty(node);
                self.b.add_expr(Expr::Type(ty))
            }
            _ => self.expr(node),
        }
    }

    fn self_type_expr(&mut self) -> ExprId {
        let Some(def) = self.current_self_type() else {
            return self.unknown;
        };
        let ty = self.b.add_type(TypeExpr::SelfType(def));
        self.b.add_expr(Expr::Type(ty))
    }

    fn add_root_name_expr(&mut self, name: &'s str, node: Node<'_>) -> ExprId {
        let name = self.b.intern_name(name);
        let scope = self.b.current_scope();
        let at = node.start_byte() as u32;
        self.b.add_expr(Expr::Name { name, scope, at })
    }

    /// The path before `::`. References to types in it are recorded, those to modules are not.
    fn qualifier(&mut self, node: Node<'_>) -> ExprId {
        match node.kind_name() {
            "self" => self.add_root_name_expr("self", node),
            "generic_type" | "bracketed_type" => {
                let ty = self.ty(node);
                self.b.add_expr(Expr::Type(ty))
            }
            _ => {
                let name = node.field("name").unwrap_or(node);
                if self.b.text(name).starts_with(char::is_uppercase) {
                    self.visit_path_mention(node)
                } else {
                    self.add_path_expr(node)
                }
            }
        }
    }
}
