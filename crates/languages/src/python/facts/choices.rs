//! What branches bind a name to, where that is a definition or import in one of them: each of these counts.

use super::Walker;
use super::flow::{FlowBinding, FrameKind};
use rustc_hash::FxHashSet;
use syntax::facts::*;

impl Walker<'_, '_> {
    /// What a name is behind branches that make these of it: one of several, or the only one that is more than `None`. None
    /// where no definition of its own is among them: then its values say it all.
    pub(super) fn choose_definition(
        &mut self,
        name: NameId,
        cells: &[FlowBinding],
    ) -> Option<Bound> {
        let frame = self.current_frame();
        let (kind, class) = (frame.kind, frame.def);
        let holder = match kind {
            FrameKind::Module => Some(None),
            FrameKind::Class => Some(class),
            FrameKind::Function => None,
        };
        let variable = holder.and_then(|holder| self.fields.get(&(holder, name)).copied());
        let mut parts: Vec<Bound> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open: Vec<Bound> = cells.iter().rev().map(|cell| cell.bound).collect();
        while let Some(bound) = open.pop() {
            if !seen.insert(bound) {
                continue;
            }
            let made = match bound {
                Bound::Either(choice) => {
                    open.extend(self.b.facts().choice(choice).iter().rev());
                    continue;
                }
                _ if self.run_start(bound).is_some() => {
                    open.extend(self.run_start(bound).unwrap_or_default());
                    continue;
                }
                // The variable has all values that it is ever given.
                Bound::Local { .. } => variable.map_or(bound, Bound::Def),
                other => other,
            };
            if parts.len() > super::MAX_VALUES {
                let (ty, value) = (None, None);
                return Some(Bound::Local { ty, value });
            }
            if !parts.contains(&made) {
                parts.push(made);
            }
        }
        let is_definition = |bound: &Bound| match bound {
            Bound::Def(def) => Some(*def) != variable,
            Bound::Import(_) => true,
            _ => false,
        };
        if !parts.iter().any(is_definition) {
            return None;
        }
        parts.retain(|bound| !self.is_nothing(bound));
        match parts.as_slice() {
            [] => None,
            [one] => Some(*one),
            _ => Some(Bound::Either(self.keep_choice(parts))),
        }
    }

    /// Whether a name is bound to `None`, and to nothing else so far.
    fn is_nothing(&self, bound: &Bound) -> bool {
        let is_null =
            |value: &ExprId| matches!(self.b.facts().expr(*value), Expr::Literal(Primitive::Null));
        match bound {
            Bound::Local { value, .. } => value.as_ref().is_some_and(is_null),
            Bound::Def(def) => {
                let values = self.values.get(def);
                values.is_some_and(|values| !values.is_empty() && values.iter().all(is_null))
            }
            _ => false,
        }
    }

    /// Each choice is kept once.
    fn keep_choice(&mut self, parts: Vec<Bound>) -> ChoiceId {
        let parts: Box<[Bound]> = parts.into();
        if let Some(known) = self.choices.get(&parts) {
            return *known;
        }
        let all = &mut self.b.facts_mut().choices;
        let id = ChoiceId(all.len() as u32);
        all.push(parts.clone());
        self.choices.insert(parts, id);
        id
    }
}
