//! Members of classes, constructors, bases, friends. The targets are those of libclang.

use crate::fixture::check;

#[test]
fn methods_are_defined_outside_of_their_class() {
    check(
        r#"
//- a.hpp
struct A { void f(); static int g(int); struct Inner { void h(); }; private: int help() const; };
//- a.cc
#include "a.hpp"
void A::f() { help(); g(1); }
int A::g(int x) { return x; }
int A::help() const { return 1; }
void A::Inner::h() { g(2); }
//- b.cc
#include "a.hpp"
void k(A a, A::Inner i) { a.f(); A::g(3); i.h(); }
"#,
        "
a.cc:2 help -> a.cc:A.help@4 [scoped]
a.cc:2 g -> a.cc:A.g@3 [scoped]
a.cc:5 g -> a.cc:A.g@3 [scoped]
b.cc:2 f -> a.cc:A.f@2 [typed]
b.cc:2 g -> a.cc:A.g@3 [scoped]
b.cc:2 h -> a.cc:A.Inner.h@5 [typed]
",
    );
}

#[test]
fn constructors_are_chosen() {
    check(
        r#"
//- a.cc
struct A { A() {} A(int) {} A(const char*) {} A(int, int) {} };
void g() { A a(1); A b("x"); A c{1, 2}; A d = A(3); new A("y"); auto e = A{}; }
"#,
        "
a.cc:2 (…) -> a.cc:A.A@1 A(int) [scoped]
a.cc:2 (…) -> a.cc:A.A@1 A(const char*) [scoped]
a.cc:2 (…) -> a.cc:A.A@1 A(int, int) [scoped]
a.cc:2 A -> a.cc:A.A@1 A(int) [scoped]
a.cc:2 (…) -> a.cc:A.A@1 A(const char*) [scoped]
a.cc:2 (…) -> a.cc:A.A@1 A() [scoped]
",
    );
}

#[test]
fn constructors_call_those_of_bases_and_members() {
    check(
        r#"
//- a.cc
struct A { A(int) {} };
struct M { M(const char*, int) {} };
struct B : A { M m; B() : A(1), m("x", 2) {} B(int) : B() {} };
void g() { B b(1); }
"#,
        r#"
a.cc:3 A -> a.cc:A.A@1 [scoped]
a.cc:3 m -> a.cc:M.M@2 [scoped]
a.cc:3 B -> a.cc:B.B@3 B() : A(1), m("x", 2) [scoped]
a.cc:4 (…) -> a.cc:B.B@3 B(int) : B() [scoped]
"#,
    );
}

#[test]
fn constructors_are_inherited() {
    check(
        r#"
//- a.cc
struct A { A(int) {} A(const char*) {} };
struct B : A { using A::A; };
void g() { B b(1); B c("x"); }
"#,
        "
a.cc:3 (…) -> nothing
a.cc:3 (…) -> nothing
",
    );
}

#[test]
fn virtual_calls_lead_to_the_written_class() {
    check(
        "
//- a.cc
struct Shape { virtual ~Shape() {} virtual int area() const = 0; virtual int edges() const { return 0; } };
struct Square : Shape { int area() const override { return 1; } };
int g(const Shape& s, Square q, Shape* p) { return s.area() + q.area() + p->edges() + q.edges(); }
",
        "
a.cc:3 area -> a.cc:Shape.area@1 [typed]
a.cc:3 area -> a.cc:Square.area@2 [typed]
a.cc:3 edges -> a.cc:Shape.edges@1 [typed]
a.cc:3 edges -> a.cc:Shape.edges@1 [typed]
",
    );
}

#[test]
fn friends_are_functions_of_the_namespace() {
    check(
        "
//- a.cc
namespace lib {
class A {
  friend void swap(A&, A&) {}
  friend int peek(const A&);
  int x = 0;
};
int peek(const A& a) { return a.x; }
}
void g(lib::A a, lib::A b) { swap(a, b); peek(a); }
",
        "
a.cc:9 swap -> a.cc:lib.swap@3 [scoped]
a.cc:9 peek -> a.cc:lib.peek@7 int peek(const A& a) [scoped]
",
    );
}

#[test]
fn static_members_are_named_by_their_class() {
    check(
        "
//- a.cc
struct A { static A make() { return A(); } A& next() { return *this; } static int count; };
struct B : A {};
void g() { A::make().next().next(); B::make().next(); }
",
        "
a.cc:1 A -> a.cc:A@1 [scoped]
a.cc:3 make -> a.cc:A.make@1 [scoped]
a.cc:3 next -> a.cc:A.next@1 [typed]
a.cc:3 next -> a.cc:A.next@1 [typed]
a.cc:3 make -> a.cc:A.make@1 [scoped]
a.cc:3 next -> a.cc:A.next@1 [typed]
",
    );
}

#[test]
fn this_leads_to_the_class() {
    check(
        "
//- a.cc
struct A {
  void f() { this->g(); (*this).g(); g(); A::g(); }
  void g() {}
};
",
        "
a.cc:2 g -> a.cc:A.g@3 [typed]
a.cc:2 g -> a.cc:A.g@3 [typed]
a.cc:2 g -> a.cc:A.g@3 [scoped]
a.cc:2 g -> a.cc:A.g@3 [scoped]
",
    );
}

#[test]
fn two_bases() {
    check(
        "
//- a.cc
struct A { void f() {} };
struct B { void g() {} };
struct C : A, B { void h() { f(); g(); } };
struct D : C { void k() { h(); f(); B::g(); } };
void m(D d) { d.f(); d.g(); d.h(); d.k(); }
",
        "
a.cc:3 f -> a.cc:A.f@1 [scoped]
a.cc:3 g -> a.cc:B.g@2 [scoped]
a.cc:4 h -> a.cc:C.h@3 [scoped]
a.cc:4 f -> a.cc:A.f@1 [scoped]
a.cc:4 g -> a.cc:B.g@2 [scoped]
a.cc:5 f -> a.cc:A.f@1 [typed]
a.cc:5 g -> a.cc:B.g@2 [typed]
a.cc:5 h -> a.cc:C.h@3 [typed]
a.cc:5 k -> a.cc:D.k@4 [typed]
",
    );
}

#[test]
fn nested_classes_see_what_is_around_them() {
    check(
        "
//- a.cc
struct A {
  static void help() {}
  struct B { void f() { help(); } struct C { void g() { help(); A::help(); } }; };
};
void k(A::B b, A::B::C c) { b.f(); c.g(); }
",
        "
a.cc:3 help -> a.cc:A.help@2 [scoped]
a.cc:3 help -> a.cc:A.help@2 [scoped]
a.cc:3 help -> a.cc:A.help@2 [scoped]
a.cc:5 f -> a.cc:A.B.f@3 [typed]
a.cc:5 g -> a.cc:A.B.C.g@3 [typed]
",
    );
}

#[test]
fn constant_objects_call_constant_methods() {
    check(
        "
//- a.cc
struct A { int at(int) { return 1; } int at(int) const { return 2; } };
struct H { A a; int f() { return a.at(1); } int g() const { return a.at(2); } };
int k(A x, const A& y, A* p, const A* q) { return x.at(1) + y.at(2) + p->at(3) + q->at(4); }
",
        "
a.cc:2 at -> a.cc:A.at@1 int at(int) [typed]
a.cc:2 at -> a.cc:A.at@1 int at(int) const [typed]
a.cc:3 at -> a.cc:A.at@1 int at(int) [typed]
a.cc:3 at -> a.cc:A.at@1 int at(int) const [typed]
a.cc:3 at -> a.cc:A.at@1 int at(int) [typed]
a.cc:3 at -> a.cc:A.at@1 int at(int) const [typed]
",
    );
}

#[test]
fn local_classes() {
    check(
        "
//- a.cc
void f() {}
void g() {
  struct L { void m() { f(); } int operator()(int x) { return x; } };
  L l; l.m(); l(1); L().m();
}
",
        "
a.cc:3 f -> a.cc:f@1 [scoped]
a.cc:4 m -> a.cc:g.L.m@3 [typed]
a.cc:4 l -> a.cc:g.L.operator()@3 [typed]
a.cc:4 L -> a.cc:g.L@3 [scoped]
a.cc:4 m -> a.cc:g.L.m@3 [typed]
",
    );
}

#[test]
fn types_without_a_name() {
    check(
        "
//- a.cc
struct T { void m() {} };
struct { T t; } one;
typedef struct { T t; } Two;
void g(Two two) { one.t.m(); two.t.m(); }
",
        "
a.cc:4 m -> a.cc:T.m@1 [typed]
a.cc:4 m -> a.cc:T.m@1 [typed]
",
    );
}

#[test]
fn unions_and_enums() {
    check(
        "
//- a.cc
enum Color { RED, GREEN };
enum class Kind { A, B };
void f(Color) {}
void f(Kind) {}
void f(int) {}
union U { int a; void m() {} };
void g(Color c, Kind k, U u) { f(c); f(k); f(RED); f(Kind::A); f(1); u.m(); }
",
        "
a.cc:7 f -> a.cc:f@3 void f(Color) [scoped]
a.cc:7 f -> a.cc:f@4 void f(Kind) [scoped]
a.cc:7 f -> a.cc:f@3 void f(Color) [scoped]
a.cc:7 f -> a.cc:f@4 void f(Kind) [scoped]
a.cc:7 f -> a.cc:f@5 void f(int) [scoped]
a.cc:7 m -> a.cc:U.m@6 [typed]
",
    );
}

#[test]
fn pointers_to_methods_are_mentioned() {
    check(
        "
//- a.cc
struct A { void m(int) {} };
typedef void (A::*Method)(int);
void h() {}
void run(Method, A& a) { a.m(1); }
void g(A a) { run(&A::m, a); h(); }
",
        "
a.cc:4 m -> a.cc:A.m@1 [typed]
a.cc:5 run -> a.cc:run@4 [scoped]
a.cc:5 h -> a.cc:h@3 [scoped]
",
    );
}
