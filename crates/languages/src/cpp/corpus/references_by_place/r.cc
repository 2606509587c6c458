struct A {};
struct B { B(const A&) {} };
void take(A&) {}
void take(const A&) {}
void take(A&&) {}
template <typename T> void keep(T&) {}
void keep(const B&) {}
template <typename T> void pass(T&&) {}
void pass(const A&) {}
void move_in(A&&) {}
template <typename T> void move_in(const T&) {}
void point(A*) {}
template <typename T> void point(const T*) {}
void number(int&) {}
void number(double) {}
enum E { One };
void constant(E&) {}
void constant(const E&) {}
A make() { return A(); }  // calls :A@1
void go(A a, const A& c, const A* p, A* q) {
  take(a);  // calls :take@3
  take(c);  // calls :take@4
  take(A());  // calls :take@5, :A@1
  take(make());  // calls :take@5, :make@19
  take(*q);  // calls :take@3
  keep(a);  // calls :keep@6
  keep(A());  // calls :keep@7, :A@1
  pass(a);  // calls :pass@8
  pass(c);  // calls :pass@9
  pass(A());  // calls :pass@8, :A@1
  move_in(a);  // calls :move_in@11
  move_in(A());  // calls :move_in@10, :A@1
  point(p);  // calls :point@13
  point(q);  // calls :point@12
  point(&c);  // calls :point@13
  point(&a);  // calls :point@12
  short s = 1;
  number(s);  // calls :number@15
  constant(One);  // calls :constant@18
}
