typedef int (*compare_fn)(int, int);

static int less(int a, int b)
{
    return a < b;
}

static int apply(compare_fn compare, int a, int b)
{
    return compare(a, b);
}

int both(int a, int b)
{
    compare_fn f = less;
    return apply(less, a, b) + f(a, b); // calls :apply
}

static compare_fn hook = less;

int hooked(int a)
{
    return hook(a, 1) + (*hook)(a, 2); // calls :hook
}
