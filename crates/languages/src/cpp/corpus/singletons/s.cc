#include "s.hpp"
Registry& Registry::instance() {
  static Registry one;
  return one;
}
int Registry::find(int key) { return key; }
int all() {
  Registry& r = Registry::instance();  // calls :Registry.instance@2
  return r.find(1) + Registry::instance().find(2);  // calls :Registry.instance@2, :Registry.find@6
}
