#define square(x) _Generic((x), int: square_int, double: square_double)(x)

int square_int(int x)
{
    return x * x;
}

double square_double(double x)
{
    return x * x;
}

int all(void)
{
    return square(2) + square_int(3); // calls :square, :square_int
}
