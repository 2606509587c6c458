//! The actions of the parser: the union `TSParseActionEntry`.
//!
//! | what | 0 | 1 | 2–3 | 4 | 5 | 6–7 |
//! | --- | --- | --- | --- | --- | --- | --- |
//! | entry | count | reusable | | | | |
//! | shift | 0 | | state | extra | repetition | |
//! | reduce | 1 | children | symbol | precedence | precedence | production |
//! | accept, recover | 2, 3 | | | | | |

use crate::ReadError;
use crate::arrays::write_number;
use crate::constants::Constants;
use crate::tokens::{Token, Tokens};

/// Takes one entry, which has eight bytes.
pub(crate) fn read_action<'a>(
    tokens: &mut Tokens<'a>,
    constants: &Constants<'a>,
    bytes: &mut [u8],
) -> Result<(), ReadError> {
    let name = match tokens.next()? {
        Token::Mark(b'{') => return read_entry(tokens, constants, bytes),
        Token::Word(name) => name,
        _ => return Err(tokens.error("an action is expected")),
    };
    let fields: &[usize] = match name {
        b"SHIFT" | b"SHIFT_REPEAT" => &[2],
        b"REDUCE" => &[2, 1, 4, 6],
        b"SHIFT_EXTRA" | b"ACCEPT_INPUT" | b"RECOVER" => &[],
        _ => return Err(tokens.error("an unknown action")),
    };
    match name {
        b"SHIFT_EXTRA" => bytes[4] = 1,
        b"SHIFT_REPEAT" => bytes[5] = 1,
        b"REDUCE" => bytes[0] = 1,
        b"ACCEPT_INPUT" => bytes[0] = 2,
        b"RECOVER" => bytes[0] = 3,
        _ => {}
    }
    tokens.expect(b'(')?;
    let mut next = 0;
    while !tokens.take_mark(b')') {
        let offset = if tokens.take_mark(b'.') {
            let offset = offset_of(tokens.word()?);
            tokens.expect(b'=')?;
            offset
        } else {
            fields.get(next).copied()
        };
        let offset = offset.ok_or_else(|| tokens.error("an unknown argument"))?;
        let size = if offset == 1 { 1 } else { 2 };
        let value = constants.value(tokens)?;
        write_number(&mut bytes[offset..offset + size], value)
            .ok_or_else(|| tokens.error("the number is too large"))?;
        next += 1;
        tokens.take_mark(b',');
    }
    Ok(())
}

/// Where an argument of `REDUCE` stands that is given by name.
fn offset_of(name: &[u8]) -> Option<usize> {
    match name {
        b"child_count" => Some(1),
        b"symbol" => Some(2),
        b"dynamic_precedence" => Some(4),
        b"production_id" => Some(6),
        _ => None,
    }
}

/// Takes `.entry = {.count = 1, .reusable = true}}`, after the first brace.
fn read_entry<'a>(
    tokens: &mut Tokens<'a>,
    constants: &Constants<'a>,
    bytes: &mut [u8],
) -> Result<(), ReadError> {
    tokens.expect(b'.')?;
    if tokens.word()? != b"entry" {
        return Err(tokens.error("an entry is expected"));
    }
    tokens.expect(b'=')?;
    tokens.expect(b'{')?;
    while tokens.take_mark(b'.') {
        let offset = match tokens.word()? {
            b"count" => 0,
            b"reusable" => 1,
            _ => return Err(tokens.error("an unknown member")),
        };
        tokens.expect(b'=')?;
        let value = constants.value(tokens)?;
        write_number(&mut bytes[offset..=offset], value)
            .ok_or_else(|| tokens.error("the number is too large"))?;
        tokens.take_mark(b',');
    }
    tokens.expect(b'}')?;
    tokens.expect(b'}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    #[test]
    fn each_action_has_its_bytes() {
        let source = Source::new(b"enum a {\n  sym_a = 513,\n};\n").unwrap();
        let constants = Constants::new(&source).unwrap();
        let bytes = |text: &'static str| {
            let mut bytes = [0; 8];
            let mut tokens = Tokens::new(text.as_bytes(), 0, text.len());
            read_action(&mut tokens, &constants, &mut bytes).map(|()| bytes)
        };
        let expected = [
            (
                "{.entry = {.count = 2, .reusable = true}}",
                [2, 1, 0, 0, 0, 0, 0, 0],
            ),
            ("SHIFT(258)", [0, 0, 2, 1, 0, 0, 0, 0]),
            ("SHIFT_REPEAT(3)", [0, 0, 3, 0, 0, 1, 0, 0]),
            ("SHIFT_EXTRA()", [0, 0, 0, 0, 1, 0, 0, 0]),
            ("REDUCE(sym_a, 3, -2, 7)", [1, 3, 1, 2, 254, 255, 7, 0]),
            (
                "REDUCE(sym_a, 3, .production_id = 7)",
                [1, 3, 1, 2, 0, 0, 7, 0],
            ),
            ("ACCEPT_INPUT()", [2, 0, 0, 0, 0, 0, 0, 0]),
            ("RECOVER()", [3, 0, 0, 0, 0, 0, 0, 0]),
        ];
        for (text, action) in expected {
            assert_eq!(bytes(text).unwrap(), action, "{text}");
        }
        for text in [
            "OTHER(1)",
            "SHIFT(1, 2)",
            "REDUCE(.x = 1)",
            "{.shift = {}}",
            "SHIFT(65536)",
        ] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
