//! Overloads: by the number of arguments, then by their types, then the most specific.

use super::calls::params_of_list;
use super::fit::Fit;
use super::{Scala, stdlib};
use base::facts::*;
use linker::eval::Eval;
use linker::lang::CallView;
use linker::repo::GlobalDef;
use linker::ty::*;

/// Most overloads whose types are compared.
const MAX_OVERLOADS: usize = 32;

impl Scala {
    /// The overloads that a call may mean; several if nothing tells them apart.
    pub(super) fn choose_overload(
        &self,
        ev: &mut Eval<'_>,
        overloads: &[GlobalDef],
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        if overloads.len() < 2 {
            return overloads.to_vec();
        }
        let fitting: Vec<GlobalDef> = overloads
            .iter()
            .copied()
            .filter(|d| self.takes_count(ev, *d, call))
            .collect();
        if fitting.len() == 1 {
            return fitting;
        }
        if fitting.is_empty() || fitting.len() > MAX_OVERLOADS {
            return overloads.to_vec();
        }
        let mut rated: Vec<(Fit, GlobalDef)> = Vec::new();
        for one in fitting {
            let fit = self.takes_types(ev, one, call);
            rated.push((fit, one));
        }
        if rated.iter().any(|(fit, _)| *fit != Fit::No) {
            rated.retain(|(fit, _)| *fit != Fit::No);
        }
        let mut left: Vec<GlobalDef> = rated.iter().map(|(_, d)| *d).collect();
        if left.len() > 1 {
            let exact = left.iter().copied().filter(|d| is_exact(ev, *d, call));
            let exact: Vec<GlobalDef> = exact.collect();
            if !exact.is_empty() {
                left = exact;
            }
        }
        match self.most_specific(ev, &left, call, &rated) {
            Some(best) => vec![best],
            None => left,
        }
    }

    /// The only overload that a call may mean, if there is one.
    pub(super) fn only_overload(
        &self,
        ev: &mut Eval<'_>,
        overloads: &[GlobalDef],
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        let chosen = self.choose_overload(ev, overloads, call);
        match chosen.len() {
            1 => chosen,
            _ => Vec::new(),
        }
    }

    /// Whether a method takes the number and the names of the arguments.
    fn takes_count(&self, ev: &Eval<'_>, id: GlobalDef, call: CallView<'_>) -> bool {
        let facts = ev.repo.facts(call.file);
        let home = ev.repo.facts(id.file);
        let params = params_of_list(ev, id, 0);
        let mut given = vec![false; params.len()];
        let mut next = 0;
        for arg in call.args {
            match facts.expr(*arg) {
                Expr::Keyword(name, _) => {
                    let name = facts.name(*name);
                    let named = params.iter().position(|p| home.name(p.name) == name);
                    match named {
                        Some(at) => given[at] = true,
                        None => return false,
                    }
                }
                Expr::Spread(_) if params.last().map(|p| p.kind) != Some(ParamKind::Variadic) => {
                    return false;
                }
                _ => {
                    let at = match params.get(next) {
                        Some(_) => next,
                        None => match params.last() {
                            Some(last) if last.kind == ParamKind::Variadic => params.len() - 1,
                            _ => return false,
                        },
                    };
                    given[at] = true;
                    next += 1;
                }
            }
        }
        let needed = |p: &&Param| p.kind == ParamKind::Plain;
        params
            .iter()
            .zip(given)
            .all(|(p, is_given)| is_given || !needed(p))
    }

    /// How the arguments fit the parameters.
    fn takes_types(&self, ev: &mut Eval<'_>, id: GlobalDef, call: CallView<'_>) -> Fit {
        let mut worst = Fit::Yes;
        for (at, arg) in call.args.iter().enumerate() {
            if !ev.spend(1) {
                return Fit::Maybe;
            }
            let value = match ev.repo.facts(call.file).expr(*arg) {
                Expr::Keyword(_, value) | Expr::Spread(value) => *value,
                _ => *arg,
            };
            let is_spread = matches!(ev.repo.facts(call.file).expr(*arg), Expr::Spread(_));
            let param = self.param_of_argument(ev, call.file, (id, 0), (at, *arg));
            let Some((ty, _)) = param else {
                continue;
            };
            if is_spread {
                continue;
            }
            let wanted = ev.lower_type(id.file, ty);
            let actual = match ev.repo.facts(call.file).expr(value) {
                Expr::Function(def) => {
                    let def = GlobalDef {
                        file: call.file,
                        def: *def,
                    };
                    Ty::Function([def].into(), None)
                }
                _ => ev.type_of_expr(call.file, value),
            };
            worst = worst.min(self.fit(ev, &wanted, &actual));
            if worst == Fit::No {
                break;
            }
        }
        worst
    }

    /// The overload whose parameters all fit those of the others.
    fn most_specific(
        &self,
        ev: &mut Eval<'_>,
        left: &[GlobalDef],
        call: CallView<'_>,
        rated: &[(Fit, GlobalDef)],
    ) -> Option<GlobalDef> {
        if let [one] = left {
            return Some(*one);
        }
        // Where a type is not known, nothing can be told.
        let is_sure = |d: &GlobalDef| rated.iter().any(|(fit, one)| one == d && *fit == Fit::Yes);
        if !left.iter().all(is_sure) {
            return None;
        }
        let mut best = None;
        for one in left {
            let mut is_best = true;
            for other in left {
                if other != one && !self.is_as_specific(ev, *one, *other, call) {
                    is_best = false;
                    break;
                }
            }
            if is_best {
                if best.is_some() {
                    return None;
                }
                best = Some(*one);
            }
        }
        best
    }

    fn is_as_specific(
        &self,
        ev: &mut Eval<'_>,
        one: GlobalDef,
        other: GlobalDef,
        call: CallView<'_>,
    ) -> bool {
        for (at, arg) in call.args.iter().enumerate() {
            let mut param = |id: GlobalDef| {
                let found = self.param_of_argument(ev, call.file, (id, 0), (at, *arg));
                found.map(|(ty, _)| ev.lower_type(id.file, ty))
            };
            let (Some(own), Some(theirs)) = (param(one), param(other)) else {
                continue;
            };
            let open = matches!(own, Ty::Param(..)) || stdlib::is_top(&own);
            if open && !(matches!(theirs, Ty::Param(..)) || stdlib::is_top(&theirs)) {
                return false;
            }
            if self.fit(ev, &theirs, &own) == Fit::No {
                return false;
            }
        }
        true
    }
}

/// Whether a call gives each parameter one argument.
fn is_exact(ev: &Eval<'_>, id: GlobalDef, call: CallView<'_>) -> bool {
    let params = params_of_list(ev, id, 0);
    params.len() == call.args.len() && params.iter().all(|p| p.kind != ParamKind::Variadic)
}
