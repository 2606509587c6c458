#include "a.h"

namespace {
void hidden() {}
}

using two::three::only;

void first() {
  hidden();  // calls :hidden
  only();  // calls a.cc:two.three.only
  run();  // calls a.cc:run
}

void second() {
  using namespace one::inner;
  deep();  // calls a.cc:one.inner.deep
}

void third() {
  using one::v1::versioned;
  versioned();  // calls a.cc:one.versioned (missed), a.h:one.v1.versioned (wrong)
}

namespace one {
void fourth() {
  run();  // calls a.cc:one.run (missed)
  using namespace two::three;
  only();  // calls a.cc:two.three.only
}
}
