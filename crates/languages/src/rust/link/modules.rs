//! Crates and their module trees.

use super::cargo::{self, Dependency, Package};
use base::facts::*;
use base::{Language, SymbolKind};
use linker::lang::DefinitionChanges;
use linker::paths::{ancestors, join};
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::surface::IndexRemap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A module: that of a file, or an inline one.
pub(super) struct Module {
    /// The file that contains its items.
    pub file: FileId,
    /// The scope of its items.
    pub scope: ScopeId,
    /// The parent module; `None` for crate roots.
    pub parent: Option<u32>,
    /// Its crate.
    pub krate: u32,
    /// Modules inside, by name.
    children: FxHashMap<Sym, u32>,
}

/// A crate: the module tree below one root file.
pub(super) struct Crate {
    /// The root module.
    pub root: u32,
    /// Names of other crates with which its paths can begin; crates of one package share them.
    pub externs: Arc<FxHashMap<String, Extern>>,
    /// The features of a default build of its package.
    pub features: Arc<BTreeSet<String>>,
    /// Whether its package has a build script, which may set any `cfg`.
    pub has_script: bool,
}

/// The target of an extern crate's name.
#[derive(Clone)]
pub(super) enum Extern {
    /// A library of the repository.
    Crate(u32),
    /// A package outside.
    Package(String),
}

/// A package and its library.
type PackageLib<'p> = (&'p Package, Option<u32>);

/// The crates with which paths in a package can begin. `find` returns the package in a folder and its library.
fn externs_of<'p>(
    package: Option<&Package>,
    own_lib: Option<u32>,
    find: &dyn Fn(&str) -> Option<PackageLib<'p>>,
) -> FxHashMap<String, Extern> {
    let mut externs = FxHashMap::default();
    for name in ["std", "core", "alloc", "proc_macro", "test"] {
        externs.insert(name.to_owned(), Extern::Package("std".into()));
    }
    let Some(package) = package else {
        return externs;
    };
    for (name, dependency) in &package.deps {
        let to = match dependency {
            Dependency::Outside(package) => Extern::Package(package.clone()),
            Dependency::Folder(dir) => match find(dir) {
                // The key of a dependency names the package. Its library may have another name, which paths then use.
                Some((other, Some(lib))) => {
                    if other.lib != *name {
                        externs.insert(other.lib.clone(), Extern::Crate(lib));
                    }
                    Extern::Crate(lib)
                }
                Some((_, None)) => continue,
                None => Extern::Package(name.clone()),
            },
        };
        externs.insert(name.clone(), to);
    }
    if let Some(lib) = own_lib {
        externs.insert(package.lib.clone(), Extern::Crate(lib));
    }
    externs
}

/// How often names of files that crates share may be bound: a base, and a number for each definition of the repository.
const SHARED_NAMES: (usize, usize) = (500_000, 4);

/// All crates and modules.
#[derive(Default)]
pub(super) struct Modules {
    pub all: Vec<Module>,
    pub crates: Vec<Crate>,
    /// The remaining budget for files that are already in a crate: their names are bound once for each crate.
    shared_names: usize,
    /// Entries that limits leave out, one line each.
    pub limits: Vec<String>,
    /// Modules that no `mod` declares, by parent; their names may not occur in any file.
    undeclared_children: FxHashMap<u32, Vec<(Box<str>, u32)>>,
    /// The main module of each file.
    of_file: FxHashMap<FileId, u32>,
    /// The module of a `mod` definition.
    of_def: FxHashMap<GlobalDef, u32>,
    /// The bindings of each module's scope.
    pub bindings: Bindings,
    /// Glob imports by the scope that contains them.
    pub globs: FxHashMap<(FileId, ScopeId), Vec<ImportId>>,
    /// `macro_rules!` definitions of each crate.
    pub macros: FxHashMap<(u32, Sym), Vec<GlobalDef>>,
}

/// The bindings of modules' scopes.
#[derive(Default)]
pub(super) struct Bindings {
    all: FxHashMap<(u32, Sym), Vec<(Namespace, Bound)>>,
    /// The modules that bind each name, in order.
    holders: FxHashMap<Sym, Vec<u32>>,
}

impl Bindings {
    /// The bindings of a name in a module.
    pub(super) fn get(&self, module: u32, name: Sym) -> Option<&Vec<(Namespace, Bound)>> {
        self.all.get(&(module, name))
    }

    /// Modules that bind a name.
    pub(super) fn holders_of(&self, name: Sym) -> &[u32] {
        self.holders.get(&name).map_or(&[], |all| all)
    }

    fn add(&mut self, module: u32, name: Sym, bound: (Namespace, Bound)) {
        self.all.entry((module, name)).or_default().push(bound);
        let holders = self.holders.entry(name).or_default();
        if let Err(at) = holders.binary_search(&module) {
            holders.insert(at, module);
        }
    }

    fn remove(&mut self, module: u32, name: Sym) {
        self.all.remove(&(module, name));
        if let Some(holders) = self.holders.get_mut(&name)
            && let Ok(at) = holders.binary_search(&module)
        {
            holders.remove(at);
        }
    }
}

impl Modules {
    /// Reads manifests and `mod` declarations.
    pub(super) fn new(repo: &Repo) -> Modules {
        let (packages, limits) = cargo::read_packages(repo);
        let defs: usize = repo.files().map(|(_, file)| file.facts.defs.len()).sum();
        let mut modules = Modules {
            limits,
            shared_names: SHARED_NAMES.0 + SHARED_NAMES.1 * defs,
            ..Modules::default()
        };
        // The library of each package, by the package's index.
        let mut libs: Vec<Option<u32>> = vec![None; packages.len()];
        let mut owners: Vec<usize> = Vec::new();
        for (i, package) in packages.iter().enumerate() {
            for target in &package.targets {
                let Some(file) = repo.file_at(&target.root) else {
                    continue;
                };
                let krate = modules.add_crate(repo, file, Some(package));
                owners.push(i);
                if target.is_lib {
                    libs[i] = Some(krate);
                }
            }
        }
        modules.add_undeclared_files(repo);
        modules.add_orphans(repo, &packages, &mut owners);
        modules.add_externs(&packages, &libs, &owners);
        modules.add_bindings(repo);
        modules
    }

    fn add_crate(&mut self, repo: &Repo, file: FileId, of: Option<&Package>) -> u32 {
        let krate = self.crates.len() as u32;
        let root = self.all.len() as u32;
        self.crates.push(Crate {
            root,
            externs: Arc::default(),
            features: of.map(|p| p.features.clone()).unwrap_or_default(),
            has_script: of.is_some_and(|p| p.has_script),
        });
        let dir = parent_dir(&repo.file(file).path);
        let mut seen = FxHashSet::default();
        self.add_file(repo, file, dir, None, krate, &mut seen);
        krate
    }

    /// Adds files that no `mod` declares, but whose path is that of a module: a macro declares them.
    fn add_undeclared_files(&mut self, repo: &Repo) {
        let mut roots: FxHashMap<String, u32> = FxHashMap::default();
        for krate in &self.crates {
            let path = &repo.file(self.all[krate.root as usize].file).path;
            let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
            if matches!(name, "lib.rs" | "main.rs") {
                roots.entry(dir.to_owned()).or_insert(krate.root);
            }
        }
        let orphans = repo.files().filter(|(id, f)| {
            let is_root = f.path.ends_with("/lib.rs") || f.path.ends_with("/main.rs");
            f.facts.language == Language::Rust && !is_root && !self.of_file.contains_key(id)
        });
        let mut orphans: Vec<(usize, FileId)> = orphans
            .map(|(id, f)| (module_path_of_file(&f.path).matches('/').count(), id))
            .collect();
        orphans.sort_unstable();
        for (_, file) in orphans {
            if !self.of_file.contains_key(&file) {
                self.add_file_at_its_path(repo, file, &roots);
            }
        }
    }

    /// Adds a file as the module of its path, if the parent module exists and has no module of that name.
    fn add_file_at_its_path(&mut self, repo: &Repo, file: FileId, roots: &FxHashMap<String, u32>) {
        let own = module_path_of_file(&repo.file(file).path);
        let Some((above, name)) = own.rsplit_once('/') else {
            return;
        };
        let mut root = above;
        let parent = loop {
            if let Some(found) = roots.get(root) {
                break *found;
            }
            match root.rsplit_once('/') {
                Some((up, _)) => root = up,
                None => return,
            }
        };
        let mut inner = above[root.len()..].split('/').filter(|s| !s.is_empty());
        let parent = inner.try_fold(parent, |at, name| self.find_child(repo, at, name));
        let Some(parent) = parent.filter(|p| self.find_child(repo, *p, name).is_none()) else {
            return;
        };
        let krate = self.all[parent as usize].krate;
        let mut seen = FxHashSet::default();
        let added = self.add_file(repo, file, own.to_owned(), Some(parent), krate, &mut seen);
        if let Some(child) = added {
            let placed = self.undeclared_children.entry(parent).or_default();
            placed.push((name.into(), child));
        }
    }

    /// Whether a file that is already in a crate may be added to another one.
    fn may_share(&mut self, repo: &Repo, file: FileId) -> bool {
        let facts = repo.facts(file);
        match self.shared_names.checked_sub(facts.bindings.len() + 1) {
            Some(left) => {
                self.shared_names = left;
                true
            }
            None => {
                if self.shared_names > 0 {
                    self.shared_names = 0;
                    let path = &repo.file(file).path;
                    self.limits.push(format!(
                        "{path}: in too many crates; the others do not have it"
                    ));
                }
                false
            }
        }
    }

    pub(super) fn find_child(&self, repo: &Repo, module: u32, name: &str) -> Option<u32> {
        let child = repo
            .find_sym(name)
            .and_then(|name| self.child(module, name));
        child.or_else(|| self.undeclared_child(module, name))
    }

    /// The inner module of that name that no `mod` declares.
    pub(super) fn undeclared_child(&self, module: u32, name: &str) -> Option<u32> {
        let inside = self.undeclared_children.get(&module)?.iter();
        inside.filter(|(n, _)| **n == *name).map(|(_, m)| *m).next()
    }

    /// Whether a module contains modules that no `mod` declares.
    pub(super) fn has_undeclared(&self, module: u32) -> bool {
        self.undeclared_children.contains_key(&module)
    }

    /// Adds files that no `mod` declares as crates of their own, roots first.
    fn add_orphans(&mut self, repo: &Repo, packages: &[Package], owners: &mut Vec<usize>) {
        let orphans = |modules: &Modules, first: bool| -> Vec<FileId> {
            repo.files()
                .filter(|(id, f)| {
                    let is_root = f.path.ends_with("lib.rs") || f.path.ends_with("main.rs");
                    f.facts.language == Language::Rust
                        && !modules.of_file.contains_key(id)
                        && is_root == first
                })
                .map(|(id, _)| id)
                .collect()
        };
        let by_dir: FxHashMap<&str, usize> = packages
            .iter()
            .enumerate()
            .map(|(i, p)| (p.dir.as_str(), i))
            .collect();
        for first in [true, false] {
            for file in orphans(self, first) {
                if self.of_file.contains_key(&file) {
                    continue;
                }
                let path = &repo.file(file).path;
                let folder = parent_dir(path);
                let nearest = ancestors(&folder).find_map(|dir| by_dir.get(dir).copied());
                self.add_crate(repo, file, nearest.map(|i| &packages[i]));
                owners.push(nearest.unwrap_or(usize::MAX));
            }
        }
    }

    fn add_externs(&mut self, packages: &[Package], libs: &[Option<u32>], owners: &[usize]) {
        let by_dir: FxHashMap<&str, usize> = packages
            .iter()
            .enumerate()
            .map(|(i, p)| (p.dir.as_str(), i))
            .collect();
        // By package, and whether the crate is the package's library, which does not know itself by name.
        let mut known: FxHashMap<(usize, bool), Arc<FxHashMap<String, Extern>>> =
            FxHashMap::default();
        for (krate, owner) in owners.iter().enumerate() {
            let lib = libs.get(*owner).copied().flatten();
            let is_lib = lib == Some(krate as u32);
            let externs = known.entry((*owner, is_lib)).or_insert_with(|| {
                let package = packages.get(*owner);
                let lib = lib.filter(|_| !is_lib);
                Arc::new(externs_of(package, lib, &|dir| {
                    let i = *by_dir.get(dir)?;
                    Some((&packages[i], libs[i]))
                }))
            });
            self.crates[krate].externs = externs.clone();
        }
    }

    fn add_bindings(&mut self, repo: &Repo) {
        for (index, module) in self.all.iter().enumerate() {
            let facts = repo.facts(module.file);
            for binding in facts.bindings_in_scope(module.scope) {
                let sym = repo.sym_of_name(module.file, binding.name);
                let bound = (binding.namespace, binding.to);
                self.bindings.add(index as u32, sym, bound);
            }
        }
        for (file, source) in repo.files() {
            if source.facts.language != Language::Rust {
                continue;
            }
            for (i, import) in source.facts.imports.iter().enumerate() {
                if import.what == Imported::Glob {
                    self.globs
                        .entry((file, import.scope))
                        .or_default()
                        .push(ImportId(i as u32));
                }
            }
            let Some(module) = self.of_file.get(&file) else {
                continue;
            };
            let krate = self.all[*module as usize].krate;
            for (i, def) in source.facts.defs.iter().enumerate() {
                // A macro inside a function is visible only there.
                if def.kind == SymbolKind::Macro && !def.flags.has(DefFlags::LOCAL) {
                    let sym = repo.sym_of_name(file, def.name);
                    let def = DefId(i as u32);
                    let macros = self.macros.entry((krate, sym)).or_default();
                    macros.push(GlobalDef { file, def });
                }
            }
        }
    }

    /// Updates a file whose scopes and definitions may have moved, and whose modules bind the same names.
    pub(super) fn follow(&mut self, repo: &Repo, file: FileId, moved: &IndexRemap) {
        let facts = repo.facts(file);
        for (index, module) in self.all.iter_mut().enumerate() {
            if module.file != file {
                continue;
            }
            module.scope = moved.remap_scope(module.scope);
            for binding in facts.bindings_in_scope(module.scope) {
                let sym = repo.sym_of_name(file, binding.name);
                self.bindings.remove(index as u32, sym);
            }
            for binding in facts.bindings_in_scope(module.scope) {
                let sym = repo.sym_of_name(file, binding.name);
                let bound = (binding.namespace, binding.to);
                self.bindings.add(index as u32, sym, bound);
            }
        }
        if moved.is_identity() {
            return;
        }
        moved.remap_keys(file, &mut self.of_def);
        moved.remap_all(file, self.macros.values_mut().flatten());
        let globs = std::mem::take(&mut self.globs).into_iter();
        self.globs = globs
            .map(|((of, scope), imports)| {
                if of == file {
                    ((of, moved.remap_scope(scope)), imports)
                } else {
                    ((of, scope), imports)
                }
            })
            .collect();
    }

    /// Reads the bindings of modules anew for names of added and removed definitions.
    pub(super) fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) {
        for (index, module) in self.all.iter().enumerate() {
            if news.files.binary_search(&module.file).is_err() {
                continue;
            }
            for name in news.names {
                self.bindings.remove(index as u32, *name);
            }
            for binding in repo.facts(module.file).bindings_in_scope(module.scope) {
                let name = repo.sym_of_name(module.file, binding.name);
                if news.names.contains(&name) {
                    let bound = (binding.namespace, binding.to);
                    self.bindings.add(index as u32, name, bound);
                }
            }
        }
    }

    fn add_file(
        &mut self,
        repo: &Repo,
        file: FileId,
        dir: String,
        parent: Option<u32>,
        krate: u32,
        seen: &mut FxHashSet<FileId>,
    ) -> Option<u32> {
        if !seen.insert(file) {
            return None;
        }
        let facts = repo.facts(file);
        if self.of_file.contains_key(&file) && !self.may_share(repo, file) {
            return None;
        }
        let index = self.add_module(file, FILE_SCOPE, parent, krate);
        self.of_file.entry(file).or_insert(index);
        // Modules of this file by definition, with the folder of their inner modules.
        let mut inline: FxHashMap<DefId, (u32, String)> = FxHashMap::default();
        for (i, def) in facts.defs.iter().enumerate() {
            if def.kind != SymbolKind::Module {
                continue;
            }
            let id = DefId(i as u32);
            let above = enclosing_inline_module(facts, def, &inline);
            let (above, above_dir, nested) = match above.and_then(|d| inline.get(&d)) {
                Some((module, dir)) => (*module, dir.clone(), true),
                None => (index, dir.clone(), false),
            };
            let name = facts.name(def.name);
            let child = if def.flags.has(DefFlags::OUT_OF_LINE) {
                let written = path_attribute(facts, id);
                let base = if nested {
                    above_dir.clone()
                } else {
                    parent_dir(&repo.file(file).path)
                };
                let target = match written {
                    Some(path) => repo.file_at(&join(&base, path)),
                    None => repo
                        .file_at(&join(&above_dir, &format!("{name}.rs")))
                        .or_else(|| repo.file_at(&join(&above_dir, &format!("{name}/mod.rs")))),
                };
                target.and_then(|target| {
                    let path = &repo.file(target).path;
                    let own = if path.ends_with("/mod.rs") || written.is_some() {
                        parent_dir(path)
                    } else {
                        join(&above_dir, name)
                    };
                    self.add_file(repo, target, own, Some(above), krate, seen)
                })
            } else {
                let scope = def.body.unwrap_or(FILE_SCOPE);
                let child = self.add_module(file, scope, Some(above), krate);
                inline.insert(id, (child, join(&above_dir, name)));
                Some(child)
            };
            if let Some(child) = child {
                self.of_def
                    .entry(GlobalDef { file, def: id })
                    .or_insert(child);
                let sym = repo.sym_of_name(file, def.name);
                let is_absent = def.flags.has(DefFlags::CONDITIONAL)
                    || self.condition_holds(krate, facts, def.condition, Some(false))
                        == Some(false);
                let children = &mut self.all[above as usize].children;
                // Of several modules for different platforms and features, the one of a default build on Linux.
                if is_absent {
                    children.entry(sym).or_insert(child);
                } else {
                    children.insert(sym, child);
                }
            }
        }
        Some(index)
    }

    fn add_module(&mut self, file: FileId, scope: ScopeId, parent: Option<u32>, krate: u32) -> u32 {
        let index = self.all.len() as u32;
        self.all.push(Module {
            file,
            scope,
            parent,
            krate,
            children: FxHashMap::default(),
        });
        index
    }

    /// The module of a `mod` definition.
    pub(super) fn module_of_def(&self, def: GlobalDef) -> Option<u32> {
        self.of_def.get(&def).copied()
    }

    /// The module that contains a scope.
    pub(super) fn module_of_scope(&self, repo: &Repo, file: FileId, scope: ScopeId) -> Option<u32> {
        let facts = repo.facts(file);
        let mut next = Some(scope);
        while let Some(id) = next {
            let here = facts.scope(id);
            if let (ScopeKind::Module, Some(def)) = (here.kind, here.owner) {
                let found = self.module_of_def(GlobalDef { file, def });
                if found.is_some() {
                    return found;
                }
            }
            next = here.parent;
        }
        self.of_file.get(&file).copied()
    }

    /// Whether code of a file is inside a module, whose private items it then sees.
    pub(super) fn is_file_within(&self, file: FileId, outer: u32) -> bool {
        file == self.all[outer as usize].file
            || self
                .of_file
                .get(&file)
                .is_some_and(|inner| self.is_within(*inner, outer))
    }

    /// The crate of a file; of several, the first.
    pub(super) fn crate_of(&self, file: FileId) -> Option<u32> {
        let module = self.of_file.get(&file)?;
        Some(self.all[*module as usize].krate)
    }

    /// The inner module of that name.
    pub(super) fn child(&self, module: u32, name: Sym) -> Option<u32> {
        self.all[module as usize].children.get(&name).copied()
    }

    /// Whether code of one file can see definitions of another: its crate is the same, or depends on the other's.
    pub(super) fn can_see(&self, from: FileId, to: FileId) -> bool {
        match (self.crate_of(from), self.crate_of(to)) {
            (Some(from), Some(to)) => from == to || self.depends_on(from, to),
            _ => true,
        }
    }

    fn depends_on(&self, from: u32, to: u32) -> bool {
        let mut seen = FxHashSet::from_iter([from]);
        let mut open = vec![from];
        while let Some(krate) = open.pop() {
            for other in self.crates[krate as usize].externs.values() {
                match other {
                    Extern::Crate(other) if *other == to => return true,
                    Extern::Crate(other) if seen.insert(*other) => open.push(*other),
                    _ => {}
                }
            }
        }
        false
    }

    /// The root of a module's crate.
    pub(super) fn crate_root(&self, module: u32) -> u32 {
        let krate = self.all[module as usize].krate;
        self.crates[krate as usize].root
    }

    /// Whether `inner` is `outer` or lies inside it.
    pub(super) fn is_within(&self, inner: u32, outer: u32) -> bool {
        let mut next = Some(inner);
        while let Some(module) = next {
            if module == outer {
                return true;
            }
            next = self.all[module as usize].parent;
        }
        false
    }
}

/// The innermost inline module around a definition.
fn enclosing_inline_module(
    facts: &FileFacts,
    def: &Def,
    inline: &FxHashMap<DefId, (u32, String)>,
) -> Option<DefId> {
    let mut next = def.parent;
    while let Some(id) = next {
        if inline.contains_key(&id) {
            return Some(id);
        }
        next = facts.def(id).parent;
    }
    None
}

/// The path of a file as a module: the folder for a `mod.rs`, else the path without its ending.
fn module_path_of_file(path: &str) -> &str {
    let path = path.strip_suffix(".rs").unwrap_or(path);
    path.strip_suffix("/mod").unwrap_or(path)
}

/// The path of `#[path = "…"]`.
fn path_attribute(facts: &FileFacts, module: DefId) -> Option<&str> {
    facts
        .imports
        .iter()
        .find(|i| i.owner == Some(module) && i.what == Imported::Module && i.local.is_none())
        .map(|i| facts.name(i.module))
}

fn parent_dir(path: &str) -> String {
    path.rsplit_once('/')
        .map_or_else(String::new, |(dir, _)| dir.to_owned())
}

/// The segments of an import's path; a leading `::` is a segment of its own.
pub(super) fn split_use_path(path: &str) -> Vec<&str> {
    match path.strip_prefix("::") {
        Some(rest) => std::iter::once("::")
            .chain(rest.split("::").filter(|s| !s.is_empty()))
            .collect(),
        None => path.split("::").filter(|s| !s.is_empty()).collect(),
    }
}
