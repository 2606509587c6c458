//! Resolves the callee of a call.

use super::Kotlin;
use super::names::{Level, NameUse};
use super::packages::is_type;
use super::platform::{self, standard};
use super::receivers::Implicit;
use super::select::Candidate;
use base::facts::*;
use base::{Language, SymbolKind, Visibility};
use linker::eval::Eval;
use linker::lang::{CallView, Called};
use linker::repo::{FileId, GlobalDef};
use linker::ty::*;

/// A scope, and a byte in it.
pub(super) type ScopePosition = (ScopeId, u32);

impl Kotlin {
    pub(super) fn resolve_callee(&self, ev: &mut Eval<'_>, view: CallView<'_>) -> Option<Called> {
        let file = view.file;
        let facts = ev.repo.facts(file);
        let Expr::Call { callee, .. } = facts.expr(view.expr) else {
            return None;
        };
        match facts.expr(*callee) {
            Expr::Name { name, scope, at } => {
                let used = NameUse {
                    file,
                    name: *name,
                    scope: *scope,
                    at: *at,
                };
                Some(self.unqualified_call(ev, used, view))
            }
            Expr::Member { object, name } => {
                Some(self.qualified_call(ev, *object, facts.name(*name), view))
            }
            Expr::This(def) => {
                let class = GlobalDef { file, def: *def };
                Some(Called::Found(Entity::def(class), None))
            }
            Expr::Super(def) => Some(self.super_constructor(ev, GlobalDef { file, def: *def })),
            Expr::Type(_) | Expr::Unknown => None,
            _ => {
                let ty = ev.type_of_expr(file, *callee);
                Some(self.called_value(ev, &ty, view))
            }
        }
    }

    /// `: super(…)` of a secondary constructor.
    fn super_constructor(&self, ev: &mut Eval<'_>, class: GlobalDef) -> Called {
        let supers = ev.lower_supertypes(class);
        let mut found = Entity::Unknown;
        for above in supers {
            match above {
                Ty::Instance(above, _) if ev.repo.def(above).kind != SymbolKind::Interface => {
                    return Called::Found(Entity::def(above), None);
                }
                Ty::ExternalInstance(external, _) => found = Entity::External(external),
                _ => {}
            }
        }
        Called::Found(found, None)
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
        if let Entity::Module(found) = &entity {
            return self.call_in_package(ev, found.index & !super::OWN, name, view);
        }
        if let Entity::External(external) = &entity {
            return self.call_outside_class(external, name);
        }
        let ty = ev.type_of_entity(&entity, receiver.as_ref());
        let found = self.call_on(ev, &ty, name, view);
        // `a += b` is `a = a + b` where there is no function for it.
        match (name.strip_suffix("Assign"), &found) {
            (Some(plain), Called::Found(entity, _)) if !matches!(entity, Entity::Defs(_)) => {
                self.call_on(ev, &ty, plain, view)
            }
            _ => found,
        }
    }

    /// A function or class of a package that is named in full.
    fn call_in_package(
        &self,
        ev: &mut Eval<'_>,
        package: u32,
        name: &str,
        view: CallView<'_>,
    ) -> Called {
        let repo = ev.repo;
        let Some(sym) = repo.find_sym(name) else {
            return Called::default();
        };
        let members = self.packages.members(package, sym).to_vec();
        if !ev.spend_on_namesakes(members.len()) {
            return Called::default();
        }
        self.called_of(ev, &members, view).unwrap_or_default()
    }

    /// A call on a class, object or package outside of the repository.
    fn call_outside_class(&self, external: &External, name: &str) -> Called {
        let object = Ty::External(external.clone());
        Called::Found(Entity::External(external.member(name)), Some(object))
    }

    /// A call on a value or class of a type.
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
        if object.is_unknown() {
            return Called::Found(Entity::Unknown, Some(Ty::Unknown));
        }
        let opened = match object {
            Ty::Param(_, n) if *n != SELF => match ev.resolve_type_param(object) {
                Ty::Unknown => platform::kotlin("Any"),
                bound => bound,
            },
            other => ev.resolve_type_param(other),
        };
        let opened = platform::kotlin_type(&opened);
        if let Ty::Union(parts) = &opened {
            let joined = self.join(ev, parts);
            if !matches!(joined, Ty::Union(_)) {
                return self.call_on(ev, &joined, name, view);
            }
            return Called::on_any(parts, |part| self.call_on(ev, part, name, view));
        }
        if let Some(found) = self.member_call(ev, &opened, name, view) {
            return found;
        }
        let levels = self.levels_of_text(ev, view.file, name);
        let scope = self.scope_of(ev, view);
        if let Some(found) = self.extension_call(ev, object, name, &levels, scope, view) {
            return found;
        }
        if let Some(found) = self.extension_value(ev, &opened, &levels, view) {
            return found;
        }
        if let Some(found) = self.function_value(ev, scope, view) {
            return found;
        }
        self.outside_call(ev, &opened, name)
    }

    /// A variable or property that holds a function with a receiver, called on an object.
    fn function_value(
        &self,
        ev: &mut Eval<'_>,
        place: Option<ScopePosition>,
        view: CallView<'_>,
    ) -> Option<Called> {
        let (scope, at) = place?;
        let facts = ev.repo.facts(view.file);
        let Expr::Call { callee, .. } = facts.expr(view.expr) else {
            return None;
        };
        let Expr::Member { name, .. } = facts.expr(*callee) else {
            return None;
        };
        let used = NameUse {
            file: view.file,
            name: *name,
            scope,
            at,
        };
        let (entity, owner) = self.value_name(ev, used);
        let ty = ev.type_of_entity(&entity, owner.as_ref());
        let Ty::Callable(params, _) = &ty else {
            return None;
        };
        params.first().and_then(platform::receiver)?;
        Some(Called::Found(Entity::Value(ty), None))
    }

    /// The scope of a call's callee.
    fn scope_of(&self, ev: &Eval<'_>, view: CallView<'_>) -> Option<ScopePosition> {
        let facts = ev.repo.facts(view.file);
        let mut at = view.expr;
        for _ in 0..64 {
            at = match facts.expr(at) {
                Expr::Call { callee, .. } => *callee,
                Expr::Member { object, .. } | Expr::Scoped { object, .. } => *object,
                Expr::Cast(inner, _) | Expr::Borrowed(inner) | Expr::Try(inner) => *inner,
                Expr::Name { scope, at, .. } => return Some((*scope, *at)),
                _ => return None,
            };
        }
        None
    }

    /// A method of the object's type, or a property of it that is called.
    fn member_call(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
        view: CallView<'_>,
    ) -> Option<Called> {
        match object {
            Ty::Instance(..) | Ty::Super(_) => self.call_on_instance(ev, object, name, view),
            Ty::Class(class, _) => self.call_on_class(ev, *class, name, view),
            Ty::ExternalInstance(external, _) => {
                let is_member = standard().is_member(external, name);
                is_member.then(|| {
                    let member = Entity::External(external.member(name));
                    Called::Found(member, Some(object.clone()))
                })
            }
            Ty::Callable(_, result) if name == "invoke" => {
                let value = Ty::Callable(no_args(), result.clone());
                Some(Called::Found(Entity::Value(value), None))
            }
            _ => None,
        }
    }

    fn call_on_instance(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
        view: CallView<'_>,
    ) -> Option<Called> {
        let (candidates, outside) = self.methods(ev, object, name, view.file, false);
        let chosen = self.select(ev, &candidates, view);
        if !chosen.is_empty() {
            return Some(called(chosen));
        }
        if let Some(member) = outside {
            return Some(Called::Found(
                Entity::External(member),
                Some(object.clone()),
            ));
        }
        if let Some((entity, owner)) = self.own_property(ev, object, name, view.file) {
            let ty = ev.type_of_entity(&entity, owner.as_ref());
            let found = self.called_property(ev, &entity, &ty, view);
            return Some(found);
        }
        if let Ty::Instance(class, _) = object
            && let Some(sym) = ev.repo.find_sym(name)
            && let Some(inner) = self.inherited_type(ev, *class, sym)
            && !ev.repo.def(inner).flags.has(DefFlags::STATIC)
        {
            return self.called_of(ev, &[inner], view);
        }
        self.generated_method(ev, object, name)
    }

    /// Methods that the compiler makes: `copy` and `componentN` of data classes.
    fn generated_method(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Called> {
        let Ty::Instance(class, _) = object else {
            return None;
        };
        let it = ev.repo.def(*class);
        let is_copy = name == "copy" && it.callable.is_some() && it.kind == SymbolKind::Class;
        let is_inherited = matches!(name, "equals" | "hashCode" | "toString");
        let of_enum = it.kind == SymbolKind::Enum && name == "compareTo";
        let result = if is_copy {
            object.clone()
        } else if let Some(n) = name.strip_prefix("component").and_then(|n| n.parse().ok()) {
            self.component(ev, object, n)?
        } else if is_inherited || of_enum {
            let holder = if of_enum { "Enum" } else { "Any" };
            let member = External::new("kotlin", holder).member(name);
            return Some(Called::Found(
                Entity::External(member),
                Some(object.clone()),
            ));
        } else {
            return None;
        };
        // The call leads to nothing that is written.
        let ty = Ty::Callable(no_args(), std::sync::Arc::new(result));
        Some(Called::Found(Entity::Value(ty), None))
    }

    /// What a class itself offers: classes inside, methods of its companion, static methods of Java.
    fn call_on_class(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        name: &str,
        view: CallView<'_>,
    ) -> Option<Called> {
        let repo = ev.repo;
        if repo.def(class).flags.has(DefFlags::OBJECT) {
            let object = Ty::instance(class);
            if let Some(found) = self.call_on_instance(ev, &object, name, view) {
                return Some(found);
            }
        }
        if let Some(found) = self.static_call(ev, class, name, view) {
            return Some(found);
        }
        let it = repo.def(class);
        if it.kind == SymbolKind::Enum && matches!(name, "valueOf" | "values") {
            let one = Ty::instance(class);
            let result = if name == "values" {
                Ty::external("kotlin", "Array", vec![one])
            } else {
                one
            };
            let ty = Ty::Callable(no_args(), std::sync::Arc::new(result));
            return Some(Called::Found(Entity::Value(ty), None));
        }
        None
    }

    /// The classes inside a class and the methods of its companion, also those of its supertypes.
    fn static_call(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        name: &str,
        view: CallView<'_>,
    ) -> Option<Called> {
        let repo = ev.repo;
        let sym = repo.find_sym(name);
        for holder in ev.member_search_order(&Ty::instance(class)) {
            let Ty::Instance(holder, _) = holder else {
                continue;
            };
            if !ev.spend(1) {
                return None;
            }
            if let Some(sym) = sym {
                let named = repo.children_named(holder, sym);
                if !ev.spend_on_namesakes(named.len()) {
                    return None;
                }
                let is_java = repo.language(holder.file) == Language::Java;
                let found = named.filter(|def| {
                    let it = repo.def(*def);
                    is_type(repo, *def)
                        || (is_java && it.flags.has(DefFlags::STATIC) && it.kind.is_callable())
                });
                let found: Vec<GlobalDef> = found.collect();
                if let Some(found) = self.called_of(ev, &found, view) {
                    return Some(found);
                }
            }
            if let Some(companion) = super::companion(repo, holder) {
                let object = Ty::instance(companion);
                if let Some(found) = self.call_on_instance(ev, &object, name, view)
                    && !is_from_any(&found)
                {
                    return Some(found);
                }
            }
        }
        if let Some((entity, owner)) = self.static_value(ev, class, name, view.file) {
            let ty = ev.type_of_entity(&entity, owner.as_ref());
            return Some(self.called_property(ev, &entity, &ty, view));
        }
        None
    }

    /// The methods with a name that a type declares or inherits inside of the repository, nearest first, and a method of that
    /// name that it inherits from outside.
    pub(super) fn methods(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
        from: FileId,
        are_extensions: bool,
    ) -> (Vec<Candidate>, Option<External>) {
        let repo = ev.repo;
        let sym = repo.find_sym(name);
        let owner = match object {
            Ty::Super(class) => ev.identity_instance(*class),
            other => other.clone(),
        };
        let mut out = Vec::new();
        let mut outside = None;
        for (level, holder) in (0..).zip(ev.member_search_order(object)) {
            if !ev.spend(1) {
                break;
            }
            match &holder {
                Ty::Instance(class, _) => {
                    let Some(sym) = sym else { continue };
                    let named = repo.children_named(*class, sym);
                    if !ev.spend_on_namesakes(named.len()) {
                        return (Vec::new(), None);
                    }
                    for def in named {
                        let it = repo.def(def);
                        let is_hidden = it.flags.has(DefFlags::HIDDEN)
                            || (it.visibility == Visibility::Private && def.file != from);
                        let is_java = repo.language(def.file) == Language::Java;
                        let is_static = is_java && it.flags.has(DefFlags::STATIC);
                        let is_extension = it.flags.has(DefFlags::EXTENSION);
                        if it.kind == SymbolKind::Method
                            && !is_hidden
                            && !is_static
                            && is_extension == are_extensions
                        {
                            out.push(Candidate {
                                def,
                                owner: Some(owner.clone()),
                                level,
                            });
                        }
                    }
                }
                Ty::ExternalInstance(external, _) => {
                    let external = platform::kotlin_name(external);
                    if outside.is_none() && standard().is_member(&external, name) {
                        outside = Some(external.member(name));
                    }
                }
                _ => {}
            }
        }
        (out, outside)
    }

    /// A member that is not known: of a class outside of the repository, or inherited from one.
    fn outside_call(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Called {
        let owner = Some(object.clone());
        let is_known = |ty: &Ty| standard().method(ty, name).is_some();
        match object {
            Ty::ExternalInstance(external, _) | Ty::External(external) => {
                Called::Found(Entity::External(external.member(name)), owner)
            }
            Ty::Instance(..) | Ty::Super(_) | Ty::Class(..) => {
                let of = match object {
                    Ty::Class(class, _) => Ty::instance(*class),
                    other => other.clone(),
                };
                let order = ev.member_search_order(&of);
                let outside = order
                    .iter()
                    .filter(|ty| matches!(ty, Ty::ExternalInstance(..)));
                let outside: Vec<Ty> = outside.map(platform::kotlin_type).collect();
                let any = platform::kotlin("Any");
                if let Some(known) = outside.iter().chain([&any]).find(|ty| is_known(ty))
                    && let Ty::ExternalInstance(external, _) = known
                {
                    let seen = if platform::is_any(known) {
                        object.clone()
                    } else {
                        known.clone()
                    };
                    return Called::Found(Entity::External(external.member(name)), Some(seen));
                }
                let opaque = outside.iter().find_map(|ty| match ty {
                    Ty::ExternalInstance(e, _) if !standard().knows(e) => Some(e.clone()),
                    _ => None,
                });
                match opaque {
                    Some(external) => Called::Found(Entity::External(external.member(name)), owner),
                    None => Called::Found(Entity::Unknown, owner),
                }
            }
            Ty::Callable(..) | Ty::Function(..) => {
                let any = platform::kotlin("Any");
                if is_known(&any) {
                    let member = External::new("kotlin", "Any").member(name);
                    return Called::Found(Entity::External(member), owner);
                }
                Called::Found(Entity::Unknown, owner)
            }
            _ => Called::Found(Entity::Unknown, Some(Ty::Unknown)),
        }
    }

    /// A call of a property or another value that is denoted by an entity.
    fn called_property(
        &self,
        ev: &mut Eval<'_>,
        entity: &Entity,
        ty: &Ty,
        view: CallView<'_>,
    ) -> Called {
        if let Entity::Defs(defs) = entity
            && let [class] = defs[..]
            && is_type(ev.repo, class)
            && !ev.repo.def(class).flags.has(DefFlags::OBJECT)
        {
            return self.constructed(ev, class, view);
        }
        self.called_value(ev, ty, view)
    }

    /// A call of a value: the function in it is not known, but its result type may be.
    pub(super) fn called_value(&self, ev: &mut Eval<'_>, ty: &Ty, view: CallView<'_>) -> Called {
        let opened = ev.resolve_type_param(ty);
        match &opened {
            Ty::Callable(..) => Called::Found(Entity::Value(opened), None),
            Ty::Function(..) => Called::Found(Entity::Value(Ty::Null), None),
            Ty::Instance(..) | Ty::Class(..) => {
                let object = self.as_object(ev, &opened);
                self.call_on(ev, &object, "invoke", view)
            }
            Ty::ExternalInstance(external, _) | Ty::External(external) => {
                let object = platform::kotlin_type(&opened);
                let levels = self.levels_of_text(ev, view.file, "invoke");
                let scope = self.scope_of(ev, view);
                let found = self.extension_call(ev, &object, "invoke", &levels, scope, view);
                found.unwrap_or_else(|| {
                    Called::Found(Entity::External(external.member("invoke")), Some(object))
                })
            }
            _ => Called::Found(Entity::Value(Ty::Null), None),
        }
    }

    /// `name(…)`.
    fn unqualified_call(&self, ev: &mut Eval<'_>, used: NameUse, view: CallView<'_>) -> Called {
        let repo = ev.repo;
        let NameUse {
            file, name, scope, ..
        } = used;
        let text = repo.facts(file).name(name);
        if text == "this" || text.starts_with("this@") {
            let ty = self.this(ev, file, scope, name, used.at);
            return self.called_value(ev, &ty, view);
        }
        let levels = self.file_levels(ev, file, name);
        let mut walk = self.walk(file, scope, used.at);
        let mut opaque = None;
        let mut is_blind = false;
        while let Some(id) = walk.next_scope(repo) {
            if !ev.spend(1) {
                return Called::default();
            }
            if let Some(found) = self.called_local(ev, used, id, view) {
                return found;
            }
            for implicit in self.implicit_at(ev, &mut walk, id) {
                is_blind |= implicit.is_unknown();
                let found = self.call_on_implicit(ev, &implicit, text, view);
                if let Some(found) = found {
                    // The object in between may have a member of that name.
                    return if is_blind { Called::default() } else { found };
                }
                let found = self.extension_on_implicit(
                    ev,
                    &implicit,
                    text,
                    &levels,
                    ((scope, used.at), view),
                );
                if let Some(found) = found {
                    return found;
                }
                opaque = opaque.or_else(|| self.opaque_member(ev, &implicit, text));
            }
        }
        self.call_of_file(ev, used, &levels, opaque, view)
    }

    fn extension_on_implicit(
        &self,
        ev: &mut Eval<'_>,
        implicit: &Implicit,
        name: &str,
        levels: &[Level],
        (place, view): (ScopePosition, CallView<'_>),
    ) -> Option<Called> {
        if implicit.is_static || implicit.is_unknown() {
            return None;
        }
        self.extension_call(ev, &implicit.ty, name, levels, Some(place), view)
    }

    /// A local function, class, or variable that is called.
    fn called_local(
        &self,
        ev: &mut Eval<'_>,
        used: NameUse,
        id: ScopeId,
        view: CallView<'_>,
    ) -> Option<Called> {
        let repo = ev.repo;
        let entity = self.local_value(ev, used, id)?;
        if let Entity::Defs(defs) = &entity {
            let found: Vec<GlobalDef> = defs.iter().copied().collect();
            let is_local = |d: &GlobalDef| {
                repo.def(*d).kind.is_callable() && !repo.def(*d).flags.has(DefFlags::EXTENSION)
            };
            if found.iter().any(is_local) || found.iter().any(|d| is_type(repo, *d)) {
                return self.called_of(ev, &found, view);
            }
            return None;
        }
        let ty = ev.type_of_entity(&entity, None);
        Some(self.called_value(ev, &ty, view))
    }

    fn call_on_implicit(
        &self,
        ev: &mut Eval<'_>,
        implicit: &Implicit,
        name: &str,
        view: CallView<'_>,
    ) -> Option<Called> {
        if implicit.is_static
            && let Ty::Instance(class, _) = &implicit.ty
        {
            let found = self.static_call(ev, *class, name, view)?;
            return Some(found);
        }
        let opened = platform::kotlin_type(&ev.resolve_type_param(&implicit.ty));
        let found = self.member_call(ev, &opened, name, view)?;
        Some(found)
    }

    /// A member of a class outside of the repository of which nothing is known, so that it may have any method.
    fn opaque_member(
        &self,
        ev: &mut Eval<'_>,
        implicit: &Implicit,
        name: &str,
    ) -> Option<External> {
        if implicit.is_static {
            return None;
        }
        match &implicit.ty {
            Ty::ExternalInstance(external, _) => {
                (!standard().knows(external)).then(|| external.member(name))
            }
            Ty::Instance(..) => {
                let order = ev.member_search_order(&implicit.ty);
                order.iter().find_map(|ty| match ty {
                    Ty::ExternalInstance(external, _) if !standard().knows(external) => {
                        Some(external.member(name))
                    }
                    _ => None,
                })
            }
            _ => None,
        }
    }

    /// A function or class that a file sees at its top level, or one of the standard library.
    fn call_of_file(
        &self,
        ev: &mut Eval<'_>,
        used: NameUse,
        levels: &[Level],
        opaque: Option<External>,
        view: CallView<'_>,
    ) -> Called {
        let repo = ev.repo;
        let text = repo.facts(used.file).name(used.name);
        for level in levels {
            match level {
                Level::Defs(defs) => {
                    let plain = |def: &&GlobalDef| {
                        let it = repo.def(**def);
                        !it.flags.has(DefFlags::EXTENSION)
                    };
                    let plain: Vec<GlobalDef> = defs.iter().filter(plain).copied().collect();
                    if let Some(found) = self.called_of(ev, &plain, view) {
                        return found;
                    }
                }
                Level::Outside(external) => {
                    return Called::Found(Entity::External(external.clone()), None);
                }
                Level::Nowhere => return Called::default(),
            }
        }
        if let Some(found) = self.standard_on_implicit(ev, used, text) {
            return found;
        }
        if standard().function(text).is_some() {
            return Called::Found(Entity::external("kotlin", text), None);
        }
        if let Some(external) = opaque {
            return Called::Found(Entity::External(external), None);
        }
        let (entity, _) = self.value_name(ev, used);
        match entity {
            Entity::External(external) => Called::Found(Entity::External(external), None),
            _ => Called::default(),
        }
    }

    /// A function of the standard library on an object that is not named.
    fn standard_on_implicit(&self, ev: &mut Eval<'_>, used: NameUse, name: &str) -> Option<Called> {
        if !standard().has_method_named(name) {
            return None;
        }
        for implicit in self.implicits(ev, used.file, used.scope, used.at) {
            if implicit.is_static {
                continue;
            }
            let opened = platform::kotlin_type(&ev.resolve_type_param(&implicit.ty));
            if standard().method(&opened, name).is_some()
                && let Ty::ExternalInstance(external, _) = &opened
            {
                let member = Entity::External(external.member(name));
                return Some(Called::Found(member, Some(opened.clone())));
            }
        }
        None
    }

    /// The call of one of several definitions of a name: functions and classes with their constructors, else a value. `None`
    /// if none takes the arguments.
    pub(super) fn called_of(
        &self,
        ev: &mut Eval<'_>,
        defs: &[GlobalDef],
        view: CallView<'_>,
    ) -> Option<Called> {
        let repo = ev.repo;
        let mut candidates = Vec::new();
        let mut classes = Vec::new();
        let mut values = Vec::new();
        for def in defs {
            let it = repo.def(*def);
            let candidate = |def: GlobalDef| Candidate {
                def,
                owner: None,
                level: 0,
            };
            if it.kind.is_callable() {
                candidates.push(candidate(*def));
            } else if is_type(repo, *def) {
                classes.push(*def);
            } else {
                values.push(*def);
            }
        }
        let class = super::nearest(repo, view.file, classes);
        let mut outside = None;
        let class = class.and_then(|class| self.behind_alias(ev, class, &mut outside));
        if let Some(class) = class {
            candidates.extend(self.constructor_candidates(ev, class, view));
        }
        let chosen = self.select(ev, &candidates, view);
        match &chosen[..] {
            [] => {}
            [one] if self.is_constructor_of(repo, one.def, class) => {
                return class.map(|class| self.constructed(ev, class, view));
            }
            _ => return Some(called(chosen)),
        }
        if let Some(class) = class {
            if let Some(found) = self.invoked_class(ev, class, view) {
                return Some(found);
            }
            // Java and generated code may have constructors that are not written.
            let is_alone = candidates.iter().all(|c| c.def == class);
            let it = repo.def(class);
            if is_alone && it.callable.is_none() && it.kind == SymbolKind::Interface {
                return Some(Called::Found(Entity::def(class), None));
            }
        }
        if let Some(external) = outside {
            return Some(Called::Found(Entity::External(external), None));
        }
        let value = super::nearest(repo, view.file, values)?;
        let ty = ev.type_of_def(value);
        Some(self.called_value(ev, &ty, view))
    }

    fn is_constructor_of(
        &self,
        repo: &linker::repo::Repo,
        def: GlobalDef,
        class: Option<GlobalDef>,
    ) -> bool {
        class.is_some_and(|class| {
            def == class
                || (repo.def(def).kind == SymbolKind::Constructor && def.file == class.file)
        })
    }

    /// The class that an alias stands for.
    fn behind_alias(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        outside: &mut Option<External>,
    ) -> Option<GlobalDef> {
        if ev.repo.def(class).kind != SymbolKind::TypeAlias {
            return Some(class);
        }
        match ev.type_of_def(class) {
            Ty::Class(class, _) => Some(class),
            Ty::External(external) => {
                *outside = Some(external);
                None
            }
            _ => None,
        }
    }

    /// An object, or a class whose companion has `invoke`.
    fn invoked_class(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        view: CallView<'_>,
    ) -> Option<Called> {
        let object = self.as_object(ev, &Ty::Class(class, no_args()));
        if matches!(object, Ty::Class(..)) {
            return None;
        }
        match self.call_on(ev, &object, "invoke", view) {
            Called::Found(entity, _) if entity.is_unknown() => None,
            found => Some(found),
        }
    }

    /// The constructors of a class: the class itself for the primary one.
    pub(super) fn constructor_candidates(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        view: CallView<'_>,
    ) -> Vec<Candidate> {
        let repo = ev.repo;
        let it = repo.def(class);
        let is_java = repo.language(class.file) == Language::Java;
        let name = if is_java {
            repo.def_name(class)
        } else {
            "constructor"
        };
        let candidate = |def: GlobalDef| Candidate {
            def,
            owner: Some(Ty::instance(class)),
            level: 0,
        };
        let mut out = Vec::new();
        if it.flags.has(DefFlags::OBJECT) || it.kind == SymbolKind::EnumMember {
            return out;
        }
        if let Some(sym) = repo.find_sym(name) {
            let named = repo.children_named(class, sym);
            if !ev.spend_on_namesakes(named.len()) {
                return out;
            }
            let constructors = named.filter(|def| {
                let it = repo.def(*def);
                let is_hidden = it.flags.has(DefFlags::HIDDEN)
                    || (it.visibility == Visibility::Private && def.file != view.file);
                it.kind == SymbolKind::Constructor && !is_hidden
            });
            out.extend(constructors.map(candidate));
        }
        let is_plain = it.kind == SymbolKind::Class || it.kind == SymbolKind::Enum;
        let is_hidden = it.flags.has(DefFlags::PRIVATE_CONSTRUCTOR) && class.file != view.file;
        let has_primary = it.callable.is_some() || (out.is_empty() && is_plain);
        let has_primary = has_primary && !is_hidden;
        let is_record = it.kind == SymbolKind::Struct;
        if has_primary || (is_record && out.is_empty()) {
            out.push(candidate(class));
        } else if it.kind == SymbolKind::Interface
            && let [arg] = view.args
        {
            // A lambda that becomes an object of the interface.
            let value = super::select::value_of(ev, view.file, *arg);
            if matches!(ev.repo.facts(view.file).expr(value), Expr::Function(_)) {
                let fits = it.callable.is_none();
                out.extend(fits.then(|| candidate(class)));
            }
        }
        out
    }

    /// A call that makes an object of a class.
    fn constructed(&self, ev: &mut Eval<'_>, class: GlobalDef, view: CallView<'_>) -> Called {
        let it = ev.repo.def(class);
        if it.type_params.is_empty() || !view.type_args.is_empty() {
            return Called::Found(Entity::def(class), None);
        }
        let candidates = self.constructor_candidates(ev, class, view);
        let chosen = self.select(ev, &candidates, view);
        let [one] = &chosen[..] else {
            return Called::Found(Entity::def(class), None);
        };
        let mut env = Vec::new();
        if let Some(targets) = super::select::targets(ev, one.def, view) {
            self.infer_class(ev, one, view, &targets, &mut env);
        }
        let count = it.type_params.len() as u32;
        let args = (0..count).map(|n| {
            let known = env.iter().find(|(key, _)| *key == (class, n));
            known.map(|(_, ty)| ty.clone()).unwrap_or_default()
        });
        let args: Vec<Ty> = args.collect();
        if args.iter().all(Ty::is_unknown) {
            return Called::Found(Entity::def(class), None);
        }
        Called::Found(Entity::Value(Ty::Class(class, args.into())), None)
    }
}

fn is_from_any(found: &Called) -> bool {
    matches!(found, Called::Found(Entity::External(e), _) if e.symbol.starts_with("Any."))
}

pub(super) fn called(mut chosen: Vec<Candidate>) -> Called {
    if chosen.len() == 1 {
        let one = chosen.swap_remove(0);
        return Called::Found(Entity::def(one.def), one.owner);
    }
    if chosen.is_empty() {
        return Called::Found(Entity::Unknown, Some(Ty::Unknown));
    }
    let owner = chosen.first().and_then(|c| c.owner.clone());
    Called::Ambiguous(chosen.into_iter().map(|c| c.def).collect(), owner)
}
