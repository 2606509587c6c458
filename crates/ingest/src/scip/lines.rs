//! Converts a document's lines and columns to bytes of the text.

use super::wire::{Encoding, Range};
use rustc_hash::FxHashMap;

/// Longest name, in bytes; longer texts are not names.
pub(super) const LONGEST_NAME: usize = 1_000;

/// Bytes of a line between two recorded columns.
const STEP: usize = 256;

/// Start of each line of a text.
pub(super) struct Lines<'t> {
    text: &'t str,
    starts: Vec<u32>,
    encoding: Encoding,
    /// Recorded columns, in order, for lines whose columns differ from their bytes.
    marks: FxHashMap<u32, Vec<Mark>>,
}

/// A place in a line: its byte, and its column in the document's unit.
#[derive(Clone, Copy)]
struct Mark {
    byte: usize,
    column: usize,
}

impl<'t> Lines<'t> {
    /// Lines of `text`, for columns counted in `encoding`.
    pub(super) fn new(text: &'t str, encoding: Encoding) -> Lines<'t> {
        let ends = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        let starts = std::iter::once(0)
            .chain(ends.map(|(at, _)| at as u32 + 1))
            .collect();
        let mut marks = FxHashMap::default();
        if encoding != Encoding::Utf8 {
            let lines = text.split_inclusive('\n').zip(0..);
            let wide = lines.filter(|(line, _)| !line.is_ascii());
            marks.extend(wide.map(|(line, number)| (number, build_column_marks(line, encoding))));
        }
        Lines {
            text,
            starts,
            encoding,
            marks,
        }
    }

    /// Number of lines.
    pub(super) fn line_count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The byte of a position, and its column in bytes; `None` if the text has no such position.
    pub(super) fn byte_at(&self, line: u32, column: u32) -> Option<(u32, u32)> {
        let start = *self.starts.get(line as usize)?;
        let end = self
            .starts
            .get(line as usize + 1)
            .map_or(self.text.len(), |n| *n as usize);
        let text = self.text.get(start as usize..end)?;
        let within = self.byte_column(line, text, column)?;
        Some((start + within, within))
    }

    fn byte_column(&self, number: u32, line: &str, column: u32) -> Option<u32> {
        let wanted = column as usize;
        let Some(marks) = self.marks.get(&number) else {
            return (wanted <= line.len()).then_some(column);
        };
        let next = marks.partition_point(|mark| mark.column <= wanted);
        let from = marks.get(next.checked_sub(1)?)?;
        let mut counted = from.column;
        for (at, c) in line.get(from.byte..)?.char_indices() {
            if counted >= wanted {
                return Some((from.byte + at) as u32);
            }
            counted += column_units(c, self.encoding);
        }
        (counted >= wanted).then_some(line.len() as u32)
    }

    /// Bytes of a range; `None` if the text does not have it.
    pub(super) fn byte_range(&self, range: Range) -> Option<(u32, u32)> {
        let (from, _) = self.byte_at(range.start_line, range.start)?;
        // Some indexers end the range of a file one line past its last.
        let to = match self.byte_at(range.end_line, range.end) {
            Some((to, _)) => to,
            None if range.end_line >= self.line_count() => self.text.len() as u32,
            None => return None,
        };
        (from <= to).then_some((from, to))
    }

    /// The text of a range of bytes.
    pub(super) fn slice(&self, (from, to): (u32, u32)) -> &'t str {
        self.text.get(from as usize..to as usize).unwrap_or("")
    }

    /// Whether the range is exactly one identifier; `None` if it is not an identifier at all.
    pub(super) fn is_whole_word(&self, (from, to): (u32, u32)) -> Option<bool> {
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let text = self.slice((from, to));
        if !(1..=LONGEST_NAME).contains(&text.len()) || !text.chars().all(word) {
            return None;
        }
        let before = self.text[..from as usize].chars().next_back();
        let after = self.text[to as usize..].chars().next();
        Some(!before.is_some_and(word) && !after.is_some_and(word))
    }
}

fn column_units(c: char, encoding: Encoding) -> usize {
    match encoding {
        Encoding::Utf32 => 1,
        _ => c.len_utf16(),
    }
}

fn build_column_marks(line: &str, encoding: Encoding) -> Vec<Mark> {
    let mut marks = vec![Mark { byte: 0, column: 0 }];
    let (mut column, mut last) = (0, 0);
    for (byte, c) in line.char_indices() {
        if byte >= last + STEP {
            marks.push(Mark { byte, column });
            last = byte;
        }
        column += column_units(c, encoding);
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_in_the_documents_units() {
        let text = "a\n\u{e9}\u{1f600}x = 1\n";
        let column = |encoding, column| {
            Lines::new(text, encoding)
                .byte_at(1, column)
                .map(|(_, c)| c)
        };
        assert_eq!(column(Encoding::Utf8, 6), Some(6));
        assert_eq!(column(Encoding::Utf16, 3), Some(6));
        assert_eq!(column(Encoding::Unspecified, 3), Some(6));
        assert_eq!(column(Encoding::Utf32, 2), Some(6));
        assert_eq!(column(Encoding::Utf32, 99), None);
        assert_eq!(Lines::new(text, Encoding::Utf8).byte_at(9, 0), None);
        let long = format!("a\n{}x", "\u{e9}\u{1f600}".repeat(10_000));
        let lines = Lines::new(&long, Encoding::Utf16);
        for n in [0, 1, 127, 128, 129, 9_999, 10_000] {
            assert_eq!(lines.byte_at(1, 3 * n), Some((2 + 6 * n, 6 * n)), "{n}");
        }
        assert_eq!(lines.byte_at(1, 30_001), Some((60_003, 60_001)));
        assert_eq!(lines.byte_at(1, 30_002), None);
    }

    #[test]
    fn whole_words_have_borders() {
        let lines = Lines::new("let abc = d+1", Encoding::Utf8);
        assert_eq!(lines.is_whole_word((4, 7)), Some(true));
        assert_eq!(lines.is_whole_word((4, 6)), Some(false));
        assert_eq!(lines.is_whole_word((5, 7)), Some(false));
        assert_eq!(lines.is_whole_word((11, 12)), None);
    }
}
