struct Base {
  explicit Base(int x) : x_(x) {}
  Base(int x, int y) : x_(x + y) {}
  int x_;
};
struct Left : Base {
  Left() : Base(1) {}  // calls :Base.Base@2
  explicit Left(int y) : Base(1, y) {}  // calls :Base.Base@3
};
struct Both : Left {
  Both() : Left(3) {}  // calls :Left.Left@8
  Both(bool) : Both() {}  // calls :Both.Both@11
};
Both make() {
  return Both(true);  // calls :Both.Both@12
}
