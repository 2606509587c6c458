//! Facts of single files, and linking of several.

mod choices;
mod declared;
mod facts;
mod link;
mod loops;
mod tries;
