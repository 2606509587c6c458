//! The semantics of the tiny language: names, members and calls.

use crate::eval::Eval;
use crate::lang::{
    CallView, Calls, Container, DefinitionChanges, Implementation, Incremental, Lang, Langs,
    Members, Modules, Platform, ScopedName,
};
use crate::repo::{FileId, GlobalDef, Repo, Sym};
use crate::surface::IndexRemap;
use crate::ty::*;
use base::facts::*;
use base::{Language, SymbolKind};
use rustc_hash::FxHashMap;

/// The package of the language's built-ins.
const OWN: &str = "tiny";

/// The tables. Like those of real languages, they hold definitions by index and data from bodies.
pub(crate) struct Tiny {
    family: Language,
    /// Every class by its definition; free names that begin with `Global` refer to these.
    classes: FxHashMap<GlobalDef, Box<str>>,
    /// The number of calls of `watched` in each file.
    watched: FxHashMap<FileId, usize>,
    warnings: Vec<String>,
}

/// The semantics of every family of the tests.
pub(crate) fn make(family: Language, repo: &Repo) -> Box<dyn Lang> {
    let mut tiny = Tiny {
        family,
        classes: FxHashMap::default(),
        watched: FxHashMap::default(),
        warnings: vec![format!("a limit of {family}")],
    };
    for (file, _) in repo.files() {
        if repo.language(file).family() == family {
            tiny.read(repo, file);
        }
    }
    Box::new(tiny)
}

fn watched_calls(facts: &FileFacts) -> usize {
    let is_watched = |site: &&CallSite| {
        let name = facts.called_name(site.expr);
        name.is_some_and(|name| facts.name(name) == "watched")
    };
    facts.calls.iter().filter(is_watched).count()
}

impl Tiny {
    fn read(&mut self, repo: &Repo, file: FileId) {
        let facts = repo.facts(file);
        self.watched.insert(file, watched_calls(facts));
        for (def, at) in facts.defs.iter().zip(0..) {
            if def.kind.is_type() {
                let id = GlobalDef {
                    file,
                    def: DefId(at),
                };
                self.classes.insert(id, facts.name(def.name).into());
            }
        }
    }

    fn file_of(&self, repo: &Repo, module: &str) -> Option<FileId> {
        let ends = ["lua", "py", "java", "rs", "go", "ts", "js"];
        let mut paths = ends.iter().map(|end| format!("{module}.{end}"));
        paths.find_map(|path| repo.file_at(&path))
    }

    fn export(&self, ev: &mut Eval<'_>, file: FileId, name: &str, namespace: Namespace) -> Entity {
        let facts = ev.repo.facts(file);
        let local = |local: NameId, ev: &mut Eval<'_>| {
            let at = u32::MAX;
            let bound = ev.repo.binding_at(file, FILE_SCOPE, local, at, namespace)?;
            Some(ev.resolve_binding(file, local, FILE_SCOPE, bound.to, namespace))
        };
        if facts.exports.is_empty() {
            let found = facts.names.iter().position(|n| &**n == name);
            let found = found.and_then(|at| local(NameId(at as u32), ev));
            return match found {
                Some(found) => found,
                None => self.through_globs(ev, file, name, namespace),
            };
        }
        for export in &facts.exports {
            let found = match (export.name.map(|n| facts.name(n)), export.what) {
                (Some(shown), Exported::Local(own)) if shown == name => {
                    local(own, ev).unwrap_or_default()
                }
                (None, Exported::Import(import)) => {
                    let from = ev.resolve_import(file, import, namespace);
                    match from {
                        Entity::Module(module) => {
                            self.module_member(ev, module.index, name, namespace)
                        }
                        _ => Entity::Unknown,
                    }
                }
                _ => Entity::Unknown,
            };
            if !found.is_unknown() {
                return found;
            }
        }
        Entity::Unknown
    }

    fn through_globs(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: &str,
        namespace: Namespace,
    ) -> Entity {
        let facts = ev.repo.facts(file);
        for (import, at) in facts.imports.iter().zip(0..) {
            if import.what == Imported::Glob
                && let Entity::Module(module) = ev.resolve_import(file, ImportId(at), namespace)
            {
                let found = self.module_member(ev, module.index, name, namespace);
                if !found.is_unknown() {
                    return found;
                }
            }
        }
        Entity::Unknown
    }
}

impl Modules for Tiny {
    fn import(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        import: ImportId,
        namespace: Namespace,
    ) -> Entity {
        let facts = ev.repo.facts(file);
        let import = facts.import(import);
        let path = facts.name(import.module);
        let Some(found) = self.file_of(ev.repo, path) else {
            let outside = path.split('/').next() == Some("ext");
            return match import.what {
                _ if !outside => Entity::Unknown,
                Imported::Name(name) => Entity::external(path, facts.name(name)),
                _ => Entity::external(path, ""),
            };
        };
        match import.what {
            Imported::Name(name) => self.module_member(ev, found.0, facts.name(name), namespace),
            _ => Entity::Module(ModuleId {
                family: self.family,
                index: found.0,
            }),
        }
    }

    fn limit_warnings(&self) -> &[String] {
        &self.warnings
    }

    fn bound_often(&self, ev: &Eval<'_>, at: ScopedName, _: Namespace) -> Option<Entity> {
        // For names that end in `_first`, the first binding counts.
        let name = ev.repo.facts(at.file).name(at.name);
        let mut all = ev.repo.bindings_named(at.file, at.scope, at.name);
        match all.next()?.to {
            Bound::Def(def) if name.ends_with("_first") => {
                Some(Entity::def(GlobalDef { file: at.file, def }))
            }
            _ => None,
        }
    }

    fn free_name(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: NameId,
        _: ScopeId,
        namespace: Namespace,
    ) -> Entity {
        let text = ev.repo.facts(file).name(name).to_owned();
        if text == "List" || text == "print" {
            return Entity::external(OWN, &text.to_lowercase());
        }
        if text.starts_with("Global") {
            let mut found: Vec<GlobalDef> = self
                .classes
                .iter()
                .filter(|(_, name)| ***name == *text)
                .map(|(def, _)| *def)
                .collect();
            found.sort_unstable();
            return Entity::defs(found);
        }
        self.through_globs(ev, file, &text, namespace)
    }

    fn module_member(
        &self,
        ev: &mut Eval<'_>,
        module: u32,
        name: &str,
        namespace: Namespace,
    ) -> Entity {
        let file = FileId(module);
        let Some(sym) = ev.repo.find_sym(name) else {
            return Entity::Unknown;
        };
        ev.memoize_export(file, sym, namespace, |ev| {
            self.export(ev, file, name, namespace)
        })
    }

    fn module_file(&self, _: &Repo, module: u32) -> Option<FileId> {
        Some(FileId(module))
    }

    fn named_file(&self, repo: &Repo, file: FileId, import: ImportId) -> Option<FileId> {
        let facts = repo.facts(file);
        self.file_of(repo, facts.name(facts.import(import).module))
    }

    fn through_classes(&self) -> bool {
        self.family == Language::Java
    }

    fn implicit_this(&self) -> bool {
        self.family == Language::Java
    }

    fn only_reachable(
        &self,
        ev: &mut Eval<'_>,
        (file, _): (FileId, ExprId),
        name: NameId,
    ) -> Option<GlobalDef> {
        // Methods whose names begin with `only_`.
        let sym = ev.repo.sym_of_name(file, name);
        if !ev.repo.sym_text(sym).starts_with("only_") {
            return None;
        }
        let mut classes: Vec<GlobalDef> = self.classes.keys().copied().collect();
        classes.sort_unstable();
        let named = |class: &GlobalDef| ev.repo.children_named(*class, sym).next();
        classes.iter().find_map(named)
    }
}

impl Members for Tiny {
    fn extra_members(&self, ev: &mut Eval<'_>, ty: GlobalDef, name: Sym) -> Vec<GlobalDef> {
        let sym = ev.repo.sym_of_name(ty.file, ev.repo.def(ty).name);
        let extensions = ev.repo.top_level_named(ty.file, sym);
        let extensions = extensions.filter(|d| ev.repo.def(*d).kind == SymbolKind::Impl);
        let members = extensions.flat_map(|d| ev.repo.children_named(d, name));
        members.collect()
    }

    fn implemented(&self, ev: &mut Eval<'_>, ty: GlobalDef) -> Vec<Implementation> {
        // `class XLikeY` implements `interface Y`, method by method.
        let name = ev.repo.def_name(ty);
        let Some((_, like)) = name.split_once("Like") else {
            return Vec::new();
        };
        let Some(sym) = ev.repo.find_sym(like) else {
            return Vec::new();
        };
        let interface = ev.repo.top_level_named(ty.file, sym).next();
        let as_implementation = |interface: GlobalDef| Implementation {
            interface,
            methods: ev
                .repo
                .children(ty)
                .filter_map(|own| {
                    let sym = ev.repo.sym_of_name(own.file, ev.repo.def(own).name);
                    let asked = ev.repo.children_named(interface, sym).next()?;
                    Some((own, asked))
                })
                .collect(),
        };
        interface.map(as_implementation).into_iter().collect()
    }

    fn member(&self, _: &mut Eval<'_>, _: &Ty, name: &str) -> Option<Entity> {
        (name == "magic").then(|| Entity::external(OWN, "magic"))
    }

    fn missing_member(&self, _: &mut Eval<'_>, _: &Ty, name: &str) -> Entity {
        if name == "toText" {
            Entity::external(OWN, "toText")
        } else {
            Entity::Unknown
        }
    }

    fn outside_member(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        object: &Ty,
        name: &str,
    ) -> Option<Entity> {
        // A class `OutsideList` adds methods to lists.
        let is_list = object.is_external(OWN, "list");
        let sym = ev.repo.find_sym("OutsideList").filter(|_| is_list)?;
        let class = ev.repo.top_level_named(file, sym).next()?;
        let member = ev.repo.find_sym(name)?;
        let found: Vec<GlobalDef> = ev.repo.children_named(class, member).collect();
        (!found.is_empty()).then(|| Entity::defs(found))
    }

    fn dereferenced(&self, ev: &mut Eval<'_>, of: &Ty) -> Option<Ty> {
        // The members of the field `inner` are reached through its class.
        let Ty::Instance(def, _) = of else {
            return None;
        };
        let sym = ev.repo.find_sym("inner")?;
        let field = ev.repo.children_named(*def, sym).next()?;
        let value = ev.type_of_def(field);
        Some(ev.substitute(&value, Some(of)))
    }

    fn decorated(&self, ev: &mut Eval<'_>, def: GlobalDef) -> Option<Ty> {
        let facts = ev.repo.facts(def.file);
        let decorators = &facts.def(def.def).decorators;
        let erases = |e: &ExprId| matches!(facts.expr(*e), Expr::Name { name, .. } if facts.name(*name) == "erased");
        decorators.iter().any(erases).then_some(Ty::Null)
    }

    fn payload(&self, _: &mut Eval<'_>, value: &Ty, _: &Entity, index: u32) -> Ty {
        value.arg(index as usize)
    }
}

impl Calls for Tiny {
    fn passed(&self, ev: &Eval<'_>, file: FileId, callee: ExprId) -> Ty {
        // For a parameter called `passed_f`, callers pass the function `f` of its file.
        let facts = ev.repo.facts(file);
        let Expr::Name { name, .. } = facts.expr(callee) else {
            return Ty::Unknown;
        };
        let passed = facts.name(*name).strip_prefix("passed_");
        let sym = passed.and_then(|name| ev.repo.find_sym(name));
        let found = sym.and_then(|sym| ev.repo.top_level_named(file, sym).next());
        found.map_or(Ty::Unknown, |def| Ty::Function([def].into(), None))
    }

    fn through_variables(&self) -> bool {
        self.family == Language::Python
    }

    fn expanded(&self, ev: &mut Eval<'_>, of: &Entity, call: CallView<'_>) -> Ty {
        match call.args.first() {
            Some(first) if !of.is_unknown() => ev.type_of_expr(call.file, *first),
            _ => Ty::Unknown,
        }
    }

    fn callable_shape(&self, ev: &mut Eval<'_>, of: &Ty) -> Option<(Vec<Ty>, Ty)> {
        // The bound of a type parameter, and the only method of an interface.
        match ev.resolve_type_param(of) {
            Ty::Callable(params, ret) => Some((params.to_vec(), (*ret).clone())),
            Ty::Instance(def, args) if ev.repo.def(def).kind == SymbolKind::Interface => {
                let method = ev.repo.children(def).next()?;
                let params = ev.repo.def(method).callable.as_ref()?.params.len() as u32;
                let receiver = Ty::Instance(def, args);
                let params = (1..params).map(|n| {
                    let param = ev.type_of_param(method, n);
                    ev.substitute(&param, Some(&receiver))
                });
                let params = params.collect();
                let result = ev.result_type(method);
                Some((params, ev.substitute(&result, Some(&receiver))))
            }
            _ => None,
        }
    }

    fn call_instance(&self, ev: &mut Eval<'_>, of: &Ty) -> Entity {
        ev.resolve_member(of, "call").0
    }

    fn constructor(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        view: CallView<'_>,
    ) -> Vec<GlobalDef> {
        match ev.resolve_member(&Ty::instance(class), "init").0 {
            Entity::Defs(defs) => ev.resolve_overload(&defs, view),
            _ => vec![class],
        }
    }
}

impl Platform for Tiny {
    fn external_call(
        &self,
        _: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        _: CallView<'_>,
    ) -> Ty {
        match &*callee.symbol {
            "list.first" => receiver.map_or(Ty::Unknown, |r| r.arg(0)),
            _ => Ty::Unknown,
        }
    }

    fn callback_param(
        &self,
        _: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        _: CallView<'_>,
        arg: u32,
        param: u32,
    ) -> Ty {
        match (&*callee.symbol, arg, param) {
            ("list.map", 0, 0) => receiver.map_or(Ty::Unknown, |r| r.arg(0)),
            _ => Ty::Unknown,
        }
    }

    fn primitive(&self, primitive: Primitive) -> Ty {
        match primitive {
            Primitive::String => Ty::external(OWN, "text", Vec::new()),
            Primitive::Int => Ty::external(OWN, "int", Vec::new()),
            _ => Ty::Unknown,
        }
    }

    fn container(&self, kind: Container, args: Vec<Ty>) -> Ty {
        match kind {
            Container::List | Container::Channel => Ty::external(OWN, "list", args),
            Container::Map => Ty::external(OWN, "map", args),
        }
    }

    fn element(&self, _: &mut Eval<'_>, of: &Ty) -> Ty {
        of.arg(usize::from(of.is_external(OWN, "map")))
    }

    fn key(&self, _: &mut Eval<'_>, of: &Ty) -> Ty {
        of.arg(0)
    }

    fn awaited(&self, _: &mut Eval<'_>, of: &Ty) -> Ty {
        if of.is_external(OWN, "promise") {
            of.arg(0)
        } else {
            of.clone()
        }
    }

    fn promised(&self, of: Ty) -> Ty {
        Ty::external(OWN, "promise", vec![of])
    }

    fn generated(&self, of: Ty) -> Ty {
        Ty::external(OWN, "list", vec![of])
    }

    fn tried(&self, _: &mut Eval<'_>, of: &Ty) -> Ty {
        of.arg(0)
    }

    fn entered(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        match ev.resolve_member(of, "enter") {
            (Entity::Defs(defs), receiver) => {
                let result = ev.result_type(defs[0]);
                ev.substitute(&result, receiver.as_ref())
            }
            _ => of.clone(),
        }
    }
}

impl Incremental for Tiny {
    fn follow(&mut self, _: &Repo, file: FileId, moved: &IndexRemap) -> bool {
        moved.remap_keys(file, &mut self.classes);
        self.classes.retain(|def, _| IndexRemap::is_live(def));
        true
    }

    fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) -> bool {
        for (name, def) in news.named(repo) {
            if repo.def(def).kind.is_type() {
                self.classes.insert(def, repo.sym_text(name).into());
            }
        }
        true
    }

    fn agrees(&self, repo: &Repo, _: &Langs, file: FileId) -> bool {
        self.watched.get(&file) == Some(&watched_calls(repo.facts(file)))
    }
}
