#include <stdio.h>
#include "shape.h"

int late(void);

int main(void)
{
    printf("%d", area(2, 3)); // calls shape.c:area
    return border(2, 3) + late(); // calls shape.c:border, :late
}

int late(void)
{
    return 1;
}
