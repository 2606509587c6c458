//! Chooses among overloads: by the number of arguments, then by their names, then by their types as far as they are known.

use super::CSharp;
use super::constants::{Constant, constant, may_be_constant};
use super::fit::Fit;
use super::tables::{array, normalize, system_name, tables};
use base::facts::*;
use linker::eval::Eval;
use linker::lang::CallView;
use linker::repo::{FileId, GlobalDef, Repo};
use linker::ty::*;
use std::cmp::Ordering;

/// Maximum number of candidates that are compared.
pub(super) const MAX_CANDIDATES: usize = 80;

/// A method or constructor that a call may mean.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) def: GlobalDef,
    /// The type in which it was found.
    pub(super) owner: Ty,
    /// Whether it is called on its first parameter.
    pub(super) is_extension: bool,
    /// The position of its class among the type of the object and its ancestors, nearest first.
    pub(super) level: u32,
}

/// How an argument is passed, or a parameter taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Passing {
    Value,
    /// `ref`
    Reference,
    /// `in`. Arguments need no word for it.
    ReadOnly,
    /// `out`
    Out,
}

impl Passing {
    /// By the number of references that the facts have for it.
    fn of_count(count: u32) -> Passing {
        match count {
            0 => Passing::Value,
            1 => Passing::Reference,
            2 => Passing::ReadOnly,
            _ => Passing::Out,
        }
    }
}

/// An argument.
enum Arg {
    Value(Ty),
    /// A constant whole number.
    Constant(Ty, Constant),
    /// A value that is passed by reference, and keeps its type.
    Reference(Ty),
    Null,
    Lambda(GlobalDef),
    /// A method that is named without a call.
    Group,
}

impl Arg {
    /// Whether its type is not known.
    fn is_unknown(&self) -> bool {
        matches!(self, Arg::Value(ty) | Arg::Reference(ty) if ty.is_unknown())
    }
}

/// One way to call a candidate.
struct Form {
    /// The candidate.
    at: usize,
    /// The type of the parameter for each argument.
    params: Vec<Ty>,
    /// The same types as they are written, before type arguments are filled in.
    written: Vec<Ty>,
    /// The written types as the object's type sees them, before the type parameters of the method are filled in.
    declared: Vec<Ty>,
    passing: Vec<Passing>,
    /// The type of the first parameter of an extension method.
    receiver: Option<Ty>,
    /// The same type as it is written.
    written_receiver: Option<Ty>,
    /// Whether a type argument certainly violates a constraint.
    is_excluded: bool,
    /// Whether the last parameter takes several arguments one by one.
    is_expanded: bool,
    is_generic: bool,
    /// The number of parameters that take their default value.
    defaults: usize,
    /// The level of the class in which the method was first declared.
    level: u32,
    fit: Fit,
    /// How well each argument fits, up to one that does not.
    fits: Vec<Fit>,
}

impl CSharp {
    /// The candidates that a call may mean. One is usual. None means that none takes the arguments; several mean that the call
    /// is ambiguous.
    pub(super) fn select(
        &self,
        ev: &mut Eval<'_>,
        candidates: &[Candidate],
        view: CallView<'_>,
    ) -> Vec<Candidate> {
        let mut forms: Vec<Form> = Vec::new();
        if !ev.spend(candidates.len()) {
            return Vec::new();
        }
        let mut fitting: Vec<usize> = (0..candidates.len()).collect();
        fitting.retain(|at| takes_count(ev.repo, &candidates[*at], view));
        if fitting.len() > MAX_CANDIDATES {
            return fitting
                .into_iter()
                .map(|at| candidates[at].clone())
                .collect();
        }
        for at in fitting {
            forms.extend(shapes(ev, &candidates[at], at, view));
        }
        let mut all: Vec<usize> = forms.iter().map(|form| form.at).collect();
        all.dedup();
        if all.len() <= 1 {
            return all.into_iter().map(|at| candidates[at].clone()).collect();
        }
        for form in &mut forms {
            self.fill(ev, form, &candidates[form.at], view);
        }
        let mut forms = self.without_hidden(ev, candidates, forms);
        if forms.iter().any(|form| form.at != forms[0].at) {
            let args: Vec<Arg> = view.args.iter().map(|a| argument(ev, view, *a)).collect();
            for form in &mut forms {
                self.fit_arguments(ev, form, &args);
            }
            forms = self.best(ev, forms, &args);
        }
        let mut chosen: Vec<usize> = forms.iter().map(|form| form.at).collect();
        chosen.dedup();
        chosen
            .into_iter()
            .map(|at| candidates[at].clone())
            .collect()
    }

    /// Like [`CSharp::select`], where another project may have made known what it declares for itself alone: if that decides, the
    /// call is ambiguous.
    pub(super) fn select_seen(
        &self,
        ev: &mut Eval<'_>,
        candidates: &[Candidate],
        view: CallView<'_>,
    ) -> Vec<Candidate> {
        let chosen = self.select(ev, candidates, view);
        let is_own = |c: &&Candidate| !self.is_of_other_project(ev.repo, c.def, view.file);
        let own: Vec<Candidate> = candidates.iter().filter(is_own).cloned().collect();
        if own.is_empty() || own.len() == candidates.len() {
            return chosen;
        }
        let mut all = chosen;
        for other in self.select(ev, &own, view) {
            if all.iter().all(|known| known.def != other.def) {
                all.push(other);
            }
        }
        all
    }

    /// Whether the only candidate certainly cannot take the arguments.
    pub(super) fn rejects(
        &self,
        ev: &mut Eval<'_>,
        candidate: &Candidate,
        view: CallView<'_>,
    ) -> bool {
        let args: Vec<Arg> = view.args.iter().map(|a| argument(ev, view, *a)).collect();
        let mut forms = shapes(ev, candidate, 0, view);
        forms.iter_mut().all(|form| {
            self.fill(ev, form, candidate, view);
            self.fit_arguments(ev, form, &args);
            form.fit == Fit::No
        })
    }

    /// Fills in the types of a form's parameters. Type parameters are inferred from the arguments.
    fn fill(&self, ev: &mut Eval<'_>, form: &mut Form, candidate: &Candidate, view: CallView<'_>) {
        let def = candidate.def;
        let mut env: Vec<((GlobalDef, u32), Ty)> = Vec::new();
        if form.is_generic {
            let given = ev.lower_types(view.file, view.type_args);
            env.extend(given.into_iter().zip(0..).map(|(ty, n)| ((def, n), ty)));
            if env.is_empty() {
                self.bind_receiver(ev, def, Some(&candidate.owner), &mut env);
                for (arg, wanted) in view.args.iter().zip(&form.written) {
                    let arg = value_of(ev, view.file, *arg);
                    if matches!(ev.repo.facts(view.file).expr(arg), Expr::Function(_)) {
                        continue;
                    }
                    let actual = ev.type_of_expr(view.file, arg);
                    ev.unify(wanted, &actual, &mut env);
                }
            }
        }
        let own = env.iter().filter(|(param, _)| param.0 == def);
        let own: Vec<((GlobalDef, u32), Ty)> = own.cloned().collect();
        form.is_excluded = own.iter().any(|(param, ty)| self.violates(ev, *param, ty));
        let receiver = &form.written_receiver;
        form.receiver = receiver.as_ref().map(|ty| ev.substitute_env(ty, &env));
        let written = form.written.iter();
        form.declared = written
            .map(|ty| ev.substitute(ty, Some(&candidate.owner)))
            .collect();
        form.params = form
            .written
            .iter()
            .map(|ty| {
                let filled = ev.substitute_env(ty, &env);
                ev.substitute(&filled, Some(&candidate.owner))
            })
            .collect();
    }

    /// Removes candidates that others replace: overridden ones, and second versions under another condition.
    fn without_hidden(
        &self,
        ev: &Eval<'_>,
        candidates: &[Candidate],
        forms: Vec<Form>,
    ) -> Vec<Form> {
        let repo = ev.repo;
        let count = |at: usize| {
            let callable = repo.def(candidates[at].def).callable.as_deref();
            callable.map_or(0, |c| c.params.len())
        };
        let generics = |at: usize| repo.def(candidates[at].def).type_params.len();
        let mut kept: Vec<Form> = Vec::new();
        for form in forms {
            let is_same = |k: &Form| {
                k.at != form.at
                    && k.is_expanded == form.is_expanded
                    && count(k.at) == count(form.at)
                    && generics(k.at) == generics(form.at)
                    && k.passing == form.passing
                    && k.written_receiver.is_some() == form.written_receiver.is_some()
                    && k.declared.len() == form.declared.len()
                    && k.written_receiver
                        .iter()
                        .chain(&k.declared)
                        .zip(form.written_receiver.iter().chain(&form.declared))
                        .all(|(a, b)| same_declared(repo, a, b))
            };
            match kept.iter().position(is_same) {
                None => kept.push(form),
                Some(at) => {
                    // A declaration without a body gives way to the definition.
                    let flags = repo.def(candidates[kept[at].at].def).flags;
                    let is_declared = flags.has(DefFlags::DECLARATION_ONLY);
                    if is_declared && candidates[form.at].level == candidates[kept[at].at].level {
                        kept[at] = form;
                    } else if flags.has(DefFlags::REPLACES) {
                        // An override counts as a method of the class that declared the method first.
                        kept[at].level = form.level;
                    }
                }
            }
        }
        kept
    }

    fn fit_arguments(&self, ev: &mut Eval<'_>, form: &mut Form, args: &[Arg]) {
        let mut worst = if form.is_excluded {
            Fit::No
        } else {
            Fit::Strict
        };
        for (arg, param) in args.iter().zip(&form.params) {
            if worst == Fit::No {
                break;
            }
            let fit = self.arg_fit(ev, arg, param);
            form.fits.push(fit);
            worst = worst.min(fit);
        }
        form.fit = worst;
    }

    fn arg_fit(&self, ev: &mut Eval<'_>, arg: &Arg, param: &Ty) -> Fit {
        // A type parameter that was not inferred takes any argument.
        let is_open = matches!(param, Ty::Param(def, n) if *n != SELF && ev.repo.def(*def).kind.is_callable());
        match arg {
            Arg::Lambda(def) => self.lambda_fit(ev, *def, param),
            Arg::Group if self.is_no_delegate(ev, param) => Fit::No,
            Arg::Group => Fit::Strict,
            Arg::Value(ty) | Arg::Reference(ty) if ty.is_unknown() => Fit::Maybe,
            _ if is_open => Fit::Strict,
            Arg::Null => self.fit(ev, &Ty::Null, param),
            Arg::Reference(ty) => identity_fit(ty, param),
            Arg::Constant(ty, value) => match self.constant_fit(ev, *value, param) {
                Some(fit) => fit,
                None => self.fit(ev, ty, param),
            },
            Arg::Value(ty) => self.fit(ev, ty, param),
        }
    }

    fn lambda_fit(&self, ev: &mut Eval<'_>, lambda: GlobalDef, param: &Ty) -> Fit {
        if self.is_no_delegate(ev, param) {
            return Fit::No;
        }
        let Some((params, result)) = self.delegate_shape(ev, param) else {
            return Fit::Maybe;
        };
        let def = ev.repo.def(lambda);
        let Some(callable) = def.callable.as_deref() else {
            return Fit::Maybe;
        };
        let fits_any = def.flags.has(DefFlags::CONDITIONAL);
        if callable.params.len() != params.len() && !fits_any {
            return Fit::No;
        }
        for (own, wanted) in callable.params.iter().zip(&params) {
            let own = own.ty.map(|ty| ev.lower_type(lambda.file, ty));
            let own = own.unwrap_or_default();
            let is_open = matches!(wanted, Ty::Param(..));
            if !own.is_unknown() && !is_open && self.fit(ev, wanted, &own) == Fit::No {
                return Fit::No;
            }
        }
        let gives_nothing = is_void(&result);
        let is_task = matches!(&result, Ty::ExternalInstance(e, _) if e.symbol.ends_with("Task"));
        if def.flags.has(DefFlags::ASYNC) {
            return if gives_nothing || is_task || result.is_unknown() {
                Fit::Strict
            } else {
                Fit::No
            };
        }
        let facts = ev.repo.facts(lambda.file);
        match callable.returns.first() {
            None if !gives_nothing && !result.is_unknown() => Fit::No,
            None => Fit::Strict,
            // It only throws.
            Some(value) if never_ends(facts, *value) => Fit::Strict,
            Some(value) => match facts.expr(*value) {
                Expr::Literal(_)
                | Expr::Operation(..)
                | Expr::Cast(..)
                | Expr::Function(_)
                | Expr::Name { .. }
                    if gives_nothing =>
                {
                    Fit::No
                }
                _ => self.result_fit(ev, lambda, &params, &result),
            },
        }
    }

    /// Whether the result of a lambda, for these types of parameters, fits the result of a delegate.
    fn result_fit(&self, ev: &mut Eval<'_>, lambda: GlobalDef, params: &[Ty], result: &Ty) -> Fit {
        // A delegate without a result also takes a call whose result is not used.
        if matches!(result, Ty::Param(..)) || result.is_unknown() || is_void(result) {
            return Fit::Strict;
        }
        let given = ev.result_with_params(lambda, params);
        if is_void(&given) {
            return Fit::No;
        }
        match self.fit(ev, &given, result) {
            Fit::No if !matches!(given, Ty::Param(..)) => Fit::No,
            _ => Fit::Strict,
        }
    }

    /// The form that is better than all others; all that may fit if there is none.
    fn best(&self, ev: &mut Eval<'_>, forms: Vec<Form>, args: &[Arg]) -> Vec<Form> {
        if forms.iter().all(|form| form.fit == Fit::No) {
            // No candidate fits, so some type is not known completely.
            return forms;
        }
        let mut pool: Vec<Form> = forms.into_iter().filter(|f| f.fit != Fit::No).collect();
        // A method of a class hides the methods of its base classes, if it certainly fits.
        let certain = pool.iter().filter(|form| form.fit == Fit::Strict);
        if let Some(nearest) = certain.map(|form| form.level).min() {
            pool.retain(|form| form.level <= nearest);
        }
        let better: Vec<usize> = (0..pool.len())
            .filter(|one| {
                (0..pool.len()).all(|other| {
                    pool[other].at == pool[*one].at
                        || self.is_better(ev, &pool[*one], &pool[other], args)
                })
            })
            .collect();
        match better.first() {
            Some(first) => vec![pool.swap_remove(*first)],
            None => pool,
        }
    }

    /// Whether one form is better than another: no argument fits it worse, and one fits it better or a rule prefers it.
    fn is_better(&self, ev: &mut Eval<'_>, one: &Form, other: &Form, args: &[Arg]) -> bool {
        let mut wins = false;
        let mut are_equal = true;
        if let (Some(a), Some(b)) = (&one.receiver, &other.receiver)
            && a != b
        {
            are_equal = false;
            wins = self.is_nearer_receiver(ev, a, b);
            if !wins {
                return false;
            }
        }
        for (n, arg) in args.iter().enumerate() {
            let (Some(a), Some(b)) = (one.params.get(n), other.params.get(n)) else {
                continue;
            };
            if a == b {
                continue;
            }
            are_equal = false;
            // Whether the candidate takes the argument at all is not known.
            let is_open = one.fits.get(n) == Some(&Fit::Maybe);
            if is_open && !matches!(arg, Arg::Lambda(_)) {
                return false;
            }
            if self.is_better_target(ev, arg, a, b) {
                wins = true;
            } else if arg.is_unknown() || self.is_better_target(ev, arg, b, a) {
                return false;
            }
        }
        if wins {
            return true;
        }
        if one.fit != other.fit || !are_equal {
            return one.fit > other.fit;
        }
        if one.is_generic != other.is_generic {
            return !one.is_generic;
        }
        if one.is_expanded != other.is_expanded {
            return !one.is_expanded;
        }
        if one.defaults != other.defaults {
            return one.defaults < other.defaults;
        }
        if one.passing != other.passing {
            let both = one.passing.iter().zip(&other.passing);
            return both.clone().all(|(a, b)| a == b || *a == Passing::Value);
        }
        if one.is_expanded && one.written.len() == other.written.len() {
            return false;
        }
        is_more_specific(one, other)
    }

    /// Whether the receiver type `a` is nearer to the object than `b`, if the object fits both.
    fn is_nearer_receiver(&self, ev: &mut Eval<'_>, a: &Ty, b: &Ty) -> bool {
        self.fit(ev, a, b) == Fit::Strict && self.fit(ev, b, a) != Fit::Strict
    }

    /// Whether an argument converts better to `a` than to `b`.
    fn is_better_target(&self, ev: &mut Eval<'_>, arg: &Arg, a: &Ty, b: &Ty) -> bool {
        match arg {
            Arg::Value(ty) | Arg::Reference(ty) if ty.is_unknown() => false,
            Arg::Value(ty) | Arg::Constant(ty, _) if ty == a => true,
            Arg::Value(ty) | Arg::Constant(ty, _) if ty == b => false,
            Arg::Lambda(def) => self.is_better_delegate(ev, *def, a, b),
            _ => self.converts_one_way(ev, a, b),
        }
    }

    /// Whether `a` converts to `b` but not the other way.
    fn converts_one_way(&self, ev: &mut Eval<'_>, a: &Ty, b: &Ty) -> bool {
        if a.is_unknown() || b.is_unknown() {
            return false;
        }
        let (there, back) = (self.fit(ev, a, b), self.fit(ev, b, a));
        if there == Fit::Strict && back != Fit::Strict {
            return true;
        }
        let is_signed =
            |ty: &Ty| matches!(system_name(ty), Some("SByte" | "Int16" | "Int32" | "Int64"));
        let is_unsigned = |ty: &Ty| {
            matches!(
                system_name(ty),
                Some("Byte" | "UInt16" | "UInt32" | "UInt64")
            )
        };
        is_signed(a) && is_unsigned(b) && there != Fit::Strict && back != Fit::Strict
    }

    /// Chooses between two delegates with the same parameters: whether the result of `a` is nearer to the lambda's result.
    fn is_better_delegate(&self, ev: &mut Eval<'_>, lambda: GlobalDef, a: &Ty, b: &Ty) -> bool {
        let (Some((params, x)), Some((_, y))) =
            (self.delegate_shape(ev, a), self.delegate_shape(ev, b))
        else {
            return false;
        };
        if x == y {
            return false;
        }
        let is_async = ev.repo.def(lambda).flags.has(DefFlags::ASYNC);
        let returns = ev.repo.def(lambda).callable.as_deref();
        let first = returns.and_then(|callable| callable.returns.first());
        if !is_async && first.is_some_and(|value| never_ends(ev.repo.facts(lambda.file), *value)) {
            return is_void(&y) && !is_void(&x);
        }
        let given = ev.result_with_params(lambda, &params);
        if is_async && (is_void(&x) || is_void(&y)) {
            return is_void(&y);
        }
        if is_void(&y) {
            // A call without a result fits only a delegate without a result.
            return !is_void(&given) && !given.is_unknown() && !is_void(&x);
        }
        if is_void(&x) {
            return is_void(&given);
        }
        if is_async {
            let count = |ty: &Ty| match ty {
                Ty::ExternalInstance(e, args) if e.symbol.ends_with("Task") => {
                    args.len() as u32 + 1
                }
                _ => 0,
            };
            let has_value = ev
                .repo
                .def(lambda)
                .callable
                .as_deref()
                .is_some_and(|c| !c.returns.is_empty());
            let wanted = if has_value { 2 } else { 1 };
            return count(&x) == wanted && count(&y) != wanted;
        }
        if given == x {
            return true;
        }
        given != y && self.converts_one_way(ev, &x, &y)
    }
}

/// The ways to call a candidate with this number of arguments and these names.
fn shapes(ev: &mut Eval<'_>, candidate: &Candidate, at: usize, view: CallView<'_>) -> Vec<Form> {
    let repo = ev.repo;
    let def = repo.def(candidate.def);
    let Some(callable) = def.callable.as_deref() else {
        return Vec::new();
    };
    let type_args = view.type_args.len();
    if type_args > 0 && def.type_params.len() != type_args {
        return Vec::new();
    }
    let skip = usize::from(candidate.is_extension);
    let params = callable.params.get(skip..).unwrap_or(&[]);
    let rest = params.last().filter(|p| p.kind == ParamKind::Variadic);
    let receiver = callable.params.first().filter(|_| candidate.is_extension);
    let receiver = receiver.and_then(|p| p.ty);
    let receiver = receiver.map(|ty| ev.lower_type(candidate.def.file, ty));
    let mut out = Vec::new();
    for is_expanded in [false, true] {
        if is_expanded && rest.is_none() {
            continue;
        }
        let Some(targets) = targets(ev, (candidate.def, params), view, is_expanded) else {
            continue;
        };
        let passing: Vec<Passing> = targets
            .iter()
            .map(|n| passing_of(ev.repo, candidate.def.file, &params[*n]))
            .collect();
        let mut both = view.args.iter().zip(&passing);
        let is_taken =
            |(arg, taken): (&ExprId, &Passing)| takes(passed(ev.repo, view.file, *arg), *taken);
        if !both.all(is_taken) || !can_infer(ev, candidate, &targets, type_args) {
            continue;
        }
        let taken = |n: &usize| !targets.contains(n);
        let defaults = (0..params.len()).filter(taken).count();
        let written = targets
            .iter()
            .map(|n| {
                let param = &params[*n];
                let ty = param.ty.map(|ty| ev.lower_type(candidate.def.file, ty));
                let ty = ty.unwrap_or_default();
                if param.kind == ParamKind::Variadic && !is_expanded {
                    array(ty)
                } else {
                    ty
                }
            })
            .collect();
        out.push(Form {
            at,
            params: Vec::new(),
            written,
            declared: Vec::new(),
            passing,
            receiver: None,
            written_receiver: receiver.clone(),
            is_excluded: false,
            is_expanded,
            is_generic: !def.type_params.is_empty(),
            defaults,
            level: if def.flags.has(DefFlags::REPLACES) {
                u32::MAX
            } else {
                candidate.level
            },
            fit: Fit::Maybe,
            fits: Vec::new(),
        });
    }
    out
}

/// Whether the type parameters of a candidate can be inferred: each occurs in the type of a parameter that has an argument.
fn can_infer(ev: &mut Eval<'_>, candidate: &Candidate, targets: &[usize], given: usize) -> bool {
    let repo = ev.repo;
    let def = repo.def(candidate.def);
    let count = def.type_params.len() as u32;
    if count == 0 || given > 0 {
        return true;
    }
    let params = def.callable.as_deref().map_or(&[][..], |c| &c.params);
    let skip = usize::from(candidate.is_extension);
    let used = targets.iter().map(|n| n + skip).chain(0..skip);
    let mut types = Vec::new();
    for n in used {
        if let Some(ty) = params.get(n).and_then(|p| p.ty) {
            types.push(ev.lower_type(candidate.def.file, ty));
        }
    }
    let occurs = |n: u32| types.iter().any(|ty| has_param(ty, candidate.def, n, 0));
    types.iter().any(Ty::is_unknown) || (0..count).all(occurs)
}

/// Whether a type parameter occurs in a type.
fn has_param(ty: &Ty, def: GlobalDef, n: u32, nesting: u32) -> bool {
    match ty {
        Ty::Param(other, m) => *other == def && *m == n,
        Ty::Unknown => true,
        Ty::Instance(_, args) | Ty::ExternalInstance(_, args) | Ty::Tuple(args) => {
            nesting < 8 && args.iter().any(|arg| has_param(arg, def, n, nesting + 1))
        }
        _ => false,
    }
}

/// The parameter for each argument; `None` if the number or the names of the arguments do not fit.
fn targets(
    ev: &Eval<'_>,
    (def, params): (GlobalDef, &[Param]),
    view: CallView<'_>,
    is_expanded: bool,
) -> Option<Vec<usize>> {
    let repo = ev.repo;
    let (facts, home) = (repo.facts(view.file), repo.facts(def.file));
    let mut out = Vec::with_capacity(view.args.len());
    for (n, arg) in view.args.iter().enumerate() {
        let target = match facts.expr(*arg) {
            Expr::Keyword(name, _) => {
                let name = facts.name(*name);
                params.iter().position(|p| home.name(p.name) == name)?
            }
            _ if n < params.len() => n,
            _ if is_expanded => params.len() - 1,
            _ => return None,
        };
        out.push(target);
    }
    let is_needed = |(n, param): (usize, &Param)| {
        let may_lack = match param.kind {
            ParamKind::Optional => true,
            ParamKind::Variadic => is_expanded,
            _ => false,
        };
        !may_lack && !out.contains(&n)
    };
    let lacks = params.iter().enumerate().any(is_needed);
    (!lacks).then_some(out)
}

/// The value of an argument, without its name or `ref`.
fn value_of(ev: &Eval<'_>, file: FileId, expr: ExprId) -> ExprId {
    let facts = ev.repo.facts(file);
    let mut value = match facts.expr(expr) {
        Expr::Keyword(_, value) => *value,
        _ => expr,
    };
    while let Expr::Borrowed(inner) = facts.expr(value) {
        value = *inner;
    }
    value
}

/// How an argument is passed.
fn passed(repo: &Repo, file: FileId, expr: ExprId) -> Passing {
    let facts = repo.facts(file);
    let mut value = match facts.expr(expr) {
        Expr::Keyword(_, value) => *value,
        _ => expr,
    };
    let mut count = 0;
    while let Expr::Borrowed(inner) = facts.expr(value) {
        (value, count) = (*inner, count + 1);
    }
    Passing::of_count(count)
}

/// How a parameter is taken.
fn passing_of(repo: &Repo, file: FileId, param: &Param) -> Passing {
    let facts = repo.facts(file);
    let mut next = param.ty;
    let mut count = 0;
    while let Some(ty) = next
        && let TypeExpr::Reference(inner) = facts.ty(ty)
    {
        (next, count) = (Some(*inner), count + 1);
    }
    Passing::of_count(count)
}

/// Whether an argument that is passed in one way can go to a parameter that is taken in another.
fn takes(passed: Passing, taken: Passing) -> bool {
    passed == taken || taken == Passing::ReadOnly && passed != Passing::Out
}

fn is_by_reference(repo: &Repo, file: FileId, expr: ExprId) -> bool {
    matches!(passed(repo, file, expr), Passing::Reference | Passing::Out)
}

/// A value that is passed by reference has the very type of its parameter.
fn identity_fit(given: &Ty, wanted: &Ty) -> Fit {
    if given == wanted {
        return Fit::Strict;
    }
    let is_open = |ty: &Ty| !matches!(ty, Ty::Instance(_, args) | Ty::ExternalInstance(_, args) if args.is_empty());
    if is_open(given) || is_open(wanted) {
        Fit::Maybe
    } else {
        Fit::No
    }
}

/// Whether a candidate may take as many arguments as a call has.
fn takes_count(repo: &Repo, candidate: &Candidate, view: CallView<'_>) -> bool {
    let Some(callable) = repo.def(candidate.def).callable.as_deref() else {
        return false;
    };
    let skip = usize::from(candidate.is_extension);
    let params = callable.params.get(skip..).unwrap_or(&[]);
    let is_needed = |p: &&Param| !matches!(p.kind, ParamKind::Optional | ParamKind::Variadic);
    let is_variadic = params.last().is_some_and(|p| p.kind == ParamKind::Variadic);
    let count = view.args.len();
    params.iter().filter(is_needed).count() <= count && (is_variadic || count <= params.len())
}

/// Whether a lambda that returns this ends only by throwing.
fn never_ends(facts: &FileFacts, value: ExprId) -> bool {
    matches!(facts.expr(value), Expr::Either(parts) if parts.is_empty())
}

fn argument(ev: &mut Eval<'_>, view: CallView<'_>, expr: ExprId) -> Arg {
    let value = value_of(ev, view.file, expr);
    match ev.repo.facts(view.file).expr(value) {
        Expr::Function(def) => Arg::Lambda(GlobalDef {
            file: view.file,
            def: *def,
        }),
        Expr::Literal(Primitive::Null) => Arg::Null,
        _ => match ev.type_of_expr(view.file, value) {
            ty if is_by_reference(ev.repo, view.file, expr) => Arg::Reference(ty),
            ty if may_be_constant(&ty) => match constant(ev, view.file, value, 0) {
                Some(known) => Arg::Constant(ty, known),
                None => Arg::Value(ty),
            },
            Ty::Null => Arg::Null,
            Ty::Function(..) => Arg::Group,
            Ty::External(external) if is_known_method(&external) => Arg::Group,
            ty @ (Ty::Instance(..)
            | Ty::ExternalInstance(..)
            | Ty::Param(..)
            | Ty::Tuple(_)
            | Ty::Object(..)
            | Ty::Union(_)) => Arg::Value(ty),
            _ => Arg::Value(Ty::Unknown),
        },
    }
}

fn is_void(ty: &Ty) -> bool {
    system_name(ty) == Some("Void")
}

/// Whether an external entity is a known method.
fn is_known_method(external: &External) -> bool {
    let Some((class, name)) = external.symbol.rsplit_once('.') else {
        return false;
    };
    let class = normalize(&External::new(&external.package, class));
    tables().own_member(&class, &format!("{name}()")).is_some()
}

/// Whether two written types are the same. Type parameters of methods are the same if their positions are.
fn same_declared(repo: &Repo, a: &Ty, b: &Ty) -> bool {
    let of_method = |def: &GlobalDef| repo.def(*def).kind.is_callable();
    let same_args = |x: &Args, y: &Args| {
        let mut both = x.iter().zip(y.iter());
        x.len() == y.len() && both.all(|(a, b)| same_declared(repo, a, b))
    };
    match (a, b) {
        (Ty::Param(x, n), Ty::Param(y, m)) => n == m && (x == y || (of_method(x) && of_method(y))),
        (Ty::Instance(a, x), Ty::Instance(b, y)) => a == b && same_args(x, y),
        (Ty::ExternalInstance(a, x), Ty::ExternalInstance(b, y)) => a == b && same_args(x, y),
        (Ty::Tuple(x), Ty::Tuple(y)) => same_args(x, y),
        (Ty::Unknown, Ty::Unknown) => false,
        (a, b) => a == b,
    }
}

/// Whether the written types of one form are more specific: one of them is, and none is less so.
fn is_more_specific(one: &Form, other: &Form) -> bool {
    let mut wins = false;
    let written = |form: &Form| -> Vec<Ty> {
        let receiver = form.written_receiver.iter();
        receiver.chain(&form.written).cloned().collect()
    };
    for (a, b) in written(one).iter().zip(&written(other)) {
        match specificity(a, b) {
            Ordering::Greater => wins = true,
            Ordering::Less => return false,
            Ordering::Equal => {}
        }
    }
    wins
}

/// Whether one written type is more specific than another: `List<T>` is more specific than `T`, and less than `List<int>`.
fn specificity(a: &Ty, b: &Ty) -> Ordering {
    let is_param = |ty: &Ty| matches!(ty, Ty::Param(_, n) if *n != SELF);
    match (is_param(a), is_param(b)) {
        (false, true) => return Ordering::Greater,
        (true, false) => return Ordering::Less,
        (true, true) => return Ordering::Equal,
        (false, false) => {}
    }
    let (x, y) = match (a, b) {
        (Ty::Instance(a, x), Ty::Instance(b, y)) if a == b => (x, y),
        (Ty::ExternalInstance(a, x), Ty::ExternalInstance(b, y)) if a == b => (x, y),
        (Ty::Tuple(x), Ty::Tuple(y)) => (x, y),
        _ => return Ordering::Equal,
    };
    let each = x.iter().zip(y.iter()).map(|(a, b)| specificity(a, b));
    let mut found = Ordering::Equal;
    for one in each.filter(|one| *one != Ordering::Equal) {
        if found != Ordering::Equal && found != one {
            return Ordering::Equal;
        }
        found = one;
    }
    found
}
