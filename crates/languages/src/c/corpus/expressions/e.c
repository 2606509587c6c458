static int one(void)
{
    return 1;
}

static int two(void)
{
    return 2;
}

static int pick(int a, int b)
{
    return a ? one() : (two(), one()); // calls :one, :two
}

int all(int x)
{
    int table[2] = { one(), two() }; // calls :one, :two
    int y = ({ int z = one(); z + two(); }); // calls :one, :two
    x = sizeof(int) + (one)() + (&two)(); // calls :one, :two
    if (one() && !two()) // calls :one, :two
        return pick(table[one()], y); // calls :pick, :one
    return -pick(x++ + one(), x); // calls :pick, :one
}
