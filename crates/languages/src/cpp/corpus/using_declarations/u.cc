#include "u.hpp"
using lib::start;
struct Derived : lib::Base {
  using lib::Base::on;
  void on(const char*) {}
};
void all(Derived d) {
  start(1);  // calls u.hpp:lib.start@2
  start("a");  // calls u.hpp:lib.start@3
  d.on(1);  // calls u.hpp:lib.Base.on@5
  d.on(1.5);  // calls u.hpp:lib.Base.on@6
  d.on("b");  // calls :Derived.on@5
}
