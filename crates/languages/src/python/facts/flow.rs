//! Which value a name has at which point of a scope.
//!
//! Every rebinding makes a binding with the byte from which it holds. Branches are read one by one from the same state.
//! Where they join, the name is bound anew to one of their values.

use super::Walker;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::facts::*;

/// The kind of code of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FrameKind {
    Module,
    Class,
    Function,
}

/// The binding of a name at the current point, and the byte from which it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FlowBinding {
    pub(super) bound: Bound,
    pub(super) at: u32,
    /// If a type check narrowed it: the binding without the check.
    pub(super) wide: Option<(Bound, u32)>,
}

/// A binding, with the number of the loop in which it was made.
#[derive(Clone, Copy)]
struct Reached {
    cell: FlowBinding,
    level: u32,
}

/// The code of one module, class or function.
pub(super) struct Frame {
    pub(super) kind: FrameKind,
    /// The scope in which names are bound.
    pub(super) scope: ScopeId,
    /// The scope in which rebound names are bound.
    pub(super) flow: ScopeId,
    pub(super) def: Option<DefId>,
    /// For a method: its receiver and the class.
    pub(super) receiver: Option<(NameId, DefId)>,
    state: FxHashMap<NameId, Reached>,
    journal: Vec<(NameId, Option<Reached>)>,
    seen: FxHashSet<NameId>,
    pub(super) globals: FxHashSet<NameId>,
    pub(super) nonlocals: FxHashSet<NameId>,
    /// The values that inner functions assign by `nonlocal` to names without a binding so far.
    pub(super) given_inside: FxHashMap<NameId, ExprId>,
    pub(super) returns: Vec<ExprId>,
    pub(super) yields: Vec<ExprId>,
    pub(super) generator: bool,
    /// Depth of conditions around the current statement.
    pub(super) conditions: u32,
    /// The loops around the current statement.
    pub(super) loops: Vec<Loop>,
    /// The number of the innermost loop around the current statement, 0 outside of loops.
    pub(super) level: u32,
    /// The number of loops so far.
    pub(super) met_loops: u32,
    /// What the enclosing `try` statements bound so far.
    pub(super) guarded: Guarded,
}

impl Frame {
    pub(super) fn new(kind: FrameKind, scope: ScopeId, flow: ScopeId, def: Option<DefId>) -> Frame {
        Frame {
            kind,
            scope,
            flow,
            def,
            receiver: None,
            state: FxHashMap::default(),
            journal: Vec::new(),
            seen: FxHashSet::default(),
            globals: FxHashSet::default(),
            nonlocals: FxHashSet::default(),
            given_inside: FxHashMap::default(),
            returns: Vec::new(),
            yields: Vec::new(),
            generator: false,
            conditions: 0,
            loops: Vec::new(),
            level: 0,
            met_loops: 0,
            guarded: Guarded::default(),
        }
    }

    /// The names that changed since `mark`; a name may occur several times.
    pub(super) fn changed_since(&self, mark: usize) -> impl ExactSizeIterator<Item = NameId> {
        self.journal[mark..].iter().map(|(name, _)| *name)
    }

    pub(super) fn current_cell(&self, name: NameId) -> Option<FlowBinding> {
        self.state.get(&name).map(|reached| reached.cell)
    }

    /// The number of the loop in which a name was bound last, 0 outside of loops.
    pub(super) fn level_of(&self, name: NameId) -> u32 {
        self.state.get(&name).map_or(0, |reached| reached.level)
    }

    /// Whether the frame's scope binds the name so far.
    pub(super) fn is_bound(&self, name: NameId) -> bool {
        self.seen.contains(&name)
    }

    /// Marks the name as bound; returns whether this is the first time.
    pub(super) fn mark_bound(&mut self, name: NameId) -> bool {
        self.seen.insert(name)
    }

    pub(super) fn set_cell(&mut self, name: NameId, cell: FlowBinding) {
        let level = self.level;
        let old = self.state.insert(name, Reached { cell, level });
        self.journal.push((name, old));
    }
}

/// A loop whose body is being read.
pub(super) struct Loop {
    /// The mark at the start of its body.
    pub(super) mark: usize,
    /// Its number in the frame; that of a loop inside is higher.
    pub(super) level: u32,
    /// Where each run begins, and the end.
    pub(super) range: (u32, u32),
    /// The names that were asked for and may come from an earlier run: each stands for its value where a run begins.
    pub(super) awaited: FxHashMap<NameId, FlowBinding>,
    pub(super) breaks: Vec<Branch>,
    pub(super) continues: Vec<Branch>,
}

/// The values of a name where branches join.
pub(super) struct JoinedBinding {
    pub(super) name: NameId,
    pub(super) before: Option<FlowBinding>,
    pub(super) cells: Vec<FlowBinding>,
}

/// The changes of names in a branch.
pub(super) struct Branch {
    changes: Vec<(NameId, FlowBinding)>,
    /// Whether control leaves it at its end.
    live: bool,
    /// Whether no run of today's Python takes it.
    dead: bool,
}

impl Branch {
    /// A branch without changes.
    pub(super) fn empty() -> Branch {
        Branch {
            changes: Vec::new(),
            live: true,
            dead: false,
        }
    }

    /// The same, as one that no run takes where `dead` says so.
    pub(super) fn unless_dead(self, dead: bool) -> Branch {
        Branch {
            dead: self.dead || dead,
            ..self
        }
    }

    pub(super) fn is_live(&self) -> bool {
        self.live
    }

    pub(super) fn changes(&self) -> impl Iterator<Item = (NameId, FlowBinding)> {
        self.changes.iter().copied()
    }

    pub(super) fn names(&self) -> impl ExactSizeIterator<Item = NameId> {
        self.changes.iter().map(|(name, _)| *name)
    }

    /// Puts the changes of `later` before those of this branch.
    pub(super) fn put_before(&mut self, later: &Branch) {
        self.changes.splice(0..0, later.changes.iter().copied());
    }

    /// Adds the former bindings of names that the branch did not change.
    pub(super) fn add_unchanged(&mut self, before: Vec<(NameId, FlowBinding)>) {
        let known: FxHashSet<NameId> = self.names().collect();
        let others = before.into_iter().filter(|(name, _)| !known.contains(name));
        self.changes.extend(others);
    }
}

impl Walker<'_, '_> {
    pub(super) fn current_frame(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// The start of a branch.
    pub(super) fn branch_start(&mut self) -> usize {
        self.current_frame().journal.len()
    }

    /// The changes since `mark`, as a branch that ends normally.
    pub(super) fn branch_since(&mut self, mark: usize) -> Branch {
        let frame = self.current_frame();
        let mut changes: Vec<(NameId, FlowBinding)> = Vec::new();
        let mut known = FxHashSet::default();
        for name in frame.changed_since(mark) {
            if known.insert(name)
                && let Some(cell) = frame.current_cell(name)
            {
                changes.push((name, cell));
            }
        }
        Branch {
            changes,
            live: true,
            dead: false,
        }
    }

    /// Applies the changes of a branch.
    pub(super) fn take_over(&mut self, branch: &Branch) {
        for (name, cell) in &branch.changes {
            self.current_frame().set_cell(*name, *cell);
        }
    }

    /// Ends a branch and undoes its changes.
    pub(super) fn rollback_branch(&mut self, mark: usize, live: bool) -> Branch {
        let Branch { changes, .. } = self.branch_since(mark);
        let frame = self.current_frame();
        let undone = frame.journal.split_off(mark);
        for (name, old) in undone.into_iter().rev() {
            match old {
                Some(reached) => frame.state.insert(name, reached),
                None => frame.state.remove(&name),
            };
        }
        let dead = self.dead;
        Branch {
            changes,
            live,
            dead,
        }
    }

    /// Rebinds names that the previous branch changed, so that from `at` on they are as before it. Names of earlier
    /// branches are so already. A chain of branches therefore costs its own size, and not branches times names.
    pub(super) fn rebind_previous(&mut self, branch: Option<&Branch>, at: u32) {
        if self.current_frame().kind == FrameKind::Class || self.b.is_full() {
            return;
        }
        let names = branch.into_iter().flat_map(|b| b.names());
        self.rebind_names(&names.collect::<Vec<_>>(), at);
    }

    /// Rebinds names from `at` on to their current state.
    pub(super) fn rebind_names(&mut self, names: &[NameId], at: u32) {
        if self.b.is_full() {
            return;
        }
        for name in names {
            if let Some(cell) = self.cell_here(*name) {
                self.add_flow_binding(*name, cell.bound, at);
            }
        }
    }

    /// Joins branches.
    pub(super) fn join_branches(&mut self, branches: &[Branch], at: u32) {
        if self.current_frame().kind == FrameKind::Class {
            self.join_branches_in_class(branches, at);
            return;
        }
        if self.b.is_full() {
            return;
        }
        for met in self.meet(branches) {
            if let Some(cell) = self.met_cell(&met, at) {
                self.bind_met(met.name, cell.bound, at);
                self.current_frame()
                    .set_cell(met.name, FlowBinding { at, ..cell });
            }
        }
    }

    /// Binds a name to what branches make of it. What is one of several definitions is so for functions and other files, too.
    pub(super) fn bind_met(&mut self, name: NameId, bound: Bound, at: u32) {
        let frame = self.current_frame();
        let (scope, flow) = (frame.scope, frame.flow);
        if scope != flow && matches!(bound, Bound::Either(_)) {
            self.b.bind_in(scope, name, Namespace::BOTH, at, bound);
        }
        self.add_flow_binding(name, bound, at);
    }

    /// What the branches that control leaves make of each name that one of them changed.
    pub(super) fn meet(&mut self, branches: &[Branch]) -> Vec<JoinedBinding> {
        let mut known = FxHashSet::default();
        let names: Vec<NameId> = branches
            .iter()
            .flat_map(|b| &b.changes)
            .map(|(name, _)| *name)
            .filter(|name| known.insert(*name))
            .collect();
        let mut live: Vec<&Branch> = branches.iter().filter(|b| b.live).collect();
        if live.iter().any(|b| !b.dead) {
            live.retain(|b| !b.dead);
        }
        // What each branch makes of a name, in order, with the branch.
        let mut made: FxHashMap<NameId, Vec<(usize, FlowBinding)>> = FxHashMap::default();
        for (at, branch) in live.iter().enumerate() {
            for (name, cell) in &branch.changes {
                let made = made.entry(*name).or_default();
                if made.last().is_none_or(|(last, _)| *last != at) {
                    made.push((at, *cell));
                }
            }
        }
        let mut all = Vec::with_capacity(names.len());
        for name in names {
            let before = self.cell_here(name);
            let mut met = made.remove(&name).unwrap_or_default();
            // The first branch without a change of the name.
            let gap = met.iter().zip(0..).position(|((at, _), n)| *at != n);
            let gap = gap.unwrap_or(met.len());
            if let Some(before) = before.filter(|_| gap < live.len()) {
                met.insert(gap, (gap, before));
            }
            let mut cells: Vec<FlowBinding> = Vec::new();
            let mut bounds = FxHashSet::default();
            for (_, cell) in met {
                // A check that holds in only one of several branches does not hold after them.
                let cell = match cell.wide {
                    Some((bound, at)) if live.len() > 1 => FlowBinding {
                        bound,
                        at,
                        wide: None,
                    },
                    _ => cell,
                };
                if bounds.insert(cell.bound) {
                    cells.push(cell);
                }
            }
            all.push(JoinedBinding {
                name,
                before,
                cells,
            });
        }
        all
    }

    pub(super) fn join_branches_in_class(&mut self, branches: &[Branch], at: u32) {
        for (name, cell) in branches.iter().flat_map(|b| &b.changes) {
            self.current_frame().set_cell(*name, *cell);
        }
        if self.b.is_full() {
            return;
        }
        for met in self.meet(branches) {
            let chosen = self.choose_definition(met.name, &met.cells);
            if let Some(bound @ Bound::Either(_)) = chosen {
                self.add_flow_binding(met.name, bound, at);
                let wide = None;
                self.current_frame()
                    .set_cell(met.name, FlowBinding { bound, at, wide });
            }
        }
    }

    fn met_cell(&mut self, met: &JoinedBinding, at: u32) -> Option<FlowBinding> {
        match met.cells.as_slice() {
            [] => met.before,
            [one] => Some(*one),
            several => Some(self.either_cell(met.name, several, at)),
        }
    }

    pub(super) fn either_cell(
        &mut self,
        name: NameId,
        cells: &[FlowBinding],
        at: u32,
    ) -> FlowBinding {
        if let Some(bound) = self.choose_definition(name, cells) {
            let wide = None;
            return FlowBinding { bound, at, wide };
        }
        let values: Vec<ExprId> = cells.iter().map(|c| self.cell_value(name, c)).collect();
        let value = Some(self.either_expr(&values));
        FlowBinding {
            bound: Bound::Local { ty: None, value },
            at,
            wide: None,
        }
    }

    /// The value of a name at that point, as an expression.
    pub(super) fn cell_value(&mut self, name: NameId, cell: &FlowBinding) -> ExprId {
        match cell.bound {
            Bound::Local {
                ty: None,
                value: Some(value),
            } => value,
            _ => {
                let scope = self.current_frame().flow;
                self.b.add_expr(Expr::Name {
                    name,
                    scope,
                    at: cell.at,
                })
            }
        }
    }

    /// Binds a name from `at` on, without changing the state.
    pub(super) fn add_flow_binding(&mut self, name: NameId, bound: Bound, at: u32) {
        let namespace = match bound {
            Bound::Def(_) | Bound::Import(_) | Bound::TypeParam(..) | Bound::Either(_) => {
                Namespace::BOTH
            }
            _ => Namespace::VALUE,
        };
        let flow = self.current_frame().flow;
        self.b.bind_in(flow, name, namespace, at, bound);
    }

    /// Binds a definition or import in the current frame, visible from `at` on; the first one of its name is visible in
    /// the whole scope.
    pub(super) fn bind_definition(&mut self, name: NameId, bound: Bound, at: u32) {
        let frame = self.current_frame();
        let (scope, flow, kind) = (frame.scope, frame.flow, frame.kind);
        if kind == FrameKind::Function
            && (frame.globals.contains(&name) || frame.nonlocals.contains(&name))
        {
            return self.bind_definition_outside(name, bound, at);
        }
        let first = frame.mark_bound(name);
        if self.dead && !first {
            return;
        }
        let from = if first { 0 } else { at };
        self.b.bind_in(scope, name, Namespace::BOTH, from, bound);
        if !first && kind == FrameKind::Module {
            self.b.bind_in(flow, name, Namespace::BOTH, from, bound);
        }
        self.bind_cell(name, bound, from);
        if let Some(value) = self.current_frame().given_inside.get(&name).copied() {
            let (ty, wide) = (None, None);
            let value = Some(value);
            let given = Bound::Local { ty, value };
            let cells = [bound, given].map(|bound| FlowBinding { bound, at, wide });
            self.bind_either(name, &cells, at);
        }
    }

    /// Binds a name to one of several from `at` on.
    pub(super) fn bind_either(&mut self, name: NameId, cells: &[FlowBinding], at: u32) {
        let cell = self.either_cell(name, cells, at);
        self.bind_met(name, cell.bound, at);
        self.bind_cell(name, cell.bound, at);
    }

    /// Binds a local variable of a function, or rebinds a name of the module.
    pub(super) fn bind_local(
        &mut self,
        name: NameId,
        ty: Option<TypeId>,
        value: Option<ExprId>,
        at: u32,
    ) {
        let bound = Bound::Local { ty, value };
        let first = self.current_frame().mark_bound(name);
        let at = if first { 0 } else { at };
        self.add_flow_binding(name, bound, at);
        self.bind_cell(name, bound, at);
    }

    fn bind_cell(&mut self, name: NameId, bound: Bound, at: u32) {
        let cell = FlowBinding {
            bound,
            at,
            wide: None,
        };
        self.current_frame().set_cell(name, cell);
        self.current_frame().guarded.keep(name, cell);
    }

    /// Gives a name a narrower type from `at` on.
    pub(super) fn narrow_name(&mut self, name: NameId, ty: TypeId, at: u32) {
        let frame = self.current_frame();
        if frame.kind == FrameKind::Class {
            return;
        }
        if frame.current_cell(name).is_none() {
            return;
        }
        let Some(cell) = self.cell_here(name) else {
            return;
        };
        if !matches!(cell.bound, Bound::Local { .. } | Bound::Param(..)) {
            return;
        }
        let value = Some(self.cell_value(name, &cell));
        let bound = Bound::Local {
            ty: Some(ty),
            value,
        };
        self.add_flow_binding(name, bound, at);
        self.current_frame().set_cell(
            name,
            FlowBinding {
                bound,
                at,
                wide: Some(cell.wide.unwrap_or((cell.bound, cell.at))),
            },
        );
    }

    /// Narrows several names.
    pub(super) fn narrow_names(&mut self, narrowed: &[(NameId, TypeId)], at: u32) {
        for (name, ty) in narrowed {
            self.narrow_name(*name, *ty, at);
        }
    }

    /// Undoes, from `at` on, the narrowing by checks since `mark`.
    pub(super) fn undo_narrowing_since(&mut self, mark: usize, at: u32) {
        let names: Vec<NameId> = self.current_frame().journal[mark..]
            .iter()
            .map(|(name, _)| *name)
            .collect();
        self.undo_narrowing_of(&names, at);
    }

    /// Undoes, from `at` on, the narrowing of these names.
    pub(super) fn undo_narrowing_of(&mut self, names: &[NameId], at: u32) {
        for name in names {
            let Some(cell) = self.current_frame().current_cell(*name) else {
                continue;
            };
            let Some((bound, _)) = cell.wide else {
                continue;
            };
            self.add_flow_binding(*name, bound, at);
            self.current_frame().set_cell(
                *name,
                FlowBinding {
                    bound,
                    at,
                    wide: None,
                },
            );
        }
    }
}

/// What `try` statements around the current statement bound so far.
#[derive(Default)]
pub(super) struct Guarded {
    /// All bindings inside them, in order.
    bound: Vec<(NameId, FlowBinding)>,
    /// The number of these behind which something may raise.
    raised_behind: usize,
    /// The number of these statements.
    depth: u32,
}

impl Guarded {
    /// Begins a `try`: bindings from the returned number on are made inside it.
    pub(super) fn enter(&mut self) -> usize {
        self.depth += 1;
        self.bound.len()
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
        if self.depth == 0 {
            self.bound.clear();
            self.raised_behind = 0;
        }
    }

    pub(super) fn keep(&mut self, name: NameId, cell: FlowBinding) {
        if self.depth > 0 {
            self.bound.push((name, cell));
        }
    }

    /// Says that what runs now may raise.
    pub(super) fn may_raise(&mut self) {
        self.raised_behind = self.bound.len();
    }

    /// The bindings from `start` on that hold where something raises.
    pub(super) fn interrupted(&self, start: usize) -> &[(NameId, FlowBinding)] {
        &self.bound[start..self.raised_behind.max(start)]
    }

    /// The bindings from `start` on.
    pub(super) fn since(&self, start: usize) -> &[(NameId, FlowBinding)] {
        &self.bound[start..]
    }
}
