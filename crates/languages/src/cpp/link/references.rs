//! Whether an argument is an lvalue: it has a place of its own.

use super::{Family, standard};
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::Called;
use linker::repo::{FileId, GlobalDef};
use linker::ty::*;

/// Whether a written type is a parameter of the function's own template. `T&&` then takes any argument.
pub(super) fn is_parameter(ev: &Eval<'_>, function: GlobalDef, ty: TypeId) -> bool {
    let facts = ev.repo.facts(function.file);
    let own = &ev.repo.def(function).type_params;
    match facts.ty(ty) {
        TypeExpr::Named { path, .. } => {
            path.len() == 1 && own.iter().any(|param| path.first() == Some(&param.name))
        }
        _ => false,
    }
}

/// Whether a value has a place of its own; none where that is not known.
pub(super) fn has_place(
    family: &Family,
    ev: &mut Eval<'_>,
    file: FileId,
    value: ExprId,
) -> Option<bool> {
    ev.guard_recursion(|ev| has_place_within(family, ev, file, value))
}

fn has_place_within(
    family: &Family,
    ev: &mut Eval<'_>,
    file: FileId,
    value: ExprId,
) -> Option<bool> {
    let facts = ev.repo.facts(file);
    match facts.expr(value) {
        Expr::Name { .. } | Expr::Scoped { .. } => Some(!is_constant_of_enum(ev, file, value)),
        Expr::Function(_) => Some(false),
        Expr::Operation(..) => is_plain_number(ev, file, value).then_some(false),
        // A field of what has no place may be a reference.
        Expr::Member { object, .. } => match has_place(family, ev, file, *object) {
            Some(true) => Some(true),
            _ => None,
        },
        Expr::Index { object, .. } => by_operator(ev, file, *object, "operator[]"),
        Expr::Enter(object) => by_operator(ev, file, *object, "operator*"),
        Expr::Literal(Primitive::String) => None,
        Expr::Literal(_) | Expr::New { .. } | Expr::List(_) | Expr::Tuple(_) => Some(false),
        Expr::Cast(_, ty) => Some(is_place(facts, *ty)),
        Expr::Call { .. } => {
            let view = ev.call_view(file, value);
            match family.callee(ev, view)? {
                Called::Found(Entity::Defs(defs), _) => {
                    let first = *defs.first()?;
                    let def = ev.repo.def(first);
                    if def.kind.is_type() {
                        return Some(false);
                    }
                    let ret = def.callable.as_deref()?.ret?;
                    Some(is_place(ev.repo.facts(first.file), ret))
                }
                Called::Found(Entity::Value(Ty::Callable(..)), _) => {
                    is_calculated(facts, value).then_some(false)
                }
                Called::Found(Entity::External(external), _) => {
                    let is_given = matches!(&*external.symbol, "move" | "to_string");
                    is_given.then_some(false)
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether a name is that of a constant in an enum, which has no place.
fn is_constant_of_enum(ev: &mut Eval<'_>, file: FileId, name: ExprId) -> bool {
    let (Entity::Defs(defs), _) = ev.resolve_expr(file, name, Namespace::VALUE) else {
        return false;
    };
    let kind = defs.first().map(|def| ev.repo.def(*def).kind);
    kind == Some(SymbolKind::EnumMember)
}

fn is_plain_number(ev: &mut Eval<'_>, file: FileId, value: ExprId) -> bool {
    standard::number(&ev.type_of_expr(file, value)).is_some()
}

/// Whether a call stands for an operator that calculates.
fn is_calculated(facts: &FileFacts, call: ExprId) -> bool {
    let Expr::Call { callee, .. } = facts.expr(call) else {
        return false;
    };
    match facts.expr(*callee) {
        Expr::Member { name, .. } => matches!(
            facts.name(*name).trim_start_matches("operator"),
            "+" | "-"
                | "*"
                | "/"
                | "%"
                | "|"
                | "&"
                | "^"
                | "~"
                | "<<"
                | ">>"
                | "=="
                | "!="
                | "<"
                | ">"
                | "<="
                | ">="
        ),
        _ => false,
    }
}

/// Whether what an operator of an object gives has a place: what the language has built in does.
fn by_operator(ev: &mut Eval<'_>, file: FileId, object: ExprId, name: &str) -> Option<bool> {
    let of = ev.type_of_expr(file, object);
    if !matches!(of, Ty::Instance(..)) {
        return Some(true);
    }
    let (Entity::Defs(defs), _) = ev.resolve_member(&of, name) else {
        return None;
    };
    let repo = ev.repo;
    let gives_place = |d: &GlobalDef| {
        let callable = repo.def(*d).callable.as_deref();
        let ret = callable.and_then(|callable| callable.ret);
        ret.is_some_and(|ret| is_place(repo.facts(d.file), ret))
    };
    defs.iter().all(gives_place).then_some(true)
}

/// Whether a written type is `T&`.
fn is_place(facts: &FileFacts, ty: TypeId) -> bool {
    match facts.ty(ty) {
        TypeExpr::Reference(inner) => !matches!(facts.ty(*inner), TypeExpr::Reference(_)),
        _ => false,
    }
}
