#include "buf.h"
int buf_grow(struct buf *b)
{
    return buf_add(b); // calls buf.h:buf_add
}
