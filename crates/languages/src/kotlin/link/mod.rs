//! Linking of Kotlin: packages, imports, extensions, implicit receivers, overloads, types of the standard library.

mod calls;
mod extensions;
mod family;
mod lambdas;
mod members;
mod names;
mod packages;
mod platform;
mod receivers;
mod select;
mod tables;

pub(crate) use family::Family;

use base::facts::*;
use base::{Language, SymbolKind, Visibility};
use linker::eval::{Eval, MANY};
use linker::lang::{
    CallView, Called, Calls, Container, DefinitionChanges, Incremental, Members, Modules,
    Overloading, Platform,
};
use linker::repo::{FileId, GlobalDef, Repo};
use linker::surface::IndexRemap;
use linker::ty::*;
use names::NameUse;
use packages::Packages;
use rustc_hash::FxHashSet;

/// Maximum number of types of one name that are compared.
const MAX_NAMESAKES: usize = 64;

/// Packages and semantics of Kotlin.
pub(crate) struct Kotlin {
    packages: Packages,
}

impl Kotlin {
    /// Builds the tables.
    pub(crate) fn new(repo: &Repo) -> Kotlin {
        Kotlin {
            packages: Packages::new(repo),
        }
    }
}

/// Marks the number of a package in Kotlin's table, since Java has a table of its own.
const OWN: u32 = 1 << 31;

fn module(index: u32) -> ModuleId {
    ModuleId {
        family: Language::Java,
        index: index | OWN,
    }
}

/// The companion of a class.
fn companion(repo: &Repo, class: GlobalDef) -> Option<GlobalDef> {
    if repo.language(class.file) != Language::Kotlin {
        return None;
    }
    let is_companion = |def: &GlobalDef| repo.def(*def).flags.has(DefFlags::COMPANION);
    // Most companions have the default name.
    if let Some(name) = repo.find_sym("Companion")
        && let Some(found) = repo.children_named(class, name).find(is_companion)
    {
        return Some(found);
    }
    if repo.child_count(class) > 4 * MAX_NAMESAKES {
        return None;
    }
    repo.children(class).find(is_companion)
}

/// Of several definitions, the one whose file is nearest. Of those that are equally near, a declaration for all platforms
/// comes first, then one for the JVM.
fn nearest(repo: &Repo, near: FileId, found: Vec<GlobalDef>) -> Option<GlobalDef> {
    if let [one] = found[..] {
        return Some(one);
    }
    let here = &repo.file(near).path;
    found.into_iter().rev().max_by_key(|def| {
        let path = &repo.file(def.file).path;
        let shared = here
            .split('/')
            .zip(path.split('/'))
            .take_while(|(a, b)| a == b)
            .count();
        let same_set = source_set(here).is_some() && source_set(here) == source_set(path);
        let it = repo.def(*def);
        let is_common = it.flags.has(DefFlags::DECLARATION_ONLY);
        let is_jvm = source_set(path).is_some_and(|set| set.starts_with("jvm"));
        (shared, same_set, is_common, is_jvm)
    })
}

/// The source set of a file: `commonMain` in `src/commonMain/kotlin/A.kt`, `jvm` in `jvm/src/A.kt`.
fn source_set(path: &str) -> Option<&str> {
    let (before, behind) = path.split_once("/src/")?;
    let inner = behind.split('/').next()?;
    let is_set = ["Main", "Test"].iter().any(|end| inner.ends_with(end));
    if is_set {
        return Some(inner);
    }
    before.rsplit('/').next()
}

impl Modules for Kotlin {
    fn import(&self, ev: &mut Eval<'_>, file: FileId, import: ImportId, _: Namespace) -> Entity {
        self.imported(ev, file, import)
    }

    fn used_on_demand(&self, ev: &mut Eval<'_>, file: FileId, import: ImportId) -> Vec<GlobalDef> {
        let repo = ev.repo;
        let facts = repo.facts(file);
        let it = facts.import(import);
        let package = self.packages.find_package(facts.name(it.module));
        let Some(package) = package.filter(|p| self.packages.package_of_file(file) != Some(*p))
        else {
            return Vec::new();
        };
        let count = facts.types.len() + facts.exprs.len();
        if it.what != Imported::Glob || !ev.spend(count / MANY) {
            return Vec::new();
        }
        let types = facts.types.iter().filter_map(|ty| match ty {
            TypeExpr::Named {
                path, scope, at, ..
            } => Some((*path.first()?, *scope, *at, Namespace::TYPE)),
            _ => None,
        });
        let values = facts.exprs.iter().filter_map(|expr| match expr {
            Expr::Name { name, scope, at } => Some((*name, *scope, *at, Namespace::VALUE)),
            _ => None,
        });
        let mut used = FxHashSet::default();
        for (name, scope, at, namespace) in types.chain(values) {
            let sym = repo.sym_of_name(file, name);
            let members = self.packages.members(package, sym);
            if members.is_empty() || members.iter().any(|def| used.contains(def)) {
                continue;
            }
            ev.begin_site(file);
            let found = ev.resolve_name(file, name, scope, at, namespace);
            if let Entity::Defs(found) = found {
                used.extend(found.iter().filter(|def| members.contains(def)).copied());
            }
        }
        let mut used: Vec<GlobalDef> = used.into_iter().collect();
        used.sort_unstable();
        used
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
        let used = NameUse {
            file,
            name,
            scope,
            at,
        };
        if namespace == Namespace::TYPE {
            let found = self.type_name(ev, used);
            let found = found.or_else(|| self.package_named(ev.repo, file, name));
            return Some((found, None));
        }
        Some(self.value_name(ev, used))
    }

    fn module_member(
        &self,
        ev: &mut Eval<'_>,
        module: u32,
        name: &str,
        namespace: Namespace,
    ) -> Entity {
        let repo = ev.repo;
        let near = ev.current_file().unwrap_or(FileId(0));
        let module = module & !OWN;
        let Some(package) = self.packages.get(module) else {
            return Entity::Unknown;
        };
        if let Some(sym) = repo.find_sym(name) {
            let members = self.packages.members(module, sym);
            if !ev.spend_on_namesakes(members.len()) {
                return Entity::Unknown;
            }
            let (types, others): (Vec<GlobalDef>, Vec<GlobalDef>) = members
                .iter()
                .partition(|def| packages::is_type(repo, **def));
            if let Some(found) = nearest(repo, near, types) {
                return Entity::def(found);
            }
            if namespace != Namespace::TYPE && !others.is_empty() {
                return Entity::defs(others);
            }
        }
        let whole = format!("{}.{name}", package.name);
        match self.packages.find_package(&whole) {
            Some(index) => Entity::Module(self::module(index)),
            None if self.packages.has_members(module) => Entity::Unknown,
            None => Entity::External(platform::outside(&package.name, name)),
        }
    }

    fn module_file(&self, _: &Repo, _: u32) -> Option<FileId> {
        None
    }

    fn through_classes(&self) -> bool {
        true
    }
}

impl Kotlin {
    /// A package whose name begins a path.
    fn package_named(&self, repo: &Repo, file: FileId, name: NameId) -> Entity {
        let text = repo.facts(file).name(name);
        match self.packages.find_package(text) {
            Some(index) => Entity::Module(module(index)),
            None if platform::is_root(text) => Entity::external(text, ""),
            None => Entity::Unknown,
        }
    }
}

impl Kotlin {
    /// The type of a value that is one of several.
    fn one_of(&self, ev: &mut Eval<'_>, types: Vec<Ty>) -> Ty {
        let objects: Vec<Ty> = types.iter().map(|ty| self.as_object(ev, ty)).collect();
        match Ty::union(objects) {
            Ty::Union(parts) => self.join(ev, &parts),
            other => other,
        }
    }
}

impl Members for Kotlin {
    fn written_type(&self, ev: &mut Eval<'_>, (file, ty): (FileId, TypeId)) -> Option<Ty> {
        self.lowered(ev, file, ty)
    }

    fn seen_as(&self, ev: &mut Eval<'_>, actual: &Ty, wanted: &Ty) -> Option<Ty> {
        let Ty::ExternalInstance(wanted, _) = wanted else {
            return None;
        };
        self.external_view(ev, actual, wanted)
    }

    fn overloading(&self) -> Overloading {
        Overloading::ByCount
    }

    fn may_override(&self, repo: &Repo, method: GlobalDef, above: GlobalDef) -> bool {
        let it = repo.def(method);
        let is_kotlin = repo.language(method.file) == Language::Kotlin;
        (it.flags.has(DefFlags::OVERRIDES) || !is_kotlin)
            && repo.def(above).visibility != Visibility::Private
    }

    fn member(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Entity> {
        let file = ev.current_file()?;
        self.property(ev, object, name, file).map(|found| found.0)
    }

    fn outside_member(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        object: &Ty,
        name: &str,
    ) -> Option<Entity> {
        if matches!(object, Ty::External(_)) {
            return None;
        }
        self.property(ev, object, name, file).map(|found| found.0)
    }

    /// An object is its own instance.
    fn decorated(&self, ev: &mut Eval<'_>, def: GlobalDef) -> Option<Ty> {
        let it = ev.repo.def(def);
        let is_object = it.flags.has(DefFlags::OBJECT) && it.kind == SymbolKind::Class;
        is_object.then(|| Ty::instance(def))
    }

    fn declared_param(&self, ev: &mut Eval<'_>, function: GlobalDef, n: u32) -> Ty {
        self.lambda_param(ev, function, n)
    }

    fn untyped(&self, ev: &mut Eval<'_>, def: GlobalDef) -> Ty {
        let it = ev.repo.def(def);
        match (it.kind, it.parent) {
            (SymbolKind::EnumMember, Some(parent)) => Ty::instance(GlobalDef {
                file: def.file,
                def: parent,
            }),
            _ => Ty::Unknown,
        }
    }
}

impl Calls for Kotlin {
    fn visit_callee(&self, ev: &mut Eval<'_>, call: CallView<'_>) -> Option<Called> {
        self.resolve_callee(ev, call)
    }

    fn parameter_of(
        &self,
        repo: &Repo,
        function: GlobalDef,
        call: CallView<'_>,
        arg: usize,
    ) -> Option<usize> {
        let expr = call.args.get(arg)?;
        if !matches!(repo.facts(call.file).expr(*expr), Expr::Borrowed(_)) {
            return None;
        }
        let callable = repo.def(function).callable.as_deref()?;
        select::parameters(callable).len().checked_sub(1)
    }

    fn params_by_receiver(
        &self,
        ev: &mut Eval<'_>,
        function: GlobalDef,
        receiver: Option<&Ty>,
        env: &mut Vec<((GlobalDef, u32), Ty)>,
    ) {
        self.bind_call(ev, function, receiver, env);
    }

    fn constructor(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        let candidates = self.constructor_candidates(ev, class, call);
        let chosen = self.select(ev, &candidates, call);
        if chosen.is_empty() {
            return vec![class];
        }
        chosen.into_iter().map(|one| one.def).collect()
    }

    fn choose(
        &self,
        ev: &mut Eval<'_>,
        overloads: &[GlobalDef],
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        // Overloads of calls were chosen before.
        ev.overloads_with_arg_count(overloads, call)
    }

    fn callable_shape(&self, ev: &mut Eval<'_>, of: &Ty) -> Option<(Vec<Ty>, Ty)> {
        self.function_shape(ev, of)
    }
}

impl Platform for Kotlin {
    fn external_call(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'_>,
    ) -> Ty {
        self.platform_result(ev, callee, receiver, call)
    }

    fn external_type(&self, _: &mut Eval<'_>, name: &External, args: &[Ty]) -> Option<Ty> {
        Some(Ty::ExternalInstance(
            platform::kotlin_name(name),
            args.into(),
        ))
    }

    fn primitive(&self, primitive: Primitive) -> Ty {
        match primitive {
            Primitive::String => platform::kotlin("String"),
            Primitive::Int => platform::kotlin("Int"),
            Primitive::Float => platform::kotlin("Double"),
            Primitive::Bool => platform::kotlin("Boolean"),
            Primitive::Char => platform::kotlin("Char"),
            _ => Ty::Unknown,
        }
    }

    fn container(&self, kind: Container, args: Vec<Ty>) -> Ty {
        match kind {
            Container::List => Ty::external("kotlin", "Array", args),
            _ => Ty::Unknown,
        }
    }

    fn element(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        self.iterated(ev, of)
    }

    fn part(&self, ev: &mut Eval<'_>, of: &Ty, n: u32) -> Ty {
        self.part_of(ev, of, n)
    }

    fn tried(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        self.delegated(ev, of)
    }

    fn either(&self, ev: &mut Eval<'_>, _: FileId, _: &[ExprId], types: Vec<Ty>) -> Ty {
        if types.contains(&Ty::Unknown) {
            return Ty::Unknown;
        }
        self.one_of(ev, types)
    }

    /// `a ?: b`.
    fn operation(&self, ev: &mut Eval<'_>, left: Ty, right: Ty) -> Ty {
        self.one_of(ev, vec![left, right])
    }
}

impl Incremental for Kotlin {
    fn follow(&mut self, _: &Repo, file: FileId, moved: &IndexRemap) -> bool {
        if !moved.is_identity() {
            self.packages.follow(file, moved);
        }
        true
    }

    fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) -> bool {
        self.packages.renew(repo, news);
        true
    }
}
