//! Linking of PHP: whole names, inherited members, traits, what PHP itself has.

mod autoload;
mod hierarchy;
mod members;
mod names;
mod platform;
mod tables;

use base::Language;
use base::facts::*;
use hierarchy::{Hierarchy, external_class, whole_name};
use linker::eval::Eval;
use linker::lang::{
    CallView, Called, Calls, Container, DefinitionChanges, Incremental, Members, Modules, Platform,
};
use linker::repo::{FileId, GlobalDef, Repo};
use linker::surface::IndexRemap;
use linker::ty::*;
use names::PHP;
use tables::{Kind, Tables, namespace_around};

/// Longest path of folders of an included file.
const LONGEST_PATH: usize = 1_000;

/// Names, classes and semantics of PHP.
pub(crate) struct Php {
    tables: Tables,
    hierarchy: Hierarchy,
}

impl Php {
    /// Builds the tables.
    pub(crate) fn new(repo: &Repo) -> Php {
        let tables = Tables::new(repo);
        let hierarchy = Hierarchy::new(repo, &tables);
        Php { tables, hierarchy }
    }

    /// The class, function or constant of a whole name.
    fn named(&self, repo: &Repo, kind: Kind, name: &str, near: FileId) -> Entity {
        if let Some(def) = self.tables.find(repo, kind, name, near) {
            return Entity::def(def);
        }
        let external = match kind {
            Kind::Class => external_class(&self.tables, name),
            _ => match name.rsplit_once('\\') {
                Some((namespace, _)) if self.tables.has_namespace(namespace) => None,
                Some((namespace, name)) => Some(External::new(namespace, name)),
                None if kind == Kind::Function && names::is_function(name) => {
                    Some(External::new(PHP, name))
                }
                None if kind == Kind::Constant && names::is_constant(name) => {
                    Some(External::new(PHP, name))
                }
                None => None,
            },
        };
        external.map_or(Entity::Unknown, Entity::External)
    }

    /// A function or constant by its short name: of the namespace around, or a global one.
    fn short_name(
        &self,
        repo: &Repo,
        kind: Kind,
        (file, name): (FileId, NameId),
        scope: ScopeId,
    ) -> Entity {
        let facts = repo.facts(file);
        let text = facts.name(name);
        let namespace = namespace_around(facts, scope);
        if !namespace.is_empty() {
            let whole = format!("{namespace}\\{text}");
            if let Some(def) = self.tables.find(repo, kind, &whole, file) {
                return Entity::def(def);
            }
        }
        self.named(repo, kind, text, file)
    }

    /// The written name of a type; `None` if it is a type parameter or no name.
    fn written_name(&self, repo: &Repo, (file, ty): (FileId, TypeId)) -> Option<String> {
        match repo.facts(file).ty(ty) {
            TypeExpr::Named { path, scope, .. } if *scope == FILE_SCOPE => {
                Some(whole_name(repo.facts(file), path))
            }
            _ => None,
        }
    }

    /// What a whole name in an expression denotes: a class, a constant or a function.
    fn anything(&self, repo: &Repo, name: &str, near: FileId) -> Entity {
        for kind in [Kind::Class, Kind::Constant, Kind::Function] {
            if let Some(def) = self.tables.find(repo, kind, name, near) {
                return Entity::def(def);
            }
        }
        if names::is_function(name) {
            return self.named(repo, Kind::Function, name, near);
        }
        self.named(repo, Kind::Class, name, near)
    }
}

/// The file that an included path names.
fn included_file(repo: &Repo, from: FileId, path: &str) -> Option<FileId> {
    let here = &repo.file(from).path;
    let folder = here.rsplit_once('/').map_or("", |(folder, _)| folder);
    if path.len() > LONGEST_PATH || path.starts_with('/') {
        return None;
    }
    let mut segments: Vec<&str> = folder.split('/').filter(|s| !s.is_empty()).collect();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop()?;
            }
            name => segments.push(name),
        }
    }
    repo.file_at(&segments.join("/"))
}

impl Modules for Php {
    fn import(&self, ev: &mut Eval<'_>, file: FileId, import: ImportId, _: Namespace) -> Entity {
        let repo = ev.repo;
        let facts = repo.facts(file);
        let import = facts.import(import);
        let module = facts.name(import.module);
        let whole = |name: &str| match module {
            "" => name.to_owned(),
            module => format!("{module}\\{name}"),
        };
        match import.what {
            Imported::Name(name) => self.named(repo, Kind::Class, &whole(facts.name(name)), file),
            Imported::Static(name) => {
                let name = whole(facts.name(name));
                self.named(repo, Kind::Function, &name, file)
                    .or_else(|| self.named(repo, Kind::Constant, &name, file))
            }
            _ => match included_file(repo, file, module) {
                Some(file) => Entity::Module(ModuleId {
                    family: Language::Php,
                    index: file.0,
                }),
                None => Entity::Unknown,
            },
        }
    }

    fn free_name(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: NameId,
        scope: ScopeId,
        namespace: Namespace,
    ) -> Entity {
        let repo = ev.repo;
        if namespace != Namespace::VALUE || repo.facts(file).name(name).starts_with('$') {
            return Entity::Unknown;
        }
        let place = (file, name);
        self.short_name(repo, Kind::Constant, place, scope)
            .or_else(|| self.short_name(repo, Kind::Function, place, scope))
    }

    /// A function sees its own variables alone. An arrow function also sees those around it.
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
        if !facts.name(name).starts_with('$') {
            return None;
        }
        let mut next = Some(scope);
        while let Some(id) = next {
            if !ev.spend(1) {
                break;
            }
            if let Some(binding) = repo.binding_at(file, id, name, at, namespace) {
                let to = binding.to;
                return Some((ev.resolve_binding(file, name, id, to, namespace), None));
            }
            let here = facts.scope(id);
            let sees_around = match here.owner {
                Some(owner) => facts.def(owner).flags.has(DefFlags::SEES_AROUND),
                None => false,
            };
            if here.kind == ScopeKind::Function && !sees_around {
                break;
            }
            next = here.parent;
        }
        Some((Entity::Unknown, None))
    }

    fn module_member(&self, _: &mut Eval<'_>, _: u32, _: &str, _: Namespace) -> Entity {
        Entity::Unknown
    }

    fn module_file(&self, _: &Repo, module: u32) -> Option<FileId> {
        Some(FileId(module))
    }

    fn named_file(&self, repo: &Repo, file: FileId, import: ImportId) -> Option<FileId> {
        let facts = repo.facts(file);
        let import = facts.import(import);
        if import.what != Imported::SideEffect {
            return None;
        }
        included_file(repo, file, facts.name(import.module))
    }
}

impl Members for Php {
    fn named_type(&self, ev: &mut Eval<'_>, written: (FileId, TypeId)) -> Option<Entity> {
        let repo = ev.repo;
        let name = self.written_name(repo, written)?;
        Some(self.anything(repo, &name, written.0))
    }

    fn written_type(&self, ev: &mut Eval<'_>, written: (FileId, TypeId)) -> Option<Ty> {
        let repo = ev.repo;
        let (file, ty) = written;
        let name = self.written_name(repo, written)?;
        let TypeExpr::Named { args, .. } = repo.facts(file).ty(ty) else {
            return None;
        };
        let args = ev.lower_types(file, args);
        if name == "class-string" {
            let of = args.first().cloned().unwrap_or_default();
            return Some(Ty::class_of(&of));
        }
        let class = self.named(repo, Kind::Class, &name, file);
        Some(ev.instance_of_entity(file, &class, args))
    }

    fn member(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Entity> {
        let (Ty::Instance(class, _) | Ty::Class(class, _) | Ty::Super(class)) = object else {
            return None;
        };
        self.field(ev, *class, name).map(Entity::def)
    }

    fn missing_member(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Entity {
        match object {
            Ty::Instance(class, _) => self.mixed_in(ev, *class, name),
            _ => Entity::Unknown,
        }
    }

    fn held_by_members(&self, ev: &mut Eval<'_>, file: FileId) -> Vec<(GlobalDef, GlobalDef)> {
        let mut out = Vec::new();
        for (def, at) in ev.repo.facts(file).defs.iter().zip(0..) {
            let uses = def
                .supers
                .iter()
                .any(|(_, kind)| *kind == SuperKind::Embeds);
            if uses {
                let def = DefId(at);
                self.overridden_through_traits(ev, GlobalDef { file, def }, &mut out);
            }
        }
        out
    }

    /// The result of the method that it overrides.
    fn declared_result(&self, ev: &mut Eval<'_>, function: GlobalDef) -> Ty {
        match self.overridden(ev, function) {
            Some(above) => ev.result_type(above),
            None => Ty::Unknown,
        }
    }

    fn declared_param(&self, ev: &mut Eval<'_>, function: GlobalDef, n: u32) -> Ty {
        match self.overridden(ev, function) {
            Some(above) => ev.type_of_param(above, n),
            None => Ty::Unknown,
        }
    }
}

impl Calls for Php {
    fn visit_callee(&self, ev: &mut Eval<'_>, call: CallView<'_>) -> Option<Called> {
        self.callee(ev, call)
    }

    fn constructor(&self, ev: &mut Eval<'_>, class: GlobalDef, _: CallView<'_>) -> Vec<GlobalDef> {
        match self.method(ev, class, "__construct") {
            Some(constructor) => vec![constructor],
            // A class without a name has no node.
            None if ev.repo.def(class).flags.has(DefFlags::ANONYMOUS) => Vec::new(),
            None => vec![class],
        }
    }

    fn call_instance(&self, ev: &mut Eval<'_>, of: &Ty) -> Entity {
        match ev.resolve_type_param(of) {
            Ty::Instance(class, _) => self
                .method(ev, class, "__invoke")
                .map_or(Entity::Unknown, Entity::def),
            _ => Entity::Unknown,
        }
    }
}

impl Platform for Php {
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
        _: Option<&Ty>,
        call: CallView<'_>,
        arg: u32,
        param: u32,
    ) -> Ty {
        self.callback_argument(ev, callee, call, arg, param)
    }

    fn container(&self, kind: Container, args: Vec<Ty>) -> Ty {
        match kind {
            Container::List | Container::Map => {
                platform::array(args.into_iter().last().unwrap_or_default())
            }
            Container::Channel => Ty::Unknown,
        }
    }

    fn element(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        self.iterated(ev, of)
    }

    fn index(&self, ev: &mut Eval<'_>, object: &Ty, file: FileId, index: ExprId) -> Ty {
        let found = self.indexed(ev, object);
        match ev.repo.facts(file).expr(index) {
            // Under a written key is one value, and it is not known which of several.
            Expr::Literal(_) => platform::single(found),
            _ => found,
        }
    }

    fn part(&self, ev: &mut Eval<'_>, of: &Ty, _: u32) -> Ty {
        platform::single(self.indexed(ev, of))
    }

    fn generated(&self, of: Ty) -> Ty {
        Ty::external(PHP, "Generator", vec![of])
    }

    /// Arrays can be added. Numbers have no members.
    fn operation(&self, _: &mut Eval<'_>, left: Ty, _: Ty) -> Ty {
        if platform::is_array(&left) {
            left
        } else {
            Ty::Unknown
        }
    }
}

impl Incremental for Php {
    fn follow(&mut self, _: &Repo, file: FileId, moved: &IndexRemap) -> bool {
        if !moved.is_identity() {
            self.tables.follow(file, moved);
            self.hierarchy.follow(file, moved);
        }
        true
    }

    fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) -> bool {
        self.tables.renew(repo, news);
        self.hierarchy.renew(repo, &self.tables, news);
        true
    }
}
