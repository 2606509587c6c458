//! Classes, functions and constants of all files by their whole names.

use super::autoload::Autoload;
use base::facts::*;
use base::{Language, SymbolKind};
use linker::lang::DefinitionChanges;
use linker::repo::{FileId, GlobalDef, Repo};
use linker::surface::IndexRemap;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a whole name may mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Class,
    Function,
    Constant,
}

/// Definitions by their whole names, without a leading separator.
#[derive(Default)]
struct ByName(FxHashMap<Box<str>, Vec<GlobalDef>>);

/// The definitions of all files.
#[derive(Default)]
pub(super) struct Tables {
    classes: ByName,
    functions: ByName,
    constants: ByName,
    /// Namespaces that have a class.
    namespaces: FxHashSet<Box<str>>,
    autoload: Autoload,
}

impl Tables {
    pub(super) fn new(repo: &Repo) -> Tables {
        let mut out = Tables {
            autoload: Autoload::new(repo),
            ..Tables::default()
        };
        for (id, file) in repo.files() {
            if file.facts.language == Language::Php {
                for def in repo.top_level(id) {
                    out.add(repo, def);
                }
            }
        }
        out.sort();
        out
    }

    fn add(&mut self, repo: &Repo, id: GlobalDef) {
        let def = repo.def(id);
        let Some(kind) = kind_of(def) else {
            return;
        };
        let namespace = namespace_around(repo.facts(id.file), def.scope);
        let name = repo.def_name(id);
        let whole = if namespace.is_empty() || is_defined_by_call(repo, id) {
            name.into()
        } else {
            format!("{namespace}\\{name}").into_boxed_str()
        };
        if kind == Kind::Class {
            self.namespaces.insert(namespace.into());
        }
        self.by_name_mut(kind).0.entry(whole).or_default().push(id);
    }

    fn sort(&mut self) {
        for kind in [Kind::Class, Kind::Function, Kind::Constant] {
            for defs in self.by_name_mut(kind).0.values_mut() {
                // In order of files, and within a file of appearance.
                defs.sort_unstable();
                defs.dedup();
            }
        }
    }

    fn by_name(&self, kind: Kind) -> &ByName {
        match kind {
            Kind::Class => &self.classes,
            Kind::Function => &self.functions,
            Kind::Constant => &self.constants,
        }
    }

    fn by_name_mut(&mut self, kind: Kind) -> &mut ByName {
        match kind {
            Kind::Class => &mut self.classes,
            Kind::Function => &mut self.functions,
            Kind::Constant => &mut self.constants,
        }
    }

    /// Updates definitions of a file whose indexes moved.
    pub(super) fn follow(&mut self, file: FileId, moved: &IndexRemap) {
        for kind in [Kind::Class, Kind::Function, Kind::Constant] {
            moved.remap_all(file, self.by_name_mut(kind).0.values_mut().flatten());
        }
    }

    /// Updates the tables after definitions were added and removed.
    pub(super) fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) {
        for kind in [Kind::Class, Kind::Function, Kind::Constant] {
            self.by_name_mut(kind).0.retain(|_, defs| {
                defs.retain(IndexRemap::is_live);
                !defs.is_empty()
            });
        }
        for id in news.fresh {
            if repo.def(*id).parent.is_none() {
                self.add(repo, *id);
            }
        }
        self.sort();
        let classes = self.classes.0.keys();
        let namespaces = classes.map(|name| name.rsplit_once('\\').map_or("", |(of, _)| of));
        self.namespaces = namespaces.map(Box::from).collect();
    }

    /// The definition of that whole name; of several, the one that a use in a file means.
    pub(super) fn find(
        &self,
        repo: &Repo,
        kind: Kind,
        name: &str,
        near: FileId,
    ) -> Option<GlobalDef> {
        let defs = self.by_name(kind).0.get(name)?;
        match defs[..] {
            [one] => Some(one),
            _ => self.nearest(repo, name, defs, near),
        }
    }

    /// One of the same file, then the one where the class is loaded from, then the one that is nearest.
    fn nearest(
        &self,
        repo: &Repo,
        name: &str,
        defs: &[GlobalDef],
        near: FileId,
    ) -> Option<GlobalDef> {
        if let Some(own) = defs.iter().find(|d| d.file == near) {
            return Some(*own);
        }
        let loaded = defs
            .iter()
            .find(|d| self.autoload.loads(name, &repo.file(d.file).path));
        if let Some(loaded) = loaded {
            return Some(*loaded);
        }
        let here = &repo.file(near).path;
        let far = |d: &&GlobalDef| {
            let path = &repo.file(d.file).path;
            (usize::MAX - common_segments(here, path), path.len())
        };
        defs.iter().min_by_key(far).copied()
    }

    /// Whether a class of the repository is in a namespace.
    pub(super) fn has_namespace(&self, namespace: &str) -> bool {
        self.namespaces.contains(namespace)
    }
}

fn kind_of(def: &Def) -> Option<Kind> {
    if def.flags.has(DefFlags::ANONYMOUS) {
        return None;
    }
    match def.kind {
        kind if kind.is_type() => Some(Kind::Class),
        SymbolKind::Function => Some(Kind::Function),
        SymbolKind::Constant => Some(Kind::Constant),
        _ => None,
    }
}

/// Whether a constant has a name that `define` gives it: it has no value of its own.
fn is_defined_by_call(repo: &Repo, id: GlobalDef) -> bool {
    let def = repo.def(id);
    def.kind == SymbolKind::Constant && def.value.is_none()
}

/// The namespace at and around a scope; empty for the global one.
pub(super) fn namespace_around(facts: &FileFacts, scope: ScopeId) -> &str {
    let mut next = Some(scope);
    while let Some(id) = next {
        let here = facts.scope(id);
        if here.kind == ScopeKind::Module {
            return here
                .owner
                .map_or("", |owner| facts.name(facts.def(owner).name));
        }
        next = here.parent;
    }
    ""
}

fn common_segments(a: &str, b: &str) -> usize {
    a.split('/')
        .zip(b.split('/'))
        .take_while(|(a, b)| a == b)
        .count()
}
