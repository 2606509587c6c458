template <typename T> void f(T, T) {}
void f(long, double) {}
template <typename T, typename U> void g(T, U) {}
template <typename T> void g(T, T) {}
void go() {
  f(1, 2.5);  // calls :f@2
  f(1, 2);  // calls :f@1
  g(1, 2.5);  // calls :g@3
  g(1, 2);  // calls :g@4 (missed)
}
