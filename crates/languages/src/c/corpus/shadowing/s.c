static int value(void)
{
    return 1;
}

static int other(void)
{
    return 2;
}

int f(int (*other)(void))
{
    return other() + value(); // calls :value
}

int g(void)
{
    int sum = value(); // calls :value
    {
        int (*value)(void) = other;
        sum += value();
    }
    for (int (*other)(void) = value; sum < 3;)
        sum += other();
    return sum + value() + other(); // calls :value, :other
}

struct value { int other; };

int h(struct value *v)
{
    return v->other + other(); // calls :other
}
