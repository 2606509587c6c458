#include "m.h"

int twice(int x)
{
    return 2 * x;
}

int all(int x)
{
    x += TWICE(x); // calls m.h:TWICE
    x += FOUR(twice(x)); // calls m.h:FOUR, :twice
    x += ALIAS(PLAIN); // calls m.h:ALIAS
    return x;
}
