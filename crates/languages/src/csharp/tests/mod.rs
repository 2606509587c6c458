//! Facts and linking of C#.

mod facts;
mod hostile;
mod link;
mod overloads;

use crate::fixture::names::check_sample;
use base::Language;

#[test]
fn names_of_the_sample() {
    check_sample(Language::CSharp, "csharp");
}
