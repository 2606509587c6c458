#define TWICE(x) (twice(x)) // calls m.c:twice
#define FOUR(x) TWICE(TWICE(x)) // calls :TWICE
#define PLAIN 3
#define ALIAS twice
int twice(int x);
