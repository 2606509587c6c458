#include "first.h"
#undef ERROR
#define ERROR(x) (-(x))
#ifndef SIZE
#define SIZE(x) 0
#endif
#if !defined(ONLY)
#define ONLY(x) (x)
#endif
