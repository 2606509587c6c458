//! An index as one file for another machine: graph, chunks, vectors and facts, with the content hash of every file.
//!
//! The file is `magic | length of the records (u64) | length of the header (u32) | header (JSON) | records (zstd) |
//! BLAKE3 over everything before`. A record is `length (u32) | kind (u8) | fields`. Such a file may come from anybody.
//! Sizes are therefore checked before anything is decoded, and the project's index is replaced only after everything
//! was read and checked.

mod export;
mod import;
mod limits;
mod stream;

pub use export::{ExportReport, export};
pub use import::{ImportReport, import};

use crate::IngestError;
use serde::{Deserialize, Serialize};
use std::path::Path;

const MAGIC: &[u8; 8] = b"KNOTIDX1";
/// Bytes before the header.
const PREFIX: usize = 8 + 8 + 4;
const CHECKSUM: usize = 32;
/// The longest header.
const MOST_HEADER: usize = 64 << 10;
/// The longest record.
const MOST_RECORD: usize = 32 << 20;
/// The largest file that is read.
const MOST_FILE: u64 = 32 << 30;
/// Most decoded bytes for each byte of the file. Real files have four to ten.
const MOST_RATIO: u64 = 64;
/// Decoded bytes that are always allowed.
const ALWAYS: u64 = 16 << 20;
/// The window of the decoder, as a power of two.
const WINDOW: u32 = 23;
/// The level of compression.
const LEVEL: i32 = 6;

/// The header of the file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Header {
    /// The program that wrote it.
    version: String,
    /// Versions of the record contents; all must agree.
    facts: u32,
    link: u32,
    chunks: u32,
    portable: u32,
    /// The model of the vectors, and the number of their values.
    model: String,
    dimensions: usize,
    /// The commit that was checked out.
    commit: Option<String>,
    /// The repository's name, by its `origin`.
    repository: Option<String>,
    /// Files in the graph.
    files: u64,
}

impl Header {
    /// The header that this program writes.
    fn of_this_program() -> Result<Header, IngestError> {
        let model = crate::chunks::built_in_model()?;
        Ok(Header {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            facts: languages::FACTS_VERSION,
            link: crate::pipeline::LINK_VERSION,
            chunks: crate::chunks::CHUNKS_VERSION,
            portable: search::portable::PORTABLE_VERSION,
            model: model.name,
            dimensions: model.dimensions,
            ..Header::default()
        })
    }

    /// Whether both headers have the same versions.
    fn has_same_versions(&self, other: &Header) -> bool {
        let versions = |h: &Header| (h.facts, h.link, h.chunks, h.portable, h.dimensions);
        versions(self) == versions(other) && self.model == other.model
    }
}

/// Kinds of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Kind {
    Metadata = 1,
    File = 2,
    PassedOver = 3,
    Node = 4,
    Edge = 5,
    Relation = 6,
    External = 7,
    Import = 8,
    Unresolved = 9,
    Mark = 10,
    Chunks = 11,
    Facts = 12,
}

impl Kind {
    /// Every kind, in the order in which records stand in a file; only `Metadata` may stand anywhere.
    const ALL: [Kind; 12] = [
        Kind::Metadata,
        Kind::File,
        Kind::PassedOver,
        Kind::Node,
        Kind::Edge,
        Kind::Relation,
        Kind::External,
        Kind::Import,
        Kind::Unresolved,
        Kind::Mark,
        Kind::Chunks,
        Kind::Facts,
    ];

    fn from_code(code: u8) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| *kind as u8 == code)
    }
}

fn error(path: &Path, reason: impl std::fmt::Display) -> IngestError {
    IngestError::Archive {
        path: path.display().to_string(),
        reason: reason.to_string(),
    }
}

#[cfg(test)]
mod forged_facts;
#[cfg(test)]
mod tests;
