//! Linking with a language that is made for tests: see `tiny`.

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
