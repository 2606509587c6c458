//! The supertypes of every type. They are resolved from the written names only, before anything else is linked.

use super::names::{Above, Lookup, NamePosition, TypeName};
use super::namespaces::{Namespaces, is_type};
use super::parts::Parts;
pub(super) use crate::ancestry::Supertype;
use crate::ancestry::{Ancestry, MAX_ANCESTORS};
use base::facts::*;
use base::{Language, SymbolKind};
use linker::repo::{FileId, GlobalDef, Repo};
use rustc_hash::FxHashMap;
use std::ops::Deref;

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
        let mut ancestry = Ancestry::default();
        for (class, supers) in builder.direct {
            ancestry.set_direct(class, supers.unwrap_or_default());
        }
        // The base class, with everything that it inherits, comes before the interfaces.
        let is_interface = |def: &GlobalDef| repo.def(*def).kind == SymbolKind::Interface;
        for class in types {
            ancestry.find_ancestors(class, |supers| supers.sort_by_key(is_interface));
        }
        Hierarchy { ancestry }
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
