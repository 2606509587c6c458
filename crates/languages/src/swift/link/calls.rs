//! Resolves the callee of a call.

use super::Swift;
use super::overloads::{Candidate, is_operator};
use super::platform::{self, standard};
use super::tables::{drop_left_out, is_type};
use crate::ancestry::Supertype;
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::{CallView, Called, ScopedName};
use linker::repo::{FileId, GlobalDef};
use linker::ty::*;

impl Swift {
    pub(super) fn resolve_callee(&self, ev: &mut Eval<'_>, view: CallView<'_>) -> Option<Called> {
        let file = view.file;
        let facts = ev.repo.facts(file);
        let Expr::Call { callee, .. } = facts.expr(view.expr) else {
            return None;
        };
        let callee = &super::overloads::plain_callee(facts, *callee);
        match facts.expr(*callee) {
            Expr::Name { name, scope, at } => {
                let text = facts.name(*name);
                if is_operator(text) {
                    return Some(self.operator_call(ev, text, view));
                }
                let name = ScopedName {
                    file,
                    scope: *scope,
                    name: *name,
                };
                Some(self.unqualified_call(ev, name, *at, view))
            }
            Expr::Member { object, name } => {
                let name = facts.name(*name);
                let ty = self.object_type(ev, file, *object);
                match ty {
                    Ty::Module(module) => Some(self.call_in_module(ev, module.index, name, view)),
                    ty => Some(self.call_on(ev, &ty, name, view)),
                }
            }
            Expr::Type(ty) => Some(self.call_of_type(ev, *ty, view)),
            Expr::Unknown => None,
            _ => {
                let ty = ev.type_of_expr(file, *callee);
                Some(self.called_value(ev, &ty, view))
            }
        }
    }

    /// The type of the object before a dot. A written type means the type itself.
    fn object_type(&self, ev: &mut Eval<'_>, file: FileId, object: ExprId) -> Ty {
        if let Expr::Type(ty) = ev.repo.facts(file).expr(object) {
            let ty = ev.lower_type(file, *ty);
            return self.meta(ev, &ty);
        }
        let (entity, receiver) = ev.resolve_expr(file, object, Namespace::VALUE);
        ev.type_of_entity(&entity, receiver.as_ref())
    }

    /// The type as a value, of which `.name` is a member.
    pub(super) fn meta(&self, ev: &mut Eval<'_>, ty: &Ty) -> Ty {
        match ty {
            Ty::Instance(def, args) => Ty::Class(*def, args.clone()),
            Ty::Param(def, SELF) => match ev.identity_instance(*def) {
                Ty::Instance(def, args) => Ty::Class(def, args),
                _ => Ty::Unknown,
            },
            Ty::Param(..) => {
                let bound = ev.resolve_type_param(ty);
                match bound {
                    Ty::Param(..) => Ty::Unknown,
                    bound => self.meta(ev, &bound),
                }
            }
            // Members of an optional are those of its value, unless it has them itself.
            Ty::ExternalInstance(..) if platform::is_optional(ty) => ty.clone(),
            Ty::ExternalInstance(external, _) => Ty::External(external.clone()),
            Ty::Union(parts) => {
                let parts: Vec<Ty> = parts.iter().map(|part| self.meta(ev, part)).collect();
                Ty::union(parts)
            }
            _ => Ty::Unknown,
        }
    }

    /// `T(…)` of a written type. The grammar takes `f<T>(…)` for one.
    fn call_of_type(&self, ev: &mut Eval<'_>, ty: TypeId, view: CallView<'_>) -> Called {
        let written = ev.lower_type(view.file, ty);
        match &written {
            Ty::ExternalInstance(..) | Ty::Unknown => {}
            _ => {
                let class = self.meta(ev, &written);
                return self.call_on(ev, &class, "init", view);
            }
        }
        if let TypeExpr::Named {
            path, scope, at, ..
        } = ev.repo.facts(view.file).ty(ty)
            && let [name] = path[..]
        {
            let text = ev.repo.facts(view.file).name(name);
            if text.starts_with(char::is_lowercase) {
                let name = ScopedName {
                    file: view.file,
                    scope: *scope,
                    name,
                };
                return self.unqualified_call(ev, name, *at, view);
            }
        }
        match written {
            Ty::ExternalInstance(external, args) => {
                let object = Ty::ExternalInstance(external, args);
                self.construct_outside(ev, &object, view)
            }
            _ => Called::Found(Entity::Unknown, Some(Ty::Unknown)),
        }
    }

    /// `object.name(…)`.
    pub(super) fn call_on(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
        view: CallView<'_>,
    ) -> Called {
        ev.guard_recursion(|ev| self.call_on_inner(ev, object, name, view))
    }

    fn call_on_inner(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
        view: CallView<'_>,
    ) -> Called {
        let opened = ev.resolve_type_param(object);
        let opened = match opened {
            Ty::ClassOf(of) => self.meta(ev, &of),
            other => other,
        };
        match &opened {
            Ty::Union(parts) => Called::on_any(parts, |part| self.call_on(ev, part, name, view)),
            Ty::Instance(..) | Ty::Class(..) | Ty::Super(_) => {
                self.call_on_type(ev, &opened, object, name, view)
            }
            Ty::ExternalInstance(..) | Ty::External(_) => {
                self.call_outside(ev, &opened, name, view)
            }
            Ty::Module(module) => self.call_in_module(ev, module.index, name, view),
            _ => Called::Found(Entity::Unknown, Some(Ty::Unknown)),
        }
    }

    /// A call on a type of the repository.
    fn call_on_type(
        &self,
        ev: &mut Eval<'_>,
        opened: &Ty,
        object: &Ty,
        name: &str,
        view: CallView<'_>,
    ) -> Called {
        let candidates = self.candidates(ev, opened, name, None);
        let is_init = name == "init";
        let chosen = self.select(ev, candidates.functions, view);
        if !chosen.is_empty() {
            return called(chosen);
        }
        if let Some(inner) = candidates.types.first() {
            return self.construct(ev, *inner, view);
        }
        if let Some(value) = candidates.values.first() {
            let entity = Entity::def(*value);
            let ty = ev.type_of_entity(&entity, Some(opened));
            return self.called_value(ev, &ty, view);
        }
        if is_init {
            return self.implicit_init(ev, opened, view);
        }
        let member = self.outside_member_of(opened, name);
        if let Ty::Super(class) = opened
            && let Some(Supertype::Outside(above)) =
                self.superclass(ev.repo, self.tables.whole(*class))
        {
            let member = Entity::External(above.member(name));
            return Called::Found(member, Some(object.clone()));
        }
        if let Some(found) = self.platform_call(ev, opened, name) {
            return found;
        }
        Called::Found(member, Some(object.clone()))
    }

    /// A call of a method that a type has from the standard library.
    fn platform_call(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Called> {
        let key = format!("{name}()");
        let value = match object {
            Ty::Class(def, args) => Ty::Instance(*def, args.clone()),
            Ty::External(external) => Ty::ExternalInstance(external.clone(), no_args()),
            other => other.clone(),
        };
        let order = match &value {
            Ty::Instance(..) => ev.member_search_order(&value),
            _ => vec![value.clone()],
        };
        for ty in order {
            let Ty::ExternalInstance(external, args) = &ty else {
                continue;
            };
            let Some((_, holder)) = standard().member(&ty, &key) else {
                continue;
            };
            let member = Entity::External(external.member(name));
            let is_open = args.iter().all(Ty::is_unknown)
                && platform::type_param(&external.symbol, "Element").is_some();
            if is_open && matches!(value, Ty::Instance(..)) {
                let element = self.element_of(ev, &value);
                let ty = Ty::ExternalInstance(external.clone(), [element].into());
                let holder = standard().member(&ty, &key).map(|(_, holder)| holder);
                return Some(Called::Found(member, holder));
            }
            return Some(Called::Found(member, Some(holder)));
        }
        None
    }

    /// An initialiser that is not written: that of a class outside the repository, or one that every type has.
    fn implicit_init(&self, ev: &mut Eval<'_>, object: &Ty, view: CallView<'_>) -> Called {
        let (Ty::Class(def, _) | Ty::Instance(def, _) | Ty::Super(def)) = object else {
            return Called::default();
        };
        let mut class = self.tables.whole(*def);
        if matches!(object, Ty::Super(_)) {
            match self.superclass(ev.repo, class) {
                Some(Supertype::Inside(above)) => class = *above,
                Some(Supertype::Outside(external)) => {
                    return Called::Found(Entity::External(external.member("init")), None);
                }
                _ => return Called::default(),
            }
        }
        if matches!(
            ev.repo.def(class).kind,
            SymbolKind::Interface | SymbolKind::TypeAlias
        ) {
            return Called::Found(Entity::Unknown, Some(object.clone()));
        }
        if ev.repo.def(class).kind == SymbolKind::Enum {
            // Only one that is made from a raw value.
            let init = Entity::external("Swift", "RawRepresentable.init");
            return Called::Found(init, Some(object.clone()));
        }
        let args = match object {
            Ty::Class(_, args) | Ty::Instance(_, args) if !args.is_empty() => args.clone(),
            _ => self.memberwise_arguments(ev, class, view),
        };
        if args.is_empty() {
            return Called::Found(Entity::def(class), Some(object.clone()));
        }
        Called::Found(Entity::Value(Ty::Class(class, args)), None)
    }

    /// The type arguments of a struct, from the values of its properties.
    fn memberwise_arguments(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        view: CallView<'_>,
    ) -> Args {
        let repo = ev.repo;
        let count = repo.def(class).type_params.len() as u32;
        if count == 0 {
            return no_args();
        }
        let mut env: Vec<((GlobalDef, u32), Ty)> = Vec::new();
        for arg in view.args {
            let label = super::overloads::label_of_argument(repo, view.file, *arg);
            let Some(sym) = label.and_then(|label| repo.find_sym(label)) else {
                continue;
            };
            let property = repo.children_named(class, sym).next();
            let Some((property, ty)) = property.and_then(|p| Some((p, repo.def(p).ty?))) else {
                continue;
            };
            let pattern = ev.lower_type(property.file, ty);
            let value = super::overloads::value_of(repo, view.file, *arg);
            let actual = ev.type_of_expr(view.file, value);
            ev.unify(&pattern, &actual, &mut env);
        }
        let known = |n: u32| env.iter().find(|(key, _)| *key == (class, n));
        (0..count)
            .map(|n| known(n).map(|(_, ty)| ty.clone()).unwrap_or_default())
            .collect()
    }

    /// A call that makes an instance of a type.
    pub(super) fn construct(&self, ev: &mut Eval<'_>, ty: GlobalDef, view: CallView<'_>) -> Called {
        let found = ev.type_of_def(ty);
        match found {
            Ty::Class(..) => self.call_on(ev, &found, "init", view),
            Ty::External(external) => {
                let object = Ty::ExternalInstance(external, no_args());
                self.construct_outside(ev, &object, view)
            }
            _ => match ev.repo.def(ty).ty.map(|t| ev.lower_type(ty.file, t)) {
                Some(Ty::ExternalInstance(external, args)) => {
                    let object = Ty::ExternalInstance(external, args);
                    self.construct_outside(ev, &object, view)
                }
                _ => Called::Found(Entity::Unknown, Some(Ty::Unknown)),
            },
        }
    }

    /// A call that makes an instance of a type outside the repository, which extensions may have given an initialiser.
    fn construct_outside(&self, ev: &mut Eval<'_>, object: &Ty, view: CallView<'_>) -> Called {
        let candidates = self.candidates(ev, object, "init", None);
        let chosen = self.select(ev, candidates.functions, view);
        if let [one] = &chosen[..]
            && !self.rejects(ev, one, view)
            && !view.args.is_empty()
        {
            // A label tells it from what the type has itself.
            let facts = ev.repo.facts(view.file);
            let is_labelled = |arg: &ExprId| matches!(facts.expr(*arg), Expr::Keyword(..));
            if view.args.iter().any(is_labelled) {
                return called(chosen);
            }
        }
        let Ty::ExternalInstance(external, args) = object else {
            return Called::default();
        };
        if !chosen.is_empty() && !view.args.is_empty() {
            // It may be the initialiser of the extension.
            return Called::Found(Entity::Unknown, Some(object.clone()));
        }
        let owner = Ty::ExternalInstance(external.clone(), args.clone());
        Called::Found(Entity::External(external.member("init")), Some(owner))
    }

    /// A call on a value or type outside the repository: a member that an extension gives it, or one of its own.
    fn call_outside(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
        view: CallView<'_>,
    ) -> Called {
        let value = match object {
            Ty::External(external) => Ty::ExternalInstance(external.clone(), no_args()),
            other => other.clone(),
        };
        if platform::is_optional(&value) && is_implied_call(ev, view) && name != "some" {
            let inner = self.meta(ev, &value.arg(0));
            return self.call_on(ev, &inner, name, view);
        }
        if name == "init" {
            return self.construct_outside(ev, &value, view);
        }
        let own = standard().member(&value, &format!("{name}()"));
        let own = own.map(|(_, holder)| holder);
        let mut candidates = self.candidates(ev, object, name, None);
        // What is not built stands in for a member that the type has itself.
        let repo = ev.repo;
        candidates
            .functions
            .retain(|c| !repo.def(c.def).flags.has(DefFlags::CONDITIONAL));
        let chosen = self.select(ev, candidates.functions, view);
        if let [one] = &chosen[..] {
            if !self.rejects(ev, one, view) {
                return called(chosen);
            }
        } else if !chosen.is_empty() {
            return called(chosen);
        }
        if let Some(inner) = candidates.types.first() {
            return self.construct(ev, *inner, view);
        }
        if let Ty::External(external) = object
            && name.starts_with(char::is_uppercase)
        {
            return Called::Found(Entity::External(external.member(name)), Some(value));
        }
        if own.is_none() && platform::is_optional(&value) && !value.arg(0).is_unknown() {
            return self.call_on(ev, &value.arg(0), name, view);
        }
        let Ty::ExternalInstance(external, _) = &value else {
            return Called::default();
        };
        let is_known = own.is_some() || platform::is_known(&external.symbol);
        let may_be_inside = ev
            .repo
            .find_sym(name)
            .is_some_and(|sym| self.tables.extends_outside_by(sym));
        if !is_known && may_be_inside {
            // It is not known whether the type has what the extension extends.
            return Called::Found(Entity::Unknown, Some(Ty::Unknown));
        }
        let member = Entity::External(external.member(name));
        Called::Found(member, Some(own.unwrap_or(value)))
    }

    /// `Module.name(…)`.
    fn call_in_module(
        &self,
        ev: &mut Eval<'_>,
        module: u32,
        name: &str,
        view: CallView<'_>,
    ) -> Called {
        let found = self
            .tables
            .members_of_module(ev.repo, module, name, view.file);
        self.call_among(ev, vec![found], view)
            .unwrap_or(Called::Found(Entity::Unknown, Some(Ty::Unknown)))
    }

    /// A call of one of the definitions outside of types that a name denotes, the nearest first.
    fn call_among(
        &self,
        ev: &mut Eval<'_>,
        levels: Vec<Vec<GlobalDef>>,
        view: CallView<'_>,
    ) -> Option<Called> {
        let repo = ev.repo;
        let all = levels.iter().zip(0..);
        let functions: Vec<Candidate> = all
            .flat_map(|(level, at)| level.iter().map(move |def| (*def, at)))
            .filter(|(def, _)| repo.def(*def).kind.is_callable())
            .map(|(def, level)| Candidate {
                def,
                owner: None,
                level,
            })
            .collect();
        let chosen = self.select(ev, functions, view);
        if !chosen.is_empty() {
            return Some(called(chosen));
        }
        let first = levels.into_iter().find(|level| !level.is_empty())?;
        let ty = first.iter().copied().find(|def| is_type(repo, *def));
        if let Some(ty) = ty {
            return Some(self.construct(ev, ty, view));
        }
        let value = first
            .iter()
            .copied()
            .find(|def| !repo.def(*def).kind.is_callable())?;
        let ty = ev.type_of_def(value);
        Some(self.called_value(ev, &ty, view))
    }

    /// A call of a value: of a function that is not known, or of an object that can be called.
    pub(super) fn called_value(&self, ev: &mut Eval<'_>, ty: &Ty, view: CallView<'_>) -> Called {
        let plain = platform::unwrapped(ty);
        match &plain {
            Ty::Callable(..) => Called::Found(Entity::Value(plain), None),
            Ty::Function(defs, owner) => {
                // The variable may hold another function later.
                let result = match defs[..] {
                    [one] => {
                        let raw = ev.result_type(one);
                        ev.substitute(&raw, owner.as_deref())
                    }
                    _ => Ty::Unknown,
                };
                Called::Found(Entity::Value(platform::callable(Vec::new(), result)), None)
            }
            Ty::Class(..) => self.call_on(ev, &plain, "init", view),
            Ty::Instance(def, _) if ev.repo.def(*def).kind == SymbolKind::TypeAlias => {
                Called::Found(Entity::Value(Ty::Null), None)
            }
            Ty::Instance(..) => self.call_on(ev, &plain, "callAsFunction", view),
            Ty::External(_) | Ty::ExternalInstance(..) => Called::Found(Entity::Value(plain), None),
            _ => Called::Found(Entity::Value(Ty::Null), None),
        }
    }

    /// `name(…)`: a local function or variable, a member of an enclosing type, or a function outside of types.
    pub(super) fn unqualified_call(
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
        if text == "Self" {
            let class = self.self_class(ev, file, scope);
            return self.call_on(ev, &class, "init", view);
        }
        let mut outside: Option<Entity> = None;
        for here in self.scopes(repo, file, scope) {
            let Some(object) = here.object else {
                let binding = repo.binding_at(file, here.scope, name, at, Namespace::VALUE);
                if let Some(found) =
                    binding.and_then(|b| self.called_local(ev, called_name, here.scope, b.to, view))
                {
                    return found;
                }
                continue;
            };
            let object = self.own_object(ev, &object, here.is_static);
            let candidates = self.candidates(ev, &object, text, None);
            let chosen = self.select(ev, candidates.functions, view);
            if !chosen.is_empty() {
                return called(chosen);
            }
            if let Some(inner) = candidates.types.first() {
                return self.construct(ev, *inner, view);
            }
            if let Some(value) = candidates.values.first() {
                let ty = ev.type_of_entity(&Entity::def(*value), Some(&object));
                return self.called_value(ev, &ty, view);
            }
            if text != "init"
                && let Some(found) = self.platform_call(ev, &object, text)
            {
                return found;
            }
            if text != "init" && outside.is_none() {
                let member = self.outside_member_of(&object, text);
                outside = (!member.is_unknown()).then_some(member);
            }
        }
        self.call_outside_of_types(ev, called_name, at, view, outside)
    }

    fn call_outside_of_types(
        &self,
        ev: &mut Eval<'_>,
        called_name: ScopedName,
        at: u32,
        view: CallView<'_>,
        inherited: Option<Entity>,
    ) -> Called {
        let repo = ev.repo;
        let ScopedName { file, scope, name } = called_name;
        let text = repo.facts(file).name(name);
        let levels = self.tables.visible_tops(repo, text, file, |_| true);
        let is_std = standard().function(text).is_some();
        if !levels.is_empty() {
            let is_type_name = levels[0].iter().any(|d| is_type(repo, *d));
            if is_type_name {
                let place = super::tables::NamePosition { file, scope, at };
                if let super::tables::TypeName::Type(def) = self.tables.simple(repo, name, place, 0)
                {
                    return self.construct(ev, def, view);
                }
                return Called::Found(Entity::Unknown, None);
            }
            let found = self.call_among(ev, levels, view);
            let is_rejected = match &found {
                Some(Called::Found(Entity::Defs(defs), _)) if is_std => {
                    let one = Candidate {
                        def: defs[0],
                        owner: None,
                        level: 0,
                    };
                    self.rejects(ev, &one, view)
                }
                _ => false,
            };
            if let Some(found) = found.filter(|_| !is_rejected) {
                return found;
            }
        }
        if is_std {
            return Called::Found(Entity::external("Swift", text), None);
        }
        // A type that only types and scopes around the place name: a type parameter, an alias in an extension.
        let place = super::tables::NamePosition { file, scope, at };
        match self.tables.simple(repo, name, place, 0) {
            super::tables::TypeName::Param(def, n) => {
                let class = self.meta(ev, &Ty::Param(def, n));
                return self.call_on(ev, &class, "init", view);
            }
            super::tables::TypeName::Type(def) => return self.construct(ev, def, view),
            super::tables::TypeName::Written(file, ty) => {
                let ty = ev.lower_type(file, ty);
                let class = self.meta(ev, &ty);
                return self.call_on(ev, &class, "init", view);
            }
            super::tables::TypeName::External(external) if platform::is_known(text) => {
                let object = Ty::ExternalInstance(external, no_args());
                return self.construct_outside(ev, &object, view);
            }
            _ => {}
        }
        if let Some(member) = inherited {
            return Called::Found(member, None);
        }
        let is_outside = self.tables.modules.imports_outside(repo, file);
        if is_outside {
            let external = self.tables.external(repo, text, file);
            if text.starts_with(char::is_uppercase) {
                let object = Ty::ExternalInstance(external, no_args());
                return self.construct_outside(ev, &object, view);
            }
            return Called::Found(Entity::External(external), None);
        }
        Called::Found(Entity::Unknown, None)
    }

    /// A local function or type, or a variable that holds a function.
    fn called_local(
        &self,
        ev: &mut Eval<'_>,
        name: ScopedName,
        scope: ScopeId,
        to: Bound,
        view: CallView<'_>,
    ) -> Option<Called> {
        let repo = ev.repo;
        match to {
            Bound::Def(_) => {
                let named = repo.bindings_named(name.file, scope, name.name);
                if !ev.spend_on_namesakes(named.len()) {
                    return None;
                }
                let named = repo.bindings_named(name.file, scope, name.name);
                let mut defs: Vec<GlobalDef> = named
                    .filter_map(|b| match b.to {
                        Bound::Def(def) => Some(GlobalDef {
                            file: name.file,
                            def,
                        }),
                        _ => None,
                    })
                    .collect();
                drop_left_out(repo, &mut defs);
                self.call_among(ev, vec![defs], view)
            }
            Bound::Local { .. } | Bound::Param(..) => {
                let found = ev.resolve_binding(name.file, name.name, scope, to, Namespace::VALUE);
                let ty = ev.type_of_entity(&found, None);
                Some(self.called_value(ev, &ty, view))
            }
            _ => None,
        }
    }

    /// The members of a name that a call may mean, by kind.
    pub(super) fn candidates(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
        owner: Option<&Ty>,
    ) -> Candidates {
        let repo = ev.repo;
        let mut out = Candidates::default();
        let (Some(sym), Some(from)) = (repo.find_sym(name), ev.current_file()) else {
            return out;
        };
        if ev.is_out_of_fuel() {
            return out;
        }
        let owner = owner.unwrap_or(object);
        let wants_static = matches!(object, Ty::Class(..) | Ty::External(_)) && name != "init";
        let mut other: Vec<Candidate> = Vec::new();
        for holder in self.holders(repo, object) {
            if !ev.spend(1) {
                return Candidates::default();
            }
            let named = self.named_in(ev, holder.part, sym, from);
            if named.is_empty() || !self.applies(ev, holder.part, object) {
                continue;
            }
            for def in named {
                let it = repo.def(def);
                if is_type(repo, def) {
                    out.types.push(def);
                    continue;
                }
                let is_called = it.kind.is_callable()
                    || it.kind == SymbolKind::EnumMember && it.callable.is_some();
                if !is_called {
                    out.values.push(def);
                    continue;
                }
                let candidate = Candidate {
                    def,
                    owner: Some(owner.clone()),
                    level: holder.level,
                };
                let is_static = super::members::is_static(repo, def);
                if name == "init" || is_static == wants_static {
                    out.functions.push(candidate);
                } else {
                    other.push(candidate);
                }
            }
        }
        if out.functions.is_empty() && out.values.is_empty() && out.types.is_empty() {
            out.functions = other;
        }
        out
    }
}

/// Members of a name that a call may mean.
#[derive(Default)]
pub(super) struct Candidates {
    pub(super) functions: Vec<Candidate>,
    pub(super) types: Vec<GlobalDef>,
    pub(super) values: Vec<GlobalDef>,
}

/// Whether a call is one of `.name(…)`.
fn is_implied_call(ev: &Eval<'_>, view: CallView<'_>) -> bool {
    let facts = ev.repo.facts(view.file);
    let Expr::Call { callee, .. } = facts.expr(view.expr) else {
        return false;
    };
    match facts.expr(super::overloads::plain_callee(facts, *callee)) {
        Expr::Member { object, .. } => matches!(facts.expr(*object), Expr::Type(_)),
        _ => false,
    }
}

/// What a call of the chosen candidates leads to.
pub(super) fn called(mut chosen: Vec<Candidate>) -> Called {
    if chosen.len() == 1 {
        let one = chosen.swap_remove(0);
        return Called::Found(Entity::def(one.def), one.owner);
    }
    let owner = chosen.first().and_then(|c| c.owner.clone());
    Called::Ambiguous(chosen.into_iter().map(|c| c.def).collect(), owner)
}
