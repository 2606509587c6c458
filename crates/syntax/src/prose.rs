//! Lines that only speak to people: comments, and documentation strings of Python.

use crate::languages::parse;
use base::Language;
use tree_sitter::Node;

/// For each line of the source whether code stands on it; empty lines have none. Where the source cannot be read as a
/// whole, every line counts as code.
pub fn code_lines(language: Language, source: &str) -> Vec<bool> {
    let count = source.lines().count();
    let Some(parsed) = parse(language, source, &|| false).filter(|parsed| parsed.whole) else {
        return vec![true; count];
    };
    let mut lines = vec![false; count];
    let mut cursor = parsed.tree.walk();
    loop {
        let node = cursor.node();
        let prose = is_comment(node, source) || is_documentation(language, node);
        if !prose && node.child_count() == 0 && !node.is_missing() {
            let (first, last) = (node.start_position().row, node.end_position().row);
            let end = (last + 1).min(count);
            if let Some(lines) = lines.get_mut(first..end) {
                // The end of a line is a token of Go.
                let is_text = !source[node.byte_range()].trim().is_empty();
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

/// What tools read is no comment to them: `//go:embed`.
fn is_comment(node: Node<'_>, source: &str) -> bool {
    node.kind().ends_with("comment") && !source[node.byte_range()].starts_with("//go:")
}

/// A text that stands alone, as the first of a block or of the file.
fn is_documentation(language: Language, node: Node<'_>) -> bool {
    let alone = |node: Node<'_>| {
        let parent = node.parent();
        node.prev_named_sibling()
            .is_none_or(|n| n.kind() == "comment")
            && parent.is_some_and(|p| matches!(p.kind(), "block" | "module"))
    };
    language == Language::Python
        && node.kind() == "expression_statement"
        && node.named_child_count() == 1
        && node
            .named_child(0)
            .is_some_and(|child| child.kind() == "string")
        && alone(node)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines with code, from 1.
    fn code(language: Language, source: &str) -> Vec<usize> {
        let lines = code_lines(language, source);
        let code = lines.iter().enumerate().filter(|(_, code)| **code);
        code.map(|(at, _)| at + 1).collect()
    }

    #[test]
    fn comments_are_no_code() {
        let source =
            "// a\npackage p\n\n/* b\n\n c */ var x = `\n// d\n`\n\n//go:embed f\nvar y int // e\n";
        assert_eq!(code(Language::Go, source), [2, 6, 7, 8, 10, 11]);
        let source = "/** a\n * b */\nclass A { // c\n  int x = 1; /* d\n  e */\n}\n";
        assert_eq!(code(Language::Java, source), [3, 4, 6]);
        let source = "/// a\n#[b]\nstruct C {\n    // d\n    e: &'static str,\n}\n";
        assert_eq!(code(Language::Rust, source), [2, 3, 5, 6]);
        let source = "// a\nconst b = `\n// c\n`; /* d */\n";
        assert_eq!(code(Language::TypeScript, source), [2, 3, 4]);
    }

    #[test]
    fn documentation_of_python_is_no_code() {
        let source = "# a\n\"\"\"b\nc\"\"\"\nx = \"\"\"d\n\n# e\"\"\"\ndef f():\n    \"g\"\n    return \"h\"\n    \"i\"\n";
        assert_eq!(code(Language::Python, source), [4, 5, 6, 7, 9, 10]);
    }

    #[test]
    fn damaged_sources_end() {
        for source in ["", "\n", "((((", "def f(:\n  \"\"\"x", "/*"] {
            for language in [Language::Python, Language::Rust, Language::Go] {
                assert_eq!(code_lines(language, source).len(), source.lines().count());
            }
        }
    }
}
