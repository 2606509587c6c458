//! Facts of single files, and linking of several.

mod embedding;
mod facts;
mod link;
