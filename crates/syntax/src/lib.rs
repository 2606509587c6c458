//! Reads a file: parses it within limits, collects facts (definitions, scopes, imports, expressions that matter for
//! calls, written types, inheritance) and measures complexity. The parts specific to a language come as a [`Reader`].
//!
//! Never knows: any one language, files on disk, other files, the store. Facts depend on the bytes and the language
//! alone, so they can be cached by content hash.

pub mod builder;
pub mod complexity;
pub mod fields;
mod mark;
pub mod parse;
mod prose;
mod read;
mod remote;
#[cfg(test)]
mod tests;

pub use base::FileFacts;
pub use base::facts;
pub use prose::lines_with_code;
pub use read::{Reader, extract, parse_only, parse_text};
