#ifdef _WIN32
static int open_it(void) { return 1; }
#else
static int open_it(void) { return 2; }
#endif

#if 0
static int old(void) { return open_it(); } // calls :open_it@4
#endif

#if defined(__APPLE__) || defined(__FreeBSD__)
static int clock_it(void) { return 1; }
#elif defined(__linux__)
static int clock_it(void) { return 2; }
#else
static int clock_it(void) { return 3; }
#endif

#ifndef NO_CACHE
static int cached(void) { return 1; }
#else
static int cached(void) { return 0; }
#endif

int all(void)
{
#ifdef _WIN32
    open_it(); // calls :open_it@4
#endif
    return open_it() + clock_it() + cached(); // calls :open_it@4, :clock_it@14, :cached@20
}
