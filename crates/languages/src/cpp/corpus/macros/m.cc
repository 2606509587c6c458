#include "m.h"

void check_failed(bool ok) {}
int value() { return 1; }

TEST(Suite, Case) {
  CHECK(value() == 1);  // calls m.h:CHECK, :value
  CALL_TWICE(value());  // calls m.h:CALL_TWICE, :value
}
