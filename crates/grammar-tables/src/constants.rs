//! Names of numbers in a generated parser, and expressions with them.

use crate::ReadError;
use crate::source::Source;
use crate::tokens::{Token, Tokens};
use rustc_hash::FxHashMap;

/// The values of definitions and enumerations.
pub(crate) struct Constants<'a> {
    values: FxHashMap<&'a [u8], i64>,
}

impl<'a> Constants<'a> {
    /// The constants of a source.
    pub(crate) fn new(source: &Source<'a>) -> Result<Constants<'a>, ReadError> {
        let builtin: [(&[u8], i64); 3] = [(b"ts_builtin_sym_end", 0), (b"true", 1), (b"false", 0)];
        let mut constants = Constants {
            values: builtin.into_iter().collect(),
        };
        for part in &source.definitions {
            let mut tokens = source.tokens(*part);
            tokens.expect(b'#')?;
            tokens.word()?;
            let name = tokens.word()?;
            // Others are no numbers.
            if let Token::Number(value) = tokens.next()? {
                constants.values.insert(name, value);
            }
        }
        for part in &source.enumerations {
            constants.add_enumeration(source.tokens(*part))?;
        }
        Ok(constants)
    }

    fn add_enumeration(&mut self, mut tokens: Tokens<'a>) -> Result<(), ReadError> {
        while tokens.next()? != Token::Mark(b'{') {}
        let mut next = 0;
        while let Token::Word(name) = tokens.next()? {
            if tokens.take_mark(b'=') {
                next = self.value(&mut tokens)?;
            }
            self.values.insert(name, next);
            next += 1;
            tokens.take_mark(b',');
        }
        Ok(())
    }

    /// The value of a name.
    pub(crate) fn get(&self, name: &[u8]) -> Option<i64> {
        self.values.get(name).copied()
    }

    /// Takes an expression: a number, a name, a cast, or one of the macros of `parser.h` that stand for a number.
    pub(crate) fn value(&self, tokens: &mut Tokens<'a>) -> Result<i64, ReadError> {
        match tokens.next()? {
            Token::Number(number) => Ok(number),
            Token::Mark(b'-') => Ok(-self.value(tokens)?),
            Token::Mark(b'(') => {
                let inner = self.cast_or_value(tokens)?;
                match inner {
                    Some(inner) => Ok(inner),
                    // All casts are to 16 bits.
                    None => Ok(self.value(tokens)? & 0xFFFF),
                }
            }
            Token::Word(name) if tokens.take_mark(b'(') => {
                let argument = self.value(tokens)?;
                tokens.expect(b')')?;
                match name {
                    b"STATE" | b"ACTIONS" => Ok(argument),
                    b"SMALL_STATE" => {
                        Ok(argument - self.get(b"LARGE_STATE_COUNT").unwrap_or_default())
                    }
                    _ => Err(tokens.error("an unknown macro")),
                }
            }
            Token::Word(name) => self.get(name).ok_or_else(|| {
                tokens.error(format!("`{}` is unknown", String::from_utf8_lossy(name)))
            }),
            _ => Err(tokens.error("a number is expected")),
        }
    }

    /// Takes what follows an opening parenthesis, up to its end. Returns nothing for a cast.
    fn cast_or_value(&self, tokens: &mut Tokens<'a>) -> Result<Option<i64>, ReadError> {
        let types: [&[u8]; 3] = [b"TSStateId", b"TSSymbol", b"uint16_t"];
        let is_type = matches!(tokens.peek()?, Token::Word(name) if types.contains(&name));
        let value = if is_type {
            tokens.next()?;
            None
        } else {
            Some(self.value(tokens)?)
        };
        tokens.expect(b')')?;
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_have_values() {
        let text = b"#define LARGE_STATE_COUNT 3\n#define TS_PUBLIC\nenum a {\n  sym_a = 4,\n  sym_b,\n};\n";
        let source = Source::new(text).unwrap();
        let constants = Constants::new(&source).unwrap();
        let value = |text: &'static str| {
            let mut tokens = Tokens::new(text.as_bytes(), 0, text.len());
            constants.value(&mut tokens).map_err(|error| error.what)
        };
        assert_eq!(value("sym_b").unwrap(), 5);
        assert_eq!(value("SMALL_STATE(10)").unwrap(), 7);
        assert_eq!(value("ACTIONS(sym_a)").unwrap(), 4);
        assert_eq!(value("(TSStateId)(-1)").unwrap(), 0xFFFF);
        assert_eq!(value("-2").unwrap(), -2);
        assert!(value("sym_c").unwrap_err().contains("sym_c"));
        assert!(value("OTHER(1)").is_err());
    }
}
