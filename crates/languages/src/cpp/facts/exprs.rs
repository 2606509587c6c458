//! Expressions: paths, members, operators, writes.

use super::statements::visit;
use super::{path_parts, types};
use crate::c::walk;
use crate::outline::Walker;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Reads an expression.
pub(super) fn expr(walker: &mut Walker<'_, '_>, node: Node<'_>) -> ExprId {
    let literal = match node.kind_name() {
        "number_literal" => Some(number(walker, node)),
        "char_literal" => Some(Primitive::Char),
        "string_literal" | "raw_string_literal" => Some(Primitive::String),
        "true" | "false" => Some(Primitive::Bool),
        "null" => Some(Primitive::Null),
        "sizeof_expression" => {
            visit(walker, node);
            return walker.b.add_expr(Expr::Literal(Primitive::Int));
        }
        _ => None,
    };
    if let Some(literal) = literal {
        return walker.b.add_expr(Expr::Literal(literal));
    }
    match visit(walker, node) {
        Some(expr) => expr,
        None => walker.b.add_expr(Expr::Unknown),
    }
}

fn number(walker: &Walker<'_, '_>, node: Node<'_>) -> Primitive {
    let text = walker.b.text(node);
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    if !is_hex && text.contains(['.', 'e', 'E']) {
        Primitive::Float
    } else {
        Primitive::Int
    }
}

/// The same of a field of a node, if it has one.
pub(super) fn visit_field(
    walker: &mut Walker<'_, '_>,
    node: Node<'_>,
    name: &'static str,
) -> Option<ExprId> {
    let inner = node.field(name)?;
    visit(walker, inner)
}

/// The mention of a name.
pub(super) fn name(walker: &mut Walker<'_, '_>, node: Node<'_>) -> ExprId {
    let expr = walker.b.add_name_expr(node);
    walker.b.add_reference(RefTarget::Expr(expr), node);
    expr
}

/// The mention of a path.
pub(super) fn qualified(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    let (parts, is_global) = path_parts(node);
    let (expr, at) = path(walker, &parts, is_global)?;
    walker.b.add_reference(RefTarget::Expr(expr), at);
    Some(expr)
}

/// A path without a mention of the whole, and where its last name stands. Arguments of its last name are read, and not kept.
pub(super) fn path<'t>(
    walker: &mut Walker<'_, '_>,
    parts: &[Node<'t>],
    is_global: bool,
) -> Option<(ExprId, Node<'t>)> {
    let (last, before) = parts.split_last()?;
    let at = name_of(*last);
    let name = shown(walker, at);
    let object = if before.iter().any(|part| has_arguments(*part)) {
        let ty = types::of_parts(walker, before, is_global)?;
        Some(walker.b.add_expr(Expr::Type(ty)))
    } else {
        scopes(walker, before, is_global)
    };
    let expr = match object {
        Some(object) => walker.b.add_expr(Expr::Scoped { object, name }),
        None => {
            let scope = walker.b.current_scope();
            let at = at.start_byte() as u32;
            walker.b.add_expr(Expr::Name { name, scope, at })
        }
    };
    Some((expr, at))
}

fn has_arguments(part: Node<'_>) -> bool {
    part.kind_name() == "decltype" || part.field("arguments").is_some()
}

/// What stands before the last `::`.
fn scopes(walker: &mut Walker<'_, '_>, before: &[Node<'_>], is_global: bool) -> Option<ExprId> {
    let mut object = is_global.then(|| {
        let name = walker.b.intern_name("::");
        walker.b.add_expr(Expr::Name {
            name,
            scope: FILE_SCOPE,
            at: 0,
        })
    });
    for part in before {
        object = Some(match object {
            None => walker.b.add_name_expr(*part),
            Some(object) => {
                let name = walker.b.intern_node_text(*part);
                walker.b.add_expr(Expr::Scoped { object, name })
            }
        });
    }
    object
}

/// The node of a name without arguments of a template.
pub(super) fn name_of(part: Node<'_>) -> Node<'_> {
    match part.kind_name() {
        "template_function" | "template_method" | "template_type" => {
            part.field("name").unwrap_or(part)
        }
        _ => part,
    }
}

/// A name as definitions have it: `operator ==` is `operator==`.
pub(super) fn shown(walker: &mut Walker<'_, '_>, name: Node<'_>) -> NameId {
    match walk::shown_name(walker, name) {
        Some(text) => walker.b.intern_owned_name(&text),
        None => walker.b.intern_node_text(name),
    }
}

/// `object.name`, `object->name`.
pub(super) fn member(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    let (member, name, _) = member_path(walker, node)?;
    walker.b.add_reference(RefTarget::Expr(member), name);
    Some(member)
}

/// The same without a mention: the member, where its name stands, and the arguments of a template behind it.
pub(super) fn member_path<'t>(
    walker: &mut Walker<'_, '_>,
    node: Node<'t>,
) -> Option<(ExprId, Node<'t>, Option<Node<'t>>)> {
    let mut object = expr(walker, node.field("argument")?);
    if node
        .field("operator")
        .is_some_and(|sign| sign.kind() == "->")
    {
        object = walker.b.add_expr(Expr::Enter(object));
    }
    let field = node.field("field")?;
    let (parts, is_global) = path_parts(field);
    let last = *parts.last()?;
    let at = name_of(last);
    if parts.len() > 1 {
        // `object.Base::name` names the member of that class.
        let (member, at) = path(walker, &parts, is_global)?;
        return Some((member, at, last.field("arguments")));
    }
    let name = shown(walker, at);
    let member = walker.b.add_expr(Expr::Member { object, name });
    Some((member, at, last.field("arguments")))
}

/// `a = b`, `a += b`.
pub(super) fn assignment(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    let target = node.field("left").and_then(|left| write(walker, left));
    if let Some(right) = node.field("right") {
        visit(walker, right);
    }
    target
}

/// Notes that a place is written to; gives it.
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
            Some(target)
        }
        "qualified_identifier" => {
            let (parts, is_global) = path_parts(node);
            let (target, at) = path(walker, &parts, is_global)?;
            walker.b.add_write(target, at);
            Some(target)
        }
        "field_expression" => {
            let (target, name, _) = member_path(walker, node)?;
            walker.b.add_write(target, name);
            Some(target)
        }
        "parenthesized_expression" => write(walker, node.named_child(0)?),
        "subscript_expression" => {
            let index = node.field("indices");
            if let Some(index) = index {
                visit(walker, index);
            }
            let object = write(walker, node.field("argument")?)?;
            Some(indexed(walker, object))
        }
        _ => visit(walker, node),
    }
}

/// `object[index]`.
pub(super) fn subscript(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    let object = expr(walker, node.field("argument")?);
    visit_field(walker, node, "indices");
    Some(indexed(walker, object))
}

fn indexed(walker: &mut Walker<'_, '_>, object: ExprId) -> ExprId {
    walker.b.add_expr(Expr::Index {
        object,
        index: object,
    })
}

/// `*a`, `&a`.
pub(super) fn pointer(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    let inner = expr(walker, node.field("argument")?);
    let is_address = node
        .field("operator")
        .is_some_and(|sign| sign.kind() == "&");
    Some(if is_address {
        pointer_to(walker, inner)
    } else {
        walker.b.add_expr(Expr::Enter(inner))
    })
}

/// A pointer to a value.
pub(super) fn pointer_to(walker: &mut Walker<'_, '_>, value: ExprId) -> ExprId {
    walker.b.add_expr(Expr::List([value].into()))
}

/// `(T) x`.
pub(super) fn cast(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    let ty = types::descriptor(walker, node.field("type")?);
    let value = expr(walker, node.field("value")?);
    Some(cast_to(walker, value, ty))
}

pub(super) fn cast_to(walker: &mut Walker<'_, '_>, value: ExprId, ty: Option<TypeId>) -> ExprId {
    match ty {
        Some(ty) => {
            let unknown = walker.b.add_expr(Expr::Unknown);
            walker.b.add_expr(Expr::Cast(unknown, ty))
        }
        None => value,
    }
}

/// `a ? b : c`.
pub(super) fn conditional(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    visit_field(walker, node, "condition");
    let first = visit_field(walker, node, "consequence");
    let second = visit_field(walker, node, "alternative");
    let both: Vec<ExprId> = first.into_iter().chain(second).collect();
    Some(walker.b.add_expr(Expr::Either(both.into())))
}

/// What a calculation gives is of the type of its operands, where these are no objects; a comparison gives a truth value.
pub(super) fn binary(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    let operator = node.field("operator").map_or("", |op| op.kind());
    let (left, right) = (node.field("left")?, node.field("right")?);
    match operator {
        "+" | "-" | "*" | "/" | "%" | "|" | "&" | "^" => {
            let left = expr(walker, left);
            let right = expr(walker, right);
            Some(walker.b.add_expr(Expr::Operation(left, right)))
        }
        // A stream gives itself.
        "<<" | ">>" => {
            let left = visit(walker, left);
            visit(walker, right);
            left
        }
        _ => {
            visit(walker, left);
            visit(walker, right);
            Some(walker.b.add_expr(Expr::Literal(Primitive::Bool)))
        }
    }
}
