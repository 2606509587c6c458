//! Values in columns: values of the same field of the same structure are stored together.
//!
//! A field is identified by its place in the shape of the data. Reader and writer visit fields in the same order, so
//! nothing about the shape is stored. Numbers of a column are stored plain, as differences from the previous number, or
//! as differences from the row number in its table, whichever is smallest.

use base::varint::{read_varint, write_varint};

/// Number of values that decide the encoding of a column.
const SAMPLE: usize = 1024;
/// Columns with fewer numbers are stored plain.
const FEW: usize = 48;

/// The tree of fields seen so far. Node 0 is the root.
#[derive(Default)]
pub(super) struct FieldTree {
    children: Vec<Vec<u32>>,
}

impl FieldTree {
    pub(super) fn new() -> FieldTree {
        FieldTree {
            children: vec![Vec::new()],
        }
    }

    /// The node of a node's field of that number.
    pub(super) fn child_node(&mut self, node: u32, field: u32) -> u32 {
        let (node, field) = (node as usize, field as usize);
        if let Some(found) = self.children[node].get(field).filter(|c| **c > 0) {
            return *found;
        }
        let new = self.children.len() as u32;
        let fields = &mut self.children[node];
        if fields.len() <= field {
            fields.resize(field + 1, 0);
        }
        fields[field] = new;
        self.children.push(Vec::new());
        new
    }

    pub(super) fn len(&self) -> usize {
        self.children.len()
    }
}

/// Encoding of a column's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NumberEncoding {
    Plain,
    /// Difference from the previous number.
    Before,
    /// Difference from the row number.
    Row,
}

impl NumberEncoding {
    const ALL: [NumberEncoding; 3] = [
        NumberEncoding::Plain,
        NumberEncoding::Before,
        NumberEncoding::Row,
    ];

    fn encode(self, value: u64, before: u64, row: u32) -> u64 {
        match self {
            NumberEncoding::Plain => value,
            NumberEncoding::Before => zigzag(value.wrapping_sub(before)),
            NumberEncoding::Row => zigzag(u64::from(row).wrapping_sub(value)),
        }
    }

    fn decode(self, written: u64, before: u64, row: u32) -> u64 {
        match self {
            NumberEncoding::Plain => written,
            NumberEncoding::Before => before.wrapping_add(unzigzag(written)),
            NumberEncoding::Row => u64::from(row).wrapping_sub(unzigzag(written)),
        }
    }
}

fn zigzag(distance: u64) -> u64 {
    (distance << 1) ^ (((distance as i64) >> 63) as u64)
}

fn unzigzag(written: u64) -> u64 {
    (written >> 1) ^ (written & 1).wrapping_neg()
}

/// A column under construction.
#[derive(Default)]
pub(super) struct Column {
    /// Numbers with their rows.
    numbers: Vec<(u64, u32)>,
    text: Vec<u8>,
}

impl Column {
    pub(super) fn push(&mut self, value: u64, row: u32) {
        self.numbers.push((value, row));
    }

    pub(super) fn push_text(&mut self, text: &str, row: u32) {
        self.push(text.len() as u64, row);
        self.text.extend_from_slice(text.as_bytes());
    }

    pub(super) fn clear(&mut self) {
        self.numbers.clear();
        self.text.clear();
    }

    fn encode_numbers(numbers: &[(u64, u32)], mode: NumberEncoding) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(numbers.len() + numbers.len() / 4);
        let mut before = 0;
        for (value, row) in numbers {
            write_varint(&mut bytes, mode.encode(*value, before, *row));
            before = *value;
        }
        bytes
    }

    /// Chosen by numbers from the middle of the column.
    fn choose_mode(&self) -> NumberEncoding {
        if self.numbers.len() < FEW {
            return NumberEncoding::Plain;
        }
        let spare = self.numbers.len().saturating_sub(SAMPLE);
        let sample = &self.numbers[spare / 2..self.numbers.len() - spare.div_ceil(2)];
        let cost = |mode| entropy_bits(&Column::encode_numbers(sample, mode));
        let mut best = (cost(NumberEncoding::Plain), NumberEncoding::Plain);
        for mode in [NumberEncoding::Before, NumberEncoding::Row] {
            // Plain numbers also repeat in patterns, which this estimate does not see.
            let other = cost(mode) * 1.1;
            if other < best.0 {
                best = (other, mode);
            }
        }
        best.1
    }
}

/// Shannon entropy of the bytes, in bits.
fn entropy_bits(bytes: &[u8]) -> f64 {
    let mut counts = [0u32; 256];
    bytes.iter().for_each(|b| counts[usize::from(*b)] += 1);
    let all = bytes.len() as f64;
    let seen = counts.iter().filter(|c| **c > 0);
    seen.map(|c| f64::from(*c) * (all / f64::from(*c)).log2())
        .sum()
}

/// The encoded parts: a list of the columns, then each column's numbers and texts.
pub(super) fn encode_columns(columns: &[Column]) -> Vec<Vec<u8>> {
    let mut parts = vec![Vec::new()];
    write_varint(&mut parts[0], columns.len() as u64);
    for column in columns {
        let mode = column.choose_mode();
        let numbers = Column::encode_numbers(&column.numbers, mode);
        let head = &mut parts[0];
        head.push(mode as u8);
        write_varint(head, numbers.len() as u64);
        write_varint(head, column.text.len() as u64);
        parts.push(numbers);
        parts.push(column.text.clone());
    }
    parts
}

/// A reader of one column.
pub(super) struct ColumnReader<'b> {
    mode: NumberEncoding,
    numbers: &'b [u8],
    text: &'b [u8],
    before: u64,
}

impl<'b> ColumnReader<'b> {
    pub(super) fn next(&mut self, row: u32) -> Option<u64> {
        let written = read_varint(&mut self.numbers)?;
        let value = self.mode.decode(written, self.before, row);
        self.before = value;
        Some(value)
    }

    pub(super) fn next_text(&mut self, row: u32) -> Option<&'b str> {
        let length = usize::try_from(self.next(row)?).ok()?;
        let (text, rest) = self.text.split_at_checked(length)?;
        self.text = rest;
        std::str::from_utf8(text).ok()
    }
}

/// Decodes the columns that [`encode_columns()`] encoded, its parts joined.
pub(super) fn decode_columns(bytes: &[u8]) -> Option<Vec<ColumnReader<'_>>> {
    let mut head = bytes;
    let count = usize::try_from(read_varint(&mut head)?).ok()?;
    let mut lengths = Vec::new();
    for _ in 0..count {
        let (mode, rest) = head.split_first()?;
        head = rest;
        let mode = *NumberEncoding::ALL.get(usize::from(*mode))?;
        let numbers = usize::try_from(read_varint(&mut head)?).ok()?;
        let text = usize::try_from(read_varint(&mut head)?).ok()?;
        lengths.push((mode, numbers, text));
    }
    let mut columns = Vec::with_capacity(lengths.len());
    for (mode, numbers, text) in lengths {
        let (numbers, rest) = head.split_at_checked(numbers)?;
        let (text, rest) = rest.split_at_checked(text)?;
        head = rest;
        columns.push(ColumnReader {
            mode,
            numbers,
            text,
            before: 0,
        });
    }
    Some(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_gives_back_what_it_took() {
        let values = [0, 1, 5, u64::from(u32::MAX), u64::MAX, 3, 1 << 40];
        for mode in NumberEncoding::ALL {
            let mut before = 0;
            for (row, value) in values.into_iter().enumerate() {
                let written = mode.encode(value, before, row as u32);
                assert_eq!(mode.decode(written, before, row as u32), value, "{mode:?}");
                before = value;
            }
        }
    }

    #[test]
    fn the_cheapest_mode_is_taken() {
        let mode = |value: &dyn Fn(u32) -> u64| {
            let mut column = Column::default();
            (0..500).for_each(|row| column.push(value(row), row));
            column.choose_mode()
        };
        assert_eq!(
            mode(&|row| u64::from(row) * 7 + 1_000),
            NumberEncoding::Before
        );
        let scattered = |row: u32| u64::from((row.wrapping_mul(2_654_435_761) >> 13) % 3);
        assert_eq!(mode(&scattered), NumberEncoding::Plain);
        let back = |row: u32| u64::from(row.saturating_sub(1 + row * row * 31 % 7));
        assert_eq!(mode(&back), NumberEncoding::Row);
    }
}
