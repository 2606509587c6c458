//! Calls, and other code that constructs objects.

use super::statements::visit;
use super::{exprs, path_parts, types};
use crate::c::walk::{self, children};
use crate::outline::Walker;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Maximum number of bytes before an initialiser in which `=` is searched for.
const MOST_BEFORE: usize = 64;
/// Values of a list in braces that are kept.
const MOST_LISTED: usize = 16;

/// Casts that are written as calls.
const CASTS: [&str; 4] = [
    "static_cast",
    "dynamic_cast",
    "reinterpret_cast",
    "const_cast",
];

/// `f(x)`, `a::f<T>(x)`, `object->f(x)`, `T(x)`.
pub(super) fn call(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    let function = walk::without_wrappers(node.field("function")?);
    let (callee, at, templated) = match function.kind_name() {
        "identifier" => (walker.b.add_name_expr(function), function, None),
        "template_function" if is_cast(walker, function) => {
            return named_cast(walker, node, function);
        }
        "qualified_identifier" | "template_function" => {
            let (parts, is_global) = path_parts(function);
            let (callee, at) = exprs::path(walker, &parts, is_global)?;
            let last = parts.last().copied();
            (callee, at, last.and_then(|part| part.field("arguments")))
        }
        "field_expression" => exprs::member_path(walker, function)?,
        "primitive_type" => {
            arguments(walker, node);
            let ty = types::specifier(walker, function);
            let value = walker.b.add_expr(Expr::Unknown);
            return Some(exprs::cast_to(walker, value, ty));
        }
        _ => (exprs::expr(walker, function), function, None),
    };
    let type_args = templated.map(|list| types::arguments(walker, list));
    let args = arguments(walker, node);
    let count = args.len();
    let call = walker.b.add_expr(Expr::Call {
        callee,
        args: args.into(),
        type_args: type_args.unwrap_or_default().into(),
    });
    walker.b.add_call(call, CallKind::Call, count, at);
    Some(call)
}

fn is_cast(walker: &Walker<'_, '_>, function: Node<'_>) -> bool {
    let name = function.field("name");
    name.is_some_and(|name| CASTS.contains(&walker.b.text(name)))
}

/// `static_cast<T>(x)`.
fn named_cast(walker: &mut Walker<'_, '_>, node: Node<'_>, function: Node<'_>) -> Option<ExprId> {
    let written = function
        .field("arguments")
        .and_then(|list| list.named_child(0));
    let ty = written.and_then(|written| types::specifier(walker, written));
    let args = arguments(walker, node);
    let value = args.first().copied();
    let value = value.unwrap_or_else(|| walker.b.add_expr(Expr::Unknown));
    Some(exprs::cast_to(walker, value, ty))
}

/// Reads the arguments of a call.
fn arguments(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Vec<ExprId> {
    match node.field("arguments") {
        Some(list) => values(walker, list),
        None => Vec::new(),
    }
}

fn values(walker: &mut Walker<'_, '_>, list: Node<'_>) -> Vec<ExprId> {
    let mut out = Vec::new();
    for argument in children(list) {
        let value = match argument.kind_name() {
            "parameter_pack_expansion" => {
                let inner = argument.field("pattern");
                let inner = inner.map(|inner| exprs::expr(walker, inner));
                let inner = inner.unwrap_or_else(|| walker.b.add_expr(Expr::Unknown));
                walker.b.add_expr(Expr::Spread(inner))
            }
            "initializer_list" => listed(walker, argument),
            _ => exprs::expr(walker, argument),
        };
        out.push(value);
    }
    out
}

/// `{a, b}` as an argument: a tuple, if it is short.
fn listed(walker: &mut Walker<'_, '_>, list: Node<'_>) -> ExprId {
    if list.named_child_count() > MOST_LISTED || !walker.b.enter_level() {
        return exprs::expr(walker, list);
    }
    let parts = values(walker, list);
    walker.b.leave_level();
    walker.b.add_expr(Expr::Tuple(parts.into()))
}

/// The class of an object: one that is constructed with braces is written as a reference, which no object is otherwise.
fn class_of(walker: &mut Walker<'_, '_>, ty: TypeId, given: Option<Node<'_>>) -> ExprId {
    let is_braced = given.is_some_and(|given| given.kind_name() == "initializer_list");
    let ty = if is_braced {
        walker.b.add_type(TypeExpr::Reference(ty))
    } else {
        ty
    };
    walker.b.add_expr(Expr::Type(ty))
}

/// Where the name of a written type stands; none of a built-in type.
fn type_name(node: Node<'_>) -> Option<Node<'_>> {
    let node = match node.kind_name() {
        "type_descriptor" => node.field("type")?,
        _ => node,
    };
    let is_named = matches!(
        node.kind_name(),
        "type_identifier" | "qualified_identifier" | "template_type" | "dependent_type"
    );
    let (parts, _) = path_parts(node);
    parts
        .last()
        .map(|last| exprs::name_of(*last))
        .filter(|_| is_named)
}

/// Adds the construction of an object of a class from values.
fn construct(
    walker: &mut Walker<'_, '_>,
    class: ExprId,
    args: Vec<ExprId>,
    at: Node<'_>,
) -> ExprId {
    let count = args.len();
    let made = walker.b.add_expr(Expr::New {
        class,
        args: args.into(),
        type_args: Box::default(),
    });
    walker.b.add_call(made, CallKind::New, count, at);
    made
}

/// `new T(x)`.
pub(super) fn new(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    if let Some(placement) = node.field("placement") {
        visit(walker, placement);
    }
    let written = node.field("type")?;
    let ty = types::specifier(walker, written);
    let ty = types::known(walker, ty);
    let args = arguments(walker, node);
    let array = node.field("declarator");
    if let Some(array) = array {
        visit(walker, array);
    }
    let made = match type_name(written).filter(|_| array.is_none()) {
        Some(at) => {
            let class = class_of(walker, ty, node.field("arguments"));
            construct(walker, class, args, at)
        }
        None => {
            let unknown = walker.b.add_expr(Expr::Unknown);
            walker.b.add_expr(Expr::Cast(unknown, ty))
        }
    };
    Some(exprs::pointer_to(walker, made))
}

/// `T{x}`.
pub(super) fn compound_literal(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    let written = node.field("type")?;
    let ty = types::specifier(walker, written);
    let args = node.field("value").map(|list| values(walker, list));
    let ty = ty?;
    let Some(at) = type_name(written) else {
        let unknown = walker.b.add_expr(Expr::Unknown);
        return Some(exprs::cast_to(walker, unknown, Some(ty)));
    };
    let class = class_of(walker, ty, node.field("value"));
    Some(construct(walker, class, args.unwrap_or_default(), at))
}

/// Reads the initialiser of a variable or field: `T x(a)` and `T x{a}` construct a `T`.
pub(super) fn initial_value(
    walker: &mut Walker<'_, '_>,
    declaration: Node<'_>,
    given: Node<'_>,
    ty: Option<TypeId>,
) -> Option<ExprId> {
    let is_list = match given.kind_name() {
        "argument_list" => true,
        "initializer_list" => !follows_sign(walker, given),
        _ => false,
    };
    if !is_list {
        return Some(exprs::expr(walker, given));
    }
    let args = values(walker, given);
    let class = ty.filter(|ty| is_object(walker, *ty))?;
    let at = declaration.field("type").and_then(type_name)?;
    let class = class_of(walker, class, Some(given));
    Some(construct(walker, class, args, at))
}

/// Reads an object whose arguments the grammar takes for parameters: `T x(a);`
pub(super) fn from_parameters(
    walker: &mut Walker<'_, '_>,
    declaration: Node<'_>,
    parameters: Node<'_>,
    ty: Option<TypeId>,
) {
    let mut args = Vec::new();
    for parameter in children(parameters) {
        let Some(named) = parameter.field("type") else {
            continue;
        };
        let (parts, is_global) = path_parts(named);
        if let Some((value, at)) = exprs::path(walker, &parts, is_global) {
            walker.b.add_reference(RefTarget::Expr(value), at);
            args.push(value);
        }
    }
    let at = declaration.field("type").and_then(type_name);
    if let (Some(class), Some(at)) = (ty.filter(|ty| is_object(walker, *ty)), at) {
        let class = walker.b.add_expr(Expr::Type(class));
        construct(walker, class, args, at);
    }
}

/// Whether a type is neither a pointer, nor an array, nor a reference.
fn is_object(walker: &Walker<'_, '_>, ty: TypeId) -> bool {
    match walker.b.facts().ty(ty) {
        TypeExpr::Optional(inner) => matches!(
            walker.b.facts().ty(*inner),
            TypeExpr::Named { .. } | TypeExpr::Projection(..)
        ),
        TypeExpr::Named { .. } | TypeExpr::Projection(..) => true,
        _ => false,
    }
}

/// Whether `=` stands before an initialiser.
fn follows_sign(walker: &Walker<'_, '_>, given: Node<'_>) -> bool {
    let end = given.start_byte();
    let before = walker
        .b
        .source
        .as_bytes()
        .get(end.saturating_sub(MOST_BEFORE)..end);
    before.is_some_and(|before| before.trim_ascii_end().ends_with(b"="))
}

/// `: base(a), member{b}` constructs a base or a member.
pub(super) fn member_initializers(walker: &mut Walker<'_, '_>, list: Node<'_>) {
    for initializer in children(list) {
        let parts = children(initializer);
        let (Some(named), Some(given)) = (parts.first(), parts.get(1)) else {
            continue;
        };
        let (parts, is_global) = path_parts(*named);
        let Some((class, at)) = exprs::path(walker, &parts, is_global) else {
            continue;
        };
        walker.b.add_reference(RefTarget::Expr(class), at);
        let args = values(walker, *given);
        let is_braced = given.kind_name() == "initializer_list";
        let class = if is_braced {
            walker.b.add_expr(Expr::Borrowed(class))
        } else {
            class
        };
        construct(walker, class, args, at);
    }
}
