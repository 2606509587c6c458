#include "api.h"
int main(void)
{
    return api_open(); // calls api.c:api_open
}
