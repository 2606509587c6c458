//! One program for all tests over several files: each program of tests costs seconds to build.

mod common;

mod adopt;
mod bounds;
mod ceiling;
mod exposed;
mod growth;
mod incremental;
mod link_go;
mod link_java;
mod link_python;
mod link_rust;
mod link_rust_builds;
mod link_typescript;
mod manifest_limits;
mod pipeline;
mod scip;
