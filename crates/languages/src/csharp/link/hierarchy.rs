//! The supertypes of every type, resolved from written names alone.

use super::names::{Above, Lookup, NamePosition, TypeName};
use super::namespaces::{Namespaces, is_type};
use super::parts::Parts;
use base::facts::*;
use base::{Language, SymbolKind};
use linker::repo::{FileId, GlobalDef, Repo};
use linker::ty::External;
use rustc_hash::FxHashMap;

/// Longest list of ancestors.
const MAX_ANCESTORS: usize = 200;

/// Deepest chain of types that are resolved for one another.
const MAX_DEPTH: u32 = 60;

/// A direct supertype.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Supertype {
    /// In the repository.
    Inside(GlobalDef),
    /// Outside it.
    Outside(External),
    /// Not found.
    Unknown,
}

/// The supertypes of every type.
#[derive(Default)]
pub(super) struct Hierarchy {
    direct: FxHashMap<GlobalDef, Vec<Supertype>>,
    /// Ancestors in the repository, nearest first, without the type itself.
    above: FxHashMap<GlobalDef, Vec<GlobalDef>>,
}

impl Hierarchy {
    /// Resolves the supertypes of every type.
    pub(super) fn new(repo: &Repo, names: &Namespaces, parts: &Parts) -> Hierarchy {
        let mut builder = Builder {
            lookup: Lookup { repo, names, parts },
            direct: FxHashMap::default(),
        };
        let mut types = Vec::new();
        for (file, source) in repo.files() {
            if source.facts.language != Language::CSharp {
                continue;
            }
            for at in 0..source.facts.defs.len() as u32 {
                let def = GlobalDef {
                    file,
                    def: DefId(at),
                };
                if is_type(repo, def) && parts.whole(def) == def {
                    builder.supertypes(def, 0);
                    types.push(def);
                }
            }
        }
        let direct = builder.direct.into_iter();
        let mut out = Hierarchy {
            direct: direct
                .map(|(class, supers)| (class, supers.unwrap_or_default()))
                .collect(),
            above: FxHashMap::default(),
        };
        for class in types {
            let above = out.collect_ancestors(repo, class);
            if !above.is_empty() {
                out.above.insert(class, above);
            }
        }
        out
    }

    /// The class that a class extends comes before interfaces, with all that it inherits.
    fn collect_ancestors(&self, repo: &Repo, class: GlobalDef) -> Vec<GlobalDef> {
        let mut order: Vec<GlobalDef> = Vec::new();
        let mut stack = vec![class];
        while let Some(next) = stack.pop() {
            if order.len() >= MAX_ANCESTORS {
                break;
            }
            if next != class {
                if order.contains(&next) {
                    continue;
                }
                order.push(next);
            }
            let mut inside: Vec<GlobalDef> = self
                .direct_supertypes(next)
                .iter()
                .take(MAX_ANCESTORS)
                .filter_map(|s| match s {
                    Supertype::Inside(def) if *def != class => Some(*def),
                    _ => None,
                })
                .collect();
            inside.sort_by_key(|def| repo.def(*def).kind == SymbolKind::Interface);
            stack.extend(inside.into_iter().rev());
        }
        order
    }

    /// Direct supertypes as written.
    pub(super) fn direct_supertypes(&self, class: GlobalDef) -> &[Supertype] {
        self.direct.get(&class).map_or(&[], |s| s)
    }

    /// Ancestors in the repository.
    pub(super) fn ancestors(&self, class: GlobalDef) -> &[GlobalDef] {
        self.above.get(&class).map_or(&[], |s| s)
    }

    /// The type, then its ancestors.
    pub(super) fn self_and_ancestors(
        &self,
        class: GlobalDef,
    ) -> impl Iterator<Item = GlobalDef> + '_ {
        std::iter::once(class).chain(self.ancestors(class).iter().copied())
    }

    /// Whether a type is `from` or inherits from it.
    pub(super) fn is_subclass_of(&self, class: GlobalDef, from: GlobalDef) -> bool {
        class == from || self.ancestors(class).contains(&from)
    }

    /// External supertypes of a type or its ancestors, with `None` for each one that was not found.
    pub(super) fn external_supertypes(
        &self,
        class: GlobalDef,
    ) -> impl Iterator<Item = Option<&External>> + '_ {
        self.self_and_ancestors(class)
            .flat_map(|c| self.direct_supertypes(c))
            .filter_map(|s| match s {
                Supertype::Inside(_) => None,
                Supertype::Outside(external) => Some(Some(external)),
                Supertype::Unknown => Some(None),
            })
    }

    /// The class that a class extends, if one is written.
    pub(super) fn superclass(&self, repo: &Repo, class: GlobalDef) -> Option<&Supertype> {
        if repo.def(class).kind != SymbolKind::Class {
            return None;
        }
        self.direct_supertypes(class)
            .iter()
            .find(|found| match found {
                Supertype::Inside(def) => repo.def(*def).kind == SymbolKind::Class,
                Supertype::Outside(external) => !has_interface_name(&external.symbol),
                Supertype::Unknown => false,
            })
    }
}

/// By convention, the names of interfaces begin with `I` and a second capital.
fn has_interface_name(name: &str) -> bool {
    let name = name.rsplit('.').next().unwrap_or(name);
    let mut chars = name.chars();
    chars.next() == Some('I') && chars.next().is_some_and(char::is_uppercase)
}

struct Builder<'r> {
    lookup: Lookup<'r>,
    /// `None` while it is being resolved.
    direct: FxHashMap<GlobalDef, Option<Vec<Supertype>>>,
}

impl Builder<'_> {
    fn supertypes(&mut self, class: GlobalDef, depth: u32) -> Vec<Supertype> {
        if let Some(known) = self.direct.get(&class) {
            return known.clone().unwrap_or_default();
        }
        if depth > MAX_DEPTH {
            return Vec::new();
        }
        self.direct.insert(class, None);
        let mut supers: Vec<Supertype> = Vec::new();
        let parts = self.lookup.parts.parts_of(&class).to_vec();
        for part in parts {
            let def = self.lookup.repo.def(part);
            for (written, _) in &def.supers {
                let found = self.supertype(part.file, *written, depth);
                if !supers.contains(&found) {
                    supers.push(found);
                }
            }
        }
        self.direct.insert(class, Some(supers.clone()));
        supers
    }

    fn supertype(&mut self, file: FileId, ty: TypeId, depth: u32) -> Supertype {
        let repo = self.lookup.repo;
        let TypeExpr::Named {
            path,
            args,
            scope,
            at,
        } = repo.facts(file).ty(ty)
        else {
            return Supertype::Unknown;
        };
        let place = NamePosition {
            file,
            scope: *scope,
            at: *at,
        };
        let lookup = self.lookup;
        let mut above = BuilderAbove {
            builder: self,
            depth: depth + 1,
        };
        match lookup.path(path, args.len(), place, &mut above) {
            TypeName::Type(def) => Supertype::Inside(def),
            TypeName::External(external) => Supertype::Outside(external),
            _ => Supertype::Unknown,
        }
    }
}

struct BuilderAbove<'a, 'r> {
    builder: &'a mut Builder<'r>,
    depth: u32,
}

impl Above for BuilderAbove<'_, '_> {
    fn above(&mut self, class: GlobalDef) -> Vec<GlobalDef> {
        let supers = self.builder.supertypes(class, self.depth);
        supers
            .into_iter()
            .take(MAX_ANCESTORS)
            .filter_map(|s| match s {
                Supertype::Inside(def) => Some(def),
                _ => None,
            })
            .collect()
    }
}

impl Above for &Hierarchy {
    fn above(&mut self, class: GlobalDef) -> Vec<GlobalDef> {
        self.direct_supertypes(class)
            .iter()
            .filter_map(|s| match s {
                Supertype::Inside(def) => Some(*def),
                _ => None,
            })
            .collect()
    }
}
