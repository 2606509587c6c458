//! Linking with a small language made for tests: see `tiny`.

mod calls;
mod delta;
mod evaluation;
mod exposed;
mod follow;
mod fuel;
mod generics;
mod members;
mod names;
mod outcomes;
mod relations;
mod tables;
mod tiny;
mod types;
mod visible;
