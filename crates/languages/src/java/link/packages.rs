//! Packages and their types. The package clause decides, wherever the file is.

use base::Language;
use linker::fuel::NAMESAKES;
use linker::lang::DefinitionChanges;
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::surface::IndexRemap;
use linker::ty::External;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Longest package name whose prefixes count as packages: each prefix is stored in full.
const MAX_NAME: usize = 1_000;

/// With at most this many types of one name, each is compared.
const FEW_TYPES: usize = 16;

/// A package, or a prefix of one.
pub(super) struct Package {
    /// Its dotted name.
    pub(super) name: Arc<str>,
    /// Top-level types; several if source roots contain the same one.
    types: FxHashMap<Sym, Vec<GlobalDef>>,
    /// Its `package-info.java`.
    pub(super) file: Option<FileId>,
}

/// Every package of the repository.
#[derive(Default)]
pub(super) struct Packages {
    by_name: FxHashMap<Arc<str>, u32>,
    all: Vec<Package>,
    of_file: FxHashMap<FileId, u32>,
}

/// The meaning of a dotted name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NameResolution {
    /// A type of the repository.
    Type(GlobalDef),
    /// A package of the repository.
    Package(u32),
    /// Something outside.
    External(External),
    /// A name in a package of the repository that does not have it.
    Missing,
}

impl Packages {
    /// Reads the package clauses.
    pub(super) fn new(repo: &Repo) -> Packages {
        let mut out = Packages::default();
        for (id, file) in repo.files() {
            if file.facts.language != Language::Java {
                continue;
            }
            let name = file.facts.package.map_or("", |p| file.facts.name(p));
            let package = out.intern_package(name);
            out.of_file.insert(id, package);
            let entry = &mut out.all[package as usize];
            if file.path.ends_with("/package-info.java") {
                entry.file = entry.file.or(Some(id));
            }
            for def in repo.top_level(id) {
                if repo.def(def).kind.is_type() {
                    let sym = repo.sym_of_name(id, repo.def(def).name);
                    entry.types.entry(sym).or_default().push(def);
                }
            }
        }
        out
    }

    /// Updates definitions of a file whose indexes moved.
    pub(super) fn follow(&mut self, file: FileId, moved: &IndexRemap) {
        if let Some(package) = self.package_of_file(file) {
            let types = &mut self.all[package as usize].types;
            moved.remap_all(file, types.values_mut().flatten());
        }
    }

    /// Updates the table after definitions were added and removed.
    pub(super) fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) {
        for package in &mut self.all {
            for name in news.names {
                if let Some(types) = package.types.get_mut(name) {
                    types.retain(IndexRemap::is_live);
                    if types.is_empty() {
                        package.types.remove(name);
                    }
                }
            }
        }
        for id in news.fresh {
            let def = repo.def(*id);
            let package = self
                .package_of_file(id.file)
                .filter(|_| def.parent.is_none());
            let (Some(package), true) = (package, def.kind.is_type()) else {
                continue;
            };
            let name = repo.sym_of_name(id.file, def.name);
            let types = self.all[package as usize].types.entry(name).or_default();
            types.push(*id);
            // In order of files, and within a file by name and appearance.
            types.sort_unstable();
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
            types: FxHashMap::default(),
            file: None,
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

    /// A top-level type of a package; of several, the one whose file is nearest to `near`.
    pub(super) fn find_type(
        &self,
        repo: &Repo,
        package: u32,
        name: Sym,
        near: FileId,
    ) -> Option<GlobalDef> {
        let types = self.get(package)?.types.get(&name)?;
        if let [one] = types[..] {
            return Some(one);
        }
        let here = &repo.file(near).path;
        if types.len() > FEW_TYPES {
            return nearest_type(repo, types, here);
        }
        types
            .iter()
            .copied()
            .rev()
            .max_by_key(|t| common_segment_count(here, &repo.file(t.file).path))
    }

    /// The meaning of a dotted name in a file: the longest package first, then nested types.
    pub(super) fn resolve_qualified(
        &self,
        repo: &Repo,
        name: &str,
        near: FileId,
    ) -> NameResolution {
        if let Some(package) = self.find_package(name) {
            return NameResolution::Package(package);
        }
        // Longer package names have no recorded prefixes.
        let mut cut = floor_char_boundary(name, MAX_NAME);
        while let Some(dot) = name[..cut].rfind('.') {
            cut = dot;
            let Some(package) = self.find_package(&name[..dot]) else {
                continue;
            };
            return self
                .find_nested_type(repo, package, &name[dot + 1..], near)
                .map_or(NameResolution::Missing, NameResolution::Type)
                .or_external(self, package, name);
        }
        NameResolution::External(split_external_name(name))
    }

    /// `Outer.Inner` in a package.
    fn find_nested_type(
        &self,
        repo: &Repo,
        package: u32,
        path: &str,
        near: FileId,
    ) -> Option<GlobalDef> {
        let mut segments = path.split('.');
        let first = repo.find_sym(segments.next()?)?;
        let mut at = self.find_type(repo, package, first, near)?;
        for segment in segments {
            at = find_member_type(repo, at, repo.find_sym(segment)?)?;
        }
        Some(at)
    }
}

impl NameResolution {
    /// A name that is missing in a package without types (`org`, `com.acme`) counts as external.
    fn or_external(self, packages: &Packages, package: u32, name: &str) -> NameResolution {
        let holds = packages.get(package).is_some_and(|p| !p.types.is_empty());
        match self {
            NameResolution::Missing if !holds => {
                NameResolution::External(split_external_name(name))
            }
            other => other,
        }
    }
}

/// The type of that name directly inside another.
pub(super) fn find_member_type(repo: &Repo, class: GlobalDef, name: Sym) -> Option<GlobalDef> {
    let mut named = repo.children_named(class, name);
    if named.len() > NAMESAKES {
        return None;
    }
    named.find(|d| repo.def(*d).kind.is_type())
}

/// An external dotted name: the package ends before the first capital.
pub(super) fn split_external_name(name: &str) -> External {
    let mut at = 0;
    for segment in name.split('.') {
        if segment.starts_with(|c: char| c.is_uppercase()) {
            break;
        }
        at += segment.len() + 1;
    }
    if at == 0 || at > name.len() {
        return match name.rsplit_once('.') {
            Some((package, symbol)) if at > 0 => External::new(package, symbol),
            _ if at == 0 => External::new("", name),
            _ => External::new(name, ""),
        };
    }
    External::new(&name[..at - 1], &name[at..])
}

/// A name that was resolved segment by segment (`java` and `util.List`), split like [`split_external_name`].
pub(super) fn normalize_external(spelled: &External) -> External {
    let starts_low = spelled.symbol.starts_with(|c: char| c.is_lowercase());
    if starts_low && spelled.symbol.contains('.') && !spelled.package.contains('.') {
        return split_external_name(&format!("{}.{}", spelled.package, spelled.symbol));
    }
    spelled.clone()
}

/// The type whose file path shares the longest prefix with `here`; `types` are sorted by path.
fn nearest_type(repo: &Repo, types: &[GlobalDef], here: &str) -> Option<GlobalDef> {
    let path = |t: &GlobalDef| &*repo.file(t.file).path;
    let first_from = |start: &str| types.partition_point(|t| path(t) < start);
    if let Some(same) = types.get(first_from(here)).filter(|t| path(t) == here) {
        return Some(*same);
    }
    let folders = here
        .rmatch_indices('/')
        .map(|(at, _)| here[..=at].to_owned());
    let mut folders = std::iter::once(format!("{here}/")).chain(folders);
    let below = |folder: &String| {
        let found = types.get(first_from(folder));
        found
            .filter(|t| path(t).starts_with(folder.as_str()))
            .copied()
    };
    folders
        .find_map(|folder| below(&folder))
        .or(types.first().copied())
}

/// The largest character boundary up to `most`.
fn floor_char_boundary(text: &str, most: usize) -> usize {
    let most = most.min(text.len());
    (0..=most)
        .rfind(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

fn common_segment_count(a: &str, b: &str) -> usize {
    a.split('/')
        .zip(b.split('/'))
        .take_while(|(a, b)| a == b)
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn external_names_are_split_before_the_first_capital() {
        assert_eq!(
            split_external_name("java.util.Map.Entry"),
            External::new("java.util", "Map.Entry")
        );
        assert_eq!(split_external_name("Foo.Bar"), External::new("", "Foo.Bar"));
        assert_eq!(
            split_external_name("org.junit"),
            External::new("org", "junit")
        );
    }
}
