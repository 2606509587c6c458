//! Helpers over syntax trees of contracts.

use crate::Contract;
use tree_sitter::{Node, Tree};

/// A tree with its text.
pub(super) struct Source<'t> {
    pub(super) text: &'t str,
}

impl<'t> Source<'t> {
    /// The text of a node.
    pub(super) fn text_of(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or("")
    }
}

pub(super) fn line(node: Node<'_>) -> u32 {
    node.start_position().row as u32 + 1
}

/// The named children of a node, in order.
pub(super) fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

/// The first child of a kind.
pub(super) fn child<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    let mut all = node.named_children(&mut cursor);
    all.find(|c| c.kind() == kind)
}

/// Notes the places where a text does not follow its grammar.
pub(super) fn note_errors(contract: &mut Contract, source: &Source<'_>, tree: &Tree, whole: bool) {
    if !whole {
        contract.problem(
            1,
            "only the beginning was read: its errors nest without end",
        );
    }
    if !tree.root_node().has_error() {
        return;
    }
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            let text = source.text_of(node).split_whitespace().next().unwrap_or("");
            let shown: String = text.chars().take(40).collect();
            let reason = match (node.is_missing(), shown.is_empty()) {
                (true, _) => format!("missing {}", node.kind()),
                (false, true) => "syntax error".to_owned(),
                (false, false) => format!("syntax error at {shown}"),
            };
            contract.problem(line(node), reason);
            if contract.problems.len() > 1_000 {
                return;
            }
        }
        if !node.is_error() && node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}
