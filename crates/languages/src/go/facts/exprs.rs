//! Expressions other than calls and literals with bodies.

use super::{Walker, strip_parentheses};
use base::MarkKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    /// An expression, with its calls and references.
    pub(super) fn expr(&mut self, node: Node<'_>) -> ExprId {
        if !self.b.enter_level() {
            return self.b.add_expr(Expr::Unknown);
        }
        let expr = self.expr_inner(strip_parentheses(node));
        self.b.leave_level();
        expr
    }

    fn expr_inner(&mut self, node: Node<'_>) -> ExprId {
        let literal = match node.kind_name() {
            "identifier" => return self.visit_identifier(node),
            "selector_expression" => {
                let Some((expr, field)) = self.member(node) else {
                    return self.visit_unknown(node);
                };
                self.b.add_reference(RefTarget::Expr(expr), field);
                return expr;
            }
            "call_expression" => return self.visit_call(node),
            "type_conversion_expression" => return self.visit_conversion(node),
            "composite_literal" => return self.visit_composite_literal(node),
            "func_literal" => return self.function_literal(node),
            "unary_expression" => return self.unary(node),
            "binary_expression" => return self.binary(node),
            "index_expression" => return self.index(node),
            "slice_expression" => return self.slice(node),
            "type_assertion_expression" => return self.visit_type_assertion(node),
            "type_instantiation_expression" => return self.visit_instantiation(node),
            "interpreted_string_literal" | "raw_string_literal" => Primitive::String,
            "int_literal" | "iota" => Primitive::Int,
            "float_literal" | "imaginary_literal" => Primitive::Float,
            "rune_literal" => Primitive::Char,
            "true" | "false" => Primitive::Bool,
            "nil" => Primitive::Null,
            _ => return self.visit_unknown(node),
        };
        self.b.add_expr(Expr::Literal(literal))
    }

    /// An unknown expression, whose contents are read all the same.
    pub(super) fn visit_unknown(&mut self, node: Node<'_>) -> ExprId {
        self.visit_children(node);
        self.b.add_expr(Expr::Unknown)
    }

    fn visit_identifier(&mut self, node: Node<'_>) -> ExprId {
        let expr = self.b.add_name_expr(node);
        let name = self.b.intern_node_text(node);
        if self.find_local(name).is_none() && self.b.text(node) != "_" {
            self.b.add_reference(RefTarget::Expr(expr), node);
        }
        expr
    }

    /// The expression before a dot. The name of a package is not recorded as a reference.
    pub(super) fn visit_qualifier(&mut self, node: Node<'_>) -> ExprId {
        if node.kind_name() == "identifier" {
            let name = self.b.intern_node_text(node);
            if self.packages.contains(&name) {
                return self.b.add_name_expr(node);
            }
        }
        self.expr(node)
    }

    /// `object.field`, with the node of the field. The caller records the reference.
    pub(super) fn member<'t>(&mut self, node: Node<'t>) -> Option<(ExprId, Node<'t>)> {
        let operand = node.field("operand")?;
        let field = node.field("field")?;
        let object = self.visit_qualifier(operand);
        let name = self.b.intern_node_text(field);
        Some((self.b.add_expr(Expr::Member { object, name }), field))
    }

    fn unary(&mut self, node: Node<'_>) -> ExprId {
        let Some(operand) = node.field("operand") else {
            return self.visit_unknown(node);
        };
        let inner = self.expr(operand);
        match node.field("operator").map(|o| o.kind_name()) {
            Some("<-") => self.b.add_expr(Expr::Element(inner)),
            Some("!") => self.b.add_expr(Expr::Literal(Primitive::Bool)),
            _ => inner,
        }
    }

    /// Long sums nest to the left, so they are read without recursion.
    fn binary(&mut self, node: Node<'_>) -> ExprId {
        let mut operands = Vec::new();
        let mut first = node;
        while first.kind_name() == "binary_expression" {
            let right = first.field("right");
            let operator = first.field("operator").map(|o| o.kind_name());
            operands.extend(right.map(|r| (r, operator.unwrap_or(""))));
            self.mark_error_comparison(first);
            match first.field("left") {
                Some(left) => first = left,
                None => break,
            }
        }
        let mut left = match first.kind_name() {
            "binary_expression" => self.b.add_expr(Expr::Unknown),
            _ => self.expr(first),
        };
        for (right, operator) in operands.into_iter().rev() {
            let right = self.expr(right);
            let boolean = matches!(
                operator,
                "==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||"
            );
            left = self.b.add_expr(if boolean {
                Expr::Literal(Primitive::Bool)
            } else {
                Expr::Operation(left, right)
            });
        }
        left
    }

    /// `err == io.EOF`.
    fn mark_error_comparison(&mut self, node: Node<'_>) {
        let is = |field: &'static str, text: &str| {
            node.field(field)
                .is_some_and(|part| self.b.text(part) == text)
        };
        let compares = is("operator", "==") || is("operator", "!=");
        if compares && is("left", "err") && !is("right", "nil") {
            self.b
                .add_file_mark(MarkKind::CompareByOperator, None, node);
        }
    }

    fn index(&mut self, node: Node<'_>) -> ExprId {
        let (Some(operand), Some(index)) = (node.field("operand"), node.field("index")) else {
            return self.visit_unknown(node);
        };
        let object = self.expr(operand);
        let index = self.expr(index);
        self.b.add_expr(Expr::Index { object, index })
    }

    /// A slice has the type of the sliced value.
    fn slice(&mut self, node: Node<'_>) -> ExprId {
        let Some(operand) = node.field("operand") else {
            return self.visit_unknown(node);
        };
        let object = self.expr(operand);
        for field in ["start", "end", "capacity"] {
            if let Some(bound) = node.field(field) {
                self.expr(bound);
            }
        }
        object
    }

    fn visit_type_assertion(&mut self, node: Node<'_>) -> ExprId {
        let (Some(operand), Some(written)) = (node.field("operand"), node.field("type")) else {
            return self.visit_unknown(node);
        };
        let value = self.expr(operand);
        let ty = self.lower_type(written);
        self.b.add_expr(Expr::Cast(value, ty))
    }

    /// `f[int]` without a call.
    fn visit_instantiation(&mut self, node: Node<'_>) -> ExprId {
        let mut types = super::named_parts(node).into_iter();
        let Some(first) = types.next() else {
            return self.visit_unknown(node);
        };
        let generic = self.lower_type(first);
        for argument in types {
            self.lower_type(argument);
        }
        self.b.add_expr(Expr::Type(generic))
    }
}
