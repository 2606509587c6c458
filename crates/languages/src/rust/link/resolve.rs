//! Resolves paths: `a::b::c` through `use`, re-exports, globs, extern crates and the prelude.

use super::Rust;
use super::globs::GlobLookup;
use super::modules::Extern;
use super::modules::split_use_path;
use super::prelude;
use base::facts::*;
use base::{Language, SymbolKind, Visibility};
use linker::fuel::{Fuel, MANY};
use linker::repo::{FileId, GlobalDef, Repo};
use linker::ty::{Entity, ModuleId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;

/// Module numbers from here on stand for the names with which `::name` can begin in a crate.
const EXTERN: u32 = 1 << 30;
/// Longest chain of re-exports.
const MAX_STEPS: usize = 24;

/// A name of a module in a namespace.
type Member = (u32, String, Namespace);

/// The active questions, so that cyclic re-exports end, and the names that are known to be missing.
pub(super) struct ResolutionTrail {
    imports: Vec<(FileId, ImportId, Namespace)>,
    members: Vec<Member>,
    /// Names that were not found, with the asking module, and the length of the chain from which on that holds: a
    /// search that was cut may succeed on a shorter chain. An entry that depends on an active question holds as long as
    /// that one finds nothing.
    missing: FxHashMap<(Member, u32), usize>,
    /// The same entries in the order of the questions.
    noted: Vec<(Member, u32)>,
    /// Whether the last answer was cut for lack of length or fuel.
    cut: bool,
    /// Whether globs lead to several things of the name.
    is_ambiguous: bool,
    fuel: Rc<Fuel>,
}

/// A scope whose globs are to be followed.
struct OpenGlobs {
    place: (FileId, ScopeId),
    /// The module around it.
    module: u32,
    /// Whether those that are private count.
    is_inside: bool,
    distance: usize,
}

/// A search through globs: the scopes whose globs are still to be followed, with their distance, and what was found.
struct GlobSearch {
    open: VecDeque<OpenGlobs>,
    /// Modules, each with whether all its globs are followed.
    seen: FxHashSet<(u32, bool)>,
    all: Vec<Entity>,
    /// Whether no condition chooses between the globs.
    is_certain: bool,
}

impl Default for GlobSearch {
    fn default() -> GlobSearch {
        GlobSearch {
            open: VecDeque::new(),
            seen: FxHashSet::default(),
            all: Vec::new(),
            is_certain: true,
        }
    }
}

impl GlobSearch {
    fn found(&mut self, entity: Entity) {
        if !entity.is_unknown() && !self.all.contains(&entity) {
            self.all.push(entity);
        }
    }
}

/// The state at the start of a question.
struct Checkpoint {
    noted: usize,
    cut: bool,
}

impl ResolutionTrail {
    pub(super) fn new(fuel: &Rc<Fuel>) -> ResolutionTrail {
        ResolutionTrail {
            imports: Vec::new(),
            members: Vec::new(),
            missing: FxHashMap::default(),
            noted: Vec::new(),
            cut: false,
            is_ambiguous: false,
            fuel: fuel.clone(),
        }
    }

    /// A trail for a question of its own, with the same limits.
    fn fresh(&self) -> ResolutionTrail {
        ResolutionTrail::new(&self.fuel)
    }

    /// Takes some steps; false if fewer are left.
    fn spend(&mut self, steps: usize) -> bool {
        let goes_on = self.fuel.spend(steps);
        self.cut |= !goes_on;
        goes_on
    }

    /// Takes the steps for `count` definitions that share a name; false if that is too many.
    fn spend_on_namesakes(&mut self, count: usize) -> bool {
        let goes_on = self.fuel.spend_on_namesakes(count);
        self.cut |= !goes_on;
        goes_on
    }

    /// The present length of the chain.
    fn length(&self) -> usize {
        self.imports.len() + self.members.len()
    }

    /// Begins a question; `None` if the chain is too long.
    fn begin_question(&mut self, length: usize) -> Option<Checkpoint> {
        if length > MAX_STEPS || !self.fuel.enter_level() {
            self.cut = true;
            return None;
        }
        Some(Checkpoint {
            noted: self.noted.len(),
            cut: std::mem::take(&mut self.cut),
        })
    }

    /// Ends a question. If it found something, names that were missing on the way may exist after all.
    fn end_question(&mut self, begun: &Checkpoint, found: &Entity) {
        self.fuel.leave_level();
        if !found.is_unknown() {
            for missing in self.noted.drain(begun.noted..) {
                self.missing.remove(&missing);
            }
        }
        self.cut |= begun.cut;
    }
}

pub(super) fn module_entity(index: u32) -> Entity {
    Entity::Module(ModuleId {
        family: Language::Rust,
        index,
    })
}

impl Rust {
    /// Definitions as an entity; a module's definition becomes the module.
    pub(super) fn defs_entity(&self, repo: &Repo, defs: Vec<GlobalDef>) -> Entity {
        let found = defs.iter().find_map(|d| match repo.def(*d).kind {
            SymbolKind::Module => self.modules.module_of_def(*d),
            _ => None,
        });
        match found {
            Some(index) => module_entity(index),
            None => Entity::defs(defs),
        }
    }

    /// The entity that an import binds.
    pub(super) fn resolve_use(
        &self,
        repo: &Repo,
        file: FileId,
        id: ImportId,
        namespace: Namespace,
        trail: &mut ResolutionTrail,
    ) -> Entity {
        let key = (file, id, namespace);
        if trail.imports.contains(&key) {
            return Entity::Unknown;
        }
        let Some(begun) = trail.begin_question(trail.imports.len()) else {
            return Entity::Unknown;
        };
        trail.imports.push(key);
        let facts = repo.facts(file);
        let import = facts.import(id);
        let found = match self.modules.module_of_scope(repo, file, import.scope) {
            Some(at) => self.resolve_use_in_module(repo, at, facts, import, namespace, trail),
            None => Entity::Unknown,
        };
        trail.imports.pop();
        trail.end_question(&begun, &found);
        found
    }

    /// Two imports can bind one name in different namespaces (a macro and a function). This is the entity that another
    /// import of that name in the same scope binds.
    pub(super) fn resolve_use_beside(
        &self,
        repo: &Repo,
        file: FileId,
        id: ImportId,
        namespace: Namespace,
        fuel: &Rc<Fuel>,
    ) -> Entity {
        let import = repo.facts(file).import(id);
        let Some(local) = import.local else {
            return Entity::Unknown;
        };
        let beside = repo.bindings_named(file, import.scope, local);
        if !fuel.spend_on_namesakes(beside.len()) {
            return Entity::Unknown;
        }
        for binding in beside {
            if let Bound::Import(other) = binding.to
                && other != id
            {
                let trail = &mut ResolutionTrail::new(fuel);
                let found = self.resolve_use(repo, file, other, namespace, trail);
                if !found.is_unknown() {
                    return found;
                }
            }
        }
        Entity::Unknown
    }

    fn resolve_use_in_module(
        &self,
        repo: &Repo,
        at: u32,
        facts: &FileFacts,
        import: &Import,
        namespace: Namespace,
        trail: &mut ResolutionTrail,
    ) -> Entity {
        let path = facts.name(import.module);
        let mut segments: Vec<&str> = split_use_path(path);
        match import.what {
            Imported::Name(name) => {
                segments.push(facts.name(name));
                self.resolve_use_path(repo, at, &segments, namespace, trail)
            }
            Imported::Glob => self.resolve_use_path(repo, at, &segments, Namespace::TYPE, trail),
            Imported::Module => match import.owner.filter(|_| import.local.is_none()) {
                Some(_) => Entity::Unknown,
                None => self.resolve_extern_crate(at, path),
            },
            _ => Entity::Unknown,
        }
    }

    /// The meaning of a path in a `use` declaration of module `at`.
    pub(super) fn resolve_use_path(
        &self,
        repo: &Repo,
        at: u32,
        path: &[&str],
        namespace: Namespace,
        trail: &mut ResolutionTrail,
    ) -> Entity {
        let Some((first, rest)) = path.split_first() else {
            return Entity::Unknown;
        };
        let first_namespace = match rest {
            [] => namespace,
            _ => Namespace::TYPE,
        };
        let mut entity = match *first {
            "crate" | "$crate" => module_entity(self.modules.crate_root(at)),
            "self" => module_entity(at),
            "super" => self.parent_module(at),
            "::" => module_entity(EXTERN + self.modules.all[at as usize].krate),
            name => self
                .resolve_extern_crate(at, name)
                .or_else(|| self.resolve_in_module(repo, at, name, first_namespace, at, trail))
                .or_else(|| {
                    let root = self.modules.crate_root(at);
                    self.resolve_in_module(repo, root, name, first_namespace, at, trail)
                }),
        };
        for (i, name) in rest.iter().enumerate() {
            let namespace = if i + 1 == rest.len() {
                namespace
            } else {
                Namespace::TYPE
            };
            entity = self.resolve_segment(repo, &entity, name, namespace, at, trail);
        }
        entity
    }

    fn parent_module(&self, at: u32) -> Entity {
        let parent = self.modules.all.get(at as usize).and_then(|m| m.parent);
        parent.map_or(Entity::Unknown, module_entity)
    }

    /// Resolves one further segment.
    fn resolve_segment(
        &self,
        repo: &Repo,
        entity: &Entity,
        name: &str,
        namespace: Namespace,
        from: u32,
        trail: &mut ResolutionTrail,
    ) -> Entity {
        match entity {
            Entity::Module(m) => {
                self.resolve_in_module(repo, m.index, name, namespace, from, trail)
            }
            Entity::External(external) => Entity::External(external.member(name)),
            Entity::Defs(defs) => {
                let Some(sym) = repo.find_sym(name) else {
                    return Entity::Unknown;
                };
                let owner = defs.iter().find(|d| repo.def(**d).kind.is_type());
                let owner = owner
                    .copied()
                    .or_else(|| self.resolve_alias(repo, *defs.first()?, trail));
                let Some(owner) = owner else {
                    return Entity::Unknown;
                };
                let named = repo.children_named(owner, sym);
                if trail.spend_on_namesakes(named.len()) {
                    Entity::defs(named.collect())
                } else {
                    Entity::Unknown
                }
            }
            _ => Entity::Unknown,
        }
    }

    /// The type of an alias.
    pub(super) fn resolve_alias(
        &self,
        repo: &Repo,
        alias: GlobalDef,
        trail: &ResolutionTrail,
    ) -> Option<GlobalDef> {
        if !trail.fuel.enter_level() {
            return None;
        }
        let found = self.resolve_alias_inner(repo, alias, trail);
        trail.fuel.leave_level();
        found
    }

    fn resolve_alias_inner(
        &self,
        repo: &Repo,
        alias: GlobalDef,
        trail: &ResolutionTrail,
    ) -> Option<GlobalDef> {
        let mut next = alias;
        for _ in 0..8 {
            let def = repo.def(next);
            if def.kind != SymbolKind::TypeAlias {
                return Some(next);
            }
            match self.resolve_written_type(repo, next.file, def.ty?, trail) {
                Entity::Defs(defs) => next = *defs.first()?,
                _ => return None,
            }
        }
        None
    }

    /// The meaning of a written type's path, without references.
    pub(super) fn resolve_written_type(
        &self,
        repo: &Repo,
        file: FileId,
        ty: TypeId,
        trail: &ResolutionTrail,
    ) -> Entity {
        match repo.facts(file).ty(ty) {
            TypeExpr::Named {
                path, scope, at, ..
            } => self.resolve_path_in_scope(repo, file, path, (*scope, *at), trail),
            TypeExpr::Reference(inner) => self.resolve_written_type(repo, file, *inner, trail),
            TypeExpr::All(parts) => match parts.first() {
                Some(first) => self.resolve_written_type(repo, file, *first, trail),
                None => Entity::Unknown,
            },
            _ => Entity::Unknown,
        }
    }

    fn resolve_path_in_scope(
        &self,
        repo: &Repo,
        file: FileId,
        path: &[NameId],
        (scope, at): (ScopeId, u32),
        trail: &ResolutionTrail,
    ) -> Entity {
        let Some((first, rest)) = path.split_first() else {
            return Entity::Unknown;
        };
        let trail = &mut trail.fresh();
        let bound = repo
            .lookup(file, *first, scope, at, Namespace::TYPE, true)
            .map(|b| b.to);
        let mut entity = match bound {
            Some(Bound::Def(def)) => self.defs_entity(repo, vec![GlobalDef { file, def }]),
            Some(Bound::Import(import)) => {
                self.resolve_use(repo, file, import, Namespace::TYPE, trail)
            }
            Some(_) => return Entity::Unknown,
            None => self.resolve_unbound(repo, file, *first, scope, Namespace::TYPE, &trail.fuel),
        };
        let home = self.modules.module_of_scope(repo, file, scope).unwrap_or(0);
        for name in rest {
            let name = repo.facts(file).name(*name);
            entity = self.resolve_segment(repo, &entity, name, Namespace::TYPE, home, trail);
        }
        entity
    }

    /// An extern crate by the name that paths of module `at` use.
    fn resolve_extern_crate(&self, at: u32, name: &str) -> Entity {
        let Some(home) = self.modules.all.get(at as usize) else {
            return Entity::Unknown;
        };
        self.resolve_crate_extern(home.krate, name)
    }

    fn resolve_crate_extern(&self, krate: u32, name: &str) -> Entity {
        let externs = &self.modules.crates[krate as usize].externs;
        match externs.get(name.strip_prefix("::").unwrap_or(name)) {
            Some(Extern::Crate(other)) => module_entity(self.modules.crates[*other as usize].root),
            Some(Extern::Package(package)) => Entity::external(package, ""),
            None => Entity::Unknown,
        }
    }

    /// A name of a module, as visible to code in module `from`.
    pub(super) fn resolve_in_module(
        &self,
        repo: &Repo,
        at: u32,
        name: &str,
        namespace: Namespace,
        from: u32,
        trail: &mut ResolutionTrail,
    ) -> Entity {
        if at >= EXTERN {
            return self.resolve_crate_extern(at - EXTERN, name);
        }
        match name {
            "self" => return module_entity(at),
            "super" => return self.parent_module(at),
            "crate" => return module_entity(self.modules.crate_root(at)),
            _ => {}
        }
        let key = (at, name.to_owned(), namespace);
        if trail.members.contains(&key) {
            return Entity::Unknown;
        }
        let key = (key, from);
        let length = trail.length();
        if let Some(missing_from) = trail.missing.get(&key).filter(|from| **from <= length) {
            trail.cut |= *missing_from > 0;
            return Entity::Unknown;
        }
        let Some(begun) = trail.begin_question(trail.members.len()) else {
            return Entity::Unknown;
        };
        trail.members.push(key.0.clone());
        let found = self
            .resolve_bound_in_module(repo, at, name, namespace, from, trail)
            .or_else(|| self.resolve_exported_macro(repo, at, name, namespace, &trail.fuel))
            .or_else(|| self.resolve_via_module_globs(repo, at, name, namespace, from, trail));
        trail.members.pop();
        if found.is_unknown() {
            let missing_from = if trail.cut { length.max(1) } else { 0 };
            trail.missing.insert(key.clone(), missing_from);
            trail.noted.push(key);
        }
        trail.end_question(&begun, &found);
        found
    }

    fn resolve_bound_in_module(
        &self,
        repo: &Repo,
        at: u32,
        name: &str,
        namespace: Namespace,
        from: u32,
        trail: &mut ResolutionTrail,
    ) -> Entity {
        if namespace.intersects(Namespace::TYPE)
            && let Some(child) = self.modules.undeclared_child(at, name)
        {
            return module_entity(child);
        }
        let Some(sym) = repo.find_sym(name) else {
            return Entity::Unknown;
        };
        let bindings = self.modules.bindings.get(at, sym);
        let count = bindings.map_or(0, Vec::len);
        if !trail.spend_on_namesakes(count) {
            return Entity::Unknown;
        }
        // Of several bindings of the name, conditions may exclude the module.
        if namespace.intersects(Namespace::TYPE)
            && let Some(child) = self.modules.child(at, sym)
            && (count < 2 || !self.is_module_excluded(repo, at, bindings))
        {
            return module_entity(child);
        }
        let Some(bindings) = bindings else {
            return Entity::Unknown;
        };
        let home = &self.modules.all[at as usize];
        let facts = repo.facts(home.file);
        let is_visible = |to: &Bound| match is_hidden(facts, *to, namespace) {
            Some(hidden) => !hidden || self.modules.is_within(from, at),
            None => false,
        };
        let bound = bindings.iter().filter(|b| b.0.intersects(namespace));
        let bound: Vec<Bound> = bound.map(|b| b.1).filter(is_visible).collect();
        let bound = self.keep_built_bindings(repo, home.file, bound);
        self.resolve_alternatives(repo, home.file, &bound, namespace, trail)
    }

    /// Whether a build excludes the modules that a module binds to a name.
    fn is_module_excluded(
        &self,
        repo: &Repo,
        at: u32,
        bindings: Option<&Vec<(Namespace, Bound)>>,
    ) -> bool {
        let file = self.modules.all[at as usize].file;
        let facts = repo.facts(file);
        let modules = bindings
            .into_iter()
            .flatten()
            .filter_map(|(_, to)| match to {
                Bound::Def(def) if facts.def(*def).kind == SymbolKind::Module => Some(*def),
                _ => None,
            });
        let mut modules = modules.peekable();
        modules.peek().is_some()
            && modules.all(|def| self.is_excluded_from_build(repo, GlobalDef { file, def }))
    }

    fn resolve_exported_macro(
        &self,
        repo: &Repo,
        at: u32,
        name: &str,
        namespace: Namespace,
        fuel: &Fuel,
    ) -> Entity {
        let krate = self.modules.all[at as usize].krate;
        if !namespace.intersects(Namespace::MACRO) || self.modules.crates[krate as usize].root != at
        {
            return Entity::Unknown;
        }
        let all = self.find_macros(repo, krate, name, fuel);
        let exported = all.iter().copied();
        let exported = exported.filter(|d| repo.def(*d).flags.has(DefFlags::EXPORTED));
        match all[..] {
            // A surrounding macro may export it.
            [one] => Entity::def(one),
            _ => Entity::defs(exported.collect()),
        }
    }

    /// The macros of a crate under a name in a default build; if there are none, all.
    fn find_macros(&self, repo: &Repo, krate: u32, name: &str, fuel: &Fuel) -> Vec<GlobalDef> {
        let macros = repo.find_sym(name);
        let macros = macros.and_then(|sym| self.modules.macros.get(&(krate, sym)));
        let macros = macros.filter(|all| fuel.spend_on_namesakes(all.len()));
        let mut all = macros.cloned().unwrap_or_default();
        if all.len() > 1 && !all.iter().all(|d| self.is_excluded_from_build(repo, *d)) {
            all.retain(|d| !self.is_excluded_from_build(repo, *d));
        }
        all
    }

    /// A name through the glob imports of a module, if they can lead to it.
    fn resolve_via_module_globs(
        &self,
        repo: &Repo,
        at: u32,
        name: &str,
        namespace: Namespace,
        from: u32,
        trail: &mut ResolutionTrail,
    ) -> Entity {
        let home = &self.modules.all[at as usize];
        if !self.modules.globs.contains_key(&(home.file, home.scope)) {
            return Entity::Unknown;
        }
        match self.find_via_globs(repo, at, name, namespace, from, trail) {
            GlobLookup::Nowhere => Entity::Unknown,
            GlobLookup::In(holder) => {
                self.resolve_in_module(repo, holder, name, namespace, from, trail)
            }
            GlobLookup::Maybe => {
                let place = (home.file, home.scope);
                self.resolve_via_scope_globs(repo, place, name, namespace, from, trail)
            }
        }
    }

    /// The result of following the globs of a module to a name.
    fn find_via_globs(
        &self,
        repo: &Repo,
        at: u32,
        name: &str,
        namespace: Namespace,
        from: u32,
        trail: &mut ResolutionTrail,
    ) -> GlobLookup {
        let Some(sym) = repo.find_sym(name) else {
            return GlobLookup::Maybe;
        };
        let graph = &self.globs;
        if namespace.intersects(Namespace::MACRO) && graph.is_macro(sym) {
            return GlobLookup::Maybe;
        }
        let bindings = &self.modules.bindings;
        let all = bindings.holders_of(sym);
        if !trail.spend(all.len() / MANY) {
            return GlobLookup::Nowhere;
        }
        let mut holders = Vec::new();
        for holder in all {
            let facts = repo.facts(self.modules.all[*holder as usize].file);
            let bound = bindings.get(*holder, sym).into_iter().flatten();
            let bound = bound.filter(|b| b.0.intersects(namespace));
            let hidden: Vec<bool> = bound
                .filter_map(|b| is_hidden(facts, b.1, namespace))
                .collect();
            if hidden.contains(&false) {
                holders.push((*holder, hidden.len() > 1));
            } else if hidden.contains(&true) && self.modules.is_within(from, *holder) {
                holders.push((*holder, true));
            }
        }
        let is_inside = self.modules.is_within(from, at);
        let (found, steps) = graph.find(at, is_inside, &holders);
        if trail.spend(steps / MANY) {
            found
        } else {
            GlobLookup::Nowhere
        }
    }

    /// A name through the glob imports of one scope. If they lead to different items, the name has no meaning.
    fn resolve_via_scope_globs(
        &self,
        repo: &Repo,
        (file, scope): (FileId, ScopeId),
        name: &str,
        namespace: Namespace,
        from: u32,
        trail: &mut ResolutionTrail,
    ) -> Entity {
        let mut search = GlobSearch::default();
        let module = self.modules.module_of_scope(repo, file, scope);
        let module = module.unwrap_or(from);
        search.open.push_back(OpenGlobs {
            place: (file, scope),
            module,
            is_inside: self.modules.is_within(from, module),
            distance: 0,
        });
        while let Some(here) = search.open.pop_front() {
            let (file, scope) = here.place;
            let Some(globs) = self.modules.globs.get(&(file, scope)) else {
                continue;
            };
            if here.distance > MAX_STEPS {
                trail.cut = true;
                continue;
            }
            if !trail.spend(globs.len() / MANY) {
                return Entity::Unknown;
            }
            let facts = repo.facts(file);
            let globs = globs.iter().map(|glob| Bound::Import(*glob)).collect();
            for glob in self.keep_built_bindings(repo, file, globs) {
                let Bound::Import(glob) = glob else { continue };
                if !here.is_inside && facts.import(glob).visibility == Visibility::Private {
                    continue;
                }
                search.is_certain &= facts.import(glob).condition.is_none();
                let was_ambiguous = trail.is_ambiguous;
                let target = self.resolve_use(repo, file, glob, Namespace::TYPE, trail);
                trail.is_ambiguous = was_ambiguous;
                let module = match &target {
                    // What is outside is not known by name.
                    Entity::External(_) => continue,
                    Entity::Module(module) if module.index < EXTERN => module.index,
                    _ => {
                        let found =
                            self.resolve_segment(repo, &target, name, namespace, from, trail);
                        search.found(found);
                        continue;
                    }
                };
                let is_inside = self.modules.is_within(here.module, module);
                if !search.seen.insert((module, is_inside)) {
                    continue;
                }
                if search.seen.len() % MANY == 0 && !trail.spend(1) {
                    return Entity::Unknown;
                }
                match self.resolve_own_in_module(repo, module, name, namespace, from, trail) {
                    Some(found) => search.found(found),
                    None => {
                        let inner = &self.modules.all[module as usize];
                        search.open.push_back(OpenGlobs {
                            place: (inner.file, inner.scope),
                            module,
                            is_inside,
                            distance: here.distance + 1,
                        });
                    }
                }
            }
        }
        self.glob_found(repo, search.all, search.is_certain, trail)
    }

    /// A name that a module binds other than by its globs; `None` if it does not.
    fn resolve_own_in_module(
        &self,
        repo: &Repo,
        at: u32,
        name: &str,
        namespace: Namespace,
        from: u32,
        trail: &mut ResolutionTrail,
    ) -> Option<Entity> {
        let key = (at, name.to_owned(), namespace);
        if trail.members.contains(&key) {
            return Some(Entity::Unknown);
        }
        let begun = trail.begin_question(trail.members.len())?;
        trail.members.push(key);
        let found = self
            .resolve_bound_in_module(repo, at, name, namespace, from, trail)
            .or_else(|| self.resolve_exported_macro(repo, at, name, namespace, &trail.fuel));
        trail.members.pop();
        trail.end_question(&begun, &found);
        (!found.is_unknown()).then_some(found)
    }

    /// What globs make of a name: the only thing that they found. Several are an error, unless conditions choose.
    fn glob_found(
        &self,
        repo: &Repo,
        found: Vec<Entity>,
        is_certain: bool,
        trail: &mut ResolutionTrail,
    ) -> Entity {
        let is_plain = |entity: &Entity| match entity {
            Entity::Module(_) => true,
            Entity::Defs(defs) => defs.iter().all(|d| {
                let def = repo.def(*d);
                let around = def.parent.map(|above| repo.facts(d.file).def(above));
                let is_chosen = |def: &Def| {
                    def.condition.is_some()
                        || def.flags.has(DefFlags::CONDITIONAL)
                        || def.flags.has(DefFlags::FROM_MACRO)
                };
                !is_chosen(def) && !around.is_some_and(is_chosen)
            }),
            _ => false,
        };
        let several = found.len() > 1 && is_certain && found.iter().all(is_plain);
        if several {
            trail.is_ambiguous = true;
            return Entity::Unknown;
        }
        found.into_iter().next().unwrap_or_default()
    }

    /// The meaning of a name that no scope of its file binds.
    pub(super) fn resolve_unbound(
        &self,
        repo: &Repo,
        file: FileId,
        name: NameId,
        scope: ScopeId,
        namespace: Namespace,
        fuel: &Rc<Fuel>,
    ) -> Entity {
        let Some(at) = self.modules.module_of_scope(repo, file, scope) else {
            return Entity::Unknown;
        };
        let text = repo.facts(file).name(name);
        match text {
            "crate" | "$crate" => return module_entity(self.modules.crate_root(at)),
            "self" => return module_entity(at),
            "super" => return self.parent_module(at),
            "::" => return module_entity(EXTERN + self.modules.all[at as usize].krate),
            _ => {}
        }
        let trail = &mut ResolutionTrail::new(fuel);
        let found = self
            .resolve_via_globs(repo, file, text, scope, at, namespace, trail)
            .or_else(|| self.resolve_textual_macro(repo, at, text, namespace, fuel));
        if !found.is_unknown() || trail.is_ambiguous {
            return found;
        }
        let outside = if namespace.intersects(Namespace::TYPE) {
            self.resolve_extern_crate(at, text)
        } else {
            Entity::Unknown
        };
        outside
            .or_else(|| prelude::resolve_prelude_name(text, namespace))
            .or_else(|| self.resolve_macro_of_extern_crate(repo, at, text, namespace, fuel))
    }

    /// A macro from `#[macro_use] extern crate` in the crate root: a macro that is found nowhere else can only come
    /// from there.
    fn resolve_macro_of_extern_crate(
        &self,
        repo: &Repo,
        at: u32,
        name: &str,
        namespace: Namespace,
        fuel: &Fuel,
    ) -> Entity {
        let Entity::Module(root) = module_entity(self.modules.crate_root(at)) else {
            return Entity::Unknown;
        };
        let Some(root) = self.modules.all.get(root.index as usize) else {
            return Entity::Unknown;
        };
        let facts = repo.facts(root.file);
        if namespace != Namespace::MACRO || !fuel.spend(facts.imports.len() / MANY + 1) {
            return Entity::Unknown;
        }
        let crates = facts
            .imports
            .iter()
            .filter(|i| i.what == Imported::Module && i.owner.is_none() && i.scope == root.scope);
        for import in crates {
            let outer = self.resolve_crate_extern(root.krate, facts.name(import.module));
            if let Entity::Module(module) = outer {
                let found = self.resolve_exported_macro(repo, module.index, name, namespace, fuel);
                if !found.is_unknown() {
                    return found;
                }
            }
        }
        Entity::Unknown
    }

    #[allow(clippy::too_many_arguments)]
    fn resolve_via_globs(
        &self,
        repo: &Repo,
        file: FileId,
        text: &str,
        scope: ScopeId,
        at: u32,
        namespace: Namespace,
        trail: &mut ResolutionTrail,
    ) -> Entity {
        let home = self.modules.all[at as usize].scope;
        let mut next = Some(scope);
        while let Some(id) = next {
            if id == home {
                return self.resolve_in_module(repo, at, text, namespace, at, trail);
            }
            let found = self.resolve_via_scope_globs(repo, (file, id), text, namespace, at, trail);
            if !found.is_unknown() || trail.is_ambiguous {
                return found;
            }
            next = repo.facts(file).scope(id).parent;
        }
        Entity::Unknown
    }

    /// A macro by textual scope: the only one of that name in the crate, or one that a library of the repository
    /// exports.
    fn resolve_textual_macro(
        &self,
        repo: &Repo,
        at: u32,
        name: &str,
        namespace: Namespace,
        fuel: &Fuel,
    ) -> Entity {
        if namespace != Namespace::MACRO {
            return Entity::Unknown;
        }
        let krate = self.modules.all[at as usize].krate;
        match self.find_macros(repo, krate, name, fuel)[..] {
            [one] => Entity::def(one),
            _ => Entity::Unknown,
        }
    }
}

/// Whether a binding of a module is hidden from code outside; `None` for items that paths do not name.
fn is_hidden(facts: &FileFacts, to: Bound, namespace: Namespace) -> Option<bool> {
    match to {
        Bound::Import(id) => Some(facts.import(id).visibility == Visibility::Private),
        Bound::Def(def) => {
            let def = facts.def(def);
            // The visibility of items that a macro produces is unknown.
            let is_private = def.visibility == Visibility::Private;
            let known = !def.flags.has(DefFlags::FROM_MACRO) && namespace != Namespace::MACRO;
            Some(is_private && known)
        }
        _ => None,
    }
}
