//! Calls: constructors, overloads, calls of values, types passed for parameters.

use super::tiny::check;

#[test]
fn constructing_calls_the_constructor_or_the_class() {
    check(
        "//- a.lua
class Plain {}
class With { fn init(self, n) {} }
class Sub: With {}
class Twice { fn init(self) {} fn init(self, a) {} }
new Plain()
new With(1)
Sub(1)
new Twice()
Twice(1)
enum E { member One }
alias Other = With
Other(1)
let held = Plain
held()
",
        "a.lua:5 Plain -> a.lua:Plain@1 [scoped]
a.lua:6 With -> a.lua:With.init@2 [scoped]
a.lua:7 Sub -> a.lua:With.init@2 [scoped]
a.lua:8 Twice -> a.lua:Twice.init@4 [scoped]
a.lua:9 Twice -> a.lua:Twice.init@4 [scoped]
a.lua:12 Other -> a.lua:With.init@2 [scoped]
a.lua:14 held -> a.lua:held@13 [scoped]",
    );
}

#[test]
fn the_number_of_arguments_chooses_among_overloads() {
    check(
        "//- a.lua
class A { 
  fn m(self) {}
  fn m(self, a) {}
  fn m(self, a, b = 1, *rest) {}
  fn n(self, a) {}
  fn n(self, a, b) {}
}
fn f(x: A, all: [A]) {
  x.m()
  x.m(1, 2)
  x.m(1, 2, 3, 4)
  x.m(1)
  x.n(1)
  x.n(1, 2)
  x.n()
  x.n(*all)
}
",
        "a.lua:9 m -> a.lua:A.m@2 [typed]
a.lua:10 m -> a.lua:A.m@4 [typed]
a.lua:11 m -> a.lua:A.m@4 [typed]
a.lua:12 m -> ? ambiguous
a.lua:13 n -> a.lua:A.n@5 [typed]
a.lua:14 n -> a.lua:A.n@6 [typed]
a.lua:15 n -> ? ambiguous
a.lua:16 n -> ? ambiguous",
    );
}

#[test]
fn declarations_count_as_one_with_what_has_a_body() {
    check(
        "//- a.lua
fn f(a: text);
fn f(a: [text]);
fn f(a) {}
fn only(a);
fn only(b);
cond fn either() {}
cond fn either() {}
fn two(a) {}
fn two(b) {}
f(1)
only(1)
either()
two(1)
",
        "a.lua:10 f -> a.lua:f@3 [scoped]
a.lua:11 only -> a.lua:only@5 [scoped]
a.lua:12 either -> a.lua:either@7 [scoped]
a.lua:13 two -> ? ambiguous",
    );
}

#[test]
fn variables_are_called_as_the_language_says() {
    let body = "fn f() {}
fn g() {}
let held = f
let one = f or g
let unknown = missing()
class A { let hook = f fn run(self) { self.hook() } }
class Call { fn call(self) {} }
let object = new Call()
held()
one()
unknown()
object()
";
    check(
        &format!("//- a.lua\n{body}//- b.py\n{body}"),
        "a.lua:5 missing -> ? unknown name
a.lua:6 hook -> a.lua:A.hook@6 [typed]
a.lua:8 Call -> a.lua:Call@7 [scoped]
a.lua:9 held -> a.lua:held@3 [scoped]
a.lua:10 one -> a.lua:one@4 [scoped]
a.lua:11 unknown -> a.lua:unknown@5 [scoped]
a.lua:12 object -> a.lua:object@8 [scoped]
b.py:5 missing -> ? unknown name
b.py:6 hook -> b.py:f@1 [typed]
b.py:8 Call -> b.py:Call@7 [scoped]
b.py:9 held -> b.py:f@1 [scoped]
b.py:10 one -> b.py:f@1, b.py:g@2 [scoped]
b.py:11 unknown -> b.py:unknown@5 [scoped]
b.py:12 object -> b.py:Call.call@7 [scoped]",
    );
}

#[test]
fn locals_and_parameters_lead_to_what_they_hold() {
    check(
        "//- a.lua
fn f() {}
fn g() = f
class A { fn call(self) = new A() fn m(self) {} }
class B {}
fn h(p, passed_f, a: A, b: B) {
  let local = f
  local()
  g()()
  p()
  passed_f()
  a()
  a().m()
  b()
  let many = f or g or h
  many()
  [f][0]()
  null()
}
",
        "a.lua:3 A -> a.lua:A@3 [scoped]
a.lua:7 local -> a.lua:f@1 [typed]
a.lua:8 g -> a.lua:g@2 [scoped]
a.lua:8 g -> a.lua:f@1 [typed]
a.lua:9 p -> ? dynamic call
a.lua:10 passed_f -> a.lua:f@1 [typed]
a.lua:11 a -> a.lua:A.call@3 [typed]
a.lua:12 a -> a.lua:A.call@3 [typed]
a.lua:12 m -> a.lua:A.m@3 [typed]
a.lua:13 b -> ? dynamic call
a.lua:15 many -> a.lua:f@1, a.lua:g@2, a.lua:h@5 [typed]
a.lua:16 (…) -> a.lua:f@1 [typed]
a.lua:17 (…) -> ? dynamic call",
    );
}

#[test]
fn more_than_a_few_targets_are_none() {
    let mut fixture = String::from("//- a.lua\n");
    for n in 0..5 {
        fixture += &format!("class C{n} {{ fn m(self) {{}} }}\nfn f{n}() {{}}\n");
    }
    fixture += "fn four(x: C0 | C1 | C2 | C3) { x.m() let all = f0 or f1 or f2 or f3 all() }
fn five(x: C0 | C1 | C2 | C3 | C4) { x.m() let all = f0 or f1 or f2 or f3 or f4 all() }
";
    check(
        &fixture,
        "a.lua:11 m -> a.lua:C0.m@1, a.lua:C1.m@3, a.lua:C2.m@5, a.lua:C3.m@7 [typed]
a.lua:11 all -> a.lua:f0@2, a.lua:f1@4, a.lua:f2@6, a.lua:f3@8 [typed]
a.lua:12 m -> ? ambiguous
a.lua:12 all -> ? ambiguous",
    );
}

#[test]
fn calling_super_calls_the_constructor_above() {
    check(
        "//- a.lua
import ext/ui.Widget
class A { fn init(self) {} }
class B: A { fn init(self) { super() } }
class C { fn init(self) { super() } }
class D: Widget { fn init(self) { super() } }
class E { fn init(self, a) {} fn init(self, b) {} }
class F: E { fn init(self) { super(1) } }
",
        "a.lua:3 (…) -> a.lua:A.init@2 [typed]
a.lua:4 (…) -> ? unknown receiver type
a.lua:5 (…) -> ext ext/ui:Widget
a.lua:7 (…) -> ? ambiguous",
    );
}

#[test]
fn decorators_and_macros_are_calls() {
    check(
        "//- a.lua
fn deco(f) = f
fn made(n) = deco
macro twice(x) {}
class Item { fn use(self) {} }
@deco
@made(1)
fn target() {}
@Item
class C { @deco fn m(self) {} }
twice!(new Item()).use()
twice(1)
lost!(new Item()).use()
@erased
fn gone() {}
gone()
",
        "a.lua:5 deco -> a.lua:deco@1 [scoped]
a.lua:6 made -> a.lua:made@2 [scoped]
a.lua:8 Item -> a.lua:Item@4 [scoped]
a.lua:9 deco -> a.lua:deco@1 [scoped]
a.lua:10 twice -> a.lua:twice@3 [scoped]
a.lua:10 Item -> a.lua:Item@4 [scoped]
a.lua:10 use -> a.lua:Item.use@4 [typed]
a.lua:11 twice -> ? dynamic call
a.lua:12 lost -> ? unknown name
a.lua:12 Item -> a.lua:Item@4 [scoped]
a.lua:12 use -> ? unknown receiver type
a.lua:13 erased -> ? unknown name
a.lua:15 gone -> a.lua:gone@14 [scoped]",
    );
}

#[test]
fn a_name_of_its_own_is_the_last_resort() {
    check(
        "//- a.lua
class A { fn only_here(self) {} fn here(self) {} }
class B {}
fn f(x, b: B) { x.only_here() x.here() b.only_here() x.only_gone() }
",
        "a.lua:3 only_here -> a.lua:A.only_here@1 [named]
a.lua:3 here -> ? unknown receiver type
a.lua:3 only_here -> ? no such member
a.lua:3 only_gone -> ? unknown receiver type",
    );
}

#[test]
fn paths_of_types_and_modules_are_scoped_and_values_are_typed() {
    check(
        "//- a.lua
import b
b.C.make()
b::C::make()
b.C.make().m()
b.value.m()
b.gone()
//- b.lua
class C { static fn make() -> C {} fn m(self) {} }
let value: C
",
        "a.lua:2 make -> b.lua:C.make@1 [scoped]
a.lua:3 make -> b.lua:C.make@1 [scoped]
a.lua:4 make -> b.lua:C.make@1 [scoped]
a.lua:4 m -> b.lua:C.m@1 [typed]
a.lua:5 m -> b.lua:C.m@1 [typed]
a.lua:6 gone -> ? unknown receiver type",
    );
}
