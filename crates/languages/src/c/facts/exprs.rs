//! Expressions: paths, calls, references and writes.

use super::super::walk::{self, children};
use super::statements::visit;
use super::{initializers, types};
use crate::outline::Walker;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Reads an expression.
pub(super) fn expr(walker: &mut Walker<'_, '_>, node: Node<'_>) -> ExprId {
    match visit(walker, node) {
        Some(expr) => expr,
        None => walker.b.add_expr(Expr::Unknown),
    }
}

/// `object.name`, `object->name`.
pub(super) fn member(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    let (member, name) = member_path(walker, node)?;
    walker.b.add_reference(RefTarget::Expr(member), name);
    Some(member)
}

/// The same without recording a reference.
fn member_path<'t>(walker: &mut Walker<'_, '_>, node: Node<'t>) -> Option<(ExprId, Node<'t>)> {
    let object = expr(walker, node.field("argument")?);
    let field = node.field("field")?;
    let name = walker.b.intern_node_text(field);
    Some((walker.b.add_expr(Expr::Member { object, name }), field))
}

/// `f(x)`, `(*f)(x)`, `object->f(x)`.
pub(super) fn call(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    let function = walk::without_wrappers(node.field("function")?);
    let (callee, at) = match function.kind_name() {
        "identifier" => (walker.b.add_name_expr(function), function),
        "field_expression" => member_path(walker, function)?,
        _ => (expr(walker, function), function),
    };
    let mut count = 0;
    for argument in node.field("arguments").map(children).unwrap_or_default() {
        visit(walker, argument);
        count += 1;
    }
    let call = walker.b.add_expr(Expr::Call {
        callee,
        args: Box::default(),
        type_args: Box::default(),
    });
    walker.b.add_call(call, CallKind::Call, count, at);
    Some(call)
}

/// `a = b`, `a += b`.
pub(super) fn assignment(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    let target = node.field("left").and_then(|left| write(walker, left));
    let value = expr(walker, node.field("right")?);
    if let Some(target) = target {
        initializers::note_field_value(walker, target, value);
    }
    Some(value)
}

/// Records a write; returns the target if it is a field.
pub(super) fn write(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    if !walker.b.enter_level() {
        return None;
    }
    let target = write_to(walker, node);
    walker.b.leave_level();
    target
}

fn write_to(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    match node.kind_name() {
        "identifier" => {
            let target = walker.b.add_name_expr(node);
            walker.b.add_write(target, node);
            None
        }
        "field_expression" => {
            let (target, name) = member_path(walker, node)?;
            walker.b.add_write(target, name);
            Some(target)
        }
        "parenthesized_expression" => write(walker, node.named_child(0)?),
        "subscript_expression" => {
            if let Some(index) = node.field("index") {
                visit(walker, index);
            }
            write(walker, node.field("argument")?)
        }
        _ => {
            visit(walker, node);
            None
        }
    }
}

/// `(T) x`.
pub(super) fn cast(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    let ty = types::descriptor(walker, node.field("type")?);
    let value = expr(walker, node.field("value")?);
    Some(walker.b.add_expr(Expr::Cast(value, ty)))
}

/// `(T) { … }`.
pub(super) fn compound_literal(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    let written = node.field("type")?;
    let ty = types::descriptor(walker, written);
    let place = value_of_type(walker, ty);
    let dimensions = written.field("declarator").map_or(0, types::dimensions);
    if let Some(value) = node.field("value") {
        initializers::read_value(walker, value, Some(place), dimensions);
    }
    Some(place)
}

/// A value of a type.
pub(super) fn value_of_type(walker: &mut Walker<'_, '_>, ty: TypeId) -> ExprId {
    let unknown = walker.b.add_expr(Expr::Unknown);
    walker.b.add_expr(Expr::Cast(unknown, ty))
}

/// `a + b` has the type of `a`, if `a` is a pointer; `a == b` is a number.
pub(super) fn binary(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    let left = walk::visit_field(walker, node, "left", visit);
    let right = walk::visit_field(walker, node, "right", visit);
    let operator = node.field("operator").map(|op| op.kind());
    let (left, right) = (left?, right?);
    matches!(operator, Some("+" | "-")).then(|| walker.b.add_expr(Expr::Operation(left, right)))
}
