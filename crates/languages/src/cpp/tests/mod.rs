//! What is read of C++, and what its names and calls mean.

mod classes;
mod hostile;
mod names;
mod operators;
mod templates;
mod types;

use crate::fixture::names::check_sample;
use base::Language;

#[test]
fn names_of_the_sample() {
    check_sample(Language::Cpp, "cpp");
}
