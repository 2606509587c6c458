//! Calls: what they give, and which definitions they call.

use crate::eval::Eval;
use crate::lang::{CallView, Called};
use crate::repo::{FileId, GDef};
use crate::ty::*;
use base::facts::*;
use base::{SymbolKind, Tier};

/// A call to more definitions than this is reported as ambiguous.
const MAX_TARGETS: usize = 4;

/// Why a site has no edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// The name is bound nowhere that can be seen.
    UnknownName,
    /// The type of the receiver is not known.
    UnknownReceiver,
    /// The receiver's type is known but no member of that name was found.
    NoSuchMember,
    /// The import does not lead anywhere in the repository nor to a known package.
    UnresolvedImport,
    /// A parameter or variable that holds some function is called.
    Dynamic,
    /// Several definitions fit and nothing tells them apart.
    Ambiguous,
    /// What is called is no definition with a name (the result of another call, an index).
    Computed,
    /// The search was given up for its length.
    TooComplex,
}

impl Reason {
    /// The word in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::UnknownName => "unknown name",
            Reason::UnknownReceiver => "unknown receiver type",
            Reason::NoSuchMember => "no such member",
            Reason::UnresolvedImport => "unresolved import",
            Reason::Dynamic => "dynamic call",
            Reason::Ambiguous => "ambiguous",
            Reason::Computed => "computed callee",
            Reason::TooComplex => "too complex",
        }
    }
}

/// Where a site leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// To definitions of the repository.
    Targets(Vec<GDef>, Tier),
    /// Outside the repository.
    External(External),
    /// Nowhere that is known.
    Unresolved(Reason),
    /// To something that is no definition by nature: a built-in operator, a conversion.
    Nothing,
}

impl<'r> Eval<'r> {
    /// A view of a call for hooks.
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
    pub fn call(&mut self, file: FileId, expr: ExprId) -> Ty {
        let Expr::Call {
            callee, type_args, ..
        } = self.repo.facts(file).expr(expr)
        else {
            return Ty::Unknown;
        };
        let view = self.call_view(file, expr);
        let (entity, receiver) = match self.callee(file, expr) {
            Some(Called::Found(entity, receiver)) => (entity, receiver),
            Some(Called::Ambiguous(defs, receiver)) => {
                return self.common_result(&defs, receiver.as_ref(), view);
            }
            None => self.entity(file, *callee, Namespace::VALUE),
        };
        let entity = self.lang(file).called(self, entity, view);
        if let Entity::External(external) = &entity {
            return self.external_result(file, external, receiver.as_ref(), view);
        }
        let callee = self.entity_value(file, &entity, receiver.as_ref());
        let explicit: Vec<Ty> = type_args.iter().map(|t| self.written(file, *t)).collect();
        self.over(&callee, |ev, ty| ev.called(file, ty, view, &explicit))
    }

    /// What overloads that cannot be told apart give, where all give the same.
    fn common_result(&mut self, defs: &[GDef], receiver: Option<&Ty>, view: CallView<'_>) -> Ty {
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

    fn external_result(
        &mut self,
        file: FileId,
        external: &External,
        receiver: Option<&Ty>,
        view: CallView<'_>,
    ) -> Ty {
        let receiver = receiver.map(|r| self.opened(r));
        // In a union (`string | string[]`), each part has its own idea of the method.
        let Some(Ty::Union(parts)) = &receiver else {
            return self
                .lang(file)
                .external_call(self, external, receiver.as_ref(), view);
        };
        let results: Vec<Ty> = parts
            .iter()
            .map(|part| {
                self.lang(file)
                    .external_call(self, external, Some(part), view)
            })
            .collect();
        Ty::union(results)
    }

    /// What calling a value of that type gives.
    pub fn called(&mut self, file: FileId, callee: &Ty, view: CallView<'_>, explicit: &[Ty]) -> Ty {
        let lang = self.lang(file);
        match callee {
            Ty::Function(defs, receiver) => {
                let chosen = self.choose(defs, view);
                let Some(first) = chosen.first() else {
                    return Ty::Unknown;
                };
                self.function_result(*first, receiver.as_deref(), view, explicit)
            }
            Ty::Class(def, args) => self.instantiated(*def, args, view, explicit),
            Ty::Callable(_, ret) => (**ret).clone(),
            Ty::External(external) => lang.external_call(self, external, None, view),
            Ty::Instance(..) | Ty::Param(..) => {
                let method = lang.call_instance(self, callee);
                if let Entity::Defs(defs) = &method {
                    let chosen = self.choose(defs, view);
                    if let Some(first) = chosen.first() {
                        return self.function_result(*first, Some(callee), view, explicit);
                    }
                }
                lang.callable_shape(self, callee)
                    .map(|(_, ret)| ret)
                    .unwrap_or_default()
            }
            _ => Ty::Unknown,
        }
    }

    fn instantiated(
        &mut self,
        class: GDef,
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
        let lang = self.lang(class.file);
        let constructor = lang.constructor(self, class, view);
        let mut env = Vec::new();
        if let Some(constructor) = constructor.first().filter(|c| **c != class) {
            self.bind_arguments(*constructor, view, &mut env);
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

    /// The result of calling a function, type parameters filled in from receiver, explicit
    /// arguments and the arguments' types.
    pub fn function_result(
        &mut self,
        function: GDef,
        receiver: Option<&Ty>,
        view: CallView<'_>,
        explicit: &[Ty],
    ) -> Ty {
        let raw = self.result(function);
        if raw.is_unknown() {
            return raw;
        }
        let mut env: Vec<((GDef, u32), Ty)> = explicit
            .iter()
            .enumerate()
            .map(|(n, ty)| ((function, n as u32), ty.clone()))
            .collect();
        if !self.repo.def(function).type_params.is_empty() && explicit.is_empty() {
            self.bind_arguments(function, view, &mut env);
        }
        let mut filled = self.substitute_env(&raw, &env);
        if matches!(filled, Ty::Param(def, n) if def == function && n != SELF) {
            // What no argument tells is at least its bound.
            filled = self.bound_of(&filled);
        }
        self.substitute(&filled, receiver)
    }

    /// Infers type parameters from a call's arguments.
    pub fn bind_arguments(
        &mut self,
        function: GDef,
        view: CallView<'_>,
        env: &mut Vec<((GDef, u32), Ty)>,
    ) {
        for (n, arg) in view.args.iter().enumerate() {
            let Some(ty) = self.param_of(function, view, n).and_then(|p| p.ty) else {
                continue;
            };
            let pattern = self.written(function.file, ty);
            if matches!(pattern, Ty::Unknown) {
                continue;
            }
            let arg = match self.repo.facts(view.file).expr(*arg) {
                Expr::Keyword(_, value) => *value,
                _ => *arg,
            };
            let actual = self.expr(view.file, arg);
            self.unify(&pattern, &actual, env);
        }
    }

    /// The parameter that an argument goes to, by name for keyword arguments.
    fn param_of(&self, function: GDef, view: CallView<'_>, arg: usize) -> Option<&'r Param> {
        let callable = self.repo.def(function).callable.as_deref()?;
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
        let last_variadic = params.last().filter(|p| p.kind == ParamKind::Variadic);
        params.get(arg).or(last_variadic).copied()
    }

    /// The type of a parameter of a function literal, from the call whose argument it is.
    pub fn callback_param(&mut self, file: FileId, call: ExprId, arg: u32, param: u32) -> Ty {
        let view = self.call_view(file, call);
        let (entity, receiver) = match self.repo.facts(file).expr(call) {
            Expr::Call { callee, .. } => match self.callee(file, call) {
                Some(Called::Found(entity, receiver)) => (entity, receiver),
                Some(Called::Ambiguous(..)) => return Ty::Unknown,
                None => self.entity(file, *callee, Namespace::VALUE),
            },
            Expr::New { class, .. } => self.entity(file, *class, Namespace::VALUE),
            _ => return Ty::Unknown,
        };
        let lang = self.lang(file);
        let entity = lang.called(self, entity, view);
        if let Entity::External(external) = &entity {
            let receiver = receiver.map(|r| self.opened(&r));
            return lang.callback_param(self, external, receiver.as_ref(), view, arg, param);
        }
        let callee = self.entity_value(file, &entity, receiver.as_ref());
        let (function, receiver) = match callee {
            Ty::Function(defs, receiver) => (self.choose(&defs, view).first().copied(), receiver),
            Ty::Class(class, _) => (lang.constructor(self, class, view).first().copied(), None),
            Ty::Callable(params, _) => {
                let shape = params.get(arg as usize).cloned().unwrap_or_default();
                return self.shape_param(file, &shape, param);
            }
            _ => return Ty::Unknown,
        };
        let Some(function) = function else {
            return Ty::Unknown;
        };
        let pattern = match self.argument_type(function, view, arg) {
            // A type parameter that is bound to be a function: its parameters are what counts.
            ty @ Ty::Param(..) => match lang.callable_shape(self, &ty) {
                Some((params, ret)) => Ty::Callable(params.into(), std::sync::Arc::new(ret)),
                None => ty,
            },
            ty => ty,
        };
        // Only arguments before this one may speak: the literal itself would ask for this answer.
        let mut env = Vec::new();
        let before = CallView {
            args: &view.args[..(arg as usize).min(view.args.len())],
            ..view
        };
        self.bind_arguments(function, before, &mut env);
        let expected = lang.expected(self, file, call);
        if !expected.is_unknown() {
            let result = self.result(function);
            self.unify(&result, &expected, &mut env);
        }
        let filled = self.substitute_env(&pattern, &env);
        let filled = self.substitute(&filled, receiver.as_deref());
        self.shape_param(file, &filled, param)
    }

    /// The n-th parameter of a function type.
    pub fn shape_param(&mut self, file: FileId, shape: &Ty, n: u32) -> Ty {
        match shape {
            Ty::Callable(params, _) => params.get(n as usize).cloned().unwrap_or_default(),
            Ty::Union(parts) => {
                let found: Vec<Ty> = parts.iter().map(|p| self.shape_param(file, p, n)).collect();
                Ty::union(found)
            }
            other => {
                let lang = self.lang(file);
                let shape = lang.callable_shape(self, other);
                shape
                    .and_then(|(params, _)| params.get(n as usize).cloned())
                    .unwrap_or_default()
            }
        }
    }

    /// The written type of what an argument position takes.
    pub fn argument_type(&mut self, function: GDef, view: CallView<'_>, arg: u32) -> Ty {
        self.param_of(function, view, arg as usize)
            .and_then(|p| p.ty)
            .map(|ty| self.written(function.file, ty))
            .unwrap_or_default()
    }

    /// The overloads that a call can mean, after the language's rules.
    pub fn choose(&mut self, overloads: &[GDef], view: CallView<'_>) -> Vec<GDef> {
        match overloads {
            [] => Vec::new(),
            [one] => vec![*one],
            [first, ..] => {
                let lang = self.lang(first.file);
                lang.choose(self, overloads, view)
            }
        }
    }

    /// The overloads that take as many arguments as the call has; where none does, all.
    pub fn by_argument_count(&mut self, overloads: &[GDef], view: CallView<'_>) -> Vec<GDef> {
        let spread = view
            .args
            .iter()
            .any(|a| matches!(self.repo.facts(view.file).expr(*a), Expr::Spread(_)));
        let count = view.args.len();
        let fits = |d: &GDef| {
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
        let fitting: Vec<GDef> = overloads.iter().copied().filter(fits).collect();
        if fitting.is_empty() {
            overloads.to_vec()
        } else {
            fitting
        }
    }

    // ---- targets ----

    /// Where a call leads.
    pub fn call_outcome(&mut self, file: FileId, site: &CallSite) -> Outcome {
        self.refuel(file);
        let facts = self.repo.facts(file);
        let view = self.call_view(file, site.expr);
        let (callee, constructing) = match facts.expr(site.expr) {
            Expr::Call { callee, .. } => (*callee, false),
            Expr::New { class, .. } => (*class, true),
            _ => (site.expr, false),
        };
        let namespace = match site.kind {
            CallKind::Macro => Namespace::MACRO,
            _ => Namespace::VALUE,
        };
        let (mut entity, receiver) = match self.site_callee(file, site, callee) {
            Some(Called::Found(entity, receiver)) => (entity, receiver),
            Some(Called::Ambiguous(..)) => return Outcome::Unresolved(Reason::Ambiguous),
            None => self.entity(file, callee, namespace),
        };
        if entity.is_unknown() && (constructing || site.kind == CallKind::Decorator) {
            let found = match facts.expr(callee) {
                Expr::Type(ty) => self.type_entity_of(file, *ty),
                _ => self.entity(file, callee, Namespace::TYPE).0,
            };
            entity = found;
        }
        let entity = self.lang(file).called(self, entity, view);
        let outcome = self.outcome_of(file, callee, entity, receiver, view);
        match outcome {
            Outcome::Unresolved(_) if self.exhausted() => Outcome::Unresolved(Reason::TooComplex),
            other => other,
        }
    }

    /// The callee of a site where the language has its own rule, or where it is a written type.
    fn site_callee(&mut self, file: FileId, site: &CallSite, callee: ExprId) -> Option<Called> {
        let facts = self.repo.facts(file);
        if let (Expr::Type(ty), CallKind::New | CallKind::Decorator) =
            (facts.expr(callee), site.kind)
        {
            let entity = self.type_entity_of(file, *ty);
            return (!entity.is_unknown()).then_some(Called::Found(entity, None));
        }
        match facts.expr(site.expr) {
            Expr::Call { .. } => self.callee(file, site.expr),
            _ => None,
        }
    }

    /// The definition that a written type names.
    pub fn type_entity_of(&mut self, file: FileId, ty: TypeId) -> Entity {
        match self.repo.facts(file).ty(ty) {
            TypeExpr::Named {
                path, scope, at, ..
            } => self.type_path(file, path, *scope, *at),
            TypeExpr::Reference(inner) | TypeExpr::Optional(inner) => {
                self.type_entity_of(file, *inner)
            }
            TypeExpr::SelfType(def) => match self.self_type(GDef { file, def: *def }) {
                Ty::Instance(def, _) | Ty::Param(def, SELF) => Entity::def(def),
                other => Entity::Value(other),
            },
            TypeExpr::Anonymous(def) => Entity::def(GDef { file, def: *def }),
            _ => Entity::Unknown,
        }
    }

    fn outcome_of(
        &mut self,
        file: FileId,
        callee: ExprId,
        entity: Entity,
        receiver: Option<Ty>,
        view: CallView<'_>,
    ) -> Outcome {
        match entity {
            Entity::Defs(defs) if self.is_hidden_member(&defs) => {
                Outcome::Unresolved(Reason::Dynamic)
            }
            Entity::Defs(defs) => {
                let tier = self.tier_of(file, callee, receiver.as_ref());
                self.targets(defs.to_vec(), tier, view)
            }
            Entity::External(external) => Outcome::External(external),
            Entity::Value(Ty::Unknown | Ty::Null) => self.passed_outcome(file, callee, view),
            Entity::Value(ty) => self.value_outcome(file, &ty, view),
            Entity::Module(_) => Outcome::Unresolved(Reason::Dynamic),
            Entity::Unknown => match self.passed_outcome(file, callee, view) {
                Outcome::Unresolved(_) => self.unknown_outcome(file, callee, receiver),
                found => found,
            },
        }
    }

    /// Members of a type that a comment declares stand nowhere in the graph.
    fn is_hidden_member(&self, defs: &[GDef]) -> bool {
        let hidden = |d: &GDef| {
            let def = self.repo.def(*d);
            def.kind == SymbolKind::Property && def.flags.has(DefFlags::ANONYMOUS)
        };
        defs.first().is_some_and(hidden)
    }

    /// A call of a parameter, by what its function is known to be given.
    fn passed_outcome(&mut self, file: FileId, callee: ExprId, view: CallView<'_>) -> Outcome {
        let passed = self.lang(file).passed(self, file, callee);
        self.value_outcome(file, &passed, view)
    }

    /// A member found through a value's type is `typed`; a name or a path of modules and classes is
    /// `scoped`.
    fn tier_of(&self, file: FileId, callee: ExprId, receiver: Option<&Ty>) -> Tier {
        let by_path = match self.repo.facts(file).expr(callee) {
            Expr::Name { .. } => true,
            _ => matches!(receiver, None | Some(Ty::Module(_) | Ty::Class(..))),
        };
        if by_path { Tier::Scoped } else { Tier::Typed }
    }

    fn targets(&mut self, defs: Vec<GDef>, tier: Tier, view: CallView<'_>) -> Outcome {
        let mut out = Vec::new();
        // Members found in different parts of a union are no overloads of one another.
        let mut groups: Vec<(Option<DefId>, FileId, Vec<GDef>)> = Vec::new();
        for def in defs {
            let parent = self.repo.def(def).parent;
            match groups.iter_mut().find(|g| g.0 == parent && g.1 == def.file) {
                Some(group) => group.2.push(def),
                None => groups.push((parent, def.file, vec![def])),
            }
        }
        for (_, _, group) in groups {
            match self.group_targets(&group, view) {
                Some(found) => out.extend(found),
                None => return Outcome::Unresolved(Reason::Ambiguous),
            }
        }
        out.dedup();
        if out.len() > MAX_TARGETS {
            return Outcome::Unresolved(Reason::Ambiguous);
        }
        Outcome::Targets(out, tier)
    }

    /// The one target among definitions of one name in one place; `None` where that cannot be told.
    fn group_targets(&mut self, group: &[GDef], view: CallView<'_>) -> Option<Vec<GDef>> {
        let callable: Vec<GDef> = group
            .iter()
            .copied()
            .filter(|d| self.repo.def(*d).kind.is_callable())
            .collect();
        if !callable.is_empty() {
            let chosen = self.choose(&callable, view);
            return self.single(chosen);
        }
        let class = group
            .iter()
            .copied()
            .find(|d| self.repo.def(*d).kind.is_type());
        if let Some(class) = class {
            let lang = self.lang(class.file);
            let constructors = lang.constructor(self, class, view);
            return self.single(constructors);
        }
        group.first().map(|first| {
            if self.repo.def(*first).kind == SymbolKind::TypeAlias
                && let Ty::Class(class, _) = self.value(*first)
            {
                let lang = self.lang(class.file);
                return lang.constructor(self, class, view);
            }
            if self.lang(first.file).through_variables()
                && let Some(found) = self.held(*first, view)
            {
                return found;
            }
            vec![*first]
        })
    }

    /// The functions and classes that a variable or field holds, where that is known.
    fn held(&mut self, variable: GDef, view: CallView<'_>) -> Option<Vec<GDef>> {
        let held = self.value(variable);
        let alias = |ty: &Ty| matches!(ty, Ty::Function(..) | Ty::Class(..));
        if !held.parts().iter().all(alias) {
            return None;
        }
        match self.value_outcome(variable.file, &held, view) {
            Outcome::Targets(found, _) if !found.contains(&variable) => Some(found),
            _ => None,
        }
    }

    /// Declarations of one function count as one; real overloads must be down to one.
    fn single(&mut self, mut chosen: Vec<GDef>) -> Option<Vec<GDef>> {
        if chosen.len() > 1 {
            let with_body: Vec<GDef> = chosen
                .iter()
                .copied()
                .filter(|d| !self.repo.def(*d).flags.has(DefFlags::DECLARATION_ONLY))
                .collect();
            match with_body.len() {
                0 => chosen.truncate(1),
                1 => chosen = with_body,
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

    fn value_outcome(&mut self, file: FileId, ty: &Ty, view: CallView<'_>) -> Outcome {
        match ty {
            Ty::Function(defs, _) => {
                let named: Vec<GDef> = defs
                    .iter()
                    .copied()
                    .filter(|d| !self.repo.def(*d).flags.has(DefFlags::ANONYMOUS))
                    .collect();
                if named.is_empty() {
                    return Outcome::Unresolved(Reason::Dynamic);
                }
                self.targets(named, Tier::Typed, view)
            }
            Ty::Class(def, _) => self.targets(vec![*def], Tier::Typed, view),
            Ty::External(external) => Outcome::External(external.clone()),
            Ty::Super(class) => self.super_constructor(*class, view),
            Ty::Instance(..) => {
                let lang = self.lang(file);
                match lang.call_instance(self, ty) {
                    Entity::Defs(defs) if self.is_anonymous(&defs) => {
                        Outcome::Unresolved(Reason::Dynamic)
                    }
                    Entity::Defs(defs) => self.targets(defs.to_vec(), Tier::Typed, view),
                    Entity::External(external) => Outcome::External(external),
                    _ => Outcome::Unresolved(Reason::Dynamic),
                }
            }
            Ty::ExternalInstance(external, _) => Outcome::External(external.clone()),
            Ty::Union(parts) => self.union_outcome(file, parts, view),
            Ty::Unknown => Outcome::Unresolved(Reason::Dynamic),
            _ => Outcome::Unresolved(Reason::Dynamic),
        }
    }

    /// Call signatures have no name that an edge could lead to.
    fn is_anonymous(&self, defs: &[GDef]) -> bool {
        defs.iter()
            .any(|d| self.repo.def(*d).flags.has(DefFlags::ANONYMOUS))
    }

    fn union_outcome(&mut self, file: FileId, parts: &Args, view: CallView<'_>) -> Outcome {
        let mut all = Vec::new();
        let mut other = Outcome::Unresolved(Reason::Dynamic);
        for part in parts.iter() {
            match self.value_outcome(file, part, view) {
                Outcome::Targets(defs, _) => all.extend(defs),
                found @ Outcome::External(_) => other = found,
                _ => {}
            }
        }
        all.dedup();
        match all.len() {
            0 => other,
            n if n > MAX_TARGETS => Outcome::Unresolved(Reason::Ambiguous),
            _ => Outcome::Targets(all, Tier::Typed),
        }
    }

    /// `super(…)` in a constructor.
    fn super_constructor(&mut self, class: GDef, view: CallView<'_>) -> Outcome {
        let above = self.search_order(&Ty::Super(class));
        match above.first() {
            Some(Ty::Instance(parent, _) | Ty::Class(parent, _)) => {
                let lang = self.lang(parent.file);
                let constructors = lang.constructor(self, *parent, view);
                match self.single(constructors) {
                    Some(targets) => Outcome::Targets(targets, Tier::Typed),
                    None => Outcome::Unresolved(Reason::Ambiguous),
                }
            }
            Some(Ty::ExternalInstance(external, _) | Ty::External(external)) => {
                Outcome::External(external.clone())
            }
            _ => Outcome::Unresolved(Reason::UnknownReceiver),
        }
    }

    fn unknown_outcome(&mut self, file: FileId, callee: ExprId, receiver: Option<Ty>) -> Outcome {
        match self.repo.facts(file).expr(callee) {
            Expr::Name { name, scope, at } => {
                let through = self.lang(file).through_classes();
                let bound = self
                    .repo
                    .lookup(file, *name, *scope, *at, Namespace::ALL, through);
                Outcome::Unresolved(match bound.map(|b| b.to) {
                    Some(Bound::Import(_)) => Reason::UnresolvedImport,
                    Some(_) => Reason::Dynamic,
                    None => Reason::UnknownName,
                })
            }
            Expr::Member { name, .. } | Expr::Scoped { name, .. } => {
                if !receiver.as_ref().is_none_or(Ty::is_unknown) {
                    return Outcome::Unresolved(Reason::NoSuchMember);
                }
                let lang = self.lang(file);
                match lang.only_reachable(self, file, *name) {
                    Some(def) => Outcome::Targets(vec![def], Tier::Named),
                    None => Outcome::Unresolved(Reason::UnknownReceiver),
                }
            }
            _ => Outcome::Unresolved(Reason::Computed),
        }
    }

    /// Where a mention or a write leads.
    pub fn mention_outcome(&mut self, file: FileId, what: RefTarget) -> Outcome {
        self.refuel(file);
        let (entity, callee, receiver) = match what {
            RefTarget::Type(ty) => (self.type_entity_of(file, ty), None, None),
            RefTarget::Expr(expr) => {
                let (mut entity, receiver) = self.entity(file, expr, Namespace::VALUE);
                if entity.is_unknown() {
                    entity = self.entity(file, expr, Namespace::TYPE).0;
                }
                (entity, Some(expr), receiver)
            }
        };
        let entity = self.lang(file).mentioned(self, entity);
        match entity {
            Entity::Defs(defs) => {
                let tier =
                    callee.map_or(Tier::Scoped, |c| self.tier_of(file, c, receiver.as_ref()));
                // A mention means the declaration, whichever overload: the first stands for all.
                let parent = |d: &GDef| (d.file, self.repo.def(*d).parent);
                let mut out: Vec<GDef> = Vec::new();
                for def in defs.iter() {
                    if !out.iter().any(|d| parent(d) == parent(def)) {
                        out.push(*def);
                    }
                }
                if out.len() > MAX_TARGETS {
                    return Outcome::Unresolved(Reason::Ambiguous);
                }
                Outcome::Targets(out, tier)
            }
            Entity::External(external) => Outcome::External(external),
            _ => Outcome::Unresolved(Reason::UnknownName),
        }
    }
}
