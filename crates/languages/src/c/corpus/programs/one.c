#include "lib.h"
static int usage(void) { return 1; }
int cmd_main(int argc)
{
    return argc ? 0 : usage(); // calls :usage
}
