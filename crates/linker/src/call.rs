//! Calls: the type of their result, and the definitions that they call.

use crate::eval::Eval;
use crate::lang::{CallView, Called};
use crate::repo::{FileId, GlobalDef};
use crate::ty::*;
use base::facts::*;
use base::{SymbolKind, Tier};

/// A call to more definitions than this is reported as ambiguous.
const MAX_TARGETS: usize = 4;

/// Why a call site has no edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnresolvedReason {
    /// The name is bound nowhere that can be seen.
    UnknownName,
    /// The type of the receiver is not known.
    UnknownReceiver,
    /// The receiver's type is known but no member of that name was found.
    NoSuchMember,
    /// The import leads neither to a file of the repository nor to a known package.
    UnresolvedImport,
    /// A parameter or variable that holds some function is called.
    Dynamic,
    /// Several definitions fit and nothing tells them apart.
    Ambiguous,
    /// The callee is not a name: it is the result of another call or of an index.
    Computed,
    /// The search was stopped because it took too many steps.
    TooComplex,
}

impl UnresolvedReason {
    /// The reason as reports print it.
    pub fn as_str(self) -> &'static str {
        match self {
            UnresolvedReason::UnknownName => "unknown name",
            UnresolvedReason::UnknownReceiver => "unknown receiver type",
            UnresolvedReason::NoSuchMember => "no such member",
            UnresolvedReason::UnresolvedImport => "unresolved import",
            UnresolvedReason::Dynamic => "dynamic call",
            UnresolvedReason::Ambiguous => "ambiguous",
            UnresolvedReason::Computed => "computed callee",
            UnresolvedReason::TooComplex => "too complex",
        }
    }
}

/// The target of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkOutcome {
    /// Definitions of the repository.
    Targets(Vec<GlobalDef>, Tier),
    /// A symbol outside the repository.
    External(External),
    /// The target is unknown.
    Unresolved(UnresolvedReason),
    /// The site has no definition by nature: it is a built-in operator or a conversion.
    Nothing,
}

impl<'r> Eval<'r> {
    /// The call as language hooks see it.
    pub fn call_view(&self, file: FileId, expr: ExprId) -> CallView<'r> {
        match self.repo.facts(file).expr(expr) {
            Expr::Call {
                args, type_args, ..
            }
            | Expr::New {
                args, type_args, ..
            } => CallView {
                file,
                expr,
                args,
                type_args,
            },
            _ => CallView {
                file,
                expr,
                args: &[],
                type_args: &[],
            },
        }
    }

    /// The type of a call's result.
    pub fn type_of_call(&mut self, file: FileId, expr: ExprId) -> Ty {
        let Expr::Call {
            callee, type_args, ..
        } = self.repo.facts(file).expr(expr)
        else {
            return Ty::Unknown;
        };
        let view = self.call_view(file, expr);
        let (entity, receiver) = match self.resolve_callee_by_lang(file, expr) {
            Some(Called::Found(entity, receiver)) => (entity, receiver),
            Some(Called::Value(ty)) => return ty,
            Some(Called::Ambiguous(defs, receiver)) => {
                return self.common_overload_result(&defs, receiver.as_ref(), view);
            }
            None => self.resolve_expr(file, *callee, Namespace::VALUE),
        };
        let entity = self
            .lang_of_file(file)
            .called_from_candidates(self, entity, view);
        if let Entity::External(external) = &entity {
            return self.external_call_result(file, external, receiver.as_ref(), view);
        }
        let callee = self.type_of_entity(&entity, receiver.as_ref());
        let explicit: Vec<Ty> = type_args
            .iter()
            .map(|t| self.lower_type(file, *t))
            .collect();
        self.map_alternatives(&callee, |ev, ty| {
            ev.result_of_calling(file, ty, view, &explicit)
        })
    }

    /// The type of a name or member without arguments: the result of the method that it calls, or the value.
    pub(crate) fn type_of_mention(&mut self, file: FileId, expr: ExprId, path: ExprId) -> Ty {
        let view = self.call_view(file, expr);
        let (entity, receiver) = match self.resolve_callee_by_lang(file, expr) {
            Some(Called::Found(entity, receiver)) => (entity, receiver),
            Some(Called::Value(ty)) => return ty,
            Some(Called::Ambiguous(defs, receiver)) => {
                return self.common_overload_result(&defs, receiver.as_ref(), view);
            }
            None => return self.type_of_expr(file, path),
        };
        if let Entity::External(external) = &entity {
            return self.external_call_result(file, external, receiver.as_ref(), view);
        }
        match self.type_of_entity(&entity, receiver.as_ref()) {
            Ty::Function(defs, of) if defs.iter().all(|d| self.takes_arguments(*d)) => {
                Ty::Function(defs, of)
            }
            called @ Ty::Function(..) => self.result_of_calling(file, &called, view, &[]),
            value => value,
        }
    }

    /// Whether a function has parameters that a call has to give.
    pub fn takes_arguments(&self, function: GlobalDef) -> bool {
        let callable = self.repo.def(function).callable.as_deref();
        let mut params = callable.into_iter().flat_map(|c| &c.params);
        params.any(|p| !matches!(p.kind, ParamKind::KeywordOnly | ParamKind::Receiver))
    }

    /// The result type that ambiguous overloads share; unknown if they differ.
    fn common_overload_result(
        &mut self,
        defs: &[GlobalDef],
        receiver: Option<&Ty>,
        view: CallView<'_>,
    ) -> Ty {
        let mut common = None;
        for def in defs {
            let result = self.function_result(*def, receiver, view, &[]);
            match &common {
                None => common = Some(result),
                Some(first) if *first == result => {}
                Some(_) => return Ty::Unknown,
            }
        }
        common.unwrap_or_default()
    }

    fn external_call_result(
        &mut self,
        file: FileId,
        external: &External,
        receiver: Option<&Ty>,
        view: CallView<'_>,
    ) -> Ty {
        let receiver = receiver.map(|r| self.resolve_type_param(r));
        // Each part of a union (`string | string[]`) has its own method of the name.
        let Some(Ty::Union(parts)) = &receiver else {
            return self
                .lang_of_file(file)
                .external_call(self, external, receiver.as_ref(), view);
        };
        let results: Vec<Ty> = parts
            .iter()
            .map(|part| {
                self.lang_of_file(file)
                    .external_call(self, external, Some(part), view)
            })
            .collect();
        Ty::union(results)
    }

    /// The type that calling a value of that type returns.
    pub fn result_of_calling(
        &mut self,
        file: FileId,
        callee: &Ty,
        view: CallView<'_>,
        explicit: &[Ty],
    ) -> Ty {
        let lang = self.lang_of_file(file);
        match callee {
            Ty::Function(defs, receiver) => {
                let signatures = match &**defs {
                    [one] => vec![*one],
                    all => lang.signatures(self, all, view),
                };
                self.results_of(&signatures, receiver.as_deref(), view, explicit)
            }
            Ty::Class(def, args) => {
                let other = self.lang_of_file(def.file).instantiated(self, *def);
                other.or_else(|| self.infer_instance(*def, args, view, explicit))
            }
            Ty::Callable(_, ret) => (**ret).clone(),
            Ty::ClassOf(instance) => (**instance).clone(),
            Ty::External(external) => lang.external_call(self, external, None, view),
            Ty::Instance(..) | Ty::Param(..) => {
                let method = lang.call_instance(self, callee);
                if let Entity::Defs(defs) = &method {
                    let chosen = match &**defs {
                        [one] => vec![*one],
                        all => lang.signatures(self, all, view),
                    };
                    if !chosen.is_empty() {
                        return self.results_of(&chosen, Some(callee), view, explicit);
                    }
                }
                lang.callable_shape(self, callee)
                    .map(|(_, ret)| ret)
                    .unwrap_or_default()
            }
            _ => Ty::Unknown,
        }
    }

    /// One of the result types of several signatures.
    fn results_of(
        &mut self,
        signatures: &[GlobalDef],
        receiver: Option<&Ty>,
        view: CallView<'_>,
        explicit: &[Ty],
    ) -> Ty {
        let each = signatures.iter();
        let results: Vec<Ty> = each
            .map(|one| self.function_result(*one, receiver, view, explicit))
            .collect();
        match results.as_slice() {
            [] => Ty::Unknown,
            _ => Ty::union(results),
        }
    }

    fn infer_instance(
        &mut self,
        class: GlobalDef,
        args: &Args,
        view: CallView<'_>,
        explicit: &[Ty],
    ) -> Ty {
        if !args.is_empty() {
            return Ty::Instance(class, args.clone());
        }
        if !explicit.is_empty() {
            return Ty::Instance(class, explicit.to_vec().into());
        }
        let count = self.repo.def(class).type_params.len() as u32;
        if count == 0 {
            return Ty::instance(class);
        }
        let lang = self.lang_of_file(class.file);
        let constructor = lang.constructor(self, class, view);
        let mut env = Vec::new();
        if let Some(constructor) = constructor.first().filter(|c| **c != class) {
            self.infer_type_args(*constructor, view, &mut env);
        }
        let args: Vec<Ty> = (0..count)
            .map(|n| {
                env.iter()
                    .find(|(key, _)| *key == (class, n))
                    .map(|e| e.1.clone())
                    .unwrap_or_default()
            })
            .collect();
        Ty::Instance(class, args.into())
    }

    /// The result type of a call of `function`. The receiver, the explicit type arguments and the types of the
    /// arguments fill in type parameters.
    pub fn function_result(
        &mut self,
        function: GlobalDef,
        receiver: Option<&Ty>,
        view: CallView<'_>,
        explicit: &[Ty],
    ) -> Ty {
        let raw = self.result_type(function);
        if raw.is_unknown() {
            return raw;
        }
        let mut env: Vec<((GlobalDef, u32), Ty)> = explicit
            .iter()
            .enumerate()
            .map(|(n, ty)| ((function, n as u32), ty.clone()))
            .collect();
        let generic = !self.repo.def(function).type_params.is_empty()
            || self.has_type_variable(&raw, 0)
            || self.is_open_constructor(function, receiver)
            || self.is_of_extension(function, receiver);
        if generic && explicit.is_empty() {
            let lang = self.lang_of_file(function.file);
            lang.params_by_receiver(self, function, receiver, &mut env);
            self.infer_type_args(function, view, &mut env);
        }
        let mut filled = self.substitute_env(&raw, &env);
        if matches!(filled, Ty::Param(def, n) if n != SELF && (def == function || self.is_type_variable(def)))
        {
            // A type parameter that no argument determines is at least its bound.
            filled = self.type_param_bound(&filled);
        }
        self.substitute(&filled, receiver)
    }

    /// Whether the function belongs to a class that was named without its type arguments, as in `Stack::new(item)`.
    fn is_open_constructor(&self, function: GlobalDef, receiver: Option<&Ty>) -> bool {
        let Some(Ty::Class(class, args)) = receiver else {
            return false;
        };
        let parent = self.repo.def(function).parent;
        let has_params = |def: GlobalDef| !self.repo.def(def).type_params.is_empty();
        args.iter().all(Ty::is_unknown)
            && has_params(*class)
            && parent.is_some_and(|def| has_params(GlobalDef { def, ..function }))
    }

    /// Whether the function is a member that an extension gives to the type of its receiver, which is outside the repository. The
    /// receiver then tells the type's parameters.
    fn is_of_extension(&self, function: GlobalDef, receiver: Option<&Ty>) -> bool {
        let parent = self.repo.def(function).parent;
        let is_extension =
            |def| self.repo.def(GlobalDef { def, ..function }).kind == SymbolKind::Impl;
        matches!(receiver, Some(Ty::ExternalInstance(..))) && parent.is_some_and(is_extension)
    }

    /// Infers type parameters from a call's arguments.
    pub fn infer_type_args(
        &mut self,
        function: GlobalDef,
        view: CallView<'_>,
        env: &mut Vec<((GlobalDef, u32), Ty)>,
    ) {
        for (n, arg) in view.args.iter().enumerate() {
            let Some(ty) = self
                .param_for_argument(function, view, n)
                .and_then(|p| p.ty)
            else {
                continue;
            };
            let pattern = self.lower_type(function.file, ty);
            if matches!(pattern, Ty::Unknown) {
                continue;
            }
            let arg = match self.repo.facts(view.file).expr(*arg) {
                Expr::Keyword(_, value) => *value,
                _ => *arg,
            };
            let actual = self.type_of_expr(view.file, arg);
            self.unify(&pattern, &actual, env);
        }
    }

    /// The parameter that an argument goes to. Keyword arguments are matched by name.
    pub fn param_for_argument(
        &mut self,
        function: GlobalDef,
        view: CallView<'_>,
        arg: usize,
    ) -> Option<&'r Param> {
        let callable = self.repo.def(function).callable.as_deref()?;
        let lang = self.lang_of_file(function.file);
        if let Some(target) = lang.target_param(self, function, view, arg) {
            return callable.params.get(target?);
        }
        let facts = self.repo.facts(view.file);
        let mut params = callable
            .params
            .iter()
            .filter(|p| p.kind != ParamKind::Receiver);
        if let Some(Expr::Keyword(name, _)) = view.args.get(arg).map(|a| facts.expr(*a)) {
            let (name, home) = (facts.name(*name), self.repo.facts(function.file));
            return params.find(|p| home.name(p.name) == name);
        }
        let params: Vec<&'r Param> = params.collect();
        let lang = self.lang_of_file(view.file);
        if let Some(at) = lang.parameter_of(self.repo, function, view, arg) {
            return params.get(at).copied();
        }
        let last_variadic = params.last().filter(|p| p.kind == ParamKind::Variadic);
        params.get(arg).or(last_variadic).copied()
    }

    /// The overloads that a call can mean by the rules of the language.
    pub fn resolve_overload(
        &mut self,
        overloads: &[GlobalDef],
        view: CallView<'_>,
    ) -> Vec<GlobalDef> {
        match overloads {
            [] => Vec::new(),
            [one] => vec![*one],
            [first, ..] => {
                let lang = self.lang_of_file(first.file);
                lang.choose(self, overloads, view)
            }
        }
    }

    /// The overloads that accept the number of arguments of the call; all overloads if none does.
    pub fn overloads_with_arg_count(
        &mut self,
        overloads: &[GlobalDef],
        view: CallView<'_>,
    ) -> Vec<GlobalDef> {
        let spread = view
            .args
            .iter()
            .any(|a| matches!(self.repo.facts(view.file).expr(*a), Expr::Spread(_)));
        let count = view.args.len();
        let fits = |d: &GlobalDef| {
            let Some(callable) = self.repo.def(*d).callable.as_deref() else {
                return true;
            };
            let params = callable
                .params
                .iter()
                .filter(|p| p.kind != ParamKind::Receiver);
            let least = params
                .clone()
                .filter(|p| p.kind == ParamKind::Plain)
                .count();
            let open = params
                .clone()
                .any(|p| matches!(p.kind, ParamKind::Variadic | ParamKind::Keywords));
            spread || (least <= count && (open || count <= params.count()))
        };
        let fitting: Vec<GlobalDef> = overloads.iter().copied().filter(fits).collect();
        if fitting.is_empty() {
            overloads.to_vec()
        } else {
            fitting
        }
    }

    // ---- targets ----

    /// Resolves a call site to its target.
    pub fn link_call(&mut self, file: FileId, site: &CallSite) -> LinkOutcome {
        self.begin_site(file);
        let facts = self.repo.facts(file);
        let view = self.call_view(file, site.expr);
        let (callee, constructing) = match facts.expr(site.expr) {
            Expr::Call { callee, .. } => (self.plain_callee(file, *callee), false),
            Expr::Bare(callee) => (*callee, false),
            Expr::New { class, .. } => (*class, true),
            _ => (site.expr, false),
        };
        let namespace = match site.kind {
            CallKind::Macro => Namespace::MACRO,
            _ => Namespace::VALUE,
        };
        let (mut entity, receiver) = match self.resolve_special_callee(file, site, callee) {
            Some(Called::Found(entity, receiver)) => (entity, receiver),
            Some(Called::Ambiguous(..)) => {
                return LinkOutcome::Unresolved(UnresolvedReason::Ambiguous);
            }
            Some(Called::Value(_)) => return LinkOutcome::Nothing,
            None => self.resolve_expr(file, callee, namespace),
        };
        if entity.is_unknown() && (constructing || site.kind == CallKind::Decorator) {
            let found = match facts.expr(callee) {
                Expr::Type(ty) => self.resolve_written_type(file, *ty),
                _ => self.resolve_expr(file, callee, Namespace::TYPE).0,
            };
            entity = found;
        }
        let entity = self
            .lang_of_file(file)
            .called_from_candidates(self, entity, view);
        let outcome = self.outcome_for_entity(file, callee, entity, receiver, view);
        match outcome {
            LinkOutcome::Unresolved(_) | LinkOutcome::External(_)
                if site.kind == CallKind::Operator =>
            {
                LinkOutcome::Nothing
            }
            LinkOutcome::Unresolved(_) if self.is_out_of_fuel() => {
                LinkOutcome::Unresolved(UnresolvedReason::TooComplex)
            }
            other => other,
        }
    }

    /// The callee of a call, if it is borrowed the borrowed expression.
    fn plain_callee(&self, file: FileId, callee: ExprId) -> ExprId {
        let mut callee = callee;
        while let Expr::Borrowed(inner) = self.repo.facts(file).expr(callee)
            && *inner < callee
        {
            callee = *inner;
        }
        callee
    }

    /// The callee of a call site, if the language has its own rule for it or the callee is a written type.
    fn resolve_special_callee(
        &mut self,
        file: FileId,
        site: &CallSite,
        callee: ExprId,
    ) -> Option<Called> {
        let facts = self.repo.facts(file);
        if let (Expr::Type(ty), CallKind::New | CallKind::Decorator) =
            (facts.expr(callee), site.kind)
        {
            let entity = self.resolve_written_type(file, *ty);
            return (!entity.is_unknown()).then_some(Called::Found(entity, None));
        }
        match facts.expr(site.expr) {
            Expr::Call { .. } | Expr::Bare(_) => self.resolve_callee_by_lang(file, site.expr),
            _ => None,
        }
    }

    /// The definition that a written type names.
    pub fn resolve_written_type(&mut self, file: FileId, ty: TypeId) -> Entity {
        let lang = self.lang_of_file(file);
        if let Some(found) = lang.named_type(self, (file, ty)) {
            return found;
        }
        match self.repo.facts(file).ty(ty) {
            TypeExpr::Named {
                path, scope, at, ..
            } => self.resolve_type_path(file, path, *scope, *at),
            TypeExpr::Reference(inner) | TypeExpr::Optional(inner) => {
                self.resolve_written_type(file, *inner)
            }
            TypeExpr::SelfType(def) => match self.self_type(GlobalDef { file, def: *def }) {
                Ty::Instance(def, _) | Ty::Param(def, SELF) => Entity::def(def),
                other => Entity::Value(other),
            },
            TypeExpr::Anonymous(def) => Entity::def(GlobalDef { file, def: *def }),
            _ => Entity::Unknown,
        }
    }

    fn outcome_for_entity(
        &mut self,
        file: FileId,
        callee: ExprId,
        entity: Entity,
        receiver: Option<Ty>,
        view: CallView<'_>,
    ) -> LinkOutcome {
        match entity {
            Entity::Defs(defs) if self.is_doc_comment_member(&defs) => {
                LinkOutcome::Unresolved(UnresolvedReason::Dynamic)
            }
            Entity::Defs(defs) => {
                let tier = self.tier_for_callee(file, callee, receiver.as_ref());
                self.outcome_for_defs(defs.to_vec(), tier, view)
            }
            Entity::External(external) => LinkOutcome::External(external),
            Entity::Value(Ty::Unknown | Ty::Null) => {
                self.outcome_for_parameter_call(file, callee, view)
            }
            Entity::Value(ty) => self.outcome_for_value(file, &ty, view),
            Entity::Module(_) => LinkOutcome::Unresolved(UnresolvedReason::Dynamic),
            Entity::Either(parts) => self.outcome_for_any(file, callee, &parts, receiver, view),
            Entity::Unknown => match self.outcome_for_parameter_call(file, callee, view) {
                LinkOutcome::Unresolved(_) => self.outcome_for_unknown(file, callee, receiver),
                found => found,
            },
        }
    }

    /// The target of a call whose callee is one of several entities: all of them that are definitions of the repository. If none is,
    /// the target of one of them that is known.
    fn outcome_for_any(
        &mut self,
        file: FileId,
        callee: ExprId,
        parts: &[Entity],
        receiver: Option<Ty>,
        view: CallView<'_>,
    ) -> LinkOutcome {
        let mut all: Vec<GlobalDef> = Vec::new();
        let mut least_sure = Tier::Typed;
        let mut other = LinkOutcome::Unresolved(UnresolvedReason::Dynamic);
        for part in parts {
            match self.outcome_for_entity(file, callee, part.clone(), receiver.clone(), view) {
                LinkOutcome::Targets(defs, tier) => {
                    least_sure = least_sure.max(tier);
                    let fresh = defs.into_iter().filter(|def| !all.contains(def));
                    let fresh: Vec<GlobalDef> = fresh.collect();
                    all.extend(fresh);
                }
                found @ LinkOutcome::External(_) => other = found,
                // The others are not all that there are.
                found @ LinkOutcome::Unresolved(UnresolvedReason::Ambiguous) => return found,
                _ => {}
            }
        }
        match all.len() {
            0 => other,
            n if n > MAX_TARGETS => LinkOutcome::Unresolved(UnresolvedReason::Ambiguous),
            _ => LinkOutcome::Targets(all, least_sure),
        }
    }

    /// A type that a comment declares is not in the graph, and neither are its members.
    fn is_doc_comment_member(&self, defs: &[GlobalDef]) -> bool {
        let hidden = |d: &GlobalDef| {
            let def = self.repo.def(*d);
            def.kind == SymbolKind::Property && def.flags.has(DefFlags::ANONYMOUS)
        };
        defs.first().is_some_and(hidden)
    }

    /// The outcome of a call of a parameter, from the functions that callers are known to pass for it.
    fn outcome_for_parameter_call(
        &mut self,
        file: FileId,
        callee: ExprId,
        view: CallView<'_>,
    ) -> LinkOutcome {
        let passed = self.lang_of_file(file).passed(self, file, callee);
        self.outcome_for_value(file, &passed, view)
    }

    /// The tier of an edge: `typed` if the callee was found through the type of a value, `scoped` if it is a name or a
    /// path of modules and classes.
    fn tier_for_callee(&self, file: FileId, callee: ExprId, receiver: Option<&Ty>) -> Tier {
        let by_path = match self.repo.facts(file).expr(callee) {
            Expr::Name { .. } => true,
            _ => receiver.is_none_or(|receiver| {
                let is_path = |ty: &Ty| matches!(ty, Ty::Module(_) | Ty::Class(..));
                receiver.alternatives().iter().all(is_path)
            }),
        };
        if by_path { Tier::Scoped } else { Tier::Typed }
    }

    fn outcome_for_defs(
        &mut self,
        defs: Vec<GlobalDef>,
        tier: Tier,
        view: CallView<'_>,
    ) -> LinkOutcome {
        let mut out = Vec::new();
        // Members from different parts of a union are not overloads of one another.
        let mut groups: Vec<(Option<DefId>, FileId, Vec<GlobalDef>)> = Vec::new();
        for def in defs {
            let parent = self.repo.def(def).parent;
            match groups.iter_mut().find(|g| g.0 == parent && g.1 == def.file) {
                Some(group) => group.2.push(def),
                None => groups.push((parent, def.file, vec![def])),
            }
        }
        for (_, _, group) in groups {
            match self.pick_group_target(&group, view) {
                Some(found) => out.extend(found),
                None => return LinkOutcome::Unresolved(UnresolvedReason::Ambiguous),
            }
        }
        out.dedup();
        if out.len() > MAX_TARGETS {
            return LinkOutcome::Unresolved(UnresolvedReason::Ambiguous);
        }
        if out.is_empty() {
            return LinkOutcome::Nothing;
        }
        let mut bodies = Vec::with_capacity(out.len());
        for target in out {
            let lang = self.lang_of_file(target.file);
            bodies.extend(lang.bodies(self, target));
        }
        bodies.dedup();
        LinkOutcome::Targets(bodies, tier)
    }

    /// The target among definitions of one name in one place; `None` if it is ambiguous.
    fn pick_group_target(
        &mut self,
        group: &[GlobalDef],
        view: CallView<'_>,
    ) -> Option<Vec<GlobalDef>> {
        let is_alone = group.first().is_some_and(|d| self.replaces_others(*d));
        let group = if is_alone { &group[..1] } else { group };
        let is_callable = |d: &&GlobalDef| self.repo.def(**d).kind.is_callable();
        let callable: Vec<GlobalDef> = group.iter().filter(is_callable).copied().collect();
        if !callable.is_empty() {
            let chosen = self.resolve_overload(&callable, view);
            return self.merge_declarations(chosen);
        }
        let class = group
            .iter()
            .copied()
            .find(|d| self.repo.def(*d).kind.is_type());
        if let Some(class) = class {
            let lang = self.lang_of_file(class.file);
            let constructors = lang.constructor(self, class, view);
            return self.merge_declarations(constructors);
        }
        group.first().map(|first| {
            if self.repo.def(*first).kind == SymbolKind::TypeAlias
                && let Ty::Class(class, _) = self.type_of_def(*first)
            {
                let lang = self.lang_of_file(class.file);
                return lang.constructor(self, class, view);
            }
            if self.lang_of_file(first.file).through_variables()
                && let Some(found) = self.callables_held_by(*first, view)
            {
                return found;
            }
            vec![*first]
        })
    }

    fn replaces_others(&self, def: GlobalDef) -> bool {
        let is_callable = self.repo.def(def).kind.is_callable();
        !is_callable && self.lang_of_file(def.file).replaces(self.repo, def)
    }

    /// The functions and classes that a variable or field holds, as far as known. For an object that can be called, its
    /// call method.
    fn callables_held_by(
        &mut self,
        variable: GlobalDef,
        view: CallView<'_>,
    ) -> Option<Vec<GlobalDef>> {
        let held_type = self.type_of_def(variable);
        let alias = |ty: &Ty| {
            matches!(
                ty,
                Ty::Function(..) | Ty::Class(..) | Ty::Instance(..) | Ty::External(_)
            )
        };
        if !held_type.alternatives().iter().all(alias) {
            return None;
        }
        match self.outcome_for_value(variable.file, &held_type, view) {
            LinkOutcome::Targets(found, _) if !found.contains(&variable) => Some(found),
            _ => None,
        }
    }

    /// Merges the declarations of one function into one target; `None` if real overloads remain ambiguous.
    fn merge_declarations(&mut self, mut chosen: Vec<GlobalDef>) -> Option<Vec<GlobalDef>> {
        if chosen.len() > 1 {
            let with_body: Vec<GlobalDef> = chosen
                .iter()
                .copied()
                .filter(|d| !self.repo.def(*d).flags.has(DefFlags::DECLARATION_ONLY))
                .collect();
            match with_body.len() {
                0 => chosen.truncate(1),
                1 => chosen = with_body,
                _ if self
                    .lang_of_file(with_body[0].file)
                    .has_build_alternatives() =>
                {
                    chosen = with_body;
                }
                _ if with_body
                    .iter()
                    .all(|d| self.repo.def(*d).flags.has(DefFlags::CONDITIONAL)) =>
                {
                    chosen = with_body;
                    chosen.truncate(1);
                }
                _ => return None,
            }
        }
        Some(chosen)
    }

    fn outcome_for_value(&mut self, file: FileId, ty: &Ty, view: CallView<'_>) -> LinkOutcome {
        match ty {
            Ty::Function(defs, _) => {
                let named: Vec<GlobalDef> = defs
                    .iter()
                    .copied()
                    .filter(|d| !self.repo.def(*d).flags.has(DefFlags::ANONYMOUS))
                    .collect();
                if named.is_empty() {
                    return LinkOutcome::Unresolved(UnresolvedReason::Dynamic);
                }
                self.outcome_for_defs(named, Tier::Typed, view)
            }
            Ty::Class(def, _) => self.outcome_for_defs(vec![*def], Tier::Typed, view),
            Ty::External(external) => LinkOutcome::External(external.clone()),
            Ty::Super(class) => self.outcome_for_super_call(*class, view),
            Ty::Instance(..) => {
                let lang = self.lang_of_file(file);
                match lang.call_instance(self, ty) {
                    Entity::Defs(defs) if self.has_anonymous(&defs) => {
                        LinkOutcome::Unresolved(UnresolvedReason::Dynamic)
                    }
                    Entity::Defs(defs) => self.outcome_for_defs(defs.to_vec(), Tier::Typed, view),
                    Entity::External(external) => LinkOutcome::External(external),
                    _ => LinkOutcome::Unresolved(UnresolvedReason::Dynamic),
                }
            }
            Ty::ExternalInstance(external, _) => LinkOutcome::External(external.clone()),
            Ty::Union(parts) => self.outcome_for_union(file, parts, view),
            Ty::Unknown => LinkOutcome::Unresolved(UnresolvedReason::Dynamic),
            _ => LinkOutcome::Unresolved(UnresolvedReason::Dynamic),
        }
    }

    /// Whether one of the definitions is a call signature, which has no name for an edge to lead to.
    fn has_anonymous(&self, defs: &[GlobalDef]) -> bool {
        defs.iter()
            .any(|d| self.repo.def(*d).flags.has(DefFlags::ANONYMOUS))
    }

    fn outcome_for_union(&mut self, file: FileId, parts: &Args, view: CallView<'_>) -> LinkOutcome {
        let mut all = Vec::new();
        let mut other = LinkOutcome::Unresolved(UnresolvedReason::Dynamic);
        for part in parts.iter() {
            match self.outcome_for_value(file, part, view) {
                LinkOutcome::Targets(defs, _) => {
                    let fresh = defs.into_iter().filter(|def| !all.contains(def));
                    let fresh: Vec<GlobalDef> = fresh.collect();
                    all.extend(fresh);
                }
                found @ LinkOutcome::External(_) => other = found,
                // The others are not all that there are.
                found @ LinkOutcome::Unresolved(UnresolvedReason::Ambiguous) => return found,
                _ => {}
            }
        }
        match all.len() {
            0 => other,
            n if n > MAX_TARGETS => LinkOutcome::Unresolved(UnresolvedReason::Ambiguous),
            _ => LinkOutcome::Targets(all, Tier::Typed),
        }
    }

    /// `super(…)` in a constructor.
    fn outcome_for_super_call(&mut self, class: GlobalDef, view: CallView<'_>) -> LinkOutcome {
        let above = self.member_search_order(&Ty::Super(class));
        match above.first() {
            Some(Ty::Instance(parent, _) | Ty::Class(parent, _)) => {
                let lang = self.lang_of_file(parent.file);
                let constructors = lang.constructor(self, *parent, view);
                match self.merge_declarations(constructors) {
                    Some(targets) => LinkOutcome::Targets(targets, Tier::Typed),
                    None => LinkOutcome::Unresolved(UnresolvedReason::Ambiguous),
                }
            }
            Some(Ty::ExternalInstance(external, _) | Ty::External(external)) => {
                LinkOutcome::External(external.clone())
            }
            _ => LinkOutcome::Unresolved(UnresolvedReason::UnknownReceiver),
        }
    }

    fn outcome_for_unknown(
        &mut self,
        file: FileId,
        callee: ExprId,
        receiver: Option<Ty>,
    ) -> LinkOutcome {
        match self.repo.facts(file).expr(callee) {
            Expr::Name { name, scope, at } => {
                let through = self.lang_of_file(file).through_classes();
                let bound = self
                    .repo
                    .lookup(file, *name, *scope, *at, Namespace::ALL, through);
                match bound.map(|b| b.to) {
                    Some(to) if self.is_import(file, to) => {
                        LinkOutcome::Unresolved(UnresolvedReason::UnresolvedImport)
                    }
                    Some(_) => LinkOutcome::Unresolved(UnresolvedReason::Dynamic),
                    None => {
                        let lang = self.lang_of_file(file);
                        match lang.only_linked(self, file, *name) {
                            Some(def) => LinkOutcome::Targets(vec![def], Tier::Named),
                            None => LinkOutcome::Unresolved(UnresolvedReason::UnknownName),
                        }
                    }
                }
            }
            Expr::Member { name, .. } | Expr::Scoped { name, .. } => {
                if !receiver.as_ref().is_none_or(Ty::is_unknown) {
                    return LinkOutcome::Unresolved(UnresolvedReason::NoSuchMember);
                }
                let lang = self.lang_of_file(file);
                match lang.only_reachable(self, (file, callee), *name) {
                    Some(def) => LinkOutcome::Targets(vec![def], Tier::Named),
                    None => LinkOutcome::Unresolved(UnresolvedReason::UnknownReceiver),
                }
            }
            _ => LinkOutcome::Unresolved(UnresolvedReason::Computed),
        }
    }

    fn is_import(&self, file: FileId, to: Bound) -> bool {
        match to {
            Bound::Import(_) => true,
            Bound::Either(choice) => {
                let mut all = self.repo.facts(file).choice(choice).iter();
                all.all(|to| self.is_import(file, *to))
            }
            _ => false,
        }
    }

    /// The target of a mention or a write.
    pub fn link_mention(&mut self, file: FileId, what: RefTarget) -> LinkOutcome {
        self.begin_site(file);
        let (entity, callee, receiver) = match what {
            RefTarget::Type(ty) => (self.resolve_written_type(file, ty), None, None),
            RefTarget::Expr(expr) => {
                let (mut entity, receiver) = self.resolve_expr(file, expr, Namespace::VALUE);
                if entity.is_unknown() {
                    entity = self.resolve_expr(file, expr, Namespace::TYPE).0;
                }
                (entity, Some(expr), receiver)
            }
        };
        let entity = self.lang_of_file(file).mentioned(self, entity);
        let mut out: Vec<GlobalDef> = Vec::new();
        let mut other = LinkOutcome::Unresolved(UnresolvedReason::UnknownName);
        for part in entity.alternatives() {
            match part {
                Entity::Defs(defs) => self.add_mentioned(defs, &mut out),
                Entity::External(external) => other = LinkOutcome::External(external.clone()),
                _ => {}
            }
        }
        match out.len() {
            0 => other,
            n if n > MAX_TARGETS => LinkOutcome::Unresolved(UnresolvedReason::Ambiguous),
            _ => {
                let tier = callee.map_or(Tier::Scoped, |c| {
                    self.tier_for_callee(file, c, receiver.as_ref())
                });
                LinkOutcome::Targets(out, tier)
            }
        }
    }

    /// A mention means the function and not one of its overloads. The first overload stands for all.
    fn add_mentioned(&self, defs: &[GlobalDef], out: &mut Vec<GlobalDef>) {
        let parent = |d: &GlobalDef| (d.file, self.repo.def(*d).parent);
        let mut own: Vec<GlobalDef> = Vec::new();
        for def in defs {
            if !own.iter().any(|d| parent(d) == parent(def)) {
                own.push(*def);
            }
        }
        let fresh = own.into_iter().filter(|def| !out.contains(def));
        let fresh: Vec<GlobalDef> = fresh.collect();
        out.extend(fresh);
    }
}
