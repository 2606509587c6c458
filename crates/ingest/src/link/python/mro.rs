//! The order in which a class and its ancestors are searched: C3 (Barrett et al. 1996).

use crate::link::eval::Eval;
use crate::link::ty::Ty;

/// Of more bases no order is made.
const MAX_BASES: usize = 64;

/// The class itself first, then its ancestors. Where C3 finds no order (an error in Python), or
/// where bases are not all known, depth first.
pub(super) fn linearize(ev: &mut Eval<'_>, ty: &Ty) -> Vec<Ty> {
    order(ev, ty).unwrap_or_else(|| ev.depth_first(ty))
}

fn order(ev: &mut Eval<'_>, ty: &Ty) -> Option<Vec<Ty>> {
    let bases = ev.supers_of(ty);
    // `Generic` and `Protocol` stand last in every order and have no members of interest.
    let bases: Vec<Ty> = bases.into_iter().filter(|b| !is_marker(b)).collect();
    let mut result = vec![ty.clone()];
    match bases.as_slice() {
        [] => {}
        [one] => result.extend(ev.search_order(one)),
        // The search goes no further than that in any order.
        several if several.len() > MAX_BASES => return None,
        several => {
            let mut sequences: Vec<Vec<Ty>> =
                several.iter().map(|base| ev.search_order(base)).collect();
            sequences.push(several.to_vec());
            merge(sequences, &mut result)?;
        }
    }
    Some(result)
}

fn is_marker(ty: &Ty) -> bool {
    matches!(ty, Ty::ExternalInstance(e, _)
        if matches!((&*e.package, &*e.symbol), ("typing", "Generic" | "Protocol") | ("builtins", "object")))
}

fn merge(mut sequences: Vec<Vec<Ty>>, result: &mut Vec<Ty>) -> Option<()> {
    loop {
        sequences.retain(|s| !s.is_empty());
        if sequences.is_empty() {
            return Some(());
        }
        let head = sequences
            .iter()
            .map(|s| &s[0])
            .find(|head| {
                !sequences
                    .iter()
                    .any(|s| s[1..].iter().any(|t| same(t, head)))
            })?
            .clone();
        for sequence in &mut sequences {
            if same(&sequence[0], &head) {
                sequence.remove(0);
            }
        }
        result.push(head);
    }
}

/// The same class, whatever its arguments.
fn same(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Instance(a, _) | Ty::Class(a, _), Ty::Instance(b, _) | Ty::Class(b, _)) => a == b,
        (
            Ty::ExternalInstance(a, _) | Ty::External(a),
            Ty::ExternalInstance(b, _) | Ty::External(b),
        ) => a == b,
        _ => a == b,
    }
}
