//! Linking of Swift: modules, extensions, protocols, overloads by labels and types, types of the standard library.

mod calls;
mod fit;
mod members;
mod modules;
mod names;
mod operators;
mod overloads;
mod platform;
mod results;
mod tables;

use super::facts::TRAILING;
use base::facts::*;
use base::{Language, SymbolKind};
use linker::eval::Eval;
use linker::lang::{
    CallView, Called, Calls, Container, Incremental, Members, Modules, Overloading, Platform,
};
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::ty::*;
use platform::{named, optional, unwrapped};
use rustc_hash::FxHashSet;
use tables::{NamePosition, Tables, TypeName};

/// Modules, types and semantics of Swift.
pub(crate) struct Swift {
    tables: Tables,
    /// Names of operators that the repository defines.
    operators: FxHashSet<Sym>,
}

impl Swift {
    /// Builds the tables.
    pub(crate) fn new(repo: &Repo) -> Swift {
        let mut operators = FxHashSet::default();
        for (file, source) in repo.files() {
            if source.facts.language != Language::Swift {
                continue;
            }
            for def in source.facts.defs.iter().filter(|d| d.kind.is_callable()) {
                if overloads::is_operator(source.facts.name(def.name)) {
                    operators.insert(repo.sym_of_name(file, def.name));
                }
            }
        }
        Swift {
            tables: Tables::new(repo),
            operators,
        }
    }
}

fn module(index: u32) -> ModuleId {
    ModuleId {
        family: Language::Swift,
        index,
    }
}

impl Modules for Swift {
    fn import(&self, ev: &mut Eval<'_>, file: FileId, import: ImportId, _: Namespace) -> Entity {
        let facts = ev.repo.facts(file);
        let name = facts.name(facts.import(import).module);
        match self.tables.modules.near(file, name) {
            Some(index) => Entity::Module(module(index)),
            None => Entity::external(name, ""),
        }
    }

    fn lexical(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: NameId,
        scope: ScopeId,
        at: u32,
        namespace: Namespace,
    ) -> Option<(Entity, Option<Ty>)> {
        if namespace == Namespace::MACRO {
            let text = ev.repo.facts(file).name(name);
            let repo = ev.repo;
            let is_macro = |d: GlobalDef| repo.def(d).kind == SymbolKind::Macro;
            let levels = self.tables.visible_tops(repo, text, file, is_macro);
            let found = levels.into_iter().next();
            return Some(match found {
                Some(found) => (Entity::defs(found), None),
                None => (
                    Entity::External(self.tables.external(repo, text, file)),
                    None,
                ),
            });
        }
        if namespace == Namespace::TYPE {
            let place = NamePosition { file, scope, at };
            let found = self.tables.simple(ev.repo, name, place, 0);
            return Some((self.type_entity(ev, found), None));
        }
        Some(self.value_name(ev, file, name, scope, at))
    }

    fn module_member(&self, ev: &mut Eval<'_>, module: u32, name: &str, _: Namespace) -> Entity {
        let from = ev.current_file().unwrap_or(FileId(0));
        let found = self.tables.members_of_module(ev.repo, module, name, from);
        Entity::defs(found)
    }

    fn module_file(&self, _: &Repo, module: u32) -> Option<FileId> {
        self.tables.modules.file_of(module)
    }

    fn through_classes(&self) -> bool {
        true
    }
}

impl Members for Swift {
    fn whole(&self, part: GlobalDef) -> GlobalDef {
        self.tables.whole(part)
    }

    fn named_type(&self, ev: &mut Eval<'_>, (file, ty): (FileId, TypeId)) -> Option<Entity> {
        let TypeExpr::Named {
            path, scope, at, ..
        } = ev.repo.facts(file).ty(ty)
        else {
            return None;
        };
        let place = NamePosition {
            file,
            scope: *scope,
            at: *at,
        };
        let found = self.tables.path(ev.repo, path, place, 0);
        Some(match found {
            TypeName::Param(..) | TypeName::Written(..) => Entity::Unknown,
            found => self.type_entity(ev, found),
        })
    }

    fn written_type(&self, ev: &mut Eval<'_>, (file, ty): (FileId, TypeId)) -> Option<Ty> {
        self.lowered(ev, file, ty)
    }

    fn seen_as(&self, ev: &mut Eval<'_>, actual: &Ty, wanted: &Ty) -> Option<Ty> {
        if platform::is_optional(wanted) && !platform::is_optional(actual) {
            return Some(optional(actual.clone()));
        }
        self.seen_as_type(ev, actual, wanted)
    }

    fn supers(&self, ev: &mut Eval<'_>, ty: GlobalDef) -> Vec<Ty> {
        self.supertypes(ev, ty)
    }

    fn overloading(&self) -> Overloading {
        Overloading::ByCount
    }

    fn may_override(&self, repo: &Repo, method: GlobalDef, above: GlobalDef) -> bool {
        self.can_override(repo, method, above)
    }

    fn member(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Entity> {
        self.member_of(ev, object, name)
    }

    fn outside_member(
        &self,
        ev: &mut Eval<'_>,
        _: FileId,
        object: &Ty,
        name: &str,
    ) -> Option<Entity> {
        self.outside_property(ev, object, name)
    }

    fn qualified_member(
        &self,
        ev: &mut Eval<'_>,
        (file, ty): (FileId, TypeId),
        name: &str,
    ) -> Option<(Entity, Option<Ty>)> {
        let ty = ev.lower_type(file, ty);
        Some(self.member_of_type(ev, file, &ty, name))
    }

    fn attribute(&self, ev: &mut Eval<'_>, field: GlobalDef, value: Ty, object: &Ty) -> Ty {
        self.seen_from(ev, &value, field, object)
    }

    fn payload(&self, ev: &mut Eval<'_>, value: &Ty, variant: &Entity, index: u32) -> Ty {
        self.payload_of(ev, value, variant, index)
    }

    fn declared_result(&self, ev: &mut Eval<'_>, function: GlobalDef) -> Ty {
        self.made_by(ev, function)
    }

    fn untyped(&self, ev: &mut Eval<'_>, def: GlobalDef) -> Ty {
        let it = ev.repo.def(def);
        let (SymbolKind::EnumMember, Some(parent)) = (it.kind, it.parent) else {
            return Ty::Unknown;
        };
        let parent = GlobalDef {
            file: def.file,
            def: parent,
        };
        let instance = ev.identity_instance(parent);
        match it.callable.as_deref() {
            Some(callable) => {
                let written: Vec<Option<TypeId>> = callable.params.iter().map(|p| p.ty).collect();
                let params = written
                    .into_iter()
                    .map(|ty| ty.map(|ty| ev.lower_type(def.file, ty)).unwrap_or_default());
                platform::callable(params.collect(), instance)
            }
            None => instance,
        }
    }

    fn held_by_members(&self, ev: &mut Eval<'_>, file: FileId) -> Vec<(GlobalDef, GlobalDef)> {
        self.overridden_members(ev, file)
    }
}

impl Calls for Swift {
    fn visit_callee(&self, ev: &mut Eval<'_>, call: CallView<'_>) -> Option<Called> {
        self.resolve_callee(ev, call)
    }

    fn params_by_receiver(
        &self,
        ev: &mut Eval<'_>,
        function: GlobalDef,
        receiver: Option<&Ty>,
        env: &mut Vec<((GlobalDef, u32), Ty)>,
    ) {
        self.bind_owner(ev, function, receiver, env);
    }

    fn target_param(
        &self,
        ev: &mut Eval<'_>,
        function: GlobalDef,
        call: CallView<'_>,
        arg: usize,
    ) -> Option<Option<usize>> {
        let targets = self.targets(ev, function, call);
        Some(targets.and_then(|targets| targets.get(arg).copied()))
    }

    fn choose(
        &self,
        ev: &mut Eval<'_>,
        overloads: &[GlobalDef],
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        let candidates = overloads.iter().map(|def| overloads::Candidate {
            def: *def,
            owner: None,
            level: 0,
        });
        let chosen = self.select(ev, candidates.collect(), call);
        if chosen.is_empty() {
            return overloads.to_vec();
        }
        chosen.into_iter().map(|c| c.def).collect()
    }

    fn call_instance(&self, ev: &mut Eval<'_>, of: &Ty) -> Entity {
        match self.find_members(ev, of, "callAsFunction") {
            Some(found) => Entity::defs(found),
            None => Entity::Unknown,
        }
    }

    fn callable_shape(&self, _: &mut Eval<'_>, of: &Ty) -> Option<(Vec<Ty>, Ty)> {
        match unwrapped(of) {
            Ty::Callable(params, result) => Some((params.to_vec(), (*result).clone())),
            // A key path is a function of its root.
            Ty::ExternalInstance(external, args) if external.symbol.ends_with("KeyPath") => {
                let root = args.first().cloned().unwrap_or_default();
                Some((vec![root], args.get(1).cloned().unwrap_or_default()))
            }
            _ => None,
        }
    }
}

impl Platform for Swift {
    fn external_call(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'_>,
    ) -> Ty {
        self.platform_result(ev, callee, receiver, call)
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
        self.platform_callback(ev, callee, receiver, call, (arg, param))
    }

    fn external_param(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'_>,
        arg: u32,
    ) -> Ty {
        if arg > 0 && overloads::is_operator(&callee.symbol) {
            // Both operands have one type.
            return match call.args.first() {
                Some(first) => ev.type_of_expr(call.file, *first),
                None => Ty::Unknown,
            };
        }
        self.platform_param(ev, callee, receiver)
    }

    fn primitive(&self, primitive: Primitive) -> Ty {
        let name = match primitive {
            Primitive::String => "String",
            Primitive::Int => "Int",
            Primitive::Float => "Double",
            Primitive::Bool => "Bool",
            Primitive::Char => "Character",
            _ => return Ty::Unknown,
        };
        named(name, Vec::new())
    }

    fn container(&self, kind: Container, args: Vec<Ty>) -> Ty {
        match kind {
            Container::List => named("Array", args),
            Container::Map => named("Dictionary", args),
            Container::Channel => Ty::Unknown,
        }
    }

    fn element(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        self.element_of(ev, of)
    }

    fn part(&self, _: &mut Eval<'_>, of: &Ty, n: u32) -> Ty {
        match of {
            Ty::ExternalInstance(external, args) if platform::tuple_labels(external).is_some() => {
                args.get(n as usize).cloned().unwrap_or_default()
            }
            _ => Ty::Unknown,
        }
    }

    fn tried(&self, _: &mut Eval<'_>, of: &Ty) -> Ty {
        unwrapped(of)
    }

    fn entered(&self, _: &mut Eval<'_>, of: &Ty) -> Ty {
        if of.is_unknown() {
            return Ty::Unknown;
        }
        optional(of.clone())
    }
}

impl Incremental for Swift {}
