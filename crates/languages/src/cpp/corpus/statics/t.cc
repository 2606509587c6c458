#include "s.hpp"
static int helper() { return 5; }
int all() {
  return helper() + Config::load().size();  // calls s.cc:Config.load@4, s.cc:Config.size@8, :helper@2
}
