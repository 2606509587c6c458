//! What tells the type of a receiver. The targets are those of libclang.

use crate::fixture::check;

#[test]
fn auto_takes_the_type_of_its_value() {
    check(
        "
//- a.cc
struct A { void m() {} A* next() { return this; } };
A make() { return A(); }
A* find() { return nullptr; }
void g() {
  auto a = make(); a.m();
  auto* p = find(); p->m();
  auto q = p->next(); q->m();
  const auto& r = a; auto s = new A; s->m();
  auto t = A(); t.m();
}
",
        "
a.cc:2 A -> a.cc:A@1 [scoped]
a.cc:5 make -> a.cc:make@2 [scoped]
a.cc:5 m -> a.cc:A.m@1 [typed]
a.cc:6 find -> a.cc:find@3 [scoped]
a.cc:6 m -> a.cc:A.m@1 [typed]
a.cc:7 next -> a.cc:A.next@1 [typed]
a.cc:7 m -> a.cc:A.m@1 [typed]
a.cc:8 (…) -> nothing
a.cc:8 m -> a.cc:A.m@1 [typed]
a.cc:9 A -> a.cc:A@1 [scoped]
a.cc:9 m -> a.cc:A.m@1 [typed]
",
    );
}

#[test]
fn results_are_inferred() {
    check(
        "
//- a.cc
struct A { void m() {} };
auto make() { return A(); }
auto find(A* a) -> A* { return a; }
decltype(auto) pass(A& a) { return a; }
void g(A a) { make().m(); find(&a)->m(); decltype(a) b; b.m(); }
",
        "
a.cc:2 A -> a.cc:A@1 [scoped]
a.cc:5 make -> a.cc:make@2 [scoped]
a.cc:5 m -> a.cc:A.m@1 [typed]
a.cc:5 find -> a.cc:find@3 [scoped]
a.cc:5 m -> a.cc:A.m@1 [typed]
a.cc:5 m -> a.cc:A.m@1 [typed]
",
    );
}

#[test]
fn pointers_and_references() {
    check(
        "
//- a.cc
struct A { void m() {} A* p; A** q; A* all[3]; };
void g(A* a, A& b, A** c, A&& d, A* const e) {
  a->m(); b.m(); (*a).m(); (*c)->m(); d.m(); e->m();
  a->p->m(); b.q[0]->m(); a->all[1]->m(); (&b)->m(); a[2].m();
}
",
        "
a.cc:3 m -> a.cc:A.m@1 [typed]
a.cc:3 m -> a.cc:A.m@1 [typed]
a.cc:3 m -> a.cc:A.m@1 [typed]
a.cc:3 m -> a.cc:A.m@1 [typed]
a.cc:3 m -> a.cc:A.m@1 [typed]
a.cc:3 m -> a.cc:A.m@1 [typed]
a.cc:4 m -> a.cc:A.m@1 [typed]
a.cc:4 m -> a.cc:A.m@1 [typed]
a.cc:4 m -> a.cc:A.m@1 [typed]
a.cc:4 m -> a.cc:A.m@1 [typed]
a.cc:4 m -> a.cc:A.m@1 [typed]
",
    );
}

#[test]
fn smart_pointers() {
    check(
        "
//- a.cc
#include <memory>
struct A { void m() {} };
void g(std::unique_ptr<A> u, const std::shared_ptr<A>& s, std::weak_ptr<A> w) {
  u->m(); s->m(); (*u).m(); u.get()->m();
  auto made = std::make_unique<A>(); made->m();
  if (auto locked = w.lock()) locked->m();
}
",
        "
a.cc:4 m -> a.cc:A.m@2 [typed]
a.cc:4 m -> a.cc:A.m@2 [typed]
a.cc:4 m -> a.cc:A.m@2 [typed]
a.cc:4 get -> ext std.unique_ptr.get
a.cc:4 m -> a.cc:A.m@2 [typed]
a.cc:5 make_unique -> ext std.make_unique
a.cc:5 m -> a.cc:A.m@2 [typed]
a.cc:6 lock -> ext std.weak_ptr.lock
a.cc:6 m -> a.cc:A.m@2 [typed]
",
    );
}

#[test]
fn containers() {
    check(
        r#"
//- a.cc
#include <map>
#include <string>
#include <vector>
struct A { void m() {} };
void g(std::vector<A> v, std::map<std::string, A> n, std::vector<A*> p, std::vector<std::vector<A>> w) {
  v[0].m(); v.front().m(); v.back().m(); v.at(1).m(); n["x"].m(); n.at("y").m(); p[0]->m(); w[0][1].m();
}
"#,
        "
a.cc:6 m -> a.cc:A.m@4 [typed]
a.cc:6 front -> ext std.vector.front
a.cc:6 m -> a.cc:A.m@4 [typed]
a.cc:6 back -> ext std.vector.back
a.cc:6 m -> a.cc:A.m@4 [typed]
a.cc:6 at -> ext std.vector.at
a.cc:6 m -> a.cc:A.m@4 [typed]
a.cc:6 m -> a.cc:A.m@4 [typed]
a.cc:6 at -> ext std.map.at
a.cc:6 m -> a.cc:A.m@4 [typed]
a.cc:6 m -> a.cc:A.m@4 [typed]
a.cc:6 m -> a.cc:A.m@4 [typed]
",
    );
}

#[test]
fn iterators() {
    check(
        "
//- a.cc
#include <map>
#include <vector>
struct A { void m() {} };
void g(std::vector<A> v, std::map<int, A> n) {
  std::vector<A>::iterator i = v.begin(); i->m();
  for (auto it = v.begin(); it != v.end(); ++it) it->m();
  auto found = n.find(1); found->second.m();
  (*v.begin()).m();
}
",
        "
a.cc:5 begin -> ext std.vector.begin
a.cc:5 m -> a.cc:A.m@3 [typed]
a.cc:6 begin -> ext std.vector.begin
a.cc:6 end -> ext std.vector.end
a.cc:6 m -> a.cc:A.m@3 [typed]
a.cc:7 find -> ext std.map.find
a.cc:7 m -> a.cc:A.m@3 [typed]
a.cc:8 begin -> ext std.vector.begin
a.cc:8 m -> a.cc:A.m@3 [typed]
",
    );
}

#[test]
fn loops_over_ranges() {
    check(
        "
//- a.cc
#include <map>
#include <vector>
struct A { void m() {} };
struct Own { A* begin() { return nullptr; } A* end() { return nullptr; } };
void g(std::vector<A> v, std::map<int, A> n, Own o) {
  for (auto& a : v) a.m();
  for (A a : v) a.m();
  for (auto& e : n) e.second.m();
  for (auto& a : o) a.m();
  A all[3]; for (A& a : all) a.m();
}
",
        "
a.cc:6 m -> a.cc:A.m@3 [typed]
a.cc:7 m -> a.cc:A.m@3 [typed]
a.cc:8 m -> a.cc:A.m@3 [typed]
a.cc:9 m -> a.cc:A.m@3 [typed]
a.cc:10 m -> a.cc:A.m@3 [typed]
",
    );
}

#[test]
fn structured_bindings() {
    check(
        "
//- a.cc
#include <map>
#include <utility>
struct A { void m() {} };
struct B { void n() {} };
struct Both { A a; B b; };
std::pair<A, B> two();
void g(Both x, std::map<int, A> all) {
  auto [a, b] = x; a.m(); b.n();
  auto [c, d] = two(); c.m(); d.n();
  for (auto& [k, v] : all) v.m();
}
",
        "
a.cc:8 m -> a.cc:A.m@3 [typed]
a.cc:8 n -> a.cc:B.n@4 [typed]
a.cc:9 two -> a.cc:two@6 [scoped]
a.cc:9 m -> a.cc:A.m@3 [typed]
a.cc:9 n -> a.cc:B.n@4 [typed]
a.cc:10 m -> a.cc:A.m@3 [typed]
",
    );
}

#[test]
fn casts() {
    check(
        "
//- a.cc
struct A { virtual void m() {} };
struct B : A { void n() {} };
void g(A* a, void* v) {
  static_cast<B*>(a)->n(); dynamic_cast<B*>(a)->n(); ((B*)a)->n(); reinterpret_cast<A*>(v)->m(); const_cast<A*>(a)->m();
}
",
        "
a.cc:4 n -> a.cc:B.n@2 [typed]
a.cc:4 n -> a.cc:B.n@2 [typed]
a.cc:4 n -> a.cc:B.n@2 [typed]
a.cc:4 m -> a.cc:A.m@1 [typed]
a.cc:4 m -> a.cc:A.m@1 [typed]
",
    );
}

#[test]
fn conditions_and_commas() {
    check(
        "
//- a.cc
struct A { void m() {} };
void g(A a, A b, bool c, A* p, A* q) { (c ? a : b).m(); (c ? p : q)->m(); (c, a).m(); }
",
        "
a.cc:2 m -> a.cc:A.m@1 [typed]
a.cc:2 m -> a.cc:A.m@1 [typed]
a.cc:2 m -> a.cc:A.m@1 [typed]
",
    );
}

#[test]
fn lambdas_call_in_their_function() {
    check(
        "
//- a.cc
struct A { void m() {} };
void f(int) {}
template <typename F> void each(F) {}
void g(A a) {
  each([&](int x) { f(x); a.m(); });
  each([b = a]() mutable { b.m(); });
  each([](A c) { c.m(); });
}
struct C { void k() {} void h() { each([this] { k(); this->k(); }); } };
",
        "
a.cc:5 each -> a.cc:each@3 [scoped]
a.cc:5 f -> a.cc:f@2 [scoped]
a.cc:5 m -> a.cc:A.m@1 [typed]
a.cc:6 each -> a.cc:each@3 [scoped]
a.cc:6 m -> a.cc:A.m@1 [typed]
a.cc:7 each -> a.cc:each@3 [scoped]
a.cc:7 m -> a.cc:A.m@1 [typed]
a.cc:9 each -> a.cc:each@3 [scoped]
a.cc:9 k -> a.cc:C.k@9 [scoped]
a.cc:9 k -> a.cc:C.k@9 [typed]
",
    );
}

#[test]
fn function_objects() {
    check(
        "
//- a.cc
struct Less { bool operator()(int a, int b) const { return a < b; } };
struct Holder { Less less; bool f() { return less(1, 2); } };
template <typename F> void use(F) {}
void g(Less l) { l(1, 2); Less()(3, 4); use(l); use(Less()); }
",
        "
a.cc:2 less -> a.cc:Less.operator()@1 [typed]
a.cc:4 l -> a.cc:Less.operator()@1 [typed]
a.cc:4 Less -> a.cc:Less.operator()@1 [typed]
a.cc:4 Less -> a.cc:Less@1 [scoped]
a.cc:4 use -> a.cc:use@3 [scoped]
a.cc:4 use -> a.cc:use@3 [scoped]
a.cc:4 Less -> a.cc:Less@1 [scoped]
",
    );
}

#[test]
fn fields_and_globals_have_types() {
    check(
        r#"
//- a.hpp
struct A { void m(); };
extern A one;
struct B { A a; static A s; A* p = nullptr; };
//- a.cc
#include "a.hpp"
void A::m() {}
A one;
A B::s;
static A two;
void g(B b) { one.m(); two.m(); b.a.m(); B::s.m(); b.p->m(); }
"#,
        "
a.cc:6 m -> a.cc:A.m@2 [typed]
a.cc:6 m -> a.cc:A.m@2 [typed]
a.cc:6 m -> a.cc:A.m@2 [typed]
a.cc:6 m -> a.cc:A.m@2 [typed]
a.cc:6 m -> a.cc:A.m@2 [typed]
",
    );
}
