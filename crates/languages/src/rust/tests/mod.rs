//! Facts of single files, and what linking makes of several.

mod builds;
mod facts;
mod link;
mod references;
