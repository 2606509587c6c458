//! What calls lead to.

use super::Ruby;
use super::hierarchy::Above;
use super::members::{MethodLookup, Side};
use super::names::Class;
use super::platform::{self, RUBY};
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::{CallView, Called};
use linker::repo::{FileId, GlobalDef};
use linker::ty::*;

/// Methods by which a block or lambda is called.
const OF_FUNCTIONS: &[&str] = &["call", "()", "yield", "===", "[]"];

impl Ruby {
    /// The callee of a call.
    pub(super) fn callee(&self, ev: &mut Eval<'_>, view: CallView<'_>) -> Option<Called> {
        let facts = ev.repo.facts(view.file);
        let Expr::Call { callee, .. } = facts.expr(view.expr) else {
            return None;
        };
        match facts.expr(*callee) {
            Expr::Member { object, name } => {
                let object = ev.type_of_expr(view.file, *object);
                Some(self.method_of_type(ev, &object, facts.name(*name)))
            }
            Expr::Scoped { object, name } => {
                let object = ev.type_of_expr(view.file, *object);
                let name = facts.name(*name);
                let found = self.method_of_type(ev, &object, name);
                Some(self.or_function(ev, view.file, found, name))
            }
            Expr::Super(method) => Some(self.above_method(
                ev,
                GlobalDef {
                    file: view.file,
                    def: *method,
                },
            )),
            _ => None,
        }
    }

    /// A call without a receiver may also mean a function of a script.
    fn or_function(&self, ev: &mut Eval<'_>, file: FileId, found: Called, name: &str) -> Called {
        let is_inside = match &found {
            Called::Found(Entity::Unknown, _) => false,
            Called::Found(Entity::External(external), _) => {
                // Ruby's own methods may be hidden by a function of the script.
                &*external.package != RUBY || !external.symbol.starts_with("Object.")
            }
            _ => true,
        };
        if is_inside {
            return found;
        }
        let Some(sym) = ev.repo.find_sym(name) else {
            return found;
        };
        match self.files.function(ev.repo, &self.functions, file, sym) {
            Some(function) => Called::Found(Entity::def(function), None),
            None => found,
        }
    }

    /// `object.name(…)`.
    pub(super) fn method_of_type(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Called {
        ev.guard_recursion(|ev| self.method_of_type_inside(ev, object, name))
    }

    fn method_of_type_inside(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Called {
        let is_own = matches!(object, Ty::Param(..) | Ty::ClassOf(_));
        match object {
            Ty::Union(parts) => self.method_of_union(ev, parts, name),
            Ty::Param(def, SELF) | Ty::Instance(def, _) => {
                let Some(class) = self.class_number(*def) else {
                    return unknown();
                };
                let found = self.instance_method(ev, class, name, None);
                self.called(ev, (object, class), (found, name), is_own, Side::Instance)
            }
            Ty::ClassOf(_) | Ty::Class(..) => {
                let Ty::Class(def, _) = ev.resolve_type_param(object) else {
                    return unknown();
                };
                let Some(class) = self.class_number(def) else {
                    return unknown();
                };
                let found = self.class_method(ev, class, name, None);
                let is_new = name == "new" && !matches!(found, MethodLookup::Found(_));
                if is_new && ev.repo.def(def).kind == SymbolKind::Class {
                    return Called::Found(Entity::def(def), None);
                }
                self.called(ev, (object, class), (found, name), is_own, Side::Class)
            }
            Ty::External(external) => {
                let own = (&*external.package == RUBY)
                    .then(|| self.class_method_of_outside(ev, &external.symbol, name))
                    .flatten();
                let found = own.unwrap_or_else(|| MethodLookup::Outside(external.member(name)));
                plain(found, object)
            }
            Ty::Function(..) | Ty::Callable(..) if OF_FUNCTIONS.contains(&name) => {
                Called::Found(Entity::Value(object.clone()), None)
            }
            Ty::ExternalInstance(external, _) if &*external.package != RUBY => {
                let every = ["Object", "Kernel"];
                let own = self.method_of_every(ev, &every, name);
                let found = own.unwrap_or_else(|| MethodLookup::Outside(external.member(name)));
                plain(found, object)
            }
            _ => match platform::class_name(object) {
                Some(class) => self.method_of_platform(ev, class, object, name),
                None => unknown(),
            },
        }
    }

    /// A method of an object of one of Ruby's own classes, which the repository may have opened.
    fn method_of_platform(
        &self,
        ev: &mut Eval<'_>,
        class: &str,
        object: &Ty,
        name: &str,
    ) -> Called {
        let own = self.method_of_every(ev, &[class], name);
        let own = own.or_else(|| self.method_of_every(ev, platform::ancestors(class), name));
        let own = own.or_else(|| self.method_of_every(ev, &["Object", "Kernel"], name));
        let own = match class {
            "Object" => own.or_else(|| self.method_at_top(ev, name)),
            _ => own,
        };
        if own.is_none() && class == "Object" && !platform::is_method_of_objects(name) {
            return plain(MethodLookup::Missing, object);
        }
        let outside = || MethodLookup::Outside(External::new(RUBY, class).member(name));
        plain(own.unwrap_or_else(outside), object)
    }

    /// The outcome of a search in a class of the repository.
    fn called(
        &self,
        ev: &mut Eval<'_>,
        (object, class): (&Ty, Class),
        (found, name): (MethodLookup, &str),
        is_own: bool,
        side: Side,
    ) -> Called {
        let is_open = matches!(found, MethodLookup::Missing | MethodLookup::Outside(_));
        if is_open && is_own {
            let below = self.methods_of_users(ev, class, name, side);
            if !below.is_empty() {
                return Called::Found(Entity::defs(below), Some(object.clone()));
            }
        }
        if is_open && name != "method_missing" && self.answers_by_itself(ev, class, side) {
            return unknown();
        }
        plain(found, object)
    }

    /// Whether a class answers calls of methods that it does not have.
    fn answers_by_itself(&self, ev: &mut Eval<'_>, class: Class, side: Side) -> bool {
        if ev.repo.find_sym("method_missing").is_none() {
            return false;
        }
        let order = match side {
            Side::Instance => self.hierarchy.order(class),
            Side::Class => self.hierarchy.chain(class),
        };
        order.iter().any(|above| match above {
            Above::Inside(holder) => self
                .own_method(ev, *holder, "method_missing", side)
                .is_some(),
            _ => false,
        })
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
                    owners.push(owner.unwrap_or_else(|| part.clone()));
                }
                found => other = other.or_else(|| found),
            }
        }
        if defs.is_empty() {
            return Called::Found(other, Some(Ty::Union(parts.clone())));
        }
        Called::Found(Entity::defs(defs), Some(Ty::union(owners)))
    }

    /// The method that `super` in a method calls.
    fn above_method(&self, ev: &mut Eval<'_>, method: GlobalDef) -> Called {
        let repo = ev.repo;
        let def = repo.def(method);
        let parent = def.parent.map(|def| GlobalDef { def, ..method });
        let Some(class) = parent.and_then(|parent| self.class_number(parent)) else {
            return unknown();
        };
        let Some(holder) = self.names.canonical(class) else {
            return unknown();
        };
        let name = repo.def_name(method);
        let own = ev.identity_instance(holder);
        let is_static = def.flags.has(DefFlags::STATIC);
        let found = if is_static {
            self.class_method(ev, class, name, Some(class))
        } else {
            self.instance_method(ev, class, name, Some(class))
        };
        let object = if is_static { Ty::class_of(&own) } else { own };
        if matches!(found, MethodLookup::Missing | MethodLookup::Outside(_)) && !is_static {
            // In a module, it is the method of what its users have above it.
            let above = self.above_in_users(ev, class, name);
            if !above.is_empty() {
                return Called::Found(Entity::defs(above), Some(object));
            }
        }
        plain(found, &object)
    }

    /// What `super` in a method of a module leads to in the classes that include it.
    fn above_in_users(&self, ev: &mut Eval<'_>, module: Class, name: &str) -> Vec<GlobalDef> {
        let mut found: Vec<GlobalDef> = Vec::new();
        for user in self.hierarchy.users(module).iter().take(64) {
            if let MethodLookup::Found(method) = self.instance_method(ev, *user, name, Some(module))
                && !found.contains(&method)
            {
                found.push(method);
            }
        }
        if found.len() > 4 { Vec::new() } else { found }
    }

    /// What constructing a class calls: `initialize`, or the class if no class of the repository has one.
    pub(super) fn constructor_of(&self, ev: &mut Eval<'_>, def: GlobalDef) -> Vec<GlobalDef> {
        let Some(class) = self.class_number(def) else {
            return vec![def];
        };
        match self.instance_method(ev, class, "initialize", None) {
            MethodLookup::Found(found) => vec![found],
            MethodLookup::Ambiguous(all) => all,
            // A class without a name has no node.
            _ if ev.repo.def(def).flags.has(DefFlags::ANONYMOUS) => Vec::new(),
            _ => vec![def],
        }
    }
}

fn unknown() -> Called {
    Called::Found(Entity::Unknown, Some(Ty::Unknown))
}

fn plain(found: MethodLookup, object: &Ty) -> Called {
    match found {
        MethodLookup::Found(def) => Called::Found(Entity::def(def), Some(object.clone())),
        MethodLookup::Ambiguous(all) => Called::Ambiguous(all, Some(object.clone())),
        MethodLookup::Outside(external) if &*external.package == "?" => unknown(),
        MethodLookup::Outside(external) => {
            Called::Found(Entity::External(external), Some(object.clone()))
        }
        MethodLookup::Missing => Called::Found(Entity::Unknown, Some(object.clone())),
    }
}
