//! Implicit conversions: whether a value of one type is accepted where another type is expected.

use super::CSharp;
use super::tables::{self, array_element, nullable, system, system_name, tables};
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::repo::GlobalDef;
use linker::ty::*;

/// How well an argument fits a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Fit {
    No,
    /// Not known.
    #[default]
    Maybe,
    /// It certainly fits: the types are equal, or there is an implicit conversion.
    Strict,
}

impl CSharp {
    /// How well a value of type `from` fits where `to` is expected.
    pub(super) fn fit(&self, ev: &mut Eval<'_>, from: &Ty, to: &Ty) -> Fit {
        if from.is_unknown() || to.is_unknown() {
            return Fit::Maybe;
        }
        if from == to {
            return Fit::Strict;
        }
        ev.guard_recursion(|ev| self.fit_inner(ev, from, to))
    }

    fn fit_inner(&self, ev: &mut Eval<'_>, from: &Ty, to: &Ty) -> Fit {
        if let Ty::Union(parts) = from {
            let fits = parts.iter().map(|p| self.fit(ev, p, to));
            return fits.min().unwrap_or_default();
        }
        if system_name(to) == Some("Object") {
            return if matches!(from, Ty::Class(..) | Ty::External(_)) {
                Fit::Maybe
            } else {
                Fit::Strict
            };
        }
        match (from, to) {
            (Ty::Null, _) => return self.null_fit(ev, to),
            (Ty::Param(a, SELF), _) => {
                let from = ev.identity_instance(*a);
                return self.fit(ev, &from, to);
            }
            (_, Ty::Param(a, SELF)) => {
                let to = ev.identity_instance(*a);
                return self.fit(ev, from, &to);
            }
            (_, Ty::Param(..)) => return Fit::No,
            (Ty::Param(..), _) => return self.param_fit(ev, from, to),
            _ => {}
        }
        if let Some(inner) = nullable(to) {
            let from = nullable(from).unwrap_or_else(|| from.clone());
            return self.fit(ev, &from, &inner);
        }
        if let (Some(a), Some(b)) = (system_name(from), system_name(to))
            && let Some(widens) = tables::is_widening(a, b)
        {
            return if widens { Fit::Strict } else { Fit::No };
        }
        self.reference_fit(ev, from, to)
    }

    fn null_fit(&self, ev: &Eval<'_>, to: &Ty) -> Fit {
        if self.is_value(ev, to) && nullable(to).is_none() {
            Fit::No
        } else {
            Fit::Strict
        }
    }

    /// How well a value fits whose type is a type parameter. Its constraints decide.
    fn param_fit(&self, ev: &mut Eval<'_>, from: &Ty, to: &Ty) -> Fit {
        let Ty::Param(def, n) = from else {
            return Fit::Maybe;
        };
        let bounds = ev.repo.def(*def).type_params.get(*n as usize);
        let bounds: Vec<TypeId> = bounds.map_or_else(Vec::new, |p| p.bounds.to_vec());
        let each = bounds.into_iter().map(|bound| {
            let bound = ev.lower_type(def.file, bound);
            self.fit(ev, &bound, to)
        });
        each.max().unwrap_or(Fit::No)
    }

    /// Whether a type satisfies the constraints of a type parameter.
    pub(super) fn constraint_fit(
        &self,
        ev: &mut Eval<'_>,
        (def, n): (GlobalDef, u32),
        from: &Ty,
    ) -> Fit {
        let bounds = ev.repo.def(def).type_params.get(n as usize);
        let bounds: Vec<TypeId> = bounds.map_or_else(Vec::new, |p| p.bounds.to_vec());
        let mut worst = Fit::Strict;
        for bound in bounds {
            let bound = ev.lower_type(def.file, bound);
            // A constraint that refers to the parameter itself is taken to hold.
            let fit = match &bound {
                Ty::Param(other, _) if *other == def => Fit::Strict,
                _ => self.class_fit(ev, from, &bound),
            };
            worst = worst.min(fit);
        }
        worst
    }

    /// Whether a type certainly cannot stand for a type parameter.
    pub(super) fn violates(
        &self,
        ev: &mut Eval<'_>,
        (def, n): (GlobalDef, u32),
        from: &Ty,
    ) -> bool {
        if matches!(from, Ty::Unknown | Ty::Null | Ty::Param(..) | Ty::Union(_)) {
            return false;
        }
        let Some(param) = ev.repo.def(def).type_params.get(n as usize) else {
            return false;
        };
        if let Some(kind) = param.default {
            let kind = ev.lower_type(def.file, kind);
            let is_violated = match system_name(&kind) {
                Some("ValueType") => self.is_reference(ev, from) || nullable(from).is_some(),
                _ => self.is_value(ev, from),
            };
            if is_violated {
                return true;
            }
        }
        self.constraint_fit(ev, (def, n), from) == Fit::No
    }

    /// Whether a type certainly is no value type.
    fn is_reference(&self, ev: &Eval<'_>, ty: &Ty) -> bool {
        match ty {
            Ty::Instance(..) => !self.is_value(ev, ty),
            Ty::ExternalInstance(external, _) => {
                tables().knows(external) && !tables::is_value_type(external)
            }
            _ => false,
        }
    }

    /// Whether a type inherits from another, regardless of type arguments.
    fn class_fit(&self, ev: &mut Eval<'_>, from: &Ty, to: &Ty) -> Fit {
        let bare = |ty: &Ty| match ty {
            Ty::Instance(def, _) => Ty::instance(*def),
            Ty::ExternalInstance(external, _) => Ty::ExternalInstance(external.clone(), no_args()),
            other => other.clone(),
        };
        let (from, to) = (bare(from), bare(to));
        self.fit(ev, &from, &to)
    }

    fn reference_fit(&self, ev: &mut Eval<'_>, from: &Ty, to: &Ty) -> Fit {
        if let (Some(a), Some(b)) = (array_element(from), array_element(to)) {
            if system_name(from) != system_name(to) {
                return Fit::No;
            }
            // An array of a value type does not convert to an array of another type, even if the elements convert.
            let are_values = self.is_value(ev, &a) || self.is_value(ev, &b);
            return match self.fit(ev, &a, &b) {
                Fit::Strict if are_values && a != b => Fit::No,
                fit => fit,
            };
        }
        match (from, to) {
            (Ty::Instance(a, _), Ty::Instance(b, _)) => self.inside_fit(ev, (*a, from), (*b, to)),
            (Ty::Instance(a, _), Ty::ExternalInstance(b, _)) => {
                let fit = self.outside_fit(ev, from, b, to);
                self.or_converted(ev, fit, *a, (from, to))
            }
            (Ty::ExternalInstance(..), Ty::Instance(b, _)) => {
                self.or_converted(ev, Fit::No, *b, (from, to))
            }
            (Ty::ExternalInstance(a, _), Ty::ExternalInstance(b, _)) => {
                self.external_fit(ev, (a, from), (b, to))
            }
            (Ty::Tuple(a), Ty::Tuple(b)) if a.len() != b.len() => Fit::No,
            (Ty::Tuple(_), Ty::Instance(b, _)) => self.or_converted(ev, Fit::No, *b, (from, to)),
            (Ty::Tuple(_) | Ty::Object(..), Ty::ExternalInstance(b, _)) => {
                if b.symbol.starts_with('(') || !tables().knows(b) {
                    Fit::Maybe
                } else {
                    Fit::No
                }
            }
            _ => Fit::Maybe,
        }
    }

    fn inside_fit(
        &self,
        ev: &mut Eval<'_>,
        (a, from): (GlobalDef, &Ty),
        (b, to): (GlobalDef, &Ty),
    ) -> Fit {
        let (a, b) = (self.parts.whole(a), self.parts.whole(b));
        if self.hierarchy.is_subclass_of(a, b) {
            return self.arguments_fit(ev, from, b, to);
        }
        let mut above = self.hierarchy.external_supertypes(a);
        let fit = if above.any(|s| s.is_none_or(|e| !tables().knows(e))) {
            // A class outside of the repository could implement an interface of the repository only through generated code.
            Fit::Maybe
        } else {
            Fit::No
        };
        let fit = self.or_converted(ev, fit, a, (from, to));
        self.or_converted(ev, fit, b, (from, to))
    }

    /// Whether the type arguments agree, once the type is seen as the expected class.
    fn arguments_fit(&self, ev: &mut Eval<'_>, from: &Ty, class: GlobalDef, to: &Ty) -> Fit {
        let Ty::Instance(_, wanted) = to else {
            return Fit::Maybe;
        };
        if wanted.is_empty() {
            return Fit::Strict;
        }
        let order = ev.member_search_order(from);
        let is_class = |ty: &&Ty| matches!(ty, Ty::Instance(d, _) if self.parts.whole(*d) == class);
        let Some(Ty::Instance(_, given)) = order.iter().find(is_class) else {
            return Fit::Strict;
        };
        let is_interface = ev.repo.def(class).kind != SymbolKind::Class;
        self.args_fit(ev, given, wanted, is_interface)
    }

    /// Compares type arguments. Those of interfaces and delegates may vary; those of classes may not.
    fn args_fit(&self, ev: &mut Eval<'_>, given: &Args, wanted: &Args, varies: bool) -> Fit {
        let mut worst = Fit::Strict;
        for (a, b) in given.iter().zip(wanted.iter()) {
            if a == b {
                continue;
            }
            let has_open = matches!(a, Ty::Param(..) | Ty::Unknown | Ty::Union(_))
                || matches!(b, Ty::Param(..) | Ty::Unknown);
            let fit = match (has_open, varies) {
                (true, _) => Fit::Maybe,
                (_, true) => match self.fit(ev, a, b) {
                    Fit::No => self.fit(ev, b, a).min(Fit::Maybe),
                    fit => fit,
                },
                _ => match self.fit(ev, a, b) {
                    Fit::Maybe => Fit::Maybe,
                    _ => Fit::No,
                },
            };
            worst = worst.min(fit);
        }
        worst
    }

    fn outside_fit(&self, ev: &mut Eval<'_>, from: &Ty, wanted: &External, to: &Ty) -> Fit {
        let Ty::Instance(class, _) = from else {
            return Fit::Maybe;
        };
        let class = self.parts.whole(*class);
        let kind = ev.repo.def(class).kind;
        let implied = match kind {
            SymbolKind::Enum => matches!(
                &*wanted.symbol,
                "Enum" | "ValueType" | "IComparable" | "IConvertible" | "IFormattable"
            ),
            SymbolKind::Struct => &*wanted.symbol == "ValueType",
            SymbolKind::TypeAlias => matches!(&*wanted.symbol, "Delegate" | "MulticastDelegate"),
            _ => false,
        };
        if implied {
            return Fit::Strict;
        }
        if let Some(Ty::ExternalInstance(_, given)) = self.external_view(ev, from, wanted) {
            return match to {
                Ty::ExternalInstance(_, args) => self.args_fit(ev, &given, args, true),
                _ => Fit::Maybe,
            };
        }
        if tables::is_sealed(wanted) {
            return Fit::No;
        }
        let mut above = self.hierarchy.external_supertypes(class);
        let is_open = above.any(|s| s.is_none_or(|e| !tables().knows(e)));
        if is_open { Fit::Maybe } else { Fit::No }
    }

    fn external_fit(
        &self,
        ev: &mut Eval<'_>,
        (a, from): (&External, &Ty),
        (b, to): (&External, &Ty),
    ) -> Fit {
        let args = |ty: &Ty| match ty {
            Ty::ExternalInstance(_, args) => args.clone(),
            _ => no_args(),
        };
        let is_same =
            a == b || (a.symbol == b.symbol && (a.package.is_empty() || b.package.is_empty()));
        if is_same {
            let (given, wanted) = (args(from), args(to));
            if given.len() != wanted.len() && !given.is_empty() && !wanted.is_empty() {
                return Fit::No;
            }
            let varies = is_variant(b);
            return self.args_fit(ev, &given, &wanted, varies);
        }
        if let Some(Ty::ExternalInstance(_, given)) = self.external_view(ev, from, b) {
            return self.args_fit(ev, &given, &args(to), true);
        }
        if a.symbol.starts_with('(') || b.symbol.starts_with('(') {
            return Fit::Maybe;
        }
        if tables::is_sealed(b) || (tables().knows(a) && tables().knows(b)) {
            return Fit::No;
        }
        if tables::is_sealed(a) && tables().knows(b) {
            return Fit::No;
        }
        Fit::Maybe
    }

    /// Raises a fit if a type has an implicit conversion operator.
    fn or_converted(
        &self,
        ev: &mut Eval<'_>,
        fit: Fit,
        class: GlobalDef,
        types: (&Ty, &Ty),
    ) -> Fit {
        if fit != Fit::No {
            return fit;
        }
        let repo = ev.repo;
        let Some(all) = self.conversions.of_class(self.parts.whole(class)) else {
            return Fit::Maybe;
        };
        if !ev.spend(all.len()) {
            return Fit::Maybe;
        }
        let (from, to) = types;
        let fits = all.iter().map(|method| {
            let method = *method;
            let callable = repo.def(method).callable.as_deref();
            let taken = callable.and_then(|c| c.params.first()).and_then(|p| p.ty);
            let taken = taken.map(|ty| ev.lower_type(method.file, ty));
            let taken = taken.unwrap_or_default();
            let given = ev.result_type(method);
            same_class(from, &taken).min(same_class(&given, to))
        });
        fits.max().unwrap_or(Fit::No)
    }

    /// Parameters and result of a delegate type.
    pub(super) fn delegate_shape(&self, ev: &mut Eval<'_>, of: &Ty) -> Option<(Vec<Ty>, Ty)> {
        let opened = ev.resolve_type_param(of);
        match &opened {
            Ty::ExternalInstance(external, args) => tables::delegate_shape(external, args),
            Ty::Instance(def, _) if ev.repo.def(*def).kind == SymbolKind::TypeAlias => {
                let repo = ev.repo;
                let callable = repo.def(*def).callable.as_deref()?;
                let mut params = Vec::new();
                for param in &callable.params {
                    let ty = param.ty.map(|ty| ev.lower_type(def.file, ty));
                    let ty = ty.unwrap_or_default();
                    params.push(ev.substitute(&ty, Some(&opened)));
                }
                let raw = ev.result_type(*def);
                Some((params, ev.substitute(&raw, Some(&opened))))
            }
            _ => None,
        }
    }

    /// Whether a type certainly is no delegate, so that a function is no value of it.
    pub(super) fn is_no_delegate(&self, ev: &Eval<'_>, ty: &Ty) -> bool {
        match ty {
            Ty::Instance(def, _) => ev.repo.def(*def).kind != SymbolKind::TypeAlias,
            Ty::ExternalInstance(external, args) => {
                tables().knows(external)
                    && tables::delegate_shape(external, args).is_none()
                    && !is_any_delegate(external)
            }
            Ty::Param(..) | Ty::Tuple(_) => true,
            _ => false,
        }
    }
}

/// Whether one type fits another without any inheritance: both are equal, or it is a number that widens.
fn same_class(from: &Ty, to: &Ty) -> Fit {
    let widens = match (system_name(from), system_name(to)) {
        (Some(a), Some(b)) => tables::is_widening(a, b),
        _ => None,
    };
    match (from, to) {
        _ if from == to || widens == Some(true) => Fit::Strict,
        (Ty::Unknown | Ty::Param(..), _) | (_, Ty::Unknown | Ty::Param(..)) => Fit::Maybe,
        (Ty::Instance(a, _), Ty::Instance(b, _)) if a == b => Fit::Maybe,
        (Ty::ExternalInstance(a, _), Ty::ExternalInstance(b, _)) if a == b => Fit::Maybe,
        _ => Fit::No,
    }
}

/// Interfaces whose type arguments may vary.
fn is_variant(external: &External) -> bool {
    let name = &*external.symbol;
    let is_interface =
        name.starts_with('I') && name[1..].starts_with(|c: char| c.is_ascii_uppercase());
    let is_fixed = matches!(
        name,
        "IList" | "ICollection" | "IDictionary" | "ISet" | "IEquatable"
    );
    (is_interface && !is_fixed)
        || matches!(
            name,
            "Func" | "Action" | "Predicate" | "Comparison" | "Converter"
        )
        || !tables().knows(external)
}

/// Whether a type is a delegate whose parameters are not known.
fn is_any_delegate(external: &External) -> bool {
    let name = &*external.symbol;
    name.ends_with("Handler")
        || name.ends_with("Callback")
        || matches!(
            name,
            "Delegate"
                | "MulticastDelegate"
                | "MatchEvaluator"
                | "Func"
                | "Action"
                | "Expression"
                | "LambdaExpression"
                | "ThreadStart"
                | "ParameterizedThreadStart"
        )
}

/// The type to which an operation promotes its two numbers.
pub(super) fn promoted(left: &Ty, right: &Ty) -> Ty {
    let names = [system_name(left), system_name(right)];
    let has = |name: &str| names.contains(&Some(name));
    if has("String") {
        return system("String");
    }
    let [Some(a), Some(b)] = names else {
        return Ty::Unknown;
    };
    if tables::is_widening(a, b).is_none() {
        let is_equal = a == b;
        return if is_equal { left.clone() } else { Ty::Unknown };
    }
    for wide in ["Decimal", "Double", "Single", "UInt64", "Int64"] {
        if has(wide) {
            return system(wide);
        }
    }
    if has("UInt32") {
        let signed = ["SByte", "Int16", "Int32"].into_iter().any(has);
        return system(if signed { "Int64" } else { "UInt32" });
    }
    system("Int32")
}
