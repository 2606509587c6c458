int outer() { return 1; }
int all() {
  struct Point {
    int x;
    int sum() { return x + outer(); }  // calls :outer@1
  };
  Point p;
  p.x = 2;
  return p.sum();  // calls :all.Point.sum@5
}
int more() {
  struct Point {
    int sum() { return 2; }
  };
  return Point().sum();  // calls :more.Point@12, :more.Point.sum@13
}
