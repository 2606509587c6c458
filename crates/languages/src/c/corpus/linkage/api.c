#include "api.h"
int api_open(void)
{
    api_fail("%d", 1); // calls :api_fail
    return 0;
}
__attribute__((noreturn)) void api_fail(const char *format, ...)
{
    (void)format;
    for (;;)
        ;
}
