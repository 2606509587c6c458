//! The files that imports reach, and the methods with unique names.

use super::modules::{ModuleResolution, Modules};
use super::names::is_common_method_name;
use super::stdlib;
use base::facts::*;
use base::{Language, SymbolKind};
use linker::lang::DefinitionChanges;
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::surface::IndexRemap;
use rustc_hash::{FxHashMap, FxHashSet};

/// A search through imports is given up after this many files.
const MAX_FILES: usize = 4_000;

/// Imports between files, and methods with unique names.
#[derive(Debug, Default)]
pub(super) struct ImportReach {
    imports: FxHashMap<FileId, Vec<FileId>>,
    /// The only method of each name; `None` if several members or functions have the name.
    unique_methods: FxHashMap<Sym, Option<GlobalDef>>,
}

impl ImportReach {
    /// Builds the tables.
    pub(super) fn new(repo: &Repo, modules: &Modules) -> ImportReach {
        let mut reach = ImportReach::default();
        let python = repo
            .files()
            .filter(|(_, f)| f.facts.language == Language::Python);
        for (id, file) in python {
            reach.imports.insert(id, imported_files(repo, modules, id));
            for i in 0..file.facts.defs.len() as u32 {
                let def = GlobalDef {
                    file: id,
                    def: DefId(i),
                };
                reach.record_name(repo, def);
            }
        }
        reach
    }

    fn record_name(&mut self, repo: &Repo, id: GlobalDef) {
        let facts = repo.facts(id.file);
        let def = facts.def(id.def);
        if def.flags.has(DefFlags::ANONYMOUS) || is_common_method_name(facts.name(def.name)) {
            return;
        }
        let name = repo.sym_of_name(id.file, def.name);
        let method = def.kind == SymbolKind::Method && !def.flags.has(DefFlags::LOCAL);
        match self.unique_methods.get_mut(&name) {
            None => {
                self.unique_methods.insert(name, method.then_some(id));
            }
            // Overloads, setters and conditional definitions count as the same method.
            Some(Some(known)) if known.file == id.file && method => {
                let same = facts.def(known.def).parent == def.parent;
                if !same {
                    self.unique_methods.insert(name, None);
                }
            }
            Some(known) => *known = None,
        }
    }

    /// Updates definitions of a file whose indexes moved.
    pub(super) fn follow(&mut self, file: FileId, moved: &IndexRemap) {
        moved.remap_all(file, self.unique_methods.values_mut().flatten());
    }

    /// Recomputes the unique methods for names of added and removed definitions.
    pub(super) fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) {
        for name in news.names {
            self.unique_methods.remove(name);
        }
        for (_, def) in news.named(repo) {
            self.record_name(repo, def);
        }
    }

    /// Whether the imports of a file lead to the same files as before.
    pub(super) fn has_same_import_targets(
        &self,
        repo: &Repo,
        modules: &Modules,
        file: FileId,
    ) -> bool {
        let now = imported_files(repo, modules, file);
        let set = |files: &[FileId]| files.iter().copied().collect::<FxHashSet<FileId>>();
        let before = self.imports.get(&file);
        before.is_some_and(|before| set(before) == set(&now))
    }

    /// The only method of that name, if the file reaches it by imports.
    pub(super) fn only_method(&self, repo: &Repo, file: FileId, name: &str) -> Option<GlobalDef> {
        let found = (*self.unique_methods.get(&repo.find_sym(name)?)?)?;
        self.can_reach(file, found.file).then_some(found)
    }

    fn can_reach(&self, from: FileId, to: FileId) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![from];
        while let Some(file) = open.pop() {
            if file == to {
                return true;
            }
            if seen.len() > MAX_FILES {
                return false;
            }
            if seen.insert(file) {
                open.extend(self.imports.get(&file).into_iter().flatten().copied());
            }
        }
        false
    }
}

/// The files that a file's imports run, or may run.
fn imported_files(repo: &Repo, modules: &Modules, file: FileId) -> Vec<FileId> {
    let facts = repo.facts(file);
    let mut out = Vec::new();
    let mut add = |module: u32| {
        let mut next = Some(module);
        while let Some(at) = next {
            let node = modules.node(at);
            out.extend(node.file.or(node.stub));
            next = node.parent;
        }
    };
    for import in &facts.imports {
        let path = facts.name(import.module);
        let first = path.split('.').next().unwrap_or(path);
        let found = match import.level {
            0 => modules.resolve_absolute(file, path, stdlib::is_module(first)),
            level => modules.resolve_relative(file, level, path),
        };
        let ModuleResolution::Module(module) = found else {
            continue;
        };
        add(module);
        if let Imported::Name(name) = import.what
            && let Some(child) = modules.child(module, facts.name(name))
        {
            add(child);
        }
    }
    // Pytest fixtures come from the `conftest.py` of each folder.
    let mut next = modules.module_of_file(file);
    while let Some(at) = next {
        if let Some(fixtures) = modules.child(at, "conftest") {
            out.extend(modules.node(fixtures).file);
        }
        next = modules.node(at).parent;
    }
    out.sort_unstable();
    out.dedup();
    out.retain(|f| *f != file);
    out
}
