//! Facts of single files, and what linking makes of several.

mod choices;
mod declared;
mod facts;
mod link;
mod loops;
