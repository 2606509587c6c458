#define EACH(i, n) for (int i = first(n); i < n; i = next(i)) // calls :first, :next
#define LIST_EACH(p, l) for (p = l; p; p = p->next)
struct list { struct list *next; void (*drop)(void); };

static int first(int n)
{
    return n > 0;
}

static int next(int i)
{
    return i + 1;
}

int sum(struct list *l, int n)
{
    struct list *p;
    int total = 0;
    EACH(i, n) { // calls :EACH
        total += next(i); // calls :next
    }
    LIST_EACH(p, l) { // calls :LIST_EACH
        p->drop(); // calls :list.drop
    }
    do {
        n = first(n); // calls :first
    } while (next(n) < 3); // calls :next
    switch (first(n)) { // calls :first
    case 1:
        return next(1); // calls :next
    default:
        goto out;
    }
out:
    return total;
}
