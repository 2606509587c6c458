//! Expressions other than calls and literals with bodies.

use super::{Walker, unparenthesized};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    /// An expression, with the calls and mentions in it.
    pub(super) fn expr(&mut self, node: Node<'_>) -> ExprId {
        if !self.b.enter() {
            return self.b.expr(Expr::Unknown);
        }
        let expr = self.expr_inner(unparenthesized(node));
        self.b.leave();
        expr
    }

    fn expr_inner(&mut self, node: Node<'_>) -> ExprId {
        let literal = match node.kind_name() {
            "identifier" => return self.identifier(node),
            "selector_expression" => {
                let Some((expr, field)) = self.member(node) else {
                    return self.unknown(node);
                };
                self.b.add_reference(RefTarget::Expr(expr), field);
                return expr;
            }
            "call_expression" => return self.call(node),
            "type_conversion_expression" => return self.conversion(node),
            "composite_literal" => return self.composite(node),
            "func_literal" => return self.function_literal(node),
            "unary_expression" => return self.unary(node),
            "binary_expression" => return self.binary(node),
            "index_expression" => return self.index(node),
            "slice_expression" => return self.slice(node),
            "type_assertion_expression" => return self.assertion(node),
            "type_instantiation_expression" => return self.instantiation(node),
            "interpreted_string_literal" | "raw_string_literal" => Primitive::String,
            "int_literal" | "iota" => Primitive::Int,
            "float_literal" | "imaginary_literal" => Primitive::Float,
            "rune_literal" => Primitive::Char,
            "true" | "false" => Primitive::Bool,
            "nil" => Primitive::Null,
            _ => return self.unknown(node),
        };
        self.b.expr(Expr::Literal(literal))
    }

    /// Something that is not understood: what stands in it is read all the same.
    pub(super) fn unknown(&mut self, node: Node<'_>) -> ExprId {
        self.children(node);
        self.b.expr(Expr::Unknown)
    }

    fn identifier(&mut self, node: Node<'_>) -> ExprId {
        let expr = self.b.name_expr(node);
        let name = self.b.node_name(node);
        if self.local(name).is_none() && self.b.text(node) != "_" {
            self.b.add_reference(RefTarget::Expr(expr), node);
        }
        expr
    }

    /// What stands before a dot. The name of a package is no mention worth keeping.
    pub(super) fn qualifier(&mut self, node: Node<'_>) -> ExprId {
        if node.kind_name() == "identifier" {
            let name = self.b.node_name(node);
            if self.packages.contains(&name) {
                return self.b.name_expr(node);
            }
        }
        self.expr(node)
    }

    /// `object.field`, with the node of the field. Whoever asks records the mention.
    pub(super) fn member<'t>(&mut self, node: Node<'t>) -> Option<(ExprId, Node<'t>)> {
        let operand = node.field("operand")?;
        let field = node.field("field")?;
        let object = self.qualifier(operand);
        let name = self.b.node_name(field);
        Some((self.b.expr(Expr::Member { object, name }), field))
    }

    fn unary(&mut self, node: Node<'_>) -> ExprId {
        let Some(operand) = node.field("operand") else {
            return self.unknown(node);
        };
        let inner = self.expr(operand);
        match node.field("operator").map(|o| o.kind_name()) {
            Some("<-") => self.b.expr(Expr::Element(inner)),
            Some("!") => self.b.expr(Expr::Literal(Primitive::Bool)),
            _ => inner,
        }
    }

    /// Long sums nest to the left: they are gone down without recursion.
    fn binary(&mut self, node: Node<'_>) -> ExprId {
        let mut operands = Vec::new();
        let mut first = node;
        while first.kind_name() == "binary_expression" {
            let right = first.field("right");
            let operator = first.field("operator").map(|o| o.kind_name());
            operands.extend(right.map(|r| (r, operator.unwrap_or(""))));
            match first.field("left") {
                Some(left) => first = left,
                None => break,
            }
        }
        let mut left = match first.kind_name() {
            "binary_expression" => self.b.expr(Expr::Unknown),
            _ => self.expr(first),
        };
        for (right, operator) in operands.into_iter().rev() {
            let right = self.expr(right);
            let boolean = matches!(
                operator,
                "==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||"
            );
            left = self.b.expr(if boolean {
                Expr::Literal(Primitive::Bool)
            } else {
                Expr::Operation(left, right)
            });
        }
        left
    }

    fn index(&mut self, node: Node<'_>) -> ExprId {
        let (Some(operand), Some(index)) = (node.field("operand"), node.field("index")) else {
            return self.unknown(node);
        };
        let object = self.expr(operand);
        let index = self.expr(index);
        self.b.expr(Expr::Index { object, index })
    }

    /// A slice has the type of what it is cut from.
    fn slice(&mut self, node: Node<'_>) -> ExprId {
        let Some(operand) = node.field("operand") else {
            return self.unknown(node);
        };
        let object = self.expr(operand);
        for field in ["start", "end", "capacity"] {
            if let Some(bound) = node.field(field) {
                self.expr(bound);
            }
        }
        object
    }

    fn assertion(&mut self, node: Node<'_>) -> ExprId {
        let (Some(operand), Some(written)) = (node.field("operand"), node.field("type")) else {
            return self.unknown(node);
        };
        let value = self.expr(operand);
        let ty = self.ty(written);
        self.b.expr(Expr::Cast(value, ty))
    }

    /// `f[int]` without a call.
    fn instantiation(&mut self, node: Node<'_>) -> ExprId {
        let mut types = super::parts(node).into_iter();
        let Some(first) = types.next() else {
            return self.unknown(node);
        };
        let generic = self.ty(first);
        for argument in types {
            self.ty(argument);
        }
        self.b.expr(Expr::Type(generic))
    }
}
