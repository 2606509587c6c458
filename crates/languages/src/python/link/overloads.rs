//! Chooses the `@overload` of a call: by the number of arguments, and by their types as far as they are certain.

use base::facts::*;
use linker::eval::Eval;
use linker::lang::CallView;
use linker::repo::GlobalDef;
use linker::ty::*;

/// With more overloads, the types of arguments are not compared.
const MOST_COMPARED: usize = 64;

/// The first overload, in written order, that no argument excludes; `None` if there are no overloads.
pub(super) fn select_overload(
    ev: &mut Eval<'_>,
    overloads: &[GlobalDef],
    call: CallView<'_>,
) -> Option<GlobalDef> {
    let is_overload = |d: &&GlobalDef| ev.repo.def(**d).flags.has(DefFlags::DECLARATION_ONLY);
    let mut declared: Vec<GlobalDef> = overloads.iter().filter(is_overload).copied().collect();
    let one_place = declared
        .windows(2)
        .all(|pair| ev.repo.def(pair[0]).parent == ev.repo.def(pair[1]).parent);
    if declared.is_empty() || declared.len() > MOST_COMPARED || !one_place {
        return None;
    }
    declared.sort_unstable();
    let fitting = ev.overloads_with_arg_count(&declared, call);
    let given: Vec<Ty> = call
        .args
        .iter()
        .map(|arg| match ev.repo.facts(call.file).expr(*arg) {
            Expr::Keyword(_, value) => ev.type_of_expr(call.file, *value),
            _ => ev.type_of_expr(call.file, *arg),
        })
        .collect();
    let takes_all = |overload: &&GlobalDef| {
        given.iter().zip(0..).all(|(given, at)| {
            let expected = ev.param_type_for_argument(**overload, call, at);
            may_take(&expected, given)
        })
    };
    fitting.iter().find(takes_all).copied()
}

/// Whether a parameter accepts a value; false only if that is certain.
fn may_take(expected: &Ty, given: &Ty) -> bool {
    let mut given = given.alternatives().iter();
    given.any(|given| {
        let mut expected = expected.alternatives().iter();
        expected.any(|expected| !is_sure_mismatch(expected, given))
    })
}

fn is_sure_mismatch(expected: &Ty, given: &Ty) -> bool {
    let takes_class = matches!(expected, Ty::Class(..) | Ty::ClassOf(_) | Ty::External(_));
    match given {
        Ty::Class(..) => is_plain(expected),
        Ty::ExternalInstance(..) if is_plain(given) => {
            takes_class || is_plain(expected) && !is_promoted(expected, given)
        }
        Ty::Instance(..) => takes_class,
        _ => false,
    }
}

/// Whether a type is a built-in class that accepts no values of other classes.
fn is_plain(ty: &Ty) -> bool {
    matches!(ty, Ty::ExternalInstance(e, _) if &*e.package == "builtins"
        && matches!(&*e.symbol, "str" | "bytes" | "int" | "float" | "bool" | "list" | "dict" | "set" | "tuple"))
}

/// `bool` counts as `int`, and `int` as `float`.
fn is_promoted(expected: &Ty, given: &Ty) -> bool {
    let rank = |ty: &Ty| match ty {
        Ty::ExternalInstance(e, _) => match &*e.symbol {
            "bool" => Some(0),
            "int" => Some(1),
            "float" => Some(2),
            _ => None,
        },
        _ => None,
    };
    let same = matches!((expected, given), (Ty::ExternalInstance(a, _), Ty::ExternalInstance(b, _)) if a == b);
    same || matches!((rank(expected), rank(given)), (Some(e), Some(g)) if g <= e)
}
