#define TASK(name) int run_##name(void)
#define TASK_DECLARE(name) int run_##name(void);
#define TASK_WITH(name, count) int name(int x)
#define STATIC_ONLY(declaration) static declaration
#define format_like(a, b)
#define _Unused_
#define CALLBACK
#define CODES(X) X(A) X(B)
