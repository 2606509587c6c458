struct point { int x, y; };
struct handler {
    const char *name;
    int (*begin)(int);
    int (*end)(int);
    struct point at;
    int (*fail)(int);
};

static int f(int x) { return x; }
static int g(int x) { return x; }
static int h(int x) { return x; }

struct handler first = { .name = "a", f, .at = { 1, 2 }, g };
struct handler second = { .begin = f, h };

int all(struct handler *of)
{
    return of->begin(1) + of->end(2) + of->fail(3); // calls :handler.begin, :handler.end, :handler.fail
}
