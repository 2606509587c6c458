//! The functions and variables of each name, and those that a file means.

use super::Shell;
use crate::definitions::DefinitionsByName;
use base::facts::*;
use base::{Language, SymbolKind};
use linker::eval::Eval;
use linker::lang::DefinitionChanges;
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::surface::IndexRemap;
use linker::ty::Entity;

/// Most files of one name of which the nearest is looked for. Among more, the name is ambiguous.
const MOST_COMPARED: usize = 8;

/// The kind of what a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SymbolSpace {
    Functions,
    Variables,
}

/// The name of a definition, unless a test has it: no other test can call it.
fn name_outside_tests(repo: &Repo, id: GlobalDef) -> Option<Sym> {
    let facts = repo.facts(id.file);
    let mut around = std::iter::successors(Some(id.def), |def| facts.def(*def).parent);
    let is_of_test = around.any(|def| facts.def(def).flags.has(DefFlags::TEST));
    (!is_of_test).then(|| repo.sym_of_name(id.file, facts.def(id.def).name))
}

/// The functions and variables of all scripts, by name.
pub(super) struct Names {
    defs: DefinitionsByName,
}

impl Names {
    pub(super) fn new(repo: &Repo) -> Names {
        let mut names = Names {
            defs: DefinitionsByName::default(),
        };
        for (file, source) in repo.files() {
            if source.facts.language != Language::Shell {
                continue;
            }
            for def in 0..source.facts.defs.len() as u32 {
                let id = GlobalDef {
                    file,
                    def: DefId(def),
                };
                if let Some(name) = name_outside_tests(repo, id) {
                    names.defs.add(name, id);
                }
            }
        }
        names
    }

    pub(super) fn follow(&mut self, file: FileId, moved: &IndexRemap) {
        self.defs.follow(file, moved);
    }

    pub(super) fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) {
        self.defs.renew(news, |id| name_outside_tests(repo, id));
    }

    fn defs(&self, name: Sym) -> &[GlobalDef] {
        self.defs.get(name)
    }

    /// Whether any script has a function of that name.
    pub(super) fn is_function(&self, repo: &Repo, name: Sym) -> bool {
        let mut defs = self.defs(name).iter();
        defs.any(|def| is_wanted(repo, *def, SymbolSpace::Functions))
    }
}

fn is_wanted(repo: &Repo, def: GlobalDef, wanted: SymbolSpace) -> bool {
    let is_function = repo.def(def).kind == SymbolKind::Function;
    is_function == (wanted == SymbolSpace::Functions)
}

/// What a scope of a file binds a name to, as it is at a byte of the file.
pub(super) fn own(
    ev: &mut Eval<'_>,
    file: FileId,
    (scope, name): (ScopeId, NameId),
    at: u32,
) -> Vec<GlobalDef> {
    let repo = ev.repo;
    let named = repo.bindings_named(file, scope, name);
    if !ev.spend_on_namesakes(named.len()) {
        return Vec::new();
    }
    let seen = named.filter(|binding| binding.from <= at);
    let defs = seen.filter_map(|binding| match binding.to {
        Bound::Def(def) => Some(GlobalDef { file, def }),
        _ => None,
    });
    in_force(repo, defs.collect())
}

/// Of some definitions of a name in one file, in order, those that may be in force when all of them were read. A function counts
/// before an alias. One that is sure to be defined replaces those before it. One in a function is there once that function ran; a
/// test of Bats runs as a script does.
fn in_force(repo: &Repo, defs: Vec<GlobalDef>) -> Vec<GlobalDef> {
    let is_alias = |d: &GlobalDef| repo.def(*d).flags.has(DefFlags::ALIAS);
    let has_function = !defs.iter().all(is_alias);
    let is_test = |file, def| repo.def(GlobalDef { file, def }).flags.has(DefFlags::TEST);
    let is_inside = |d: &GlobalDef| {
        let parent = repo.def(*d).parent;
        parent.is_some_and(|parent| !is_test(d.file, parent))
    };
    let mut found: Vec<GlobalDef> = Vec::new();
    for def in defs {
        if has_function && is_alias(&def) {
            continue;
        }
        let is_sure = !is_inside(&def) && !repo.def(def).flags.has(DefFlags::CONDITIONAL);
        if is_sure {
            found.retain(is_inside);
        }
        found.push(def);
    }
    found
}

impl Shell {
    /// What a name means that the file itself does not define: that of a file that it sources, else that of the programs which
    /// source it.
    pub(super) fn elsewhere(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: Sym,
        wanted: SymbolSpace,
    ) -> Entity {
        let repo = ev.repo;
        let all = self.names.defs(name);
        if !ev.spend_on_namesakes(all.len()) {
            return Entity::Unknown;
        }
        let others = all
            .iter()
            .copied()
            .filter(|d| d.file != file && is_wanted(repo, *d, wanted));
        let others: Vec<GlobalDef> = others.collect();
        if !ev.spend(others.len() * self.sources.steps(file)) {
            return Entity::Unknown;
        }
        let seen = others.iter().copied();
        let seen = seen.filter(|d| self.sources.leads(file, d.file));
        let found = self.nearest(repo, seen.collect());
        if !found.is_empty() {
            return Entity::defs(found);
        }
        let brought = others.iter().copied();
        let brought = brought.filter(|d| self.sources.is_brought(file, d.file));
        Entity::defs(self.nearest(repo, brought.collect()))
    }

    /// The definitions in force, without those in files that are sourced by another file of them: that one was read later.
    fn nearest(&self, repo: &Repo, defs: Vec<GlobalDef>) -> Vec<GlobalDef> {
        let mut files: Vec<FileId> = defs.iter().map(|d| d.file).collect();
        files.dedup();
        if (2..=MOST_COMPARED).contains(&files.len()) {
            let all = files.clone();
            let leads = |from: FileId, to: FileId| from != to && self.sources.leads(from, to);
            files.retain(|file| {
                let mut before = all.iter();
                !before.any(|other| leads(*other, *file) && !leads(*file, *other))
            });
        }
        let of = |file: FileId| {
            defs.iter()
                .copied()
                .filter(move |d| d.file == file)
                .collect()
        };
        let found = files.into_iter().flat_map(|file| in_force(repo, of(file)));
        found.collect()
    }
}
