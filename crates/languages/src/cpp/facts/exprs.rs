//! Expressions: paths, members, operators, writes.

use super::statements::visit;
use super::{operators, path_parts, types};
use crate::c::walk;
use crate::outline::Walker;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// A number with this many digits may be too large for an `int`.
const LARGEST_INT: usize = 10;

/// Reads an expression.
pub(super) fn expr(walker: &mut Walker<'_, '_>, node: Node<'_>) -> ExprId {
    let literal = match node.kind_name() {
        "number_literal" => return number(walker, node),
        "char_literal" => Some(Primitive::Char),
        "string_literal" | "raw_string_literal" => Some(Primitive::String),
        "true" | "false" => Some(Primitive::Bool),
        "null" => Some(Primitive::Null),
        "sizeof_expression" => {
            visit(walker, node);
            return of_built_in(walker, node, "long unsigned");
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

/// Reads the type of a number from its point and its suffix.
fn number(walker: &mut Walker<'_, '_>, node: Node<'_>) -> ExprId {
    let text = walker.b.text(node).to_ascii_lowercase();
    let is_hex = text.starts_with("0x");
    let is_float = !is_hex && text.contains(['.', 'e']);
    let digits = text.trim_end_matches(['u', 'l', 'z']);
    let suffix = &text[digits.len()..];
    let longs = suffix.matches('l').count();
    let is_large = longs > 0 || suffix.contains('z') || digits.len() > LARGEST_INT;
    let word = match (is_float, suffix.contains('u')) {
        (true, _) if text.ends_with('f') => "float",
        (true, _) if longs > 0 => "double long",
        (true, _) => return walker.b.add_expr(Expr::Literal(Primitive::Float)),
        (false, true) if longs > 1 => "long long unsigned",
        (false, true) if is_large => "long unsigned",
        (false, true) => "unsigned",
        (false, false) if longs > 1 => "long long",
        (false, false) if is_large => "long",
        (false, false) => return walker.b.add_expr(Expr::Literal(Primitive::Int)),
    };
    of_built_in(walker, node, word)
}

/// A value of a built-in type.
fn of_built_in(walker: &mut Walker<'_, '_>, node: Node<'_>, word: &'static str) -> ExprId {
    let ty = types::named_built_in(walker, node, word);
    let unknown = walker.b.add_expr(Expr::Unknown);
    walker.b.add_expr(Expr::Cast(unknown, ty))
}

/// The mention of a path.
pub(super) fn qualified(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    let (parts, is_global) = path_parts(node);
    let (expr, at) = path(walker, &parts, is_global)?;
    walker.b.add_reference(RefTarget::Expr(expr), at);
    Some(expr)
}

/// Reads a path without recording a mention of the whole. Also returns the node of its last name. Template arguments of the
/// last name are read, but not kept.
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

/// Reads the part of a path before the last `::`.
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

/// The node of a name, without template arguments.
pub(super) fn name_of(part: Node<'_>) -> Node<'_> {
    match part.kind_name() {
        "template_function" | "template_method" | "template_type" => {
            part.field("name").unwrap_or(part)
        }
        _ => part,
    }
}

/// A name in the form that definitions have: `operator ==` becomes `operator==`.
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

/// Reads a member access without recording a mention. Returns the member, the node of its name, and the template arguments
/// behind it.
pub(super) fn member_path<'t>(
    walker: &mut Walker<'_, '_>,
    node: Node<'t>,
) -> Option<(ExprId, Node<'t>, Option<Node<'t>>)> {
    let mut object = expr(walker, node.field("argument")?);
    if node
        .field("operator")
        .is_some_and(|sign| sign.kind() == "->")
    {
        operators::arrow(walker, node, object);
        object = walker.b.add_expr(Expr::Enter(object));
    }
    let field = node.field("field")?;
    let (parts, is_global) = path_parts(field);
    let last = *parts.last()?;
    let at = name_of(last);
    if parts.len() > 1 {
        // `object.Base::name` names the member of the class `Base`.
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
    let value = node.field("right").map(|right| expr(walker, right));
    if let (Some(target), Some(value)) = (target, value) {
        operators::of_node(walker, node, &[target, value]);
    }
    target
}

/// `++a`, `a--`.
pub(super) fn update(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    let target = write(walker, node.field("argument")?)?;
    operators::update(walker, node, target);
    Some(target)
}

/// Records a write to an expression. Returns the expression.
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
            let index = index(walker, node);
            let object = write(walker, node.field("argument")?)?;
            operators::subscript(walker, node, object, index);
            Some(indexed(walker, object))
        }
        _ => visit(walker, node),
    }
}

/// `object[index]`.
pub(super) fn subscript(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    let object = expr(walker, node.field("argument")?);
    let index = index(walker, node);
    operators::subscript(walker, node, object, index);
    Some(indexed(walker, object))
}

/// Reads the index between brackets.
fn index(walker: &mut Walker<'_, '_>, node: Node<'_>) -> ExprId {
    let mut last = None;
    for given in node
        .field("indices")
        .map(walk::children)
        .unwrap_or_default()
    {
        last = Some(expr(walker, given));
    }
    last.unwrap_or_else(|| walker.b.add_expr(Expr::Unknown))
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
        operators::of_node(walker, node, &[inner]);
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

/// An operator with two operands.
pub(super) fn binary(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    let (left, right) = (node.field("left")?, node.field("right")?);
    let values = [left, right].map(|operand| expr(walker, operand));
    let sign = node.field("operator").map_or("", |sign| sign.kind());
    if matches!(sign, "&&" | "||" | "and" | "or") {
        operators::asked(walker, left, values[0]);
        operators::asked(walker, right, values[1]);
        return Some(walker.b.add_expr(Expr::Literal(Primitive::Bool)));
    }
    let facts = walker.b.facts();
    let is_literal = |value: &ExprId| matches!(facts.expr(*value), Expr::Literal(_));
    if values.iter().all(is_literal) {
        let given = match sign {
            "==" | "!=" | "<" | ">" | "<=" | ">=" => Expr::Literal(Primitive::Bool),
            _ => Expr::Operation(values[0], values[1]),
        };
        return Some(walker.b.add_expr(given));
    }
    Some(operators::of_node(walker, node, &values))
}

/// `-a`, `!a`, `~a`.
pub(super) fn unary(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    let argument = node.field("argument")?;
    let value = expr(walker, argument);
    let sign = node.field("operator").map_or("", |sign| sign.kind());
    if matches!(walker.b.facts().expr(value), Expr::Literal(_)) {
        return Some(value);
    }
    let call = operators::of_node(walker, node, &[value]);
    if matches!(sign, "!" | "not") {
        operators::asked(walker, argument, value);
        return Some(walker.b.add_expr(Expr::Literal(Primitive::Bool)));
    }
    Some(call)
}
