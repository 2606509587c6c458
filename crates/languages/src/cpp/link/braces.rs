//! Lists in braces: `V{1, 2}` and `f({1, 2})`. Of the constructors of a class, one that takes a list of initial values comes
//! before all others.

use super::fit::Fit;
use super::{Family, shapes, standard};
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::repo::GlobalDef;
use linker::ty::*;

/// Constructors of a class that are looked at for a list.
const MOST_CONSTRUCTORS: usize = 32;

/// What values in braces are to the constructors of a class.
#[derive(Debug)]
pub(super) enum Listed {
    /// Arguments: no constructor takes a list of them.
    No,
    /// A list of initial values, which these constructors take.
    Yes(Vec<GlobalDef>),
    /// Not known: one of these takes a list that may suit.
    Open(Vec<GlobalDef>),
}

/// Whether the class of an object that is constructed is followed by braces.
pub(super) fn is_braced(facts: &FileFacts, construction: ExprId) -> bool {
    let Expr::New { class, .. } = facts.expr(construction) else {
        return false;
    };
    match facts.expr(*class) {
        Expr::Borrowed(_) => true,
        Expr::Type(ty) => matches!(facts.ty(*ty), TypeExpr::Reference(_)),
        _ => false,
    }
}

impl Family {
    /// What values in braces are to the constructors of a class.
    pub(super) fn by_list(
        &self,
        ev: &mut Eval<'_>,
        all: &[GlobalDef],
        object: &Ty,
        given: &[Ty],
    ) -> Listed {
        let takes_nothing = |d: &GlobalDef| shapes::arity(ev.repo, *d).0 == 0;
        if given.is_empty() && all.iter().any(takes_nothing) {
            return Listed::No;
        }
        let mut best: Option<Fit> = None;
        let (mut suiting, mut is_open) = (Vec::new(), false);
        for def in all.iter().take(MOST_CONSTRUCTORS) {
            let Some(element) = self.listed_element(ev, *def, object) else {
                continue;
            };
            match self.fit_each(ev, given, &element) {
                Fit::No => {}
                Fit::Maybe | Fit::Perhaps => {
                    is_open = true;
                    suiting.push(*def);
                }
                fit => {
                    if !is_open && best.is_none_or(|best| best < fit) {
                        suiting.clear();
                        best = Some(fit);
                    }
                    if best.is_none_or(|best| best <= fit) {
                        suiting.push(*def);
                    }
                }
            }
        }
        match (suiting.is_empty(), is_open) {
            (true, _) => Listed::No,
            (false, true) => Listed::Open(suiting),
            (false, false) => Listed::Yes(suiting),
        }
    }

    /// The type of the values of the list that a constructor takes; none where it takes none.
    fn listed_element(&self, ev: &mut Eval<'_>, constructor: GlobalDef, object: &Ty) -> Option<Ty> {
        let (least, most) = shapes::arity(ev.repo, constructor);
        if least > 1 || most < 1 {
            return None;
        }
        let param = self.param_type(ev, constructor, 0);
        let element = standard::listed(&param)?;
        Some(ev.substitute(&element, Some(object)))
    }

    /// How well all values suit one type, by the one that suits worst.
    fn fit_each(&self, ev: &mut Eval<'_>, given: &[Ty], to: &Ty) -> Fit {
        if matches!(to, Ty::Param(..)) {
            let is_known = |ty: &Ty| !matches!(ty, Ty::Unknown | Ty::Union(_) | Ty::Null);
            let are_same = given.windows(2).all(|two| two[0] == two[1]);
            return if are_same && given.first().is_some_and(is_known) {
                Fit::Exact
            } else {
                Fit::Maybe
            };
        }
        let (mut worst, mut is_open) = (Fit::Exact, false);
        for value in given {
            match self.fit(ev, value, to) {
                Fit::No => return Fit::No,
                Fit::Maybe | Fit::Perhaps => is_open = true,
                fit => worst = worst.min(fit),
            }
        }
        if is_open { Fit::Maybe } else { worst }
    }

    /// How well a list in braces suits a place.
    pub(super) fn list_fit(&self, ev: &mut Eval<'_>, parts: &[Ty], to: &Ty) -> Fit {
        if let Some(element) = standard::listed(to) {
            return self.fit_each(ev, parts, &element);
        }
        if standard::number(to).is_some() || standard::pointee(to).is_some() {
            return match parts {
                [] => Fit::Exact,
                [one] => self.fit(ev, one, to),
                _ => Fit::No,
            };
        }
        match to {
            Ty::Instance(class, _) if ev.repo.def(*class).kind == SymbolKind::Enum => match parts {
                [] => Fit::Exact,
                [one] => self.fit(ev, one, to),
                _ => Fit::No,
            },
            Ty::Instance(class, _) => {
                // One value of the class itself stands for the list.
                if let [one @ Ty::Instance(own, _)] = parts
                    && (own == class || ev.is_subtype_of(one, *class))
                {
                    return self.fit(ev, one, to);
                }
                self.constructed_from_list(ev, parts, *class, to)
            }
            _ => Fit::Maybe,
        }
    }

    fn constructed_from_list(
        &self,
        ev: &mut Eval<'_>,
        parts: &[Ty],
        class: GlobalDef,
        to: &Ty,
    ) -> Fit {
        let all = self.constructors(ev, class);
        // Without a constructor, the values are those of its fields. A base may lend it its own.
        if all.is_empty() {
            return Fit::Perhaps;
        }
        match self.by_list(ev, &all, to, parts) {
            Listed::Yes(_) => return Fit::Converted,
            Listed::Open(_) => return Fit::Perhaps,
            Listed::No => {}
        }
        let is_alone = ev.repo.def(class).supers.is_empty();
        let mut best = if is_alone && parts.len() != 1 {
            Fit::No
        } else {
            Fit::Perhaps
        };
        for constructor in all.into_iter().take(MOST_CONSTRUCTORS) {
            let (least, most) = shapes::arity(ev.repo, constructor);
            if parts.len() < least || parts.len() > most {
                continue;
            }
            let fits = ev.guard_recursion(|ev| {
                let fits = parts.iter().enumerate().map(|(n, part)| {
                    let param = self.param_type(ev, constructor, n);
                    let param = ev.substitute(&param, Some(to));
                    self.fit(ev, part, &param)
                });
                Some(fits.collect::<Vec<Fit>>())
            });
            match fits {
                None => best = Fit::Perhaps,
                Some(fits) if fits.contains(&Fit::No) => {}
                Some(fits) if fits.contains(&Fit::Maybe) || fits.contains(&Fit::Perhaps) => {
                    best = Fit::Perhaps;
                }
                Some(_) if shapes::has_conditions(ev.repo, constructor) => best = Fit::Perhaps,
                Some(_) => return Fit::Converted,
            }
        }
        best
    }
}
