struct Plain { int x; };
struct Point {
  Point(int x, int y) {}
  Point() : Point(0, 0) {}  // calls :Point.Point@3
  void move() {}
};
struct Line {
  Line(Point from) : from_(from), to_(1, 2), plain_{3} {}  // calls :Point.Point@3
  Line(int x) : to_{x, x} {}  // calls :Point.Point@3
  Point from_;
  Point to_{4, 5};  // calls :Point.Point@3
  Plain plain_;
};
struct Segment : Line {
  using Line::Line;
  Segment(int a, int b) : Line(Point(a, b)) {}  // calls :Line.Line@8, :Point.Point@3
};
typedef Point Dot;
using Spot = Point;

void use(int a) {
  Point one(1, 2);  // calls :Point.Point@3
  Point two{1, 2};  // calls :Point.Point@3
  Point three = Point(3, 4);  // calls :Point.Point@3
  Point four;
  Point(5, 6).move();  // calls :Point.Point@3, :Point.move
  Point{7, 8}.move();  // calls :Point.Point@3, :Point.move
  auto* made = new Point(9, 10);  // calls :Point.Point@3
  made->move();  // calls :Point.move
  Line line(a);  // calls :Line.Line@9
  Dot dot(1, 2);  // calls :Point.Point@3
  Spot spot{1, 2};  // calls :Point.Point@3
  dot.move();  // calls :Point.move
  int number(3);
  int* list = new int[3];
}
