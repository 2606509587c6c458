//! Facts of single files, and linking of several.

mod assigned;
mod facts;
mod link;
mod literals;
