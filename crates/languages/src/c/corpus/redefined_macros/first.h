#if LIMIT > 0
#define ERROR(x) (-(x))
#else
#define ERROR(x) (x)
#endif
#define SIZE(x) sizeof(x)
#define LAST(x) (x)
