struct event {
    int kind;
    union {
        struct { int (*on_key)(int); };
        int (*on_mouse)(int);
    };
    struct { int (*done)(void); } end;
};

typedef struct {
    struct event first;
    struct event *rest;
} queue;

static struct { int (*start)(void); } globals;

int handle(queue *q)
{
    q->first.on_key(1); // calls :event.on_key
    q->rest[2].on_mouse(2); // calls :event.on_mouse
    q->first.end.done(); // calls :event.end.done
    return globals.start(); // calls :globals.start
}
