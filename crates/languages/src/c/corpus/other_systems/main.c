#include "compat.h"

int all(int fd)
{
    sleep(getpid());
    read(fd, 0, 0);
    pause();
#ifdef _WIN32
    open_console(); // calls windows_names.h:open_console
#endif
    return htonl(1); // calls compat.h:htonl@19
}
