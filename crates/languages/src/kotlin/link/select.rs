//! Chooses among overloads: by the number and names of arguments, then by their types as far as they are known.

use super::Kotlin;
use super::platform::{self, standard};
use base::facts::*;
use base::{Language, SymbolKind};
use linker::eval::Eval;
use linker::lang::CallView;
use linker::repo::{FileId, GlobalDef};
use linker::ty::*;

/// Maximum number of candidates that are compared.
const MAX_CANDIDATES: usize = 80;

/// How well an argument fits a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    No,
    /// Not known.
    Maybe,
    /// It certainly fits.
    Strict,
}

/// A function, or a class with its primary constructor, that a call may mean.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) def: GlobalDef,
    /// The object on which it is called.
    pub(super) owner: Option<Ty>,
    /// The position of its class among the type of the object and its ancestors, nearest first.
    pub(super) level: u32,
}

/// An argument.
enum Arg {
    Value(Ty),
    /// A whole number that is written as a literal.
    Number,
    Lambda(GlobalDef),
}

/// A way to call a candidate.
struct Form {
    /// The candidate.
    at: usize,
    /// For each argument, the type of its parameter.
    params: Vec<Ty>,
    receiver: Option<Ty>,
    has_rest: bool,
    defaults: usize,
    is_generic: bool,
    /// How well each argument fits.
    fits: Vec<Fit>,
}

/// The parameter for each argument.
pub(super) struct Targets {
    pub(super) of_args: Vec<usize>,
    /// The number of parameters that take their default value.
    defaults: usize,
    has_rest: bool,
}

/// The parameters of a callable that take arguments.
pub(super) fn parameters(callable: &Callable) -> Vec<&Param> {
    let params = callable.params.iter();
    params
        .filter(|param| param.kind != ParamKind::Receiver)
        .collect()
}

/// The parameter for each argument of a call; `None` if the number or the names do not fit.
pub(super) fn targets(ev: &Eval<'_>, def: GlobalDef, view: CallView<'_>) -> Option<Targets> {
    let inherits = ev.repo.def(def).flags.has(DefFlags::OVERRIDES);
    targets_with(ev, def, view, inherits)
}

/// The same. `inherits` says whether each parameter may have a default value that an overridden method declares.
fn targets_with(
    ev: &Eval<'_>,
    def: GlobalDef,
    view: CallView<'_>,
    inherits: bool,
) -> Option<Targets> {
    let repo = ev.repo;
    let (facts, home) = (repo.facts(view.file), repo.facts(def.file));
    let Some(callable) = repo.def(def).callable.as_deref() else {
        return view.args.is_empty().then(|| Targets {
            of_args: Vec::new(),
            defaults: 0,
            has_rest: false,
        });
    };
    let params = parameters(callable);
    let mut of_args = Vec::with_capacity(view.args.len());
    let mut taken = vec![false; params.len()];
    let mut next = 0;
    let mut has_rest = false;
    for arg in view.args {
        let target = match facts.expr(*arg) {
            Expr::Keyword(name, _) => {
                let name = facts.name(*name);
                let at = params.iter().position(|p| home.name(p.name) == name)?;
                next = at + 1;
                at
            }
            Expr::Borrowed(_) => params.len().checked_sub(1)?,
            _ => {
                let at = next;
                let param = params.get(at)?;
                let is_spread = matches!(facts.expr(*arg), Expr::Spread(_));
                if param.kind == ParamKind::Variadic {
                    has_rest = true;
                } else if is_spread {
                    return None;
                } else {
                    next += 1;
                }
                at
            }
        };
        if taken[target] && params[target].kind != ParamKind::Variadic {
            return None;
        }
        taken[target] = true;
        of_args.push(target);
    }
    let mut defaults = 0;
    for (param, is_taken) in params.iter().zip(&taken) {
        if *is_taken {
            continue;
        }
        match param.kind {
            ParamKind::Plain if !inherits => return None,
            _ => defaults += 1,
        }
    }
    Some(Targets {
        of_args,
        defaults,
        has_rest,
    })
}

/// The value of an argument, without its name or spread.
pub(super) fn value_of(ev: &Eval<'_>, file: FileId, expr: ExprId) -> ExprId {
    let facts = ev.repo.facts(file);
    let mut at = expr;
    for _ in 0..3 {
        match facts.expr(at) {
            Expr::Keyword(_, value) | Expr::Borrowed(value) => at = *value,
            _ => break,
        }
    }
    at
}

impl Kotlin {
    /// The candidates that a call may mean. One is usual. None means that none takes the arguments; several mean that the call
    /// is ambiguous.
    pub(super) fn select(
        &self,
        ev: &mut Eval<'_>,
        candidates: &[Candidate],
        view: CallView<'_>,
    ) -> Vec<Candidate> {
        if candidates.is_empty() || !ev.spend(candidates.len()) {
            return Vec::new();
        }
        let mut forms: Vec<Form> = Vec::new();
        for (at, candidate) in candidates.iter().enumerate().take(MAX_CANDIDATES) {
            if let Some(form) = self.form(ev, candidate, at, view, false) {
                forms.push(form);
            }
        }
        self.add_overriding(ev, candidates, &mut forms, view);
        if forms.is_empty() {
            return Vec::new();
        }
        let args: Vec<Arg> = view.args.iter().map(|a| argument(ev, view, *a)).collect();
        for form in &mut forms {
            form.fits = self.form_fits(ev, form, &args);
        }
        forms.retain(|form| !form.fits.contains(&Fit::No));
        let forms = self.without_hidden(ev, candidates, forms, view.file);
        let chosen = self.best(ev, forms);
        let chosen = chosen.into_iter().map(|form| candidates[form.at].clone());
        chosen.collect()
    }

    /// Adds the methods that take the default values of a method that fits, since they override it.
    fn add_overriding(
        &self,
        ev: &mut Eval<'_>,
        candidates: &[Candidate],
        forms: &mut Vec<Form>,
        view: CallView<'_>,
    ) {
        let repo = ev.repo;
        let count = |at: usize| {
            let callable = repo.def(candidates[at].def).callable.as_deref();
            callable.map_or(0, |callable| callable.params.len())
        };
        let above: Vec<usize> = forms.iter().map(|form| form.at).collect();
        for (at, candidate) in candidates.iter().enumerate().take(MAX_CANDIDATES) {
            let overrides = repo.def(candidate.def).flags.has(DefFlags::OVERRIDES);
            let fits = above.iter().any(|above| {
                candidates[*above].level > candidate.level && count(*above) == count(at)
            });
            if overrides
                && fits
                && !above.contains(&at)
                && let Some(form) = self.form(ev, candidate, at, view, true)
            {
                forms.push(form);
            }
        }
    }

    /// How a call passes its arguments to a candidate; `None` if their number or names do not fit.
    fn form(
        &self,
        ev: &mut Eval<'_>,
        candidate: &Candidate,
        at: usize,
        view: CallView<'_>,
        inherits: bool,
    ) -> Option<Form> {
        let repo = ev.repo;
        let def = candidate.def;
        let it = repo.def(def);
        let targets = targets_with(ev, def, view, inherits)?;
        let is_constructor = it.kind == SymbolKind::Constructor;
        let count = it.type_params.len();
        if !view.type_args.is_empty() && view.type_args.len() != count && !is_constructor {
            return None;
        }
        let env = self.infer(ev, candidate, view, &targets);
        if !self.are_within_bounds(ev, def, &env) {
            return None;
        }
        let params = it.callable.as_deref().map(parameters).unwrap_or_default();
        let mut types = Vec::with_capacity(targets.of_args.len());
        let facts = repo.facts(view.file);
        for (n, arg) in targets.of_args.iter().zip(view.args) {
            let param = params.get(*n);
            let is_rest = param.is_some_and(|p| p.kind == ParamKind::Variadic);
            // With its name, all arguments are given as one array.
            if is_rest && matches!(facts.expr(*arg), Expr::Keyword(..)) {
                types.push(Ty::Unknown);
                continue;
            }
            let ty = param.and_then(|p| p.ty);
            let ty = ty.map(|ty| ev.lower_type(def.file, ty)).unwrap_or_default();
            let filled = ev.substitute_env(&ty, &env);
            let filled = ev.substitute(&filled, candidate.owner.as_ref());
            types.push(platform::kotlin_type(&filled));
        }
        let receiver = if it.flags.has(DefFlags::EXTENSION) {
            let wanted = self.receiver_type(ev, def);
            wanted.map(|wanted| ev.substitute_env(&wanted, &env))
        } else {
            None
        };
        Some(Form {
            at,
            params: types,
            receiver,
            has_rest: targets.has_rest,
            defaults: targets.defaults,
            is_generic: !it.type_params.is_empty(),
            fits: Vec::new(),
        })
    }

    /// Type arguments of a call: those that are written, else what the receiver and the arguments say.
    pub(super) fn infer(
        &self,
        ev: &mut Eval<'_>,
        candidate: &Candidate,
        view: CallView<'_>,
        targets: &Targets,
    ) -> Vec<((GlobalDef, u32), Ty)> {
        let repo = ev.repo;
        let def = candidate.def;
        let it = repo.def(def);
        let mut env: Vec<((GlobalDef, u32), Ty)> = Vec::new();
        if it.type_params.is_empty() && it.kind != SymbolKind::Constructor {
            return env;
        }
        let given = ev.lower_types(view.file, view.type_args);
        let holder = match it.parent {
            Some(class) if it.kind == SymbolKind::Constructor => GlobalDef { def: class, ..def },
            _ => def,
        };
        env.extend(given.into_iter().zip(0..).map(|(ty, n)| ((holder, n), ty)));
        if !env.is_empty() {
            return env;
        }
        if it.flags.has(DefFlags::EXTENSION)
            && let (Some(wanted), Some(owner)) = (self.receiver_type(ev, def), &candidate.owner)
        {
            let owner = self.seen_from(ev, owner, &wanted);
            ev.unify(&wanted, &owner, &mut env);
        }
        let params = it.callable.as_deref().map(parameters).unwrap_or_default();
        for (arg, n) in view.args.iter().zip(&targets.of_args) {
            let Some(wanted) = params.get(*n).and_then(|p| p.ty) else {
                continue;
            };
            let value = value_of(ev, view.file, *arg);
            if matches!(ev.repo.facts(view.file).expr(value), Expr::Function(_)) {
                continue;
            }
            let wanted = ev.lower_type(def.file, wanted);
            let actual = platform::kotlin_type(&ev.type_of_expr(view.file, value));
            let actual = self.as_object(ev, &actual);
            let actual = self.seen_from(ev, &actual, &wanted);
            ev.unify(&wanted, &actual, &mut env);
        }
        env
    }

    /// Whether the type arguments of a function may be what they are.
    fn are_within_bounds(
        &self,
        ev: &mut Eval<'_>,
        def: GlobalDef,
        env: &[((GlobalDef, u32), Ty)],
    ) -> bool {
        for ((holder, n), ty) in env.iter().filter(|((holder, _), _)| *holder == def) {
            if !ev.spend(env.len()) {
                return true;
            }
            let params = &ev.repo.def(*holder).type_params;
            let bounds = params.get(*n as usize).map(|param| &param.bounds);
            for bound in bounds.into_iter().flatten() {
                let bound = ev.lower_type(holder.file, *bound);
                let bound = ev.substitute_env(&bound, env);
                if self.fit(ev, ty, &bound) == Fit::No {
                    return false;
                }
            }
        }
        true
    }

    /// A value's type as the external class that is wanted, if it inherits from it.
    fn seen_from(&self, ev: &mut Eval<'_>, actual: &Ty, wanted: &Ty) -> Ty {
        match wanted {
            Ty::ExternalInstance(wanted, _) => {
                let found = self.external_view(ev, actual, wanted);
                found.unwrap_or_else(|| actual.clone())
            }
            _ => actual.clone(),
        }
    }

    /// A type as an instance of an external class from which it inherits.
    pub(super) fn external_view(
        &self,
        ev: &mut Eval<'_>,
        actual: &Ty,
        wanted: &External,
    ) -> Option<Ty> {
        let opened = platform::kotlin_type(&ev.resolve_type_param(actual));
        match &opened {
            Ty::ExternalInstance(..) => standard().as_super(&opened, wanted),
            Ty::Instance(..) => {
                let order = ev.member_search_order(&opened);
                let mut outside = order
                    .iter()
                    .filter(|ty| matches!(ty, Ty::ExternalInstance(..)));
                outside.find_map(|ty| standard().as_super(&platform::kotlin_type(ty), wanted))
            }
            _ => None,
        }
    }

    fn form_fits(&self, ev: &mut Eval<'_>, form: &Form, args: &[Arg]) -> Vec<Fit> {
        let mut out = Vec::with_capacity(args.len());
        for (arg, param) in args.iter().zip(&form.params) {
            let fit = self.arg_fit(ev, arg, param);
            out.push(fit);
            if fit == Fit::No {
                break;
            }
        }
        out
    }

    fn arg_fit(&self, ev: &mut Eval<'_>, arg: &Arg, param: &Ty) -> Fit {
        match arg {
            Arg::Lambda(def) => self.lambda_fit(ev, *def, param),
            Arg::Number => {
                if platform::is_whole_number(param) {
                    return Fit::Strict;
                }
                self.fit(ev, &platform::kotlin("Int"), param)
            }
            Arg::Value(ty) => self.fit(ev, ty, param),
        }
    }

    fn lambda_fit(&self, ev: &mut Eval<'_>, lambda: GlobalDef, param: &Ty) -> Fit {
        let opened = match param {
            Ty::Param(..) => ev.resolve_type_param(param),
            other => other.clone(),
        };
        if opened.is_unknown() || platform::is_any(&opened) {
            return Fit::Maybe;
        }
        let Some((params, _)) = self.function_shape(ev, &opened) else {
            return match &opened {
                Ty::Instance(class, _) => {
                    let kind = ev.repo.def(*class).kind;
                    if kind == SymbolKind::Interface {
                        Fit::Maybe
                    } else {
                        Fit::No
                    }
                }
                Ty::ExternalInstance(external, _) if standard().knows(external) => Fit::No,
                _ => Fit::Maybe,
            };
        };
        let Some(callable) = ev.repo.def(lambda).callable.as_deref() else {
            return Fit::Maybe;
        };
        let wanted = params.iter().filter(|p| platform::receiver(p).is_none());
        let wanted = wanted.count();
        let own = callable
            .params
            .iter()
            .filter(|p| !matches!(p.kind, ParamKind::KeywordOnly | ParamKind::Receiver));
        let is_implicit = own.clone().any(|p| p.kind == ParamKind::Optional);
        let count = own.count();
        if count == wanted || (is_implicit && wanted == 0) {
            Fit::Strict
        } else {
            Fit::No
        }
    }

    /// Whether a value fits as the receiver of an extension.
    pub(super) fn receiver_fit(
        &self,
        ev: &mut Eval<'_>,
        def: GlobalDef,
        wanted: &Ty,
        object: &Ty,
    ) -> Fit {
        if let Ty::Param(of, n) = wanted
            && *of == def
            && *n != SELF
        {
            let bound = ev.type_param_bound(wanted);
            if bound.is_unknown() {
                let is_bound = !ev.repo.def(def).type_params[*n as usize].bounds.is_empty();
                return if is_bound { Fit::Maybe } else { Fit::Strict };
            }
            return self.fit(ev, object, &bound);
        }
        let mut env = Vec::new();
        let seen = self.seen_from(ev, object, wanted);
        ev.unify(wanted, &seen, &mut env);
        let filled = ev.substitute_env(wanted, &env);
        self.fit(ev, object, &filled)
    }

    /// How well a value of type `from` fits where `to` is expected.
    pub(super) fn fit(&self, ev: &mut Eval<'_>, from: &Ty, to: &Ty) -> Fit {
        if from.is_unknown() || to.is_unknown() {
            return Fit::Maybe;
        }
        if from == to || platform::is_any(to) || *from == Ty::Null {
            return Fit::Strict;
        }
        ev.guard_recursion(|ev| Some(self.fit_inner(ev, from, to)))
            .unwrap_or(Fit::Maybe)
    }

    fn fit_inner(&self, ev: &mut Eval<'_>, from: &Ty, to: &Ty) -> Fit {
        let (from, to) = (&platform::kotlin_type(from), &platform::kotlin_type(to));
        if from == to || platform::is_any(to) {
            return Fit::Strict;
        }
        match (from, to) {
            (_, Ty::Param(_, n)) if *n != SELF => {
                let bound = ev.resolve_type_param(to);
                match bound {
                    Ty::Unknown => Fit::Strict,
                    bound => self.fit(ev, from, &bound),
                }
            }
            (_, Ty::Union(parts)) => {
                let fits = parts.iter().map(|part| self.fit(ev, from, part));
                fits.max().unwrap_or(Fit::Maybe)
            }
            (Ty::Param(..), _) => match ev.resolve_type_param(from) {
                Ty::Unknown => Fit::No,
                bound => self.fit(ev, &bound, to),
            },
            (_, Ty::Param(..)) => {
                let opened = ev.resolve_type_param(to);
                self.fit(ev, from, &opened)
            }
            (Ty::Union(parts), _) => {
                let fits = parts.iter().map(|part| self.fit(ev, part, to));
                fits.min().unwrap_or(Fit::Maybe)
            }
            (Ty::Class(..), _) => match self.as_object(ev, from) {
                Ty::Class(..) => Fit::Maybe,
                object => self.fit(ev, &object, to),
            },
            (Ty::Instance(..), Ty::Instance(..) | Ty::ExternalInstance(..)) => {
                self.class_fit(ev, from, to)
            }
            (Ty::ExternalInstance(a, _), Ty::ExternalInstance(b, args)) => {
                if let Some(seen) = standard().as_super(from, b) {
                    return self.args_fit(ev, &seen, args);
                }
                if standard().knows(a) && standard().knows(b) {
                    Fit::No
                } else {
                    Fit::Maybe
                }
            }
            (Ty::ExternalInstance(a, _), Ty::Instance(class, _)) => {
                // A class of Java may stand before one of the repository that has the same name.
                let is_java = ev.repo.language(class.file) == Language::Java;
                if standard().knows(a) || !is_java {
                    Fit::No
                } else {
                    Fit::Maybe
                }
            }
            (Ty::Callable(..) | Ty::Function(..), _) => self.function_fit(ev, from, to),
            (Ty::Instance(..), Ty::Callable(..)) => match self.function_shape(ev, from) {
                Some(_) => Fit::Maybe,
                None => Fit::No,
            },
            (Ty::ExternalInstance(a, _), Ty::Callable(..)) if standard().knows(a) => Fit::No,
            _ => Fit::Maybe,
        }
    }

    fn function_fit(&self, ev: &mut Eval<'_>, from: &Ty, to: &Ty) -> Fit {
        match (self.function_shape(ev, to), from) {
            (Some((params, _)), Ty::Callable(own, _)) => {
                if params.len() == own.len() {
                    Fit::Strict
                } else {
                    Fit::No
                }
            }
            (Some(_), _) => Fit::Maybe,
            (None, _) => match to {
                Ty::ExternalInstance(external, _) if standard().knows(external) => Fit::No,
                Ty::Instance(class, _) => {
                    let kind = ev.repo.def(*class).kind;
                    if kind == SymbolKind::Interface {
                        Fit::Maybe
                    } else {
                        Fit::No
                    }
                }
                _ => Fit::Maybe,
            },
        }
    }

    /// Whether an instance of a class of the repository fits another type.
    fn class_fit(&self, ev: &mut Eval<'_>, from: &Ty, to: &Ty) -> Fit {
        let mut worst = Fit::No;
        for above in ev.member_search_order(from) {
            if !ev.spend(1) {
                return Fit::Maybe;
            }
            match (&above, to) {
                (Ty::Instance(a, _), Ty::Instance(b, args)) if a == b => {
                    return self.args_fit(ev, &above, args);
                }
                (Ty::ExternalInstance(a, _), Ty::ExternalInstance(b, args)) => {
                    let a_ty = platform::kotlin_type(&above);
                    if let Some(seen) = standard().as_super(&a_ty, b) {
                        return self.args_fit(ev, &seen, args);
                    }
                    if !standard().knows(a) {
                        worst = Fit::Maybe;
                    }
                }
                (Ty::Instance(class, _), _) if self.has_unknown_super(ev, *class) => {
                    worst = Fit::Maybe;
                }
                _ => {}
            }
        }
        if let (Ty::Instance(class, _), Ty::ExternalInstance(b, _)) = (from, to)
            && ev.repo.def(*class).kind == SymbolKind::Enum
            && matches!(&*b.symbol, "Enum" | "Comparable")
        {
            return Fit::Strict;
        }
        worst
    }

    /// Whether some supertype of a class is not known.
    fn has_unknown_super(&self, ev: &mut Eval<'_>, class: GlobalDef) -> bool {
        let supers = &ev.repo.def(class).supers;
        if !ev.spend(supers.len()) {
            return true;
        }
        supers.iter().any(|(ty, _)| {
            let ty = ev.lower_type(class.file, *ty);
            ty.is_unknown()
        })
    }

    fn args_fit(&self, ev: &mut Eval<'_>, from: &Ty, wanted: &Args) -> Fit {
        let mut worst = Fit::Strict;
        for (n, wanted) in wanted.iter().enumerate() {
            let own = from.arg(n);
            if own.is_unknown() || wanted.is_unknown() {
                continue;
            }
            // Variance is not read, so either direction may fit.
            let fit = self.fit(ev, &own, wanted);
            let fit = fit.max(self.fit(ev, wanted, &own));
            worst = worst.min(fit);
        }
        worst
    }

    /// Removes candidates that others replace: overridden ones, and those of other builds.
    fn without_hidden(
        &self,
        ev: &Eval<'_>,
        candidates: &[Candidate],
        forms: Vec<Form>,
        near: FileId,
    ) -> Vec<Form> {
        let repo = ev.repo;
        let mut kept: Vec<Form> = Vec::new();
        for form in forms {
            let is_same = |k: &Form| {
                k.params.len() == form.params.len()
                    && k.defaults == form.defaults
                    && k.has_rest == form.has_rest
                    && same_receiver(&k.receiver, &form.receiver)
                    && (k.params.iter().zip(&form.params)).all(|(a, b)| same_erasure(a, b))
            };
            let Some(at) = kept.iter().position(is_same) else {
                kept.push(form);
                continue;
            };
            let (old, new) = (&candidates[kept[at].at], &candidates[form.at]);
            if old.level == new.level && old.def.file == new.def.file {
                // They differ in something that is not known here, such as whether a type may be null.
                kept.push(form);
                continue;
            }
            let is_nearer = if old.level == new.level {
                let pair = vec![old.def, new.def];
                super::nearest(repo, near, pair) == Some(new.def)
            } else {
                new.level < old.level
            };
            if is_nearer {
                kept[at] = form;
            }
        }
        kept
    }

    /// The form that is better than all others; all of them if there is none.
    fn best(&self, ev: &mut Eval<'_>, mut forms: Vec<Form>) -> Vec<Form> {
        if forms.len() < 2 {
            return forms;
        }
        let better = (0..forms.len()).find(|one| {
            (0..forms.len())
                .filter(|other| other != one)
                .all(|other| self.is_better(ev, &forms[*one], &forms[other]))
        });
        match better {
            Some(at) => vec![forms.swap_remove(at)],
            None => forms,
        }
    }

    /// Whether one form is more specific than another.
    fn is_better(&self, ev: &mut Eval<'_>, one: &Form, other: &Form) -> bool {
        let mut wins = false;
        let pairs = one.params.iter().zip(&other.params).zip(&one.fits);
        let receivers = one.receiver.iter().zip(&other.receiver);
        let receivers = receivers.map(|pair| (pair, &Fit::Strict));
        let pairs: Vec<((&Ty, &Ty), &Fit)> = pairs.chain(receivers).collect();
        for ((a, b), fit) in pairs {
            if a == b {
                continue;
            }
            let (there, back) = (self.specific(ev, a, b), self.specific(ev, b, a));
            match (there, back) {
                // An argument of unknown type may fit the other one alone.
                (true, false) if *fit == Fit::Strict => wins = true,
                (true, true) => {}
                _ => return false,
            }
        }
        if wins {
            return true;
        }
        if one.is_generic != other.is_generic {
            return !one.is_generic;
        }
        if one.has_rest != other.has_rest {
            return !one.has_rest;
        }
        one.defaults < other.defaults
    }

    /// Whether a type is as specific as another one.
    fn specific(&self, ev: &mut Eval<'_>, a: &Ty, b: &Ty) -> bool {
        if platform::is_any(b) {
            return true;
        }
        if let (Ty::Callable(x, _), Ty::Callable(y, _)) = (a, b) {
            return x.len() == y.len();
        }
        if let (Some(a), Some(b)) = (platform::number_rank(a), platform::number_rank(b)) {
            return a <= b;
        }
        self.fit(ev, a, b) == Fit::Strict
    }
}

fn argument(ev: &mut Eval<'_>, view: CallView<'_>, expr: ExprId) -> Arg {
    let value = value_of(ev, view.file, expr);
    match ev.repo.facts(view.file).expr(value) {
        Expr::Function(def) => Arg::Lambda(GlobalDef {
            file: view.file,
            def: *def,
        }),
        Expr::Literal(Primitive::Int) => Arg::Number,
        // An array whose elements are the arguments.
        Expr::Spread(_) => Arg::Value(Ty::Unknown),
        _ => match platform::kotlin_type(&ev.type_of_expr(view.file, value)) {
            ty @ (Ty::Instance(..)
            | Ty::ExternalInstance(..)
            | Ty::Param(..)
            | Ty::Callable(..)
            | Ty::Function(..)
            | Ty::Class(..)
            | Ty::Null
            | Ty::Union(_)) => Arg::Value(ty),
            _ => Arg::Value(Ty::Unknown),
        },
    }
}

fn same_receiver(a: &Option<Ty>, b: &Option<Ty>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => same_erasure(a, b),
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// Whether two types are equal apart from the names of type parameters.
fn same_erasure(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Param(_, n), Ty::Param(_, m)) => n == m,
        (Ty::Instance(a, x), Ty::Instance(b, y)) => a == b && same_args(x, y),
        (Ty::ExternalInstance(a, x), Ty::ExternalInstance(b, y)) => a == b && same_args(x, y),
        (Ty::Callable(x, _), Ty::Callable(y, _)) => same_args(x, y),
        (Ty::Unknown, Ty::Unknown) => false,
        (a, b) => a == b,
    }
}

fn same_args(a: &Args, b: &Args) -> bool {
    a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same_erasure(a, b))
}
