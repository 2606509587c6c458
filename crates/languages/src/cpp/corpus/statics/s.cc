#include "s.hpp"
int Config::count = 0;
static int helper() { return 3; }
Config Config::load() {
  count = helper();  // calls :helper@3
  return Config();  // calls s.hpp:Config@1
}
int Config::size() const { return helper(); }  // calls :helper@3
