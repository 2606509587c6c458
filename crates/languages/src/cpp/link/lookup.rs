//! The meaning of a name at a position. Scopes, classes and namespaces are searched from the inside out.

use super::names::{Brought, Directed, GLOBAL};
use super::{Family, NAMESPACE, standard};
use crate::c::link::{STANDARD, is_standard, preference};
use base::facts::*;
use base::{Language, SymbolKind};
use linker::eval::{Eval, MANY};
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::ty::*;
use rustc_hash::FxHashSet;

/// Maximum depth to which directives of namespaces are followed.
const MOST_BROUGHT: u32 = 4;
/// Maximum number of scopes that are searched for one name.
const MOST_SCOPES: usize = 2_048;
/// Maximum number of enclosing classes that are searched.
const MOST_CLASSES: usize = 16;

/// A name that is looked up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    pub(super) file: FileId,
    pub(super) name: Sym,
    pub(super) namespace: Namespace,
}

/// The definitions of a name that were found in namespaces.
#[derive(Debug, Default)]
struct Collected {
    defs: Vec<GlobalDef>,
    other: Entity,
    /// Whether definitions that a usual build does not have are taken as well.
    takes_absent: bool,
    /// The namespaces that have been searched.
    seen: FxHashSet<u32>,
}

impl Collected {
    fn add(&mut self, entity: Entity) {
        match entity {
            Entity::Defs(defs) => {
                for def in defs.iter() {
                    if !self.defs.contains(def) {
                        self.defs.push(*def);
                    }
                }
            }
            other => {
                if self.other.is_unknown() {
                    self.other = other;
                }
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.defs.is_empty() && self.other.is_unknown()
    }

    fn into_entity(self) -> Entity {
        if self.defs.is_empty() {
            self.other
        } else {
            Entity::defs(self.defs)
        }
    }
}

/// Joins what directives bring with what an outer scope has. If these are not all functions, the directives win.
fn joined(brought: Entity, found: Entity) -> Entity {
    match (&brought, &found) {
        (Entity::Defs(near), Entity::Defs(far)) => {
            let more = far.iter().filter(|def| !near.contains(def));
            Entity::defs(near.iter().chain(more).copied().collect::<Vec<GlobalDef>>())
        }
        (Entity::Unknown, _) => found,
        _ => brought,
    }
}

/// Whether a type depends on a parameter of a template.
fn is_dependent(ty: &Ty, nesting: u32) -> bool {
    let any = |args: &Args| args.iter().any(|arg| is_dependent(arg, nesting + 1));
    match ty {
        _ if nesting > MOST_BROUGHT => false,
        Ty::Param(_, n) => *n != SELF,
        Ty::Instance(_, args) | Ty::Class(_, args) | Ty::ExternalInstance(_, args) => any(args),
        _ => false,
    }
}

/// The entity of a namespace.
pub(super) fn namespace_entity(namespace: u32) -> Entity {
    Entity::Module(ModuleId {
        family: Language::C,
        index: NAMESPACE | namespace,
    })
}

/// Whether a definition is a type, or another name for one.
pub(super) fn is_type(def: &Def) -> bool {
    def.kind.is_type() || def.kind == SymbolKind::TypeAlias
}

impl Family {
    /// The entity that a name denotes, and the receiver of an inherited member. Without `place` no local binding is looked up.
    pub(super) fn find(
        &self,
        ev: &mut Eval<'_>,
        wanted: Wanted,
        scope: ScopeId,
        place: Option<(NameId, u32)>,
    ) -> (Entity, Option<Ty>) {
        let file = wanted.file;
        let repo = ev.repo;
        let text = repo.sym_text(wanted.name);
        match text {
            "::" => return (namespace_entity(GLOBAL), None),
            "this" => return (self.this(ev, file, scope), None),
            _ => {}
        }
        if wanted.namespace == Namespace::TYPE && standard::is_built_in(text) {
            return (standard::built_in_entity(text), None);
        }
        let (mut outside, mut brought) = (Entity::Unknown, Entity::Unknown);
        let mut next = Some(scope);
        let mut steps = 0;
        while let Some(id) = next {
            steps += 1;
            if steps > MOST_SCOPES {
                break;
            }
            if let Some((name, at)) = place
                && let Some(binding) = repo.binding_at(file, id, name, at, wanted.namespace)
            {
                let (home, to) = (binding.scope, binding.to);
                let found = ev.resolve_binding(file, name, home, to, wanted.namespace);
                return (found, None);
            }
            let (found, receiver) = self.in_scope(ev, wanted, id);
            match found {
                Entity::External(_) => outside = outside.or_else(|| found),
                Entity::Unknown => {}
                // A member of a class hides the names that a directive brings.
                found if receiver.is_some() => return (found, receiver),
                found => {
                    let found = self.with_directives_of_file(ev, wanted, id, found);
                    return (joined(brought, found), receiver);
                }
            }
            match self.by_directives(ev, wanted, id) {
                found @ Entity::External(_) => outside = outside.or_else(|| found),
                Entity::Unknown => {}
                // Names that a directive brings stand beside those of the outer namespace that holds both.
                found @ Entity::Defs(_) if brought.is_unknown() => brought = found,
                found if brought.is_unknown() => return (found, None),
                _ => {}
            }
            next = repo.facts(file).scope(id).parent;
        }
        if !ev.spend(steps / MANY) {
            return (Entity::Unknown, None);
        }
        if !brought.is_unknown() {
            return (brought, None);
        }
        let found = self.last_resort(ev, wanted);
        (found.or_else(|| outside), None)
    }

    /// The entity of a name in the class or namespace of one scope.
    fn in_scope(&self, ev: &mut Eval<'_>, wanted: Wanted, scope: ScopeId) -> (Entity, Option<Ty>) {
        let file = wanted.file;
        let here = ev.repo.facts(file).scope(scope);
        let owner = here.owner.map(|def| GlobalDef { file, def });
        match (here.kind, owner) {
            (ScopeKind::Class, Some(class)) => self.in_classes_around(ev, wanted, class),
            (ScopeKind::Function, Some(function)) => match self.owner(ev, function) {
                Some(Owner::Class(class)) => self.in_class_and_namespaces(ev, wanted, class),
                Some(Owner::Namespace(namespace)) => {
                    (self.in_namespaces_from(ev, wanted, namespace), None)
                }
                None => (Entity::Unknown, None),
            },
            (ScopeKind::Module, Some(def)) => match self.names.of_def(def) {
                Some(namespace) => (self.in_namespace(ev, wanted, namespace), None),
                None => (Entity::Unknown, None),
            },
            (ScopeKind::File, _) => (self.in_global(ev, wanted), None),
            _ => (Entity::Unknown, None),
        }
    }

    /// Adds the functions that directives of the file bring. The global namespace holds every other, so their names stand beside its
    /// own.
    fn with_directives_of_file(
        &self,
        ev: &mut Eval<'_>,
        wanted: Wanted,
        scope: ScopeId,
        found: Entity,
    ) -> Entity {
        let repo = ev.repo;
        let is_file = repo.facts(wanted.file).scope(scope).kind == ScopeKind::File;
        if !is_file || wanted.namespace == Namespace::TYPE {
            return found;
        }
        let Entity::Defs(own) = &found else {
            return found;
        };
        let is_function = |d: &GlobalDef| repo.def(*d).kind == SymbolKind::Function;
        if !own.iter().all(is_function) {
            return found;
        }
        match self.by_directives(ev, wanted, scope) {
            Entity::Defs(more) if more.iter().all(is_function) => joined(found, Entity::Defs(more)),
            _ => found,
        }
    }

    /// The entity of a name in the namespaces that the directives of a scope name.
    fn by_directives(&self, ev: &mut Eval<'_>, wanted: Wanted, scope: ScopeId) -> Entity {
        let directives = self.names.directives(wanted.file, scope).to_vec();
        let mut all = Collected::default();
        for to in directives {
            self.follow_directive(ev, wanted, to, &mut all, 0);
        }
        all.into_entity()
    }

    /// Searches a class, and for a class that is defined outside (`class A::B {`) also the classes and namespaces in its path.
    fn in_classes_around(
        &self,
        ev: &mut Eval<'_>,
        wanted: Wanted,
        class: GlobalDef,
    ) -> (Entity, Option<Ty>) {
        let found = self.by_name_in_class(ev, wanted, class);
        let is_named_outside = ev.repo.def(class).callable.is_some();
        if !is_named_outside || !matches!(found.0, Entity::Unknown) {
            return found;
        }
        match self.owner(ev, class) {
            Some(Owner::Class(outer)) => self.in_class_and_namespaces(ev, wanted, outer),
            Some(Owner::Namespace(namespace)) => {
                (self.in_namespaces_from(ev, wanted, namespace), None)
            }
            None => found,
        }
    }

    /// Searches a class, the classes around it and the namespaces around these.
    fn in_class_and_namespaces(
        &self,
        ev: &mut Eval<'_>,
        wanted: Wanted,
        class: GlobalDef,
    ) -> (Entity, Option<Ty>) {
        let mut outside = Entity::Unknown;
        let mut next = Some(class);
        let mut outermost = class;
        for _ in 0..MOST_CLASSES {
            let Some(class) = next else { break };
            outermost = class;
            let (found, receiver) = self.by_name_in_class(ev, wanted, class);
            match found {
                Entity::Unknown => {}
                Entity::External(_) => outside = outside.or_else(|| found),
                found => return (found, receiver),
            }
            next = self.outer_class(ev, class);
        }
        let namespace = self.names.around(ev.repo, outermost);
        let found = self.in_namespaces_from(ev, wanted, namespace);
        (found.or_else(|| outside), None)
    }

    /// Searches a namespace and those around it, except the global one.
    fn in_namespaces_from(&self, ev: &mut Eval<'_>, wanted: Wanted, namespace: u32) -> Entity {
        let mut at = namespace;
        while at != GLOBAL {
            let found = self.in_namespace(ev, wanted, at);
            if !found.is_unknown() {
                return found;
            }
            at = self.names.parent(at);
        }
        Entity::Unknown
    }

    /// Searches a class and its base classes. The class is the receiver.
    pub(super) fn in_class(
        &self,
        ev: &mut Eval<'_>,
        wanted: Wanted,
        class: GlobalDef,
    ) -> (Entity, Option<Ty>) {
        let object = ev.identity_instance(class);
        let text = ev.repo.sym_text(wanted.name);
        let (found, owner) = ev.resolve_member(&object, text);
        match found {
            Entity::Defs(defs) => {
                let kept = self.of_namespace(ev.repo, &defs, wanted.namespace);
                (kept, owner.or(Some(object)))
            }
            other => (other, owner),
        }
    }

    /// The same for a name alone, which does not find what bases have that depend on a parameter of a template.
    fn by_name_in_class(
        &self,
        ev: &mut Eval<'_>,
        wanted: Wanted,
        class: GlobalDef,
    ) -> (Entity, Option<Ty>) {
        let order = ev.linearize_definition(class);
        if !order.iter().skip(1).any(|above| is_dependent(above, 0)) {
            return self.in_class(ev, wanted, class);
        }
        let object = ev.identity_instance(class);
        let own = ev.members_declared_by(class, wanted.name);
        if !own.is_empty() {
            return (
                self.of_namespace(ev.repo, &own, wanted.namespace),
                Some(object),
            );
        }
        let text = ev.repo.sym_text(wanted.name);
        for above in ev.supertypes_of(&object) {
            if is_dependent(&above, 0) || !ev.spend(1) {
                continue;
            }
            match ev.resolve_member(&above, text) {
                (Entity::Unknown, _) => {}
                (Entity::Defs(defs), _) => {
                    let kept = self.of_namespace(ev.repo, &defs, wanted.namespace);
                    return (kept, Some(object));
                }
                found => return found,
            }
        }
        (Entity::Unknown, None)
    }

    /// Of what a name denotes, values or types. A constructor stands for its class.
    fn of_namespace(&self, repo: &Repo, defs: &[GlobalDef], namespace: Namespace) -> Entity {
        let is_wanted = |d: &&GlobalDef| is_type(repo.def(**d)) == (namespace == Namespace::TYPE);
        let mut kept: Vec<GlobalDef> = defs.iter().filter(is_wanted).copied().collect();
        if kept.is_empty() && namespace != Namespace::TYPE {
            kept = defs.to_vec();
        }
        if let [first, ..] = kept[..]
            && repo.def(first).kind == SymbolKind::Constructor
            && let Some(def) = repo.def(first).parent
        {
            return Entity::def(GlobalDef { def, ..first });
        }
        Entity::defs(kept)
    }

    /// Searches the global namespace. Definitions of C follow the rules of C.
    pub(super) fn in_global(&self, ev: &mut Eval<'_>, wanted: Wanted) -> Entity {
        let Wanted {
            file,
            name,
            namespace,
        } = wanted;
        ev.memoize_export(file, name, namespace, |ev| {
            let repo = ev.repo;
            if self.names.is_macro(name) && namespace == Namespace::VALUE {
                let found = self.c.seen(ev, file, name, namespace);
                if let Entity::Defs(defs) = &found
                    && defs.iter().all(|d| crate::c::link::is_macro(repo.def(*d)))
                {
                    return found;
                }
            }
            let found = self.in_namespace(ev, wanted, GLOBAL);
            match &found {
                Entity::Defs(defs) if defs.iter().all(|d| repo.language(d.file) == Language::C) => {
                    let of_c = self.c.seen(ev, file, name, namespace);
                    of_c.or_else(|| found)
                }
                // A variable that a C header declares.
                Entity::Unknown if namespace == Namespace::VALUE => {
                    match self.c.seen(ev, file, name, namespace) {
                        Entity::Defs(defs) => Entity::Defs(defs),
                        _ => found,
                    }
                }
                _ => found,
            }
        })
    }

    /// Searches one namespace, its inline namespaces, and the names that it brings.
    pub(super) fn in_namespace(&self, ev: &mut Eval<'_>, wanted: Wanted, namespace: u32) -> Entity {
        let mut all = Collected::default();
        self.collect(ev, wanted, namespace, &mut all, 0);
        if all.is_empty() && self.names.has_members(namespace, wanted.name) {
            all.takes_absent = true;
            all.seen.clear();
            self.collect(ev, wanted, namespace, &mut all, 0);
        }
        if wanted.namespace == Namespace::TYPE {
            self.one_type(ev, wanted, &mut all.defs);
        }
        if all.is_empty()
            && let Some(inner) = self.names.inner(namespace, wanted.name)
        {
            return namespace_entity(inner);
        }
        if all.defs.is_empty() {
            all.other
        } else {
            self.of_namespace(ev.repo, &all.defs, wanted.namespace)
        }
    }

    /// Chooses one of several types with the same name that the file sees. Definitions win over aliases, and templates over
    /// their specialisations.
    fn one_type(&self, ev: &mut Eval<'_>, wanted: Wanted, defs: &mut Vec<GlobalDef>) {
        if defs.len() < 2 {
            return;
        }
        let repo = ev.repo;
        let is_special = |d: &GlobalDef| {
            let def = repo.def(*d);
            def.kind != SymbolKind::Enum && def.flags.has(DefFlags::SPECIAL)
        };
        if defs.iter().any(|d| !is_special(d)) {
            defs.retain(|d| !is_special(d));
        }
        if defs.iter().any(|d| d.file == wanted.file) {
            defs.retain(|d| d.file == wanted.file);
        }
        if let Some(first) = preference::first_in_usual_build(repo, defs) {
            *defs = vec![first];
        }
    }

    fn collect(
        &self,
        ev: &mut Eval<'_>,
        wanted: Wanted,
        namespace: u32,
        all: &mut Collected,
        depth: u32,
    ) {
        let members = self.names.members(namespace, wanted.name);
        if !all.seen.insert(namespace) {
            return;
        }
        if depth > MOST_BROUGHT || !ev.spend(1) || !ev.spend_on_namesakes(members.len()) {
            return;
        }
        let repo = ev.repo;
        for def in members {
            let is_wanted = wanted.namespace != Namespace::TYPE || is_type(repo.def(*def));
            let is_there = all.takes_absent || !preference::is_absent(repo, *def);
            if is_wanted && is_there && self.sees(ev, wanted.file, *def) && !all.defs.contains(def)
            {
                all.defs.push(*def);
            }
        }
        for inner in self.names.inline(namespace) {
            self.collect(ev, wanted, *inner, all, depth + 1);
        }
        for brought in self.names.brought(namespace, wanted.name) {
            if self.sees_file(ev, wanted.file, brought.file) && ev.spend(1) {
                let Brought { file, what } = *brought;
                let found = ev.guard_recursion(|ev| self.denoted(ev, file, what, wanted.namespace));
                all.add(found);
            }
        }
        if !all.is_empty() {
            return;
        }
        for brought in self.names.shared(namespace) {
            if ev.spend(1) && self.sees_file(ev, wanted.file, brought.file) {
                self.follow_directive(ev, wanted, brought.to, all, depth);
            }
        }
    }

    /// The entity of a path, as a type or a value.
    fn denoted(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        what: ExprId,
        namespace: Namespace,
    ) -> Entity {
        let (found, _) = ev.resolve_expr(file, what, namespace);
        match found {
            Entity::Defs(_) | Entity::Module(_) | Entity::External(_) => found,
            Entity::Value(Ty::Module(module)) => Entity::Module(module),
            _ if namespace == Namespace::VALUE => {
                let (found, _) = ev.resolve_expr(file, what, Namespace::TYPE);
                found
            }
            _ => Entity::Unknown,
        }
    }

    /// Adds the entity that the namespace of a directive has for the name.
    fn follow_directive(
        &self,
        ev: &mut Eval<'_>,
        wanted: Wanted,
        to: Directed,
        all: &mut Collected,
        depth: u32,
    ) {
        let namespace = match to {
            Directed::Namespace(namespace) => Some(namespace),
            Directed::Standard => None,
        };
        if let Some(namespace) = namespace {
            self.collect(ev, wanted, namespace, all, depth + 1);
            if all.is_empty()
                && let Some(inner) = self.names.inner(namespace, wanted.name)
            {
                all.add(namespace_entity(inner));
            }
        }
        let is_standard = namespace
            .is_none_or(|of| of != GLOBAL && self.names.root(ev.repo, of) == standard::STD);
        let text = ev.repo.sym_text(wanted.name);
        if is_standard && all.is_empty() && standard::is_known(standard::STD, text) {
            all.add(Entity::external(standard::STD, text));
        }
    }

    /// Whether a file sees a definition. A header also sees the definitions of the file that is being linked, since that file
    /// includes it.
    fn sees(&self, ev: &Eval<'_>, file: FileId, def: GlobalDef) -> bool {
        self.sees_file(ev, file, def.file)
    }

    fn sees_file(&self, ev: &Eval<'_>, file: FileId, other: FileId) -> bool {
        let sees = |from: FileId| from == other || self.c.includes.sees(from, other);
        sees(file)
            || ev
                .current_file()
                .is_some_and(|home| home != file && sees(home))
    }

    /// The entity of a name that no scope around it defines: a type that only one file defines, or a name of the standard
    /// library.
    fn last_resort(&self, ev: &mut Eval<'_>, wanted: Wanted) -> Entity {
        let repo = ev.repo;
        let text = repo.sym_text(wanted.name);
        if wanted.namespace == Namespace::TYPE
            && let Some(one) = self.names.only_type(GLOBAL, wanted.name)
        {
            return Entity::def(one);
        }
        if is_standard(text) {
            return Entity::external(STANDARD, text);
        }
        if text == standard::STD {
            return Entity::external(standard::STD, "");
        }
        Entity::Unknown
    }

    /// The entity of a name behind a namespace in a path.
    pub(super) fn in_namespace_by_path(
        &self,
        ev: &mut Eval<'_>,
        namespace: u32,
        text: &str,
        wanted: Namespace,
    ) -> Entity {
        let is_std = namespace != GLOBAL && self.names.root(ev.repo, namespace) == standard::STD;
        let outside = || {
            if is_std {
                Entity::external(standard::STD, text)
            } else {
                Entity::Unknown
            }
        };
        let Some(name) = ev.repo.find_sym(text) else {
            return outside();
        };
        let Some(file) = ev.current_file() else {
            return Entity::Unknown;
        };
        let wanted = Wanted {
            file,
            name,
            namespace: wanted,
        };
        let found = match namespace {
            GLOBAL => {
                let found = self.in_global(ev, wanted);
                found.or_else(|| self.last_resort(ev, wanted))
            }
            _ => self.in_namespace(ev, wanted, namespace),
        };
        if !found.is_unknown() || is_std {
            return found.or_else(outside);
        }
        // A type may be defined where only its users see it.
        let only = self.names.only_type(namespace, name);
        let only = only.filter(|_| wanted.namespace == Namespace::TYPE);
        only.map_or(Entity::Unknown, Entity::def)
    }

    /// The value of `this` at a position.
    fn this(&self, ev: &mut Eval<'_>, file: FileId, scope: ScopeId) -> Entity {
        match self.class_around(ev, file, scope) {
            Some(class) => Entity::Value(standard::pointer(ev.identity_instance(class))),
            None => Entity::Unknown,
        }
    }

    /// The class whose method contains a position.
    pub(super) fn class_around(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        scope: ScopeId,
    ) -> Option<GlobalDef> {
        let function = method_around(ev.repo, file, scope);
        if let Some(function) = function
            && let Some(Owner::Class(class)) = self.owner(ev, function)
        {
            return Some(class);
        }
        let facts = ev.repo.facts(file);
        let mut next = Some(scope);
        for _ in 0..MOST_SCOPES {
            let here = facts.scope(next?);
            if here.kind == ScopeKind::Class {
                return here.owner.map(|def| GlobalDef { file, def });
            }
            next = here.parent;
        }
        None
    }
}

/// The innermost named function around a position, up to the next class.
pub(super) fn method_around(repo: &Repo, file: FileId, scope: ScopeId) -> Option<GlobalDef> {
    let facts = repo.facts(file);
    let mut next = Some(scope);
    for _ in 0..MOST_SCOPES {
        let here = facts.scope(next?);
        match (here.kind, here.owner) {
            (ScopeKind::Class, _) => return None,
            (ScopeKind::Function, Some(def)) => return Some(GlobalDef { file, def }),
            _ => next = here.parent,
        }
    }
    None
}

/// The class or namespace before the last `::` of a definition's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Class(GlobalDef),
    Namespace(u32),
}
