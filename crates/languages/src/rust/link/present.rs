//! Conditional compilation: the definitions that a default build on Linux excludes.

use super::Rust;
use super::modules::Modules;
use super::resolve::ResolutionTrail;
use base::facts::*;
use linker::lang::ScopedName;
use linker::repo::{FileId, GlobalDef, Repo};
use linker::ty::Entity;

impl Modules {
    /// Whether a condition is true for a crate, with the default features of its package, and only the `cfg`s of the
    /// compiler, unless a build script may set others. `None` if unknown.
    pub(super) fn condition_holds(
        &self,
        krate: u32,
        facts: &FileFacts,
        condition: Option<NameId>,
        tests: Option<bool>,
    ) -> Option<bool> {
        let Some(condition) = condition else {
            return Some(true);
        };
        let of = &self.crates[krate as usize];
        crate::rust::facts::cfg::cfg_holds(
            facts.name(condition),
            &|key, value| match (key, value) {
                ("test", None) => tests,
                ("feature", Some(feature)) => Some(of.features.contains(feature)),
                ("debug_assertions", None) => Some(true),
                ("doc" | "docsrs" | "doctest", None) => Some(false),
                (key, None) if key.ends_with('!') => None,
                (_, None) if !of.has_script => Some(false),
                _ => None,
            },
        )
    }
}

impl Rust {
    /// Whether a default build excludes a definition. Conditions of tests are ignored.
    pub(super) fn is_excluded_from_build(&self, repo: &Repo, id: GlobalDef) -> bool {
        let facts = repo.facts(id.file);
        let def = facts.def(id.def);
        def.flags.has(DefFlags::CONDITIONAL)
            || self.excludes_condition(facts, id.file, def.condition, None)
    }

    fn excludes_condition(
        &self,
        facts: &FileFacts,
        file: FileId,
        condition: Option<NameId>,
        tests: Option<bool>,
    ) -> bool {
        let krate = condition.and_then(|_| self.modules.crate_of(file));
        krate.is_some_and(|k| {
            self.modules.condition_holds(k, facts, condition, tests) == Some(false)
        })
    }

    /// Of the bindings of one name in a scope, those in a build without tests; if there are none, all.
    pub(super) fn keep_built_bindings(
        &self,
        repo: &Repo,
        file: FileId,
        bound: Vec<Bound>,
    ) -> Vec<Bound> {
        if bound.len() < 2 {
            return bound;
        }
        let facts = repo.facts(file);
        let is_there = |to: &&Bound| {
            let condition = condition_of(facts, **to);
            !self.excludes_condition(facts, file, condition, Some(false))
        };
        let there: Vec<Bound> = bound.iter().filter(is_there).copied().collect();
        if there.is_empty() { bound } else { there }
    }

    /// Whether several imports and definitions of one scope and name depend on conditions of which it is unknown which
    /// is true. Taking the first would be a guess.
    pub(super) fn is_undecided(&self, repo: &Repo, file: FileId, bound: &[Bound]) -> bool {
        let facts = repo.facts(file);
        let callable =
            |b: &Bound| matches!(b, Bound::Def(def) if facts.def(*def).kind.is_callable());
        !bound.iter().all(callable) && have_two_conditions(facts, bound)
    }

    /// The meaning of a name that a scope binds more than once; `None` if it is bound once, or to anything but imports
    /// and definitions.
    pub(super) fn resolve_repeated(
        &self,
        repo: &Repo,
        ScopedName { file, scope, name }: ScopedName,
        namespace: Namespace,
        trail: &mut ResolutionTrail,
    ) -> Option<Entity> {
        let all = repo.bindings_named(file, scope, name);
        let mut all = all
            .filter(|b| b.namespace.intersects(namespace))
            .map(|b| b.to);
        // There is almost always just one.
        let (first, second) = (all.next()?, all.next()?);
        let all: Vec<Bound> = [first, second].into_iter().chain(all).collect();
        if !have_different_conditions(repo.facts(file), &all) {
            return None;
        }
        let item = |b: &Bound| matches!(b, Bound::Def(_) | Bound::Import(_));
        if !all.iter().all(item) {
            return None;
        }
        let mut there = self.keep_built_bindings(repo, file, all);
        // The last binding counts, as elsewhere.
        there.reverse();
        Some(self.resolve_alternatives(repo, file, &there, namespace, trail))
    }

    /// The common meaning of imports and definitions under one name.
    pub(super) fn resolve_alternatives(
        &self,
        repo: &Repo,
        file: FileId,
        bound: &[Bound],
        namespace: Namespace,
        trail: &mut ResolutionTrail,
    ) -> Entity {
        let mut defs = Vec::new();
        let mut imported = Entity::Unknown;
        let is_open = self.is_undecided(repo, file, bound);
        for to in bound {
            match to {
                Bound::Def(def) => defs.push(GlobalDef { file, def: *def }),
                Bound::Import(id) if imported.is_unknown() || is_open => {
                    let found = self.resolve_use(repo, file, *id, namespace, trail);
                    let differs =
                        !found.is_unknown() && !imported.is_unknown() && found != imported;
                    if differs {
                        return Entity::Unknown;
                    }
                    imported = imported.or_else(|| found);
                }
                _ => {}
            }
        }
        let count = defs.len() + usize::from(!imported.is_unknown());
        if is_open && count > 1 {
            Entity::Unknown
        } else {
            self.defs_entity(repo, defs).or_else(|| imported)
        }
    }
}

/// Whether some have other conditions than others.
fn have_different_conditions(facts: &FileFacts, bound: &[Bound]) -> bool {
    bound
        .windows(2)
        .any(|w| condition_of(facts, w[0]) != condition_of(facts, w[1]))
}

/// Whether both have a condition, and these differ.
fn have_two_conditions(facts: &FileFacts, bound: &[Bound]) -> bool {
    let mut conditions = bound.iter().filter_map(|b| condition_of(facts, *b));
    let first = conditions.next();
    conditions.any(|c| Some(c) != first)
}

fn condition_of(facts: &FileFacts, bound: Bound) -> Option<NameId> {
    match bound {
        Bound::Def(def) => facts.def(def).condition,
        Bound::Import(import) => facts.import(import).condition,
        _ => None,
    }
}
