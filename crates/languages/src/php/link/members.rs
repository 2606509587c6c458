//! Methods and fields of classes, and what a call leads to.

use super::Php;
use super::hierarchy::{Supertype, whole_name};
use super::names::PHP;
use super::tables::Kind;
use crate::php::facts::MIXIN;
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::{CallView, Called};
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::ty::*;

/// Static methods that every enum has.
const OF_ENUMS: &[&str] = &["cases", "from", "tryFrom"];
/// Most classes that use a trait and are looked through for a method of their own.
const MOST_USERS: usize = 64;
/// Most methods that a call on a trait's own object may lead to.
const MOST_TARGETS: usize = 4;
/// Longest chain of names that stand for methods.
const MAX_ALIASES: u32 = 8;

impl Php {
    /// The callee of a call: functions and methods are looked up apart from variables and fields.
    pub(super) fn callee(&self, ev: &mut Eval<'_>, view: CallView<'_>) -> Option<Called> {
        let repo = ev.repo;
        let file = view.file;
        let facts = repo.facts(file);
        let Expr::Call { callee, .. } = facts.expr(view.expr) else {
            return None;
        };
        match facts.expr(*callee) {
            Expr::Name { name, scope, .. } if !facts.name(*name).starts_with('$') => {
                let found = self.short_name(repo, Kind::Function, (file, *name), *scope);
                Some(Called::Found(found, None))
            }
            Expr::Type(ty) => match facts.ty(*ty) {
                TypeExpr::Named { path, .. } => {
                    let name = whole_name(facts, path);
                    let found = self.named(repo, Kind::Function, &name, file);
                    Some(Called::Found(found, None))
                }
                _ => None,
            },
            Expr::Borrowed(held) => {
                let held = ev.type_of_expr(file, *held);
                Some(Called::Found(Entity::Value(held), None))
            }
            Expr::Member { object, name } => {
                let object = ev.type_of_expr(file, *object);
                Some(self.method_of_type(ev, &object, facts.name(*name)))
            }
            _ => None,
        }
    }

    /// `object->name(…)`.
    fn method_of_type(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Called {
        ev.guard_recursion(|ev| self.method_of_type_inside(ev, object, name))
    }

    fn method_of_type_inside(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Called {
        let resolved = ev.resolve_type_param(object);
        match &resolved {
            Ty::Union(parts) => self.method_of_union(ev, parts, name),
            Ty::Instance(class, _) | Ty::Class(class, _) => {
                let found = self.method_or_outside(ev, *class, name);
                Called::Found(found, Some(resolved.clone()))
            }
            Ty::Super(class) => {
                let own = ev.identity_instance(*class);
                let found = match self.hierarchy.parent(ev.repo, *class) {
                    Some(Supertype::Inside(parent)) => self.method_or_outside(ev, *parent, name),
                    Some(Supertype::Outside(external)) => Entity::External(external.member(name)),
                    _ => Entity::Unknown,
                };
                Called::Found(found, Some(own))
            }
            Ty::External(external) | Ty::ExternalInstance(external, _) => {
                let found = Entity::External(external.member(name));
                Called::Found(found, Some(resolved.clone()))
            }
            _ => Called::Found(Entity::Unknown, Some(Ty::Unknown)),
        }
    }

    /// A value of one of several types: the call may lead to the method of each.
    fn method_of_union(&self, ev: &mut Eval<'_>, parts: &Args, name: &str) -> Called {
        let mut defs: Vec<GlobalDef> = Vec::new();
        let mut owners = Vec::new();
        let mut other = Entity::Unknown;
        for part in parts.iter() {
            if !ev.spend(1) {
                break;
            }
            let Called::Found(found, owner) = self.method_of_type(ev, part, name) else {
                continue;
            };
            match found {
                Entity::Defs(more) => {
                    let fresh = more.iter().filter(|def| !defs.contains(def));
                    let fresh: Vec<GlobalDef> = fresh.copied().collect();
                    defs.extend(fresh);
                    owners.extend(owner);
                }
                found => other = other.or_else(|| found),
            }
        }
        if defs.is_empty() {
            return Called::Found(other, Some(Ty::Unknown));
        }
        Called::Found(Entity::defs(defs), Some(Ty::union(owners)))
    }

    /// A method that a class has, inherits or may inherit from outside.
    fn method_or_outside(&self, ev: &mut Eval<'_>, class: GlobalDef, name: &str) -> Entity {
        if let Some(found) = self.method(ev, class, name) {
            return Entity::def(found);
        }
        let repo = ev.repo;
        let kind = repo.def(class).kind;
        if kind == SymbolKind::Trait {
            let found = self.methods_of_users(ev, class, name);
            if !found.is_unknown() {
                return found;
            }
        }
        if kind == SymbolKind::Enum && OF_ENUMS.contains(&name) {
            return Entity::External(External::new(PHP, "BackedEnum").member(name));
        }
        if let Some(found) = self.declared(ev, class, name) {
            return found;
        }
        // A class that answers any call by itself may mean this one.
        let is_static = self.method(ev, class, "__callStatic").is_some();
        if is_static || self.method(ev, class, "__call").is_some() {
            return Entity::Unknown;
        }
        let mut outside = self.hierarchy.external_supertypes(class).flatten();
        match outside.next() {
            Some(external) => Entity::External(external.member(name)),
            None => Entity::Unknown,
        }
    }

    /// What the comment of a class declares of a method that it answers by itself.
    fn declared(&self, ev: &mut Eval<'_>, class: GlobalDef, name: &str) -> Option<Entity> {
        let repo = ev.repo;
        let sym = repo.find_sym(name)?;
        let found = self.hierarchy.self_and_ancestors(class).find_map(|holder| {
            let mut named = repo.children_named(holder, sym);
            if !ev.spend_on_namesakes(named.len()) {
                return None;
            }
            named.find(|d| is_declared_method(repo, *d))
        });
        match found {
            Some(def) => Some(Entity::def(def)),
            None => {
                let mixed_in = self.mixed_in(ev, class, name);
                (!mixed_in.is_unknown()).then_some(mixed_in)
            }
        }
    }

    /// The methods of that name of the classes that use a trait: `$this` in a trait is one of them.
    fn methods_of_users(&self, ev: &mut Eval<'_>, used: GlobalDef, name: &str) -> Entity {
        let users = self.hierarchy.users(used);
        if users.len() > MOST_USERS {
            return Entity::Unknown;
        }
        let mut found: Vec<GlobalDef> = Vec::new();
        for user in users {
            let method = self.method(ev, *user, name);
            found.extend(method.filter(|method| !found.contains(method)));
        }
        if found.len() > MOST_TARGETS {
            return Entity::Unknown;
        }
        Entity::defs(found)
    }

    /// The methods of a class with traits that take the place of others: what a trait has implements what a supertype
    /// declares, and what a class inherits implements what a trait leaves open.
    pub(super) fn overridden_through_traits(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        out: &mut Vec<(GlobalDef, GlobalDef)>,
    ) {
        let repo = ev.repo;
        for used in self.hierarchy.traits(repo, class) {
            for method in repo.children(used).filter(|d| is_method(repo, *d)) {
                if !ev.spend(1) {
                    return;
                }
                let name = repo.sym_of_name(method.file, repo.def(method).name);
                let Some(own) = self.method_named(ev, class, name, 0) else {
                    continue;
                };
                if own != method {
                    out.push((own, method));
                    continue;
                }
                for holder in self.hierarchy.ancestors(class) {
                    let named = repo.children_named(*holder, name);
                    if ev.spend_on_namesakes(named.len()) {
                        let above = named.filter(|d| is_method(repo, *d) && *d != method);
                        out.extend(above.map(|above| (method, above)));
                    }
                }
            }
        }
    }

    /// The method of that name that a class has or inherits inside the repository.
    pub(super) fn method(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        name: &str,
    ) -> Option<GlobalDef> {
        let sym = ev.repo.find_sym(name)?;
        self.method_named(ev, class, sym, 0)
    }

    /// One with a body counts before one without.
    fn method_named(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        name: Sym,
        aliases: u32,
    ) -> Option<GlobalDef> {
        let repo = ev.repo;
        let mut without_body = None;
        for holder in self.hierarchy.self_and_ancestors(class) {
            if !ev.spend(1) {
                return None;
            }
            let named = repo.children_named(holder, name);
            if !ev.spend_on_namesakes(named.len()) {
                return None;
            }
            let Some(found) = named
                .into_iter()
                .find(|d| repo.def(*d).kind == SymbolKind::Method)
            else {
                continue;
            };
            let def = repo.def(found);
            if def.flags.has(DefFlags::ALIAS) {
                return self.aliased(ev, (holder, found), aliases);
            }
            if !def.flags.has(DefFlags::ABSTRACT) {
                return Some(found);
            }
            // What a class declares is so for its callers, whatever it inherits.
            if holder == class {
                return Some(found);
            }
            without_body = without_body.or(Some(found));
        }
        without_body
    }

    /// The method of a trait that a name in a class stands for.
    fn aliased(
        &self,
        ev: &mut Eval<'_>,
        (class, alias): (GlobalDef, GlobalDef),
        aliases: u32,
    ) -> Option<GlobalDef> {
        if aliases > MAX_ALIASES {
            return None;
        }
        let repo = ev.repo;
        let facts = repo.facts(alias.file);
        let value = repo.def(alias).value?;
        let Expr::Scoped { object, name } = facts.expr(value) else {
            return None;
        };
        let sym = repo.sym_of_name(alias.file, *name);
        if let Expr::Type(ty) = facts.expr(*object) {
            let TypeExpr::Named { path, .. } = facts.ty(*ty) else {
                return None;
            };
            let whole = whole_name(facts, path);
            let of = self.tables.find(repo, Kind::Class, &whole, alias.file)?;
            return self.method_named(ev, of, sym, aliases + 1);
        }
        let used: Vec<GlobalDef> = self.hierarchy.traits(repo, class).collect();
        used.into_iter()
            .find_map(|of| self.method_named(ev, of, sym, aliases + 1))
    }

    /// The property, constant or enum case of that name, nearest first.
    pub(super) fn field(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        name: &str,
    ) -> Option<GlobalDef> {
        let repo = ev.repo;
        let sym = repo.find_sym(name)?;
        self.hierarchy.self_and_ancestors(class).find_map(|holder| {
            let mut named = repo.children_named(holder, sym);
            if !ev.spend_on_namesakes(named.len()) {
                return None;
            }
            named.find(|d| {
                let def = repo.def(*d);
                !def.kind.is_callable() && !def.kind.is_type() && !is_declared_method(repo, *d)
            })
        })
    }

    /// A member of a type whose members a class passes on, as its comment says.
    pub(super) fn mixed_in(&self, ev: &mut Eval<'_>, class: GlobalDef, name: &str) -> Entity {
        let repo = ev.repo;
        let Some(sym) = repo.find_sym(MIXIN).filter(|_| name != MIXIN) else {
            return Entity::Unknown;
        };
        let mixed_in = self.hierarchy.self_and_ancestors(class).find_map(|holder| {
            let def = repo.children_named(holder, sym).next()?;
            Some((def.file, repo.def(def).ty?))
        });
        let Some((file, ty)) = mixed_in else {
            return Entity::Unknown;
        };
        let of = ev.lower_type(file, ty);
        ev.guard_recursion(|ev| match &of {
            Ty::Instance(of, _) if *of != class => match self.method(ev, *of, name) {
                Some(method) => Entity::def(method),
                None => ev.resolve_member(&Ty::instance(*of), name).0,
            },
            Ty::ExternalInstance(external, _) => Entity::External(external.member(name)),
            _ => Entity::Unknown,
        })
    }

    /// The method of a supertype that a method overrides.
    pub(super) fn overridden(&self, ev: &mut Eval<'_>, method: GlobalDef) -> Option<GlobalDef> {
        let repo = ev.repo;
        let def = repo.def(method);
        if def.kind != SymbolKind::Method || def.flags.has(DefFlags::ANONYMOUS) {
            return None;
        }
        let class = GlobalDef {
            def: def.parent?,
            ..method
        };
        let name = repo.sym_of_name(method.file, def.name);
        for holder in self.hierarchy.ancestors(class) {
            if !ev.spend(1) {
                return None;
            }
            let found = repo
                .children_named(*holder, name)
                .find(|d| is_method(repo, *d) && *d != method);
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

/// Whether a definition is a method with a node.
fn is_method(repo: &Repo, id: GlobalDef) -> bool {
    let def = repo.def(id);
    def.kind == SymbolKind::Method && !def.flags.has(DefFlags::ANONYMOUS)
}

/// Whether a definition is a method that a comment declares.
fn is_declared_method(repo: &Repo, id: GlobalDef) -> bool {
    let def = repo.def(id);
    let file: FileId = id.file;
    let is_function = |ty: TypeId| matches!(repo.facts(file).ty(ty), TypeExpr::Function { .. });
    def.kind == SymbolKind::Property
        && def.flags.has(DefFlags::ANONYMOUS)
        && def.ty.is_some_and(is_function)
}
