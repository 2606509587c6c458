//! Written parameters. The declaration and the definition of one function write them alike, except for the paths of names.

use base::SymbolKind;
use base::facts::*;
use linker::repo::{GlobalDef, Repo};

/// Maximum nesting of a written type that is compared.
const MOST_NESTING: u32 = 8;

fn parameters(repo: &Repo, id: GlobalDef) -> &[Param] {
    let callable = repo.def(id).callable.as_deref();
    callable.map_or(&[], |callable| &callable.params)
}

/// Whether two functions have equally many parameters.
pub(super) fn have_same_arity(repo: &Repo, a: GlobalDef, b: GlobalDef) -> bool {
    parameters(repo, a).len() == parameters(repo, b).len()
}

/// What stands behind the parameters of a method and says which objects have it.
const BEHIND_PARAMETERS: [DefFlags; 3] = [
    DefFlags::BY_REFERENCE,
    DefFlags::ON_PLACE,
    DefFlags::ON_GIVEN,
];

/// Whether the parameters of two functions are written alike, and the same objects have both.
pub(super) fn have_same_parameters(repo: &Repo, a: GlobalDef, b: GlobalDef) -> bool {
    let (of_a, of_b) = (repo.def(a).flags, repo.def(b).flags);
    let are_same = |flag: &DefFlags| of_a.has(*flag) == of_b.has(*flag);
    BEHIND_PARAMETERS.iter().all(are_same) && are_written_alike(repo, a, b)
}

/// Whether two functions write their parameters alike.
pub(super) fn are_written_alike(repo: &Repo, a: GlobalDef, b: GlobalDef) -> bool {
    let (left, right) = (parameters(repo, a), parameters(repo, b));
    let (of_a, of_b) = (repo.facts(a.file), repo.facts(b.file));
    left.len() == right.len()
        && left.iter().zip(right).all(|(x, y)| match (x.ty, y.ty) {
            (Some(x), Some(y)) => alike(
                (of_a, without_const(of_a, x)),
                (of_b, without_const(of_b, y)),
                0,
            ),
            (x, y) => x.is_none() == y.is_none(),
        })
}

/// A parameter that is constant itself makes no difference to callers.
fn without_const(facts: &FileFacts, ty: TypeId) -> TypeId {
    match facts.ty(ty) {
        TypeExpr::Optional(inner) => *inner,
        _ => ty,
    }
}

fn alike(a: (&FileFacts, TypeId), b: (&FileFacts, TypeId), nesting: u32) -> bool {
    if nesting > MOST_NESTING {
        return true;
    }
    let inner = |x: TypeId, y: TypeId| alike((a.0, x), (b.0, y), nesting + 1);
    match (a.0.ty(a.1), b.0.ty(b.1)) {
        (
            TypeExpr::Named {
                path: p, args: x, ..
            },
            TypeExpr::Named {
                path: q, args: y, ..
            },
        ) => {
            let last = |facts: &FileFacts, path: &[NameId]| {
                path.last().map(|name| facts.name(*name).to_owned())
            };
            last(a.0, p) == last(b.0, q)
                && (x.is_empty()
                    || y.is_empty()
                    || x.len() == y.len() && x.iter().zip(y.iter()).all(|(x, y)| inner(*x, *y)))
        }
        (TypeExpr::Array(x), TypeExpr::Array(y))
        | (TypeExpr::Reference(x), TypeExpr::Reference(y))
        | (TypeExpr::Optional(x), TypeExpr::Optional(y)) => inner(*x, *y),
        (TypeExpr::Projection(_, x), TypeExpr::Projection(_, y)) => a.0.name(*x) == b.0.name(*y),
        (TypeExpr::Projection(_, x), TypeExpr::Named { path, .. }) => path
            .last()
            .is_some_and(|last| a.0.name(*x) == b.0.name(*last)),
        (TypeExpr::Named { path, .. }, TypeExpr::Projection(_, y)) => path
            .last()
            .is_some_and(|last| a.0.name(*last) == b.0.name(*y)),
        (TypeExpr::Function { .. }, TypeExpr::Function { .. })
        | (TypeExpr::TypeOf(_), TypeExpr::TypeOf(_))
        | (TypeExpr::Unknown, TypeExpr::Unknown) => true,
        _ => false,
    }
}

/// Whether a definition is a class template, specialised for some arguments.
pub(super) fn is_special(def: &Def) -> bool {
    def.kind.is_type() && def.kind != SymbolKind::Enum && def.flags.has(DefFlags::SPECIAL)
}

/// Whether a template has conditions that decide whether it counts: `enable_if`, `requires`.
pub(super) fn has_conditions(repo: &Repo, template: GlobalDef) -> bool {
    let params = &repo.def(template).type_params;
    params.iter().any(|param| !param.bounds.is_empty())
}

/// The least and the most arguments that a function takes.
pub(super) fn arity(repo: &Repo, function: GlobalDef) -> (usize, usize) {
    let params = parameters(repo, function);
    let least = params.iter().filter(|p| p.kind == ParamKind::Plain).count();
    let is_open = params.iter().any(|p| p.kind == ParamKind::Variadic);
    (least, if is_open { usize::MAX } else { params.len() })
}

/// Whether an argument goes into a pack, which has a type of its own for each argument.
pub(super) fn is_pack(repo: &Repo, function: GlobalDef, n: usize) -> bool {
    let params = parameters(repo, function);
    let param = params.get(n).or(params.last());
    param.is_some_and(|p| p.kind == ParamKind::Variadic)
}

/// Whether an argument goes into `...`.
pub(super) fn is_ellipsis(repo: &Repo, function: GlobalDef, n: usize) -> bool {
    let params = parameters(repo, function);
    let last = params.last();
    n + 1 >= params.len() && last.is_some_and(|p| p.kind == ParamKind::Variadic && p.ty.is_none())
}
