//! `try`: its body may end wherever something may raise.
//!
//! A handler begins with what each name is before any part of the body that may raise. So it sees what was bound before
//! the last such part, and what the name was before the `try`. `finally` sees what was bound behind that part, too.

use super::Walker;
use super::flow::{Branch, FlowBinding, FrameKind};
use rustc_hash::FxHashMap;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// A `try` statement that is being read.
struct TryStatement {
    /// Bindings from this number on were made inside it.
    guard: usize,
    /// The body and each handler.
    branches: Vec<Branch>,
    /// Start of the handlers.
    handlers: Option<usize>,
}

impl Walker<'_, '_> {
    pub(super) fn try_statement(&mut self, node: Node<'_>) -> bool {
        self.current_frame().conditions += 1;
        let jumps = self.jumps();
        let mark = self.branch_start();
        let mut tried = TryStatement {
            guard: self.current_frame().guarded.enter(),
            branches: Vec::new(),
            handlers: None,
        };
        let mut finally = None;
        for child in super::children(node) {
            match child.kind_name() {
                "block" if tried.branches.is_empty() => {
                    let live = self.visit_block(child);
                    tried.branches.push(self.rollback_branch(mark, live));
                }
                "except_clause" | "except_group_clause" => self.visit_handler(child, &mut tried),
                "else_clause" => self.visit_try_else(child, &mut tried.branches),
                "finally_clause" => finally = Some(child),
                _ => {
                    self.visit_statement(child);
                }
            }
        }
        self.current_frame().conditions -= 1;
        let end = finally.unwrap_or(node).end_byte() as u32;
        let interrupted = tried.handlers.map(|mark| self.rollback_branch(mark, true));
        let made = finally.map(|clause| self.visit_finally(clause, &tried));
        self.current_frame().guarded.leave();
        if let Some(interrupted) = interrupted {
            let goes_on = tried.branches.iter().skip(1).any(|b| b.is_live());
            if goes_on {
                self.take_over(&interrupted);
            } else {
                self.rebind_previous(Some(&interrupted), end);
            }
        }
        self.join_branches(&tried.branches, end);
        let mut live = tried.branches.iter().any(|b| b.is_live());
        if let Some(made) = made {
            self.take_over(&made);
            self.rebind_previous(Some(&made), end);
            self.add_to_jumps(jumps, &made);
            live &= made.is_live();
        }
        live
    }

    fn visit_handler(&mut self, clause: Node<'_>, tried: &mut TryStatement) {
        let at = clause.start_byte() as u32;
        if tried.handlers.is_none() {
            tried.handlers = Some(self.branch_start());
            let bound = self.current_frame().guarded.interrupted(tried.guard);
            let bound = bound.to_vec();
            let before = self.bind_interrupted(&bound, at);
            // If the body ends normally, names that it did not change keep their bindings.
            if let Some(body) = tried.branches.first_mut() {
                body.add_unchanged(before);
            }
        }
        self.rebind_previous(tried.branches.last(), at);
        let mark = self.branch_start();
        let live = self.visit_except(clause);
        tried.branches.push(self.rollback_branch(mark, live));
    }

    /// `else` continues after the body: it starts with the names of the first branch.
    fn visit_try_else(&mut self, clause: Node<'_>, branches: &mut [Branch]) {
        let Some(first) = branches.first_mut() else {
            self.visit_clause(clause);
            return;
        };
        let resumed = std::mem::replace(first, Branch::empty());
        let at = clause.start_byte() as u32;
        self.rebind_previous(branches.last(), at);
        let mark = self.branch_start();
        for (name, cell) in resumed.changes() {
            self.add_flow_binding(name, cell.bound, at);
            self.current_frame().set_cell(name, cell);
        }
        let live = self.visit_clause(clause);
        branches[0] = self.rollback_branch(mark, live && resumed.is_live());
    }

    /// `finally` runs wherever the body and the handlers end; returns its own changes.
    fn visit_finally(&mut self, clause: Node<'_>, tried: &TryStatement) -> Branch {
        let at = clause.start_byte() as u32;
        for branch in &tried.branches {
            self.rebind_previous(Some(branch), at);
        }
        let mark = self.branch_start();
        let bound = self.current_frame().guarded.since(tried.guard).to_vec();
        self.bind_interrupted(&bound, at);
        let own = self.branch_start();
        let live = self.visit_clause(clause);
        // What was raised before goes on.
        self.current_frame().guarded.may_raise();
        let made = self.rollback_branch(own, live);
        self.rollback_branch(mark, true);
        made
    }

    /// Begins code that runs after other code was interrupted: a name is what it was before that, or one of the things that
    /// the other code bound it to. Returns the former bindings of the names.
    pub(super) fn bind_interrupted(
        &mut self,
        inside: &[(NameId, FlowBinding)],
        at: u32,
    ) -> Vec<(NameId, FlowBinding)> {
        if self.current_frame().kind == FrameKind::Class || self.b.is_full() {
            return Vec::new();
        }
        let mut names = Vec::new();
        let mut bound: FxHashMap<NameId, Vec<FlowBinding>> = FxHashMap::default();
        for (name, cell) in inside {
            let cells = bound.entry(*name).or_insert_with(|| {
                names.push(*name);
                Vec::new()
            });
            if cells.len() <= super::MAX_VALUES && cells.iter().all(|c| c.bound != cell.bound) {
                cells.push(*cell);
            }
        }
        let mut changed = Vec::new();
        for name in names {
            let before = self.cell_here(name);
            let mut cells: Vec<FlowBinding> = before.into_iter().collect();
            let inside = bound.remove(&name).unwrap_or_default();
            let others = inside
                .into_iter()
                .filter(|c| before.is_none_or(|b| b.bound != c.bound));
            cells.extend(others);
            let cell = match cells.as_slice() {
                [one] => *one,
                several => self.either_cell(name, several, at),
            };
            self.add_flow_binding(name, cell.bound, at);
            self.current_frame().set_cell(name, cell);
            changed.extend(before.map(|before| (name, before)));
        }
        changed
    }
}
