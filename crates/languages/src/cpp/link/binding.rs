//! How a parameter is bound to its argument. A reference that is not constant takes no temporary value, `T&&` takes no object with
//! a place, and a pointer to something constant does not become another one.

use super::fit::Fit;
use super::{Family, constant, references, shapes, standard};
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::repo::{FileId, GlobalDef};
use linker::ty::*;

/// How a parameter takes its argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `T`, or something that is not known.
    Value,
    /// `T&`
    Place,
    /// `const T&`
    Constant,
    /// `T&&`
    Given,
    /// `T&&`, where `T` is a parameter of the function's own template: it takes every argument as it is.
    Forward,
    /// `T*`
    Pointer,
    /// `const T*`
    ConstantPointer,
}

/// How well a parameter is bound, where the types fit equally well. The least is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rank {
    /// As well as any other.
    Neutral,
    Known(u8),
    /// Not known. Only parameters of one kind are bound alike.
    Open(Kind),
}

/// An argument.
pub(super) struct Argument {
    pub(super) ty: Ty,
    /// Whether it has a place of its own.
    has_place: Option<bool>,
    /// Whether it is constant.
    is_constant: Option<bool>,
    /// Whether what it points to is constant.
    leads_to_constant: Option<bool>,
    /// Whether it is a list in braces.
    pub(super) is_list: bool,
    /// Whether it is a literal number, which may be the null pointer.
    is_literal: bool,
    /// Whether it may be an array, which a reference does not make a pointer of.
    pub(super) may_be_array: bool,
    /// The only value of a list in braces.
    only: Option<Box<Argument>>,
}

impl Argument {
    pub(super) fn new(
        family: &Family,
        ev: &mut Eval<'_>,
        (file, expr): (FileId, ExprId),
        ty: Ty,
        depends: bool,
    ) -> Argument {
        let facts = ev.repo.facts(file);
        let only = match (facts.expr(expr), &ty) {
            (Expr::Tuple(parts), Ty::Tuple(types)) => match (&parts[..], &types[..]) {
                ([part], [of]) if !matches!(facts.expr(*part), Expr::Tuple(_)) => {
                    let part = Argument::new(family, ev, (file, *part), of.clone(), depends);
                    Some(Box::new(part))
                }
                _ => None,
            },
            _ => None,
        };
        let is_pointer = standard::pointee(&ty).is_some();
        let leads_to_constant = if is_pointer && depends {
            constant::leads_to_constant(family, ev, file, expr)
        } else {
            None
        };
        Argument {
            has_place: if depends {
                references::has_place(family, ev, file, expr)
            } else {
                None
            },
            is_constant: if depends {
                constant::of_value(family, ev, file, expr)
            } else {
                None
            },
            leads_to_constant,
            is_list: matches!(ty, Ty::Tuple(_)),
            may_be_array: is_pointer
                && matches!(
                    facts.expr(expr),
                    Expr::Literal(_)
                        | Expr::Name { .. }
                        | Expr::Member { .. }
                        | Expr::Scoped { .. }
                ),
            is_literal: *facts.expr(expr) == Expr::Literal(Primitive::Int),
            only,
            ty,
        }
    }
}

/// How a function takes its n-th argument.
pub(super) fn kind(ev: &Eval<'_>, function: GlobalDef, n: usize) -> Kind {
    let facts = ev.repo.facts(function.file);
    let callable = ev.repo.def(function).callable.as_deref();
    let params = callable.map_or(&[][..], |callable| &callable.params);
    let Some(ty) = params.get(n).and_then(|param| param.ty) else {
        return Kind::Value;
    };
    let of_pointer = |inner: TypeId| match facts.ty(inner) {
        TypeExpr::Optional(_) => Kind::ConstantPointer,
        _ => Kind::Pointer,
    };
    match facts.ty(ty) {
        TypeExpr::Reference(inner) => match facts.ty(*inner) {
            TypeExpr::Reference(of) if references::is_parameter(ev, function, *of) => Kind::Forward,
            TypeExpr::Reference(_) => Kind::Given,
            TypeExpr::Optional(_) => Kind::Constant,
            _ => Kind::Place,
        },
        TypeExpr::Array(inner) => of_pointer(*inner),
        TypeExpr::Optional(outer) => match facts.ty(*outer) {
            TypeExpr::Array(inner) => of_pointer(*inner),
            _ => Kind::Value,
        },
        _ => Kind::Value,
    }
}

/// Whether it matters to functions how their n-th argument is bound: they take it in different ways, and one of these is no value and
/// no constant reference.
pub(super) fn depends_on_argument(ev: &Eval<'_>, all: &[GlobalDef], n: usize) -> bool {
    let mut kinds = all.iter().map(|def| kind(ev, *def, n));
    let Some(first) = kinds.next() else {
        return false;
    };
    let is_plain = |kind: Kind| matches!(kind, Kind::Value | Kind::Constant);
    let (mut differ, mut plain) = (false, is_plain(first));
    for kind in kinds {
        differ |= kind != first;
        plain &= is_plain(kind);
    }
    differ && !plain
}

/// Whether a parameter certainly cannot be bound to an argument whose type fits it.
pub(super) fn cannot_bind(given: &Argument, kind: Kind, fit: Fit, param: &Ty) -> bool {
    if given.is_list {
        return match (&given.only, kind) {
            // One value of the very type is bound itself.
            (Some(only), Kind::Place | Kind::Given) if is_same(&only.ty, param) => {
                cannot_bind(only, kind, Fit::Exact, param)
            }
            (_, Kind::Place) => !matches!(param, Ty::Unknown),
            _ => false,
        };
    }
    let is_open = matches!(param, Ty::Param(..));
    let is_direct = is_open || is_same(&given.ty, param) || fit == Fit::Near && !is_number(param);
    match kind {
        Kind::Place => {
            given.has_place == Some(false)
                || is_direct && !is_open && given.is_constant == Some(true)
                || !is_direct && converts(&given.ty, param, fit)
        }
        Kind::Given => is_direct && given.has_place == Some(true),
        Kind::Pointer => {
            let is_open = standard::pointee(param).is_none_or(|of| matches!(of, Ty::Param(..)));
            !is_open && given.leads_to_constant == Some(true)
        }
        _ => false,
    }
}

fn is_number(ty: &Ty) -> bool {
    standard::number(ty).is_some()
}

/// Whether two types are known and the same, for a reference.
fn is_same(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Instance(a, _), Ty::Instance(b, _)) => a == b,
        (Ty::Unknown, _) => false,
        _ => a == b,
    }
}

/// Whether a value certainly becomes another one before it is bound.
fn converts(given: &Ty, param: &Ty, fit: Fit) -> bool {
    match (standard::number(given), standard::number(param)) {
        (Some(a), Some(b)) => a != b,
        _ => matches!(fit, Fit::Perhaps | Fit::Converted | Fit::Loose),
    }
}

/// A number fits no pointer, but the literal may be zero.
pub(super) fn with_null(given: &Argument, fit: Fit, param: &Ty) -> Fit {
    let may_be_null = given.is_literal && standard::pointee(param).is_some();
    if may_be_null && fit == Fit::No {
        Fit::Perhaps
    } else {
        fit
    }
}

/// How well a parameter is bound.
pub(super) fn rank(given: &Argument, kind: Kind, fit: Fit) -> Rank {
    if given.is_list || given.ty.is_unknown() {
        return Rank::Neutral;
    }
    if standard::pointee(&given.ty).is_some() {
        return match (kind, given.leads_to_constant) {
            (Kind::ConstantPointer, None) => Rank::Open(kind),
            (Kind::ConstantPointer, Some(false)) => Rank::Known(1),
            // Only a pointer to something constant differs from the others.
            _ => Rank::Known(0),
        };
    }
    let has_place = if fit < Fit::Near {
        Some(false)
    } else {
        given.has_place
    };
    match (kind, has_place) {
        (Kind::Value | Kind::Pointer | Kind::ConstantPointer, _) => Rank::Neutral,
        (Kind::Place | Kind::Given | Kind::Forward, Some(_)) => Rank::Known(0),
        (Kind::Constant, Some(false)) => Rank::Known(1),
        (Kind::Constant, Some(true)) => match given.is_constant {
            Some(true) => Rank::Known(0),
            Some(false) => Rank::Known(1),
            None => Rank::Open(kind),
        },
        (_, None) => Rank::Open(kind),
    }
}

/// How well a method takes its object: one that is not constant rather calls a method that is not, and one without a place one
/// with `&&`.
pub(super) fn rank_of_object(
    method: &Def,
    has_place: Option<bool>,
    is_constant: Option<bool>,
) -> Rank {
    let has = |flag: DefFlags| method.flags.has(flag);
    if method.kind != SymbolKind::Method || has(DefFlags::STATIC) {
        return Rank::Neutral;
    }
    let kind = if has(DefFlags::BY_REFERENCE) {
        Kind::Constant
    } else {
        Kind::Place
    };
    let constness = match (is_constant, kind) {
        (None, _) => return Rank::Open(kind),
        (Some(false), Kind::Constant) => 1,
        _ => 0,
    };
    // Only among methods with `&` and `&&` does it count whether the object has a place.
    match (has_place, has(DefFlags::ON_GIVEN), has(DefFlags::ON_PLACE)) {
        (None, true, _) => Rank::Open(Kind::Given),
        (None, _, true) => Rank::Open(kind),
        (Some(false), false, true) => Rank::Known(constness + 2),
        _ => Rank::Known(constness),
    }
}

/// Whether one of two ranks is better; none where that is not known.
pub(super) fn is_better(one: Rank, other: Rank) -> Option<bool> {
    match (one, other) {
        (Rank::Known(a), Rank::Known(b)) => Some(a < b),
        (Rank::Neutral, _) | (_, Rank::Neutral) => Some(false),
        (Rank::Open(a), Rank::Open(b)) if a == b => Some(false),
        _ => None,
    }
}

/// Whether the parameters of a function's own template certainly cannot be inferred from an argument. Nothing converts where they
/// are inferred.
pub(super) fn cannot_infer(function: GlobalDef, given: &Argument, param: &Ty, fit: Fit) -> bool {
    if !mentions(param, function, 0) {
        return false;
    }
    if given.is_list {
        return standard::listed(param).is_none() || !are_of_one_type(&given.ty);
    }
    matches!(fit, Fit::Perhaps | Fit::Converted | Fit::Loose)
        || standard::listed(param).is_some()
            && !matches!(given.ty, Ty::Unknown)
            && standard::listed(&given.ty).is_none()
}

/// Whether all values of a list may be of one type.
fn are_of_one_type(list: &Ty) -> bool {
    let Ty::Tuple(parts) = list else {
        return true;
    };
    let known: Vec<&Ty> = parts.iter().filter(|part| is_known(part)).collect();
    // An empty list says nothing: another argument may say what its type is.
    known.windows(2).all(|two| two[0] == two[1])
}

/// Whether two types certainly differ. The arguments of templates may not be known.
fn differ(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Instance(a, _), Ty::Instance(b, _)) => a != b,
        (Ty::Instance(..), other) | (other, Ty::Instance(..)) => {
            is_number(other) || standard::pointee(other).is_some()
        }
        _ => match (standard::number(a), standard::number(b)) {
            (Some(a), Some(b)) => a != b,
            (Some(_), None) => standard::pointee(b).is_some(),
            (None, Some(_)) => standard::pointee(a).is_some(),
            (None, None) => false,
        },
    }
}

fn is_known(ty: &Ty) -> bool {
    match ty {
        Ty::Instance(_, args) => args.is_empty(),
        _ => is_number(ty),
    }
}

/// Whether a type mentions a parameter of a function's own template.
pub(super) fn mentions(ty: &Ty, function: GlobalDef, nesting: u32) -> bool {
    match ty {
        _ if nesting > 8 => false,
        Ty::Param(def, n) => *def == function && *n != SELF,
        Ty::Instance(_, args) | Ty::ExternalInstance(_, args) | Ty::Tuple(args) => {
            args.iter().any(|arg| mentions(arg, function, nesting + 1))
        }
        _ => false,
    }
}

/// Whether arguments certainly give one parameter of a template different types.
pub(super) fn contradict(
    ev: &mut Eval<'_>,
    function: GlobalDef,
    pairs: &[(&Argument, Ty)],
) -> bool {
    let mut known: Vec<((GlobalDef, u32), Ty)> = Vec::new();
    for (n, (given, param)) in pairs.iter().enumerate() {
        if given.is_list || shapes::is_pack(ev.repo, function, n) || !mentions(param, function, 0) {
            continue;
        }
        let mut env = Vec::new();
        ev.unify(param, &given.ty, &mut env);
        for (key, ty) in env.into_iter().filter(|(key, _)| key.0 == function) {
            match known.iter().find(|(other, _)| *other == key) {
                Some((_, other)) if differ(other, &ty) => return true,
                Some(_) => {}
                None => known.push((key, ty)),
            }
        }
    }
    false
}
