//! What the usings of each scope bring. They are resolved once, and a name is looked up in all of them at once.

use super::counted::count;
use super::namespaces::Namespaces;
use super::tables::tables;
use base::facts::*;
use linker::repo::{FileId, GlobalDef, Sym};
use rustc_hash::FxHashMap;

/// Most types that a scope names by `using static`. Each name may be looked up in each of them.
const MAX_STATIC: usize = 200;

/// The usings of one scope, in their order.
#[derive(Default)]
pub(super) struct Usings {
    /// The namespaces of the repository, with the position of the first using of each.
    namespaces: FxHashMap<u32, u32>,
    /// The same namespaces in order.
    order: Vec<u32>,
    /// Types whose static members can be named alone, with their positions.
    statics: Vec<(u32, GlobalDef)>,
    /// Namespaces of .NET, with their positions.
    platform: Vec<(u32, Box<str>)>,
    /// The first part of each name, with its position.
    roots: FxHashMap<Box<str>, u32>,
    /// The first two namespaces that are known neither here nor to the tables.
    unknown: Vec<Box<str>>,
    count: u32,
}

impl Usings {
    /// The position of the next using.
    pub(super) fn next_position(&mut self) -> u32 {
        self.count += 1;
        self.count - 1
    }

    /// Adds a type whose static members can be named alone, unless there are too many.
    pub(super) fn add_static(&mut self, at: u32, class: GlobalDef) {
        if self.statics.len() < MAX_STATIC {
            self.statics.push((at, class));
        }
    }

    /// Adds a namespace of the repository.
    pub(super) fn add_namespace(&mut self, at: u32, namespace: Option<u32>) {
        let Some(namespace) = namespace else {
            return;
        };
        if let std::collections::hash_map::Entry::Vacant(e) = self.namespaces.entry(namespace) {
            e.insert(at);
            self.order.push(namespace);
        }
    }

    /// Adds a namespace by its name, for names that the repository does not have.
    pub(super) fn add_outside(&mut self, names: &Namespaces, at: u32, module: &str) {
        let root = module.split('.').next().unwrap_or(module);
        if !self.roots.contains_key(root) {
            self.roots.insert(root.into(), at);
        }
        if tables().is_namespace(module) {
            if self.platform.iter().all(|(_, known)| **known != *module) {
                self.platform.push((at, module.into()));
            }
        } else if names.find(module).is_none() && self.unknown.len() < 2 {
            self.unknown.push(module.into());
        }
    }

    /// The namespaces of the repository that are named here and in `homes`, in order.
    pub(super) fn namespaces_among(&self, homes: &[u32]) -> Vec<u32> {
        count(homes.len().min(self.order.len()));
        if homes.len() > self.order.len() {
            let among = self.order.iter().filter(|n| homes.contains(n));
            return among.copied().collect();
        }
        let known = homes
            .iter()
            .filter_map(|n| Some((*self.namespaces.get(n)?, *n)));
        let mut known: Vec<(u32, u32)> = known.collect();
        known.sort_unstable();
        known.into_iter().map(|(_, namespace)| namespace).collect()
    }

    /// The position of a namespace.
    pub(super) fn position(&self, namespace: u32) -> Option<u32> {
        self.namespaces.get(&namespace).copied()
    }

    /// Types whose static members can be named alone, with their positions.
    pub(super) fn statics(&self) -> &[(u32, GlobalDef)] {
        &self.statics
    }

    /// The namespace of .NET that has a type of that name, or the root that has the name, whichever comes first.
    pub(super) fn outside(&self, name: &str, is_generic: bool) -> Option<OutsideName<'_>> {
        let found = self.platform.iter().find(|(_, module)| {
            let is_other = is_generic && &**module == "System.Collections";
            tables().has(module, name) && !is_other
        });
        let root = self.roots.get(name);
        match (found, root) {
            (Some((at, _)), Some(root)) if root < at => Some(OutsideName::Root),
            (Some((_, module)), _) => Some(OutsideName::Type(module)),
            (None, Some(_)) => Some(OutsideName::Root),
            (None, None) => None,
        }
    }

    /// The first namespaces that are not known, two at most.
    pub(super) fn unknown(&self) -> &[Box<str>] {
        &self.unknown
    }
}

/// What a name means outside of the repository.
pub(super) enum OutsideName<'a> {
    /// A type of that namespace.
    Type(&'a str),
    /// The first part of a namespace.
    Root,
}

/// The usings of all scopes.
#[derive(Default)]
pub(super) struct UsingTable {
    of_scope: FxHashMap<(FileId, ScopeId), Usings>,
    /// The global usings of each project.
    of_project: FxHashMap<u32, Usings>,
    /// The aliases that each project defines for all of its files.
    aliases: FxHashMap<(u32, Sym), Vec<(FileId, ImportId)>>,
}

impl UsingTable {
    /// The usings of one scope.
    pub(super) fn scope_mut(&mut self, file: FileId, scope: ScopeId) -> &mut Usings {
        self.of_scope.entry((file, scope)).or_default()
    }

    /// The global usings of a project.
    pub(super) fn project_mut(&mut self, project: u32) -> &mut Usings {
        self.of_project.entry(project).or_default()
    }

    /// Adds an alias for all files of a project.
    pub(super) fn add_alias(&mut self, project: u32, name: Sym, import: (FileId, ImportId)) {
        self.aliases
            .entry((project, name))
            .or_default()
            .push(import);
    }

    /// The usings that hold in a scope: its own, then those of the project if it is the file.
    pub(super) fn around<'a>(
        &'a self,
        names: &Namespaces,
        file: FileId,
        scope: ScopeId,
    ) -> impl Iterator<Item = &'a Usings> + use<'a> {
        let own = self.of_scope.get(&(file, scope));
        let global = (scope == FILE_SCOPE).then(|| self.of_project.get(&names.project(file)));
        own.into_iter().chain(global.flatten())
    }

    /// An alias that another file defines for the whole project.
    pub(super) fn global_alias(
        &self,
        names: &Namespaces,
        file: FileId,
        name: Sym,
    ) -> Option<(FileId, ImportId)> {
        let known = self.aliases.get(&(names.project(file), name))?;
        known.iter().find(|(home, _)| *home != file).copied()
    }
}
