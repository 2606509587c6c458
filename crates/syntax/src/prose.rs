//! Lines for people only: comments, and documentation in other forms.

use crate::parse::parse_time_limit;
use crate::read::{Reader, parse, prepared};
use tree_sitter::Node;

/// For each line of the source, whether it has code; empty lines have none. If the source cannot be read as a whole,
/// every line counts as code.
pub fn lines_with_code(reader: Reader, source: &str) -> Vec<bool> {
    let count = source.lines().count();
    let mut left = parse_time_limit(source.len());
    let prepared = prepared(reader, source);
    let text = prepared.as_deref().unwrap_or(source);
    let parsed = parse(reader, text, (&mut left, &|| false));
    let Some(parsed) = parsed.filter(|parsed| parsed.whole) else {
        return vec![true; count];
    };
    let mut lines = vec![false; count];
    let mut cursor = parsed.tree.walk();
    loop {
        let node = cursor.node();
        let prose = is_comment(node, source) || (reader.is_documentation)(node);
        if !prose && node.child_count() == 0 && !node.is_missing() {
            let (first, last) = (node.start_position().row, node.end_position().row);
            let end = (last + 1).min(count);
            if let Some(lines) = lines.get_mut(first..end) {
                // In Go, the end of a line is a token.
                let is_text = !text_of(node, source).trim().is_empty();
                lines.iter_mut().for_each(|line| *line |= is_text);
            }
        }
        if !prose && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return lines;
            }
        }
    }
}

/// A comment that tools read, such as `//go:embed`, counts as code.
fn is_comment(node: Node<'_>, source: &str) -> bool {
    node.kind().ends_with("comment") && !text_of(node, source).starts_with("//go:")
}

/// The text of a node. A line end that is not in the source counts as empty.
fn text_of<'s>(node: Node<'_>, source: &'s str) -> &'s str {
    source.get(node.byte_range()).unwrap_or("")
}
