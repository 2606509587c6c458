//! What a generated parser's `TSLanguage` says: its numbers, its tables, the names of its functions.

use crate::ReadError;
use crate::arrays::{
    Element, FIELD, LEX_MODE, LEXER_MODE, METADATA, SLICE, read_array, read_strings,
};
use crate::constants::Constants;
use crate::source::{Source, find};
use crate::tokens::{Token, Tokens};

/// The versions of `TSLanguage` that are known. From 15 on the states of the lexer have a set of reserved words.
const VERSIONS: std::ops::RangeInclusive<u32> = 13..=15;
const FIRST_WITH_RESERVED_WORDS: u32 = 15;

/// Arrays of numbers and structs: the member of `TSLanguage` (or of its external scanner), the array, its elements.
const ARRAYS: &[(&str, &str, Element)] = &[
    ("parse_table", "ts_parse_table", Element::Number(2)),
    (
        "small_parse_table",
        "ts_small_parse_table",
        Element::Number(2),
    ),
    (
        "small_parse_table_map",
        "ts_small_parse_table_map",
        Element::Number(4),
    ),
    ("parse_actions", "ts_parse_actions", Element::Action),
    ("field_map_slices", "ts_field_map_slices", SLICE),
    ("field_map_entries", "ts_field_map_entries", FIELD),
    ("symbol_metadata", "ts_symbol_metadata", METADATA),
    ("public_symbol_map", "ts_symbol_map", Element::Number(2)),
    ("alias_map", "ts_non_terminal_alias_map", Element::Number(2)),
    ("alias_sequences", "ts_alias_sequences", Element::Number(2)),
    (
        "external_states",
        "ts_external_scanner_states",
        Element::Number(1),
    ),
    (
        "external_symbol_map",
        "ts_external_scanner_symbol_map",
        Element::Number(2),
    ),
    (
        "primary_state_ids",
        "ts_primary_state_ids",
        Element::Number(2),
    ),
    ("reserved_words", "ts_reserved_words", Element::Number(2)),
    (
        "supertype_symbols",
        "ts_supertype_symbols",
        Element::Number(2),
    ),
    ("supertype_map_slices", "ts_supertype_map_slices", SLICE),
    (
        "supertype_map_entries",
        "ts_supertype_map_entries",
        Element::Number(2),
    ),
];

/// The numbers in a `TSLanguage`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of tree-sitter")]
pub struct Numbers {
    pub abi_version: u32,
    pub symbol_count: u32,
    pub alias_count: u32,
    pub token_count: u32,
    pub external_token_count: u32,
    pub state_count: u32,
    pub large_state_count: u32,
    pub production_id_count: u32,
    pub field_count: u32,
    pub max_alias_sequence_length: u16,
    pub keyword_capture_token: u16,
    pub max_reserved_word_set_size: u16,
    pub supertype_count: u32,
    /// The version of the grammar.
    pub metadata: [u8; 3],
}

/// A table.
#[derive(Debug)]
pub struct Table {
    /// The member of `TSLanguage` that points to it.
    pub member: &'static str,
    /// Its bytes. Names are strings that end with a zero.
    pub bytes: Vec<u8>,
}

/// What a generated parser holds.
#[derive(Debug)]
pub struct ParserTables {
    /// Its numbers.
    pub numbers: Numbers,
    /// Its tables. Those that it does not have are missing.
    pub tables: Vec<Table>,
    /// The name that the grammar gives itself; empty before version 15.
    pub name: String,
    /// Whether it has a second lexer, for keywords.
    pub has_keywords: bool,
    /// What the names of the scanner's functions begin with.
    pub scanner: Option<String>,
    /// The C code of its lexers.
    pub lexer: Vec<u8>,
}

/// Reads a generated parser. Its lexers get the names `packed_NAME_lex` and `packed_NAME_lex_keywords`.
pub fn read_parser(text: &[u8], name: &str) -> Result<ParserTables, ReadError> {
    let source = Source::new(text)?;
    let constants = Constants::new(&source)?;
    let members = read_members(&source)?;
    let numbers = read_numbers(&members, &constants, &source)?;
    let tables = read_tables(&source, &constants, &numbers)?;
    check_lengths(&tables, &numbers).map_err(|member| ReadError {
        line: 1,
        what: format!("`{member}` has another length than its counts say"),
    })?;
    Ok(ParserTables {
        tables,
        name: members.string("name").unwrap_or_default(),
        has_keywords: members.get("keyword_lex_fn").is_some(),
        scanner: members.scanner(),
        lexer: source.lexer_code(
            &format!("packed_{name}_lex"),
            &format!("packed_{name}_lex_keywords"),
        ),
        numbers,
    })
}

/// The members of the initializer of `TSLanguage`, each with its tokens.
struct Members<'a>(Vec<(&'a [u8], Vec<Token<'a>>)>);

fn read_members<'a>(source: &Source<'a>) -> Result<Members<'a>, ReadError> {
    let text = source.text;
    let mark = b"TSLanguage language = {";
    let start = find(text, 0, mark).map_or(text.len(), |start| start + mark.len());
    let mut tokens = Tokens::new(text, start, text.len());
    let mut members = Members(Vec::new());
    while tokens.take_mark(b'.') {
        let name = tokens.word()?;
        tokens.expect(b'=')?;
        members.0.push((name, read_initializer(&mut tokens)?));
        tokens.take_mark(b',');
    }
    if members.0.is_empty() {
        return Err(tokens.error("`TSLanguage` is expected"));
    }
    Ok(members)
}

/// Takes tokens up to the comma after a member, or up to the end of the struct.
fn read_initializer<'a>(tokens: &mut Tokens<'a>) -> Result<Vec<Token<'a>>, ReadError> {
    let mut own = Vec::new();
    let mut depth = 0_usize;
    loop {
        match tokens.peek()? {
            Token::Mark(b',' | b'}') if depth == 0 => return Ok(own),
            Token::Mark(b'{' | b'(' | b'[') => depth += 1,
            Token::Mark(b'}' | b')' | b']') => depth -= 1,
            Token::End => return Err(tokens.error("the end of `TSLanguage` is expected")),
            _ => {}
        }
        own.push(tokens.next()?);
    }
}

impl Members<'_> {
    fn get(&self, name: &str) -> Option<&[Token<'_>]> {
        let mut all = self.0.iter();
        let (_, tokens) = all.find(|(own, _)| *own == name.as_bytes())?;
        Some(tokens)
    }

    /// The number of a member: zero if there is none.
    fn number(&self, name: &str, constants: &Constants<'_>) -> Option<u32> {
        let value = match self.get(name) {
            None => 0,
            Some([Token::Number(number)]) => *number,
            Some([Token::Word(constant)]) => constants.get(constant)?,
            Some(_) => return None,
        };
        u32::try_from(value).ok()
    }

    fn string(&self, name: &str) -> Option<String> {
        match self.get(name)? {
            [Token::Text(literal)] => Some(String::from_utf8_lossy(literal).into_owned()),
            _ => None,
        }
    }

    /// What the names of the scanner's functions begin with.
    fn scanner(&self) -> Option<String> {
        let mut names = self.get("external_scanner")?.iter();
        names.find_map(|token| match token {
            Token::Word(name) => {
                let name = std::str::from_utf8(name).ok()?;
                name.strip_suffix("create").map(str::to_owned)
            }
            _ => None,
        })
    }

    /// The version of the grammar: three numbers in braces.
    fn metadata(&self) -> [u8; 3] {
        let tokens = self.get("metadata").unwrap_or_default().iter();
        let mut numbers = tokens.filter_map(|token| match token {
            Token::Number(number) => u8::try_from(*number).ok(),
            _ => None,
        });
        [(); 3].map(|()| numbers.next().unwrap_or(0))
    }
}

fn read_numbers(
    members: &Members<'_>,
    constants: &Constants<'_>,
    source: &Source<'_>,
) -> Result<Numbers, ReadError> {
    let start = source.tokens(crate::source::Part { start: 0, end: 0 });
    let number = |name: &str| {
        let number = members.number(name, constants);
        number.ok_or_else(|| start.error(format!("`{name}` is no number")))
    };
    let short = |name: &str| {
        let number = u16::try_from(number(name)?);
        number.map_err(|_| start.error(format!("`{name}` is too large")))
    };
    // Before version 15 the version had another name.
    let version = number("abi_version")?.max(number("version")?);
    if !VERSIONS.contains(&version) {
        return Err(start.error(format!("version {version} is unknown")));
    }
    Ok(Numbers {
        abi_version: version,
        symbol_count: number("symbol_count")?,
        alias_count: number("alias_count")?,
        token_count: number("token_count")?,
        external_token_count: number("external_token_count")?,
        state_count: number("state_count")?,
        large_state_count: number("large_state_count")?,
        production_id_count: number("production_id_count")?,
        field_count: number("field_count")?,
        max_alias_sequence_length: short("max_alias_sequence_length")?,
        keyword_capture_token: short("keyword_capture_token")?,
        max_reserved_word_set_size: short("max_reserved_word_set_size")?,
        supertype_count: number("supertype_count")?,
        metadata: members.metadata(),
    })
}

fn read_tables<'a>(
    source: &Source<'a>,
    constants: &Constants<'a>,
    numbers: &Numbers,
) -> Result<Vec<Table>, ReadError> {
    let lex_mode = if numbers.abi_version < FIRST_WITH_RESERVED_WORDS {
        LEX_MODE
    } else {
        LEXER_MODE
    };
    let lex_modes = [("lex_modes", "ts_lex_modes", lex_mode)];
    let mut tables = Vec::new();
    for (member, array, element) in ARRAYS.iter().chain(&lex_modes) {
        if let Some(part) = source.arrays.get(array.as_bytes()) {
            let bytes = read_array(source.tokens(*part), constants, *element)?;
            tables.push(Table { member, bytes });
        }
    }
    for (member, array) in [
        ("symbol_names", "ts_symbol_names"),
        ("field_names", "ts_field_names"),
    ] {
        if let Some(part) = source.arrays.get(array.as_bytes()) {
            let bytes = read_strings(source.tokens(*part), constants)?.concat();
            tables.push(Table { member, bytes });
        }
    }
    Ok(tables)
}

/// Compares the lengths of tables with the counts. Tree-sitter relies on them when it reads a table.
/// Returns the table that has another length.
fn check_lengths(tables: &[Table], numbers: &Numbers) -> Result<(), &'static str> {
    let symbols = numbers.symbol_count + numbers.alias_count;
    let fields = if numbers.field_count == 0 {
        0
    } else {
        numbers.field_count + 1
    };
    let small = numbers.state_count - numbers.large_state_count;
    let sequences = numbers.production_id_count * u32::from(numbers.max_alias_sequence_length);
    let lex_mode = if numbers.abi_version < FIRST_WITH_RESERVED_WORDS {
        4
    } else {
        6
    };
    let expected = [
        (
            "parse_table",
            numbers.large_state_count * numbers.symbol_count * 2,
        ),
        ("small_parse_table_map", small * 4),
        ("symbol_metadata", symbols * 3),
        ("public_symbol_map", symbols * 2),
        ("alias_sequences", sequences * 2),
        ("lex_modes", numbers.state_count * lex_mode),
        ("external_symbol_map", numbers.external_token_count * 2),
        ("supertype_symbols", numbers.supertype_count * 2),
    ];
    let table = |member: &str| {
        let found = tables.iter().find(|table| table.member == member);
        found.map_or(&[][..], |table| &table.bytes)
    };
    for (member, length) in expected {
        // Some parsers leave out tables that only zeros would be in.
        let bytes = table(member);
        if bytes.len() != length as usize && !(bytes.is_empty() && member == "alias_sequences") {
            return Err(member);
        }
    }
    let zeros = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == 0).count();
    for (member, count) in [("symbol_names", symbols), ("field_names", fields)] {
        if zeros(table(member)) != count as usize {
            return Err(member);
        }
    }
    Ok(())
}
