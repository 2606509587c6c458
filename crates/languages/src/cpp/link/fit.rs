//! How well the type of a value fits the type that is expected.

use super::{Family, shapes, standard};
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::repo::GlobalDef;
use linker::ty::*;

/// Maximum number of a class's constructors that are tried for a conversion.
const MOST_CONSTRUCTORS: usize = 32;

/// How well an argument fits a parameter, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    No,
    /// It goes into `...`.
    Ellipsis,
    /// By a constructor or a conversion that a class has, or not at all.
    Perhaps,
    /// By a constructor or a conversion that a class has.
    Converted,
    /// By a conversion that is built into the language.
    Loose,
    /// To a base class, or by promotion of a number.
    Near,
    Exact,
    /// Not known: it may be better or worse than any other.
    Maybe,
}

impl Family {
    /// How well a value of type `from` fits where `to` is expected.
    pub(super) fn fit(&self, ev: &mut Eval<'_>, from: &Ty, to: &Ty) -> Fit {
        self.fit_within(ev, from, to, true)
    }

    fn fit_within(&self, ev: &mut Eval<'_>, from: &Ty, to: &Ty, converts: bool) -> Fit {
        if !ev.spend(1) {
            return Fit::Maybe;
        }
        if from == to && !from.is_unknown() {
            return Fit::Exact;
        }
        if standard::is_argument_list(to) && !from.is_unknown() {
            return Fit::No;
        }
        if standard::listed(to).is_some()
            && (standard::number(from).is_some() || standard::pointee(from).is_some())
        {
            return Fit::No;
        }
        match (from, to) {
            // What a parameter of a template is, no list says.
            (Ty::Tuple(_), Ty::Param(..) | Ty::Unknown | Ty::Union(_)) => return Fit::Maybe,
            (Ty::Tuple(parts), _) => return self.list_fit(ev, parts, to),
            (_, Ty::Param(_, n)) if *n != SELF => return Fit::Exact,
            (Ty::Unknown | Ty::Param(..) | Ty::Union(_), _) | (_, Ty::Unknown | Ty::Union(_)) => {
                return Fit::Maybe;
            }
            (Ty::Null, _) if standard::pointee(to).is_some() => return Fit::Loose,
            (Ty::Null, _) if standard::number(to).is_some() => return Fit::No,
            (Ty::Function(..) | Ty::Callable(..), _) => return function_fit(to),
            (_, Ty::Callable(..)) => {
                return match standard::number(from) {
                    Some(_) => Fit::No,
                    None => Fit::Maybe,
                };
            }
            _ => {}
        }
        if let (Some(a), Some(b)) = (standard::number(from), standard::number(to)) {
            return number_fit(a, b);
        }
        if let Some(of) = standard::pointee(from) {
            if let Some(into) = standard::pointee(to) {
                return self.pointer_fit(ev, &of, &into);
            }
            match standard::number(to) {
                Some("bool") => return Fit::Loose,
                Some(_) => return Fit::No,
                None => {}
            }
        }
        match to {
            Ty::Instance(class, _) => self.class_fit(ev, from, *class, to, converts),
            Ty::ExternalInstance(..) => self.outside_fit(ev, from, to, converts),
            _ => Fit::Maybe,
        }
    }

    fn pointer_fit(&self, ev: &mut Eval<'_>, of: &Ty, into: &Ty) -> Fit {
        match (of, into) {
            (_, Ty::Param(_, n)) if *n != SELF => Fit::Exact,
            (Ty::Unknown | Ty::Param(..), _) | (_, Ty::Unknown) => Fit::Maybe,
            _ if of == into => Fit::Exact,
            _ if standard::is_void(into) => Fit::Loose,
            (Ty::Instance(a, _), Ty::Instance(b, _)) if a == b => Fit::Exact,
            (Ty::Instance(..), Ty::Instance(b, _)) if ev.is_subtype_of(of, *b) => Fit::Near,
            (Ty::Instance(..), _) if self.has_unknown_base(ev, of) => Fit::Maybe,
            (Ty::ExternalInstance(..), Ty::ExternalInstance(..)) => {
                if standard::number(of).is_some() && standard::number(into).is_some() {
                    return Fit::No;
                }
                Fit::Maybe
            }
            _ => Fit::No,
        }
    }

    /// Whether a class has a base class that is not known.
    pub(super) fn has_unknown_base(&self, ev: &mut Eval<'_>, ty: &Ty) -> bool {
        let Ty::Instance(class, _) = ty else {
            return true;
        };
        let order = ev.linearize_definition(*class);
        let repo = ev.repo;
        let written = |ty: &Ty| match ty {
            Ty::Instance(def, _) => repo.def(*def).supers.len(),
            _ => usize::MAX,
        };
        let known = order.len() - 1;
        let supers: usize = order.iter().map(written).fold(0, usize::saturating_add);
        known < supers
    }

    /// How well a value fits where a class of the repository is expected.
    fn class_fit(
        &self,
        ev: &mut Eval<'_>,
        from: &Ty,
        class: GlobalDef,
        to: &Ty,
        converts: bool,
    ) -> Fit {
        let is_enum = ev.repo.def(class).kind == SymbolKind::Enum;
        if let Ty::Instance(own, args) = from {
            if *own == class {
                return same_class(args, to);
            }
            if ev.is_subtype_of(from, class) {
                return Fit::Near;
            }
            if self.has_unknown_base(ev, from) {
                return Fit::Maybe;
            }
        }
        if is_enum {
            return Fit::No;
        }
        if !converts {
            return self.converted_from(ev, from, to);
        }
        let by_constructor = self.constructed_from(ev, from, class, to);
        match (by_constructor, self.converted_from(ev, from, to)) {
            (Fit::No, other) => other,
            (fit, _) => fit,
        }
    }

    /// Whether a class takes a value for its constructor.
    fn constructed_from(&self, ev: &mut Eval<'_>, from: &Ty, class: GlobalDef, to: &Ty) -> Fit {
        let constructors = self.constructors(ev, class);
        let mut best = Fit::No;
        for constructor in constructors.into_iter().take(MOST_CONSTRUCTORS) {
            let (least, most) = shapes::arity(ev.repo, constructor);
            if least > 1 || most < 1 || is_explicit(ev, constructor) {
                continue;
            }
            let param = self.param_type(ev, constructor, 0);
            let param = ev.substitute(&param, Some(to));
            match ev.guard_recursion(|ev| Some(self.fit_within(ev, from, &param, false))) {
                None | Some(Fit::Maybe | Fit::Perhaps) => best = Fit::Perhaps,
                Some(Fit::No) => {}
                // Whether its conditions hold is not known.
                Some(_) if shapes::has_conditions(ev.repo, constructor) => best = Fit::Perhaps,
                Some(_) => return Fit::Converted,
            }
        }
        best
    }

    /// Whether a class, or a base of it, has a conversion function to a type.
    fn converted_from(&self, ev: &mut Eval<'_>, from: &Ty, to: &Ty) -> Fit {
        let Ty::Instance(class, _) = from else {
            return Fit::No;
        };
        if ev.repo.def(*class).kind == SymbolKind::Enum {
            return Fit::No;
        }
        let order = ev.linearize_definition(*class);
        let mut best = Fit::No;
        for above in order.iter() {
            let Ty::Instance(class, _) = above else {
                return Fit::Perhaps;
            };
            let repo = ev.repo;
            if !ev.spend(repo.child_count(*class) / 64) {
                return Fit::Perhaps;
            }
            for member in repo.children(*class) {
                if repo.def(member).kind.is_callable() && is_conversion(repo.def_name(member)) {
                    best = best.max(self.by_conversion(ev, member, to));
                }
            }
        }
        best
    }

    fn by_conversion(&self, ev: &mut Eval<'_>, conversion: GlobalDef, to: &Ty) -> Fit {
        let repo = ev.repo;
        let def = repo.def(conversion);
        if is_explicit(ev, conversion) {
            return Fit::No;
        }
        let ret = def.callable.as_deref().and_then(|callable| callable.ret);
        let ret = ret.map(|ret| ev.lower_type(conversion.file, ret));
        let mut ret = ret.unwrap_or_default();
        // The sign of a pointer is part of the name.
        let name = repo.def_name(conversion);
        if name.ends_with('*') && standard::pointee(&ret).is_none() {
            ret = standard::pointer(ret);
        }
        if !def.type_params.is_empty() || shapes::has_conditions(repo, conversion) {
            return Fit::Perhaps;
        }
        match ev.guard_recursion(|ev| Some(self.fit_within(ev, &ret, to, false))) {
            Some(Fit::No | Fit::Converted) => Fit::No,
            None | Some(Fit::Maybe | Fit::Perhaps | Fit::Ellipsis) => Fit::Perhaps,
            Some(_) => Fit::Converted,
        }
    }

    /// How well a value fits where a type from outside of the repository is expected.
    fn outside_fit(&self, ev: &mut Eval<'_>, from: &Ty, to: &Ty, converts: bool) -> Fit {
        if let Ty::Instance(class, _) = from {
            let def = ev.repo.def(*class);
            if def.kind == SymbolKind::Enum && standard::number(to).is_some() {
                let is_scoped = def.flags.has(DefFlags::SPECIAL);
                return if is_scoped { Fit::No } else { Fit::Loose };
            }
            let is_plain = standard::number(to).is_some()
                || standard::pointee(to).is_some()
                || standard::is_known_class(to);
            if !is_plain || self.has_unknown_base(ev, from) {
                return Fit::Maybe;
            }
            return self.converted_from(ev, from, to);
        }
        if standard::is_text(to) {
            return text_fit(from, to, converts);
        }
        match (from, to) {
            (Ty::ExternalInstance(a, x), Ty::ExternalInstance(b, y)) if a == b => {
                if x.iter().zip(y.iter()).any(|(x, y)| differ(x, y)) {
                    Fit::No
                } else {
                    Fit::Exact
                }
            }
            _ if standard::pointee(to).is_some() && standard::number(from).is_some() => Fit::No,
            _ if standard::is_known_class(from)
                && (standard::is_known_class(to)
                    || standard::number(to).is_some()
                    || standard::pointee(to).is_some()) =>
            {
                Fit::No
            }
            _ => Fit::Maybe,
        }
    }
}

/// Whether nothing converts by a constructor or conversion unless it is named.
fn is_explicit(ev: &Eval<'_>, function: GlobalDef) -> bool {
    let text = &ev.repo.def(function).signature_text;
    text.split_whitespace()
        .any(|word| word.starts_with("explicit"))
}

fn function_fit(to: &Ty) -> Fit {
    match standard::number(to) {
        Some(name) if name != "bool" => Fit::No,
        _ => Fit::Maybe,
    }
}

fn number_fit(from: &str, to: &str) -> Fit {
    let is_small = matches!(
        from,
        "bool" | "char" | "short" | "short unsigned" | "char unsigned" | "char signed"
    );
    match (from, to) {
        (a, b) if a == b => Fit::Exact,
        (_, "int") if is_small => Fit::Near,
        ("float", "double") => Fit::Near,
        _ => Fit::Loose,
    }
}

fn same_class(args: &Args, to: &Ty) -> Fit {
    let Ty::Instance(_, wanted) = to else {
        return Fit::Maybe;
    };
    if args.iter().zip(wanted.iter()).any(|(a, b)| differ(a, b)) {
        Fit::Maybe
    } else {
        Fit::Exact
    }
}

/// Whether two types are known and differ.
fn differ(a: &Ty, b: &Ty) -> bool {
    let is_open = |ty: &Ty| matches!(ty, Ty::Unknown | Ty::Param(..));
    a != b && !is_open(a) && !is_open(b)
}

fn text_fit(from: &Ty, to: &Ty, converts: bool) -> Fit {
    if from == to {
        return Fit::Exact;
    }
    if standard::is_text(from) {
        return Fit::Loose;
    }
    let is_characters = standard::pointee(from)
        .is_some_and(|of| standard::number(&of).is_some_and(|name| name.contains("char")));
    if is_characters && converts {
        return Fit::Converted;
    }
    if is_characters {
        return Fit::No;
    }
    if standard::number(from).is_some()
        || standard::pointee(from).is_some()
        || standard::is_known_class(from)
    {
        Fit::No
    } else {
        Fit::Maybe
    }
}

/// Whether the name of a method is that of a conversion function: `operator bool`.
fn is_conversion(name: &str) -> bool {
    let word = name.strip_prefix("operator ");
    word.is_some_and(|word| !matches!(word, "new" | "delete" | "new[]" | "delete[]" | "co_await"))
}
