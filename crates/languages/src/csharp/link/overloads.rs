//! Chooses among overloads: by the number of arguments, then by their names, then by their types as far as they are known.

use super::CSharp;
use super::fit::Fit;
use super::tables::{array, normalize, system, system_name, tables};
use base::facts::*;
use linker::eval::Eval;
use linker::lang::CallView;
use linker::repo::{FileId, GlobalDef};
use linker::ty::*;

/// Maximum number of candidates that are compared.
const MAX_CANDIDATES: usize = 80;

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

/// An argument.
enum Arg {
    Value(Ty),
    /// A whole number that is written as a literal.
    Constant(Ty),
    Null,
    Lambda(GlobalDef),
    /// A method that is named without a call.
    Group,
}

impl Arg {
    /// Whether its type is not known.
    fn is_unknown(&self) -> bool {
        matches!(self, Arg::Value(ty) if ty.is_unknown())
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
    /// The type of the first parameter of an extension method.
    receiver: Option<Ty>,
    /// Whether the last parameter takes several arguments one by one.
    is_expanded: bool,
    is_generic: bool,
    /// The number of parameters that take their default value.
    defaults: usize,
    /// The level of the class in which the method was first declared.
    level: u32,
    fit: Fit,
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
        for (at, candidate) in candidates.iter().enumerate() {
            forms.extend(shapes(ev, candidate, at, view));
        }
        let mut all: Vec<usize> = forms.iter().map(|form| form.at).collect();
        all.dedup();
        if all.len() <= 1 || candidates.len() > MAX_CANDIDATES {
            return all.into_iter().map(|at| candidates[at].clone()).collect();
        }
        for form in &mut forms {
            self.fill(ev, form, &candidates[form.at], view);
        }
        let mut forms = self.without_hidden(ev, candidates, forms);
        if forms.iter().any(|form| form.at != forms[0].at) {
            let args: Vec<Arg> = view.args.iter().map(|a| argument(ev, view, *a)).collect();
            for form in &mut forms {
                form.fit = self.form_fit(ev, form, &args);
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
            self.form_fit(ev, form, &args) == Fit::No
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
        let receiver = form.receiver.take();
        form.receiver = receiver.map(|ty| ev.substitute_env(&ty, &env));
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
                    && k.receiver == form.receiver
                    && k.params.len() == form.params.len()
                    && k.params
                        .iter()
                        .zip(&form.params)
                        .all(|(a, b)| same_erasure(a, b))
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

    fn form_fit(&self, ev: &mut Eval<'_>, form: &Form, args: &[Arg]) -> Fit {
        let mut worst = Fit::Strict;
        for (arg, param) in args.iter().zip(&form.params) {
            worst = worst.min(self.arg_fit(ev, arg, param));
            if worst == Fit::No {
                break;
            }
        }
        worst
    }

    fn arg_fit(&self, ev: &mut Eval<'_>, arg: &Arg, param: &Ty) -> Fit {
        // A type parameter that was not inferred takes any argument.
        let is_open = matches!(param, Ty::Param(def, n) if *n != SELF && ev.repo.def(*def).kind.is_callable());
        match arg {
            Arg::Lambda(def) => self.lambda_fit(ev, *def, param),
            Arg::Group if self.is_no_delegate(ev, param) => Fit::No,
            Arg::Group => Fit::Strict,
            Arg::Value(ty) if ty.is_unknown() => Fit::Maybe,
            _ if is_open => Fit::Strict,
            Arg::Null => self.fit(ev, &Ty::Null, param),
            Arg::Constant(_) if is_small_number(param) => Fit::Strict,
            Arg::Value(ty) | Arg::Constant(ty) => self.fit(ev, ty, param),
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
            // A block without `return` may end in `throw`, but rarely does.
            None if !gives_nothing && !result.is_unknown() => Fit::No,
            None => Fit::Strict,
            Some(value) => match facts.expr(*value) {
                Expr::Literal(_) | Expr::Operation(..) | Expr::Function(_) | Expr::Name { .. }
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
        if one.is_expanded && one.written.len() == other.written.len() {
            return false;
        }
        self.is_more_specific(one, other)
    }

    /// Whether the receiver type `a` is nearer to the object than `b`, if the object fits both.
    fn is_nearer_receiver(&self, ev: &mut Eval<'_>, a: &Ty, b: &Ty) -> bool {
        self.fit(ev, a, b) == Fit::Strict && self.fit(ev, b, a) != Fit::Strict
    }

    /// Whether the written types of one form are more specific: `List<T>` is more specific than `T`.
    fn is_more_specific(&self, one: &Form, other: &Form) -> bool {
        let mut wins = false;
        for (a, b) in one.written.iter().zip(&other.written) {
            match (openness(a), openness(b)) {
                (a, b) if a < b => wins = true,
                (a, b) if a > b => return false,
                _ => {}
            }
        }
        wins
    }

    /// Whether an argument converts better to `a` than to `b`.
    fn is_better_target(&self, ev: &mut Eval<'_>, arg: &Arg, a: &Ty, b: &Ty) -> bool {
        match arg {
            Arg::Value(ty) if ty.is_unknown() => false,
            Arg::Value(ty) | Arg::Constant(ty) if ty == a => true,
            Arg::Value(ty) | Arg::Constant(ty) if ty == b => false,
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
        if !can_infer(ev, candidate, &targets, type_args) {
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
            receiver: receiver.clone(),
            is_expanded,
            is_generic: !def.type_params.is_empty(),
            defaults,
            level: if def.flags.has(DefFlags::REPLACES) {
                u32::MAX
            } else {
                candidate.level
            },
            fit: Fit::Maybe,
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
    match facts.expr(expr) {
        Expr::Keyword(_, value) => match facts.expr(*value) {
            Expr::Borrowed(inner) => *inner,
            _ => *value,
        },
        Expr::Borrowed(inner) => *inner,
        _ => expr,
    }
}

fn argument(ev: &mut Eval<'_>, view: CallView<'_>, expr: ExprId) -> Arg {
    let value = value_of(ev, view.file, expr);
    match ev.repo.facts(view.file).expr(value) {
        Expr::Function(def) => Arg::Lambda(GlobalDef {
            file: view.file,
            def: *def,
        }),
        Expr::Literal(Primitive::Null) => Arg::Null,
        Expr::Literal(Primitive::Int) => Arg::Constant(system("Int32")),
        _ => match ev.type_of_expr(view.file, value) {
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

/// Whether a literal whole number may fit a type although its own type does not.
fn is_small_number(ty: &Ty) -> bool {
    matches!(
        system_name(ty),
        Some("Byte" | "SByte" | "Int16" | "UInt16" | "UInt32" | "UInt64")
    )
}

/// Whether two types are equal apart from type arguments.
fn same_erasure(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Param(x, n), Ty::Param(y, m)) => n == m || x == y,
        (Ty::Instance(a, x), Ty::Instance(b, y)) => a == b && same_args(x, y),
        (Ty::ExternalInstance(a, x), Ty::ExternalInstance(b, y)) => a == b && same_args(x, y),
        (Ty::Unknown, Ty::Unknown) => false,
        (a, b) => a == b,
    }
}

fn same_args(a: &Args, b: &Args) -> bool {
    a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same_erasure(a, b))
}

/// How general a written type is. A type parameter is more general than a type with one inside, and that is more general than
/// any other type.
fn openness(ty: &Ty) -> u32 {
    match ty {
        Ty::Param(..) => 3,
        Ty::Instance(_, args) | Ty::ExternalInstance(_, args) | Ty::Tuple(args) => {
            let inner = args.iter().map(openness).max();
            u32::from(inner.is_some_and(|inner| inner > 0))
                + u32::from(inner.is_some_and(|inner| inner > 2))
        }
        _ => 0,
    }
}
