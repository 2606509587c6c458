//! Facts and linking of PHP.

mod facts;
mod link;

use crate::fixture::names::check_sample;
use base::Language;

#[test]
fn names_of_the_sample() {
    check_sample(Language::Php, "php");
}

#[test]
fn properties_of_the_constructor_belong_to_the_class() {
    let source = "<?php class A { function __construct(public int $b) {} }";
    let found = crate::fixture::names::names(Language::Php, source);
    assert_eq!(found, ["class A", "method A.__construct", "property A.b"]);
}
