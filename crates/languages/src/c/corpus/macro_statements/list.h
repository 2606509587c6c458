#define LIST_HEAD(name, type) struct name { struct type *first; }
#define LIST_EACH(at, head) for (at = (head)->first; at; at = at->next)
#define list_each_of(at, head, type) for (at = (type *)(head)->first; at; at = at->next)
#define container_of(at, type, member) ((type *)(at))
#define compare(a, b, how) ((a) how (b))
#define LOCK(x) lock(x); // calls :lock
#define CODES(X) X(1) X(2)
#define TEXT(x) #x
static inline void lock(int *x) { *x = 1; }
