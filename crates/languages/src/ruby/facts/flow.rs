//! Which value a local variable has at which point of a method.
//!
//! A variable is the expression that was assigned to it last. Where branches join, it is one of their values. What a loop
//! or a block reads before it assigns it is a name, bound at the end to the value from before or from an earlier run.

use super::Walker;
use super::context::Own;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::facts::*;

/// With more values than this, a variable is unknown.
const MAX_VALUES: usize = 8;

/// The value of a variable at the current point, and when it was given.
#[derive(Debug, Clone, Copy)]
struct Cell {
    value: ExprId,
    set: usize,
}

/// The changes of variables in a branch.
pub(super) struct Branch {
    changes: Vec<(NameId, ExprId)>,
    /// Whether control leaves it at its end.
    pub(super) goes_on: bool,
}

impl Branch {
    /// A branch without changes.
    pub(super) fn empty() -> Branch {
        Branch {
            changes: Vec::new(),
            goes_on: true,
        }
    }

    /// Forgets some changes.
    pub(super) fn drop_values(&mut self, is_dropped: impl Fn(NameId, ExprId) -> bool) {
        self.changes
            .retain(|(name, value)| !is_dropped(*name, *value));
    }
}

/// A loop or block that is being read.
struct Loop {
    /// The byte at which it begins, by which its variables are told from those of other loops.
    at: u32,
    mark: usize,
    /// Variables of before that it reads, each with its name in the loop and its value from before.
    read: FxHashMap<NameId, (ExprId, ExprId)>,
    order: Vec<NameId>,
}

/// The code of one method, or of the file.
pub(super) struct Frame {
    /// The scope in which names of loops are bound.
    pub(super) scope: ScopeId,
    pub(super) own: Own,
    pub(super) self_expr: Option<ExprId>,
    /// The method, for `super`.
    pub(super) method: Option<DefId>,
    /// Whether it sees the variables of the frame around.
    pub(super) sees_around: bool,
    pub(super) returns: Vec<ExprId>,
    pub(super) yields: Vec<ExprId>,
    /// The parameter that holds the block.
    pub(super) block: Option<NameId>,
    /// Results of the open blocks.
    pub(super) results: Vec<Vec<ExprId>>,
    /// Whether control does not reach the current point.
    pub(super) is_dead: bool,
    vars: FxHashMap<NameId, Cell>,
    journal: Vec<(NameId, Option<Cell>)>,
    loops: Vec<Loop>,
}

impl Frame {
    pub(super) fn new(scope: ScopeId, own: Own) -> Frame {
        Frame {
            scope,
            own,
            self_expr: None,
            method: None,
            sees_around: false,
            returns: Vec::new(),
            yields: Vec::new(),
            block: None,
            results: Vec::new(),
            is_dead: false,
            vars: FxHashMap::default(),
            journal: Vec::new(),
            loops: Vec::new(),
        }
    }
}

impl Walker<'_, '_> {
    pub(super) fn frame(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// Gives a variable a value.
    pub(super) fn set_variable(&mut self, name: NameId, value: ExprId) {
        let frame = self.frame();
        let set = frame.journal.len();
        let old = frame.vars.insert(name, Cell { value, set });
        frame.journal.push((name, old));
    }

    /// The value of a variable; `None` if there is none of that name.
    pub(super) fn variable(&mut self, name: NameId) -> Option<ExprId> {
        let mut at = self.frames.len() - 1;
        if self.frames[at].vars.contains_key(&name) {
            return self.variable_of_frame(name);
        }
        while self.frames[at].sees_around && at > 0 {
            at -= 1;
            if let Some(cell) = self.frames[at].vars.get(&name) {
                return Some(cell.value);
            }
        }
        None
    }

    fn variable_of_frame(&mut self, name: NameId) -> Option<ExprId> {
        let frame = self.frame();
        let cell = *frame.vars.get(&name)?;
        let scope = frame.scope;
        let count = frame.loops.len();
        if let Some(innermost) = frame.loops.last()
            && innermost.mark > cell.set
            && let Some((inside, _)) = innermost.read.get(&name)
        {
            return Some(*inside);
        }
        let first = frame.loops.partition_point(|l| l.mark <= cell.set);
        let mut value = cell.value;
        for at in first..count {
            let known = self.frame().loops[at].read.get(&name);
            if let Some((inside, _)) = known {
                value = *inside;
                continue;
            }
            let from = self.frame().loops[at].at;
            let inside = self.b.add_expr(Expr::Name {
                name,
                scope,
                at: from,
            });
            let open = &mut self.frame().loops[at];
            open.read.insert(name, (inside, value));
            open.order.push(name);
            value = inside;
        }
        Some(value)
    }

    /// The start of a branch.
    pub(super) fn mark(&mut self) -> usize {
        self.frame().journal.len()
    }

    fn changes_since(&mut self, mark: usize) -> Vec<(NameId, ExprId)> {
        let frame = self.frame();
        let mut known = FxHashSet::default();
        let changed = frame.journal[mark..].iter().map(|(name, _)| *name);
        let new = changed.filter(|name| known.insert(*name));
        let found = new.filter_map(|name| Some((name, frame.vars.get(&name)?.value)));
        found.collect()
    }

    fn undo_to(&mut self, mark: usize) {
        let frame = self.frame();
        for (name, old) in frame.journal.split_off(mark).into_iter().rev() {
            match old {
                Some(cell) => frame.vars.insert(name, cell),
                None => frame.vars.remove(&name),
            };
        }
    }

    /// Ends a branch and undoes its changes.
    pub(super) fn end_branch(&mut self, mark: usize) -> Branch {
        let mut changes = self.changes_since(mark);
        if self.fuel < changes.len() {
            changes.clear();
        }
        self.fuel -= changes.len();
        self.undo_to(mark);
        let goes_on = !std::mem::take(&mut self.frame().is_dead);
        Branch { changes, goes_on }
    }

    /// Joins branches: a variable has one of the values that they give it.
    pub(super) fn join(&mut self, branches: &[Branch]) {
        let live: Vec<&Branch> = branches.iter().filter(|b| b.goes_on).collect();
        if live.is_empty() && !branches.is_empty() {
            self.frame().is_dead = true;
            return;
        }
        let mut order = Vec::new();
        let mut made: FxHashMap<NameId, Vec<ExprId>> = FxHashMap::default();
        for branch in &live {
            for (name, value) in &branch.changes {
                let values = made.entry(*name).or_insert_with(|| {
                    order.push(*name);
                    Vec::new()
                });
                values.push(*value);
            }
        }
        for name in order {
            let mut values = made.remove(&name).unwrap_or_default();
            if values.len() < live.len() {
                values.extend(self.variable(name));
            }
            let value = self.one_of(values);
            self.set_variable(name, value);
        }
    }

    /// One of several values.
    pub(super) fn one_of(&mut self, mut values: Vec<ExprId>) -> ExprId {
        let mut different = FxHashSet::default();
        values.retain(|value| different.insert(*value));
        match values[..] {
            [] => self.unknown,
            [one] => one,
            _ if values.len() > MAX_VALUES => self.unknown,
            _ => self.b.add_expr(Expr::Either(values.into())),
        }
    }

    /// Begins a loop or block.
    pub(super) fn open_loop(&mut self, at: u32) -> usize {
        let mark = self.mark();
        self.frame().loops.push(Loop {
            at,
            mark,
            read: FxHashMap::default(),
            order: Vec::new(),
        });
        mark
    }

    /// Ends a loop or block that may not have run. Variables that only a block has end with it.
    pub(super) fn close_loop(&mut self, mark: usize, is_block: bool) {
        let Some(open) = self.frame().loops.pop() else {
            return;
        };
        let scope = self.frame().scope;
        for name in &open.order {
            let Some((_, before)) = open.read.get(name).copied() else {
                continue;
            };
            let now = self.frame().vars.get(name).copied();
            let changed = now.filter(|cell| cell.set >= open.mark);
            let value = match changed {
                Some(cell) if cell.value != before => self
                    .b
                    .add_expr(Expr::Either(Box::from([before, cell.value]))),
                _ => before,
            };
            let bound = Bound::Local {
                ty: None,
                value: Some(value),
            };
            self.b
                .bind_in(scope, *name, Namespace::VALUE, open.at, bound);
        }
        let mut run = self.end_branch(mark);
        run.goes_on = true;
        if is_block {
            let frame = self.frame();
            run.changes
                .retain(|(name, _)| frame.vars.contains_key(name));
        }
        self.join(&[run, Branch::empty()]);
    }
}
