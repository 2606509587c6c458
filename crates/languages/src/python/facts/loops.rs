//! Loops: the state that `break` and `continue` carry to where control continues.
//!
//! The `else` of a loop runs if its condition failed or its iterable ended; a `break` skips it. After a loop, a name
//! therefore has its value after the `else`, or the one at a `break`.
//!
//! A run of the body begins with what an earlier one left. That is known only at the end of the body. Until then a name
//! that the body binds stands for itself at the start of the run, which is bound afterwards.

use super::Walker;
use super::flow::{Branch, FlowBinding, FrameKind, JoinedBinding, Loop};
use rustc_hash::{FxHashMap, FxHashSet};
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
pub(super) const MOST_CARRIED: usize = 1 << 18;

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
        let level = self.next_level();
        let mark = self.enter_loop(node, level, body.start_byte());
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
        let outer = self.current_frame().level;
        let level = self.next_level();
        if let Some(condition) = condition {
            // Each run binds the names of the condition first.
            self.current_frame().level = level;
            self.expr(condition);
            checks = Some(self.type_checks(condition));
            forever = matches!(self.b.text(condition), "True" | "1");
            self.current_frame().level = outer;
        }
        let mark = self.enter_loop(node, level, node.start_byte());
        self.bind_walruses_of(condition, body.start_byte() as u32);
        if let Some(checks) = checks {
            self.narrow_names(&checks.when_true, body.start_byte() as u32);
        }
        let live = self.visit_block(body);
        let body = self.rollback_branch(mark, live);
        self.finish_loop(node, body, &FxHashSet::default(), !forever)
    }

    /// The number of the loop that comes next.
    fn next_level(&mut self) -> u32 {
        let frame = self.current_frame();
        frame.met_loops += 1;
        frame.met_loops
    }

    /// Begins a loop whose runs begin at `start`.
    fn enter_loop(&mut self, node: Node<'_>, level: u32, start: usize) -> usize {
        if self.bound_at.is_none() {
            self.bound_at = Some(bound_names(self.b.source, root_of(node)));
        }
        let range = (start as u32, node.end_byte() as u32);
        let mark = self.branch_start();
        let frame = self.current_frame();
        frame.level = level;
        frame.loops.push(Loop {
            mark,
            level,
            range,
            awaited: FxHashMap::default(),
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
        let frame = self.current_frame();
        let Some(left) = frame.loops.pop() else {
            return true;
        };
        // The condition, or the next element, may raise.
        frame.guarded.may_raise();
        frame.level = frame.loops.last().map_or(0, |outer| outer.level);
        let mut heads = vec![Branch::empty(), body];
        heads.extend(left.continues);
        let changed = self.bind_loop_head(&heads, given, (left.range.0, &left.awaited));
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

    /// At the start of a loop's body, binds each name to its value before the loop or one from the body. This becomes
    /// the state. Returns the names. Names that each run of the body binds first (`given`) are not visible there.
    fn bind_loop_head(
        &mut self,
        ends: &[Branch],
        given: &FxHashSet<NameId>,
        (at, awaited): (u32, &FxHashMap<NameId, FlowBinding>),
    ) -> Vec<NameId> {
        if self.current_frame().kind == FrameKind::Class {
            self.join_branches_in_class(ends, at);
            return Vec::new();
        }
        if self.b.is_full() {
            return Vec::new();
        }
        // What a run begins with is no further value of its own.
        let stands = |cell: &FlowBinding| stands_for(cell.bound);
        for value in awaited.values().filter_map(stands) {
            self.run_starts.insert(value, Vec::new());
        }
        let all = self.meet(ends);
        for met in &all {
            let Some(mut cell) = self.cell_of_run_start(met, at) else {
                continue;
            };
            let is_new = met.before.is_none_or(|before| before.bound != cell.bound);
            if is_new && !given.contains(&met.name) {
                self.bind_met(met.name, cell.bound, at);
                cell.at = at;
            }
            self.current_frame().set_cell(met.name, cell);
        }
        for (name, cell) in awaited {
            let Some(value) = stands(cell) else { continue };
            let start = self.cell_here(*name);
            match start.filter(|start| !matches!(start.bound, Bound::Param(..))) {
                Some(start) => self.run_starts.insert(value, vec![start.bound]),
                None => self.run_starts.remove(&value),
            };
        }
        all.iter().map(|met| met.name).collect()
    }

    fn cell_of_run_start(&mut self, met: &JoinedBinding, at: u32) -> Option<FlowBinding> {
        let is_own = |cell: &FlowBinding| {
            let start = stands_for(cell.bound).and_then(|value| self.run_starts.get(&value));
            start.is_some_and(Vec::is_empty)
        };
        let others = met.cells.iter().filter(|cell| !is_own(cell)).copied();
        match others.collect::<Vec<_>>().as_slice() {
            [] => met.before,
            [one] if met.before.is_some_and(|before| before.bound == one.bound) => Some(*one),
            [one]
                if matches!(
                    one.bound,
                    Bound::Param(..) | Bound::Local { ty: Some(_), .. }
                ) =>
            {
                Some(*one)
            }
            several => Some(self.either_cell(met.name, several, at)),
        }
    }

    /// The binding of a name at the current point. In a loop that binds it, it may be one of an earlier run.
    pub(super) fn cell_here(&mut self, name: NameId) -> Option<FlowBinding> {
        let frame = self.current_frame();
        let cell = frame.current_cell(name);
        let (kind, flow, level) = (frame.kind, frame.flow, frame.level_of(name));
        let Some(around) = frame.loops.last().filter(|l| level < l.level) else {
            return cell;
        };
        if let Some(awaited) = around.awaited.get(&name) {
            return Some(*awaited);
        }
        let range = around.range;
        if kind == FrameKind::Class || !self.is_bound_within(name, range) {
            return cell;
        }
        let (scope, at) = (flow, range.0);
        let value = self.b.add_expr(Expr::Name { name, scope, at });
        if let Some(Bound::Local { value: before, .. }) = cell.map(|cell| cell.bound) {
            self.first_values
                .extend(before.map(|before| (value, before)));
        }
        let bound = Bound::Local {
            ty: None,
            value: Some(value),
        };
        let wide = None;
        let awaited = FlowBinding { bound, at, wide };
        if let Some(around) = self.current_frame().loops.last_mut() {
            around.awaited.insert(name, awaited);
        }
        Some(awaited)
    }

    /// Whether a part of the source may bind a name.
    fn is_bound_within(&mut self, name: NameId, (from, to): (u32, u32)) -> bool {
        let name = self.b.facts().name(name);
        let places = self.bound_at.as_ref().and_then(|all| all.get(name));
        let Some(places) = places else {
            return false;
        };
        let first = places.partition_point(|place| *place < from);
        places.get(first).is_some_and(|place| *place < to)
    }

    /// What a name is where the runs of a loop begin, if the binding stands for that and it is known by now.
    pub(super) fn run_start(&self, bound: Bound) -> Option<&[Bound]> {
        let start = self.run_starts.get(&stands_for(bound)?)?;
        Some(start)
    }
}

/// The value that may stand for that of a name where the runs of a loop begin.
fn stands_for(bound: Bound) -> Option<ExprId> {
    match bound {
        Bound::Local { ty: None, value } => value,
        _ => None,
    }
}

pub(super) fn root_of(node: Node<'_>) -> Node<'_> {
    std::iter::successors(Some(node), Node::parent)
        .last()
        .unwrap_or(node)
}

/// The places at which names are bound, in order. Some may bind nothing.
fn bound_names<'s>(source: &'s str, root: Node<'_>) -> FxHashMap<&'s str, Vec<u32>> {
    let mut found: FxHashMap<&'s str, Vec<u32>> = FxHashMap::default();
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        let targets = match node.kind_name() {
            "assignment" | "augmented_assignment" | "for_statement" => node.field("left"),
            "named_expression" | "function_definition" | "class_definition" => node.field("name"),
            "as_pattern" | "except_clause" => node.field("alias"),
            "import_statement" | "import_from_statement" | "case_pattern" => Some(node),
            _ => None,
        };
        if let Some(targets) = targets {
            add_targets(source, targets, &mut found);
        }
        let goes_in = !matches!(node.kind_name(), "case_pattern") && cursor.goto_first_child();
        while !goes_in && !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                found.values_mut().for_each(|places| places.sort_unstable());
                return found;
            }
        }
    }
}

fn add_targets<'s>(source: &'s str, targets: Node<'_>, found: &mut FxHashMap<&'s str, Vec<u32>>) {
    let mut open = vec![targets];
    while let Some(node) = open.pop() {
        match node.kind_name() {
            "identifier" => {
                if let Some(name) = source.get(node.byte_range()) {
                    found
                        .entry(name)
                        .or_default()
                        .push(node.start_byte() as u32);
                }
            }
            "attribute" | "subscript" | "call" => {}
            _ => open.extend(super::children(node)),
        }
    }
}
