class Logger
{
    public void Write(string text) {}
}

class Service(Logger logger, string name)
{
    private readonly Helper helper = new Helper(logger); // calls :Helper.Helper
    public string Name => name.Trim();
    public void Run()
    {
        logger.Write(name); // calls :Logger.Write
        helper.Help(); // calls :Helper.Help
    }
    public Service(Logger logger) : this(logger, "x") {} // calls :Service.Service@6
}

class Helper(Logger logger)
{
    public void Help() => logger.Write("h"); // calls :Logger.Write
}

class Special(Logger log) : Service(log, "special") // calls :Service.Service@6
{
    public void Extra() => Run(); // calls :Service.Run
}

struct Point(int x, int y)
{
    public int Sum() => x + y;
}

class Main
{
    void Start()
    {
        var logger = new Logger(); // calls :Logger
        new Service(logger, "a").Run(); // calls :Service.Service@6, :Service.Run
        new Service(logger).Run(); // calls :Service.Service@15, :Service.Run
        new Special(logger).Extra(); // calls :Special.Special, :Special.Extra
        new Point(1, 2).Sum(); // calls :Point.Point, :Point.Sum
    }
}
