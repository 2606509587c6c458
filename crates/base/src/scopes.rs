//! An index of the scopes that bind a name, for files whose scopes nest so deeply that a look-up cannot visit every
//! scope around a name.

use crate::facts::{FileFacts, NameId, ScopeId, ScopeKind};

/// Up to this depth, scopes are visited one by one.
const SHALLOW: u32 = 64;

/// The most scopes around a place that are returned for one name; further outer ones are ignored.
const MOST_BINDERS: usize = 64;

/// No binder.
const NONE: u32 = u32::MAX;

/// The scopes around each place of a file that may bind a name.
#[derive(Debug, Default)]
pub struct ScopeIndex {
    deep: Option<Box<DeepScopes>>,
}

#[derive(Debug)]
struct DeepScopes {
    /// For each scope its number in depth-first order, and the last number inside it.
    spans: Vec<(u32, u32)>,
    /// For each scope whether it is a function's or lies inside one.
    in_function: Vec<bool>,
    /// Sorted by name and number of the scope.
    binders: Vec<Binder>,
}

/// A scope that binds a name.
#[derive(Debug, Clone, Copy)]
struct Binder {
    name: NameId,
    scope: ScopeId,
    /// First and last number of the scope.
    span: (u32, u32),
    /// The next scope around it that binds the name.
    outer: u32,
    /// A binder further out, so that each is reached in few steps.
    jump: u32,
    /// The number of binders around it.
    depth: u32,
}

impl ScopeIndex {
    /// Builds the index from the scopes and bindings of a file.
    pub fn new(facts: &FileFacts) -> ScopeIndex {
        let mut depths: Vec<u32> = Vec::with_capacity(facts.scopes.len());
        for scope in &facts.scopes {
            let around = scope.parent.and_then(|p| depths.get(p.index()));
            depths.push(around.map_or(0, |depth| depth + 1));
        }
        let is_deep = depths.iter().any(|depth| *depth > SHALLOW);
        ScopeIndex {
            deep: is_deep.then(|| Box::new(DeepScopes::new(facts))),
        }
    }

    /// The scopes around a place that may bind a name, innermost first.
    pub fn around<'f>(
        &'f self,
        facts: &'f FileFacts,
        name: NameId,
        scope: ScopeId,
    ) -> impl Iterator<Item = ScopeId> + 'f {
        let deep = self.deep.as_deref();
        let first = deep.and_then(|deep| deep.innermost(name, scope));
        let binders = std::iter::successors(first, move |binder| deep?.binder(binder.outer));
        let plain = deep.is_none().then_some(scope);
        let plain = std::iter::successors(plain, |scope| facts.scope(*scope).parent);
        plain.chain(binders.map(|binder| binder.scope).take(MOST_BINDERS))
    }

    /// Whether a scope is a function's or lies inside one.
    pub fn is_in_function(&self, facts: &FileFacts, scope: ScopeId) -> bool {
        if let Some(deep) = &self.deep {
            return deep.in_function.get(scope.index()).is_some_and(|is| *is);
        }
        let mut around = std::iter::successors(Some(scope), |scope| facts.scope(*scope).parent);
        around.any(|scope| facts.scope(scope).kind == ScopeKind::Function)
    }
}

impl DeepScopes {
    fn new(facts: &FileFacts) -> DeepScopes {
        let spans = number_scopes(facts);
        let named = facts.bindings.iter().filter_map(|b| {
            let span = spans.get(b.scope.index())?;
            Some((b.name, *span, b.scope))
        });
        let mut named: Vec<(NameId, (u32, u32), ScopeId)> = named.collect();
        named.sort_unstable();
        named.dedup();
        let mut binders: Vec<Binder> = Vec::with_capacity(named.len());
        let mut open: Vec<u32> = Vec::new();
        for (name, span, scope) in named {
            let holds = |at: &u32| {
                let around = &binders[*at as usize];
                around.name == name && around.span.1 >= span.0
            };
            while open.last().is_some_and(|at| !holds(at)) {
                open.pop();
            }
            let outer = open.last().copied();
            let around = outer.map(|at| binders[at as usize]);
            open.push(binders.len() as u32);
            binders.push(Binder {
                name,
                scope,
                span,
                outer: outer.unwrap_or(NONE),
                jump: around.map_or(NONE, |around| jump_from(&binders, outer, &around)),
                depth: around.map_or(0, |around| around.depth + 1),
            });
        }
        let mut in_function: Vec<bool> = Vec::with_capacity(facts.scopes.len());
        for scope in &facts.scopes {
            let around = scope.parent.and_then(|p| in_function.get(p.index()));
            let is_inside = around.is_some_and(|is| *is);
            in_function.push(is_inside || scope.kind == ScopeKind::Function);
        }
        DeepScopes {
            spans,
            in_function,
            binders,
        }
    }

    fn binder(&self, at: u32) -> Option<Binder> {
        self.binders.get(at as usize).copied()
    }

    /// The innermost scope around (or at) `scope` that binds the name.
    fn innermost(&self, name: NameId, scope: ScopeId) -> Option<Binder> {
        let (number, _) = *self.spans.get(scope.index())?;
        let is_before = |b: &Binder| (b.name, b.span.0) <= (name, number);
        let before = self.binders.partition_point(is_before).checked_sub(1)?;
        let mut at = self.binders.get(before).filter(|b| b.name == name)?;
        // A binder that ends before the place does not contain it. A binder that contains it also lies in all those
        // around it.
        while at.span.1 < number {
            let jump = self.binders.get(at.jump as usize);
            let far = jump.filter(|b| b.span.1 < number);
            at = far.or_else(|| self.binders.get(at.outer as usize))?;
        }
        Some(*at)
    }
}

/// The binder that one inside `around` jumps to. The lengths of jumps double, as in a skew-binary list.
fn jump_from(binders: &[Binder], outer: Option<u32>, around: &Binder) -> u32 {
    let Some(first) = binders.get(around.jump as usize) else {
        return outer.unwrap_or(NONE);
    };
    let second = binders.get(first.jump as usize);
    match second {
        Some(second) if around.depth - first.depth == first.depth - second.depth => first.jump,
        _ => outer.unwrap_or(NONE),
    }
}

/// For each scope its number in depth-first order, and the last number inside it.
fn number_scopes(facts: &FileFacts) -> Vec<(u32, u32)> {
    let count = facts.scopes.len();
    let parent = |at: usize| {
        facts.scopes[at]
            .parent
            .map(ScopeId::index)
            .filter(|p| *p < at)
    };
    let mut sizes = vec![1u32; count];
    for at in (0..count).rev() {
        if let Some(parent) = parent(at) {
            sizes[parent] += sizes[at];
        }
    }
    let mut next = 0;
    // Where the next child of each scope begins.
    let mut free = vec![0u32; count];
    let mut spans = Vec::with_capacity(count);
    for at in 0..count {
        let slot = match parent(at) {
            Some(parent) => &mut free[parent],
            None => &mut next,
        };
        let first = *slot;
        *slot += sizes[at];
        free[at] = first + 1;
        spans.push((first, first + sizes[at] - 1));
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;
    use crate::facts::{Binding, Bound, Namespace, Scope};

    fn file(parents: &[u32], bindings: &[(u32, u32)]) -> FileFacts {
        let mut facts = FileFacts::empty(Language::Lua);
        facts.scopes.extend(parents.iter().map(|parent| Scope {
            parent: Some(ScopeId(*parent)),
            kind: ScopeKind::Block,
            owner: None,
        }));
        facts
            .bindings
            .extend(bindings.iter().map(|(scope, name)| Binding {
                scope: ScopeId(*scope),
                name: NameId(*name),
                namespace: Namespace::VALUE,
                from: 0,
                to: Bound::Local {
                    ty: None,
                    value: None,
                },
            }));
        facts
    }

    fn climbed(facts: &FileFacts, name: u32, scope: u32) -> Vec<u32> {
        let binds = |s: &ScopeId| {
            let mut all = facts.bindings.iter();
            all.any(|b| b.scope == *s && b.name == NameId(name))
        };
        let around = std::iter::successors(Some(ScopeId(scope)), |s| facts.scope(*s).parent);
        around.filter(binds).map(|s| s.0).collect()
    }

    #[test]
    fn deep_scopes_give_what_climbing_gives() {
        // A comb: each tooth is a chain that hangs at some depth of a longer chain.
        let mut parents: Vec<u32> = (0..200).collect();
        for tooth in 0..40u32 {
            let mut at = tooth * 5;
            for _ in 0..7 {
                let next = parents.len() as u32 + 1;
                parents.push(at);
                at = next;
            }
        }
        let count = parents.len() as u32 + 1;
        let bindings: Vec<(u32, u32)> = (0..count)
            .flat_map(|s| [(s, s % 3), (s, 3 + s % 7), (s, 10 + s % 61)])
            .collect();
        let facts = file(&parents, &bindings);
        let index = ScopeIndex::new(&facts);
        assert!(index.deep.is_some());
        for scope in 0..count {
            for name in [0, 1, 2, 3, 5, 9, 10, 40, 70, 99] {
                let found = index.around(&facts, NameId(name), ScopeId(scope));
                let found: Vec<u32> = found.map(|s| s.0).collect();
                let mut wanted = climbed(&facts, name, scope);
                wanted.truncate(MOST_BINDERS);
                assert_eq!(found, wanted, "name {name} in scope {scope}");
            }
        }
    }

    #[test]
    fn shallow_scopes_are_all_gone_through() {
        let facts = file(&[0, 1, 1], &[(0, 0)]);
        let index = ScopeIndex::new(&facts);
        let around: Vec<ScopeId> = index.around(&facts, NameId(5), ScopeId(3)).collect();
        assert_eq!(around, [ScopeId(3), ScopeId(1), ScopeId(0)]);
    }
}
