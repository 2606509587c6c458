//! Documentation: comments directly above a statement.

use tree_sitter::Node;

/// Collects comments during the walk over a list of statements.
#[derive(Default)]
pub(super) struct Docs {
    lines: Vec<String>,
    /// The row after the last comment gathered.
    next_row: usize,
    /// The row on which the last statement ended.
    passed_row: Option<usize>,
}

impl Docs {
    /// Adds a comment. One after a statement on its line belongs to that statement.
    pub(super) fn push_comment(&mut self, text: &str, node: Node<'_>) {
        let start = node.start_position().row;
        if self.passed_row == Some(start) {
            return;
        }
        if start != self.next_row {
            self.lines.clear();
        }
        self.lines.push(strip_comment_markers(text));
        self.next_row = node.end_position().row + 1;
    }

    /// The documentation of the next statement.
    pub(super) fn take_doc_for(&mut self, node: Node<'_>) -> Option<String> {
        let text = std::mem::take(&mut self.lines).join("\n");
        self.passed_row = Some(node.end_position().row);
        (node.start_position().row == self.next_row && !text.trim().is_empty()).then_some(text)
    }
}

/// The text of a comment without its marks.
fn strip_comment_markers(comment: &str) -> String {
    let text = comment.trim_start_matches('-').trim();
    let long = text.strip_prefix("[[").and_then(|t| t.strip_suffix("]]"));
    let lines = long.unwrap_or(text).lines();
    let lines: Vec<&str> = lines
        .map(|line| line.trim().trim_start_matches('-').trim())
        .collect();
    lines.join("\n")
}
