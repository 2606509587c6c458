//! Resolves the callee of a call: methods are looked up apart from variables.

use super::Java;
use super::builtins;
use super::hierarchy::Supertype;
use super::overloads::Candidate;
use super::packages::{self, NameResolution};
use base::facts::*;
use base::{SymbolKind, Visibility};
use linker::eval::Eval;
use linker::lang::{CallView, Called};
use linker::repo::{FileId, GlobalDef, Repo};
use linker::ty::*;

impl Java {
    pub(super) fn resolve_callee(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        view: CallView<'_>,
    ) -> Option<Called> {
        let repo = ev.repo;
        let facts = repo.facts(file);
        let Expr::Call { callee, .. } = facts.expr(view.expr) else {
            return None;
        };
        match facts.expr(*callee) {
            Expr::Name { name, scope, .. } => {
                Some(self.resolve_unqualified_call(ev, file, *name, *scope, view))
            }
            Expr::Member { object, name } => {
                let object = self.type_of_qualifier(ev, file, *object);
                Some(self.resolve_method_on_type(ev, &object, facts.name(*name), view))
            }
            Expr::This(def) => {
                let class = GlobalDef { file, def: *def };
                Some(Called::Found(Entity::def(class), None))
            }
            Expr::Super(def) => Some(self.resolve_super_call(ev, GlobalDef { file, def: *def })),
            _ => None,
        }
    }

    /// The expression before the dot as a type: that of a value, or a class for static members.
    fn type_of_qualifier(&self, ev: &mut Eval<'_>, file: FileId, object: ExprId) -> Ty {
        let (mut entity, mut receiver) = ev.resolve_expr(file, object, Namespace::VALUE);
        if entity.is_unknown() {
            (entity, receiver) = ev.resolve_expr(file, object, Namespace::TYPE);
        }
        ev.type_of_entity(&entity, receiver.as_ref())
    }

    /// `super(…)`.
    fn resolve_super_call(&self, ev: &Eval<'_>, class: GlobalDef) -> Called {
        let entity = match self.hierarchy.superclass(ev.repo, class) {
            Some(Supertype::Inside(above)) => Entity::def(*above),
            Some(Supertype::Outside(external)) => Entity::External(external.clone()),
            Some(Supertype::Unknown) => Entity::Unknown,
            None => Entity::external("java.lang", "Object"),
        };
        Called::Found(entity, None)
    }

    /// `object.name(…)`.
    pub(super) fn resolve_method_on_type(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
        view: CallView<'_>,
    ) -> Called {
        ev.guard_recursion(|ev| self.resolve_method_on_type_inner(ev, object, name, view))
    }

    fn resolve_method_on_type_inner(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
        view: CallView<'_>,
    ) -> Called {
        let object = match object {
            Ty::Param(def, n) if *n != SELF => match ev.resolve_type_param(&Ty::Param(*def, *n)) {
                Ty::Unknown => builtins::java_lang_type("Object"),
                bound => bound,
            },
            other => ev.resolve_type_param(other),
        };
        match &object {
            Ty::Union(parts) => self.resolve_method_on_union(ev, parts, name, view),
            Ty::Instance(class, _) | Ty::Class(class, _) | Ty::Super(class) => {
                let candidates = self.method_candidates(ev, &object, name);
                let chosen = self.select_overload(ev, &candidates, view);
                let outside = match &chosen[..] {
                    [] => true,
                    // An overload that is inherited from outside may be meant.
                    [one] => {
                        self.external_supertype_declaring(*class, name).is_some()
                            && self.rejects_arguments(ev, one, view)
                    }
                    _ => false,
                };
                if let (Ty::Super(class), true) = (&object, candidates.is_empty())
                    && let Some(Supertype::Outside(above)) =
                        self.hierarchy.superclass(ev.repo, *class)
                    && !builtins::is_object_method(name)
                {
                    let member = packages::normalize_external(above).member(name);
                    return Called::Found(Entity::External(member), Some(object));
                }
                if outside {
                    return self.resolve_external_method(ev, *class, &object, name);
                }
                called(chosen)
            }
            Ty::External(external) | Ty::ExternalInstance(external, _) => {
                let member = packages::normalize_external(external).member(name);
                Called::Found(Entity::External(member), Some(object.clone()))
            }
            _ => Called::Found(Entity::Unknown, Some(Ty::Unknown)),
        }
    }

    /// A value of one of several types, on which the results must agree.
    fn resolve_method_on_union(
        &self,
        ev: &mut Eval<'_>,
        parts: &[Ty],
        name: &str,
        view: CallView<'_>,
    ) -> Called {
        Called::on_any(parts, |part| {
            self.resolve_method_on_type(ev, part, name, view)
        })
    }

    /// The methods of that name that a type has or inherits inside the repository.
    pub(super) fn method_candidates(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
    ) -> Vec<Candidate> {
        let (Some(sym), Ty::Instance(class, _) | Ty::Class(class, _) | Ty::Super(class)) =
            (ev.repo.find_sym(name), object)
        else {
            return Vec::new();
        };
        let repo = ev.repo;
        let (first, skip, owner) = match object {
            // `super` does not include the interfaces that a class implements itself.
            Ty::Super(class) => {
                let above = self.hierarchy.superclass(repo, *class);
                let own = ev.identity_instance(*class);
                match above {
                    Some(Supertype::Inside(above)) => (*above, 0, own),
                    Some(Supertype::Outside(_)) => return Vec::new(),
                    _ => (*class, 1, own),
                }
            }
            other => (*class, 0, other.clone()),
        };
        let mut out = Vec::new();
        for holder in self.hierarchy.self_and_ancestors(first).skip(skip) {
            if !ev.spend(1) {
                break;
            }
            let named = repo.children_named(holder, sym);
            if !ev.spend_on_namesakes(named.len()) {
                return Vec::new();
            }
            for def in named {
                let it = repo.def(def);
                if it.kind != SymbolKind::Method || !self.inherits(repo, first, holder, it) {
                    continue;
                }
                out.push(Candidate {
                    def,
                    owner: owner.clone(),
                });
            }
        }
        out
    }

    /// Whether a class has a member that `holder` declares. Private members are not inherited, and package-private ones
    /// only within the package.
    fn inherits(&self, repo: &Repo, class: GlobalDef, holder: GlobalDef, member: &Def) -> bool {
        match member.visibility {
            _ if class == holder => true,
            Visibility::Private => false,
            Visibility::Package => {
                repo.facts(class.file)
                    .package
                    .map(|p| repo.facts(class.file).name(p))
                    == repo
                        .facts(holder.file)
                        .package
                        .map(|p| repo.facts(holder.file).name(p))
            }
            Visibility::Public | Visibility::Protected => true,
        }
    }

    /// A method that a class inherits from outside the repository.
    fn resolve_external_method(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        object: &Ty,
        name: &str,
    ) -> Called {
        let external = self.external_supertype_for(ev, class, name);
        match external {
            Some(external) => {
                let order = ev.member_search_order(object);
                let owner = order
                    .into_iter()
                    .find(|t| matches!(t, Ty::ExternalInstance(e, _) if *e == external))
                    .unwrap_or_else(|| object.clone());
                Called::Found(Entity::External(external.member(name)), Some(owner))
            }
            None if builtins::is_object_method(name) => {
                let member = builtins::object_member(name);
                Called::Found(Entity::External(member), Some(object.clone()))
            }
            None => Called::Found(Entity::Unknown, Some(object.clone())),
        }
    }

    /// The external supertype that has a method: one that has it according to the tables, else the first.
    fn external_supertype_for(
        &self,
        ev: &Eval<'_>,
        class: GlobalDef,
        name: &str,
    ) -> Option<External> {
        let implied = match ev.repo.def(class).kind {
            SymbolKind::Enum => Some(External::new("java.lang", "Enum")),
            SymbolKind::Struct => Some(External::new("java.lang", "Record")),
            SymbolKind::Interface if ev.repo.def(class).supers.is_empty() => None,
            _ => None,
        };
        let outside: Vec<&External> = self
            .hierarchy
            .external_supertypes(class)
            .flatten()
            .collect();
        let object = builtins::is_object_method(name);
        let known = outside
            .iter()
            .find(|e| !object && builtins::tables().find_method(e, name).is_some());
        match known {
            Some(known) => Some((*known).clone()),
            None if object => None,
            None => implied.or_else(|| outside.first().map(|e| (*e).clone())),
        }
    }

    /// `name(…)`: the innermost enclosing class that has such a method, then static imports.
    fn resolve_unqualified_call(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: NameId,
        scope: ScopeId,
        view: CallView<'_>,
    ) -> Called {
        let repo = ev.repo;
        let facts = repo.facts(file);
        let text = facts.name(name);
        let mut outside = None;
        let mut next = Some(scope);
        while let Some(id) = next {
            let here = facts.scope(id);
            next = here.parent;
            let (ScopeKind::Class, Some(owner)) = (here.kind, here.owner) else {
                continue;
            };
            let class = GlobalDef { file, def: owner };
            let object = ev.identity_instance(class);
            let candidates = self.method_candidates(ev, &object, text);
            let chosen = self.select_overload(ev, &candidates, view);
            if !chosen.is_empty() {
                return called(chosen);
            }
            if let Some(known) = self.external_supertype_declaring(class, text) {
                let member = known.member(text);
                return Called::Found(Entity::External(member), Some(object));
            }
            if outside.is_none() && self.external_supertype_for(ev, class, text).is_some() {
                outside = Some(class);
            }
        }
        if let Some(found) = self.resolve_statically_imported_call(ev, file, name, view) {
            return found;
        }
        match outside {
            Some(class) => {
                let object = ev.identity_instance(class);
                self.resolve_external_method(ev, class, &object, text)
            }
            None if builtins::is_object_method(text) => {
                Called::Found(Entity::External(builtins::object_member(text)), None)
            }
            None => Called::Found(Entity::Unknown, None),
        }
    }

    /// An external supertype that is known to declare the method, apart from methods of `Object`.
    fn external_supertype_declaring(&self, class: GlobalDef, name: &str) -> Option<&External> {
        if builtins::is_object_method(name) {
            return None;
        }
        self.hierarchy
            .external_supertypes(class)
            .flatten()
            .find(|e| builtins::tables().find_method(e, name).is_some())
    }

    fn resolve_statically_imported_call(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: NameId,
        view: CallView<'_>,
    ) -> Option<Called> {
        let repo = ev.repo;
        if !ev.spend(1) || !ev.spend(super::count_glob_imports(repo, file)) {
            return None;
        }
        let facts = repo.facts(file);
        let text = facts.name(name);
        let mut outside = None;
        for single in [true, false] {
            let mut candidates = Vec::new();
            for import in &facts.imports {
                let wanted = match import.what {
                    Imported::Static(n) => single && n == name,
                    Imported::StaticGlob => !single,
                    _ => false,
                };
                if !wanted {
                    continue;
                }
                match self
                    .packages
                    .resolve_qualified(repo, facts.name(import.module), file)
                {
                    NameResolution::Type(class) => {
                        let object = Ty::Class(class, no_args());
                        candidates.extend(self.method_candidates(ev, &object, text));
                    }
                    NameResolution::External(class) => {
                        let known = builtins::tables().find_method(&class, text).is_some();
                        if single || known || outside.is_none() {
                            outside = Some(class);
                        }
                    }
                    _ => {}
                }
            }
            let mut chosen = self.select_overload(ev, &candidates, view);
            if single && outside.is_some() {
                // An external import under the same name may be meant as well.
                chosen.retain(|c| !self.rejects_arguments(ev, c, view));
                if let [one] = &chosen[..]
                    && !self.accepts_arguments(ev, one, view)
                {
                    return Some(Called::Ambiguous(vec![one.def], Some(one.owner.clone())));
                }
            }
            if !chosen.is_empty() {
                return Some(called(chosen));
            }
            if single && outside.is_some() {
                break;
            }
        }
        let class = outside?;
        let member = Entity::External(class.member(text));
        Some(Called::Found(member, Some(Ty::External(class))))
    }

    /// Whether a call refers to a record's implicit constructor.
    fn is_implicit_record_constructor(
        &self,
        ev: &Eval<'_>,
        record: GlobalDef,
        view: CallView<'_>,
    ) -> bool {
        let repo = ev.repo;
        let components = self.record_components(ev, record).len();
        let written = repo.children(record).any(|d| {
            let def = repo.def(d);
            def.kind == SymbolKind::Constructor
                && def
                    .callable
                    .as_deref()
                    .is_some_and(|c| c.params.len() == components)
        });
        view.args.len() == components && !written
    }

    /// The components of a record, in order.
    pub(super) fn record_components(&self, ev: &Eval<'_>, record: GlobalDef) -> Vec<GlobalDef> {
        let is_component = |d: &GlobalDef| {
            let def = ev.repo.def(*d);
            def.kind == SymbolKind::Field && !def.flags.has(DefFlags::STATIC)
        };
        let mut found: Vec<GlobalDef> = ev.repo.children(record).filter(is_component).collect();
        found.sort_unstable();
        found
    }

    /// The constructors of a class that a call can mean; the class itself if it has none.
    pub(super) fn constructor_candidates(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        view: CallView<'_>,
    ) -> Vec<GlobalDef> {
        let repo = ev.repo;
        let name = repo.sym_of_name(class.file, repo.def(class).name);
        let named = repo.children_named(class, name);
        if !ev.spend_on_namesakes(named.len()) {
            return vec![class];
        }
        if repo.def(class).kind == SymbolKind::Struct
            && self.is_implicit_record_constructor(ev, class, view)
        {
            return vec![class];
        }
        let candidates: Vec<Candidate> = named
            .filter(|d| repo.def(*d).kind == SymbolKind::Constructor)
            .map(|def| Candidate {
                def,
                owner: Ty::instance(class),
            })
            .collect();
        if candidates.is_empty() {
            return vec![class];
        }
        let chosen = self.select_overload(ev, &candidates, view);
        if chosen.is_empty() {
            // The canonical constructor of a record may be implicit.
            return vec![class];
        }
        chosen.into_iter().map(|c| c.def).collect()
    }
}

fn called(mut chosen: Vec<Candidate>) -> Called {
    if chosen.len() == 1 {
        let one = chosen.swap_remove(0);
        return Called::Found(Entity::def(one.def), Some(one.owner));
    }
    let owner = chosen.first().map(|c| c.owner.clone());
    Called::Ambiguous(chosen.into_iter().map(|c| c.def).collect(), owner)
}
