//! Members of types: linearisation, overloads, companions.

use super::lookup::Denoted;
use super::{Scala, is_in, is_object, stdlib};
use base::facts::*;
use base::{SymbolKind, Visibility};
use linker::eval::Eval;
use linker::repo::{FileId, GlobalDef, Sym};
use linker::ty::*;

/// Longest linearisation.
const MAX_ORDER: usize = 128;
/// Most members of one name that are kept.
const MAX_MEMBERS: usize = 64;

impl Scala {
    /// A type and its supertypes in the order in which members are searched: those written last come first.
    pub(super) fn linearized(&self, ev: &mut Eval<'_>, ty: &Ty) -> Vec<Ty> {
        let mut above: Vec<Ty> = Vec::new();
        for parent in ev.supertypes_of(ty) {
            let order = match &parent {
                Ty::Instance(..) => ev.member_search_order(&parent),
                other => vec![other.clone()],
            };
            let mut fresh: Vec<Ty> = Vec::new();
            for one in order {
                if above.len() + fresh.len() >= MAX_ORDER || !ev.spend(1) {
                    break;
                }
                if one != *ty && !above.iter().any(|known| is_same(known, &one)) {
                    fresh.push(one);
                }
            }
            fresh.append(&mut above);
            above = fresh;
        }
        above.insert(0, ty.clone());
        above
    }

    /// An object as a value: an instance of its own type.
    pub(super) fn value_of_object(&self, ev: &mut Eval<'_>, id: GlobalDef) -> Option<Ty> {
        let def = ev.repo.def(id);
        if is_object(def) {
            return Some(Ty::instance(id));
        }
        (def.kind == SymbolKind::Module).then(|| Ty::instance(id))
    }

    /// A member of the object inside of a class: of the class, its supertypes, or its self type.
    pub(super) fn member_of_this(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        name: &str,
        namespace: Namespace,
    ) -> Denoted {
        let this = ev.identity_instance(class);
        let found = self.member_of_type(ev, &this, name, namespace);
        let is_whole = match &found.0 {
            Entity::Defs(defs) => !defs.iter().all(|d| is_abstract(ev, *d)),
            _ => false,
        };
        if is_whole {
            return found;
        }
        let Some(own) = ev.repo.def(class).ty else {
            return found;
        };
        let own = ev.lower_type(class.file, own);
        // A member with a body goes before one without.
        let other = self.member_of_type(ev, &own, name, namespace);
        match (&found.0, &other.0) {
            (_, Entity::Unknown) => found,
            (Entity::Defs(_), Entity::Defs(defs)) if defs.iter().any(|d| is_abstract(ev, *d)) => {
                found
            }
            (Entity::Defs(_), Entity::External(_)) => found,
            _ => other,
        }
    }

    /// A supertype of a class that is outside the repository and not known to have no such members.
    pub(super) fn supertype_outside(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
    ) -> Option<External> {
        let this = ev.identity_instance(class);
        let order = ev.member_search_order(&this);
        order.into_iter().find_map(|ty| match ty {
            Ty::ExternalInstance(external, _) => Some(external),
            _ => None,
        })
    }

    /// A member of a value of a type, and the object with its type arguments.
    pub(super) fn member_of_type(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
        namespace: Namespace,
    ) -> Denoted {
        ev.guard_recursion(|ev| Some(self.member_of_type_inside(ev, object, name, namespace)))
            .unwrap_or((Entity::Unknown, Some(Ty::Unknown)))
    }

    fn member_of_type_inside(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
        namespace: Namespace,
    ) -> Denoted {
        if let Ty::Param(class, SELF) = object {
            return self.member_of_this(ev, *class, name, namespace);
        }
        let object = &ev.resolve_type_param(object);
        match object {
            Ty::Instance(..) | Ty::Super(_) => self.member_of_instance(ev, object, name, namespace),
            Ty::Class(class, _) => self.member_of_class(ev, *class, name, namespace),
            Ty::Union(parts) => {
                let mut outside = (Entity::Unknown, Some(Ty::Unknown));
                for part in parts.iter() {
                    let found = self.member_of_type(ev, part, name, namespace);
                    match found.0 {
                        Entity::Defs(_) | Entity::Value(_) => return found,
                        Entity::External(_) => outside = found,
                        _ => {}
                    }
                }
                outside
            }
            Ty::Module(module) => {
                let near = ev.current_file().unwrap_or(FileId(0));
                self.package_member(ev, module.index, name, namespace, near)
            }
            Ty::External(external) => (
                Entity::External(stdlib::canonical(&external.member(name))),
                Some(object.clone()),
            ),
            Ty::ExternalInstance(external, _) => (
                Entity::External(external.member(name)),
                Some(object.clone()),
            ),
            Ty::Tuple(parts) => {
                let part = name.strip_prefix('_').and_then(|n| n.parse::<usize>().ok());
                let part = part.and_then(|n| parts.get(n.checked_sub(1)?));
                match part {
                    Some(part) => (Entity::Value(part.clone()), None),
                    None => (
                        Entity::External(stdlib::name("Tuple").member(name)),
                        Some(object.clone()),
                    ),
                }
            }
            Ty::Callable(..) | Ty::Function(..) => (
                Entity::External(stdlib::name("Function").member(name)),
                Some(object.clone()),
            ),
            _ => (Entity::Unknown, Some(Ty::Unknown)),
        }
    }

    /// A member of an instance: all overloads, those of subtypes first.
    fn member_of_instance(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
        namespace: Namespace,
    ) -> Denoted {
        let repo = ev.repo;
        let unknown = (Entity::Unknown, Some(Ty::Unknown));
        let own = match object {
            Ty::Instance(def, _) | Ty::Super(def) => *def,
            _ => return unknown,
        };
        if repo.def(own).kind == SymbolKind::TypeAlias {
            return unknown;
        }
        let mut found: Vec<GlobalDef> = Vec::new();
        let mut outside = None;
        let sym = repo.find_sym(name);
        for ty in ev.member_search_order(object) {
            if !ev.spend(1) {
                return unknown;
            }
            match &ty {
                Ty::Instance(def, _) => {
                    if let Some(sym) = sym {
                        self.add_members(ev, (*def, own), sym, namespace, &mut found);
                    }
                }
                Ty::ExternalInstance(external, _) => {
                    outside = outside.or_else(|| Some((external.member(name), ty.clone())));
                }
                _ => {}
            }
        }
        if !found.is_empty() {
            let receiver = match object {
                Ty::Super(class) => ev.identity_instance(*class),
                other => other.clone(),
            };
            return (Entity::defs(found), Some(receiver));
        }
        if let Some(made) = self.synthetic_member(ev, own, name, namespace) {
            return (made, Some(object.clone()));
        }
        match outside {
            Some((external, ty)) => (Entity::External(external), Some(ty)),
            None if stdlib::is_universal(name) => {
                let universal = stdlib::name("Any").member(name);
                (Entity::External(universal), Some(object.clone()))
            }
            None => (Entity::Unknown, Some(object.clone())),
        }
    }

    /// Adds the members of one class, except those that a class before has in another form.
    fn add_members(
        &self,
        ev: &mut Eval<'_>,
        (class, own): (GlobalDef, GlobalDef),
        sym: Sym,
        namespace: Namespace,
        found: &mut Vec<GlobalDef>,
    ) {
        let repo = ev.repo;
        let named = repo.children_named(class, sym);
        if named.len() == 0 || !ev.spend_on_namesakes(named.len()) {
            return;
        }
        let before = found.len();
        for member in named {
            let def = repo.def(member);
            let is_hidden = class != own && def.visibility == Visibility::Private;
            let is_extension = def.flags.has(DefFlags::EXTENSION);
            let is_constructor = def.kind == SymbolKind::Constructor;
            if !is_in(def, namespace) || is_hidden || is_constructor || is_extension && class != own
            {
                continue;
            }
            if found.len() >= MAX_MEMBERS {
                return;
            }
            let same = (0..before).find(|at| self.have_one_shape(ev, found[*at], member));
            match same {
                // A method with a body goes before one without.
                Some(at) if is_abstract(ev, found[at]) && !is_abstract(ev, member) => {
                    found[at] = member;
                }
                Some(_) => {}
                None => found.push(member),
            }
        }
    }

    /// Whether one of two members of a name takes the place of the other.
    pub(super) fn have_one_shape(
        &self,
        ev: &mut Eval<'_>,
        one: GlobalDef,
        other: GlobalDef,
    ) -> bool {
        let repo = ev.repo;
        let params = |d: GlobalDef| {
            repo.def(d)
                .callable
                .as_deref()
                .map_or(&[][..], |c| &c.params)
        };
        let (left, right) = (params(one), params(other));
        if left.len() != right.len() || !ev.spend(left.len()) {
            return false;
        }
        left.iter().zip(right).all(|(a, b)| match (a.ty, b.ty) {
            (Some(a), Some(b)) => {
                let a = ev.lower_type(one.file, a);
                let b = ev.lower_type(other.file, b);
                may_be_one(&a, &b)
            }
            _ => true,
        })
    }

    /// What the compiler makes: `copy` of a case class, members of the companion of a case class or enum.
    fn synthetic_member(
        &self,
        ev: &mut Eval<'_>,
        own: GlobalDef,
        name: &str,
        namespace: Namespace,
    ) -> Option<Entity> {
        let repo = ev.repo;
        if namespace != Namespace::VALUE {
            return None;
        }
        let def = repo.def(own);
        if is_object(def) {
            let companion = self.companion(ev, own)?;
            let found = self.member_of_class(ev, companion, name, namespace).0;
            return matches!(found, Entity::Defs(_)).then_some(found);
        }
        let is_case = def.flags.has(DefFlags::CASE) && def.kind == SymbolKind::Class;
        (is_case && name == "copy").then(|| Entity::def(own))
    }

    /// The class of an object, or the object of a class: the other definition of the name in the same place.
    pub(super) fn companion(&self, ev: &mut Eval<'_>, id: GlobalDef) -> Option<GlobalDef> {
        let repo = ev.repo;
        let def = repo.def(id);
        let sym = repo.sym_of_name(id.file, def.name);
        let wanted = !is_object(def);
        let fits = |d: &GlobalDef| {
            let other = repo.def(*d);
            other.kind.is_type() && is_object(other) == wanted && other.scope == def.scope
        };
        match def.parent {
            Some(parent) => {
                let parent = GlobalDef {
                    file: id.file,
                    def: parent,
                };
                let mut named = repo.children_named(parent, sym);
                ev.spend_on_namesakes(named.len())
                    .then(|| named.find(fits))?
            }
            None => {
                let mut named = repo.top_level_named(id.file, sym);
                ev.spend_on_namesakes(named.len())
                    .then(|| named.find(fits))?
            }
        }
    }

    /// A member of a class as a value: static members of Java, cases of an enum, the constructor of a case class.
    fn member_of_class(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        name: &str,
        namespace: Namespace,
    ) -> Denoted {
        let repo = ev.repo;
        let unknown = (Entity::Unknown, Some(Ty::Class(class, no_args())));
        let def = repo.def(class);
        if repo.language(class.file) != base::Language::Scala {
            let of = Ty::Instance(class, no_args());
            return self.member_of_instance(ev, &of, name, namespace);
        }
        if name == "apply" && namespace == Namespace::VALUE && def.kind == SymbolKind::Class {
            return (Entity::def(class), None);
        }
        let Some(sym) = repo.find_sym(name) else {
            return unknown;
        };
        let named = repo.children_named(class, sym);
        if !ev.spend_on_namesakes(named.len()) {
            return unknown;
        }
        let cases = named.filter(|d| repo.def(*d).kind == SymbolKind::EnumMember);
        let cases: Vec<GlobalDef> = cases.collect();
        if cases.is_empty() {
            unknown
        } else {
            (Entity::defs(cases), None)
        }
    }
}

fn is_abstract(ev: &Eval<'_>, id: GlobalDef) -> bool {
    ev.repo.def(id).flags.has(DefFlags::ABSTRACT)
}

fn is_same(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Instance(a, _), Ty::Instance(b, _)) => a == b,
        (Ty::ExternalInstance(a, _), Ty::ExternalInstance(b, _)) => a == b,
        _ => a == b,
    }
}

/// Whether two parameter types may be one, seen from different types. Type parameters agree with everything.
fn may_be_one(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Param(..) | Ty::Unknown, _) | (_, Ty::Param(..) | Ty::Unknown) => true,
        (Ty::Instance(a, _), Ty::Instance(b, _)) => a == b,
        (Ty::ExternalInstance(a, _), Ty::ExternalInstance(b, _)) => a == b,
        (Ty::Tuple(a), Ty::Tuple(b)) => a.len() == b.len(),
        (Ty::Callable(a, _), Ty::Callable(b, _)) => a.len() == b.len(),
        _ => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}
