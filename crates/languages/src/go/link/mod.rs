//! Linking of Go: packages by folder, modules, embedding, defined types.

mod builtins;
mod implements;
mod modules;
mod packages;
mod platform;
mod types;

use base::facts::*;
use base::{Language, SymbolKind};
use implements::Interfaces;
use linker::eval::Eval;
use linker::lang::Modules as _;
use linker::lang::{
    CallView, Calls, Container, DefinitionChanges, Implementation, Incremental, Members, Platform,
};
use linker::paths::parent_dir;
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::surface::IndexRemap;
use linker::ty::*;
use modules::{Modules, ResolvedImport};
use packages::Packages;

/// Imports that are searched for a name in one step of fuel.
const FEW_IMPORTS: usize = 4;

/// Modules and semantics of Go.
pub(crate) struct Go {
    packages: Packages,
    modules: Modules,
    interfaces: Interfaces,
    /// Parts of manifests that limits leave out.
    limits: Vec<String>,
}

impl Go {
    /// Builds the tables.
    pub(crate) fn new(repo: &Repo) -> Go {
        let packages = Packages::new(repo);
        let modules = Modules::new(repo);
        Go {
            interfaces: Interfaces::new(repo, &packages),
            limits: modules.limits(),
            modules,
            packages,
        }
    }

    /// The meaning of an import path in a file.
    fn path(&self, repo: &Repo, file: FileId, path: &str) -> Entity {
        let from = parent_dir(&repo.file(file).path);
        match self.modules.resolve(&self.packages.in_dir, from, path) {
            ResolvedImport::Dir(dir) => match self.packages.importable_package(&dir) {
                Some(index) => Entity::Module(ModuleId {
                    family: Language::Go,
                    index,
                }),
                // Missing generated code, or an excluded folder.
                None => Entity::Unknown,
            },
            ResolvedImport::Outside(external) => Entity::External(external),
        }
    }

    /// A name from a dot import, or of a package whose name differs from its path.
    fn resolve_via_imports(&self, ev: &mut Eval<'_>, file: FileId, name: &str) -> Entity {
        let facts = ev.repo.facts(file);
        if !ev.spend(facts.imports.len() / FEW_IMPORTS) {
            return Entity::Unknown;
        }
        for import in &facts.imports {
            if !matches!(import.what, Imported::Glob | Imported::Module) {
                continue;
            }
            let entity = self.path(ev.repo, file, facts.name(import.module));
            let Entity::Module(module) = entity else {
                continue;
            };
            if import.what == Imported::Glob {
                let found = self.module_member(ev, module.index, name, Namespace::BOTH);
                if !found.is_unknown() {
                    return found;
                }
            } else if self.packages.all[module.index as usize].name == name {
                return entity;
            }
        }
        Entity::Unknown
    }
}

impl linker::lang::Modules for Go {
    fn limit_warnings(&self) -> &[String] {
        &self.limits
    }

    fn import(&self, ev: &mut Eval<'_>, file: FileId, id: ImportId, _: Namespace) -> Entity {
        let facts = ev.repo.facts(file);
        self.path(ev.repo, file, facts.name(facts.import(id).module))
    }

    fn free_name(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: NameId,
        _: ScopeId,
        _: Namespace,
    ) -> Entity {
        let sym = ev.repo.sym_of_name(file, name);
        let package = self.packages.package_of(file);
        let own = package.and_then(|p| self.packages.find_member(p, sym, Some(file)));
        if let Some(def) = own {
            return Entity::def(def);
        }
        let text = ev.repo.sym_text(sym);
        // A file looks up the same names many times.
        let found = ev.memoize_export(file, sym, Namespace::ALL, |ev| {
            self.resolve_via_imports(ev, file, text)
        });
        found.or_else(|| {
            if builtins::is_predeclared(text) {
                Entity::external(builtins::PACKAGE, text)
            } else {
                Entity::Unknown
            }
        })
    }

    fn module_member(&self, ev: &mut Eval<'_>, module: u32, name: &str, _: Namespace) -> Entity {
        let found = ev
            .repo
            .find_sym(name)
            .and_then(|sym| self.packages.find_member(module, sym, None));
        found.map_or(Entity::Unknown, Entity::def)
    }

    fn module_file(&self, repo: &Repo, module: u32) -> Option<FileId> {
        self.packages.main_file(repo, module)
    }

    /// The type parameters of an interface are visible in its methods. Fields are not reached by bare names, but they
    /// are only in the namespace of values, and a type contains no code.
    fn through_classes(&self) -> bool {
        true
    }
}

impl Members for Go {
    fn extra_members(&self, ev: &mut Eval<'_>, ty: GlobalDef, name: Sym) -> Vec<GlobalDef> {
        let def = ev.repo.def(ty);
        if def.flags.has(DefFlags::ANONYMOUS) || def.flags.has(DefFlags::LOCAL) {
            return Vec::new();
        }
        let type_name = ev.repo.sym_of_name(ty.file, def.name);
        let found = self.packages.find_method(ty, type_name, name);
        found.into_iter().collect()
    }

    fn linearization(&self, ev: &mut Eval<'_>, ty: &Ty) -> Vec<Ty> {
        types::embedding_order(ev, ty)
    }

    /// A name that several embedded types have at the least depth belongs to none of them.
    fn member(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Entity> {
        let name = ev.repo.find_sym(name)?;
        types::is_ambiguous(ev, object, name).then_some(Entity::Unknown)
    }

    fn implemented(&self, ev: &mut Eval<'_>, ty: GlobalDef) -> Vec<Implementation> {
        let flags = ev.repo.def(ty).flags;
        let hidden = [DefFlags::ANONYMOUS, DefFlags::LOCAL, DefFlags::ALIAS];
        if hidden.into_iter().any(|flag| flags.has(flag)) {
            return Vec::new();
        }
        self.interfaces.implemented_by(&self.packages, ev, ty)
    }

    fn defines_type(&self, ev: &mut Eval<'_>, alias: GlobalDef) -> bool {
        !ev.repo.def(alias).flags.has(DefFlags::ALIAS)
    }

    fn type_param(&self, ev: &mut Eval<'_>, def: GlobalDef, n: u32) -> Ty {
        self.receiver_type_def(ev, def)
            .map_or(Ty::Param(def, n), |ty| Ty::Param(ty, n))
    }

    /// A defined type has the fields of its underlying type.
    fn dereferenced(&self, ev: &mut Eval<'_>, of: &Ty) -> Option<Ty> {
        types::underlying_once(ev, of)
    }
}

impl Calls for Go {
    fn callable_shape(&self, ev: &mut Eval<'_>, of: &Ty) -> Option<(Vec<Ty>, Ty)> {
        match types::underlying(ev, of) {
            Ty::Callable(params, ret) => Some((params.to_vec(), (*ret).clone())),
            _ => None,
        }
    }
}

impl Platform for Go {
    fn external_call(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'_>,
    ) -> Ty {
        builtins::external_call_result(ev, callee, receiver, call)
    }

    fn primitive(&self, primitive: Primitive) -> Ty {
        builtins::primitive_type(primitive)
    }

    fn container(&self, kind: Container, args: Vec<Ty>) -> Ty {
        let symbol = match kind {
            Container::List => builtins::SLICE,
            Container::Map => builtins::MAP,
            Container::Channel => builtins::CHANNEL,
        };
        Ty::external(builtins::PACKAGE, symbol, args)
    }

    fn element(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        types::element_type(ev, of)
    }

    fn key(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        types::key_type(ev, of)
    }

    fn index(&self, ev: &mut Eval<'_>, object: &Ty, _: FileId, _: ExprId) -> Ty {
        match object {
            // `f[int]`: a generic function with its type arguments.
            Ty::Function(..) | Ty::Class(..) => object.clone(),
            _ => types::element_type(ev, object),
        }
    }

    fn part(&self, _: &mut Eval<'_>, of: &Ty, _: u32) -> Ty {
        match of {
            Ty::External(_) | Ty::ExternalInstance(..) => of.clone(),
            _ => Ty::Unknown,
        }
    }
}

impl Incremental for Go {
    fn follow(&mut self, _: &Repo, file: FileId, moved: &IndexRemap) -> bool {
        if !moved.is_identity() {
            self.packages.follow(file, moved);
            self.interfaces.follow(file, moved);
        }
        true
    }

    fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) -> bool {
        self.packages.renew(repo, news);
        self.interfaces.renew(repo, &self.packages, news);
        true
    }
}

impl Go {
    /// The type whose parameters are renamed by a method's receiver: `func (l *List[T])`.
    fn receiver_type_def(&self, ev: &mut Eval<'_>, def: GlobalDef) -> Option<GlobalDef> {
        let found = ev.repo.def(def);
        if found.kind != SymbolKind::Method {
            return None;
        }
        let receiver = found.callable.as_ref()?.receiver?;
        let sym = ev.repo.sym_of_name(def.file, receiver);
        let package = self.packages.package_of(def.file)?;
        self.packages.find_member(package, sym, Some(def.file))
    }
}
