#include "os.h"
int os_name(void)
{
    return os_pages(); // calls src/unix/linux.c:os_pages
}
