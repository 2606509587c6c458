//! YAML as a tree with the line of each value. Limits apply, since the files come from repositories.

use saphyr_parser::{Event, Parser};
use std::cell::Cell;
use std::str::Chars;

/// A value of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A scalar as written, without its quotes.
    Text(String),
    /// A list, each value with its line.
    List(Vec<(usize, Value)>),
    /// A mapping in order. Keys may occur more than once.
    Map(Vec<Field>),
    /// An alias of another value. It is not followed, so that a small file stays small.
    Alias,
}

/// A key of a mapping with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The key as written, without its quotes.
    pub key: String,
    /// The key's line, from 1.
    pub line: usize,
    /// The value.
    pub value: Value,
}

impl Value {
    /// The first value of that key in a mapping.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.entries().find(|(k, _)| *k == key).map(|(_, v)| v)
    }

    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The pairs of a mapping; empty for any other value.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &Value)> {
        let fields: &[Field] = match self {
            Value::Map(fields) => fields,
            _ => &[],
        };
        fields
            .iter()
            .map(|field| (field.key.as_str(), &field.value))
    }

    /// The pairs of the mapping below a key.
    pub fn below(&self, key: &str) -> impl Iterator<Item = (&str, &Value)> {
        self.get(key).into_iter().flat_map(Value::entries)
    }
}

/// Options and limits for reading a document.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Most events of the parser: one for each scalar, two for each list and mapping.
    pub events: usize,
    /// Deepest nesting of lists and mappings.
    pub depth: usize,
    /// Replacement for a key that is not text. Without it, such a key is an error.
    pub odd_key: Option<&'static str>,
    /// Whether an alias is an error.
    pub refuse_aliases: bool,
}

/// Why a document cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The line, from 1.
    pub line: usize,
    /// Kind of error.
    pub kind: ErrorKind,
}

/// Kind of error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrorKind {
    /// The text is not YAML, with the parser's reason.
    Syntax(String),
    /// The document exceeds the options' limits.
    Limits,
    /// A key is not text.
    Key,
    /// The document has an alias.
    Alias,
}

/// A list or mapping that is not closed yet.
struct Open {
    line: usize,
    value: Value,
    /// The key whose value is still to come.
    key: Option<(String, usize)>,
}

/// Most commas and opening brackets of a text. The parser buffers the content of brackets until it knows whether that
/// is a key, with about 230 bytes for each value.
const MOST_IN_BRACKETS: usize = 400_000;

/// Whether a text stays in memory within a fixed multiple of its size.
fn is_bounded(text: &str) -> bool {
    let is_counted = |byte: &u8| matches!(byte, b',' | b'[' | b'{');
    text.len() <= MOST_IN_BRACKETS
        || text.bytes().filter(|b| is_counted(b)).count() <= MOST_IN_BRACKETS
}

/// Characters that the parser may read before it returns an event. Until then, content of brackets takes up to 120
/// bytes of memory for each character.
const MOST_AHEAD: usize = 1 << 20;

/// The characters of a text, as long as the parser does not read too far ahead.
struct BoundedChars<'a> {
    rest: Chars<'a>,
    left: &'a Cell<usize>,
    stopped: &'a Cell<bool>,
}

impl Iterator for BoundedChars<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let Some(left) = self.left.get().checked_sub(1) else {
            self.stopped.set(true);
            return None;
        };
        self.left.set(left);
        self.rest.next()
    }
}

/// The first document of a text with its line; `None` if the text is empty.
pub fn read(text: &str, options: Options) -> Result<Option<(usize, Value)>, Error> {
    if !is_bounded(text) {
        let kind = ErrorKind::Limits;
        return Err(Error { line: 1, kind });
    }
    let mut open: Vec<Open> = Vec::new();
    let mut events = 0;
    let (left, stopped) = (Cell::new(MOST_AHEAD), Cell::new(false));
    let chars = BoundedChars {
        rest: text.trim_start_matches('\u{feff}').chars(),
        left: &left,
        stopped: &stopped,
    };
    for event in Parser::new_from_iter(chars) {
        let (event, span) = event.map_err(|e| Error {
            line: e.marker().line(),
            kind: if stopped.get() {
                ErrorKind::Limits
            } else {
                ErrorKind::Syntax(e.info().to_owned())
            },
        })?;
        let line = span.start.line();
        events += 1;
        left.set(MOST_AHEAD);
        if stopped.get() || events > options.events || open.len() > options.depth {
            let kind = ErrorKind::Limits;
            return Err(Error { line, kind });
        }
        let (line, value) = match event {
            Event::Scalar(text, ..) => (line, Value::Text(text.into_owned())),
            Event::Alias(_) if options.refuse_aliases => {
                let kind = ErrorKind::Alias;
                return Err(Error { line, kind });
            }
            Event::Alias(_) => (line, Value::Alias),
            Event::SequenceStart(..) => {
                open.push(Open::new(line, Value::List(Vec::new())));
                continue;
            }
            Event::MappingStart(..) => {
                open.push(Open::new(line, Value::Map(Vec::new())));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(closed) => (closed.line, closed.value),
                None => continue,
            },
            Event::DocumentEnd => break,
            _ => continue,
        };
        match open.last_mut() {
            None => return Ok(Some((line, value))),
            Some(around) => around.put(line, value, options.odd_key)?,
        }
    }
    Ok(None)
}

impl Open {
    fn new(line: usize, value: Value) -> Open {
        Open {
            line,
            value,
            key: None,
        }
    }

    fn put(&mut self, line: usize, value: Value, odd_key: Option<&str>) -> Result<(), Error> {
        match (&mut self.value, self.key.take(), value) {
            (Value::List(items), _, value) => items.push((line, value)),
            (Value::Map(fields), Some((key, line)), value) => {
                fields.push(Field { key, line, value })
            }
            (Value::Map(_), None, Value::Text(key)) => self.key = Some((key, line)),
            (Value::Map(_), None, _) => {
                let kind = ErrorKind::Key;
                let key = odd_key.ok_or(Error { line, kind })?;
                self.key = Some((key.to_owned(), line));
            }
            (Value::Text(_) | Value::Alias, ..) => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: Options = Options {
        events: 1_000,
        depth: 4,
        odd_key: None,
        refuse_aliases: false,
    };

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    fn field(key: &str, line: usize, value: Value) -> Field {
        let key = key.to_owned();
        Field { key, line, value }
    }

    #[test]
    fn values_come_with_their_lines() {
        let (line, value) = read("# c\na: &r 1\nb:\n  - x\n  - *r\n", OPTIONS)
            .unwrap()
            .unwrap();
        let list = Value::List(vec![(4, text("x")), (5, Value::Alias)]);
        let expected = vec![field("a", 2, text("1")), field("b", 3, list)];
        assert_eq!((line, value), (2, Value::Map(expected)));
        assert_eq!(read("", OPTIONS), Ok(None));
        assert_eq!(read("# nothing\n", OPTIONS), Ok(None));
        assert_eq!(
            read("\u{feff}a\n--- \nb\n", OPTIONS),
            Ok(Some((1, text("a"))))
        );
    }

    #[test]
    fn keys_that_are_no_text_have_the_name_that_was_chosen() {
        let odd = "? [a]\n: b\n";
        assert_eq!(read(odd, OPTIONS).unwrap_err().kind, ErrorKind::Key);
        let named = Options {
            odd_key: Some("?"),
            ..OPTIONS
        };
        let expected = Value::Map(vec![field("?", 1, text("b"))]);
        assert_eq!(read(odd, named), Ok(Some((1, expected))));
    }

    #[test]
    fn hostile_documents_end_soon() {
        for text in [
            "[".repeat(200_000),
            "{a: ".repeat(100_000),
            "- ".repeat(50_000),
            "- a\n".repeat(50_000),
        ] {
            // Some texts exceed a limit of the parser before ours.
            assert!(read(&text, OPTIONS).is_err(), "{}", &text[..8]);
        }
        for value in ["! ", "*a ", "&a ", "a: ", "? "] {
            let text = format!("packages: [{}]", value.repeat(1_000_000));
            assert!(read(&text, OPTIONS).is_err(), "{value}");
        }
        let long = "- a\n".repeat(2_000);
        assert_eq!(read(&long, OPTIONS).unwrap_err().kind, ErrorKind::Limits);
        let deep = "[".repeat(6) + &"]".repeat(6);
        assert_eq!(read(&deep, OPTIONS).unwrap_err().kind, ErrorKind::Limits);
        let wrong = read("a: 1\nb: [1,\nc: }\n", OPTIONS).unwrap_err();
        assert!(matches!(wrong.kind, ErrorKind::Syntax(_)) && wrong.line >= 2);
    }
}
