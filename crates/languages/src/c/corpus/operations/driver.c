#include "driver.h"

static int disk_open(struct device *d)
{
    return d != 0;
}

static int disk_close(struct device *d)
{
    return d == 0;
}

static const struct driver disk = {
    .open = disk_open,
    .close = disk_close,
};

static struct device only = { &disk, 0 };

struct device *find_device(int id)
{
    return id ? &only : 0;
}
