class Log
{
    public void Write() {}
}

class Other
{
    public void Write() {}
    public void Only() {}
}

class Main
{
    private Log item = new Log(); // calls :Log

    void Run(Other item)
    {
        item.Only(); // calls :Other.Only
        this.item.Write(); // calls :Log.Write
        {
            var inner = item;
            inner.Write(); // calls :Other.Write
        }
        if (true)
        {
            Log local = this.item;
            local.Write(); // calls :Log.Write
        }
        else
        {
            Other local = item;
            local.Write(); // calls :Other.Write
        }
        for (var i = 0; i < 2; i++)
        {
            var each = this.item;
            each.Write(); // calls :Log.Write
        }
        System.Action<Log> act = log => log.Write(); // calls :Log.Write
    }

    void Plain()
    {
        item.Write(); // calls :Log.Write
    }
}
