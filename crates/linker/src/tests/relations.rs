//! Supertypes, implementations and overridden methods.

use super::tiny::{compare, relations};

#[test]
fn supertypes_and_overridden_methods_are_related() {
    let found = relations(
        "//- a.lua
import b.Far
interface Shape { fn area(self); fn name(self); }
class Base { fn name(self) {} fn own(self) {} let size = 1 }
class Circle: Base, has Shape, embeds Far { fn area(self) {} fn name(self) {} fn size(self) {} fn far(self) {} }
class Own: Own {}
//- b.lua
class Far { fn far(self) {} }
",
    );
    compare(
        &found,
        "a.lua:Circle@4 implements a.lua:Shape@2
a.lua:Circle@4 extends a.lua:Base@3
a.lua:Circle@4 embeds b.lua:Far@1
a.lua:Circle.area@4 overrides a.lua:Shape.area@2
a.lua:Circle.name@4 overrides a.lua:Shape.name@2
a.lua:Circle.name@4 overrides a.lua:Base.name@3
a.lua:Circle.far@4 overrides b.lua:Far.far@1",
    );
}

#[test]
fn an_extension_speaks_for_its_type() {
    let found = relations(
        "//- a.lua
trait Show { fn show(self); }
class A { fn own(self) {} }
extend A: Show { fn show(self) {} }
extend A { fn more(self) {} }
",
    );
    compare(
        &found,
        "a.lua:A@2 implements a.lua:Show@1
a.lua:A.show@3 overrides a.lua:Show.show@1",
    );
}

#[test]
fn overloads_override_those_with_as_many_parameters() {
    let found = relations(
        "//- a.lua
class A { fn f(self) {} fn f(self, a) {} fn g(self, a) {} }
class B: A { fn f(self, x) {} fn g(self) {} }
class C: A { fn f(self, x, y) {} }
",
    );
    compare(
        &found,
        "a.lua:B@2 extends a.lua:A@1
a.lua:B.f@2 overrides a.lua:A.f@1
a.lua:B.g@2 overrides a.lua:A.g@1
a.lua:C@3 extends a.lua:A@1",
    );
}

#[test]
fn what_a_language_finds_by_itself_is_related_too() {
    let found = relations(
        "//- a.lua
interface Named { fn name(self); fn other(self); }
class ThingLikeNamed { fn name(self) {} fn more(self) {} }
",
    );
    compare(
        &found,
        "a.lua:ThingLikeNamed@2 implements a.lua:Named@1
a.lua:ThingLikeNamed.name@2 overrides a.lua:Named.name@1",
    );
}

#[test]
fn relations_stand_once_and_in_order() {
    let found = relations(
        "//- a.lua
class Top { fn m(self) {} }
class B: Top, Top, has Top { fn m(self) {} }
class A: Top { fn m(self) {} }
",
    );
    let lines: Vec<&str> = found.lines().collect();
    let mut once = lines.clone();
    once.dedup();
    assert_eq!(lines, once);
    assert_eq!(lines.iter().filter(|l| l.contains("overrides")).count(), 2);
    assert_eq!(lines[0], "a.lua:B@2 extends a.lua:Top@1");
}
