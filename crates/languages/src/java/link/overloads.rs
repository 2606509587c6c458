//! Overload choice by number of arguments, then by their types, as far as they are known.

use super::Java;
use super::builtins::{self, array_element, as_primitive, box_or_unbox, is_widening, primitive};
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::CallView;
use linker::repo::GlobalDef;
use linker::ty::*;

/// More candidates than this are not compared.
const MAX_CANDIDATES: usize = 60;

/// A method or constructor that a call may mean, with the type that declares it.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) def: GlobalDef,
    pub(super) owner: Ty,
}

/// How well an argument fits a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Fit {
    No,
    /// By boxing or unboxing.
    Loose,
    /// Unknown.
    #[default]
    Maybe,
    /// By subtyping or widening.
    Strict,
}

/// An argument.
enum Arg {
    Value(Ty),
    Null,
    Lambda(GlobalDef),
    /// `X::y`.
    Reference,
}

impl Arg {
    /// Whether the argument does not distinguish overloads.
    fn is_inconclusive(&self) -> bool {
        match self {
            Arg::Value(ty) => ty.is_unknown(),
            Arg::Lambda(_) | Arg::Reference => true,
            Arg::Null => false,
        }
    }
}

/// A candidate with its parameters' types.
struct Method {
    at: usize,
    params: Vec<Ty>,
    variadic: bool,
}

impl Method {
    /// The type required of the argument at `n`; `spread` if it goes into the variable part.
    fn param_type(&self, n: usize, spread: bool) -> Ty {
        let last = self.params.len().saturating_sub(1);
        if spread && self.variadic && n >= last {
            return self
                .params
                .last()
                .and_then(array_element)
                .unwrap_or_default();
        }
        self.params.get(n).cloned().unwrap_or_default()
    }
}

impl Java {
    /// Whether the only candidate certainly cannot take the arguments.
    pub(super) fn rejects_arguments(
        &self,
        ev: &mut Eval<'_>,
        candidate: &Candidate,
        view: CallView<'_>,
    ) -> bool {
        let method = self.method_with_param_types(ev, candidate, 0);
        let args: Vec<Arg> = view
            .args
            .iter()
            .map(|a| classify_arg(ev, view, *a))
            .collect();
        self.method_fit(ev, &method, &args, false) == Fit::No
            && (!method.variadic || self.method_fit(ev, &method, &args, true) == Fit::No)
    }

    /// Whether a candidate can certainly take the arguments.
    pub(super) fn accepts_arguments(
        &self,
        ev: &mut Eval<'_>,
        candidate: &Candidate,
        view: CallView<'_>,
    ) -> bool {
        let method = self.method_with_param_types(ev, candidate, 0);
        let args = view.args.iter();
        let args: Vec<Arg> = args.map(|a| classify_arg(ev, view, *a)).collect();
        let sure = [Fit::Strict, Fit::Loose];
        sure.contains(&self.method_fit(ev, &method, &args, false))
            || method.variadic && sure.contains(&self.method_fit(ev, &method, &args, true))
    }

    /// The candidates that a call means: one; none, if none takes that number of arguments; several, if they are
    /// ambiguous.
    pub(super) fn select_overload(
        &self,
        ev: &mut Eval<'_>,
        candidates: &[Candidate],
        view: CallView<'_>,
    ) -> Vec<Candidate> {
        let count = view.args.len();
        let (mut fixed, mut open) = (Vec::new(), Vec::new());
        for (at, candidate) in candidates.iter().enumerate() {
            let (params, variadic) = arity(ev, candidate.def);
            if params == count {
                fixed.push(at);
            }
            if variadic && params <= count + 1 {
                open.push(at);
            }
        }
        let mut all = fixed.clone();
        all.extend(open.iter().filter(|o| fixed.binary_search(o).is_err()));
        if all.len() <= 1 || all.len() > MAX_CANDIDATES {
            return all.into_iter().map(|at| candidates[at].clone()).collect();
        }
        let methods: Vec<Method> = all
            .iter()
            .map(|at| self.method_with_param_types(ev, &candidates[*at], *at))
            .collect();
        let methods = self.remove_overridden(ev, candidates, methods);
        let chosen = match methods.len() {
            1 => methods.iter().collect(),
            _ => {
                let args: Vec<Arg> = view
                    .args
                    .iter()
                    .map(|a| classify_arg(ev, view, *a))
                    .collect();
                self.applicable_by_phase(ev, &methods, &args, &fixed, &open)
            }
        };
        chosen
            .into_iter()
            .map(|m| candidates[m.at].clone())
            .collect()
    }

    fn method_with_param_types(
        &self,
        ev: &mut Eval<'_>,
        candidate: &Candidate,
        at: usize,
    ) -> Method {
        let repo = ev.repo;
        let params = repo
            .def(candidate.def)
            .callable
            .as_deref()
            .map_or(&[][..], |c| &c.params);
        let types = params
            .iter()
            .map(|p| {
                let written =
                    p.ty.map(|t| ev.lower_type(candidate.def.file, t))
                        .unwrap_or_default();
                let ty = ev.substitute(&written, Some(&candidate.owner));
                if p.kind == ParamKind::Variadic {
                    builtins::array_type(ty)
                } else {
                    ty
                }
            })
            .collect();
        Method {
            at,
            params: types,
            variadic: params.last().is_some_and(|p| p.kind == ParamKind::Variadic),
        }
    }

    /// Removes overridden methods: those with the same parameters in a class further up.
    fn remove_overridden(
        &self,
        ev: &mut Eval<'_>,
        candidates: &[Candidate],
        methods: Vec<Method>,
    ) -> Vec<Method> {
        let class = |ev: &Eval<'_>, m: &Method| {
            let id = candidates[m.at].def;
            ev.repo
                .def(id)
                .parent
                .map(|def| GlobalDef { file: id.file, def })
        };
        let mut kept: Vec<Method> = Vec::new();
        for method in methods {
            let own = class(ev, &method);
            let same = kept.iter().position(|k| {
                class(ev, k) != own
                    && k.params.len() == method.params.len()
                    && k.params
                        .iter()
                        .zip(&method.params)
                        .all(|(a, b)| same_erasure(a, b))
            });
            match same {
                None => kept.push(method),
                Some(at) => {
                    if let (Some(own), Some(other)) = (own, class(ev, &kept[at]))
                        && self.hierarchy.is_subclass_of(own, other)
                    {
                        kept[at] = method;
                    }
                }
            }
        }
        kept
    }

    /// The phases of the language: without boxing, with boxing, with variable parts spread.
    fn applicable_by_phase<'m>(
        &self,
        ev: &mut Eval<'_>,
        methods: &'m [Method],
        args: &[Arg],
        fixed: &[usize],
        open: &[usize],
    ) -> Vec<&'m Method> {
        let mut by_fit: Vec<(Fit, &Method)> = Vec::new();
        for method in methods.iter().filter(|m| fixed.contains(&m.at)) {
            let fit = self.method_fit(ev, method, args, false);
            by_fit.push((fit, method));
        }
        let of = |fit: Fit| by_fit.iter().filter(move |m| m.0 == fit).map(|m| m.1);
        let mut pool: Vec<&Method> = of(Fit::Strict).chain(of(Fit::Maybe)).collect();
        if of(Fit::Strict).next().is_none() {
            pool.extend(of(Fit::Loose));
        }
        let certain = by_fit
            .iter()
            .any(|m| matches!(m.0, Fit::Strict | Fit::Loose));
        if certain {
            return self.most_specific(ev, pool, args, false);
        }
        let by_number = !pool.is_empty();
        for method in methods.iter().filter(|m| open.contains(&m.at)) {
            let fit = self.method_fit(ev, method, args, true);
            if fit != Fit::No && !pool.iter().any(|m| m.at == method.at) {
                pool.push(method);
            }
        }
        if by_number {
            // Whether one without a variable part applies is unknown.
            return self.most_specific(ev, pool, args, false);
        }
        if pool.is_empty() {
            // The types are not known completely.
            return methods.iter().collect();
        }
        self.most_specific(ev, pool, args, true)
    }

    fn method_fit(&self, ev: &mut Eval<'_>, method: &Method, args: &[Arg], spread: bool) -> Fit {
        let mut worst = Fit::Strict;
        for (n, arg) in args.iter().enumerate() {
            let param = method.param_type(n, spread);
            let fit = self.arg_fit(ev, arg, &param);
            worst = match (worst, fit) {
                (_, Fit::No) => return Fit::No,
                (Fit::Loose, _) | (_, Fit::Loose) => Fit::Loose,
                (Fit::Maybe, _) | (_, Fit::Maybe) => Fit::Maybe,
                _ => Fit::Strict,
            };
        }
        worst
    }

    fn most_specific<'m>(
        &self,
        ev: &mut Eval<'_>,
        pool: Vec<&'m Method>,
        args: &[Arg],
        spread: bool,
    ) -> Vec<&'m Method> {
        if pool.len() == 1 {
            return pool;
        }
        let mut best = Vec::new();
        for one in &pool {
            let mut beats_all = true;
            for other in &pool {
                if one.at != other.at && !self.is_more_specific(ev, one, other, args, spread) {
                    beats_all = false;
                    break;
                }
            }
            if beats_all {
                best.push(*one);
            }
        }
        if best.len() == 1 { best } else { pool }
    }

    /// Whether `other` accepts every parameter of `one`. If the type of an argument is unknown, the parameters must be
    /// equal.
    fn is_more_specific(
        &self,
        ev: &mut Eval<'_>,
        one: &Method,
        other: &Method,
        args: &[Arg],
        spread: bool,
    ) -> bool {
        // Variable parts count even if no argument goes into them.
        let count = if spread {
            args.len().max(one.params.len()).max(other.params.len())
        } else {
            args.len()
        };
        (0..count).all(|n| {
            let (a, b) = (one.param_type(n, spread), other.param_type(n, spread));
            if a == b {
                return true;
            }
            match args.get(n) {
                Some(Arg::Lambda(def)) if self.gives_more(ev, *def, &a, &b) => return true,
                Some(arg) if arg.is_inconclusive() => return false,
                // Any other parameter that accepts it has a supertype of its type.
                Some(Arg::Value(ty)) if same_erasure(ty, &a) => return true,
                _ => {}
            }
            self.type_fit(ev, &a, &b) == Fit::Strict
        })
    }

    /// Whether a lambda certainly fits one functional interface, which gives a value where another gives none. Then that one
    /// is more specific.
    fn gives_more(&self, ev: &mut Eval<'_>, lambda: GlobalDef, one: &Ty, other: &Ty) -> bool {
        let result = |ev: &mut Eval<'_>, of: &Ty| {
            let (params, result) = self.functional_signature(ev, of)?;
            Some((params.is_empty(), as_primitive(&result) == Some("void")))
        };
        let (Some((true, false)), Some((true, true))) = (result(ev, one), result(ev, other)) else {
            return false;
        };
        self.lambda_fit(ev, lambda, one) == Fit::Strict
    }

    fn arg_fit(&self, ev: &mut Eval<'_>, arg: &Arg, param: &Ty) -> Fit {
        match arg {
            Arg::Null if as_primitive(param).is_some() => Fit::No,
            Arg::Null => Fit::Strict,
            Arg::Value(ty) => self.type_fit(ev, ty, param),
            Arg::Lambda(def) => self.lambda_fit(ev, *def, param),
            Arg::Reference if cannot_be_functional(ev, param) => Fit::No,
            Arg::Reference if self.functional_signature(ev, param).is_some() => Fit::Strict,
            Arg::Reference => Fit::Maybe,
        }
    }

    fn lambda_fit(&self, ev: &mut Eval<'_>, lambda: GlobalDef, param: &Ty) -> Fit {
        if cannot_be_functional(ev, param) {
            return Fit::No;
        }
        let Some((params, result)) = self.functional_signature(ev, param) else {
            return Fit::Maybe;
        };
        let Some(callable) = ev.repo.def(lambda).callable.as_deref() else {
            return Fit::Maybe;
        };
        if callable.params.len() != params.len() {
            return Fit::No;
        }
        let gives_nothing = as_primitive(&result) == Some("void");
        let facts = ev.repo.facts(lambda.file);
        match callable.returns.first().map(|r| facts.expr(*r)) {
            None if !gives_nothing && !result.is_unknown() => Fit::No,
            Some(Expr::Literal(_) | Expr::Operation(..) | Expr::Function(_)) if gives_nothing => {
                Fit::No
            }
            Some(Expr::Call { .. }) if !gives_nothing => {
                let returned = callable.returns.first().copied();
                let given = returned.map(|e| ev.type_of_expr(lambda.file, e));
                match given.unwrap_or_default() {
                    Ty::Unknown => Fit::Maybe,
                    ty if as_primitive(&ty) == Some("void") => Fit::No,
                    _ => Fit::Strict,
                }
            }
            _ => Fit::Strict,
        }
    }

    /// How well a value of one type fits a place of another type.
    pub(super) fn type_fit(&self, ev: &mut Eval<'_>, from: &Ty, to: &Ty) -> Fit {
        if from.is_unknown() || to.is_unknown() {
            return Fit::Maybe;
        }
        if from == to {
            return Fit::Strict;
        }
        ev.guard_recursion(|ev| self.type_fit_inner(ev, from, to))
    }

    fn type_fit_inner(&self, ev: &mut Eval<'_>, from: &Ty, to: &Ty) -> Fit {
        if let Ty::Union(parts) = from {
            let fits: Vec<Fit> = parts.iter().map(|p| self.type_fit(ev, p, to)).collect();
            let worst = [Fit::No, Fit::Loose, Fit::Maybe];
            return worst
                .into_iter()
                .find(|w| fits.contains(w))
                .unwrap_or(Fit::Strict);
        }
        if let Ty::Param(def, n) = to
            && *n != SELF
        {
            return self.type_param_fit(ev, from, *def, *n);
        }
        let (from, to) = (erase_type_param(ev, from), erase_type_param(ev, to));
        if let Ty::Union(parts) = &to {
            // An intersection bound: all its parts must fit.
            let fits: Vec<Fit> = parts.iter().map(|p| self.type_fit(ev, &from, p)).collect();
            return if fits.contains(&Fit::No) {
                Fit::No
            } else {
                Fit::Maybe
            };
        }
        match (as_primitive(&from), as_primitive(&to)) {
            (Some(a), Some(b)) if is_widening(a, b) => Fit::Strict,
            (Some(_), Some(_)) => Fit::No,
            (Some(a), None) => self.boxed_fit(ev, a, &to),
            (None, Some(b)) => unboxed_fit(&from, b),
            (None, None) => self.reference_fit(ev, &from, &to),
        }
    }

    fn type_param_fit(&self, ev: &mut Eval<'_>, from: &Ty, def: GlobalDef, n: u32) -> Fit {
        let bounds = ev
            .repo
            .def(def)
            .type_params
            .get(n as usize)
            .map(|p| &p.bounds);
        let none = bounds.is_none_or(|b| b.is_empty());
        let reference = match as_primitive(from) {
            Some(name) => match box_or_unbox(name) {
                Some(class) => builtins::java_lang_type(class),
                None => return Fit::No,
            },
            None => from.clone(),
        };
        let best = if as_primitive(from).is_some() {
            Fit::Loose
        } else {
            Fit::Strict
        };
        if none {
            return best;
        }
        let bound = ev.resolve_type_param(&Ty::Param(def, n));
        if matches!(bound, Ty::Param(..)) {
            return Fit::Maybe;
        }
        match self.type_fit(ev, &reference, &bound) {
            Fit::Strict => best,
            other => other,
        }
    }

    fn boxed_fit(&self, ev: &mut Eval<'_>, from: &str, to: &Ty) -> Fit {
        let Some(class) = box_or_unbox(from) else {
            return Fit::No;
        };
        match self.reference_fit(ev, &builtins::java_lang_type(class), to) {
            Fit::Strict => Fit::Loose,
            other => other,
        }
    }

    fn reference_fit(&self, ev: &mut Eval<'_>, from: &Ty, to: &Ty) -> Fit {
        if let Ty::ExternalInstance(e, _) = to
            && builtins::is_object(e)
        {
            return Fit::Strict;
        }
        match (array_element(from), array_element(to)) {
            (Some(a), Some(b)) => {
                return match (as_primitive(&a), as_primitive(&b)) {
                    (None, None) => self.type_fit(ev, &a, &b),
                    (a, b) if a == b => Fit::Strict,
                    _ => Fit::No,
                };
            }
            (Some(_), None) | (None, Some(_)) => return Fit::No,
            _ => {}
        }
        match (from, to) {
            (Ty::Instance(a, _), Ty::Instance(b, _)) => self.repo_class_fit(*a, *b),
            (Ty::Instance(a, _), Ty::ExternalInstance(b, _)) => self.external_class_fit(ev, *a, b),
            (Ty::ExternalInstance(..), Ty::Instance(..)) => Fit::No,
            (Ty::ExternalInstance(a, _), Ty::ExternalInstance(b, _)) => {
                if a == b {
                    return Fit::Strict;
                }
                match builtins::external_inherits(a, b) {
                    Some(true) => Fit::Strict,
                    Some(false) => Fit::No,
                    None if builtins::is_final(b) => Fit::No,
                    None => Fit::Maybe,
                }
            }
            (Ty::Null, _) => Fit::Strict,
            _ => Fit::Maybe,
        }
    }

    fn repo_class_fit(&self, from: GlobalDef, to: GlobalDef) -> Fit {
        if self.hierarchy.is_subclass_of(from, to) {
            return Fit::Strict;
        }
        let unknown = self
            .hierarchy
            .external_supertypes(from)
            .any(|s| s.is_none());
        if unknown { Fit::Maybe } else { Fit::No }
    }

    fn external_class_fit(&self, ev: &Eval<'_>, from: GlobalDef, to: &External) -> Fit {
        if builtins::is_final(to) {
            return Fit::No;
        }
        let implied = match ev.repo.def(from).kind {
            SymbolKind::Enum => matches!(&*to.symbol, "Enum" | "Comparable" | "Serializable"),
            SymbolKind::Struct => &*to.symbol == "Record",
            _ => false,
        };
        let mut unsure = false;
        for above in self.hierarchy.external_supertypes(from) {
            match above.map(|a| builtins::external_inherits(a, to)) {
                Some(Some(true)) => return Fit::Strict,
                Some(Some(false)) => {}
                Some(None) | None => unsure = true,
            }
        }
        match (implied, unsure) {
            (true, _) => Fit::Strict,
            (_, true) => Fit::Maybe,
            _ => Fit::No,
        }
    }
}

fn arity(ev: &Eval<'_>, def: GlobalDef) -> (usize, bool) {
    ev.repo
        .def(def)
        .callable
        .as_deref()
        .map_or((0, false), |c| {
            let last = c.params.last().map(|p| p.kind);
            (c.params.len(), last == Some(ParamKind::Variadic))
        })
}

fn classify_arg(ev: &mut Eval<'_>, view: CallView<'_>, expr: ExprId) -> Arg {
    match ev.repo.facts(view.file).expr(expr) {
        Expr::Function(def) => Arg::Lambda(GlobalDef {
            file: view.file,
            def: *def,
        }),
        Expr::Scoped { .. } => Arg::Reference,
        _ => match ev.type_of_expr(view.file, expr) {
            Ty::Null => Arg::Null,
            Ty::External(external) => Arg::Value(builtins::constant_type(&external)),
            ty @ (Ty::Instance(..) | Ty::ExternalInstance(..) | Ty::Param(..) | Ty::Union(_)) => {
                Arg::Value(ty)
            }
            _ => Arg::Value(Ty::Unknown),
        },
    }
}

/// A type parameter without bounds becomes `Object`; `Self` becomes the class.
fn erase_type_param(ev: &mut Eval<'_>, ty: &Ty) -> Ty {
    match ty {
        Ty::Param(def, n) if *n != SELF => {
            let bounds = ev
                .repo
                .def(*def)
                .type_params
                .get(*n as usize)
                .map(|p| &p.bounds);
            if bounds.is_some_and(|b| b.is_empty()) {
                return builtins::java_lang_type("Object");
            }
            ev.resolve_type_param(ty)
        }
        other => ev.resolve_type_param(other),
    }
}

fn unboxed_fit(from: &Ty, to: &str) -> Fit {
    let Ty::ExternalInstance(e, _) = from else {
        return Fit::No;
    };
    let inner = match &*e.package {
        "java.lang" => box_or_unbox(&e.symbol).filter(|p| builtins::is_primitive(p)),
        _ => None,
    };
    match inner.map(primitive) {
        Some(inner) if as_primitive(&inner).is_some_and(|p| is_widening(p, to)) => Fit::Loose,
        _ => Fit::No,
    }
}

/// Whether a function literal certainly cannot be a value of that type.
fn cannot_be_functional(ev: &Eval<'_>, ty: &Ty) -> bool {
    match ty {
        Ty::Instance(def, _) => ev.repo.def(*def).kind != SymbolKind::Interface,
        Ty::ExternalInstance(e, _) => {
            as_primitive(ty).is_some()
                || array_element(ty).is_some()
                || builtins::is_final(e)
                || builtins::is_object(e)
                || matches!(
                    &*e.symbol,
                    "List" | "Collection" | "Set" | "Map" | "Optional" | "Throwable" | "Charset"
                )
        }
        // A type parameter is not a functional interface.
        Ty::Param(..) => true,
        _ => false,
    }
}

/// Whether two parameter types are equal without type arguments.
fn same_erasure(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Param(..), Ty::Param(..)) => true,
        (Ty::Param(..), other) | (other, Ty::Param(..)) => as_primitive(other).is_none(),
        (Ty::Instance(a, _), Ty::Instance(b, _)) => a == b,
        (Ty::ExternalInstance(a, x), Ty::ExternalInstance(b, y)) => {
            a == b
                && (&*a.symbol != "[]" || x.iter().zip(y.iter()).all(|(x, y)| same_erasure(x, y)))
        }
        (a, b) => a == b,
    }
}
