//! Linking of Rust: modules of Cargo packages, impls and traits, and the standard library.

mod blanket;
mod borrow;
mod builtins;
mod cargo;
mod choose;
mod code_position;
mod globs;
mod impls;
mod inherent;
mod methods;
mod modules;
mod prelude;
mod present;
mod qualified;
mod resolve;

use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::{
    CallView, Calls, Container, DefinitionChanges, Incremental, Members, Modules, Platform,
    ScopedName,
};
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::surface::IndexRemap;
use linker::ty::*;
use resolve::ResolutionTrail;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Modules and semantics of Rust.
pub(crate) struct Rust {
    modules: modules::Modules,
    /// The targets of glob imports.
    globs: globs::GlobGraph,
    impls: impls::Impls,
    /// Methods and associated functions of the repository by name.
    methods: FxHashMap<Sym, Vec<GlobalDef>>,
}

impl Rust {
    /// Builds the tables.
    pub(crate) fn new(repo: &Repo) -> Rust {
        let modules = modules::Modules::new(repo);
        let mut rust = Rust {
            globs: globs::GlobGraph::new(repo, &modules),
            modules,
            impls: impls::Impls::default(),
            methods: FxHashMap::default(),
        };
        rust.impls = rust.collect_impls(repo);
        rust.methods = methods::methods_by_name(repo);
        rust
    }

    /// The associated type of that name of a type or trait.
    fn associated_type(&self, ev: &mut Eval<'_>, of: &Ty, name: &str) -> Ty {
        self.associated_type_of(ev, of, name, |_| true)
    }

    /// The element type of an iteration over a type: its `Item`. An `Item` of a trait in the repository counts only if
    /// the trait is called an iterator or a stream.
    fn iterated_type(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        let repo = ev.repo;
        self.associated_type_of(ev, of, "Item", |alias| {
            self.trait_of_member(repo, alias).is_none_or(|of_trait| {
                let facts = repo.facts(of_trait.file);
                let name = facts.name(facts.def(of_trait.def).name);
                name.ends_with("Iterator") || name.ends_with("Stream")
            })
        })
    }

    /// The value of an associated type, from its relevant definitions.
    fn associated_type_of(
        &self,
        ev: &mut Eval<'_>,
        of: &Ty,
        name: &str,
        counts: impl Fn(GlobalDef) -> bool,
    ) -> Ty {
        let (Ty::Instance(def, _) | Ty::Class(def, _)) = ev.resolve_type_param(of) else {
            return Ty::Unknown;
        };
        let Some(sym) = ev.repo.find_sym(name) else {
            return Ty::Unknown;
        };
        let found = ev.members_declared_by(def, sym);
        let alias = found.into_iter().find(|d| {
            let def = ev.repo.def(*d);
            def.kind == SymbolKind::TypeAlias && def.ty.is_some() && counts(*d)
        });
        let Some(alias) = alias else {
            return Ty::Unknown;
        };
        let ty = ev.instance_of_entity(alias.file, &Entity::def(alias), Vec::new());
        let object = ev.resolve_type_param(of);
        ev.substitute(&ty, Some(&object))
    }

    /// The type of awaiting a value of a type in the repository: the output in its impl of a future.
    fn output_of_future(&self, ev: &mut Eval<'_>, of: &Ty, def: GlobalDef) -> Ty {
        let Some(name) = ev.repo.find_sym("Output") else {
            return of.clone();
        };
        let is_future = |ev: &mut Eval<'_>, alias: &GlobalDef| {
            let Some(parent) = ev.repo.def(*alias).parent else {
                return false;
            };
            let of_impl = GlobalDef {
                file: alias.file,
                def: parent,
            };
            let written = ev.repo.def(of_impl).supers.first().map(|s| s.0);
            match written.map(|ty| ev.lower_type(of_impl.file, ty)) {
                Some(Ty::ExternalInstance(of, _)) => {
                    matches!(builtins::last_segment(&of), "Future" | "IntoFuture")
                }
                _ => false,
            }
        };
        let found = ev.members_declared_by(def, name);
        for alias in found {
            if ev.repo.def(alias).ty.is_some() && is_future(ev, &alias) {
                let output = ev.instance_of_entity(alias.file, &Entity::def(alias), Vec::new());
                return ev.substitute(&output, Some(of));
            }
        }
        of.clone()
    }

    /// An external trait with the item type from an impl of it, as `Iterator<Item>`.
    fn with_item_type(&self, ev: &mut Eval<'_>, of_impl: GlobalDef, of: Ty) -> Ty {
        let Ty::ExternalInstance(external, args) = &of else {
            return of;
        };
        let name = match builtins::last_segment(external) {
            "Iterator" | "IntoIterator" | "DoubleEndedIterator" | "Stream" => "Item",
            "Deref" | "DerefMut" => "Target",
            "Future" | "Index" | "Add" | "Sub" => "Output",
            _ => return of.clone(),
        };
        let Some(sym) = ev.repo.find_sym(name).filter(|_| args.is_empty()) else {
            return of.clone();
        };
        let alias = ev.repo.children_named(of_impl, sym).next();
        match alias {
            Some(alias) => {
                let item = ev.instance_of_entity(alias.file, &Entity::def(alias), Vec::new());
                Ty::ExternalInstance(external.clone(), Arc::from([item]))
            }
            None => of.clone(),
        }
    }
}

impl Modules for Rust {
    fn import(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        import: ImportId,
        namespace: Namespace,
    ) -> Entity {
        let trail = &mut ResolutionTrail::new(ev.fuel());
        let found = self.resolve_use(ev.repo, file, import, namespace, trail);
        found.or_else(|| self.resolve_use_beside(ev.repo, file, import, namespace, ev.fuel()))
    }

    fn limit_warnings(&self) -> &[String] {
        &self.modules.limits
    }

    fn bound_often(&self, ev: &Eval<'_>, at: ScopedName, namespace: Namespace) -> Option<Entity> {
        Rust::resolve_repeated(
            self,
            ev.repo,
            at,
            namespace,
            &mut ResolutionTrail::new(ev.fuel()),
        )
    }

    fn free_name(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: NameId,
        scope: ScopeId,
        namespace: Namespace,
    ) -> Entity {
        self.resolve_unbound(ev.repo, file, name, scope, namespace, ev.fuel())
    }

    fn module_member(
        &self,
        ev: &mut Eval<'_>,
        module: u32,
        name: &str,
        namespace: Namespace,
    ) -> Entity {
        self.resolve_in_module(
            ev.repo,
            module,
            name,
            namespace,
            module,
            &mut ResolutionTrail::new(ev.fuel()),
        )
    }

    fn module_file(&self, _: &Repo, module: u32) -> Option<FileId> {
        self.modules.all.get(module as usize).map(|m| m.file)
    }

    fn through_classes(&self) -> bool {
        true
    }

    fn only_reachable(
        &self,
        ev: &mut Eval<'_>,
        (file, callee): (FileId, ExprId),
        name: NameId,
    ) -> Option<GlobalDef> {
        let place = code_position::CodePosition::of_expr(ev.repo.facts(file), file, callee);
        self.only_method_in_scope(ev, place, name)
    }
}

impl Members for Rust {
    fn stands_for(&self, repo: &Repo, mut members: Vec<GlobalDef>) -> Vec<GlobalDef> {
        let absent: Vec<bool> = members
            .iter()
            .map(|d| self.is_excluded_from_build(repo, *d))
            .collect();
        if absent.contains(&false) {
            let mut absent = absent.into_iter();
            members.retain(|_| absent.next() != Some(true));
        }
        members
    }

    fn extra_members(&self, ev: &mut Eval<'_>, ty: GlobalDef, name: Sym) -> Vec<GlobalDef> {
        self.impl_members(ev.repo, ty, name, ev.fuel())
    }

    fn supers(&self, ev: &mut Eval<'_>, ty: GlobalDef) -> Vec<Ty> {
        let mut supers = ev.lower_supertypes(ty);
        if matches!(
            ev.repo.def(ty).kind,
            SymbolKind::Struct | SymbolKind::Union | SymbolKind::Enum
        ) {
            // A derived trait matters only if it is in the repository.
            let repo = ev.repo;
            supers.retain(
                |s| matches!(s, Ty::Instance(def, _) if repo.def(*def).kind == SymbolKind::Trait),
            );
        }
        let Some(of) = self.impls.of.get(&ty) else {
            return supers;
        };
        for of_impl in &of.traits {
            let Some((written, _)) = ev.repo.def(*of_impl).supers.first().copied() else {
                continue;
            };
            let of = ev.lower_type(of_impl.file, written);
            let of = self.with_item_type(ev, *of_impl, of);
            supers.push(ev.replaced(&of, 1, &|def, n| {
                let (def, n) = *self.impls.params.get(&(def, n))?;
                Some(Ty::Param(def, n))
            }));
        }
        supers
    }

    fn own_param(&self, def: GlobalDef, n: u32) -> (GlobalDef, u32) {
        self.impls
            .params
            .get(&(def, n))
            .copied()
            .unwrap_or((def, n))
    }

    fn param_member(
        &self,
        ev: &mut Eval<'_>,
        def: GlobalDef,
        n: u32,
        name: &str,
    ) -> Option<Entity> {
        if !name.starts_with(char::is_uppercase) {
            return None;
        }
        let facts = ev.repo.facts(def.file);
        let bounds = &ev.repo.def(def).type_params.get(n as usize)?.bounds;
        let args = bounds.iter().filter_map(|bound| match facts.ty(*bound) {
            TypeExpr::Named { args, .. } => Some(args),
            _ => None,
        });
        let bound = args.flatten().find_map(|arg| match facts.ty(*arg) {
            TypeExpr::Binding(bound, ty) if facts.name(*bound) == name => Some(*ty),
            _ => None,
        });
        let given = ev.lower_type(def.file, bound?);
        (!given.is_unknown()).then_some(Entity::Value(given))
    }

    fn param_by_receiver(
        &self,
        ev: &mut Eval<'_>,
        holder: GlobalDef,
        n: u32,
        receiver: &Ty,
    ) -> Option<Ty> {
        self.param_of_blanket(ev, holder, n, receiver)
    }

    fn qualified_member(
        &self,
        ev: &mut Eval<'_>,
        written: (FileId, TypeId),
        name: &str,
    ) -> Option<(Entity, Option<Ty>)> {
        self.member_of_qualified_type(ev, written, name)
    }

    fn missing_member(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Entity {
        self.blanket_member(ev, object, name)
            .or_else(|| builtins::derivable_method(name))
    }

    fn outside_member(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        object: &Ty,
        name: &str,
    ) -> Option<Entity> {
        self.extension_member(ev, file, object, name)
    }

    fn mentioned(&self, ev: &mut Eval<'_>, entity: Entity) -> Entity {
        let Entity::Defs(defs) = &entity else {
            return entity;
        };
        let values: Vec<GlobalDef> = defs
            .iter()
            .copied()
            .filter(|d| !ev.repo.def(*d).kind.is_callable())
            .collect();
        if values.is_empty() || values.len() == defs.len() {
            entity
        } else {
            Entity::defs(values)
        }
    }

    fn payload(&self, ev: &mut Eval<'_>, value: &Ty, variant: &Entity, index: u32) -> Ty {
        match variant {
            Entity::External(external) => ev.map_alternatives(value, |_, ty| {
                let n = usize::from(builtins::last_segment(external) == "Err");
                match ty {
                    Ty::ExternalInstance(..) => ty.arg(n),
                    _ => Ty::Unknown,
                }
            }),
            Entity::Defs(defs) => self.variant_payload_type(ev, value, defs[0], index),
            // `Self { … }`, `Self(…)`.
            Entity::Value(Ty::Class(def, args)) => {
                let of = Ty::Instance(*def, args.clone());
                self.variant_payload_type(ev, &of, *def, index)
            }
            _ => Ty::Unknown,
        }
    }

    fn dereferenced(&self, ev: &mut Eval<'_>, of: &Ty) -> Option<Ty> {
        let target = self.associated_type(ev, of, "Target");
        (!target.is_unknown()).then_some(target)
    }

    fn decorated(&self, ev: &mut Eval<'_>, def: GlobalDef) -> Option<Ty> {
        if ev.repo.def(def).kind != SymbolKind::Module {
            return None;
        }
        let index = self.modules.module_of_def(def)?;
        match resolve::module_entity(index) {
            Entity::Module(module) => Some(Ty::Module(module)),
            _ => None,
        }
    }

    fn untyped(&self, ev: &mut Eval<'_>, def: GlobalDef) -> Ty {
        let facts = ev.repo.def(def);
        let (SymbolKind::EnumMember, Some(parent)) = (facts.kind, facts.parent) else {
            return Ty::Unknown;
        };
        let of = Ty::instance(GlobalDef {
            file: def.file,
            def: parent,
        });
        let Some(callable) = facts.callable.as_deref() else {
            return of;
        };
        let params: Vec<Ty> = callable
            .params
            .iter()
            .map(|p| p.ty.map_or(Ty::Unknown, |ty| ev.lower_type(def.file, ty)))
            .collect();
        Ty::Callable(params.into(), Arc::new(of))
    }
}

impl Calls for Rust {
    fn called_from_candidates(
        &self,
        ev: &mut Eval<'_>,
        entity: Entity,
        call: CallView<'_>,
    ) -> Entity {
        match entity {
            Entity::Defs(defs) => self.select_called_defs(ev, &defs, call),
            other => other,
        }
    }

    fn completed(&self, ev: &mut Eval<'_>, written: Ty, value: (FileId, ExprId)) -> Ty {
        if builtins::has_hole(&written) {
            self.infer_type_holes(ev, &written, value)
        } else {
            written
        }
    }

    fn expanded(&self, ev: &mut Eval<'_>, of: &Entity, call: CallView<'_>) -> Ty {
        let tries = |d: &GlobalDef| {
            let value = ev.repo.def(*d).value;
            value.is_some_and(|v| matches!(ev.repo.facts(d.file).expr(v), Expr::Try(_)))
        };
        match (of, call.args) {
            (Entity::Defs(defs), [first, ..]) if defs.iter().all(tries) => {
                let given = ev.type_of_expr(call.file, *first);
                self.tried(ev, &given)
            }
            (Entity::Defs(defs), _) => match defs[..] {
                [one] => result_of_macro_rule(ev, one, call),
                _ => Ty::Unknown,
            },
            _ => Ty::Unknown,
        }
    }

    fn callable_shape(&self, ev: &mut Eval<'_>, of: &Ty) -> Option<(Vec<Ty>, Ty)> {
        match ev.resolve_type_param(of) {
            Ty::Callable(params, ret) => Some((params.to_vec(), (*ret).clone())),
            Ty::Union(parts) => parts.iter().find_map(|p| match p {
                Ty::Callable(params, ret) => Some((params.to_vec(), (**ret).clone())),
                _ => None,
            }),
            _ => None,
        }
    }

    fn choose(
        &self,
        ev: &mut Eval<'_>,
        overloads: &[GlobalDef],
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        self.select_by_arguments(ev, overloads, call)
    }
}

/// Methods of the traits in `std::ops` whose operators produce a value.
const OPERATORS: &[&str] = &[
    "add", "bitand", "bitor", "bitxor", "div", "mul", "neg", "not", "rem", "shl", "shr", "sub",
];

/// Whether a method is in the `impl` of a trait.
fn is_of_trait(repo: &Repo, method: GlobalDef) -> bool {
    let facts = repo.facts(method.file);
    let around = facts.def(method.def).parent.map(|parent| facts.def(parent));
    around.is_some_and(|around| around.kind == SymbolKind::Impl && !around.supers.is_empty())
}

impl Platform for Rust {
    fn operation(&self, ev: &mut Eval<'_>, left: Ty, right: Ty) -> Ty {
        let of_value = |ev: &mut Eval<'_>, ty: Ty| {
            ev.map_alternatives(&ty, |_, part| match part {
                // The name of a unit struct is its value.
                Ty::Class(def, args) => Ty::Instance(*def, args.clone()),
                other => other.clone(),
            })
        };
        let (left, right) = (of_value(ev, left), of_value(ev, right));
        let is_own = |ty: &Ty| {
            ty.alternatives()
                .iter()
                .any(|ty| matches!(ty, Ty::Instance(..)))
        };
        if is_own(&right) && !is_own(&left) {
            // `2.0 * vector`: a type of the repository may implement the operator for one from outside.
            return Ty::Unknown;
        }
        ev.operator_result(&left, OPERATORS, is_of_trait)
    }

    fn external_type(&self, _: &mut Eval<'_>, name: &External, args: &[Ty]) -> Option<Ty> {
        builtins::is_transparent_pointer(name).then(|| args.first().cloned().unwrap_or_default())
    }

    fn external_call(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'_>,
    ) -> Ty {
        builtins::external_call_result(ev, callee, receiver, call)
    }

    fn callback_param(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'_>,
        arg: u32,
        param: u32,
    ) -> Ty {
        builtins::closure_param_type(ev, callee, receiver, call, (arg, param))
    }

    fn primitive(&self, primitive: Primitive) -> Ty {
        Ty::external("std", builtins::primitive_key(primitive), Vec::new())
    }

    fn container(&self, kind: Container, args: Vec<Ty>) -> Ty {
        let name = match kind {
            Container::Map => "HashMap",
            _ => "Vec",
        };
        Ty::external("std", name, args)
    }

    fn element(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        match ev.resolve_type_param(of) {
            Ty::ExternalInstance(external, args) => builtins::element(&external, &args),
            object @ (Ty::Instance(..) | Ty::Class(..)) => {
                self.iterated_type(ev, &object).or_else(|| {
                    // `T: Iterator<Item = X>` and the like among supertraits.
                    let above = ev.member_search_order(&object);
                    above
                        .iter()
                        .find_map(|t| match t {
                            Ty::ExternalInstance(e, args) if builtins::is_iterator(e) => {
                                args.first().cloned()
                            }
                            _ => None,
                        })
                        .unwrap_or_default()
                })
            }
            Ty::Union(parts) => {
                let found: Vec<Ty> = parts
                    .iter()
                    .filter(|p| matches!(p, Ty::ExternalInstance(..)))
                    .map(|p| self.element(ev, p))
                    .collect();
                Ty::union(found)
            }
            _ => Ty::Unknown,
        }
    }

    fn index(&self, ev: &mut Eval<'_>, object: &Ty, file: FileId, index: ExprId) -> Ty {
        // Indexing by a range returns a slice of the same type.
        if matches!(ev.repo.facts(file).expr(index), Expr::List(_)) {
            return object.clone();
        }
        match ev.resolve_type_param(object) {
            Ty::ExternalInstance(external, args) => builtins::indexed(&external, &args),
            object @ Ty::Instance(..) => {
                let output = self.associated_type(ev, &object, "Output");
                output.or_else(|| match self.dereferenced(ev, &object) {
                    Some(Ty::ExternalInstance(external, args)) => {
                        builtins::indexed(&external, &args)
                    }
                    _ => Ty::Unknown,
                })
            }
            _ => Ty::Unknown,
        }
    }

    fn part(&self, ev: &mut Eval<'_>, of: &Ty, n: u32) -> Ty {
        let name = n.to_string();
        let (found, owner) = ev.resolve_member(of, &name);
        match found {
            Entity::Defs(defs) => {
                let value = ev.type_of_def(defs[0]);
                ev.substitute(&value, owner.as_ref())
            }
            _ => Ty::Unknown,
        }
    }

    fn awaited(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        match ev.resolve_type_param(of) {
            Ty::ExternalInstance(external, args) => match builtins::last_segment(&external) {
                "Future" | "IntoFuture" => args.first().cloned().unwrap_or_default(),
                "JoinHandle" => Ty::external("std", "Result", args.to_vec()),
                _ => of.clone(),
            },
            // The name of a unit struct is its value.
            Ty::Instance(def, args) | Ty::Class(def, args) => {
                self.output_of_future(ev, &Ty::Instance(def, args), def)
            }
            _ => of.clone(),
        }
    }

    fn tried(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        ev.map_alternatives(of, |_, ty| match ty {
            Ty::ExternalInstance(external, _)
                if matches!(
                    builtins::last_segment(external),
                    "Option" | "Result" | "Poll"
                ) =>
            {
                ty.arg(0)
            }
            _ => Ty::Unknown,
        })
    }
}

impl Incremental for Rust {
    fn follow(&mut self, repo: &Repo, file: FileId, moved: &IndexRemap) -> bool {
        self.modules.follow(repo, file, moved);
        if !moved.is_identity() {
            self.impls.follow(file, moved);
            moved.remap_all(file, self.methods.values_mut().flatten());
        }
        true
    }

    fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) -> bool {
        self.modules.renew(repo, news);
        for name in news.names {
            self.methods.remove(name);
        }
        for (name, def) in news.named(repo) {
            if choose::takes_self(repo.def(def)) {
                self.methods.entry(name).or_default().push(def);
            }
        }
        let mut impls = std::mem::take(&mut self.impls);
        self.update_impls(repo, news, &mut impls);
        self.impls = impls;
        true
    }
}

impl Rust {
    /// Fills in `Vec<_>` from the collected elements, or from a value whose type is more precise.
    fn infer_type_holes(
        &self,
        ev: &mut Eval<'_>,
        written: &Ty,
        (file, value): (FileId, ExprId),
    ) -> Ty {
        let facts = ev.repo.facts(file);
        let (collected, tried) = match facts.expr(value) {
            Expr::Try(inner) => (*inner, true),
            _ => (value, false),
        };
        if let Expr::Call {
            callee, type_args, ..
        } = facts.expr(collected)
            && let Expr::Member { object, name } = facts.expr(*callee)
            && type_args.is_empty()
            && facts.name(*name) == "collect"
        {
            let of = ev.type_of_expr(file, *object);
            let item = self.element(ev, &of);
            let item = if tried { self.tried(ev, &item) } else { item };
            return builtins::fill_type_holes(written, &item);
        }
        let actual = ev.type_of_expr(file, value);
        match (written, &actual) {
            (Ty::ExternalInstance(a, _), Ty::ExternalInstance(b, args))
                if builtins::last_segment(a) == builtins::last_segment(b) && !args.is_empty() =>
            {
                actual
            }
            _ => written.clone(),
        }
    }

    fn variant_payload_type(
        &self,
        ev: &mut Eval<'_>,
        value: &Ty,
        variant: GlobalDef,
        index: u32,
    ) -> Ty {
        let def = ev.repo.def(variant);
        let receiver = match value {
            Ty::Instance(..) => Some(value.clone()),
            _ => None,
        };
        if index == WHOLE_VARIANT {
            return match (def.kind, receiver) {
                (SymbolKind::EnumMember, _) => Ty::instance(variant),
                (_, Some(value)) => value,
                _ => ev.instance_of_entity(variant.file, &Entity::def(variant), Vec::new()),
            };
        }
        let param = def
            .callable
            .as_deref()
            .and_then(|c| c.params.get(index as usize));
        let Some(ty) = param.and_then(|p| p.ty) else {
            return Ty::Unknown;
        };
        let written = ev.lower_type(variant.file, ty);
        ev.substitute(&written, receiver.as_ref())
    }
}

/// The result type of a macro whose rules are functions of their arguments: that of the only rule with the right
/// number.
fn result_of_macro_rule(ev: &mut Eval<'_>, of: GlobalDef, call: CallView<'_>) -> Ty {
    let repo = ev.repo;
    let takes = |rule: &GlobalDef| {
        let callable = repo.def(*rule).callable.as_deref();
        callable.is_some_and(|c| c.params.len() == call.args.len())
    };
    let mut rules = repo.children(of).filter(takes);
    let (Some(rule), None) = (rules.next(), rules.next()) else {
        return Ty::Unknown;
    };
    let args: Vec<Ty> = call
        .args
        .iter()
        .map(|arg| ev.type_of_expr(call.file, *arg))
        .collect();
    ev.result_with_params(rule, &args)
}
