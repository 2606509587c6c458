//! The input of the index: a file cut into chunks, in plain structs.

use serde::{Deserialize, Serialize};

/// The role of a file. Every role but `Source` ranks below sources unless a query asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum FileRole {
    /// The project's own code.
    #[default]
    Source = 0,
    /// Tests and their fixtures.
    Test = 1,
    /// Code of other projects, copied in.
    Vendor = 2,
    /// Written by a program.
    Generated = 3,
    /// Examples, samples, demonstrations, benchmarks.
    Example = 4,
    /// Prose: documentation, change logs.
    Document = 5,
    /// Configuration and data.
    Config = 6,
}

impl FileRole {
    /// Every role, by its number.
    pub const ALL: [FileRole; 7] = [
        FileRole::Source,
        FileRole::Test,
        FileRole::Vendor,
        FileRole::Generated,
        FileRole::Example,
        FileRole::Document,
        FileRole::Config,
    ];
}

/// A file for the index.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FileDoc<'a> {
    /// Path from the root, with `/`.
    pub path: &'a str,
    /// The language, as a word; empty if it is not known.
    pub language: &'a str,
    /// The role of the file.
    pub role: FileRole,
    /// Hash of the content, for the caller's own use ([`crate::index::Index::content_hash`]).
    pub hash: u64,
    /// Its chunks in order.
    pub chunks: Vec<ChunkDoc<'a>>,
}

/// A stretch of a file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ChunkDoc<'a> {
    /// First line, from 1.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// The text of these lines.
    pub text: &'a str,
    /// Definitions that begin inside, the one that the chunk shows first.
    pub definitions: Vec<DefDoc<'a>>,
    /// The name of the definition around the chunk (class, module); empty at file level.
    pub container: &'a str,
}

/// A definition inside a chunk.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DefDoc<'a> {
    /// The name.
    pub name: &'a str,
    /// The kind, as a word (`function`, `class`, …).
    pub kind: &'a str,
    /// The signature on one line, may be empty.
    pub signature: &'a str,
    /// Documentation known from elsewhere; comments in the text are found anyway.
    pub doc: &'a str,
    /// First line.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// Whether other files can use it.
    pub exported: bool,
}
