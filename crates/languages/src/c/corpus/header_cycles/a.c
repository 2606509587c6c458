#include "a.h"
int a_run(struct b *b)
{
    return b_run(b) + b->go(); // calls b.c:b_run, b.h:b.go
}
