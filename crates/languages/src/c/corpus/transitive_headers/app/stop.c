#include "all.h"
void stop(void)
{
    log_line("y"); // calls core/log.c:log_line
}
