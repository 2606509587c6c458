//! Initialisers: the values that fields are given.

use super::exprs::{self, expr};
use super::statements::visit;
use super::{children, types};
use crate::outline::Walker;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Reads the initialiser of a declarator.
pub(super) fn of_declarator(walker: &mut Walker<'_, '_>, declarator: Node<'_>, ty: Option<TypeId>) {
    let Some(given) = declarator.field("value") else {
        return;
    };
    let is_list = given.kind_name() == "initializer_list";
    let place = ty
        .filter(|_| is_list)
        .map(|ty| exprs::value_of_type(walker, ty));
    read_value(walker, given, place, types::dimensions(declarator));
}

/// Reads the value of a place, which may be an array with that many dimensions.
pub(super) fn read_value(
    walker: &mut Walker<'_, '_>,
    node: Node<'_>,
    place: Option<ExprId>,
    dimensions: u32,
) {
    if node.kind_name() != "initializer_list" {
        visit(walker, node);
        return;
    }
    if !walker.b.enter_level() {
        return;
    }
    // The place of a value without a name: a number of fields after the first, or after a field by name.
    let mut after: Option<(ExprId, NameId)> = None;
    let mut at = 0;
    // A macro may stand for several values, or for part of one; positions after it are unknown.
    let mut is_counted = !node.has_error();
    for child in children(node) {
        if child.kind_name() == "initializer_pair" {
            after = read_pair(walker, child, place, dimensions);
            at = 0;
            is_counted = !node.has_error();
        } else if dimensions > 0 {
            read_value(walker, child, place, dimensions - 1);
        } else {
            // A literal is not a function, so its field is not needed.
            let held = after.map(|(object, _)| object).or(place);
            let held = held.filter(|_| is_counted && !is_literal(child));
            is_counted &= !is_macro_call(walker, child);
            let field = held.map(|object| {
                let text = match after {
                    Some((_, name)) => format!("#{}+{}", walker.b.facts().name(name), at + 1),
                    None => format!("#{at}"),
                };
                let name = walker.b.intern_owned_name(&text);
                walker.b.add_expr(Expr::Member { object, name })
            });
            read_field_value(walker, child, field);
            at += 1;
        }
    }
    walker.b.leave_level();
}

/// `.a.b = value`, `[2] = value`. Returns the field, as a member of its place.
fn read_pair(
    walker: &mut Walker<'_, '_>,
    node: Node<'_>,
    place: Option<ExprId>,
    dimensions: u32,
) -> Option<(ExprId, NameId)> {
    let mut field_of = None;
    let mut cursor = node.walk();
    let designators: Vec<Node<'_>> = node.fields("designator", &mut cursor).collect();
    let (mut place, mut left) = (place, dimensions);
    for designator in designators {
        let name = match designator.kind_name() {
            "field_designator" => designator.named_child(0),
            "field_identifier" => Some(designator),
            _ => None,
        };
        let Some(field) = name else {
            for index in children(designator) {
                visit(walker, index);
            }
            left = left.saturating_sub(1);
            continue;
        };
        left = 0;
        place = place.map(|object| {
            let name = walker.b.intern_node_text(field);
            field_of = Some((object, name));
            let member = walker.b.add_expr(Expr::Member { object, name });
            walker.b.add_reference(RefTarget::Expr(member), field);
            member
        });
    }
    let Some(child) = node.field("value") else {
        return field_of;
    };
    match child.kind_name() {
        "initializer_list" => read_value(walker, child, place, left),
        _ => read_field_value(walker, child, place),
    }
    field_of
}

/// Reads the value of a field.
fn read_field_value(walker: &mut Walker<'_, '_>, node: Node<'_>, field: Option<ExprId>) {
    if node.kind_name() == "initializer_list" {
        read_value(walker, node, field, 0);
        return;
    }
    let Some(field) = field else {
        visit(walker, node);
        return;
    };
    let read = expr(walker, node);
    note_field_value(walker, field, read);
}

/// Whether a value looks like a macro call. Static initialisers cannot call functions.
fn is_macro_call(walker: &Walker<'_, '_>, node: Node<'_>) -> bool {
    let called = node.field("function");
    let called = called.filter(|_| node.kind_name() == "call_expression");
    called.is_some_and(|called| {
        !walker
            .b
            .text(called)
            .contains(|c: char| c.is_ascii_lowercase())
    })
}

fn is_literal(node: Node<'_>) -> bool {
    matches!(
        node.kind_name(),
        "number_literal" | "char_literal" | "string_literal"
    )
}

/// Records the value of a field if it is a name, which may be that of a function.
pub(super) fn note_field_value(walker: &mut Walker<'_, '_>, field: ExprId, value: ExprId) {
    let facts = walker.b.facts();
    let mut named = value;
    // Casts refer to earlier expressions, so the loop ends.
    while let Expr::Cast(inner, _) = facts.expr(named) {
        named = *inner;
    }
    let mut parts: Vec<ExprId> = match facts.expr(named) {
        Expr::Either(parts) => parts.to_vec(),
        _ => vec![named],
    };
    parts.retain(|part| matches!(facts.expr(*part), Expr::Name { .. }));
    for part in parts {
        walker.b.add_expr(Expr::Dict(Some((field, part))));
    }
}
