//! Callees: methods, objects with `apply`, constructors, further parameter lists.

use super::lookup::Denoted;
use super::{Scala, is_object, stdlib};
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::{CallView, Called};
use linker::repo::{FileId, GlobalDef};
use linker::ty::*;
use std::sync::Arc;

/// Longest chain of parameter lists, and of objects that are looked through for a scope.
const MAX_CHAIN: usize = 64;

/// A method whose first parameter lists have arguments.
pub(super) struct Applied {
    pub(super) method: GlobalDef,
    pub(super) receiver: Option<Ty>,
    /// The calls with arguments, one for each list, the first first.
    pub(super) calls: Vec<ExprId>,
}

impl Scala {
    /// What a call or mention calls.
    pub(super) fn called(&self, ev: &mut Eval<'_>, call: CallView<'_>) -> Called {
        match ev.repo.facts(call.file).expr(call.expr) {
            Expr::Bare(path) => self.mentioned_path(ev, call.file, *path),
            Expr::Call { callee, .. } => self.called_path(ev, *callee, call),
            _ => Called::default(),
        }
    }

    /// What a path denotes, through members of types and conversions.
    pub(super) fn resolve_path(&self, ev: &mut Eval<'_>, file: FileId, path: ExprId) -> Denoted {
        let facts = ev.repo.facts(file);
        match facts.expr(path) {
            Expr::Name { name, scope, at } => {
                self.lookup(ev, file, *name, *scope, *at, Namespace::VALUE)
            }
            Expr::Member { object, name } => {
                let text = facts.name(*name);
                let of = ev.type_of_expr(file, *object);
                let mut found = self.member_of_type(ev, &of, text, Namespace::VALUE);
                if found.0.is_unknown() && text == "unapply" {
                    found = self.member_of_type(ev, &of, "unapplySeq", Namespace::VALUE);
                }
                if self.is_settled(&found, &of, text) {
                    return found;
                }
                if let Some(extended) = self.extended(ev, (file, path), &of, text) {
                    return extended;
                }
                match self.operator_behind_assignment(ev, (file, path), &of, text) {
                    Some(better) if found.0.is_unknown() => better,
                    _ => found,
                }
            }
            _ => (Entity::Value(ev.type_of_expr(file, path)), None),
        }
    }

    /// Whether a member was found, so that no conversion is looked for.
    fn is_settled(&self, found: &Denoted, object: &Ty, name: &str) -> bool {
        match &found.0 {
            Entity::Unknown => {
                object.is_unknown() || matches!(object, Ty::Module(_) | Ty::Class(..))
            }
            Entity::External(_) => match object {
                Ty::ExternalInstance(of, _) => stdlib::has_member(of, name),
                Ty::Tuple(_) | Ty::Callable(..) | Ty::Instance(..) => stdlib::is_universal(name),
                _ => true,
            },
            _ => true,
        }
    }

    /// `a += b` where `a` has `+` but no `+=`.
    fn operator_behind_assignment(
        &self,
        ev: &mut Eval<'_>,
        at: (FileId, ExprId),
        object: &Ty,
        name: &str,
    ) -> Option<Denoted> {
        let operator = name.strip_suffix('=')?;
        if operator.is_empty() || operator.contains(|c: char| c.is_alphanumeric() || c == '_') {
            return None;
        }
        let found = self.member_of_type(ev, object, operator, Namespace::VALUE);
        if !found.0.is_unknown() {
            return Some(found);
        }
        self.extended(ev, at, object, operator)
    }

    /// The scope in which an expression stands, as far as a name in it shows.
    pub(super) fn scope_of(&self, ev: &Eval<'_>, file: FileId, expr: ExprId) -> (ScopeId, u32) {
        let facts = ev.repo.facts(file);
        let mut next = expr;
        for _ in 0..MAX_CHAIN {
            next = match facts.expr(next) {
                Expr::Name { scope, at, .. } => return (*scope, *at),
                Expr::Member { object, .. } => *object,
                Expr::Bare(inner) => *inner,
                Expr::Call { callee, .. } => *callee,
                Expr::New { class, .. } => *class,
                Expr::Type(ty) | Expr::Cast(_, ty) => match facts.ty(*ty) {
                    TypeExpr::Named { scope, at, .. } => return (*scope, *at),
                    _ => return (FILE_SCOPE, u32::MAX),
                },
                Expr::Function(def) => return (facts.def(*def).scope, u32::MAX),
                Expr::This(def) => {
                    let body = facts.def(*def).body;
                    return (body.unwrap_or(FILE_SCOPE), u32::MAX);
                }
                Expr::Tuple(parts) | Expr::Either(parts) if !parts.is_empty() => parts[0],
                _ => return (FILE_SCOPE, u32::MAX),
            };
        }
        (FILE_SCOPE, u32::MAX)
    }

    /// A name or member without arguments.
    fn mentioned_path(&self, ev: &mut Eval<'_>, file: FileId, path: ExprId) -> Called {
        let (entity, receiver) = self.resolve_path(ev, file, path);
        match &entity {
            Entity::Defs(defs) if is_method(ev, defs) => {
                let without: Vec<GlobalDef> = defs
                    .iter()
                    .copied()
                    .filter(|d| !ev.takes_arguments(*d))
                    .collect();
                match without.first() {
                    Some(first) => Called::Found(Entity::def(*first), receiver),
                    None => Called::Found(entity, receiver),
                }
            }
            Entity::Unknown => Called::Found(entity, receiver),
            Entity::External(external) => {
                let last = external.symbol.rsplit('.').next().unwrap_or_default();
                if receiver.is_none() && !last.starts_with(char::is_lowercase) {
                    return Called::Value(Ty::External(external.clone()));
                }
                Called::Found(entity, receiver)
            }
            _ => Called::Value(ev.type_of_entity(&entity, receiver.as_ref())),
        }
    }

    /// The callee of a call with arguments.
    fn called_path(&self, ev: &mut Eval<'_>, callee: ExprId, call: CallView<'_>) -> Called {
        let file = call.file;
        match ev.repo.facts(file).expr(callee) {
            Expr::Name { .. } | Expr::Member { .. } => {
                let found = self.resolve_path(ev, file, callee);
                self.called_entity(ev, found, call)
            }
            Expr::This(def) => {
                let class = GlobalDef { file, def: *def };
                let this = ev.identity_instance(class);
                let apply = self.member_of_type(ev, &this, "apply", Namespace::VALUE);
                match apply.0 {
                    Entity::Defs(_) => Called::Found(apply.0, apply.1),
                    _ => Called::Found(Entity::defs(self.constructors(ev, class, call)), None),
                }
            }
            Expr::Call { .. } => self.called_again(ev, callee, call),
            _ => {
                let of = ev.type_of_expr(file, callee);
                self.applied_value(ev, of, call)
            }
        }
    }

    fn called_entity(&self, ev: &mut Eval<'_>, found: Denoted, call: CallView<'_>) -> Called {
        let (entity, receiver) = found;
        match &entity {
            Entity::Defs(defs) if is_method(ev, defs) => {
                let methods: Vec<GlobalDef> = defs
                    .iter()
                    .copied()
                    .filter(|d| ev.repo.def(*d).callable.is_some())
                    .collect();
                let by_name = |d: &GlobalDef| is_by_name_alone(ev, *d);
                if !call.args.is_empty() && methods.iter().all(by_name) {
                    // The arguments go to `apply` of the result.
                    let result = ev.function_result(methods[0], receiver.as_ref(), call, &[]);
                    return match self.applied_value(ev, result, call) {
                        Called::Found(Entity::Defs(apply), of) => {
                            let mut all = apply.to_vec();
                            all.push(methods[0]);
                            Called::Found(Entity::defs(all), of)
                        }
                        Called::Found(Entity::Unknown, _) => {
                            Called::Found(Entity::def(methods[0]), Some(Ty::Unknown))
                        }
                        other => other,
                    };
                }
                let chosen = self.choose_overload(ev, &methods, call);
                match chosen[..] {
                    [one] => Called::Found(Entity::def(one), receiver),
                    [] => Called::Found(Entity::Unknown, receiver),
                    _ => Called::Ambiguous(chosen, receiver),
                }
            }
            Entity::Defs(defs) => {
                let first = defs[0];
                let def = ev.repo.def(first);
                if def.kind.is_type() && !is_object(def) || def.kind == SymbolKind::EnumMember {
                    return self.made_by_call(first, receiver);
                }
                let value = ev.type_of_entity(&entity, receiver.as_ref());
                self.applied_value(ev, value, call)
            }
            Entity::Value(ty) => self.applied_value(ev, ty.clone(), call),
            _ => Called::Found(entity, receiver),
        }
    }

    /// A class or enum case that is called to make an instance.
    fn made_by_call(&self, class: GlobalDef, receiver: Option<Ty>) -> Called {
        Called::Found(Entity::def(class), receiver)
    }

    /// `apply` of a value.
    fn applied_value(&self, ev: &mut Eval<'_>, of: Ty, call: CallView<'_>) -> Called {
        let of = match of {
            Ty::Param(_, SELF) => of,
            other => ev.resolve_type_param(&other),
        };
        match &of {
            Ty::Unknown | Ty::Null => Called::Found(Entity::Unknown, Some(Ty::Unknown)),
            Ty::Callable(..) => Called::Found(Entity::Value(of), None),
            Ty::Function(defs, on) => {
                // A method that a variable holds: its parameters and its result count.
                let result = match defs[..] {
                    [one] => ev.function_result(one, on.as_deref(), call, &[]),
                    _ => Ty::Unknown,
                };
                let shape = Ty::Callable(no_args(), Arc::new(result));
                Called::Found(Entity::Value(shape), None)
            }
            Ty::Class(class, _) => self.made_by_call(*class, None),
            Ty::External(external) => Called::Found(Entity::External(external.clone()), None),
            Ty::Tuple(_) | Ty::Module(_) => Called::Found(Entity::Unknown, Some(of)),
            _ => match self.member_of_type(ev, &of, "apply", Namespace::VALUE) {
                (Entity::Defs(defs), receiver) => {
                    let defs = self.with_made_apply(ev, &of, defs);
                    let found = (Entity::Defs(defs.clone()), receiver);
                    if is_method(ev, &defs) || ev.repo.def(defs[0]).kind.is_type() {
                        self.called_entity(ev, found, call)
                    } else {
                        Called::Found(Entity::Unknown, Some(of))
                    }
                }
                (entity @ Entity::External(_), receiver) => Called::Found(entity, receiver),
                _ => Called::Found(Entity::Unknown, Some(of)),
            },
        }
    }

    /// The `apply` methods of an object, with the one that the compiler makes for a case class beside it.
    fn with_made_apply(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        defs: Arc<[GlobalDef]>,
    ) -> Arc<[GlobalDef]> {
        let Ty::Instance(object, _) = object else {
            return defs;
        };
        if !is_object(ev.repo.def(*object)) || !is_method(ev, &defs) {
            return defs;
        }
        let Some(class) = self.companion(ev, *object) else {
            return defs;
        };
        if !ev.repo.def(class).flags.has(DefFlags::CASE)
            || defs.iter().any(|d| self.have_one_shape(ev, *d, class))
        {
            return defs;
        }
        let mut all = defs.to_vec();
        all.push(class);
        all.into()
    }

    /// `f(a)(b)`: the next parameter list of a method, or `apply` of its result.
    fn called_again(&self, ev: &mut Eval<'_>, inner: ExprId, call: CallView<'_>) -> Called {
        let file = call.file;
        if let Some(mut applied) = self.applied(ev, file, inner) {
            let lists = list_count(ev, applied.method);
            if applied.calls.len() < lists {
                applied.calls.push(call.expr);
                return Called::Value(self.result_of_lists(ev, file, &applied));
            }
        }
        if let Some(result) = self.platform_continued(ev, inner, call) {
            return Called::Value(result);
        }
        let of = ev.type_of_expr(file, inner);
        self.applied_value(ev, of, call)
    }

    /// The method that a call gives arguments to, through its parameter lists.
    pub(super) fn applied(&self, ev: &mut Eval<'_>, file: FileId, call: ExprId) -> Option<Applied> {
        let mut calls = vec![call];
        let mut first = call;
        while let Expr::Call { callee, .. } = ev.repo.facts(file).expr(first)
            && let Expr::Call { .. } = ev.repo.facts(file).expr(*callee)
        {
            first = *callee;
            calls.push(first);
            if calls.len() > MAX_CHAIN {
                return None;
            }
        }
        calls.reverse();
        // A later call may begin with the result of an earlier one.
        for from in (0..calls.len()).rev() {
            match ev.resolve_callee_by_lang(file, calls[from]) {
                Some(Called::Found(Entity::Defs(defs), receiver)) => {
                    let method = *defs.first()?;
                    let left = calls.split_off(from);
                    let fits = left.len() <= list_count(ev, method).max(1);
                    return fits.then_some(Applied {
                        method,
                        receiver,
                        calls: left,
                    });
                }
                Some(Called::Value(_)) => {}
                _ => return None,
            }
        }
        None
    }

    /// The type parameters that the arguments of several parameter lists determine. The argument at `without`, counted
    /// over all lists, is left out, as are those behind it.
    pub(super) fn env_of_lists(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        applied: &Applied,
        without: Option<(usize, usize)>,
    ) -> Vec<((GlobalDef, u32), Ty)> {
        let method = applied.method;
        let mut env = Vec::new();
        if let Some(first) = applied.calls.first() {
            let view = ev.call_view(file, *first);
            let explicit = ev.lower_types(file, view.type_args);
            env.extend((0..).zip(explicit).map(|(n, ty)| ((method, n), ty)));
        }
        self.extended_params(ev, method, applied.receiver.as_ref(), &mut env);
        for (list, call) in applied.calls.iter().enumerate() {
            let view = ev.call_view(file, *call);
            for (at, arg) in view.args.iter().enumerate() {
                if without.is_some_and(|w| (list, at) >= w) || !ev.spend(1) {
                    return env;
                }
                let Some((ty, value)) =
                    self.param_of_argument(ev, file, (method, list), (at, *arg))
                else {
                    continue;
                };
                let pattern = ev.lower_type(method.file, ty);
                let actual = ev.type_of_expr(file, value);
                ev.unify(&pattern, &actual, &mut env);
            }
        }
        env
    }

    /// The written type of the parameter for an argument of a list, and the argument's value.
    pub(super) fn param_of_argument(
        &self,
        ev: &Eval<'_>,
        file: FileId,
        (method, list): (GlobalDef, usize),
        (at, arg): (usize, ExprId),
    ) -> Option<(TypeId, ExprId)> {
        let params = params_of_list(ev, method, list);
        if let Expr::Keyword(name, value) = ev.repo.facts(file).expr(arg) {
            let (name, home) = (ev.repo.facts(file).name(*name), ev.repo.facts(method.file));
            let param = params.iter().find(|p| home.name(p.name) == name)?;
            return Some((param.ty?, *value));
        }
        let last = params.last().filter(|p| p.kind == ParamKind::Variadic);
        let param = params.get(at).or(last)?;
        Some((param.ty?, arg))
    }

    /// The result of a method whose parameter lists have arguments.
    fn result_of_lists(&self, ev: &mut Eval<'_>, file: FileId, applied: &Applied) -> Ty {
        let raw = ev.result_type(applied.method);
        if raw.is_unknown() {
            return raw;
        }
        let env = self.env_of_lists(ev, file, applied, None);
        let filled = ev.substitute_env(&raw, &env);
        ev.substitute(&filled, applied.receiver.as_ref())
    }

    /// The constructors that making an instance may call: the class itself stands for its primary one.
    pub(super) fn constructors(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        let repo = ev.repo;
        let mut all = vec![class];
        if let Some(sym) = repo.find_sym("this") {
            let named = repo.children_named(class, sym);
            if !ev.spend_on_namesakes(named.len()) {
                return Vec::new();
            }
            all.extend(named.filter(|d| repo.def(*d).kind == SymbolKind::Constructor));
        }
        if all.len() == 1 {
            return all;
        }
        self.choose_overload(ev, &all, call)
    }

    /// What `new` gives: type arguments that are left out come from the constructor's arguments.
    pub(super) fn made(
        &self,
        ev: &mut Eval<'_>,
        value: &Ty,
        call: CallView<'_>,
        args: &[Ty],
    ) -> Ty {
        let Ty::Class(class, own) = value else {
            return Ty::Unknown;
        };
        let count = ev.repo.def(*class).type_params.len() as u32;
        if count == 0 || !own.is_empty() || !args.is_empty() {
            return Ty::Unknown;
        }
        let mut env = Vec::new();
        ev.infer_type_args(*class, call, &mut env);
        let each = (0..count).map(|n| {
            let known = env.iter().find(|(key, _)| *key == (*class, n));
            known.map(|(_, ty)| ty.clone()).unwrap_or_default()
        });
        Ty::Instance(*class, each.collect())
    }
}

/// Whether definitions are methods.
fn is_method(ev: &Eval<'_>, defs: &[GlobalDef]) -> bool {
    defs.iter().any(|d| ev.repo.def(*d).kind.is_callable())
}

/// Whether a method of Scala has no parameter list that a call may give arguments to.
fn is_by_name_alone(ev: &Eval<'_>, id: GlobalDef) -> bool {
    let is_scala = ev.repo.language(id.file) == base::Language::Scala;
    let callable = ev.repo.def(id).callable.as_deref();
    is_scala && callable.is_some_and(|c| c.lists.is_empty())
}

/// The number of parameter lists of a method.
pub(super) fn list_count(ev: &Eval<'_>, id: GlobalDef) -> usize {
    let callable = ev.repo.def(id).callable.as_deref();
    callable.map_or(0, |c| c.lists.len())
}

/// The parameters of a list.
pub(super) fn params_of_list<'r>(ev: &Eval<'r>, id: GlobalDef, list: usize) -> Vec<&'r Param> {
    let repo = ev.repo;
    let Some(callable) = repo.def(id).callable.as_deref() else {
        return Vec::new();
    };
    let own = callable.params.iter();
    let own: Vec<&Param> = own.filter(|p| p.kind != ParamKind::Receiver).collect();
    // `new` gives the arguments of all lists at once.
    if callable.lists.is_empty() || list == 0 && repo.def(id).kind.is_type() {
        return own;
    }
    // Those of an extension that the compiler fills in stand before.
    let counted: u32 = callable.lists.iter().sum();
    let skipped = own.len().saturating_sub(counted as usize);
    let before: u32 = callable.lists.iter().take(list).sum();
    let count = callable.lists.get(list).copied().unwrap_or(0);
    let from = skipped + before as usize;
    own.into_iter().skip(from).take(count as usize).collect()
}
