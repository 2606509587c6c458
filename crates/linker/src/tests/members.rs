//! Members of types: inheritance, unions, objects, members outside a type.

use super::tiny::check;

#[test]
fn members_are_found_nearest_first() {
    check(
        "//- a.lua
class Top { fn a(self) {} fn b(self) {} fn c(self) {} }
class Left: Top { fn b(self) {} }
class Right: Top { fn b(self) {} fn c(self) {} fn d(self) {} }
class Both: Left, Right { fn e(self) { self.a() self.b() self.d() super.e() super.b() } }
fn f(x: Both, y: Right) { x.a() x.b() x.d() y.b() y.gone() }
",
        "a.lua:4 a -> a.lua:Top.a@1 [typed]
a.lua:4 b -> a.lua:Left.b@2 [typed]
a.lua:4 d -> a.lua:Right.d@3 [typed]
a.lua:4 e -> ? no such member
a.lua:4 b -> a.lua:Left.b@2 [typed]
a.lua:5 a -> a.lua:Top.a@1 [typed]
a.lua:5 b -> a.lua:Left.b@2 [typed]
a.lua:5 d -> a.lua:Right.d@3 [typed]
a.lua:5 b -> a.lua:Right.b@3 [typed]
a.lua:5 gone -> ? no such member",
    );
}

#[test]
fn ancestors_in_a_circle_end() {
    check(
        "//- a.lua
class A: B { fn a(self) {} }
class B: C { fn b(self) {} }
class C: A { fn c(self) { self.a() self.b() self.c() self.gone() } }
class Own: Own { fn f(self) { self.f() self.gone() } }
",
        "a.lua:3 a -> a.lua:A.a@1 [typed]
a.lua:3 b -> a.lua:B.b@2 [typed]
a.lua:3 c -> a.lua:C.c@3 [typed]
a.lua:3 gone -> ? no such member
a.lua:4 f -> a.lua:Own.f@4 [typed]
a.lua:4 gone -> ? no such member",
    );
}

#[test]
fn what_an_ancestor_outside_has_is_outside() {
    check(
        "//- a.lua
import ext/ui.Widget
class Button: Widget { fn press(self) { self.press() self.draw() super.draw() } }
class Loud: Button { fn draw(self) { super.draw() self.press() } }
",
        "a.lua:2 press -> a.lua:Button.press@2 [typed]
a.lua:2 draw -> ext ext/ui:Widget.draw
a.lua:2 draw -> ext ext/ui:Widget.draw
a.lua:3 draw -> ext ext/ui:Widget.draw
a.lua:3 press -> a.lua:Button.press@2 [typed]",
    );
}

#[test]
fn each_part_of_a_union_has_its_own() {
    // The type of `x.m()` is a part of what is possible: the method of the first part counts for all.
    check(
        "//- a.lua
class A { fn m(self) = new A() fn only(self) {} }
class B { fn m(self) = new B() }
class C: A {}
fn f(x: A | B, y: A | C, z: A | text) {
  x.m()
  x.only()
  x.m().m()
  y.m()
  z.m()
  x.gone()
}
",
        "a.lua:1 A -> a.lua:A@1 [scoped]
a.lua:2 B -> a.lua:B@2 [scoped]
a.lua:5 m -> a.lua:A.m@1, a.lua:B.m@2 [typed]
a.lua:6 only -> a.lua:A.only@1 [typed]
a.lua:7 m -> a.lua:A.m@1, a.lua:B.m@2 [typed]
a.lua:7 m -> a.lua:A.m@1 [typed]
a.lua:8 m -> a.lua:A.m@1 [typed]
a.lua:9 m -> a.lua:A.m@1 [typed]
a.lua:10 gone -> ? no such member",
    );
}

#[test]
fn objects_have_their_fields_and_what_is_spread_last() {
    check(
        "//- a.lua
class A { fn m(self) {} }
class B { fn m(self) {} }
fn helper() {}
let base = {x = new A(), run = helper, lit = |n| n.go()}
let top = {y = new B(), *base}
let over = {*base, *{x = new B()}}
base.x.m()
base.run()
base.lit()
top.x.m()
top.y.m()
over.x.m()
top.gone.m()
",
        "a.lua:4 A -> a.lua:A@1 [scoped]
a.lua:4 go -> ? unknown receiver type
a.lua:5 B -> a.lua:B@2 [scoped]
a.lua:6 B -> a.lua:B@2 [scoped]
a.lua:7 m -> a.lua:A.m@1 [typed]
a.lua:8 run -> a.lua:helper@3 [typed]
a.lua:9 lit -> a.lua:base@4 [typed]
a.lua:10 m -> a.lua:A.m@1 [typed]
a.lua:11 m -> a.lua:B.m@2 [typed]
a.lua:12 m -> a.lua:B.m@2 [typed]
a.lua:13 m -> ? unknown receiver type",
    );
}

#[test]
fn languages_add_members_of_their_own() {
    check(
        "//- a.lua
class A { let inner: B fn own(self) {} }
class B { fn below(self) {} fn own(self) {} }
extend A { fn later(self) { self.own() self.later() } }
class OutsideList { fn sum(self) {} }
fn f(a: A, xs: [A]) {
  a.later()
  a.below()
  a.own()
  a.magic()
  a.toText()
  xs.sum()
  xs.first().own()
  xs.other()
}
",
        "a.lua:3 own -> a.lua:A.own@1 [typed]
a.lua:3 later -> a.lua:A.later@3 [typed]
a.lua:6 later -> a.lua:A.later@3 [typed]
a.lua:7 below -> a.lua:B.below@2 [typed]
a.lua:8 own -> a.lua:A.own@1 [typed]
a.lua:9 magic -> ext tiny:magic
a.lua:10 toText -> ext tiny:toText
a.lua:11 sum -> a.lua:OutsideList.sum@4 [typed]
a.lua:12 first -> ext tiny:list.first
a.lua:12 own -> a.lua:A.own@1 [typed]
a.lua:13 other -> ext tiny:list.other",
    );
}

#[test]
fn getters_are_read_and_setters_stand_behind() {
    check(
        "//- a.lua
class Engine { fn start(self) {} }
class Car {
  get fn engine(self) -> Engine { return new Engine() }
  set fn engine(self, e: Engine) { e.start() }
  class fn make(self) = new Car()
  static fn count() = new Engine()
}
fn f(car: Car) { car.engine.start() Car.make().engine.start() Car.count().start() }
",
        "a.lua:3 Engine -> a.lua:Engine@1 [scoped]
a.lua:4 start -> a.lua:Engine.start@1 [typed]
a.lua:5 Car -> a.lua:Car@2 [scoped]
a.lua:6 Engine -> a.lua:Engine@1 [scoped]
a.lua:8 start -> a.lua:Engine.start@1 [typed]
a.lua:8 make -> a.lua:Car.make@5 [scoped]
a.lua:8 start -> a.lua:Engine.start@1 [typed]
a.lua:8 count -> a.lua:Car.count@6 [scoped]
a.lua:8 start -> a.lua:Engine.start@1 [typed]",
    );
}

#[test]
fn in_typescript_the_object_says_which_of_two_is_meant() {
    let body = "class A { fn m(self) {} static fn m() {} fn only(self) {} }
fn f(a: A) { a.m() A.m() A.only() }
";
    check(
        &format!("//- a.ts\n{body}"),
        "a.ts:2 m -> a.ts:A.m@1 [typed]
a.ts:2 m -> a.ts:A.m@1 [scoped]
a.ts:2 only -> a.ts:A.only@1 [scoped]",
    );
}

#[test]
fn class_methods_of_a_subclass_make_the_subclass() {
    check(
        "//- a.lua
class Base { class fn make(self) = new Base() class fn self_made(self) = self() fn m(self) {} }
class Sub: Base { fn only(self) {} }
Sub.make().only()
Sub.self_made().m()
Base.make().only()
",
        "a.lua:1 Base -> a.lua:Base@1 [scoped]
a.lua:1 self -> a.lua:Base@1 [typed]
a.lua:3 make -> a.lua:Base.make@1 [scoped]
a.lua:3 only -> a.lua:Sub.only@2 [typed]
a.lua:4 self_made -> a.lua:Base.self_made@1 [scoped]
a.lua:4 m -> a.lua:Base.m@1 [typed]
a.lua:5 make -> a.lua:Base.make@1 [scoped]
a.lua:5 only -> ? no such member",
    );
}
