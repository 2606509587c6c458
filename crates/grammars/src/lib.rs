//! Grammars whose parse tables are packed in the program, and unpacked when the language is needed for the first time.
//!
//! The tables of a generated parser are large and compress well; its lexer and scanner are small. The build script compiles
//! the latter and compresses the former. [`Grammar::language`] puts them together.
//!
//! Never knows: files, the languages that use the grammars, how a source is parsed.

mod language;
mod list;
#[cfg(test)]
mod tests;

pub use list::*;

use language::{Functions, Layout, RawLanguage};
use std::sync::OnceLock;

/// A packed grammar.
pub struct Grammar {
    packed: &'static [u8],
    /// How many bytes the tables have.
    size: usize,
    numbers: grammar_tables::Numbers,
    layout: Layout,
    functions: Functions,
    unpacked: OnceLock<&'static RawLanguage>,
}

impl Grammar {
    /// The language. The first call unpacks the tables, which stay until the process ends.
    ///
    /// # Panics
    ///
    /// If the program's own bytes are damaged.
    pub fn language(&self) -> tree_sitter::Language {
        let raw = self.unpacked.get_or_init(|| {
            let tables = unpack(self.packed, self.size);
            let tables = tables.unwrap_or_else(|error| panic!("the program is damaged: {error}"));
            let functions = &self.functions;
            Box::leak(Box::new(RawLanguage::new(
                tables,
                &self.numbers,
                &self.layout,
                functions,
            )))
        });
        raw.language()
    }

    /// How many bytes the tables take in the program, and in memory once they are unpacked.
    fn sizes(&self) -> [usize; 2] {
        [self.packed.len(), self.size]
    }
}

impl std::fmt::Debug for Grammar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sizes = self.sizes();
        f.debug_struct("Grammar")
            .field("sizes", &sizes)
            .finish_non_exhaustive()
    }
}

/// What the alignment of tables is a multiple of. They have numbers of at most four bytes.
const ALIGNMENT: usize = 8;

/// The tables, aligned, in memory that is never freed.
fn unpack(packed: &[u8], size: usize) -> std::io::Result<&'static [u8]> {
    let memory = Vec::leak(vec![0; size + ALIGNMENT]);
    let start = memory.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
    let tables = &mut memory[start..start + size];
    let length = zstd::bulk::decompress_to_buffer(packed, tables)?;
    if length != size {
        return Err(std::io::ErrorKind::UnexpectedEof.into());
    }
    Ok(tables)
}
