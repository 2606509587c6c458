#include "task.h"

TASK_DECLARE(a) // calls task.h:TASK_DECLARE
TASK_DECLARE(b) // calls task.h:TASK_DECLARE

enum codes {
#define X(x) CODE_##x,
    CODES(X) // calls task.h:CODES
#undef X
    CODE_LAST
};

static int help(int x) { return x; }

TASK(a) { // calls task.h:TASK
    return help(1); // calls :help
}

TASK_WITH(b, 3) { // calls task.h:TASK_WITH
    return help(2); // calls :help
}

STATIC_ONLY(int wrapped(int x)) { // calls task.h:STATIC_ONLY
    return help(x); // calls :help
}

static void format_like(1, 2) // calls task.h:format_like
report(_Unused_ int level, const char *text __unused, ...)
{
    help(3); // calls :help
}

static int CALLBACK answered(__unused struct codes *codes)
{
    report(1, "a"); // calls :report
    return wrapped(help(4)); // calls :wrapped, :help
}
