struct A { operator double() const { return 0; } };
struct B : A {};
struct C { explicit operator bool() const { return true; } };
void f(float) {}
void f(const A*) {}
void g(int) {}
void g(const char*) {}
void h(bool) {}
template <typename T> void h(const T&) {}
template <typename T> struct Box {};
template <typename T> void k(Box<T>) {}
void k(double) {}
void go(A a, B b, C c) {
  f(b);  // calls :f@4
  g(a);  // calls :g@6
  h(c);  // calls :h@9
  k(a);  // calls :k@12
  k(Box<int>());  // calls :k@11, :Box@10
}
