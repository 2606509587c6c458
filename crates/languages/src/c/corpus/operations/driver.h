struct device;
struct driver {
    int (*open)(struct device *);
    int (*close)(struct device *);
};
struct device {
    const struct driver *driver;
    struct device *parent;
};
struct device *find_device(int id);
