//! Finds the top-level definition of a file around a line.

use super::SymbolInfo;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The spans of definitions by file, in order, for fast look-up of lines.
#[derive(Debug, Default)]
pub struct TopSpans {
    of_file: FxHashMap<u32, Vec<FirstFrom>>,
}

/// The first definition whose span contains the lines from `line` up to the next entry of the list.
#[derive(Debug, Clone, Copy)]
struct FirstFrom {
    line: u64,
    first: Option<u32>,
}

/// A span of lines, the last one included, and the index of its definition.
#[derive(Debug, Clone, Copy)]
struct PlacedSpan {
    from: u64,
    to: u64,
    place: u32,
}

impl TopSpans {
    /// Spans of definitions, in the order of `symbols`.
    pub fn new(symbols: &[SymbolInfo]) -> TopSpans {
        let mut spans: FxHashMap<u32, Vec<PlacedSpan>> = FxHashMap::default();
        for (symbol, place) in symbols.iter().zip(0..) {
            let (from, to) = (u64::from(symbol.span.0), u64::from(symbol.span.1));
            if from <= to {
                let span = PlacedSpan { from, to, place };
                spans.entry(symbol.file).or_default().push(span);
            }
        }
        let swept = spans.into_iter().map(|(file, spans)| (file, swept(spans)));
        TopSpans {
            of_file: swept.collect(),
        }
    }

    /// The index of the first definition of a file whose span contains the line.
    pub fn around(&self, file: u32, line: u32) -> Option<u32> {
        let stretches = self.of_file.get(&file)?;
        let next = stretches.partition_point(|stretch| stretch.line <= u64::from(line));
        stretches.get(next.checked_sub(1)?)?.first
    }
}

/// Sweeps over the lines where spans begin or have ended, and keeps the open spans.
fn swept(mut spans: Vec<PlacedSpan>) -> Vec<FirstFrom> {
    let mut lines: Vec<u64> = spans.iter().flat_map(|s| [s.from, s.to + 1]).collect();
    lines.sort_unstable();
    lines.dedup();
    spans.sort_unstable_by_key(|span| (span.from, span.place));
    let mut waiting = spans.into_iter().peekable();
    // Index and last line, with the first index on top.
    let mut open: BinaryHeap<Reverse<(u32, u64)>> = BinaryHeap::new();
    let mut stretches = Vec::with_capacity(lines.len());
    for line in lines {
        while let Some(span) = waiting.next_if(|span| span.from <= line) {
            open.push(Reverse((span.place, span.to)));
        }
        while open.peek().is_some_and(|Reverse((_, to))| *to < line) {
            open.pop();
        }
        let first = open.peek().map(|Reverse((place, _))| *place);
        stretches.push(FirstFrom { line, first });
    }
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(file: u32, span: (u32, u32)) -> SymbolInfo {
        SymbolInfo {
            name: "f".to_owned(),
            kind: "function".to_owned(),
            file,
            lines: 1,
            span,
            complexity: 0,
        }
    }

    #[test]
    fn the_first_definition_around_a_line_is_found() {
        let mut seed = 7u32;
        let mut number = |most: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % most
        };
        let mut symbols = vec![symbol(0, (u32::MAX - 1, u32::MAX)), symbol(1, (9, 3))];
        for _ in 0..300 {
            let from = number(200);
            symbols.push(symbol(number(3), (from, from + number(40))));
        }
        let spans = TopSpans::new(&symbols);
        for file in 0..4 {
            for line in (0..250).chain([u32::MAX - 1, u32::MAX]) {
                let slow = symbols
                    .iter()
                    .position(|s| s.file == file && s.span.0 <= line && line <= s.span.1);
                assert_eq!(spans.around(file, line), slow.map(|at| at as u32));
            }
        }
    }

    #[test]
    fn many_definitions_and_lines_are_no_product() {
        let symbols: Vec<SymbolInfo> = (0..400_000).map(|at| symbol(0, (2 * at, 2 * at))).collect();
        let spans = TopSpans::new(&symbols);
        let found = (0..800_000).filter(|line| spans.around(0, *line).is_some());
        assert_eq!(found.count(), 400_000);
    }
}
