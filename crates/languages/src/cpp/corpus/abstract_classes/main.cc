#include "shapes.hpp"
double total(const Shape& one, const Square* two) {
  double sum = one.area();  // calls shapes.hpp:Shape.area@4
  sum += two->area();  // calls shapes.cc:Square.area@7
  sum += two->doubled();  // calls shapes.cc:Shape.doubled@3
  return sum;
}
int main() {
  Square s(2);  // calls shapes.cc:Square.Square@6
  return total(s, &s);  // calls :total@2
}
