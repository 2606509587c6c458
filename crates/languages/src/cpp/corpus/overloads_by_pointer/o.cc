struct A {};
struct B : A {};
void take(A*) {}
void take(const A&) {}
void take(void*) {}
void take(const char*) {}
void all(A* a, B b, int* n) {
  take(a);  // calls :take@3
  take(b);  // calls :take@4
  take(&b);  // calls :take@3
  take(n);  // calls :take@5
  take("x");  // calls :take@6
}
