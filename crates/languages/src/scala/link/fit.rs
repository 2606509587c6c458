//! Whether a value of one type can be used where another is expected.

use super::{Scala, stdlib};
use base::SymbolKind;
use linker::eval::Eval;
use linker::ty::*;

/// How a type fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    No,
    Maybe,
    Yes,
}

impl Scala {
    /// How a value fits a type. Type arguments are compared only in pairs.
    pub(super) fn fit(&self, ev: &mut Eval<'_>, wanted: &Ty, actual: &Ty) -> Fit {
        ev.guard_recursion(|ev| Some(self.fit_inside(ev, wanted, actual)))
            .unwrap_or(Fit::Maybe)
    }

    fn fit_inside(&self, ev: &mut Eval<'_>, wanted: &Ty, actual: &Ty) -> Fit {
        match (wanted, actual) {
            (Ty::Unknown, _) | (_, Ty::Unknown | Ty::Null) => Fit::Maybe,
            (Ty::Param(_, n), _) if *n != SELF => {
                if wanted == actual {
                    return Fit::Yes;
                }
                match ev.type_param_bound(wanted) {
                    Ty::Unknown | Ty::Param(..) => Fit::Yes,
                    bound => self.fit(ev, &bound, actual),
                }
            }
            (Ty::Param(class, _), _) => {
                let wanted = ev.identity_instance(*class);
                self.fit(ev, &wanted, actual)
            }
            _ if stdlib::is_top(wanted) => Fit::Yes,
            (_, Ty::Param(..)) => match ev.resolve_type_param(actual) {
                Ty::Unknown | Ty::Param(..) => Fit::No,
                bound => self.fit(ev, wanted, &bound),
            },
            (Ty::Union(parts), _) => {
                let each = parts.iter().map(|part| self.fit(ev, part, actual));
                each.min().unwrap_or(Fit::Maybe)
            }
            (_, Ty::Union(parts)) => {
                let each = parts.iter().map(|part| self.fit(ev, wanted, part));
                each.max().unwrap_or(Fit::Maybe)
            }
            (_, Ty::Function(..) | Ty::Callable(..)) => self.fit_function(ev, wanted, actual),
            (Ty::Instance(..), _) => self.fit_instance(ev, wanted, actual),
            (Ty::ExternalInstance(..), _) => self.fit_external(ev, wanted, actual),
            (Ty::Callable(params, _), _) => match actual {
                Ty::ExternalInstance(..) => match stdlib::as_function(actual) {
                    Some(count) if count == params.len() => Fit::Yes,
                    _ if stdlib::is_known(actual) => Fit::No,
                    _ => Fit::Maybe,
                },
                Ty::Instance(..) => {
                    if self.is_open(ev, actual) {
                        Fit::Maybe
                    } else {
                        Fit::No
                    }
                }
                _ => Fit::No,
            },
            (Ty::Tuple(xs), Ty::Tuple(ys)) if xs.len() == ys.len() => {
                let each = xs.iter().zip(ys.iter()).map(|(x, y)| self.fit(ev, x, y));
                each.min().unwrap_or(Fit::Yes)
            }
            (Ty::Tuple(_), _) => Fit::No,
            _ => Fit::Maybe,
        }
    }

    fn fit_instance(&self, ev: &mut Eval<'_>, wanted: &Ty, actual: &Ty) -> Fit {
        let Ty::Instance(class, xs) = wanted else {
            return Fit::Maybe;
        };
        if ev.repo.def(*class).kind == SymbolKind::TypeAlias {
            return match actual {
                Ty::Instance(other, _) if other == class => Fit::Yes,
                _ => Fit::Maybe,
            };
        }
        match actual {
            Ty::Instance(other, _) if ev.repo.def(*other).kind == SymbolKind::TypeAlias => {
                Fit::Maybe
            }
            Ty::Instance(..) => {
                let above = ev.member_search_order(actual);
                let found = above
                    .into_iter()
                    .find(|t| matches!(t, Ty::Instance(def, _) if def == class));
                match found {
                    Some(Ty::Instance(_, ys)) => self.fit_args(ev, xs, &ys),
                    _ => Fit::No,
                }
            }
            Ty::Class(..) | Ty::ClassOf(_) => Fit::Maybe,
            _ => Fit::No,
        }
    }

    /// Arguments that are different classes exclude each other.
    fn fit_args(&self, ev: &mut Eval<'_>, xs: &Args, ys: &Args) -> Fit {
        let pairs: Vec<(Ty, Ty)> = xs.iter().cloned().zip(ys.iter().cloned()).collect();
        for (x, y) in pairs {
            let is_plain = |t: &Ty| matches!(t, Ty::Instance(..) | Ty::ExternalInstance(..));
            if is_plain(&x)
                && is_plain(&y)
                && self.fit(ev, &x, &y) == Fit::No
                && self.fit(ev, &y, &x) == Fit::No
            {
                return Fit::No;
            }
        }
        Fit::Yes
    }

    fn fit_external(&self, ev: &mut Eval<'_>, wanted: &Ty, actual: &Ty) -> Fit {
        let Ty::ExternalInstance(_, xs) = wanted else {
            return Fit::Maybe;
        };
        match actual {
            Ty::ExternalInstance(..) => match stdlib::seen_as(actual, wanted) {
                Some(Ty::ExternalInstance(_, ys)) => self.fit_args(ev, xs, &ys),
                _ if stdlib::is_known(wanted) && stdlib::is_known(actual) => Fit::No,
                _ => Fit::Maybe,
            },
            Ty::Instance(def, _) if ev.repo.def(*def).kind == SymbolKind::TypeAlias => Fit::Maybe,
            Ty::Instance(..) => {
                let above = ev.member_search_order(actual);
                let outside = above
                    .into_iter()
                    .filter(|t| matches!(t, Ty::ExternalInstance(..)));
                let outside: Vec<Ty> = outside.collect();
                if outside.iter().any(|t| stdlib::seen_as(t, wanted).is_some()) {
                    return Fit::Yes;
                }
                if outside.iter().any(|t| !stdlib::is_known(t)) {
                    Fit::Maybe
                } else {
                    Fit::No
                }
            }
            Ty::Tuple(_) if stdlib::is_known(wanted) => Fit::No,
            _ => Fit::Maybe,
        }
    }

    fn fit_function(&self, ev: &mut Eval<'_>, wanted: &Ty, actual: &Ty) -> Fit {
        let (count, is_case) = match actual {
            Ty::Callable(params, _) => (Some(params.len()), false),
            Ty::Function(defs, _) => {
                let def = defs.first().map(|d| (d.file, ev.repo.def(*d)));
                let callable = def.and_then(|(file, d)| Some((file, d.callable.as_deref()?)));
                let params = callable.map(|(file, c)| {
                    let first = c.params.first().map(|p| ev.repo.facts(file).name(p.name));
                    (c.params.len(), first == Some("_0"))
                });
                (params.map(|p| p.0), params.is_some_and(|p| p.1))
            }
            _ => (None, false),
        };
        let wanted_count = match wanted {
            Ty::Callable(params, _) => Some(params.len()),
            Ty::ExternalInstance(..) | Ty::Instance(..) => self
                .function_shape(ev, wanted)
                .map(|(params, _)| params.len()),
            _ => return Fit::No,
        };
        match (wanted_count, count) {
            (Some(_), _) if is_case => Fit::Yes,
            (Some(wanted), Some(count)) if wanted == count => Fit::Yes,
            (Some(1), Some(_)) => Fit::Maybe,
            (Some(_), Some(_)) => Fit::No,
            (Some(_), None) => Fit::Maybe,
            (None, _) if stdlib::is_known(wanted) || matches!(wanted, Ty::Instance(..)) => Fit::No,
            _ => Fit::Maybe,
        }
    }

    /// Whether a class has supertypes outside the repository that are not known.
    fn is_open(&self, ev: &mut Eval<'_>, of: &Ty) -> bool {
        let above = ev.member_search_order(of);
        above
            .iter()
            .any(|t| matches!(t, Ty::ExternalInstance(..)) && !stdlib::is_known(t))
    }
}
