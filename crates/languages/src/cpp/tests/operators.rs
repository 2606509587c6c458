//! Operators by their signs, conversions, destructors. The targets are those of libclang.

use crate::fixture::check;

#[test]
fn methods_by_their_signs() {
    check(
        "
//- a.cc
struct A {
  A operator+(const A&) const { return *this; }
  A operator-() const { return *this; }
  A& operator+=(int) { return *this; }
  bool operator==(const A&) const { return true; }
  bool operator<(const A&) const { return true; }
  A& operator++() { return *this; }
  A operator++(int) { return *this; }
  void m() {}
};
void g(A a, A b) { (a + b).m(); (-a).m(); a += 1; a == b; a < b; ++a; a++; }
",
        "
a.cc:11 operator+ -> a.cc:A.operator+@2 [typed]
a.cc:11 m -> a.cc:A.m@9 [typed]
a.cc:11 operator- -> a.cc:A.operator-@3 [typed]
a.cc:11 m -> a.cc:A.m@9 [typed]
a.cc:11 operator+= -> a.cc:A.operator+=@4 [typed]
a.cc:11 operator== -> a.cc:A.operator==@5 [typed]
a.cc:11 operator< -> a.cc:A.operator<@6 [typed]
a.cc:11 operator++ -> a.cc:A.operator++@7 A& operator++() [typed]
a.cc:11 operator++ -> a.cc:A.operator++@8 A operator++(int) [typed]
",
    );
}

#[test]
fn functions_by_their_signs() {
    check(
        "
//- a.cc
namespace lib {
struct A { void m() {} };
A operator+(const A& a, const A&) { return a; }
A operator*(int, const A& a) { return a; }
bool operator!=(const A&, const A&) { return false; }
}
void g(lib::A a, lib::A b) { (a + b).m(); (2 * a).m(); a != b; }
",
        "
a.cc:7 operator+ -> a.cc:lib.operator+@3 [typed]
a.cc:7 m -> a.cc:lib.A.m@2 [typed]
a.cc:7 operator* -> a.cc:lib.operator*@4 [typed]
a.cc:7 m -> a.cc:lib.A.m@2 [typed]
a.cc:7 operator!= -> a.cc:lib.operator!=@5 [typed]
",
    );
}

#[test]
fn streams() {
    check(
        r#"
//- a.cc
#include <iostream>
struct A {};
struct B {};
std::ostream& operator<<(std::ostream& out, const A&) { return out; }
std::ostream& operator<<(std::ostream& out, const B&) { return out; }
std::istream& operator>>(std::istream& in, A&) { return in; }
void g(A a, B b, std::ostream& out) { out << a << 1 << b << "x"; std::cout << a; std::cin >> a; }
"#,
        "
a.cc:7 operator<< -> a.cc:operator<<@4 std::ostream& operator<<(std::ostream& out, const A&) [typed]
a.cc:7 operator<< -> a.cc:operator<<@5 std::ostream& operator<<(std::ostream& out, const B&) [typed]
a.cc:7 operator<< -> a.cc:operator<<@4 std::ostream& operator<<(std::ostream& out, const A&) [typed]
a.cc:7 operator>> -> a.cc:operator>>@6 [typed]
",
    );
}

#[test]
fn brackets_and_calls() {
    check(
        "
//- a.cc
struct A { void m() {} };
struct Row { A a; A& operator[](int) { return a; } };
struct Grid { Row r; Row& operator[](int) { return r; } A& operator()(int, int) { return r.a; } };
void g(Grid x) { x[1][2].m(); x(1, 2).m(); x[3] = Row(); }
",
        "
a.cc:4 operator[] -> a.cc:Grid.operator[]@3 [typed]
a.cc:4 operator[] -> a.cc:Row.operator[]@2 [typed]
a.cc:4 m -> a.cc:A.m@1 [typed]
a.cc:4 x -> a.cc:Grid.operator()@3 [typed]
a.cc:4 m -> a.cc:A.m@1 [typed]
a.cc:4 operator[] -> a.cc:Grid.operator[]@3 [typed]
a.cc:4 Row -> a.cc:Row@2 [scoped]
",
    );
}

#[test]
fn pointers_of_ones_own() {
    check(
        "
//- a.cc
struct A { void m() {} };
struct P { A* p; A* operator->() const { return p; } A& operator*() const { return *p; } explicit operator bool() const { return p; } };
void g(P p) { p->m(); (*p).m(); if (p) p->m(); if (!p) return; while (p && p) p->m(); }
",
        "
a.cc:3 operator-> -> a.cc:P.operator->@2 [typed]
a.cc:3 m -> a.cc:A.m@1 [typed]
a.cc:3 operator* -> a.cc:P.operator*@2 [typed]
a.cc:3 m -> a.cc:A.m@1 [typed]
a.cc:3 operator bool -> a.cc:P.operator bool@2 [typed]
a.cc:3 operator-> -> a.cc:P.operator->@2 [typed]
a.cc:3 m -> a.cc:A.m@1 [typed]
a.cc:3 operator bool -> a.cc:P.operator bool@2 [typed]
a.cc:3 operator bool -> a.cc:P.operator bool@2 [typed]
a.cc:3 operator bool -> a.cc:P.operator bool@2 [typed]
a.cc:3 operator-> -> a.cc:P.operator->@2 [typed]
a.cc:3 m -> a.cc:A.m@1 [typed]
",
    );
}

#[test]
fn iterators_of_ones_own() {
    check(
        "
//- a.cc
struct A { void m() {} };
struct It { A* p; A& operator*() { return *p; } It& operator++() { ++p; return *this; } bool operator!=(const It& o) const { return p != o.p; } };
struct All { It begin() { return It(); } It end() { return It(); } };
void g(All all) { for (It i = all.begin(); i != all.end(); ++i) (*i).m(); for (auto& a : all) a.m(); }
",
        "
a.cc:3 It -> a.cc:It@2 [scoped]
a.cc:3 It -> a.cc:It@2 [scoped]
a.cc:4 begin -> a.cc:All.begin@3 [typed]
a.cc:4 operator!= -> a.cc:It.operator!=@2 [typed]
a.cc:4 end -> a.cc:All.end@3 [typed]
a.cc:4 operator++ -> a.cc:It.operator++@2 [typed]
a.cc:4 operator* -> a.cc:It.operator*@2 [typed]
a.cc:4 m -> a.cc:A.m@1 [typed]
a.cc:4 m -> a.cc:A.m@1 [typed]
",
    );
}

#[test]
fn assignments() {
    check(
        "
//- a.cc
struct A { A& operator=(const A&) { return *this; } A& operator=(int) { return *this; } };
struct B { int x; };
void g(A a, A b, B c, B d) { a = b; a = 1; c = d; (a = b) = 2; }
",
        "
a.cc:3 operator= -> a.cc:A.operator=@1 A& operator=(const A&) [typed]
a.cc:3 operator= -> a.cc:A.operator=@1 A& operator=(int) [typed]
a.cc:3 operator= -> a.cc:A.operator=@1 A& operator=(const A&) [typed]
a.cc:3 operator= -> a.cc:A.operator=@1 A& operator=(int) [typed]
",
    );
}

#[test]
fn destructors() {
    check(
        r#"
//- a.hpp
struct A { ~A(); };
struct B : A { virtual ~B() {} };
struct C {};
//- a.cc
#include "a.hpp"
A::~A() {}
void g(A* a, B* b, C* c, A* all) { delete a; delete b; delete c; delete[] all; a->~A(); }
"#,
        "
a.cc:3 ~ -> a.cc:A.~A@2 [typed]
a.cc:3 ~ -> a.hpp:B.~B@2 [typed]
a.cc:3 ~ -> a.cc:A.~A@2 [typed]
a.cc:3 ~A -> a.cc:A.~A@2 [typed]
",
    );
}

#[test]
fn signs_of_enums() {
    check(
        "
//- a.cc
enum Flags { READ = 1, WRITE = 2 };
Flags operator|(Flags a, Flags) { return a; }
Flags& operator|=(Flags& a, Flags) { return a; }
void use(Flags) {}
void g(Flags f) { use(f | WRITE); f |= READ; use(READ | WRITE); int n = 1 | 2; (void)n; }
",
        "
a.cc:5 use -> a.cc:use@4 [scoped]
a.cc:5 operator| -> a.cc:operator|@2 [typed]
a.cc:5 operator|= -> a.cc:operator|=@3 [typed]
a.cc:5 use -> a.cc:use@4 [scoped]
a.cc:5 operator| -> a.cc:operator|@2 [typed]
",
    );
}

#[test]
fn of_built_in_types_nothing_is_called() {
    check(
        "
//- a.cc
struct A { int x; int* p; };
bool operator==(const A&, const A&) { return true; }
void g(A a, A b, int i, int* p) { a.x == b.x; i + a.x; *p == i; p[i] = 2; ++i; *a.p; a == b; !i; }
",
        "
a.cc:3 operator== -> a.cc:operator==@2 [typed]
",
    );
}

#[test]
fn chains_of_signs() {
    check(
        "
//- a.cc
struct V { V operator+(const V&) const { return *this; } V operator*(double) const { return *this; } double length() const { return 1; } };
double g(V a, V b, V c) { return (a + b * 2 + c).length(); }
",
        "
a.cc:2 operator+ -> a.cc:V.operator+@1 [typed]
a.cc:2 operator* -> a.cc:V.operator*@1 [typed]
a.cc:2 operator+ -> a.cc:V.operator+@1 [typed]
a.cc:2 length -> a.cc:V.length@1 [typed]
",
    );
}
