//! Facts and linking of C.

mod link;

use crate::extract;
use crate::fixture::names::{check_sample, names};
use base::Language;

#[test]
fn names_of_the_samples() {
    check_sample(Language::C, "c");
}

#[test]
fn headers_are_read_as_what_they_are() {
    let header = "#include <string>\nclass Cart { void add(); };\n";
    assert_eq!(extract(Language::C, header).language, Language::Cpp);
    assert_eq!(
        names(Language::C, header),
        ["class Cart", "method Cart.add"]
    );
    let header = "struct cart { int items; };\nint add(struct cart *cart);\n";
    assert_eq!(extract(Language::C, header).language, Language::C);
}

#[test]
fn what_a_preprocessor_makes_whole_is_found() {
    let source = "API_EXPORT int first(void)\n#if A\n{\n  if (x) {\n#else\n{\n  {\n#endif\n  }\n}\nint second(void) {}\n";
    assert_eq!(
        names(Language::C, source),
        ["function first", "function second"]
    );
    let twice = "#ifdef A\nint f(void) { return 1; }\n#else\nint f(void) { return 2; }\n#endif\n";
    assert_eq!(names(Language::C, twice), ["function f", "function f"]);
}

#[test]
fn half_typed_code_keeps_what_follows() {
    let source = "int first(void) {\n  call(\n}\n\nint second(void) { return 1; }\nstruct third { int x; };\n";
    let found = names(Language::C, source);
    for name in ["function first", "function second", "struct third"] {
        assert!(found.iter().any(|n| n == name), "{name} in {found:?}");
    }
}
