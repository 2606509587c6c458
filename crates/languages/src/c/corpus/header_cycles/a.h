#ifndef A_H
#define A_H
#include "b.h"
int a_run(struct b *b);
struct a { int x; };
#endif
