//! Operations on text that need no other part of the program: tokens, parts of identifiers, stems, index terms, path
//! patterns, edit distance, YAML with its lines, dates, a glossary.
//!
//! Never knows: symbols, vectors, ranking, files on disk, the environment.

pub mod cjk;
pub mod date;
pub mod distance;
pub mod glob;
pub mod glossary;
pub mod identifier;
pub mod list;
pub mod stem;
pub mod terms;
pub mod tokens;
pub mod yaml;
