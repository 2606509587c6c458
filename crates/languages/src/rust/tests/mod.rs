//! Facts of single files, and linking of several.

mod ambiguous;
mod builds;
mod facts;
mod link;
mod references;
