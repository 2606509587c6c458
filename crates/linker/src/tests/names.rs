//! The meaning of names: scopes, imports, re-exports.

use super::tiny::{check, imports, mentions};

#[test]
fn the_innermost_scope_counts() {
    check(
        "//- a.lua
fn one() {}
fn two() { one() }
fn outer() {
  fn one() {}
  one()
  { fn one() {} one() }
  one()
}
one()
",
        "a.lua:2 one -> a.lua:one@1 [scoped]
a.lua:5 one -> a.lua:outer.one@4 [scoped]
a.lua:6 one -> a.lua:outer.one@6 [scoped]
a.lua:7 one -> a.lua:outer.one@4 [scoped]
a.lua:9 one -> a.lua:one@1 [scoped]",
    );
}

#[test]
fn a_local_is_seen_behind_its_value() {
    check(
        "//- a.lua
fn f() = new A()
fn g() {
  f()
  let f = new B()
  f.m()
  let f = f.next()
  f.m()
}
class A { fn m(self) {} }
class B { fn m(self) {} fn next(self) = new A() }
",
        "a.lua:1 A -> a.lua:A@9 [scoped]
a.lua:3 f -> a.lua:f@1 [scoped]
a.lua:4 B -> a.lua:B@10 [scoped]
a.lua:5 m -> a.lua:B.m@10 [typed]
a.lua:6 next -> a.lua:B.next@10 [typed]
a.lua:7 m -> a.lua:A.m@9 [typed]
a.lua:10 A -> a.lua:A@9 [scoped]",
    );
}

#[test]
fn the_last_of_equal_names_counts_and_languages_may_say_otherwise() {
    check(
        "//- a.lua
fn cond_() {}
cond fn twice() {}
cond fn twice() {}
fn pick_first() {}
fn pick_first(a) {}
twice()
pick_first()
",
        "a.lua:6 twice -> a.lua:twice@3 [scoped]
a.lua:7 pick_first -> a.lua:pick_first@4 [scoped]",
    );
}

#[test]
fn names_pass_through_modules() {
    let fixture = "//- a.lua
import lib/core
import lib/all.run as start
import lib/all
import lib/core.hidden
import lib/gone.x
import ext/http
import ext/http.fetch
core.run()
core.helper.deep()
start()
all.shown()
all.run()
all.secret()
hidden()
x()
http.send()
fetch()
gone_name()
//- lib/all.lua
export * from lib/core
export own as shown
fn own() {}
fn secret() {}
//- lib/core.lua
import lib/helper
fn run() {}
//- lib/helper.lua
fn deep() {}
";
    check(
        fixture,
        "a.lua:8 run -> lib/core.lua:run@2 [scoped]
a.lua:9 deep -> lib/helper.lua:deep@1 [scoped]
a.lua:10 start -> lib/core.lua:run@2 [scoped]
a.lua:11 shown -> lib/all.lua:own@3 [scoped]
a.lua:12 run -> lib/core.lua:run@2 [scoped]
a.lua:13 secret -> ? unknown receiver type
a.lua:14 hidden -> ? unresolved import
a.lua:15 x -> ? unresolved import
a.lua:16 send -> ext ext/http:send
a.lua:17 fetch -> ext ext/http:fetch
a.lua:18 gone_name -> ? unknown name",
    );
    let found = imports(fixture);
    let of_a: Vec<&str> = found.lines().filter(|l| l.starts_with("a.lua")).collect();
    assert_eq!(
        of_a,
        [
            "a.lua:1 -> lib/core.lua",
            "a.lua:2 -> lib/core.lua:run@2",
            "a.lua:3 -> lib/all.lua",
            "a.lua:4 -> ?",
            "a.lua:5 -> ?",
            "a.lua:6 -> ext ext/http:",
            "a.lua:7 -> ext ext/http:fetch",
        ]
    );
}

#[test]
fn modules_that_pass_names_on_in_a_circle_end() {
    check(
        "//- a.lua
import b.*
fn one() { two() three() }
//- b.lua
import c.*
fn two() { one() }
//- c.lua
import a.*
fn three() { nowhere() two() }
",
        "a.lua:2 two -> b.lua:two@2 [scoped]
a.lua:2 three -> c.lua:three@2 [scoped]
b.lua:2 one -> a.lua:one@2 [scoped]
c.lua:2 nowhere -> ? unknown name
c.lua:2 two -> b.lua:two@2 [scoped]",
    );
}

#[test]
fn classes_are_looked_through_where_the_language_says_so() {
    let body = "class A {
  fn own() {}
  fn f(self) { own() }
  class Inner { fn g(self) { own() } }
}
class B: A { fn h(self) { own() } }
";
    check(
        &format!("//- a.java\n{body}//- b.lua\n{body}"),
        "a.java:3 own -> a.java:A.own@2 [scoped]
a.java:4 own -> a.java:A.own@2 [scoped]
a.java:6 own -> a.java:A.own@2 [scoped]
b.lua:3 own -> ? unknown name
b.lua:4 own -> ? unknown name
b.lua:6 own -> ? unknown name",
    );
}

#[test]
fn mentions_and_writes_lead_to_definitions_and_not_to_locals() {
    let found = mentions(
        "//- a.lua
let count = 0
fn f(n: Box) {
  count = 1
  return count
}
class Box { let size = 1 fn grow(self) { self.size = 2 } }
let other = f
let gone = missing
let outside = print
",
    );
    let wanted = [
        "2 reads a.lua:Box@6 [scoped]",
        "4 reads a.lua:count@1 [scoped]",
        "7 reads a.lua:f@2 [scoped]",
        "8 reads ? unknown name",
        "9 reads ext tiny:print",
        "3 writes a.lua:count@1 [scoped]",
        "6 writes a.lua:Box.size@6 [typed]",
    ];
    assert_eq!(found.lines().collect::<Vec<_>>(), wanted);
}

#[test]
fn a_mention_of_overloads_means_the_one_that_is_seen() {
    let found = mentions(
        "//- a.lua
fn f(a) {}
fn f(a, b) {}
class A { fn m(self) {} }
class B { fn m(self) {} }
fn g(x: A | B) { return x.m }
let held = f
",
    );
    assert!(found.contains("6 reads a.lua:f@2 [scoped]"), "{found}");
    let of_both = "5 reads a.lua:A.m@3, a.lua:B.m@4 [typed]";
    assert!(found.contains(of_both), "{found}");
}

#[test]
fn free_names_are_what_the_language_says() {
    check(
        "//- a.lua
print(1)
new GlobalThing()
fn f(g: GlobalThing) { g.m() }
//- b.lua
class GlobalThing { fn m(self) {} }
",
        "a.lua:1 print -> ext tiny:print
a.lua:2 GlobalThing -> b.lua:GlobalThing@1 [scoped]
a.lua:3 m -> b.lua:GlobalThing.m@1 [typed]",
    );
}
