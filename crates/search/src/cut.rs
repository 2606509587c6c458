//! Cuts a text into chunks along the borders of its definitions, whichever parser found them.

use crate::comments::{self, OpenBlockComment};
use crate::doc::{ChunkDoc, DefDoc, FileDoc, FileRole};

/// A definition longer than this is divided at the borders of its members.
const MAX_LINES: u32 = 80;
const MAX_BYTES: usize = 3_600;
/// Neighbours are merged while they stay below this.
const MERGE_LINES: u32 = 40;
const MERGE_BYTES: usize = 1_300;
/// The most definitions that a chunk names; the others are found by its text.
const MAX_DEFINITIONS: usize = 48;

impl<'a> FileDoc<'a> {
    /// A file with chunks cut from its text. `definitions` are in order of their first lines, an
    /// enclosing one before those inside it.
    pub fn from_text(
        path: &'a str,
        language: &'a str,
        role: FileRole,
        text: &'a str,
        definitions: &[DefDoc<'a>],
    ) -> FileDoc<'a> {
        FileDoc {
            path,
            language,
            role,
            hash: 0,
            chunks: cut_chunks(text, definitions),
        }
    }
}

/// Lines `from..=to`, and the definition around them.
#[derive(Debug, Clone, Copy)]
struct Piece {
    from: u32,
    to: u32,
    /// The number of the enclosing definition; none at file level.
    enclosing_definition: Option<usize>,
}

fn cut_chunks<'a>(text: &'a str, definitions: &[DefDoc<'a>]) -> Vec<ChunkDoc<'a>> {
    let starts = line_starts(text);
    let lines = starts.len() as u32 - 1;
    if lines == 0 {
        return Vec::new();
    }
    let mut cutter = Cutter {
        text,
        starts: &starts,
        children: children_by_definition(definitions),
        definitions,
        pieces: Vec::new(),
    };
    cutter.cut_range(None, 1, lines);
    let mut pieces = cutter.merge_small_pieces();
    skip_licence(&mut pieces, text, &starts);
    let mut next = 0;
    pieces
        .iter()
        .map(|piece| {
            let from = next;
            while definitions
                .get(next)
                .is_some_and(|d| d.start_line <= piece.to)
            {
                next += 1;
            }
            let mut inside: Vec<DefDoc<'a>> = definitions[from..next].to_vec();
            inside.truncate(MAX_DEFINITIONS);
            ChunkDoc {
                start_line: piece.from,
                end_line: piece.to,
                text: lines_slice(text, &starts, piece.from, piece.to),
                definitions: inside,
                container: piece
                    .enclosing_definition
                    .map_or("", |o| definitions[o].name),
            }
        })
        .collect()
}

/// Leaves the licence at the head of a file out of its first piece: it tells nothing of the file,
/// and would be shown with the lines below it.
fn skip_licence(pieces: &mut [Piece], text: &str, starts: &[usize]) {
    let Some(first) = pieces.first_mut() else {
        return;
    };
    let head = lines_slice(text, starts, first.from, first.to);
    let licence = comments::leading_licence_len(head);
    let rest = head.lines().skip(licence);
    let blank = rest.take_while(|l| l.trim().is_empty()).count();
    let next = first.from + (licence + blank) as u32;
    if licence > 0 && next <= first.to {
        first.from = next;
    }
}

fn line_starts(text: &str) -> Vec<usize> {
    let mut starts = vec![0];
    for line in text.split_inclusive('\n') {
        starts.push(starts.last().copied().unwrap_or(0) + line.len());
    }
    starts
}

fn lines_slice<'a>(text: &'a str, starts: &[usize], from: u32, to: u32) -> &'a str {
    &text[starts[from as usize - 1]..starts[to as usize]]
}

/// For each definition, the numbers of those directly inside it, in order of lines. The last entry is
/// for the file.
fn children_by_definition(definitions: &[DefDoc<'_>]) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); definitions.len() + 1];
    let mut open: Vec<usize> = Vec::new();
    for (at, def) in definitions.iter().enumerate() {
        while open
            .last()
            .is_some_and(|o| definitions[*o].end_line < def.start_line)
        {
            open.pop();
        }
        let parent = open.last().copied().unwrap_or(definitions.len());
        children[parent].push(at);
        open.push(at);
    }
    children
}

struct Cutter<'c, 'a> {
    text: &'a str,
    starts: &'c [usize],
    definitions: &'c [DefDoc<'a>],
    children: Vec<Vec<usize>>,
    pieces: Vec<Piece>,
}

impl Cutter<'_, '_> {
    fn cut_range(&mut self, owner: Option<usize>, from: u32, to: u32) {
        let index = owner.unwrap_or(self.definitions.len());
        let mut next = from;
        for child in std::mem::take(&mut self.children[index]) {
            let def = &self.definitions[child];
            let (start, end) = (def.start_line.max(1), def.end_line.min(to));
            if start < next || start > end {
                continue;
            }
            let start = self.first_comment_line(next, start);
            self.push_pieces(owner, next, start - 1);
            if self.is_long(start, end) && !self.children[child].is_empty() {
                self.cut_range(Some(child), start, end);
            } else {
                self.push_pieces(owner, start, end);
            }
            next = end + 1;
        }
        self.push_pieces(owner, next, to);
    }

    /// The first line of the comments and annotations right above a definition.
    fn first_comment_line(&self, least: u32, start: u32) -> u32 {
        let mut from = start;
        while from > least && start - from < 40 {
            let line = lines_slice(self.text, self.starts, from - 1, from - 1).trim();
            let above = line.starts_with(['*', '@', '['])
                || line.starts_with("#[")
                || line.starts_with("/*")
                || line.ends_with("*/")
                || line.starts_with("template")
                || comments::comment_text(line, &mut OpenBlockComment::None).is_some();
            if !above || line.is_empty() {
                break;
            }
            from -= 1;
        }
        from
    }

    fn byte_len(&self, from: u32, to: u32) -> usize {
        self.starts[to as usize] - self.starts[from as usize - 1]
    }

    fn is_long(&self, from: u32, to: u32) -> bool {
        to - from + 1 > MAX_LINES || self.byte_len(from, to) > MAX_BYTES
    }

    /// Adds the pieces of a range of lines. A range that is too long is divided, at empty lines if
    /// there are any.
    fn push_pieces(&mut self, owner: Option<usize>, from: u32, to: u32) {
        let mut next = from;
        while next <= to {
            let mut end = next;
            while end < to && !self.is_long(next, end + 1) {
                end += 1;
            }
            if end < to {
                let half = next + (end - next) / 2;
                let blank = (half..=end).rev().find(|l| {
                    lines_slice(self.text, self.starts, *l, *l)
                        .trim()
                        .is_empty()
                });
                end = blank.unwrap_or(end);
            }
            self.pieces.push(Piece {
                from: next,
                to: end,
                enclosing_definition: owner,
            });
            next = end + 1;
        }
    }

    /// Merges small neighbours under one owner. A piece without text joins the piece above it.
    fn merge_small_pieces(&self) -> Vec<Piece> {
        let mut all: Vec<Piece> = Vec::new();
        for piece in &self.pieces {
            let empty = lines_slice(self.text, self.starts, piece.from, piece.to)
                .trim()
                .is_empty();
            if let Some(last) = all.last_mut() {
                let small = piece.to - last.from < MERGE_LINES
                    && self.byte_len(last.from, piece.to) <= MERGE_BYTES;
                if empty
                    || (small && last.enclosing_definition == piece.enclosing_definition)
                    || self.is_trailing_rest(piece, last)
                {
                    last.to = piece.to;
                    continue;
                }
            }
            all.push(*piece);
        }
        all
    }

    /// Whether a piece is a closing brace or the like after the last member.
    fn is_trailing_rest(&self, piece: &Piece, last: &Piece) -> bool {
        self.byte_len(piece.from, piece.to) < 24 && piece.to - last.from < MAX_LINES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn def(name: &str, start_line: u32, end_line: u32) -> DefDoc<'_> {
        DefDoc {
            name,
            start_line,
            end_line,
            ..DefDoc::default()
        }
    }

    fn spans(chunks: &[ChunkDoc<'_>]) -> Vec<(u32, u32)> {
        chunks.iter().map(|c| (c.start_line, c.end_line)).collect()
    }

    #[test]
    fn every_line_is_covered_once() {
        let text: String = (0..500)
            .map(|i| format!("line {i} of some text\n"))
            .collect();
        let defs = [
            def("A", 10, 300),
            def("a", 20, 120),
            def("b", 121, 200),
            def("c", 310, 312),
        ];
        let all = cut_chunks(&text, &defs);
        let mut next = 1;
        for chunk in &all {
            assert_eq!(chunk.start_line, next);
            assert!(chunk.end_line - chunk.start_line < MAX_LINES);
            next = chunk.end_line + 1;
        }
        assert_eq!(next, 501);
        let joined: String = all.iter().map(|c| c.text).collect();
        assert_eq!(joined, text);
        let names: usize = all.iter().map(|c| c.definitions.len()).sum();
        assert_eq!(names, 4);
        assert!(all.iter().any(|c| c.container == "A"));
    }

    #[test]
    fn small_neighbours_are_one_chunk() {
        let text = "fn a() {}\n\nfn b() {}\n\n\nfn c() {}\n";
        let all = cut_chunks(text, &[def("a", 1, 1), def("b", 3, 3), def("c", 6, 6)]);
        assert_eq!(spans(&all), [(1, 6)]);
        assert_eq!(all[0].definitions.len(), 3);
    }

    #[test]
    fn comments_belong_to_what_they_stand_above() {
        let filler = "x ".repeat(700);
        let text = format!("{filler}\n\n/// Adds.\n#[inline]\nfn a() {{ {filler} }}\n");
        let all = cut_chunks(&text, &[def("a", 5, 5)]);
        assert_eq!(spans(&all), [(1, 2), (3, 5)]);
    }

    #[test]
    fn licences_are_not_shown() {
        let licence = "// Copyright 2020 Somebody\n// Licensed under the Apache License\n\n";
        let text = format!("{licence}package a\n\nfunc A() {{}}\n");
        assert_eq!(spans(&cut_chunks(&text, &[def("A", 6, 6)])), [(4, 6)]);
        assert_eq!(spans(&cut_chunks(licence, &[])), [(1, 3)]);
        let plain = "// A comment.\nfunc A() {}\n";
        assert_eq!(spans(&cut_chunks(plain, &[def("A", 2, 2)])), [(1, 2)]);
    }

    #[test]
    fn hostile_texts_end() {
        assert!(cut_chunks("", &[]).is_empty());
        assert_eq!(
            spans(&cut_chunks("a", &[def("x", 5, 2), def("y", 0, 9)])),
            [(1, 1)]
        );
        let long = "a".repeat(100_000);
        assert_eq!(cut_chunks(&long, &[]).len(), 1);
    }
}
