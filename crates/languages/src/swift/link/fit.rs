//! Whether a value of one type is accepted where another type is expected.

use super::Swift;
use super::platform::{self, is_concrete, standard, symbol, unwrapped};
use crate::ancestry::Supertype;
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::repo::{FileId, GlobalDef};
use linker::ty::*;

/// How well an argument fits a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Fit {
    No,
    /// Not known.
    #[default]
    Maybe,
    /// By a type parameter, a protocol, or by wrapping it into an optional.
    Converted,
    /// The types are equal.
    Exact,
}

impl Swift {
    /// How well a value of type `from` fits where `to` is expected.
    pub(super) fn fit(&self, ev: &mut Eval<'_>, from: &Ty, to: &Ty) -> Fit {
        if from.is_unknown() || to.is_unknown() {
            return Fit::Maybe;
        }
        if from == to {
            return Fit::Exact;
        }
        ev.guard_recursion(|ev| self.fit_inner(ev, from, to))
    }

    fn fit_inner(&self, ev: &mut Eval<'_>, from: &Ty, to: &Ty) -> Fit {
        if let Ty::Union(parts) = from {
            let fits = parts.iter().map(|p| self.fit(ev, p, to));
            return fits.max().unwrap_or_default();
        }
        if let Ty::Union(parts) = to {
            let fits = parts.iter().map(|p| self.fit(ev, from, p));
            return fits.min().unwrap_or_default();
        }
        if platform::is_optional(to) {
            return match from {
                Ty::Null => Fit::Converted,
                _ if platform::is_optional(from) => self.fit(ev, &from.arg(0), &to.arg(0)),
                _ => self.fit(ev, from, &unwrapped(to)).min(Fit::Converted),
            };
        }
        if let Ty::Param(def, SELF) = from {
            let from = ev.identity_instance(*def);
            return self.fit(ev, &from, to);
        }
        if let Ty::Param(def, SELF) = to {
            let to = ev.identity_instance(*def);
            return self.fit(ev, from, &to).min(Fit::Converted);
        }
        if matches!(to, Ty::Param(..)) {
            let bound = ev.resolve_type_param(to);
            return self
                .fit(ev, from, &bound)
                .clamp(Fit::No, Fit::Converted)
                .max(if bound.is_unknown() {
                    Fit::Maybe
                } else {
                    Fit::No
                });
        }
        if matches!(from, Ty::Param(..)) {
            let bound = ev.resolve_type_param(from);
            return match self.fit(ev, &bound, to) {
                // A type parameter may have more than its bounds say.
                Fit::No if !is_value_type(ev, to) => Fit::Maybe,
                fit => fit.min(Fit::Converted),
            };
        }
        if platform::is_optional(from) || *from == Ty::Null {
            return match symbol(to) {
                Some(name) if !is_concrete(name) => Fit::Maybe,
                Some(_) => Fit::No,
                None => match to {
                    Ty::Instance(def, _) if ev.repo.def(*def).kind == SymbolKind::Interface => {
                        Fit::Maybe
                    }
                    Ty::Instance(..) | Ty::Tuple(_) => Fit::No,
                    _ => Fit::Maybe,
                },
            };
        }
        self.plain_fit(ev, from, to)
    }

    fn plain_fit(&self, ev: &mut Eval<'_>, from: &Ty, to: &Ty) -> Fit {
        match (from, to) {
            (Ty::Instance(a, x), Ty::Instance(b, y)) => {
                let (a, b) = (self.tables.whole(*a), self.tables.whole(*b));
                if a == b {
                    return self.args_fit(ev, x, y);
                }
                if self.tables.ancestry.is_subclass_of(a, b) {
                    return Fit::Converted;
                }
                self.unless_unknown_supers(ev, a, b)
            }
            (Ty::Instance(a, _), Ty::ExternalInstance(external, _)) => {
                self.outside_fit(self.tables.whole(*a), external)
            }
            (Ty::ExternalInstance(external, _), Ty::Instance(b, _)) => {
                let b = self.tables.whole(*b);
                let names = standard().with_supers(from);
                let has = |name: &str| {
                    let protocols = self.tables.outside_protocols(name).iter();
                    let mut protocols = protocols.copied();
                    protocols.any(|p| self.tables.ancestry.is_subclass_of(p, b))
                };
                if names.iter().filter_map(symbol).any(has) {
                    return Fit::Converted;
                }
                if is_concrete(&external.symbol) || ev.repo.def(b).kind != SymbolKind::Interface {
                    return Fit::No;
                }
                Fit::Maybe
            }
            (Ty::ExternalInstance(a, x), Ty::ExternalInstance(b, y)) => {
                if a.symbol == b.symbol {
                    return self.args_fit(ev, x, y);
                }
                let view = standard().with_supers(from);
                let view = view.iter().find(|ty| symbol(ty) == Some(&b.symbol));
                if let Some(Ty::ExternalInstance(_, args)) = view {
                    return self.args_fit(ev, args, y).min(Fit::Converted);
                }
                if is_concrete(&b.symbol) && (standard().knows(&a.symbol) || is_value(&b.symbol)) {
                    return Fit::No;
                }
                Fit::Maybe
            }
            (Ty::Tuple(a), Ty::Tuple(b)) if a.len() == b.len() => self.args_fit(ev, a, b),
            (Ty::Tuple(_), Ty::Instance(..) | Ty::Tuple(_)) => Fit::No,
            (Ty::Instance(..), Ty::Tuple(_)) => Fit::No,
            (Ty::Function(..) | Ty::Callable(..), Ty::Instance(def, _)) => {
                match ev.repo.def(*def).kind {
                    SymbolKind::TypeAlias => Fit::Maybe,
                    _ => Fit::No,
                }
            }
            (Ty::Function(..) | Ty::Callable(..), Ty::ExternalInstance(external, _))
                if is_concrete(&external.symbol) && !external.symbol.ends_with("KeyPath") =>
            {
                Fit::No
            }
            (Ty::Instance(..), Ty::Callable(..)) => Fit::No,
            (Ty::ExternalInstance(external, _), Ty::Callable(..))
                if is_concrete(&external.symbol) =>
            {
                Fit::No
            }
            (Ty::Class(a, _), Ty::Class(b, _)) => {
                let (a, b) = (self.tables.whole(*a), self.tables.whole(*b));
                match self.tables.ancestry.is_subclass_of(a, b) {
                    _ if a == b => Fit::Exact,
                    is_below => [Fit::No, Fit::Converted][usize::from(is_below)],
                }
            }
            (Ty::Class(..), Ty::Instance(def, _)) => match ev.repo.def(*def).kind {
                SymbolKind::Interface => Fit::Maybe,
                _ => Fit::No,
            },
            _ => Fit::Maybe,
        }
    }

    fn args_fit(&self, ev: &mut Eval<'_>, given: &Args, wanted: &Args) -> Fit {
        let mut worst = Fit::Exact;
        for (a, b) in given.iter().zip(wanted.iter()) {
            let fit = match (a, b) {
                (Ty::Param(..), _) | (_, Ty::Param(..)) => Fit::Maybe.max(self.fit(ev, a, b)),
                _ => self.fit(ev, a, b),
            };
            worst = worst.min(fit);
        }
        worst
    }

    /// A type that has supertypes which are not known may be more than it seems.
    fn unless_unknown_supers(&self, ev: &Eval<'_>, a: GlobalDef, b: GlobalDef) -> Fit {
        let mut outside = self.tables.ancestry.external_supertypes(a);
        let is_open = outside.any(|s| s.is_none()) && ev.repo.def(b).kind == SymbolKind::Interface;
        let is_abstract = matches!(
            ev.repo.def(a).kind,
            SymbolKind::Interface | SymbolKind::TypeAlias
        );
        if is_open || is_abstract && ev.repo.def(b).kind == SymbolKind::Interface {
            Fit::Maybe
        } else {
            Fit::No
        }
    }

    fn outside_fit(&self, a: GlobalDef, wanted: &External) -> Fit {
        let is_wanted = |external: &External| {
            let ty = Ty::ExternalInstance(external.clone(), no_args());
            let all = standard().with_supers(&ty);
            all.iter().any(|ty| symbol(ty) == Some(&wanted.symbol))
        };
        let mut outside = self.tables.ancestry.external_supertypes(a).flatten();
        if outside.any(is_wanted) {
            return Fit::Converted;
        }
        if is_concrete(&wanted.symbol) {
            return Fit::No;
        }
        Fit::Maybe
    }

    /// Whether a closure may stand for a function of a number of parameters.
    pub(super) fn closure_fit(&self, ev: &mut Eval<'_>, closure: GlobalDef, to: &Ty) -> Fit {
        let to = unwrapped(to);
        let Some(callable) = ev.repo.def(closure).callable.as_deref() else {
            return Fit::Maybe;
        };
        match &to {
            Ty::Callable(params, _) => {
                let is_tuple = params.len() == 1 && callable.params.len() > 1;
                let is_numbered = callable
                    .params
                    .first()
                    .is_none_or(|p| ev.repo.facts(closure.file).name(p.name).starts_with('$'));
                let fits = callable.params.len() == params.len()
                    || is_tuple
                    || is_numbered && callable.params.len() <= params.len();
                if fits { Fit::Converted } else { Fit::No }
            }
            Ty::Instance(def, _) if ev.repo.def(*def).kind != SymbolKind::TypeAlias => Fit::No,
            Ty::ExternalInstance(external, _)
                if is_concrete(&external.symbol) && !external.symbol.ends_with("KeyPath") =>
            {
                Fit::No
            }
            _ => Fit::Maybe,
        }
    }

    /// Whether a literal may stand for a value of a type.
    pub(super) fn literal_fit(
        &self,
        ev: &mut Eval<'_>,
        (file, literal): (FileId, ExprId),
        to: &Ty,
    ) -> Option<Fit> {
        let to = unwrapped(to);
        let primitive = match ev.repo.facts(file).expr(literal) {
            Expr::Literal(primitive) => *primitive,
            Expr::List(_) | Expr::Dict(_) => {
                return match &to {
                    Ty::Instance(def, _) => Some(self.expressible(*def, "Array")),
                    _ => None,
                };
            }
            _ => return None,
        };
        let (own, protocol) = match primitive {
            Primitive::Int => ("Int", "Integer"),
            Primitive::Float => ("Double", "Float"),
            Primitive::String => ("String", "String"),
            Primitive::Bool => ("Bool", "Boolean"),
            _ => return None,
        };
        match &to {
            Ty::Instance(def, _) => Some(self.expressible(*def, protocol)),
            Ty::ExternalInstance(external, _) => {
                let name = &*external.symbol;
                let is_number = name.starts_with("Int") || name.starts_with("UInt");
                let is_float = matches!(name, "Double" | "Float" | "CGFloat" | "TimeInterval");
                let fits = match primitive {
                    Primitive::Int => is_number || is_float,
                    Primitive::Float => is_float,
                    Primitive::String => {
                        matches!(name, "String" | "Substring" | "Character" | "StaticString")
                    }
                    _ => name == "Bool",
                };
                match (fits, name == own) {
                    (_, true) => Some(Fit::Exact),
                    (true, _) => Some(Fit::Converted),
                    _ if is_concrete(name) => Some(Fit::No),
                    _ => Some(Fit::Maybe),
                }
            }
            _ => None,
        }
    }

    fn expressible(&self, def: GlobalDef, kind: &str) -> Fit {
        let class = self.tables.whole(def);
        let by_literal = |s: &Supertype| match s {
            Supertype::Outside(external) => {
                let name = &*external.symbol;
                name.starts_with("ExpressibleBy") && name.contains(kind)
                    || !standard().knows(name)
                    || kind == "Array" && name.ends_with("OptionSet")
                    || kind == "String" && name.ends_with("StringInterpolation")
            }
            Supertype::Unknown => true,
            Supertype::Inside(_) => false,
        };
        let all = self.tables.ancestry.self_and_ancestors(class);
        let mut direct = all.flat_map(|c| self.tables.ancestry.direct_supertypes(c));
        if direct.any(by_literal) {
            Fit::Maybe
        } else {
            Fit::No
        }
    }
}

/// Whether no other type converts to a type.
fn is_value_type(ev: &Eval<'_>, ty: &Ty) -> bool {
    match ty {
        Ty::Instance(def, _) => matches!(
            ev.repo.def(*def).kind,
            SymbolKind::Struct | SymbolKind::Enum
        ),
        Ty::ExternalInstance(external, _) => is_concrete(&external.symbol),
        Ty::Tuple(_) => true,
        _ => false,
    }
}

/// Whether a type outside the repository is a number or text, to which nothing converts.
fn is_value(symbol: &str) -> bool {
    symbol.starts_with("Int")
        || symbol.starts_with("UInt")
        || matches!(symbol, "String" | "Bool" | "Double" | "Float" | "Character")
}
