#include "first.h"
#include "second.h"
#undef LAST
#define LAST(x) (x + 1)

int all(int x)
{
    x = ERROR(x); // calls second.h:ERROR
    x = SIZE(x); // calls first.h:SIZE
    return LAST(x) + ONLY(x); // calls :LAST, second.h:ONLY
}
