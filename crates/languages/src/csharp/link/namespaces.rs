//! Namespaces and their types, projects, and the usings of whole projects.

use super::crowds::{Crowd, common_segments};
use super::parts::Parts;
use super::project::{self, ProjectFile, ProjectUsing, SHARED_FILES};
use base::facts::*;
use base::{Language, SymbolKind, Visibility};
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The global namespace.
pub(super) const GLOBAL: u32 = 0;

/// Maximum length of a namespace whose prefixes count as namespaces. Each prefix is stored in full.
const MAX_NAME: usize = 1_000;

/// With at most this many types of one name in a namespace, they are compared one by one.
const FEW_NAMESAKES: usize = 16;

/// The project number of a file that belongs to no project.
const NO_PROJECT: u32 = u32::MAX;

/// A namespace, or a prefix of one.
pub(super) struct Namespace {
    /// Its dotted name.
    pub(super) name: Arc<str>,
    /// The namespace around it.
    outer: Option<u32>,
    /// The namespaces in it, by the last part of their names.
    inner: FxHashMap<Box<str>, u32>,
    /// Its types, in order of files.
    types: FxHashMap<Sym, Vec<GlobalDef>>,
}

impl Namespace {
    /// The types of each name.
    pub(super) fn types(&self) -> impl Iterator<Item = &[GlobalDef]> {
        self.types.values().map(Vec::as_slice)
    }
}

/// Every namespace of the repository.
pub(super) struct Namespaces {
    by_name: FxHashMap<Arc<str>, u32>,
    all: Vec<Namespace>,
    /// The namespace that each scope of a `namespace` declaration opens.
    of_scope: FxHashMap<(FileId, ScopeId), u32>,
    project_of: FxHashMap<FileId, u32>,
    /// Global usings of each project.
    usings: FxHashMap<u32, Vec<(FileId, ImportId)>>,
    /// The usings in each project's own file (`.csproj`).
    of_project_file: FxHashMap<u32, Vec<ProjectUsing>>,
    /// The namespaces that have a type of each name.
    with_type: FxHashMap<Sym, Vec<u32>>,
    /// The names of all types inside other types.
    nested: FxHashSet<Sym>,
    /// The parts of all dotted names.
    name_parts: FxHashSet<Box<str>>,
    /// Types that share a name and a namespace with many others.
    crowds: FxHashMap<(u32, Sym), Crowd>,
}

impl Namespaces {
    /// Reads the namespaces of all files.
    pub(super) fn new(repo: &Repo) -> Namespaces {
        let mut out = Namespaces {
            by_name: FxHashMap::default(),
            all: Vec::new(),
            of_scope: FxHashMap::default(),
            project_of: FxHashMap::default(),
            usings: FxHashMap::default(),
            of_project_file: FxHashMap::default(),
            with_type: FxHashMap::default(),
            nested: FxHashSet::default(),
            name_parts: FxHashSet::default(),
            crowds: FxHashMap::default(),
        };
        out.intern("");
        let projects = project_folders(repo);
        out.of_project_file = usings_of_projects(repo, &projects);
        for (id, file) in repo.files() {
            if file.facts.language != Language::CSharp {
                continue;
            }
            let project = project_of_path(&projects, &file.path);
            out.project_of.insert(id, project);
            out.read_scopes(repo, id);
            for def in repo.top_level(id) {
                if is_type(repo, def) {
                    let namespace = out.of_definition(repo, def);
                    let sym = repo.sym_of_name(id, repo.def(def).name);
                    let types = &mut out.all[namespace as usize].types;
                    let named = types.entry(sym).or_default();
                    if named.is_empty() {
                        out.with_type.entry(sym).or_default().push(namespace);
                    }
                    named.push(def);
                }
            }
            for def in &file.facts.defs {
                let is_type = def.kind.is_type() || def.kind == SymbolKind::TypeAlias;
                let outer = def.parent.map(|parent| file.facts.def(parent).kind);
                if is_type && outer.is_some_and(|kind| kind.is_type()) {
                    out.nested.insert(repo.sym_of_name(id, def.name));
                }
            }
            for (import, at) in file.facts.imports.iter().zip(0..) {
                if import.visibility == Visibility::Public {
                    let usings = out.usings.entry(project).or_default();
                    usings.push((id, ImportId(at)));
                }
            }
        }
        out.crowds = out.find_crowds(repo);
        out
    }

    fn find_crowds(&self, repo: &Repo) -> FxHashMap<(u32, Sym), Crowd> {
        let mut out = FxHashMap::default();
        for (namespace, at) in self.all.iter().zip(0..) {
            for (name, types) in &namespace.types {
                if types.len() > FEW_NAMESAKES {
                    let crowd = Crowd::new(types, |def| {
                        let count = repo.def(*def).type_params.len();
                        (count, self.project(def.file), &*repo.file(def.file).path)
                    });
                    out.insert((at, *name), crowd);
                }
            }
        }
        out
    }

    fn read_scopes(&mut self, repo: &Repo, file: FileId) {
        let facts = repo.facts(file);
        for (scope, at) in facts.scopes.iter().zip(0..) {
            let (ScopeKind::Module, Some(owner)) = (scope.kind, scope.owner) else {
                continue;
            };
            let outer = scope.parent.map_or(GLOBAL, |p| self.around(repo, file, p));
            let own = facts.name(facts.def(owner).name);
            let outer = &self.all[outer as usize].name;
            let name = if outer.is_empty() || outer.len() > MAX_NAME {
                own.to_owned()
            } else {
                format!("{outer}.{own}")
            };
            let namespace = self.intern(&name);
            self.of_scope.insert((file, ScopeId(at)), namespace);
        }
    }

    fn intern(&mut self, name: &str) -> u32 {
        if let Some(index) = self.by_name.get(name) {
            return *index;
        }
        let (prefix, last) = name.rsplit_once('.').unwrap_or(("", name));
        let outer = if name.is_empty() {
            None
        } else if name.len() <= MAX_NAME {
            Some(self.intern(prefix))
        } else {
            self.find(prefix)
        };
        let index = self.all.len() as u32;
        let name: Arc<str> = name.into();
        self.all.push(Namespace {
            name: name.clone(),
            outer,
            inner: FxHashMap::default(),
            types: FxHashMap::default(),
        });
        if let Some(outer) = outer {
            self.all[outer as usize].inner.insert(last.into(), index);
            self.name_parts.insert(last.into());
        }
        self.by_name.insert(name, index);
        index
    }

    /// The namespace at a scope, or the innermost one around it.
    pub(super) fn around(&self, repo: &Repo, file: FileId, scope: ScopeId) -> u32 {
        let facts = repo.facts(file);
        let mut next = Some(scope);
        while let Some(id) = next {
            if let Some(found) = self.of_scope.get(&(file, id)) {
                return *found;
            }
            next = facts.scope(id).parent;
        }
        GLOBAL
    }

    /// The namespace that a scope opens.
    pub(super) fn of_scope(&self, file: FileId, scope: ScopeId) -> Option<u32> {
        self.of_scope.get(&(file, scope)).copied()
    }

    /// The namespace of a definition.
    pub(super) fn of_definition(&self, repo: &Repo, def: GlobalDef) -> u32 {
        self.around(repo, def.file, repo.def(def).scope)
    }

    pub(super) fn get(&self, index: u32) -> Option<&Namespace> {
        self.all.get(index as usize)
    }

    pub(super) fn all(&self) -> &[Namespace] {
        &self.all
    }

    /// The namespace of that name.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).copied()
    }

    /// The namespace of that dotted name inside another.
    pub(super) fn inside(&self, outer: u32, name: &str) -> Option<u32> {
        if outer == GLOBAL {
            return self.find(name);
        }
        let mut at = outer;
        for part in name.split('.') {
            at = *self.get(at)?.inner.get(part)?;
        }
        Some(at)
    }

    /// The namespace around a namespace.
    pub(super) fn outer(&self, inner: u32) -> Option<u32> {
        self.get(inner)?.outer
    }

    /// The namespaces that have a type of a name.
    pub(super) fn namespaces_with(&self, name: Sym) -> &[u32] {
        self.with_type.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Whether any type inside another type has a name.
    pub(super) fn names_nested_type(&self, name: Sym) -> bool {
        self.nested.contains(&name)
    }

    /// Whether a name is a part of the name of any namespace.
    pub(super) fn is_part_of_name(&self, name: &str) -> bool {
        self.name_parts.contains(name)
    }

    /// The global usings of all projects.
    pub(super) fn all_global_usings(&self) -> impl Iterator<Item = (u32, &[(FileId, ImportId)])> {
        let all = self.usings.iter();
        all.map(|(project, usings)| (*project, usings.as_slice()))
    }

    /// The project of a file.
    pub(super) fn project(&self, file: FileId) -> u32 {
        self.project_of.get(&file).copied().unwrap_or(NO_PROJECT)
    }

    /// The usings in the project file above a source file.
    pub(super) fn usings_of_project_file(&self, file: FileId) -> &[ProjectUsing] {
        let project = self.project(file);
        self.of_project_file.get(&project).map_or(&[], |u| u)
    }

    /// The type with a name and a number of type parameters in a namespace. With `None`, it is the one with the fewest type
    /// parameters. If several files define it, one of the same project or the nearest is taken.
    pub(super) fn find_type(
        &self,
        repo: &Repo,
        parts: &Parts,
        namespace: u32,
        wanted: (Sym, Option<usize>),
        near: FileId,
    ) -> Option<GlobalDef> {
        let found = match self.crowds.get(&(namespace, wanted.0)) {
            Some(crowd) => {
                let here = &repo.file(near).path;
                let path = |def: &GlobalDef| &*repo.file(def.file).path;
                crowd.nearest(wanted.1, self.project(near), here, path)?
            }
            None => {
                let types = self.get(namespace)?.types.get(&wanted.0)?;
                nearest(self, repo, types, wanted.1, near)?
            }
        };
        Some(parts.whole(found))
    }
}

/// Chooses among types of one name the one that a file means.
fn nearest(
    names: &Namespaces,
    repo: &Repo,
    types: &[GlobalDef],
    arity: Option<usize>,
    near: FileId,
) -> Option<GlobalDef> {
    let count = |def: &GlobalDef| repo.def(*def).type_params.len();
    let fitting = types.iter().filter(|def| match arity {
        Some(arity) => count(def) == arity,
        None => true,
    });
    let project = names.project(near);
    let here = &repo.file(near).path;
    fitting
        .min_by_key(|def| {
            let is_far = names.project(def.file) != project;
            let shared = common_segments(here, &repo.file(def.file).path);
            (count(def), is_far, usize::MAX - shared)
        })
        .copied()
}

/// Whether a definition is a type: a class, struct, interface, enum or delegate.
pub(super) fn is_type(repo: &Repo, def: GlobalDef) -> bool {
    let kind = repo.def(def).kind;
    kind.is_type() || kind == SymbolKind::TypeAlias
}

/// The folders that have a project file.
fn project_folders(repo: &Repo) -> FxHashMap<&str, u32> {
    let mut out = FxHashMap::default();
    for (folder, _) in project_files(repo) {
        let next = out.len() as u32;
        out.entry(folder).or_insert(next);
    }
    out
}

/// The project files, each with its folder and its text.
fn project_files(repo: &Repo) -> impl Iterator<Item = (&str, &str)> {
    let files = repo
        .manifests
        .iter()
        .filter(|m| m.path.ends_with(".csproj"));
    files.map(|m| {
        (
            m.path.rsplit_once('/').map_or("", |(folder, _)| folder),
            &*m.text,
        )
    })
}

/// The usings of each project.
fn usings_of_projects(
    repo: &Repo,
    projects: &FxHashMap<&str, u32>,
) -> FxHashMap<u32, Vec<ProjectUsing>> {
    let shared = SHARED_FILES.map(|wanted| {
        let files = repo.manifests.iter().filter_map(|m| {
            let (folder, name) = m.path.rsplit_once('/').unwrap_or(("", &m.path));
            (name == wanted).then(|| (folder, ProjectFile::parse(&m.text)))
        });
        files.collect::<FxHashMap<&str, ProjectFile>>()
    });
    let mut own: FxHashMap<&str, Vec<ProjectFile>> = FxHashMap::default();
    for (folder, text) in project_files(repo) {
        own.entry(folder)
            .or_default()
            .push(ProjectFile::parse(text));
    }
    own.iter()
        .map(|(folder, files)| {
            let shared = shared
                .iter()
                .filter_map(|of_name| nearest_file(of_name, folder));
            let all: Vec<&ProjectFile> = shared.chain(files).collect();
            (projects[folder], project::usings(&all))
        })
        .collect()
}

/// The file in that folder or the nearest one above it.
fn nearest_file<'a>(
    files: &'a FxHashMap<&str, ProjectFile>,
    folder: &str,
) -> Option<&'a ProjectFile> {
    if files.is_empty() {
        return None;
    }
    std::iter::successors(Some(folder), |inner| folder_above(inner))
        .find_map(|folder| files.get(folder))
}

fn folder_above(folder: &str) -> Option<&str> {
    let outer = folder.rsplit_once('/').map_or("", |(outer, _)| outer);
    (!folder.is_empty()).then_some(outer)
}

/// The project of the nearest folder above a file.
fn project_of_path(projects: &FxHashMap<&str, u32>, path: &str) -> u32 {
    let mut folder = path;
    while let Some((above, _)) = folder.rsplit_once('/') {
        if let Some(project) = projects.get(above) {
            return *project;
        }
        folder = above;
    }
    projects.get("").copied().unwrap_or(NO_PROJECT)
}
