//! What is read of C++, and what its names and calls mean.

mod classes;
mod hostile;
mod names;
mod operators;
mod templates;
mod types;

use crate::fixture::collect_relations;
use crate::fixture::names::check_sample;
use base::Language;

#[test]
fn names_of_the_sample() {
    check_sample(Language::Cpp, "cpp");
}

/// Calls lead to the definition outside of the class, so this is what overrides and is overridden.
#[test]
fn definitions_outside_of_their_class_override() {
    let relations = collect_relations(
        "//- base.h\nclass Base {\n public:\n  virtual void on(int x);\n  virtual void off() = 0;\n};\n\
         //- base.cpp\n#include \"base.h\"\n\nvoid Base::on(int x) {}\n\
         //- derived.h\n#include \"base.h\"\nclass Derived : public Base {\n public:\n  void on(int x) override;\n  \
         void off() override;\n};\n\
         //- derived.cpp\n#include \"derived.h\"\n\nvoid Derived::on(int x) {}\nvoid Derived::off() {}\n",
    );
    assert_eq!(
        relations,
        [
            "derived.cpp:Derived.off@4 overrides base.h:Base.off@4",
            "derived.cpp:Derived.on@3 overrides base.cpp:Base.on@3",
            "derived.h:Derived@2 extends base.h:Base@1",
        ]
    );
}
