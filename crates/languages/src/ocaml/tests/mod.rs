//! Facts of OCaml.

use crate::fixture::names::check_sample;
use base::Language;

#[test]
fn names_of_the_sample() {
    check_sample(Language::Ocaml, "ocaml");
}

#[test]
fn names_of_an_interface() {
    check_sample(Language::OcamlInterface, "ocaml");
}
