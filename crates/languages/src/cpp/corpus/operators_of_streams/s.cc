#include <ostream>
namespace geo {
struct Point {
  int x;
};
std::ostream& operator<<(std::ostream& out, const Point& p) {
  out << p.x;
  return out;
}
}
void print(std::ostream& out, geo::Point p) {
  out << p;  // calls :geo.operator<<@6
  out << "at " << p << '\n';  // calls :geo.operator<<@6
}
