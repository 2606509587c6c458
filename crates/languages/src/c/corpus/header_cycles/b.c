#include "b.h"
int b_run(struct b *b)
{
    return a_run(b); // calls a.c:a_run
}
