//! Parsing within limits. The parser's steps are counted, so that a file's facts depend on its bytes alone. A clock is
//! the last resort, for steps whose cost no count shows. The limits of a file are in proportion to its size, so that
//! many small files take no more than one large file.

use crate::builder::Stop;
use base::thread_time;
use std::cell::Cell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use tree_sitter::{ParseOptions, ParseState, Parser, Point, Range, Tree};

/// The parser gets the source in blocks of this many bytes. If it looks far ahead from every place (after an opening
/// mark that is never closed), it asks for the same blocks again.
const BLOCK: usize = 1_024;

/// The most blocks that a parse may read: a base, and a number of times for each block of the source. Real files read
/// each block twice; short ones with many errors read forty in all.
const READS: (usize, usize) = (1_000, 200);

/// The most reports that a parse may make: a base, and a number for every 1,000 bytes. The library reports every
/// hundred steps. Real files take up to 60 reports for 1,000 bytes, most of them fewer than 30.
const REPORTS: (usize, usize) = (1_000, 200);

/// Each step of recovery from errors can cost as much as the nesting is deep, which no count shows. The clock stops it
/// after a base time plus a time for every byte: twenty times what the slowest real files take. The clock runs only
/// while this thread computes, so a machine that sleeps or is busy does not stop a parse. A file that the clock stops
/// is not read at all, not even up to that point.
/// up to where the time ran out.
const TIME: (Duration, Duration) = (Duration::from_millis(200), Duration::from_micros(20));

/// The clock is read no earlier than after this long.
const LOOK: Duration = Duration::from_millis(2);

/// A shorter prefix is not parsed.
const MIN_PREFIX: usize = 1_024;

thread_local! {
    /// Steps of this thread's parsers: see [`parser_steps`].
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Steps that the parsers of this thread have taken so far: reports, and blocks that were read.
pub(crate) fn parser_steps() -> u64 {
    STEPS.get()
}

/// Limits of a grammar's scanner. The scanner is C code that runs in the middle of a parse: its work is not counted, no
/// clock stops it, and an assertion in it ends the program.
#[derive(Debug, Clone, Copy)]
pub struct ScannerLimits {
    /// The number of bytes from the start of a source that it can handle. The rest is not read.
    pub readable: fn(&str) -> usize,
    /// Whether it looks for the end of the last line without checking for the end of the file. A source without a final
    /// newline is then given one.
    pub needs_final_newline: bool,
}

impl ScannerLimits {
    /// No limits.
    pub const NONE: ScannerLimits = ScannerLimits {
        readable: str::len,
        needs_final_newline: false,
    };
}

/// A syntax tree, and whether it covers the whole source.
pub(crate) struct Parsed {
    /// The tree.
    pub(crate) tree: Tree,
    /// Whether it covers the whole source, not only its beginning.
    pub(crate) whole: bool,
}

/// Reason why parsing stopped without a tree.
enum StopReason {
    /// A count exceeded its limit.
    Work,
    /// The time is up, or the parser has no language.
    Time,
}

/// Parses the source. If that exceeds the limits, parses the first half of it, then the first quarter, and so on.
/// `None` if no prefix can be parsed within the limits, or in the time that is `left` for all parses of the file.
pub(crate) fn parse_prefix(
    parser: &mut Parser,
    source: &str,
    scanner: ScannerLimits,
    (left, stop): (&mut Duration, Stop<'_>),
) -> Option<Parsed> {
    let bytes = source.as_bytes();
    let mut end = (scanner.readable)(source).min(bytes.len());
    loop {
        let text = &bytes[..end];
        let adds_newline = scanner.needs_final_newline && !text.ends_with(b"\n");
        let mut blocks = |at: usize, _: Point| -> &[u8] {
            if adds_newline && at == text.len() {
                return b"\n";
            }
            let at = at.min(text.len());
            &text[at..(at + BLOCK).min(text.len())]
        };
        match parse_bounded(parser, text.len(), (left, stop), &mut blocks) {
            Ok(tree) => {
                let whole = end == bytes.len();
                return Some(Parsed { tree, whole });
            }
            Err(StopReason::Time) => return None,
            Err(StopReason::Work) => {}
        }
        end /= 2;
        if end < MIN_PREFIX {
            return None;
        }
        // Cut after a whole line, if there is one.
        let line = bytes[..end].iter().rposition(|b| *b == b'\n');
        end = match line {
            Some(at) => at + 1,
            None => (0..=end)
                .rfind(|at| source.is_char_boundary(*at))
                .unwrap_or(0),
        };
    }
}

/// The longest time for parsing `bytes` bytes, over all attempts.
pub fn parse_time_limit(bytes: usize) -> Duration {
    TIME.0 + TIME.1 * bytes as u32
}

/// Parses a part of a source, given by `input`, with nothing before or after it, in the time that is `left` for all parts of
/// the file.
pub fn parse_range<'i>(
    parser: &mut Parser,
    stretch: Range,
    (left, stop): (&mut Duration, Stop<'_>),
    input: &mut dyn FnMut(usize, Point) -> &'i [u8],
) -> Option<Tree> {
    parser.set_included_ranges(&[stretch]).ok()?;
    let length = stretch.end_byte - stretch.start_byte;
    let mut blocks = |at: usize, point: Point| {
        let text = input(at, point);
        &text[..text.len().min(BLOCK)]
    };
    parse_bounded(parser, length, (left, stop), &mut blocks).ok()
}

fn parse_bounded<'i>(
    parser: &mut Parser,
    length: usize,
    (left, stop): (&mut Duration, Stop<'_>),
    input: &mut dyn FnMut(usize, Point) -> &'i [u8],
) -> Result<Tree, StopReason> {
    let max_reads = READS.0 + length.div_ceil(BLOCK) * READS.1;
    let max_reports = REPORTS.0 + length.div_ceil(1_000) * REPORTS.1;
    let reads = Cell::new(0);
    let mut reports = 0;
    let mut late = false;
    let mut last = thread_time();
    let mut asked = Instant::now();
    let mut counted = |at: usize, point: Point| {
        reads.set(reads.get() + 1);
        input(at, point)
    };
    let mut progress = |_: &ParseState| {
        reports += 1;
        // The thread cannot have computed for longer than has passed. The clock of a thread costs ten times as much, so
        // it is read last.
        if asked.elapsed() >= LOOK {
            asked = Instant::now();
            let now = thread_time();
            *left = left.saturating_sub(now.saturating_sub(last));
            last = now;
        }
        late = left.is_zero() || stop();
        if late || reports > max_reports || reads.get() > max_reads {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let tree = parser.parse_with_options(&mut counted, None, Some(options));
    STEPS.set(STEPS.get() + (reports + reads.get()) as u64);
    *left = left.saturating_sub(thread_time().saturating_sub(last));
    if let Some(tree) = tree {
        return Ok(tree);
    }
    // Otherwise the next parse would continue where this one stopped.
    parser.reset();
    let stopped = reads.get() > max_reads || reports > max_reports;
    Err(if stopped && !late {
        StopReason::Work
    } else {
        StopReason::Time
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typescript() -> Parser {
        let mut parser = Parser::new();
        let grammar = tree_sitter_typescript::LANGUAGE_TYPESCRIPT;
        parser.set_language(&grammar.into()).unwrap();
        parser
    }

    #[test]
    fn the_clock_stops_steps_that_no_count_shows() {
        // At every error, the parser tries to close everything that is open, with every token.
        let source = "!} ".repeat(20_000);
        let mut left = Duration::from_millis(200);
        let mut parser = typescript();
        let started = Instant::now();
        let none = ScannerLimits::NONE;
        assert!(parse_prefix(&mut parser, &source, none, (&mut left, &|| false)).is_none());
        assert!(left.is_zero());
        assert!(started.elapsed() < Duration::from_secs(20));
        let mut left = Duration::from_millis(200);
        let next = parse_prefix(&mut parser, "f(1);", none, (&mut left, &|| false));
        assert!(next.is_some_and(|p| p.whole && !p.tree.root_node().has_error()));
    }

    #[test]
    fn the_clock_does_not_run_while_others_compute() {
        let before = thread_time();
        std::thread::sleep(Duration::from_millis(50));
        assert!(thread_time() - before < Duration::from_millis(40));
    }

    #[test]
    fn all_parses_of_a_file_share_its_time() {
        let source = "f(1);\n".repeat(20_000);
        let mut left = parse_time_limit(source.len());
        let mut parser = typescript();
        assert!(
            parse_prefix(
                &mut parser,
                &source,
                ScannerLimits::NONE,
                (&mut left, &|| false)
            )
            .is_some()
        );
        assert!(left < parse_time_limit(source.len()));
        let mut none = Duration::ZERO;
        assert!(
            parse_prefix(
                &mut parser,
                &source,
                ScannerLimits::NONE,
                (&mut none, &|| false)
            )
            .is_none()
        );
    }

    #[test]
    fn blocks_do_not_show_in_the_tree() {
        // A character of several bytes across every border of two blocks.
        let source = format!("x{}", " = 'é€𝒳' + y".repeat(2_000));
        let mut parser = typescript();
        let whole = parser.parse(&source, None).unwrap();
        let mut left = parse_time_limit(source.len());
        let blocks = parse_prefix(
            &mut parser,
            &source,
            ScannerLimits::NONE,
            (&mut left, &|| false),
        );
        let blocks = blocks.unwrap();
        assert_eq!(
            whole.root_node().to_sexp(),
            blocks.tree.root_node().to_sexp()
        );
    }
}
