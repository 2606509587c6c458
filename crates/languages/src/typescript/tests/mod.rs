//! Facts of single files, and what linking makes of several.

mod assigned;
mod facts;
mod link;
mod literals;
