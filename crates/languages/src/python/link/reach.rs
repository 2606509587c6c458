//! What can be reached by imports, and the methods that exist only once.

use super::modules::{ModuleResolution, Modules};
use super::names::is_common;
use super::stdlib;
use base::facts::*;
use base::{Language, SymbolKind};
use linker::lang::DefinitionChanges;
use linker::repo::{FileId, GDef, Repo, Sym};
use linker::surface::Moved;
use rustc_hash::{FxHashMap, FxHashSet};

/// A search through imports is given up beyond so many files.
const MAX_FILES: usize = 4_000;

/// Imports between files, and the methods with a name of their own.
#[derive(Debug, Default)]
pub(super) struct Reach {
    imports: FxHashMap<FileId, Vec<FileId>>,
    /// By name: the only method, or none where there are several members or functions of that name.
    only: FxHashMap<Sym, Option<GDef>>,
}

impl Reach {
    /// Builds the tables.
    pub(super) fn new(repo: &Repo, modules: &Modules) -> Reach {
        let mut reach = Reach::default();
        let python = repo
            .files()
            .filter(|(_, f)| f.facts.language == Language::Python);
        for (id, file) in python {
            reach.imports.insert(id, imported(repo, modules, id));
            for i in 0..file.facts.defs.len() as u32 {
                let def = GDef {
                    file: id,
                    def: DefId(i),
                };
                reach.note(repo, def);
            }
        }
        reach
    }

    fn note(&mut self, repo: &Repo, id: GDef) {
        let facts = repo.facts(id.file);
        let def = facts.def(id.def);
        if def.flags.has(DefFlags::ANONYMOUS) || is_common(facts.name(def.name)) {
            return;
        }
        let name = repo.global(id.file, def.name);
        let method = def.kind == SymbolKind::Method && !def.flags.has(DefFlags::LOCAL);
        match self.only.get_mut(&name) {
            None => {
                self.only.insert(name, method.then_some(id));
            }
            // Overloads, setters and conditional ones are the same method.
            Some(Some(known)) if known.file == id.file && method => {
                let same = facts.def(known.def).parent == def.parent;
                if !same {
                    self.only.insert(name, None);
                }
            }
            Some(known) => *known = None,
        }
    }

    /// Follows definitions of a file whose indexes moved.
    pub(super) fn follow(&mut self, file: FileId, moved: &Moved) {
        moved.each(file, self.only.values_mut().flatten());
    }

    /// Looks again for the only methods of names under which definitions came or went.
    pub(super) fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) {
        for name in news.names {
            self.only.remove(name);
        }
        for (_, def) in news.named(repo) {
            self.note(repo, def);
        }
    }

    /// Whether the imports of a file lead to the files to which they led.
    pub(super) fn is_as_before(&self, repo: &Repo, modules: &Modules, file: FileId) -> bool {
        let now = imported(repo, modules, file);
        let set = |files: &[FileId]| files.iter().copied().collect::<FxHashSet<FileId>>();
        let before = self.imports.get(&file);
        before.is_some_and(|before| set(before) == set(&now))
    }

    /// The only method of that name, if the file can reach it.
    pub(super) fn only_method(&self, repo: &Repo, file: FileId, name: &str) -> Option<GDef> {
        let found = (*self.only.get(&repo.sym(name)?)?)?;
        self.reaches(file, found.file).then_some(found)
    }

    fn reaches(&self, from: FileId, to: FileId) -> bool {
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

/// The files that a file's imports run or may run.
fn imported(repo: &Repo, modules: &Modules, file: FileId) -> Vec<FileId> {
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
            0 => modules.absolute(file, path, stdlib::is_module(first)),
            level => modules.relative(file, level, path),
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
    // Fixtures come from the folders' own files.
    let mut next = modules.of_file(file);
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
