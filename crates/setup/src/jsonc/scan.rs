//! Finds values in JSON with comments and trailing commas, without building a tree: settings of agents may hold megabytes.

use crate::edit_error::{EditError, Result};
use std::ops::Range;

/// The deepest nesting of lists and objects.
const DEEPEST: usize = 200;

/// One member of an object, or one item of a list.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Item {
    /// The key, without its quotes and escapes; none in a list.
    pub(super) key: Option<String>,
    /// The offset of the key or, in a list, of the value.
    pub(super) start: usize,
    /// The range of the value.
    pub(super) value: Range<usize>,
    /// The offset of the comma after it.
    pub(super) comma: Option<usize>,
}

/// An object or a list.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Container {
    /// The offset of the opening bracket.
    pub(super) open: usize,
    /// The offset of the closing bracket.
    pub(super) close: usize,
    pub(super) is_object: bool,
    pub(super) items: Vec<Item>,
}

/// Checks a whole text. Returns the range of its value; none for a text without one.
///
/// # Errors
/// The fault and its line.
pub(super) fn document(text: &str) -> Result<Option<Range<usize>>> {
    let mut scanner = Scanner { text, at: 0 };
    if text.starts_with('\u{feff}') {
        scanner.at = '\u{feff}'.len_utf8();
    }
    scanner.skip_trivia()?;
    if scanner.peek().is_none() {
        return Ok(None);
    }
    let start = scanner.at;
    scanner.skip_value(0)?;
    let end = scanner.at;
    scanner.skip_trivia()?;
    match scanner.peek() {
        None => Ok(Some(start..end)),
        Some(_) => Err(scanner.error("more text behind the value")),
    }
}

/// The object or list that begins at an offset of a checked text; none if another value begins there.
pub(super) fn container(text: &str, at: usize) -> Result<Option<Container>> {
    let mut scanner = Scanner { text, at };
    match scanner.peek() {
        Some(b'{' | b'[') => scanner.container(0, true).map(Some),
        _ => Ok(None),
    }
}

/// The end of the whitespace and comments from `at` on, on the same line.
pub(super) fn end_of_line_trivia(text: &str, at: usize) -> usize {
    let mut scanner = Scanner { text, at };
    let mut end = at;
    loop {
        while matches!(scanner.peek(), Some(b' ' | b'\t')) {
            scanner.at += 1;
        }
        let from = scanner.at;
        let is_comment = text[from..].starts_with("//") || text[from..].starts_with("/*");
        if !is_comment || scanner.skip_comment().is_err() || text[from..scanner.at].contains('\n') {
            return end;
        }
        end = scanner.at;
    }
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn error(&self, fault: &str) -> EditError {
        let before = &self.text.as_bytes()[..self.at.min(self.text.len())];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        EditError::Syntax {
            line,
            fault: fault.to_owned(),
        }
    }

    fn skip_trivia(&mut self) -> Result<()> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                Some(b'/') => self.skip_comment()?,
                _ => return Ok(()),
            }
        }
    }

    /// Skips a comment up to the end of its line, without the line end.
    fn skip_comment(&mut self) -> Result<()> {
        let rest = &self.text[self.at..];
        if rest.starts_with("//") {
            let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
            self.at += length;
            return Ok(());
        }
        let end = rest.strip_prefix("/*").and_then(|rest| rest.find("*/"));
        match end {
            Some(end) => {
                self.at += end + 4;
                Ok(())
            }
            None => Err(self.error("a comment that does not end, or a slash")),
        }
    }

    fn skip_value(&mut self, depth: usize) -> Result<()> {
        match self.peek() {
            Some(b'{' | b'[') => self.container(depth, false).map(|_| ()),
            Some(b'"') => self.skip_string(),
            Some(_) => self.skip_word(),
            None => Err(self.error("a value is missing")),
        }
    }

    /// Skips an object or list. Its items are returned only if `collect` is set.
    fn container(&mut self, depth: usize, collect: bool) -> Result<Container> {
        if depth >= DEEPEST {
            return Err(self.error("too many lists and objects within each other"));
        }
        let is_object = self.peek() == Some(b'{');
        let end = if is_object { b'}' } else { b']' };
        let open = self.at;
        self.at += 1;
        let mut items: Vec<Item> = Vec::new();
        let mut may_follow = true;
        loop {
            self.skip_trivia()?;
            match self.peek() {
                Some(byte) if byte == end => {
                    let close = self.at;
                    self.at += 1;
                    return Ok(Container {
                        open,
                        close,
                        is_object,
                        items,
                    });
                }
                Some(_) if may_follow => {}
                Some(_) => return Err(self.error("a comma or a closing bracket is missing")),
                None => return Err(self.error("a closing bracket is missing")),
            }
            let mut item = self.item(is_object, depth, collect)?;
            self.skip_trivia()?;
            may_follow = self.peek() == Some(b',');
            if may_follow {
                item.comma = Some(self.at);
                self.at += 1;
            }
            if collect {
                items.push(item);
            }
        }
    }

    fn item(&mut self, is_object: bool, depth: usize, collect: bool) -> Result<Item> {
        let start = self.at;
        let mut key = None;
        if is_object {
            if self.peek() != Some(b'"') {
                return Err(self.error("a key in double quotes is missing"));
            }
            self.skip_string()?;
            let raw = &self.text[start..self.at];
            if collect {
                let name = serde_json::from_str(raw);
                key = Some(name.map_err(|_| self.error("a key that is no text"))?);
            }
            self.skip_trivia()?;
            if self.peek() != Some(b':') {
                return Err(self.error("a colon is missing"));
            }
            self.at += 1;
            self.skip_trivia()?;
        }
        let from = self.at;
        self.skip_value(depth + 1)?;
        Ok(Item {
            key,
            start,
            value: from..self.at,
            comma: None,
        })
    }

    fn skip_string(&mut self) -> Result<()> {
        let bytes = self.text.as_bytes();
        let mut at = self.at + 1;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' => {
                    self.at = at + 1;
                    return Ok(());
                }
                b'\\' => at += 2,
                b'\n' | b'\r' => break,
                _ => at += 1,
            }
        }
        Err(self.error("a text that does not end on its line"))
    }

    /// Skips a number or word.
    fn skip_word(&mut self) -> Result<()> {
        let rest = &self.text[self.at..];
        let is_end = |c: char| {
            c.is_whitespace() || matches!(c, ',' | ']' | '}' | ':' | '/' | '"' | '{' | '[')
        };
        let length = rest.find(is_end).unwrap_or(rest.len());
        let word = &rest[..length];
        if serde_json::from_str::<serde_json::Value>(word).is_err() {
            return Err(self.error("no value of JSON"));
        }
        self.at += length;
        Ok(())
    }
}
