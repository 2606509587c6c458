//! Prose in source text, found line by line in any language: comments and documentation strings.

use text::truncate_bytes;

/// Whether a comment block is a licence: every file repeats it, and no question is about it.
pub(crate) fn is_licence(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.contains("copyright")
        || lower.contains("spdx-license")
        || (lower.contains("licen") && (lower.contains("permi") || lower.contains("warrant")))
}

/// The line index after a licence at the beginning of the text, 0 where there is none.
pub(crate) fn leading_licence_len(text: &str) -> usize {
    let mut end = 0;
    let mut bytes = 0;
    let mut block = OpenBlockComment::None;
    for (at, line) in text.lines().enumerate().take(60) {
        let trimmed = line.trim();
        if !trimmed.is_empty() && comment_text(trimmed, &mut block).is_none() {
            break;
        }
        bytes += line.len() + 1;
        end = at + 1;
        // A licence ends at the first empty line after it. The text below may be documentation.
        if trimmed.is_empty()
            && block == OpenBlockComment::None
            && is_licence(truncate_bytes(text, bytes))
        {
            break;
        }
    }
    if is_licence(truncate_bytes(text, bytes)) {
        end
    } else {
        0
    }
}

/// Calls `f` for the text of every comment line, marks removed.
pub(crate) fn for_each_comment<'t>(text: &'t str, mut f: impl FnMut(&'t str)) {
    let mut block = OpenBlockComment::None;
    for line in text.lines() {
        if let Some(prose) = comment_text(line.trim(), &mut block)
            && !prose.is_empty()
        {
            f(prose);
        }
    }
}

/// The end of the block comment in which a line begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OpenBlockComment {
    None,
    /// `*/`
    Star,
    /// `"""`
    Quotes,
    /// `'''`
    Apostrophes,
    /// `-->`
    Html,
    /// `=end`
    Ruby,
}

impl OpenBlockComment {
    fn closing(self) -> &'static str {
        match self {
            OpenBlockComment::None => "",
            OpenBlockComment::Star => "*/",
            OpenBlockComment::Quotes => "\"\"\"",
            OpenBlockComment::Apostrophes => "'''",
            OpenBlockComment::Html => "-->",
            OpenBlockComment::Ruby => "=end",
        }
    }
}

const OPENINGS: [(&str, OpenBlockComment); 9] = [
    ("/*", OpenBlockComment::Star),
    ("\"\"\"", OpenBlockComment::Quotes),
    ("r\"\"\"", OpenBlockComment::Quotes),
    ("'''", OpenBlockComment::Apostrophes),
    ("@doc \"\"\"", OpenBlockComment::Quotes),
    ("@moduledoc \"\"\"", OpenBlockComment::Quotes),
    ("<!--", OpenBlockComment::Html),
    ("=begin", OpenBlockComment::Ruby),
    ("{-", OpenBlockComment::None),
];

/// The prose of a trimmed line, if it is a comment as a whole.
pub(crate) fn comment_text<'t>(line: &'t str, block: &mut OpenBlockComment) -> Option<&'t str> {
    if *block != OpenBlockComment::None {
        let closing = block.closing();
        if let Some(at) = line.find(closing) {
            *block = OpenBlockComment::None;
            return Some(strip_comment_marks(&line[..at]));
        }
        return Some(strip_comment_marks(line));
    }
    for (opening, marker) in OPENINGS {
        if let Some(rest) = line.strip_prefix(opening) {
            let closing = marker.closing();
            return Some(match rest.find(closing).filter(|_| !closing.is_empty()) {
                Some(at) => strip_comment_marks(&rest[..at]),
                None => {
                    *block = marker;
                    strip_comment_marks(rest)
                }
            });
        }
    }
    let line_comment = line.starts_with("//")
        || line.starts_with("-- ")
        || line.starts_with(";;")
        || line.starts_with('%')
        || line == "#"
        || line.starts_with("# ")
        || line.starts_with("##");
    line_comment.then(|| strip_comment_marks(line))
}

fn strip_comment_marks(line: &str) -> &str {
    line.trim_start_matches(['/', '*', '#', '!', '-', ';', '%', ' ', '\t', '<', '>'])
        .trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut all = Vec::new();
        for_each_comment(text, |line| all.push(line));
        all
    }

    #[test]
    fn comments_of_many_languages() {
        assert_eq!(
            found("/// Adds.\nfn add() {}\n/* one */ int x;\n/**\n * two\n */\n"),
            ["Adds.", "one", "two"]
        );
        assert_eq!(
            found("def f():\n    \"\"\"Says hello.\n    Twice.\"\"\"\n    # inner\n#include <x>\n"),
            ["Says hello.", "Twice.", "inner"]
        );
        assert_eq!(found("-- a view\n<!-- page -->\n"), ["a view", "page"]);
    }

    #[test]
    fn licences_are_told_from_documentation() {
        let text =
            "// Copyright 2020 X\n// Permission is granted\n\n// Package chi routes.\ncode\n";
        assert_eq!(leading_licence_len(text), 3);
        assert_eq!(leading_licence_len("// Package chi routes.\ncode"), 0);
        assert_eq!(leading_licence_len("/*\n * Copyright\n */\nclass A {}"), 3);
    }
}
