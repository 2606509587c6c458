//! The supertypes of every class, and the classes that use a trait.

use super::names::{self, PHP};
use super::tables::{Kind, Tables};
use crate::ancestry::Ancestry;
pub(super) use crate::ancestry::Supertype;
use base::facts::*;
use base::{Language, SymbolKind};
use linker::lang::DefinitionChanges;
use linker::repo::{FileId, GlobalDef, Repo};
use linker::surface::IndexRemap;
use linker::ty::External;
use rustc_hash::FxHashMap;
use std::ops::Deref;

/// The supertypes of every class.
#[derive(Default)]
pub(super) struct Hierarchy {
    ancestry: Ancestry,
    /// The classes that use a trait themselves, in order.
    users: FxHashMap<GlobalDef, Vec<GlobalDef>>,
}

impl Deref for Hierarchy {
    type Target = Ancestry;

    fn deref(&self) -> &Ancestry {
        &self.ancestry
    }
}

impl Hierarchy {
    pub(super) fn new(repo: &Repo, tables: &Tables) -> Hierarchy {
        let mut out = Hierarchy::default();
        let mut classes = Vec::new();
        for (file, source) in repo.files() {
            if source.facts.language != Language::Php {
                continue;
            }
            let defs = source.facts.defs.iter().zip(0..);
            let types = defs.filter(|(def, _)| def.kind.is_type());
            classes.extend(types.map(|(_, at)| GlobalDef {
                file,
                def: DefId(at),
            }));
        }
        out.add(repo, tables, &classes);
        out
    }

    fn add(&mut self, repo: &Repo, tables: &Tables, classes: &[GlobalDef]) {
        for class in classes {
            let written = repo.def(*class).supers.iter();
            let supers: Vec<(Supertype, SuperKind)> = written
                .map(|(ty, kind)| (supertype(repo, tables, class.file, *ty), *kind))
                .collect();
            for (found, kind) in &supers {
                if let (Supertype::Inside(used), SuperKind::Embeds) = (found, kind) {
                    self.users.entry(*used).or_default().push(*class);
                }
            }
            let supers = supers.into_iter().map(|(found, _)| found).collect();
            self.ancestry.set_direct(*class, supers);
        }
        for class in classes {
            self.ancestry.find_ancestors(*class, |_| ());
        }
        for users in self.users.values_mut() {
            users.sort_unstable();
            users.dedup();
        }
    }

    /// Updates definitions of a file whose indexes moved.
    pub(super) fn follow(&mut self, file: FileId, moved: &IndexRemap) {
        self.ancestry.follow(file, moved);
        moved.remap_keys(file, &mut self.users);
        moved.remap_all(file, self.users.values_mut().flatten());
    }

    /// Updates the hierarchy after definitions were added and removed. A removed class is a supertype of none that
    /// stays.
    pub(super) fn renew(&mut self, repo: &Repo, tables: &Tables, news: &DefinitionChanges<'_>) {
        self.ancestry.drop_removed();
        self.users.retain(|used, users| {
            users.retain(IndexRemap::is_live);
            IndexRemap::is_live(used) && !users.is_empty()
        });
        let is_type = |id: &&GlobalDef| repo.def(**id).kind.is_type();
        let classes: Vec<GlobalDef> = news.fresh.iter().filter(is_type).copied().collect();
        self.add(repo, tables, &classes);
    }

    /// The class that a class extends.
    pub(super) fn parent(&self, repo: &Repo, class: GlobalDef) -> Option<&Supertype> {
        let def = repo.def(class);
        if def.kind == SymbolKind::Interface {
            return None;
        }
        let mut written = def.supers.iter().zip(self.direct_supertypes(class));
        let found = written.find(|((_, kind), _)| *kind == SuperKind::Extends);
        found.map(|(_, found)| found)
    }

    /// The traits that a class uses itself.
    pub(super) fn traits<'a>(
        &'a self,
        repo: &'a Repo,
        class: GlobalDef,
    ) -> impl Iterator<Item = GlobalDef> + 'a {
        let written = repo.def(class).supers.iter();
        written
            .zip(self.direct_supertypes(class))
            .filter_map(|((_, kind), found)| match found {
                Supertype::Inside(used) if *kind == SuperKind::Embeds => Some(*used),
                _ => None,
            })
    }

    /// The classes that use a trait.
    pub(super) fn users(&self, used: GlobalDef) -> &[GlobalDef] {
        self.users.get(&used).map_or(&[], |users| users)
    }
}

fn supertype(repo: &Repo, tables: &Tables, file: FileId, ty: TypeId) -> Supertype {
    let facts = repo.facts(file);
    match facts.ty(ty) {
        TypeExpr::Named { path, .. } => {
            let name = whole_name(facts, path);
            match tables.find(repo, Kind::Class, &name, file) {
                Some(class) => Supertype::Inside(class),
                None => match external_class(tables, &name) {
                    Some(external) => Supertype::Outside(external),
                    None => Supertype::Unknown,
                },
            }
        }
        TypeExpr::Anonymous(def) => Supertype::Inside(GlobalDef { file, def: *def }),
        _ => Supertype::Unknown,
    }
}

/// The whole name of a path.
pub(super) fn whole_name(facts: &FileFacts, path: &[NameId]) -> String {
    let segments: Vec<&str> = path.iter().map(|name| facts.name(*name)).collect();
    segments.join("\\")
}

/// A class outside the repository: one of PHP, or one in a namespace that the repository does not have.
pub(super) fn external_class(tables: &Tables, name: &str) -> Option<External> {
    match name.rsplit_once('\\') {
        None => names::is_class(name).then(|| External::new(PHP, name)),
        Some((namespace, _)) if tables.has_namespace(namespace) => None,
        Some((namespace, class)) => Some(External::new(namespace, class)),
    }
}
