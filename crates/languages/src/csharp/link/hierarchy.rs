//! The supertypes of every type. They are resolved from the written names only, before anything else is linked.

use super::counted::count;
use super::names::{Above, Lookup, NamePosition, TypeName};
use super::namespaces::is_type;
pub(super) use crate::ancestry::Supertype;
use crate::ancestry::{Ancestry, MAX_ANCESTORS};
use base::facts::*;
use base::{Language, SymbolKind};
use linker::repo::{FileId, GlobalDef, Repo};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Deref;
use std::rc::Rc;

/// Maximum depth to which resolving one type resolves other types.
const MAX_DEPTH: u32 = 60;

/// The supertypes of every type.
#[derive(Default)]
pub(super) struct Hierarchy {
    ancestry: Ancestry,
}

impl Deref for Hierarchy {
    type Target = Ancestry;

    fn deref(&self) -> &Ancestry {
        &self.ancestry
    }
}

impl Hierarchy {
    /// Resolves the supertypes of every type.
    pub(super) fn new(lookup: Lookup<'_>) -> Hierarchy {
        let (repo, parts) = (lookup.repo, lookup.parts);
        let mut builder = Builder {
            lookup,
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
        let mut ancestry = Ancestry::default();
        for (class, supers) in builder.direct {
            ancestry.set_direct(class, supers.map(|s| s.to_vec()).unwrap_or_default());
        }
        // The base class, with everything that it inherits, comes before the interfaces.
        let is_interface = |def: &GlobalDef| repo.def(*def).kind == SymbolKind::Interface;
        for class in types {
            ancestry.find_ancestors(class, |supers| supers.sort_by_key(is_interface));
        }
        Hierarchy { ancestry }
    }

    /// Whether a class, or one above it, has a supertype that was not found.
    pub(super) fn has_unknown_supertype(&self, class: GlobalDef) -> bool {
        self.external_supertypes(class).any(|known| known.is_none())
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
    /// The direct supertypes; `None` while they are being resolved.
    direct: FxHashMap<GlobalDef, Option<Rc<[Supertype]>>>,
}

impl Builder<'_> {
    fn supertypes(&mut self, class: GlobalDef, depth: u32) -> Rc<[Supertype]> {
        if let Some(known) = self.direct.get(&class) {
            return known.clone().unwrap_or_default();
        }
        if depth > MAX_DEPTH {
            return Rc::default();
        }
        self.direct.insert(class, None);
        let lookup = self.lookup;
        let mut supers: Vec<Supertype> = Vec::new();
        let mut known: FxHashSet<Supertype> = FxHashSet::default();
        for part in lookup.parts.parts_with_supertypes(&class) {
            for (written, _) in &lookup.repo.def(*part).supers {
                if supers.len() == MAX_ANCESTORS {
                    break;
                }
                count(1);
                let found = self.supertype(part.file, *written, depth);
                if known.insert(found.clone()) {
                    supers.push(found);
                }
            }
        }
        let supers: Rc<[Supertype]> = supers.into();
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
            .iter()
            .filter_map(|s| match s {
                Supertype::Inside(def) => Some(*def),
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
