#include "a.h"

namespace {
void hidden() {}
}

namespace one {
void run() { hidden(); }  // calls :hidden
namespace inner {
void run() { deep(); }  // calls :one.inner.deep
void deep() { one::run(); }  // calls :one.run
}
void inline_user() {
  versioned();  // calls :one.versioned (missed), a.h:one.v1.versioned (wrong)
  ::run();  // calls :run
  inner::run();  // calls :one.inner.run
}
}

void one::versioned() {
  run();  // calls :one.run
}

namespace two::three {
void run() { only(); }  // calls :two.three.only
void only() {}
}

void run() {
  one::run();  // calls :one.run
  one::inner::run();  // calls :one.inner.run
  one::v1::versioned();  // calls :one.versioned (missed), a.h:one.v1.versioned (wrong)
  short_name::only();  // calls :two.three.only
  two::three::run();  // calls :two.three.run
}
