#include "base.hpp"
int Base::id() const { return 4; }
