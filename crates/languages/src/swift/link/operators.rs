//! Operators: which definition one leads to, and what it gives.

use super::Swift;
use super::fit::Fit;
use super::overloads::Candidate;
use super::platform::{named, symbol, unwrapped};
use base::facts::*;
use linker::eval::Eval;
use linker::lang::{CallView, Called};
use linker::repo::GlobalDef;
use linker::ty::*;

/// Most operators of one name outside of types that are compared.
const MOST_OPERATORS: usize = 60;

impl Swift {
    /// `a + b`, `-a`. A definition counts only if one of its parameters certainly takes the operand.
    pub(super) fn operator_call(
        &self,
        ev: &mut Eval<'_>,
        name: &str,
        view: CallView<'_>,
    ) -> Called {
        let outside = Called::Found(Entity::external("Swift", name), None);
        let Some(sym) = ev.repo.find_sym(name) else {
            return outside;
        };
        if !self.operators.contains(&sym) {
            return outside;
        }
        let operands: Vec<Ty> = view
            .args
            .iter()
            .map(|arg| ev.type_of_expr(view.file, *arg))
            .collect();
        let mut candidates: Vec<Candidate> = Vec::new();
        for (operand, n) in operands.iter().zip(0..) {
            let opened = ev.resolve_type_param(operand);
            let class = match unwrapped(&opened) {
                Ty::Instance(def, args) => Ty::Class(def, args),
                Ty::ExternalInstance(external, _) => Ty::External(external),
                _ => continue,
            };
            if n > 0 && operands.first() == Some(operand) {
                continue;
            }
            let found = self.candidates(ev, &class, name, Some(&opened));
            candidates.extend(found.functions);
        }
        let tops = self.tables.visible_tops(ev.repo, name, view.file, |_| true);
        let tops: Vec<GlobalDef> = tops.into_iter().flatten().collect();
        if tops.len() <= MOST_OPERATORS {
            candidates.extend(tops.into_iter().map(|def| Candidate {
                def,
                owner: None,
                level: 0,
            }));
        }
        candidates.retain(|candidate| self.takes(ev, candidate, &operands));
        let chosen = self.select(ev, candidates, view);
        match &chosen[..] {
            [] => outside,
            [_] => super::calls::called(chosen),
            _ => outside,
        }
    }

    /// Whether one of an operator's parameters certainly takes its operand, and none certainly does not.
    fn takes(&self, ev: &mut Eval<'_>, candidate: &Candidate, operands: &[Ty]) -> bool {
        let repo = ev.repo;
        let Some(callable) = repo.def(candidate.def).callable.as_deref() else {
            return false;
        };
        if callable.params.len() != operands.len() {
            return false;
        }
        let mut is_certain = false;
        for (param, operand) in callable.params.iter().zip(operands) {
            let wanted = param.ty.map(|ty| ev.lower_type(candidate.def.file, ty));
            let mut wanted = wanted.unwrap_or_default();
            if let Some(owner) = &candidate.owner {
                wanted = self.seen_from(ev, &wanted, candidate.def, owner);
            }
            match self.fit(ev, operand, &wanted) {
                Fit::No => return false,
                Fit::Maybe => {}
                _ => is_certain |= !matches!(wanted, Ty::Param(_, n) if n != SELF),
            }
        }
        is_certain
    }

    /// What an operator of the standard library gives.
    pub(super) fn operator_result(&self, ev: &mut Eval<'_>, name: &str, view: CallView<'_>) -> Ty {
        let operand = |ev: &mut Eval<'_>, n: usize| match view.args.get(n) {
            Some(arg) => ev.type_of_expr(view.file, *arg),
            None => Ty::Unknown,
        };
        match name {
            "==" | "!=" | "<" | ">" | "<=" | ">=" | "~=" | "&&" | "||" => named("Bool", Vec::new()),
            "..." | "..<" => {
                let bound = operand(ev, 0);
                let range = if name == "..." {
                    "ClosedRange"
                } else {
                    "Range"
                };
                named(range, vec![bound])
            }
            "+" | "-" | "*" | "/" | "%" | "&+" | "&-" | "&*" | "|" | "&" | "^" | "<<" | ">>" => {
                let (left, right) = (operand(ev, 0), operand(ev, 1));
                // A literal takes the type of the other side.
                let is_literal = |n: usize| {
                    let facts = ev.repo.facts(view.file);
                    view.args
                        .get(n)
                        .is_some_and(|arg| matches!(facts.expr(*arg), Expr::Literal(_)))
                };
                if is_literal(0) && !right.is_unknown() || left.is_unknown() {
                    return right;
                }
                if matches!(symbol(&left), Some("Instant")) {
                    return Ty::Unknown;
                }
                left
            }
            _ => Ty::Unknown,
        }
    }
}
