//! Types of numbers: unboxing, promotion, and conditional expressions (JLS 5.6, 15.25).

use super::builtins::{self, as_primitive, box_or_unbox, is_primitive};
use super::platform::box_primitive;
use base::facts::*;
use linker::repo::{FileId, Repo};
use linker::ty::*;

/// The primitive types of numbers.
const NUMBERS: [&str; 7] = ["byte", "short", "char", "int", "long", "float", "double"];

/// The primitive type of a value, unboxed if need be.
pub(super) fn unboxed(ty: &Ty) -> Option<&'static str> {
    let name = match ty {
        Ty::External(constant) => return unboxed(&builtins::constant_type(constant)),
        Ty::ExternalInstance(e, _) if &*e.package == "java.lang" => box_or_unbox(&e.symbol),
        _ => as_primitive(ty).and_then(|name| box_or_unbox(box_or_unbox(name)?)),
    };
    name.filter(|name| is_primitive(name))
}

/// The type of arithmetic on these values; unknown if one of them is no number.
pub(super) fn promoted(types: &[Ty]) -> Ty {
    let names: Option<Vec<&str>> = types.iter().map(unboxed).collect();
    let Some(names) = names.filter(|names| !names.is_empty()) else {
        return Ty::Unknown;
    };
    if names.contains(&"boolean") {
        let is_logical = names.iter().all(|name| *name == "boolean");
        return if is_logical {
            builtins::primitive("boolean")
        } else {
            Ty::Unknown
        };
    }
    let wide = ["double", "float", "long"];
    let widest = wide.into_iter().find(|wide| names.contains(wide));
    builtins::primitive(widest.unwrap_or("int"))
}

/// The type of `left op right`.
pub(super) fn operation(left: &Ty, right: &Ty) -> Ty {
    let string = builtins::java_lang_type("String");
    if *left == string || *right == string {
        return string;
    }
    promoted(&[left.clone(), right.clone()])
}

/// The type of a function that rounds: `int` for a `float`, else `long`.
pub(super) fn rounded(of: &Ty) -> Ty {
    match unboxed(of) {
        Some("boolean") | None => Ty::Unknown,
        Some("double") => builtins::primitive("long"),
        Some(_) => builtins::primitive("int"),
    }
}

/// The type of a function over `float` or `double`.
pub(super) fn floating(types: &[Ty]) -> Ty {
    let names: Option<Vec<&str>> = types.iter().map(unboxed).collect();
    match names {
        Some(names) if names.contains(&"double") => builtins::primitive("double"),
        Some(names) if !names.is_empty() => builtins::primitive("float"),
        _ => Ty::Unknown,
    }
}

/// The type of a function over `char` or `int`.
pub(super) fn character(of: &Ty) -> Ty {
    match unboxed(of) {
        Some("char") => builtins::primitive("char"),
        Some("byte" | "short" | "int") => builtins::primitive("int"),
        _ => Ty::Unknown,
    }
}

/// The type of a conditional, whose operands may be of different types.
pub(super) fn conditional(repo: &Repo, file: FileId, exprs: &[ExprId], types: Vec<Ty>) -> Ty {
    let types: Vec<Ty> = types.into_iter().map(of_constant).collect();
    let Some(first) = types.first() else {
        return Ty::Unknown;
    };
    if types.iter().all(|ty| ty == first) {
        return first.clone();
    }
    let names: Option<Vec<&str>> = types.iter().map(unboxed).collect();
    let Some(names) = names else {
        if types.iter().any(Ty::is_unknown) && types.iter().any(|ty| unboxed(ty).is_some()) {
            // It may be a number of any type.
            return Ty::Unknown;
        }
        return Ty::union(types.into_iter().map(box_primitive));
    };
    let is_number = |name: &&str| NUMBERS.contains(name);
    match names.iter().filter(|name| is_number(name)).count() {
        0 => return builtins::primitive("boolean"),
        count if count < names.len() => return Ty::union(types.into_iter().map(box_primitive)),
        _ => {}
    }
    let is_small = |name: &&&str| matches!(**name, "byte" | "short" | "char");
    let Some(small) = names.iter().find(is_small) else {
        return promoted(&types);
    };
    if names.iter().all(|name| name == small) {
        return builtins::primitive(small);
    }
    if names.iter().all(|name| matches!(*name, "byte" | "short")) {
        return builtins::primitive("short");
    }
    if names
        .iter()
        .any(|name| matches!(*name, "long" | "float" | "double"))
    {
        return promoted(&types);
    }
    if names.iter().filter(is_small).any(|name| name != small) {
        return builtins::primitive("int");
    }
    // A constant that fits takes the type of the other operand.
    let others = exprs.iter().zip(&names).filter(|(_, name)| *name != small);
    let mut kinds = others.map(|(expr, _)| constant_kind(repo, file, *expr));
    match kinds.next() {
        Some(Some(true)) if kinds.all(|kind| kind == Some(true)) => builtins::primitive(small),
        Some(Some(false)) => builtins::primitive("int"),
        _ => Ty::Unknown,
    }
}

/// A constant of the platform counts as its value.
fn of_constant(ty: Ty) -> Ty {
    match &ty {
        Ty::External(constant) => builtins::constant_type(constant).or_else(|| ty.clone()),
        _ => ty,
    }
}

/// Whether an `int` is a constant that fits into the small types; `None` if that cannot be said.
fn constant_kind(repo: &Repo, file: FileId, expr: ExprId) -> Option<bool> {
    match repo.facts(file).expr(expr) {
        Expr::Literal(_) => Some(true),
        Expr::Call { .. } | Expr::Index { .. } => Some(false),
        _ => None,
    }
}
