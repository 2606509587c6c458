//! Limits on the memory of an import, and on the decoded size of a record, which is estimated from its bytes
//! beforehand.

use super::export::METADATA;
use crate::pipeline::{Budget, CALLS_GIVEN_UP, FILE_USERS};
use base::facts::{Expr, TypeExpr};
use std::mem::size_of;
use store::FileRecord;

/// The longest row of the graph.
const MOST_ROW: u64 = 8 << 20;
/// Rows that are written together.
const ROWS: u64 = 100_000;
/// The most files.
const MOST_FILES: u64 = 1 << 20;
/// The longest entry of metadata that does not grow with the files.
const MOST_METADATA: usize = 4 << 20;
/// The longest enumeration value in a file's record, in bytes.
const MOST_WORD: usize = 200;

/// Bytes of a row besides its texts, and bytes for each byte of its record: a list of lines takes four for each, and as
/// much again while it grows.
const ROW: (u64, u64) = (400, 8);
/// The same for the record of a file, which is held until the end.
const FILE: (u64, u64) = (600, 2);

/// A list that grows takes up to three times what it holds.
const GROWTH: u64 = 3;
/// Decoded bytes for each byte of facts: the smallest expression has one byte.
const FACTS: u64 = GROWTH * max(size_of::<Expr>(), size_of::<TypeExpr>());
/// Decoded bytes for each byte of chunks: an empty definition has five, and is held twice.
const CHUNKS: u64 = 52;

/// Most bytes of facts for each byte of a source, and for an empty source.
const FACTS_OF_SOURCE: (u64, u64) = (16, 4 << 10);
/// The same for its chunks: the vectors of a short text are longer than the text.
const CHUNKS_OF_SOURCE: (u64, u64) = (16, 16 << 10);

/// Most bytes held without a ceiling.
const ALWAYS: u64 = 1 << 30;
/// Most bytes of facts, chunks or rows that wait to be written.
const WAITING: u64 = 64 << 20;

const fn max(a: usize, b: usize) -> u64 {
    if a > b { a as u64 } else { b as u64 }
}

/// The limits below a memory ceiling.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Bytes of rows, chunks or facts that are held before they are written.
    pub(super) waiting: u64,
    /// Bytes of the records of all files.
    files: u64,
    /// Decoded bytes of a single record, or of the imports of a single file.
    single: u64,
}

impl Limits {
    pub(super) fn new(ceiling: Option<u64>) -> Limits {
        let budget = Budget::new(ceiling);
        Limits {
            waiting: budget.pending_row_bytes().min(WAITING),
            files: budget.change_bytes().min(ALWAYS),
            single: budget.parsing_bytes().min(ALWAYS),
        }
    }

    /// Whether facts of that encoded size may be decoded for a source of that size.
    pub(super) fn may_decode_facts(self, bytes: u64, source: u64) -> bool {
        let (of_byte, of_file) = FACTS_OF_SOURCE;
        bytes <= source * of_byte + of_file && bytes * FACTS <= self.single
    }

    /// The same for the chunks of a text.
    pub(super) fn may_decode_chunks(self, bytes: u64, source: u64) -> bool {
        let (of_byte, of_file) = CHUNKS_OF_SOURCE;
        bytes <= source * of_byte + of_file && bytes * CHUNKS <= self.single
    }
}

/// The reason why an archive is not read any further.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum LimitError {
    #[error("a row is too long")]
    LongRow,
    #[error("the imports of a file do not fit below the memory ceiling")]
    Imports,
    #[error("it has too many files")]
    ManyFiles,
    #[error("its files do not fit below the memory ceiling")]
    Files,
}

/// An error if a row is too long to be decoded.
pub(super) fn check_row(bytes: u64) -> Result<(), LimitError> {
    if bytes > MOST_ROW {
        return Err(LimitError::LongRow);
    }
    Ok(())
}

/// Rows that are held, by number and size.
#[derive(Debug, Default)]
pub(super) struct RowTotals {
    rows: u64,
    bytes: u64,
    /// Bytes of the imports of the current file.
    imports: u64,
}

impl RowTotals {
    /// Adds a row before it is decoded. An error if it is too long.
    pub(super) fn add(&mut self, bytes: u64) -> Result<(), LimitError> {
        check_row(bytes)?;
        self.rows += 1;
        self.bytes += ROW.0 + ROW.1 * bytes;
        Ok(())
    }

    pub(super) fn is_full(&self, limits: Limits) -> bool {
        self.rows >= ROWS || self.bytes > limits.waiting
    }

    /// Begins the imports of the next file.
    pub(super) fn begin_imports(&mut self) {
        self.imports = 0;
    }

    /// Adds another import of the same file; all imports of a file are held together.
    pub(super) fn add_import(&mut self, bytes: u64, limits: Limits) -> Result<(), LimitError> {
        self.add(bytes)?;
        self.imports += ROW.0 + ROW.1 * bytes;
        if self.imports > limits.single {
            return Err(LimitError::Imports);
        }
        Ok(())
    }

    pub(super) fn clear(&mut self) {
        (self.rows, self.bytes) = (0, 0);
    }
}

/// The files read so far.
#[derive(Debug, Default)]
pub(super) struct FileCount {
    files: u64,
    bytes: u64,
    paths: usize,
}

impl FileCount {
    /// Adds a file before its record is decoded.
    pub(super) fn add(&mut self, bytes: u64, limits: Limits) -> Result<(), LimitError> {
        self.files += 1;
        self.bytes += FILE.0 + FILE.1 * bytes;
        if self.files > MOST_FILES {
            return Err(LimitError::ManyFiles);
        }
        if self.bytes > limits.files {
            return Err(LimitError::Files);
        }
        Ok(())
    }

    pub(super) fn add_path(&mut self, path: &str) {
        self.paths += path.len();
    }

    /// Whether an entry of metadata may have that key and length.
    pub(super) fn may_have_metadata(&self, key: &str, length: usize) -> bool {
        // There is a number for each file. A character of a path may have to be escaped.
        let of_files = 6 * self.paths + 32 * self.files as usize;
        let most = match key {
            FILE_USERS | CALLS_GIVEN_UP => of_files + (4 << 10),
            _ => MOST_METADATA,
        };
        METADATA.contains(&key) && length <= most
    }
}

/// Whether the enumeration values of a file's record are short enough.
pub(super) fn has_words(file: &FileRecord) -> bool {
    let words = [
        &file.language,
        &file.hash,
        &file.role,
        &file.source,
        &file.output_hash,
    ];
    words.iter().all(|word| word.len() <= MOST_WORD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_full_by_their_bytes_and_by_their_number() {
        let limits = Limits::new(Some(512 << 20));
        let mut held = RowTotals::default();
        for _ in 0..5 {
            held.add(1 << 20).unwrap();
        }
        assert!(held.is_full(limits));
        held.clear();
        assert!(!held.is_full(limits));
        (0..ROWS).for_each(|_| held.add(1).unwrap());
        assert!(held.is_full(Limits::new(None)));
        assert!(held.add(MOST_ROW + 1).is_err());
    }

    #[test]
    fn what_is_decoded_fits_below_the_ceiling_and_belongs_to_such_a_source() {
        let limits = Limits::new(Some(512 << 20));
        // Ten million empty expressions, of a file of any size.
        assert!(!limits.may_decode_facts(10 << 20, u64::MAX >> 8));
        assert!(!limits.may_decode_facts(10 << 20, 1_000));
        assert!(limits.may_decode_facts(4_000, 0) && limits.may_decode_chunks(4_000, 0));
        assert!(limits.may_decode_facts(500 << 10, 200 << 10));
        assert!(!limits.may_decode_chunks(10 << 20, 1_000));
    }
}
