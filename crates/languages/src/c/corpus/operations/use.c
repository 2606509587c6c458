#include "driver.h"

int use(struct device *d)
{
    d->driver->open(d); // calls driver.h:driver.open
    d->parent->driver->close(d); // calls driver.h:driver.close
    (*d->driver->open)(d); // calls driver.h:driver.open
    return find_device(1)->driver->close(d); // calls driver.c:find_device, driver.h:driver.close
}
