//! A marked block in a text that belongs to the user, such as `AGENTS.md`.

use crate::style::newline_of;

const START: &str = "<!-- knotwork -->";
const END: &str = "<!-- /knotwork -->";

/// The last block: a mark on a line of its own, then the end's mark, without another beginning between them. The user's text may
/// mention the marks, and a merge may have lost an end.
fn find(text: &str) -> Option<std::ops::Range<usize>> {
    let (mut at, mut start, mut found) = (0, None, None);
    for line in text.split_inclusive('\n') {
        let mark = line.trim();
        let mark_start = at + line.len() - line.trim_start().len();
        match start {
            _ if mark == START => start = Some(mark_start),
            Some(start_of_block) if mark == END => {
                found = Some(start_of_block..mark_start + END.len());
                start = None;
            }
            _ => {}
        }
        at += line.len();
    }
    found
}

/// The block without its marks.
pub(crate) fn read_block(text: &str) -> Option<String> {
    let range = find(text)?;
    let inside = &text[range.start + START.len()..range.end - END.len()];
    Some(inside.replace("\r\n", "\n").trim().to_owned())
}

/// Puts the block at the end, after an empty line.
pub(crate) fn add(text: &str, body: &str) -> String {
    let newline = newline_of(text);
    let mut out = text.to_owned();
    if !text.is_empty() {
        if !text.ends_with('\n') {
            out.push_str(newline);
        }
        out.push_str(newline);
    }
    let block = format!("{START}\n{}\n{END}\n", body.trim());
    out + &block.replace('\n', newline)
}

/// Removes the block, with the empty line before it.
pub(crate) fn remove(text: &str) -> String {
    let Some(range) = find(text) else {
        return text.to_owned();
    };
    let before = text[..range.start].trim_end();
    let after = text[range.end..].trim_start();
    let newline = newline_of(text);
    match (before.is_empty(), after.is_empty()) {
        (true, _) => after.to_owned(),
        (false, true) => format!("{before}{newline}"),
        (false, false) => format!("{before}{newline}{newline}{after}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_added_found_and_taken_out() {
        for text in ["# Rules\n\nBe kind.\n", "", "no line end", "# R\r\nx\r\n"] {
            let with = add(text, "Use it.\nOften.");
            assert_eq!(
                read_block(&with).as_deref(),
                Some("Use it.\nOften."),
                "{with:?}"
            );
            assert!(with.starts_with(text));
            assert_eq!(remove(&with).trim_end(), text.trim_end());
        }
        assert_eq!(read_block("<!-- knotwork --> without an end"), None);
        // A mention of the mark, or a beginning without an end, belongs to the user.
        for own in [
            "Keep `<!-- knotwork -->` where it is.\n\nprecious\n",
            "<!-- knotwork -->\nprecious\n",
        ] {
            let with = add(own, "x") + "\nSee <!-- /knotwork --> there.\n";
            assert_eq!(read_block(&with).as_deref(), Some("x"));
            assert!(remove(&with).starts_with(own.trim_end()), "{with:?}");
        }
        let between = add("a\n", "x") + "\nb\n";
        assert_eq!(remove(&between), "a\n\nb\n");
    }
}
