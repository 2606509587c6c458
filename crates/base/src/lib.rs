//! Types and tables that all crates share: languages and their data, symbol kinds, the facts of a file, edge types,
//! tiers, ids, spans, and tables of tuned numbers; also the encoding of numbers and hexadecimal digits.
//!
//! Never knows: files on disk, SQL, wire formats, tree-sitter.

mod cancel;
mod clock;
pub mod facts;
mod facts_check;
mod facts_rows;
mod graph;
pub mod hex;
mod id;
pub mod json;
mod kind;
pub mod language;
// Taken from `text`, which is not a dependency: the longest chain of crates would grow.
#[path = "../../text/src/list.rs"]
pub mod list;
mod mark;
mod path;
pub mod remote;
pub mod scopes;
pub mod secret;
pub mod stack;
pub mod toml;
pub mod trace;
pub mod tuning;
pub mod varint;
mod weight;

pub use cancel::Cancel;
pub use clock::thread_time;
pub use facts::FileFacts;
pub use graph::{EdgeType, Site, Tier, UnknownEdgeType};
pub use id::{FileKey, IdText, NodeId, fingerprint};
pub use kind::{SymbolKind, Visibility};
pub use language::Language;
pub use mark::{DEAD_CODE, MarkKind};
pub use path::{
    LONGEST_PATH, is_fixture_path, is_test_path, join_path, test_folder, test_name_prefix,
};

use serde::{Deserialize, Serialize};

/// A range of source text. Lines are 1-based and inclusive; bytes are 0-based, end exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
pub struct Span {
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, from 1, inclusive.
    pub end_line: u32,
    /// First byte, from 0.
    pub start_byte: u32,
    /// One past the last byte.
    pub end_byte: u32,
}

impl Span {
    /// Whether `byte` lies inside.
    pub fn contains(&self, byte: u32) -> bool {
        self.start_byte <= byte && byte < self.end_byte
    }

    /// Whether `other` lies wholly inside.
    pub fn encloses(&self, other: &Span) -> bool {
        self.start_byte <= other.start_byte && other.end_byte <= self.end_byte
    }
}
