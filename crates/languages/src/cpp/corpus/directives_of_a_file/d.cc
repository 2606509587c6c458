namespace n { void f(double) {} void g(int) {} }
void f(const char*) {}
void g(long) {}
using namespace n;
namespace m { void f(int) {} void go() { f(1.5); } }  // calls :m.f@5
void go() {
  f(1.5);  // calls :n.f@1
  f("a");  // calls :f@2
  g(1);  // calls :n.g@1
  g(1L);  // calls :g@3
}
