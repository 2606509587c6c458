//! Facts and linking of Swift.

mod link;

use crate::fixture::names::check_sample;
use base::Language;

#[test]
fn names_of_the_sample() {
    check_sample(Language::Swift, "swift");
}
