template <typename D>
class Counter {
 public:
  void count() { self().step(); }  // calls :Counter.self@5
  D& self() { return *static_cast<D*>(this); }
};
class Steps : public Counter<Steps> {
 public:
  void step() {}
};
void go() {
  Steps s;
  s.count();  // calls :Counter.count@4
  s.self().step();  // calls :Counter.self@5, :Steps.step@9
}
