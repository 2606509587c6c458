//! Initialisers: the values that fields are given.

use super::super::walk::children;
use super::exprs::{self, expr};
use super::statements::visit;
use super::types;
use crate::outline::Walker;
use std::fmt::Write as _;
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
    // What a value without a name is given to: so many values behind the first field, or behind one of that place and name.
    let mut after: Option<(ExprId, NameId)> = None;
    let mut before = ValuesBefore::default();
    // Behind a macro that may stand for several values, or for a part of one, positions are not known.
    let mut is_counted = !node.has_error();
    for child in children(node) {
        if child.kind_name() == "initializer_pair" {
            after = read_pair(walker, child, place, dimensions);
            before = ValuesBefore::default();
            let value = child.field("value").unwrap_or(child);
            is_counted = before.add(walker, value) && !node.has_error();
            is_counted &= after.is_some() || dimensions > 0;
        } else if dimensions > 0 {
            read_value(walker, child, place, dimensions - 1);
        } else {
            // A literal is not a function, so its field is not needed.
            let held = after.map(|(object, _)| object).or(place);
            let held = held.filter(|_| is_counted && !is_literal(child));
            let field = held.map(|object| {
                let field = after.map(|(_, name)| walker.b.facts().name(name));
                let text = before.position(field, kind_of_value(child));
                let name = walker.b.intern_owned_name(&text);
                walker.b.add_expr(Expr::Member { object, name })
            });
            is_counted = is_counted && before.add(walker, child);
            read_field_value(walker, child, field);
        }
    }
    walker.b.leave_level();
}

/// The values that stand before one in a list, by their kinds: `3v 1b` are three expressions and a list in braces, `mA` is a name
/// that may be that of a macro.
#[derive(Default)]
struct ValuesBefore {
    text: String,
    run: Option<(char, u32)>,
}

/// Bytes of a position. Behind more values of changing kinds nothing is counted.
const LONGEST_POSITION: usize = 160;

impl ValuesBefore {
    /// Adds a value; gives whether positions behind it are known.
    fn add(&mut self, walker: &Walker<'_, '_>, node: Node<'_>) -> bool {
        if is_macro_call(walker, node) {
            return false;
        }
        let kind = kind_of_value(node);
        if node.kind_name() == "identifier" && may_be_macro(walker.b.text(node)) {
            self.end_run();
            let _ = write!(self.text, "m{} ", walker.b.text(node));
        } else {
            let count = match self.run {
                Some((of, count)) if of == kind => count + 1,
                _ => {
                    self.end_run();
                    1
                }
            };
            self.run = Some((kind, count));
        }
        self.text.len() <= LONGEST_POSITION
    }

    fn end_run(&mut self) {
        if let Some((kind, count)) = self.run.take() {
            let _ = write!(self.text, "{count}{kind} ");
        }
    }

    /// The position behind them, from the first field on or from one of that name, for a value of that kind.
    fn position(&self, field: Option<&str>, kind: char) -> String {
        let mut text = String::from("#");
        if let Some(field) = field {
            let _ = write!(text, "{field}+");
        }
        text.push_str(&self.text);
        if let Some((kind, count)) = self.run {
            let _ = write!(text, "{count}{kind}");
        }
        let _ = write!(text, ":{kind}");
        text
    }
}

/// `b` for what takes a field as a whole, `s` for a text, `v` for any other value.
fn kind_of_value(node: Node<'_>) -> char {
    match node.kind_name() {
        "initializer_list" | "compound_literal_expression" => 'b',
        "string_literal" | "concatenated_string" => 's',
        _ => 'v',
    }
}

/// Whether a name is written as those of macros are. Some are known for what they are.
fn may_be_macro(name: &str) -> bool {
    !name.contains(|c: char| c.is_ascii_lowercase()) && !matches!(name, "NULL" | "TRUE" | "FALSE")
}

/// `.a.b = value`, `[2] = value`. Gives the field, as a member of its place.
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
    let mut is_element = false;
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
            is_element = true;
            continue;
        };
        (left, is_element) = (0, false);
        place = place.map(|object| {
            let name = walker.b.intern_node_text(field);
            field_of = Some((object, name));
            let member = walker.b.add_expr(Expr::Member { object, name });
            walker.b.add_reference(RefTarget::Expr(member), field);
            member
        });
    }
    // What stands behind an element of an array may be given to the next.
    let field_of = field_of.filter(|_| !is_element);
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
