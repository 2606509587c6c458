#ifndef COMPAT_H
#define COMPAT_H
#ifdef _WIN32
#include "windows_names.h"
#else
#include <unistd.h>
#endif
#ifdef READ_MAY_STOP
#define read(fd, to, count) read_again(fd, to, count) // calls :read_again
long read_again(int fd, void *to, unsigned long count);
#endif
#ifndef HAVE_PAUSE
#define pause pause_here
int pause_here(void);
#endif
#if BYTE_ORDER == BIG_ENDIAN
#define htonl(x) (x)
#else
#define htonl(x) swap(x) // calls :swap
#endif
static inline unsigned swap(unsigned x) { return x; }
#endif
