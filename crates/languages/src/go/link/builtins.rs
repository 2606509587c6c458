//! The predeclared names, and the result types of external calls.

use super::types;
use crate::names::NameLists;
use base::facts::Primitive;
use linker::eval::Eval;
use linker::lang::CallView;
use linker::ty::*;
use std::sync::{Arc, LazyLock};

/// The package name for predeclared names.
pub(super) const PACKAGE: &str = "builtin";
/// Slices and arrays.
pub(super) const SLICE: &str = "slice";
/// Maps.
pub(super) const MAP: &str = "map";
/// Channels.
pub(super) const CHANNEL: &str = "chan";

static NAMES: LazyLock<NameLists> =
    LazyLock::new(|| NameLists::parse(include_str!("../stdlib.txt")));

/// Whether a name is predeclared.
pub(super) fn is_predeclared(name: &str) -> bool {
    NAMES.has("predeclared", name)
}

/// A predeclared type.
pub(super) fn primitive_type(primitive_type: Primitive) -> Ty {
    let symbol = match primitive_type {
        Primitive::String => "string",
        Primitive::Int => "int",
        Primitive::Float => "float64",
        Primitive::Bool => "bool",
        Primitive::Char => "rune",
        _ => return Ty::Unknown,
    };
    Ty::external(PACKAGE, symbol, Vec::new())
}

/// The result type of calling something external. If the type is unknown but must be external too, it is an unnamed
/// type of that function. Calls on the result then count as external and not as unresolved.
pub(super) fn external_call_result(
    ev: &mut Eval<'_>,
    callee: &External,
    receiver: Option<&Ty>,
    call: CallView<'_>,
) -> Ty {
    let first = |ev: &mut Eval<'_>| {
        let arg = call.args.first().copied();
        arg.map(|arg| ev.type_of_expr(call.file, arg))
            .unwrap_or_default()
    };
    match (&*callee.package, &*callee.symbol) {
        (PACKAGE, "min" | "max" | "append") => first(ev),
        (PACKAGE, "copy" | "len" | "cap") => primitive_type(Primitive::Int),
        (PACKAGE, _) => Ty::Unknown,
        ("slices" | "maps", name) => collection_call_result(ev, &callee.package, name, first),
        ("sync/atomic", "Pointer.Load" | "Pointer.Swap") => {
            receiver.map_or(Ty::Unknown, |r| r.arg(0))
        }
        ("sync", "OnceValue" | "OnceFunc") => first(ev),
        (package, _) if NAMES.has("generic packages", package) => Ty::Unknown,
        (package, symbol) => {
            let standard = !package.split('/').next().unwrap_or("").contains('.');
            if standard || !passes_repo_types(ev, receiver, call) {
                Ty::external(package, &format!("{symbol}()"), Vec::new())
            } else {
                Ty::Unknown
            }
        }
    }
}

/// Functions of `slices` and `maps`.
fn collection_call_result(
    ev: &mut Eval<'_>,
    package: &str,
    name: &str,
    first: impl Fn(&mut Eval<'_>) -> Ty,
) -> Ty {
    let of = first(ev);
    let sequence = |symbol: &str, args: Vec<Ty>| Ty::external("iter", symbol, args);
    let slice = |element: Ty| Ty::external(PACKAGE, SLICE, vec![element]);
    match (package, name) {
        (_, "Clone")
        | (
            "slices",
            "Compact" | "CompactFunc" | "Concat" | "Delete" | "DeleteFunc" | "Insert" | "Replace"
            | "Grow" | "Clip",
        ) => of,
        ("slices", "Max" | "MaxFunc" | "Min" | "MinFunc") => types::element_type(ev, &of),
        ("slices", "Values") => {
            let element = types::element_type(ev, &of);
            sequence("Seq", vec![element])
        }
        ("slices", "All" | "Backward") => {
            let element = types::element_type(ev, &of);
            sequence("Seq2", vec![primitive_type(Primitive::Int), element])
        }
        ("slices", "Collect" | "Sorted" | "SortedFunc") => slice(types::key_type(ev, &of)),
        ("maps", "Keys") => sequence("Seq", vec![types::key_type(ev, &of)]),
        ("maps", "Values") => sequence("Seq", vec![types::element_type(ev, &of)]),
        ("maps", "All") => {
            let args = vec![types::key_type(ev, &of), types::element_type(ev, &of)];
            sequence("Seq2", args)
        }
        ("maps", "Collect") => {
            let args = vec![types::key_type(ev, &of), types::element_type(ev, &of)];
            Ty::external(PACKAGE, MAP, args)
        }
        _ => Ty::Unknown,
    }
}

/// Whether a call passes types of the repository to external code, which may return them if it is generic.
fn passes_repo_types(ev: &mut Eval<'_>, receiver: Option<&Ty>, call: CallView<'_>) -> bool {
    if !call.type_args.is_empty() || receiver.is_some_and(contains_repo_type) {
        return true;
    }
    let args: Vec<Ty> = call
        .args
        .iter()
        .map(|a| ev.type_of_expr(call.file, *a))
        .collect();
    args.iter().any(contains_repo_type)
}

fn contains_repo_type(ty: &Ty) -> bool {
    let any = |args: &Args| args.iter().any(contains_repo_type);
    match ty {
        Ty::Instance(..) | Ty::Class(..) | Ty::Function(..) | Ty::Param(..) => true,
        Ty::ExternalInstance(_, args) | Ty::Tuple(args) | Ty::Union(args) => any(args),
        Ty::Callable(params, ret) => any(params) || contains_repo_type(&Arc::clone(ret)),
        _ => false,
    }
}
