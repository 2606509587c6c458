//! Cuts a file into chunks for search along the borders of its definitions.

use crate::facts::{Chunk, Def, DefFlags, DefId, FileFacts};
use base::{Span, SymbolKind};

/// A definition longer than this is divided at the borders of its members.
const MAX_LINES: u32 = 80;

/// Chunks in order; together they cover every line once.
pub fn chunks(facts: &FileFacts, source: &str) -> Vec<Chunk> {
    let starts = line_starts(source);
    let lines = starts.len() as u32;
    let mut children: Vec<Vec<DefId>> = vec![Vec::new(); facts.defs.len() + 1];
    for (i, def) in facts.defs.iter().enumerate() {
        if cuts(def) {
            let parent = def.parent.map_or(facts.defs.len(), |p| p.index());
            children[parent].push(DefId(i as u32));
        }
    }
    let mut cutter = Cutter {
        facts,
        children,
        pieces: Vec::new(),
    };
    if lines > 0 {
        cutter.cut(facts.defs.len(), None, 1, lines);
    }
    let to_span = |from: u32, to: u32| Span {
        start_line: from,
        end_line: to,
        start_byte: starts[from as usize - 1],
        end_byte: starts
            .get(to as usize)
            .copied()
            .unwrap_or(source.len() as u32),
    };
    cutter
        .pieces
        .into_iter()
        .map(|(from, to, def)| Chunk {
            span: to_span(from, to),
            def,
        })
        .collect()
}

fn cuts(def: &Def) -> bool {
    let holds_code = def.kind.is_callable()
        || def.kind.is_type()
        || matches!(
            def.kind,
            SymbolKind::Module | SymbolKind::Namespace | SymbolKind::Impl
        );
    holds_code && !def.flags.has(DefFlags::ANONYMOUS) && !def.flags.has(DefFlags::OUT_OF_LINE)
}

struct Cutter<'f> {
    facts: &'f FileFacts,
    children: Vec<Vec<DefId>>,
    pieces: Vec<(u32, u32, Option<DefId>)>,
}

impl Cutter<'_> {
    /// Cuts lines `from..=to` of `owner` at the borders of its children, long stretches at `MAX_LINES`.
    fn cut(&mut self, index: usize, owner: Option<DefId>, from: u32, to: u32) {
        let children = std::mem::take(&mut self.children[index]);
        let mut next = from;
        for child in children {
            let span = self.facts.def(child).span;
            let (start, end) = (span.start_line.max(next), span.end_line.min(to));
            if start > end {
                continue;
            }
            self.fill(owner, next, start - 1);
            if end - start + 1 > MAX_LINES {
                self.cut(child.index(), Some(child), start, end);
            } else {
                self.pieces.push((start, end, Some(child)));
            }
            next = end + 1;
        }
        self.fill(owner, next, to);
    }

    fn fill(&mut self, owner: Option<DefId>, from: u32, to: u32) {
        let mut next = from;
        while next <= to {
            let end = to.min(next + MAX_LINES - 1);
            self.pieces.push((next, end, owner));
            next = end + 1;
        }
    }
}

fn line_starts(source: &str) -> Vec<u32> {
    let mut starts = Vec::new();
    let mut at = 0u32;
    for line in source.split_inclusive('\n') {
        starts.push(at);
        at += line.len() as u32;
    }
    starts
}
