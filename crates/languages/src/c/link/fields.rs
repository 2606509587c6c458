//! Fields of structs: by their position, and the functions assigned to them.

use base::SymbolKind;
use base::facts::*;
use linker::eval::{Eval, MANY};
use linker::repo::{FileId, GlobalDef};
use linker::ty::{Entity, Ty};

/// The field at a position, as an initialiser without names counts: from the first field, or from a named one. An
/// anonymous member counts as its contents.
pub(super) fn field_at(
    ev: &mut Eval<'_>,
    of: GlobalDef,
    after: Option<&str>,
    position: usize,
) -> Option<GlobalDef> {
    if !ev.spend(1) {
        return None;
    }
    let repo = ev.repo;
    let is_field = |d: &GlobalDef| repo.def(*d).kind == SymbolKind::Field;
    // They are sorted by name, but needed by position.
    let mut fields: Vec<GlobalDef> = repo.children(of).filter(is_field).collect();
    if position >= fields.len() || !ev.spend(fields.len() / MANY) {
        return None;
    }
    let position = match after {
        Some(name) => {
            let named = *fields.iter().find(|d| repo.def_name(**d) == name)?;
            let before = fields.iter().filter(|d| **d < named).count();
            before
                .checked_add(position)
                .filter(|at| *at < fields.len())?
        }
        None => position,
    };
    let (_, found, _) = fields.select_nth_unstable(position);
    Some(*found)
}

/// The functions that a file assigns to fields, each with the field.
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
