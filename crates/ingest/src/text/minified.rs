//! Distinguishes the output of a minifier from text written by a person.

use base::Language;
use base::language::CommentSyntax;

/// Bytes of a line that is too long to be written by hand.
const LONG: usize = 5_000;
/// Average bytes of a line in a file that a minifier wrote.
const LONG_ON_AVERAGE: usize = 400;
/// A shorter text is always read.
const SHORT_TEXT: usize = 4_000;

/// Whether a minifier wrote the text of a file: most of its code is in very long lines. Comments and literals are not code:
/// a long line of them, such as an image within a source file, says nothing about the rest.
pub fn is_minified(path: &str, text: &str) -> bool {
    if text.len() < SHORT_TEXT || !text.lines().any(|line| line.len() > LONG) {
        return false;
    }
    let lines = text.lines().count().max(1);
    if text.len() / lines <= LONG_ON_AVERAGE {
        return false;
    }
    // Bytes of code in long lines, and in the others.
    let (mut long, mut other) = (0, 0);
    let mut reader = Reader::new(Language::of_file(path, text.as_bytes()));
    for line in text.lines() {
        let code = reader.read(line.as_bytes());
        if line.len() > LONG {
            long += code;
        } else {
            other += code;
        }
    }
    long > other && (long > LONG || other * 20 < long)
}

/// State at the end of a line.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Code,
    /// Until that sign.
    Comment(&'static str),
    /// Until that quote three times.
    Literal(u8),
    /// Until that quote, in the same line.
    Quote(u8),
}

/// A comment or literal of several lines begins within this many bytes of the start of a line.
const NEAR_START: usize = 200;

/// Reads a text line by line. Quotes are those of nearly all languages.
struct Reader {
    comments: &'static CommentSyntax,
    state: State,
    /// States that do not end in this line, so that each end is searched for once.
    endless: Vec<State>,
}

/// Comments of files in no known language: most that there are, if all of the line is one.
static ANY: CommentSyntax = CommentSyntax {
    line: &["// "],
    block: &[("/*", "*/")],
    documentation_strings: false,
};

impl Reader {
    fn new(language: Option<Language>) -> Reader {
        Reader {
            comments: language.map_or(&ANY, |language| &language.profile().comments),
            state: State::Code,
            endless: Vec::new(),
        }
    }

    /// Number of bytes of a line that are neither blank nor in a comment or literal.
    fn read(&mut self, line: &[u8]) -> usize {
        self.endless.clear();
        let line = line.trim_ascii();
        if self.state == State::Code && self.is_comment(line) {
            return 0;
        }
        let (mut at, mut code) = (0, 0);
        while at < line.len() {
            let within = match self.state {
                State::Code => self.enter(line, at),
                within => self.leave(within, &line[at..]),
            };
            at += within.unwrap_or(1);
            let is_code = within.is_none() && !line[at - 1].is_ascii_whitespace();
            code += usize::from(is_code);
        }
        code
    }

    /// Whether a line begins with a comment that has no other end than its own.
    fn is_comment(&self, line: &[u8]) -> bool {
        let begins = |mark: &&str| line.starts_with(mark.as_bytes());
        let is_block = self.comments.block.iter().any(|(open, _)| begins(open));
        let marks = ["//", "#", "--", ";;"];
        !is_block && marks.iter().any(begins)
    }

    /// Whether a comment to the end of the line begins here. Signs within code may mean something else (`a // b`, `$#`).
    fn begins_line_comment(&self, line: &[u8], at: usize) -> bool {
        let begins = |mark: &&str| line[at..].starts_with(mark.as_bytes());
        let before = at.checked_sub(1).map(|before| line[before]);
        // `${#name}` is no comment.
        let is_apart = before.is_none_or(|before| match before {
            b'{' | b'}' => line[at] != b'#',
            b';' => true,
            other => other.is_ascii_whitespace(),
        });
        is_apart && self.comments.line.iter().any(begins)
    }

    /// Number of bytes of a comment or literal that begins here; `None` if none does.
    fn enter(&mut self, line: &[u8], at: usize) -> Option<usize> {
        let rest = &line[at..];
        let begins = |(open, _): &&(&str, &str)| rest.starts_with(open.as_bytes());
        let block = self.comments.block.iter().find(begins);
        if block.is_none() && self.begins_line_comment(line, at) {
            return Some(rest.len());
        }
        let (begun, mark) = match block {
            Some(&(open, close)) => (State::Comment(close), open.len()),
            None => Reader::enter_literal(rest)?,
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

    /// The literal that begins here, and the length of its first quote.
    fn enter_literal(rest: &[u8]) -> Option<(State, usize)> {
        match rest {
            [a @ (b'"' | b'\''), b, c, ..] if a == b && b == c => Some((State::Literal(*a), 3)),
            [quote @ (b'"' | b'\'' | b'`'), ..] => Some((State::Quote(*quote), 1)),
            _ => None,
        }
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
            State::Comment(close) => text
                .windows(close.len())
                .position(|here| here == close.as_bytes())
                .map(|at| at + close.len()),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn with_source(line: &str) -> String {
        let source = "def compute(value):\n    return value + 1\n\n\n";
        format!("{}{line}\n{}", source.repeat(10), source.repeat(10))
    }

    #[test]
    fn code_in_very_long_lines_is_minified() {
        assert!(is_minified("a.js", &"var a=1;".repeat(2_000)));
        assert!(is_minified(
            "a.js",
            &format!(
                "/*! licence */\n{}",
                "function f(a){return a+\"x\"};".repeat(900)
            )
        ));
        assert!(!is_minified("a.js", &"var a = 1;\n".repeat(2_000)));
        assert!(!is_minified("a.js", &"x".repeat(3_000)));
    }

    #[test]
    fn a_quote_in_a_regular_expression_hides_no_code() {
        let minified =
            "var r=/[\"]/g,q=a.replace(/\\//g,'b');function g(x){return x*2}".repeat(500);
        assert!(is_minified("a.js", &minified));
    }

    #[test]
    fn one_long_comment_or_literal_is_not_minified() {
        let long = "lorem ipsum dolor ".repeat(4_000);
        for line in [
            format!("# {long}"),
            format!("    // {long}"),
            format!("TEXT = \"{long}\""),
            format!("TEXT = '{long}'"),
            format!("\"\"\"\n{long}\n\"\"\""),
        ] {
            assert!(!is_minified("a.py", &with_source(&line)), "{}", &line[..20]);
        }
    }

    #[test]
    fn a_long_comment_behind_code_is_not_minified() {
        let long = "it's lorem ipsum dolor ".repeat(3_000);
        for (path, line) in [
            ("a.py", format!("x = 1  # {long}")),
            ("a.py", format!("x = 1 #{long}")),
            ("a.js", format!("f();//{long}")),
            ("a.js", format!("f();\t// {long}")),
            ("a.js", format!("/* {long} */")),
            ("a.js", format!("/*\n{long}\n*/")),
            ("a.js", format!("f({}); /* {long} */", "1, ".repeat(80))),
            ("a.rs", format!("const A: i32 = 1; //{long}")),
            ("a.lua", format!("f() --{long}")),
            ("a.lua", format!("f() --[[ {long} ]]")),
            ("a.lua", format!("--[[\n{long}\n]]")),
            ("a.rb", format!("=begin\n{long}\n=end")),
            ("a.sh", format!("run # {long}")),
            ("a.md", format!("// {long}")),
        ] {
            assert!(
                !is_minified(path, &with_source(&line)),
                "{path} {}",
                &line[..20]
            );
        }
    }

    #[test]
    fn signs_of_comments_within_code_hide_no_code() {
        let code = "a=b//c;d=e//f;".repeat(2_000);
        assert!(is_minified("a.py", &code));
        let code = "a.b#c{d:e}".repeat(2_000);
        assert!(is_minified("a.css", &code));
        let code = "var r=/\\//.test(a)?b:c;".repeat(2_000);
        assert!(is_minified("a.js", &code));
    }

    #[test]
    fn data_in_one_line_is_not_read() {
        let items = "{\"name\":\"value\"},".repeat(400);
        assert!(is_minified("a.js", &format!("[{items}{{}}]")));
        assert!(is_minified(
            "a.js",
            &format!("export default \"{}\"", "QUJD".repeat(4_000))
        ));
    }

    #[test]
    fn what_never_ends_is_looked_for_once_a_line() {
        // A search from each of these quotes would take far too long.
        let quotes = "'\\'\\".repeat(1_000_000);
        assert!(is_minified("a.js", &quotes));
        let comments = format!("{}{}", "a".repeat(300), "/*a".repeat(1_000_000));
        assert!(is_minified("a.js", &comments));
    }
}
