//! Linking of Python: modules, star imports, C3, built-in containers.

mod builtins;
mod choices;
mod declared;
mod descriptors;
mod flows;
mod modules;
mod mro;
mod names;
mod overloads;
mod reach;
mod stdlib;

use base::Language;
use base::facts::*;
use base::list::{self, WordList};
use builtins::{ContainerShape, builtin_type};
use flows::PassedFunctions;
use linker::eval::{Eval, MANY};
use linker::lang::{
    CallView, Calls, Container, DefinitionChanges, Incremental, Langs, Members, Platform,
};
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::surface::IndexRemap;
use linker::ty::*;
use modules::{ModuleResolution, Modules};
use reach::ImportReach;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Longest chain of star imports.
const MAX_STARS: usize = 16;

/// Star imports that are searched for a name in one step of fuel.
const FEW_STARS: usize = 16;

/// What a name is bound to, and the name as the file has it.
#[derive(Debug, Clone, Copy)]
struct NamedBound {
    name: NameId,
    to: Bound,
}

/// What a module says about its names.
#[derive(Debug, Default)]
struct ModuleNames {
    /// What its own code binds, the last binding of each name last.
    bound: FxHashMap<Sym, Vec<NamedBound>>,
    /// `__all__`, where it is written.
    all: Option<FxHashSet<Sym>>,
    /// Its star imports.
    stars: Vec<ImportId>,
}

/// Modules and semantics of Python.
pub(crate) struct Python {
    modules: Modules,
    names: FxHashMap<FileId, ModuleNames>,
    reach: ImportReach,
    /// The second one also has the functions passed in calls that the first one resolved.
    flows: [OnceLock<PassedFunctions>; 2],
    /// How many of them are in use.
    stage: AtomicUsize,
}

impl Python {
    /// Builds the tables.
    pub(crate) fn new(repo: &Repo) -> Python {
        let names = repo
            .files()
            .filter(|(_, f)| f.facts.language == Language::Python)
            .map(|(id, _)| (id, collect_module_names(repo, id)))
            .collect();
        let modules = Modules::new(repo);
        Python {
            reach: ImportReach::new(repo, &modules),
            modules,
            names,
            flows: Default::default(),
            stage: AtomicUsize::new(2),
        }
    }

    /// The module that an import names.
    fn resolve_import_module(
        &self,
        repo: &Repo,
        file: FileId,
        import: &Import,
    ) -> (ModuleResolution, External) {
        let path = repo.facts(file).name(import.module);
        let (first, rest) = path.split_once('.').unwrap_or((path, ""));
        let external = External::new(first, rest);
        let found = match import.level {
            0 => self
                .modules
                .resolve_absolute(file, path, stdlib::is_module(first)),
            level => self.modules.resolve_relative(file, level, path),
        };
        (found, external)
    }

    fn module_entity(&self, index: u32) -> Entity {
        Entity::Module(ModuleId {
            family: Language::Python,
            index,
        })
    }

    /// A name of a module: bound by its code, a submodule, or from a star import.
    fn find_module_member(
        &self,
        ev: &mut Eval<'_>,
        module: u32,
        name: &str,
        namespace: Namespace,
        seen: &mut Vec<u32>,
    ) -> Entity {
        if seen.contains(&module) || seen.len() > MAX_STARS {
            return Entity::Unknown;
        }
        seen.push(module);
        let node = self.modules.node(module);
        let files = [node.file, node.stub];
        for file in files.into_iter().flatten() {
            let found = self.find_bound_name(ev, file, name, namespace);
            if !found.is_unknown() {
                return found;
            }
        }
        if let Some(child) = self.modules.child(module, name) {
            return self.module_entity(child);
        }
        for file in files.into_iter().flatten() {
            let found = self.resolve_via_star_imports(ev, file, name, namespace, seen);
            if !found.is_unknown() {
                return found;
            }
        }
        Entity::Unknown
    }

    fn find_bound_name(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: &str,
        namespace: Namespace,
    ) -> Entity {
        let Some(sym) = ev.repo.find_sym(name) else {
            return Entity::Unknown;
        };
        let Some(bounds) = self.names.get(&file).and_then(|n| n.bound.get(&sym)) else {
            return Entity::Unknown;
        };
        if !ev.spend_on_namesakes(bounds.len()) {
            return Entity::Unknown;
        }
        let defs = || {
            let each = bounds.iter().rev().filter_map(|b| match b.to {
                Bound::Def(def) => Some(GlobalDef { file, def }),
                _ => None,
            });
            Entity::defs(each.collect())
        };
        // The last that leads somewhere.
        for bound in bounds.iter().rev() {
            let found = match bound.to {
                Bound::Def(_) => return defs(),
                to => ev.resolve_binding(file, bound.name, FILE_SCOPE, to, namespace),
            };
            if !found.is_unknown() {
                return found;
            }
        }
        Entity::Unknown
    }

    fn resolve_via_star_imports(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: &str,
        namespace: Namespace,
        seen: &mut Vec<u32>,
    ) -> Entity {
        let Some(names) = self.names.get(&file) else {
            return Entity::Unknown;
        };
        let mut outside = Entity::Unknown;
        if !ev.spend(names.stars.len() / FEW_STARS) {
            return outside;
        }
        for star in names.stars.iter().rev() {
            let repo = ev.repo;
            let import = repo.facts(file).import(*star);
            match self.resolve_import_module(repo, file, import) {
                (ModuleResolution::Module(module), _)
                    if self.is_exported_by_star(ev, module, name) =>
                {
                    let found = self.find_module_member(ev, module, name, namespace, seen);
                    if !found.is_unknown() {
                        return found;
                    }
                }
                // If a single external module is the only possible source of the name, it counts.
                (ModuleResolution::Outside, external)
                    if names.stars.len() == 1 && !stdlib::is_builtin(name) =>
                {
                    outside = Entity::External(external.member(name));
                }
                _ => {}
            }
        }
        outside
    }

    /// Whether a star import of a module includes a name.
    fn is_exported_by_star(&self, ev: &Eval<'_>, module: u32, name: &str) -> bool {
        let node = self.modules.node(module);
        let names = node.file.or(node.stub).and_then(|f| self.names.get(&f));
        match names.and_then(|n| n.all.as_ref()) {
            // `__all__` is often composed of those of other modules by code that is not read.
            Some(all) => {
                ev.repo.find_sym(name).is_some_and(|sym| all.contains(&sym))
                    || names.is_some_and(|n| !n.stars.is_empty())
            }
            None => !name.starts_with('_'),
        }
    }

    /// The result type of a method of a value, called without arguments.
    fn method_result(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Ty> {
        let (found, owner) = ev.resolve_member(object, name);
        let Entity::Defs(defs) = found else {
            return None;
        };
        let first = defs.first().copied()?;
        let result = ev.result_type(first);
        Some(ev.substitute(&result, owner.as_ref()))
    }
}

/// Methods of operators (The Python Language Reference, 3.3.8), and of slices.
static OPERATORS: WordList = LazyLock::new(|| {
    list::words(list::section(include_str!("../operators.txt"), "operators")).collect()
});

/// Methods of operators for a left operand that does not support them.
static REFLECTED: WordList = LazyLock::new(|| {
    list::words(list::section(include_str!("../operators.txt"), "reflected")).collect()
});

/// `_Class__name`: the member that a class of that name refers to as `__name`.
fn mangled_member(ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Entity> {
    let rest = name.strip_prefix('_').filter(|r| !r.starts_with('_'))?;
    let (class, own) = rest.split_at(rest.find("__")?);
    let own = ev.repo.find_sym(own)?;
    let holder = ev
        .member_search_order(object)
        .into_iter()
        .find_map(|ty| match ty {
            Ty::Instance(def, _) | Ty::Class(def, _) => {
                let facts = ev.repo.facts(def.file);
                let its = facts.name(facts.def(def.def).name).trim_start_matches('_');
                (its == class).then_some(def)
            }
            _ => None,
        })?;
    let named = ev.repo.children_named(holder, own);
    if !ev.spend_on_namesakes(named.len()) {
        return None;
    }
    let found: Vec<GlobalDef> = named.collect();
    (!found.is_empty()).then(|| Entity::defs(found))
}

fn collect_module_names(repo: &Repo, file: FileId) -> ModuleNames {
    let facts = repo.facts(file);
    let mut names = ModuleNames::default();
    for binding in facts.bindings_in_scope(FILE_SCOPE) {
        if matches!(
            binding.to,
            Bound::Def(_) | Bound::Import(_) | Bound::Either(_)
        ) {
            let (name, to) = (binding.name, binding.to);
            let bound = names.bound.entry(repo.sym_of_name(file, name)).or_default();
            bound.push(NamedBound { name, to });
        }
    }
    if !facts.exports.is_empty() {
        let all = facts.exports.iter().filter_map(|e| e.name);
        names.all = Some(all.map(|n| repo.sym_of_name(file, n)).collect());
    }
    for (i, import) in facts.imports.iter().enumerate() {
        if import.what == Imported::Glob {
            names.stars.push(ImportId(i as u32));
        }
    }
    names
}

impl linker::lang::Modules for Python {
    fn import(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        import: ImportId,
        namespace: Namespace,
    ) -> Entity {
        let repo = ev.repo;
        let import = repo.facts(file).import(import);
        let (found, external) = self.resolve_import_module(repo, file, import);
        let module = match (found, import.what) {
            (ModuleResolution::Module(module), _) => module,
            (ModuleResolution::Outside, Imported::Name(name)) => {
                return Entity::External(external.member(repo.facts(file).name(name)));
            }
            (ModuleResolution::Outside, Imported::Root) => {
                return Entity::External(External::new(&external.package, ""));
            }
            (ModuleResolution::Outside, _) => return Entity::External(external),
            (ModuleResolution::Missing, _) => return Entity::Unknown,
        };
        match import.what {
            Imported::Name(name) => {
                let name = repo.facts(file).name(name);
                self.find_module_member(ev, module, name, namespace, &mut Vec::new())
            }
            Imported::Root => {
                // The first package of the path is bound.
                let depth = repo.facts(file).name(import.module).matches('.').count();
                let mut at = module;
                for _ in 0..depth {
                    at = self.modules.node(at).parent.unwrap_or(at);
                }
                self.module_entity(at)
            }
            _ => self.module_entity(module),
        }
    }

    /// The module; if the imported name is itself a module, that one.
    fn named_file(&self, repo: &Repo, file: FileId, import: ImportId) -> Option<FileId> {
        let import = repo.facts(file).import(import);
        let (ModuleResolution::Module(module), _) = self.resolve_import_module(repo, file, import)
        else {
            return None;
        };
        let inner = match import.what {
            Imported::Name(name) => self.modules.child(module, repo.facts(file).name(name)),
            _ => None,
        };
        let of_module = |at: u32| {
            let node = self.modules.node(at);
            node.file.or(node.stub)
        };
        inner.and_then(of_module).or_else(|| of_module(module))
    }

    fn free_name(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: NameId,
        _scope: ScopeId,
        namespace: Namespace,
    ) -> Entity {
        let repo = ev.repo;
        let name = repo.facts(file).name(name);
        let mut seen = Vec::new();
        let found = self.resolve_via_star_imports(ev, file, name, namespace, &mut seen);
        match found {
            found @ (Entity::Defs(_) | Entity::Module(_) | Entity::Either(_)) => found,
            _ if stdlib::is_builtin(name) => Entity::external("builtins", name),
            found => found,
        }
    }

    fn module_member(
        &self,
        ev: &mut Eval<'_>,
        module: u32,
        name: &str,
        namespace: Namespace,
    ) -> Entity {
        self.find_module_member(ev, module, name, namespace, &mut Vec::new())
    }

    fn module_file(&self, _repo: &Repo, module: u32) -> Option<FileId> {
        let node = self.modules.node(module);
        node.file.or(node.stub)
    }

    fn only_reachable(
        &self,
        ev: &mut Eval<'_>,
        (file, _): (FileId, ExprId),
        name: NameId,
    ) -> Option<GlobalDef> {
        let repo = ev.repo;
        let name = repo.facts(file).name(name);
        self.reach.only_method(repo, file, name)
    }
}

impl Members for Python {
    fn linearization(&self, ev: &mut Eval<'_>, ty: &Ty) -> Vec<Ty> {
        mro::linearize(ev, ty)
    }

    fn member(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Entity> {
        match (name, object) {
            ("__class__", Ty::Instance(..) | Ty::ExternalInstance(..)) => {
                Some(Entity::Value(builtins::class_of_value(ev, object)))
            }
            ("__wrapped__" | "__func__", Ty::Function(..)) => Some(Entity::Value(object.clone())),
            _ => mangled_member(ev, object, name),
        }
    }

    /// The result type of `__getattr__`, for a name that is not found otherwise.
    fn missing_member(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Entity {
        if name.starts_with("__") || !matches!(object, Ty::Instance(..)) {
            return Entity::Unknown;
        }
        match self.method_result(ev, object, "__getattr__") {
            Some(Ty::Unknown | Ty::Null) | None => Entity::Unknown,
            Some(given) => Entity::Value(given),
        }
    }

    fn attribute(&self, ev: &mut Eval<'_>, field: GlobalDef, value: Ty, object: &Ty) -> Ty {
        descriptors::read_attribute(ev, field, value, object)
    }

    /// Of members that branches define, each.
    fn mentioned(&self, ev: &mut Eval<'_>, entity: Entity) -> Entity {
        match &entity {
            Entity::Defs(defs) if defs.len() > 1 => {
                let bound = choices::bound_members(ev.repo, defs);
                match bound.len() {
                    0 => entity,
                    _ => Entity::either(bound.into_iter().map(Entity::def)),
                }
            }
            _ => entity,
        }
    }

    fn declared_result(&self, ev: &mut Eval<'_>, function: GlobalDef) -> Ty {
        self.result_in_stub(ev, function)
            .or_else(|| self.result_of_wrapper(ev, function))
    }

    fn declared_param(&self, ev: &mut Eval<'_>, function: GlobalDef, n: u32) -> Ty {
        self.param_in_stub(ev, function, n)
    }

    fn untyped(&self, ev: &mut Eval<'_>, def: GlobalDef) -> Ty {
        let it = ev.repo.def(def);
        match (it.kind, it.parent) {
            (base::SymbolKind::EnumMember, Some(parent)) => Ty::instance(GlobalDef {
                file: def.file,
                def: parent,
            }),
            _ => self.variable_in_stub(ev, def),
        }
    }

    fn payload(&self, ev: &mut Eval<'_>, _value: &Ty, variant: &Entity, index: u32) -> Ty {
        // A positional pattern matches the n-th field of a data class.
        let Entity::Defs(defs) = variant else {
            return Ty::Unknown;
        };
        let Some(class) = defs.first().copied() else {
            return Ty::Unknown;
        };
        let facts = ev.repo.facts(class.file);
        let mut fields: Vec<GlobalDef> = ev
            .repo
            .children(class)
            .filter(|d| facts.def(d.def).kind == base::SymbolKind::Field)
            .collect();
        fields.sort_unstable();
        match fields.get(index as usize) {
            Some(field) => ev.type_of_def(*field),
            None => Ty::Unknown,
        }
    }
}

impl Calls for Python {
    fn passed(&self, ev: &Eval<'_>, file: FileId, callee: ExprId) -> Ty {
        let stage = self.stage.load(Ordering::Relaxed);
        let known = self.flows[..stage].iter().rev().find_map(OnceLock::get);
        let param = known.and_then(|_| flows::resolve_parameter(ev.repo, file, callee));
        match (known, param) {
            (Some(flows), Some(param)) => {
                let passed = flows.types_passed_to(param);
                if ev.fuel().spend(passed.len() / MANY) {
                    Ty::union(passed.iter().cloned())
                } else {
                    Ty::Unknown
                }
            }
            _ => Ty::Unknown,
        }
    }

    fn through_variables(&self) -> bool {
        true
    }

    fn call_instance(&self, ev: &mut Eval<'_>, of: &Ty) -> Entity {
        ev.resolve_member(of, "__call__").0
    }

    fn choose(
        &self,
        ev: &mut Eval<'_>,
        overloads: &[GlobalDef],
        _call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        // Of definitions of one name, the last one counts; overloads are declarations of it.
        let bound = choices::bound_members(ev.repo, overloads);
        if !bound.is_empty() {
            return bound;
        }
        let real = overloads.iter().find(|d| choices::is_real(ev.repo, **d));
        real.or(overloads.first()).copied().into_iter().collect()
    }

    fn instantiated(&self, ev: &mut Eval<'_>, class: GlobalDef) -> Ty {
        descriptors::made_by_new(ev, class)
    }

    /// Branches bind a name to one of several.
    fn has_build_alternatives(&self) -> bool {
        true
    }

    /// The last definition of a name counts. Among members of a class, order does not tell which that is.
    fn replaces(&self, repo: &Repo, visible: GlobalDef) -> bool {
        let scope = repo.def(visible).scope;
        repo.facts(visible.file).scope(scope).kind != ScopeKind::Class
    }

    fn signatures(
        &self,
        ev: &mut Eval<'_>,
        overloads: &[GlobalDef],
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        let bound = choices::bound_members(ev.repo, overloads);
        if bound.len() > 1 {
            return bound;
        }
        match overloads::select_overload(ev, overloads, call) {
            Some(one) => vec![one],
            None => self.expecting(ev, overloads, call),
        }
    }

    fn constructor(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        let order = ev.member_search_order(&Ty::instance(class));
        // `__new__` counts if there is no `__init__`.
        for name in ["__init__", "__new__"] {
            let Some(sym) = ev.repo.find_sym(name) else {
                continue;
            };
            for ty in &order {
                // An external class may have a constructor of its own.
                let (Ty::Instance(def, _) | Ty::Class(def, _)) = ty else {
                    break;
                };
                let own = ev.members_declared_by(*def, sym);
                if !own.is_empty() {
                    return self.choose(ev, &own, call);
                }
            }
        }
        vec![class]
    }
}

impl Platform for Python {
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
        _arg: u32,
        param: u32,
    ) -> Ty {
        builtins::callback_param_type(ev, callee, receiver, call, param)
    }

    fn external_type(&self, _ev: &mut Eval<'_>, name: &External, args: &[Ty]) -> Option<Ty> {
        let name = builtins::canonical_class(name);
        match (&*name.package, &*name.symbol, args) {
            ("builtins", "object", _) | ("typing", "Any" | "NoReturn" | "Never", _) => {
                Some(Ty::Unknown)
            }
            ("builtins", "type", [of]) => Some(Ty::class_of(of)),
            ("typing", "Callable", _) => Some(Ty::Unknown),
            _ => Some(Ty::ExternalInstance(name, args.into())),
        }
    }

    fn primitive(&self, primitive: Primitive) -> Ty {
        let name = match primitive {
            Primitive::String | Primitive::Char => "str",
            Primitive::Int => "int",
            Primitive::Float => "float",
            Primitive::Bool => "bool",
            Primitive::Bytes => "bytes",
            Primitive::Null => return Ty::Null,
            Primitive::Regex => return Ty::Unknown,
        };
        builtin_type(name, Vec::new())
    }

    fn container(&self, kind: Container, args: Vec<Ty>) -> Ty {
        match kind {
            Container::Map => builtin_type("dict", args),
            _ => builtin_type("list", args),
        }
    }

    fn element(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        match of {
            Ty::ExternalInstance(external, _) => match builtins::shape(external) {
                ContainerShape::Text => of.clone(),
                _ => of.arg(0),
            },
            // Members of an enum.
            Ty::Class(class, _) if ev.repo.def(*class).kind == base::SymbolKind::Enum => {
                Ty::instance(*class)
            }
            Ty::Instance(..) | Ty::Param(..) => {
                let iterator = ["__iter__", "__aiter__"]
                    .iter()
                    .find_map(|m| self.method_result(ev, of, m));
                match iterator {
                    Some(Ty::ExternalInstance(_, args)) => {
                        args.first().cloned().unwrap_or_default()
                    }
                    Some(iterator @ (Ty::Instance(..) | Ty::Param(..))) => {
                        ["__next__", "__anext__"]
                            .iter()
                            .find_map(|m| self.method_result(ev, &iterator, m))
                            .unwrap_or_default()
                    }
                    Some(Ty::Tuple(parts)) => Ty::union(parts.iter().cloned()),
                    _ => self
                        .method_result(ev, of, "__getitem__")
                        .or_else(|| self.type_in_external_ancestor(ev, of, |ty| ty.arg(0)))
                        .unwrap_or_default(),
                }
            }
            _ => Ty::Unknown,
        }
    }

    fn index(&self, ev: &mut Eval<'_>, object: &Ty, file: FileId, index: ExprId) -> Ty {
        match object {
            Ty::Tuple(parts) => {
                let facts = ev.repo.facts(file);
                let n: Option<usize> = match facts.expr(index) {
                    Expr::Keyword(text, _) => facts.name(*text).parse().ok(),
                    _ => None,
                };
                match n {
                    Some(n) => parts.get(n).cloned().unwrap_or_default(),
                    None => Ty::union(parts.iter().cloned()),
                }
            }
            Ty::ExternalInstance(external, _) => match builtins::shape(external) {
                ContainerShape::Mapping => object.arg(1),
                ContainerShape::Text => object.clone(),
                ContainerShape::Sequence => object.arg(0),
                ContainerShape::Other => Ty::Unknown,
            },
            // `Class[int]` is the class; for an enum it is a member.
            Ty::Class(class, _) if ev.repo.def(*class).kind == base::SymbolKind::Enum => {
                Ty::instance(*class)
            }
            Ty::Class(..) | Ty::External(_) => object.clone(),
            Ty::Instance(..) | Ty::Param(..) => self
                .method_result(ev, object, "__getitem__")
                .or_else(|| {
                    self.type_in_external_ancestor(ev, object, |ty| match ty {
                        Ty::ExternalInstance(e, _)
                            if builtins::shape(e) == ContainerShape::Mapping =>
                        {
                            ty.arg(1)
                        }
                        _ => ty.arg(0),
                    })
                })
                .unwrap_or_default(),
            _ => Ty::Unknown,
        }
    }

    fn awaited(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        match of {
            Ty::ExternalInstance(external, args) => match &*external.symbol {
                "Coroutine" => args.last().cloned().unwrap_or_default(),
                "Awaitable" | "Future" | "Task" => of.arg(0),
                _ => Ty::Unknown,
            },
            Ty::Instance(..) => match self.method_result(ev, of, "__await__") {
                Some(Ty::ExternalInstance(_, args)) => args.last().cloned().unwrap_or_default(),
                _ => Ty::Unknown,
            },
            _ => Ty::Unknown,
        }
    }

    fn promised(&self, of: Ty) -> Ty {
        match &of {
            // An asynchronous generator is not awaited.
            Ty::ExternalInstance(e, _) if e.symbol.starts_with("Async") => of,
            _ => Ty::external("typing", "Coroutine", vec![of]),
        }
    }

    fn generated(&self, of: Ty) -> Ty {
        Ty::external("typing", "Generator", vec![of])
    }

    fn entered(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        ev.map_alternatives(of, |ev, of| match of {
            Ty::ExternalInstance(external, _) => match &*external.symbol {
                "Generator"
                | "Iterator"
                | "Iterable"
                | "ContextManager"
                | "AsyncContextManager"
                | "AsyncGenerator"
                | "AsyncIterator" => of.arg(0),
                _ => of.clone(),
            },
            Ty::Instance(..) | Ty::Param(..) => {
                if let Some(result) = self.method_result(ev, of, "__enter__") {
                    return result;
                }
                match self.method_result(ev, of, "__aenter__") {
                    Some(result @ Ty::ExternalInstance(..)) => self.awaited(ev, &result),
                    Some(result) => result,
                    None => Ty::Unknown,
                }
            }
            _ => Ty::Unknown,
        })
    }

    fn operation(&self, ev: &mut Eval<'_>, left: Ty, right: Ty) -> Ty {
        let plain = |ty: &Ty| {
            matches!(ty, Ty::ExternalInstance(e, _)
                if &*e.package == "builtins" && matches!(&*e.symbol, "int" | "float" | "bool"))
        };
        // `2 * x` has the type of `x`.
        match (&left, &right) {
            (Ty::Unknown | Ty::Null, _) => ev.operator_result(&right, &REFLECTED, |_, _| true),
            (l, Ty::Instance(..)) if plain(l) => {
                ev.operator_result(&right, &REFLECTED, |_, _| true)
            }
            _ => ev.operator_result(&left, &OPERATORS, |_, _| true),
        }
    }
}

impl Incremental for Python {
    fn follow(&mut self, repo: &Repo, file: FileId, moved: &IndexRemap) -> bool {
        self.names.insert(file, collect_module_names(repo, file));
        if moved.is_identity() {
            return true;
        }
        self.reach.follow(file, moved);
        let mut flows = self.flows.iter().filter_map(OnceLock::get);
        !flows.any(|f| f.depends_on_moved(file, moved))
    }

    fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) -> bool {
        self.reach.renew(repo, news);
        let same = |file: &FileId| {
            self.reach
                .has_same_import_targets(repo, &self.modules, *file)
        };
        news.imports.iter().all(same)
    }

    /// The functions passed for parameters come from the bodies of all files.
    fn can_be_made_again(&self) -> bool {
        false
    }

    fn agrees(&self, repo: &Repo, langs: &Langs, file: FileId) -> bool {
        let [first, second] = &self.flows;
        let (Some(first), Some(second)) = (first.get(), second.get()) else {
            return false;
        };
        self.stage.store(0, Ordering::SeqCst);
        let mut agrees = first.is_unchanged_for(repo, langs, file, false);
        if agrees {
            self.stage.store(1, Ordering::SeqCst);
            agrees = second.is_unchanged_for(repo, langs, file, true);
        }
        self.stage.store(self.flows.len(), Ordering::SeqCst);
        agrees
    }

    fn prepare(&self, repo: &Repo, langs: &Langs) {
        let [first, second] = &self.flows;
        let first = first.get_or_init(|| PassedFunctions::new(repo, langs, None));
        second.get_or_init(|| PassedFunctions::new(repo, langs, Some(first)));
    }
}

impl Python {
    /// The type from an external ancestor (`class Jar(MutableMapping[str, Cookie])`).
    fn type_in_external_ancestor(
        &self,
        ev: &mut Eval<'_>,
        of: &Ty,
        f: impl Fn(&Ty) -> Ty,
    ) -> Option<Ty> {
        let of = ev.resolve_type_param(of);
        ev.member_search_order(&of)
            .iter()
            .find(|ty| matches!(ty, Ty::ExternalInstance(_, args) if !args.is_empty()))
            .map(f)
    }
}
