//! The order in which a class and its ancestors are searched: C3 (Barrett et al. 1996).

use linker::eval::{Eval, MANY};
use linker::repo::GlobalDef;
use linker::ty::{External, Ty};
use rustc_hash::FxHashMap;

/// With more bases, C3 is not computed.
const MAX_BASES: usize = 64;

/// The class first, then its ancestors. Depth first if C3 finds no order (an error in Python), or if not all bases are
/// known.
pub(super) fn linearize(ev: &mut Eval<'_>, ty: &Ty) -> Vec<Ty> {
    c3_order(ev, ty).unwrap_or_else(|| ev.depth_first_supertypes(ty))
}

fn c3_order(ev: &mut Eval<'_>, ty: &Ty) -> Option<Vec<Ty>> {
    let bases = ev.supertypes_of(ty);
    // `Generic` and `Protocol` are last in every order and have no relevant members.
    let bases: Vec<Ty> = bases.into_iter().filter(|b| !is_marker_base(b)).collect();
    let mut result = vec![ty.clone()];
    match bases.as_slice() {
        [] => {}
        [one] => result.extend(ev.member_search_order(one)),
        // The search is limited to this number in any order.
        several if several.len() > MAX_BASES => return None,
        several => {
            let mut sequences: Vec<Vec<Ty>> = several
                .iter()
                .map(|base| ev.member_search_order(base))
                .collect();
            sequences.push(several.to_vec());
            c3_merge(ev, &sequences, &mut result)?;
        }
    }
    Some(result)
}

fn is_marker_base(ty: &Ty) -> bool {
    matches!(ty, Ty::ExternalInstance(e, _)
        if matches!((&*e.package, &*e.symbol), ("typing", "Generic" | "Protocol") | ("builtins", "object")))
}

/// C3's merge: the first head that is in no tail comes next. It takes fuel for all sequences together.
fn c3_merge(ev: &mut Eval<'_>, sequences: &[Vec<Ty>], result: &mut Vec<Ty>) -> Option<()> {
    let entries: usize = sequences.iter().map(Vec::len).sum();
    if !ev.spend(entries / MANY) {
        return None;
    }
    let keys: Vec<Vec<Class>> = sequences
        .iter()
        .map(|sequence| sequence.iter().map(class_identity).collect())
        .collect();
    // The number of tails that contain each class.
    let mut in_tails: FxHashMap<&Class, usize> = FxHashMap::default();
    for key in keys.iter().flat_map(|keys| keys.iter().skip(1)) {
        *in_tails.entry(key).or_default() += 1;
    }
    let mut heads = vec![0; keys.len()];
    loop {
        let is_open = |number: &usize| heads[*number] < keys[*number].len();
        let mut open = (0..keys.len()).filter(is_open).peekable();
        if open.peek().is_none() {
            return Some(());
        }
        let is_free = |number: &usize| {
            let tails = in_tails.get(&keys[*number][heads[*number]]);
            tails.is_none_or(|tails| *tails == 0)
        };
        let number = open.find(is_free)?;
        let head = &keys[number][heads[number]];
        result.push(sequences[number][heads[number]].clone());
        for (keys, at) in keys.iter().zip(&mut heads) {
            if keys.get(*at) == Some(head) {
                *at += 1;
                if let Some(tails) = keys.get(*at).and_then(|next| in_tails.get_mut(next)) {
                    *tails -= 1;
                }
            }
        }
    }
}

/// A class without its type arguments.
#[derive(PartialEq, Eq, Hash)]
enum Class {
    Own(GlobalDef),
    Outside(External),
    Other(Ty),
}

fn class_identity(ty: &Ty) -> Class {
    match ty {
        Ty::Instance(def, _) | Ty::Class(def, _) => Class::Own(*def),
        Ty::ExternalInstance(external, _) | Ty::External(external) => {
            Class::Outside(external.clone())
        }
        other => Class::Other(other.clone()),
    }
}
