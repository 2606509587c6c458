//! Packages: files in a folder with the same package clause share one scope.

use super::platform::{Build, Constraint};
use base::facts::{Def, DefFlags, TypeExpr};
use base::{Language, SymbolKind};
use linker::lang::DefinitionChanges;
use linker::paths::{file_name, parent_dir};
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::surface::IndexRemap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A package of the repository.
#[derive(Debug)]
pub(super) struct Package {
    /// The name in its package clause.
    pub name: String,
    /// Its files, in order of path.
    pub files: Vec<FileId>,
}

/// The packages of a repository and their declarations.
#[derive(Debug)]
pub(super) struct Packages {
    /// Every package; the index is its module number for the evaluator.
    pub all: Vec<Package>,
    /// The package of each file.
    of_file: FxHashMap<FileId, u32>,
    /// The packages of each folder.
    pub in_dir: FxHashMap<String, Vec<u32>>,
    /// Functions, types, variables and constants at package level.
    members: FxHashMap<(u32, Sym), Vec<GlobalDef>>,
    /// Methods, by the name of the receiver's type.
    methods: FxHashMap<(u32, Sym, Sym), Vec<GlobalDef>>,
    /// The names of the methods of each type.
    method_names: FxHashMap<(u32, Sym), Vec<Sym>>,
    /// The keys of `methods`: package, type and method name.
    declared: FxHashSet<(u32, Sym, Sym)>,
    /// The number of methods with each name.
    frequency: FxHashMap<Sym, u32>,
    /// Constraints of the files that have any.
    constraints: FxHashMap<FileId, Constraint>,
    tests: Vec<FileId>,
}

/// Aliases of types (`type A = B`), with the file of the declaration: files of another build may differ.
type Aliases = FxHashMap<Sym, Vec<(FileId, Sym)>>;

/// The aliases in a package whose types are in it, too: methods may be declared on either name. An alias in a function
/// is known only there.
fn collect_type_aliases(repo: &Repo, files: &[FileId]) -> Aliases {
    let mut out = Aliases::default();
    for file in files {
        let facts = repo.facts(*file);
        let is_alias = |d: &&Def| d.flags.has(DefFlags::ALIAS) && !d.flags.has(DefFlags::LOCAL);
        for def in facts.defs.iter().filter(is_alias) {
            if let Some(TypeExpr::Named { path, .. }) = def.ty.map(|ty| facts.ty(ty))
                && let [only] = path[..]
            {
                let names = out.entry(repo.sym_of_name(*file, def.name)).or_default();
                names.push((*file, repo.sym_of_name(*file, only)));
            }
        }
    }
    out
}

impl Packages {
    /// Collects the packages.
    pub(super) fn new(repo: &Repo) -> Packages {
        let mut groups: BTreeMap<(&str, &str), Vec<FileId>> = BTreeMap::new();
        for (id, file) in repo.files() {
            if file.facts.language != Language::Go {
                continue;
            }
            let name = file.facts.package.map_or("", |n| file.facts.name(n));
            groups
                .entry((parent_dir(&file.path), name))
                .or_default()
                .push(id);
        }
        let mut packages = Packages {
            all: Vec::new(),
            of_file: FxHashMap::default(),
            in_dir: FxHashMap::default(),
            members: FxHashMap::default(),
            methods: FxHashMap::default(),
            method_names: FxHashMap::default(),
            declared: FxHashSet::default(),
            frequency: FxHashMap::default(),
            constraints: FxHashMap::default(),
            tests: Vec::new(),
        };
        for ((dir, name), files) in groups {
            packages.add_package(repo, dir, name, files);
        }
        packages
    }

    fn add_package(&mut self, repo: &Repo, dir: &str, name: &str, files: Vec<FileId>) {
        let index = self.all.len() as u32;
        for id in &files {
            self.of_file.insert(*id, index);
            let file = repo.file(*id);
            let line = file.facts.constraint.map(|n| file.facts.name(n));
            let constraint = Constraint::new(&file.path, line);
            if !constraint.is_unconstrained() {
                self.constraints.insert(*id, constraint);
            }
            if file.path.ends_with("_test.go") {
                self.tests.push(*id);
            }
        }
        let aliases = collect_type_aliases(repo, &files);
        for id in &files {
            self.declare_file(repo, index, *id, &aliases);
        }
        let dir = self.in_dir.entry(dir.to_owned()).or_default();
        dir.push(index);
        self.all.push(Package {
            name: name.to_owned(),
            files,
        });
        self.tests.sort_unstable();
    }

    fn declare_file(&mut self, repo: &Repo, package: u32, file: FileId, aliases: &Aliases) {
        for id in repo.top_level(file) {
            self.declare_def(repo, package, id, aliases);
        }
    }

    fn declare_def(&mut self, repo: &Repo, package: u32, id: GlobalDef, aliases: &Aliases) {
        let def = repo.def(id);
        if def.flags.has(DefFlags::ANONYMOUS) || def.flags.has(DefFlags::LOCAL) {
            return;
        }
        let name = repo.sym_of_name(id.file, def.name);
        if def.kind == SymbolKind::Method {
            if let Some(receiver) = def.callable.as_ref().and_then(|c| c.receiver) {
                let receiver = repo.sym_of_name(id.file, receiver);
                let receiver = self.aliased(aliases, receiver, id.file).unwrap_or(receiver);
                let key = (package, receiver, name);
                self.methods.entry(key).or_default().push(id);
                *self.frequency.entry(name).or_default() += 1;
                if self.declared.insert(key) {
                    let names = self.method_names.entry((package, receiver));
                    names.or_default().push(name);
                }
            }
        } else if !matches!(repo.def_name(id), "init" | "_") {
            self.members.entry((package, name)).or_default().push(id);
        }
    }

    /// The type that a name stands for in a file, if it is an alias there.
    fn aliased(&self, aliases: &Aliases, name: Sym, from: FileId) -> Option<Sym> {
        let found = aliases.get(&name)?;
        let build = self.build_of(from);
        let fitting = found.iter().find(|(file, _)| self.is_taken(*file, &build));
        fitting.map(|(_, of)| *of)
    }

    /// Updates the tables after definitions were added and removed. The number of methods with each name only decides
    /// where interfaces are looked for, so removed methods stay counted.
    pub(super) fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) {
        let all = self.members.values_mut().chain(self.methods.values_mut());
        all.for_each(|defs| defs.retain(IndexRemap::is_live));
        let mut known: FxHashMap<u32, Aliases> = FxHashMap::default();
        for id in news.fresh {
            let Some(package) = self.package_of(id.file) else {
                continue;
            };
            if repo.def(*id).parent.is_some() {
                continue;
            }
            let files = &self.all[package as usize].files;
            let aliases = known
                .entry(package)
                .or_insert_with(|| collect_type_aliases(repo, files));
            self.declare_def(repo, package, *id, aliases);
        }
        for defs in self.members.values_mut().chain(self.methods.values_mut()) {
            if !defs.is_sorted() {
                defs.sort_unstable();
            }
        }
    }

    /// Updates definitions of a file whose indexes moved.
    pub(super) fn follow(&mut self, file: FileId, moved: &IndexRemap) {
        moved.remap_all(file, self.members.values_mut().flatten());
        moved.remap_all(file, self.methods.values_mut().flatten());
    }

    /// The package of a file.
    pub(super) fn package_of(&self, file: FileId) -> Option<u32> {
        self.of_file.get(&file).copied()
    }

    /// The package that an import of a folder refers to.
    pub(super) fn importable_package(&self, dir: &str) -> Option<u32> {
        let candidates = self.in_dir.get(dir)?;
        let rank = |index: &u32| {
            let package = &self.all[*index as usize];
            let outside_test = package.name.ends_with("_test");
            let ordinary = package.files.iter().any(|f| self.is_in_default_build(*f));
            (
                !outside_test,
                ordinary,
                package.name != "main",
                package.files.len(),
            )
        };
        candidates.iter().copied().max_by_key(rank)
    }

    /// Whether the usual build includes a file, tests aside.
    fn is_in_default_build(&self, file: FileId) -> bool {
        let taken = self
            .constraints
            .get(&file)
            .is_none_or(|c| c.is_satisfied_by(&Build::default_build()));
        taken && self.tests.binary_search(&file).is_err()
    }

    /// The declarations of a name in a package, as seen from `from`.
    pub(super) fn find_member(
        &self,
        package: u32,
        name: Sym,
        from: Option<FileId>,
    ) -> Option<GlobalDef> {
        let found = self.members.get(&(package, name))?;
        self.pick_for_same_build(found, from)
    }

    /// The methods of that name that are declared on the type `ty`.
    pub(super) fn find_method(
        &self,
        ty: GlobalDef,
        type_name: Sym,
        name: Sym,
    ) -> Option<GlobalDef> {
        let package = self.package_of(ty.file)?;
        let found = self.methods.get(&(package, type_name, name))?;
        self.pick_for_same_build(found, Some(ty.file))
    }

    /// The number of methods in the repository with that name.
    pub(super) fn count_methods_named(&self, name: Sym) -> u32 {
        self.frequency.get(&name).copied().unwrap_or(0)
    }

    /// The methods declared on a type.
    pub(super) fn methods_of(&self, repo: &Repo, ty: GlobalDef) -> Vec<(Sym, GlobalDef)> {
        let Some(package) = self.package_of(ty.file) else {
            return Vec::new();
        };
        let type_name = repo.sym_of_name(ty.file, repo.def(ty).name);
        let names = self.method_names.get(&(package, type_name));
        names
            .into_iter()
            .flatten()
            .filter_map(|name| Some((*name, self.find_method(ty, type_name, *name)?)))
            .collect()
    }

    /// Of several declarations, the one in the same build as `from`.
    fn pick_for_same_build(&self, found: &[GlobalDef], from: Option<FileId>) -> Option<GlobalDef> {
        let [first, _, ..] = found else {
            return found.first().copied();
        };
        if let Some(same) = found.iter().find(|d| Some(d.file) == from) {
            return Some(*same);
        }
        let build = from.map_or_else(Build::default_build, |file| self.build_of(file));
        let mut fitting = found
            .iter()
            .copied()
            .filter(|d| self.is_taken(d.file, &build));
        let ordinary = fitting
            .clone()
            .find(|d| self.tests.binary_search(&d.file).is_err());
        ordinary.or_else(|| fitting.next()).or(Some(*first))
    }

    /// A build that includes a file.
    fn build_of(&self, file: FileId) -> Build {
        let constraint = self.constraints.get(&file);
        constraint.map_or_else(Build::default_build, Constraint::satisfying_build)
    }

    /// Whether a build includes a file.
    fn is_taken(&self, file: FileId, build: &Build) -> bool {
        let constraint = self.constraints.get(&file);
        constraint.is_none_or(|constraint| constraint.is_satisfied_by(build))
    }

    /// The main file of a package: the one with its name, else the first that is not a test.
    pub(super) fn main_file(&self, repo: &Repo, package: u32) -> Option<FileId> {
        let package = self.all.get(package as usize)?;
        let named = format!("{}.go", package.name);
        let is_named = |f: &&FileId| file_name(&repo.file(**f).path) == named;
        let ordinary = |f: &&FileId| self.is_in_default_build(**f);
        let files = &package.files;
        let found = files.iter().find(is_named);
        let found = found.or_else(|| files.iter().find(ordinary));
        found.or(files.first()).copied()
    }
}
