//! What names mean: overloads, namespaces, `using`, what hides what. The targets are those of libclang.

use crate::fixture::check;

#[test]
fn overloads_are_chosen_by_the_number_of_arguments() {
    check(
        "
//- a.cc
void f() {}
void f(int) {}
void f(int, int) {}
void g() { f(); f(1); f(1, 2); }
",
        "
a.cc:4 f -> a.cc:f@1 void f() [scoped]
a.cc:4 f -> a.cc:f@2 void f(int) [scoped]
a.cc:4 f -> a.cc:f@3 void f(int, int) [scoped]
",
    );
}

#[test]
fn overloads_are_chosen_by_types() {
    check(
        r#"
//- a.cc
struct A {};
void f(int) {}
void f(double) {}
void f(const char*) {}
void f(const A&) {}
void f(bool) {}
void g(A a, char c, float x) { f(1); f(1.5); f("a"); f(a); f(true); f(c); f(x); }
"#,
        "
a.cc:7 f -> a.cc:f@2 void f(int) [scoped]
a.cc:7 f -> a.cc:f@3 void f(double) [scoped]
a.cc:7 f -> a.cc:f@4 void f(const char*) [scoped]
a.cc:7 f -> a.cc:f@5 void f(const A&) [scoped]
a.cc:7 f -> a.cc:f@6 void f(bool) [scoped]
a.cc:7 f -> a.cc:f@2 void f(int) [scoped]
a.cc:7 f -> a.cc:f@3 void f(double) [scoped]
",
    );
}

#[test]
fn overloads_prefer_a_derived_class() {
    check(
        "
//- a.cc
struct A {};
struct B : A {};
struct C : B {};
void f(const A&) {}
void f(const B&) {}
void g(A a, B b, C c) { f(a); f(b); f(c); }
",
        "
a.cc:6 f -> a.cc:f@4 void f(const A&) [scoped]
a.cc:6 f -> a.cc:f@5 void f(const B&) [scoped]
a.cc:6 f -> a.cc:f@5 void f(const B&) [scoped]
",
    );
}

#[test]
fn overloads_take_references_of_values_that_are_no_constants() {
    check(
        r#"
//- a.cc
struct A {};
void f(A*) {}
void f(const char*) {}
void f(A&) {}
void g() { A a; f(&a); f("x"); f(a); f(new A); }
"#,
        "
a.cc:5 f -> a.cc:f@2 void f(A*) [scoped]
a.cc:5 f -> a.cc:f@3 void f(const char*) [scoped]
a.cc:5 f -> a.cc:f@4 void f(A&) [scoped]
a.cc:5 f -> a.cc:f@2 void f(A*) [scoped]
a.cc:5 (…) -> nothing
",
    );
}

#[test]
fn arguments_lead_to_their_namespace() {
    check(
        "
//- a.cc
namespace geometry {
struct Point {};
void draw(Point) {}
void move(Point, int) {}
}
void other() {}
void g(geometry::Point p) { draw(p); move(p, 1); other(); }
",
        "
a.cc:7 draw -> a.cc:geometry.draw@3 [scoped]
a.cc:7 move -> a.cc:geometry.move@4 [scoped]
a.cc:7 other -> a.cc:other@6 [scoped]
",
    );
}

#[test]
fn arguments_lead_to_the_namespace_of_a_base() {
    check(
        "
//- a.cc
namespace lib {
struct Base {};
void run(const Base&) {}
}
namespace app {
struct Derived : lib::Base {};
void g(Derived d) { run(d); }
}
",
        "
a.cc:7 run -> a.cc:lib.run@3 [scoped]
",
    );
}

#[test]
fn arguments_of_templates_lead_to_their_namespaces() {
    check(
        "
//- a.cc
namespace lib {
struct Item {};
template <typename C> void sort_all(C&) {}
}
template <typename T> struct Box { T value; };
void g(Box<lib::Item> all) { sort_all(all); }
",
        "
a.cc:6 sort_all -> a.cc:lib.sort_all@3 [scoped]
",
    );
}

#[test]
fn parentheses_around_a_name_keep_it_local() {
    check(
        "
//- a.cc
namespace lib {
struct A {};
void f(A) {}
}
void f(lib::A, int = 0) {}
void g(lib::A a) { lib::f(a); (f)(a); }
",
        "
a.cc:6 f -> a.cc:lib.f@3 [scoped]
a.cc:6 f -> ? ambiguous
",
    );
}

#[test]
fn directives_bring_a_namespace() {
    check(
        r#"
//- lib.hpp
namespace lib {
inline void f() {}
namespace deep { inline void h() {} }
}
//- a.cc
#include "lib.hpp"
using namespace lib;
void g() { f(); deep::h(); }
"#,
        "
a.cc:3 f -> lib.hpp:lib.f@2 [scoped]
a.cc:3 h -> lib.hpp:lib.deep.h@3 [scoped]
",
    );
}

#[test]
fn directives_in_a_function_hold_there() {
    check(
        "
//- a.cc
namespace lib { void f() {} }
void f(int) {}
void g() { using namespace lib; f(); f(1); }
void h() { f(2); }
",
        "
a.cc:3 f -> a.cc:lib.f@1 [scoped]
a.cc:3 f -> a.cc:f@2 [scoped]
a.cc:4 f -> a.cc:f@2 [scoped]
",
    );
}

#[test]
fn directives_lead_on() {
    check(
        "
//- a.cc
namespace a { void f() {} }
namespace b { using namespace a; void g() {} }
namespace c { using namespace b; }
void h() { b::f(); c::g(); c::f(); }
",
        "
a.cc:4 f -> a.cc:a.f@1 [scoped]
a.cc:4 g -> a.cc:b.g@2 [scoped]
a.cc:4 f -> a.cc:a.f@1 [scoped]
",
    );
}

#[test]
fn declarations_bring_one_name() {
    check(
        "
//- a.cc
namespace lib { void f() {} void f(int) {} void g() {} }
using lib::f;
namespace app { using lib::g; }
void h() { f(); f(1); app::g(); }
",
        "
a.cc:4 f -> a.cc:lib.f@1 void f() [scoped]
a.cc:4 f -> a.cc:lib.f@1 void f(int) [scoped]
a.cc:4 g -> a.cc:lib.g@1 [scoped]
",
    );
}

#[test]
fn declarations_bring_methods_of_a_base() {
    check(
        r#"
//- a.cc
struct A { void f(int) {} void f(double) {} };
struct B : A { using A::f; void f(const char*) {} };
void g(B b) { b.f(1); b.f(1.5); b.f("x"); }
"#,
        "
a.cc:3 f -> a.cc:A.f@1 void f(int) [typed]
a.cc:3 f -> a.cc:A.f@1 void f(double) [typed]
a.cc:3 f -> a.cc:B.f@2 [typed]
",
    );
}

#[test]
fn aliases_of_namespaces() {
    check(
        "
//- a.cc
namespace lib { namespace io { void open() {} } }
namespace io = lib::io;
namespace deep = lib;
void g() { io::open(); deep::io::open(); }
",
        "
a.cc:4 open -> a.cc:lib.io.open@1 [scoped]
a.cc:4 open -> a.cc:lib.io.open@1 [scoped]
",
    );
}

#[test]
fn inline_namespaces_are_looked_through() {
    check(
        "
//- a.cc
namespace lib {
inline namespace v2 { void f() {} struct A { void m() {} }; }
namespace v1 { void f() {} }
}
void g(lib::A a) { lib::f(); lib::v1::f(); lib::v2::f(); a.m(); }
",
        "
a.cc:5 f -> a.cc:lib.v2.f@2 [scoped]
a.cc:5 f -> a.cc:lib.v1.f@3 [scoped]
a.cc:5 f -> a.cc:lib.v2.f@2 [scoped]
a.cc:5 m -> a.cc:lib.v2.A.m@2 [typed]
",
    );
}

#[test]
fn namespaces_without_a_name_stay_in_their_file() {
    check(
        "
//- a.cc
namespace { void f() {} struct A { void m() {} }; }
void g() { f(); A a; a.m(); }
//- b.cc
namespace { void f() {} }
namespace lib { namespace { void h() {} } void k() { h(); f(); } }
",
        "
a.cc:2 f -> a.cc:f@1 [scoped]
a.cc:2 m -> a.cc:A.m@1 [typed]
b.cc:2 h -> b.cc:lib.h@2 [scoped]
b.cc:2 f -> b.cc:f@1 [scoped]
",
    );
}

#[test]
fn the_innermost_name_hides_the_others() {
    check(
        r#"
//- a.cc
void f(int) {}
namespace lib {
void f(const char*) {}
void g() { f("x"); ::f(1); }
struct A {
  void f(double) {}
  void m() { f(1); lib::f("x"); ::f(2); }
};
}
"#,
        "
a.cc:4 f -> a.cc:lib.f@3 [scoped]
a.cc:4 f -> a.cc:f@1 [scoped]
a.cc:7 f -> a.cc:lib.A.f@6 [scoped]
a.cc:7 f -> a.cc:lib.f@3 [scoped]
a.cc:7 f -> a.cc:f@1 [scoped]
",
    );
}

#[test]
fn methods_of_a_derived_class_hide_those_of_its_base() {
    check(
        r#"
//- a.cc
struct A { void f(int) {} void f() {} };
struct B : A { void f(const char*) {} };
void g(B b) { b.f("x"); b.A::f(1); b.A::f(); }
"#,
        "
a.cc:3 f -> a.cc:B.f@2 [typed]
a.cc:3 f -> a.cc:A.f@1 void f(int) [scoped]
a.cc:3 f -> a.cc:A.f@1 void f() [scoped]
",
    );
}

#[test]
fn locals_hide_functions() {
    check(
        "
//- a.cc
struct F { void operator()(int) const {} };
void f(int) {}
void g() { F f; f(1); ::f(2); }
void h() { f(3); }
",
        "
a.cc:3 f -> a.cc:F.operator()@1 [typed]
a.cc:3 f -> a.cc:f@2 [scoped]
a.cc:4 f -> a.cc:f@2 [scoped]
",
    );
}

#[test]
fn namespaces_are_opened_again() {
    check(
        r#"
//- lib.hpp
namespace lib { void f(); struct A { void m(); }; }
//- lib.cc
#include "lib.hpp"
namespace lib { static void help() {} void f() { help(); } }
namespace lib { void A::m() { f(); help(); } }
void k(lib::A a) { lib::f(); a.m(); }
"#,
        "
lib.cc:2 help -> lib.cc:lib.help@2 [scoped]
lib.cc:3 f -> lib.cc:lib.f@2 [scoped]
lib.cc:3 help -> lib.cc:lib.help@2 [scoped]
lib.cc:4 f -> lib.cc:lib.f@2 [scoped]
lib.cc:4 m -> lib.cc:lib.A.m@3 [typed]
",
    );
}

#[test]
fn nested_names_of_namespaces() {
    check(
        "
//- a.cc
namespace a::b::c { void f() {} struct S { static void m() {} }; }
namespace a { void g() { b::c::f(); b::c::S::m(); } }
void h() { a::b::c::f(); a::b::c::S::m(); a::g(); }
",
        "
a.cc:2 f -> a.cc:a.b.c.f@1 [scoped]
a.cc:2 m -> a.cc:a.b.c.S.m@1 [scoped]
a.cc:3 f -> a.cc:a.b.c.f@1 [scoped]
a.cc:3 m -> a.cc:a.b.c.S.m@1 [scoped]
a.cc:3 g -> a.cc:a.g@2 [scoped]
",
    );
}

#[test]
fn declared_names_lead_to_their_definition() {
    check(
        r#"
//- lib.hpp
namespace lib { int size(int); int size(const char*); }
extern "C" int raw(int);
//- lib.cc
#include "lib.hpp"
namespace lib { int size(int x) { return x; } }
int lib::size(const char*) { return 1; }
extern "C" int raw(int x) { return x; }
//- a.cc
#include "lib.hpp"
int g() { return lib::size(1) + lib::size("x") + raw(2); }
"#,
        "
a.cc:2 size -> lib.cc:lib.size@2 int size(int x) [scoped]
a.cc:2 size -> lib.cc:lib.size@3 int lib::size(const char*) [scoped]
a.cc:2 raw -> lib.cc:raw@4 [scoped]
",
    );
}

#[test]
fn default_arguments_may_be_left_out() {
    check(
        "
//- a.cc
void f(int, int = 1, int = 2) {}
struct A { A(int = 0) {} void m(int, bool = true) {} };
void g(A a) { f(1); f(1, 2); f(1, 2, 3); a.m(1); a.m(1, false); }
",
        "
a.cc:3 f -> a.cc:f@1 [scoped]
a.cc:3 f -> a.cc:f@1 [scoped]
a.cc:3 f -> a.cc:f@1 [scoped]
a.cc:3 m -> a.cc:A.m@2 [typed]
a.cc:3 m -> a.cc:A.m@2 [typed]
",
    );
}

#[test]
fn ellipses_come_last() {
    check(
        r#"
//- a.cc
void log(const char*, ...) {}
void put(int) {}
void put(...) {}
void g() { log("x", 1, 2); put(1); put("x"); }
"#,
        "
a.cc:4 log -> a.cc:log@1 [scoped]
a.cc:4 put -> a.cc:put@2 void put(int) [scoped]
a.cc:4 put -> a.cc:put@3 void put(...) [scoped]
",
    );
}
