#include "lib.h"
int setup(void)
{
    return 1;
}
int main(int argc)
{
    setup(); // calls :setup
    return cmd_main(argc); // calls one.c:cmd_main, two.c:cmd_main
}
