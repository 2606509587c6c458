//! Facts of Julia.

use crate::fixture::names::check_sample;
use base::Language;

#[test]
fn names_of_the_sample() {
    check_sample(Language::Julia, "julia");
}
