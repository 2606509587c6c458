#include "lib.hpp"
int all(lib::Api api) {
  int n = lib::current() + lib::v1::current();  // calls lib.hpp:lib.v2.current@6, lib.hpp:lib.v1.current@9
  return n + lib::v2::current() + api.version();  // calls lib.hpp:lib.v2.Api.version@4, lib.hpp:lib.v2.current@6
}
