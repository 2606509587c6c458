//! Packages and what they hold: types, functions and properties. The package clause decides, wherever the file is.

use base::Language;
use base::facts::DefFlags;
use linker::lang::DefinitionChanges;
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::surface::IndexRemap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Longest package name whose prefixes count as packages: each prefix is stored in full.
const MAX_NAME: usize = 1_000;

/// A package, or a prefix of one.
pub(super) struct Package {
    /// Its dotted name.
    pub(super) name: Arc<str>,
    /// Definitions at the top level of its files.
    members: FxHashMap<Sym, Vec<GlobalDef>>,
}

/// Every package of the repository.
#[derive(Default)]
pub(super) struct Packages {
    by_name: FxHashMap<Arc<str>, u32>,
    all: Vec<Package>,
    of_file: FxHashMap<FileId, u32>,
    /// Names of types that are inside of others. A name stays when its last type goes.
    nested: FxHashSet<Sym>,
    /// Names of extensions that are members of classes. A name stays when its last extension goes.
    member_extensions: FxHashSet<Sym>,
}

/// The meaning of a dotted name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Qualified {
    /// A type of the repository.
    Type(GlobalDef),
    /// A package of the repository.
    Package(u32),
    /// A name in a package of the repository that does not have it.
    Missing,
    /// Something outside.
    Outside,
}

fn is_of_family(language: Language) -> bool {
    matches!(language, Language::Kotlin | Language::Java)
}

impl Packages {
    /// Reads the package clauses.
    pub(super) fn new(repo: &Repo) -> Packages {
        let mut out = Packages::default();
        for (id, file) in repo.files() {
            if !is_of_family(file.facts.language) {
                continue;
            }
            let name = file.facts.package.map_or("", |p| file.facts.name(p));
            let package = out.intern_package(name);
            out.of_file.insert(id, package);
            for def in repo.top_level(id) {
                let sym = repo.sym_of_name(id, repo.def(def).name);
                let members = &mut out.all[package as usize].members;
                members.entry(sym).or_default().push(def);
            }
            out.note_names(repo, id);
        }
        out
    }

    fn note_names(&mut self, repo: &Repo, id: FileId) {
        let facts = repo.facts(id);
        for def in facts.defs.iter().filter(|def| def.parent.is_some()) {
            if def.kind.is_type() || def.kind == base::SymbolKind::TypeAlias {
                self.nested.insert(repo.sym_of_name(id, def.name));
            } else if def.flags.has(DefFlags::EXTENSION) {
                self.member_extensions
                    .insert(repo.sym_of_name(id, def.name));
            }
        }
    }

    /// Updates definitions of a file whose indexes moved.
    pub(super) fn follow(&mut self, file: FileId, moved: &IndexRemap) {
        if let Some(package) = self.package_of_file(file) {
            let members = &mut self.all[package as usize].members;
            moved.remap_all(file, members.values_mut().flatten());
        }
    }

    /// Updates the table after definitions were added and removed.
    pub(super) fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) {
        for package in &mut self.all {
            for name in news.names {
                if let Some(members) = package.members.get_mut(name) {
                    members.retain(IndexRemap::is_live);
                    if members.is_empty() {
                        package.members.remove(name);
                    }
                }
            }
        }
        for id in news.fresh {
            let def = repo.def(*id);
            let Some(package) = self.package_of_file(id.file) else {
                continue;
            };
            let name = repo.sym_of_name(id.file, def.name);
            if def.parent.is_some() {
                self.nested.insert(name);
                self.member_extensions.insert(name);
                continue;
            }
            let members = self.all[package as usize].members.entry(name).or_default();
            members.push(*id);
            // In order of files, and within a file by appearance.
            members.sort_unstable();
        }
    }

    /// The number of a package; its prefixes get numbers, too.
    fn intern_package(&mut self, name: &str) -> u32 {
        if let Some(index) = self.by_name.get(name) {
            return *index;
        }
        let prefix = name.rsplit_once('.').map(|(prefix, _)| prefix);
        if let Some(prefix) = prefix.filter(|_| name.len() <= MAX_NAME) {
            self.intern_package(prefix);
        }
        let index = self.all.len() as u32;
        let name: Arc<str> = name.into();
        self.all.push(Package {
            name: name.clone(),
            members: FxHashMap::default(),
        });
        self.by_name.insert(name, index);
        index
    }

    pub(super) fn get(&self, index: u32) -> Option<&Package> {
        self.all.get(index as usize)
    }

    /// The package of that name.
    pub(super) fn find_package(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).copied()
    }

    /// The package of a file.
    pub(super) fn package_of_file(&self, file: FileId) -> Option<u32> {
        self.of_file.get(&file).copied()
    }

    /// Definitions at the top level of a package.
    pub(super) fn members(&self, package: u32, name: Sym) -> &[GlobalDef] {
        let package = self.get(package);
        let members = package.and_then(|package| package.members.get(&name));
        members.map_or(&[], |members| members)
    }

    /// Whether the package itself has files, not only packages whose names it begins.
    pub(super) fn has_members(&self, package: u32) -> bool {
        self.get(package).is_some_and(|p| !p.members.is_empty())
    }

    /// Whether some type inside of another one may have this name.
    pub(super) fn may_be_nested(&self, name: Sym) -> bool {
        self.nested.contains(&name)
    }

    /// Whether some member of a class may be an extension with this name.
    pub(super) fn may_extend_in_class(&self, name: Sym) -> bool {
        self.member_extensions.contains(&name)
    }

    /// The meaning of a dotted name: the longest package first, then types and those inside of them.
    pub(super) fn resolve(&self, repo: &Repo, name: &str, near: FileId) -> Qualified {
        if let Some(package) = self.find_package(name) {
            return Qualified::Package(package);
        }
        let mut cut = name.len().min(MAX_NAME);
        while !name.is_char_boundary(cut) {
            cut -= 1;
        }
        while let Some(dot) = name[..cut].rfind('.') {
            cut = dot;
            let Some(package) = self.find_package(&name[..dot]) else {
                continue;
            };
            let found = self.nested_type(repo, package, &name[dot + 1..], near);
            return match found {
                Some(found) => Qualified::Type(found),
                None if self.has_members(package) => Qualified::Missing,
                None => Qualified::Outside,
            };
        }
        let root = self.find_package("");
        match root.and_then(|root| self.nested_type(repo, root, name, near)) {
            Some(found) => Qualified::Type(found),
            None => Qualified::Outside,
        }
    }

    fn nested_type(
        &self,
        repo: &Repo,
        package: u32,
        path: &str,
        near: FileId,
    ) -> Option<GlobalDef> {
        let mut segments = path.split('.');
        let first = repo.find_sym(segments.next()?)?;
        let types = self.members(package, first).iter().copied();
        let types = types.filter(|def| is_type(repo, *def));
        let types: Vec<GlobalDef> = types.take(super::MAX_NAMESAKES).collect();
        let mut at = super::nearest(repo, near, types)?;
        for segment in segments {
            at = nested(repo, at, repo.find_sym(segment)?)?;
        }
        Some(at)
    }
}

/// Whether a definition is a type or an alias of one.
pub(super) fn is_type(repo: &Repo, def: GlobalDef) -> bool {
    let kind = repo.def(def).kind;
    kind.is_type() || kind == base::SymbolKind::TypeAlias
}

/// The type of that name directly inside another.
pub(super) fn nested(repo: &Repo, class: GlobalDef, name: Sym) -> Option<GlobalDef> {
    let named = repo.children_named(class, name);
    if named.len() > super::MAX_NAMESAKES {
        return None;
    }
    let mut named = named;
    named.find(|def| is_type(repo, *def))
}
