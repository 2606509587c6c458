//! Linking of Java: packages, inherited members, overloads, the platform's generic classes.

mod builtins;
mod calls;
mod hierarchy;
mod overloads;
mod packages;
mod platform;
mod tables;

use base::Language;
use base::facts::*;
use hierarchy::{Hierarchy, HierarchyMemberTypes, TypeName};
use linker::eval::{Eval, MANY};
use linker::lang::{
    CallView, Called, Calls, Container, DefinitionChanges, Incremental, Members, Modules, Platform,
};
use linker::repo::{FileId, GDef, Repo};
use linker::surface::Moved;
use linker::ty::*;
use packages::{NameResolution, Packages};
use rustc_hash::FxHashSet;

/// First segments of packages outside the repository that are used with their full name.
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

    /// Members of that name that are no methods, in a class or above it, nearest first.
    fn variables(&self, ev: &mut Eval<'_>, class: GDef, name: &str) -> Option<Vec<GDef>> {
        let repo = ev.repo;
        let sym = repo.sym(name)?;
        self.hierarchy.with_above(class).find_map(|holder| {
            let named = repo.children_named(holder, sym);
            if !ev.spend_on_namesakes(named.len()) {
                return None;
            }
            let found: Vec<GDef> = named.filter(|d| !repo.def(*d).kind.is_callable()).collect();
            (!found.is_empty()).then_some(found)
        })
    }

    /// A name that no scope and no class around has.
    fn free(&self, ev: &mut Eval<'_>, file: FileId, name: NameId, namespace: Namespace) -> Entity {
        let repo = ev.repo;
        if !ev.spend(1) || !ev.spend(on_demand(repo, file)) {
            return Entity::Unknown;
        }
        let text = repo.facts(file).name(name);
        if namespace == Namespace::VALUE
            && let Some(found) = self.imported_on_demand(ev, file, text)
        {
            return found;
        }
        let mut members = self.known(repo);
        let found = hierarchy::simple_type(
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
            TypeName::Unknown => match self.packages.named(text) {
                Some(index) => Entity::Module(ModuleId {
                    family: Language::Java,
                    index,
                }),
                None if ROOTS.contains(&text) => Entity::external(text, ""),
                None => Entity::Unknown,
            },
        }
    }

    /// A static variable of a class that is imported with `.*`.
    fn imported_on_demand(&self, ev: &mut Eval<'_>, file: FileId, name: &str) -> Option<Entity> {
        let repo = ev.repo;
        let facts = repo.facts(file);
        facts
            .imports
            .iter()
            .filter(|i| i.what == Imported::StaticGlob)
            .find_map(
                |i| match self.packages.qualified(repo, facts.name(i.module), file) {
                    NameResolution::Type(class) => {
                        self.variables(ev, class, name).map(Entity::defs)
                    }
                    _ => None,
                },
            )
    }

    fn static_import(&self, ev: &mut Eval<'_>, file: FileId, module: &str, name: &str) -> Entity {
        let repo = ev.repo;
        match self.packages.qualified(repo, module, file) {
            NameResolution::Type(class) => {
                if let Some(found) = self.variables(ev, class, name) {
                    return Entity::defs(found);
                }
                let Some(sym) = repo.sym(name) else {
                    return Entity::Unknown;
                };
                let mut above = self.hierarchy.with_above(class);
                let methods = above.find_map(|c| {
                    let named = repo.children_named(c, sym);
                    if !ev.spend_on_namesakes(named.len()) {
                        return None;
                    }
                    let found: Vec<GDef> = named.collect();
                    (!found.is_empty()).then_some(found)
                });
                Entity::defs(methods.unwrap_or_default())
            }
            NameResolution::External(class) => Entity::External(class.member(name)),
            NameResolution::Package(_) | NameResolution::Missing => Entity::Unknown,
        }
    }
}

/// How many imports on demand a file has: each is asked for a name that nothing else has.
fn on_demand(repo: &Repo, file: FileId) -> usize {
    let on_demand = |i: &&Import| matches!(i.what, Imported::Glob | Imported::StaticGlob);
    repo.facts(file).imports.iter().filter(on_demand).count()
}

/// The names that a file imports by themselves.
fn imported_alone(facts: &FileFacts) -> FxHashSet<NameId> {
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
            Imported::Static(name) => self.static_import(ev, file, module, facts.name(name)),
            Imported::Glob | Imported::StaticGlob => {
                match self.packages.qualified(repo, module, file) {
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
                match hierarchy::import_type(repo, &self.packages, file, import, &mut members) {
                    TypeName::Type(def) => Entity::def(def),
                    TypeName::External(external) => Entity::External(external),
                    _ => Entity::Unknown,
                }
            }
        }
    }

    fn used_on_demand(&self, ev: &mut Eval<'_>, file: FileId, import: ImportId) -> Vec<GDef> {
        let repo = ev.repo;
        let facts = repo.facts(file);
        let it = facts.import(import);
        let package = match it.what {
            Imported::Glob => self.packages.named(facts.name(it.module)),
            _ => None,
        };
        let Some(package) = package.filter(|p| self.packages.of_file(file) != Some(*p)) else {
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
            let sym = repo.global(file, name);
            let Some(found) = self.packages.type_in(repo, package, sym, file) else {
                continue;
            };
            let by_itself = by_itself.get_or_insert_with(|| imported_alone(facts));
            if used.contains(&found) || by_itself.contains(&name) {
                continue;
            }
            ev.refuel(file);
            if ev.name(file, name, scope, at, namespace) == Entity::def(found) {
                used.insert(found);
            }
        }
        let mut used: Vec<GDef> = used.into_iter().collect();
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
                let found = ev.bound(file, name, id, to, namespace);
                if !found.is_unknown() || !matches!(to, Bound::Import(_)) {
                    return Some((found, None));
                }
            }
            let here = facts.scope(id);
            next = here.parent;
            let (ScopeKind::Class, Some(owner)) = (here.kind, here.owner) else {
                continue;
            };
            let class = GDef { file, def: owner };
            if namespace == Namespace::TYPE {
                let sym = repo.global(file, name);
                if let Some(found) = self.hierarchy.member_type(repo, class, sym) {
                    return Some((Entity::def(found), None));
                }
            } else if let Some(found) = self.variables(ev, class, text) {
                return Some((Entity::defs(found), Some(ev.own_instance(class))));
            }
        }
        Some((self.free(ev, file, name, namespace), None))
    }

    fn module_member(&self, ev: &mut Eval<'_>, module: u32, name: &str, _: Namespace) -> Entity {
        let Some(package) = self.packages.get(module) else {
            return Entity::Unknown;
        };
        let found = ev
            .repo
            .sym(name)
            .and_then(|sym| self.packages.type_in(ev.repo, module, sym, FileId(0)));
        if let Some(found) = found {
            return Entity::def(found);
        }
        let whole = format!("{}.{name}", package.name);
        match self.packages.named(&whole) {
            Some(index) => Entity::Module(ModuleId {
                family: Language::Java,
                index,
            }),
            None => Entity::External(packages::external(&whole)),
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
    fn member(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Entity> {
        let (Ty::Instance(class, _) | Ty::Class(class, _) | Ty::Super(class)) = object else {
            return None;
        };
        self.variables(ev, *class, name).map(Entity::defs)
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
        let component = self.components(ev, record).get(index as usize).copied();
        component.map(|c| ev.value(c)).unwrap_or_default()
    }
}

impl Calls for Java {
    fn callee(&self, ev: &mut Eval<'_>, call: CallView<'_>) -> Option<Called> {
        self.callee_of(ev, call.file, call)
    }

    fn constructor(&self, ev: &mut Eval<'_>, class: GDef, call: CallView<'_>) -> Vec<GDef> {
        self.constructors(ev, class, call)
    }

    fn choose(&self, ev: &mut Eval<'_>, overloads: &[GDef], call: CallView<'_>) -> Vec<GDef> {
        // Calls come with their overload chosen; what is left are method references.
        ev.by_argument_count(overloads, call)
    }

    fn callable_shape(&self, ev: &mut Eval<'_>, of: &Ty) -> Option<(Vec<Ty>, Ty)> {
        self.shape_of(ev, of)
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
        Some(Ty::ExternalInstance(packages::normal(name), args.into()))
    }

    fn primitive(&self, primitive: Primitive) -> Ty {
        match primitive {
            Primitive::String => builtins::lang("String"),
            Primitive::Int => builtins::primitive("int"),
            Primitive::Float => builtins::primitive("double"),
            Primitive::Bool => builtins::primitive("boolean"),
            Primitive::Char => builtins::primitive("char"),
            _ => Ty::Unknown,
        }
    }

    fn container(&self, kind: Container, mut args: Vec<Ty>) -> Ty {
        match kind {
            Container::List => builtins::array(args.pop().unwrap_or_default()),
            _ => Ty::Unknown,
        }
    }

    fn element(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        self.element_of(ev, of)
    }

    fn operation(&self, _: &mut Eval<'_>, left: Ty, right: Ty) -> Ty {
        let string = builtins::lang("String");
        if left == string || right == string {
            return string;
        }
        let unboxed = |ty: &Ty| -> Option<String> {
            if let Some(name) = builtins::as_primitive(ty) {
                return Some(name.to_owned());
            }
            match ty {
                Ty::ExternalInstance(e, _) if &*e.package == "java.lang" => {
                    builtins::boxed(&e.symbol).map(str::to_owned)
                }
                _ => None,
            }
        };
        let (Some(a), Some(b)) = (unboxed(&left), unboxed(&right)) else {
            return Ty::Unknown;
        };
        let kinds = ["double", "float", "long"];
        if a == "boolean" {
            return builtins::primitive("boolean");
        }
        let wide = kinds.into_iter().find(|k| *k == a || *k == b);
        builtins::primitive(wide.unwrap_or("int"))
    }
}

impl Incremental for Java {
    fn follow(&mut self, _: &Repo, file: FileId, moved: &Moved) -> bool {
        if !moved.is_nothing() {
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
