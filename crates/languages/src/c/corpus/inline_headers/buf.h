struct buf { int len; };
int buf_grow(struct buf *b);
static inline int buf_room(struct buf *b)
{
    if (b->len > 3)
        return buf_grow(b); // calls buf.c:buf_grow
    return 0;
}
static inline int buf_add(struct buf *b)
{
    return buf_room(b) + 1; // calls :buf_room
}
