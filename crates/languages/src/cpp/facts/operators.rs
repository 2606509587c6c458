//! Operators as calls. A class may define an operator, so each use becomes a call. The callee is a member of the first operand,
//! and that operand is also the first argument. If no operand has such a class, linking makes no call of it.

use super::exprs;
use crate::c::walk;
use crate::outline::Walker;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// The name of the conversion that a condition uses.
const TRUTH: &str = "operator bool";
/// The name that `delete` uses for a destructor, since it does not name the class.
const DESTRUCTOR: &str = "~";

/// Adds the call of an operator. Returns its value.
pub(super) fn by_sign(
    walker: &mut Walker<'_, '_>,
    sign: &str,
    operands: &[ExprId],
    at: Node<'_>,
) -> ExprId {
    let name = walker.b.intern_owned_name(&format!("operator{sign}"));
    call(walker, name, operands, at)
}

fn call(walker: &mut Walker<'_, '_>, name: NameId, operands: &[ExprId], at: Node<'_>) -> ExprId {
    let facts = walker.b.facts();
    let is_built_in = |operand: &ExprId| {
        matches!(
            facts.expr(*operand),
            Expr::Literal(_) | Expr::Unknown | Expr::List(_)
        )
    };
    let object = match operands.first() {
        Some(first) if !operands.iter().all(is_built_in) => *first,
        _ => return walker.b.add_expr(Expr::Unknown),
    };
    let callee = walker.b.add_expr(Expr::Member { object, name });
    let call = walker.b.add_expr(Expr::Call {
        callee,
        args: operands.into(),
        type_args: Box::default(),
    });
    walker
        .b
        .add_call(call, CallKind::Operator, operands.len() - 1, at);
    call
}

/// Adds the call of the operator that stands in a node, between or before its operands.
pub(super) fn of_node(walker: &mut Walker<'_, '_>, node: Node<'_>, operands: &[ExprId]) -> ExprId {
    match node.field("operator") {
        Some(sign) => {
            let text = sign.kind();
            by_sign(walker, text, operands, sign)
        }
        None => walker.b.add_expr(Expr::Unknown),
    }
}

/// `object->`, where the object is not `this`.
pub(super) fn arrow(walker: &mut Walker<'_, '_>, node: Node<'_>, object: ExprId) {
    let is_this = node
        .field("argument")
        .is_some_and(|object| object.kind_name() == "this");
    if !is_this {
        of_node(walker, node, &[object]);
    }
}

/// `object[index]`.
pub(super) fn subscript(
    walker: &mut Walker<'_, '_>,
    node: Node<'_>,
    object: ExprId,
    index: ExprId,
) {
    if let Some(list) = node.field("indices") {
        by_sign(walker, "[]", &[object, index], list);
    }
}

/// `++a` and `a++`. The second has a number as another operand.
pub(super) fn update(walker: &mut Walker<'_, '_>, node: Node<'_>, target: ExprId) {
    let (Some(sign), Some(argument)) = (node.field("operator"), node.field("argument")) else {
        return;
    };
    let mut operands = vec![target];
    if argument.start_byte() < sign.start_byte() {
        operands.push(walker.b.add_expr(Expr::Literal(Primitive::Int)));
    }
    of_node(walker, node, &operands);
}

/// Adds the conversion of a value that a condition tests. Objects may define it.
pub(super) fn asked(walker: &mut Walker<'_, '_>, node: Node<'_>, value: ExprId) {
    let mut named = node;
    while named.kind_name() == "parenthesized_expression" {
        match named.named_child(0) {
            Some(inner) => named = inner,
            None => return,
        }
    }
    let is_named = matches!(
        named.kind_name(),
        "identifier" | "field_expression" | "qualified_identifier"
    );
    if is_named {
        let name = walker.b.intern_name(TRUTH);
        call(walker, name, &[value], named);
    }
}

/// `delete a` calls the destructor of the object that `a` points to.
pub(super) fn delete(walker: &mut Walker<'_, '_>, node: Node<'_>) {
    let Some(argument) = walk::children(node).into_iter().next_back() else {
        return;
    };
    let pointer = exprs::expr(walker, argument);
    let object = walker.b.add_expr(Expr::Enter(pointer));
    let name = walker.b.intern_name(DESTRUCTOR);
    call(walker, name, &[object], node);
}
