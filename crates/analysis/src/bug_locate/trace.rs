//! Stack traces in a text. Lines are read by the formats that the folders of languages have, and by one for any `path:line`.
//!
//! Lines are read without regular expressions: the time is linear in the length of any text.

use super::native;
use base::Language;
pub use base::trace::Frame;
use base::trace::{FrameLocation, TraceFormat, TraceLine};
use std::fmt;
use std::sync::LazyLock;

/// Most frames that are read from one text.
const MOST_FRAMES: usize = 400;
/// Most bytes of a line that are read.
const MOST_LINE: usize = 2_000;
/// Lines between two frames of one trace: source that is repeated, marks under it, blank lines.
const MOST_LINES_BETWEEN: usize = 4;

/// The runtime or compiler that wrote a trace.
#[derive(Clone, Copy)]
pub struct TraceLanguage(&'static TraceFormat);

impl TraceLanguage {
    /// Whether it is a `path:line` in a text, not the format of a runtime.
    pub fn is_plain(self) -> bool {
        self == TraceLanguage(&PLAIN)
    }
}

impl PartialEq for TraceLanguage {
    fn eq(&self, other: &TraceLanguage) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for TraceLanguage {}

impl fmt::Debug for TraceLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

/// `path:line` in a text.
const PLAIN: TraceFormat = TraceFormat {
    name: "Plain",
    frame: parse_plain_frame,
    ..TraceFormat::NEUTRAL
};

/// Every format, the more specific ones first.
static FORMATS: LazyLock<Vec<&'static TraceFormat>> = LazyLock::new(|| {
    let mut all: Vec<&TraceFormat> = Vec::new();
    for format in Language::ALL.iter().filter_map(|l| l.profile().traces) {
        // Languages of one family share a format.
        if all.iter().all(|known| known.name != format.name) {
            all.push(format);
        }
    }
    all.sort_by_key(|format| format.is_general);
    all.push(&native::FORMAT);
    all.push(&PLAIN);
    all
});

/// A stack trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The runtime or compiler that wrote it.
    pub language: TraceLanguage,
    /// The error that was raised: `ValueError: no such table`.
    pub error: Option<String>,
    /// Frames: the place where the error was raised first, then its callers.
    pub frames: Vec<Frame>,
}

/// The stack traces of a text, in its order.
pub fn parse_stack_traces(text: &str) -> Vec<Trace> {
    let mut reader = TraceParser::default();
    for line in text.lines() {
        let mut end = line.len().min(MOST_LINE);
        while !line.is_char_boundary(end) {
            end -= 1;
        }
        reader.read_line(line[..end].trim_end());
        if reader.frames >= MOST_FRAMES {
            break;
        }
    }
    reader.finish()
}

#[derive(Default)]
struct TraceParser {
    finished: Vec<Trace>,
    current: Option<Trace>,
    /// The last line that was no frame.
    last_non_frame_line: String,
    /// Lines since the last frame.
    lines_since_frame: usize,
    /// A name on the line before its place: Go and Rust.
    pending_function_name: Option<String>,
    frames: usize,
}

/// A frame as one line gives it.
struct ParsedFrame {
    language: TraceLanguage,
    frame: Frame,
}

/// Checks a frame: it needs a file or a function; lines count from 1.
fn validate_frame(mut found: ParsedFrame) -> Option<ParsedFrame> {
    found.frame.line = found.frame.line.filter(|line| *line > 0);
    let is_named = found.frame.path.is_empty() && found.frame.function.is_some();
    (!found.frame.path.is_empty() || is_named).then_some(found)
}

impl TraceParser {
    fn read_line(&mut self, line: &str) {
        let text = line.trim_start();
        if text.is_empty() {
            self.lines_since_frame += 1;
            return;
        }
        let pending = self.pending_function_name.take();
        let line_of_trace = TraceLine {
            line,
            text,
            pending: pending.as_deref(),
        };
        match parse_frame(line_of_trace).and_then(validate_frame) {
            Some(found) => self.push_frame(found),
            None => self.read_non_frame_line(line, text),
        }
    }

    fn push_frame(&mut self, found: ParsedFrame) {
        self.frames += 1;
        let same = self.current.as_ref().is_some_and(|t| {
            t.language == found.language && self.lines_since_frame <= MOST_LINES_BETWEEN
        });
        if !same {
            self.finish_trace();
            let error =
                Some(std::mem::take(&mut self.last_non_frame_line)).filter(|e| !e.is_empty());
            self.current = Some(Trace {
                language: found.language,
                error: error.filter(|_| !found.language.0.error_last && !found.language.is_plain()),
                frames: Vec::new(),
            });
        }
        self.lines_since_frame = 0;
        if let Some(open) = &mut self.current
            && open.frames.last() != Some(&found.frame)
        {
            open.frames.push(found.frame);
        }
    }

    fn read_non_frame_line(&mut self, line: &str, text: &str) {
        self.lines_since_frame += 1;
        if let Some(name) = name_line(line) {
            self.pending_function_name = Some(name.to_owned());
            // A goroutine has its functions between its places.
            self.lines_since_frame = self.lines_since_frame.saturating_sub(1);
            return;
        }
        if text.starts_with("Caused by:") || text.starts_with("Traceback (most recent") {
            self.finish_trace();
        }
        let open = self.current.as_ref();
        let error_last = open.is_some_and(|t| t.language.0.error_last);
        if error_last && line == text && looks_like_error(text) {
            if let Some(open) = &mut self.current {
                open.error = Some(text.to_owned());
            }
            self.finish_trace();
        }
        let text = text.strip_prefix("Caused by: ").unwrap_or(text);
        let is_of_trace = text.starts_with("goroutine ")
            || text.starts_with("stack backtrace")
            || is_numbered(text);
        if !is_of_trace {
            self.last_non_frame_line = text.to_owned();
        }
    }

    fn finish_trace(&mut self) {
        let Some(mut trace) = self.current.take() else {
            return;
        };
        if trace.language.0.innermost_last {
            trace.frames.reverse();
        }
        self.finished.push(trace);
    }

    fn finish(mut self) -> Vec<Trace> {
        self.finish_trace();
        self.finished
    }
}

/// `#0  0x00007ffff7 in raise () from /lib/libc.so.6`: a frame without a file.
fn is_numbered(text: &str) -> bool {
    let rest = text.strip_prefix('#');
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// `ValueError: text`, `pkg.SomeError: text`, `KeyError`.
fn looks_like_error(text: &str) -> bool {
    let name = text.split(':').next().unwrap_or_default();
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    name.len() > 2 && name.chars().all(word) && name.starts_with(|c: char| c.is_alphabetic())
}

/// The name of a function on a line before the place of its frame.
pub(super) fn name_line(line: &str) -> Option<&str> {
    FORMATS.iter().find_map(|format| (format.name_line)(line))
}

fn parse_frame(line: TraceLine<'_>) -> Option<ParsedFrame> {
    FORMATS.iter().find_map(|format| {
        let frame = (format.frame)(line)?;
        let language = TraceLanguage(format);
        Some(ParsedFrame { language, frame })
    })
}

/// `src/a.py:12: in f`, `--> src/a.rs:1:2`, `src/a.ts:1:2 - error`, `src/a.ts(1,2): error`.
fn parse_plain_frame(TraceLine { text, .. }: TraceLine<'_>) -> Option<Frame> {
    let text = text.strip_prefix("--> ").unwrap_or(text);
    let word = text.split([' ', ',']).find(|w| has_path_and_line(w))?;
    let word = word.trim_start_matches(['(', '[', '<', '"', '\'', '`']);
    let word = word.trim_end_matches([')', ']', '>', '"', '\'', '`', ':', '.', ';']);
    let at = FrameLocation::parse(word)?;
    // A host with a port, or a time of day, is not a file.
    let name = at.path.rsplit(['/', '\\']).next().unwrap_or_default();
    let (stem, end) = name.rsplit_once('.')?;
    let letters =
        !end.is_empty() && end.len() <= 5 && end.chars().all(|c| c.is_ascii_alphanumeric());
    let named = !stem.is_empty() && end.starts_with(|c: char| c.is_ascii_alphabetic());
    let web = at.path.contains("://") && !at.path.starts_with("file");
    if !letters || !named || web {
        return None;
    }
    at.into_frame(None)
}

/// Whether a word holds `.x` and `:1`.
fn has_path_and_line(word: &str) -> bool {
    let digits = |at: usize| word[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    word.contains('.') && word.match_indices(':').any(|(at, _)| digits(at))
}

#[cfg(test)]
#[path = "trace_tests.rs"]
mod tests;
