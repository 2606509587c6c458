//! Which value a variable has at which point of a function.
//!
//! Every assignment makes a binding with the byte from which it holds. Branches are read one by one from the same state.
//! Where they join, the variable is bound anew to one of their values.

use super::Walker;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::facts::*;

/// With more values than this, a variable is unknown.
const MAX_VALUES: usize = 8;
/// Most jumps of one loop whose values are joined at its end.
const MOST_EXITS: usize = 32;

/// The binding of a variable at the current point, and the byte from which it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    bound: Bound,
    at: u32,
    /// If a check narrowed it: the binding without the check.
    wide: Option<(Bound, u32)>,
}

/// The changes of variables in a branch.
pub(super) struct Branch {
    changes: Vec<(NameId, Cell)>,
    /// Whether control leaves it at its end.
    goes_on: bool,
}

impl Branch {
    /// A branch without changes.
    pub(super) fn empty() -> Branch {
        Branch {
            changes: Vec::new(),
            goes_on: true,
        }
    }

    pub(super) fn goes_on(&self) -> bool {
        self.goes_on
    }

    /// The same changes, of a branch that may have been left at any point.
    pub(super) fn interrupted(&self) -> Branch {
        Branch {
            changes: self.changes.clone(),
            goes_on: true,
        }
    }
}

/// A loop or `switch` whose body is being read.
struct Exits {
    mark: usize,
    branches: Vec<Branch>,
}

/// The code of one function, or of the file.
pub(super) struct Frame {
    /// The scope in which variables are bound.
    pub(super) scope: ScopeId,
    state: FxHashMap<NameId, Cell>,
    journal: Vec<(NameId, Option<Cell>)>,
    exits: Vec<Exits>,
    pub(super) returns: Vec<ExprId>,
    pub(super) yields: Vec<ExprId>,
    pub(super) is_generator: bool,
}

impl Frame {
    pub(super) fn new(scope: ScopeId) -> Frame {
        Frame {
            scope,
            state: FxHashMap::default(),
            journal: Vec::new(),
            exits: Vec::new(),
            returns: Vec::new(),
            yields: Vec::new(),
            is_generator: false,
        }
    }

    fn set(&mut self, name: NameId, cell: Cell) {
        let old = self.state.insert(name, cell);
        self.journal.push((name, old));
    }
}

impl Walker<'_, '_> {
    pub(super) fn frame(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// The start of a branch.
    pub(super) fn mark(&mut self) -> usize {
        self.frame().journal.len()
    }

    /// Binds a variable from a byte on.
    pub(super) fn bind_variable(&mut self, name: NameId, bound: Bound, at: u32) {
        self.add_binding(name, bound, at);
        let wide = None;
        self.frame().set(name, Cell { bound, at, wide });
    }

    fn add_binding(&mut self, name: NameId, bound: Bound, at: u32) {
        let scope = self.frame().scope;
        self.b.bind_in(scope, name, Namespace::VALUE, at, bound);
    }

    /// The changes since `mark`.
    fn changes_since(&mut self, mark: usize) -> Vec<(NameId, Cell)> {
        let frame = self.frame();
        let mut known = FxHashSet::default();
        let changed = frame.journal[mark..].iter().map(|(name, _)| *name);
        let new = changed.filter(|name| known.insert(*name));
        new.filter_map(|name| Some((name, *frame.state.get(&name)?)))
            .collect()
    }

    /// Ends a branch and undoes its changes. From `at` on, its variables are as they were before it.
    pub(super) fn end_branch(&mut self, mark: usize, goes_on: bool, at: u32) -> Branch {
        let changes = self.changes_since(mark);
        let frame = self.frame();
        let undone = frame.journal.split_off(mark);
        for (name, old) in undone.into_iter().rev() {
            match old {
                Some(cell) => frame.state.insert(name, cell),
                None => frame.state.remove(&name),
            };
        }
        for (name, _) in &changes {
            let before = self.frame().state.get(name).map(|cell| cell.bound);
            let bound = before.unwrap_or(UNKNOWN);
            self.add_binding(*name, bound, at);
        }
        Branch { changes, goes_on }
    }

    /// Joins branches: from `at` on, a variable has one of the values that they give it.
    pub(super) fn join(&mut self, branches: &[Branch], at: u32) {
        if self.b.is_full() {
            return;
        }
        let live: Vec<&Branch> = branches.iter().filter(|b| b.goes_on).collect();
        let mut order = Vec::new();
        let mut made: FxHashMap<NameId, Vec<Cell>> = FxHashMap::default();
        for branch in &live {
            for (name, cell) in &branch.changes {
                let cells = made.entry(*name).or_insert_with(|| {
                    order.push(*name);
                    Vec::new()
                });
                cells.push(*cell);
            }
        }
        for name in order {
            let mut cells = made.remove(&name).unwrap_or_default();
            if cells.len() < live.len() {
                cells.extend(self.frame().state.get(&name).copied());
            }
            let cell = self.joined(name, cells, live.len() > 1, at);
            self.add_binding(name, cell.bound, at);
            self.frame().set(name, cell);
        }
    }

    fn joined(&mut self, name: NameId, cells: Vec<Cell>, several: bool, at: u32) -> Cell {
        let mut different: Vec<Cell> = Vec::new();
        for cell in cells {
            // A check that holds in only one of several branches does not hold after them.
            let cell = match cell.wide {
                Some((bound, at)) if several => Cell {
                    bound,
                    at,
                    wide: None,
                },
                _ => cell,
            };
            if different.iter().all(|known| known.bound != cell.bound) {
                different.push(cell);
            }
        }
        let bound = match &different[..] {
            [one] => return Cell { at, ..*one },
            [] => UNKNOWN,
            many if many.len() > MAX_VALUES => UNKNOWN,
            many => {
                let values: Vec<ExprId> =
                    many.iter().map(|cell| self.value_of(name, cell)).collect();
                let value = Some(self.b.add_expr(Expr::Either(values.into())));
                Bound::Local { ty: None, value }
            }
        };
        let wide = None;
        Cell { bound, at, wide }
    }

    /// The value of a variable at a point, as an expression.
    fn value_of(&mut self, name: NameId, cell: &Cell) -> ExprId {
        match cell.bound {
            Bound::Local {
                ty: None,
                value: Some(value),
            } => value,
            Bound::Local {
                ty: Some(ty),
                value,
            } => {
                let value = value.unwrap_or_else(|| self.b.add_expr(Expr::Unknown));
                self.b.add_expr(Expr::Cast(value, ty))
            }
            _ => {
                let scope = self.frame().scope;
                self.b.add_expr(Expr::Name {
                    name,
                    scope,
                    at: cell.at,
                })
            }
        }
    }

    /// Gives variables narrower types from `at` on. Returns how they were before.
    pub(super) fn narrow(&mut self, types: &[(NameId, Check)], at: u32) -> Vec<(NameId, Cell)> {
        let mut before = Vec::new();
        for (name, check) in types {
            let old = self.frame().state.get(name).copied();
            let old = old.or_else(|| self.captured(*name));
            let Some(old) = old.or_else(|| self.property_cell(*name)) else {
                continue;
            };
            let value = self.value_of(*name, &old);
            let bound = match check {
                Check::Is(ty) => Bound::Local {
                    ty: Some(*ty),
                    value: Some(value),
                },
                Check::IsNot(ty) => {
                    let value = Some(self.b.add_expr(Expr::Without(value, *ty)));
                    Bound::Local { ty: None, value }
                }
            };
            self.add_binding(*name, bound, at);
            let wide = Some(old.wide.unwrap_or((old.bound, old.at)));
            self.frame().set(*name, Cell { bound, at, wide });
            before.push((*name, old));
        }
        before
    }

    /// The value of `$this->name` without a check.
    fn property_cell(&mut self, name: NameId) -> Option<Cell> {
        let class = self.current_type()?;
        let text = self
            .b
            .facts()
            .name(name)
            .strip_prefix("$this->")?
            .to_owned();
        let object = self.b.add_expr(Expr::This(class));
        let name = self.b.intern_owned_name(&text);
        let value = Some(self.b.add_expr(Expr::Member { object, name }));
        let bound = Bound::Local { ty: None, value };
        let (at, wide) = (0, None);
        Some(Cell { bound, at, wide })
    }

    /// Whether a check of a variable holds at the current point.
    pub(super) fn is_narrowed(&mut self, name: NameId) -> bool {
        let cell = self.frame().state.get(&name);
        cell.is_some_and(|cell| cell.wide.is_some())
    }

    /// An assignment ends the checks of a property.
    pub(super) fn end_checks(&mut self, name: NameId, at: u32) {
        if self.is_narrowed(name)
            && let Some(cell) = self.property_cell(name)
        {
            self.bind_variable(name, cell.bound, at);
        }
    }

    /// A variable of the function around an arrow function.
    fn captured(&mut self, name: NameId) -> Option<Cell> {
        let scope = self.frame().scope;
        let owner = self.b.facts().scope(scope).owner?;
        let is_arrow = self.b.facts().def(owner).flags.has(DefFlags::SEES_AROUND);
        let outer = self.frames.len().checked_sub(2).filter(|_| is_arrow)?;
        self.frames[outer].state.get(&name).copied()
    }

    /// Undoes the narrowing of variables that nothing assigned since.
    pub(super) fn widen(&mut self, before: &[(NameId, Cell)], at: u32) {
        for (name, old) in before {
            let now = self.frame().state.get(name).copied();
            if now.is_some_and(|cell| cell.wide.is_some()) {
                self.add_binding(*name, old.bound, at);
                self.frame().set(*name, *old);
            }
        }
    }

    /// Begins a loop or `switch`.
    pub(super) fn open_exits(&mut self) {
        let mark = self.mark();
        let branches = Vec::new();
        self.frame().exits.push(Exits { mark, branches });
    }

    /// `break`, `continue`: the end of the loop is reached with the present values.
    pub(super) fn jump(&mut self) {
        let open = self.frame().exits.last();
        let Some(mark) = open
            .filter(|e| e.branches.len() < MOST_EXITS)
            .map(|e| e.mark)
        else {
            return;
        };
        let changes = self.changes_since(mark);
        let goes_on = true;
        if let Some(exits) = self.frame().exits.last_mut() {
            exits.branches.push(Branch { changes, goes_on });
        }
    }

    /// Ends a loop or `switch`; the branches that jumped to its end.
    pub(super) fn close_exits(&mut self) -> Vec<Branch> {
        self.frame()
            .exits
            .pop()
            .map_or_else(Vec::new, |exits| exits.branches)
    }

    /// Where a run of a loop begins, a variable has its value from before or one from an earlier run.
    pub(super) fn carry(&mut self, branches: &[Branch], at: u32) {
        if self.b.is_full() {
            return;
        }
        for branch in branches.iter().filter(|b| b.goes_on) {
            for (name, cell) in &branch.changes {
                let Some(before) = self.frame().state.get(name).copied() else {
                    continue;
                };
                let cells = vec![before, *cell];
                let cell = self.joined(*name, cells, true, at);
                if cell.bound != before.bound {
                    self.add_binding(*name, cell.bound, at);
                }
            }
        }
    }

    /// What a variable is bound to at the current point.
    pub(super) fn bound_now(&mut self, name: NameId) -> Option<Bound> {
        self.frame().state.get(&name).map(|cell| cell.bound)
    }

    /// Whether a variable is bound in the function so far.
    pub(super) fn is_bound(&mut self, name: NameId) -> bool {
        self.frame().state.contains_key(&name)
    }
}

/// Nothing is known of the variable.
pub(super) const UNKNOWN: Bound = Bound::Local {
    ty: None,
    value: None,
};

/// What a condition says of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    /// It is an instance of a type.
    Is(TypeId),
    /// It is no instance of a type.
    IsNot(TypeId),
}
