struct A {
  void get() & {}
  void get() const & {}
  void only() & {}
  void only() const & {}
  void both() && {}
  void both() const & {}
  void some(int) & {}
  void some(long) && {}
};
A make() { return A(); }  // calls :A@1
void go(A a, const A& c) {
  a.get();  // calls :A.get@2
  c.get();  // calls :A.get@3
  A().get();  // calls :A.get@3, :A@1
  make().only();  // calls :make@11, :A.only@5
  A().both();  // calls :A.both@6, :A@1
  a.both();  // calls :A.both@7
  c.both();  // calls :A.both@7
  a.some(1);  // calls :A.some@8
  A().some(1);  // calls :A.some@9, :A@1
}
