//! Substitution of type parameters. A shared part of a type is replaced once: an alias that doubles its argument is
//! small in memory, and stays small.

use crate::repo::GlobalDef;
use crate::ty::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Deepest substitution into nested type arguments.
const MAX_NESTING: u32 = 8;
/// Parts that are replaced before shared ones are looked for: most types are smaller.
const PLAIN: usize = 16;

/// One substitution into one type.
struct Substitution<'f> {
    fill: &'f dyn Fn(GlobalDef, u32) -> Option<Ty>,
    /// The results for lists of parts, by address and nesting; `None` if nothing changed.
    done: FxHashMap<(*const Ty, u32), Option<Args>>,
    /// The number of parts visited.
    visited: usize,
}

/// Replaces type parameters in a type. Also returns the number of parts visited.
pub(crate) fn replace(ty: &Ty, fill: &dyn Fn(GlobalDef, u32) -> Option<Ty>) -> (Ty, usize) {
    let mut substitution = Substitution {
        fill,
        done: FxHashMap::default(),
        visited: 0,
    };
    let made = substitution.fill_in(ty, 0);
    (made.unwrap_or_else(|| ty.clone()), substitution.visited)
}

impl Substitution<'_> {
    /// The type with its parameters replaced; `None` if it has none.
    fn fill_in(&mut self, ty: &Ty, nesting: u32) -> Option<Ty> {
        self.visited += 1;
        if nesting > MAX_NESTING {
            return Some(Ty::Unknown);
        }
        let nesting = nesting + 1;
        match ty {
            Ty::Param(def, n) => (self.fill)(*def, *n),
            Ty::Instance(def, args) => Some(Ty::Instance(*def, self.all(args, nesting)?)),
            Ty::Class(def, args) => Some(Ty::Class(*def, self.all(args, nesting)?)),
            Ty::ExternalInstance(external, args) => {
                let args = self.all(args, nesting)?;
                Some(Ty::ExternalInstance(external.clone(), args))
            }
            Ty::Tuple(parts) => Some(Ty::Tuple(self.all(parts, nesting)?)),
            Ty::Union(parts) => {
                let parts = self.all(parts, nesting)?;
                Some(Ty::union(parts.iter().cloned()))
            }
            Ty::ClassOf(of) => Some(Ty::class_of(&self.fill_in(of, nesting)?)),
            Ty::Callable(params, result) => {
                let (filled, returned) = (self.all(params, nesting), self.fill_in(result, nesting));
                if filled.is_none() && returned.is_none() {
                    return None;
                }
                let filled = filled.unwrap_or_else(|| params.clone());
                Some(Ty::Callable(
                    filled,
                    returned.map_or_else(|| result.clone(), Arc::new),
                ))
            }
            _ => None,
        }
    }

    /// The same for a list of parts.
    fn all(&mut self, parts: &Args, nesting: u32) -> Option<Args> {
        let key = (parts.as_ptr(), nesting);
        if let Some(done) = self.done.get(&key) {
            return done.clone();
        }
        let mut made: Option<Vec<Ty>> = None;
        for (at, part) in parts.iter().enumerate() {
            match (self.fill_in(part, nesting), &mut made) {
                (Some(ty), Some(made)) => made.push(ty),
                (None, Some(made)) => made.push(part.clone()),
                (Some(ty), None) => {
                    let mut all = Vec::with_capacity(parts.len());
                    all.extend_from_slice(&parts[..at]);
                    all.push(ty);
                    made = Some(all);
                }
                (None, None) => {}
            }
        }
        let made: Option<Args> = made.map(Args::from);
        // An address identifies a list as long as the list exists, and the type that holds it does.
        if self.visited > PLAIN && !parts.is_empty() {
            self.done.insert(key, made.clone());
        }
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::FileId;

    #[test]
    fn what_a_type_holds_many_times_is_made_once() {
        let def = |def| GlobalDef {
            file: FileId(0),
            def: base::facts::DefId(def),
        };
        let param = Ty::Param(def(1), 0);
        // A list of twelve, nested: 40 lists in memory, 12^8 parts at the deepest level visited.
        let repeated = |inner: &Ty, times: usize| {
            (0..times).fold(inner.clone(), |ty, _| {
                Ty::Instance(def(0), vec![ty; 12].into())
            })
        };
        let fill = |_: GlobalDef, _: u32| Some(Ty::Null);
        let (made, visited) = replace(&repeated(&param, 40), &fill);
        assert!(visited < 10_000, "{visited}");
        assert!(made.size(1_000).is_none());
        let (made, _) = replace(&repeated(&param, 3), &fill);
        assert_eq!(made, repeated(&Ty::Null, 3));
        // A type without parameters stays the same list.
        let ty = repeated(&Ty::Null, 3);
        let (Ty::Instance(_, before), Ty::Instance(_, after)) = (&ty, &replace(&ty, &fill).0)
        else {
            panic!("an instance");
        };
        assert!(Arc::ptr_eq(before, after));
    }
}
