//! Linking of C#: namespaces, partial types, inherited members, overloads, extension methods, types of .NET.

mod access;
mod calls;
mod constants;
mod conversions;
mod counted;
mod crowds;
mod extensions;
mod fit;
mod hierarchy;
mod members;
mod names;
mod namespaces;
mod overloads;
mod parts;
mod platform;
mod project;
mod tables;
mod using_resolution;
mod usings;

use crate::ancestry::MAX_ANCESTORS;
use base::facts::*;
use base::{Language, SymbolKind};
use conversions::Conversions;
use extensions::Extensions;
use hierarchy::Hierarchy;
use linker::eval::{Eval, MANY};
use linker::lang::{
    CallView, Called, Calls, Container, Incremental, Members, Modules, Overloading, Platform,
};
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::ty::*;
use names::{Lookup, NamePosition, NothingAbove, TypeName};
use namespaces::Namespaces;
use parts::Parts;
use rustc_hash::FxHashSet;
use tables::{array, system};
use usings::UsingTable;

/// Namespaces, types and semantics of C#.
pub(crate) struct CSharp {
    names: Namespaces,
    parts: Parts,
    usings: UsingTable,
    hierarchy: Hierarchy,
    extensions: Extensions,
    conversions: Conversions,
}

impl CSharp {
    /// Builds the tables.
    pub(crate) fn new(repo: &Repo) -> CSharp {
        let names = Namespaces::new(repo);
        let parts = Parts::new(repo, &names);
        let usings = using_resolution::resolve(repo, &names, &parts);
        let lookup = Lookup {
            repo,
            names: &names,
            parts: &parts,
            usings: &usings,
        };
        let hierarchy = Hierarchy::new(lookup);
        let extensions = Extensions::new(repo, &names);
        let conversions = Conversions::new(repo, &parts);
        CSharp {
            names,
            parts,
            usings,
            hierarchy,
            extensions,
            conversions,
        }
    }

    fn lookup<'a>(&'a self, repo: &'a Repo) -> Lookup<'a> {
        Lookup {
            repo,
            names: &self.names,
            parts: &self.parts,
            usings: &self.usings,
        }
    }

    /// The entity that a resolved name denotes.
    fn entity(&self, ev: &mut Eval<'_>, found: TypeName) -> Entity {
        match found {
            TypeName::Type(def) => Entity::def(def),
            TypeName::Param(def, n) => Entity::Value(Ty::Param(def, n)),
            TypeName::Namespace(index) => Entity::Module(module(index)),
            TypeName::Alias(file, ty) => Entity::Value(ev.lower_type(file, ty)),
            TypeName::External(external) => Entity::External(external),
            TypeName::Unknown => Entity::Unknown,
        }
    }

    /// The entity that a written type names.
    fn named(&self, ev: &mut Eval<'_>, file: FileId, ty: TypeId) -> Option<Entity> {
        let repo = ev.repo;
        let TypeExpr::Named {
            path,
            args,
            scope,
            at,
        } = repo.facts(file).ty(ty)
        else {
            return None;
        };
        if !ev.spend(1 + repo.facts(file).imports.len() / MANY) {
            return Some(Entity::Unknown);
        }
        let place = NamePosition {
            file,
            scope: *scope,
            at: *at,
        };
        let found = self
            .lookup(repo)
            .path(path, args.len(), place, &mut &self.hierarchy);
        if !matches!(found, TypeName::Type(_))
            && let Some(class) = self.attribute_without_suffix(repo, path, place)
        {
            return Some(Entity::def(class));
        }
        Some(self.entity(ev, found))
    }

    /// The class of an attribute whose name does not end in `Attribute`.
    fn attribute_without_suffix(
        &self,
        repo: &Repo,
        path: &[NameId],
        place: NamePosition,
    ) -> Option<GlobalDef> {
        let [name] = path else {
            return None;
        };
        let text = repo.facts(place.file).name(*name);
        let short = text.strip_suffix("Attribute").filter(|s| !s.is_empty())?;
        let names = repo.facts(place.file).names.iter();
        let short = names.zip(0..).find(|(n, _)| &***n == short);
        let short = NameId(short?.1);
        let lookup = self.lookup(repo);
        let TypeName::Type(class) = lookup.simple(short, Some(0), place, &mut NothingAbove) else {
            return None;
        };
        let mut outside = self.hierarchy.external_supertypes(class).flatten();
        outside
            .any(|e| e.symbol.ends_with("Attribute"))
            .then_some(class)
    }

    /// Resolves a simple name as a value. It searches the enclosing scopes, the enclosing types, and then the namespaces.
    fn value_name(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: NameId,
        scope: ScopeId,
        at: u32,
    ) -> (Entity, Option<Ty>) {
        let repo = ev.repo;
        let facts = repo.facts(file);
        let text = facts.name(name);
        let mut next = Some(scope);
        while let Some(id) = next {
            let here = facts.scope(id);
            next = here.parent;
            match (here.kind, here.owner) {
                (ScopeKind::Class, Some(owner)) => {
                    let class = self.parts.whole(GlobalDef { file, def: owner });
                    if let Some(found) = self.find_members(ev, class, text) {
                        return (Entity::defs(found), Some(ev.identity_instance(class)));
                    }
                    if let Some(found) = self.inherited_property(ev, class, text) {
                        return (Entity::Value(found), None);
                    }
                }
                (ScopeKind::Function | ScopeKind::Block, _) => {
                    let binding = repo.binding_at(file, id, name, at, Namespace::VALUE);
                    if let Some(binding) = binding {
                        let to = binding.to;
                        let found = ev.resolve_binding(file, name, id, to, Namespace::VALUE);
                        return (found, None);
                    }
                }
                // Variables and functions of a program that has no class.
                (ScopeKind::Module | ScopeKind::File, _) => {
                    let binding = repo.binding_at(file, id, name, at, Namespace::VALUE);
                    let to = binding.map(|b| b.to).filter(|to| match to {
                        Bound::Def(def) => facts.def(*def).kind.is_callable(),
                        to => matches!(to, Bound::Local { .. }),
                    });
                    if let Some(to) = to {
                        let found = ev.resolve_binding(file, name, id, to, Namespace::VALUE);
                        return (found, None);
                    }
                }
                _ => {}
            }
        }
        if !ev.spend(1 + facts.imports.len() / MANY) {
            return (Entity::Unknown, None);
        }
        if let Some(found) = self.static_import(ev, file, scope, text) {
            return (Entity::defs(found), None);
        }
        let place = NamePosition { file, scope, at };
        let found = self
            .lookup(repo)
            .simple(name, Some(0), place, &mut &self.hierarchy);
        let is_known = !matches!(&found, TypeName::External(e) if e.package.is_empty());
        // The members that an external base class has are not known.
        if !is_known && self.has_external_class(repo, file, scope) {
            return (Entity::Unknown, None);
        }
        (self.entity(ev, found), None)
    }

    /// Whether an enclosing class inherits from a class outside of the repository.
    fn has_external_class(&self, repo: &Repo, file: FileId, scope: ScopeId) -> bool {
        let facts = repo.facts(file);
        let mut next = Some(scope);
        while let Some(id) = next {
            let here = facts.scope(id);
            next = here.parent;
            if let (ScopeKind::Class, Some(owner)) = (here.kind, here.owner) {
                let class = self.parts.whole(GlobalDef { file, def: owner });
                if self.hierarchy.external_supertypes(class).next().is_some() {
                    return true;
                }
            }
        }
        false
    }

    /// Members with a name in the types that `using static` names.
    fn static_import(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        scope: ScopeId,
        name: &str,
    ) -> Option<Vec<GlobalDef>> {
        let classes = self.static_usings(ev.repo, file, scope);
        classes
            .into_iter()
            .find_map(|class| self.find_members(ev, class, name))
    }

    /// The types of the repository that `using static` names at a place.
    fn static_usings(&self, repo: &Repo, file: FileId, scope: ScopeId) -> Vec<GlobalDef> {
        let lookup = self.lookup(repo);
        let mut out = Vec::new();
        let mut next = Some(scope);
        while let Some(id) = next {
            let here = repo.facts(file).scope(id);
            next = here.parent;
            if !matches!(here.kind, ScopeKind::Module | ScopeKind::File) {
                continue;
            }
            for usings in self.usings.around(&self.names, file, id) {
                out.extend(usings.statics().iter().map(|(_, class)| *class));
            }
        }
        let of_project = self.names.usings_of_project_file(file).iter();
        for using in of_project.filter(|using| using.is_static) {
            if let TypeName::Type(class) = lookup.qualified(file, FILE_SCOPE, &using.name) {
                out.push(class);
            }
        }
        out
    }
}

fn module(index: u32) -> ModuleId {
    ModuleId {
        family: Language::CSharp,
        index,
    }
}

impl Modules for CSharp {
    fn import(&self, ev: &mut Eval<'_>, file: FileId, import: ImportId, _: Namespace) -> Entity {
        let repo = ev.repo;
        let it = repo.facts(file).import(import);
        let lookup = self.lookup(repo);
        let found = match it.what {
            Imported::Name(_) => lookup.alias(file, import, &mut NothingAbove),
            _ => lookup.qualified(file, it.scope, repo.facts(file).name(it.module)),
        };
        match found {
            TypeName::External(_) if it.what == Imported::Glob => {
                Entity::external(repo.facts(file).name(it.module), "")
            }
            found => self.entity(ev, found),
        }
    }

    fn used_on_demand(&self, ev: &mut Eval<'_>, file: FileId, import: ImportId) -> Vec<GlobalDef> {
        let repo = ev.repo;
        let facts = repo.facts(file);
        let it = facts.import(import);
        let module = facts.name(it.module);
        let lookup = self.lookup(repo);
        let Some(namespace) = lookup.namespace_by_name(file, it.scope, module) else {
            return Vec::new();
        };
        if it.what != Imported::Glob
            || self.names.around(repo, file, it.scope) == namespace
            || !ev.spend(facts.types.len() / MANY)
        {
            return Vec::new();
        }
        let mut used = FxHashSet::default();
        for ty in 0..facts.types.len() as u32 {
            if !matches!(facts.ty(TypeId(ty)), TypeExpr::Named { .. }) {
                continue;
            }
            ev.begin_site(file);
            if let Some(Entity::Defs(found)) = self.named(ev, file, TypeId(ty)) {
                used.extend(found.iter().copied());
            }
        }
        let is_there = |def: &GlobalDef| {
            repo.def(*def).parent.is_none() && self.names.of_definition(repo, *def) == namespace
        };
        let mut used: Vec<GlobalDef> = used.into_iter().filter(is_there).collect();
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
        if namespace != Namespace::TYPE {
            return Some(self.value_name(ev, file, name, scope, at));
        }
        if !ev.spend(1 + ev.repo.facts(file).imports.len() / MANY) {
            return Some((Entity::Unknown, None));
        }
        let place = NamePosition { file, scope, at };
        let lookup = self.lookup(ev.repo);
        let found = lookup.simple(name, None, place, &mut &self.hierarchy);
        Some((self.entity(ev, found), None))
    }

    fn module_member(&self, ev: &mut Eval<'_>, module: u32, name: &str, _: Namespace) -> Entity {
        let near = ev.current_file().unwrap_or(FileId(0));
        let found = self.lookup(ev.repo).in_namespace(module, name, None, near);
        self.entity(ev, found)
    }

    fn module_file(&self, _: &Repo, _: u32) -> Option<FileId> {
        None
    }

    fn through_classes(&self) -> bool {
        true
    }
}

impl Members for CSharp {
    fn whole(&self, part: GlobalDef) -> GlobalDef {
        self.parts.whole(part)
    }

    fn named_type(&self, ev: &mut Eval<'_>, (file, ty): (FileId, TypeId)) -> Option<Entity> {
        self.named(ev, file, ty)
    }

    fn written_type(&self, ev: &mut Eval<'_>, (file, ty): (FileId, TypeId)) -> Option<Ty> {
        self.lowered(ev, file, ty)
    }

    fn type_param(&self, _: &mut Eval<'_>, def: GlobalDef, n: u32) -> Ty {
        Ty::Param(self.parts.whole(def), n)
    }

    fn seen_as(&self, ev: &mut Eval<'_>, actual: &Ty, wanted: &Ty) -> Option<Ty> {
        let Ty::ExternalInstance(wanted, _) = wanted else {
            return None;
        };
        self.external_view(ev, actual, wanted)
    }

    fn extra_members(&self, ev: &mut Eval<'_>, ty: GlobalDef, name: Sym) -> Vec<GlobalDef> {
        if self.parts.parts_of(&ty).len() < 2 {
            return Vec::new();
        }
        let all = self.parts.members(ev.repo, ty, name);
        if !ev.spend_on_namesakes(all.len()) {
            return Vec::new();
        }
        all.filter(|member| member.file != ty.file || ev.repo.def(*member).parent != Some(ty.def))
            .collect()
    }

    fn supers(&self, ev: &mut Eval<'_>, ty: GlobalDef) -> Vec<Ty> {
        let whole = self.parts.whole(ty);
        let parts = self.parts.parts_with_supertypes(&whole);
        parts
            .iter()
            .take(MAX_ANCESTORS)
            .flat_map(|part| ev.lower_supertypes(*part))
            .collect()
    }

    fn defines_type(&self, ev: &mut Eval<'_>, alias: GlobalDef) -> bool {
        ev.repo.def(alias).kind == SymbolKind::TypeAlias
    }

    /// `string?` and `string` are one type for this.
    fn overloading(&self) -> Overloading {
        Overloading::ByCount
    }

    fn may_override(&self, repo: &Repo, method: GlobalDef, above: GlobalDef) -> bool {
        self.can_override(repo, method, above)
    }

    fn member(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Entity> {
        self.member_of(ev, object, name)
    }

    fn outside_member(
        &self,
        ev: &mut Eval<'_>,
        _: FileId,
        object: &Ty,
        name: &str,
    ) -> Option<Entity> {
        self.platform_property(ev, object, name).map(Entity::Value)
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

    fn held_by_members(&self, ev: &mut Eval<'_>, file: FileId) -> Vec<(GlobalDef, GlobalDef)> {
        self.overrides_of_parts(ev, file)
    }
}

impl Calls for CSharp {
    fn visit_callee(&self, ev: &mut Eval<'_>, call: CallView<'_>) -> Option<Called> {
        self.resolve_callee(ev, call.file, call)
    }

    fn params_by_receiver(
        &self,
        ev: &mut Eval<'_>,
        function: GlobalDef,
        receiver: Option<&Ty>,
        env: &mut Vec<((GlobalDef, u32), Ty)>,
    ) {
        self.bind_receiver(ev, function, receiver, env);
    }

    fn constructor(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        self.constructors(ev, class, call)
    }

    fn choose(
        &self,
        ev: &mut Eval<'_>,
        overloads: &[GlobalDef],
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        // Overloads of calls were chosen before. The rest are groups of methods.
        ev.overloads_with_arg_count(overloads, call)
    }

    fn callable_shape(&self, ev: &mut Eval<'_>, of: &Ty) -> Option<(Vec<Ty>, Ty)> {
        self.delegate_shape(ev, of)
    }
}

impl Platform for CSharp {
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
        self.platform_callback(ev, callee, receiver, call, (arg, param))
    }

    fn external_param(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'_>,
        arg: u32,
    ) -> Ty {
        self.platform_out(ev, callee, receiver, call, arg)
    }

    fn external_type(&self, _: &mut Eval<'_>, name: &External, args: &[Ty]) -> Option<Ty> {
        Some(Ty::ExternalInstance(tables::normalize(name), args.into()))
    }

    fn primitive(&self, primitive: Primitive) -> Ty {
        match primitive {
            Primitive::String => system("String"),
            Primitive::Int => system("Int32"),
            Primitive::Float => system("Double"),
            Primitive::Bool => system("Boolean"),
            Primitive::Char => system("Char"),
            _ => Ty::Unknown,
        }
    }

    fn container(&self, kind: Container, mut args: Vec<Ty>) -> Ty {
        match kind {
            Container::List => array(args.pop().unwrap_or_default()),
            // The result of a query.
            Container::Map => {
                let element = args.pop().unwrap_or_default();
                Ty::external("System.Collections.Generic", "IEnumerable", vec![element])
            }
            Container::Channel => Ty::Unknown,
        }
    }

    fn element(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        self.iterated(ev, of)
    }

    fn index(&self, ev: &mut Eval<'_>, object: &Ty, file: FileId, index: ExprId) -> Ty {
        self.indexed(ev, object, file, index)
    }

    fn part(&self, ev: &mut Eval<'_>, of: &Ty, n: u32) -> Ty {
        self.deconstructed(ev, of, n)
    }

    fn awaited(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        self.awaited_type(ev, of)
    }

    fn tried(&self, _: &mut Eval<'_>, of: &Ty) -> Ty {
        tables::nullable(of).unwrap_or_else(|| of.clone())
    }

    fn operation(&self, ev: &mut Eval<'_>, left: Ty, right: Ty) -> Ty {
        self.operation_type(ev, left, right)
    }
}

impl Incremental for CSharp {}
