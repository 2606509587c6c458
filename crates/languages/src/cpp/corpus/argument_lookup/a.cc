namespace geo {
struct Point {
  friend int length(const Point& point) { return 1; }
  friend void touch(Point& point);
};
void scale(Point& point, int by) {}
void touch(Point& point) {}
namespace detail {
struct Inner {};
void only_inner(Inner inner) {}
}
}

void scale(int value, int by) {}

void use(geo::Point point, geo::Point* pointer, geo::detail::Inner inner) {
  scale(point, 2);  // calls :geo.scale
  scale(1, 2);  // calls :scale
  touch(point);  // calls :geo.touch
  touch(*pointer);  // calls :geo.touch
  length(point);  // calls :geo.length
  only_inner(inner);  // calls :geo.detail.only_inner
  missing(point);
}
