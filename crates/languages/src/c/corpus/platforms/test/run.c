#include "os.h"
int run(void)
{
    return os_name() + os_pages(); // calls src/unix/core.c:os_name, src/unix/linux.c:os_pages
}
