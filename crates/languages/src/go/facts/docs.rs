//! Documentation comments: those directly above a declaration, or after it on its line.

use syntax::builder::Builder;
use tree_sitter::Node;

/// Collects comments during the walk over a list of declarations.
#[derive(Default)]
pub(super) struct Docs {
    text: String,
    /// The row after the last comment gathered.
    next_row: usize,
    /// The row on which the last declaration ended.
    passed_row: Option<usize>,
    /// Whether one of the comments makes the next declaration callable from outside of Go code.
    directive: bool,
}

impl Docs {
    /// Adds a comment.
    pub(super) fn comment(&mut self, b: &Builder<'_>, node: Node<'_>) {
        let start = node.start_position().row;
        if self.passed_row == Some(start) {
            return;
        }
        if start != self.next_row {
            self.text.clear();
            self.directive = false;
        }
        let names = ["//export ", "//go:linkname ", "//go:wasmexport "];
        self.directive |= names.iter().any(|word| b.text(node).starts_with(word));
        clean(b.text(node), &mut self.text);
        self.next_row = node.end_position().row + 1;
    }

    /// Whether a comment right above the next declaration makes it callable from outside.
    pub(super) fn take_directive(&mut self, node: Node<'_>) -> bool {
        let directive = std::mem::take(&mut self.directive);
        directive && node.start_position().row == self.next_row
    }

    /// The documentation of the next declaration.
    pub(super) fn take(&mut self, node: Node<'_>) -> Option<String> {
        let text = std::mem::take(&mut self.text);
        (node.start_position().row == self.next_row && !text.trim().is_empty()).then_some(text)
    }

    /// Records where a declaration ended, so that a comment after it on its line does not belong to the next one.
    pub(super) fn note_declaration_end(&mut self, node: Node<'_>) {
        self.passed_row = Some(node.end_position().row);
    }
}

/// The text of the comment on the line on which `node` ends, if one follows it.
pub(super) fn trailing_comment(b: &Builder<'_>, node: Node<'_>) -> Option<String> {
    let rest = b.source.get(node.end_byte()..)?;
    let line = rest.split('\n').next().unwrap_or("");
    let comment = line.trim_start().strip_prefix("//")?;
    let comment = comment.trim();
    (!comment.is_empty()).then(|| comment.to_owned())
}

fn clean(comment: &str, out: &mut String) {
    if let Some(block) = comment.strip_prefix("/*") {
        for line in block.trim_end_matches("*/").lines() {
            out.push_str(line.trim().trim_start_matches('*').trim());
            out.push('\n');
        }
        return;
    }
    let line = comment.trim_start_matches('/');
    // `//go:generate`, `//nolint:x`: directives for tools.
    let directive = !line.starts_with([' ', '\t'])
        && line
            .split_once(':')
            .is_some_and(|(tool, _)| tool.chars().all(|c| c.is_ascii_lowercase()));
    if !directive {
        out.push_str(line.trim());
        out.push('\n');
    }
}
