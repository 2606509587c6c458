//! Linking of Lua: modules by `require`, tables as classes and namespaces, `setmetatable`.

mod modules;

use crate::names::NameLists;
use base::facts::*;
use base::{Language, SymbolKind};
use linker::eval::Eval;
use linker::lang::{CallView, Calls, Incremental, Members, Modules, Platform};
use linker::repo::{FileId, GlobalDef, Repo};
use linker::ty::*;
use modules::Paths;
use std::sync::LazyLock;

/// The package name of the standard library.
const STANDARD: &str = "lua";

static NAMES: LazyLock<NameLists> =
    LazyLock::new(|| NameLists::parse(include_str!("../stdlib.txt")));

/// Modules and semantics of Lua.
pub(crate) struct Lua {
    paths: Paths,
}

impl Lua {
    /// Collects the files of the modules.
    pub(crate) fn new(repo: &Repo) -> Lua {
        Lua {
            paths: Paths::new(repo),
        }
    }
}

/// The value of a module: the one that its file returns.
fn exported_value(repo: &Repo, file: FileId) -> Option<ExprId> {
    let exports = &repo.facts(file).exports;
    exports.iter().rev().find_map(|export| match export.what {
        Exported::Whole(value) => Some(value),
        _ => None,
    })
}

/// The type of a module's value.
fn module_value(ev: &mut Eval<'_>, file: FileId) -> Ty {
    match exported_value(ev.repo, file) {
        Some(value) => ev.type_of_expr(file, value),
        None => Ty::Unknown,
    }
}

/// The table in which a table looks up missing fields, by the `setmetatable` where it is made.
fn index_of_metatable(ev: &mut Eval<'_>, table: GlobalDef) -> Option<ExprId> {
    let facts = ev.repo.facts(table.file);
    let value = facts.def(table.def).value?;
    let Expr::Call { callee, args, .. } = facts.expr(value) else {
        return None;
    };
    let Expr::Object(fields) = facts.expr(*args.get(1)?) else {
        return None;
    };
    let (called, _) = ev.resolve_expr(table.file, *callee, Namespace::VALUE);
    let is_standard = matches!(&called, Entity::External(e) if &*e.package == STANDARD && &*e.symbol == "setmetatable");
    let index = fields
        .iter()
        .find(|(name, _)| facts.name(*name) == "__index");
    index.filter(|_| is_standard).map(|(_, base)| *base)
}

impl Modules for Lua {
    fn import(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        import: ImportId,
        _namespace: Namespace,
    ) -> Entity {
        let facts = ev.repo.facts(file);
        let module = facts.name(facts.import(import).module);
        match self.paths.file(ev.repo, file, module) {
            Some(found) => Entity::Module(ModuleId {
                family: Language::Lua,
                index: found.0,
            }),
            None if self.paths.is_inside(module) => Entity::Unknown,
            None => {
                let package = module.split(['.', '/']).next().unwrap_or(module);
                Entity::external(package, "")
            }
        }
    }

    fn free_name(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: NameId,
        _scope: ScopeId,
        _namespace: Namespace,
    ) -> Entity {
        let name = ev.repo.facts(file).name(name);
        let is_standard = NAMES.has("globals", name);
        if is_standard {
            Entity::external(STANDARD, name)
        } else {
            Entity::Unknown
        }
    }

    /// A local is visible only after its declaration, even in bodies of functions, from which other languages see the
    /// whole file.
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
        let mut around = repo.scopes_binding(file, name, scope);
        let found = around.find_map(|id| repo.binding_at(file, id, name, at, namespace));
        if let Some(binding) = found {
            let (home, to) = (binding.scope, binding.to);
            return Some((ev.resolve_binding(file, name, home, to, namespace), None));
        }
        Some((self.free_name(ev, file, name, scope, namespace), None))
    }

    fn module_member(
        &self,
        ev: &mut Eval<'_>,
        module: u32,
        name: &str,
        _namespace: Namespace,
    ) -> Entity {
        let value = module_value(ev, FileId(module));
        ev.resolve_member(&value, name).0
    }

    fn module_file(&self, _repo: &Repo, module: u32) -> Option<FileId> {
        Some(FileId(module))
    }
}

impl Members for Lua {
    /// A table with functions has them like static members of a class.
    fn decorated(&self, ev: &mut Eval<'_>, def: GlobalDef) -> Option<Ty> {
        let kind = ev.repo.def(def).kind;
        (kind == SymbolKind::Namespace).then(|| Ty::Class(def, no_args()))
    }

    /// `local Sub = setmetatable({}, { __index = Base })` inherits from `Base`.
    fn supers(&self, ev: &mut Eval<'_>, ty: GlobalDef) -> Vec<Ty> {
        let Some(base) = index_of_metatable(ev, ty) else {
            return Vec::new();
        };
        match ev.type_of_expr(ty.file, base) {
            Ty::Class(def, args) if def != ty => vec![Ty::Instance(def, args)],
            Ty::Module(module) => match module_value(ev, FileId(module.index)) {
                Ty::Class(def, args) => vec![Ty::Instance(def, args)],
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}

impl Calls for Lua {
    fn through_variables(&self) -> bool {
        true
    }

    /// The visible one: a function that is defined again replaces the earlier one.
    fn choose(&self, _: &mut Eval<'_>, written: &[GlobalDef], _: CallView<'_>) -> Vec<GlobalDef> {
        written.first().copied().into_iter().collect()
    }

    fn call_instance(&self, ev: &mut Eval<'_>, of: &Ty) -> Entity {
        ev.resolve_member(of, "__call").0
    }
}

impl Platform for Lua {
    /// `setmetatable(object, Class)` makes an instance.
    fn external_call(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        _receiver: Option<&Ty>,
        call: CallView<'_>,
    ) -> Ty {
        let is_made = &*callee.package == STANDARD && &*callee.symbol == "setmetatable";
        let Some(class) = call.args.get(1).filter(|_| is_made) else {
            return Ty::Unknown;
        };
        let of = match ev.type_of_expr(call.file, *class) {
            Ty::Module(module) => module_value(ev, FileId(module.index)),
            other => other,
        };
        match of {
            Ty::Class(def, args) => Ty::Instance(def, args),
            _ => Ty::Unknown,
        }
    }
}

/// The tables only depend on paths, which stay when facts change.
impl Incremental for Lua {}
