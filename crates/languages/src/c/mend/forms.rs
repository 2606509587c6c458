//! Mends forms that C++ compilers read and the grammar does not. These are macros between `if` and its condition, before a
//! block, beside strings, or with types as arguments. Others are `throw` as an argument, `{}` as a default value, and header
//! names in conditions of the preprocessor.

use super::PASSED;
use super::code::Code;
use super::statements::Edit;

/// Maximum number of tokens among a macro's arguments that are read.
const MOST_ARGUMENTS: usize = 64;
/// Maximum number of bytes that are read between the parentheses of a condition.
const MOST_BYTES: usize = 256;

/// The edits that replace these forms.
pub(super) fn find_edits(text: &[u8]) -> Vec<Edit> {
    let code = Code::read(text, false);
    let mut edits = conditions(text);
    let mut at = 0;
    while at < code.tokens.len() {
        at = match code.macro_form(at) {
            Some((last, fill)) => {
                edits.push(code.replaced(at, last, b"", fill));
                last + 1
            }
            None => {
                edits.extend(code.other_form(at));
                at + 1
            }
        };
    }
    edits.sort_by_key(|edit| edit.from);
    edits
}

impl Code<'_> {
    fn replaced(&self, first: usize, last: usize, with: &'static [u8], fill: u8) -> Edit {
        Edit {
            from: self.tokens[first].from,
            to: self.tokens[last].to,
            with,
            fill,
        }
    }

    fn before(&self, at: usize) -> Option<u8> {
        at.checked_sub(1).and_then(|before| self.sign(before))
    }

    fn word_before(&self, at: usize) -> &[u8] {
        match at.checked_sub(1) {
            Some(before) => self.word(before),
            None => b"",
        }
    }

    /// The last token of a macro that is blanked, and the byte to fill it with.
    fn macro_form(&self, at: usize) -> Option<(usize, u8)> {
        if !self.is_capitals(at) {
            return None;
        }
        let begins = matches!(self.before(at), Some(b';' | b'{' | b'}'));
        match self.sign(at + 1)? {
            // `if MACRO (a)`
            b'(' if self.word_before(at) == b"if" => Some((at, PASSED)),
            b'(' => {
                let close = self.closes[at + 1] as usize;
                let is_passed = close > at + 1
                    && (self.is_beside_text(at, close)
                        || begins && self.is_passed_call(at, close)
                        || self.before(at) == Some(b':') && self.has_types(at, close));
                is_passed.then_some((close, PASSED))
            }
            // `MACRO {`
            b'{' if begins => Some((at, PASSED)),
            _ => None,
        }
    }

    /// `"a" MACRO(b) "c"`.
    fn is_beside_text(&self, at: usize, close: usize) -> bool {
        let is_text = |at: usize| {
            let token = self.tokens.get(at);
            token.is_some_and(|token| self.text[token.from] == b'"')
        };
        at > 0 && is_text(at - 1) || is_text(close + 1)
    }

    /// Whether a call is a macro where a statement or declaration begins: `MACRO(int, x);`, `CATCH(...) {`, or a line without
    /// `;`.
    fn is_passed_call(&self, at: usize, close: usize) -> bool {
        let is_line = self.tokens[at].begins_line;
        match self.sign(close + 1) {
            Some(b'{') => self.word(at).windows(5).any(|part| part == b"CATCH"),
            Some(b';') => self.has_types(at, close),
            Some(b'}') => is_line && self.before(at) == Some(b'{'),
            Some(0) => {
                is_line && self.before(at) == Some(b'{') && self.tokens[close + 1].begins_line
            }
            _ => false,
        }
    }

    /// Whether a call has types among its arguments, and no values.
    fn has_types(&self, at: usize, close: usize) -> bool {
        let inside = at + 2..close;
        let is_type = |at: usize| {
            (self.is_built_in_type(at) || self.word(at) == b"const")
                && matches!(self.sign(at + 1), Some(0 | b',' | b')' | b'*' | b'&'))
        };
        let is_value = |at: usize| matches!(self.sign(at), Some(b'(' | b'{' | b'=' | b'.'));
        inside.len() <= MOST_ARGUMENTS
            && inside.clone().any(is_type)
            && !inside.clone().any(is_value)
    }

    fn other_form(&self, at: usize) -> Option<Edit> {
        let (before, after) = (self.before(at), self.sign(at + 1));
        if self.sign(at)? == b'{' {
            // `T x = {})`
            let ends = matches!(self.sign(at + 2), Some(b',' | b')'));
            let is_default = before == Some(b'=') && after == Some(b'}') && ends;
            return is_default.then(|| self.replaced(at, at + 1, b"0", b' '));
        }
        match self.word(at) {
            b"throw" if matches!(before, Some(b'(' | b',' | b'?')) && after != Some(b';') => {
                Some(self.replaced(at, at, b"", b' '))
            }
            // The grammar does not read `unsigned(a)` as a value.
            b"unsigned" if after == Some(b'(') && !self.is_number_before(at) => {
                Some(self.replaced(at, at, b"uint32_t", b' '))
            }
            word => {
                let is_type = self.is_built_in_type(at) || word.ends_with(b"_t");
                (is_type && self.is_argument_of_macro(at))
                    .then(|| self.replaced(at, at, b"0", b' '))
            }
        }
    }

    fn is_number_before(&self, at: usize) -> bool {
        at.checked_sub(1)
            .is_some_and(|before| self.is_built_in_type(before))
    }

    /// Whether a word is the only thing in an argument of a macro call that is a value.
    fn is_argument_of_macro(&self, at: usize) -> bool {
        if !matches!(self.sign(at + 1), Some(b',' | b')')) {
            return false;
        }
        let mut open = at;
        for _ in 0..MOST_ARGUMENTS {
            let Some(before) = open.checked_sub(1) else {
                return false;
            };
            open = before;
            match self.tokens[open].sign {
                b'(' => break,
                0 | b',' | b'"' if open + 1 < at || self.tokens[open].sign == b',' => {}
                _ => return false,
            }
        }
        if self.sign(open) != Some(b'(') || open == 0 || !self.is_capitals(open - 1) {
            return false;
        }
        // `MACRO(int) f(void)` is a type.
        let close = self.closes[open] as usize;
        let is_value =
            open < 2 || self.sign(open - 2) != Some(0) || self.word(open - 2) == b"return";
        is_value && !matches!(self.sign(close + 1), None | Some(0 | b'*' | b'&' | b'{'))
    }
}

/// Edits for names of headers and attributes in conditions: `#if HAS(<a.h>)`, `#if HAS(a::b)`.
fn conditions(text: &[u8]) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let end = end_of_line(text, at);
        let line = &text[at..end];
        if is_condition(line) {
            read_condition(line, at, &mut edits);
        } else if is_definition(line) {
            find_comments(line, at, &mut edits);
        }
        at = end + 1;
    }
    edits
}

/// The end of a line, including the lines that continue it.
fn end_of_line(text: &[u8], from: usize) -> usize {
    let mut at = from;
    loop {
        let length = text[at..].iter().position(|byte| *byte == b'\n');
        let end = length.map_or(text.len(), |length| at + length);
        if end == text.len() || !text[from..end].trim_ascii_end().ends_with(b"\\") {
            return end;
        }
        at = end + 1;
    }
}

fn is_condition(line: &[u8]) -> bool {
    let Some(rest) = line.trim_ascii_start().strip_prefix(b"#") else {
        return false;
    };
    let rest = rest.trim_ascii_start();
    let rest = rest.strip_prefix(b"el").unwrap_or(rest);
    let after = rest.strip_prefix(b"if").and_then(<[u8]>::first);
    after.is_some_and(|byte| !byte.is_ascii_alphanumeric())
}

fn is_definition(line: &[u8]) -> bool {
    let rest = line.trim_ascii_start().strip_prefix(b"#");
    rest.is_some_and(|rest| rest.trim_ascii_start().starts_with(b"define"))
}

/// Finds comments in the body of a macro. The grammar ends the macro at a comment and reads the rest as code.
fn find_comments(line: &[u8], start: usize, edits: &mut Vec<Edit>) {
    let mut at = 0;
    while at < line.len() {
        match line[at] {
            quote @ (b'"' | b'\'') => {
                let rest = &line[at + 1..];
                let length = rest
                    .iter()
                    .position(|byte| *byte == quote || *byte == b'\n');
                at += length.map_or(line.len(), |length| length + 2);
            }
            b'/' if line[at..].starts_with(b"/*") => {
                let rest = &line[at + 2..];
                let ends = |two: &[u8]| two == b"*/" || two[0] == b'\n';
                let Some(length) = rest.windows(2).position(ends) else {
                    return;
                };
                let end = at + 2 + length;
                if rest[length] == b'*' && !line[end + 2..].trim_ascii().is_empty() {
                    edits.push(Edit {
                        from: start + at,
                        to: start + end + 2,
                        with: b"",
                        fill: b' ',
                    });
                }
                at = end + 1;
            }
            _ => at += 1,
        }
    }
}

fn read_condition(line: &[u8], start: usize, edits: &mut Vec<Edit>) {
    let mut at = 0;
    while let Some(open) = line[at..].iter().position(|byte| *byte == b'(') {
        let open = at + open;
        let reach = line.len().min(open + MOST_BYTES);
        let length = line[open..reach].iter().position(|byte| *byte == b')');
        let Some(close) = length.map(|length| open + length) else {
            at = open + 1;
            continue;
        };
        let inside = &line[open + 1..close];
        let is_called = open > 0 && line[open - 1].is_ascii_alphanumeric();
        let is_header = matches!(inside.trim_ascii().first(), Some(b'<' | b'"'));
        let is_path = inside.windows(2).any(|two| two == b"::")
            && inside
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b' '));
        if is_called && (is_header || is_path) {
            edits.push(Edit {
                from: start + open + 1,
                to: start + close,
                with: b"1",
                fill: b' ',
            });
            at = close;
        } else {
            at = open + 1;
        }
    }
}
