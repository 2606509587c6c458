#include "list.h"

struct item {
    struct item *next;
    int held;
};
struct list {
    LIST_HEAD(, item) all; // calls list.h:LIST_HEAD
};
static LIST_HEAD(spare_head, item) spare = { 0 }; // calls list.h:LIST_HEAD

static int use(int x) { return x; }
static struct item *first(void) { return 0; }

int all(struct item *item, struct list *list)
{
    int sum = 0;
    LIST_EACH(item, first()) { // calls list.h:LIST_EACH, :first
        sum += use(1); // calls :use
    }
    LIST_EACH(item, &list->all) // calls list.h:LIST_EACH
        sum += use(2); // calls :use
    if (sum)
        list_each_of(item, list, struct item) use(3); // calls list.h:list_each_of, :use
    else
        use(4); // calls :use
    LOCK(&sum) // calls list.h:LOCK
    item = container_of(first(), struct item, next); // calls list.h:container_of, :first
    if (compare(use(1), use(2), >=)) // calls list.h:compare, :use, :use
        return use(5); // calls :use
    switch (sum) {
#define CASE(x) case x: return use(x); // calls :use
    CODES(CASE) // calls list.h:CODES
#undef CASE
    }
    const char *text = "a" TEXT(b) "c"; // calls list.h:TEXT
    LOCK(&item->held) // calls list.h:LOCK
}
