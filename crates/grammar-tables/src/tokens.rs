//! Tokens of the C text that tree-sitter generates.

use crate::ReadError;

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token<'a> {
    Word(&'a [u8]),
    Number(i64),
    /// A string literal, as it is written, without its quotes.
    Text(&'a [u8]),
    Mark(u8),
    End,
}

/// The tokens of a part of a text.
#[derive(Clone)]
pub(crate) struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> Tokens<'a> {
    /// The tokens of `text[at..end]`.
    pub(crate) fn new(text: &'a [u8], at: usize, end: usize) -> Tokens<'a> {
        Tokens { text, at, end }
    }

    /// An error at the present position.
    pub(crate) fn error(&self, what: impl Into<String>) -> ReadError {
        let before = &self.text[..self.at.min(self.text.len())];
        ReadError {
            line: 1 + before.iter().filter(|byte| **byte == b'\n').count(),
            what: what.into(),
        }
    }

    /// The next token, which stays the next one.
    pub(crate) fn peek(&self) -> Result<Token<'a>, ReadError> {
        self.clone().next()
    }

    /// Takes the next token.
    pub(crate) fn next(&mut self) -> Result<Token<'a>, ReadError> {
        self.skip_blanks();
        let Some(first) = self.byte(0) else {
            return Ok(Token::End);
        };
        if first.is_ascii_alphabetic() || first == b'_' {
            let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            return Ok(Token::Word(self.take_while(is_part)));
        }
        if first.is_ascii_digit() {
            let digits = self.take_while(|byte| byte.is_ascii_alphanumeric());
            let number = parse_number(digits).ok_or_else(|| self.error("a number"))?;
            return Ok(Token::Number(number));
        }
        if first == b'"' {
            return self.take_text();
        }
        self.at += 1;
        Ok(Token::Mark(first))
    }

    /// Takes the mark if it is next.
    pub(crate) fn take_mark(&mut self, mark: u8) -> bool {
        self.skip_blanks();
        let is_next = self.byte(0) == Some(mark);
        self.at += usize::from(is_next);
        is_next
    }

    /// Takes the mark, which must be next.
    pub(crate) fn expect(&mut self, mark: u8) -> Result<(), ReadError> {
        if self.take_mark(mark) {
            return Ok(());
        }
        Err(self.error(format!("`{}` is expected", char::from(mark))))
    }

    /// Takes a word, which must be next.
    pub(crate) fn word(&mut self) -> Result<&'a [u8], ReadError> {
        if let Token::Word(word) = self.next()? {
            return Ok(word);
        }
        Err(self.error("a name is expected"))
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        let at = self.at + ahead;
        (at < self.end).then(|| self.text[at])
    }

    fn take_while(&mut self, is_part: impl Fn(u8) -> bool) -> &'a [u8] {
        let start = self.at;
        while self.byte(0).is_some_and(&is_part) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    fn take_text(&mut self) -> Result<Token<'a>, ReadError> {
        let start = self.at + 1;
        self.at = start;
        while let Some(byte) = self.byte(0) {
            if byte == b'"' {
                self.at += 1;
                return Ok(Token::Text(&self.text[start..self.at - 1]));
            }
            self.at += if byte == b'\\' { 2 } else { 1 };
        }
        Err(self.error("the end of a string is expected"))
    }

    fn skip_blanks(&mut self) {
        while let Some(byte) = self.byte(0) {
            match (byte, self.byte(1)) {
                (b' ' | b'\n' | b'\r' | b'\t', _) => self.at += 1,
                (b'/', Some(b'*')) => self.skip_past(b"*/"),
                (b'/', Some(b'/')) => self.skip_past(b"\n"),
                _ => return,
            }
        }
    }

    fn skip_past(&mut self, mark: &[u8]) {
        let rest = &self.text[self.at..self.end];
        let found = rest.windows(mark.len()).position(|part| part == mark);
        self.at = found.map_or(self.end, |found| self.at + found + mark.len());
    }
}

fn parse_number(digits: &[u8]) -> Option<i64> {
    let digits = std::str::from_utf8(digits).ok()?;
    digits
        .strip_prefix("0x")
        .map_or_else(|| digits.parse(), |hex| i64::from_str_radix(hex, 16))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_words_numbers_strings_and_marks() {
        let text = br#"[sym_x2] = /* no */ 0x1F, "a\"b" // no
            -7"#;
        let mut tokens = Tokens::new(text, 0, text.len());
        let expected = [
            Token::Mark(b'['),
            Token::Word(b"sym_x2"),
            Token::Mark(b']'),
            Token::Mark(b'='),
            Token::Number(31),
            Token::Mark(b','),
            Token::Text(br#"a\"b"#),
            Token::Mark(b'-'),
            Token::Number(7),
            Token::End,
        ];
        for token in expected {
            assert_eq!(tokens.peek().unwrap(), token);
            assert_eq!(tokens.next().unwrap(), token);
        }
    }

    #[test]
    fn an_error_names_its_line() {
        let text = b"a\nb\n\"c";
        let mut tokens = Tokens::new(text, 0, text.len());
        assert_eq!(tokens.word().unwrap(), b"a");
        assert_eq!(tokens.expect(b'=').unwrap_err().line, 2);
        assert_eq!(tokens.word().unwrap(), b"b");
        assert_eq!(tokens.next().unwrap_err().line, 3);
    }
}
