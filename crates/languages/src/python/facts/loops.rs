//! Loops: the state that `break` and `continue` carry to where control continues.
//!
//! The `else` of a loop runs if its condition failed or its iterable ended; a `break` skips it. After a loop, a name
//! therefore has its value after the `else`, or the one at a `break`.

use super::Walker;
use super::flow::{Branch, Loop};
use rustc_hash::FxHashSet;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// How a statement ends a run of a loop's body.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Jump {
    Break,
    Continue,
}

/// Most jumps and changed names that are followed in a file. Beyond it, a jump carries the state at the loop's head.
const MOST_CARRIED: usize = 1 << 18;

/// The number of jumps out of the innermost loop so far.
#[derive(Clone, Copy)]
pub(super) struct Jumps {
    breaks: usize,
    continues: usize,
}

impl Walker<'_, '_> {
    pub(super) fn for_statement(&mut self, node: Node<'_>) -> bool {
        let right = node.field("right");
        let iterated = right.map(|right| self.expr(right));
        let iterated = iterated.unwrap_or_else(|| self.unknown_expr());
        let element = self.b.add_expr(Expr::Element(iterated));
        let Some(body) = node.field("body") else {
            return self.visit_clause(node);
        };
        let mark = self.enter_loop();
        if let Some(left) = node.field("left") {
            self.bind_pattern(left, element, body.start_byte() as u32);
        }
        let given = self.current_frame().changed_since(mark).collect();
        let live = self.visit_block(body);
        let body = self.rollback_branch(mark, live);
        self.finish_loop(node, body, &given, true)
    }

    pub(super) fn while_statement(&mut self, node: Node<'_>) -> bool {
        let condition = node.field("condition");
        let Some(body) = node.field("body") else {
            return self.visit_clause(node);
        };
        let mut checks = None;
        let mut forever = false;
        if let Some(condition) = condition {
            self.expr(condition);
            checks = Some(self.type_checks(condition));
            forever = matches!(self.b.text(condition), "True" | "1");
        }
        let mark = self.enter_loop();
        if let Some(checks) = checks {
            self.narrow_names(&checks.when_true, body.start_byte() as u32);
        }
        let live = self.visit_block(body);
        let body = self.rollback_branch(mark, live);
        self.finish_loop(node, body, &FxHashSet::default(), !forever)
    }

    fn enter_loop(&mut self) -> usize {
        let mark = self.branch_start();
        self.current_frame().loops.push(Loop {
            mark,
            breaks: Vec::new(),
            continues: Vec::new(),
        });
        mark
    }

    /// Records the state of the names where a `break` or `continue` leaves the innermost loop's body.
    pub(super) fn jump(&mut self, jump: Jump) {
        let frame = self.current_frame();
        let Some(mark) = frame.loops.last().map(|l| l.mark) else {
            return;
        };
        let length = 1 + frame.changed_since(mark).len();
        let branch = match self.carried.checked_add(length) {
            Some(carried) if carried <= MOST_CARRIED => {
                self.carried = carried;
                self.branch_since(mark)
            }
            _ => Branch::empty(),
        };
        if let Some(left) = self.current_frame().loops.last_mut() {
            match jump {
                Jump::Break => left.breaks.push(branch),
                Jump::Continue => left.continues.push(branch),
            }
        }
    }

    /// Joins the ways on which control leaves a loop; returns whether there is one. `given` are names that each run of
    /// the body binds first.
    fn finish_loop(
        &mut self,
        node: Node<'_>,
        body: Branch,
        given: &FxHashSet<NameId>,
        ends: bool,
    ) -> bool {
        let Some(left) = self.current_frame().loops.pop() else {
            return true;
        };
        let head = match node.kind_name() {
            "for_statement" => node.field("body").unwrap_or(node),
            _ => node,
        };
        let mut heads = vec![Branch::empty(), body];
        heads.extend(left.continues);
        let changed = self.bind_loop_head(&heads, given, head.start_byte() as u32);
        let mark = self.branch_start();
        let mut live = ends;
        if let Some(alternative) = node.field("alternative")
            && let Some(body) = alternative.field("body")
        {
            self.rebind_names(&changed, alternative.start_byte() as u32);
            live &= self.visit_block(body);
        }
        let mut ways = vec![self.rollback_branch(mark, live)];
        ways.extend(left.breaks);
        let end = node.end_byte() as u32;
        let known: FxHashSet<NameId> = ways.iter().flat_map(|way| way.names()).collect();
        let mut others = changed;
        others.retain(|name| !known.contains(name));
        self.rebind_names(&others, end);
        self.join_branches(&ways, end);
        ways.iter().any(|way| way.is_live())
    }

    /// The number of jumps so far.
    pub(super) fn jumps(&mut self) -> Jumps {
        let last = self.current_frame().loops.last();
        Jumps {
            breaks: last.map_or(0, |l| l.breaks.len()),
            continues: last.map_or(0, |l| l.continues.len()),
        }
    }

    /// Applies the changes of a `finally` that runs before the jumps since `before` complete.
    pub(super) fn add_to_jumps(&mut self, before: Jumps, made: &Branch) {
        let mut carried = self.carried;
        if let Some(left) = self.current_frame().loops.last_mut() {
            let breaks = left.breaks.iter_mut().skip(before.breaks);
            let continues = left.continues.iter_mut().skip(before.continues);
            for way in breaks.chain(continues) {
                carried += 1 + made.names().len();
                if carried > MOST_CARRIED {
                    break;
                }
                way.put_before(made);
            }
        }
        self.carried = carried;
    }
}
