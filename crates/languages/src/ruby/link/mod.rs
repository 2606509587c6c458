//! Linking of Ruby: constants, classes that are opened in many places, modules, methods.

mod calls;
mod files;
mod hierarchy;
mod members;
mod names;
mod platform;
mod values;

use base::Language;
use base::SymbolKind;
use base::facts::*;
use files::Files;
use hierarchy::{Above, Hierarchy, Resolved};
use linker::eval::Eval;
use linker::lang::{CallView, Called, Calls, Container, Incremental, Members, Modules, Platform};
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::surface::IndexRemap;
use linker::ty::*;
use members::MethodLookup;
use names::{Class, Names};
use platform::RUBY;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Names, classes and semantics of Ruby.
pub(crate) struct Ruby {
    names: Names,
    hierarchy: Hierarchy,
    /// Methods, attributes and fields, by their class and name.
    members: FxHashMap<(Class, Sym), Vec<GlobalDef>>,
    /// Functions of scripts, by their names.
    functions: FxHashMap<Sym, Vec<GlobalDef>>,
    files: Files,
}

impl Ruby {
    /// Builds the tables.
    pub(crate) fn new(repo: &Repo) -> Ruby {
        let mut names = Names::new(repo);
        // What one module has may be included by its short name after it.
        for _ in 0..2 {
            names.top_included = hierarchy::top_included(repo, &names);
        }
        let hierarchy = Hierarchy::new(repo, &names);
        let mut members: FxHashMap<(Class, Sym), Vec<GlobalDef>> = FxHashMap::default();
        let mut functions: FxHashMap<Sym, Vec<GlobalDef>> = FxHashMap::default();
        for (file, source) in repo.files() {
            if source.facts.language != Language::Ruby {
                continue;
            }
            for (def, at) in source.facts.defs.iter().zip(0u32..) {
                let id = GlobalDef {
                    file,
                    def: DefId(at),
                };
                let name = repo.sym_of_name(file, def.name);
                let class = def.parent.map(|def| GlobalDef { file, def });
                let class = class.and_then(|class| names.class_of(class));
                match (def.kind, class) {
                    (
                        SymbolKind::Method | SymbolKind::Property | SymbolKind::Field,
                        Some(class),
                    ) => members.entry((class, name)).or_default().push(id),
                    (SymbolKind::Function, None)
                        if !def.flags.has(DefFlags::ANONYMOUS) && def.parent.is_none() =>
                    {
                        functions.entry(name).or_default().push(id);
                    }
                    _ => {}
                }
            }
        }
        Ruby {
            names,
            hierarchy,
            members,
            functions,
            files: Files::new(repo),
        }
    }

    /// What a path of constants denotes.
    fn constant(&self, repo: &Repo, file: FileId, path: &[NameId], scope: ScopeId) -> Resolved {
        let mut order = |class: Class| self.inside_order(class);
        self.lookup(repo, file).path(path, scope, &mut order, 0)
    }

    /// A constant in a class.
    fn constant_of(&self, ev: &Eval<'_>, class: GlobalDef, name: &str) -> Entity {
        let repo = ev.repo;
        let (Some(number), Some(sym)) = (self.class_number(class), repo.find_sym(name)) else {
            return Entity::Unknown;
        };
        let home = ev.current_file().unwrap_or(class.file);
        let mut order = |class: Class| self.inside_order(class);
        let found = self.lookup(repo, home).inside(number, sym, &mut order, 0);
        self.entity(found)
    }

    /// A written type with its arguments.
    fn instance(&self, ev: &mut Eval<'_>, found: Resolved, args: Vec<Ty>) -> Ty {
        if let Resolved::Outside(external) = &found
            && &*external.package == RUBY
        {
            return match &*external.symbol {
                "Class" | "Module" => match args.first() {
                    Some(of) if !of.is_unknown() => Ty::class_of(of),
                    _ => Ty::ExternalInstance(external.clone(), no_args()),
                },
                "Object" | "BasicObject" if !args.is_empty() => Ty::Unknown,
                _ => Ty::ExternalInstance(external.clone(), args.into()),
            };
        }
        let entity = self.entity(found);
        if let Entity::Defs(defs) = &entity
            && let [def] = defs[..]
            && names::is_class(ev.repo.def(def))
        {
            return Ty::instance(def);
        }
        match ev.type_of_entity(&entity, None) {
            Ty::Class(def, _) => Ty::instance(def),
            Ty::External(external) => Ty::ExternalInstance(external, args.into()),
            _ => Ty::Unknown,
        }
    }
}

impl Modules for Ruby {
    fn import(&self, ev: &mut Eval<'_>, file: FileId, import: ImportId, _: Namespace) -> Entity {
        let repo = ev.repo;
        let facts = repo.facts(file);
        let import = facts.import(import);
        if let Some(found) = self.files.loaded(repo, file, import) {
            return Entity::Module(ModuleId {
                family: Language::Ruby,
                index: found.0,
            });
        }
        if import.level > 0 {
            return Entity::Unknown;
        }
        let path = facts.name(import.module);
        let package = path.split('/').next().unwrap_or(path);
        Entity::external(package, "")
    }

    /// Constants are looked up in the classes around, then in what the innermost of them inherits, then at the top.
    fn lexical(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: NameId,
        scope: ScopeId,
        _: u32,
        _: Namespace,
    ) -> Option<(Entity, Option<Ty>)> {
        let repo = ev.repo;
        let is_constant = repo
            .facts(file)
            .name(name)
            .starts_with(|c: char| c.is_uppercase());
        if !is_constant {
            return None;
        }
        let found = self.constant(repo, file, &[name], scope);
        Some((self.entity(found), None))
    }

    fn module_member(&self, _: &mut Eval<'_>, _: u32, _: &str, _: Namespace) -> Entity {
        Entity::Unknown
    }

    fn module_file(&self, _: &Repo, module: u32) -> Option<FileId> {
        Some(FileId(module))
    }

    fn named_file(&self, repo: &Repo, file: FileId, import: ImportId) -> Option<FileId> {
        self.files
            .loaded(repo, file, repo.facts(file).import(import))
    }
}

impl Members for Ruby {
    fn whole(&self, part: GlobalDef) -> GlobalDef {
        let class = self.class_number(part);
        let whole = class.and_then(|class| self.names.canonical(class));
        whole.unwrap_or(part)
    }

    fn named_type(&self, ev: &mut Eval<'_>, written: (FileId, TypeId)) -> Option<Entity> {
        let repo = ev.repo;
        match repo.facts(written.0).ty(written.1) {
            TypeExpr::Named { path, scope, .. } => {
                let found = self.constant(repo, written.0, path, *scope);
                Some(self.entity(found))
            }
            _ => None,
        }
    }

    fn written_type(&self, ev: &mut Eval<'_>, written: (FileId, TypeId)) -> Option<Ty> {
        let repo = ev.repo;
        let (file, ty) = written;
        match repo.facts(file).ty(ty) {
            TypeExpr::Named {
                path, args, scope, ..
            } => {
                let args = ev.lower_types(file, args);
                let found = self.constant(repo, file, path, *scope);
                Some(self.instance(ev, found, args))
            }
            TypeExpr::Projection(of, _) => {
                let of = ev.lower_type(file, *of);
                Some(Ty::class_of(&of))
            }
            _ => None,
        }
    }

    fn supers(&self, _: &mut Eval<'_>, ty: GlobalDef) -> Vec<Ty> {
        let Some(class) = self.class_number(ty) else {
            return Vec::new();
        };
        let superclass = self.hierarchy.superclass(class);
        let all = self
            .hierarchy
            .included(class)
            .iter()
            .rev()
            .chain(superclass);
        all.filter_map(|above| self.above_type(above)).collect()
    }

    fn linearization(&self, ev: &mut Eval<'_>, ty: &Ty) -> Vec<Ty> {
        let (Ty::Instance(def, _) | Ty::Class(def, _)) = ty else {
            return vec![ty.clone()];
        };
        let Some(class) = self.class_number(*def) else {
            return vec![ty.clone()];
        };
        let order = self.hierarchy.order(class);
        ev.spend(order.len());
        let above = order.iter().filter(|above| **above != Above::Inside(class));
        let above = above.filter_map(|above| self.above_type(above));
        std::iter::once(ty.clone()).chain(above).collect()
    }

    fn member(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Entity> {
        let (Ty::Instance(class, _) | Ty::Class(class, _)) = object else {
            return None;
        };
        if name.starts_with('$') {
            return Some(Entity::Unknown);
        }
        if name.starts_with('@') {
            let number = self.class_number(*class)?;
            return Some(Entity::defs(self.fields(ev, number, name)));
        }
        let is_constant = name.starts_with(|c: char| c.is_uppercase());
        if matches!(object, Ty::Class(..)) && is_constant {
            return Some(self.constant_of(ev, *class, name));
        }
        let number = self.class_number(*class)?;
        let found = match object {
            Ty::Class(..) => self.class_method(ev, number, name, None),
            _ => self.instance_method(ev, number, name, None),
        };
        Some(match found {
            MethodLookup::Found(def) => Entity::def(def),
            MethodLookup::Ambiguous(all) => Entity::defs(all),
            MethodLookup::Outside(external) => Entity::External(external),
            MethodLookup::Missing => Entity::Unknown,
        })
    }

    /// A class stands for all its parts. Reading an attribute is a call, whose result is its value.
    fn decorated(&self, ev: &mut Eval<'_>, def: GlobalDef) -> Option<Ty> {
        let it = ev.repo.def(def);
        match it.kind {
            SymbolKind::Class | SymbolKind::Module => Some(Ty::Class(self.whole(def), no_args())),
            SymbolKind::Property => {
                let written = it.ty.map(|ty| ev.lower_type(def.file, ty));
                let written = written.unwrap_or_default();
                let value = written.or_else(|| {
                    let value = it.value.map(|value| ev.type_of_expr(def.file, value));
                    value.unwrap_or_default()
                });
                Some(Ty::Callable(no_args(), Arc::new(value)))
            }
            _ => None,
        }
    }

    /// A method overrides only one of its side: methods of a class are no methods of its objects.
    fn may_override(&self, repo: &Repo, method: GlobalDef, above: GlobalDef) -> bool {
        let is_static = |id: GlobalDef| repo.def(id).flags.has(DefFlags::STATIC);
        is_static(method) == is_static(above)
    }
}

impl Ruby {
    fn above_type(&self, above: &Above) -> Option<Ty> {
        match above {
            Above::Inside(class) => self.names.canonical(*class).map(Ty::instance),
            Above::Outside(external) => Some(Ty::ExternalInstance(external.clone(), no_args())),
            Above::Unknown => None,
        }
    }
}

impl Calls for Ruby {
    fn visit_callee(&self, ev: &mut Eval<'_>, call: CallView<'_>) -> Option<Called> {
        self.callee(ev, call)
    }

    fn constructor(&self, ev: &mut Eval<'_>, class: GlobalDef, _: CallView<'_>) -> Vec<GlobalDef> {
        self.constructor_of(ev, class)
    }

    fn context(&self, ev: &mut Eval<'_>, function: GlobalDef) -> Ty {
        self.block_shape(ev, function)
    }

    /// There is one method of a name: arguments choose nothing.
    fn choose(&self, _: &mut Eval<'_>, overloads: &[GlobalDef], _: CallView<'_>) -> Vec<GlobalDef> {
        overloads.iter().take(1).copied().collect()
    }
}

impl Platform for Ruby {
    fn external_call(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'_>,
    ) -> Ty {
        self.platform_result(ev, callee, receiver, call)
    }

    /// What a method of Ruby gives to the block that is passed on to it.
    fn external_param(
        &self,
        ev: &mut Eval<'_>,
        _: &External,
        _: Option<&Ty>,
        call: CallView<'_>,
        arg: u32,
    ) -> Ty {
        let given = self.given_to_block(ev, call);
        given.get(arg as usize).cloned().unwrap_or_default()
    }

    fn primitive(&self, primitive: Primitive) -> Ty {
        let name = match primitive {
            Primitive::String | Primitive::Bytes => "String",
            Primitive::Char => "Symbol",
            Primitive::Int => "Integer",
            Primitive::Float => "Float",
            Primitive::Bool => "TrueClass",
            Primitive::Regex => "Regexp",
            Primitive::Null => return Ty::Null,
        };
        Ty::external(RUBY, name, Vec::new())
    }

    fn container(&self, kind: Container, args: Vec<Ty>) -> Ty {
        match kind {
            Container::List => platform::array(args.into_iter().next().unwrap_or_default()),
            Container::Map => platform::hash(args),
            Container::Channel => Ty::Unknown,
        }
    }

    fn element(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        self.element_of(ev, of)
    }

    fn part(&self, _: &mut Eval<'_>, of: &Ty, _: u32) -> Ty {
        platform::element(of)
    }
}

impl Incremental for Ruby {
    fn follow(&mut self, _: &Repo, file: FileId, moved: &IndexRemap) -> bool {
        if !moved.is_identity() {
            self.names.follow(file, moved);
            moved.remap_all(file, self.members.values_mut().flatten());
            moved.remap_all(file, self.functions.values_mut().flatten());
        }
        true
    }

    /// A class may be opened anywhere, so a definition may change what any call means.
    fn can_be_made_again(&self) -> bool {
        false
    }
}
