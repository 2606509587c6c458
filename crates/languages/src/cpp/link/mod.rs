//! Meaning of names in C++: scopes, classes, namespaces and `using`, as far as a file sees their headers.
//!
//! Files of C and C++ include each other's headers, so one table serves both. Names in files of C are resolved by [`C`].

mod binding;
mod braces;
mod conditions;
mod constant;
mod fit;
mod lookup;
mod members;
mod names;
mod operators;
mod overloads;
mod references;
mod shapes;
mod specialised;
mod standard;

use crate::c::link::{C, preference};
use base::facts::*;
use base::{Language, SymbolKind};
use linker::eval::Eval;
use linker::lang::{
    CallView, Called, Calls, Container, DefinitionChanges, Incremental, Members, Modules,
    Overloading, Platform,
};
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::surface::IndexRemap;
use linker::ty::*;
use lookup::Wanted;
use names::Names;
use overloads::Selected;

/// Marks a module number that stands for a namespace, not for a file.
const NAMESPACE: u32 = 1 << 31;
/// Maximum number of `operator->` that are followed, each on the result of the one before.
const MOST_STEPS: u32 = 4;

/// The tables of C and C++.
pub(crate) struct Family {
    c: C,
    names: Names,
}

impl Family {
    /// Reads the names of a repository.
    pub(crate) fn new(repo: &Repo) -> Family {
        Family {
            c: C::new(repo),
            names: Names::new(repo),
        }
    }

    /// The type of the object to which `*value` and `value->` lead.
    fn led_to(&self, ev: &mut Eval<'_>, of: &Ty, depth: u32) -> Ty {
        if let Some(inner) = standard::led_to(of) {
            return inner;
        }
        let of = ev.resolve_type_param(of);
        if !matches!(of, Ty::Instance(..)) || depth > MOST_STEPS {
            return Ty::Unknown;
        }
        for (name, is_arrow) in [("operator->", true), ("operator*", false)] {
            let (Entity::Defs(defs), holder) = ev.resolve_member(&of, name) else {
                continue;
            };
            let Some(first) = defs.first() else { continue };
            let result = ev.result_type(*first);
            let result = ev.substitute(&result, holder.as_ref());
            return if is_arrow {
                self.led_to(ev, &result, depth + 1)
            } else {
                result
            };
        }
        of
    }

    /// The result type of a method without arguments.
    fn result_of(&self, ev: &mut Eval<'_>, of: &Ty, name: &str) -> Ty {
        let (Entity::Defs(defs), holder) = ev.resolve_member(of, name) else {
            return Ty::Unknown;
        };
        let Some(first) = defs.first() else {
            return Ty::Unknown;
        };
        let result = ev.result_type(*first);
        ev.substitute(&result, holder.as_ref())
    }

    /// The class that is constructed. For a field this is the class of its type, and for an alias the type that it stands for.
    fn constructed_class(&self, ev: &mut Eval<'_>, entity: Entity, is_new: bool) -> Entity {
        let Entity::Defs(defs) = &entity else {
            return match entity {
                Entity::Value(Ty::Class(class, _)) => Entity::def(class),
                other => other,
            };
        };
        let [first, ..] = defs[..] else {
            return entity;
        };
        let kind = ev.repo.def(first).kind;
        let ty = match kind {
            SymbolKind::TypeAlias => ev.instance_of_entity(first.file, &entity, Vec::new()),
            SymbolKind::Field | SymbolKind::Variable if is_new => ev.type_of_def(first),
            _ => return entity,
        };
        match ty {
            Ty::Instance(class, _) => Entity::def(class),
            Ty::ExternalInstance(external, _) => Entity::External(external),
            _ => Entity::Unknown,
        }
    }
}

fn is_cpp(ev: &Eval<'_>, file: FileId) -> bool {
    ev.repo.language(file) == Language::Cpp
}

impl Modules for Family {
    fn import(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        import: ImportId,
        namespace: Namespace,
    ) -> Entity {
        self.c.import(ev, file, import, namespace)
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
        if !is_cpp(ev, file) {
            return self.c.lexical(ev, file, name, scope, at, namespace);
        }
        let wanted = Wanted {
            file,
            name: ev.repo.sym_of_name(file, name),
            namespace,
        };
        Some(self.find(ev, wanted, scope, Some((name, at))))
    }

    fn module_member(
        &self,
        ev: &mut Eval<'_>,
        module: u32,
        name: &str,
        namespace: Namespace,
    ) -> Entity {
        if module & NAMESPACE == 0 {
            return self.c.module_member(ev, module, name, namespace);
        }
        self.in_namespace_by_path(ev, module & !NAMESPACE, name, namespace)
    }

    fn module_file(&self, repo: &Repo, module: u32) -> Option<FileId> {
        match module & NAMESPACE {
            0 => self.c.module_file(repo, module),
            _ => None,
        }
    }

    fn named_file(&self, repo: &Repo, file: FileId, import: ImportId) -> Option<FileId> {
        self.c.named_file(repo, file, import)
    }

    fn only_linked(&self, ev: &mut Eval<'_>, file: FileId, name: NameId) -> Option<GlobalDef> {
        if is_cpp(ev, file) {
            None
        } else {
            self.c.only_linked(ev, file, name)
        }
    }
}

impl Members for Family {
    fn extra_members(&self, ev: &mut Eval<'_>, ty: GlobalDef, name: Sym) -> Vec<GlobalDef> {
        if is_cpp(ev, ty.file) {
            self.members_outside(ev, ty, name)
        } else {
            Vec::new()
        }
    }

    fn overloading(&self) -> Overloading {
        Overloading::ByCount
    }

    fn may_override(&self, repo: &Repo, method: GlobalDef, above: GlobalDef) -> bool {
        let is_virtual = |d: GlobalDef| repo.def(d).flags.has(DefFlags::VIRTUAL);
        let is_const = |d: GlobalDef| repo.def(d).flags.has(DefFlags::BY_REFERENCE);
        (is_virtual(above) || repo.def(method).flags.has(DefFlags::OVERRIDES))
            && is_const(method) == is_const(above)
    }

    fn definitions_of(&self, ev: &mut Eval<'_>, method: GlobalDef) -> Vec<GlobalDef> {
        if is_cpp(ev, method.file) {
            self.defined(ev, method)
        } else {
            vec![method]
        }
    }

    fn member(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Entity> {
        if let Some(found) = self.member_of_special(ev, object, name) {
            return Some(found);
        }
        self.c.member(ev, object, name)
    }

    fn supers(&self, ev: &mut Eval<'_>, ty: GlobalDef) -> Vec<Ty> {
        self.chosen_supers(ev, ty)
    }

    fn written_type(&self, ev: &mut Eval<'_>, (file, ty): (FileId, TypeId)) -> Option<Ty> {
        if let Some(found) = self.written_instance(ev, file, ty) {
            return Some(found);
        }
        let facts = ev.repo.facts(file);
        let (of, name) = match facts.ty(ty) {
            TypeExpr::Projection(of, name) => (ev.lower_type(file, *of), *name),
            TypeExpr::Named {
                path, scope, at, ..
            } if facts.language == Language::Cpp => {
                let (name, before) = path.split_last().filter(|(_, before)| !before.is_empty())?;
                let entity = ev.resolve_type_path(file, before, *scope, *at);
                let is_alias = |d: &GlobalDef| ev.repo.def(*d).kind == SymbolKind::TypeAlias;
                match &entity {
                    Entity::Defs(defs) if defs.iter().all(is_alias) => {}
                    _ => return None,
                }
                (ev.instance_of_entity(file, &entity, Vec::new()), *name)
            }
            _ => return None,
        };
        standard::inner_of(&of, facts.name(name))
    }

    fn outside_member(
        &self,
        ev: &mut Eval<'_>,
        _file: FileId,
        object: &Ty,
        name: &str,
    ) -> Option<Entity> {
        // `.` on a pointer is not valid C++, but a macro may hide the operator.
        if let Some(inner) = standard::pointee(object) {
            return Some(ev.resolve_member(&inner, name).0);
        }
        standard::field(object, name).map(Entity::Value)
    }

    fn mentioned(&self, ev: &mut Eval<'_>, entity: Entity) -> Entity {
        let Entity::Defs(defs) = &entity else {
            return entity;
        };
        match defs[..] {
            [one] if is_cpp(ev, one.file) => Entity::defs(self.defined(ev, one)),
            _ => entity,
        }
    }

    fn declared_result(&self, ev: &mut Eval<'_>, function: GlobalDef) -> Ty {
        let def = ev.repo.def(function);
        match def.parent {
            Some(class) if def.kind == SymbolKind::Constructor => ev.identity_instance(GlobalDef {
                def: class,
                ..function
            }),
            _ => Ty::Unknown,
        }
    }

    fn held_by_members(&self, ev: &mut Eval<'_>, file: FileId) -> Vec<(GlobalDef, GlobalDef)> {
        if is_cpp(ev, file) {
            Vec::new()
        } else {
            self.c.held_by_members(ev, file)
        }
    }
}

impl Calls for Family {
    fn visit_callee(&self, ev: &mut Eval<'_>, call: CallView<'_>) -> Option<Called> {
        if is_cpp(ev, call.file) {
            self.callee(ev, call)
        } else {
            None
        }
    }

    fn called_from_candidates(
        &self,
        ev: &mut Eval<'_>,
        entity: Entity,
        call: CallView<'_>,
    ) -> Entity {
        if !is_cpp(ev, call.file) {
            return entity;
        }
        let is_new = matches!(ev.repo.facts(call.file).expr(call.expr), Expr::New { .. });
        self.constructed_class(ev, entity, is_new)
    }

    fn choose(
        &self,
        ev: &mut Eval<'_>,
        overloads: &[GlobalDef],
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        let repo = ev.repo;
        let is_macro = |d: &GlobalDef| repo.def(*d).kind == SymbolKind::Macro;
        if !is_cpp(ev, call.file) || overloads.iter().all(is_macro) {
            let built = self.c.choose(ev, overloads, call);
            return preference::by_default(repo, built);
        }
        match self.select(ev, overloads, None, call, None) {
            Selected::One(def) => vec![def],
            Selected::None => Vec::new(),
            Selected::Several(all) => all,
        }
    }

    fn has_build_alternatives(&self) -> bool {
        true
    }

    fn constructor(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        if is_cpp(ev, class.file) {
            self.constructor_for(ev, class, call)
        } else {
            Vec::new()
        }
    }

    fn call_instance(&self, ev: &mut Eval<'_>, of: &Ty) -> Entity {
        ev.resolve_member(of, "operator()").0
    }

    fn bodies(&self, ev: &mut Eval<'_>, declared: GlobalDef) -> Vec<GlobalDef> {
        if is_cpp(ev, declared.file) {
            self.defined(ev, declared)
        } else {
            vec![declared]
        }
    }
}

impl Platform for Family {
    fn external_member(&self, _ev: &mut Eval<'_>, object: &Ty, name: &str) -> Ty {
        if let Some(ty) = standard::field(object, name) {
            return ty;
        }
        match object {
            Ty::External(e) | Ty::ExternalInstance(e, _) => Ty::External(e.member(name)),
            _ => Ty::Unknown,
        }
    }

    fn external_call(
        &self,
        ev: &mut Eval<'_>,
        callee: &External,
        receiver: Option<&Ty>,
        call: CallView<'_>,
    ) -> Ty {
        if &*callee.package != standard::STD {
            return Ty::Unknown;
        }
        let name = callee.symbol.rsplit('.').next().unwrap_or_default();
        if let Some(receiver @ Ty::ExternalInstance(..)) = receiver {
            return standard::method(receiver, name);
        }
        let explicit: Vec<Ty> = call
            .type_args
            .iter()
            .map(|ty| ev.lower_type(call.file, *ty))
            .collect();
        if let Some(made) = standard::constructed(name, &explicit) {
            return made;
        }
        let given: Vec<Ty> = call
            .args
            .iter()
            .take(2)
            .map(|arg| ev.type_of_expr(call.file, *arg))
            .collect();
        standard::function(name, &explicit, &|n| {
            given.get(n).cloned().unwrap_or_default()
        })
    }

    fn external_type(&self, _ev: &mut Eval<'_>, name: &External, args: &[Ty]) -> Option<Ty> {
        match &*name.package {
            standard::STD => standard::inner_type(&name.symbol, args),
            _ => None,
        }
    }

    fn primitive(&self, primitive: Primitive) -> Ty {
        match primitive {
            Primitive::String => standard::pointer(standard::built_in("char")),
            Primitive::Float => standard::built_in("double"),
            Primitive::Bool => standard::built_in("bool"),
            Primitive::Char => standard::built_in("char"),
            Primitive::Null => Ty::Null,
            _ => standard::built_in("int"),
        }
    }

    fn container(&self, _kind: Container, args: Vec<Ty>) -> Ty {
        standard::pointer(args.into_iter().next().unwrap_or_default())
    }

    fn element(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        match of {
            Ty::Instance(..) | Ty::Param(..) => {
                let first = self.result_of(ev, of, "begin");
                self.led_to(ev, &first, 0)
            }
            _ => standard::element(of),
        }
    }

    fn index(&self, ev: &mut Eval<'_>, object: &Ty, file: FileId, _index: ExprId) -> Ty {
        match object {
            // In C, the type of an array is recorded as the type of its elements.
            Ty::Instance(..) if !is_cpp(ev, file) => object.clone(),
            Ty::Instance(def, _) if !is_cpp(ev, def.file) => object.clone(),
            Ty::Instance(..) => self.result_of(ev, object, "operator[]"),
            _ => standard::indexed(object),
        }
    }

    fn part(&self, ev: &mut Eval<'_>, of: &Ty, n: u32) -> Ty {
        let Ty::Instance(class, _) = of else {
            return standard::part(of, n);
        };
        let repo = ev.repo;
        let is_field = |d: &GlobalDef| repo.def(*d).kind == SymbolKind::Field;
        let mut fields: Vec<GlobalDef> = repo.children(*class).filter(is_field).collect();
        if !ev.spend(fields.len()) {
            return Ty::Unknown;
        }
        fields.sort_unstable();
        let Some(field) = fields.get(n as usize) else {
            return Ty::Unknown;
        };
        let ty = ev.type_of_def(*field);
        ev.substitute(&ty, Some(of))
    }

    fn entered(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        self.led_to(ev, of, 0)
    }

    fn operation(&self, ev: &mut Eval<'_>, left: Ty, right: Ty) -> Ty {
        let is_of_class = |ty: &Ty| match ty {
            Ty::Instance(def, _) => is_cpp(ev, def.file),
            Ty::Param(..) => true,
            _ => false,
        };
        if is_of_class(&left) || is_of_class(&right) {
            return Ty::Unknown;
        }
        standard::calculated(left, right)
    }
}

impl Incremental for Family {
    fn follow(&mut self, repo: &Repo, file: FileId, moved: &IndexRemap) -> bool {
        self.names.follow(repo, file, moved);
        self.c.follow(repo, file, moved)
    }

    fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) -> bool {
        self.names.is_of_c() && self.c.renew(repo, news)
    }
}
