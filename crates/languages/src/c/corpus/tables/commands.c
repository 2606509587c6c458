struct command {
    const char *name;
    int (*run)(int argc);
};

static int cmd_add(int argc)
{
    return argc;
}

static int cmd_remove(int argc)
{
    return -argc;
}

static struct command commands[] = {
    { "add", cmd_add },
    { "remove", cmd_remove },
};

static int (*const handlers[])(int) = { cmd_add, cmd_remove };

int dispatch(int at, int argc)
{
    struct command *found = &commands[at];
    handlers[at](argc); // calls :handlers
    commands[at].run(argc); // calls :command.run
    return found->run(argc); // calls :command.run
}
