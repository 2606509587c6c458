//! The shape of stack traces, line by line: the types that each language's folder fills in, and the functions that read
//! them.
//!
//! Written without regular expressions: the time is linear in the length of any text.

/// A line of a text that may be one of a stack trace.
#[derive(Debug, Clone, Copy)]
pub struct TraceLine<'t> {
    /// The line without white space at its end.
    pub line: &'t str,
    /// The line without white space at its beginning.
    pub text: &'t str,
    /// The name of a function on the line before.
    pub pending: Option<&'t str>,
}

/// A line of a stack trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The file as the trace writes it, with `/`.
    pub path: String,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The column, from 1.
    pub column: Option<u32>,
    /// The function as the trace writes it.
    pub function: Option<String>,
}

/// Format of a runtime's stack traces.
#[derive(Debug)]
pub struct TraceFormat {
    /// Name of the runtime.
    pub name: &'static str,
    /// Reads a line as a frame.
    pub frame: fn(TraceLine<'_>) -> Option<Frame>,
    /// Reads the function's name from the line before a frame's place. The line keeps the white space at its beginning.
    pub name_line: fn(&str) -> Option<&str>,
    /// Whether the innermost frame is the last.
    pub innermost_last: bool,
    /// Whether the error is written after the frames.
    pub error_last: bool,
    /// Whether the format also matches lines of other runtimes. It is then tried after all more specific ones.
    pub is_general: bool,
}

impl TraceFormat {
    /// No frame is read.
    pub const NEUTRAL: TraceFormat = TraceFormat {
        name: "",
        frame: |_| None,
        name_line: |_| None,
        innermost_last: false,
        error_last: false,
        is_general: false,
    };
}

/// Position of a frame in a file, as far as its line shows it.
#[derive(Debug, Clone, Copy)]
pub struct FrameLocation<'t> {
    /// The path as it is written.
    pub path: &'t str,
    /// The line.
    pub line: Option<u32>,
    /// The column.
    pub column: Option<u32>,
}

impl<'t> FrameLocation<'t> {
    /// Creates a position without a column.
    pub fn from_path_and_line(path: &'t str, line: Option<u32>) -> FrameLocation<'t> {
        FrameLocation {
            path,
            line,
            column: None,
        }
    }

    /// `path:12:5`, `path:12`.
    pub fn parse(text: &'t str) -> Option<FrameLocation<'t>> {
        let (before, last) = text.rsplit_once(':')?;
        let last: u32 = last.parse().ok()?;
        match before
            .rsplit_once(':')
            .and_then(|(path, line)| Some((path, line.parse::<u32>().ok()?)))
        {
            Some((path, line)) if !path.is_empty() => Some(FrameLocation {
                path,
                line: Some(line),
                column: Some(last),
            }),
            _ => {
                (!before.is_empty()).then(|| FrameLocation::from_path_and_line(before, Some(last)))
            }
        }
    }

    /// The frame of a function at this place; `None` if the place is not in a file.
    pub fn into_frame(self, function: Option<&str>) -> Option<Frame> {
        let path = normalize_path(self.path);
        let ok = !path.is_empty() && path.len() < 500 && !path.ends_with('/');
        let function = function.map(str::trim).filter(|f| !f.is_empty());
        ok.then(|| Frame {
            path,
            line: self.line,
            column: self.column,
            function: function.map(str::to_owned),
        })
    }
}

/// A path without protocol, query and backslashes.
fn normalize_path(path: &str) -> String {
    let path = path.trim().trim_matches(['"', '\'', '`']);
    let path = match path.find("://") {
        Some(at) => path[at + 3..].trim_start_matches('/'),
        None => path.strip_prefix("file:").unwrap_or(path),
    };
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let path = path.replace('\\', "/");
    path.strip_prefix("./").unwrap_or(&path).to_owned()
}

/// Position on a line `at …` that names no function: V8, Rust's backtraces. `None` if the words are prose.
pub fn location_after_at<'t>(line: &TraceLine<'t>) -> Option<FrameLocation<'t>> {
    let rest = rest_after_at(line)?;
    if rest.ends_with(')') && rest.contains('(') {
        return None;
    }
    let at = FrameLocation::parse(rest.trim_start_matches("async "))?;
    (!at.path.contains(' ') || at.path.contains(['/', '\\'])).then_some(at)
}

/// Text after `at `, if it can be a frame.
pub fn rest_after_at<'t>(line: &TraceLine<'t>) -> Option<&'t str> {
    let rest = line.text.strip_prefix("at ")?;
    (line.line != line.text || rest.contains(['(', ':'])).then_some(rest)
}

/// Name and place of `at name(place)`.
pub fn name_and_place_after_at<'t>(line: &TraceLine<'t>) -> Option<(&'t str, &'t str)> {
    rest_after_at(line)?.strip_suffix(')')?.rsplit_once('(')
}

/// A function's name without its arguments, and without the number of its frame.
pub fn function_name(text: &str) -> &str {
    let text = match text.rsplit_once(" in goroutine ") {
        Some((name, number)) if number.chars().all(|c| c.is_ascii_digit()) => name,
        _ => text,
    };
    let text = match text.split_once(": ") {
        Some((number, name)) if number.chars().all(|c| c.is_ascii_digit()) => name,
        _ => text,
    };
    let end = match text.rfind('(') {
        Some(at) if text.ends_with(')') => at,
        _ => text.len(),
    };
    &text[..end]
}
