#include "os.h"
int os_name(void)
{
    return os_pages(); // calls :os_pages
}
int os_pages(void)
{
    return 3;
}
