//! Limits of the grammar's scanner. It stores the indentation of every open block in 1,024 bytes, two for each, and one
//! byte for each open string. From 384 blocks on it may write beyond them, and the parser ends the program.

use rustc_hash::FxHashSet;

/// Most open blocks: far fewer than fit.
const MOST_BLOCKS: usize = 300;

/// The scanner counts in 16 bits.
const WIDTHS: usize = 1 << 16;

/// Number of bytes from the start of a source that can be read. Every open block is indented further than the one
/// around it, so there are never more of them than different widths of leading white space. Ordinary files have fewer
/// than fifty.
pub(super) fn readable(source: &str) -> usize {
    let lines = lines_with_indents(source);
    let mut widths = FxHashSet::default();
    for (start, width) in lines.into_iter().rev() {
        if widths.insert(width % WIDTHS) && widths.len() > MOST_BLOCKS {
            return start;
        }
    }
    source.len()
}

/// The start of each line and the width of its leading white space, last line first. A continued line also has the
/// width that the following lines add.
fn lines_with_indents(source: &str) -> Vec<(usize, usize)> {
    let bytes = source.as_bytes();
    let mut lines: Vec<(usize, usize)> = Vec::new();
    let mut end = bytes.len();
    while end > 0 {
        let start = bytes[..end - 1].iter().rposition(|byte| *byte == b'\n');
        let start = start.map_or(0, |at| at + 1);
        let (own, rest) = white_space(&bytes[start..end]);
        let is_continued = matches!(rest, b"\\\n" | b"\\\r\n" | b"\\" | b"\\\r");
        let next = lines.last().filter(|_| is_continued);
        lines.push((start, own + next.map_or(0, |(_, width)| *width)));
        end = start;
    }
    lines
}

/// The width of the white space at the start of a line, and the rest of the line.
fn white_space(line: &[u8]) -> (usize, &[u8]) {
    let mut width = 0;
    for (at, byte) in line.iter().enumerate() {
        match byte {
            b' ' => width += 1,
            b'\t' => width += 8,
            b'\r' | b'\x0c' => width = 0,
            _ => return (width, &line[at..]),
        }
    }
    (width, &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(levels: usize) -> String {
        let lines = (0..levels).map(|level| format!("{}if a:\n", " ".repeat(level)));
        let all: String = lines.collect();
        format!("{all}{}x = f\"{{y}}\"\n", " ".repeat(levels))
    }

    #[test]
    fn what_is_nested_as_people_nest_is_read_to_its_end() {
        for source in ["", "x", "def f():\n    return 1", &nested(299)] {
            assert_eq!(readable(source), source.len());
        }
    }

    #[test]
    fn reading_stops_before_the_state_is_full() {
        let source = nested(600);
        let end = readable(&source);
        assert!(source[..end].ends_with("if a:\n"));
        assert_eq!(source[..end].lines().count(), MOST_BLOCKS);
    }

    #[test]
    fn lines_that_are_continued_add_their_white_space() {
        assert_eq!(
            lines_with_indents("a\n  \\\n   b\n"),
            [(6, 3), (2, 5), (0, 0)]
        );
        assert_eq!(lines_with_indents("\t\x0c \r\n"), [(0, 0)]);
    }
}
