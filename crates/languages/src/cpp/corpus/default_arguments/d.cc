#include "d.hpp"
int open(const char*, int mode, bool fresh) { return mode + fresh; }
void Log::write(const char*, int) const {}
