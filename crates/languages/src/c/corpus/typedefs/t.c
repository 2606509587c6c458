#include "t.h"

stack_p top_of(stack_t *s)
{
    return s->below;
}

void clear(stack_p s, void *p)
{
    s->release(p); // calls t.h:stack.release
    s->below->below->release(p); // calls t.h:stack.release
    top_of(s)->release(p); // calls :top_of, t.h:stack.release
    ((stack_t *)p)->release(p); // calls t.h:stack.release
}
