//! What one file says by itself, read from its syntax tree: definitions, scopes, imports,
//! expressions that matter for calls, written types, inheritance, complexity.
//!
//! Never knows: files on disk, other files, the store. Facts depend on the bytes and the language
//! alone, so they can be cached by content hash.

pub mod builder;
pub mod complexity;
pub mod facts;
mod fields;
mod languages;
mod parse;
mod prose;
mod weight;

pub use facts::FileFacts;
pub use languages::{
    FACTS_VERSION, cfg_holds, extract, extract_counted, extract_unless, parse_only,
};
pub use prose::code_lines;
