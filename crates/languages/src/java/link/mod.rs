//! Linking of Java: packages, inherited members, overloads, the platform's generic classes.

mod builtins;
mod calls;
mod hierarchy;
mod numeric;
mod overloads;
mod packages;
mod platform;

use base::facts::*;
use base::{Language, Visibility};
use hierarchy::{Hierarchy, HierarchyMemberTypes, TypeName};
use linker::eval::{Eval, MANY};
use linker::lang::{
    CallView, Called, Calls, Container, DefinitionChanges, Incremental, Members, Modules,
    Overloading, Platform,
};
use linker::repo::{FileId, GlobalDef, Repo};
use linker::surface::IndexRemap;
use linker::ty::*;
use packages::{NameResolution, Packages};
use rustc_hash::FxHashSet;

/// First segments of external packages that are used by their full names.
const ROOTS: &[&str] = &[
    "java", "javax", "jakarta", "jdk", "sun", "com", "org", "net", "io", "edu", "kotlin",
];

/// Packages, classes and semantics of Java.
pub(crate) struct Java {
    packages: Packages,
    hierarchy: Hierarchy,
}

impl Java {
    /// Builds the tables.
    pub(crate) fn new(repo: &Repo) -> Java {
        let packages = Packages::new(repo);
        let hierarchy = Hierarchy::new(repo, &packages);
        Java {
            packages,
            hierarchy,
        }
    }

    fn known<'a>(&'a self, repo: &'a Repo) -> HierarchyMemberTypes<'a> {
        HierarchyMemberTypes {
            repo,
            hierarchy: &self.hierarchy,
        }
    }

    /// Non-method members of that name in a class or its ancestors, nearest first.
    fn find_fields(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        name: &str,
    ) -> Option<Vec<GlobalDef>> {
        let repo = ev.repo;
        let sym = repo.find_sym(name)?;
        self.hierarchy.self_and_ancestors(class).find_map(|holder| {
            let named = repo.children_named(holder, sym);
            if !ev.spend_on_namesakes(named.len()) {
                return None;
            }
            let found: Vec<GlobalDef> =
                named.filter(|d| !repo.def(*d).kind.is_callable()).collect();
            (!found.is_empty()).then_some(found)
        })
    }

    /// A name that neither a scope nor an enclosing class has.
    fn resolve_package_name(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: NameId,
        namespace: Namespace,
    ) -> Entity {
        let repo = ev.repo;
        if !ev.spend(1) || !ev.spend(count_glob_imports(repo, file)) {
            return Entity::Unknown;
        }
        let text = repo.facts(file).name(name);
        if namespace == Namespace::VALUE
            && let Some(found) = self.resolve_static_glob_import(ev, file, text)
        {
            return found;
        }
        let mut members = self.known(repo);
        let found = hierarchy::resolve_simple_type(
            repo,
            &self.packages,
            file,
            name,
            FILE_SCOPE,
            0,
            &mut members,
        );
        match found {
            TypeName::Type(def) => Entity::def(def),
            TypeName::External(external) => Entity::External(external),
            TypeName::Param(def, n) => Entity::Value(Ty::Param(def, n)),
            TypeName::Unknown => match self.packages.find_package(text) {
                Some(index) => Entity::Module(ModuleId {
                    family: Language::Java,
                    index,
                }),
                None if ROOTS.contains(&text) => Entity::external(text, ""),
                None => Entity::Unknown,
            },
        }
    }

    /// A static variable of a class imported with `.*`.
    fn resolve_static_glob_import(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: &str,
    ) -> Option<Entity> {
        let repo = ev.repo;
        let facts = repo.facts(file);
        facts
            .imports
            .iter()
            .filter(|i| i.what == Imported::StaticGlob)
            .find_map(|i| {
                match self
                    .packages
                    .resolve_qualified(repo, facts.name(i.module), file)
                {
                    NameResolution::Type(class) => {
                        self.find_fields(ev, class, name).map(Entity::defs)
                    }
                    _ => None,
                }
            })
    }

    fn resolve_static_import(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        module: &str,
        name: &str,
    ) -> Entity {
        let repo = ev.repo;
        match self.packages.resolve_qualified(repo, module, file) {
            NameResolution::Type(class) => {
                if let Some(found) = self.find_fields(ev, class, name) {
                    return Entity::defs(found);
                }
                let Some(sym) = repo.find_sym(name) else {
                    return Entity::Unknown;
                };
                let mut above = self.hierarchy.self_and_ancestors(class);
                let methods = above.find_map(|c| {
                    let named = repo.children_named(c, sym);
                    if !ev.spend_on_namesakes(named.len()) {
                        return None;
                    }
                    let found: Vec<GlobalDef> = named.collect();
                    (!found.is_empty()).then_some(found)
                });
                Entity::defs(methods.unwrap_or_default())
            }
            NameResolution::External(class) => Entity::External(class.member(name)),
            NameResolution::Package(_) | NameResolution::Missing => Entity::Unknown,
        }
    }
}

/// The number of imports on demand in a file: each is searched for a name that is not found elsewhere.
fn count_glob_imports(repo: &Repo, file: FileId) -> usize {
    let on_demand = |i: &&Import| matches!(i.what, Imported::Glob | Imported::StaticGlob);
    repo.facts(file).imports.iter().filter(on_demand).count()
}

/// The names that a file imports by single imports.
fn single_import_names(facts: &FileFacts) -> FxHashSet<NameId> {
    let names = facts.imports.iter().filter_map(|i| match i.what {
        Imported::Name(name) => Some(name),
        _ => None,
    });
    names.collect()
}

impl Modules for Java {
    fn import(&self, ev: &mut Eval<'_>, file: FileId, import: ImportId, _: Namespace) -> Entity {
        let repo = ev.repo;
        let facts = repo.facts(file);
        let it = facts.import(import);
        let module = facts.name(it.module);
        match it.what {
            Imported::Static(name) => {
                self.resolve_static_import(ev, file, module, facts.name(name))
            }
            Imported::Glob | Imported::StaticGlob => {
                match self.packages.resolve_qualified(repo, module, file) {
                    NameResolution::Type(class) => Entity::def(class),
                    NameResolution::Package(index) => Entity::Module(ModuleId {
                        family: Language::Java,
                        index,
                    }),
                    NameResolution::External(external)
                        if external.symbol.starts_with(char::is_lowercase) =>
                    {
                        Entity::external(module, "")
                    }
                    NameResolution::External(external) => Entity::External(external),
                    NameResolution::Missing => Entity::Unknown,
                }
            }
            _ => {
                let mut members = self.known(repo);
                match hierarchy::resolve_imported_type(
                    repo,
                    &self.packages,
                    file,
                    import,
                    &mut members,
                ) {
                    TypeName::Type(def) => Entity::def(def),
                    TypeName::External(external) => Entity::External(external),
                    _ => Entity::Unknown,
                }
            }
        }
    }

    fn used_on_demand(&self, ev: &mut Eval<'_>, file: FileId, import: ImportId) -> Vec<GlobalDef> {
        let repo = ev.repo;
        let facts = repo.facts(file);
        let it = facts.import(import);
        let package = match it.what {
            Imported::Glob => self.packages.find_package(facts.name(it.module)),
            _ => None,
        };
        let Some(package) = package.filter(|p| self.packages.package_of_file(file) != Some(*p))
        else {
            return Vec::new();
        };
        if !ev.spend((facts.types.len() + facts.exprs.len()) / MANY) {
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
        let mut by_itself = None;
        for (name, scope, at, namespace) in types.chain(values) {
            let sym = repo.sym_of_name(file, name);
            let Some(found) = self.packages.find_type(repo, package, sym, file) else {
                continue;
            };
            let by_itself = by_itself.get_or_insert_with(|| single_import_names(facts));
            if used.contains(&found) || by_itself.contains(&name) {
                continue;
            }
            ev.begin_site(file);
            if ev.resolve_name(file, name, scope, at, namespace) == Entity::def(found) {
                used.insert(found);
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
        let repo = ev.repo;
        let facts = repo.facts(file);
        let text = facts.name(name);
        let mut next = Some(scope);
        while let Some(id) = next {
            let binding = repo.binding_at(file, id, name, at, namespace);
            if let Some(binding) = binding {
                let to = binding.to;
                let found = ev.resolve_binding(file, name, id, to, namespace);
                if !found.is_unknown() || !matches!(to, Bound::Import(_)) {
                    return Some((found, None));
                }
            }
            let here = facts.scope(id);
            next = here.parent;
            let (ScopeKind::Class, Some(owner)) = (here.kind, here.owner) else {
                continue;
            };
            let class = GlobalDef { file, def: owner };
            if namespace == Namespace::TYPE {
                let sym = repo.sym_of_name(file, name);
                if let Some(found) = self.hierarchy.member_type(repo, class, sym) {
                    return Some((Entity::def(found), None));
                }
            } else if let Some(found) = self.find_fields(ev, class, text) {
                return Some((Entity::defs(found), Some(ev.identity_instance(class))));
            }
        }
        Some((self.resolve_package_name(ev, file, name, namespace), None))
    }

    fn module_member(&self, ev: &mut Eval<'_>, module: u32, name: &str, _: Namespace) -> Entity {
        let Some(package) = self.packages.get(module) else {
            return Entity::Unknown;
        };
        let found = ev
            .repo
            .find_sym(name)
            .and_then(|sym| self.packages.find_type(ev.repo, module, sym, FileId(0)));
        if let Some(found) = found {
            return Entity::def(found);
        }
        let whole = format!("{}.{name}", package.name);
        match self.packages.find_package(&whole) {
            Some(index) => Entity::Module(ModuleId {
                family: Language::Java,
                index,
            }),
            None => Entity::External(packages::split_external_name(&whole)),
        }
    }

    fn module_file(&self, _: &Repo, module: u32) -> Option<FileId> {
        self.packages.get(module)?.file
    }

    fn through_classes(&self) -> bool {
        true
    }
}

impl Members for Java {
    /// The Java Language Specification, 8.4.8.1.
    fn overloading(&self) -> Overloading {
        Overloading::ByTypes
    }

    fn may_override(&self, repo: &Repo, method: GlobalDef, above: GlobalDef) -> bool {
        let is_static = |d: GlobalDef| repo.def(d).flags.has(DefFlags::STATIC);
        let package = |d: GlobalDef| self.packages.package_of_file(d.file);
        match repo.def(above).visibility {
            Visibility::Private => false,
            Visibility::Package if package(method) != package(above) => false,
            _ => !is_static(method) && !is_static(above),
        }
    }

    fn member(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Entity> {
        let (Ty::Instance(class, _) | Ty::Class(class, _) | Ty::Super(class)) = object else {
            return None;
        };
        self.find_fields(ev, *class, name).map(Entity::defs)
    }

    fn payload(&self, ev: &mut Eval<'_>, _: &Ty, variant: &Entity, index: u32) -> Ty {
        let record = match variant {
            Entity::Value(Ty::Class(def, _) | Ty::Instance(def, _)) => *def,
            Entity::Defs(defs) => match defs.first() {
                Some(def) => *def,
                None => return Ty::Unknown,
            },
            _ => return Ty::Unknown,
        };
        let component = self
            .record_components(ev, record)
            .get(index as usize)
            .copied();
        component.map(|c| ev.type_of_def(c)).unwrap_or_default()
    }
}

impl Calls for Java {
    fn visit_callee(&self, ev: &mut Eval<'_>, call: CallView<'_>) -> Option<Called> {
        self.resolve_callee(ev, call.file, call)
    }

    fn constructor(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        self.constructor_candidates(ev, class, call)
    }

    fn choose(
        &self,
        ev: &mut Eval<'_>,
        overloads: &[GlobalDef],
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        // Overloads of calls are chosen before; the rest are method references.
        ev.overloads_with_arg_count(overloads, call)
    }

    fn callable_shape(&self, ev: &mut Eval<'_>, of: &Ty) -> Option<(Vec<Ty>, Ty)> {
        self.functional_signature(ev, of)
    }
}

impl Platform for Java {
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
        self.platform_callback(ev, callee, receiver, call, arg, param)
    }

    fn external_type(&self, _: &mut Eval<'_>, name: &External, args: &[Ty]) -> Option<Ty> {
        Some(Ty::ExternalInstance(
            packages::normalize_external(name),
            args.into(),
        ))
    }

    fn primitive(&self, primitive: Primitive) -> Ty {
        match primitive {
            Primitive::String => builtins::java_lang_type("String"),
            Primitive::Int => builtins::primitive("int"),
            Primitive::Float => builtins::primitive("double"),
            Primitive::Bool => builtins::primitive("boolean"),
            Primitive::Char => builtins::primitive("char"),
            _ => Ty::Unknown,
        }
    }

    fn container(&self, kind: Container, mut args: Vec<Ty>) -> Ty {
        match kind {
            Container::List => builtins::array_type(args.pop().unwrap_or_default()),
            _ => Ty::Unknown,
        }
    }

    fn element(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        self.iterated_type(ev, of)
    }

    fn operation(&self, _: &mut Eval<'_>, left: Ty, right: Ty) -> Ty {
        numeric::operation(&left, &right)
    }

    fn either(&self, ev: &mut Eval<'_>, file: FileId, parts: &[ExprId], types: Vec<Ty>) -> Ty {
        numeric::conditional(ev.repo, file, parts, types)
    }
}

impl Incremental for Java {
    fn follow(&mut self, _: &Repo, file: FileId, moved: &IndexRemap) -> bool {
        if !moved.is_identity() {
            self.packages.follow(file, moved);
            self.hierarchy.follow(file, moved);
        }
        true
    }

    fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) -> bool {
        self.packages.renew(repo, news);
        self.hierarchy.renew(repo, &self.packages, news);
        true
    }
}
