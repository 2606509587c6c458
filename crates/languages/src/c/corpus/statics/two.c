int one(void);

static int helper(void)
{
    return 2;
}

int two(void)
{
    return helper() + one(); // calls :helper, one.c:one
}

int three(void)
{
    return absent();
}
