#include "check.h"

START_TEST(test_add) // calls check.h:START_TEST
{
    add(1, 2); // calls add.c:add
}
END_TEST

START_TEST(test_zero) // calls check.h:START_TEST
{
    add(0, 0); // calls add.c:add
}
END_TEST
