//! Fields of structs: by their position, and the functions assigned to them.

use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::repo::{FileId, GlobalDef};
use linker::ty::{Entity, Ty};

/// The functions that a file gives to fields, each with the field.
pub(super) fn functions_given_to_fields(
    ev: &mut Eval<'_>,
    file: FileId,
) -> Vec<(GlobalDef, GlobalDef)> {
    let facts = ev.repo.facts(file);
    let mut out = Vec::new();
    for expr in &facts.exprs {
        let Expr::Dict(Some((field, value))) = expr else {
            continue;
        };
        ev.begin_site(file);
        let Some(function) =
            only_definition(ev, file, *value, |def| def.kind == SymbolKind::Function)
        else {
            continue;
        };
        let is_field = |def: &Def| def.kind == SymbolKind::Field;
        let given = *field;
        if let Some(field) = only_definition(ev, file, given, is_field)
            && (!is_position(facts, given) || may_hold_function(ev, field))
        {
            out.push((function, field));
        }
    }
    out
}

/// Whether a field is given by its position.
fn is_position(facts: &FileFacts, field: ExprId) -> bool {
    match facts.expr(field) {
        Expr::Member { name, .. } => facts.name(*name).starts_with('#'),
        _ => false,
    }
}

/// Whether a field's type is unknown or that of a function. If it is another type, a macro has shifted the positions.
fn may_hold_function(ev: &mut Eval<'_>, field: GlobalDef) -> bool {
    !matches!(
        ev.type_of_def(field),
        Ty::External(_) | Ty::ExternalInstance(..) | Ty::Instance(..)
    )
}

/// The definition that an expression denotes, if there is just one and it fits.
fn only_definition(
    ev: &mut Eval<'_>,
    file: FileId,
    expr: ExprId,
    fits: impl Fn(&Def) -> bool,
) -> Option<GlobalDef> {
    let (found, _) = ev.resolve_expr(file, expr, Namespace::VALUE);
    match found {
        Entity::Defs(defs) => match defs[..] {
            [one] => Some(one).filter(|d| fits(ev.repo.def(*d))),
            _ => None,
        },
        _ => None,
    }
}
