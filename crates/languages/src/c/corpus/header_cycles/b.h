#ifndef B_H
#define B_H
#include "a.h"
struct b { int (*go)(void); };
int b_run(struct b *b);
#endif
