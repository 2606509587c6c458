//! Tests of the shell.

mod facts;
mod link;
