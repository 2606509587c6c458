//! Whether the object of a call is constant. This tells `at()` from `at() const`.

use super::lookup::method_around;
use super::{Family, references, shapes};
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::repo::{FileId, GlobalDef, Repo};
use linker::ty::*;

/// Maximum number of expressions that are followed to find where an object comes from.
const MOST_STEPS: u32 = 16;

/// The position of a call's callee.
#[derive(Debug, Clone, Copy)]
pub(super) struct Object {
    pub(super) file: FileId,
    pub(super) callee: ExprId,
}

/// Leaves out the methods that the object of a call cannot call: those that are not constant if it is, those with `&&` behind
/// their parameters if it has a place, and those with `&` that are not constant if it has none.
pub(super) fn callable(
    family: &Family,
    ev: &mut Eval<'_>,
    all: Vec<GlobalDef>,
    object: Object,
) -> Vec<GlobalDef> {
    let repo = ev.repo;
    let has = |d: &GlobalDef, flag: DefFlags| repo.def(*d).flags.has(flag);
    let is_method =
        |d: &GlobalDef| repo.def(*d).kind == SymbolKind::Method && !has(d, DefFlags::STATIC);
    let is_free = |d: &GlobalDef| {
        !is_method(d)
            || has(d, DefFlags::BY_REFERENCE)
                && !has(d, DefFlags::ON_PLACE)
                && !has(d, DefFlags::ON_GIVEN)
    };
    if all.iter().all(is_free) || take_object_alike(repo, &all) {
        return all;
    }
    let (place, constant) = of_object(family, ev, object);
    let excluded = |d: &GlobalDef| {
        let is_const = has(d, DefFlags::BY_REFERENCE);
        is_method(d)
            && (constant == Some(true) && !is_const
                || place == Some(true) && has(d, DefFlags::ON_GIVEN)
                || place == Some(false) && has(d, DefFlags::ON_PLACE) && !is_const)
    };
    let kept: Vec<GlobalDef> = all.iter().filter(|d| !excluded(d)).copied().collect();
    if kept.is_empty() { all } else { kept }
}

/// Whether all methods stand alike to their object.
pub(super) fn take_object_alike(repo: &Repo, all: &[GlobalDef]) -> bool {
    let of = |d: &GlobalDef| {
        let flags = repo.def(*d).flags;
        [
            DefFlags::BY_REFERENCE,
            DefFlags::ON_PLACE,
            DefFlags::ON_GIVEN,
            DefFlags::STATIC,
        ]
        .map(|flag| flags.has(flag))
    };
    all.windows(2).all(|two| of(&two[0]) == of(&two[1]))
}

/// Whether the object of a call has a place, and whether it is constant.
pub(super) fn of_object(
    family: &Family,
    ev: &mut Eval<'_>,
    object: Object,
) -> (Option<bool>, Option<bool>) {
    let facts = ev.repo.facts(object.file);
    match facts.expr(object.callee) {
        Expr::Member { object: of, .. } => {
            let place = references::has_place(family, ev, object.file, *of);
            (place, is_constant(family, ev, object.file, *of, 0))
        }
        // A name alone is a member of `*this`.
        Expr::Name { scope, .. } => (Some(true), in_constant_method(ev, object.file, *scope)),
        _ => (None, None),
    }
}

/// Chooses among methods whose parameters are written alike. An object without a place calls the one with `&&`, and one that is
/// not constant that which is not. All stay if the object is not known.
pub(super) fn by_object(
    family: &Family,
    ev: &mut Eval<'_>,
    all: Vec<GlobalDef>,
    object: Object,
) -> Vec<GlobalDef> {
    let repo = ev.repo;
    let alike = all
        .windows(2)
        .all(|two| shapes::are_written_alike(repo, two[0], two[1]));
    if !alike {
        return all;
    }
    if take_object_alike(repo, &all) {
        return all;
    }
    let (place, constant) = of_object(family, ev, object);
    let has = |d: &GlobalDef, flag: DefFlags| repo.def(*d).flags.has(flag);
    let prefer = |all: Vec<GlobalDef>, known: Option<bool>, wanted: &dyn Fn(&GlobalDef) -> bool| {
        let is_plain = all.iter().all(wanted) || !all.iter().any(wanted);
        if is_plain || known.is_none() {
            return all;
        }
        all.into_iter().filter(|d| wanted(d)).collect()
    };
    let all = match place {
        Some(false) => prefer(all, place, &|d| has(d, DefFlags::ON_GIVEN)),
        _ => all,
    };
    match constant {
        Some(is_const) => prefer(all, constant, &|d| {
            has(d, DefFlags::BY_REFERENCE) == is_const
        }),
        None => all,
    }
}

/// Whether a value is constant; `None` if that is not known.
pub(super) fn of_value(
    family: &Family,
    ev: &mut Eval<'_>,
    file: FileId,
    expr: ExprId,
) -> Option<bool> {
    is_constant(family, ev, file, expr, 0)
}

/// Whether the object that a pointer points to is constant; `None` if that is not known.
pub(super) fn leads_to_constant(
    family: &Family,
    ev: &mut Eval<'_>,
    file: FileId,
    pointer: ExprId,
) -> Option<bool> {
    let facts = ev.repo.facts(file);
    match facts.expr(pointer) {
        Expr::List(of) => match of[..] {
            [one] => is_constant(family, ev, file, one, 0),
            _ => None,
        },
        Expr::Literal(Primitive::String) => Some(true),
        Expr::Cast(_, ty) => pointed(facts, *ty),
        Expr::New { .. } => None,
        _ => led_to(ev, file, pointer),
    }
}

fn in_constant_method(ev: &Eval<'_>, file: FileId, scope: ScopeId) -> Option<bool> {
    let method = method_around(ev.repo, file, scope)?;
    Some(ev.repo.def(method).flags.has(DefFlags::BY_REFERENCE))
}

/// Whether a value is constant; `None` if that is not known.
fn is_constant(
    family: &Family,
    ev: &mut Eval<'_>,
    file: FileId,
    expr: ExprId,
    depth: u32,
) -> Option<bool> {
    if depth > MOST_STEPS || !ev.spend(1) {
        return None;
    }
    let depth = depth + 1;
    let facts = ev.repo.facts(file);
    match facts.expr(expr) {
        Expr::Name { name, scope, at } => {
            let binding = ev
                .repo
                .lookup(file, *name, *scope, *at, Namespace::VALUE, false);
            match binding.map(|binding| binding.to) {
                Some(Bound::Local {
                    ty: Some(ty),
                    value,
                }) => match (written(facts, ty), value) {
                    (None, Some(value)) => referred(family, ev, file, value, depth),
                    (known, _) => known,
                },
                Some(Bound::Local {
                    value: Some(value), ..
                }) => copied(ev, file, value),
                Some(Bound::Param(def, n)) => {
                    let callable = facts.def(def).callable.as_deref()?;
                    written(facts, callable.params.get(n as usize)?.ty?)
                }
                Some(_) => None,
                None => member(ev, file, expr, in_constant_method(ev, file, *scope)),
            }
        }
        Expr::Member { object, .. } => {
            let outer = is_constant(family, ev, file, *object, depth);
            member(ev, file, expr, outer)
        }
        Expr::Enter(pointer) => led_to(ev, file, *pointer),
        Expr::Index { object, .. } => is_constant(family, ev, file, *object, depth),
        Expr::Call { .. } => result(family, ev, file, expr),
        Expr::New { .. } => Some(false),
        Expr::Cast(_, ty) => written(facts, *ty),
        _ => None,
    }
}

/// A variable with an inferred type is a copy, which is not constant. Of the parts of a value it is not known.
fn copied(ev: &Eval<'_>, file: FileId, value: ExprId) -> Option<bool> {
    match ev.repo.facts(file).expr(value) {
        Expr::Part(..) => None,
        _ => Some(false),
    }
}

/// A reference with an inferred type is as constant as what it is given. What an iteration gives is as constant as what is iterated
/// over, if the standard library defines that.
fn referred(
    family: &Family,
    ev: &mut Eval<'_>,
    file: FileId,
    value: ExprId,
    depth: u32,
) -> Option<bool> {
    match ev.repo.facts(file).expr(value) {
        Expr::Part(..) => None,
        Expr::Element(of) => match ev.type_of_expr(file, *of) {
            Ty::ExternalInstance(..) => is_constant(family, ev, file, *of, depth),
            _ => None,
        },
        _ => is_constant(family, ev, file, value, depth),
    }
}

/// Whether a field is constant. Its object or its type decides.
fn member(ev: &mut Eval<'_>, file: FileId, expr: ExprId, outer: Option<bool>) -> Option<bool> {
    let (found, _) = ev.resolve_expr(file, expr, Namespace::VALUE);
    let Entity::Defs(defs) = found else {
        return None;
    };
    let first = *defs.first()?;
    let def = ev.repo.def(first);
    let facts = ev.repo.facts(first.file);
    let own = written(facts, def.ty?);
    let is_field = def.kind == base::SymbolKind::Field;
    match (own, facts.ty(def.ty?)) {
        (Some(true), _) => Some(true),
        (_, TypeExpr::Reference(_)) => own,
        _ if is_field => outer,
        _ => own,
    }
}

/// Whether the object that a pointer points to is constant.
fn led_to(ev: &mut Eval<'_>, file: FileId, pointer: ExprId) -> Option<bool> {
    let facts = ev.repo.facts(file);
    match facts.expr(pointer) {
        Expr::Name { name, scope, at } => {
            if facts.name(*name) == "this" {
                return in_constant_method(ev, file, *scope);
            }
            let binding = ev
                .repo
                .lookup(file, *name, *scope, *at, Namespace::VALUE, false);
            match binding.map(|binding| binding.to) {
                Some(Bound::Local { ty: Some(ty), .. }) => pointed(facts, ty),
                Some(Bound::Param(def, n)) => {
                    let callable = facts.def(def).callable.as_deref()?;
                    pointed(facts, callable.params.get(n as usize)?.ty?)
                }
                Some(_) => None,
                None => field_leads_to(ev, file, pointer),
            }
        }
        Expr::Member { .. } => field_leads_to(ev, file, pointer),
        Expr::List(_) | Expr::New { .. } => Some(false),
        _ => None,
    }
}

fn field_leads_to(ev: &mut Eval<'_>, file: FileId, expr: ExprId) -> Option<bool> {
    let (found, _) = ev.resolve_expr(file, expr, Namespace::VALUE);
    let Entity::Defs(defs) = found else {
        return None;
    };
    let first = *defs.first()?;
    let ty = ev.repo.def(first).ty?;
    pointed(ev.repo.facts(first.file), ty)
}

/// Whether the result of a call is constant, by its written type.
fn result(family: &Family, ev: &mut Eval<'_>, file: FileId, call: ExprId) -> Option<bool> {
    let view = ev.call_view(file, call);
    let called = family.callee(ev, view)?;
    let linker::lang::Called::Found(Entity::Defs(defs), _) = called else {
        return None;
    };
    let first = *defs.first()?;
    let def = ev.repo.def(first);
    if def.kind.is_type() {
        return Some(false);
    }
    written(ev.repo.facts(first.file), def.callable.as_deref()?.ret?)
}

/// Whether a written type is constant. A name may stand for a constant type, but seldom does.
fn written(facts: &FileFacts, ty: TypeId) -> Option<bool> {
    match facts.ty(ty) {
        TypeExpr::Optional(_) => Some(true),
        TypeExpr::Reference(inner) => written(facts, *inner),
        TypeExpr::Unknown | TypeExpr::TypeOf(_) => None,
        _ => Some(false),
    }
}

/// Whether a written pointer points to a constant object.
fn pointed(facts: &FileFacts, ty: TypeId) -> Option<bool> {
    match facts.ty(ty) {
        TypeExpr::Array(inner) => written(facts, *inner),
        TypeExpr::Optional(inner) | TypeExpr::Reference(inner) => pointed(facts, *inner),
        // A smart pointer.
        TypeExpr::Named { args, .. } => written(facts, *args.first()?),
        _ => None,
    }
}
