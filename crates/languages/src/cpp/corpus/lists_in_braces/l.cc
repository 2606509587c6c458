#include <initializer_list>
struct A { A(int, int) {} };
template <typename T> void f(T) {}
template <typename T> void f(T*) {}
void f(std::initializer_list<double>) {}
void g(int) {}
void g(std::initializer_list<int>) {}
enum class E { One };
void h(E) {}
void h(A) {}
template <typename T> void k(std::initializer_list<T>) {}
void k(const A&) {}
void m(A&) {}
template <typename T> void m(const T&) {}
void go(A a) {
  f({1.5, 2.5});  // calls :f@5
  f(1.5);  // calls :f@3
  g({1});  // calls :g@7
  g(1);  // calls :g@6
  h({1, 2});  // calls :h@10
  k({a});  // calls :k@11 (missed)
  k({a, a});  // calls :k@11
  m({a});  // calls :m@13
  m(a);  // calls :m@13
}
