struct Vec {
  Vec operator+(const Vec& other) const { return other; }
  int operator()(int x) { return x; }
  Vec& operator=(const Vec& other) { return *this; }
  bool operator==(const Vec& other) const { return true; }
};
bool operator<(const Vec& a, const Vec& b) { return false; }

struct Caller {
  Vec functor;
  void go() {
    functor(1);  // calls :Vec.operator()
  }
};

void use(Vec a, Vec b) {
  a(1);  // calls :Vec.operator()
  a.operator+(b);  // calls :Vec.operator+ (missed), :Vec.operator() (wrong)
  operator<(a, b);  // calls :operator< (missed)
}
