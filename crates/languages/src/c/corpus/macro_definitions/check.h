#define START_TEST(name) static void name(void)
#define END_TEST
int add(int a, int b);
