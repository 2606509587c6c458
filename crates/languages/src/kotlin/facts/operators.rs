//! Operators: calls of the functions that they stand for.

use super::{Walker, code_children, word_child};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl Walker<'_, '_> {
    /// Adds the call of an operator's function.
    fn operator_call(
        &mut self,
        object: ExprId,
        name: &'static str,
        args: Vec<ExprId>,
        at: Node<'_>,
    ) -> ExprId {
        let name = self.b.intern_name(name);
        let callee = self.b.add_expr(Expr::Member { object, name });
        let argc = args.len();
        let literals = self.function_literals(&args);
        let call = self.b.add_expr(Expr::Call {
            callee,
            args: args.into(),
            type_args: Box::default(),
        });
        self.expect_literals(literals, call);
        self.b.add_call(call, CallKind::Operator, argc, at);
        call
    }

    /// Left-nested operations are read in a loop, since concatenations can be long.
    pub(super) fn binary(&mut self, node: Node<'_>) -> ExprId {
        let mut spine = Vec::new();
        let mut at = Some(node);
        let mut result = None;
        while let Some(node) = at.filter(|at| at.kind_name() == "binary_expression") {
            if let Some(call) = super::generic_calls::comparisons(node) {
                result = Some(self.generic_call(&call));
                break;
            }
            spine.push(node);
            at = node.field("left");
        }
        let mut result = match (result, at) {
            (Some(result), _) => result,
            (None, Some(left)) => self.expr(left),
            (None, None) => self.b.add_expr(Expr::Unknown),
        };
        let mut opened = 0;
        while let Some(node) = spine.pop() {
            let operator = node.field("operator");
            let sign = operator.map_or("", |o| o.kind_name());
            let is_logical = matches!(sign, "&&" | "||");
            if is_logical
                && let (Some(left), Some(right)) = (node.field("left"), node.field("right"))
            {
                self.b.open_scope(ScopeKind::Block, None);
                opened += 1;
                self.narrow_last(left, sign == "&&", right.start_byte() as u32);
            }
            let right = self.expr_in_field(node, "right");
            result = self.operation(sign, result, right, operator.unwrap_or(node));
        }
        for _ in 0..opened {
            self.b.close_scope();
        }
        result
    }

    /// Binds what the left side of `&&` or `||` says. Of a chain, only the last part is new.
    fn narrow_last(&mut self, left: Node<'_>, holds: bool, from: u32) {
        let inner = super::statements::unwrapped(left);
        let sign = inner.field("operator").map_or("", |o| o.kind_name());
        let same = if holds { "&&" } else { "||" };
        let last = match inner.field("right") {
            Some(right) if inner.kind_name() == "binary_expression" && sign == same => right,
            _ => inner,
        };
        self.narrow(last, holds, from);
    }

    fn operation(&mut self, sign: &str, left: ExprId, right: ExprId, at: Node<'_>) -> ExprId {
        let name = match sign {
            "+" => "plus",
            "-" => "minus",
            "*" => "times",
            "/" => "div",
            "%" => "rem",
            "<" | ">" | "<=" | ">=" => {
                self.operator_call(left, "compareTo", vec![right], at);
                return self.b.add_expr(Expr::Literal(Primitive::Bool));
            }
            "?:" => return self.b.add_expr(Expr::Operation(left, right)),
            _ => return self.b.add_expr(Expr::Literal(Primitive::Bool)),
        };
        self.operator_call(left, name, vec![right], at)
    }

    pub(super) fn unary(&mut self, node: Node<'_>) -> ExprId {
        let operator = node.field("operator");
        let sign = operator.map_or("", |o| o.kind_name());
        let at = operator.unwrap_or(node);
        if matches!(sign, "++" | "--") {
            let target = match node.field("argument") {
                Some(inner) => self.write_target(super::statements::unwrapped(inner)),
                None => self.b.add_expr(Expr::Unknown),
            };
            let name = if sign == "++" { "inc" } else { "dec" };
            return self.operator_call(target, name, Vec::new(), at);
        }
        let value = self.expr_in_field(node, "argument");
        let name = match sign {
            "!" => "not",
            "-" => "unaryMinus",
            "+" => "unaryPlus",
            _ => return value,
        };
        self.operator_call(value, name, Vec::new(), at)
    }

    /// `a name b`.
    pub(super) fn infix(&mut self, node: Node<'_>) -> ExprId {
        let children = code_children(node);
        let [left, name_node, right] = children[..] else {
            for child in children {
                self.expr(child);
            }
            return self.b.add_expr(Expr::Unknown);
        };
        let object = self.expr(left);
        let label = self.b.text(name_node);
        let arg = if right.kind_name() == "lambda_literal" && self.b.enter_level() {
            let value = self.lambda(right, label);
            self.b.leave_level();
            value
        } else {
            self.expr(right)
        };
        let name = self.name(name_node);
        let callee = self.b.add_expr(Expr::Member { object, name });
        self.add_call(callee, vec![arg], Box::default(), name_node)
    }

    pub(super) fn range(&mut self, node: Node<'_>) -> ExprId {
        let children = code_children(node);
        let [left, right] = children[..] else {
            return self.b.add_expr(Expr::Unknown);
        };
        let left = self.expr(left);
        let right = self.expr(right);
        let open = word_child(node, "..<");
        let at = open.or_else(|| word_child(node, "..")).unwrap_or(node);
        let name = if open.is_some() {
            "rangeUntil"
        } else {
            "rangeTo"
        };
        self.operator_call(left, name, vec![right], at)
    }

    /// `a in b`.
    pub(super) fn contained(&mut self, node: Node<'_>) -> ExprId {
        let left = self.expr_in_field(node, "left");
        let right = self.expr_in_field(node, "right");
        let word = word_child(node, "in").or_else(|| word_child(node, "!in"));
        self.operator_call(right, "contains", vec![left], word.unwrap_or(node));
        self.b.add_expr(Expr::Literal(Primitive::Bool))
    }

    pub(super) fn index(&mut self, node: Node<'_>) -> ExprId {
        let (object, args) = self.index_parts(node);
        self.operator_call(object, "get", args, bracket(node))
    }

    fn index_parts(&mut self, node: Node<'_>) -> (ExprId, Vec<ExprId>) {
        let mut parts = code_children(node).into_iter();
        let object = match parts.next() {
            Some(object) => self.expr(object),
            None => self.b.add_expr(Expr::Unknown),
        };
        let args = parts.map(|part| self.expr(part)).collect();
        (object, args)
    }

    /// `a[b] = c`, `a[b] += c`.
    pub(super) fn indexed_assignment(&mut self, left: Node<'_>, right: Node<'_>, sign: &str) {
        let (object, mut args) = self.index_parts(left);
        let value = self.expr(right);
        let at = bracket(left);
        if sign != "=" {
            let old = self.operator_call(object, "get", args.clone(), at);
            self.compound_assignment(old, value, sign, left);
        }
        args.push(value);
        self.operator_call(object, "set", args, at);
    }

    /// `a += b`: `plusAssign` where the class has it, otherwise `plus`.
    pub(super) fn compound_assignment(
        &mut self,
        target: ExprId,
        value: ExprId,
        sign: &str,
        node: Node<'_>,
    ) {
        let name = match sign {
            "+=" => "plusAssign",
            "-=" => "minusAssign",
            "*=" => "timesAssign",
            "/=" => "divAssign",
            "%=" => "remAssign",
            _ => return,
        };
        let at = node.field("operator").unwrap_or(node);
        self.operator_call(target, name, vec![value], at);
    }
}

/// The bracket of an index.
fn bracket(node: Node<'_>) -> Node<'_> {
    word_child(node, "[").unwrap_or(node)
}
