//! Tests of Ruby.

mod facts;
mod link;
