//! Reads the protobuf of a SCIP index in place: strings stay slices of the file's bytes.
//!
//! The shape follows the public schema (scip.proto); fields that the import does not use are skipped.

/// The bytes are not a SCIP index, or it is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// A number or length goes beyond the end.
    #[error("cut short")]
    Short,
    /// An impossible length, tag or wire type.
    #[error("malformed field")]
    Malformed,
    /// A string that is not UTF-8.
    #[error("text that is not UTF-8")]
    Text,
}

type Result<T> = std::result::Result<T, WireError>;

/// A range of a document: lines and columns from 0, end exclusive, columns in the document's encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub struct Range {
    /// First line.
    pub start_line: u32,
    /// First column.
    pub start: u32,
    /// Last line.
    pub end_line: u32,
    /// Column after the last one.
    pub end: u32,
}

/// An occurrence of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Occurrence<'a> {
    /// Place.
    pub range: Range,
    /// The symbol.
    pub symbol: &'a str,
    /// Bit set of roles.
    pub roles: u32,
    /// For definitions: the whole definition, if the indexer gives it.
    pub enclosing: Option<Range>,
}

/// A document's data about a symbol.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SymbolInfo<'a> {
    /// The symbol.
    pub symbol: &'a str,
    /// Paragraphs of documentation; some indexers put the signature first.
    pub documentation: Vec<&'a str>,
    /// Relations to other symbols.
    pub relationships: Vec<Relationship<'a>>,
    /// Number of the kind; 0 if none is given.
    pub kind: u32,
    /// The name to show.
    pub display_name: &'a str,
    /// The signature's text.
    pub signature: &'a str,
    /// The symbol around a local one.
    pub enclosing_symbol: &'a str,
}

/// A relation to another symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Relationship<'a> {
    /// The other symbol.
    pub symbol: &'a str,
    /// A reference to this one is also one to the other.
    pub is_reference: bool,
    /// This one implements the other.
    pub is_implementation: bool,
    /// The other is this one's type.
    pub is_type_definition: bool,
}

/// Unit of a document's columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// Not given.
    #[default]
    Unspecified,
    /// Bytes of UTF-8.
    Utf8,
    /// Units of UTF-16.
    Utf16,
    /// Code points.
    Utf32,
}

/// A source file of the index.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Document<'a> {
    /// Path below the index's root.
    pub path: &'a str,
    /// The language's name.
    pub language: &'a str,
    /// Unit of the columns.
    pub encoding: Encoding,
    /// Occurrences of symbols.
    pub occurrences: Vec<Occurrence<'a>>,
    /// Data about the symbols defined here.
    pub symbols: Vec<SymbolInfo<'a>>,
}

/// Indexer that wrote an index, and the root it ran on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Origin<'a> {
    /// The indexer's name.
    pub tool: &'a str,
    /// The indexer's version.
    pub version: &'a str,
    /// The root as a URL.
    pub project_root: &'a str,
}

/// The frame of an index; its documents are decoded one by one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UndecodedIndex<'a> {
    /// Indexers that wrote it. Several concatenated indexes are one index with several origins.
    pub origins: Vec<Origin<'a>>,
    /// Each document, undecoded, with the number of its origin.
    pub documents: Vec<(usize, &'a [u8])>,
}

enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    /// A fixed-width number; no field of the schema has one.
    Other,
}

impl<'a> Value<'a> {
    fn into_bytes(self) -> Result<&'a [u8]> {
        match self {
            Value::Bytes(bytes) => Ok(bytes),
            _ => Err(WireError::Malformed),
        }
    }

    fn into_text(self) -> Result<&'a str> {
        std::str::from_utf8(self.into_bytes()?).map_err(|_| WireError::Text)
    }

    fn into_number(self) -> Result<u32> {
        match self {
            Value::Number(n) => Ok(n as u32),
            _ => Err(WireError::Malformed),
        }
    }
}

struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    fn next(&mut self) -> Result<Option<(u32, Value<'a>)>> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let tag = read_varint(&mut self.rest)?;
        let field = u32::try_from(tag >> 3).map_err(|_| WireError::Malformed)?;
        if field == 0 {
            return Err(WireError::Malformed);
        }
        let value = match tag & 7 {
            0 => Value::Number(read_varint(&mut self.rest)?),
            1 => self.take(8).map(|_| Value::Other)?,
            2 => {
                let length = read_varint(&mut self.rest)?;
                Value::Bytes(self.take(usize::try_from(length).map_err(|_| WireError::Short)?)?)
            }
            5 => self.take(4).map(|_| Value::Other)?,
            _ => return Err(WireError::Malformed),
        };
        Ok(Some((field, value)))
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(WireError::Short)?;
        self.rest = rest;
        Ok(taken)
    }
}

fn read_varint(rest: &mut &[u8]) -> Result<u64> {
    // The longest number has ten bytes.
    let error = if rest.len() < 10 {
        WireError::Short
    } else {
        WireError::Malformed
    };
    base::varint::read_varint(rest).ok_or(error)
}

/// Finds the documents of an index without decoding them.
pub fn decode_frame(bytes: &[u8]) -> Result<UndecodedIndex<'_>> {
    let mut frame = UndecodedIndex::default();
    let mut fields = Fields { rest: bytes };
    while let Some((field, value)) = fields.next()? {
        match field {
            1 => frame.origins.push(decode_metadata(value.into_bytes()?)?),
            2 => {
                let origin = frame.origins.len().saturating_sub(1);
                frame.documents.push((origin, value.into_bytes()?));
            }
            _ => {}
        }
    }
    Ok(frame)
}

/// Number of documents, occurrences, symbols and parts of symbols in an index. Its memory depends on that number more
/// than on its size.
pub fn count_items(bytes: &[u8]) -> Result<u64> {
    let mut count = 0;
    let mut fields = Fields { rest: bytes };
    while let Some((field, value)) = fields.next()? {
        count += 1;
        if field != 2 {
            continue;
        }
        let mut inner = Fields {
            rest: value.into_bytes()?,
        };
        while let Some((field, value)) = inner.next()? {
            count += 1;
            if field == 3 {
                let mut symbol = Fields {
                    rest: value.into_bytes()?,
                };
                while symbol.next()?.is_some() {
                    count += 1;
                }
            }
        }
    }
    Ok(count)
}

fn decode_metadata(bytes: &[u8]) -> Result<Origin<'_>> {
    let mut origin = Origin::default();
    let mut fields = Fields { rest: bytes };
    while let Some((field, value)) = fields.next()? {
        match field {
            2 => {
                let mut tool = Fields {
                    rest: value.into_bytes()?,
                };
                while let Some((field, value)) = tool.next()? {
                    match field {
                        1 => origin.tool = value.into_text()?,
                        2 => origin.version = value.into_text()?,
                        _ => {}
                    }
                }
            }
            3 => origin.project_root = value.into_text()?,
            _ => {}
        }
    }
    Ok(origin)
}

/// Decodes one document.
pub fn decode_document(bytes: &[u8]) -> Result<Document<'_>> {
    let (mut mentions, mut symbols) = (0, 0);
    let mut fields = Fields { rest: bytes };
    while let Some((field, _)) = fields.next()? {
        mentions += usize::from(field == 2);
        symbols += usize::from(field == 3);
    }
    let mut document = Document {
        occurrences: Vec::with_capacity(mentions),
        symbols: Vec::with_capacity(symbols),
        ..Document::default()
    };
    let mut fields = Fields { rest: bytes };
    while let Some((field, value)) = fields.next()? {
        match field {
            1 => document.path = value.into_text()?,
            2 => document
                .occurrences
                .push(decode_occurrence(value.into_bytes()?)?),
            3 => document.symbols.push(decode_symbol(value.into_bytes()?)?),
            4 => document.language = value.into_text()?,
            6 => {
                document.encoding = match value.into_number()? {
                    1 => Encoding::Utf8,
                    2 => Encoding::Utf16,
                    3 => Encoding::Utf32,
                    _ => Encoding::Unspecified,
                }
            }
            _ => {}
        }
    }
    Ok(document)
}

fn decode_occurrence(bytes: &[u8]) -> Result<Occurrence<'_>> {
    let mut occurrence = Occurrence::default();
    let mut loose = Numbers::default();
    let mut loose_enclosing = Numbers::default();
    let mut fields = Fields { rest: bytes };
    while let Some((field, value)) = fields.next()? {
        match field {
            1 => loose.add(value)?,
            2 => occurrence.symbol = value.into_text()?,
            3 => occurrence.roles = value.into_number()?,
            7 => loose_enclosing.add(value)?,
            8 => occurrence.range = decode_range_message(value.into_bytes()?, false)?,
            9 => occurrence.range = decode_range_message(value.into_bytes()?, true)?,
            10 => occurrence.enclosing = Some(decode_range_message(value.into_bytes()?, false)?),
            11 => occurrence.enclosing = Some(decode_range_message(value.into_bytes()?, true)?),
            _ => {}
        }
    }
    if loose.count > 0 {
        occurrence.range = loose.to_range()?;
    }
    if loose_enclosing.count > 0 {
        occurrence.enclosing = Some(loose_enclosing.to_range()?);
    }
    Ok(occurrence)
}

/// The three or four numbers of a range, packed or one by one.
#[derive(Default)]
struct Numbers {
    values: [u32; 4],
    count: usize,
}

impl Numbers {
    fn add(&mut self, value: Value<'_>) -> Result<()> {
        match value {
            Value::Number(n) => self.push(n),
            Value::Bytes(mut rest) => {
                while !rest.is_empty() {
                    self.push(read_varint(&mut rest)?)?;
                }
                Ok(())
            }
            Value::Other => Err(WireError::Malformed),
        }
    }

    fn push(&mut self, number: u64) -> Result<()> {
        // Negative numbers come as ten bytes; a line or column is never negative.
        let number = i32::try_from(number).map_err(|_| WireError::Malformed)?;
        *self
            .values
            .get_mut(self.count)
            .ok_or(WireError::Malformed)? = number as u32;
        self.count += 1;
        Ok(())
    }

    fn to_range(&self) -> Result<Range> {
        let [a, b, c, d] = self.values;
        match self.count {
            3 => Ok(Range {
                start_line: a,
                start: b,
                end_line: a,
                end: c,
            }),
            4 => Ok(Range {
                start_line: a,
                start: b,
                end_line: c,
                end: d,
            }),
            _ => Err(WireError::Malformed),
        }
    }
}

/// A range in its own message: (line, start, end) or (line, start, end line, end).
fn decode_range_message(bytes: &[u8], lines: bool) -> Result<Range> {
    let mut numbers = [0u32; 5];
    let mut fields = Fields { rest: bytes };
    while let Some((field, value)) = fields.next()? {
        if let Some(slot) = numbers.get_mut(field as usize) {
            *slot = value.into_number()?;
        }
    }
    let [_, a, b, c, d] = numbers;
    Ok(if lines {
        Range {
            start_line: a,
            start: b,
            end_line: c,
            end: d,
        }
    } else {
        Range {
            start_line: a,
            start: b,
            end_line: a,
            end: c,
        }
    })
}

/// Decodes the data about one symbol.
pub fn decode_symbol(bytes: &[u8]) -> Result<SymbolInfo<'_>> {
    let mut info = SymbolInfo::default();
    let mut fields = Fields { rest: bytes };
    while let Some((field, value)) = fields.next()? {
        match field {
            1 => info.symbol = value.into_text()?,
            3 => info.documentation.push(value.into_text()?),
            4 => info
                .relationships
                .push(decode_relationship(value.into_bytes()?)?),
            5 => info.kind = value.into_number()?,
            6 => info.display_name = value.into_text()?,
            7 => {
                let mut signature = Fields {
                    rest: value.into_bytes()?,
                };
                while let Some((field, value)) = signature.next()? {
                    // `text` has number 5: the signature is encoded like a document.
                    if field == 5 {
                        info.signature = value.into_text()?;
                    }
                }
            }
            8 => info.enclosing_symbol = value.into_text()?,
            _ => {}
        }
    }
    Ok(info)
}

fn decode_relationship(bytes: &[u8]) -> Result<Relationship<'_>> {
    let mut relationship = Relationship::default();
    let mut fields = Fields { rest: bytes };
    while let Some((field, value)) = fields.next()? {
        match field {
            1 => relationship.symbol = value.into_text()?,
            2 => relationship.is_reference = value.into_number()? != 0,
            3 => relationship.is_implementation = value.into_number()? != 0,
            4 => relationship.is_type_definition = value.into_number()? != 0,
            _ => {}
        }
    }
    Ok(relationship)
}
