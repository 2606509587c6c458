//! The definitions of each name, and the one that a file means.

use super::{C, STANDARD, STANDARD_NAMES, preference};
use crate::c::facts::conditions;
use crate::definitions::DefinitionsByName;
use base::facts::*;
use base::{Language, SymbolKind};
use linker::eval::{Eval, MANY};
use linker::lang::DefinitionChanges;
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::surface::IndexRemap;
use linker::ty::Entity;
use rustc_hash::FxHashMap;

/// Steps through includes in one step of fuel.
const FOLLOWED_IN_A_STEP: usize = 128;

/// Bytes of paths that are ranked in one step of fuel.
const PATH_IN_A_STEP: usize = 8;

/// Definitions that other files may refer to, by name.
pub(super) struct Names {
    defs: DefinitionsByName,
    /// Files that declare a variable which another file defines.
    declared: FxHashMap<Sym, Vec<FileId>>,
}

impl Names {
    pub(super) fn new(repo: &Repo) -> Names {
        let mut names = Names {
            defs: DefinitionsByName::default(),
            declared: FxHashMap::default(),
        };
        for (file, source) in repo.files() {
            let facts = &*source.facts;
            if facts.language.family() != Language::C {
                continue;
            }
            for def in 0..facts.defs.len() as u32 {
                let id = GlobalDef {
                    file,
                    def: DefId(def),
                };
                if let Some(name) = global_name(repo, id) {
                    names.defs.add(name, id);
                }
            }
            names.add_declared(repo, file, |_| true);
        }
        names
    }

    pub(super) fn follow(&mut self, file: FileId, moved: &IndexRemap) {
        self.defs.follow(file, moved);
    }

    pub(super) fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) {
        self.defs.renew(news, |id| global_name(repo, id));
        for name in news.names {
            self.declared.remove(name);
        }
        for file in news.files {
            self.add_declared(repo, *file, |name| news.names.contains(&name));
        }
    }

    /// Adds the variables that a file declares and another one defines.
    fn add_declared(&mut self, repo: &Repo, file: FileId, fits: impl Fn(Sym) -> bool) {
        for export in &repo.facts(file).exports {
            let Exported::Local(name) = export.what else {
                continue;
            };
            let name = repo.sym_of_name(file, name);
            if fits(name) {
                self.declared.entry(name).or_default().push(file);
            }
        }
    }

    fn defs(&self, name: Sym) -> &[GlobalDef] {
        self.defs.get(name)
    }
}

/// The name of a definition that other files may refer to.
fn global_name(repo: &Repo, id: GlobalDef) -> Option<Sym> {
    let facts = repo.facts(id.file);
    let def = facts.def(id.def);
    is_global(facts, def).then(|| repo.sym_of_name(id.file, def.name))
}

/// Whether a definition can be referred to by its name alone: definitions outside of types and functions, and types and
/// constants inside types.
pub(crate) fn is_global(facts: &FileFacts, def: &Def) -> bool {
    if def.flags.has(DefFlags::ANONYMOUS) || def.flags.has(DefFlags::LOCAL) {
        return false;
    }
    let Some(parent) = def.parent.map(|parent| facts.def(parent)) else {
        return def.callable.as_ref().is_none_or(|c| c.receiver.is_none());
    };
    match def.kind {
        SymbolKind::EnumMember => true,
        kind if kind.is_type() => facts.language == Language::C && !parent.kind.is_callable(),
        _ => false,
    }
}

/// Whether a file sees the definitions of another.
type IsVisible<'a> = &'a dyn Fn(FileId, FileId) -> bool;

/// Whether a name can mean this definition in a namespace.
fn is_of(def: &Def, namespace: Namespace) -> bool {
    let is_type = def.kind.is_type() || def.kind == SymbolKind::TypeAlias;
    is_type == (namespace == Namespace::TYPE)
}

fn is_prototype(def: &Def) -> bool {
    def.kind.is_callable() && def.flags.has(DefFlags::DECLARATION_ONLY)
}

/// Whether no two definitions are of different files.
fn are_of_one_file(defs: &[GlobalDef]) -> bool {
    defs.windows(2).all(|two| two[0].file == two[1].file)
}

pub(crate) fn is_macro(def: &Def) -> bool {
    // C's constants are macros or variables.
    def.kind == SymbolKind::Macro || def.kind == SymbolKind::Constant && def.ty.is_none()
}

/// Whether other files can use it after declaring it.
fn has_linkage(def: &Def) -> bool {
    let is_static = def.visibility == base::Visibility::Private;
    let kind = matches!(
        def.kind,
        SymbolKind::Function | SymbolKind::Variable | SymbolKind::Constant
    );
    kind && !is_static && !is_prototype(def)
}

impl C {
    /// The entity that a name means in a file.
    pub(crate) fn seen(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: Sym,
        namespace: Namespace,
    ) -> Entity {
        // A macro that another file undefines at its end cannot be seen from here.
        let is_there = |repo: &Repo, d: GlobalDef| d.file == file || !is_gone(repo, d);
        self.seen_of(ev, file, name, namespace, &is_there)
    }

    /// As [`C::seen`], in a place where the file has undefined the macros of that name.
    pub(super) fn seen_without_macros(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: Sym,
        namespace: Namespace,
    ) -> Entity {
        let is_there = |repo: &Repo, d: GlobalDef| !is_macro(repo.def(d));
        self.seen_of(ev, file, name, namespace, &is_there)
    }

    /// As [`C::seen`], among the definitions that `is_there` accepts.
    fn seen_of(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: Sym,
        namespace: Namespace,
        is_there: &dyn Fn(&Repo, GlobalDef) -> bool,
    ) -> Entity {
        let all = self.names.defs(name);
        if !ev.spend_on_namesakes(all.len()) {
            return Entity::Unknown;
        }
        let repo = ev.repo;
        let of_kind = all.iter().copied();
        let fits = |d: &GlobalDef| is_of(repo.def(*d), namespace) && is_there(repo, *d);
        let of_kind: Vec<GlobalDef> = of_kind.filter(fits).collect();
        if namespace == Namespace::TYPE {
            return self.seen_type(repo, file, of_kind);
        }
        let reads = |from: FileId, to: FileId| self.includes.reads(from, to);
        if let Some(found) = self.seen_value(ev, file, name, &of_kind, &reads) {
            return found;
        }
        let text = repo.sym_text(name);
        if is_standard(text) {
            return Entity::external(STANDARD, text);
        }
        // Definitions that only other systems have.
        let sees = |from: FileId, to: FileId| self.includes.sees(from, to);
        if let Some(found) = self.seen_value(ev, file, name, &of_kind, &sees) {
            return found;
        }
        let sees = |d: &GlobalDef| d.file == file || self.includes.sees(file, d.file);
        let seen: Vec<GlobalDef> = of_kind.into_iter().filter(sees).collect();
        preference::first_in_usual_build(repo, &seen).map_or(Entity::Unknown, Entity::def)
    }

    fn seen_type(&self, repo: &Repo, file: FileId, all: Vec<GlobalDef>) -> Entity {
        let own = |d: &GlobalDef| d.file == file;
        let mut seen: Vec<GlobalDef> = all.iter().copied().filter(own).collect();
        if seen.is_empty() {
            let sees = |d: &GlobalDef| self.includes.sees(file, d.file);
            seen = all.iter().copied().filter(sees).collect();
        }
        let is_type = |d: &GlobalDef| repo.def(*d).kind != SymbolKind::TypeAlias;
        if seen.is_empty() {
            // The definition of a struct may be visible only to its users.
            let types: Vec<GlobalDef> = all.into_iter().filter(is_type).collect();
            return match types[..] {
                [one] => Entity::def(one),
                _ => Entity::Unknown,
            };
        }
        // Types come before aliases of them.
        if seen.iter().any(is_type) {
            seen.retain(is_type);
        }
        let first = preference::first_in_usual_build(repo, &seen);
        first.map_or(Entity::Unknown, Entity::def)
    }

    /// The function, variable, constant or macro that a name means in a file, in a usual build; `None` if the file sees
    /// no such name. `sees` tells which headers count.
    fn seen_value(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: Sym,
        all: &[GlobalDef],
        sees: IsVisible<'_>,
    ) -> Option<Entity> {
        let repo = ev.repo;
        let is_present = |d: &&GlobalDef| !preference::is_absent(repo, **d);
        let whole = |d: &GlobalDef| !is_prototype(repo.def(*d));
        let present: Vec<GlobalDef> = all.iter().filter(is_present).copied().collect();
        let is_seen = |d: &GlobalDef| d.file == file || sees(file, d.file);
        let seen: Vec<GlobalDef> = present.into_iter().filter(is_seen).collect();
        let nearest: Vec<GlobalDef> = seen.iter().copied().filter(whole).collect();
        if let Some(found) = self.nearest(file, &nearest) {
            let found = if is_macro(repo.def(found)) {
                self.macro_in_force(ev, file, &seen)?
            } else {
                found
            };
            return Some(Entity::defs(alternatives(repo, found, &seen)));
        }
        let mut places: Vec<FileId> = seen.iter().map(|d| d.file).collect();
        let elsewhere = self
            .names
            .declared
            .get(&name)
            .map_or(&[][..], |files| files);
        // Any number of files may declare a variable that one file defines, and the visibility of each file is checked.
        if !ev.spend(elsewhere.len() / MANY) {
            return Some(Entity::Unknown);
        }
        let elsewhere = elsewhere.iter();
        places.extend(elsewhere.filter(|f| **f == file || sees(file, **f)));
        if places.is_empty() {
            return None;
        }
        // For each definition, the visibility of the declarations from its file is checked.
        if !ev.spend(places.len() * all.len()) {
            return Some(Entity::Unknown);
        }
        let Some(linked) = self.linked(ev, file, &places, all) else {
            return Some(Entity::Unknown);
        };
        if !linked.is_empty() {
            return Some(Entity::defs(linked));
        }
        // The definition is outside the repository.
        seen.first().map(|d| Entity::def(*d))
    }

    /// The first definition that a file comes to, of some that it sees. The file itself is nearest.
    fn nearest(&self, file: FileId, seen: &[GlobalDef]) -> Option<GlobalDef> {
        let all = seen.iter().copied();
        let own = all.clone().filter(|d| d.file == file).min();
        if own.is_some() {
            return own;
        }
        if are_of_one_file(seen) {
            return all.min();
        }
        all.min_by_key(|d| (self.includes.order(file, d.file), *d))
    }

    /// The macro of that name that is defined after all headers of a file.
    pub(super) fn macro_of_header(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: Sym,
    ) -> Option<GlobalDef> {
        let all = self.names.defs(name);
        if !ev.spend_on_namesakes(all.len()) {
            return None;
        }
        let repo = ev.repo;
        let is_left = |d: &GlobalDef| {
            d.file != file
                && is_macro(repo.def(*d))
                && !preference::is_absent(repo, *d)
                && self.includes.reads(file, d.file)
                && !is_gone(repo, *d)
        };
        let seen: Vec<GlobalDef> = all.iter().copied().filter(is_left).collect();
        self.macro_in_force(ev, file, &seen)
    }

    /// The macro of a name that is in force after a file has read all its headers. That is the last definition. Of definitions
    /// in `#ifndef NAME`, it is the first. None if the C library has the name and only some builds replace it by a macro.
    fn macro_in_force(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        seen: &[GlobalDef],
    ) -> Option<GlobalDef> {
        let repo = ev.repo;
        let macros = seen.iter().copied().filter(|d| is_macro(repo.def(*d)));
        let macros: Vec<GlobalDef> = macros.collect();
        let is_of_one_file = are_of_one_file(&macros);
        let rank = |d: &GlobalDef| {
            let is_first = preference::has_condition(repo, *d, conditions::UNLESS);
            let read = if is_of_one_file {
                0
            } else {
                self.includes.read_before(file, d.file)
            };
            // Of definitions in `#ifndef NAME` the first counts, of all others the last. That holds within one file, too.
            let place = |d: GlobalDef| (read, d.file.0, d.def.0);
            let in_order = place(*d);
            let from_behind = {
                let (read, file, def) = in_order;
                (u32::MAX - read, u32::MAX - file, u32::MAX - def)
            };
            (is_first, if is_first { in_order } else { from_behind })
        };
        let found = macros.iter().copied().min_by_key(rank)?;
        let is_sure =
            !preference::is_open(repo, found) && self.includes.reads_for_sure(file, found.file);
        let in_file = macros.iter().filter(|d| d.file == found.file).count();
        let is_foreign = !is_sure && in_file < 2 && is_standard(repo.def_name(found));
        (!is_foreign).then_some(found)
    }

    /// The definitions that a declaration leads to; `None` if the search would take too long.
    fn linked(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        declared_in: &[FileId],
        all: &[GlobalDef],
    ) -> Option<Vec<GlobalDef>> {
        let repo = ev.repo;
        let linkage = |d: &GlobalDef| has_linkage(repo.def(*d));
        let candidates: Vec<GlobalDef> = all.iter().copied().filter(linkage).collect();
        if candidates.len() < 2 {
            return Some(candidates);
        }
        // Each is ranked by the words of its path.
        let paths = candidates.iter().map(|d| repo.file(d.file).path.len());
        if !ev.spend(paths.sum::<usize>() / PATH_IN_A_STEP) {
            return None;
        }
        let has_other_place = declared_in.iter().any(|place| *place != file);
        for candidate in candidates.iter().filter(|_| has_other_place) {
            let steps = self.includes.steps(candidate.file);
            if !ev.spend(steps / FOLLOWED_IN_A_STEP) {
                return None;
            }
        }
        let sees = |from: FileId, to: FileId| self.includes.sees(from, to);
        let best = preference::best_definitions(
            repo,
            &self.systems,
            file,
            declared_in,
            &candidates,
            &sees,
        );
        Some(best)
    }

    /// The preferred definitions for a declaration in a file of C or C++.
    pub(crate) fn built_with(
        &self,
        repo: &Repo,
        declared_in: FileId,
        candidates: &[GlobalDef],
    ) -> Vec<GlobalDef> {
        let sees = |from: FileId, to: FileId| self.includes.sees(from, to);
        let places = [declared_in];
        preference::best_definitions(repo, &self.systems, declared_in, &places, candidates, &sees)
    }

    /// The definition of a name that a source does not see itself. A file that includes this source and others may see it.
    pub(super) fn seen_in_unit(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: Sym,
    ) -> Option<GlobalDef> {
        let all = self.names.defs(name);
        let units = self.includes.units_of(file);
        if units.is_empty() || !ev.spend_on_namesakes(all.len() * units.len()) {
            return None;
        }
        let repo = ev.repo;
        let fits =
            |d: &GlobalDef| is_of(repo.def(*d), Namespace::VALUE) && !is_prototype(repo.def(*d));
        units.iter().find_map(|unit| {
            let seen = all.iter().copied().filter(fits);
            let seen = seen.filter(|d| self.includes.reads(*unit, d.file));
            self.nearest(*unit, &seen.collect::<Vec<GlobalDef>>())
        })
    }

    /// The only definition of a name that a file calls without a visible declaration.
    pub(super) fn unseen(&self, ev: &mut Eval<'_>, name: Sym) -> Option<GlobalDef> {
        let all = self.names.defs(name);
        if !ev.spend_on_namesakes(all.len()) {
            return None;
        }
        let repo = ev.repo;
        let fits = |d: &GlobalDef| {
            let def = repo.def(*d);
            def.kind == SymbolKind::Macro || def.kind.is_callable() && has_linkage(def)
        };
        let fitting: Vec<GlobalDef> = all.iter().copied().filter(fits).collect();
        match preference::in_usual_build(repo, &fitting)[..] {
            [one] => Some(one),
            _ => None,
        }
    }
}

/// The state of the macros of a name at a place of a file.
pub(super) enum MacroAt {
    /// Unknown: the file undefines no macro of that name, or the build decides.
    Unknown,
    /// This one is defined.
    Given(GlobalDef),
    /// None is defined.
    Gone,
    /// A macro of a header is defined. The file undefines it further down.
    OfHeader,
}

/// The state of the macros of a name at a byte of a file that undefines the name somewhere.
pub(super) fn macro_at(repo: &Repo, file: FileId, name: NameId, at: u32) -> MacroAt {
    let found = repo.binding_at(file, FILE_SCOPE, name, at, Namespace::MACRO);
    match found.map(|binding| binding.to) {
        Some(Bound::Def(def)) => {
            let found = GlobalDef { file, def };
            if preference::is_open(repo, found) {
                MacroAt::Unknown
            } else {
                MacroAt::Given(found)
            }
        }
        Some(Bound::Local { .. }) => MacroAt::Gone,
        Some(_) => MacroAt::Unknown,
        None => {
            let mut all = repo.bindings_named(file, FILE_SCOPE, name);
            let first = all.find(|binding| binding.namespace == Namespace::MACRO);
            match first.map(|binding| binding.to) {
                Some(Bound::Local { .. }) => MacroAt::OfHeader,
                _ => MacroAt::Unknown,
            }
        }
    }
}

/// Whether a macro is not defined at the end of its file.
fn is_gone(repo: &Repo, d: GlobalDef) -> bool {
    let name = repo.def(d).name;
    is_macro(repo.def(d)) && matches!(macro_at(repo, d.file, name, u32::MAX), MacroAt::Gone)
}

/// A definition. If a switch of the build decides whether it exists, also the definitions that replace it in other builds.
fn alternatives(repo: &Repo, found: GlobalDef, seen: &[GlobalDef]) -> Vec<GlobalDef> {
    let is_open = |d: GlobalDef| preference::is_open(repo, d);
    if !is_open(found) {
        return vec![found];
    }
    let is_macro_itself = is_macro(repo.def(found));
    let is_alternative = |d: &GlobalDef| {
        let def = repo.def(*d);
        d.file == found.file
            && is_macro(def) == is_macro_itself
            && !is_prototype(def)
            && is_open(*d)
    };
    seen.iter().copied().filter(is_alternative).collect()
}

pub(crate) fn is_standard(name: &str) -> bool {
    STANDARD_NAMES.has("names", name) || name.starts_with("__builtin_")
}
