//! Linking of Scala: packages, imports, members through linearisation, overloads, conversions, the standard library.

mod calls;
mod conversions;
mod fit;
mod literals;
mod lookup;
mod members;
mod overloads;
mod packages;
mod patterns;
mod platform;
mod stdlib;

use base::facts::*;
use base::{Language, SymbolKind, Visibility};
use conversions::Conversions;
use linker::eval::Eval;
use linker::lang::{
    CallView, Called, Calls, Container, Incremental, Members, Modules, Overloading, Platform,
};
use linker::repo::{FileId, GlobalDef, Repo};
use linker::surface::IndexRemap;
use linker::ty::*;
use packages::Packages;

/// Packages, conversions and semantics of Scala.
pub(crate) struct Scala {
    packages: Packages,
    conversions: Conversions,
}

impl Scala {
    /// Builds the tables.
    pub(crate) fn new(repo: &Repo) -> Scala {
        Scala {
            packages: Packages::new(repo),
            conversions: Conversions::new(repo),
        }
    }

    fn module(index: u32) -> Entity {
        Entity::Module(ModuleId {
            family: Language::Scala,
            index,
        })
    }
}

/// Whether a definition is an object, or a given with members: a single value with a type of its own.
fn is_object(def: &Def) -> bool {
    def.flags.has(DefFlags::OBJECT) && def.kind.is_type()
}

/// Whether a name means this definition where a value, or where a type, is expected.
fn is_in(def: &Def, namespace: Namespace) -> bool {
    let is_type = def.kind.is_type() && !is_object(def) || def.kind == SymbolKind::TypeAlias;
    match namespace {
        Namespace::TYPE => is_type || def.kind == SymbolKind::EnumMember,
        _ => !is_type,
    }
}

impl Modules for Scala {
    fn import(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        import: ImportId,
        namespace: Namespace,
    ) -> Entity {
        self.imported(ev, file, import, namespace)
    }

    fn used_on_demand(&self, ev: &mut Eval<'_>, file: FileId, import: ImportId) -> Vec<GlobalDef> {
        self.used_of_package(ev, file, import)
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
        Some(self.lookup(ev, file, name, scope, at, namespace))
    }

    fn module_member(
        &self,
        ev: &mut Eval<'_>,
        module: u32,
        name: &str,
        namespace: Namespace,
    ) -> Entity {
        let near = ev.current_file().unwrap_or(FileId(0));
        self.package_member(ev, module, name, namespace, near).0
    }

    fn module_file(&self, _: &Repo, _: u32) -> Option<FileId> {
        None
    }

    fn through_classes(&self) -> bool {
        true
    }
}

impl Members for Scala {
    fn overloading(&self) -> Overloading {
        Overloading::ByTypes
    }

    fn may_override(&self, repo: &Repo, method: GlobalDef, above: GlobalDef) -> bool {
        let is_extension = |d: GlobalDef| repo.def(d).flags.has(DefFlags::EXTENSION);
        repo.def(above).visibility != Visibility::Private
            && is_extension(method) == is_extension(above)
    }

    fn linearization(&self, ev: &mut Eval<'_>, ty: &Ty) -> Vec<Ty> {
        self.linearized(ev, ty)
    }

    fn named_type(&self, ev: &mut Eval<'_>, (file, ty): (FileId, TypeId)) -> Option<Entity> {
        self.named_entity(ev, file, ty)
    }

    fn written_type(&self, ev: &mut Eval<'_>, (file, ty): (FileId, TypeId)) -> Option<Ty> {
        self.value_of_written(ev, file, ty)
    }

    fn seen_as(&self, _: &mut Eval<'_>, actual: &Ty, wanted: &Ty) -> Option<Ty> {
        stdlib::seen_as(actual, wanted)
    }

    fn decorated(&self, ev: &mut Eval<'_>, def: GlobalDef) -> Option<Ty> {
        self.value_of_object(ev, def)
    }

    fn member(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Entity> {
        let (found, _) = self.member_of_type(ev, object, name, Namespace::VALUE);
        if !found.is_unknown() {
            return Some(found);
        }
        Some(self.member_of_type(ev, object, name, Namespace::TYPE).0)
    }

    fn mentioned(&self, ev: &mut Eval<'_>, entity: Entity) -> Entity {
        // Methods are called, even without arguments.
        match &entity {
            Entity::Defs(defs) if defs.iter().any(|d| ev.repo.def(*d).kind.is_callable()) => {
                Entity::Unknown
            }
            _ => entity,
        }
    }

    fn payload(&self, ev: &mut Eval<'_>, value: &Ty, variant: &Entity, index: u32) -> Ty {
        self.part_of_pattern(ev, value, variant, index)
    }

    fn declared_param(&self, ev: &mut Eval<'_>, function: GlobalDef, n: u32) -> Ty {
        self.literal_param(ev, function, n)
    }
}

impl Calls for Scala {
    fn visit_callee(&self, ev: &mut Eval<'_>, call: CallView<'_>) -> Option<Called> {
        ev.guard_recursion(|ev| Some(self.called(ev, call)))
    }

    fn params_by_receiver(
        &self,
        ev: &mut Eval<'_>,
        function: GlobalDef,
        receiver: Option<&Ty>,
        env: &mut Vec<((GlobalDef, u32), Ty)>,
    ) {
        self.extended_params(ev, function, receiver, env);
    }

    fn choose(
        &self,
        ev: &mut Eval<'_>,
        overloads: &[GlobalDef],
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        self.choose_overload(ev, overloads, call)
    }

    fn signatures(
        &self,
        ev: &mut Eval<'_>,
        overloads: &[GlobalDef],
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        self.only_overload(ev, overloads, call)
    }

    fn expecting(
        &self,
        ev: &mut Eval<'_>,
        overloads: &[GlobalDef],
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        self.only_overload(ev, overloads, call)
    }

    fn constructor(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        self.constructors(ev, class, call)
    }

    fn constructed(&self, ev: &mut Eval<'_>, value: &Ty, call: CallView<'_>, args: &[Ty]) -> Ty {
        self.made(ev, value, call, args)
    }

    fn callable_shape(&self, ev: &mut Eval<'_>, of: &Ty) -> Option<(Vec<Ty>, Ty)> {
        self.function_shape(ev, of)
    }
}

impl Platform for Scala {
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
        let shape = self.platform_callback(ev, callee, receiver, call, arg);
        shape.get(param as usize).cloned().unwrap_or_default()
    }

    fn external_type(&self, _: &mut Eval<'_>, name: &External, args: &[Ty]) -> Option<Ty> {
        Some(stdlib::value_of_type(name, args))
    }

    fn primitive(&self, primitive: Primitive) -> Ty {
        stdlib::primitive(primitive)
    }

    fn container(&self, kind: Container, args: Vec<Ty>) -> Ty {
        match kind {
            Container::List => stdlib::instance("Seq", args),
            _ => Ty::Unknown,
        }
    }

    fn element(&self, _: &mut Eval<'_>, of: &Ty) -> Ty {
        stdlib::element(of)
    }

    fn part(&self, _: &mut Eval<'_>, _: &Ty, _: u32) -> Ty {
        Ty::Unknown
    }

    fn operation(&self, _: &mut Eval<'_>, left: Ty, _: Ty) -> Ty {
        left
    }

    fn either(&self, ev: &mut Eval<'_>, file: FileId, parts: &[ExprId], types: Vec<Ty>) -> Ty {
        self.common_type(ev, file, parts, types)
    }
}

impl Incremental for Scala {
    fn follow(&mut self, repo: &Repo, file: FileId, moved: &IndexRemap) -> bool {
        self.packages.follow(repo, file, moved);
        self.conversions.follow(file, moved);
        true
    }
}
