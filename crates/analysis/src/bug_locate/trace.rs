//! Stack traces in a text. Lines are read by the formats that the folders of languages have, and by those that stand here.
//!
//! Read line by line without regular expressions: whatever the text, time is linear in its length.

use super::native;
use base::Language;
pub use base::trace::Frame;
use base::trace::{FrameLocation, TraceFormat, TraceLine, rest_after_at};
use std::fmt;
use std::sync::LazyLock;

/// Frames that are read of one text.
const MOST_FRAMES: usize = 400;
/// Bytes of a line that are looked at.
const MOST_LINE: usize = 2_000;

/// Who wrote a trace.
#[derive(Clone, Copy)]
pub struct TraceLanguage(&'static TraceFormat);

impl TraceLanguage {
    /// Whether it is `path:line` in a text, as no runtime writes it.
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

/// Formats of languages without a folder of their own.
const OTHERS: [&TraceFormat; 3] = [&C, &CSHARP, &PHP];

/// C and C++, and what else is debugged with the same tools.
const C: TraceFormat = TraceFormat {
    name: "C",
    frame: parse_c_frame,
    ..TraceFormat::NEUTRAL
};

/// .NET.
const CSHARP: TraceFormat = TraceFormat {
    name: "CSharp",
    frame: parse_csharp_frame,
    ..TraceFormat::NEUTRAL
};

const PHP: TraceFormat = TraceFormat {
    name: "Php",
    frame: parse_php_frame,
    ..TraceFormat::NEUTRAL
};

/// `path:line` in a text.
const PLAIN: TraceFormat = TraceFormat {
    name: "Plain",
    frame: parse_plain_frame,
    ..TraceFormat::NEUTRAL
};

/// Every format, the more special first.
static FORMATS: LazyLock<Vec<&'static TraceFormat>> = LazyLock::new(|| {
    let mut all: Vec<&TraceFormat> = OTHERS.to_vec();
    for format in Language::ALL.iter().filter_map(|l| l.profile().traces) {
        // A family writes one format.
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
    /// Who wrote it.
    pub language: TraceLanguage,
    /// What was raised: `ValueError: no such table`.
    pub error: Option<String>,
    /// Where it was raised first, then its callers.
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

/// A frame without a file or a function is none; lines count from 1.
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
        let same = self
            .current
            .as_ref()
            .is_some_and(|t| t.language == found.language && self.lines_since_frame <= 4);
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
            // A goroutine's functions stand between its places.
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

/// The name of a function on a line that stands before the place of its frame.
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

/// `at Shop.Cart.Add(Item item) in C:\x\Cart.cs:line 42`.
fn parse_csharp_frame(line: TraceLine<'_>) -> Option<Frame> {
    let (name, place) = rest_after_at(&line)?.rsplit_once(" in ")?;
    let (path, number) = place.rsplit_once(":line ")?;
    let at = FrameLocation::from_path_and_line(path, number.trim().parse().ok());
    at.into_frame(name.split('(').next())
}

/// `#1  0x0000 in f (c=0x1) at server.c:12` (gdb), `#0 0x4b5c in f /x/a.c:1:2` (sanitizers), `frame #1: 0x1 bin`f(c=1) at
/// a.c:1:2` (lldb), `==1==    by 0x10: f (a.c:5)` (Valgrind).
fn parse_c_frame(TraceLine { text, .. }: TraceLine<'_>) -> Option<Frame> {
    if text.starts_with("==") {
        return parse_valgrind_frame(text);
    }
    let text = text.strip_prefix("* ").unwrap_or(text).trim_start();
    let text = text.strip_prefix("frame ").unwrap_or(text);
    let rest = text.strip_prefix('#')?;
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .filter(|at| *at > 0)?;
    let rest = rest[digits..].trim_start_matches(':').trim_start();
    // An address, where there is one.
    let rest = match rest
        .strip_prefix("0x")
        .and_then(|rest| rest.split_once(' '))
    {
        Some((_, rest)) => rest.strip_prefix("in ").unwrap_or(rest),
        None => rest,
    };
    let rest = rest.split_once('`').map_or(rest, |(_, rest)| rest);
    if let Some((name, at)) = rest.rsplit_once(" at ") {
        let at = at.split_whitespace().next()?;
        let at = FrameLocation::parse(at).filter(|at| is_c_path(at.path))?;
        return at.into_frame(Some(c_function_name(name)));
    }
    let (name, at) = rest.rsplit_once(' ')?;
    let at = FrameLocation::parse(at).filter(|at| is_c_path(at.path))?;
    at.into_frame(Some(c_function_name(name)))
}

/// `==1234==    at 0x4C2FB0F: malloc (vg_replace_malloc.c:299)`.
fn parse_valgrind_frame(text: &str) -> Option<Frame> {
    let (_, rest) = text.strip_prefix("==")?.split_once("== ")?;
    let rest = rest.trim_start();
    let rest = rest.strip_prefix("at 0x").or(rest.strip_prefix("by 0x"))?;
    let (name, at) = rest.split_once(": ")?.1.rsplit_once(" (")?;
    let at = FrameLocation::parse(at.strip_suffix(')')?)?;
    at.into_frame(Some(c_function_name(name)))
}

/// The name without its parameters.
fn c_function_name(text: &str) -> &str {
    // `operator()(int)` has two pairs, and the first is part of its name.
    let name = text.split_once(" (").map_or(text, |(name, _)| name);
    match name.find('(') {
        Some(at) if at > 0 && !name.contains("operator(") => &name[..at],
        _ => name,
    }
}

/// Whether a path is one of a language that these tools debug.
fn is_c_path(path: &str) -> bool {
    const ENDS: [&str; 18] = [
        "c", "h", "cc", "hh", "cpp", "hpp", "cxx", "hxx", "c++", "m", "mm", "rs", "go", "swift",
        "zig", "d", "S", "inc",
    ];
    let end = path.rsplit('.').next().unwrap_or_default();
    ENDS.contains(&end)
}

/// `#0 /x/a.php(12): C->m()`, `in /x/a.php:12`, `in /x/a.php on line 12`.
fn parse_php_frame(TraceLine { text, .. }: TraceLine<'_>) -> Option<Frame> {
    if !text.contains(".php") {
        return None;
    }
    if let Some(rest) = text.strip_prefix('#') {
        let (_, rest) = rest.split_once(' ')?;
        let (path, rest) = rest.split_once('(')?;
        let (line, rest) = rest.split_once(')')?;
        let name = rest.trim_start_matches(": ").split('(').next();
        return FrameLocation::from_path_and_line(path, line.parse().ok()).into_frame(name);
    }
    let (_, rest) = text.rsplit_once(" in ")?;
    if let Some((path, line)) = rest.split_once(" on line ") {
        let line = line.split(|c: char| !c.is_ascii_digit()).next()?;
        return FrameLocation::from_path_and_line(path, line.parse().ok()).into_frame(None);
    }
    let at = FrameLocation::parse(rest).filter(|at| at.path.ends_with(".php"))?;
    at.into_frame(None)
}

/// `src/a.py:12: in f`, `--> src/a.rs:1:2`, `src/a.ts:1:2 - error`, `src/a.ts(1,2): error`.
fn parse_plain_frame(TraceLine { text, .. }: TraceLine<'_>) -> Option<Frame> {
    let text = text.strip_prefix("--> ").unwrap_or(text);
    let word = text.split([' ', ',']).find(|w| has_path_and_line(w))?;
    let word = word.trim_start_matches(['(', '[', '<', '"', '\'', '`']);
    let word = word.trim_end_matches([')', ']', '>', '"', '\'', '`', ':', '.', ';']);
    let at = FrameLocation::parse(word)?;
    // A host with a port and a time of day are no files.
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
