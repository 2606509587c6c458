//! Prose in source text, found line by line in any language: comments and documentation strings.

/// Whether a block of comment is a licence, which every file repeats and no question is about.
pub(crate) fn is_licence(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.contains("copyright")
        || lower.contains("spdx-license")
        || (lower.contains("licen") && (lower.contains("permi") || lower.contains("warrant")))
}

/// The line index after a licence at the beginning of the text, 0 where there is none.
pub(crate) fn licence_lines(text: &str) -> usize {
    let mut end = 0;
    let mut bytes = 0;
    let mut block = Marker::None;
    for (at, line) in text.lines().enumerate().take(60) {
        let trimmed = line.trim();
        if !trimmed.is_empty() && comment_text(trimmed, &mut block).is_none() {
            break;
        }
        bytes += line.len() + 1;
        end = at + 1;
        // A licence ends at the first empty line after it; what follows may be documentation.
        if trimmed.is_empty() && block == Marker::None && is_licence(head(text, bytes)) {
            break;
        }
    }
    if is_licence(head(text, bytes)) {
        end
    } else {
        0
    }
}

fn head(text: &str, bytes: usize) -> &str {
    text.get(..bytes.min(text.len())).unwrap_or(text)
}

/// Calls `f` for the text of every comment line, marks removed.
pub(crate) fn comments<'t>(text: &'t str, mut f: impl FnMut(&'t str)) {
    let mut block = Marker::None;
    for line in text.lines() {
        if let Some(prose) = comment_text(line.trim(), &mut block)
            && !prose.is_empty()
        {
            f(prose);
        }
    }
}

/// What closes the block in which a line begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marker {
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

impl Marker {
    fn closing(self) -> &'static str {
        match self {
            Marker::None => "",
            Marker::Star => "*/",
            Marker::Quotes => "\"\"\"",
            Marker::Apostrophes => "'''",
            Marker::Html => "-->",
            Marker::Ruby => "=end",
        }
    }
}

const OPENINGS: [(&str, Marker); 9] = [
    ("/*", Marker::Star),
    ("\"\"\"", Marker::Quotes),
    ("r\"\"\"", Marker::Quotes),
    ("'''", Marker::Apostrophes),
    ("@doc \"\"\"", Marker::Quotes),
    ("@moduledoc \"\"\"", Marker::Quotes),
    ("<!--", Marker::Html),
    ("=begin", Marker::Ruby),
    ("{-", Marker::None),
];

/// The prose of a trimmed line, if it is a comment as a whole.
pub(crate) fn comment_text<'t>(line: &'t str, block: &mut Marker) -> Option<&'t str> {
    if *block != Marker::None {
        let closing = block.closing();
        if let Some(at) = line.find(closing) {
            *block = Marker::None;
            return Some(bare(&line[..at]));
        }
        return Some(bare(line));
    }
    for (opening, marker) in OPENINGS {
        if let Some(rest) = line.strip_prefix(opening) {
            let closing = marker.closing();
            return Some(match rest.find(closing).filter(|_| !closing.is_empty()) {
                Some(at) => bare(&rest[..at]),
                None => {
                    *block = marker;
                    bare(rest)
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
    line_comment.then(|| bare(line))
}

fn bare(line: &str) -> &str {
    line.trim_start_matches(['/', '*', '#', '!', '-', ';', '%', ' ', '\t', '<', '>'])
        .trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut all = Vec::new();
        comments(text, |line| all.push(line));
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
        assert_eq!(licence_lines(text), 3);
        assert_eq!(licence_lines("// Package chi routes.\ncode"), 0);
        assert_eq!(licence_lines("/*\n * Copyright\n */\nclass A {}"), 3);
    }
}
