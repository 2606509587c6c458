#include "middle.hpp"
int main() {
  Middle m;
  return m.twice() + m.id();  // calls base.cc:Base.id@2, middle.hpp:Middle.twice@4
}
