//! Embedding, underlying types, and the types of iterations.

use super::builtins::{self, CHANNEL, MAP, PACKAGE, SLICE};
use base::SymbolKind;
use base::facts::Primitive;
use linker::eval::Eval;
use linker::repo::Sym;
use linker::ty::*;
use rustc_hash::FxHashSet;

/// Longest chain of types defined by one another.
const MAX_CHAIN: usize = 16;
/// Most types that are searched for a promoted member.
const MAX_EMBEDDED: usize = 64;

/// A type and its embedded types, the shallowest first: the order in which Go looks up members.
pub(super) fn embedding_order(ev: &mut Eval<'_>, ty: &Ty) -> Vec<Ty> {
    let mut order = vec![ty.clone()];
    let mut known = FxHashSet::from_iter([ty.clone()]);
    let mut next = 0;
    while next < order.len() && order.len() < MAX_EMBEDDED {
        let current = order[next].clone();
        next += 1;
        for above in ev.supertypes_of(&current) {
            if known.insert(above.clone()) {
                order.push(above);
            }
        }
    }
    order
}

/// A type that others embed at one depth.
pub(super) struct Embedded {
    pub(super) ty: Ty,
    /// Whether it is embedded at that depth more than once.
    pub(super) is_repeated: bool,
}

/// The types at each depth of embedding, the type itself first. What an interface embeds belongs to the interface.
pub(super) fn embedding_depths(ev: &mut Eval<'_>, ty: &Ty) -> Vec<Vec<Embedded>> {
    let mut known = FxHashSet::from_iter([ty.clone()]);
    let first = Embedded {
        ty: ty.clone(),
        is_repeated: false,
    };
    let mut depths = vec![vec![first]];
    while let Some(last) = depths.last().filter(|last| !last.is_empty()) {
        let mut next: Vec<Embedded> = Vec::new();
        for outer in last {
            if is_interface_type(ev, &outer.ty) {
                continue;
            }
            for ty in ev.supertypes_of(&outer.ty) {
                let is_repeated = outer.is_repeated;
                let is_full = known.len() + next.len() >= MAX_EMBEDDED;
                match next.iter_mut().find(|one| one.ty == ty) {
                    Some(again) => again.is_repeated = true,
                    None if is_full || known.contains(&ty) => {}
                    None => next.push(Embedded { ty, is_repeated }),
                }
            }
        }
        known.extend(next.iter().map(|one| one.ty.clone()));
        depths.push(next);
    }
    depths
}

/// Whether it is an interface of the repository, by its own name.
pub(super) fn is_interface_type(ev: &Eval<'_>, ty: &Ty) -> bool {
    let (Ty::Instance(def, _) | Ty::Class(def, _)) = ty else {
        return false;
    };
    ev.repo.def(*def).kind == SymbolKind::Interface
}

/// Whether a selector of that name is ambiguous: at the least depth that has the name, more than one type has it.
pub(super) fn is_ambiguous(ev: &mut Eval<'_>, object: &Ty, name: Sym) -> bool {
    let (Ty::Instance(def, _) | Ty::Class(def, _)) = object else {
        return false;
    };
    let order = ev.linearize_definition(*def);
    if order.len() < 3 || is_interface_type(ev, object) || !ev.spend(order.len()) {
        return false;
    }
    if declares(ev, &order[0], name) || !order.iter().any(|ty| declares(ev, ty, name)) {
        return false;
    }
    for depth in embedding_depths(ev, &order[0]) {
        let mut count = 0;
        for one in depth {
            let whole = if is_interface_type(ev, &one.ty) {
                embedding_order(ev, &one.ty)
            } else {
                vec![one.ty]
            };
            let has = whole.iter().any(|ty| declares(ev, ty, name));
            count += usize::from(has) * (1 + usize::from(one.is_repeated));
        }
        if count > 0 {
            return count > 1;
        }
    }
    false
}

/// Whether a type itself has a field or method of that name.
fn declares(ev: &mut Eval<'_>, ty: &Ty, name: Sym) -> bool {
    let (Ty::Instance(def, _) | Ty::Class(def, _)) = ty else {
        return false;
    };
    !ev.members_declared_by(*def, name).is_empty()
}

/// The type that a defined type is written as; `None` for structs, interfaces and external types.
pub(super) fn underlying_once(ev: &mut Eval<'_>, of: &Ty) -> Option<Ty> {
    let (Ty::Instance(id, _) | Ty::Class(id, _)) = of else {
        return None;
    };
    let def = ev.repo.def(*id);
    if def.kind != SymbolKind::TypeAlias {
        return None;
    }
    let written = ev.lower_type(id.file, def.ty?);
    let written = ev.substitute(&written, Some(of));
    (!written.is_unknown() && written != *of).then_some(written)
}

/// The type under all names; type parameters become their constraints.
pub(super) fn underlying(ev: &mut Eval<'_>, of: &Ty) -> Ty {
    let mut ty = ev.resolve_type_param(of);
    for _ in 0..MAX_CHAIN {
        match underlying_once(ev, &ty) {
            Some(inner) => ty = ev.resolve_type_param(&inner),
            None => break,
        }
    }
    ty
}

/// The type of indexing, receiving, or the second variable of a `range`.
pub(super) fn element_type(ev: &mut Eval<'_>, of: &Ty) -> Ty {
    let of = underlying(ev, of);
    match &of {
        Ty::ExternalInstance(external, args) if &*external.package == PACKAGE => {
            match &*external.symbol {
                SLICE | CHANNEL => args.first().cloned().unwrap_or_default(),
                MAP => args.get(1).cloned().unwrap_or_default(),
                "string" => builtins::primitive_type(Primitive::Char),
                _ => Ty::Unknown,
            }
        }
        Ty::Callable(params, _) => yield_param_type(params, 1),
        Ty::ExternalInstance(external, args) if is_iter_seq(external) => {
            args.get(1).cloned().unwrap_or_default()
        }
        Ty::External(_) | Ty::ExternalInstance(..) => of,
        _ => Ty::Unknown,
    }
}

/// The type of the first variable of a `range`.
pub(super) fn key_type(ev: &mut Eval<'_>, of: &Ty) -> Ty {
    let of = underlying(ev, of);
    match &of {
        Ty::ExternalInstance(external, args) if &*external.package == PACKAGE => {
            match &*external.symbol {
                MAP | CHANNEL => args.first().cloned().unwrap_or_default(),
                _ => builtins::primitive_type(Primitive::Int),
            }
        }
        Ty::Callable(params, _) => yield_param_type(params, 0),
        Ty::ExternalInstance(external, args) if is_iter_seq(external) => {
            args.first().cloned().unwrap_or_default()
        }
        Ty::External(_) | Ty::ExternalInstance(..) => of,
        _ => Ty::Unknown,
    }
}

fn is_iter_seq(external: &External) -> bool {
    &*external.package == "iter" && matches!(&*external.symbol, "Seq" | "Seq2")
}

/// The type that an iterator function passes to its `yield`.
fn yield_param_type(params: &Args, n: usize) -> Ty {
    match params.first() {
        Some(Ty::Callable(inner, _)) => inner.get(n).cloned().unwrap_or_default(),
        _ => Ty::Unknown,
    }
}
