//! Distinguishes the output of a minifier from text written by a person.

/// Bytes of a line that is too long to be written by hand.
const LONG: usize = 5_000;
/// Average bytes of a line in a file that a minifier wrote.
const LONG_ON_AVERAGE: usize = 400;
/// A shorter text is always read.
const SHORT_TEXT: usize = 4_000;

/// Whether a minifier wrote the text: most of its code is in very long lines. Comments and literals are not code: a
/// long line of them, such as an image within a source file, says nothing about the rest.
pub fn is_minified(text: &str) -> bool {
    if text.len() < SHORT_TEXT || !text.lines().any(|line| line.len() > LONG) {
        return false;
    }
    let lines = text.lines().count().max(1);
    if text.len() / lines <= LONG_ON_AVERAGE {
        return false;
    }
    let mut long = Part::default();
    let mut other = Part::default();
    let mut reader = Reader::default();
    for line in text.lines() {
        let part = if line.len() > LONG {
            &mut long
        } else {
            &mut other
        };
        part.add(reader.read(line.as_bytes()), line.len());
    }
    let is_all_long = other.bytes * 20 < long.bytes;
    long.code > other.code && (long.code > LONG || is_all_long)
}

/// Lines that are not comments.
#[derive(Default)]
struct Part {
    bytes: usize,
    /// Lines that are neither blank nor in a comment or literal.
    code: usize,
}

impl Part {
    fn add(&mut self, code: Option<usize>, bytes: usize) {
        self.bytes += code.map_or(0, |_| bytes);
        self.code += code.unwrap_or(0);
    }
}

/// State at the end of a line.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Code,
    /// Until `*/`.
    Comment,
    /// Until that quote three times.
    Literal(u8),
    /// Until that quote, in the same line.
    Quote(u8),
}

/// A comment or literal of several lines begins within this many bytes of the start of a line.
const NEAR_START: usize = 200;

/// Reads a text line by line, without knowing its language: quotes and comment marks are those of nearly all languages.
#[derive(Default)]
struct Reader {
    state: State,
    /// States that do not end in this line, so that each end is searched for once.
    endless: Vec<State>,
}

impl Reader {
    /// Number of bytes of a line that are neither blank nor in a comment or literal; `None` if all of it is a comment.
    fn read(&mut self, line: &[u8]) -> Option<usize> {
        self.endless.clear();
        let line = line.trim_ascii();
        let was_within = self.state != State::Code;
        if !was_within && is_comment(line) {
            return None;
        }
        let (mut at, mut code) = (0, 0);
        while at < line.len() {
            let within = match self.state {
                State::Code => self.enter(&line[at..], at),
                within => self.leave(within, &line[at..]),
            };
            at += within.unwrap_or(1);
            let is_code = within.is_none() && !line[at - 1].is_ascii_whitespace();
            code += usize::from(is_code);
        }
        (code > 0 || !was_within).then_some(code)
    }

    /// Number of bytes of a comment or literal that begins here; `None` if none does.
    fn enter(&mut self, rest: &[u8], at: usize) -> Option<usize> {
        let (begun, mark) = match rest {
            [b'/', b'*', ..] => (State::Comment, 2),
            [a @ (b'"' | b'\''), b, c, ..] if a == b && b == c => (State::Literal(*a), 3),
            [quote @ (b'"' | b'\'' | b'`'), ..] => (State::Quote(*quote), 1),
            [b' ', b'/', b'/', b' ', ..] => return Some(rest.len()),
            _ => return None,
        };
        if self.endless.contains(&begun) {
            return None;
        }
        if let Some(end) = begun.find_end(&rest[mark..]) {
            return Some(mark + end);
        }
        if matches!(begun, State::Quote(_)) || at > NEAR_START {
            self.endless.push(begun);
            return None;
        }
        self.state = begun;
        Some(rest.len())
    }

    /// Number of bytes up to and including the end of the comment or literal that began on an earlier line.
    fn leave(&mut self, within: State, rest: &[u8]) -> Option<usize> {
        let end = within.find_end(rest);
        if end.is_some() {
            self.state = State::Code;
        }
        Some(end.unwrap_or(rest.len()))
    }
}

impl State {
    /// Position after the closing mark of this state.
    fn find_end(self, text: &[u8]) -> Option<usize> {
        match self {
            State::Code => Some(0),
            State::Comment => text
                .windows(2)
                .position(|two| two == b"*/")
                .map(|at| at + 2),
            State::Literal(quote) => {
                let end = [quote; 3];
                text.windows(3)
                    .position(|three| three == end)
                    .map(|at| at + 3)
            }
            State::Quote(quote) => find_quote(text, quote),
        }
    }
}

/// Position after the first quote without a backslash before it.
fn find_quote(text: &[u8], quote: u8) -> Option<usize> {
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 2,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

/// Whether all of the line is a comment.
fn is_comment(line: &[u8]) -> bool {
    let marks = ["//", "#", "--", ";;"];
    marks.iter().any(|mark| line.starts_with(mark.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_source(line: &str) -> String {
        let source = "def compute(value):\n    return value + 1\n\n\n";
        format!("{}{line}\n{}", source.repeat(10), source.repeat(10))
    }

    #[test]
    fn code_in_very_long_lines_is_minified() {
        assert!(is_minified(&"var a=1;".repeat(2_000)));
        assert!(is_minified(&format!(
            "/*! licence */\n{}",
            "function f(a){return a+\"x\"};".repeat(900)
        )));
        assert!(!is_minified(&"var a = 1;\n".repeat(2_000)));
        assert!(!is_minified(&"x".repeat(3_000)));
    }

    #[test]
    fn a_quote_in_a_regular_expression_hides_no_code() {
        let minified =
            "var r=/[\"]/g,q=a.replace(/\\//g,'b');function g(x){return x*2}".repeat(500);
        assert!(is_minified(&minified));
    }

    #[test]
    fn one_long_comment_or_literal_is_not_minified() {
        let long = "lorem ipsum dolor ".repeat(4_000);
        for line in [
            format!("# {long}"),
            format!("    // {long}"),
            format!("TEXT = \"{long}\""),
            format!("TEXT = '{long}'"),
            format!("/* {long} */"),
            format!("\"\"\"\n{long}\n\"\"\""),
            format!("/*\n{long}\n*/"),
        ] {
            assert!(!is_minified(&with_source(&line)), "{}", &line[..20]);
        }
    }

    #[test]
    fn data_in_one_line_is_not_read() {
        let items = "{\"name\":\"value\"},".repeat(400);
        assert!(is_minified(&format!("[{items}{{}}]")));
        assert!(is_minified(&format!(
            "export default \"{}\"",
            "QUJD".repeat(4_000)
        )));
    }

    #[test]
    fn what_never_ends_is_looked_for_once_a_line() {
        // A search from each of these quotes would take far too long.
        let quotes = "'\\'\\".repeat(1_000_000);
        assert!(is_minified(&quotes));
        let comments = format!("{}{}", "a".repeat(300), "/*a".repeat(1_000_000));
        assert!(is_minified(&comments));
    }
}
