//! Facts of single files, and what linking makes of several.

mod facts;
mod link;
