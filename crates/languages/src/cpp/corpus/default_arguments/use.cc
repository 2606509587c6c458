#include "d.hpp"
int all(const Log& log) {
  log.write("a");  // calls d.cc:Log.write@3
  log.write("b", 2);  // calls d.cc:Log.write@3
  return open("x") + open("y", 1) + open("z", 1, false);  // calls d.cc:open@2
}
