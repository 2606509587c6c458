//! Operations. The grammar does not know the precedence of all operators, so operands and operators are put in a row.

use super::chains::{Link, take_apart};
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
        let mut operators: Vec<Node<'_>> = Vec::new();
        let mut at = 0;
        while at < row.operands.len() {
            let is_last = at + 1 == row.operands.len();
            if let Some((next, expr)) = self.generic_member(&row, at, links) {
                read.push(expr);
                operators.extend(row.operators.get(next - 1));
                at = next;
                continue;
            }
            let own = if is_last { links } else { &[] };
            let before = read.last().copied();
            let wanted = self.operand_expectation(before, operators.last(), expected);
            let (base, mut all) = take_apart(row.operands[at]);
            all.extend_from_slice(own);
            let expr = self.chain_on(base, &all, wanted, None);
            read.push(expr);
            operators.extend(row.operators.get(at));
            at += 1;
        }
        self.combine(&read, &operators)
    }

    /// What the operand behind an operator is expected to be: that of the operand before it.
    fn operand_expectation(
        &self,
        before: Option<ExprId>,
        operator: Option<&Node<'_>>,
        expected: Expected,
    ) -> Expected {
        let (Some(before), Some(operator)) = (before, operator) else {
            return expected;
        };
        match self.b.text(*operator) {
            "&&" | "||" => Expected::Nothing,
            _ => Expected::Like(before),
        }
    }

    /// `A<B>.c`, which the grammar takes for two comparisons. Returns the number of the operand behind it.
    fn generic_member(
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
        let is_dot = base.kind_name() == "prefix_expression"
            && base.start_byte() == close
            && base
                .field("operation")
                .is_some_and(|o| self.b.text(o) == ".");
        if !is_dot {
            return None;
        }
        let arg = self.type_from_expr(arg)?;
        let ty = self.type_from_expr(first)?;
        let ty = self.with_argument(ty, arg);
        let object = self.b.add_expr(Expr::Type(ty));
        if at + 3 == row.operands.len() {
            all.extend_from_slice(links);
        }
        let expr = self.chain_on(base, &all, Expected::Nothing, Some(object));
        Some((at + 3, expr))
    }

    /// The value of operands and the operators between them. Each operator is a call of its name, in case a type of
    /// the repository defines it.
    fn combine(&mut self, operands: &[ExprId], operators: &[Node<'_>]) -> ExprId {
        let texts: Vec<&str> = operators.iter().map(|o| self.b.text(*o)).collect();
        if operands.len() > MOST_OPERANDS || operands.len() != operators.len() + 1 {
            return self.b.add_expr(Expr::Unknown);
        }
        self.combine_range(operands, operators, &texts)
    }

    fn combine_range(
        &mut self,
        operands: &[ExprId],
        operators: &[Node<'_>],
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
                value = self.binary(left, value, texts[open], operators[open]);
            }
            stack.push((value, Some(n)));
            value = operands[n + 1];
        }
        while let Some((left, Some(open))) = stack.pop() {
            value = self.binary(left, value, texts[open], operators[open]);
        }
        value
    }

    fn binary(&mut self, left: ExprId, right: ExprId, text: &str, at: Node<'_>) -> ExprId {
        match text {
            "&&" | "||" | "===" | "!==" => {
                return self.b.add_expr(Expr::Literal(Primitive::Bool));
            }
            "??" => {
                let left = self.b.add_expr(Expr::Try(left));
                return self.b.add_expr(Expr::Either([left, right].into()));
            }
            _ => {}
        }
        let name = self.b.intern_owned_name(text);
        let scope = self.b.current_scope();
        let callee = self.b.add_expr(Expr::Name {
            name,
            scope,
            at: at.start_byte() as u32,
        });
        let call = self.b.add_expr(Expr::Call {
            callee,
            args: [left, right].into(),
            type_args: Box::default(),
        });
        self.b.add_call(call, CallKind::Operator, 2, at);
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
    let operator = node
        .children(&mut cursor)
        .find(|c| c.start_byte() >= left.end_byte() && c.end_byte() <= right.start_byte() && *c != left)?;
    Some((left, operator, right))
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
