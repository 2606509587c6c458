//! Arrays of a generated parser as bytes, with the layout that a C compiler gives them on a little-endian machine.

use crate::ReadError;
use crate::actions::read_action;
use crate::constants::Constants;
use crate::strings::unescape;
use crate::tokens::{Token, Tokens};

/// A member of a struct: its name, its offset, its size in bytes.
pub(crate) struct Member(&'static [u8], usize, usize);

/// What an array consists of.
#[derive(Clone, Copy)]
pub(crate) enum Element {
    /// Numbers of that many bytes.
    Number(usize),
    /// Structs of that many bytes.
    Struct(usize, &'static [Member]),
    /// `TSParseActionEntry`.
    Action,
}

pub(crate) const SLICE: Element =
    Element::Struct(4, &[Member(b"index", 0, 2), Member(b"length", 2, 2)]);
pub(crate) const FIELD: Element = Element::Struct(
    4,
    &[
        Member(b"field_id", 0, 2),
        Member(b"child_index", 2, 1),
        Member(b"inherited", 3, 1),
    ],
);
pub(crate) const METADATA: Element = Element::Struct(
    3,
    &[
        Member(b"visible", 0, 1),
        Member(b"named", 1, 1),
        Member(b"supertype", 2, 1),
    ],
);
pub(crate) const LEX_MODE: Element = Element::Struct(
    4,
    &[
        Member(b"lex_state", 0, 2),
        Member(b"external_lex_state", 2, 2),
    ],
);
pub(crate) const LEXER_MODE: Element = Element::Struct(
    6,
    &[
        Member(b"lex_state", 0, 2),
        Member(b"external_lex_state", 2, 2),
        Member(b"reserved_word_set_id", 4, 2),
    ],
);

impl Element {
    /// Its size in bytes.
    pub(crate) fn size(self) -> usize {
        match self {
            Element::Number(size) | Element::Struct(size, _) => size,
            Element::Action => 8,
        }
    }

    /// Takes an element.
    fn read<'a>(
        self,
        tokens: &mut Tokens<'a>,
        constants: &Constants<'a>,
        bytes: &mut [u8],
    ) -> Result<(), ReadError> {
        match self {
            Element::Number(_) => {
                let value = constants.value(tokens)?;
                write_number(bytes, value).ok_or_else(|| tokens.error("the number is too large"))
            }
            Element::Struct(_, members) => read_struct(tokens, constants, members, bytes),
            Element::Action => read_action(tokens, constants, bytes),
        }
    }
}

/// Writes a number over all of the bytes. Returns nothing if it has more bits than they do.
pub(crate) fn write_number(bytes: &mut [u8], value: i64) -> Option<()> {
    let all = value.to_le_bytes();
    let (own, rest) = all.split_at(bytes.len());
    let fits =
        rest.iter().all(|byte| *byte == 0) || (value < 0 && rest.iter().all(|byte| *byte == 0xFF));
    fits.then(|| bytes.copy_from_slice(own))
}

fn read_struct<'a>(
    tokens: &mut Tokens<'a>,
    constants: &Constants<'a>,
    members: &[Member],
    bytes: &mut [u8],
) -> Result<(), ReadError> {
    tokens.expect(b'{')?;
    let mut next = 0;
    while !tokens.take_mark(b'}') {
        if tokens.take_mark(b'.') {
            let name = tokens.word()?;
            let at = members.iter().position(|member| member.0 == name);
            next = at.ok_or_else(|| tokens.error("an unknown member"))?;
            tokens.expect(b'=')?;
        }
        let member = members.get(next);
        let Member(_, offset, size) = member.ok_or_else(|| tokens.error("too many members"))?;
        let value = constants.value(tokens)?;
        write_number(&mut bytes[*offset..offset + size], value)
            .ok_or_else(|| tokens.error("the number is too large"))?;
        next += 1;
        tokens.take_mark(b',');
    }
    Ok(())
}

/// The head of an array's declaration: how long it is in each dimension; zero where its elements decide.
fn read_dimensions<'a>(
    tokens: &mut Tokens<'a>,
    constants: &Constants<'a>,
) -> Result<Vec<usize>, ReadError> {
    let mut lengths = Vec::new();
    loop {
        match tokens.next()? {
            Token::Mark(b'[') => {
                let is_open = tokens.peek()? == Token::Mark(b']');
                let length = if is_open { 0 } else { constants.value(tokens)? };
                lengths.push(usize::try_from(length).unwrap_or(0));
                tokens.expect(b']')?;
            }
            Token::Mark(b'=') => return Ok(lengths),
            Token::End => return Err(tokens.error("an array is expected")),
            _ => {}
        }
    }
}

/// The bytes of an array of one or two dimensions, from its declaration.
pub(crate) fn read_array<'a>(
    mut tokens: Tokens<'a>,
    constants: &Constants<'a>,
    element: Element,
) -> Result<Vec<u8>, ReadError> {
    let tokens = &mut tokens;
    match read_dimensions(tokens, constants)?[..] {
        [length] => read_elements(
            tokens,
            constants,
            element.size(),
            length,
            |tokens, bytes| element.read(tokens, constants, bytes),
        ),
        [rows, columns] => {
            let size = columns * element.size();
            read_elements(tokens, constants, size, rows, |tokens, bytes| {
                let row = read_elements(
                    tokens,
                    constants,
                    element.size(),
                    columns,
                    |tokens, bytes| element.read(tokens, constants, bytes),
                )?;
                if row.len() != size {
                    return Err(tokens.error("the row is too long"));
                }
                bytes.copy_from_slice(&row);
                Ok(())
            })
        }
        _ => Err(tokens.error("an array of one or two dimensions is expected")),
    }
}

/// Takes elements in braces. Those that are left out are zeros.
fn read_elements<'a>(
    tokens: &mut Tokens<'a>,
    constants: &Constants<'a>,
    size: usize,
    length: usize,
    mut read: impl FnMut(&mut Tokens<'a>, &mut [u8]) -> Result<(), ReadError>,
) -> Result<Vec<u8>, ReadError> {
    let mut bytes = vec![0; size * length];
    let mut next = 0;
    tokens.expect(b'{')?;
    while !tokens.take_mark(b'}') {
        if tokens.take_mark(b'[') {
            let index = constants.value(tokens)?;
            next = usize::try_from(index).map_err(|_| tokens.error("an index is expected"))?;
            tokens.expect(b']')?;
            tokens.expect(b'=')?;
        }
        let end = (next + 1) * size;
        if bytes.len() < end {
            bytes.resize(end, 0);
        }
        read(tokens, &mut bytes[next * size..end])?;
        next += 1;
        tokens.take_mark(b',');
    }
    Ok(bytes)
}

/// The strings of an array; empty where it has `NULL`. Each ends with a zero.
pub(crate) fn read_strings<'a>(
    mut tokens: Tokens<'a>,
    constants: &Constants<'a>,
) -> Result<Vec<Vec<u8>>, ReadError> {
    let tokens = &mut tokens;
    read_dimensions(tokens, constants)?;
    tokens.expect(b'{')?;
    let mut strings: Vec<Vec<u8>> = Vec::new();
    let mut next = 0;
    while !tokens.take_mark(b'}') {
        if tokens.take_mark(b'[') {
            let index = constants.value(tokens)?;
            next = usize::try_from(index).map_err(|_| tokens.error("an index is expected"))?;
            tokens.expect(b']')?;
            tokens.expect(b'=')?;
        }
        let mut string = match tokens.next()? {
            Token::Text(literal) => unescape(literal),
            Token::Word(b"NULL") => Vec::new(),
            _ => return Err(tokens.error("a string is expected")),
        };
        // A string of C ends at its first zero.
        let end = string.iter().position(|byte| *byte == 0);
        string.truncate(end.unwrap_or(string.len()));
        string.push(0);
        if strings.len() <= next {
            strings.resize(next + 1, vec![0]);
        }
        strings[next] = string;
        next += 1;
        tokens.take_mark(b',');
    }
    Ok(strings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    fn bytes(text: &str, element: Element) -> Result<Vec<u8>, ReadError> {
        let text = format!(
            "#define LARGE_STATE_COUNT 2\n#define SYMBOL_COUNT 3\nenum a {{\n  sym_a = 1,\n  sym_b = 2,\n}};\n{text}\n}};\n"
        );
        let source = Source::new(text.as_bytes())?;
        let constants = Constants::new(&source)?;
        read_array(source.tokens(source.arrays[&b"x"[..]]), &constants, element)
    }

    #[test]
    fn tables_have_rows_and_zeros() {
        let text = "static const uint16_t x[LARGE_STATE_COUNT][SYMBOL_COUNT] = {\n  [STATE(0)] = {\n    [sym_b] = ACTIONS(258),\n    [0] = STATE(7),\n  },\n  [1] = {0},";
        let expected = [7, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0];
        assert_eq!(bytes(text, Element::Number(2)).unwrap(), expected);
    }

    #[test]
    fn elements_without_an_index_follow_the_one_before() {
        let text = "static const uint16_t x[] = {\n  [1] = 5, sym_a,\n    2,";
        let expected = [0, 0, 5, 0, 1, 0, 2, 0];
        assert_eq!(bytes(text, Element::Number(2)).unwrap(), expected);
        let text = "static const uint32_t x[] = {\n  [SMALL_STATE(3)] = 70000,";
        assert_eq!(
            bytes(text, Element::Number(4)).unwrap()[4..],
            [0x70, 0x11, 1, 0]
        );
    }

    #[test]
    fn structs_have_their_members_by_name_or_in_order() {
        let text = "static const TSFieldMapEntry x[] = {\n  [0] =\n    {sym_b, 3, .inherited = true},\n    {sym_a, 0},";
        assert_eq!(bytes(text, FIELD).unwrap(), [2, 0, 3, 1, 1, 0, 0, 0]);
        let text = "static const TSLexMode x[2] = {\n  [0] = {.external_lex_state = 4},\n  [1] = {(TSStateId)(-1),},";
        assert_eq!(bytes(text, LEX_MODE).unwrap(), [0, 0, 4, 0, 255, 255, 0, 0]);
    }

    #[test]
    fn what_is_unknown_or_too_large_is_an_error() {
        for element in ["65536", "sym_c", "{0}", "\"a\""] {
            let text = format!("static const uint16_t x[] = {{\n  {element},");
            assert!(bytes(&text, Element::Number(2)).is_err(), "{element}");
        }
        let text = "static const TSMapSlice x[] = {\n  {.other = 1},";
        assert!(bytes(text, SLICE).is_err());
        let text = "static const uint16_t x[1][2] = {\n  {1, 2, 3},";
        assert!(bytes(text, Element::Number(2)).is_err());
    }

    #[test]
    fn strings_end_with_a_zero() {
        let text = b"static const char * const x[] = {\n  [0] = NULL,\n  [1] = \"\\\"\",\n  [2] = \"\\0\",\n};";
        let source = Source::new(text).unwrap();
        let constants = Constants::new(&source).unwrap();
        let tokens = source.tokens(source.arrays[&b"x"[..]]);
        let strings = read_strings(tokens, &constants).unwrap();
        assert_eq!(strings, [b"\0".to_vec(), b"\"\0".to_vec(), b"\0".to_vec()]);
    }
}
