int cmd_main(int argc);
int setup(void);
