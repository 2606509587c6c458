//! What assignments make of variables: behind one a variable is no longer its first value.

use super::Walker;
use syntax::facts::*;
use tree_sitter::Node;

/// A variable that is assigned more often than this may be anything.
const MOST_VALUES: usize = 8;

/// How many loops around and functions so far there were somewhere.
#[derive(Clone, Copy)]
struct Progress {
    loops: usize,
    functions: usize,
}

/// The values that a variable was given so far.
pub(super) struct Assigned {
    values: Vec<ExprId>,
    /// Its definition, if it has one.
    def: Option<DefId>,
    declared: Progress,
    /// The last place from which on it had one value.
    exact: Option<Progress>,
}

impl Walker<'_, '_> {
    fn progress(&self) -> Progress {
        Progress {
            loops: self.loops.len(),
            functions: self.functions.len(),
        }
    }

    /// Keeps that a scope declares a variable; none where that is something else of the name.
    pub(super) fn note_variable(
        &mut self,
        (scope, name): (ScopeId, NameId),
        variable: Option<(Option<ExprId>, Option<DefId>)>,
    ) {
        let declared = self.progress();
        let assigned = variable.map(|(value, def)| Assigned {
            values: value.into_iter().collect(),
            def,
            declared,
            exact: None,
        });
        self.variables.insert((scope, name), assigned);
    }

    /// `x = value`: from here on the variable has one of the values assigned so far. Behind an assignment in the block that
    /// declares it, it has that value.
    pub(super) fn note_assignment(&mut self, target: Node<'_>, value: ExprId, end: usize) {
        let name = self.b.intern_node_text(target);
        let here = self.b.current_scope();
        let facts = self.b.facts();
        let mut around = std::iter::successors(Some(here), |s| facts.scope(*s).parent);
        let Some(scope) = around.find(|s| self.variables.contains_key(&(*s, name))) else {
            return;
        };
        // Where it is given up, or is no variable, nothing is known already.
        let Some(Some(mut assigned)) = self.variables.insert((scope, name), None) else {
            return;
        };
        assigned.values.push(value);
        let any = match assigned.values[..] {
            [one] => Some(one),
            ref all if all.len() <= MOST_VALUES => {
                let all = all.into();
                Some(self.b.add_expr(Expr::Either(all)))
            }
            _ => None,
        };
        if let Some(def) = assigned.def {
            self.b.def_mut(def).value = any;
        } else {
            self.bind_assigned((scope, name), &mut assigned, any, end as u32);
        }
        if any.is_some() {
            self.variables.insert((scope, name), Some(assigned));
        }
    }

    fn bind_assigned(
        &mut self,
        (scope, name): (ScopeId, NameId),
        assigned: &mut Assigned,
        any: Option<ExprId>,
        end: u32,
    ) {
        for since in std::iter::once(assigned.declared).chain(assigned.exact) {
            // A loop comes round to what stands before the assignment, and a function may run after it.
            let loops = self.loops.get(since.loops).copied();
            let functions = self.functions.get(since.functions).copied();
            let from = loops.into_iter().chain(functions).fold(end, u32::min);
            let to = Bound::Local {
                ty: None,
                value: any,
            };
            self.b.bind_in(scope, name, Namespace::VALUE, from, to);
        }
        if scope == self.b.current_scope() && assigned.values.len() > 1 && any.is_some() {
            let to = Bound::Local {
                ty: None,
                value: assigned.values.last().copied(),
            };
            self.b.bind_in(scope, name, Namespace::VALUE, end, to);
            assigned.exact = Some(self.progress());
        }
    }
}
