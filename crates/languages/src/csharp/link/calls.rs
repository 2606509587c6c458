//! Resolves the callee of a call.

use super::CSharp;
use super::access::{CallPlace, is_also_internal};
use super::hierarchy::Supertype;
use super::overloads::{Candidate, MAX_CANDIDATES};
use super::tables::{self, tables};
use base::facts::*;
use base::{SymbolKind, Visibility};
use linker::eval::Eval;
use linker::lang::{CallView, Called, ScopedName};
use linker::repo::{FileId, GlobalDef, Repo};
use linker::ty::*;
use std::sync::Arc;

impl CSharp {
    pub(super) fn resolve_callee(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        view: CallView<'_>,
    ) -> Option<Called> {
        let facts = ev.repo.facts(file);
        let Expr::Call { callee, .. } = facts.expr(view.expr) else {
            return None;
        };
        match facts.expr(*callee) {
            Expr::Name { name, scope, at } => {
                let name = ScopedName {
                    file,
                    scope: *scope,
                    name: *name,
                };
                Some(self.unqualified_call(ev, name, *at, view))
            }
            Expr::Member { object, name } => {
                Some(self.qualified_call(ev, *object, facts.name(*name), view))
            }
            Expr::This(def) => {
                let class = self.parts.whole(GlobalDef { file, def: *def });
                Some(Called::Found(Entity::def(class), None))
            }
            Expr::Super(def) => {
                let class = self.parts.whole(GlobalDef { file, def: *def });
                Some(self.base_constructor(ev.repo, class))
            }
            Expr::Type(_) | Expr::Unknown => None,
            _ => {
                let ty = ev.type_of_expr(file, *callee);
                self.delegate_shape(ev, &ty)?;
                Some(self.called_value(ev, &ty))
            }
        }
    }

    /// `: base(…)`.
    fn base_constructor(&self, repo: &Repo, class: GlobalDef) -> Called {
        let entity = match self.hierarchy.superclass(repo, class) {
            Some(Supertype::Inside(above)) => Entity::def(*above),
            Some(Supertype::Outside(external)) => Entity::External(external.clone()),
            Some(Supertype::Unknown) => Entity::Unknown,
            None if self
                .hierarchy
                .direct_supertypes(class)
                .contains(&Supertype::Unknown) =>
            {
                Entity::Unknown
            }
            None => Entity::external("System", "Object"),
        };
        Called::Found(entity, None)
    }

    /// `object.name(…)`.
    fn qualified_call(
        &self,
        ev: &mut Eval<'_>,
        object: ExprId,
        name: &str,
        view: CallView<'_>,
    ) -> Called {
        let file = view.file;
        let (entity, receiver) = ev.resolve_expr(file, object, Namespace::VALUE);
        let ty = ev.type_of_entity(&entity, receiver.as_ref());
        let found = self.call_on(ev, &ty, name, view);
        let is_name = matches!(ev.repo.facts(file).expr(object), Expr::Name { .. });
        let is_found = matches!(&found, Called::Found(entity, _) if !entity.is_unknown());
        if is_found || !is_name || matches!(found, Called::Ambiguous(..)) {
            return found;
        }
        // A property may have the name of its type.
        let (entity, receiver) = ev.resolve_expr(file, object, Namespace::TYPE);
        match ev.type_of_entity(&entity, receiver.as_ref()) {
            Ty::Unknown => found,
            other if other == ty => found,
            other => self.call_on(ev, &other, name, view),
        }
    }

    fn call_on(&self, ev: &mut Eval<'_>, object: &Ty, name: &str, view: CallView<'_>) -> Called {
        ev.guard_recursion(|ev| self.call_on_inner(ev, object, name, view))
    }

    fn call_on_inner(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
        view: CallView<'_>,
    ) -> Called {
        let opened = match object {
            Ty::Param(def, n) if *n != SELF => match ev.resolve_type_param(object) {
                // What stands for a type parameter outside of its definition is not known.
                Ty::Unknown => {
                    let place = self.place_of_call(ev.repo, view);
                    if !place.is_inside(ev.repo, *def) {
                        return Called::Found(Entity::Unknown, Some(Ty::Unknown));
                    }
                    tables::system("Object")
                }
                bound => bound,
            },
            other => ev.resolve_type_param(other),
        };
        match &opened {
            Ty::Union(parts) => self.call_on_any(ev, parts, name, view),
            Ty::Instance(..) | Ty::Class(..) | Ty::Super(_) => {
                self.call_on_class(ev, &opened, object, name, view)
            }
            Ty::ExternalInstance(external, _) | Ty::External(external) => {
                self.call_outside(ev, external, object, name, view)
            }
            Ty::Tuple(_) | Ty::Object(..) | Ty::Function(..) => {
                let found = self.extension_call(ev, &opened, name, view);
                called(found)
            }
            _ => Called::Found(Entity::Unknown, Some(Ty::Unknown)),
        }
    }

    /// A call on a type of the repository: a method, a delegate that a member holds, an extension method.
    fn call_on_class(
        &self,
        ev: &mut Eval<'_>,
        opened: &Ty,
        object: &Ty,
        name: &str,
        view: CallView<'_>,
    ) -> Called {
        let (Ty::Instance(class, _) | Ty::Class(class, _) | Ty::Super(class)) = opened else {
            return Called::default();
        };
        let class = self.parts.whole(*class);
        let place = self.place_of_call(ev.repo, view);
        let Methods {
            found: candidates,
            is_open,
        } = self.method_candidates(ev, opened, name, &place);
        let chosen = self.select_seen(ev, &candidates, view);
        if is_open {
            return Called::Ambiguous(chosen.into_iter().map(|c| c.def).collect(), None);
        }
        // The call may mean an inherited method from outside of the repository, or an extension method.
        let is_uncertain = match &chosen[..] {
            [one] => self.rejects(ev, one, view),
            _ => false,
        };
        if !chosen.is_empty() && !is_uncertain {
            return called(chosen);
        }
        if is_uncertain && self.external_holder(class, name).is_none() {
            let found = self.extension_call(ev, object, name, view);
            return called(if found.is_empty() { chosen } else { found });
        }
        if candidates.is_empty()
            && let Some(value) = self.called_member(ev, opened, name)
        {
            return value;
        }
        let inherited = self.external_holder(class, name).map(|e| e.member(name));
        if inherited.is_none() && !matches!(opened, Ty::Class(..)) {
            let found = self.extension_call(ev, object, name, view);
            if !found.is_empty() {
                return called(found);
            }
        }
        self.outside_call(ev, class, opened, name, inherited)
    }

    /// A method that a type of the repository inherits from outside.
    fn outside_call(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        object: &Ty,
        name: &str,
        inherited: Option<External>,
    ) -> Called {
        let owner = Some(object.clone());
        if let Some(member) = inherited {
            return Called::Found(Entity::External(member), owner);
        }
        if let Ty::Super(_) = object
            && let Some(Supertype::Outside(above)) = self.hierarchy.superclass(ev.repo, class)
        {
            return Called::Found(Entity::External(above.member(name)), owner);
        }
        if is_object_method(name) {
            let member = External::new("System", "Object").member(name);
            return Called::Found(Entity::External(member), owner);
        }
        let enumeration = External::new("System.Collections.Generic", "IEnumerable");
        if tables().sequence_method(name).is_some()
            && let Some(sequence) = self.external_view(ev, object, &enumeration)
        {
            let member = External::new("System.Linq", "Enumerable").member(name);
            return Called::Found(Entity::External(member), Some(sequence));
        }
        let kind = ev.repo.def(class).kind;
        let implied = match kind {
            SymbolKind::Enum => Some(External::new("System", "Enum")),
            SymbolKind::TypeAlias => Some(External::new("System", "Delegate")),
            _ => None,
        };
        let mut outside = self.hierarchy.external_supertypes(class);
        let member = match (implied, outside.next()) {
            (Some(implied), _) => Entity::External(implied.member(name)),
            (None, Some(Some(external))) if !tables().knows(external) => {
                Entity::External(external.member(name))
            }
            _ => Entity::Unknown,
        };
        Called::Found(member, owner)
    }

    /// The external supertype that is known to have a method with this name.
    fn external_holder(&self, class: GlobalDef, name: &str) -> Option<External> {
        if is_object_method(name) {
            return None;
        }
        let key = format!("{name}()");
        self.hierarchy
            .external_supertypes(class)
            .flatten()
            .find(|e| self.platform_member(e, &key).is_some())
            .cloned()
    }

    /// A call on a value of a type outside the repository: one of its methods, or an extension method.
    fn call_outside(
        &self,
        ev: &mut Eval<'_>,
        external: &External,
        object: &Ty,
        name: &str,
        view: CallView<'_>,
    ) -> Called {
        let external = tables::normalize(external);
        let member = Entity::External(external.member(name));
        let owner = match object {
            Ty::Param(..) => ev.resolve_type_param(object),
            other => other.clone(),
        };
        let is_value = matches!(owner, Ty::ExternalInstance(..)) || owner.is_unknown();
        let is_own = self
            .platform_member(&external, &format!("{name}()"))
            .is_some();
        if is_value && !is_own {
            let found = self.extension_call(ev, object, name, view);
            if !found.is_empty() {
                return called(found);
            }
        }
        if is_value && !is_own && tables().sequence_method(name).is_some() {
            let enumeration = External::new("System.Collections.Generic", "IEnumerable");
            if let Some(sequence) = self.external_view(ev, &owner, &enumeration) {
                let member = External::new("System.Linq", "Enumerable").member(name);
                return Called::Found(Entity::External(member), Some(sequence));
            }
        }
        Called::Found(member, Some(owner))
    }

    /// A call on a value of one of several types. It is resolved only if the results agree.
    fn call_on_any(
        &self,
        ev: &mut Eval<'_>,
        parts: &[Ty],
        name: &str,
        view: CallView<'_>,
    ) -> Called {
        Called::on_any(parts, |part| self.call_on(ev, part, name, view))
    }

    /// A call of a property or field. The function in it is not known, but its result type is.
    fn called_member(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Called> {
        let (entity, owner) = ev.resolve_member(object, name);
        let Entity::Defs(defs) = &entity else {
            return None;
        };
        let first = ev.repo.def(*defs.first()?);
        if first.kind.is_callable() || super::namespaces::is_type(ev.repo, defs[0]) {
            return None;
        }
        let ty = ev.type_of_entity(&entity, owner.as_ref());
        Some(self.called_value(ev, &ty))
    }

    /// A call of a value. The function in it is not known, but the delegate's parameters and result type are.
    fn called_value(&self, ev: &mut Eval<'_>, ty: &Ty) -> Called {
        let value = match self.delegate_shape(ev, ty) {
            Some((params, result)) => Ty::Callable(params.into(), Arc::new(result)),
            None => Ty::Null,
        };
        Called::Found(Entity::Value(value), None)
    }

    /// The methods with a name that a type defines, or inherits inside the repository, nearest first. A call cannot name those that it
    /// has no access to.
    pub(super) fn method_candidates(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
        place: &CallPlace,
    ) -> Methods {
        let mut out = Methods::default();
        let (Some(sym), Ty::Instance(class, _) | Ty::Class(class, _) | Ty::Super(class)) =
            (ev.repo.find_sym(name), object)
        else {
            return out;
        };
        let repo = ev.repo;
        let class = self.parts.whole(*class);
        let (first, owner) = match object {
            Ty::Super(_) => match self.hierarchy.superclass(repo, class) {
                Some(Supertype::Inside(above)) => (*above, ev.identity_instance(class)),
                _ => return out,
            },
            other => (class, other.clone()),
        };
        for (level, holder) in (0..).zip(self.hierarchy.self_and_ancestors(first)) {
            if !ev.spend(1) {
                break;
            }
            let named = self.parts.members(repo, holder, sym);
            // A class may have thousands of methods of one name, and each call looks through all of them.
            if !ev.spend_on_namesakes(named.len()) {
                return Methods::default();
            }
            let mut hides = None;
            for def in named {
                let it = repo.def(def);
                if it.flags.has(DefFlags::EXPLICIT)
                    || !self.is_accessible(repo, def, holder, object, place)
                {
                    continue;
                }
                match it.kind {
                    SymbolKind::Method => out.found.push(Candidate {
                        def,
                        owner: owner.clone(),
                        is_extension: false,
                        level,
                    }),
                    SymbolKind::Field | SymbolKind::Property | SymbolKind::Constant => {
                        hides = Some(def);
                    }
                    _ => {}
                }
            }
            // A member that holds a delegate hides what the supertypes have. Other values do not take part in calls.
            if let Some(value) = hides {
                match self.holds_delegate(ev, value) {
                    Some(true) => break,
                    Some(false) => {}
                    None => {
                        out.is_open = !out.found.is_empty();
                        break;
                    }
                }
            }
        }
        out
    }

    /// Whether a field or property holds a delegate; `None` if its type is not known.
    fn holds_delegate(&self, ev: &mut Eval<'_>, value: GlobalDef) -> Option<bool> {
        let ty = ev.type_of_def(value);
        if self.delegate_shape(ev, &ty).is_some() {
            return Some(true);
        }
        self.is_no_delegate(ev, &ty).then_some(false)
    }

    /// `name(…)`: a local function or variable, a method of an enclosing class, or a method that `using static` brings.
    fn unqualified_call(
        &self,
        ev: &mut Eval<'_>,
        called_name: ScopedName,
        at: u32,
        view: CallView<'_>,
    ) -> Called {
        let repo = ev.repo;
        let ScopedName { file, scope, name } = called_name;
        let facts = repo.facts(file);
        let text = facts.name(name);
        let place = self.place_of_call(repo, view);
        let mut outside = None;
        let mut next = Some(scope);
        while let Some(id) = next {
            let here = facts.scope(id);
            next = here.parent;
            let (ScopeKind::Class, Some(owner)) = (here.kind, here.owner) else {
                let binding = repo.binding_at(file, id, name, at, Namespace::VALUE);
                if let Some(found) =
                    binding.and_then(|b| self.called_local(ev, file, name, id, b.to))
                {
                    return found;
                }
                continue;
            };
            let class = self.parts.whole(GlobalDef { file, def: owner });
            let object = ev.identity_instance(class);
            let Methods {
                found: candidates,
                is_open,
            } = self.method_candidates(ev, &object, text, &place);
            let chosen = self.select_seen(ev, &candidates, view);
            if is_open {
                return Called::Ambiguous(chosen.into_iter().map(|c| c.def).collect(), None);
            }
            if !chosen.is_empty() {
                return called(chosen);
            }
            if candidates.is_empty()
                && let Some(value) = self.called_member(ev, &object, text)
            {
                return value;
            }
            if let Some(known) = self.external_holder(class, text) {
                return Called::Found(Entity::External(known.member(text)), Some(object));
            }
            if outside.is_none() {
                outside = self.opaque_supertype(class);
            }
        }
        let mut candidates = Vec::new();
        for class in self.static_usings(repo, file, scope) {
            let object = Ty::Class(class, no_args());
            let methods = self.method_candidates(ev, &object, text, &place);
            candidates.extend(methods.found);
        }
        let chosen = self.select_seen(ev, &candidates, view);
        if !chosen.is_empty() {
            return called(chosen);
        }
        if is_object_method(text) {
            let member = External::new("System", "Object").member(text);
            return Called::Found(Entity::External(member), None);
        }
        match outside {
            Some(external) => Called::Found(Entity::External(external.member(text)), None),
            None => Called::Found(Entity::Unknown, None),
        }
    }

    /// A supertype outside of the repository about which nothing is known, so that it may have any method.
    fn opaque_supertype(&self, class: GlobalDef) -> Option<External> {
        let mut outside = self.hierarchy.external_supertypes(class).flatten();
        outside.find(|e| !tables().knows(e)).cloned()
    }

    /// A local function, or a variable that holds one.
    fn called_local(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: NameId,
        scope: ScopeId,
        to: Bound,
    ) -> Option<Called> {
        match to {
            Bound::Def(def) => {
                let def = GlobalDef { file, def };
                let is_function = ev.repo.def(def).kind.is_callable();
                is_function.then(|| Called::Found(Entity::def(def), None))
            }
            Bound::Local { .. } | Bound::Param(..) => {
                let found = ev.resolve_binding(file, name, scope, to, Namespace::VALUE);
                let ty = ev.type_of_entity(&found, None);
                Some(self.called_value(ev, &ty))
            }
            _ => None,
        }
    }

    /// The constructors that a call may mean; the class itself if it has none.
    pub(super) fn constructors(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        view: CallView<'_>,
    ) -> Vec<GlobalDef> {
        let repo = ev.repo;
        let class = self.parts.whole(class);
        let Some(name) = repo.find_sym(repo.def_name(class)) else {
            return vec![class];
        };
        let named = self.parts.members(repo, class, name);
        if !ev.spend_on_namesakes(named.len()) {
            return vec![class];
        }
        let place = self.place_of_call(repo, view);
        // `: this(…)` and `: base(…)` may call what is protected; `new` may not.
        let is_new = matches!(repo.facts(view.file).expr(view.expr), Expr::New { .. });
        let is_seen = |d: GlobalDef| match repo.def(d).visibility {
            Visibility::Protected if is_new => {
                place.types.contains(&class) || is_also_internal(repo.def(d))
            }
            Visibility::Protected => true,
            _ => self.is_accessible(repo, d, class, &Ty::Unknown, &place),
        };
        let constructors = named.filter(|d| {
            let it = repo.def(*d);
            it.kind == SymbolKind::Constructor && !it.flags.has(DefFlags::STATIC) && is_seen(*d)
        });
        let candidates: Vec<Candidate> = constructors
            .map(|def| Candidate {
                def,
                owner: Ty::instance(class),
                is_extension: false,
                level: 0,
            })
            .collect();
        if candidates.is_empty() {
            return vec![class];
        }
        let chosen = self.select_seen(ev, &candidates, view);
        if chosen.is_empty() {
            // Every struct can be created without arguments.
            return vec![class];
        }
        chosen.into_iter().map(|c| c.def).collect()
    }
}

/// The methods that a call may mean.
#[derive(Default)]
pub(super) struct Methods {
    pub(super) found: Vec<Candidate>,
    /// Whether a value that may be a delegate hides some of them, and may be what is called.
    pub(super) is_open: bool,
}

/// Methods that every object has.
fn is_object_method(name: &str) -> bool {
    matches!(
        name,
        "ToString" | "Equals" | "GetHashCode" | "GetType" | "ReferenceEquals" | "MemberwiseClone"
    )
}

fn called(mut chosen: Vec<Candidate>) -> Called {
    if chosen.len() == 1 {
        let one = chosen.swap_remove(0);
        return Called::Found(Entity::def(one.def), Some(one.owner));
    }
    if chosen.is_empty() {
        return Called::Found(Entity::Unknown, Some(Ty::Unknown));
    }
    let owner = chosen.first().map(|c| c.owner.clone());
    if chosen.len() > MAX_CANDIDATES {
        // They are not compared, not even by what they return.
        return Called::Ambiguous(Vec::new(), owner);
    }
    Called::Ambiguous(chosen.into_iter().map(|c| c.def).collect(), owner)
}
