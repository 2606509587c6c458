//! Names that conditions bind (`:=`). A part of a condition may be skipped, and what it binds with it.

use super::Walker;
use super::flow::{Branch, FlowBinding};
use super::loops::MOST_CARRIED;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl Walker<'_, '_> {
    pub(super) fn visit_walrus(&mut self, node: Node<'_>) -> ExprId {
        let (Some(name), Some(value)) = (node.field("name"), node.field("value")) else {
            self.walk_children(node);
            return self.unknown_expr();
        };
        let value = self.expr(value);
        self.bind_pattern(name, value, node.end_byte() as u32);
        let name = self.b.intern_node_text(name);
        if let Some(cell) = self.current_frame().current_cell(name) {
            self.walruses.insert(node.start_byte(), (name, cell));
        }
        value
    }

    /// Reads an expression that may be skipped. Returns its value.
    pub(super) fn visit_skippable(&mut self, node: Node<'_>, holds: &[(NameId, TypeId)]) -> ExprId {
        let mark = self.branch_start();
        let known = self.walruses.len();
        self.narrow_names(holds, node.start_byte() as u32);
        let value = self.expr(node);
        let end = node.end_byte() as u32;
        if self.walruses.len() == known {
            self.undo_narrowing_since(mark, end);
            return value;
        }
        let evaluated = self.rollback_branch(mark, true);
        self.join_branches(&[Branch::empty(), evaluated], end);
        value
    }

    /// From `at` on, names are what a condition that holds bound them to for certain.
    pub(super) fn bind_walruses_of(&mut self, condition: Option<Node<'_>>, at: u32) {
        if self.walruses.is_empty() {
            return;
        }
        let mut met: Vec<(usize, (NameId, FlowBinding))> = Vec::new();
        let mut open: Vec<Node<'_>> = condition.into_iter().collect();
        while let Some(node) = open.pop() {
            match node.kind_name() {
                "parenthesized_expression"
                | "comparison_operator"
                | "call"
                | "argument_list"
                | "attribute" => open.extend(super::children(node)),
                "boolean_operator" if is_and(node) => open.extend(super::children(node)),
                "named_expression" => {
                    let start = node.start_byte();
                    let known = self.walruses.get(&start);
                    met.extend(known.map(|bound| (start, *bound)));
                }
                _ => {}
            }
        }
        met.sort_unstable_by_key(|(start, _)| *start);
        for (_, (name, cell)) in met {
            self.add_flow_binding(name, cell.bound, at);
            self.current_frame().set_cell(name, cell);
        }
    }

    /// Reads a condition that is evaluated only if no earlier branch was taken: these keep what names were before it.
    pub(super) fn visit_later_condition(&mut self, condition: Node<'_>, earlier: &mut [Branch]) {
        let mark = self.branch_start();
        let known = self.walruses.len();
        self.expr(condition);
        if self.walruses.len() != known {
            let evaluated = self.rollback_branch(mark, true);
            self.keep_unchanged(earlier, &evaluated);
            self.take_over(&evaluated);
        }
    }

    /// Branches keep what names are now, before others take these ways.
    pub(super) fn keep_unchanged(&mut self, branches: &mut [Branch], others: &Branch) {
        let names: Vec<NameId> = others.names().collect();
        let cell = |name: NameId| Some((name, self.cell_here(name)?));
        let now: Vec<(NameId, FlowBinding)> = names.into_iter().filter_map(cell).collect();
        for branch in branches {
            let cost = 1 + now.len() + branch.names().len();
            self.carried = self.carried.saturating_add(cost);
            if self.carried > MOST_CARRIED {
                return;
            }
            branch.add_unchanged(now.clone());
        }
    }
}

/// Whether a boolean operator is `and`.
pub(super) fn is_and(node: Node<'_>) -> bool {
    let operator = node.field("operator");
    operator.is_some_and(|operator| operator.kind_name() == "and")
}
