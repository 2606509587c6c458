//! Facts of single files, and linking of several.

mod facts;
mod link;
