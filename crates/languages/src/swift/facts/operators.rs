//! Operations. The grammar does not know the precedence of all operators, so operands and operators are put in a row.

use super::chains::{Link, Start, take_apart};
use super::{Expected, Walker};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Maximum number of operands of one operation whose operators are looked up.
const MOST_OPERANDS: usize = 64;

/// Whether a kind of node is an operation on two operands.
pub(super) fn is_binary(kind: &str) -> bool {
    matches!(
        kind,
        "additive_expression"
            | "multiplicative_expression"
            | "comparison_expression"
            | "equality_expression"
            | "conjunction_expression"
            | "disjunction_expression"
            | "bitwise_operation"
            | "nil_coalescing_expression"
            | "range_expression"
            | "infix_expression"
    )
}

/// Operands and operators in a row.
#[derive(Default)]
struct Row<'t> {
    operands: Vec<Node<'t>>,
    operators: Vec<Node<'t>>,
}

/// An operator with the expression that it makes.
#[derive(Clone, Copy)]
struct Operator<'t> {
    node: Node<'t>,
    call: ExprId,
}

impl<'s> Walker<'_, 's> {
    /// An operation. The links belong to its last operand.
    pub(super) fn operation(
        &mut self,
        node: Node<'_>,
        links: &[Link<'_>],
        expected: Expected,
    ) -> ExprId {
        let mut row = Row::default();
        flatten(node, &mut row);
        if row.operators.is_empty() {
            return self.unknown(node);
        }
        let mut read: Vec<ExprId> = Vec::new();
        let mut operators: Vec<Operator<'_>> = Vec::new();
        let is_awaited = self.is_awaited;
        let mut at = 0;
        while at < row.operands.len() {
            let is_last = at + 1 == row.operands.len();
            let own = if is_last { links } else { &[] };
            let next = match self.generic_operand(&row, at, links) {
                Some((next, expr)) => {
                    read.push(expr);
                    next
                }
                None => {
                    let before = read.last().copied();
                    let wanted = self.operand_expectation(before, operators.last(), expected);
                    let (base, mut all) = take_apart(row.operands[at]);
                    all.extend_from_slice(own);
                    read.push(self.chain_on(base, &all, wanted, None));
                    // `await` holds for all that follows.
                    self.is_awaited |= is_await(base);
                    at + 1
                }
            };
            if let Some(node) = row.operators.get(next - 1) {
                let call = self.b.add_expr(Expr::Unknown);
                operators.push(Operator { node: *node, call });
            }
            at = next;
        }
        self.is_awaited = is_awaited;
        self.combine(&read, &operators)
    }

    /// What the operand behind an operator is expected to be: that of the operand before it.
    fn operand_expectation(
        &self,
        before: Option<ExprId>,
        operator: Option<&Operator<'_>>,
        expected: Expected,
    ) -> Expected {
        let (Some(before), Some(operator)) = (before, operator) else {
            return expected;
        };
        match self.b.text(operator.node) {
            "&&" | "||" => Expected::Nothing,
            "??" => Expected::Like(before),
            _ => Expected::Argument(operator.call, 1),
        }
    }

    /// `A<B>.c`, `A<B>(c)` or `A<B> { … }`, which the grammar takes for two comparisons. Returns the number of the operand
    /// behind it.
    fn generic_operand(
        &mut self,
        row: &Row<'_>,
        at: usize,
        links: &[Link<'_>],
    ) -> Option<(usize, ExprId)> {
        let (first, arg, behind) = (
            *row.operands.get(at)?,
            *row.operands.get(at + 1)?,
            *row.operands.get(at + 2)?,
        );
        let is_sign = |n: usize, sign: &str| {
            row.operators
                .get(n)
                .is_some_and(|o| self.b.text(*o) == sign)
        };
        if !is_sign(at, "<") || !is_sign(at + 1, ">") {
            return None;
        }
        let close = row.operators.get(at + 1)?.end_byte();
        let (base, mut all) = take_apart(behind);
        let is_close = base.start_byte() == close;
        let is_dot = base.kind_name() == "prefix_expression"
            && is_close
            && base
                .field("operation")
                .is_some_and(|o| self.b.text(o) == ".");
        let is_call = match base.kind_name() {
            "tuple_expression" => is_close,
            "lambda_literal" => true,
            _ => false,
        };
        if !is_dot && !is_call {
            return None;
        }
        let arg = self.type_from_expr(arg)?;
        let ty = self.type_from_expr(first)?;
        let ty = self.with_argument(ty, arg);
        let object = self.b.add_expr(Expr::Type(ty));
        if at + 3 == row.operands.len() {
            all.extend_from_slice(links);
        }
        if is_dot {
            let expr = self.chain_on(base, &all, Expected::Nothing, Some(object));
            return Some((at + 3, expr));
        }
        let call = self.call_with(object, base, first);
        let start = Start {
            expr: call,
            name: first,
            is_open: false,
        };
        Some((at + 3, self.apply(start, &all)))
    }

    /// The value of operands and the operators between them. Each operator is a call of its name, in case a type of
    /// the repository defines it.
    fn combine(&mut self, operands: &[ExprId], operators: &[Operator<'_>]) -> ExprId {
        let texts: Vec<&str> = operators.iter().map(|o| self.b.text(o.node)).collect();
        if operands.len() > MOST_OPERANDS || operands.len() != operators.len() + 1 {
            return self.b.add_expr(Expr::Unknown);
        }
        self.combine_range(operands, operators, &texts)
    }

    fn combine_range(
        &mut self,
        operands: &[ExprId],
        operators: &[Operator<'_>],
        texts: &[&str],
    ) -> ExprId {
        let mut stack: Vec<(ExprId, Option<usize>)> = Vec::new();
        let Some(first) = operands.first() else {
            return self.b.add_expr(Expr::Unknown);
        };
        let mut value = *first;
        for (n, text) in texts.iter().enumerate() {
            while let Some((left, Some(open))) = stack.last().copied()
                && binds_before(texts[open], text)
            {
                stack.pop();
                value = self.binary((left, value), texts[open], operators[open]);
            }
            stack.push((value, Some(n)));
            value = operands[n + 1];
        }
        while let Some((left, Some(open))) = stack.pop() {
            value = self.binary((left, value), texts[open], operators[open]);
        }
        value
    }

    fn binary(
        &mut self,
        (left, right): (ExprId, ExprId),
        text: &str,
        operator: Operator<'_>,
    ) -> ExprId {
        let Operator { node, call } = operator;
        let value = match text {
            "&&" | "||" | "===" | "!==" => Expr::Literal(Primitive::Bool),
            "??" => {
                let left = self.b.add_expr(Expr::Try(left));
                Expr::Either([left, right].into())
            }
            _ => {
                let name = self.b.intern_owned_name(text);
                let scope = self.b.current_scope();
                let callee = self.b.add_expr(Expr::Name {
                    name,
                    scope,
                    at: node.start_byte() as u32,
                });
                self.b.add_call(call, CallKind::Operator, 2, node);
                Expr::Call {
                    callee,
                    args: [left, right].into(),
                    type_args: Box::default(),
                }
            }
        };
        self.b.set_expr(call, value);
        call
    }
}

/// Puts nested operations in a row.
fn flatten<'t>(node: Node<'t>, row: &mut Row<'t>) {
    let mut open = vec![(node, false)];
    while let Some((node, is_operator)) = open.pop() {
        if is_operator {
            row.operators.push(node);
            continue;
        }
        let parts = parts(node);
        match parts {
            Some((left, operator, right)) => {
                open.push((right, false));
                open.push((operator, true));
                open.push((left, false));
            }
            None => row.operands.push(node),
        }
    }
}

/// The operands of an operation, and the operator between them.
fn parts(node: Node<'_>) -> Option<(Node<'_>, Node<'_>, Node<'_>)> {
    if !is_binary(node.kind_name()) {
        return None;
    }
    let (left, right) = match node.kind_name() {
        "nil_coalescing_expression" => (node.field("value")?, node.field("if_nil")?),
        "range_expression" => (node.field("start")?, node.field("end")?),
        _ => (node.field("lhs")?, node.field("rhs")?),
    };
    let mut cursor = node.walk();
    let operator = node.children(&mut cursor).find(|c| {
        c.start_byte() >= left.end_byte() && c.end_byte() <= right.start_byte() && *c != left
    })?;
    Some((left, operator, right))
}

/// Whether an operand begins with `await`.
fn is_await(node: Node<'_>) -> bool {
    let is_wait = |node: Node<'_>| node.kind_name() == "await_expression";
    is_wait(node) || node.field("expr").is_some_and(is_wait)
}

/// Whether an operator binds its operands before the one behind it does.
fn binds_before(one: &str, next: &str) -> bool {
    let (a, b) = (precedence(one), precedence(next));
    a > b || a == b && a != precedence("??")
}

fn precedence(operator: &str) -> u32 {
    match operator {
        "||" => 1,
        "&&" => 2,
        "==" | "!=" | "<" | ">" | "<=" | ">=" | "===" | "!==" | "~=" => 3,
        "??" => 4,
        "..." | "..<" => 6,
        "+" | "-" | "&+" | "&-" | "|" | "^" => 7,
        "*" | "/" | "%" | "&*" | "&" => 8,
        "<<" | ">>" | "&<<" | "&>>" => 9,
        _ => 5,
    }
}
