#include "lib.h"
static int usage(void) { return 2; }
int cmd_main(int argc)
{
    return argc ? 0 : usage(); // calls :usage
}
