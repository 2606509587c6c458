//! One program for all tests over several files, since each test program costs seconds to build.

mod common;

mod adopt;
mod archive;
mod bounds;
mod ceiling;
mod exposed;
mod growth;
mod imports;
mod incremental;
mod manifest_limits;
mod marks;
mod pipeline;
mod scip;
mod tracked;
