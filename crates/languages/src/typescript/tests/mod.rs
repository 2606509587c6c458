//! Facts of single files, and linking of several.

mod ambiguous;
mod assigned;
mod facts;
mod link;
mod literals;
mod predicates;
