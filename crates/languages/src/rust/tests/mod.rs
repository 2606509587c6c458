//! Facts of single files, and linking of several.

mod builds;
mod facts;
mod link;
mod references;
