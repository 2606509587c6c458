//! What an import may hold in memory, and what a record may become when it is decoded: estimated from its bytes, before.

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
/// The longest word of a file's record.
const MOST_WORD: usize = 200;

/// Bytes that a row takes beside its texts, and for each byte of its record: a list of lines takes four for each, and as much
/// again while it grows.
const ROW: (u64, u64) = (400, 8);
/// The same for the record of a file, which stays to the end.
const FILE: (u64, u64) = (600, 2);

/// A list that grows takes up to three times what it holds.
const GROWTH: u64 = 3;
/// Bytes that a byte of facts may become: an expression that says nothing is one.
const FACTS: u64 = GROWTH * max(size_of::<Expr>(), size_of::<TypeExpr>());
/// Bytes that a byte of chunks may become: an empty definition is five, and is held twice.
const CHUNKS: u64 = 52;

/// Bytes of facts for each byte of a source, and for a source that is empty.
const FACTS_OF_SOURCE: (u64, u64) = (16, 4 << 10);
/// The same for its chunks: the vectors of a short one are longer than the text.
const CHUNKS_OF_SOURCE: (u64, u64) = (16, 16 << 10);

/// What is held at most where there is no ceiling.
const ALWAYS: u64 = 1 << 30;
/// The most facts, chunks or rows that wait to be written.
const WAITING: u64 = 64 << 20;

const fn max(a: usize, b: usize) -> u64 {
    if a > b { a as u64 } else { b as u64 }
}

/// The shares of the memory ceiling.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Bytes of rows, chunks or facts that are held before they are written.
    pub(super) waiting: u64,
    /// Bytes of the records of all files.
    files: u64,
    /// Bytes that a single record may become, or the imports of a single file.
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

    /// Whether the facts of a source of that size may be decoded from so many bytes.
    pub(super) fn may_decode_facts(self, bytes: u64, source: u64) -> bool {
        let (of_byte, of_file) = FACTS_OF_SOURCE;
        bytes <= source * of_byte + of_file && bytes * FACTS <= self.single
    }

    /// Whether the chunks of a text of that size may be.
    pub(super) fn may_decode_chunks(self, bytes: u64, source: u64) -> bool {
        let (of_byte, of_file) = CHUNKS_OF_SOURCE;
        bytes <= source * of_byte + of_file && bytes * CHUNKS <= self.single
    }
}

/// An error if a row is too long to be decoded.
pub(super) fn check_row(bytes: u64) -> Result<(), &'static str> {
    if bytes > MOST_ROW {
        return Err("a row is too long");
    }
    Ok(())
}

/// Rows that are held, by number and size.
#[derive(Debug, Default)]
pub(super) struct Held {
    rows: u64,
    bytes: u64,
    /// Those of the file whose imports are being read.
    imports: u64,
}

impl Held {
    /// Adds a row before it is decoded. An error if it is too long.
    pub(super) fn add(&mut self, bytes: u64) -> Result<(), &'static str> {
        check_row(bytes)?;
        self.rows += 1;
        self.bytes += ROW.0 + ROW.1 * bytes;
        Ok(())
    }

    pub(super) fn is_full(&self, limits: Limits) -> bool {
        self.rows >= ROWS || self.bytes > limits.waiting
    }

    /// The imports of another file begin.
    pub(super) fn begin_imports(&mut self) {
        self.imports = 0;
    }

    /// Adds one more import of the same file: all of them are held together.
    pub(super) fn add_import(&mut self, bytes: u64, limits: Limits) -> Result<(), &'static str> {
        self.add(bytes)?;
        self.imports += ROW.0 + ROW.1 * bytes;
        if self.imports > limits.single {
            return Err("the imports of a file do not fit below the memory ceiling");
        }
        Ok(())
    }

    pub(super) fn clear(&mut self) {
        (self.rows, self.bytes) = (0, 0);
    }
}

/// The files so far.
#[derive(Debug, Default)]
pub(super) struct FileCount {
    files: u64,
    bytes: u64,
    paths: usize,
}

impl FileCount {
    /// Adds a file before its record is decoded.
    pub(super) fn add(&mut self, bytes: u64, limits: Limits) -> Result<(), &'static str> {
        self.files += 1;
        self.bytes += FILE.0 + FILE.1 * bytes;
        if self.files > MOST_FILES {
            return Err("it has too many files");
        }
        if self.bytes > limits.files {
            return Err("its files do not fit below the memory ceiling");
        }
        Ok(())
    }

    pub(super) fn add_path(&mut self, path: &str) {
        self.paths += path.len();
    }

    /// Whether an entry of metadata may have that key and be so long.
    pub(super) fn may_have_metadata(&self, key: &str, length: usize) -> bool {
        // A number for each file. A character of a path may have to be escaped.
        let of_files = 6 * self.paths + 32 * self.files as usize;
        let most = match key {
            FILE_USERS | CALLS_GIVEN_UP => of_files + (4 << 10),
            _ => MOST_METADATA,
        };
        METADATA.contains(&key) && length <= most
    }
}

/// Whether the words of a file's record have the length of words.
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
        let mut held = Held::default();
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
        // Ten million expressions that say nothing, of a file of any size.
        assert!(!limits.may_decode_facts(10 << 20, u64::MAX >> 8));
        assert!(!limits.may_decode_facts(10 << 20, 1_000));
        assert!(limits.may_decode_facts(4_000, 0) && limits.may_decode_chunks(4_000, 0));
        assert!(limits.may_decode_facts(500 << 10, 200 << 10));
        assert!(!limits.may_decode_chunks(10 << 20, 1_000));
    }
}
