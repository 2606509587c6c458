//! The evaluator: it finds what names denote and what types expressions have.
//!
//! One evaluator works on one file and is dropped with it. Its memo therefore depends on that
//! file alone, which keeps results independent of the order in which files are linked.

use crate::expr::PathLookup;
use crate::fuel::Fuel;
pub use crate::fuel::MANY;
use crate::lang::{Called, Container, Lang, Langs, ScopedName};
use crate::repo::{FileId, GlobalDef, Repo, Sym};
use crate::ty::*;
use base::SymbolKind;
use base::facts::*;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Deepest chain of nested questions.
const MAX_DEPTH: u32 = 48;
/// Most questions for one call site.
const FUEL: u32 = 4_000;
/// A call whose callee has more definitions than this is not remembered.
const FEW: usize = 8;
/// A type with more parts than this, written out, counts as unknown.
const MAX_SIZE: usize = 512;
/// Answers with more parts than this count as large.
const LARGE: usize = 8;
/// The most parts of large answers that are remembered for a file, about 60 bytes each. Later large answers are
/// computed again when needed.
const MOST_REMEMBERED: usize = 500_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Query {
    Expr(FileId, ExprId),
    Written(FileId, TypeId),
    Value(GlobalDef),
    Result(GlobalDef),
    Import(FileId, ImportId, Namespace),
    Exported(FileId, Sym, Namespace),
    Param(GlobalDef, u32),
    Order(GlobalDef),
    Callee(FileId, ExprId),
    Seen(FileId, u32, GlobalDef),
    Path(FileId, ExprId, PathLookup),
}

#[derive(Debug, Clone)]
pub(crate) enum QueryResult {
    Ty(Ty),
    Entity(Entity),
    Order(Args),
    Callee(Option<Called>),
    Path(Entity, Option<Ty>),
}

impl QueryResult {
    /// About how many parts it holds in memory.
    fn parts(&self) -> usize {
        let of = |ty: &Ty| match ty.size(MAX_SIZE) {
            Some(size) if size > LARGE => ty.held(),
            Some(size) => size,
            None => MAX_SIZE,
        };
        let one = |entity: &Entity| match entity {
            Entity::Defs(defs) => defs.len() / 4,
            Entity::Value(ty) => of(ty),
            Entity::Unknown | Entity::Module(_) | Entity::External(_) | Entity::Either(_) => 1,
        };
        let entity = |entity: &Entity| entity.alternatives().iter().map(one).sum();
        match self {
            QueryResult::Ty(ty) => of(ty),
            QueryResult::Entity(found) => entity(found),
            QueryResult::Order(order) => order.iter().map(of).sum(),
            QueryResult::Callee(_) => 1,
            QueryResult::Path(found, receiver) => entity(found) + receiver.as_ref().map_or(0, of),
        }
    }
}

/// Evaluates the facts of one file. It reads the facts of other files as needed.
pub struct Eval<'r> {
    /// The repository.
    pub repo: &'r Repo,
    langs: &'r Langs,
    pub(crate) memo: FxHashMap<Query, QueryResult>,
    active: FxHashMap<Query, u32>,
    /// Parts of large answers that are remembered so far.
    remembered: usize,
    pub(crate) depth: u32,
    /// The lowest depth of an unfinished question that the current answer depends on.
    pub(crate) low: u32,
    questions: u32,
    fuel: Rc<Fuel>,
    /// The file whose call sites and references are being linked.
    home: Option<FileId>,
}

impl<'r> Eval<'r> {
    /// An evaluator with an empty memo, to link a file.
    pub fn new(repo: &'r Repo, langs: &'r Langs, file: FileId) -> Eval<'r> {
        Eval {
            repo,
            langs,
            memo: FxHashMap::default(),
            active: FxHashMap::default(),
            remembered: 0,
            depth: 0,
            low: u32::MAX,
            questions: FUEL,
            fuel: Fuel::for_file(repo.facts(file), &repo.cancel, &repo.time),
            home: None,
        }
    }

    /// The semantics of the language of a file.
    pub fn lang_of_file(&self, file: FileId) -> &'r dyn Lang {
        self.langs.for_language(self.repo.language(file))
    }

    /// The semantics of a language's family.
    pub fn lang_of_family(&self, family: base::Language) -> &'r dyn Lang {
        self.langs.for_language(family)
    }

    /// Starts anew with the budget of one site of a file.
    pub fn begin_site(&mut self, file: FileId) {
        (self.questions, self.home) = (FUEL, Some(file));
        self.fuel.begin_site();
    }

    /// The file whose sites are being linked; none while tables are being built.
    pub fn current_file(&self) -> Option<FileId> {
        self.home
    }

    /// Whether the steps allowed for this site ran out.
    pub fn is_out_of_fuel(&self) -> bool {
        self.fuel.ran_out()
    }

    /// Whether the sites of the file have used up their computing time. What is linked afterwards is discarded.
    pub fn is_late(&self) -> bool {
        self.fuel.is_late()
    }

    /// The counter of steps.
    pub fn fuel(&self) -> &Rc<Fuel> {
        &self.fuel
    }

    /// All steps taken so far.
    pub fn spent_steps(&self) -> u64 {
        self.fuel.spent_steps()
    }

    /// Takes `steps` steps; false if fewer are left. The current question then has no answer, and none is remembered.
    pub fn spend(&mut self, steps: usize) -> bool {
        let goes_on = self.fuel.spend(steps);
        if !goes_on {
            self.low = 0;
        }
        goes_on
    }

    /// Takes the steps for going through `count` definitions that share a name; false if that is too many. Call it
    /// before collecting them.
    pub fn spend_on_namesakes(&mut self, count: usize) -> bool {
        let cuts = self.fuel.cut_count();
        let goes_on = self.fuel.spend_on_namesakes(count);
        if self.fuel.cut_count() > cuts {
            self.low = 0;
        }
        goes_on
    }

    /// Runs `f`, which may recurse without asking a question, within the limits of depth and steps.
    pub fn guard_recursion<T: Default>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        if !self.fuel.enter_level() {
            self.low = 0;
            return T::default();
        }
        let found = f(self);
        self.fuel.leave_level();
        found
    }

    /// Answers a question once. A question that depends on itself is unknown at that point. An answer that depends on
    /// such a cut is remembered only for the question that caused it, so that the memo does not depend on where
    /// evaluation started.
    fn memoize(
        &mut self,
        question: Query,
        none: QueryResult,
        f: impl FnOnce(&mut Self) -> QueryResult,
    ) -> QueryResult {
        if let Some(known) = self.memo.get(&question) {
            return known.clone();
        }
        if let Some(depth) = self.active.get(&question) {
            self.low = self.low.min(*depth);
            return none;
        }
        if self.depth >= MAX_DEPTH || self.questions == 0 || !self.fuel.spend(1) {
            self.fuel.record_cut();
            self.low = 0;
            return none;
        }
        self.questions -= 1;
        self.depth += 1;
        let depth = self.depth;
        self.active.insert(question, depth);
        let outer = std::mem::replace(&mut self.low, u32::MAX);
        let cuts = self.fuel.cut_count();
        let answer = f(self);
        self.active.remove(&question);
        self.depth -= 1;
        if self.fuel.cut_count() > cuts {
            self.low = 0;
        }
        if self.low >= depth {
            self.remember(question, &answer);
            self.low = outer;
        } else {
            self.low = self.low.min(outer);
        }
        answer
    }

    /// Remembers an answer, unless large answers have used up the file's room for them.
    pub(crate) fn remember(&mut self, question: Query, answer: &QueryResult) {
        let parts = answer.parts();
        if parts > LARGE {
            if self.remembered + parts > MOST_REMEMBERED {
                return;
            }
            self.remembered += parts;
        }
        self.memo.insert(question, answer.clone());
    }

    pub(crate) fn memoize_type(&mut self, question: Query, f: impl FnOnce(&mut Self) -> Ty) -> Ty {
        let answer = self.memoize(question, QueryResult::Ty(Ty::Unknown), |ev| {
            let ty = f(ev);
            if ty.size(MAX_SIZE).is_some() {
                QueryResult::Ty(ty)
            } else {
                ev.fuel.record_too_large();
                QueryResult::Ty(Ty::Unknown)
            }
        });
        match answer {
            QueryResult::Ty(ty) => ty,
            _ => Ty::Unknown,
        }
    }

    fn memoize_entity(&mut self, question: Query, f: impl FnOnce(&mut Self) -> Entity) -> Entity {
        match self.memoize(question, QueryResult::Entity(Entity::Unknown), |ev| {
            QueryResult::Entity(f(ev))
        }) {
            QueryResult::Entity(entity) => entity,
            _ => Entity::Unknown,
        }
    }

    /// The order in which a definition and its supertypes are searched, in terms of its own type parameters.
    pub fn linearize_definition(&mut self, def: GlobalDef) -> Args {
        let answer = self.memoize(Query::Order(def), QueryResult::Order(no_args()), |ev| {
            let lang = ev.lang_of_file(def.file);
            let own = ev.identity_instance(def);
            QueryResult::Order(lang.linearization(ev, &own).into())
        });
        match answer {
            QueryResult::Order(order) if !order.is_empty() => order,
            _ => Args::from([self.identity_instance(def)]),
        }
    }

    /// The callee of a call by the language's own rule: see [`crate::lang::Calls::visit_callee`].
    pub fn resolve_callee_by_lang(&mut self, file: FileId, call: ExprId) -> Option<Called> {
        let none = QueryResult::Callee(None);
        let answer = self.memoize(Query::Callee(file, call), none, |ev| {
            let view = ev.call_view(file, call);
            QueryResult::Callee(ev.lang_of_file(file).visit_callee(ev, view))
        });
        // A long answer is computed again, not kept for each call.
        if let QueryResult::Callee(Some(Called::Ambiguous(defs, _))) = &answer
            && defs.len() > FEW
        {
            self.memo.remove(&Query::Callee(file, call));
        }
        match answer {
            QueryResult::Callee(called) => called,
            _ => None,
        }
    }

    /// Whether a numbered part of a file sees a definition, as computed by `find`.
    pub fn memoize_visibility(
        &mut self,
        file: FileId,
        part: u32,
        def: GlobalDef,
        find: impl FnOnce(&mut Self) -> bool,
    ) -> bool {
        let seen = self.memoize_entity(Query::Seen(file, part, def), |ev| {
            if find(ev) {
                Entity::def(def)
            } else {
                Entity::Unknown
            }
        });
        !seen.is_unknown()
    }

    // ---- names ----

    /// The entity that a name denotes at a place in a file.
    pub fn resolve_name(
        &mut self,
        file: FileId,
        name: NameId,
        scope: ScopeId,
        at: u32,
        namespace: Namespace,
    ) -> Entity {
        let lang = self.lang_of_file(file);
        if let Some((found, _)) = lang.lexical(self, file, name, scope, at, namespace) {
            return found;
        }
        let through = lang.through_classes();
        if let Some(binding) = self.repo.lookup(file, name, scope, at, namespace, through) {
            let (to, home) = (binding.to, binding.scope);
            return self.resolve_binding(file, name, home, to, namespace);
        }
        if lang.implicit_this() && namespace == Namespace::VALUE {
            let found = self.resolve_implicit_member(file, name, scope);
            if !found.is_unknown() {
                return found;
            }
        }
        lang.free_name(self, file, name, scope, namespace)
    }

    /// The entity that a binding denotes.
    pub fn resolve_binding(
        &mut self,
        file: FileId,
        name: NameId,
        scope: ScopeId,
        to: Bound,
        namespace: Namespace,
    ) -> Entity {
        if matches!(to, Bound::Def(_) | Bound::Import(_)) {
            let count = self.repo.bindings_named(file, scope, name).len();
            if !self.spend_on_namesakes(count) {
                return Entity::Unknown;
            }
            let lang = self.lang_of_file(file);
            if count > 1
                && let Some(found) =
                    lang.bound_often(self, ScopedName { file, scope, name }, namespace)
            {
                return found;
            }
        }
        match to {
            Bound::Def(def) => {
                let mut defs = self.defs_bound_to(file, name, scope, namespace);
                // The definition that is visible here stands first.
                if let Some(at) = defs.iter().position(|d| d.def == def) {
                    defs[..=at].rotate_right(1);
                }
                Entity::defs(defs)
            }
            Bound::Import(import) => self.resolve_import(file, import, namespace),
            Bound::Either(choice) => self.resolve_choice(file, name, scope, choice, namespace),
            Bound::Local {
                ty: Some(ty),
                value,
            } => {
                let mut written = self.lower_type(file, ty);
                if let (Ty::ExternalInstance(..), Some(value)) = (&written, value) {
                    written = self
                        .lang_of_file(file)
                        .completed(self, written, (file, value));
                }
                // The assigned value says which part of a union the variable is.
                if written.is_unknown() || matches!(written, Ty::Union(_)) {
                    let value = value.map_or(Ty::Unknown, |value| self.type_of_expr(file, value));
                    let inside = value
                        .alternatives()
                        .iter()
                        .all(|p| written.alternatives().contains(p));
                    if written.is_unknown() || inside {
                        return Entity::Value(value);
                    }
                }
                Entity::Value(written)
            }
            Bound::Local {
                value: Some(value), ..
            } => Entity::Value(self.type_of_expr(file, value)),
            Bound::Local { .. } => Entity::Value(Ty::Unknown),
            Bound::Param(def, n) => Entity::Value(self.type_of_param(GlobalDef { file, def }, n)),
            Bound::TypeParam(def, n) => {
                let lang = self.lang_of_file(file);
                Entity::Value(lang.type_param(self, GlobalDef { file, def }, n))
            }
        }
    }

    /// All definitions that a scope binds to a name. Overloads and merged declarations count together; otherwise the
    /// last definition counts, and stands first in the result.
    fn defs_bound_to(
        &self,
        file: FileId,
        name: NameId,
        scope: ScopeId,
        namespace: Namespace,
    ) -> Vec<GlobalDef> {
        self.repo
            .bindings_named(file, scope, name)
            .rev()
            .filter(|b| b.namespace.intersects(namespace))
            .filter_map(|b| match b.to {
                Bound::Def(def) => Some(GlobalDef { file, def }),
                _ => None,
            })
            .collect()
    }

    /// The entity that an import binds in a namespace.
    pub fn resolve_import(
        &mut self,
        file: FileId,
        import: ImportId,
        namespace: Namespace,
    ) -> Entity {
        self.memoize_entity(Query::Import(file, import, namespace), |ev| {
            let lang = ev.lang_of_file(file);
            lang.import(ev, file, import, namespace)
        })
    }

    /// The export of a module under a name, as computed by `find`. Modules may re-export names in cycles.
    pub fn memoize_export(
        &mut self,
        file: FileId,
        name: Sym,
        namespace: Namespace,
        find: impl FnOnce(&mut Self) -> Entity,
    ) -> Entity {
        self.memoize_entity(Query::Exported(file, name, namespace), find)
    }

    fn resolve_implicit_member(&mut self, file: FileId, name: NameId, scope: ScopeId) -> Entity {
        let text = self.repo.facts(file).name(name).to_owned();
        let mut next = Some(scope);
        while let Some(id) = next {
            let here = self.repo.facts(file).scope(id).clone();
            if let (ScopeKind::Class, Some(owner)) = (here.kind, here.owner) {
                let class = self.self_type(GlobalDef { file, def: owner });
                let found = self.resolve_member(&class, &text).0;
                if !found.is_unknown() {
                    return found;
                }
            }
            next = here.parent;
        }
        Entity::Unknown
    }

    /// The entity that a written type denotes: the class itself, not a value of it.
    pub fn entity_of_type(&mut self, file: FileId, ty: TypeId) -> Entity {
        match self.lower_type(file, ty) {
            Ty::Instance(def, args) => Entity::Value(Ty::Class(def, args)),
            Ty::ExternalInstance(external, _) => Entity::External(external),
            other => Entity::Value(other),
        }
    }

    /// A member of what a path denotes so far. `receiver` is the object that `entity` was taken from.
    pub fn resolve_entity_member(
        &mut self,
        file: FileId,
        entity: Entity,
        receiver: Option<&Ty>,
        name: &str,
        namespace: Namespace,
    ) -> (Entity, Option<Ty>) {
        match entity {
            Entity::Module(module) => {
                let lang = self.lang_of_family(module.family);
                (
                    lang.module_member(self, module.index, name, namespace),
                    None,
                )
            }
            Entity::External(external) => {
                let object = Ty::External(external);
                let lang = self.lang_of_file(file);
                match lang.outside_member(self, file, &object, name) {
                    Some(found) => (found, Some(object)),
                    None => (self.resolve_member(&object, name).0, Some(object)),
                }
            }
            Entity::Unknown => (Entity::Unknown, Some(Ty::Unknown)),
            Entity::Either(parts) => {
                let find = |ev: &mut Self, part: &Entity| {
                    ev.resolve_entity_member(file, part.clone(), receiver, name, namespace)
                };
                self.member_of_any(&parts, find)
            }
            other => {
                let object = self.type_of_entity(&other, receiver);
                if let Ty::Module(module) = object {
                    let lang = self.lang_of_family(module.family);
                    let found = lang.module_member(self, module.index, name, namespace);
                    return (found, None);
                }
                if matches!(
                    object,
                    Ty::ExternalInstance(..) | Ty::Tuple(_) | Ty::Callable(..)
                ) {
                    let lang = self.lang_of_file(file);
                    if let Some(found) = lang.outside_member(self, file, &object, name) {
                        return (found, Some(object));
                    }
                }
                let (found, owner) = self.resolve_member(&object, name);
                (found, Some(owner.unwrap_or(object)))
            }
        }
    }

    /// The type of what is denoted, used as a value. `receiver` is the object it was taken from.
    pub fn type_of_entity(&mut self, entity: &Entity, receiver: Option<&Ty>) -> Ty {
        match entity {
            Entity::Either(parts) => {
                self.type_of_any(parts, |ev, part| ev.type_of_entity(part, receiver))
            }
            Entity::Unknown => Ty::Unknown,
            Entity::Module(module) => Ty::Module(*module),
            Entity::External(external) => Ty::External(external.clone()),
            Entity::Value(ty) => ty.clone(),
            Entity::Defs(defs) => self.type_of_defs(defs, receiver),
        }
    }

    fn type_of_defs(&mut self, defs: &Arc<[GlobalDef]>, receiver: Option<&Ty>) -> Ty {
        let Some(first) = defs.first().copied() else {
            return Ty::Unknown;
        };
        if self.are_fields_of_union_parts(defs) {
            let each = defs.iter().map(|def| {
                let one = Arc::from([*def]);
                self.type_of_defs(&one, receiver)
            });
            let each: Vec<Ty> = each.collect();
            return Ty::union(each);
        }
        let value = self.type_of_def(first);
        let def = self.repo.def(first);
        let raw = match value {
            Ty::Function(..) if def.flags.has(DefFlags::GETTER) => {
                let result = self.result_type(first);
                return self.substitute(&result, receiver);
            }
            Ty::Function(ref one, _) if one.len() == 1 && one[0] == first => {
                let functions: Vec<GlobalDef> = defs
                    .iter()
                    .copied()
                    .filter(|d| self.repo.def(*d).kind.is_callable())
                    .collect();
                return Ty::Function(functions.into(), receiver.cloned().map(Arc::new));
            }
            other => match receiver {
                Some(receiver) => {
                    let lang = self.lang_of_file(first.file);
                    lang.attribute(self, first, other, receiver)
                }
                None => other,
            },
        };
        self.substitute(&raw, receiver)
    }

    // ---- definitions ----

    /// The type of a definition as a value: a class itself, a function, or the value of a variable.
    pub fn type_of_def(&mut self, def: GlobalDef) -> Ty {
        self.memoize_type(Query::Value(def), |ev| ev.infer_def(def))
    }

    fn infer_def(&mut self, id: GlobalDef) -> Ty {
        let lang = self.lang_of_file(id.file);
        if let Some(ty) = lang.decorated(self, id) {
            return ty;
        }
        let def = self.repo.def(id);
        match def.kind {
            kind if kind.is_type() => Ty::Class(id, no_args()),
            kind if kind.is_callable() => Ty::Function(Arc::from([id]), None),
            SymbolKind::TypeAlias if lang.defines_type(self, id) => Ty::Class(id, no_args()),
            // An associated type that has only a bound.
            SymbolKind::TypeAlias if def.ty.is_none() => Ty::Class(id, no_args()),
            SymbolKind::TypeAlias => match def.ty.map(|ty| self.lower_type(id.file, ty)) {
                Some(Ty::Instance(class, args)) => Ty::Class(class, args),
                Some(Ty::ExternalInstance(external, _)) => Ty::External(external),
                _ => Ty::Unknown,
            },
            SymbolKind::EnumMember => lang.untyped(self, id),
            _ => self.infer_variable(id),
        }
    }

    fn infer_variable(&mut self, id: GlobalDef) -> Ty {
        let def = self.repo.def(id);
        if let Some(ty) = def.ty {
            let written = self.lower_type(id.file, ty);
            if !written.is_unknown() {
                return written;
            }
        }
        let value = def
            .value
            .map(|value| self.type_of_expr(id.file, value))
            .unwrap_or_default();
        value.or_else(|| {
            let lang = self.lang_of_file(id.file);
            lang.untyped(self, id)
        })
    }

    /// The type of `self` inside a class, trait or impl.
    pub fn self_type(&mut self, id: GlobalDef) -> Ty {
        let def = self.repo.def(id);
        match def.kind {
            SymbolKind::Impl => def
                .ty
                .map(|ty| self.lower_type(id.file, ty))
                .unwrap_or_default(),
            _ => Ty::Param(self.lang_of_file(id.file).whole(id), SELF),
        }
    }

    /// An instance of a definition with its own parameters as arguments.
    pub fn identity_instance(&self, id: GlobalDef) -> Ty {
        let id = self.lang_of_file(id.file).whole(id);
        let count = self.repo.def(id).type_params.len() as u32;
        Ty::Instance(id, (0..count).map(|n| Ty::Param(id, n)).collect())
    }

    /// The type of a parameter inside its function.
    pub fn type_of_param(&mut self, function: GlobalDef, n: u32) -> Ty {
        self.memoize_type(Query::Param(function, n), |ev| ev.infer_param(function, n))
    }

    fn infer_param(&mut self, function: GlobalDef, n: u32) -> Ty {
        let def = self.repo.def(function);
        let Some(callable) = def.callable.as_deref() else {
            return Ty::Unknown;
        };
        let Some(param) = callable.params.get(n as usize) else {
            return Ty::Unknown;
        };
        if let Some(ty) = param.ty {
            let element = self.lower_type(function.file, ty);
            if !element.is_unknown() || !self.has_types_in_comments(function.file) {
                return self.rest_param_type(function, param.kind, element);
            }
        }
        if param.kind == ParamKind::Receiver {
            return self.receiver_type(function);
        }
        let lang = self.lang_of_file(function.file);
        let declared = lang.declared_param(self, function, n);
        if !declared.is_unknown() {
            return declared;
        }
        if let Some(expected) = def.ty {
            let expected = self.lower_type(function.file, expected);
            let found = self.callable_param_type(function.file, &expected, n);
            if !found.is_unknown() {
                return found;
            }
        }
        if let Some((call, arg)) = callable.argument_of {
            let position = callable.params[..n as usize]
                .iter()
                .filter(|p| p.kind != ParamKind::Receiver)
                .count() as u32;
            let found = self.infer_callback_param(function.file, call, arg, position);
            if !found.is_unknown() {
                return found;
            }
        } else {
            let lang = self.lang_of_file(function.file);
            let context = lang.context(self, function);
            let found = self.callable_param_type(function.file, &context, n);
            if !found.is_unknown() {
                return found;
            }
        }
        let default = param
            .default
            .map(|d| self.type_of_expr(function.file, d))
            .unwrap_or_default();
        if default == Ty::Null {
            Ty::Unknown
        } else {
            default
        }
    }

    /// Whether the language writes types in comments. There, an unknown written type excludes nothing.
    fn has_types_in_comments(&self, file: FileId) -> bool {
        let language = self.repo.language(file);
        language.profile().modules.types_in_comments
    }

    fn rest_param_type(&mut self, function: GlobalDef, kind: ParamKind, element: Ty) -> Ty {
        let lang = self.lang_of_file(function.file);
        match kind {
            ParamKind::Variadic => lang.container(Container::List, vec![element]),
            ParamKind::Keywords => lang.container(
                Container::Map,
                vec![lang.primitive(Primitive::String), element],
            ),
            _ => element,
        }
    }

    fn receiver_type(&mut self, function: GlobalDef) -> Ty {
        let def = self.repo.def(function);
        let Some(parent) = def.parent else {
            return Ty::Unknown;
        };
        let class = GlobalDef {
            file: function.file,
            def: parent,
        };
        match self.self_type(class) {
            Ty::Param(class, SELF) if def.flags.has(DefFlags::CLASS_METHOD) => {
                Ty::Class(class, no_args())
            }
            other => other,
        }
    }

    /// The written or inferred result of a function, in terms of its own type parameters.
    pub fn result_type(&mut self, function: GlobalDef) -> Ty {
        self.memoize_type(Query::Result(function), |ev| ev.infer_result(function))
    }

    /// The result type of a function for these parameter types. Answers found on the way hold for these types alone, so
    /// they are not remembered.
    pub fn result_with_params(&mut self, function: GlobalDef, params: &[Ty]) -> Ty {
        let given = params.iter().zip(0..);
        let memo = given.map(|(ty, n)| (Query::Param(function, n), QueryResult::Ty(ty.clone())));
        let outer = std::mem::replace(&mut self.memo, memo.collect());
        let remembered = self.remembered;
        let result = self.guard_recursion(|ev| ev.result_type(function));
        (self.memo, self.remembered) = (outer, remembered);
        result
    }

    fn infer_result(&mut self, function: GlobalDef) -> Ty {
        let def = self.repo.def(function);
        let lang = self.lang_of_file(function.file);
        let Some(callable) = def.callable.as_deref() else {
            return Ty::Unknown;
        };
        if let Some(ret) = callable.ret {
            let written = self.lower_type(function.file, ret);
            if !written.is_unknown() || !self.has_types_in_comments(function.file) {
                return if def.flags.has(DefFlags::ASYNC) {
                    lang.promised(written)
                } else {
                    written
                };
            }
        }
        let declared = lang.declared_result(self, function);
        if !declared.is_unknown() {
            return declared;
        }
        if def.flags.has(DefFlags::GENERATOR) {
            let parts: Vec<Ty> = callable
                .yields
                .iter()
                .map(|e| self.type_of_expr(function.file, *e))
                .collect();
            return lang.generated(Ty::union(parts));
        }
        let parts: Vec<Ty> = callable
            .returns
            .iter()
            .map(|e| self.type_of_expr(function.file, *e))
            .collect();
        let mut inferred = Ty::union(parts);
        // A class method that returns an instance of its own class returns one of the class that it is called on.
        if let (true, Some(parent)) = (def.flags.has(DefFlags::CLASS_METHOD), def.parent) {
            let class = GlobalDef {
                file: function.file,
                def: parent,
            };
            if matches!(inferred, Ty::Instance(made, _) if made == class) {
                inferred = Ty::Param(class, SELF);
            }
        }
        if def.flags.has(DefFlags::ASYNC) {
            lang.promised(inferred)
        } else {
            inferred
        }
    }

    // ---- written types ----

    /// A written type as the type of a value.
    pub fn lower_type(&mut self, file: FileId, ty: TypeId) -> Ty {
        self.memoize_type(Query::Written(file, ty), |ev| {
            ev.lower_type_uncached(file, ty)
        })
    }

    /// Several written types as the types of values.
    pub fn lower_types(&mut self, file: FileId, types: &[TypeId]) -> Vec<Ty> {
        types.iter().map(|ty| self.lower_type(file, *ty)).collect()
    }

    fn lower_type_uncached(&mut self, file: FileId, ty: TypeId) -> Ty {
        let lang = self.lang_of_file(file);
        if let Some(found) = lang.written_type(self, (file, ty)) {
            return found;
        }
        let facts = self.repo.facts(file);
        match facts.ty(ty) {
            TypeExpr::Unknown => Ty::Unknown,
            TypeExpr::Named {
                path,
                args,
                scope,
                at,
            } => {
                let args = self.lower_types(file, args);
                let entity = self.resolve_type_path(file, path, *scope, *at);
                self.instance_of_entity(file, &entity, args)
            }
            TypeExpr::Primitive(primitive) => lang.primitive(*primitive),
            TypeExpr::Array(inner) => {
                let inner = self.lower_type(file, *inner);
                lang.container(Container::List, vec![inner])
            }
            TypeExpr::Map(key, value) => {
                let args = self.lower_types(file, &[*key, *value]);
                lang.container(Container::Map, args)
            }
            TypeExpr::Channel(inner) => {
                let inner = self.lower_type(file, *inner);
                lang.container(Container::Channel, vec![inner])
            }
            TypeExpr::Optional(inner)
            | TypeExpr::Reference(inner)
            | TypeExpr::Binding(_, inner) => self.lower_type(file, *inner),
            TypeExpr::Union(parts) | TypeExpr::All(parts) => {
                let parts = self.lower_types(file, parts);
                Ty::union(parts)
            }
            TypeExpr::Tuple(parts) => Ty::Tuple(self.lower_types(file, parts).into()),
            TypeExpr::Function { params, ret } => {
                let params = self.lower_types(file, params);
                let ret = ret
                    .map(|ret| self.lower_type(file, ret))
                    .unwrap_or_default();
                Ty::Callable(params.into(), Arc::new(ret))
            }
            TypeExpr::SelfType(def) => self.self_type(GlobalDef { file, def: *def }),
            TypeExpr::TypeOf(expr) => self.type_of_expr(file, *expr),
            TypeExpr::Anonymous(def) => Ty::instance(GlobalDef { file, def: *def }),
            TypeExpr::Projection(of, name) => {
                let of = self.lower_type(file, *of);
                let name = facts.name(*name);
                let (member, owner) = self.resolve_member(&of, name);
                // A field has its type; a member that is itself a type denotes that type.
                let value = match &member {
                    Entity::Defs(defs) if !self.is_type_def(defs[0]) => {
                        return self.type_of_entity(&member, owner.as_ref());
                    }
                    _ => self.instance_of_entity(file, &member, Vec::new()),
                };
                self.substitute(&value, owner.as_ref())
            }
        }
    }

    /// The entity that the path of a written type denotes.
    pub fn resolve_type_path(
        &mut self,
        file: FileId,
        path: &[NameId],
        scope: ScopeId,
        at: u32,
    ) -> Entity {
        let facts = self.repo.facts(file);
        let Some((first, rest)) = path.split_first() else {
            return Entity::Unknown;
        };
        let mut entity = self.resolve_name(file, *first, scope, at, Namespace::TYPE);
        for segment in rest {
            if !self.spend(1) {
                return Entity::Unknown;
            }
            let name = facts.name(*segment);
            entity = self
                .resolve_entity_member(file, entity, None, name, Namespace::TYPE)
                .0;
        }
        entity
    }
}
