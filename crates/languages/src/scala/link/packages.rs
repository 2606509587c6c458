//! Packages and their members. The package clauses decide, wherever the file is.

use base::facts::*;
use base::{Language, SymbolKind};
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::surface::IndexRemap;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Longest package name whose prefixes count as packages: each prefix is stored in full.
const MAX_NAME: usize = 1_000;

/// A package, or a prefix of one.
#[derive(Default)]
pub(super) struct Package {
    /// Its dotted name.
    pub(super) name: Arc<str>,
    /// Top-level definitions, in order of files.
    members: FxHashMap<Sym, Vec<GlobalDef>>,
    /// Its package objects.
    pub(super) objects: Vec<GlobalDef>,
    /// Its Java files by their names, which are those of their classes. Changes of Java files do not reach these tables,
    /// so no definitions of theirs are kept.
    java: FxHashMap<Box<str>, FileId>,
}

/// What look-ups need of a file.
#[derive(Default)]
pub(super) struct FileTable {
    /// The packages of its clauses, innermost first.
    pub(super) packages: Vec<u32>,
    /// The imports of everything, with their scopes.
    pub(super) globs: Vec<(ScopeId, ImportId)>,
}

/// Every package of the repository.
#[derive(Default)]
pub(super) struct Packages {
    by_name: FxHashMap<Arc<str>, u32>,
    all: Vec<Package>,
    files: FxHashMap<FileId, FileTable>,
}

impl Packages {
    /// Reads the files of Scala, and of Java, whose types Scala names alike.
    pub(super) fn new(repo: &Repo) -> Packages {
        let mut out = Packages::default();
        for (id, file) in repo.files() {
            if !matches!(file.facts.language, Language::Scala | Language::Java) {
                continue;
            }
            let own = out.intern(file.facts.package.map_or("", |p| file.facts.name(p)));
            if file.facts.language == Language::Java {
                let name = file.path.rsplit('/').next().unwrap_or(&file.path);
                let stem = name.split('.').next().unwrap_or(name);
                out.all[own as usize].java.insert(stem.into(), id);
                continue;
            }
            for def in repo.top_level(id) {
                out.add(repo, own, def);
            }
        }
        // Names of packages are known only now.
        for (id, file) in repo.files() {
            if file.facts.language == Language::Scala {
                let table = out.table(&file.facts);
                out.files.insert(id, table);
            }
        }
        out
    }

    fn add(&mut self, repo: &Repo, own: u32, id: GlobalDef) {
        let def = repo.def(id);
        if def.kind == SymbolKind::Namespace || def.flags.has(DefFlags::ANONYMOUS) {
            return;
        }
        let facts = repo.facts(id.file);
        let package = match package_of_scope(facts, def.scope) {
            Some(name) => self.intern(&name),
            None => own,
        };
        if def.kind == SymbolKind::Module {
            let name = joined(&self.all[package as usize].name, facts.name(def.name));
            let object_of = self.intern(&name);
            self.all[object_of as usize].objects.push(id);
            return;
        }
        let sym = repo.sym_of_name(id.file, def.name);
        let members = &mut self.all[package as usize].members;
        members.entry(sym).or_default().push(id);
    }

    fn table(&self, facts: &FileFacts) -> FileTable {
        let globs = facts.imports.iter().zip(0..);
        let globs = globs.filter(|(import, _)| import.what == Imported::Glob);
        let globs = globs.map(|(import, at)| (import.scope, ImportId(at)));
        let whole = facts.package.map_or("", |p| facts.name(p));
        let clauses = facts.constraint.map_or(whole, |c| facts.name(c));
        let mut names: Vec<String> = Vec::new();
        for clause in clauses.split(',').take(MAX_NAME) {
            let before = names.last().map_or("", |n| n.as_str());
            names.push(joined(before, clause));
        }
        let packages = names.iter().rev().filter_map(|name| self.find(name));
        FileTable {
            packages: packages.collect(),
            globs: globs.collect(),
        }
    }

    /// Updates definitions of a file whose indexes moved.
    pub(super) fn follow(&mut self, repo: &Repo, file: FileId, moved: &IndexRemap) {
        for package in &mut self.all {
            moved.remap_all(file, package.members.values_mut().flatten());
            moved.remap_all(file, package.objects.iter_mut());
        }
        if self.files.contains_key(&file) {
            let table = self.table(repo.facts(file));
            self.files.insert(file, table);
        }
    }

    /// The number of a package; its prefixes get numbers, too.
    fn intern(&mut self, name: &str) -> u32 {
        if let Some(index) = self.by_name.get(name) {
            return *index;
        }
        let prefix = name.rsplit_once('.').map(|(prefix, _)| prefix);
        if let Some(prefix) = prefix.filter(|_| name.len() <= MAX_NAME) {
            self.intern(prefix);
        }
        let index = self.all.len() as u32;
        let name: Arc<str> = name.into();
        self.all.push(Package {
            name: name.clone(),
            ..Package::default()
        });
        self.by_name.insert(name, index);
        index
    }

    pub(super) fn get(&self, index: u32) -> Option<&Package> {
        self.all.get(index as usize)
    }

    /// The package of that name.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).copied()
    }

    /// A package inside another.
    pub(super) fn find_inside(&self, package: u32, name: &str) -> Option<u32> {
        let outer = self.get(package)?;
        self.find(&joined(&outer.name, name))
    }

    /// The package of the scope of a `package` with a body.
    pub(super) fn of_scope(&self, facts: &FileFacts, scope: ScopeId) -> Option<u32> {
        self.find(&package_of_scope(facts, scope)?)
    }

    /// The package that a package object belongs to.
    pub(super) fn of_object(&self, facts: &FileFacts, object: DefId) -> Option<u32> {
        let def = facts.def(object);
        if def.kind != SymbolKind::Module {
            return None;
        }
        let around = match package_of_scope(facts, def.scope) {
            Some(name) => name,
            None => facts.package.map_or("", |p| facts.name(p)).to_owned(),
        };
        self.find(&joined(&around, facts.name(def.name)))
    }

    pub(super) fn of_file(&self, file: FileId) -> Option<&FileTable> {
        self.files.get(&file)
    }

    /// The top-level definitions of a name; if several files have them, those of the file nearest to `near`.
    pub(super) fn members(
        &self,
        repo: &Repo,
        package: u32,
        name: Sym,
        near: FileId,
    ) -> Vec<GlobalDef> {
        let Some(package) = self.get(package) else {
            return Vec::new();
        };
        let Some(all) = package.members.get(&name) else {
            let java = package.java.get(repo.sym_text(name));
            let types = java.map(|file| repo.top_level_named(*file, name));
            return types.map(Iterator::collect).unwrap_or_default();
        };
        let first = all.first().map(|d| d.file);
        if all.iter().all(|d| Some(d.file) == first) {
            return all.clone();
        }
        let here = &repo.file(near).path;
        let shared = |file: FileId| {
            let path = repo.file(file).path.split('/');
            path.zip(here.split('/'))
                .take_while(|(a, b)| a == b)
                .count()
        };
        let Some(nearest) = all.iter().map(|d| d.file).rev().max_by_key(|f| shared(*f)) else {
            return Vec::new();
        };
        // A companion may stand in another file only if another source set has it.
        all.iter().copied().filter(|d| d.file == nearest).collect()
    }

    /// Whether a package has this definition, in itself or in a package object.
    pub(super) fn has(&self, repo: &Repo, package: u32, id: GlobalDef) -> bool {
        let Some(package) = self.get(package) else {
            return false;
        };
        let def = repo.def(id);
        let sym = repo.sym_of_name(id.file, def.name);
        let members = package.members.get(&sym);
        members.is_some_and(|all| all.contains(&id))
    }
}

/// The full package of a scope in a `package` with a body; `None` outside of one.
fn package_of_scope(facts: &FileFacts, scope: ScopeId) -> Option<String> {
    let mut names = Vec::new();
    let mut next = Some(scope);
    while let Some(id) = next {
        let here = facts.scope(id);
        if let (ScopeKind::Module, Some(owner)) = (here.kind, here.owner) {
            names.push(facts.name(facts.def(owner).name));
        }
        next = here.parent;
    }
    if names.is_empty() || names.len() > MAX_NAME {
        return None;
    }
    names.extend(facts.package.map(|p| facts.name(p)));
    names.reverse();
    Some(names.join("."))
}

fn joined(outer: &str, name: &str) -> String {
    if outer.is_empty() {
        name.to_owned()
    } else {
        format!("{outer}.{name}")
    }
}
