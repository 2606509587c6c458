//! Linking of TypeScript and JavaScript: modules, declaration merging, generics, the built-in library.

mod builtins;
mod config;
mod exports;
mod globals;
mod manifest;
mod overloads;
mod patterns;
mod resolve;
mod workspace;

use base::SymbolKind;
use base::facts::*;
use config::TsConfig;
use exports::Exports;
use globals::{Globals, is_global};
use linker::eval::Eval;
use linker::lang::{
    CallView, Calls, Container, DefinitionChanges, Incremental, Members, Modules, Platform,
};
use linker::repo::{FileId, GlobalDef, Repo, SourceFile, Sym};
use linker::surface::IndexRemap;
use linker::ty::*;
use manifest::Manifests;
use resolve::{Resolver, Target};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Modules and semantics of TypeScript.
pub(crate) struct TypeScript {
    /// The targets of each file's imports.
    targets: Vec<Vec<Target>>,
    exports: Exports,
    /// `declare module "name"` in files that are not modules themselves.
    ambient: FxHashMap<Arc<str>, GlobalDef>,
    /// The declarations of `declare global`.
    globals: Globals,
    /// Parts of manifests that limits leave out.
    limits: Vec<String>,
}

impl TypeScript {
    /// Builds the tables.
    pub(crate) fn new(repo: &Repo) -> TypeScript {
        let manifests = Manifests::read(&repo.manifests);
        let resolver = Resolver::new(repo, &manifests);
        let mut known = KnownTargets::default();
        let targets = repo
            .files()
            .map(|(_, file)| targets(&resolver, file, &mut known));
        let targets = targets.collect();
        TypeScript {
            targets,
            exports: Exports::new(repo),
            ambient: ambient_modules(repo),
            globals: Globals::new(repo),
            limits: manifests.limit_warnings(),
        }
    }

    /// A member of a module that is only declared; `None` if the declaration has no such name.
    fn ambient_module_member(
        &self,
        ev: &mut Eval<'_>,
        specifier: &str,
        what: Imported,
        file: FileId,
    ) -> Option<Entity> {
        let module = *self.ambient.get(specifier)?;
        let repo = ev.repo;
        let is_default = |d: &GlobalDef| repo.def(*d).flags.has(DefFlags::DEFAULT_EXPORT);
        let found: Vec<GlobalDef> = match what {
            Imported::Name(name) => {
                let name = repo.sym_of_name(file, name);
                repo.children_named(module, name).collect()
            }
            Imported::Default => repo.children(module).filter(is_default).collect(),
            Imported::Module | Imported::Dynamic => {
                return Some(Entity::Value(Ty::Class(module, no_args())));
            }
            _ => Vec::new(),
        };
        (!found.is_empty()).then(|| Entity::defs(found))
    }

    fn import_target(&self, file: FileId, import: ImportId) -> &Target {
        let of_file = self.targets.get(file.0 as usize);
        of_file
            .and_then(|t| t.get(import.index()))
            .unwrap_or(&Target::None)
    }

    /// The written type of a function literal, if it gives the result type.
    fn written_function_type(&self, ev: &mut Eval<'_>, function: GlobalDef) -> Option<Ty> {
        let written = ev.repo.def(function).ty?;
        let written = ev.lower_type(function.file, written);
        let says_result = match &written {
            Ty::Callable(_, ret) => !ret.is_unknown(),
            Ty::Instance(..) => self.find_special_member(ev, &written, "__call").is_some(),
            _ => false,
        };
        says_result.then_some(written)
    }

    /// Other declarations that merge with a type or namespace: those with the same name in the same place.
    fn merged_declarations(&self, ev: &mut Eval<'_>, ty: GlobalDef) -> Vec<GlobalDef> {
        let repo = ev.repo;
        let def = repo.def(ty);
        if def.flags.has(DefFlags::ANONYMOUS) {
            return Vec::new();
        }
        let name = repo.sym_of_name(ty.file, def.name);
        let merges = |d: &GlobalDef| {
            let other = repo.def(*d);
            *d != ty
                && (other.scope == def.scope || is_global(def))
                && (other.kind.is_type() || other.kind == SymbolKind::Namespace)
                && is_global(other) == is_global(def)
        };
        if is_global(def) {
            let named = self.globals.named(name);
            return if ev.spend_on_namesakes(named.len()) {
                named.iter().copied().filter(merges).collect()
            } else {
                Vec::new()
            };
        }
        match def.parent {
            Some(parent) => {
                let parent = GlobalDef {
                    file: ty.file,
                    def: parent,
                };
                let named = repo.children_named(parent, name);
                if ev.spend_on_namesakes(named.len()) {
                    named.filter(merges).collect()
                } else {
                    Vec::new()
                }
            }
            None => {
                let named = repo.top_level_named(ty.file, name);
                if ev.spend_on_namesakes(named.len()) {
                    named.filter(merges).collect()
                } else {
                    Vec::new()
                }
            }
        }
    }

    /// `x[key]`, where `key` is a constant that names a member: `[key]() { … }`.
    fn member_named_by(
        &self,
        ev: &mut Eval<'_>,
        of: &Ty,
        (file, key): (FileId, ExprId),
    ) -> Option<Ty> {
        let facts = ev.repo.facts(file);
        let Expr::Name { name, .. } = facts.expr(key) else {
            return None;
        };
        let name = format!("[{}]", facts.name(*name));
        ev.repo.find_sym(&name)?;
        let (defs, owner) = self.find_special_member(ev, of, &name)?;
        Some(ev.type_of_entity(&Entity::defs(defs), Some(&owner)))
    }

    /// Signatures (`__call`, `__new`) or the index member of a type and its supertypes.
    fn find_special_member(
        &self,
        ev: &mut Eval<'_>,
        of: &Ty,
        name: &str,
    ) -> Option<(Vec<GlobalDef>, Ty)> {
        if !matches!(of, Ty::Instance(..) | Ty::Param(..)) {
            return None;
        }
        match ev.resolve_member(of, name) {
            (Entity::Defs(defs), owner) => {
                let owner = owner.unwrap_or_else(|| of.clone());
                Some((defs.to_vec(), owner))
            }
            _ => None,
        }
    }
}

/// Targets of specifiers, by the folder and the configuration of the importing file. Files of a folder import the same
/// modules.
type KnownTargets<'r> = FxHashMap<(&'r str, *const TsConfig, &'r str), Target>;

/// The targets of a file's imports.
fn targets<'r>(
    resolver: &Resolver<'r>,
    file: &'r SourceFile,
    known: &mut KnownTargets<'r>,
) -> Vec<Target> {
    let facts = &file.facts;
    if facts.language.family() != base::Language::TypeScript {
        return Vec::new();
    }
    let from = resolver.file_resolver(&file.path);
    let (dir, config) = from.place();
    let one = |i: &'r Import| {
        let specifier = facts.name(i.module);
        let target = known.entry((dir, config, specifier));
        target.or_insert_with(|| from.resolve(specifier)).clone()
    };
    facts.imports.iter().map(one).collect()
}

fn ambient_modules(repo: &Repo) -> FxHashMap<Arc<str>, GlobalDef> {
    let mut found = FxHashMap::default();
    for (file, source) in repo.files() {
        let facts = &source.facts;
        if facts.language.family() != base::Language::TypeScript || !facts.exports.is_empty() {
            continue;
        }
        for (i, def) in facts.defs.iter().enumerate() {
            if def.kind == SymbolKind::Module && def.parent.is_none() {
                let def_id = DefId(i as u32);
                let name: Arc<str> = facts.name(def.name).into();
                found.entry(name).or_insert(GlobalDef { file, def: def_id });
            }
        }
    }
    found
}

fn module(file: FileId) -> ModuleId {
    ModuleId {
        family: base::Language::TypeScript,
        index: file.0,
    }
}

impl Modules for TypeScript {
    fn limit_warnings(&self) -> &[String] {
        &self.limits
    }

    fn import(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        import: ImportId,
        namespace: Namespace,
    ) -> Entity {
        let facts = ev.repo.facts(file);
        let what = facts.import(import).what;
        let specifier = facts.name(facts.import(import).module);
        // The types of a package may be a file that only declares the package's module.
        let may_be_declared = match self.import_target(file, import) {
            Target::External(_) | Target::None => true,
            Target::File(target) => {
                let declared = self.ambient.get(specifier);
                declared.is_some_and(|module| module.file == *target)
            }
        };
        if may_be_declared
            && let Some(declared) = self.ambient_module_member(ev, specifier, what, file)
        {
            return declared;
        }
        match self.import_target(file, import) {
            Target::None => Entity::Unknown,
            Target::External(package) => match what {
                Imported::Name(name) => Entity::external(package, facts.name(name)),
                Imported::Default => Entity::external(package, "default"),
                _ => Entity::external(package, ""),
            },
            Target::File(target) => match what {
                Imported::Name(name) => {
                    let name = facts.name(name);
                    self.exports
                        .resolve_export(self, ev, *target, name, namespace)
                }
                Imported::Default => self.exports.default_export(self, ev, *target, namespace),
                Imported::Module | Imported::Dynamic => {
                    self.exports.module_value(ev, *target, namespace)
                }
                _ => Entity::Module(module(*target)),
            },
        }
    }

    fn free_name(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: NameId,
        _scope: ScopeId,
        namespace: Namespace,
    ) -> Entity {
        let text = ev.repo.facts(file).name(name);
        if text == "exports" {
            return Entity::Module(module(file));
        }
        match builtins::global_package(text) {
            Some(package) => Entity::external(package, text),
            None => self.globals.resolve(ev, text, namespace),
        }
    }

    fn module_member(
        &self,
        ev: &mut Eval<'_>,
        module: u32,
        name: &str,
        namespace: Namespace,
    ) -> Entity {
        let file = FileId(module);
        self.exports.resolve_export(self, ev, file, name, namespace)
    }

    fn module_file(&self, _: &Repo, module: u32) -> Option<FileId> {
        Some(FileId(module))
    }

    fn named_file(&self, _: &Repo, file: FileId, import: ImportId) -> Option<FileId> {
        match self.import_target(file, import) {
            Target::File(file) => Some(*file),
            _ => None,
        }
    }

    /// Class scopes only bind type parameters.
    fn through_classes(&self) -> bool {
        true
    }
}

impl Members for TypeScript {
    /// `module.exports` inside an expression is the module itself.
    fn outside_member(
        &self,
        _ev: &mut Eval<'_>,
        file: FileId,
        object: &Ty,
        name: &str,
    ) -> Option<Entity> {
        let Ty::External(of) = object else {
            return None;
        };
        let itself = name == "exports" && &*of.symbol == "module" && &*of.package == "node:globals";
        itself.then(|| Entity::Module(module(file)))
    }

    /// JavaScript functions have members that are assigned to them.
    fn member(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Entity> {
        let Ty::Function(defs, _) = object else {
            return None;
        };
        let function = *defs.first()?;
        let name = ev.repo.find_sym(name)?;
        let is_static = |d: &GlobalDef| ev.repo.def(*d).flags.has(DefFlags::STATIC);
        let found = ev.repo.children_named(function, name).filter(is_static);
        let found: Vec<GlobalDef> = found.collect();
        (!found.is_empty()).then(|| Entity::defs(found))
    }

    fn extra_members(&self, ev: &mut Eval<'_>, ty: GlobalDef, name: Sym) -> Vec<GlobalDef> {
        let merged = self.merged_declarations(ev, ty);
        merged
            .into_iter()
            .flat_map(|other| ev.repo.children_named(other, name))
            .collect()
    }

    fn supers(&self, ev: &mut Eval<'_>, ty: GlobalDef) -> Vec<Ty> {
        let mut supers = ev.lower_supertypes(ty);
        for other in self.merged_declarations(ev, ty) {
            for of in ev.lower_supertypes(other) {
                let own = |def, n| (def == other).then_some(Ty::Param(ty, n));
                supers.push(ev.replaced(&of, 1, &own));
            }
        }
        supers
    }

    /// Declarations of one global type share their type parameters.
    fn own_param(&self, def: GlobalDef, n: u32) -> (GlobalDef, u32) {
        (self.globals.first_of(def), n)
    }

    /// Namespaces have members like static members of classes. A function that is the value of a variable with a
    /// written type has that type.
    fn decorated(&self, ev: &mut Eval<'_>, def: GlobalDef) -> Option<Ty> {
        match ev.repo.def(def).kind {
            SymbolKind::Namespace => Some(Ty::Class(def, no_args())),
            SymbolKind::Function => self.written_function_type(ev, def),
            _ => None,
        }
    }

    /// `if (isFoo(x))`: the type of `x` by the predicate; unchanged if the function is no predicate.
    fn payload(&self, ev: &mut Eval<'_>, value: &Ty, variant: &Entity, _index: u32) -> Ty {
        let Entity::Defs(defs) = variant else {
            return value.clone();
        };
        let Some(is) = defs.iter().find_map(|d| type_predicate(ev, *d)) else {
            return value.clone();
        };
        match (&is, value) {
            (Ty::Unknown | Ty::Param(..), _) => value.clone(),
            (Ty::Instance(class, _), Ty::Instance(..)) if ev.is_subtype_of(value, *class) => {
                value.clone()
            }
            _ => is,
        }
    }
}

impl Calls for TypeScript {
    fn callable_shape(&self, ev: &mut Eval<'_>, of: &Ty) -> Option<(Vec<Ty>, Ty)> {
        let (defs, owner) = self.find_special_member(ev, of, "__call")?;
        // The last overload is first.
        let signature = *defs.last()?;
        let count = ev.repo.def(signature).callable.as_ref()?.params.len() as u32;
        let params = (0..count)
            .map(|n| {
                let param = ev.type_of_param(signature, n);
                ev.substitute(&param, Some(&owner))
            })
            .collect();
        let ret = ev.result_type(signature);
        Some((params, ev.substitute(&ret, Some(&owner))))
    }

    fn call_instance(&self, ev: &mut Eval<'_>, of: &Ty) -> Entity {
        match self.find_special_member(ev, of, "__call") {
            Some((defs, _)) => Entity::defs(defs),
            None => Entity::Unknown,
        }
    }

    fn construct_signature(&self, ev: &mut Eval<'_>, of: &Ty) -> Entity {
        match self.find_special_member(ev, of, "__new") {
            Some((defs, _)) => Entity::defs(defs),
            None => Entity::Unknown,
        }
    }

    fn constructed(&self, ev: &mut Eval<'_>, value: &Ty, call: CallView<'_>, args: &[Ty]) -> Ty {
        if let Ty::External(external) = value
            && args.is_empty()
        {
            return builtins::type_of_new_builtin(ev, external, call);
        }
        // JavaScript before classes: a function creates objects with the members of its prototype.
        if let Ty::Function(defs, _) = value
            && ev.repo.language(defs[0].file) == base::Language::JavaScript
        {
            return Ty::instance(defs[0]);
        }
        let Some((defs, owner)) = self.find_special_member(ev, value, "__new") else {
            return Ty::Unknown;
        };
        let chosen = self.choose(ev, &defs, call);
        match chosen.first() {
            Some(signature) => ev.function_result(*signature, Some(&owner), call, args),
            None => Ty::Unknown,
        }
    }

    fn choose(
        &self,
        ev: &mut Eval<'_>,
        overloads: &[GlobalDef],
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        overloads::choose(ev, overloads, call)
    }

    fn expecting(
        &self,
        ev: &mut Eval<'_>,
        overloads: &[GlobalDef],
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        overloads::signatures(ev, overloads, call)
    }

    fn constructor(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        let own = Ty::Class(class, no_args());
        let (found, _) = ev.resolve_member(&own, "constructor");
        // An inherited constructor is not a target: the class is named and created.
        let own = |d: &GlobalDef| {
            let def = ev.repo.def(*d);
            def.kind == SymbolKind::Constructor
                && (d.file, def.parent) == (class.file, Some(class.def))
        };
        match found {
            Entity::Defs(defs) if own(&defs[0]) => ev.resolve_overload(&defs, call),
            _ => vec![class],
        }
    }

    fn expected(&self, ev: &mut Eval<'_>, file: FileId, expr: ExprId) -> Ty {
        let facts = ev.repo.facts(file);
        let (Expr::Call { args, .. } | Expr::New { args, .. }) = facts.expr(expr) else {
            return Ty::Unknown;
        };
        // The call is the value of the owner of its function literals.
        let literal = args.iter().find_map(|a| match facts.expr(*a) {
            Expr::Function(def) => facts.def(*def).parent,
            _ => None,
        });
        let owner = literal.map(|d| facts.def(d));
        match owner {
            Some(owner) if owner.value == Some(expr) => match owner.ty {
                Some(ty) => ev.lower_type(file, ty),
                None => Ty::Unknown,
            },
            _ => Ty::Unknown,
        }
    }

    fn context(&self, ev: &mut Eval<'_>, function: GlobalDef) -> Ty {
        match ev.repo.def(function).ty {
            Some(ty) => ev.lower_type(function.file, ty),
            None => Ty::Unknown,
        }
    }
}

impl Platform for TypeScript {
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

    fn external_type(&self, ev: &mut Eval<'_>, name: &External, args: &[Ty]) -> Option<Ty> {
        builtins::expand_utility_type(ev, name, args)
    }

    fn primitive(&self, primitive: Primitive) -> Ty {
        builtins::primitive_instance(primitive)
    }

    fn container(&self, kind: Container, args: Vec<Ty>) -> Ty {
        match kind {
            Container::List => builtins::builtin_instance("Array", args),
            Container::Map => builtins::builtin_instance("Record", args),
            Container::Channel => Ty::Unknown,
        }
    }

    fn element(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        if let Some(known) = builtins::element_type(of) {
            return known;
        }
        let of = ev.resolve_type_param(of);
        if !matches!(of, Ty::Instance(..)) {
            return builtins::element_type(&of).unwrap_or_default();
        }
        if let (Entity::Defs(defs), owner) = ev.resolve_member(&of, "[Symbol.iterator]") {
            let result = ev.result_type(defs[0]);
            let result = ev.substitute(&result, owner.as_ref());
            return builtins::element_type(&result).unwrap_or_default();
        }
        // A class that extends an array, a map or an iterable.
        let above = ev.member_search_order(&of);
        above
            .iter()
            .find_map(builtins::element_type)
            .unwrap_or_default()
    }

    fn index(&self, ev: &mut Eval<'_>, object: &Ty, file: FileId, index: ExprId) -> Ty {
        if let Some(member) = self.member_named_by(ev, object, (file, index)) {
            return member;
        }
        if let Some((defs, owner)) = self.find_special_member(ev, object, "__index") {
            let field = defs.first().and_then(|d| {
                let ty = ev.repo.def(*d).ty?;
                Some(ev.lower_type(d.file, ty))
            });
            let field = ev.substitute(&field.unwrap_or_default(), Some(&owner));
            return field.arg(1);
        }
        match object {
            Ty::Tuple(parts) => {
                let facts = ev.repo.facts(file);
                let number = match facts.expr(index) {
                    Expr::Keyword(number, _) => facts.name(*number).parse::<usize>().ok(),
                    _ => None,
                };
                let part = number.and_then(|n| parts.get(n)).cloned();
                part.unwrap_or_else(|| Ty::union(parts.iter().cloned()))
            }
            other => builtins::indexed_type(other),
        }
    }

    fn part(&self, ev: &mut Eval<'_>, of: &Ty, _n: u32) -> Ty {
        self.element(ev, of)
    }

    fn awaited(&self, _ev: &mut Eval<'_>, of: &Ty) -> Ty {
        builtins::awaited_type(of)
    }

    fn promised(&self, of: Ty) -> Ty {
        if builtins::is_promise(&of) {
            of
        } else {
            builtins::builtin_instance("Promise", vec![of])
        }
    }

    fn generated(&self, of: Ty) -> Ty {
        builtins::builtin_instance("Generator", vec![of])
    }
}

impl Incremental for TypeScript {
    fn follow(&mut self, repo: &Repo, file: FileId, moved: &IndexRemap) -> bool {
        if repo.language(file).family() == base::Language::TypeScript {
            self.exports.follow(repo, file);
            moved.remap_all(file, self.ambient.values_mut());
            self.globals.follow(repo, file, moved);
        }
        true
    }

    fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) -> bool {
        self.exports.renew(repo, news);
        self.globals.renew(repo, news);
        if !news.imports.is_empty() {
            let manifests = Manifests::read(&repo.manifests);
            let resolver = Resolver::new(repo, &manifests);
            let mut known = KnownTargets::default();
            for file in news.imports {
                self.targets[file.0 as usize] = targets(&resolver, repo.file(*file), &mut known);
            }
        }
        true
    }
}

/// The type in the result `x is T` of a function.
fn type_predicate(ev: &mut Eval<'_>, function: GlobalDef) -> Option<Ty> {
    let facts = ev.repo.facts(function.file);
    let ret = ev.repo.def(function).callable.as_ref()?.ret?;
    match facts.ty(ret) {
        TypeExpr::Projection(of, name) if facts.name(*name) == "<is>" => {
            Some(ev.lower_type(function.file, *of))
        }
        _ => None,
    }
}

/// A function type.
fn callable_type(params: Vec<Ty>, ret: Ty) -> Ty {
    Ty::Callable(params.into(), Arc::new(ret))
}
