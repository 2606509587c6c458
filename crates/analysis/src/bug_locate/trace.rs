//! Stack traces in a text: Python, JavaScript and TypeScript, Java, Go, Rust, C#, Ruby, PHP.
//!
//! Read line by line without regular expressions: whatever the text, time is linear in its length.

/// Frames that are read of one text.
const MOST_FRAMES: usize = 400;
/// Bytes of a line that are looked at.
const MOST_LINE: usize = 2_000;

/// Who wrote a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceLanguage {
    /// Python, IPython and pytest.
    Python,
    /// V8, Firefox and Safari.
    JavaScript,
    /// Java, Kotlin, Scala.
    Java,
    /// Go.
    Go,
    /// Rust.
    Rust,
    /// .NET.
    CSharp,
    /// Ruby.
    Ruby,
    /// PHP.
    Php,
    /// `path:line` in a text.
    Plain,
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

/// A frame without a file is none; lines count from 1.
fn validate_frame(mut found: ParsedFrame) -> Option<ParsedFrame> {
    found.frame.line = found.frame.line.filter(|line| *line > 0);
    (!found.frame.path.is_empty()).then_some(found)
}

impl TraceParser {
    fn read_line(&mut self, line: &str) {
        let text = line.trim_start();
        if text.is_empty() {
            self.lines_since_frame += 1;
            return;
        }
        match parse_frame(line, text, self.pending_function_name.take()).and_then(validate_frame) {
            Some(found) => self.push_frame(found),
            None => self.read_non_frame_line(line, text),
        }
    }

    fn push_frame(&mut self, found: ParsedFrame) {
        self.frames += 1;
        let same = self.current.as_ref().is_some_and(|t| {
            let plain = [t.language, found.language].contains(&TraceLanguage::Plain);
            (t.language == found.language && !plain || both_plain(t, &found))
                && self.lines_since_frame <= 4
        });
        if !same {
            self.finish_trace();
            let error =
                Some(std::mem::take(&mut self.last_non_frame_line)).filter(|e| !e.is_empty());
            self.current = Some(Trace {
                language: found.language,
                error: error.filter(|_| {
                    !matches!(found.language, TraceLanguage::Python | TraceLanguage::Plain)
                }),
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
        if is_rust_backtrace_name(text) || is_go_frame_name(line) {
            self.pending_function_name = Some(parse_function_name(text));
            // A goroutine's functions stand between its places.
            self.lines_since_frame = self.lines_since_frame.saturating_sub(1);
            return;
        }
        if text.starts_with("Caused by:") || text.starts_with("Traceback (most recent") {
            self.finish_trace();
        }
        let python = self
            .current
            .as_ref()
            .is_some_and(|t| t.language == TraceLanguage::Python);
        if python && line == text && looks_like_error(text) {
            if let Some(open) = &mut self.current {
                open.error = Some(text.to_owned());
            }
            self.finish_trace();
        }
        let text = text.strip_prefix("Caused by: ").unwrap_or(text);
        if !text.starts_with("goroutine ") && !text.starts_with("stack backtrace") {
            self.last_non_frame_line = text.to_owned();
        }
    }

    fn finish_trace(&mut self) {
        let Some(mut trace) = self.current.take() else {
            return;
        };
        if trace.language == TraceLanguage::Python {
            // Written with the innermost last.
            trace.frames.reverse();
        }
        self.finished.push(trace);
    }

    fn finish(mut self) -> Vec<Trace> {
        self.finish_trace();
        self.finished
    }
}

fn both_plain(trace: &Trace, found: &ParsedFrame) -> bool {
    trace.language == TraceLanguage::Plain && found.language == TraceLanguage::Plain
}

/// `ValueError: text`, `pkg.SomeError: text`, `KeyError`.
fn looks_like_error(text: &str) -> bool {
    let name = text.split(':').next().unwrap_or_default();
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    name.len() > 2 && name.chars().all(word) && name.starts_with(|c: char| c.is_alphabetic())
}

/// `   3: crate::module::function`, the line before `at ./src/x.rs:1:2`.
fn is_rust_backtrace_name(text: &str) -> bool {
    let Some((number, name)) = text.split_once(": ") else {
        return false;
    };
    !number.is_empty()
        && number.chars().all(|c| c.is_ascii_digit())
        && !name.contains(' ')
        && name.contains("::")
}

/// `main.(*Server).run(0xc000…)`, the line before `\t/x/server.go:12 +0x1d`.
pub(super) fn is_go_frame_name(line: &str) -> bool {
    let name = line.rsplit_once('(').map_or("", |(name, _)| name);
    let called = line.ends_with(')') && !line.starts_with([' ', '\t']);
    called && name.contains('.') && !name.contains(' ') || line.starts_with("created by ")
}

fn parse_function_name(text: &str) -> String {
    let text = text.strip_prefix("created by ").unwrap_or(text);
    let text = match text.split_once(": ") {
        Some((number, name)) if number.chars().all(|c| c.is_ascii_digit()) => name,
        _ => text,
    };
    let end = match text.rfind('(') {
        Some(at) if text.ends_with(')') => at,
        _ => text.len(),
    };
    text[..end].to_owned()
}

fn parse_frame(line: &str, text: &str, pending: Option<String>) -> Option<ParsedFrame> {
    parse_python_frame(text)
        .or_else(|| parse_at_frame(line, text, pending.clone()))
        .or_else(|| parse_rust_panic(text))
        .or_else(|| parse_go_frame(line, text, pending))
        .or_else(|| parse_php_frame(text))
        .or_else(|| parse_ruby_frame(text))
        .or_else(|| parse_firefox_frame(text))
        .or_else(|| parse_plain_frame(text))
}

/// Where in a file a frame is, as far as its line says.
#[derive(Clone, Copy)]
struct FrameLocation<'t> {
    path: &'t str,
    line: Option<u32>,
    column: Option<u32>,
}

impl<'t> FrameLocation<'t> {
    fn from_path_and_line(path: &'t str, line: Option<u32>) -> FrameLocation<'t> {
        FrameLocation {
            path,
            line,
            column: None,
        }
    }
}

fn build_frame(
    language: TraceLanguage,
    location: FrameLocation<'_>,
    function: Option<&str>,
) -> Option<ParsedFrame> {
    let path = normalize_path(location.path);
    let ok = !path.is_empty() && path.len() < 500 && !path.ends_with('/');
    let function = function.map(str::trim).filter(|f| !f.is_empty());
    ok.then(|| ParsedFrame {
        language,
        frame: Frame {
            path,
            line: location.line,
            column: location.column,
            function: function.map(str::to_owned),
        },
    })
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

/// `path:12:5`, `path:12`.
fn parse_path_line_column(text: &str) -> Option<FrameLocation<'_>> {
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
        _ => (!before.is_empty()).then(|| FrameLocation::from_path_and_line(before, Some(last))),
    }
}

/// `File "x.py", line 12, in f`; IPython's `x.py in f(a)` and `File x.py:12, in f(a)`.
fn parse_python_frame(text: &str) -> Option<ParsedFrame> {
    let rest = text.strip_prefix("File ")?;
    if let Some(rest) = rest.strip_prefix('"') {
        let (path, rest) = rest.split_once('"')?;
        let rest = rest.strip_prefix(", line ")?;
        let digits = rest.find(|c: char| !c.is_ascii_digit());
        let (line, rest) = rest.split_at(digits.unwrap_or(rest.len()));
        let function = rest.strip_prefix(", in ");
        let line = line.parse().ok()?;
        return build_frame(
            TraceLanguage::Python,
            FrameLocation::from_path_and_line(path, Some(line)),
            function,
        );
    }
    let (at, function) = rest.split_once(", in ")?;
    let function = function.split('(').next();
    build_frame(TraceLanguage::Python, parse_path_line_column(at)?, function)
}

/// Lines that begin with `at `: V8, Java, C#, Rust's backtraces.
fn parse_at_frame(line: &str, text: &str, pending: Option<String>) -> Option<ParsedFrame> {
    let rest = text.strip_prefix("at ")?;
    if line == text && !rest.contains(['(', ':']) {
        return None;
    }
    if let Some((name, place_text)) = rest.rsplit_once(" in ")
        && let Some((path, number)) = place_text.rsplit_once(":line ")
    {
        let name = name.split('(').next();
        let line = number.trim().parse().ok();
        return build_frame(
            TraceLanguage::CSharp,
            FrameLocation::from_path_and_line(path, line),
            name,
        );
    }
    if let Some(inner) = rest.strip_suffix(')')
        && let Some((name, at)) = inner.rsplit_once('(')
    {
        if !at.contains('/') && !at.contains('\\') && parse_java_location(at).is_some() {
            return java_frame(name, at);
        }
        let name = name.trim().trim_start_matches("async ");
        let name = name.split(" [as ").next();
        // `at eval (eval at f (x.js:1:2), <anonymous>:1:1)`
        let at = at.split(", <anonymous>").next().unwrap_or(at);
        return build_frame(TraceLanguage::JavaScript, parse_path_line_column(at)?, name);
    }
    let rest = rest.trim_start_matches("async ");
    let at = parse_path_line_column(rest)?;
    if at.path.contains(' ') && !at.path.contains(['/', '\\']) {
        return None;
    }
    match (pending, at.path.ends_with(".rs")) {
        (name, true) => build_frame(TraceLanguage::Rust, at, name.as_deref()),
        _ => build_frame(TraceLanguage::JavaScript, at, None),
    }
}

/// `File.java:12`, `File.kt`, `Native Method`.
fn parse_java_location(at: &str) -> Option<(&str, Option<u32>)> {
    let (file, line) = match at.split_once(':') {
        Some((file, line)) => (file, line.parse().ok()),
        None => (at, None),
    };
    let ends = [".java", ".kt", ".scala", ".groovy", ".clj"];
    ends.iter()
        .any(|e| file.ends_with(e))
        .then_some((file, line))
}

/// The path of `a.b.C$D.m(C.java:3)` is `a/b/C.java`.
fn java_frame(name: &str, at: &str) -> Option<ParsedFrame> {
    let (file, line) = parse_java_location(at)?;
    // `module@1.0/pkg.Class.method`, `app//pkg.Class.method`
    let name = name.rsplit('/').next().unwrap_or(name);
    let parts: Vec<&str> = name.split('.').collect();
    let package = parts.len().saturating_sub(2);
    let mut path = parts[..package].join("/");
    if !path.is_empty() {
        path.push('/');
    }
    path.push_str(file);
    let function = parts[package..].join(".");
    build_frame(
        TraceLanguage::Java,
        FrameLocation::from_path_and_line(&path, line),
        Some(&function),
    )
}

/// `thread 'main' panicked at src/main.rs:2:5:` and `panicked at 'text', src/main.rs:2:5`.
fn parse_rust_panic(text: &str) -> Option<ParsedFrame> {
    let (_, rest) = text.split_once("panicked at ")?;
    let rest = rest.trim_end_matches(':');
    let at = match rest.rsplit_once("', ") {
        Some((_, at)) => at,
        None => rest,
    };
    build_frame(TraceLanguage::Rust, parse_path_line_column(at)?, None)
}

/// `\t/x/server.go:12 +0x1d`.
fn parse_go_frame(line: &str, text: &str, pending: Option<String>) -> Option<ParsedFrame> {
    let at = text.split(" +0x").next()?;
    let place = parse_path_line_column(at.trim_end())?;
    let indented = line.starts_with([' ', '\t']);
    let ok = place.path.ends_with(".go") && !place.path.contains(' ');
    if !ok || (!indented && pending.is_none()) {
        return None;
    }
    build_frame(TraceLanguage::Go, place, pending.as_deref())
}

/// `#0 /x/a.php(12): C->m()`, `in /x/a.php:12`, `in /x/a.php on line 12`.
fn parse_php_frame(text: &str) -> Option<ParsedFrame> {
    if !text.contains(".php") {
        return None;
    }
    if let Some(rest) = text.strip_prefix('#') {
        let (_, rest) = rest.split_once(' ')?;
        let (path, rest) = rest.split_once('(')?;
        let (line, rest) = rest.split_once(')')?;
        let name = rest.trim_start_matches(": ").split('(').next();
        return build_frame(
            TraceLanguage::Php,
            FrameLocation::from_path_and_line(path, line.parse().ok()),
            name,
        );
    }
    let (_, rest) = text.rsplit_once(" in ")?;
    if let Some((path, line)) = rest.split_once(" on line ") {
        let line = line.split(|c: char| !c.is_ascii_digit()).next()?;
        return build_frame(
            TraceLanguage::Php,
            FrameLocation::from_path_and_line(path, line.parse().ok()),
            None,
        );
    }
    let at = parse_path_line_column(rest).filter(|at| at.path.ends_with(".php"))?;
    build_frame(TraceLanguage::Php, at, None)
}

/// `x.rb:12:in 'm'`, with `from ` before it.
fn parse_ruby_frame(text: &str) -> Option<ParsedFrame> {
    let text = text.strip_prefix("from ").unwrap_or(text);
    let (at, name) = text.split_once(":in ")?;
    let (path, line) = at.rsplit_once(':')?;
    let line = line.parse().ok()?;
    let name = name.trim_start_matches(['`', '\'']);
    let name = name.split(['\'', '`']).next();
    let path = path.rsplit(' ').next()?;
    build_frame(
        TraceLanguage::Ruby,
        FrameLocation::from_path_and_line(path, Some(line)),
        name,
    )
}

/// `f@http://host/a.js:12:5`.
fn parse_firefox_frame(text: &str) -> Option<ParsedFrame> {
    let (name, at) = text.split_once('@')?;
    if name.contains(' ') || !(at.contains("://") || at.starts_with('/')) {
        return None;
    }
    let at = parse_path_line_column(at)?;
    at.column?;
    build_frame(TraceLanguage::JavaScript, at, Some(name))
}

/// `src/a.py:12: in f`, `--> src/a.rs:1:2`, `src/a.ts:1:2 - error`, `src/a.ts(1,2): error`.
fn parse_plain_frame(text: &str) -> Option<ParsedFrame> {
    let text = text.strip_prefix("--> ").unwrap_or(text);
    let word = text.split([' ', ',']).find(|w| has_path_and_line(w))?;
    let word = word.trim_start_matches(['(', '[', '<', '"', '\'', '`']);
    let word = word.trim_end_matches([')', ']', '>', '"', '\'', '`', ':', '.', ';']);
    let at = parse_path_line_column(word)?;
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
    build_frame(TraceLanguage::Plain, at, None)
}

/// Whether a word holds `.x` and `:1`.
fn has_path_and_line(word: &str) -> bool {
    let digits = |at: usize| word[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    word.contains('.') && word.match_indices(':').any(|(at, _)| digits(at))
}

#[cfg(test)]
#[path = "trace_tests.rs"]
mod tests;
