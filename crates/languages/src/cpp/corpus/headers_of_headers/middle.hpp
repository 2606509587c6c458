#pragma once
#include "base.hpp"
struct Middle : Base {
  int twice() const { return id() * 2; }  // calls base.cc:Base.id@2
};
