//! One program for the fixtures of all languages: each program of tests costs seconds to build.

mod common;

mod go;
mod java;
mod python;
mod rust;
mod rust_builds;
mod typescript;
