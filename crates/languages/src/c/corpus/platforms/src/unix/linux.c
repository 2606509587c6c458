#include "os.h"
int os_pages(void)
{
    return 1;
}
