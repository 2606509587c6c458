//! Operators and writes.

use super::{Walker, constants, first_expression};
use syntax::facts::*;
use syntax::fields::{Fields, left_spine};
use tree_sitter::Node;

impl Walker<'_, '_> {
    /// Reads left-nested operations in a loop, since concatenations can be long.
    pub(super) fn binary(&mut self, node: Node<'_>) -> ExprId {
        let (mut spine, left) = left_spine(node);
        let mut result = match left {
            Some(left) => self.expr(left),
            None => self.b.add_expr(Expr::Unknown),
        };
        while let Some(node) = spine.pop() {
            let right = self.expr_in_field(node, "right");
            let operator = node.field("operator").map_or("", |o| o.kind_name());
            result = self.operation(operator, result, right);
        }
        result
    }

    fn operation(&mut self, operator: &str, left: ExprId, right: ExprId) -> ExprId {
        const STRING: Expr = Expr::Literal(Primitive::String);
        let values = [left, right].map(|side| self.constant_value(side));
        if let [Some(a), Some(b)] = values
            && let Some(value) = constants::folded(operator, a, b)
        {
            return self.int_constant(value);
        }
        let facts = self.b.facts();
        let expr = match operator {
            "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||" => Expr::Literal(Primitive::Bool),
            "+" if *facts.expr(left) == STRING || *facts.expr(right) == STRING => STRING,
            "??" => {
                let left = self.b.add_expr(Expr::Try(left));
                Expr::Either(Box::from([left, right]))
            }
            "<<" | ">>" | ">>>" => return self.promoted(left),
            _ => Expr::Operation(left, right),
        };
        self.b.add_expr(expr)
    }

    pub(super) fn unary(&mut self, node: Node<'_>) -> ExprId {
        let Some(operand) = first_expression(node) else {
            return self.b.add_expr(Expr::Unknown);
        };
        let mut cursor = node.walk();
        let mut words = node.children(&mut cursor).filter(|c| !c.is_named());
        let sign = words.find(|c| !matches!(c.kind_name(), "this" | "base"));
        match sign.map_or("", |s| s.kind_name()) {
            "++" | "--" => self.write_target(operand),
            "-" => self.negated(operand),
            "+" | "~" if node.kind_name() == "prefix_unary_expression" => {
                let value = self.expr(operand);
                let is_inverted = sign.is_some_and(|s| s.kind_name() == "~");
                match self.constant_value(value) {
                    Some(number) if is_inverted => self.int_constant(!number),
                    Some(_) => value,
                    None => self.promoted(value),
                }
            }
            "!" if node.kind_name() == "prefix_unary_expression" => {
                self.expr(operand);
                self.b.add_expr(Expr::Literal(Primitive::Bool))
            }
            "^" => {
                self.expr(operand);
                self.b.add_expr(Expr::Unknown)
            }
            _ => self.expr(operand),
        }
    }

    /// `-x`. The number -2,147,483,648 is an `int`, though the literal behind its sign is not.
    fn negated(&mut self, operand: Node<'_>) -> ExprId {
        let is_least = operand.kind_name() == "integer_literal"
            && self.b.text(operand).replace('_', "") == "2147483648";
        if is_least {
            return self.int_constant(i32::MIN);
        }
        let value = self.expr(operand);
        if let Some(negative) = self.constant_value(value).and_then(i32::checked_neg) {
            return self.int_constant(negative);
        }
        // An `uint` becomes a `long`, as it does beside an `int`.
        let one = self.b.add_expr(Expr::Literal(Primitive::Int));
        self.b.add_expr(Expr::Operation(value, one))
    }

    /// What an operator with one operand makes of a number: one of at least the size of `int`. It is what an operation with a
    /// character gives.
    fn promoted(&mut self, operand: ExprId) -> ExprId {
        let character = self.b.add_expr(Expr::Literal(Primitive::Char));
        self.b.add_expr(Expr::Operation(operand, character))
    }

    pub(super) fn assignment(&mut self, node: Node<'_>) -> ExprId {
        let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
            return self.unknown(node);
        };
        if left.kind_name() == "tuple_expression" {
            let value = self.expr(right);
            self.deconstruct(left, value);
            return value;
        }
        let target = self.write_target(left);
        // Only these values take their type from the place where they are used.
        let is_shaped = matches!(
            right.kind_name(),
            "implicit_object_creation_expression"
                | "lambda_expression"
                | "anonymous_method_expression"
                | "conditional_expression"
                | "switch_expression"
                | "collection_expression"
        );
        let expected = is_shaped.then(|| self.b.add_type(TypeExpr::TypeOf(target)));
        self.expr_expecting(right, expected);
        target
    }

    /// The target of a write.
    pub(super) fn write_target(&mut self, node: Node<'_>) -> ExprId {
        match node.kind_name() {
            "identifier" => {
                let expr = self.b.add_name_expr(node);
                self.b.add_write(expr, node);
                expr
            }
            "member_access_expression" => {
                let object = node.field("expression").map(|object| self.object(object));
                let (Some(object), Some(name_node)) = (object, node.field("name")) else {
                    return self.b.add_expr(Expr::Unknown);
                };
                let name = self.b.intern_node_text(name_node);
                let expr = self.b.add_expr(Expr::Member { object, name });
                self.b.add_write(expr, name_node);
                expr
            }
            "parenthesized_expression" => match first_expression(node) {
                Some(inner) => self.write_target(inner),
                None => self.b.add_expr(Expr::Unknown),
            },
            _ => self.expr(node),
        }
    }
}
